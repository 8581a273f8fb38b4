"""Remembers every card, bids nil by its odds, attacks the opponents' nils, sets with two tricks to spare.

Bids: as medium, but nil wherever the fitted odds of making it are good enough, better ones when it is ahead.
Plays: as medium, knowing which cards are still out; against a nil it leads low and stays low as long as the
    bidder may be forced to win.
Origin: the hard level of Finnish app rules (Patalupaus), which remembers the cards that everybody has played;
    its nil odds are fitted by experiments/fit_nil.py.
Weakness: leads without a plan, looks at the score only for a nil, and takes the same nils against anybody.
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
from spadesim.strategies._nil_odds import NIL_BASE, NIL_SIDE, NIL_SPADE
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import (
    NONE,
    ONE_SUIT_MASK,
    RANK_NAMED_2,
    SPADE_ACE,
    attack_nil,
    can_set,
    cover,
    duck,
    lowest_card,
    nearest_bid,
    needed,
    nil_stands,
    opponent_nil_stands,
    partner_nil_stands,
    take,
    tricks_left,
    unseen_by_memory,
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


def _odds(name, default, meaning):
    meaning = f"log-odds of making it, in thousandths, {meaning}"
    return Parameter(name, default, low=-5000, high=5000, used_by="bid", meaning=meaning)


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
    _quarters("rounding", 0, "added before the sum is rounded down to whole tricks"),
    _quarters("partner_nil", 1, "less after the partner's nil"),
    _quarters("opponent_nil", 1, "more after an opponent's nil"),
    _count("table_high", 13, 0, 26, "bid", "highest total of bids that the last to bid leaves alone"),
    _count("table_low", 10, 0, 26, "bid", "highest total of bids that the last to bid pulls up"),
    _count("table_step", 1, 0, 3, "bid", "tricks by which the last to bid moves"),
    _count("nil_spades", 4, 0, 13, "bid", "most spades for a nil"),
    _rank("nil_ace", 9, "bid", "highest rank of the lowest card beside a side ace for a nil"),
    _odds("nil_odds", 300, "that a nil needs"),
    _odds("nil_price", 20, "more that it needs for each quarter trick of the hand"),
    _odds("nil_lead", 300, "more that it needs for each 100 points that the side is ahead"),
    _rank("nil_reach", 10, "play", "highest card on the table that an opponent's nil may be forced over"),
    _rank("third_seat", 11, "play", "lowest card with which the third hand takes an opponent's trick"),
    _rank("keep_from", 12, "play", "lowest card that is kept when a low card is led"),
    _count("danger", 0, 0, 13, "play", "tricks to spare at which the own contract comes before a nil"),
    _count("set_slack", 2, 0, 13, "play", "most tricks to spare with which the opponents are still attacked"),
)
P = PARAMETERS.index

SPADE_QUEEN = SPADE_ACE - 2
LAST_SIDE_PLACE = NIL_SIDE.shape[0] - 1
LAST_SPADE_PLACE = NIL_SPADE.shape[0] - 1
NO_SCORE = -(10**9)


# Bidding


@jit
def bid(view, p):
    """The estimate in whole tricks as the other bids correct it, or a nil."""
    quarters = estimate(view.hand, p)
    if view.legal & 1 and view.rules.nil_allowed and is_nil_hand(view, quarters, p):
        return 0
    tricks = max(1, (quarters + after_nils(view, p) + int(p[P.ROUNDING])) // 4)
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
    """Whether a nil is likely enough to be made; never with a sure trick or after the partner's nil."""
    spades = view.hand & SPADES_MASK
    if highest(spades) >= SPADE_QUEEN or popcount(spades) > int(p[P.NIL_SPADES]):
        return False
    if view.partner >= 0 and view.bids[view.partner] == 0:
        return False
    for suit in range(SPADES):
        ranks = (view.hand >> (13 * suit)) & ONE_SUIT_MASK
        if (ranks >> ACE) & 1 and lowest(ranks) + RANK_NAMED_2 > int(p[P.NIL_ACE]):
            return False
    lead = max(0, view.scores[view.side] - best_other_score(view))
    needed_odds = int(p[P.NIL_ODDS]) + int(p[P.NIL_PRICE]) * quarters + int(p[P.NIL_LEAD]) * lead // 100
    return nil_odds(view.hand) >= needed_odds


@jit
def best_other_score(view):
    """The highest score that another side has."""
    best = NO_SCORE
    for side in range(view.rules.n_sides):
        if side != view.side:
            best = max(best, view.scores[side])
    return best


@jit
def nil_odds(hand):
    """The fitted log-odds, in thousandths, that a nil with this hand is made."""
    odds = NIL_BASE
    for suit in range(4):
        ranks = (hand >> (13 * suit)) & ONE_SUIT_MASK
        place = 0
        while ranks:
            rank = lowest(ranks)
            ranks &= ranks - 1
            if suit == SPADES:
                odds += NIL_SPADE[min(place, LAST_SPADE_PLACE), rank]
            else:
                odds += NIL_SIDE[min(place, LAST_SIDE_PLACE), rank]
            place += 1
    return odds


@jit
def after_nils(view, p):
    """Quarter tricks more once an opponent has bid nil, less once the partner has."""
    change = 0
    is_attacked = False
    for seat in range(view.n_players):
        if view.bids[seat] == 0:
            if seat == view.partner:
                change -= int(p[P.PARTNER_NIL])
            elif not is_attacked:
                change += int(p[P.OPPONENT_NIL])
                is_attacked = True
    return change


@jit
def corrected(view, tricks, p):
    """The bid of the last seat as the total of the table corrects it, when there is no nil about."""
    total = tricks
    n_bids = 0
    for seat in range(view.n_players):
        if view.bids[seat] == 0:
            return tricks
        if view.bids[seat] > 0:
            n_bids += 1
            total += view.bids[seat]
    if n_bids == view.n_players - 1:
        if total > int(p[P.TABLE_HIGH]):
            return max(1, tricks - int(p[P.TABLE_STEP]))
        if total <= int(p[P.TABLE_LOW]):
            return tricks + int(p[P.TABLE_STEP])
    return tricks


# Playing: the modes in order of precedence


@jit
def play(view, p):
    """A card for the first mode that applies."""
    if nil_stands(view, view.seat):
        return duck(view)
    need = needed(view, view.side)
    left = tricks_left(view)
    unseen = unseen_by_memory(view)
    if partner_nil_stands(view):
        card = cover(view, unseen)
        if card == NONE:
            card = win(view, unseen, p) if need > 0 else lowest_card(view.legal)
        return card
    if opponent_nil_stands(view) and not (need > 0 and need >= left - int(p[P.DANGER])):
        card = attack_nil(view, need, unseen, int(p[P.NIL_REACH]) - RANK_NAMED_2)
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
