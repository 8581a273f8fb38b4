"""A fixed point to measure progress by: careful counting and memory of cards, by plain rules.

Bids: adds up quarter tricks for spade honours by the cards that guard them, for long spades, for side aces,
kings and queens by length, and for ruffs; rounds; then a trick down after its partner's nil, up against an
opponent's, and as the last to bid it pulls a table total above 13 down and one of 9 or less up. Bids nil only
with low cards in every suit and at most three spades up to the jack.
Plays: the first that applies: duck for its own nil, cover its partner's, stay under an opponent's nil, take
tricks while its side needs them, take while the opponents can spare at most one trick, else duck. A card is
certain to win when no higher one of its suit is unseen; it remembers every card played.
Origin: the rules with which this project began, written down before any of them was tried against another.
It holds all it needs and is never to be changed, so that "better than yardstick" always means the same.
Weakness: bids a quarter of the nils that are worth bidding, hardly attacks those of others, leads without a
plan, draws no conclusion from a player who shows out of a suit, and never looks at the score.
"""

from spadesim.core.cards import (
    ACE,
    KING,
    QUEEN,
    SIDE_SUITS_MASK,
    SPADES,
    SPADES_MASK,
    above,
    highest,
    lowest,
    popcount,
    rank_of,
    suit_mask,
    suit_of,
)
from spadesim.core.scoring import contract_tricks
from spadesim.strategy import Parameter, jit, parameters


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
    _count("set_slack", 1, 0, 13, "play", "most tricks to spare with which the opponents are still attacked"),
)
P = PARAMETERS.index

RANK_NAMED_2 = 2  # parameters name the rank 0 by this number
SPADE_ACE = 51
RANK_MASK = 1 | 1 << 13 | 1 << 26 | 1 << 39  # the twos; shifted by a rank, all cards of that rank
ONE_SUIT_MASK = (1 << 13) - 1
NONE = -1


# Bidding


@jit
def bid(view, p):
    """The estimate in whole tricks as the other bids correct it, or a nil."""
    spades = value_spades(view.hand, p)
    quarters = spades[0] + value_sides(view.hand, p) + value_ruffs(view.hand, spades[1], p)
    if view.legal & 1 and view.rules.nil_allowed and is_nil_hand(view, quarters, p):
        return 0
    tricks = max(1, (quarters + int(p[P.ROUNDING])) // 4)
    return nearest_bid(view.legal, min(corrected(view, tricks, p), view.rules.hand_size))


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


@jit
def nearest_bid(legal, wanted):
    """The legal bid closest to a wanted one, the lower one of two."""
    distance = 0
    while True:
        for candidate in (wanted - distance, wanted + distance):
            if 0 <= candidate < 63 and (legal >> candidate) & 1:
                return candidate
        distance += 1


# Playing: the modes in order of precedence


@jit
def play(view, p):
    """A card for the first mode that applies."""
    if nil_stands(view, view.seat):
        return duck(view)
    need = needed(view, view.side)
    if view.partner >= 0 and nil_stands(view, view.partner):
        return cover(view, need, p)
    left = view.rules.hand_size - view.trick_no
    if opponent_nil_stands(view) and not (need > 0 and need >= left - int(p[P.DANGER])):
        card = bust(view, need)
        if card != NONE:
            return card
    if need > 0 or can_set(view, left, p):
        return take(view, p)
    return duck(view)


@jit
def nil_stands(view, seat):
    """Whether a seat has bid nil and taken no trick."""
    return view.bids[seat] == 0 and view.tricks[seat] == 0 and view.rules.nil_allowed == 1


@jit
def opponent_nil_stands(view):
    """Whether a nil of an opponent stands."""
    for seat in range(view.n_players):
        if seat not in (view.seat, view.partner) and nil_stands(view, seat):
            return True
    return False


@jit
def needed(view, side):
    """Tricks that a side still lacks for its contract; 0 or less when it has them."""
    contract = 0
    for seat in range(side, view.n_players, view.rules.n_sides):
        contract += view.bids[seat]
    return contract - contract_tricks(view.rules, view.bids, view.tricks, side)


@jit
def can_set(view, left, p):
    """Whether an opponents' contract is open and they can spare few of the tricks left, if any."""
    for side in range(view.rules.n_sides):
        if side != view.side:
            need = needed(view, side)
            if need > 0 and 0 <= left - need <= int(p[P.SET_SLACK]):
                return True
    return False


@jit
def cover(view, need, p):
    """A card that keeps the partner's nil from winning the trick."""
    legal = view.legal
    if view.n_in_trick == 0:
        certain = certain_winners(view, legal)
        return highest_card(certain if certain else legal)
    winners = winning(legal, view.best_card)
    if view.best_seat == view.partner and winners:
        return cheapest(winners, view.led_suit)
    if view.trick[view.partner] < 0 and winners:
        in_suit = winners & suit_mask(view.led_suit)
        return highest(in_suit) if in_suit else lowest(winners)
    return take(view, p) if need > 0 else lowest_card(legal)


@jit
def bust(view, need):
    """A card under an opponent's nil, or `NONE` when the trick asks for something else."""
    legal = view.legal
    if view.n_in_trick == 0:
        return NONE if certain_winners(view, legal) else lowest_card(legal)
    best_seat = view.best_seat
    if best_seat not in (view.seat, view.partner) and nil_stands(view, best_seat):
        losers = legal & ~winning(legal, view.best_card)
        if losers:
            return highest_loser(losers)
    if need <= 0 and nil_to_play(view):
        return lowest_card(legal)
    return NONE


@jit
def nil_to_play(view):
    """Whether an opponent whose nil stands has yet to play to this trick."""
    for seat in range(view.n_players):
        if seat in (view.seat, view.partner) or view.trick[seat] >= 0:
            continue
        if nil_stands(view, seat):
            return True
    return False


@jit
def take(view, p):
    """A card to win the trick with, as cheaply as will do; the lowest when it cannot or need not be won."""
    legal = view.legal
    if view.n_in_trick == 0:
        return lead_to_win(view, p)
    is_last = view.n_in_trick == view.n_players - 1
    is_partners = view.best_seat == view.partner
    if is_partners and (is_last or is_certain(view, view.best_card)):
        return lowest_card(legal)
    winners = winning(legal, view.best_card)
    if winners == 0:
        return lowest_card(legal)
    if is_last or legal & suit_mask(view.led_suit) == 0:
        return cheapest(winners, view.led_suit)
    certain = certain_winners(view, winners)
    if certain:
        return lowest(certain)
    third_rank = int(p[P.THIRD_SEAT]) - RANK_NAMED_2
    if view.n_in_trick == 2 and not is_partners and rank_of(highest(winners)) >= third_rank:
        return highest(winners)
    return lowest_card(legal)


@jit
def lead_to_win(view, p):
    """A certain winner from the shortest side suit, else a spade that is one, else a low card."""
    legal = view.legal
    certain = certain_winners(view, legal)
    if certain & SIDE_SUITS_MASK:
        return highest(certain & suit_mask(shortest(certain, legal)))
    if certain:
        return highest(certain)
    kept = RANK_MASK << (int(p[P.KEEP_FROM]) - RANK_NAMED_2)
    for _ in range(ACE):
        kept |= (kept << 1) & SIDE_SUITS_MASK & ~RANK_MASK
    low_side = legal & SIDE_SUITS_MASK & ~kept
    if low_side:
        return lowest(legal & suit_mask(shortest(low_side, legal)))
    return lowest_card(legal)


@jit
def duck(view):
    """The highest card that loses the trick; when all win, the highest as the last hand, else the lowest."""
    legal = view.legal
    if view.n_in_trick == 0:
        return lowest_card(legal)
    winners = winning(legal, view.best_card)
    losers = legal & ~winners
    if losers:
        return highest_loser(losers)
    return highest(winners) if view.n_in_trick == view.n_players - 1 else lowest_card(winners)


# Cards


@jit
def certain_winners(view, cards):
    """Those of `cards` that no unseen card of their suit beats, and which no ruff has beaten already."""
    certain = 0
    unseen = view.rules.deck & ~view.hand & ~view.played
    is_ruffed = view.best_card >= 0 and suit_of(view.best_card) != view.led_suit
    for suit in range(4):
        if is_ruffed and suit != SPADES:
            continue
        top = highest(unseen & suit_mask(suit))
        certain |= cards & suit_mask(suit) & (above(top) if top >= 0 else suit_mask(suit))
    return certain


@jit
def is_certain(view, card):
    """Whether a card that is winning the trick stays ahead of all unseen cards of the suit led."""
    suit = suit_of(card)
    unseen = view.rules.deck & ~view.hand & ~view.played
    return suit == view.led_suit and unseen & suit_mask(suit) & above(card) == 0


@jit
def winning(cards, best_card):
    """The cards of a mask that would take over a trick, as a mask."""
    return cards & ~((2 << best_card) - 1) & (suit_mask(suit_of(best_card)) | SPADES_MASK)


@jit
def cheapest(winners, led_suit):
    """The lowest winner of the suit led, else the lowest ruff."""
    in_suit = winners & suit_mask(led_suit)
    return lowest(in_suit if in_suit else winners)


@jit
def shortest(candidates, legal):
    """The side suit with a candidate in which fewest cards are held; the first of several."""
    best = NONE
    fewest = 0
    for suit in range(SPADES):
        if candidates & suit_mask(suit):
            length = popcount(legal & suit_mask(suit))
            if best == NONE or length < fewest:
                best = suit
                fewest = length
    return best


@jit
def lowest_card(cards):
    """The lowest card: side suits before spades, then by rank, then clubs, diamonds, hearts."""
    side = cards & SIDE_SUITS_MASK
    if side == 0:
        return lowest(cards)
    ranks = (side | side >> 13 | side >> 26) & ONE_SUIT_MASK
    return lowest(side & (RANK_MASK << lowest(ranks)))


@jit
def highest_card(cards):
    """The card of highest rank; clubs, diamonds, hearts, spades among equal ranks."""
    if cards & ~((1 << 52) - 1):
        return highest(cards)
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & ONE_SUIT_MASK
    return lowest(cards & (RANK_MASK << highest(ranks)))


@jit
def highest_loser(losers):
    """The highest of cards that lose a trick: a spade under a spade if any, else by rank, then suit."""
    return highest(losers) if losers & SPADES_MASK else highest_card(losers)
