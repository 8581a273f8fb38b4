"""How it was measured: a paragraph ready for a paper, the rules in words, and what it takes to repeat it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from spadesim.analysis.numbers import NOTHING, count
from spadesim.analysis.report import FrameTable, Report, Section
from spadesim.analysis.words import listed
from spadesim.core.rules import Rules
from spadesim.match.diff_result import DiffResult
from spadesim.match.partners import PartnersResult
from spadesim.match.result import DuelResult
from spadesim.match.spec import in_words, set_word
from spadesim.match.standings import TournamentResult
from spadesim.rulebook.prose import describe
from spadesim.tuning.calibrated import CalibrateResult
from spadesim.tuning.rules_sweep import RulesSweepResult
from spadesim.tuning.swept import SweepResult
from spadesim.tuning.tune_result import TuneResult

if TYPE_CHECKING:
    import pandas as pd

TITLE = "Methods and provenance"
QUESTION = "How was this measured, and what does it take to see the same again?"
READS = "any"
ORDER = 900
MOST_RULES = 4  # whose words are given in full

OVER = (
    "Intervals of the counts of hands are jackknife intervals over 64 blocks of independent units, those of "
    "shares with few events Wilson intervals at an effective sample size. What a sentence picks out of many "
    "is told with intervals that hold for all of these at once (Bonferroni)."
)
INTERVALS = {
    TournamentResult: (
        "Ratings are weighted least squares over all matches on common boards; their intervals, and all "
        "statements that one player is better, hold together in 95 of 100 tournaments (max-T)."
    ),
    PartnersResult: (
        "Every two bots played the same boards; what pairs gain together has joint 95 % intervals (max-T)."
    ),
    SweepResult: (
        "All settings played the same boards, and those that did badly stopped early; the intervals of all "
        "gains hold together, whenever a setting stopped. The best one was measured anew on boards that had "
        "no part in choosing it."
    ),
    RulesSweepResult: "Each set of rules was played on the same deals; every interval holds for itself.",
    TuneResult: (
        "Candidates were compared on common boards; what was found was validated on boards that the search "
        "had not seen, with a plain 95 % interval."
    ),
    DiffResult: (
        "What a board tells is put down to the first decision on which its rooms differ, with 95 % t "
        "intervals over all boards. What single decisions are worth on average was measured on re-deals of "
        "the cards that the seat could not see, on which all bids recur and all cards played are legal, with "
        "a 95 % interval for each decision."
    ),
    CalibrateResult: (
        "The setting was searched on common deals; what it wins was then measured in games that the search "
        "had not seen, with 95 % intervals over pairs of games."
    ),
}


def build(report: Report) -> list[Section]:
    """The paragraph, the rules, and the tables of what was played and by which bots."""
    results = [result for result in report.results if hasattr(result, "rng")]
    sections = [Section("A paragraph for a paper", [_paragraph(report, results)])]
    sections += _rules(results)
    tables = [_played(results), *([_bots(report)] if report.subjects else [])]
    again = [f"This report is made again by: {report.command}"] if report.command else []
    return [*sections, Section("What it takes to see the same again", again, tables=tables)]


def _paragraph(report: Report, results: list[Any]) -> str:
    versions = listed(_different(f"spadesim {result.version}" for result in results))
    rng = listed(_different(result.rng for result in results))
    seeds = _different(str(result.seed) for result in results)
    seed = f"seed{'s' if len(seeds) > 1 else ''} {listed(seeds)}"
    hands = sum(result.hands for result in results)
    sentences = [
        f"Bots played {count(hands)} hands of the card game spades with {versions}.",
        f"Deals were drawn by a counter-based generator ({rng}, {seed}), so that the same command gives "
        "the same hands on any machine, with any number of workers.",
        *_different(_how(result) for result in results),
        *([OVER] if report.subjects else []),
        *([f"Only hands that fulfil the condition {report.where} were counted."] if report.where else []),
    ]
    return " ".join(sentences)


def _how(result: Any) -> str:
    """How a kind of result was played, and which intervals it has."""
    if not isinstance(result, DuelResult):
        return INTERVALS[type(result)]
    n_rooms = result.spec.n_rooms
    rooms, who = in_words(n_rooms), "sides" if result.spec.has_partners else "players"
    if result.boards is None:
        word = set_word(n_rooms)
        return (
            f"Games were played in {word}s of {rooms} on the same deals, the {who} changing seats; win "
            f"rates are shares of the finished games with 95 % intervals over {word}s."
        )
    gain = "the change of the chance to win the game, out of a table of win chances by score and bags"
    what = "points" if result.win_chance_per_board is None else gain
    return (
        f"Each deal was played in {rooms} rooms, the {who} changing seats; what a board tells is {what}, "
        "the mean of its rooms, with 95 % t intervals over boards."
    )


def _different(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _rules(results: list[Any]) -> list[Section]:
    """The rules in words, for each set of rules that was played."""
    texts = _different(result.rules for result in results)
    told = [Section(f"The rules {text}", _in_words(Rules.parse(text))) for text in texts[:MOST_RULES]]
    if len(texts) > MOST_RULES:
        others = f"Played as well: {listed(texts[MOST_RULES:])}. spadesim rules show tells them in words."
        told.append(Section("Other rules", [others]))
    return told


def _in_words(rules: Rules) -> list[str]:
    """A paragraph for each part of the rules."""
    parts: dict[str, list[str]] = {}
    for passage in describe(rules):
        parts.setdefault(passage.title, []).append(passage.text)
    return [f"{title}. {' '.join(texts)}" for title, texts in parts.items()]


def _played(results: list[Any]) -> FrameTable:
    """What was played: a row a result."""
    import pandas as pd

    rows = [
        (
            result.command,
            result.rules,
            str(result.seed),
            result.hands,
            result.version,
            getattr(result, "fingerprint", "") or NOTHING,
        )
        for result in results
    ]
    columns = ["command", "rules", "seed", "hands", "version", "fingerprint"]
    caption = "The fingerprint stands for every bid and every card: equal for equal runs."
    return FrameTable(
        "played", "Played", pd.DataFrame(rows, columns=columns), dict(zip(columns, columns, strict=True)),
        caption=caption,
    )  # fmt: skip


def _bots(report: Report) -> FrameTable:
    """Which bots the labels of pictures and tables stand for."""
    heads = {"label": "bot", "spec": "spec", "digest": "digest of its source", "run": "run"}
    return FrameTable("bots", "Bots", _bot_frame(report), heads, caption="What the labels above stand for.")


def _bot_frame(report: Report) -> "pd.DataFrame":
    import pandas as pd

    rows = []
    for subject in report.subjects:
        bots = [bot for side in "ab" for bot in subject.run.manifest.values[side]["bots"]]
        digest = next(bot["digest"] for bot in bots if bot["spec"] == subject.spec)
        rows.append((subject.label, subject.spec, digest, str(subject.run.store.folder)))
    return pd.DataFrame(rows, columns=["label", "spec", "digest", "run"])
