"""OpenSpiel's spades against the engine: legal actions, tricks and a hand's points.

Known differences (OpenSpiel 2.0): there spades are never broken, so that a spade is led from a hand of spades
alone; partners may not bid more than 13 together; the tricks of a failed nil help the partner; seat 0 always
begins; bags are read off the last digit of the score, which is right for the first hand only.
"""

from typing import Any

import numpy as np
import pytest

from spadesim.core._jit import COMPILED, jit
from spadesim.core.rules import Rules
from spadesim.core.trick import legal_cards
from spadesim.core.view import BIDDING, HAND_OVER, PLAYING
from tests.core.table import bits, engine, mask_of, new_table, number_of

RULES = Rules(failed_nil_tricks="help", start_role="rotating_first_bidder", first_dealer="fixed")
FIRST_BID = 52  # OpenSpiel's action for a nil; a bid of n is n more
N_HANDS = 2000 if COMPILED else 20

# The hand of OpenSpiel's own playthrough (integration_tests/playthroughs/spades.txt), seats N E S W.
DEAL = """
N: S K82   H K64    D 9852   C AQT
E: S AT4   H 2      D AKQ764 C 853
S: S QJ753 H QJ53   D -      C K642
W: S 96    H AT987  D JT3    C J97
"""
BIDS = {"N": 2, "E": 12, "S": 5, "W": 1}
PLAY = """
[N] D8 D6 S5 DJ / [S] HJ H8 HK H2 / [N] D9 DK HQ DT / [E] C8 C6 CJ CT / [W] H7 H6 ST H3
[E] C3 CK C7 CA / [N] CQ C5 C2 C9 / [N] H4 S4 H5 H9 / [E] D4 SJ D3 D2 / [S] C4 HA S8 DQ
[N] D5 D7 SQ HT / [S] S3 S6 S2 SA / [E] DA S7 S9 SK
"""


@pytest.fixture(scope="module")
def spades() -> Any:
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed here (extra dev)")
    return pyspiel.load_game("spades")


def begin(hands: list[int]) -> Any:
    """Return our table with the given hands, seat 0 to bid first."""
    position = new_table(RULES)
    engine.deal_hands(position, np.array(hands))
    return position


def dealt(state: Any, cards: Any) -> list[int]:
    """Deal at OpenSpiel's table, card by card round the table, and return the hands."""
    hands = [0] * 4
    for place, card in enumerate(cards):
        state.apply_action(int(card))
        hands[place % 4] |= 1 << int(card)
    return hands


@jit
def legal_now(position: Any, broken: int) -> int:
    """Return the legal cards of the seat in turn, were spades broken or not."""
    hand = position.hands[position.turn]
    return legal_cards(position.rules, hand, position.led_suit, broken)


def check_bids(position: Any, state: Any) -> None:
    """There every bid of ours is legal up to 13 for both partners."""
    partner = int(position.bids[(position.turn + 2) % 4])
    ours = [bid for bid in bits(engine.legal_bids(position)) if bid + max(partner, 0) <= 13]
    assert [action - FIRST_BID for action in state.legal_actions()] == ours


def check_cards(position: Any, state: Any, seen: dict[str, int]) -> None:
    """There the same cards are legal as here while spades are unbroken."""
    ours, unbroken = legal_now(position, position.broken), legal_now(position, 0)
    assert mask_of(state.legal_actions()) == unbroken
    if ours != unbroken:
        assert (position.n_in_trick, position.broken) == (0, 1)
        assert ours == position.hands[position.turn]
        seen["spade leads that are legal here alone"] += 1
    seen["turns"] += 1


def play_beside(spades: Any, random: np.random.Generator, seen: dict[str, int]) -> None:
    """Play a random hand at both tables."""
    state = spades.new_initial_state()
    position = begin(dealt(state, random.permutation(52)))
    while position.phase != HAND_OVER:
        assert state.current_player() == position.turn
        if position.phase == BIDDING:
            check_bids(position, state)
            legal = [action for action in state.legal_actions() if action <= FIRST_BID + 5]
        else:
            check_cards(position, state, seen)
            legal = state.legal_actions()
        action = int(random.choice(legal))
        state.apply_action(action)
        engine.apply(position, action - FIRST_BID if action >= FIRST_BID else action)
    assert state.is_terminal()
    check_points(position, state, seen)


def check_points(position: Any, state: Any, seen: dict[str, int]) -> None:
    """Both sides' points; in a game's first hand even the bags agree."""
    assert [int(score) for score in state.get_current_scores()] == [
        int(score) for score in position.points[:2]
    ]
    for seat in range(4):
        if position.bids[seat] == 0:
            seen["nils made" if position.tricks[seat] == 0 else "nils failed"] += 1
    for side in range(2):
        seen["sets"] += int(position.sets[side])
        seen["contracts made"] += int(position.contracts[side] > 0 and not position.sets[side])
        seen["bag penalties"] += int(position.periods[side])


def test_random_hands_go_the_same_way(spades: Any) -> None:
    random, seen = np.random.default_rng(17), dict.fromkeys(
        ("turns", "spade leads that are legal here alone", "nils made", "nils failed", "sets",
         "contracts made", "bag penalties"), 0,
    )  # fmt: skip
    for _ in range(N_HANDS):
        play_beside(spades, random, seen)
    assert seen["turns"] == 52 * N_HANDS
    if COMPILED:
        assert min(seen.values()) >= 10, seen


# ------------------------------------------------------------------------------------------ the known hand


def hands_of(text: str) -> list[int]:
    """Return the hands of a text like `DEAL`."""
    hands = []
    for line in text.strip().splitlines():
        words = line.split()[1:]
        suits = zip(words[::2], words[1::2], strict=True)
        hands.append(
            mask_of([number_of(rank + suit) for suit, ranks in suits for rank in ranks if rank != "-"])
        )
    return hands


def tricks_of(text: str) -> list[tuple[int, list[int]]]:
    """Return leader and cards of every trick of a text like `PLAY`."""
    tricks = []
    for part in text.strip().replace("\n", " / ").split(" / "):
        leader, *cards = part.split()
        tricks.append(("NESW".index(leader[1]), [number_of(card[1] + card[0]) for card in cards]))
    return tricks


def test_the_known_hand_is_played_and_scored_as_published() -> None:
    position = begin(hands_of(DEAL))
    for bid in BIDS.values():
        engine.apply(position, bid)
    assert position.phase == PLAYING
    for leader, cards in tricks_of(PLAY):
        assert position.turn == leader
        for card in cards:
            assert legal_now(position, position.broken) >> card & 1
            engine.apply(position, card)
    assert position.phase == HAND_OVER
    assert "".join("NESW"[seat] for seat in position.winners[:13]) == "SNEWENNESNSEN"
    assert [*position.tricks] == [5, 4, 3, 1]
    assert [*position.points[:2]] == [71, -130]


def test_the_known_hand_has_the_same_score_there(spades: Any) -> None:
    state = spades.new_initial_state()
    hands = [bits(hand) for hand in hands_of(DEAL)]
    dealt(state, [hands[place % 4][place // 4] for place in range(52)])
    for bid in BIDS.values():
        state.apply_action(FIRST_BID + bid)
    for _, cards in tricks_of(PLAY):
        for card in cards:
            assert card in state.legal_actions()
            state.apply_action(card)
    assert [*state.get_current_scores()] == [71, -130]
