"""What a question can be: each kind has its keys, and is played by a command's own function."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spadesim.analysis.tables import seat_sentences
from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.match.duel import play_duel
from spadesim.match.result import DuelResult
from spadesim.match.spec import DuelSpec, make_spec
from spadesim.match.stop import choose
from spadesim.match.tournament import make_tournament, play_tournament
from spadesim.questions.keys import NUMBER_OR_TEXT, SHARE, TEXT, TEXTS, WHOLE, YES_OR_NO, Key, Values, needed
from spadesim.questions.ladder import KEYS, ladder_answer, ladder_frame, ladder_parts
from spadesim.questions.part import Part
from spadesim.strategy.load import can_sit
from spadesim.tuning.calibrate import CalibrateSpec, entry_of, play_calibration
from spadesim.tuning.calibrated import CalibrateResult
from spadesim.tuning.rules_sweep import check_tables, make_rules_sweep, play_rules_sweep
from spadesim.tuning.sweep import MANY, check_bots, play_sweep
from spadesim.tuning.sweep_spec import make_sweep

if TYPE_CHECKING:
    import pandas as pd


def verdicts(parts: Sequence[Part], results: Sequence[Any]) -> str:
    """What was found under each of the rules, in a sentence each."""
    return _told(parts, [str(result.verdict) for result in results])


def _of_duels(parts: Sequence[Part], results: Sequence[DuelResult]) -> str:
    """The same of duels; where a bot plays against itself, what seats and the lead are worth."""
    is_mirror = [part.spec.a == part.spec.b for part in parts]
    said = [
        " ".join(seat_sentences(result)) if mirror else result.verdict
        for result, mirror in zip(results, is_mirror, strict=False)
    ]
    return _told(parts, said)


def _told(parts: Sequence[Part], said: Sequence[str]) -> str:
    if len(parts) == 1 and said:
        return said[0]
    told = [f"Under {part.rules}: {text}" for part, text in zip(parts, said, strict=False)]
    missing = len(parts) - len(said)
    return " ".join(told + ([f"Partial: {missing} of {len(parts)} rules not played."] if missing else []))


def frames(results: Sequence[Any]) -> "pd.DataFrame":
    """The tables of all results below each other, with a column ``rules``."""
    import pandas as pd

    tables = [result.to_frame().reset_index() for result in results]
    for table, result in zip(tables, results, strict=True):
        if "rules" not in table:
            table.insert(0, "rules", str(result.rules))
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


@dataclass(frozen=True)
class Kind:
    """A kind of question.

    Parameters
    ----------
    keys : mapping of str to Key
        Its own keys, besides `spadesim.questions.keys.COMMON`.
    parts : function of the file's values
        What has to be played: a part for each of the rules, or more.
    play : function
        Plays a part's spec; takes workers, chunk, progress and notice.
    answer : function of parts and results
        A sentence or a few.
    frame : function of results
        One table.
    check : function of a part's spec
        Refuses what bots have to be loaded for to be known wrong, besides the bots themselves.
    is_kept : bool
        Whether a part can be kept as a run: `play` then takes `keep`.
    """

    keys: Mapping[str, Key]
    parts: Callable[[Values], list[Part]]
    play: Callable[..., Any]
    answer: Callable[[Sequence[Part], Sequence[Any]], str] = verdicts
    frame: Callable[[Sequence[Any]], "pd.DataFrame"] = frames
    check: Callable[[Any], object] = lambda spec: None
    is_kept: bool = False


_LENGTHS = {"games": WHOLE, "boards": WHOLE}
_STANDING = {"scores": TEXT, "bags": TEXT, "hand_cap": WHOLE}
_DUEL = {
    "a": needed(TEXT),
    "b": needed(TEXT),
    **_LENGTHS,
    **_STANDING,
    "sprt": TEXT,
    "until_width": NUMBER_OR_TEXT,
    "equivalent": NUMBER_OR_TEXT,
}
_TOURNAMENT = {
    "players": needed(TEXTS),
    "sit_out": YES_OR_NO,  # who cannot sit at a table is left out there
    **_LENGTHS,
    **_STANDING,
    "gauntlet": TEXT,
    "anchor": TEXT,
    "until_separated": YES_OR_NO,
    "indifference": NUMBER_OR_TEXT,
    "cap": WHOLE,
}

_SWEEP = {
    "strategy": needed(TEXT),
    "set": needed(TEXTS),
    "vs": TEXTS,
    "sample": WHOLE,
    "boards": WHOLE,
    "until_width": NUMBER_OR_TEXT,
    "race": YES_OR_NO,
    "correction": TEXT,
    "confirm": WHOLE,
    **_STANDING,
}
_RULES_SWEEP = {
    "strategy": needed(TEXT),
    "set": needed(TEXTS),
    "vs": TEXTS,
    "games": WHOLE,
    "hand_cap": WHOLE,
}

_CALIBRATE = {
    "side": needed(TEXT),
    "param": needed(TEXT),
    "vs": needed(TEXT),
    "target": needed(SHARE),
    "within": SHARE,
    "ladder": WHOLE,
    "games": WHOLE,
}


def _options(values: Values, keys: Mapping[str, Key], *without: str) -> Values:
    """What a file says under a kind's own keys, and the seed."""
    return {name: values[name] for name in (*keys, "seed") if name not in without}


def _duel_parts(values: Values) -> list[Part]:
    stop = choose(values["sprt"], values["until_width"], values["equivalent"])
    options = _options(values, _DUEL, "a", "b", "sprt", "until_width", "equivalent")

    def part(rules: str) -> Part:
        spec: DuelSpec = make_spec(values["a"], values["b"], rules=rules, stop=stop, **options)
        return Part(spec.rules, (spec.a, spec.b), spec, spec.units)

    return [part(rules) for rules in values["rules"]]


def _tournament_parts(values: Values) -> list[Part]:
    options = _options(values, _TOURNAMENT, "players", "sit_out")

    def part(rules: str) -> Part:
        players = values["players"]
        if values["sit_out"]:
            table = Rules.parse(rules)
            players = [text for text in players if can_sit(text, table)]
        spec = make_tournament(players, rules=rules, **options)
        rooms = spec.duel_spec(0, 1).n_rooms
        return Part(spec.rules, spec.players, spec, len(spec.pairs) * (spec.boards + spec.games // rooms))

    return [part(rules) for rules in values["rules"]]


def _sweep_parts(values: Values) -> list[Part]:
    options = _options(values, _SWEEP, "strategy", "set", "vs")

    def part(rules: str) -> Part:
        spec = make_sweep(values["strategy"], values["set"], vs=values["vs"] or (), rules=rules, **options)
        if spec.size > MANY:
            raise UserError(
                f"{spec.size:,} combinations are more than {MANY:,}, which a question may ask for: "
                "sample = 200 tries 200 of them, spread evenly."
            )
        return Part(spec.rules, (spec.strategy, *spec.refs), spec, 0)

    return [part(rules) for rules in values["rules"]]


def _rules_sweep_parts(values: Values) -> list[Part]:
    options = _options(values, _RULES_SWEEP, "strategy", "set", "vs")

    def part(rules: str) -> Part:
        spec = make_rules_sweep(
            values["strategy"], values["set"], vs=values["vs"] or (), rules=rules, **options
        )
        return Part(spec.rules, (spec.strategy, *spec.refs), spec, 0)

    return [part(rules) for rules in values["rules"]]


def _calibrate_parts(values: Values) -> list[Part]:
    given = {name: values[name] for name in ("within", "ladder", "games", "seed") if values[name] is not None}

    def part(text: str) -> Part:
        sides, rules = (values["side"].strip(), values["vs"].strip()), Rules.parse(text)
        spec = CalibrateSpec(*sides, values["param"].strip(), float(values["target"]), rules=rules, **given)
        return Part(rules, sides, spec, 0)

    return [part(rules) for rules in values["rules"]]


def _calibrate(spec: CalibrateSpec, *, chunk: int | None = None, **how: Any) -> CalibrateResult:
    """The same for any chunks, which never change a result."""
    return play_calibration(spec, **how)


KINDS: dict[str, Kind] = {
    "ladder": Kind(KEYS, ladder_parts, play_duel, ladder_answer, ladder_frame, is_kept=True),
    "duel": Kind(_DUEL, _duel_parts, play_duel, _of_duels, is_kept=True),
    "tournament": Kind(_TOURNAMENT, _tournament_parts, play_tournament),
    "sweep": Kind(_SWEEP, _sweep_parts, play_sweep, check=check_bots),
    "calibrate": Kind(_CALIBRATE, _calibrate_parts, _calibrate, check=entry_of),
    "rules_sweep": Kind(_RULES_SWEEP, _rules_sweep_parts, play_rules_sweep, check=check_tables),
}
