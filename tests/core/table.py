"""A compiled table as tests handle it: cards by name, random play, and what a seat should see."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from spadesim.core import position as position_module
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, HAND_OVER, NOT_YET, VIEW
from tests.reference import RANKS, SUITS, Game, Hand, leading_play, sides

engine: Any = position_module  # compiled functions carry no annotations

TWO = Rules.parse("pata:players=2,teams=individual,deal=packet26")
THREE = Rules.parse("pata:players=3,teams=individual,deck=minus_2c")
ALONE = Rules.parse("pata:teams=individual")


def name_of(card: int) -> str:
    """Return a card's name.

    >>> name_of(0), name_of(51)
    ('2C', 'AS')
    """
    return RANKS[card % 13] + SUITS[card // 13]


def number_of(name: str) -> int:
    """Return the card that has a name."""
    return 13 * SUITS.index(name[1]) + RANKS.index(name[0])


def bits(mask: int) -> list[int]:
    """Return the places of a mask's bits, ascending.

    >>> bits(0b1010)
    [1, 3]
    """
    return [k for k in range(63) if int(mask) >> k & 1]


def mask_of(places: list[int] | set[int]) -> int:
    """Return the mask with bits at the given places."""
    return sum(1 << int(k) for k in places)


def names_of(mask: int) -> list[str]:
    """Return the names of the cards in a mask, ascending."""
    return [name_of(card) for card in bits(mask)]


def new_table(rules: Rules, seed: int = 1, index: int = 0) -> Any:
    """Return a table at which a game has been begun."""
    position = engine.new_position(rules)
    engine.start_game(position, seed, index)
    return position


def random_bid(legal: int, random: np.random.Generator) -> int:
    """Return a legal bid: often one that might be made, sometimes nil, sometimes any."""
    choices = bits(legal)
    draw = random.random()
    if draw < 0.15:
        return choices[0]
    if draw < 0.25:
        return int(random.choice(choices))
    return int(random.choice([bid for bid in choices if bid <= 5]))


def random_choice(position: Any, random: np.random.Generator) -> int:
    """Return a random legal choice of the seat in turn."""
    if position.phase == BIDDING:
        return random_bid(position.legal, random)
    return int(random.choice(bits(position.legal)))


def decisions(position: Any, random: np.random.Generator) -> Iterator[Any]:
    """Play a begun hand to its end with random choices, stopping before each of them."""
    while engine.advance(position) != HAND_OVER:
        yield position
        engine.apply(position, random_choice(position, random))


def random_moment(rules: Rules, seed: int, stop: int) -> Any:
    """Return a table of a random hand at its `stop`-th free decision, or at its last one."""
    random = np.random.default_rng(seed)
    position = new_table(rules, seed, stop)
    engine.start_hand(position)
    for number, _ in enumerate(decisions(position, random)):
        if number == stop:
            return position
    return random_moment(rules, seed, stop - 1)


def fresh_view(position: Any, seat: int) -> Any:
    """Return what a seat sees, written into a view that knew nothing."""
    view = np.zeros(1, dtype=VIEW)[0]
    engine.fill_view(position, seat, view)
    return view


def seen_by(game: Game, hand: Hand, seat: int) -> dict[str, Any]:
    """Return the fields of a seat's view, as the oracle has them.

    `legal` is left out: only the seat to act has choices.
    """
    n = game.rules.players
    trick, done = hand.trick(), hand.full_tricks()
    bids, table = dict(hand.bids), dict(trick)
    best_seat, best_card = leading_play(trick) if trick else (NOT_YET, "")
    side = next(k for k, seats in enumerate(sides(game.rules)) if seat in seats)
    partners = [other for other in sides(game.rules)[side] if other != seat]
    leaders = [play[0][0] for play in done] + ([] if hand.is_over else [hand.leader()])
    winners = [leading_play(play)[0] for play in done]
    return {
        "seat": seat,
        "side": side,
        "partner": partners[0] if partners else NOT_YET,
        "hand": mask_of([number_of(card) for card in hand.held(seat)]),
        "phase": HAND_OVER if hand.is_over else int(not hand.is_bidding),
        "n_players": n,
        "hand_no": game.n_hands,
        "first_bidder": hand.first,
        "leader": hand.leader(),
        "trick_no": len(done),
        "n_in_trick": len(trick),
        "led_suit": SUITS.index(trick[0][1][1]) if trick else NOT_YET,
        "best_card": number_of(best_card) if trick else NOT_YET,
        "best_seat": best_seat,
        "broken": int(hand.is_broken()),
        "played": mask_of([number_of(card) for _, card in hand.plays]),
        "n_history": len(hand.plays),
        "trick": [number_of(table[other]) if other in table else NOT_YET for other in range(4)],
        "bids": [bids.get(other, NOT_YET) for other in range(4)],
        "tricks": [winners.count(other) for other in range(4)],
        "voids": [mask_of([SUITS.index(suit) for suit in hand.shown_out(other)]) for other in range(4)],
        "history": [number_of(card) for _, card in hand.plays],
        "leaders": leaders,
        "winners": winners,
        "scores": game.scores,
        "bags": game.bags,
    }


def plain(view: Any, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the same fields of a real view as ints and lists, lists cut to the oracle's length.

    What lies behind must be empty.
    """
    found: dict[str, Any] = {}
    for name, expected in fields.items():
        value = view[name]
        if not isinstance(expected, list):
            found[name] = int(value)
            continue
        found[name] = [int(item) for item in value[: len(expected)]]
        rest = {int(item) for item in value[len(expected) :]}
        assert rest <= {0 if name in ("scores", "bags") else NOT_YET}, (name, value)
    return found
