"""Exact play of a hand with all cards seen: a search over the cards, and what it answers.

The question of one search is whether side 0 reaches a target value against the best play of side 1. A value
is found by asking it for several targets; what one search has found out serves the next. Everybody plays by
the engine's own rules of following, leading spades and scoring.

How: begin with `begin`, or from compiled code with `begin_at`, then ask `best_value`, `card_value` or
`reaches`. The search is depth-first, with a table of positions at the beginnings of tricks
(`spadesim.core.solve_table`), cards in the order of `spadesim.core.solve_order` and the shortcuts of
`spadesim.core.solve_bounds`.
"""

from __future__ import annotations

from typing import Any

from spadesim.core._jit import jit, jit_within
from spadesim.core.aims import REACHED, aim_at, clear_aims, lay_out, value_ends
from spadesim.core.cards import PACK_MASK, SPADES, above, below, highest, popcount, suit_mask, suit_of
from spadesim.core.rules import LEAD_ANYTIME
from spadesim.core.solve_bounds import last_trick, settle
from spadesim.core.solve_order import list_moves, note_success
from spadesim.core.solve_ranks import PATTERN_BITS, cards_held, lay_patterns
from spadesim.core.solve_table import UNKNOWN, enter, look_up
from spadesim.core.trick import beats, breaks_spades

ANY = PACK_MASK
TRICKS, POINTS = 0, 1


@jit
def begin_at(work: Any, table: Any, position: Any, hands: Any, seat: Any, is_points: Any) -> None:
    """Take up a position to solve.

    Parameters
    ----------
    work : record `solve_work.WORK`
    table : int64[:]
        From `solve_work.new_table`; what it holds is forgotten.
    position : record
        A position or a view in the play: rules, bids, tricks, blind nils, bags, the trick on the table.
    hands : int64[:]
        By seat, the cards left; they may be others than the position's own.
    seat : int
        Whose turn it is.
    is_points : int
        `POINTS`: the points that the hand brings side 0 less those of side 1; `TRICKS`: the tricks that
        side 0 wins from now on, the one on the table included.
    """
    work.rules = position.rules
    most = 0
    for k in range(4):
        work.hands[k] = hands[k]
        most = max(most, popcount(hands[k]))
    work.n_left = most
    work.seat = seat
    work.n_in_trick = position.n_in_trick
    work.led = position.led_suit
    work.best = position.best_card
    work.best_seat = position.best_seat
    work.broken = 1 if work.rules.spade_lead == LEAD_ANYTIME else position.broken
    work.on_table = 0
    work.is_ranked = 0
    for k in range(4):
        card = position.trick[k]
        if card >= 0:
            work.on_table |= 1 << card
            if card != work.best and suit_of(card) == suit_of(work.best):
                work.is_ranked = 1
    lay_out(work, position.bids, is_points)
    value_ends(work, position.bids, position.tricks, position.blind, position.bags, is_points)
    lay_patterns(work)
    for k in range(4):
        for card in range(52):
            work.history[k, card] = 0
    forget(work, table)
    work.n_nodes = 0


@jit
def forget(work: Any, table: Any) -> None:
    """Empty the table of positions and the aims that its entries are for."""
    clear_aims(work)
    table[:] = 0


@jit
def reaches(work: Any, table: Any, target: Any, only: Any) -> int:
    """Whether side 0 reaches a target value from the root: 1, 0, or UNKNOWN at the limit of nodes.

    Parameters
    ----------
    work, table
        As `begin_at` left them.
    target : int
        One of `work.worths`.
    only : int
        Mask of the cards that may be played first, `ANY` for all legal ones.
    """
    is_new = target != work.target or work.n_aims == 2
    if is_new and not aim_at(work, target):
        forget(work, table)
        aim_at(work, target)
    return search(work, table, only)


@jit
def best_value(work: Any, table: Any, only: Any, low: Any, high: Any, guess: Any) -> Any:
    """Between which of `work.worths` the value lies: two indexes, alike unless the limit of nodes was met.

    Parameters
    ----------
    only : int
        As in `reaches`. `work.best_first` gets the best card found so far, -1 where all are alike.
    low, high : int
        Indexes of `work.worths` between which the value is known to lie.
    guess : int
        An index at which to begin, such as the value of another card; -1 for the middle.
    """
    step = 1
    at = guess
    work.best_first = -1
    while low < high:
        if not low < at <= high:
            at = (low + high + 1) >> 1
        outcome = reaches(work, table, work.worths[at], only)
        if outcome == UNKNOWN:
            if work.best_first < 0:
                work.best_first = work.moves[work.n_in_trick, 0]
            break
        if outcome != work.seat & 1:
            work.best_first = work.p_move[work.n_in_trick]
        if outcome:
            low = at
            at = min(at + step, high) if guess >= 0 else (low + high + 1) >> 1
        else:
            high = at - 1
            at = max(at - step, low + 1) if guess >= 0 else (low + high + 1) >> 1
        step += step
    return low, high


@jit
def play_card(work: Any, card: Any) -> None:
    """Play a legal card at the root, which is then the position behind it."""
    seat = work.seat
    led = suit_of(card) if work.led < 0 else work.led
    if not work.broken:
        work.broken = breaks_spades(work.rules, card, work.led)
    work.hands[seat] &= ~(1 << card)
    if work.led < 0 or beats(card, work.best):
        work.is_ranked = 1 if work.led >= 0 and suit_of(card) == suit_of(work.best) else 0
        work.best = card
        work.best_seat = seat
    elif suit_of(card) == suit_of(work.best):
        work.is_ranked = 1
    work.led = led
    work.on_table |= 1 << card
    work.n_in_trick += 1
    work.seat = (seat + 1) & 3
    if work.n_in_trick == 4:
        work.seat = work.best_seat
        work.standing += work.steps[work.best_seat]
        work.n_left -= 1
        work.n_in_trick = 0
        work.on_table = 0
        work.led = -1
        work.best = -1
        work.best_seat = -1
        work.is_ranked = 0


@jit
def search(work: Any, table: Any, only: Any) -> int:
    """Whether side 0 reaches the target that the aims are laid for; parameters and answer as `reaches`."""
    first = work.n_in_trick
    _set_root(work, first)
    ply = first
    outcome = _open(work, table, ply, False)
    if outcome == UNKNOWN:
        list_moves(work, ply, only)
    most = work.most_nodes
    while True:
        if outcome == UNKNOWN:
            done = work.p_n_tried[ply]
            if done < work.p_n_moves[ply]:
                if work.n_nodes >= most:
                    _unwind(work, first, ply)
                    return UNKNOWN
                work.p_n_tried[ply] = done + 1
                _play(work, ply, work.moves[ply, done])
                ply += 1
                outcome = _enter(work, table, ply)
                continue
            outcome = work.p_seat[ply] & 1
            work.outcome_ranks = work.p_ranks[ply]
            _keep(work, table, ply, first, outcome)
        if ply == first:
            return outcome
        ply -= 1
        work.hands[work.p_seat[ply]] |= 1 << work.p_move[ply]
        if ply & 3 == 3 and work.p_ranked[ply + 1]:
            work.outcome_ranks |= _winning_ranks(work, ply, outcome)
        if outcome != work.p_seat[ply] & 1:
            note_success(work, ply)
            _keep(work, table, ply, first, outcome)
        else:
            work.p_ranks[ply] |= work.outcome_ranks
            outcome = UNKNOWN


@jit_within
def _enter(work: Any, table: Any, ply: Any) -> Any:
    """What is known of a ply below the root; its cards are listed where nothing is."""
    outcome = UNKNOWN
    work.hint = -1
    if ply & 3 == 0:
        outcome = _open(work, table, ply, True)
    if outcome == UNKNOWN:
        list_moves(work, ply, ANY)
        work.p_n_tried[ply] = 0
        work.p_ranks[ply] = 0
    return outcome


@jit
def _set_root(work: Any, ply: Any) -> None:
    work.p_seat[ply] = work.seat
    work.p_led[ply] = work.led
    work.p_best[ply] = work.best
    work.p_best_seat[ply] = work.best_seat
    work.p_ranked[ply] = work.is_ranked
    work.p_broken[ply] = work.broken
    work.p_standing[ply] = work.standing
    work.p_in_play[ply] = cards_held(work) | work.on_table
    work.p_ranks[ply] = 0
    work.p_n_tried[ply] = 0
    shape = 0
    for seat in range(4):
        for suit in range(1, 4):
            shape |= popcount(work.hands[seat] & suit_mask(suit)) << (12 * seat + 4 * suit - 4)
    work.p_shape[ply] = shape


@jit
def _play(work: Any, ply: Any, card: Any) -> None:
    """Play a card at a ply, and write the next one; after a trick the winner leads."""
    work.n_nodes += 1
    work.p_move[ply] = card
    seat = work.p_seat[ply]
    led = work.p_led[ply]
    best = work.p_best[ply]
    winner = work.p_best_seat[ply]
    ranked = work.p_ranked[ply]
    suit = suit_of(card)
    work.hands[seat] ^= 1 << card
    if led < 0:
        best = card
        winner = seat
        ranked = 0
    elif beats(card, best):
        ranked = 1 if suit == suit_of(best) else 0
        best = card
        winner = seat
    elif suit == suit_of(best):
        ranked = 1
    broken = work.p_broken[ply]
    if suit == SPADES and not broken:
        broken = breaks_spades(work.rules, card, led)
    after = ply + 1
    work.p_broken[after] = broken
    work.p_shape[after] = work.p_shape[ply] - ((1 << (12 * seat + 4 * suit - 4)) if suit else 0)
    work.p_best[after] = best
    work.p_best_seat[after] = winner
    work.p_ranked[after] = ranked
    if after & 3 == 0:
        work.p_seat[after] = winner
        work.p_led[after] = -1
        work.p_standing[after] = work.p_standing[ply] + work.steps[winner]
    else:
        work.p_seat[after] = (seat + 1) & 3
        work.p_led[after] = suit if led < 0 else led
        work.p_standing[after] = work.p_standing[ply]
        work.p_aim[after] = work.p_aim[ply]
        work.p_in_play[after] = work.p_in_play[ply]


@jit
def _open(work: Any, table: Any, ply: Any, is_inner: Any) -> int:
    """What is known of a trick's beginning before a card is played: 1, 0 or UNKNOWN.

    At the root, which may be within a trick, only an aim that is settled is known.
    """
    aim = work.aims[work.p_standing[ply]]
    work.p_aim[ply] = aim
    work.outcome_ranks = 0
    if aim <= REACHED:
        return aim
    if not is_inner:
        return UNKNOWN
    left = work.aim_left[aim]
    if left == 1:
        return last_trick(work, ply)
    in_play = cards_held(work)
    work.p_in_play[ply] = in_play
    kind = work.aim_kind[aim]
    need = work.aim_need[aim]
    outcome = settle(work, ply, kind, need, left)
    if outcome != UNKNOWN:
        return outcome
    patterns = work.patterns
    work.keys[ply, 0] = work.p_shape[ply] | left << 48 | work.p_seat[ply] << 52 | work.p_broken[ply] << 54
    work.keys[ply, 1] = patterns[3, in_play >> 39] << PATTERN_BITS | patterns[2, (in_play >> 26) & 8191]
    work.keys[ply, 2] = patterns[1, (in_play >> 13) & 8191] << PATTERN_BITS | patterns[0, in_play & 8191]
    return look_up(work, table, ply, kind, need)


@jit_within
def _keep(work: Any, table: Any, ply: Any, first: Any, outcome: Any) -> None:
    """Write an outcome into the table, if it is of a trick's beginning below the root."""
    if ply & 3 == 0 and ply > first:
        aim = work.p_aim[ply]
        enter(work, table, ply, work.aim_kind[aim], work.aim_need[aim], outcome)


@jit_within
def _winning_ranks(work: Any, ply: Any, outcome: Any) -> Any:
    """The cards whose rank has mattered in the trick that ends at a ply.

    The winning card; and where its side fails, also those next to it in the same hand, which were not tried:
    with lower cards in their place another choice would have been open.
    """
    best = work.p_best[ply + 1]
    winner = work.p_seat[ply + 1]
    ranks = 1 << best
    if outcome == winner & 1:
        lower = work.p_in_play[ply] & suit_mask(suit_of(best)) & below(best)
        held = work.hands[winner]
        others = lower & ~held
        ranks |= lower & held & (above(highest(others)) if others else lower)
    return ranks


@jit
def _unwind(work: Any, first: Any, ply: Any) -> None:
    """Take back the cards of a search that is given up."""
    for k in range(first, ply):
        work.hands[work.p_seat[k]] |= 1 << work.p_move[k]
