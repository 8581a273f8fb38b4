"""The whole truth of a table, and the only ways in which it moves.

`start_game` and `start_hand` set it up, `advance` takes it to the next decision, `fill_view` tells a seat
what it may know there, `apply` makes the decision. Playing a hand is a loop over these; so is everything
else that follows a hand. A sole legal choice is made by `advance`, without asking anybody.

>>> from spadesim.core.rules import Rules
>>> position = new_position(Rules())
>>> start_game(position, 7, 0)
>>> start_hand(position)
>>> advance(position) == BIDDING
True
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from spadesim.core._jit import jit, jit_within
from spadesim.core.cards import N_CARD_BITS, N_CARDS, PACK_MASK, SPADES, lowest, suit_of
from spadesim.core.memory import copy_table
from spadesim.core.prelude import (
    N_TURNS,
    apply_prelude,
    begin_prelude,
    fill_prelude,
    prelude_legal,
)
from spadesim.core.rng import DEAL, first_dealer, seat_keys, shuffle, stream_tag
from spadesim.core.rules import DEAL_DRAW, DEALER_FIXED, START_DEALER_LEFT, START_SECOND_DRAWER, Rules
from spadesim.core.scoring import GOES_ON, bags_after, end_reached, game_over, score_side, side_total
from spadesim.core.seating import next_seat, side_at
from spadesim.core.trick import beats, breaks_spades, legal_cards
from spadesim.core.view import (
    BIDDING,
    EXCHANGING,
    HAND,
    HAND_OVER,
    KEEPING,
    MAX_TRICKS,
    NOT_YET,
    PLAYING,
    TABLE,
)

POSITION = np.dtype((np.record, [
    ("seed", np.int64),
    ("index", np.int64),  # number of the game or board
    ("serial", np.int64),  # counts the hands that this record has held
    ("turn", np.int64),  # seat to decide
    ("legal", np.int64),  # its choices, as in the view
    ("n_bids", np.int64),
    ("in_tiebreak", np.int64),  # 1 when this hand is an extra one, after level scores at the end
    ("hands", np.int64, (4,)),  # cards left, by seat
    ("dealt", np.int64, (4,)),  # cards dealt, by seat
    ("rng_keys", np.int64, (4,)),
    ("n_forced", np.int64, (4,)),  # decisions of this hand with one legal choice, by seat
    ("n_free", np.int64, (4,)),  # decisions put to the seat
    ("points", np.int64, (4,)),  # by side, what the finished hand was worth
    ("hand_bags", np.int64, (4,)),  # by side, bags that the finished hand brought
    ("contracts", np.int64, (4,)),  # by side, tricks to make in the finished hand
    ("sets", np.int64, (4,)),  # by side, 1 when they were not made
    ("periods", np.int64, (4,)),  # by side, bag penalties charged for the finished hand
    ("bostons", np.int64, (4,)),  # by side, 1 when it won every trick
    ("deck", np.int64, (N_CARD_BITS,)),  # scratch of the shuffle; at a draw table the stock, top card first
    ("stream", np.int64, (N_CARD_BITS + 3,)),  # its random words
    ("n_choices", np.int64),  # made before the bidding
    ("n_pile", np.int64),  # cards discarded in the draw
    ("pile", np.int64, (N_TURNS,)),  # which, in order
    ("discards", np.int64, (4,)),  # by seat, cards out of play that it saw discarded
    ("given", np.int64, (4,)),  # by seat, cards that it gave in an exchange
    *HAND,
    *TABLE,
]))  # fmt: skip

_tables = itertools.count(1)  # no two tables share a serial, so a view never mistakes one for another


def new_position(rules: Rules) -> Any:
    """An empty table under `rules`; `start_game` seats a game at it."""
    position = np.zeros(1, dtype=POSITION)[0]
    position["serial"] = next(_tables) << 32
    position["rules"] = rules.record()
    position["n_players"] = rules.players
    return position


@jit
def start_game(position: Any, seed: Any, index: Any) -> Any:
    """Begin game (or board) number `index` of a seed: no score, the first dealer drawn."""
    position.seed = seed
    position.index = index
    position.hand_no = 0
    position.in_tiebreak = 0
    for side in range(4):
        position.scores[side] = 0
        position.bags[side] = 0
    rules = position.rules
    if rules.first_dealer == DEALER_FIXED:
        position.dealer = 0
    else:
        position.dealer = first_dealer(seed, index, rules.players)


@jit
def start_hand(position: Any) -> Any:
    """Deal the next hand, or lay out its stock, and clear the table for its first decision."""
    deal(position)
    open_hand(position)


@jit
def open_hand(position: Any) -> Any:
    """Begin the hand whose cards lie in `dealt`, or whose stock lies in `deck`, at its first decision."""
    clear_hand(position)
    if position.rules.has_prelude:
        begin_prelude(position)


@jit
def deal(position: Any) -> Any:
    """Give every seat its cards: a uniform deal keyed by seed, game or board, and hand."""
    n = fill_deck(position)
    rules = position.rules
    n_drawn = rules.n_dealt - rules.hand_size if rules.n_dealt == n else rules.n_dealt
    if rules.deal == DEAL_DRAW:
        n_drawn = n
    tag = stream_tag(DEAL, position.hand_no, 0)
    shuffle(position.deck, n, n_drawn, position.seed, position.index, tag, position.stream)
    size = rules.hand_size
    for seat in range(rules.players):
        hand = np.int64(0)
        for k in range(seat * size, seat * size + size):
            hand |= np.int64(1) << position.deck[k]
        position.dealt[seat] = hand


@jit
def fill_deck(position: Any) -> Any:
    """Lay the sorted pack into the scratch of the shuffle; how many cards it has comes back."""
    pack = position.rules.deck
    if pack == PACK_MASK:
        for card in range(N_CARDS):
            position.deck[card] = card
        return N_CARDS
    n = 0
    while pack:
        card = lowest(pack)
        position.deck[n] = card
        n += 1
        pack &= pack - 1
    return n


@jit
def clear_hand(position: Any) -> Any:
    """Begin the bidding of the hand whose cards lie in `dealt`: nothing bid, nothing played."""
    position.serial += 1
    position.phase = BIDDING
    position.first_bidder = first_seat(position)
    position.turn = position.first_bidder
    position.leader = position.first_bidder
    position.n_bids = 0
    position.trick_no = 0
    position.broken = 0
    position.played = 0
    position.n_history = 0
    position.leaders[0] = position.first_bidder
    clear_trick(position)
    for seat in range(4):
        position.hands[seat] = position.dealt[seat]
        position.bids[seat] = NOT_YET
        position.tricks[seat] = 0
        position.voids[seat] = 0
        position.n_forced[seat] = 0
        position.n_free[seat] = 0
        position.rng_keys[seat] = NOT_YET
        position.blind[seat] = 0


@jit
def first_seat(position: Any) -> Any:
    """The seat that bids first, and leads, in the hand that is or will be dealt by `dealer`."""
    role = position.rules.start_role
    after_dealer = 1 if role in (START_DEALER_LEFT, START_SECOND_DRAWER) else 0
    return (position.dealer + after_dealer) % position.n_players


@jit
def first_side(position: Any) -> Any:
    """The side of that seat."""
    return side_at(position, first_seat(position))


@jit
def clear_trick(position: Any) -> Any:
    """Take the cards of the last trick off the table."""
    position.n_in_trick = 0
    position.led_suit = NOT_YET
    position.best_card = NOT_YET
    position.best_seat = NOT_YET
    for seat in range(4):
        position.trick[seat] = NOT_YET


@jit_within
def advance(position: Any) -> Any:
    """The phase in which somebody must decide next; ``HAND_OVER`` when the hand has been scored.

    Makes every forced choice on the way, and scores the hand at its end. `turn` and `legal` then tell who
    decides and between what.
    """
    phase = position.phase
    if KEEPING <= phase <= EXCHANGING:
        position.legal = prelude_legal(position)
        return phase
    while position.phase == BIDDING:
        legal = legal_bids(position)
        position.legal = legal
        if legal & (legal - 1):
            return BIDDING
        position.n_forced[position.turn] += 1
        apply_bid(position, lowest(legal))
    while position.phase == PLAYING:
        hand = position.hands[position.turn]
        legal = legal_cards(position.rules, hand, position.led_suit, position.broken)
        position.legal = legal
        if legal & (legal - 1):
            return PLAYING
        position.n_forced[position.turn] += 1
        apply_card(position, lowest(legal))
    return HAND_OVER


@jit
def legal_bids(position: Any) -> int:
    """The bids that the seat in turn may make, as a mask with bit b for bid b; a blind nil stands."""
    return 1 if position.blind[position.turn] == 1 else position.rules.bid_mask


@jit_within
def apply(position: Any, choice: Any) -> Any:
    """Make the legal bid, play the legal card, or make the other legal `choice`, for the seat in turn."""
    if position.phase == PLAYING:
        apply_card(position, choice)
    elif position.phase == BIDDING:
        apply_bid(position, choice)
    else:
        apply_prelude(position, choice)


@jit
def apply_bid(position: Any, bid: Any) -> Any:
    """Enter a bid, and begin the play after the last one."""
    position.bids[position.turn] = bid
    position.n_bids += 1
    if position.n_bids == position.n_players:
        position.phase = PLAYING
        position.turn = position.leader
    else:
        position.turn = next_seat(position, position.turn)


@jit_within
def apply_card(position: Any, card: Any) -> Any:
    """Play a card to the trick, and finish the trick and the hand with its last card."""
    seat = position.turn
    suit = suit_of(card)
    is_lead = position.n_in_trick == 0
    led_suit = suit if is_lead else position.led_suit
    # Stores at computed places come first: behind them the compiler must read every field anew.
    position.history[position.n_history] = card
    position.trick[seat] = card
    position.hands[seat] ^= np.int64(1) << card
    position.voids[seat] |= np.int64(suit != led_suit) << led_suit
    if suit == SPADES and not position.broken:
        position.broken = breaks_spades(position.rules, card, led_suit)
    if is_lead or beats(card, position.best_card):
        position.best_card = card
        position.best_seat = seat
    position.played |= np.int64(1) << card
    position.n_history += 1
    position.led_suit = led_suit
    position.n_in_trick += 1
    if position.n_in_trick == position.n_players:
        finish_trick(position)
    else:
        position.turn = next_seat(position, seat)


@jit
def finish_trick(position: Any) -> Any:
    """Give the full trick to its winner, who leads next; score the hand after the last one."""
    winner = position.best_seat
    position.winners[position.trick_no] = winner
    position.tricks[winner] += 1
    position.trick_no += 1
    clear_trick(position)
    position.leader = winner
    position.turn = winner
    if position.trick_no < position.rules.hand_size:
        position.leaders[position.trick_no] = winner
    else:
        position.phase = HAND_OVER
        score_hand(position)


@jit
def score_hand(position: Any) -> Any:
    """Work out what the finished hand is worth to every side; `end_hand` enters it."""
    rules = position.rules
    for side in range(rules.n_sides):
        score = score_side(rules, position.bids, position.tricks, position.blind, side, position.bags[side])
        position.points[side] = side_total(score)
        position.contracts[side] = score.contract_bid
        position.hand_bags[side] = score.bags
        position.sets[side] = score.is_set
        position.periods[side] = score.n_periods
        position.bostons[side] = score.is_boston


@jit
def end_hand(position: Any) -> Any:
    """Enter the scored hand, pass the deal on, and say how the game stands.

    Returns
    -------
    int
        The winning side, or ``scoring.GOES_ON`` or ``scoring.DRAW``.
    """
    rules = position.rules
    for side in range(rules.n_sides):
        position.scores[side] += position.points[side]
        position.bags[side] = bags_after(rules, position.bags[side], position.hand_bags[side])
    position.hand_no += 1
    position.dealer = next_seat(position, position.dealer)
    result = game_over(rules, position.scores, position.hand_no, position.in_tiebreak)
    if result == GOES_ON and end_reached(rules, position.scores):
        position.in_tiebreak = 1
    return result


@jit
def deal_hands(position: Any, hands: Any) -> Any:
    """Begin a hand with given cards instead of dealt ones.

    Parameters
    ----------
    position : the table, its dealer, scores and bags set
    hands : int64 array, one mask a seat
    """
    for seat in range(position.n_players):
        position.dealt[seat] = hands[seat]
    clear_hand(position)


@jit_within
def fill_view(position: Any, seat: Any, view: Any) -> Any:
    """Write all that `seat` may know into `view`.

    A view that was filled earlier in the same hand is brought up to date; any other is written afresh.
    """
    is_new = view.serial != position.serial
    if is_new:
        begin_view(position, view)
    view.seat = seat
    n_sides = position.rules.n_sides
    view.side = side_at(position, seat)
    view.partner = (seat + 2) & 3 if n_sides < position.n_players else NOT_YET
    view.hand = position.hands[seat]
    view.legal = position.legal if seat == position.turn else 0
    if position.rng_keys[seat] == NOT_YET:
        draw_keys(position, seat >> 1)
    view.rng_key = position.rng_keys[seat]
    if position.rules.has_prelude:
        fill_prelude(position, seat, view)
        if KEEPING <= position.phase <= EXCHANGING and not is_new:  # the table is as it was
            return
    update_view(position, view)


@jit
def draw_keys(position: Any, pair: Any) -> None:
    """Give two seats the keys of their random numbers in this hand."""
    lower, higher = seat_keys(position.seed, position.index, position.hand_no, pair)
    position.rng_keys[2 * pair] = lower
    position.rng_keys[2 * pair + 1] = higher


@jit
def begin_view(position: Any, view: Any) -> Any:
    """Write what stays the same for a whole hand."""
    view.serial = position.serial
    view.n_players = position.n_players
    view.hand_no = position.hand_no
    view.dealer = position.dealer
    view.first_bidder = position.first_bidder
    view.n_seen = 0
    view.n_tricks_seen = 0
    view.n_choices_seen = NOT_YET
    view.rules = position.rules
    for side in range(4):
        view.scores[side] = position.scores[side]
        view.bags[side] = position.bags[side]
    for k in range(N_CARD_BITS):
        view.history[k] = NOT_YET
    for k in range(MAX_TRICKS):
        view.leaders[k] = NOT_YET
        view.winners[k] = NOT_YET
    view.leaders[0] = position.leaders[0]
    view.offered = NOT_YET
    view.given = 0
    view.discards = 0
    view.n_drawn = 0
    for seat in range(4):
        view.kept[seat] = 0
        view.blind[seat] = 0
        view.n_exchanged[seat] = 0


@jit_within
def update_view(position: Any, view: Any) -> Any:
    """Write the public part as it stands now."""
    copy_table(position, view)
    for k in range(view.n_seen, position.n_history):
        view.history[k] = position.history[k]
    view.n_seen = position.n_history
    for k in range(view.n_tricks_seen, position.trick_no):
        view.winners[k] = position.winners[k]
        if k + 1 < position.rules.hand_size:
            view.leaders[k + 1] = position.leaders[k + 1]
    view.n_tricks_seen = position.trick_no
