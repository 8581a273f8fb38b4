"""What a hand is worth by the chance of each card to win a trick: shared by pata_normal and pata_hard.

A bot puts `CHANCES` first in its table, so that these numbers have the same places in the `p` of every bot:
``PARAMETERS = parameters(*CHANCES, ...)``.
"""

from dataclasses import replace
from math import comb

import numpy as np

from spadesim.core.cards import (
    ACE,
    KING,
    QUEEN,
    SPADES,
    SPADES_MASK,
    SUIT_RANKS,
    highest,
    lowest,
    popcount,
    rank_of,
    suit_mask,
)
from spadesim.strategies._valuation import count, named_rank
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import RANK_NAMED_2, SPADE_ACE

WHOLE = 100  # a trick in percent
NEVER = 10**6
SPADE_QUEEN = SPADE_ACE - 2


def percent(name, default, meaning):
    """A parameter in percent, 0 to 200."""
    return Parameter(name, default, low=0, high=200, used_by="bid", meaning=f"percent {meaning}")


def chance_of_rounds(n_own, n_rounds):
    """Percent of deals in which both opponents follow a side suit `n_rounds` times, `n_own` cards being held.

    The exact share of deals, for the table "chance that a side honour wins" of Cohensius, Meir, Oved and
    Stern (Bidding in Spades, 2020): an ace wins the first round, a king the second, a queen the third.
    """
    out = 13 - n_own
    good = sum(
        comb(out, a) * comb(39 - out, 13 - a) * comb(out - a, b) * comb(26 - out + a, 13 - b)
        for a in range(n_rounds, out + 1)
        for b in range(n_rounds, out - a + 1)
    )
    return round(100 * good / (comb(39, 13) * comb(26, 13)))


# Rows: an ace, a king, a queen. Columns: cards held in its suit.
CHANCE = np.array([[chance_of_rounds(n, k) for n in range(14)] for k in (1, 2, 3)], dtype=np.int64)

CHANCES = (
    percent("ace", 100, "of its chance that a side ace counts"),
    percent("king", 100, "of its chance that a guarded side king counts"),
    percent("queen", 60, "of its chance that a side queen with two more cards counts"),
    percent("king_alone", 25, "of a trick for a side king alone"),
    percent(
        "spade_guarded", 100, "of a trick for a spade from the jack up with enough lower ones to guard it"
    ),
    percent("spade_half_guarded", 50, "of a trick for one with one lower spade too few"),
    percent("spade_long", 80, "of a trick for each other spade from `long_from` on"),
    count("long_from", 4, 1, 13, "bid", "place from the top from which a low spade is a long one"),
    percent("void", 70, "of a trick for each of two spare spades with a void"),
    percent("singleton", 50, "of a trick for a spare spade with a singleton"),
    percent("rounding", 20, "of a trick added before the sum is rounded down"),
    count("nil_spades", 3, 0, 13, "bid", "most spades for a nil"),
    named_rank("nil_spade", 9, "bid", "highest spade that is no risk to a nil"),
    named_rank(
        "nil_low", 6, "bid", "highest rank of the lowest card of a side suit that is no risk to a nil"
    ),
    count("nil_step", 3, 0, 12, "bid", "ranks that the second and third lowest cards may be higher each"),
    count("nil_risk", 0, 0, 60, "bid", "most ranks that cards may be too high for a nil, taken together"),
)
P = parameters(*CHANCES).index


def with_defaults(table, **defaults):
    """A table of parameters in which some have other defaults."""
    return tuple(replace(entry, default=defaults.get(entry.name, entry.default)) for entry in table)


# The hand


@jit
def worth(hand, p):
    """Percent of a trick that a hand can expect."""
    percents, spare = spades_worth(hand, p)
    for suit in range(SPADES):
        ranks = (hand >> (13 * suit)) & SUIT_RANKS
        length = popcount(ranks)
        percents += honours_worth(ranks, length, p)
        if length < 2:
            ruffs = min(spare, 2 - length)
            spare -= ruffs
            percents += ruffs * int(p[P.SINGLETON] if length else p[P.VOID])
    return percents


@jit
def honours_worth(ranks, length, p):
    """Percent of a trick that ace, king and queen of a side suit promise."""
    percents = 0
    if (ranks >> ACE) & 1:
        percents += CHANCE[0, length] * int(p[P.ACE]) // WHOLE
    if (ranks >> KING) & 1:
        percents += CHANCE[1, length] * int(p[P.KING]) // WHOLE if length > 1 else int(p[P.KING_ALONE])
    if (ranks >> QUEEN) & 1 and length > 2:
        percents += CHANCE[2, length] * int(p[P.QUEEN]) // WHOLE
    return percents


@jit
def spades_worth(hand, p):
    """Percent of a trick that the spades promise by rank and length, and how many are left for ruffs."""
    percents = 0
    spare = 0
    place = 0
    spades = hand & SPADES_MASK
    lower = popcount(spades)
    while spades:
        card = highest(spades)
        spades ^= 1 << card
        place += 1
        lower -= 1
        missing = SPADE_ACE - card - place + 1
        if missing <= 3 and lower >= missing:
            percents += int(p[P.SPADE_GUARDED])
        elif missing <= 3 and lower == missing - 1:
            percents += int(p[P.SPADE_HALF_GUARDED])
        elif place >= int(p[P.LONG_FROM]):
            percents += int(p[P.SPADE_LONG])
        else:
            spare += 1
    return percents, spare


@jit
def whole_tricks(percents, p):
    """Percents as a bid, 1 at least."""
    return max(1, (percents + int(p[P.ROUNDING])) // WHOLE)


@jit
def may_bid_nil(view):
    """Whether there are nils, and the partner has bid none."""
    is_after_partners = view.partner >= 0 and view.bids[view.partner] == 0
    return view.legal & 1 and view.rules.nil_allowed and not is_after_partners


@jit
def nil_risk(hand, p):
    """How many ranks the cards of a hand are too high for a nil; `NEVER` with a sure trick.

    The lowest card of each side suit may be as high as `nil_low`, the two above it higher by `nil_step` each,
    each spade as high as `nil_spade`.
    """
    spades = hand & SPADES_MASK
    if highest(spades) >= SPADE_QUEEN or popcount(spades) > int(p[P.NIL_SPADES]):
        return NEVER
    risk = 0
    while spades:
        risk += max(0, rank_of(lowest(spades)) + RANK_NAMED_2 - int(p[P.NIL_SPADE]))
        spades &= spades - 1
    for suit in range(SPADES):
        if has_bare_ace(hand & suit_mask(suit)):
            return NEVER
        ranks = (hand >> (13 * suit)) & SUIT_RANKS
        limit = int(p[P.NIL_LOW]) - RANK_NAMED_2
        for _ in range(3):
            if ranks:
                risk += max(0, lowest(ranks) - limit)
                ranks &= ranks - 1
                limit += int(p[P.NIL_STEP])
    return risk


@jit
def has_bare_ace(cards):
    """Whether cards of one suit have the ace and nothing below a ten."""
    return cards != 0 and rank_of(highest(cards)) == ACE and rank_of(lowest(cards)) + RANK_NAMED_2 >= 10
