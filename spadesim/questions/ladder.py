"""Ladders: whether each strategy of a list beats the one before it, under each of several rules."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from spadesim.errors import UserError
from spadesim.match.result import DuelResult
from spadesim.match.spec import make_spec
from spadesim.questions.keys import TEXTS, WHOLE, Values, needed
from spadesim.questions.part import Part
from spadesim.strategy import parse

if TYPE_CHECKING:
    import pandas as pd

KEYS = {
    "strategies": needed(TEXTS),  # the weakest first
    "games": WHOLE,  # 20,000, or as few more as make whole sets under each rules
}

COLUMNS = (
    "rules", "upper", "lower", "games", "win_rate", "low", "high", "beats", "points_per_hand", "fingerprint",
)  # fmt: skip
BEATS = {"a": "yes", "b": "no", None: "undecided"}


def ladder_parts(values: Values) -> list[Part]:
    """The duels of a ladder, rules by rules from the lowest rung up; A is the upper rung.

    Raises
    ------
    UserError
        There is no ladder of these.
    """
    strategies = values["strategies"]
    if len(strategies) < 2:
        raise UserError("a ladder needs two strategies or more, the weakest first.")
    if len(set(strategies)) < len(strategies):
        raise UserError(f"strategies must differ from each other: {', '.join(strategies)}.")
    for text in strategies:
        parse(text)
    specs = [
        make_spec(upper, lower, rules=text, games=values["games"], seed=values["seed"])
        for text in values["rules"]
        for lower, upper in pairwise(strategies)
    ]
    values["games"] = values["games"] or max(spec.games or 0 for spec in specs)
    return [Part(spec.rules, (spec.a, spec.b), spec, spec.units) for spec in specs]


def ladder_answer(parts: Sequence[Part], results: Sequence[DuelResult]) -> str:
    """One sentence: whether each rung beats the one below it under all rules."""
    table = ladder_frame(results)
    steps, won = len(parts), int((table["beats"] == "yes").sum())
    if won == steps:
        return f"Yes: each rung beats the one below it in all {steps} duels."
    rest = [
        f"{row.upper} against {row.lower} under {row.rules}: {row.beats}"
        for row in table.itertuples()
        if row.beats != "yes"
    ]
    missing = [f"{steps - len(table)} duels not played"] if len(table) < steps else []
    is_partial = bool(missing) or any(result.partial for result in results)
    start = "Partial" if is_partial else "No"
    return f"{start}: {won} of {steps} duels are won by the upper rung; {'; '.join(rest + missing)}."


def ladder_frame(results: Sequence[DuelResult]) -> "pd.DataFrame":
    """A row a duel.

    Returns
    -------
    DataFrame
        Columns rules, upper, lower, games, win_rate (of the upper rung), low, high (its 95 % interval),
        beats ("yes", "no", "undecided"), points_per_hand, fingerprint.
    """
    import pandas as pd

    return pd.DataFrame([_row(result) for result in results], columns=list(COLUMNS))


def _row(duel: DuelResult) -> dict[str, Any]:
    rate, points = duel.win_rate_a, duel.points_per_hand
    return {
        "rules": duel.rules,
        "upper": duel.a,
        "lower": duel.b,
        "games": duel.games,
        "win_rate": rate.mean if rate else None,
        "low": rate.low if rate else None,
        "high": rate.high if rate else None,
        "beats": BEATS[duel.better],
        "points_per_hand": points.mean if points else None,
        "fingerprint": duel.fingerprint,
    }
