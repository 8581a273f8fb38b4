"""All words of the language, what each asks for, and what stands in its brackets.

>>> sorted(WORDS)[:3], WORDS["void"].takes
(['aces', 'bags', 'bid'], 'suit?')
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from spadesim.expressions import cards, rows
from spadesim.expressions.asked import Asked
from spadesim.expressions.possible import SUITS
from spadesim.expressions.terms import Term

SEAT, MAYBE_SUIT, SUIT, CARDS, TRICK, NOTHING = "", "suit?", "suit", "cards", "trick", "nothing"


class Word(NamedTuple):
    """A word.

    Parameters
    ----------
    summary : str
    takes : str
        What its brackets hold behind a seat, which may be left out where it is ``me``: nothing (`SEAT`), a
        suit or none, a suit, cards, a trick; or `NOTHING`: the word has no brackets.
    build : function of an Asked
    """

    summary: str
    takes: str
    build: Callable[[Asked], Term]


def _suit(suit: str) -> Word:
    return Word(f"cards in {suit}", SEAT, partial(cards.length, suit=suit))


def _counted(name: str, summary: str, takes: str = SEAT) -> Word:
    return Word(summary, takes, partial(cards.counted, name=name))


def _short(name: str, summary: str) -> Word:
    return Word(f"{summary} the suit, or in any", MAYBE_SUIT, partial(cards.short, name=name))


def _quantity(name: str) -> Word:
    summary = rows.QUANTITIES[name].summary
    return Word(summary, SEAT, partial(rows.quantity, name=name))


def _nil(summary: str, is_made: bool | None) -> Word:
    return Word(summary, SEAT, partial(rows.nil, is_made=is_made))


def _of_hand(name: str) -> Word:
    summary, low, high = rows.OF_HAND[name]
    return Word(summary, NOTHING, partial(rows.of_hand, name=name, low=low, high=high))


def _seat_of_hand(name: str, summary: str) -> Word:
    return Word(summary, NOTHING, lambda asked: rows.of_hand(asked, name, 0, asked.known.n_seats - 1))


def _place(summary: str, at: Callable[[int], int]) -> Word:
    return Word(summary, SEAT, lambda asked: rows.has_place(asked, at(asked.known.n_seats)))


CARD_WORDS = {
    **{suit: _suit(suit) for suit in reversed(SUITS)},
    "void": _short("void", "no card in"),
    "singleton": _short("singleton", "one card in"),
    "doubleton": _short("doubleton", "two cards in"),
    "longest": Word("cards in the longest suit", SEAT, partial(cards.extreme_suit, is_longest=True)),
    "shortest": Word("cards in the shortest suit", SEAT, partial(cards.extreme_suit, is_longest=False)),
    "high_cards": _counted("high_cards", "jacks, queens, kings and aces, of the suit or of all", MAYBE_SUIT),
    **{name: _counted(name, f"{name} held") for name in ("aces", "kings", "queens", "jacks")},
    "hcp": Word("ace 4, king 3, queen 2, jack 1, of the suit or of all", MAYBE_SUIT, cards.honour_points),
    "highest": Word(
        "rank of the highest card of the suit, 2 to 14, 0 for none",
        SUIT,
        partial(cards.extreme_rank, is_highest=True),
    ),
    "lowest": Word(
        "rank of the lowest card of the suit, likewise", SUIT, partial(cards.extreme_rank, is_highest=False)
    ),
    "has": Word("whether all of these cards are held", CARDS, cards.held),
    "holds": Word(
        "how many of these cards are held",
        CARDS,
        lambda asked: cards.number_of(asked, f"holds {asked.cards:x}", asked.cards),
    ),
}
TABLE_WORDS = {
    "place": Word("place in the bidding, 0 first", SEAT, rows.place),
    "first": _place("bids first, and leads to the first trick", lambda n: 0),
    "last": _place("bids last", lambda n: n - 1),
    "seat": Word(
        "the seat itself, to be compared with n, e, s, w",
        NOTHING,
        rows.seat_number,
    ),
    "dealer": _seat_of_hand("dealer", "the seat that deals"),
    "first_bidder": _seat_of_hand("first_bidder", "the seat that bids first"),
}
ROW_WORDS = {
    **{name: _quantity(name) for name in rows.QUANTITIES},
    "nil": _nil("bid nil", None),
    "nil_made": _nil("bid nil and won no trick", True),
    "nil_set": _nil("bid nil and won a trick", False),
    "made": Word("the side made its contract", SEAT, rows.made),
    "set": Word("the side did not make its contract", SEAT, partial(rows.flag, name="is_set")),
    **{name: Word(summary, SEAT, partial(rows.flag, name=name)) for name, summary in rows.FLAGS.items()},
    "won": Word(
        "won this trick, 1 to 13",
        TRICK,
        rows.won_trick,
    ),
    **{
        name: Word(summary, SEAT, partial(rows.mask_count, name=name)) for name, summary in rows.MASKS.items()
    },
    "side": Word('"a" or "b", the side of the duel', NOTHING, rows.side),
    "bot": Word("the bot, as the run names it", NOTHING, rows.bot),
    **{name: _of_hand(name) for name in rows.OF_HAND},
}
SHORT = {"high": "high_cards"}
ALIASES = {
    "partner_bid": ("bid", "partner"),
    "partner_tricks": ("tricks", "partner"),
    "opponents_score": ("score", "opponents"),
}
WORDS = CARD_WORDS | TABLE_WORDS | ROW_WORDS
RANKS = {"ten": 10, "jack": 11, "queen": 12, "king": 13, "ace": 14}
