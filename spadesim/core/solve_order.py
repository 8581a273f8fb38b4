"""Which cards the solver tries, and in which order.

Of cards that are next to each other among those in play one is tried, the highest. The order looks at who
will win the trick if everybody who can do so wins it when that helps his side, then at the cards that have
settled other positions, then at low cards.
"""

from __future__ import annotations

from typing import Any

from spadesim.core._jit import jit, jit_within
from spadesim.core.aims import WHOLE
from spadesim.core.cards import (
    SIDE_SUITS_MASK,
    SPADES,
    SPADES_MASK,
    above,
    below,
    highest,
    lowest,
    popcount,
    rank_of,
    suit_mask,
    suit_of,
)
from spadesim.core.trick import beats, legal_cards

MOST_HISTORY = 1 << 24

# Merits: of winning the trick, of a successful history (for each power of two), of the hint; the rest a card.
GAIN, HISTORY, HINT, RANK, LENGTH = 4, 4, 200, 8, 10
SPADE_LEAD, RUFFED, TOP, FACING_TOP, BEHIND_TOP, UNDER_TOP = -100, -100, 100, 50, 20, -20


@jit
def distinct(cards: Any, others: Any) -> int:
    """The highest of every run of cards with none of the `others` between them.

    >>> distinct(0b11011, 0b00100) == 0b10010
    True
    """
    found = 0
    while cards:
        card = highest(cards)
        found |= 1 << card
        suit = suit_mask(suit_of(card))
        between = others & suit & below(card)
        drop = suit & above(highest(between)) if between else suit
        cards &= ~drop
    return found


@jit
def list_moves(work: Any, ply: Any, only: Any) -> None:
    """Write the cards to try at a ply, best first; of the legal ones those in `only`."""
    seat = work.p_seat[ply]
    hand = work.hands[seat]
    led = work.p_led[ply]
    cards = legal_cards(work.rules, hand, led, work.p_broken[ply])
    cards = distinct(cards, work.p_in_play[ply] & ~hand) & only
    n = 0
    if cards & (cards - 1) == 0:
        if cards:
            work.moves[ply, 0] = highest(cards)
            n = 1
        work.p_n_moves[ply] = n
        return
    merits = work.merits
    _set_gains(work, ply, seat)
    while cards:
        card = highest(cards)
        cards ^= 1 << card
        merit = _merit(work, ply, seat, led, card)
        at = n
        while at > 0 and merits[at - 1] < merit:
            merits[at] = merits[at - 1]
            work.moves[ply, at] = work.moves[ply, at - 1]
            at -= 1
        merits[at] = merit
        work.moves[ply, at] = card
        n += 1
    work.p_n_moves[ply] = n


@jit_within
def _set_gains(work: Any, ply: Any, seat: Any) -> None:
    """Write what it is worth to the mover's side that each seat wins the trick, 0-256."""
    after = work.aim_next[work.p_aim[ply]]
    gains = work.gains
    low = WHOLE
    high = 0
    for k in range(4):
        weight = work.aim_weight[after[k]]
        if seat & 1:
            weight = WHOLE - weight
        gains[k] = weight
        low = min(low, weight)
        high = max(high, weight)
    spread = max(high - low, 1)
    for k in range(4):
        gains[k] = ((gains[k] - low) << 8) // spread


@jit_within
def _merit(work: Any, ply: Any, seat: Any, led: Any, card: Any) -> Any:
    """How soon a card is to be tried; the numbers were found by counting nodes on random deals."""
    winner = likely_winner(work, ply, seat, led, card)
    merit = work.gains[winner] * GAIN + highest(work.history[seat, card] + 1) * HISTORY
    if work.hint == card:
        merit += HINT
    merit -= rank_of(card) * RANK
    suit = suit_of(card)
    if led < 0:
        return merit + _lead_merit(work, ply, seat, card, suit)
    if suit not in (led, SPADES):
        merit += popcount(work.hands[seat] & suit_mask(suit)) * LENGTH
    return merit


@jit_within
def _lead_merit(work: Any, ply: Any, seat: Any, card: Any, suit: Any) -> Any:
    """What speaks for a lead: long suits, the highest card or partner's; against it: spades, ruffs."""
    if suit == SPADES:
        return SPADE_LEAD
    held = suit_mask(suit)
    left = work.hands[(seat + 1) & 3]
    right = work.hands[(seat + 3) & 3]
    top = highest(work.p_in_play[ply] & held)
    merit = popcount(work.hands[seat] & held) * LENGTH
    if (left & held == 0 and left & SPADES_MASK) or (right & held == 0 and right & SPADES_MASK):
        merit += RUFFED
    if card == top:
        merit += TOP
    elif work.hands[(seat + 2) & 3] >> top & 1:
        merit += FACING_TOP
    elif right >> top & 1:
        merit += BEHIND_TOP
    elif left >> top & 1:
        merit += UNDER_TOP
    return merit


@jit_within
def likely_winner(work: Any, ply: Any, seat: Any, led: Any, card: Any) -> Any:
    """Who wins the trick when everybody after this card wins it if he can and his side wants it."""
    best = work.p_best[ply]
    winner = work.p_best_seat[ply]
    if led < 0:
        led = suit_of(card)
        best = card
        winner = seat
    elif beats(card, best):
        best = card
        winner = seat
    suit = suit_mask(led)
    for k in range(1, 4 - (ply & 3)):
        player = (seat + k) & 3
        hand = work.hands[player]
        following = hand & suit
        must = False
        if following:
            shot = highest(following)
            can = beats(shot, best)
            must = can and beats(lowest(following), best)
        else:
            spades = hand & SPADES_MASK
            shot = highest(spades)
            can = spades != 0 and beats(shot, best)
            must = can and hand & SIDE_SUITS_MASK == 0 and beats(lowest(spades), best)
        if can:
            mine = work.gains[player]
            theirs = work.gains[winner]
            if must or (mine < theirs if (player ^ seat) & 1 else mine > theirs):
                best = shot
                winner = player
    return winner


@jit_within
def note_success(work: Any, ply: Any) -> None:
    """Remember the card that has settled a position."""
    seat = work.p_seat[ply]
    card = work.p_move[ply]
    left = work.aim_left[work.p_aim[ply]]
    work.history[seat, card] += left * left
    if work.history[seat, card] > MOST_HISTORY:
        for other in range(4):
            for k in range(52):
                work.history[other, k] >>= 1
