"""What one seat may know: the record that every strategy reads, and its compiled signature.

A strategy is two functions, ``bid(view, p)`` and ``play(view, p)``, each returning an int; where something is
decided before the bidding, a table asks ``keep``, ``blind`` and ``exchange`` of it as well. `view` holds the
seat's own cards and everything that has happened face up; the other hands, the seed and the board's number
are not in it. `p` is the strategy's parameters, one float64 each.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from spadesim.core._jit import jit, jit_within
from spadesim.core.cards import N_CARD_BITS, popcount
from spadesim.core.rng import keyed_below, keyed_uniform
from spadesim.core.rules import RULES

BIDDING, PLAYING, KEEPING, DECLARING, EXCHANGING, HAND_OVER = range(6)
PASS_UP, KEEP = range(2)  # answers of `keep`: the next card of the stock, or the one looked at
NOT_YET = -1  # a bid not made, a card not played, a seat or suit that there is not

MAX_TRICKS = 26
MAX_CHOICE = 62  # the highest bit of a mask of choices

# The public part, which is the same for everybody at the table: a position carries it too. `TABLE` is what
# changes with every card, kept in one piece so that a view is brought up to date by one copy.
TABLE = [
    ("phase", np.int64),  # BIDDING, PLAYING and so on
    ("trick_no", np.int64),  # tricks finished, 0 in the first
    ("leader", np.int64),  # seat that led, or leads, this trick
    ("n_in_trick", np.int64),  # cards in this trick
    ("led_suit", np.int64),  # 0-3, NOT_YET before the lead
    ("best_card", np.int64),  # the card that is winning this trick
    ("best_seat", np.int64),  # and who played it
    ("broken", np.int64),  # 1 once spades may be led
    ("played", np.int64),  # every card played in this hand, as a mask
    ("n_history", np.int64),  # how many that are
    ("trick", np.int64, (4,)),  # this trick's cards by seat
    ("bids", np.int64, (4,)),  # by seat
    ("tricks", np.int64, (4,)),  # won in this hand, by seat
    ("voids", np.int64, (4,)),  # by seat, bit s set when the seat has failed to follow suit s
]
# What everybody knows of the decisions before the bidding; nothing of it at tables that have none.
PRELUDE = [
    ("n_drawn", np.int64),  # turns of the draw finished by both players, 0-26
    ("kept", np.int64, (4,)),  # by seat, bit t set when it kept the first card in its own turn t
    (
        "blind",
        np.int64,
        (4,),
    ),  # by seat, 1 for a nil declared unseen, 0 for none, NOT_YET before it was asked
    ("n_exchanged", np.int64, (4,)),  # cards exchanged, by seat
]
HAND = [
    ("n_players", np.int64),
    ("hand_no", np.int64),  # 0 in a game's first hand
    ("dealer", np.int64),
    ("first_bidder", np.int64),  # bids first and leads first
    ("scores", np.int64, (4,)),  # before this hand, by side
    ("bags", np.int64, (4,)),  # before this hand, by side
    ("history", np.int64, (N_CARD_BITS,)),  # cards in the order played
    ("leaders", np.int64, (MAX_TRICKS,)),  # by trick, this one included
    ("winners", np.int64, (MAX_TRICKS,)),  # by finished trick
    ("rules", RULES),
    *PRELUDE,
]


VIEW = np.dtype((np.record, [
    ("seat", np.int64),
    ("side", np.int64),
    ("partner", np.int64),  # seat, NOT_YET where everybody plays alone
    ("hand", np.int64),  # own cards left, as a mask
    ("legal", np.int64),  # cards (or bit b for bid or answer b) to choose from, as a mask
    ("rng_key", np.int64),  # for `uniform`
    ("offered", np.int64),  # the card of the stock to keep or to pass up, NOT_YET but in `keep`
    ("given", np.int64),  # cards that the seat gave in an exchange, as a mask
    ("discards", np.int64),  # cards that the seat saw discarded, and has not drawn back, as a mask
    ("serial", np.int64),  # which hand the rest was filled from; 0 before a bot
    ("n_seen", np.int64),  # how much of the history is in
    ("n_tricks_seen", np.int64),
    ("n_choices_seen", np.int64),  # of those before the bidding
    *HAND,
    *TABLE,
]))  # fmt: skip

VIEW_TYPE = numba.from_dtype(VIEW)
PARAMETERS_TYPE = types.Array(types.float64, 1, "C")
STRATEGY_SIGNATURE = types.int64(VIEW_TYPE, PARAMETERS_TYPE)


def new_view() -> Any:
    """An empty view; `position.fill_view` fills it."""
    return np.zeros(1, dtype=VIEW)[0]


@jit
def uniform(view: Any, k: int) -> float:
    """A random number in [0, 1) for this decision.

    Parameters
    ----------
    view : the seat's view
    k : int, 0 or more, numbered by the bot within one decision; the same `k` gives the same number
    """
    return keyed_uniform(view.rng_key, k, moment(view))


@jit
def uniform_below(view: Any, k: int, n: int) -> int:
    """A random int in 0..n-1 for this decision, numbered like `uniform` and drawn from the same word."""
    return keyed_below(view.rng_key, k, moment(view), n)


@jit
def moment(view: Any) -> int:
    """Which decision of the hand this is, 0-1023, told apart by phase, trick and turn of the draw."""
    return int(view.phase * 64 + view.trick_no + view.n_drawn)


@jit_within
def is_legal(view: Any, choice: Any) -> Any:
    """Whether the seat in turn may answer this, by the `legal` of its view, or of the position itself.

    In an exchange the answer is a mask of cards, everywhere else one bit of `legal`.
    """
    if view.phase == EXCHANGING:
        is_held = choice >= 0 and choice & ~view.legal == 0
        return is_held and popcount(choice) <= view.rules.blind_nil_exchange
    return 0 <= choice <= MAX_CHOICE and (view.legal >> choice) & 1 == 1


@jit
def cards_out(view: Any) -> int:
    """The cards that another seat may hold, as a mask.

    These are the unseen ones, and once another seat has exchanged cards with the discards, also those that
    this seat has seen there (and that have not been played since).
    """
    return unseen_cards(view) | drawn_back(view)


@jit
def drawn_back(view: Any) -> int:
    """The seen discards that another seat may have drawn in its exchange, as a mask."""
    if view.n_exchanged.sum() == view.n_exchanged[view.seat]:
        return 0
    is_first = view.seat == view.first_bidder  # to exchange, so that its own cards lay there for the others
    return view.discards & ~view.played & (-1 if is_first else ~view.given)


@jit
def unseen_cards(view: Any) -> int:
    """The cards that the seat has not seen, as a mask: not in its hand, not played, discarded or offered."""
    unseen = view.rules.deck & ~view.hand & ~view.played & ~view.discards
    return unseen if view.offered < 0 else unseen & ~(1 << view.offered)
