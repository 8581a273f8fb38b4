"""Counting: hands and games into the counts of one unit, and a finished unit into the tally.

What the counts are is told where a tally is (`spadesim.core.tally`), what a unit is where units are played
(`spadesim.core.batch`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spadesim.core import tally as t
from spadesim.core._jit import jit, jit_within
from spadesim.core.cards import popcount
from spadesim.core.rng import mix
from spadesim.core.rules import DEAL_DRAW
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.seating import MAX_ROOMS, side_at
from spadesim.core.tally import (
    DRAW_RESULT,
    LOSS,
    MAX_BID,
    N_LENGTHS,
    N_PLAYER_COUNTS,
    N_SIDE_COUNTS,
    OPENER,
    RATIO_PARTS,
    UNFINISHED,
    WHOLE_GAME,
    WIN,
    add_digest,
)

UNIT = np.dtype((np.record, [
    ("sides", np.int64, (2, N_SIDE_COUNTS)),
    ("players", np.int64, (4, N_PLAYER_COUNTS)),
    ("hands", np.int64),
    ("led", np.int64),  # tricks of the hands' first leaders
    ("parts", np.int64, (OPENER + 1,)),  # games won by side of the table and by the opener, see TALLY
    ("margin", np.int64, (MAX_ROOMS,)),
    ("priced", np.int64, (MAX_ROOMS,)),
    ("equity", np.int64, (MAX_ROOMS,)),
    ("result", np.int64, (MAX_ROOMS,)),  # A's result of a game; what `end_hand` says of a board
    ("digest", np.int64, (MAX_ROOMS, 2)),
    ("scores", np.int64, (4,)),  # of a board, before the hand
    ("bags", np.int64, (4,)),
    ("hand_no", np.int64),
    ("dealer", np.int64),
    ("chance", np.int64),  # of side 0 to win, before the hand
    ("n_kept", np.int64, (MAX_ROOMS,)),  # tables at which it lies played out, see `play_sparing`
]))  # fmt: skip

CROSS = np.array(t.CROSS, dtype=np.int64)


@jit_within
def clear_unit(unit: Any) -> Any:
    """Begin a new unit's counts."""
    unit.hands = 0
    unit.led = 0
    for k in range(OPENER + 1):
        unit.parts[k] = 0
    for room in range(MAX_ROOMS):
        unit.margin[room] = 0
        unit.priced[room] = 0
        unit.equity[room] = 0
    for side in range(2):
        for k in range(N_SIDE_COUNTS):
            unit.sides[side, k] = 0
    for player in range(4):
        for k in range(N_PLAYER_COUNTS):
            unit.players[player, k] = 0


@jit
def went_alike(unit: Any, n_rooms: Any) -> Any:
    """Whether all rooms of a finished unit went alike, card by card."""
    for room in range(1, n_rooms):
        if unit.digest[0, 0] != unit.digest[room, 0] or unit.digest[0, 1] != unit.digest[room, 1]:
            return False
    return True


@jit
def count_game(position: Any, result: Any, room: Any, roles: Any, unit: Any, tally: Any) -> Any:
    """Count a game's result and length."""
    tally.games += 1
    tally.lengths[min(position.hand_no, N_LENGTHS - 1)] += 1
    if result == GOES_ON:
        unit.result[room] = UNFINISHED
        return
    for side in range(position.rules.n_sides):
        unit.sides[roles[side] >> 1, t.GAMES] += 1
    if result == DRAW:
        unit.result[room] = level_result(position, roles)
        return
    unit.result[room] = WIN if roles[result] < 2 else LOSS


@jit
def count_parts(position: Any, opener: Any, unit: Any) -> Any:
    """Count whose a finished game is at the table: the best score's, or an equal part for level ones."""
    scores, n_sides = position.scores, position.rules.n_sides
    best, n_best = scores[0], 0
    for side in range(n_sides):
        if scores[side] > best:
            best, n_best = scores[side], 0
        n_best += 1 if scores[side] == best else 0
    for side in range(n_sides):
        if scores[side] == best:
            unit.parts[side] += WHOLE_GAME // n_best
            if side == opener:
                unit.parts[OPENER] += WHOLE_GAME // n_best


@jit
def level_result(position: Any, roles: Any) -> Any:
    """A's result of a game that ended with level best scores: a draw unless all of them are one bot's."""
    best = position.scores[0]
    for side in range(1, position.rules.n_sides):
        best = max(best, position.scores[side])
    n_best = n_best_of_a = 0
    for side in range(position.rules.n_sides):
        if position.scores[side] == best:
            n_best += 1
            n_best_of_a += 1 - (roles[side] >> 1)
    if 0 < n_best_of_a < n_best:
        return DRAW_RESULT
    return WIN if n_best_of_a > 0 else LOSS


@jit
def count_hand(position: Any, room: Any, roles: Any, unit: Any, tally: Any) -> Any:
    """Count a scored hand, before it is entered."""
    tally.hands += 1
    unit.hands += 1
    unit.led += position.tricks[position.first_bidder]
    for seat in range(position.n_players):
        count_seat(position, seat, roles[seat], unit, tally)
    for side in range(position.rules.n_sides):  # a side's number is that of its first seat
        owner = roles[side] >> 1
        count_side(position, side, owner, unit, tally)
        sign = 1 - 2 * owner
        unit.margin[room] += sign * position.points[side]
        unit.priced[room] += sign * priced(position, side)
    if position.rules.has_prelude:
        count_prelude(position, roles, unit, tally)


@jit
def priced(position: Any, side: Any) -> int:
    """A side's points with each bag at its share of the penalty instead of the penalty, times the limit."""
    rules = position.rules
    if rules.bag_limit == 0:
        return position.points[side]
    without = position.points[side] + position.periods[side] * rules.bag_penalty
    return without * rules.bag_limit - position.hand_bags[side] * rules.bag_penalty


@jit_within
def count_seat(position: Any, seat: Any, player: Any, unit: Any, tally: Any) -> Any:
    """Count what one seat, at which the bot in role `player` sits, bid, won and decided."""
    owner = player >> 1
    bid = position.bids[seat]
    tricks = position.tricks[seat]
    unit.players[player, t.P_HANDS] += 1
    unit.players[player, t.P_BID] += bid
    unit.players[player, t.P_TRICKS] += tricks
    unit.players[player, t.P_FORCED] += position.n_forced[seat]
    unit.players[player, t.P_FREE] += position.n_free[seat]
    if bid == 0:
        unit.players[player, t.P_NIL_BIDS] += 1
        unit.players[player, t.P_NIL_MADE] += 1 if tricks == 0 else 0
    elif position.rules.n_sides < position.n_players and position.bids[(seat + 2) & 3] == 0:
        unit.players[player, t.P_COVERS] += 1
        unit.players[player, t.P_COVERS_MADE] += 1 if position.tricks[(seat + 2) & 3] == 0 else 0
    tally.bid_tricks[owner, min(bid, MAX_BID - 1), min(tricks, MAX_BID - 1)] += 1
    points = position.points[side_at(position, seat)]
    tally.seat_tricks[seat] += tricks
    tally.seat_points[seat] += points
    place = seat - position.first_bidder
    if place < 0:
        place += position.n_players
    tally.order_tricks[place] += tricks
    tally.order_tricks_squares[place] += tricks * tricks
    tally.order_points[place] += points


@jit
def count_prelude(position: Any, roles: Any, unit: Any, tally: Any) -> Any:
    """Count what was decided before the bidding, and what it was worth to draw first."""
    draws = position.rules.deal == DEAL_DRAW
    for seat in range(position.n_players):
        counts = unit.players[roles[seat]]
        if draws:
            counts[t.P_OFFERED] += position.rules.hand_size
            counts[t.P_KEPT] += popcount(position.kept[seat])
        if position.blind[seat] == 1:
            counts[t.P_BLIND_BIDS] += 1
            counts[t.P_BLIND_MADE] += 1 if position.tricks[seat] == 0 else 0
    if draws:
        first = position.dealer
        ahead = position.points[first] - position.points[1 - first]
        tally.draw_margin += ahead
        tally.draw_margin_squares += ahead * ahead


@jit_within
def count_side(position: Any, side: Any, owner: Any, unit: Any, tally: Any) -> Any:
    """Count what one side's hand came to."""
    unit.sides[owner, t.HANDS] += 1
    if position.contracts[side] > 0:
        unit.sides[owner, t.CONTRACTS] += 1
        unit.sides[owner, t.SETS] += position.sets[side]
    unit.sides[owner, t.BAGS] += position.hand_bags[side]
    unit.sides[owner, t.BAG_PENALTIES] += position.periods[side]
    unit.sides[owner, t.BOSTONS] += position.bostons[side]
    unit.sides[owner, t.POINTS] += position.points[side]
    tally.bags_hist[owner, min(position.hand_bags[side], MAX_BID - 1)] += 1


@jit
def count_unit(unit: Any, kind: Any, number: Any, rules: Any, tally: Any) -> Any:
    """Add a finished unit to the tally, all but how its games went or its board changed the chances."""
    n_rooms = rules.n_rooms
    n_counts, n_ratios = t.N_USUAL_COUNTS, t.N_USUAL_RATIOS
    if rules.has_prelude:
        n_counts, n_ratios = N_SIDE_COUNTS, RATIO_PARTS.shape[0]
    tally.units += 1
    count_margins(unit, n_rooms, tally)
    tally.led_products[0] += unit.led * unit.led
    tally.led_products[1] += unit.led * unit.hands
    tally.led_products[2] += unit.hands * unit.hands
    count_players(unit, tally)
    if rules.has_prelude:
        count_preludes(unit, tally)
    for k in range(len(t.CROSS)):
        tally.cross[k] += unit.sides[0, CROSS[k, 0]] * unit.sides[1, CROSS[k, 1]]
    for side in range(2):
        for k in range(n_counts):
            tally.sides[side, k] += unit.sides[side, k]
        for r in range(n_ratios):
            numerator = unit.sides[side, RATIO_PARTS[r, 0]]
            denominator = unit.sides[side, RATIO_PARTS[r, 1]]
            tally.ratio_products[side, r, 0] += numerator * numerator
            tally.ratio_products[side, r, 1] += numerator * denominator
            tally.ratio_products[side, r, 2] += denominator * denominator
    tally.identical += 1 if went_alike(unit, n_rooms) else 0
    for room in range(n_rooms):
        low, high = mix(unit.digest[room, 0], unit.digest[room, 1], number & t.WORD, number >> 32, room, kind)
        add_digest(tally, low, high)


@jit
def count_results(unit: Any, n_rooms: Any, tally: Any) -> Any:
    """Add how a unit's games went to the tally."""
    if n_rooms == 2:
        tally.outcomes[unit.result[0], unit.result[1]] += 1
    finished = half_points = 0
    for room in range(n_rooms):
        tally.room_results[room, unit.result[room]] += 1
        if unit.result[room] != UNFINISHED:
            finished += 1
            half_points += unit.result[room]
    tally.shares[finished, half_points] += 1
    for k in range(OPENER + 1):
        tally.parts[k, 0] += unit.parts[k]
        tally.parts[k, 1] += unit.parts[k] * unit.parts[k]
        tally.parts[k, 2] += unit.parts[k] * finished


@jit
def count_players(unit: Any, tally: Any) -> Any:
    """Add a unit's counts by player to the tally and to those of its sides."""
    for player in range(4):
        side = player >> 1
        players = unit.players
        for k in range(t.N_USUAL_PLAYER_COUNTS):
            tally.players[player, k] += players[player, k]
        bid, tricks = players[player, t.P_BID], players[player, t.P_TRICKS]
        nils, made = players[player, t.P_NIL_BIDS], players[player, t.P_NIL_MADE]
        unit.sides[side, t.SEAT_HANDS] += players[player, t.P_HANDS]
        unit.sides[side, t.BID] += bid
        unit.sides[side, t.TRICKS] += tricks
        unit.sides[side, t.BID_ERROR] += tricks - bid
        unit.sides[side, t.FORCED] += players[player, t.P_FORCED]
        unit.sides[side, t.FREE] += players[player, t.P_FREE]
        unit.sides[side, t.NIL_BIDS] += nils
        unit.sides[side, t.NIL_MADE] += made
        unit.sides[1 - side, t.OPPONENT_NIL_BIDS] += nils
        unit.sides[1 - side, t.OPPONENT_NIL_SET] += nils - made


@jit
def count_preludes(unit: Any, tally: Any) -> Any:
    """Add a unit's counts of decisions before the bidding, the last ones of its players and sides."""
    for player in range(4):
        for k in range(N_PLAYER_COUNTS - t.N_USUAL_PLAYER_COUNTS):
            n = unit.players[player, t.N_USUAL_PLAYER_COUNTS + k]
            tally.players[player, t.N_USUAL_PLAYER_COUNTS + k] += n
            unit.sides[player >> 1, t.N_USUAL_COUNTS + k] += n


@jit
def count_margins(unit: Any, n_rooms: Any, tally: Any) -> Any:
    """Add a unit's differences of points, A minus B, and their squares."""
    margin = priced_margin = np.int64(0)
    for room in range(n_rooms):
        m, p = unit.margin[room], unit.priced[room]
        margin += m
        priced_margin += p
        tally.margin[room] += m
        tally.margin_squares[room] += m * m
        tally.priced[room] += p
        tally.priced_squares[room] += p * p
    tally.level += 1 if margin == 0 else 0
    tally.margin_squares[MAX_ROOMS] += margin * margin
    tally.priced_squares[MAX_ROOMS] += priced_margin * priced_margin


@jit
def count_chances(unit: Any, n_rooms: Any, tally: Any) -> Any:
    """Add what a board has changed in A's chance to win, and its square."""
    change = np.int64(0)
    for room in range(n_rooms):
        e = unit.equity[room]
        change += e
        tally.equity[room] += e
        tally.equity_squares[room] += e * e
    tally.equity_squares[MAX_ROOMS] += change * change
    tally.boards_by_chance[LOSS if change < 0 else WIN if change > 0 else DRAW_RESULT] += 1
