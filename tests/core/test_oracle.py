"""The compiled engine plays the games that the oracle of tests/reference.py plays, decision by decision.

Games are random: rules, bids and cards. The counts at the end say that the rare things did happen in them.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from spadesim.core._jit import COMPILED
from spadesim.core.options import Option
from spadesim.core.rules import OPTIONS, PRESETS, Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.view import BIDDING, HAND_OVER, VIEW
from tests.core.cases import TABLES
from tests.core.table import bits, engine, name_of, names_of, new_table, plain, random_choice, seen_by
from tests.reference import Game, Hand, whole_pack

N_GAMES = 2000 if COMPILED else 16
MAX_HANDS = 4  # of a game that goes on and on

# Small numbers, so that games end, and end level, within a few hands.
NUMBERS: dict[str, list[int | None]] = {
    "nil_value": [100, 50, 0],
    "nil_penalty": [100, 50, 0],
    "trick_value": [10, 10, 0, 50],
    "overtrick_value": [1, 1, 0, -1, 10],
    "bag_limit": [10, 5, 2, 1, 0],
    "bag_penalty": [100, 50, 20],
    "boston_bonus": [0, 200],
    "target": [500, 100, 100, 50, 20, 1],
    "floor": [None, -200, -100, -50, -1],
    "max_hands": [0, 0, 0, 1, 2, 3],
}


def random_value(name: str, option: Option, random: np.random.Generator) -> Any:
    choices: Any = NUMBERS.get(name) or option.choices or [False, True]
    return choices[int(random.integers(len(choices)))]


def random_rules(random: np.random.Generator) -> Rules:
    """Return any rules at any table, every option one of a few values."""
    values = {name: random_value(name, option, random) for name, option in OPTIONS.items()}
    values.update(TABLES[int(random.integers(len(TABLES)))])
    for is_off, names in (
        (not values["nil_allowed"], ["nil_value", "nil_penalty"]),
        (not values["bag_limit"], ["bag_penalty"]),
        (values["floor"] is None, ["floor_inclusive"]),
        (values["spade_lead"] == "anytime", ["break_on"]),
    ):
        for name in names if is_off else []:
            del values[name]
    return Rules(**values)


def catch_up(hand: Hand) -> Iterator[int]:
    """Make the choices between one thing, which the engine makes unasked; the seats come back."""
    while not hand.is_over and len(hand.choices()) == 1:
        yield hand.seat_to_act()
        if hand.is_bidding:
            hand.bid(hand.choices()[0])  # type: ignore[arg-type]
        else:
            hand.play(str(hand.choices()[0]))


def check_decision(position: Any, hand: Hand) -> None:
    """Compare who decides, and between what."""
    assert position.turn == hand.seat_to_act()
    assert (position.phase == BIDDING) == hand.is_bidding
    legal: list[Any] = bits(position.legal) if hand.is_bidding else names_of(position.legal)
    assert legal == sorted(hand.choices(), key=legal.index)


def check_view(position: Any, game: Game, hand: Hand, seat: int, view: Any) -> None:
    """Compare what a seat sees with what the oracle says of the same moment."""
    engine.fill_view(position, seat, view)
    expected = seen_by(game, hand, seat)
    assert plain(view, expected) == expected
    assert view.rules == position.rules
    assert view.rng_key >= 0
    if seat == position.turn:
        assert view.legal == position.legal


def check_hand(position: Any, game: Game, hand: Hand) -> None:
    """Compare the finished hand's points before they are entered."""
    assert hand.is_over
    for side, result in enumerate(game.results(hand)):
        assert position.points[side] == result.points
        assert position.hand_bags[side] == result.new_bags
        assert position.contracts[side] == result.contract
        assert position.sets[side] == result.is_set
        assert position.periods[side] == result.n_penalties
        assert position.bostons[side] == result.is_boston


def play_hand(position: Any, game: Game, random: np.random.Generator, views: Any, seen: Counter[str]) -> None:
    """Play a hand at both tables."""
    rules = game.rules
    engine.start_hand(position)
    hand = game.new_hand([names_of(position.dealt[seat]) for seat in range(rules.players)])
    cards = [card for cards in hand.dealt for card in cards]
    assert len(set(cards)) == len(cards) == rules.hand_size * rules.players
    assert set(cards) <= set(whole_pack(rules))
    assert position.first_bidder == hand.first
    forced = [0] * 4
    while engine.advance(position) != HAND_OVER:
        for seat in catch_up(hand):
            forced[seat] += 1
        check_decision(position, hand)
        if random.random() < 0.06:
            seat = int(random.integers(rules.players))
            check_view(position, game, hand, seat, views[seat])
            seen["views"] += 1
        choice = random_choice(position, random)
        if hand.is_bidding:
            hand.bid(choice)
        else:
            hand.play(name_of(choice))
        engine.apply(position, choice)
    for seat in catch_up(hand):
        forced[seat] += 1
    check_view(position, game, hand, 0, views[0])
    assert [*position.n_forced] == forced
    check_hand(position, game, hand)
    enter(position, game, hand, seen)
    note(game, hand, seen)


def enter(position: Any, game: Game, hand: Hand, seen: Counter[str]) -> None:
    """Enter the hand at both tables, and compare the score sheets and how the games stand."""
    dealer = position.dealer
    found, expected = int(engine.end_hand(position)), game.enter(hand)
    assert {GOES_ON: "goes on", DRAW: "draw"}.get(found, str(found)) == expected
    sides = range(game.rules.n_sides)
    assert [position.scores[side] for side in sides] == game.scores
    assert [position.bags[side] for side in sides] == game.bags
    assert position.hand_no == game.n_hands
    assert position.dealer == (dealer + 1) % game.rules.players
    seen["won" if expected.isdigit() else expected] += 1


def note(game: Game, hand: Hand, seen: Counter[str]) -> None:
    """Count what the hand had to offer."""
    rules = game.rules
    seen["hands"] += 1
    seen["hands of extra_hand_decides after a tie"] += game.is_extra and rules.tie == "extra_hand_decides"
    seen["hands of extra_hand after a tie"] += game.is_extra and rules.tie == "extra_hand"
    seen["spades never broken"] += not hand.is_broken()
    nils = [seat for seat, bid in hand.bids if bid == 0]
    seen["nils made"] += sum(hand.won(seat) == 0 for seat in nils)
    seen["nils failed"] += sum(hand.won(seat) > 0 for seat in nils)
    seen["both partners nil"] += rules.teams == "partners" and ({0, 2} <= {*nils} or {1, 3} <= {*nils})
    seen["negative scores"] += min(game.scores) < 0
    seen["floors"] += rules.floor is not None and min(game.scores) <= rules.floor


def play_game(rules: Rules, number: int, random: np.random.Generator, seen: Counter[str]) -> None:
    position = new_table(rules, seed=5, index=number)
    assert rules.first_dealer != "fixed" or position.dealer == 0
    game = Game(rules, int(position.dealer))
    views = np.zeros(4, dtype=VIEW)
    before = seen["won"] + seen["draw"]
    while seen["won"] + seen["draw"] == before and game.n_hands < MAX_HANDS:
        play_hand(position, game, random, views, seen)
    seen["games"] += 1


def test_engine_equals_oracle() -> None:
    """Half of the games under the four presets, half under random rules, and everything rare among them.

    One test, because only one process can count what all the games had in them.
    """
    seen: Counter[str] = Counter()
    random = np.random.default_rng(0)
    presets = list(PRESETS.values())
    for number in range(N_GAMES):
        rules = presets[number // 2 % 4] if number % 2 else random_rules(random)
        try:
            play_game(rules, number, random, seen)
        except AssertionError as error:
            error.add_note(f"in game {number}, under {rules}")
            raise
    rare = {name: count for name, count in seen.items() if count < 5}
    assert not COMPILED or not rare, seen
