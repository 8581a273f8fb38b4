"""Whether the table is fair: tricks, points and games by seat, and by who leads or draws first."""

import math
from dataclasses import dataclass
from typing import Any

from spadesim.core.rules import Rules
from spadesim.core.tally import OPENER, WHOLE_GAME
from spadesim.match.spec import rooms_of
from spadesim.stats.games import opener_win_rate, seat_win_rate, share_interval
from spadesim.stats.intervals import Estimate, t_interval, without_spread
from spadesim.stats.proportions import RatioSums, ratio


@dataclass(frozen=True)
class SeatStats:
    """What each seat got, whoever sat there; a drawn game is shared alike by the sides with the best score.

    Parameters
    ----------
    tricks, points : tuple of float, or None
        Tricks of a seat and points of its side per hand, by seat.
    tricks_by_place, points_by_place : tuple of float, or None
        The same by place after the hand's first leader, who is place 0.
    first_leader_edge : Estimate or None
        Tricks that the first leader wins above an equal share, per hand.
    first_drawer_edge : Estimate or None
        At a draw table, tricks that the player who draws first wins above an equal share, per hand.
    first_drawer_points : Estimate or None
        The points of that player minus the other's, per hand.
    seats_0_2_win_rate : Estimate or None
        With partners, share of finished games that the side at seats 0 and 2 won.
    win_rates : tuple of Estimate, or None
        At a table of single players, share of finished games that each seat won.
    opener_win_rate : Estimate or None
        Share of finished games that the side which led the first hand won.
    """

    tricks: tuple[float, ...] | None
    points: tuple[float, ...] | None
    tricks_by_place: tuple[float, ...] | None
    points_by_place: tuple[float, ...] | None
    first_leader_edge: Estimate | None
    first_drawer_edge: Estimate | None
    first_drawer_points: Estimate | None
    seats_0_2_win_rate: Estimate | None
    win_rates: tuple[Estimate, ...] | None
    opener_win_rate: Estimate | None


def seat_stats(tally: Any, rules: Rules, points_limit: float) -> SeatStats:
    """What the tally says of the seats.

    Parameters
    ----------
    tally : TALLY record
    rules : Rules
    points_limit : float
        A bound on the points that one side can win or lose in a hand.
    """
    hands, players = int(tally["hands"]), rules.players
    edge = _first_leader_edge(tally, hands, rules)
    has_partners = rules.teams == "partners"
    return SeatStats(
        tricks=_per_hand(tally["seat_tricks"][:players], hands),
        points=_per_hand(tally["seat_points"][:players], hands),
        tricks_by_place=_per_hand(tally["order_tricks"][:players], hands),
        points_by_place=_per_hand(tally["order_points"][:players], hands),
        first_leader_edge=edge,
        first_drawer_edge=_first_drawer_edge(edge, rules),
        first_drawer_points=_first_drawer_points(tally, hands, rules, points_limit),
        seats_0_2_win_rate=seat_win_rate(tally["outcomes"].tolist()) if has_partners else None,
        win_rates=None if has_partners else _win_rates(tally, rules),
        opener_win_rate=_opener(tally, rules),
    )


def _per_hand(counts: Any, hands: int) -> tuple[float, ...] | None:
    return tuple(int(count) / hands for count in counts) if hands else None


def _first_leader_edge(tally: Any, hands: int, rules: Rules) -> Estimate | None:
    """The edge; with two rooms its interval takes both as one hand, as if they always went alike."""
    share = rules.hand_size / rules.players
    if rooms_of(rules) > 2:
        squares, products, hands_squares = (int(total) for total in tally["led_products"])
        led = RatioSums(
            int(tally["units"]), int(tally["order_tricks"][0]), hands, squares, products, hands_squares
        )
        edge = ratio(led, 0, rules.hand_size)
        return edge and Estimate(edge.mean - share, edge.low - share, edge.high - share)
    sums = int(tally["order_tricks"][0]), int(tally["order_tricks_squares"][0])
    edge = _mean_of_deals(*sums, hands, rooms_of(rules), (0, rules.hand_size))
    return edge and Estimate(edge.mean - share, edge.low - share, edge.high - share)


def _first_drawer_edge(edge: Estimate | None, rules: Rules) -> Estimate | None:
    """The edge of drawing first: with two players that of leading first, or what this costs the other."""
    if rules.deal != "draw_keep" or edge is None:
        return None
    return edge if rules.start_role == "first_drawer" else edge.scaled(-1)


def _first_drawer_points(tally: Any, hands: int, rules: Rules, limit: float) -> Estimate | None:
    if rules.deal != "draw_keep":
        return None
    sums = int(tally["draw_margin"]), int(tally["draw_margin_squares"])
    return _mean_of_deals(*sums, hands, rooms_of(rules), (-2 * limit, 2 * limit))


def _mean_of_deals(
    total: int, squares: int, hands: int, n_rooms: int, limits: tuple[float, float]
) -> Estimate | None:
    """A mean over hands whose interval counts the hands of one deal as one, None without hands."""
    if hands == 0:
        return None
    mean, deals = total / hands, math.ceil(hands / n_rooms)
    spread = hands * squares - total * total
    if deals < 2 or spread == 0:
        return without_spread(mean, deals, *limits)
    return t_interval(mean, spread / hands**2 / (deals - 1), deals)


def _win_rates(tally: Any, rules: Rules) -> tuple[Estimate, ...] | None:
    """Each seat's share of the games, None when no game was finished."""
    if rooms_of(rules) == 2:
        rate = seat_win_rate(tally["outcomes"].tolist())
        return None if rate is None else (rate, rate.complement())
    rates = tuple(_share_of_sets(tally, seat, rooms_of(rules)) for seat in range(rules.players))
    return tuple(rate for rate in rates if rate is not None) or None


def _opener(tally: Any, rules: Rules) -> Estimate | None:
    if rooms_of(rules) == 2:
        won, lost = (int(count) for count in tally["opener_wins"])
        return opener_win_rate(tally["outcomes"].tolist(), won, lost)
    return _share_of_sets(tally, OPENER, rooms_of(rules))


def _share_of_sets(tally: Any, whose: int, n_rooms: int) -> Estimate | None:
    """A seat's or the opener's share of the finished games, with an interval over sets of games."""
    by_finished = [int(count) for count in tally["shares"].sum(axis=1)]
    n, finished, squares = (sum(k**power * m for k, m in enumerate(by_finished) if k) for power in range(3))
    parts, parts_squares, products = (int(total) for total in tally["parts"][whose])
    # In twelfths of a game, of which `share_interval` counts two for a won one, as it does half points.
    sums = RatioSums(
        n=n,
        num=2 * parts,
        den=WHOLE_GAME * finished,
        num_num=4 * parts_squares,
        num_den=2 * WHOLE_GAME * products,
        den_den=WHOLE_GAME**2 * squares,
    )
    return share_interval(sums, WHOLE_GAME * n_rooms)
