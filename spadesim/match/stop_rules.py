"""The rules that may end a duel: a test of two values, an interval narrow enough, two sides alike.

They look at sums over units, whoever fills them: a run that goes on, or results counted elsewhere. While few
units differ their spread says too little, and what counts is how few they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from spadesim.errors import UserError
from spadesim.match.decision import Decision
from spadesim.match.scale import ELO, NORMALISED_ELO, Scale
from spadesim.match.stop import MOST_ELO, Stop
from spadesim.stats.anytime import LEAST_DIFFERENT, anytime_interval, anytime_reach
from spadesim.stats.elo import (
    NELO_PER_SPREAD,
    Sample,
    elo,
    elo_interval,
    normalised_elo,
    score_of,
)
from spadesim.stats.exact import is_rarer
from spadesim.stats.intervals import TAIL, Estimate, without_spread
from spadesim.stats.moments import Moments
from spadesim.stats.sequential import Bounds, Test, llr_logistic, llr_normalised, llr_of_means
from spadesim.stats.stopped import Stopped, estimate_after_stop

UNDECIDED, NO_DIFFERENCE = "undecided", "no_difference"
OVERRUN = 1.5  # times a bound: further than this no test goes that looks often


@dataclass
class Seen:
    """All that a rule knows of a run.

    Parameters
    ----------
    moments : Moments
        Of the values of its units.
    pairs : list of int
        Pairs of games by A's score, where pairs are played and both games were finished; or games.
    """

    moments: Moments = field(default_factory=Moments)
    pairs: list[int] = field(default_factory=lambda: [0] * 5)


@dataclass(frozen=True)
class Aim:
    """What a rule holds against each other, and in which units.

    Parameters
    ----------
    stop : Stop
    scale : Scale
        Of the rule's numbers.
    value_scale : Scale
        Of the values.
    limit : float
        The most that a value can be.

    Raises
    ------
    UserError
        Numbers beyond all that can be measured.
    """

    stop: Stop
    scale: Scale
    value_scale: Scale
    limit: float

    def __post_init__(self) -> None:
        """Refuse a difference that no two sides have, and a width that every interval has."""
        written, is_elo = self.scale.written, self.scale in (ELO, NORMALISED_ELO)
        is_width = self.stop.kind == "width"
        most = (MOST_ELO if is_elo else self.limit / written) * (2 if is_width else 1)
        asked = max(abs(end) for end in self.ends) / written
        if asked >= most:
            why = "more cannot be told apart" if is_elo else "more cannot be gained"
            what, why = ("A width", "no interval is wider") if is_width else ("A difference", why)
            raise UserError(f"{what} must be below {most:g} {self.scale.words} ({why}), not {asked:g}.")

    @property
    def ends(self) -> tuple[float, float]:
        """The two numbers of the rule, see `Stop.numbers`."""
        return self.stop.numbers(self.scale)

    def mean(self, number: float, seen: Seen) -> float:
        """The mean value that a number in the rule's unit stands for, with the spread that was seen."""
        if self.scale is NORMALISED_ELO:
            return number / NELO_PER_SPREAD * _spread_of_a_game(seen.pairs)
        return score_of(number) - 0.5 if self.scale is ELO else number

    def rarity(self, number: float, seen: Seen) -> float:
        """The share of units that must differ, whichever way, for the difference to be a number.

        Normalised Elo is counted in the spread of the very units that differ, so that few of them make a
        large one. With m the mean of what units are off 1/2, and q the share of those that are, m**2 is at
        most q times their mean square (Cauchy and Schwarz), so that (m / spread)**2 is at most q / (1 - q),
        which it is when all that differ do so alike: of 2,415 pairs one lost, and all others split, are -5.
        """
        if self.scale is NORMALISED_ELO:
            square = Sample.of(seen.pairs).games_a_unit * (number / NELO_PER_SPREAD) ** 2
            return square / (1 + square)
        return abs(self.mean(number, seen)) / self.limit

    def width(self, seen: Seen) -> float | None:
        """How wide the interval that holds at any look is, in the rule's unit; None while there is none."""
        found = anytime_interval(seen.moments, (-self.limit, self.limit))
        if found is not None and self.scale is ELO:
            found = elo_interval(Sample.of(seen.pairs), anytime_reach(seen.moments.n))
        elif found is not None and self.scale is NORMALISED_ELO:
            found = normalised_elo(seen.pairs, anytime_reach(seen.moments.n))
        return None if found is None else found.high - found.low

    def llr(self, seen: Seen, low: float, high: float) -> float:
        """The log-likelihood ratio of `high` against `low`, in the rule's unit."""
        if sum(seen.pairs) == 0:
            return llr_of_means(seen.moments, low, high)
        if self.scale is NORMALISED_ELO:
            return llr_normalised(seen.pairs, low, high)
        ends = (low, high) if self.scale is ELO else (elo(0.5 + low), elo(0.5 + high))
        return llr_logistic(seen.pairs, *ends)


def _spread_of_a_game(pairs: Sequence[int]) -> float:
    sample = Sample.of(pairs)
    return float((sample.games_a_unit * sample.variance) ** 0.5)


class Rule:
    """What all rules share: what they see, and how their decision is put together.

    Parameters
    ----------
    aim : Aim
    seen : Seen
        Filled by somebody else between two looks.
    """

    test: Test | None = None

    def __init__(self, aim: Aim, seen: Seen) -> None:
        self.aim, self.seen = aim, seen
        self.outcome = UNDECIDED
        self._first_look = 0  # units, when the values were looked at for the first time

    def look(self) -> str:
        """What has been decided by now, "undecided" for nothing; once decided it stays so."""
        moments = self.seen.moments
        if self.outcome == UNDECIDED and moments.n:
            is_rare = moments.different < LEAST_DIFFERENT
            if not is_rare and moments.variance > 0 and not self._first_look:
                self._first_look = moments.n
            self.outcome = self.by_rarity() if is_rare else self.by_values()
        return self.outcome

    def by_rarity(self) -> str:
        """What follows from how few units differ, while they are few."""
        raise NotImplementedError

    def by_values(self) -> str:
        """What follows from the values, once enough differ."""
        raise NotImplementedError

    def estimate(self, step: int, anytime: Estimate | None) -> Estimate | None:
        """The difference, with an interval that allows for the stop."""
        return anytime

    def is_within(self, number: float, error: float) -> bool:
        """Whether so few units differ that the mean must be smaller than a number in the rule's unit."""
        moments = self.seen.moments
        share = self.aim.rarity(number, self.seen)
        return share > 0 and is_rarer(moments.different, moments.n, share, error)

    def decision(self, batch: int, budget: int, anytime: Estimate | None, p_value: float) -> Decision:
        """The decision as it stands."""
        aim, test, moments = self.aim, self.test, self.seen.moments
        low, high = aim.ends
        is_decided, nothing = self.outcome != UNDECIDED, moments.different == 0
        # Where somebody broke it off it was not the rule that stopped it, and who knows what he saw.
        is_broken_off = not is_decided and moments.n < budget
        return Decision(
            rule="equivalence" if aim.stop.kind == "equivalent" else aim.stop.kind,
            asked=aim.stop.text,
            outcome=NO_DIFFERENCE if is_decided and nothing else self.outcome,
            unit=aim.scale.name,
            low=low,
            high=high,
            alpha=aim.stop.alpha,
            beta=aim.stop.beta,
            llr=test.value if test and moments.different >= LEAST_DIFFERENT else None,
            llr_low=test.bounds.low if test else None,
            llr_high=test.bounds.high if test else None,
            units=moments.n,
            different=moments.different,
            ahead=moments.ahead,
            behind=moments.behind,
            mean=moments.mean,
            budget=budget,
            batch=batch,
            estimate=anytime if is_broken_off else self.estimate(batch, anytime),
            anytime=anytime,
            p_value=p_value,
            scale=aim.scale,
            value_scale=aim.value_scale,
        )


class Sequential(Rule):
    """The sequential test of two values."""

    def __init__(self, aim: Aim, seen: Seen) -> None:
        super().__init__(aim, seen)
        low, high = aim.ends
        bounds = Bounds.of(aim.stop.alpha, aim.stop.beta)
        self.test: Test = Test(bounds, lambda: aim.llr(seen, low, high))

    def by_values(self) -> str:
        """See `Rule.by_values`."""
        return self.test.look() or UNDECIDED

    def by_rarity(self) -> str:
        """See `Rule.by_rarity`."""
        low, high = self.aim.ends
        if low < 0 and self.is_within(low, self.aim.stop.alpha):
            return "high"
        return "low" if high > 0 and self.is_within(high, self.aim.stop.beta) else UNDECIDED

    def estimate(self, step: int, anytime: Estimate | None) -> Estimate | None:
        """The median unbiased estimate.

        Results that were counted far beyond a bound (`step` is 0) did not stop there; of them the mean is
        given, with the interval that holds wherever they stopped.
        """
        moments, limit = self.seen.moments, self.aim.limit
        if moments.different < LEAST_DIFFERENT:
            return None
        if moments.variance == 0:
            return without_spread(moments.mean, moments.n, -limit, limit)
        bounds = self.test.bounds
        beyond = max(self.test.value / bounds.high, self.test.value / bounds.low)
        if not step and beyond > OVERRUN:
            return anytime
        low, high = (self.aim.mean(end, self.seen) for end in self.aim.ends)
        stopped = Stopped(
            n=moments.n,
            mean=moments.mean,
            variance=moments.variance,
            low=low,
            high=high,
            bounds=bounds,
            step=min(step, moments.n),
            first=self._first_look,
            llr=self.test.value,
        )
        return estimate_after_stop(stopped, (-limit, limit))


class Width(Rule):
    """Until the interval that holds at all looks is narrow enough."""

    def by_values(self) -> str:
        """See `Rule.by_values`."""
        width = self.aim.width(self.seen)
        return "reached" if width is not None and width <= self.aim.ends[1] else UNDECIDED

    def by_rarity(self) -> str:
        """See `Rule.by_rarity`."""
        return "reached" if self.is_within(self.aim.ends[1] / 2, TAIL) else UNDECIDED


class Equivalence(Rule):
    """Two one-sided sequential tests: each holds one margin against no difference at all.

    The sides are alike when both tests have left their margin for 0, and one is the better one when a test
    has left 0 for its margin. Of two that are a margin apart at most `alpha` are called alike, for the test
    of that margin has to fail; of two that are the same at most `beta` are not, for each test may err half
    as often.
    """

    def __init__(self, aim: Aim, seen: Seen) -> None:
        super().__init__(aim, seen)
        low, high = aim.ends
        alpha, beta = aim.stop.alpha, aim.stop.beta
        self._below = Test(Bounds.of(alpha, beta / 2), lambda: aim.llr(seen, low, 0.0))
        self._above = Test(Bounds.of(beta / 2, alpha), lambda: aim.llr(seen, 0.0, high))

    def by_values(self) -> str:
        """See `Rule.by_values`."""
        found = self._below.look(), self._above.look()
        if found[0] == "low" or found[1] == "high":
            return "different"
        return "equivalent" if found == ("high", "low") else UNDECIDED

    def by_rarity(self) -> str:
        """See `Rule.by_rarity`."""
        return "equivalent" if self.is_within(self.aim.ends[1], self.aim.stop.alpha) else UNDECIDED


RULES: dict[str, type[Rule]] = {"sprt": Sequential, "width": Width, "equivalent": Equivalence}


def rule_for(aim: Aim, seen: Seen) -> Rule:
    """The rule of an aim, which looks at `seen`."""
    return RULES[aim.stop.kind](aim, seen)
