"""Deals of the cards that a seat cannot see, uniform over all that agree with what it knows.

A seat knows how many cards everybody holds and who has failed to follow which suit. The unseen cards go to
*holders*: the other seats, and at a two-player table the cards that nobody holds: never dealt, still in the
stock, or discarded unseen. With no void shown that is a shuffle. Otherwise the number of cards of each suit
that each holder gets is drawn first, in proportion to the number of deals behind it, and then which ones. The
counts are exact: they fit int64, since 39! / 13!**3 is 8.4e16.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.cards import lowest, popcount, suit_mask
from spadesim.core.prelude import N_TURNS
from spadesim.core.rng import REDEAL, keyed_uniform, shuffle, stream_tag, words
from spadesim.core.rules import DEAL_DRAW
from spadesim.core.view import DECLARING, KEEPING, drawn_back, unseen_cards

MAX_HOLDERS = 3
IMPOSSIBLE, FREE, BY_SUIT, HIDDEN, EXCHANGED = range(5)  # how the cards are dealt
UNDEALT = 3  # the seat number under which a two-player table's undealt cards come back


def _binomials() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    table = np.zeros((42, 42), dtype=np.int64)
    for n in range(42):
        table[n, 0] = 1
        for k in range(1, n + 1):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


BINOMIALS = _binomials()


@jit
def cards_left(view: Any, seat: Any) -> int:
    """How many cards a seat holds."""
    got = view.rules.hand_size
    if view.rules.deal == DEAL_DRAW:
        got = (view.n_drawn + (1 if seat == view.dealer else 0)) >> 1
    return got - view.trick_no - (1 if view.trick[seat] >= 0 else 0)


@jit
def redeal(view: Any, key: Any, number: Any, hands: Any) -> Any:
    """Write one deal of the unseen cards into `hands`, uniform over all that the seat may hold possible.

    Parameters
    ----------
    view : the seat's view
    key : int, 0 to 2**63 - 1, of the random numbers, such as the view's own `rng_key`
    number : int, 0 or more; the same key and number give the same deal
    hands : int64 array of 4, by seat: the masks of all hands, the seat's own included, which is dealt anew
        only while it has not been looked at; at a table of two, hands[UNDEALT] gets the unseen cards that
        nobody holds

    Raises
    ------
    ValueError
        When no deal agrees with the view.
    """
    if not deal_as_planned(view, plan_deals(view), key, number, hands):
        raise ValueError("no deal of the unseen cards agrees with this view: hand sizes, voids and exchange")


@jit
def plan_deals(view: Any) -> Any:
    """What all deals of a view's unseen cards have in common, for `deal_as_planned`.

    Returns
    -------
    tuple
        One of `IMPOSSIBLE`, `FREE`, `BY_SUIT`, `HIDDEN` and `EXCHANGED`; the unseen cards; seats, sizes and
        barred cards of the holders; and the table of `count_ways`.
    """
    unseen = unseen_cards(view)
    seats = np.full(MAX_HOLDERS, UNDEALT, dtype=np.int64)
    sizes = np.zeros(MAX_HOLDERS, dtype=np.int64)
    barred = np.full(MAX_HOLDERS, unseen, dtype=np.int64)  # what each holder cannot have; a missing one: all
    list_holders(view, seats, sizes, barred)
    is_free = True
    for h in range(MAX_HOLDERS):
        if sizes[h] > 0 and barred[h] & unseen:
            is_free = False
    kind = FREE if is_free else BY_SUIT
    if view.phase == DECLARING and view.rules.deal != DEAL_DRAW:
        kind = HIDDEN
    elif drawn_back(view):
        kind = EXCHANGED
    elif sizes.sum() != popcount(unseen) or sizes.min() < 0:
        kind = IMPOSSIBLE
    if kind == BY_SUIT:
        ways = count_ways(unseen, sizes, barred)
        if ways[0, sizes[0], sizes[1]] == 0:
            kind = IMPOSSIBLE
    else:
        ways = np.zeros((1, 1, 1), dtype=np.int64)
    return kind, unseen, seats, sizes, barred, ways


@jit
def deal_as_planned(view: Any, plan: Any, key: Any, number: Any, hands: Any) -> Any:
    """Write one deal into `hands`, as `redeal` does; whether there is any comes back."""
    kind, unseen, seats, sizes, _, _ = plan
    for seat in range(4):
        hands[seat] = 0
    hands[view.seat] = view.hand
    if kind == FREE:
        deal_freely(unseen, seats, sizes, key, number, hands)
    elif kind == BY_SUIT:
        deal_by_suit(plan, key, number, hands)
    elif kind == HIDDEN:
        deal_all(view, key, number, hands)
    elif kind == EXCHANGED:
        return deal_after_exchange(view, key, number, hands)
    return kind != IMPOSSIBLE


@jit
def list_holders(view: Any, seats: Any, sizes: Any, barred: Any) -> Any:
    """Write who holds the unseen cards, in turn from the seat on, how many, and which of them not."""
    n = 0
    for k in range(1, view.n_players):
        seat = (view.seat + k) % view.n_players
        seats[n] = seat
        sizes[n] = cards_left(view, seat)
        barred[n] = 0
        for suit in range(4):
            if (view.voids[seat] >> suit) & 1:
                barred[n] |= suit_mask(suit)
        n += 1
    if view.rules.players == 2:
        sizes[n] = n_undealt(view)
        barred[n] = 0


@jit
def n_undealt(view: Any) -> int:
    """How many cards nobody holds at a table of two, those apart that the seat has seen."""
    rules = view.rules
    n_held = view.n_drawn if rules.deal == DEAL_DRAW else rules.n_dealt
    n_seen = popcount(view.discards & ~view.played) + (1 if view.offered >= 0 else 0)
    return popcount(rules.deck) - n_held - n_seen


@jit
def deal_all(view: Any, key: Any, number: Any, hands: Any) -> Any:
    """Deal the whole pack, of which nobody has looked at a card."""
    sizes = np.full(4, view.rules.hand_size, dtype=np.int64)
    sizes[view.n_players :] = 0
    if view.n_players == 2:
        sizes[UNDEALT] = popcount(view.rules.deck) - view.rules.n_dealt
    deal_freely(view.rules.deck, np.arange(4), sizes, key, number, hands)


@jit
def deal_after_exchange(view: Any, key: Any, number: Any, hands: Any) -> Any:
    """Deal the other seat of a draw table its cards when some of the discards that this one saw may be back.

    How many of them it drew is hypergeometric before anything is known of its hand; the cards that it has
    played and the suits that it has shown out of are then weighed in. Where both seats have exchanged, what
    the cards that this one drew say about the other's draw is left out.
    """
    other = 1 - view.seat
    size = cards_left(view, other)
    unseen, back = unseen_cards(view), drawn_back(view)
    barred = 0
    for suit in range(4):
        if (view.voids[other] >> suit) & 1:
            barred |= suit_mask(suit)
    drawable = view.discards if view.seat == view.first_bidder else view.discards & ~view.given
    n_seen, n_shown = popcount(drawable), popcount(drawable & view.played)
    n_never_seen = popcount(view.rules.deck) - view.rules.hand_size - popcount(view.discards)
    n_drawn = view.n_exchanged[other]
    n_back, n_unseen = popcount(back & ~barred), popcount(unseen & ~barred)
    weights = np.zeros(N_TURNS, dtype=np.float64)
    for j in range(n_shown, min(n_drawn, n_seen) + 1):
        rest = size - (j - n_shown)
        if j - n_shown <= n_back and 0 <= rest <= n_unseen:
            prior = BINOMIALS[n_seen, j] * BINOMIALS[N_TURNS - n_seen, n_drawn - j]
            of_seen = BINOMIALS[n_back, j - n_shown] / BINOMIALS[n_seen, j]
            of_unseen = BINOMIALS[n_unseen, rest] / BINOMIALS[n_never_seen, view.rules.hand_size - j]
            weights[j] = prior * of_seen * of_unseen
    if weights.sum() == 0.0:
        return False
    drawn = keyed_uniform(key, number, REDEAL) * weights.sum()
    j = n_shown
    while j + 1 < N_TURNS and (drawn >= weights[j] or weights[j] == 0.0) and weights[j + 1 :].sum() > 0.0:
        drawn -= weights[j]
        j += 1
    pick(back & ~barred, j - n_shown, key, number, 1, other, hands)
    pick(unseen & ~barred, size - (j - n_shown), key, number, 2, other, hands)
    hands[UNDEALT] = (unseen | back) & ~hands[other]
    return True


@jit
def pick(cards: Any, n: Any, key: Any, number: Any, part: Any, seat: Any, hands: Any) -> Any:
    """Give a seat `n` of the cards, each choice of them equally likely."""
    deck = np.empty(64, dtype=np.int64)
    scratch = np.empty(67, dtype=np.int64)
    n_cards = spread(cards, deck)
    shuffle(deck, n_cards, n, key, number, stream_tag(REDEAL, part, seat), scratch)
    for k in range(n):
        hands[seat] |= np.int64(1) << deck[k]


@jit
def hide_again(position: Any, seat: Any, hands: Any, key: Any, number: Any) -> Any:
    """Make the table one at which the hands are these, and `seat` knows what it knows.

    At a draw table the stock and the discards that the seat has not seen change with the hands: every card
    that nobody holds lies where it may lie, each order of them equally likely.

    Parameters
    ----------
    position : the table, rewritten
    seat : int, the one in turn
    hands : int64 array of 4, from `redeal` of that seat's view
    key, number : as for `redeal`
    """
    for other in range(position.n_players):
        position.hands[other] = hands[other]
    if position.rules.deal != DEAL_DRAW:
        return
    held = hands[0] | hands[1] | position.played
    at = 2 * position.n_drawn
    known = np.int64(1) << position.deck[at] if position.phase == KEEPING else np.int64(0)
    for place in range(position.n_pile):
        known |= position.discards[seat] & ~held & (np.int64(1) << position.pile[place])
    deck = np.empty(64, dtype=np.int64)
    scratch = np.empty(67, dtype=np.int64)
    n = spread(position.rules.deck & ~held & ~known, deck)
    shuffle(deck, n, n, key, number, stream_tag(REDEAL, 3, seat), scratch)
    seen = given = np.int64(0)
    other = 1 - seat
    k = 0
    for place in range(position.n_pile):
        card = position.pile[place]
        if not (known >> card) & 1:
            position.pile[place] = deck[k]
            k += 1
        new = np.int64(1) << position.pile[place]
        seen |= new if (position.discards[other] >> card) & 1 else 0
        given |= new if (position.given[other] >> card) & 1 else 0
    position.discards[other] = seen
    position.given[other] = given
    for place in range(at, 2 * N_TURNS):
        if not (known >> position.deck[place]) & 1:
            position.deck[place] = deck[k]
            k += 1


@jit
def spread(cards: Any, into: Any) -> Any:
    """Write the cards of a mask into an array; how many comes back."""
    n = 0
    while cards:
        into[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    return n


@jit
def deal_freely(unseen: Any, seats: Any, sizes: Any, key: Any, number: Any, hands: Any) -> Any:
    """Shuffle the unseen cards and hand them out."""
    deck = np.empty(64, dtype=np.int64)
    scratch = np.empty(67, dtype=np.int64)
    n = spread(unseen, deck)
    shuffle(deck, n, n, key, number, stream_tag(REDEAL, 0, 0), scratch)
    at = 0
    for h in range(sizes.size):
        for k in range(at, at + sizes[h]):
            hands[seats[h]] |= np.int64(1) << deck[k]
        at += sizes[h]


@jit
def deal_by_suit(plan: Any, key: Any, number: Any, hands: Any) -> Any:
    """Hand out the unseen cards suit by suit, each suit's split drawn by the number of deals behind it."""
    _, unseen, seats, sizes, barred, ways = plan
    left = (sizes[0], sizes[1])
    deck = np.empty(64, dtype=np.int64)
    scratch = np.empty(67, dtype=np.int64)
    for suit in range(4):
        n = spread(unseen & suit_mask(suit), deck)
        drawn = draw_below(ways[suit, left[0], left[1]], key, number, stream_tag(REDEAL, 8 + suit, 0))
        a, b = split_at(drawn, ways, suit, n, left, barred)
        shuffle(deck, n, n, key, number, stream_tag(REDEAL, 1 + suit, 0), scratch)
        for k in range(n):
            h = 0 if k < a else (1 if k < a + b else 2)
            hands[seats[h]] |= np.int64(1) << deck[k]
        left = (left[0] - a, left[1] - b)


@jit
def count_ways(unseen: Any, sizes: Any, barred: Any) -> Any:
    """How many deals there are of the suits from each one on, by the room left with the first two holders.

    Returns
    -------
    int64 array of shape (5, sizes[0] + 1, sizes[1] + 1)
        Of the first suit, with all the room alone.
    """
    ways = np.zeros((5, sizes[0] + 1, sizes[1] + 1), dtype=np.int64)
    ways[4, 0, 0] = 1
    later = np.int64(0)
    for back in range(4):
        suit = 3 - back
        cards = unseen & suit_mask(suit)
        n = popcount(cards)
        later += n
        most = 0 if barred[0] & cards else n
        most_second = 0 if barred[1] & cards else n
        for first in range(sizes[0] if suit == 0 else 0, sizes[0] + 1):
            for second in range(sizes[1] if suit == 0 else 0, sizes[1] + 1):
                if 0 <= later - first - second <= sizes[2]:
                    left = (first, second)
                    total = np.int64(0)
                    for a in range(min(most, first) + 1):
                        for b in range(min(most_second, n - a, second) + 1):
                            total += split_ways(ways, suit, n, left, (a, b), barred)
                    ways[suit, first, second] = total
    return ways


@jit
def split_ways(ways: Any, suit: Any, n: Any, left: Any, split: Any, barred: Any) -> Any:
    """Deals in which the first two holders get the `split` of a suit's `n` cards and the third the rest.

    Parameters
    ----------
    left, split : pairs of int, the room left with the first two holders and what they get of the suit
    """
    cards = suit_mask(suit)
    a, b = split
    if (a > 0 and barred[0] & cards) or (b > 0 and barred[1] & cards) or (n > a + b and barred[2] & cards):
        return np.int64(0)
    return BINOMIALS[n, a] * BINOMIALS[n - a, b] * ways[suit + 1, left[0] - a, left[1] - b]


@jit
def split_at(place: Any, ways: Any, suit: Any, n: Any, left: Any, barred: Any) -> Any:
    """The split of a suit in which deal number `place` lies when all deals are counted through."""
    for a in range(min(n, left[0]) + 1):
        for b in range(min(n - a, left[1]) + 1):
            place -= split_ways(ways, suit, n, left, (a, b), barred)
            if place < 0:
                return a, b
    return 0, 0  # pragma: no cover - the counts add up to the total


@jit
def draw_below(n: Any, key: Any, number: Any, tag: Any) -> Any:
    """A uniform int in 0..n-1, n up to 2**61: 62 random bits, drawn again where they would favour some."""
    limit = (np.int64(1) << 62) // n * n
    block = 0
    while True:
        w0, w1, _, _ = words(key, number, tag, block)
        drawn = ((w0 >> 2) << 32) | w1
        if drawn < limit:
            return drawn % n
        block += 1
