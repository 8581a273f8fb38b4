"""Remembers every card, bids nil by its odds, reads and attacks nils, leads what is worth most.

Bids: as medium, but nil wherever the fitted odds of making it are good enough: better ones when it is
    ahead, worse ones when it is behind, after a high bid of its partner or an opponent's nil, and when only a
    nil may save the game. At a table of two by fitted tricks, with the discards it has seen, what the
    opponent kept and bid, and the score; a double nil only when it is losing.
Plays: as medium, knowing which cards are still out. It leads and discards what is worth most: sure winners
    that nobody ruffs, singletons, suits that its partner ruffs. A nil bidder who ducked holds nothing between
    its card and the one that was winning: against a nil it leads low where the bidder has least below, and
    stays low as long as the bidder may be forced to win; beside its partner's it covers only what the partner
    may win, with no higher card than that takes. At a table of two it keeps what its hand needs, leads trumps
    while it has more than the opponent may, else a singleton or a suit to be ruffed, and counts its discards.
Origin: the hard level of Finnish app rules (Patalupaus), which remembers the cards that everybody has played;
    its nil odds are fitted by `spadesim fit`, most other numbers found by `spadesim tune`, those of
    leads, discards and nils by trials of one change each.
Weakness: takes a nil bidder to duck with the highest card that loses, reads no other card that anybody plays,
    looks at the score only where a hand may end the game, and takes the same nils against anybody. At a table
    of two it discards, ruffs and takes by simple rules.
"""

from spadesim.core.cards import (
    ACE,
    SIDE_SUITS_MASK,
    SPADES,
    SPADES_MASK,
    SUIT_RANKS,
    highest,
    lowest,
    popcount,
    suit_mask,
)
from spadesim.core.view import unseen_cards
from spadesim.strategies._alone import ALONE, may_bid_nil, tricks_above_usual, worth_here
from spadesim.strategies._draw_hard import FOR_TWO, bid_of_two, keep_of_two, play_of_two
from spadesim.strategies._draw_nil import dangerous_cards, declares
from spadesim.strategies._endgame import (
    BREAK_NIL,
    FEWER,
    MORE,
    NO_AIM,
    aim,
    last_bid,
    looks_at_score,
)
from spadesim.strategies._leads import LEADS, THROWS, best_lead, throw
from spadesim.strategies._nil_odds import NIL_BASE, NIL_SIDE, NIL_SPADE
from spadesim.strategies._nil_play import AT_NIL, BESIDE_OWN, SHELTER, attack, shelter, stay_low
from spadesim.strategies._valuation import (
    ON,
    after_nils,
    as_last,
    count,
    estimate,
    named_rank,
    quarter_tricks,
    switch,
    with_defaults,
)
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import (
    NONE,
    RANK_NAMED_2,
    SPADE_ACE,
    attack_nil,
    bags_cost,
    can_set,
    cover,
    duck,
    is_certain,
    is_opponent,
    lowest_card,
    nearest_bid,
    needed,
    nil_stands,
    opponent_nil_stands,
    partner_nil_stands,
    take,
    tricks_left,
    winning,
)


def _odds(name, default, meaning):
    meaning = f"log-odds of making it, in thousandths, {meaning}"
    return Parameter(name, default, low=-5000, high=5000, used_by="bid", meaning=meaning)


# Tuned values, here and in the table below: `hard:hard_before_2026.toml` has those before.
WORTH = with_defaults(
    FOR_TWO, spade_honour=11, spade_half_guarded=3, ace_length=6, ace_fade=2, king_least=2, king_backed=0,
    queen_to=5, queen_backed=0,
)  # fmt: skip
PARAMETERS = parameters(
    *WORTH,
    quarter_tricks("rounding", 1, "added before the sum is rounded down to whole tricks"),
    quarter_tricks("partner_nil", 0, "less after the partner's nil"),
    quarter_tricks("opponent_nil", 1, "more after an opponent's nil"),
    count("table_high", 12, 0, 26, "bid", "highest total of bids that the last to bid leaves alone"),
    count("table_low", 10, 0, 26, "bid", "highest total of bids that the last to bid pulls up"),
    count("table_step", 1, 0, 3, "bid", "tricks by which the last to bid moves"),
    count("nil_spades", 4, 0, 13, "bid", "most spades for a nil"),
    named_rank("nil_ace", 9, "bid", "highest rank of the lowest card beside a side ace for a nil"),
    _odds("nil_odds", -197, "that a nil needs"),
    _odds("nil_price", 68, "more that it needs for each quarter trick of the hand"),
    _odds("nil_lead", 321, "more that it needs for each 100 points that the side is ahead"),
    _odds("nil_partner", 100, "less that it needs for each trick above three that the partner has bid"),
    _odds("nil_against", 200, "less that it needs after an opponent's nil"),
    _odds("nil_behind", 100, "less that it needs for each 100 points that the side is behind"),
    _odds("nil_need", 2500, "less that it needs when nothing else may save the game"),
    named_rank(
        "nil_reach", 13, "play", "highest card on the table that an opponent's nil may be forced over"
    ),
    named_rank("third_seat", 11, "play", "lowest card with which the third hand takes an opponent's trick"),
    named_rank("keep_from", 14, "play", "lowest card that is kept when a low card is led"),
    count("danger", 0, 0, 13, "play", "tricks to spare at which the own contract comes before a nil"),
    count("set_slack", 2, 0, 13, "play", "most tricks to spare with which the opponents are still attacked"),
    switch("cover", "play", "whether the partner's nil is protected"),
    switch("bags", "play", "whether tricks that nobody needs are lost on purpose"),
    switch("leads", "play", "whether leads are chosen by what they are worth"),
    *LEADS,
    switch("throws", "play", "whether discards are, while tricks are wanted"),
    *THROWS,
    switch("limits", "play", "whether a nil bidder is taken to have played the highest card that loses"),
    switch("attack", "play", "whether a nil is attacked where it can be forced to win"),
    *AT_NIL,
    switch("shed", "play", "whether discards beside the own nil look at the whole suit"),
    *BESIDE_OWN,
    switch("shelter", "play", "whether the partner's nil is protected only where it may win"),
    *SHELTER,
    switch("lost", "play", "whether it stops fighting for a contract that cannot be made"),
    _odds("nil_base", NIL_BASE, "of a hand whose cards say nothing"),
    count("nil_sides", 100, 0, 300, "bid", "percent of what the side suits say about a nil that count"),
    count("nil_trumps", 100, 0, 300, "bid", "percent of what the spades say about a nil that count"),
    *ALONE,
    _odds("nil_alone", 1200, "more that it needs where no partner covers it"),
)
P = PARAMETERS.index

SPADE_QUEEN = SPADE_ACE - 2
LAST_SIDE_PLACE = NIL_SIDE.shape[0] - 1
LAST_SPADE_PLACE = NIL_SPADE.shape[0] - 1
NO_SCORE = NO_NIL = -(10**9)
USUAL_BID = 3


# The draw of two players


@jit
def keep(view, p):
    """Keep what the hand needs."""
    return keep_of_two(view, p)


@jit
def blind(view, p):
    """A double nil where little else can save the game."""
    reach, deficit, safe = int(p[P.DRAW_BLIND_REACH]), int(p[P.DRAW_BLIND_DEFICIT]), int(p[P.DRAW_AFTER_NIL])
    return declares(view, int(p[P.DRAW_BLIND]), reach, deficit, safe)


@jit
def exchange(view, p):
    """The cards that endanger the double nil most."""
    spade, cover, least = int(p[P.DRAW_NIL_SPADE]), int(p[P.DRAW_NIL_COVER]), int(p[P.DRAW_NIL_DANGER])
    return dangerous_cards(view.hand, view.rules.blind_nil_exchange, spade, cover, least)


# Bidding


@jit
def bid(view, p):
    """The estimate in whole tricks as the other bids correct it, or a nil."""
    if view.n_players == 2:
        return bid_of_two(view, p)
    quarters = worth(view, p)
    margin = nil_margin(view, quarters, p) if may_bid_nil(view) else NO_NIL
    tricks = max(1, to_be_rounded(view, quarters, p) // 4)
    over = tricks_above_usual(view)
    tricks = as_last(
        view, tricks, int(p[P.TABLE_HIGH]) + over, int(p[P.TABLE_LOW]) + over, int(p[P.TABLE_STEP])
    )
    if looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        decisive = last_bid(view, tricks, margin >= -int(p[P.NIL_NEED]), int(p[P.STRETCH]))
        if decisive != NONE:
            return nearest_bid(view.legal, decisive)
    if margin >= 0:
        return 0
    return nearest_bid(view.legal, min(tricks, view.rules.hand_size))


@jit
def worth(view, p):
    """Quarter tricks that the hand can expect."""
    return worth_here(view, estimate(view.hand, p), int(p[P.THREE_PERCENT]), int(p[P.THREE_MORE]))


@jit
def to_be_rounded(view, quarters, p):
    """The same in view of nils, and with what is added before it is rounded down."""
    return quarters + after_nils(view, int(p[P.PARTNER_NIL]), int(p[P.OPPONENT_NIL])) + int(p[P.ROUNDING])


@jit
def expected_quarters(view, p):
    """For `spadesim fit`: what the bid rounds down."""
    return to_be_rounded(view, worth(view, p), p)


@jit
def nil_margin(view, quarters, p):
    """The log-odds of a nil above those it needs; `NO_NIL` with a sure trick or after the partner's nil."""
    spades = view.hand & SPADES_MASK
    if highest(spades) >= SPADE_QUEEN or popcount(spades) > int(p[P.NIL_SPADES]):
        return NO_NIL
    if view.partner >= 0 and view.bids[view.partner] == 0:
        return NO_NIL
    for suit in range(SPADES):
        ranks = (view.hand >> (13 * suit)) & SUIT_RANKS
        if (ranks >> ACE) & 1 and lowest(ranks) + RANK_NAMED_2 > int(p[P.NIL_ACE]):
            return NO_NIL
    return nil_log_odds(view, p) - needed_odds(view, quarters, p)


@jit
def needed_odds(view, quarters, p):
    """The log-odds that a nil needs: better ones with a good hand, ahead, or with little help."""
    lead = view.scores[view.side] - best_other_score(view)
    odds = int(p[P.NIL_ODDS]) + int(p[P.NIL_PRICE]) * quarters
    odds += int(p[P.NIL_LEAD] if lead > 0 else p[P.NIL_BEHIND]) * lead // 100
    if view.partner < 0:
        return odds + int(p[P.NIL_ALONE])
    if view.bids[view.partner] > 0:
        odds -= int(p[P.NIL_PARTNER]) * (view.bids[view.partner] - USUAL_BID)
    for seat in range(view.n_players):
        if is_opponent(view, seat) and view.bids[seat] == 0:
            odds -= int(p[P.NIL_AGAINST])
    return odds


@jit
def best_other_score(view):
    """The highest score that another side has."""
    best = NO_SCORE
    for side in range(view.rules.n_sides):
        if side != view.side:
            best = max(best, view.scores[side])
    return best


@jit
def nil_log_odds(view, p):
    """The fitted log-odds, in thousandths, that a nil is made; `spadesim fit` asks for them as well."""
    sides = spades = 0
    for suit in range(4):
        ranks = (view.hand >> (13 * suit)) & SUIT_RANKS
        place = 0
        while ranks:
            rank = lowest(ranks)
            ranks &= ranks - 1
            if suit == SPADES:
                spades += NIL_SPADE[min(place, LAST_SPADE_PLACE), rank]
            else:
                sides += NIL_SIDE[min(place, LAST_SIDE_PLACE), rank]
            place += 1
    return int(p[P.NIL_BASE]) + (int(p[P.NIL_SIDES]) * sides + int(p[P.NIL_TRUMPS]) * spades) // 100


# Playing: the modes in order of precedence


@jit
def play(view, p):
    """A card for the first mode that applies."""
    if view.n_players == 2:
        return play_of_two(view, p)
    unseen = unseen_cards(view)
    if nil_stands(view, view.seat):
        return stay_low(view, unseen, p[P.SHED_UNDER :]) if p[P.SHED] == ON else duck(view)
    left = tricks_left(view)
    need = needed(view, view.side)
    if need > left and p[P.LOST] == ON:
        need = 0
    is_nil_out = opponent_nil_stands(view)
    wish = NO_AIM
    if (need <= 0 or is_nil_out) and looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        wish = aim(view, left, int(p[P.WIN_REACH]))
    if partner_nil_stands(view) and p[P.COVER] == ON:
        card = protect(view, unseen, p)
        if card == NONE:
            card = win(view, unseen, p) if need > 0 or wish == MORE else lowest_card(view.legal)
        return card
    is_in_danger = need > 0 and need >= left - int(p[P.DANGER])
    if is_nil_out and (wish == BREAK_NIL or not is_in_danger):
        card = assail(view, need, unseen, p)
        if card != NONE:
            return card
    if need > 0 or wish == MORE or (wish != FEWER and can_set(view, left, int(p[P.SET_SLACK]))):
        return win(view, unseen, p)
    return duck(view) if p[P.BAGS] == ON and bags_cost(view) else win(view, unseen, p)


@jit
def protect(view, unseen, p):
    """A card for the partner's nil, `NONE` when it needs none."""
    if p[P.SHELTER] == ON:
        return shelter(view, unseen, p[P.LIMITS] == ON, p[P.SHELTER_OVER :])
    return cover(view, unseen)


@jit
def assail(view, need, unseen, p):
    """A card against an opponent's nil, `NONE` when there is none."""
    reach = int(p[P.NIL_REACH]) - RANK_NAMED_2
    if p[P.ATTACK] == ON:
        return attack(view, need, unseen, p[P.LIMITS] == ON, reach, p[P.AT_UNDER :])
    return attack_nil(view, need, unseen, reach)


@jit
def win(view, unseen, p):
    """A card to take the trick, or to lose it cheaply."""
    if view.n_in_trick == 0 and p[P.LEADS] == ON:
        return best_lead(view, unseen, p[P.LEAD_SURE :])
    if p[P.THROWS] == ON and gives_up(view, unseen):
        return throw(view.legal & SIDE_SUITS_MASK, unseen, p[P.THROW_LENGTH :])
    third_rank = int(p[P.THIRD_SEAT]) - RANK_NAMED_2
    return take(view, unseen, third_rank, int(p[P.KEEP_FROM]) - RANK_NAMED_2)


@jit
def gives_up(view, unseen):
    """Whether a side card can be discarded on a trick that is the partner's, or that it cannot win."""
    is_free = view.n_in_trick > 0 and view.legal & suit_mask(view.led_suit) == 0
    if not is_free or view.legal & SIDE_SUITS_MASK == 0:
        return False
    if view.best_seat == view.partner:
        is_last = view.n_in_trick == view.n_players - 1
        if is_last or is_certain(view, view.best_card, unseen):
            return True
    return winning(view.legal, view.best_card) == 0
