"""What a choice is worth on average: the luck of one deal told from a fault, by re-deals."""

import contextlib
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from spadesim.core.batch import Lineup
from spadesim.core.equity import EQUITY_ONE
from spadesim.core.fork import Tried, compile_forks, try_redeals
from spadesim.core.seating import ROLES
from spadesim.errors import UserError
from spadesim.match.diff_result import FAULT, LUCK, UNDECIDED, Worth
from spadesim.match.duel import Sides
from spadesim.match.equity_file import table_of
from spadesim.match.executors import Crew, Parcel, apart
from spadesim.match.record import Decision, Difference, Replay
from spadesim.match.replay import stand_at
from spadesim.match.sides import hand_points_limit
from spadesim.match.spec import DuelSpec
from spadesim.stats.boards import RoomSums, points_per_board
from spadesim.stats.intervals import Estimate

LEAST = 30  # re-deals that must count for an average
MOST_FOR_ONE = 5000  # re-deals that are tried for each that is to count
SMALL = 0.1  # of what a case cost: a choice that loses no more on average had bad luck

Redealing = Callable[[int, int], None]
"""Called with boards that were dealt anew, and with how many there are."""


class WorthWork:
    """The re-deals of boards whose rooms part.

    Parameters
    ----------
    spec : DuelSpec
    sides : tuple of 2 Side
    lineup : Lineup
    redeals : int
        How many are to count.
    """

    def __init__(self, spec: DuelSpec, sides: Sides, lineup: Lineup, redeals: int) -> None:
        self.spec, self.sides, self.lineup, self.redeals = spec, sides, lineup, redeals
        self._errand = b""

    def __call__(self, played: Replay) -> Tried:
        """Re-deal a board."""
        return try_parting(played, self.lineup, self.redeals)

    def parcel(self, played: Replay) -> Parcel:
        """What does it elsewhere: the board is played there once more."""
        from spadesim.match import diff_travel, travel

        self._errand = self._errand or travel.pack(self.spec, self.sides, self.lineup)
        arguments = self._errand, played.unit, self.redeals
        return Parcel(diff_travel.try_there, (travel.build(), *arguments))

    def named(self, played: Replay) -> str:
        """What a board is called in messages."""
        return f"the re-deals of board {played.unit}"


def worths(
    work: WorthWork,
    played: Sequence[Replay],
    costs: Sequence[float],
    crew: Crew,
    redealing: Redealing | None = None,
) -> list[Worth]:
    """What A's choice is worth against B's where the rooms of each board part.

    Parameters
    ----------
    work : WorthWork
    played : sequence of Replay
        Boards whose rooms part.
    costs : sequence of float
        What A's choice brought on each: of its chance to win, or in points where there is no table.
    crew : Crew
    redealing : function, optional
        Called after each board.

    Returns
    -------
    list of Worth
        Of the first boards; of all unless Ctrl-C ended it.

    Raises
    ------
    UserError
        A bot broke the contract on a re-deal.
    """
    if crew.is_near:
        apart(compile_forks)
    done: list[Worth] = []
    with contextlib.suppress(KeyboardInterrupt), contextlib.closing(crew.in_order(work, played)) as results:
        for (replay, found), cost in zip(results, costs, strict=True):
            done.append(worth_of(replay.spec, found, cost, n_rooms_of_a(replay)))
            if redealing is not None:
                redealing(len(done), len(played))
    return done


def parting(played: Replay) -> Difference:
    """Where the rooms of a board part."""
    found = played.difference(0)
    assert found is not None
    return found


def n_rooms_of_a(played: Replay) -> int:
    """In how many rooms A's bot sits at the seat where they part."""
    return len(_rooms_of_a(played.spec, parting(played).first.made.seat))


def _rooms_of_a(spec: DuelSpec, seat: int) -> npt.NDArray[np.int64]:
    """Who sits where in the rooms in which A's bot sits at a seat; shape (rooms, 4)."""
    rooms = ROLES[int(spec.rules.record()["seating"]), : spec.n_rooms]
    return rooms[rooms[:, seat] < 2]


def try_parting(played: Replay, lineup: Lineup, redeals: int) -> Tried:
    """Re-deal the cards that were not seen where the rooms of a board part; errors as `worths`."""
    found = parting(played)
    seat = found.first.made.seat
    room = next(room.number for room in played.rooms if room.roles[seat] < 2)
    other = next(room.number for room in played.rooms if room.roles[seat] >= 2)
    steps = [found.decisions[number] for number in (room, other)]
    assert steps[0] is not None
    assert steps[1] is not None
    hand = played.rooms[room].hands[0]
    position, _ = stand_at(played, room, hand, index_of(hand.decisions(), steps[0]))
    choices = steps[0].made.choice, steps[1].made.choice
    rooms = _rooms_of_a(played.spec, seat)
    try:
        tried = try_redeals(
            position, choices, lineup, rooms, wanted=redeals, most=MOST_FOR_ONE * redeals,
            equity=table_of(played.spec),
        )  # fmt: skip
    except Exception as error:  # whatever a user's bot raises
        raise UserError(
            f"A bot raised {type(error).__name__} on a re-deal of board {played.unit}; spadesim strategies "
            "check finds out why, and --redeals 0 does without."
        ) from error
    if tried.fault is not None:
        side = played.sides[int(rooms[tried.fault[2], tried.fault[1]]) >> 1]
        raise UserError(
            f"{side.name} gave an illegal answer on a re-deal of board {played.unit}; spadesim strategies "
            "check finds out why, and --redeals 0 does without."
        )
    return tried


def index_of(steps: Sequence[Decision], step: Decision) -> int:
    """Which decision of a hand it is, in order."""
    wanted = (step.phase, step.number, step.made.seat)
    return next(k for k, other in enumerate(steps) if (other.phase, other.number, other.made.seat) == wanted)


def worth_of(spec: DuelSpec, tried: Tried, cost: float, n_rooms: int) -> Worth:
    """What re-deals say of a choice.

    Parameters
    ----------
    spec : DuelSpec
    tried : Tried
    cost : float
        What the choice brought on the one deal.
    n_rooms : int
        Rooms that were played on.
    """
    if tried.accepted < LEAST:
        few = f"only {tried.accepted:,}" if tried.accepted else "none"
        why = f"{few} of {tried.tried:,} re-deals counted, and an average needs {LEAST}."
        return Worth(tried.tried, tried.accepted, None, None, UNDECIDED, why)
    limit = 2.0 * hand_points_limit(spec.rules)
    points = _estimate(tried.points, n_rooms, limit, 1)
    chance = None
    if table_of(spec) is not None:
        chance = _estimate(tried.chances, n_rooms, 1.0, EQUITY_ONE)
    verdict, why = judged(chance or points, cost)
    return Worth(tried.tried, tried.accepted, chance, points, verdict, why)


def judged(worth: Estimate, cost: float) -> tuple[str, str]:
    """Whether a choice was a fault or had bad luck, and why.

    Parameters
    ----------
    worth : Estimate
        What it brings on average, against the other choice.
    cost : float
        What it brought on the one deal, below 0, in the same unit.

    Examples
    --------
    >>> judged(Estimate(-0.05, -0.08, -0.02), -0.4)[0], judged(Estimate(0.01, -0.02, 0.04), -0.4)[0]
    ('a fault', 'bad luck')
    >>> judged(Estimate(-0.01, -0.06, 0.04), -0.4)[0]
    'undecided'
    """
    if worth.high < 0:
        return FAULT, "the choice loses on average."
    if worth.low > 0:
        return LUCK, "the choice gains on average."
    if worth.low >= SMALL * cost:
        return LUCK, "on average the choice loses less than a tenth of what it cost here, if anything."
    return UNDECIDED, "on average the choice may lose or gain."


def _estimate(values: npt.NDArray[np.int64], n_rooms: int, limit: float, divisor: int) -> Estimate:
    total, squares = int(values.sum()), sum(value * value for value in values.tolist())
    sums = RoomSums(len(values), (total,), (squares,), squares, n_rooms)
    found = points_per_board(sums, limit, divisor)
    assert found is not None
    return found
