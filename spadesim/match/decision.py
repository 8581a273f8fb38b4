"""What a rule that may end a duel has come to: decided or not, on what, and what the result is then worth."""

from dataclasses import asdict, dataclass
from typing import Any

from spadesim.match.stop import Scale
from spadesim.stats.intervals import Estimate


@dataclass(frozen=True)
class Decision:
    """Where a rule stands at the end of a run.

    Parameters
    ----------
    rule : str
        "sprt", "width" or "equivalent".
    asked : str
        What was asked for, such as ``gain``.
    outcome : str
        Of a test "high" or "low", the value that was accepted; "reached" for a width; "equivalent", or
        "different" where one side is the better one; "no_difference" where no unit differed, and so many
        were seen that the difference must be smaller than what was looked for; "undecided" where the budget
        was spent before.
    unit : str
        Of `low` and `high`: "win_chance", "points", "games_won" (A's share minus 1/2), "elo" or
        "normalised_elo".
    low, high : float
        The values told apart; of a width 0 and the width, of equivalence the margin to both sides.
    alpha, beta : float
        The errors allowed.
    llr, llr_low, llr_high : float or None
        A test's log-likelihood ratio at the end, and its bounds.
    units, different, ahead, behind : int
        Boards, or pairs or sets of games; those on which the sides differed, and A was ahead, and behind.
    budget, batch : int
        Units at most, and units between two looks.
    estimate : Estimate or None
        Of the difference, with an interval that allows for the stop: of a test the median unbiased one. In
        the unit of the values: of win chance, points, or A's share of the games minus 1/2.
    anytime : Estimate or None
        The same difference with the interval that holds at all looks together; None where too few differed.
    p_value : float
        Of no difference, valid at any look.
    scale : Scale
        How the unit is written; not in the JSON object.
    value_scale : Scale
        The same of the estimates.
    """

    rule: str
    asked: str
    outcome: str
    unit: str
    low: float
    high: float
    alpha: float
    beta: float
    llr: float | None
    llr_low: float | None
    llr_high: float | None
    units: int
    different: int
    ahead: int
    behind: int
    budget: int
    batch: int
    estimate: Estimate | None
    anytime: Estimate | None
    p_value: float
    scale: Scale
    value_scale: Scale

    @property
    def is_decided(self) -> bool:
        """Whether the rule was met."""
        return self.outcome != "undecided"

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, apart from the scales."""
        values = asdict(self)
        del values["scale"], values["value_scale"]
        return values


def claim(decision: Decision, a: str, b: str) -> str:
    """What was found, in words, without figures.

    Parameters
    ----------
    decision : Decision
    a, b : str
        What the sides are called.
    """
    scale, low, high = decision.scale, decision.low, decision.high
    if decision.outcome == "high":
        if low == 0:
            return f"{a} is better than {b}"
        if low < 0:
            return f"{a} is not worse than {b} by {scale.text(-low)} or more"
        return f"{a} is better than {b} by more than {scale.text(low)}"
    if decision.outcome == "low":
        if high == 0:
            return f"{b} is better than {a}"
        if high > 0:
            return f"{a} is not better than {b} by {scale.text(high)} or more"
        return f"{b} is better than {a} by more than {scale.text(-high)}"
    if decision.outcome == "equivalent":
        return f"{a} and {b} are alike: less than {scale.text(high)} apart"
    if decision.outcome == "different":
        is_a = decision.estimate.mean > 0 if decision.estimate else decision.ahead > decision.behind
        better, worse = (a, b) if is_a else (b, a)
        return f"{better} is better than {worse}, so they are not taken for alike within {scale.text(high)}"
    if decision.outcome == "reached":
        return f"{a} against {b}, known to {scale.text(high)}"
    return f"Undecided between {a} and {b}"


def sentence(decision: Decision, a: str, b: str, units: str, budget: str | None = None) -> str:
    """The verdict of a rule in one sentence.

    Parameters
    ----------
    decision : Decision
    a, b : str
    units : str
        What was played, in words.
    budget : str, optional
        The most that was to be played.
    """
    if decision.different == 0:
        return f"No difference between {a} and {b} on any of {units}."
    if budget is None:
        length = f"{units} were counted"
    elif decision.is_decided:
        length = f"decided after {units} of at most {budget}"
    elif units == budget:
        length = f"the budget of {units} is spent"
    else:
        length = f"{units} of at most {budget} were played"
    return f"{claim(decision, a, b)}: {_figures(decision, a, b)}{length}."


def _figures(decision: Decision, a: str, b: str) -> str:
    """What was measured: too little for an interval, or an estimate with one."""
    if decision.estimate is None:
        few = f"only {decision.different:,} differed, {decision.ahead:,} to {decision.behind:,}"
        return f"{few}, too few for an interval; "
    scale, found = decision.value_scale, decision.estimate
    if scale.name == "games_won":
        found = Estimate(*(value + 0.5 for value in (found.mean, found.low, found.high)))
        what = f"{a} won {scale.bare(found.mean)} % of the games"
    else:
        ahead, behind = (a, b) if found.mean >= 0 else (b, a)
        found = found if found.mean >= 0 else found.scaled(-1)
        what = f"{scale.text(found.mean)} more for {ahead} than for {behind}"
    ends = f"{scale.bare(found.low)} to {scale.bare(found.high)}"
    return f"{what} (95 % interval, the stop allowed for, {ends}); "
