"""What makes any bot weaker: how its view is dimmed before it is asked, and its answer changed afterwards.

A weakness never breaks a rule of the game: the bot chooses out of fewer legal answers, knows less, or bids
more or less than it wanted, within what is legal. Its coins come from the seat's key for the hand, so that
they fall alike in every room and for every chance: what is forgotten at 0.2 is forgotten at 0.3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.cards import lowest, suit_of
from spadesim.core.rng import WEAKNESS, stream_tag, words
from spadesim.core.view import BIDDING, DECLARING, MAX_CHOICE

BLUNDER, FORGET, TIMID, BOLD, BLIND_TO_BAGS, AFRAID_OF_NIL = range(6)
N_WEAKNESSES = 6
CHANGES_BIDS_ONLY = (TIMID, BOLD, AFRAID_OF_NIL)

NIL_BIT = 1
TWO_32 = 4294967296.0
CARD_PLACES = MAX_CHOICE + 1


@jit
def coin(key: int, kind: int, number: int) -> float:
    """A number in [0, 1) with 32 random bits: the `number`-th coin that a seat tosses in a hand.

    Parameters
    ----------
    key : int, the seat's `rng_key`
    kind : int, BLUNDER to AFRAID_OF_NIL
    number : int, 0 or more
    """
    w0, w1, w2, w3 = words(key, number >> 2, stream_tag(WEAKNESS, 0, kind), 0)
    place = number & 3
    word = w0 if place == 0 else w1 if place == 1 else w2 if place == 2 else w3
    return word / TWO_32


@jit
def falls(key: int, kind: int, number: int, chance: float) -> bool:
    """Whether that coin falls for the weakness; never at a chance of 0, always at 1."""
    return chance > 0.0 and coin(key, kind, number) < chance


@jit
def forgotten_cards(key: Any, chance: Any) -> Any:
    """The cards that a seat overlooks once they have been played, as a mask; its own may be among them."""
    cards = np.int64(0)
    if chance > 0.0:
        for card in range(CARD_PLACES):
            if coin(key, FORGET, card) < chance:
                cards |= np.int64(1) << card
    return cards


@jit
def dim(view: Any, weakness: Any, forgotten: Any) -> None:
    """Leave in a view what a bot with these weaknesses knows, and may choose from.

    Parameters
    ----------
    view : a filled view, rewritten
    weakness : float64 array of N_WEAKNESSES
    forgotten : int, from `forgotten_cards`
    """
    if forgotten != 0:
        forget(view, forgotten)
    if falls(view.rng_key, BLIND_TO_BAGS, 0, weakness[BLIND_TO_BAGS]):
        for side in range(4):
            view.bags[side] = 0
        view.rules.bag_limit = 0
        view.rules.bag_penalty = 0
    if view.phase == BIDDING and shuns_nil(view, weakness) and view.legal & ~NIL_BIT:
        view.legal &= ~NIL_BIT
    if view.phase == DECLARING and shuns_nil(view, weakness):
        view.legal = NIL_BIT  # the answer 0: none


@jit
def shuns_nil(view: Any, weakness: Any) -> bool:
    """Whether the seat bids no nil in this hand, blind or not."""
    return falls(view.rng_key, AFRAID_OF_NIL, 0, weakness[AFRAID_OF_NIL])


@jit
def forget(view: Any, forgotten: Any) -> None:
    """Take cards out of a view that others played in earlier tricks, and what they had shown.

    In the history the card that the seat itself played to the trick stands in the place of each: the number
    of cards, leaders and winners stay what they were, and the cards of the history are those of `played`.
    """
    n = view.n_players
    shown = np.zeros(4, dtype=np.int64)
    for trick_no in range(view.trick_no):
        first, leader = trick_no * n, view.leaders[trick_no]
        led_suit = suit_of(view.history[first])
        own_card = view.history[first + (view.seat - leader) % n]
        for k in range(n):
            seat, card = (leader + k) % n, view.history[first + k]
            if seat != view.seat and (forgotten >> card) & 1:
                view.history[first + k] = own_card
                view.played &= ~(np.int64(1) << card)
            elif suit_of(card) != led_suit:
                shown[seat] |= np.int64(1) << led_suit
    for seat in range(n):
        if view.trick[seat] >= 0 and suit_of(view.trick[seat]) != view.led_suit:
            shown[seat] |= np.int64(1) << view.led_suit
        view.voids[seat] = shown[seat]
    view.discards &= ~(forgotten & ~view.given)


@jit
def weak_bid(view: Any, bid: Any, weakness: Any) -> Any:
    """What a seat bids instead of `bid`: some tricks less or more, as near as the rules allow; a nil stays.

    Parameters
    ----------
    view : the seat's dimmed view
    bid : int, what the bot said, legal by the rules of the table
    weakness : float64 array of N_WEAKNESSES
    """
    above_nil = view.legal & ~NIL_BIT
    if bid == 0 and (view.legal & NIL_BIT or above_nil == 0):
        return bid
    if bid == 0:  # a bot that was not to bid nil, and did
        bid = lowest(above_nil)
    steps = whole_tricks(view.rng_key, BOLD, weakness) - whole_tricks(view.rng_key, TIMID, weakness)
    while steps != 0:
        wanted = bid + steps
        if 0 <= wanted <= MAX_CHOICE and (above_nil >> wanted) & 1:
            return wanted
        steps += -1 if steps > 0 else 1
    return bid


@jit
def whole_tricks(key: Any, kind: Any, weakness: Any) -> Any:
    """How many tricks a bid is moved by, its fraction settled by a coin for the hand."""
    whole = int(weakness[kind])
    return whole + (1 if falls(key, kind, 0, weakness[kind] - whole) else 0)
