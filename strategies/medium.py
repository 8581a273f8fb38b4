"""Bids by honours, length and the other bids; covers, breaks and sets; remembers no card.

Bids: adds up quarter tricks for spade honours by the cards that guard them, for long spades, for side aces,
kings and queens by length, and for ruffs; rounds; then a trick down after its partner's nil, up against an
opponent's, and as the last to bid it pulls a table total above 13 down and one of 9 or less up. Bids nil with
low cards in every suit and few, low spades.
Plays: the first that applies: duck for its own nil, cover its partner's, stay under an opponent's nil, take
tricks while its side needs them, take while the opponents need every trick left, else duck. It sees its hand,
this trick, the bids and the tricks won, but remembers no card of earlier tricks.
Origin: the medium level of Finnish app rules (Patalupaus), which counts more chances than easy and heeds the
other bids, and the normal level of a public engine specification (Pata); the numbers are this project's own.
Weakness: only an ace is certain for it, so it wastes high cards late in a hand; it counts no trumps, leads
without a plan, and never looks at the score.
"""

from spadesim.core.cards import (
    ACE,
    KING,
    QUEEN,
    SPADES,
    SPADES_MASK,
    highest,
    lowest,
    popcount,
    rank_of,
    suit_mask,
)
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import (
    NONE,
    ONE_SUIT_MASK,
    RANK_NAMED_2,
    SPADE_ACE,
    can_set,
    cover,
    duck,
    lowest_card,
    nearest_bid,
    needed,
    nil_stands,
    opponent_nil_stands,
    partner_nil_stands,
    stay_under_nil,
    take,
    tricks_left,
    unseen_on_table,
)


def _quarters(name, default, meaning):
    return Parameter(name, default, low=0, high=8, used_by="bid", meaning=f"quarter tricks {meaning}")


def _rank(name, default, used_by, meaning):
    return Parameter(
        name, default, low=2, high=15, used_by=used_by,
        meaning=f"{meaning}; jack 11, queen 12, king 13, ace 14",
    )  # fmt: skip


def _count(name, default, low, high, used_by, meaning):
    return Parameter(name, default, low=low, high=high, used_by=used_by, meaning=meaning)


PARAMETERS = parameters(
    _rank("spade_honour", 10, "bid", "lowest spade that is counted by the lower spades that guard it"),
    _quarters("spade_guarded", 4, "for a spade honour with as many lower spades as higher ones are missing"),
    _quarters("spade_half_guarded", 2, "for one with one lower spade too few"),
    _quarters("spade_long", 3, "for each other spade from `long_from` on"),
    _count("long_from", 4, 1, 13, "bid", "place from the top from which a low spade is a long one"),
    _quarters("ace", 4, "for a side ace in a suit of up to `ace_length` cards"),
    _count("ace_length", 5, 1, 13, "bid", "longest suit in which an ace counts in full"),
    _quarters("ace_fade", 1, "less for each card above `ace_length`"),
    _quarters("ace_least", 2, "for an ace at least"),
    _quarters("king", 3, "for a side king in a suit of 2 to `king_length` cards"),
    _count("king_length", 4, 1, 13, "bid", "longest suit in which a king counts in full"),
    _quarters("king_fade", 1, "less for each card above `king_length`"),
    _quarters("king_least", 1, "for a king at least, and for a king alone"),
    _quarters("king_backed", 1, "more when ace or queen stands beside the king (up to `king_length` cards)"),
    _quarters("queen", 1, "for a side queen in a suit of `queen_from` to `queen_to` cards"),
    _count("queen_from", 3, 1, 13, "bid", "shortest suit in which a queen counts"),
    _count("queen_to", 4, 1, 13, "bid", "longest suit in which a queen counts"),
    _quarters("queen_backed", 1, "more when ace or king stands beside the queen"),
    _quarters("void_ruff", 3, "for a spare spade with a side suit that is void"),
    _count("void_ruffs", 2, 0, 13, "bid", "spare spades that count for one void"),
    _quarters("singleton_ruff", 2, "for a spare spade with a side suit of one card"),
    _quarters("rounding", 1, "added before the sum is rounded down to whole tricks"),
    _count("partner_nil", 1, 0, 3, "bid", "tricks down after the partner's nil"),
    _count("opponent_nil", 1, 0, 3, "bid", "tricks up after an opponent's nil"),
    _count("table_high", 13, 0, 26, "bid", "highest total of bids that the last to bid leaves alone"),
    _count("table_low", 9, 0, 26, "bid", "highest total of bids that the last to bid pulls up"),
    _count("table_step", 1, 0, 3, "bid", "tricks by which the last to bid moves"),
    _count("nil_spades", 3, 0, 13, "bid", "most spades for a nil"),
    _rank("nil_top_spade", 11, "bid", "highest spade for a nil"),
    _rank("nil_second_spade", 8, "bid", "highest spade beside one of `nil_top_spade`"),
    _rank("nil_first", 6, "bid", "highest rank for a nil of the lowest card of a side suit"),
    _rank("nil_second", 9, "bid", "highest rank for a nil of the second lowest card of a side suit"),
    _rank("nil_third", 12, "bid", "highest rank for a nil of the third lowest card of a side suit"),
    _count("nil_estimate", 6, 0, 52, "bid", "most quarter tricks for a nil"),
    _rank("third_seat", 11, "play", "lowest card with which the third hand takes an opponent's trick"),
    _rank("keep_from", 12, "play", "lowest card that is kept when a low card is led"),
    _count("danger", 1, 0, 13, "play", "tricks to spare at which the own contract comes before a nil"),
    _count("set_slack", 0, 0, 13, "play", "most tricks to spare with which the opponents are still attacked"),
)
P = PARAMETERS.index

MEMORY = False


# Bidding


@jit
def bid(view, p):
    """The estimate in whole tricks as the other bids correct it, or a nil."""
    quarters = estimate(view.hand, p)
    if view.legal & 1 and view.rules.nil_allowed and is_nil_hand(view, quarters, p):
        return 0
    tricks = max(1, (quarters + int(p[P.ROUNDING])) // 4)
    return nearest_bid(view.legal, min(corrected(view, tricks, p), view.rules.hand_size))


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
    gaps = 0
    cover = popcount(hand & SPADES_MASK)
    for back in range(ACE + 1):
        card = SPADE_ACE - back
        if not (hand >> card) & 1:
            gaps += 1
            continue
        place += 1
        cover -= 1
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
        ranks = (hand >> (13 * suit)) & ONE_SUIT_MASK
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


@jit
def is_nil_hand(view, quarters, p):
    """Whether the hand is low enough for a nil."""
    hand = view.hand
    if (hand >> SPADE_ACE) & 1 or quarters > int(p[P.NIL_ESTIMATE]):
        return False
    if view.partner >= 0 and view.bids[view.partner] == 0:
        return False
    spades = hand & SPADES_MASK
    if popcount(spades) > int(p[P.NIL_SPADES]):
        return False
    if spades:
        top_rank = rank_of(highest(spades)) + RANK_NAMED_2
        rest = spades ^ (1 << highest(spades))
        if top_rank > int(p[P.NIL_TOP_SPADE]):
            return False
        is_top = top_rank == int(p[P.NIL_TOP_SPADE])
        if is_top and rest and rank_of(highest(rest)) + RANK_NAMED_2 > int(p[P.NIL_SECOND_SPADE]):
            return False
    for suit in range(SPADES):
        ranks = (hand >> (13 * suit)) & ONE_SUIT_MASK
        for limit in (p[P.NIL_FIRST], p[P.NIL_SECOND], p[P.NIL_THIRD]):
            if ranks:
                if lowest(ranks) + RANK_NAMED_2 > int(limit):
                    return False
                ranks &= ranks - 1
    return True


@jit
def corrected(view, tricks, p):
    """The bid in view of the bids already made."""
    total = tricks
    n_bids = 0
    n_nils = 0
    is_attacked = False
    change = 0
    for seat in range(view.n_players):
        made = view.bids[seat]
        if made < 0:
            continue
        n_bids += 1
        total += made
        if made == 0:
            n_nils += 1
            if seat == view.partner:
                change -= int(p[P.PARTNER_NIL])
            elif not is_attacked:
                change += int(p[P.OPPONENT_NIL])
                is_attacked = True
    if n_bids == view.n_players - 1 and n_nils == 0:
        if total > int(p[P.TABLE_HIGH]):
            change = -int(p[P.TABLE_STEP])
        elif total <= int(p[P.TABLE_LOW]):
            change = int(p[P.TABLE_STEP])
    return max(1, tricks + change)


# Playing: the modes in order of precedence


@jit
def play(view, p):
    """A card for the first mode that applies."""
    if nil_stands(view, view.seat):
        return duck(view)
    need = needed(view, view.side)
    left = tricks_left(view)
    unseen = unseen_on_table(view)
    if partner_nil_stands(view):
        card = cover(view, unseen)
        if card == NONE:
            card = win(view, unseen, p) if need > 0 else lowest_card(view.legal)
        return card
    if opponent_nil_stands(view) and not (need > 0 and need >= left - int(p[P.DANGER])):
        card = stay_under_nil(view, need, unseen)
        if card != NONE:
            return card
    if need > 0 or can_set(view, left, int(p[P.SET_SLACK])):
        return win(view, unseen, p)
    return duck(view)


@jit
def win(view, unseen, p):
    """A card to take the trick, or to lose it cheaply."""
    third_rank = int(p[P.THIRD_SEAT]) - RANK_NAMED_2
    return take(view, unseen, third_rank, int(p[P.KEEP_FROM]) - RANK_NAMED_2)
