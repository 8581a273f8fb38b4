"""What a hand is worth in quarter tricks, and what the bids of others change: shared by medium and hard.

A bot puts `VALUATION` first in its table, so that these numbers have the same places in the `p` of every bot:
``PARAMETERS = parameters(*VALUATION, ...)``. Numbers that bots set differently come as arguments.
"""

from dataclasses import replace

from spadesim.core.cards import (
    ACE,
    KING,
    QUEEN,
    SPADES,
    SPADES_MASK,
    SUIT_RANKS,
    highest,
    popcount,
    rank_of,
    suit_mask,
)
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import RANK_NAMED_2, SPADE_ACE

# Kinds of parameters


def quarter_tricks(name, default, meaning):
    """A parameter in quarter tricks, 0 to 8."""
    return Parameter(name, default, low=0, high=8, used_by="bid", meaning=f"quarter tricks {meaning}")


def named_rank(name, default, used_by, meaning):
    """A parameter that is a rank by its name, 2 to 14 for the ace; 15 is above every rank."""
    return Parameter(
        name, default, low=2, high=15, used_by=used_by,
        meaning=f"{meaning}; jack 11, queen 12, king 13, ace 14",
    )  # fmt: skip


def count(name, default, low, high, used_by, meaning):
    """A parameter that counts cards or tricks."""
    return Parameter(name, default, low=low, high=high, used_by=used_by, meaning=meaning)


def switch(name, used_by, meaning):
    """A parameter that is `ON` unless it is switched off."""
    return Parameter(name, "on", choices=("on", "off"), used_by=used_by, meaning=meaning)


ON = 0  # a switch's place of "on"

VALUATION = (
    named_rank("spade_honour", 10, "bid", "lowest spade that is counted by the lower spades that guard it"),
    quarter_tricks(
        "spade_guarded", 4, "for a spade honour with as many lower spades as higher ones are missing"
    ),
    quarter_tricks("spade_half_guarded", 2, "for one with one lower spade too few"),
    quarter_tricks("spade_long", 3, "for each other spade from `long_from` on"),
    count("long_from", 4, 1, 13, "bid", "place from the top from which a low spade is a long one"),
    quarter_tricks("ace", 4, "for a side ace in a suit of up to `ace_length` cards"),
    count("ace_length", 5, 1, 13, "bid", "longest suit in which an ace counts in full"),
    quarter_tricks("ace_fade", 1, "less for each card above `ace_length`"),
    quarter_tricks("ace_least", 2, "for an ace at least"),
    quarter_tricks("king", 3, "for a side king in a suit of 2 to `king_length` cards"),
    count("king_length", 4, 1, 13, "bid", "longest suit in which a king counts in full"),
    quarter_tricks("king_fade", 1, "less for each card above `king_length`"),
    quarter_tricks("king_least", 1, "for a king at least, and for a king alone"),
    quarter_tricks(
        "king_backed", 1, "more when ace or queen stands beside the king (up to `king_length` cards)"
    ),
    quarter_tricks("queen", 1, "for a side queen in a suit of `queen_from` to `queen_to` cards"),
    count("queen_from", 3, 1, 13, "bid", "shortest suit in which a queen counts"),
    count("queen_to", 4, 1, 13, "bid", "longest suit in which a queen counts"),
    quarter_tricks("queen_backed", 1, "more when ace or king stands beside the queen"),
    quarter_tricks("void_ruff", 3, "for a spare spade with a side suit that is void"),
    count("void_ruffs", 2, 0, 13, "bid", "spare spades that count for one void"),
    quarter_tricks("singleton_ruff", 2, "for a spare spade with a side suit of one card"),
)
P = parameters(*VALUATION).index


def with_defaults(table, **defaults):
    """The parameters of `table` in their order, those named in `defaults` with another default."""
    return tuple(replace(one, default=defaults.get(one.name, one.default)) for one in table)


# The hand


@jit
def estimate(hand, p):
    """Quarter tricks that a hand can expect."""
    quarters, spare = value_spades(hand, p)
    return quarters + value_sides(hand, p) + value_ruffs(hand, spare, p)


@jit
def value_spades(hand, p):
    """The quarter tricks of the spades, and how many spades are left for ruffs."""
    quarters = 0
    spare = 0
    place = 0
    spades = hand & SPADES_MASK
    cover = popcount(spades)
    while spades:
        card = highest(spades)
        spades ^= 1 << card
        place += 1
        cover -= 1
        gaps = SPADE_ACE - card - place + 1
        is_honour = rank_of(card) >= int(p[P.SPADE_HONOUR]) - RANK_NAMED_2
        if is_honour and cover >= gaps:
            quarters += int(p[P.SPADE_GUARDED])
        elif is_honour and cover == gaps - 1:
            quarters += int(p[P.SPADE_HALF_GUARDED])
        elif place >= int(p[P.LONG_FROM]):
            quarters += int(p[P.SPADE_LONG])
        else:
            spare += 1
    return quarters, spare


@jit
def value_sides(hand, p):
    """The quarter tricks of the aces, kings and queens of the side suits."""
    quarters = 0
    for suit in range(SPADES):
        ranks = (hand >> (13 * suit)) & SUIT_RANKS
        length = popcount(ranks)
        ace = (ranks >> ACE) & 1
        king = (ranks >> KING) & 1
        queen = (ranks >> QUEEN) & 1
        if ace:
            fade = int(p[P.ACE_FADE]) * max(0, length - int(p[P.ACE_LENGTH]))
            quarters += max(int(p[P.ACE_LEAST]), int(p[P.ACE]) - fade)
        if king:
            quarters += value_king(length, ace | queen, p)
        if queen and int(p[P.QUEEN_FROM]) <= length <= int(p[P.QUEEN_TO]):
            quarters += int(p[P.QUEEN]) + (int(p[P.QUEEN_BACKED]) if ace | king else 0)
    return quarters


@jit
def value_king(length, is_backed, p):
    """The quarter tricks of a side king."""
    if length == 1:
        return int(p[P.KING_LEAST])
    over = length - int(p[P.KING_LENGTH])
    if over > 0:
        return max(int(p[P.KING_LEAST]), int(p[P.KING]) - over * int(p[P.KING_FADE]))
    return int(p[P.KING]) + (int(p[P.KING_BACKED]) if is_backed else 0)


@jit
def value_ruffs(hand, spare, p):
    """The quarter tricks of ruffing short side suits with spare spades, voids first."""
    quarters = 0
    n_singletons = 0
    for suit in range(SPADES):
        length = popcount(hand & suit_mask(suit))
        if length == 0:
            ruffs = min(spare, int(p[P.VOID_RUFFS]))
            spare -= ruffs
            quarters += ruffs * int(p[P.VOID_RUFF])
        elif length == 1:
            n_singletons += 1
    return quarters + min(n_singletons, spare) * int(p[P.SINGLETON_RUFF])


# The other bids


@jit
def after_nils(view, partner_nil, opponent_nil):
    """What nils change: `partner_nil` less after the partner's, `opponent_nil` more after an opponent's."""
    change = 0
    is_attacked = False
    for seat in range(view.n_players):
        if view.bids[seat] == 0:
            if seat == view.partner:
                change -= partner_nil
            elif not is_attacked:
                change += opponent_nil
                is_attacked = True
    return change


@jit
def as_last(view, tricks, high, low, step):
    """The tricks that the last to bid should bid in view of the table's total; the same with a nil about.

    Parameters
    ----------
    view : the seat's view while bidding
    tricks : int, 1 or more, what the hand is good for
    high, low : int, a total above `high` is too much, one up to `low` too little
    step : int, tricks by which the bid then moves, though never below 1
    """
    total = tricks
    n_bids = 0
    for seat in range(view.n_players):
        if view.bids[seat] == 0:
            return tricks
        if view.bids[seat] > 0:
            n_bids += 1
            total += view.bids[seat]
    if n_bids == view.n_players - 1:
        if total > high:
            return max(1, tricks - step)
        if total <= low:
            return tricks + step
    return tricks
