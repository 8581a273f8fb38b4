"""What a rule that may end a duel has come to: decided or not, on what, and what the result is then worth."""

from dataclasses import asdict, dataclass
from typing import Any

from spadesim.match.scale import Scale
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
        A test's log-likelihood ratio at the end, None while too few units differ to look at it, and its
        bounds.
    units, different, ahead, behind : int
        Boards, or pairs or sets of games; those on which the sides differed, and A was ahead, and behind.
    mean : float
        The plain mean of the values, which the stop makes too extreme; in their unit, as `estimate`.
    budget, batch : int
        Units at most, and units between two looks.
    estimate : Estimate or None
        Of the difference, with an interval that allows for the stop: of a test the median unbiased one, and
        where somebody broke it off `anytime`. In the unit of the values: of win chance, points, or A's share
        of the games minus 1/2.
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
    mean: float
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
        better, worse = (a, b) if winner(decision) == "a" else (b, a)
        return f"{better} is better than {worse}, so they are not taken for alike within {scale.text(high)}"
    if decision.outcome == "reached":
        return f"{a} against {b}, known to {scale.text(high)}"
    if decision.rule == "width":
        return f"{a} against {b}, not yet known to {scale.text(high)}"
    test = f" by the test of {scale.bare(low)} against {scale.text(high)}" if decision.rule == "sprt" else ""
    return f"Undecided between {a} and {b}{test}"


def winner(decision: Decision) -> str | None:
    """Which side a rule has found to be the better one, "a" or "b"; None for neither."""
    if decision.outcome == "high":
        return "a" if decision.low >= 0 else None
    if decision.outcome == "low":
        return "b" if decision.high <= 0 else None
    if decision.outcome == "different":
        is_a = decision.estimate.mean > 0 if decision.estimate else decision.ahead > decision.behind
        return "a" if is_a else "b"
    return None


def sentence(
    decision: Decision, a: str, b: str, units: str, budget: str | None = None, won: str = "won"
) -> str:
    """The verdict of a rule in one sentence.

    Parameters
    ----------
    decision : Decision
    a, b : str
    units : str
        What was played, in words.
    budget : str, optional
        The most that was to be played.
    won : str
        What A did to its share of the games.
    """
    if decision.different == 0:
        return f"No difference between {a} and {b} on any of {units}."
    if budget is None:
        length = f"{units} {'was' if decision.units == 1 else 'were'} counted"
    elif decision.is_decided:
        length = f"decided after {units} of at most {budget}"
    elif units == budget:
        length = f"the budget of {units} is spent"
    else:
        length = f"{units} of at most {budget} were played"
    return f"{claim(decision, a, b)}: {_figures(decision, a, b, won)}; {length}."


def _figures(decision: Decision, a: str, b: str, won: str) -> str:
    """What was measured: too little for an interval, or an estimate with one."""
    scale, found = decision.value_scale, decision.estimate
    if found is None:
        few = f"only {decision.different:,} differed, {decision.ahead:,} to {decision.behind:,}"
        return f"{few}, too few for an interval"
    allowed = ", the stop allowed for,"
    if scale.name == "games_won":
        plain, mean, low, high = (
            scale.bare(value + 0.5) for value in (decision.mean, found.mean, found.low, found.high)
        )
        what, zero = f"{a} {won} {plain} % of the games", "50 %"
        if mean != plain:  # what was won is a fact, and what follows from it an estimate
            what, allowed = f"{what}, with the stop allowed for {mean} %", ""
    else:
        ahead, behind = (a, b) if found.mean >= 0 else (b, a)
        shown = found if found.mean >= 0 else found.scaled(-1)
        low, high = scale.bare(shown.low), scale.bare(shown.high)
        what, zero = f"{scale.text(shown.mean)} more for {ahead} than for {behind}", "0"
    return f"{what} (95 % interval{allowed} {low} to {high}{_holds(decision, zero)})"


def _holds(decision: Decision, zero: str) -> str:
    """Why one side is the better one although the interval holds no difference; "" where it does not."""
    found = decision.estimate
    is_better = (decision.outcome, 0.0) in (("high", decision.low), ("low", decision.high))
    is_better = is_better or decision.outcome == "different"
    if found is None or not is_better or not found.low <= 0 <= found.high:
        return ""
    if found == decision.anytime:
        return f", which holds {zero}: it is one for any stop"
    error = decision.alpha if decision.outcome == "high" else decision.beta
    return f", which holds {zero}: each of its ends errs in 2.5 of 100, the test in {100 * error:g}"
