"""What is decided before the bidding: the draw of a two-player table, blind nils, their exchange of cards.

At a draw table two players draw in turn. Each turn takes two cards off the stock: the player looks at the
first and keeps it, then the second is discarded, or discards it and keeps the second, whatever that is. A
nil may be declared blind: before the player's first draw, or where all cards are dealt before anybody looks
at them. Its bidder may then exchange cards with the pile of discards, once both hands are complete.

Everything random about the draw is the order of the stock, which lies in `deck`, so a seat that draws
first in one room of a board and second in the other meets the same stock and the same dead cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.cards import lowest, popcount
from spadesim.core.rng import EXCHANGE, shuffle, stream_tag
from spadesim.core.rules import BLIND_ALWAYS, BLIND_BEHIND, DEAL_DRAW
from spadesim.core.seating import next_seat, side_at
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEP, KEEPING, NOT_YET

N_TURNS = 26
N_WORDS = N_TURNS + 4  # of a shuffle of as many cards
YES_OR_NO = 0b11


@jit
def begin_prelude(position: Any) -> Any:
    """Take the hand on the table to its first decision; at a draw table the stock lies in `deck`."""
    position.n_choices = 0
    position.n_drawn = 0
    position.n_pile = 0
    for seat in range(4):
        position.kept[seat] = 0
        position.blind[seat] = NOT_YET
        position.n_exchanged[seat] = 0
        position.discards[seat] = 0
        position.given[seat] = 0
    if position.rules.deal == DEAL_DRAW:
        for seat in range(4):
            position.hands[seat] = 0
        position.turn = position.dealer
        begin_turn(position)
    else:
        position.turn = position.first_bidder
        offer_blind(position)


@jit
def may_declare(rules: Any, scores: Any, side: Any) -> Any:
    """Whether a side's scores allow its seats a blind nil.

    Parameters
    ----------
    rules : record, from `Rules.record()`
    scores : int64[:], by side, before the hand
    side : int, 0 up to `rules.n_sides` - 1
    """
    if rules.blind_nil != BLIND_BEHIND:
        return rules.blind_nil == BLIND_ALWAYS
    best = scores[1 - side if side < 2 else 0]
    for other in range(rules.n_sides):
        if other != side:
            best = max(best, scores[other])
    return scores[side] + rules.blind_nil_deficit <= best


@jit
def begin_turn(position: Any) -> Any:
    """Put the next turn of the draw to its player, who is asked about a blind nil before the first one."""
    seat = position.turn
    if position.n_drawn == N_TURNS:
        position.turn = position.first_bidder
        offer_exchange(position)
    elif position.blind[seat] != NOT_YET:
        position.phase = KEEPING
    elif may_declare(position.rules, position.scores, side_at(position, seat)):
        position.phase = DECLARING
    else:
        position.blind[seat] = 0
        position.phase = KEEPING


@jit
def offer_blind(position: Any) -> Any:
    """Ask the next seat in bidding order that may declare a blind nil of the cards dealt; else go on."""
    while position.blind[position.turn] == NOT_YET:
        if may_declare(position.rules, position.scores, side_at(position, position.turn)):
            position.phase = DECLARING
            return
        position.blind[position.turn] = 0
        position.turn = next_seat(position, position.turn)
    end_prelude(position)


@jit
def prelude_legal(position: Any) -> Any:
    """The choices of the seat in turn before the bidding: two answers, or the cards that it may exchange."""
    return position.hands[position.turn] if position.phase == EXCHANGING else YES_OR_NO


@jit
def apply_prelude(position: Any, choice: Any) -> Any:
    """Make the legal `choice` of the seat in turn before the bidding."""
    position.n_choices += 1
    if position.phase == KEEPING:
        apply_keep(position, choice)
    elif position.phase == DECLARING:
        apply_declaration(position, choice)
    else:
        apply_exchange(position, choice)


@jit
def apply_declaration(position: Any, is_blind: Any) -> Any:
    """Declare a blind nil (1) or none (0)."""
    position.blind[position.turn] = is_blind
    if position.rules.deal == DEAL_DRAW:
        position.phase = KEEPING
    else:
        position.turn = next_seat(position, position.turn)
        offer_blind(position)


@jit
def apply_keep(position: Any, choice: Any) -> Any:
    """Keep the first of the two next cards (``KEEP``) or the second; the other one is discarded."""
    seat = position.turn
    turn = position.n_drawn
    first = position.deck[2 * turn]
    second = position.deck[2 * turn + 1]
    keeps = choice == KEEP
    own, dead = (first, second) if keeps else (second, first)
    position.hands[seat] |= np.int64(1) << own
    position.pile[turn] = dead
    position.n_pile = turn + 1
    if not keeps or position.rules.draw_second_seen:
        position.discards[seat] |= np.int64(1) << dead
    position.kept[seat] |= np.int64(keeps) << (turn >> 1)
    position.n_drawn = turn + 1
    position.turn = next_seat(position, seat)
    begin_turn(position)


@jit
def offer_exchange(position: Any) -> Any:
    """Ask the next seat in bidding order that has declared a blind nil for its cards; else go on."""
    if position.rules.blind_nil_exchange > 0:
        for _ in range(position.n_players):
            seat = position.turn
            if position.blind[seat] == 1 and position.n_exchanged[seat] == 0:
                position.phase = EXCHANGING
                return
            position.turn = next_seat(position, seat)
            if position.turn == position.first_bidder:
                break
    end_prelude(position)


@jit
def apply_exchange(position: Any, cards: Any) -> Any:
    """Exchange a mask of cards for as many from the pile, drawn at random without replacement."""
    seat = position.turn
    n = popcount(cards)
    places = np.arange(N_TURNS)
    scratch = np.empty(N_WORDS, dtype=np.int64)
    tag = stream_tag(EXCHANGE, position.hand_no, seat)
    shuffle(places, position.n_pile, n, position.seed, position.index, tag, scratch)
    swap_with_pile(position, seat, cards, places)
    position.turn = next_seat(position, seat)
    if position.turn == position.first_bidder:
        end_prelude(position)
    else:
        offer_exchange(position)


@jit
def swap_with_pile(position: Any, seat: Any, cards: Any, places: Any) -> Any:
    """Give a mask of cards for those at given places of the pile, which then takes up the cards given.

    Parameters
    ----------
    position : the table
    seat : int
    cards : mask of cards that the seat holds
    places : int64 array, the first entries are places of the pile, one for each card given
    """
    drawn = np.int64(0)
    given = cards
    n = 0
    while given:
        card = lowest(given)
        given &= given - 1
        place = places[n]
        drawn |= np.int64(1) << position.pile[place]
        position.pile[place] = card
        n += 1
    position.hands[seat] = position.hands[seat] & ~cards | drawn
    position.given[seat] = cards
    position.n_exchanged[seat] = n
    position.discards[seat] = position.discards[seat] & ~drawn | cards


@jit
def end_prelude(position: Any) -> Any:
    """Begin the bidding."""
    position.phase = BIDDING
    position.turn = position.first_bidder
    if position.rules.deal == DEAL_DRAW:
        for seat in range(position.n_players):
            position.dealt[seat] = position.hands[seat]


@jit
def fill_prelude(position: Any, seat: Any, view: Any) -> Any:
    """Write into a view what a seat may know of the decisions before the bidding."""
    phase = position.phase
    is_offered = phase == KEEPING and seat == position.turn
    view.offered = position.deck[2 * position.n_drawn] if is_offered else NOT_YET
    is_forgotten = phase < KEEPING and not position.rules.bot_memory
    view.given = 0 if is_forgotten else position.given[seat]
    view.discards = 0 if is_forgotten else position.discards[seat]
    if phase == DECLARING and position.rules.deal != DEAL_DRAW:  # dealt, but nobody has looked
        view.hand = 0
    view.phase = phase
    if view.n_choices_seen == position.n_choices:
        return
    view.n_choices_seen = position.n_choices
    view.n_drawn = position.n_drawn
    for k in range(4):
        view.kept[k] = position.kept[k]
        view.blind[k] = position.blind[k]
        view.n_exchanged[k] = position.n_exchanged[k]
