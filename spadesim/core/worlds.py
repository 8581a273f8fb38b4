"""Worlds: tables that agree with all that a seat knows, in place of the one that it cannot see.

A world is the table of a view with a deal of the unseen cards: uniform over the deals that agree with the
cards played, the voids shown and the discards seen (`spadesim.core.redeal`), or more likely the better it
explains what the others kept, bid and played. For that a model (`spadesim.core.model`) sits at their seats:
each bid that it would have made otherwise makes a deal less likely by a factor for every trick between the
two, and each card that it would not have played by another factor. What the other seat of a draw table kept
is weighed by the rule of keeping spades, aces and kings, see `weigh_keeping`. Deals are drawn and accepted
with that likelihood; when none has been after so many tries, the one that came nearest is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.cards import ACE, KING, SPADES_MASK, popcount, suit_mask, suit_of
from spadesim.core.memory import copy_table
from spadesim.core.model import choice_of
from spadesim.core.position import apply_bid, apply_card, clear_trick, legal_bids
from spadesim.core.redeal import BINOMIALS, BY_SUIT, FREE, UNDEALT, cards_left, deal_as_planned, pick
from spadesim.core.rng import REDEAL, keyed_uniform
from spadesim.core.rules import DEAL_DRAW
from spadesim.core.trick import legal_cards
from spadesim.core.view import BIDDING, NOT_YET, PLAYING, moment, unseen_cards

MAX_TRIES = 1000
KEY_STEP = 2654435761  # between the keys of two worlds
NIL_STEPS = 2  # a nil is so many tricks further from a bid of one than that is from a bid of two
NEVER = -1.0

WORLD, AUCTION = range(2)  # tables: as it stands in the world, and the same hand before its first bid
N_WORLD_TABLES = 2

# The numbers of how worlds are drawn: deals tried at the most, the factor for each trick between the bid made
# and the model's, the factor for each card other than the model's, and the one for each turn of a draw that
# goes against the rule of keeping. A factor of 1 leaves these out.
TRIES, BIDS, CARDS, DRAWS = range(4)
N_KEPT = 13  # cards of a hand that is drawn
WORTH_KEEPING = SPADES_MASK
for _suit in range(3):
    WORTH_KEEPING |= (1 << ACE | 1 << KING) << (13 * _suit)


@jit
def lay_out_worlds(view: Any, tables: Any, own: Any) -> Any:
    """Write into two tables what all worlds of a view have in common, and into `own` what all seats played.

    Parameters
    ----------
    view : the view of a seat that is to bid or to play
    tables : array of at least 2 POSITION records, all zero or laid out before
    own : int64 array of 4, written: by seat, the cards that it has played
    """
    n = view.n_players
    for seat in range(4):
        own[seat] = 0
    for k in range(view.n_history):
        own[(view.leaders[k // n] + k % n) % n] |= np.int64(1) << view.history[k]
    for k in range(N_WORLD_TABLES):
        lay_out(view, tables[k], np.int64(k + 1) << 40)
    world = tables[WORLD]
    copy_table(view, world)
    world.turn = view.seat
    world.legal = view.legal
    world.n_bids = n_made(view)
    for k in range(view.n_history):
        world.history[k] = view.history[k]
    for k in range(min(view.trick_no + 1, view.rules.hand_size)):
        world.leaders[k] = view.leaders[k]
        world.winners[k] = view.winners[k]


@jit
def lay_out(view: Any, table: Any, serial: Any) -> Any:
    """Write what stays the same for a hand into a table."""
    table.serial = serial
    table.n_players = view.n_players
    table.hand_no = view.hand_no
    table.dealer = view.dealer
    table.first_bidder = view.first_bidder
    table.rules = view.rules
    table.n_drawn = view.n_drawn
    for seat in range(4):
        table.scores[seat] = view.scores[seat]
        table.bags[seat] = view.bags[seat]
        table.blind[seat] = view.blind[seat]
        table.kept[seat] = view.kept[seat]
        table.n_exchanged[seat] = view.n_exchanged[seat]


@jit
def n_made(view: Any) -> int:
    """How many bids have been made."""
    n = 0
    for seat in range(view.n_players):
        n += 1 if view.bids[seat] != NOT_YET else 0
    return n


@jit
def draw_world(  # noqa: PLR0913, PLR0917 - the tables and scratches of one search
    view: Any, plan: Any, handle: Any, how: Any, number: Any, tables: Any, sight: Any, own: Any, draws: Any
) -> Any:
    """Make `tables[WORLD]` a world of a view; False comes back when no deal agrees with the view.

    Parameters
    ----------
    view : the view that `tables` were laid out by
    plan : from `spadesim.core.redeal.plan_deals`
    handle : int, the model
    how : float64 array of 4, `TRIES`, `BIDS`, `CARDS` and `DRAWS`
    number : int, 0 or more; the same number gives the same world
    tables, own : as `lay_out_worlds` left them
    sight : VIEW record, scratch
    draws : float64 array of `N_KEPT` + 1, from `weigh_keeping`
    """
    hands, best = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    near = NEVER
    is_drawn = draws.sum() > 0.0 and plan[0] in (FREE, BY_SUIT)
    tries = min(int(how[TRIES]), MAX_TRIES)
    is_off = (how[BIDS] >= 1.0 and how[CARDS] >= 1.0) or view.phase not in (BIDDING, PLAYING)
    for t in range(tries):
        place = (number * MAX_TRIES + t) * 1024 + moment(view)
        is_found = is_drawn and deal_as_drawn(view, plan[1], place, own, draws, hands)
        if not (is_found or deal_as_planned(view, plan, view.rng_key, place, hands)):
            return False
        if is_off:
            break
        coin = keyed_uniform(view.rng_key ^ KEY_STEP, number * MAX_TRIES + t, moment(view))
        chance = likelihood(view, handle, how, coin, hands, tables, sight, own)
        if chance > coin:
            break
        if chance > near:
            near = chance
            best[:] = hands
        if t == tries - 1:
            hands[:] = best
    tables[WORLD].serial += 1
    give_hands(view, tables[WORLD], hands, own, number)
    for seat in range(view.n_players):
        tables[WORLD].hands[seat] = hands[seat]
    return True


@jit
def weigh_keeping(view: Any, how: Any, own: Any, draws: Any) -> Any:
    """Write how much its draw speaks for a hand of the other seat, by its cards that are worth keeping.

    That seat is taken to keep a first card that is worth keeping, and no other. Then of each turn, of a card
    that it has and one that it discarded, some orders explain whether it kept the first one: both worth
    keeping, it did; neither, it did not; otherwise it has the one that is worth keeping, and either may be.
    All ways to pair the cards are counted. Each turn too many or too few costs the factor `how[DRAWS]`. All
    are 0 where nothing is drawn, or what was kept tells something else.

    Parameters
    ----------
    view : the view of a seat
    how : float64 array of 4
    own : int64 array of 4, as `lay_out_worlds` left it
    draws : float64 array of `N_KEPT` + 1, written
    """
    draws[:] = 0.0
    other = 1 - view.seat
    if how[DRAWS] >= 1.0 or view.rules.deal != DEAL_DRAW or view.n_drawn < 2 * N_KEPT:
        return
    if view.blind[other] == 1 or view.n_exchanged.sum() > 0:
        return
    n_kept = popcount(view.kept[other])
    cards = unseen_cards(view) | own[other]
    n_cards, n_good = popcount(cards), popcount(cards & WORTH_KEEPING)
    for n_own in range(N_KEPT + 1):
        rest = n_good - n_own  # worth keeping, among the cards that it has not
        for dead in range(min(rest, n_own) + 1):  # of these, discarded by it
            n_dead_bad = N_KEPT - dead
            if n_dead_bad <= n_cards - N_KEPT - rest and n_own <= n_good:
                kept = min(max(n_kept, dead), n_own)
                ways = 1.0 * BINOMIALS[rest, dead] * BINOMIALS[n_cards - N_KEPT - rest, n_dead_bad]
                ways *= BINOMIALS[n_own - dead, kept - dead]
                for k in range(dead):
                    ways *= n_own - k
                for k in range(n_dead_bad):
                    ways *= k + 1
                for _ in range(abs(n_kept - kept)):
                    ways *= how[DRAWS]
                draws[n_own] += ways


@jit
def deal_as_drawn(view: Any, unseen: Any, number: Any, own: Any, draws: Any, hands: Any) -> Any:
    """Deal the other seat of a draw table its cards as likely as its draw says; False where it says nothing.

    Parameters
    ----------
    view : the view of a seat
    unseen : mask of the cards that it has not seen
    number : int, 0 or more; the same number gives the same deal
    own, draws : as `lay_out_worlds` and `weigh_keeping` left them
    hands : int64 array of 4, written
    """
    other = 1 - view.seat
    allowed = unseen
    for suit in range(4):
        if (view.voids[other] >> suit) & 1:
            allowed &= ~suit_mask(suit)
    good, bad = allowed & WORTH_KEEPING, allowed & ~WORTH_KEEPING
    n_good, n_bad, size = popcount(good), popcount(bad), cards_left(view, other)
    n_had = popcount(own[other] & WORTH_KEEPING)
    weights = np.zeros(N_KEPT + 1)
    for j in range(min(n_good, size, N_KEPT - n_had) + 1):
        if size - j <= n_bad:
            weights[j] = draws[n_had + j] * BINOMIALS[n_good, j] * BINOMIALS[n_bad, size - j]
    if weights.sum() <= 0.0:
        return False
    drawn = keyed_uniform(view.rng_key, number, REDEAL) * weights.sum()
    j = 0
    while j < N_KEPT and (drawn >= weights[j] or weights[j] == 0.0) and weights[j + 1 :].sum() > 0.0:
        drawn -= weights[j]
        j += 1
    for seat in range(4):
        hands[seat] = 0
    hands[view.seat] = view.hand
    pick(good, j, view.rng_key, number, 1, other, hands)
    pick(bad, size - j, view.rng_key, number, 2, other, hands)
    hands[UNDEALT] = unseen & ~hands[other]
    return True


@jit
def give_hands(view: Any, table: Any, hands: Any, own: Any, number: Any) -> Any:
    """Deal hands, with what has been played from them, to a table before its first bid."""
    for seat in range(view.n_players):
        table.dealt[seat] = hands[seat] | own[seat]
        table.hands[seat] = table.dealt[seat]
        place = (seat - view.seat) % view.n_players
        table.rng_keys[seat] = view.rng_key ^ ((4 * number + place + 2) * KEY_STEP)
    if view.rules.deal == DEAL_DRAW:
        table.discards[view.seat] = view.discards
        table.given[view.seat] = view.given
        table.discards[1 - view.seat] = hands[UNDEALT] & ~view.discards


@jit
def likelihood(
    view: Any, handle: Any, how: Any, coin: Any, hands: Any, tables: Any, sight: Any, own: Any
) -> Any:
    """How well hands explain what the other seats did, 0 to 1; what is known once it is below `coin`."""
    auction = tables[AUCTION]
    open_auction(view, auction)
    auction.serial += 1 if how[CARDS] < 1.0 else 0  # of the sight only the history goes stale
    give_hands(view, auction, hands, own, 0)
    chance = 1.0
    for _ in range(n_made(view)):
        seat = auction.turn
        auction.legal = legal_bids(auction)
        if seat != view.seat and auction.legal & (auction.legal - 1) and how[BIDS] < 1.0:
            bid = choice_of(handle, auction, sight)
            for _ in range(steps_between(bid, view.bids[seat])):
                chance *= how[BIDS]
            if chance <= coin:
                return chance
        apply_bid(auction, view.bids[seat])
    if how[CARDS] >= 1.0:
        return chance
    for k in range(view.n_history):
        card, seat = view.history[k], auction.turn
        auction.legal = legal_cards(auction.rules, auction.hands[seat], auction.led_suit, auction.broken)
        if auction.legal & (auction.legal - 1) and seat != view.seat:
            if not are_equals(card, choice_of(handle, auction, sight), auction):
                chance *= how[CARDS]
            if chance <= coin:
                return chance
        apply_card(auction, card)
    return chance


@jit
def open_auction(view: Any, auction: Any) -> Any:
    """Take a table back to before its first bid."""
    auction.phase = BIDDING
    auction.turn = auction.leader = auction.leaders[0] = view.first_bidder
    auction.n_bids = auction.trick_no = auction.broken = auction.played = auction.n_history = 0
    clear_trick(auction)
    for seat in range(4):
        auction.bids[seat] = NOT_YET
        auction.tricks[seat] = auction.voids[seat] = 0


@jit
def steps_between(bid: Any, other: Any) -> Any:
    """How far two bids are apart, in tricks."""
    return abs(bid - other) + (NIL_STEPS if (bid == 0) != (other == 0) else 0)


@jit
def are_equals(card: Any, other: Any, table: Any) -> Any:
    """Whether the cards between two of the seat in turn, of one suit, are its own or gone."""
    if suit_of(card) != suit_of(other):
        return False
    low, high = min(card, other), max(card, other)
    between = ((np.int64(1) << high) - 1) & ~((np.int64(2) << low) - 1)
    gone = table.played
    for seat in range(table.n_players):
        if table.trick[seat] != NOT_YET:
            gone &= ~(np.int64(1) << table.trick[seat])
    return between & ~(gone | table.hands[table.turn]) == 0
