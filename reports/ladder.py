"""Who stands where: the ranking of a tournament, the rungs of a ladder, and who plays well with whom."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from spadesim.analysis import plots, ranking
from spadesim.analysis.inputs import Question
from spadesim.analysis.look import NARROW, WIDTH, legend, short
from spadesim.analysis.numbers import number
from spadesim.analysis.report import FrameTable, Picture, Report, Section
from spadesim.analysis.words import listed
from spadesim.match.partners import PartnersResult
from spadesim.match.scale import Scale
from spadesim.match.standings import TournamentResult
from spadesim.questions.ladder import ladder_frame
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

TITLE = "Ladder"
QUESTION = "Who stands where, who is separated from whom, and who plays well together?"
READS = ("tournament", "partners", "ladder")
ORDER = 12
LONGEST = 300  # letters of a sentence
MOST_NARROW = 5  # players whose grids stand side by side
NAMES = 1.4  # inches beside a grid


def build(report: Report) -> list[Section]:
    """The sections of every ranking, ladder and grid."""
    tables = {result.rules for result in report.results if isinstance(result, TournamentResult)}
    return [
        replace(section, title=f"{result.rules}: {section.title}")
        if len(tables) > 1 and isinstance(result, TournamentResult)
        else section
        for result in report.results
        for section in _sections(result)
    ]


def _sections(result: Any) -> list[Section]:
    if isinstance(result, TournamentResult):
        is_rated = any(player.elo for player in result.players)
        return [_ranking(result), _pairs(result), *([_games(result)] if is_rated else [])]
    return [_partners(result)] if isinstance(result, PartnersResult) else [_ladder(result)]


def _ranking(result: TournamentResult) -> Section:
    scale, n = result.scale, len(result.players)
    picture = Picture(
        "ratings",
        f"Ratings, {scale.head}",
        lambda figure: ranking.ratings(figure.subplots(), result),
        result.to_frame(),
        "What each player gains on a board beside the mean of all, or the anchor; all intervals together "
        "hold in 95 of 100 tournaments. Players with a letter in common, at the right, are not separated.",
        alt="; ".join(
            f"{p.name} {scale.shown(p.rating, signed=True)[0]} ({p.groups})" for p in result.players
        ),
        wide=True,
        height=plots.estimates_height(n),
    )
    verdict = [result.verdict] if len(result.verdict) <= LONGEST else []  # which names all that are alike
    return Section(_first(result), [*verdict, *_circles(result)], [picture], [_standings(result)])


def _first(result: TournamentResult) -> str:
    """Who is first, and by how much that is sure."""
    best = result.players[0]
    rating, interval = result.scale.shown(best.rating, signed=True)
    alike = sorted({p.name for p in result.players[1:] if set(p.groups) & set(best.groups)})
    return f"{best.name} is first: {rating} {result.scale.unit} ({interval}){_not_separated(alike)}"


def _not_separated(alike: Sequence[str]) -> str:
    """Whom the first one is not surely ahead of."""
    if not alike:
        return ""
    return f", not separated from {listed(alike) if len(alike) < 4 else f'{len(alike)} others'}"


def _circles(result: TournamentResult) -> list[str]:
    found = [f"{a} surely beats {b}, {b} beats {c}, and {c} beats {a}." for a, b, c in result.circles[:5]]
    if not found and result.clear_triads:
        return [
            f"Nobody goes in a circle: {result.clear_triads} triples with three sure results have an order."
        ]
    return found


def _standings(result: TournamentResult) -> FrameTable:
    frame, scale = result.to_frame(), result.scale
    for name in ("rating", "low", "high"):
        frame[name] /= scale.written
    frame = frame.rename(columns={"rating": "mean"})
    heads = {"name": "player", "rank": "place", "mean": scale.head, "groups": "groups"}
    heads |= {"elo": "Elo by games"} if result.games else {}
    return FrameTable("standings", "Standings", frame, heads, {"mean": "signed", "elo": "signed:0"})


def _pairs(result: TournamentResult) -> Section:
    n, clear = len(result.players), sum(head.clear for head in result.heads)
    wide = n > MOST_NARROW
    size = ranking.text_size(n, (WIDTH if wide else NARROW) - NAMES)
    height = min(0.36 * n + 1.0, 7.0) + (0.4 if n <= ranking.NAMED_COLUMNS else 0.0)
    names = [player.name for player in result.players]
    sure = [
        (a, b, result.superiority[i][j]) for i, a in enumerate(names) for j, b in enumerate(names) if i != j
    ]
    pictures = [
        Picture(
            "superiority",
            "How sure it is that the row is better than the column, %",
            lambda figure: ranking.superiority(figure.subplots(), result, size),
            _frame(sure, ["row", "column", "sure"]),
            "1 minus the one-sided p value, each pair for itself; blue where the row is better.",
            alt=f"A grid of {n} players: how sure it is that each is better than each other.",
            wide=wide,
            height=height,
        ),
        Picture(
            "meetings",
            f"What the row gained against the column, {result.scale.head}",
            lambda figure: ranking.meetings(figure.subplots(), result, size),
            _heads(result),
            "Pale, and with a question mark: not sure, all such statements of the tournament together.",
            alt=f"A grid of {n} players: what each gained against each other.",
            wide=wide,
            height=height,
        ),
    ]
    return Section(f"{clear} of {len(result.heads)} matches have a sure winner", pictures=pictures)


def _heads(result: TournamentResult) -> "pd.DataFrame":
    rows = [(h.a, h.b, *_ends(h.value, result.scale), h.clear) for h in result.heads]
    return _frame(rows, ["row", "column", "mean", "low", "high", "is_sure"])


def _ends(estimate: Estimate, scale: Scale) -> tuple[float, float, float]:
    scaled = estimate.scaled(1 / scale.written)
    return scaled.mean, scaled.low, scaled.high


def _frame(rows: Sequence[tuple[Any, ...]], columns: list[str]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(rows, columns=columns)


def _games(result: TournamentResult) -> Section:
    rated = sorted((p for p in result.players if p.elo), key=lambda p: -p.elo.mean if p.elo else 0.0)
    lines = [(p.name, p.elo) for p in rated if p.elo]
    name, elo = lines[0]
    shown = number(elo, 1, signed=True)
    opposed = [f"{a} is ahead of {b} by boards, and behind by games." for a, b in result.games_oppose[:5]]
    agree = len(result.games_agree)
    text = (
        opposed or [f"Boards and games agree on all {agree} pairs that both separate."] if agree else opposed
    )
    picture = Picture(
        "elo",
        "Elo by whole games",
        partial(plots.estimates, lines=lines, x_label="Elo, with joint 95 % intervals", at=0.0),
        _frame([(n, e.mean, e.low, e.high) for n, e in lines], ["player", "elo", "low", "high"]),
        f"From {result.games:,} games a match by the model of Davidson, which knows draws.",
        alt="; ".join(f"{n} {e.mean:+.0f} ({e.low:+.0f} to {e.high:+.0f})" for n, e in lines),
        wide=len(lines) > 8,
        height=plots.estimates_height(len(lines)),
    )
    alike = [n for n, e in lines[1:] if e.high >= elo.low]
    title = f"By whole games {name} is first: {shown.value} Elo ({shown.note}){_not_separated(alike)}"
    return Section(title, text, [picture])


def _ladder(question: Question) -> Section:
    """The duels of a ladder, rung by rung."""
    frame = ladder_frame(question.results).rename(columns={"win_rate": "mean"})
    rows = frame.dropna(subset=["mean"])
    rules = list(dict.fromkeys(rows["rules"]))
    found: list[Any] = list(rows.itertuples())
    lines = [
        (f"{row.upper} over {row.lower}", Estimate(row.mean, row.low, row.high).scaled(100)) for row in found
    ]
    kinds = [rules.index(row.rules) for row in found]
    order = sorted(range(len(lines)), key=lambda k: (list(dict(lines)).index(lines[k][0]), kinds[k]))
    drawn: dict[str, Any] = {"lines": [lines[k] for k in order], "kinds": [kinds[k] for k in order]}
    won = int((frame["beats"] == "yes").sum())
    picture = Picture(
        "rungs",
        "Games that the upper rung won, %",
        partial(_rungs, rules=rules, **drawn),
        frame,
        "Each strategy against the one below it, with 95 % intervals; at the dashed line both are alike.",
        alt="; ".join(
            f"{name} {e.mean:.1f} % under {rules[kind]}" for (name, e), kind in zip(lines, kinds, strict=True)
        ),
        wide=True,
        height=plots.estimates_height(len(lines)) + 0.3,
    )
    heads = {"upper": "upper rung", "lower": "lower rung", "rules": "rules", "games": "games"}
    heads |= {"mean": "games won", "beats": "better", "points_per_hand": "points a hand"}
    table = FrameTable(
        "rungs-table", "Rung by rung", frame, heads, {"mean": "percent", "points_per_hand": "signed"}
    )
    pictures = [picture] if lines else []
    return Section(f"{won} of {len(frame)} rungs beat the one below", [question.answer], pictures, [table])


def _rungs(figure: "Figure", rules: Sequence[str], **drawn: Any) -> None:
    plots.estimates(figure, x_label="games that the upper rung won, %", at=50.0, **drawn)
    if len(rules) > 1:
        legend(figure, [short(text) for text in rules])


def _partners(result: PartnersResult) -> Section:
    n = len(result.bots)
    wide = n > MOST_NARROW
    size = ranking.text_size(n, (WIDTH if wide else NARROW) - NAMES)

    def picture(
        name: str, title: str, draw: Callable[..., None], frame: "pd.DataFrame", caption: str
    ) -> Picture:
        return Picture(
            name, title, lambda figure: draw(figure.subplots(), result, size), frame, caption,
            alt=f"A grid of {n} bots as partners: {title}.", wide=wide, height=min(0.4 * n + 1.4, 7.0),
        )  # fmt: skip

    columns = ["a", "b", "mean", "low", "high"]
    own = _frame([(p.a, p.b, *_ends(p.value, result.scale)) for p in result.pairs], columns)
    more = [(p.a, p.b, *_ends(p.together, result.scale)) for p in result.pairs if p.together is not None]
    return Section(
        result.verdict.rstrip("."),
        pictures=[
            picture(
                "partners", f"What row and column gain as partners, {result.scale.head}", ranking.gains, own,
                f"On the same boards against {result.against}; each pair for itself.",
            ),
            picture(
                "together", "What they gain beyond the mean of each with itself", ranking.together,
                _frame(more, columns), "Pale, and with a question mark: not sure, all pairs together.",
            ),
        ],
        tables=[FrameTable(
            "pairs", "Pair by pair", own, {"a": "partner", "b": "partner", "mean": result.scale.head},
            {"mean": "signed"},
        )],
    )  # fmt: skip
