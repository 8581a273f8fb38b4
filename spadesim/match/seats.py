"""Whether the table is fair: tricks, points and games by seat, and by who leads first."""

import math
from dataclasses import dataclass
from typing import Any

from spadesim.core.rules import Rules
from spadesim.stats.games import opener_win_rate, seat_win_rate
from spadesim.stats.intervals import Estimate, t_interval, without_spread

N_SEATS = 4


@dataclass(frozen=True)
class SeatStats:
    """What each seat got, whoever sat there.

    Parameters
    ----------
    tricks, points : tuple of 4 float, or None
        Tricks of a seat and points of its side per hand, by seat.
    tricks_by_place, points_by_place : tuple of 4 float, or None
        The same by place after the hand's first leader, who is place 0.
    first_leader_edge : Estimate or None
        Tricks that the first leader wins above an equal share, per hand.
    seats_0_2_win_rate : Estimate or None
        Share of finished games that the side at seats 0 and 2 won.
    opener_win_rate : Estimate or None
        Share of finished games that the side which led the first hand won.
    """

    tricks: tuple[float, ...] | None
    points: tuple[float, ...] | None
    tricks_by_place: tuple[float, ...] | None
    points_by_place: tuple[float, ...] | None
    first_leader_edge: Estimate | None
    seats_0_2_win_rate: Estimate | None
    opener_win_rate: Estimate | None


def seat_stats(tally: Any, rules: Rules) -> SeatStats:
    """What the tally says of the seats.

    Parameters
    ----------
    tally : TALLY record
    rules : Rules
    """
    hands = int(tally["hands"])
    outcomes = tally["outcomes"].tolist()
    won, lost = (int(count) for count in tally["opener_wins"])
    return SeatStats(
        tricks=_per_hand(tally["seat_tricks"], hands),
        points=_per_hand(tally["seat_points"], hands),
        tricks_by_place=_per_hand(tally["order_tricks"], hands),
        points_by_place=_per_hand(tally["order_points"], hands),
        first_leader_edge=_first_leader_edge(tally, hands, rules),
        seats_0_2_win_rate=seat_win_rate(outcomes),
        opener_win_rate=opener_win_rate(outcomes, won, lost),
    )


def _per_hand(counts: Any, hands: int) -> tuple[float, ...] | None:
    return tuple(int(count) / hands for count in counts) if hands else None


def _first_leader_edge(tally: Any, hands: int, rules: Rules) -> Estimate | None:
    """The edge; its interval counts the two rooms of a deal as one hand, as if they always went alike."""
    if hands == 0:
        return None
    tricks, squares = int(tally["order_tricks"][0]), int(tally["order_tricks_squares"][0])
    hand_size, share = rules.hand_size, rules.hand_size / rules.players
    mean, deals = tricks / hands - share, math.ceil(hands / 2)
    spread = hands * squares - tricks * tricks
    if deals < 2 or spread == 0:
        return without_spread(mean, deals, -share, hand_size - share)
    return t_interval(mean, spread / hands**2 / (deals - 1), deals)
