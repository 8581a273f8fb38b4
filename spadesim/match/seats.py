"""Whether the table is fair: tricks, points and games by seat, and by who leads or draws first."""

import math
from dataclasses import dataclass
from typing import Any

from spadesim.core.rules import Rules
from spadesim.match.spec import rooms_of
from spadesim.stats.games import opener_win_rate, seat_win_rate
from spadesim.stats.intervals import Estimate, t_interval, wilson, without_spread


@dataclass(frozen=True)
class SeatStats:
    """What each seat got, whoever sat there.

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
        At a table of single players, share of the games with a winner that each seat won.
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
    """The edge; its interval counts all rooms of a deal as one hand, as if they always went alike."""
    share = rules.hand_size / rules.players
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
    """Each seat's share of the games; without a table of outcomes as if all games of a set went alike."""
    if rules.players == 2:
        rate = seat_win_rate(tally["outcomes"].tolist())
        return None if rate is None else (rate, rate.complement())
    wins = [int(count) for count in tally["seat_wins"][: rules.players]]
    if sum(wins) == 0:
        return None
    return tuple(_share(won, sum(wins), rooms_of(rules)) for won in wins)


def _opener(tally: Any, rules: Rules) -> Estimate | None:
    won, lost = (int(count) for count in tally["opener_wins"])
    if rooms_of(rules) == 2:
        return opener_win_rate(tally["outcomes"].tolist(), won, lost)
    return _share(won, won + lost, rooms_of(rules)) if won + lost else None


def _share(won: int, games: int, n_rooms: int) -> Estimate:
    return Estimate(won / games, *wilson(won / games, games / n_rooms))
