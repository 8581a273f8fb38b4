"""What a duel came to line by line, and what the rule did that may have ended it."""

from dataclasses import dataclass

from spadesim.analysis.numbers import NOTHING, Cell, count, number, percent
from spadesim.match.decision import Decision
from spadesim.stats.anytime import LEAST_DIFFERENT
from spadesim.stats.intervals import Estimate


@dataclass(frozen=True)
class Fact:
    """A line above the table: a label, a value with its interval, and what it means in words."""

    label: str
    cell: Cell
    meaning: str


def decision_facts(decision: Decision | None) -> list[Fact]:
    """What a rule that may end the duel looked at, and what it came to."""
    if decision is None:
        return []
    facts, scale = [], decision.scale
    if decision.llr_low is not None and decision.llr_high is not None:
        bounds = f"{decision.llr_low:.2f} to {decision.llr_high:.2f}"
        llr = NOTHING if decision.llr is None else f"{decision.llr:+.2f}"
        against = f"{scale.bare(decision.low)} against {scale.text(decision.high)}"
        facts.append(Fact("test, LLR", Cell(llr, bounds), against))
    facts.append(_difference("after the stop", decision.estimate, decision, "the stop allowed for"))
    facts.append(_difference("at any look", decision.anytime, decision, "may be watched as it goes"))
    return facts


def _difference(label: str, estimate: Estimate | None, decision: Decision, meaning: str) -> Fact:
    scale = decision.value_scale
    if estimate is None:
        return Fact(label, Cell(NOTHING), _why_none(decision))
    if scale.name == "games_won":
        return Fact(label, percent(estimate.shifted(0.5)), f"of the games, {meaning}")
    cell = number(estimate.scaled(1 / scale.written), scale.decimals, signed=True)
    return Fact(label, cell, f"{scale.words}, {meaning}")


def _why_none(decision: Decision) -> str:
    """Why there is no interval."""
    if decision.different < LEAST_DIFFERENT:
        differed = f"only {count(decision.different)} differed" if decision.different else "none differed"
        return f"{differed}; it takes {LEAST_DIFFERENT} to look at"
    return "all ended alike, without a spread"
