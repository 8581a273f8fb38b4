"""What boards bring by the kind of decision at which they part, summed up exactly."""

import numpy as np
import numpy.typing as npt

from spadesim.core.equity import EQUITY_ONE
from spadesim.core.parting import COVER, DRAW, KINDS, NONE
from spadesim.core.rules import DEAL_DRAW
from spadesim.match.diff_boards import Boards
from spadesim.match.diff_result import Part
from spadesim.match.equity_file import equity_of
from spadesim.match.sides import hand_points_limit
from spadesim.match.spec import DuelSpec
from spadesim.stats.boards import RoomSums, points_per_board
from spadesim.stats.intervals import Estimate

ALL = "all"


def sums(spec: DuelSpec, found: Boards, is_mirror: bool) -> tuple[Part, tuple[Part, ...]]:
    """What all boards come to, and those of each kind; kinds that the table cannot have are left out.

    Parameters
    ----------
    spec : DuelSpec
    found : Boards
    is_mirror : bool
        Whether the same bots play against themselves.
    """
    left_out = {COVER} if not spec.has_partners else set()
    left_out |= {DRAW} if spec.rules.record()["deal"] != DEAL_DRAW else set()
    shown = [name for kind, name in enumerate(KINDS) if kind not in left_out]
    everything = np.ones(len(found.units), dtype=bool)
    is_tie = is_mirror and not found.parted.any()
    return _part(spec, found, ALL, everything, is_tie), tuple(
        _part(spec, found, name, found.of_kind(name), is_tie=name == KINDS[NONE]) for name in shown
    )


def _part(spec: DuelSpec, found: Boards, kind: str, which: npt.NDArray[np.bool_], is_tie: bool) -> Part:
    """What some of the boards bring."""
    n, all_boards = int(which.sum()), len(which)
    has_chances = equity_of(spec) is not None
    chances, points = found.chances[which], found.points[which]
    chance_units, point_units = int(chances.sum()), int(points.sum())
    pairs = n_pairs(spec)

    def over_all(values: npt.NDArray[np.int64], limit: float, divisor: int) -> Estimate | None:
        if n == 0:
            return None
        if is_tie:
            return Estimate(0.0, 0.0, 0.0)
        total, squares = int(values.sum()), int((values * values).sum())
        half = spec.n_rooms * spec.rules.n_sides // 2
        return points_per_board(RoomSums(all_boards, (total,), (squares,), squares, half), limit, divisor)

    return Part(
        kind=kind,
        boards=n,
        share=n / all_boards if all_boards else 0.0,
        chance_units=chance_units if has_chances else None,
        point_units=point_units,
        win_chance_per_board=over_all(chances, 1.0, EQUITY_ONE) if has_chances else None,
        points_per_board=over_all(points, 2 * hand_points_limit(spec.rules), 1),
        win_chance_per_case=chance_units / (n * pairs * EQUITY_ONE) if has_chances and n else None,
        points_per_case=point_units / (n * pairs) if n else None,
    )


def costs(spec: DuelSpec, found: Boards) -> npt.NDArray[np.float64]:
    """What A's choice brought on each board: of its chance to win, or in points where there is no table."""
    if equity_of(spec) is None:
        return found.points / n_pairs(spec)
    return found.chances / (n_pairs(spec) * EQUITY_ONE)


def n_pairs(spec: DuelSpec) -> int:
    """How many rooms of A's there are to as many of B's, at any seat."""
    return spec.n_rooms // 2
