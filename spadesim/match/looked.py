"""What a duel says that was broken off, or made longer, by somebody who may have looked at it before."""

import dataclasses
from typing import Any

from spadesim.core.equity import EQUITY_ONE
from spadesim.core.tally import DRAW_RESULT, LOSS, UNFINISHED, WIN
from spadesim.match.equity_file import equity_of
from spadesim.match.spec import DuelSpec
from spadesim.match.stopping import limit_of
from spadesim.stats.anytime import anytime_interval
from spadesim.stats.intervals import Estimate
from spadesim.stats.moments import Moments


def moments_of(spec: DuelSpec, tally: Any) -> Moments:
    """The moments of the values of a tally's units (`spadesim.match.values.unit_values`).

    Which way boards went that are valued in points is not in a tally: all of these that differ are ahead.
    """
    units = int(tally["units"])
    if spec.boards is None:
        return _of_games(spec, tally)
    if equity_of(spec) is not None:
        behind, _, ahead = (int(count) for count in tally["boards_by_chance"])
        return _of_sums(
            tally, "equity", spec.n_rooms * EQUITY_ONE, Moments(units, ahead=ahead, behind=behind)
        )
    differing = units - int(tally["level"])
    return _of_sums(tally, "margin", spec.n_rooms * spec.rules.n_sides / 2, Moments(units, ahead=differing))


def _of_sums(tally: Any, name: str, scale: float, counts: Moments) -> Moments:
    total, squares = sum(int(room) for room in tally[name]), int(tally[f"{name}_squares"][-1])
    return dataclasses.replace(counts, total=total / scale, squares=squares / scale**2)


def _of_games(spec: DuelSpec, tally: Any) -> Moments:
    total = squares = 0.0
    by_sign = [0, 0, 0]
    for value, count in _counted(spec, tally):
        total, squares = total + value * count, squares + value * value * count
        by_sign[LOSS if value < 0 else WIN if value > 0 else DRAW_RESULT] += count
    return Moments(sum(by_sign), total, squares, by_sign[WIN], by_sign[LOSS])


def _counted(spec: DuelSpec, tally: Any) -> list[tuple[float, int]]:
    """Values of pairs or sets of games, and how many had them."""
    if spec.n_rooms != 2:
        rows = tally["shares"].tolist()
        return [
            (half_points / (2 * games) - 0.5 if games else 0.0, count)
            for games, row in enumerate(rows)
            for half_points, count in enumerate(row)
            if count
        ]
    found = []
    for first, row in enumerate(tally["outcomes"].tolist()):
        for second, count in enumerate(row):
            finished = [result for result in (first, second) if result != UNFINISHED]
            found.append((sum(finished) / (2 * len(finished)) - 0.5 if finished else 0.0, count))
    return found


def at_any_look(spec: DuelSpec, moments: Moments) -> Estimate | None:
    """The difference with the interval that holds at any look; None while too few units differ.

    In games A's share of them, on boards the change of its chance to win, or of points.
    """
    limit = limit_of(spec)
    found = anytime_interval(moments, (-limit, limit))
    return found if found is None or spec.boards is not None else found.shifted(0.5)
