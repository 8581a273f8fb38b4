"""Rules that watch a duel and may end it, at the border of a batch, on what its boards say alone.

A run that is resumed, or cut into other chunks, ends at the same board, for the rule sees whole batches in
order and nothing else.
"""

from functools import partial
from typing import Any

import numpy.typing as npt

from spadesim.core.tally import UNFINISHED
from spadesim.match.decision import Decision
from spadesim.match.equity import Notice
from spadesim.match.equity_file import equity_of
from spadesim.match.executors import apart
from spadesim.match.scale import ELO, GAMES_WON, NORMALISED_ELO, POINTS, POINTS_A_HAND, WIN_CHANCE, Scale
from spadesim.match.sides import hand_points_limit
from spadesim.match.spec import DuelSpec
from spadesim.match.stop import Stop, scale_for
from spadesim.match.stop_rules import UNDECIDED, Aim, Seen, rule_for
from spadesim.match.values import unit_values
from spadesim.stats.anytime import always_valid_p, anytime_interval
from spadesim.stats.intervals import Estimate
from spadesim.stats.moments import Moments

BATCH_OF_BOARDS, BATCH_OF_GAMES = 500, 100
BATCH_TO_SHOW = 2000  # where nothing is decided, only shown


def scales_of(spec: DuelSpec, notice: Notice | None = None) -> tuple[Scale, tuple[Scale, ...]]:
    """The unit in which a duel's differences are stated unless told otherwise, and what else is known."""
    if spec.boards is None:
        return (NORMALISED_ELO, (ELO, GAMES_WON)) if spec.n_rooms == 2 else (GAMES_WON, ())
    if equity_of(spec, notice) is not None:
        return WIN_CHANCE, ()
    return (POINTS if spec.has_partners or spec.rules.n_sides == 2 else POINTS_A_HAND), ()


def value_scale(spec: DuelSpec) -> Scale:
    """The unit of what `unit_values` gives."""
    return GAMES_WON if spec.boards is None else scales_of(spec)[0]


def limit_of(spec: DuelSpec) -> float:
    """The most that one unit's value can be."""
    if value_scale(spec) is WIN_CHANCE:
        return 1.0
    return 0.5 if spec.boards is None else 2.0 * hand_points_limit(spec.rules)


class Stopping:
    """A watch that keeps what it sees, and ends the run when its rule is met.

    Parameters
    ----------
    spec : DuelSpec
    stop : Stop or None
        None: only look on, for an interval to show.
    notice : function, optional
        Called with a line of text before a table of win chances is made.

    Attributes
    ----------
    batch : int
        Units between two looks.
    """

    def __init__(self, spec: DuelSpec, stop: Stop | None, notice: Notice | None = None) -> None:
        # Making a table of win chances takes seconds, and this thread is to hear of Ctrl-C.
        apart(partial(scales_of, spec, notice))
        self.spec = spec
        usual = BATCH_OF_BOARDS if spec.boards is not None else BATCH_OF_GAMES
        self.batch = usual if stop is not None else BATCH_TO_SHOW
        self.seen = Seen()
        self.limit = limit_of(spec)
        self.p_value = 1.0
        self._rule = None if stop is None else rule_for(aim_of(spec, stop), self.seen)

    def __call__(self, outcomes: npt.NDArray[Any]) -> bool:
        """Whether the run shall end after this batch, see `spadesim.match.run.Watch`."""
        self.seen.moments += Moments.of(unit_values(self.spec, outcomes).tolist())
        if self.spec.boards is None and self.spec.n_rooms == 2:
            self._count(outcomes["results"].tolist())
        self.p_value = min(self.p_value, always_valid_p(self.seen.moments))
        return self._rule is not None and self._rule.look() != UNDECIDED

    def _count(self, results: list[int]) -> None:
        """Count pairs with both games finished by A's score."""
        for result in results:
            first, second = result & 3, result >> 2 & 3
            if UNFINISHED not in (first, second):
                self.seen.pairs[first + second] += 1

    @property
    def anytime(self) -> Estimate | None:
        """The interval as it stands."""
        return anytime_interval(self.seen.moments, (-self.limit, self.limit))

    def decision(self) -> Decision | None:
        """What the rule has come to; None without a rule."""
        if self._rule is None:
            return None
        return self._rule.decision(self.batch, self.spec.units, self.anytime, self.p_value)

    def line(self) -> str:
        """How it stands, in a few words, for whoever waits."""
        parts = []
        scale, found = value_scale(self.spec), self.anytime
        if found is not None:
            half = 0.5 if scale is GAMES_WON else 0.0
            low, high = (scale.bare(value + half) for value in (found.low, found.high))
            parts.append(f"{low} to {high} {scale.words}")
        test = getattr(self._rule, "test", None)
        if test is not None:
            parts.append(f"LLR {test.value:+.2f} of {test.bounds.low:.2f} to {test.bounds.high:.2f}")
        return ", ".join(parts)


def aim_of(spec: DuelSpec, stop: Stop) -> Aim:
    """A rule in the units of a duel.

    Raises
    ------
    UserError
        Its unit is none of them.
    """
    default, others = scales_of(spec)
    scale = scale_for(default, others, stop.suffix)
    if stop.kind == "width" and spec.boards is None and not stop.suffix:
        scale = GAMES_WON
    return Aim(stop, scale, value_scale(spec), limit_of(spec))
