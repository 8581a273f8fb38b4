"""What cards tell beyond rows: a slow reading with lists, hands laid by hand, and what the scores say."""

import numpy as np
import pytest

from spadesim.core.batch import run_chunk
from spadesim.core.played import COLUMNS, read_plays
from spadesim.core.rows import AT_BID, AT_FIRST, Book, column, new_book, plays
from spadesim.core.rules import Rules
from spadesim.match.spec import make_spec
from spadesim.notation import parse_card
from spadesim.strategy import lineup, load_side
from tests.core.slow_played import Table
from tests.match.bots import GAMBLER, write_bot

TABLES = (
    "pata",
    "classic:target=200",
    "pata:failed_nil_tricks=ignore,break_on=offsuit_only",
    "pata:spade_lead=anytime",
    "draw500:floor=-300",
    "cutthroat3:target=150",
    "bicycle",
)


@pytest.fixture(scope="module", params=TABLES)
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Rules, Book]:
    """Some rules, and hands that were played by them."""
    bot = write_bot(tmp_path_factory.mktemp("bots"), "gambler", **GAMBLER)
    spec = make_spec("easy", bot, rules=request.param, games=12, hand_cap=3, first=5)
    book = new_book(2000, spec.rules.hand_size)
    bots = lineup(load_side(spec.a), load_side(spec.b), spec.rules)
    _, fault = run_chunk(bots, spec.rules, spec.task(spec.first, spec.units), None, None, book)
    assert fault["code"] == 0
    return spec.rules, book


def test_cards_tell_what_a_slow_reading_finds(table: tuple[Rules, Book]) -> None:
    rules, book = table
    found = read_plays(rules, column(book, "events"), plays(book))
    n, bids, first = rules.players, column(book, "bid"), column(book, "first_bidder")
    for start in range(0, len(bids), n):
        hand = slice(start, start + n)
        slow = Table(rules, bids[hand].tolist(), int(first[start]), plays(book)[hand].tolist())
        assert dict(zip(COLUMNS, found[:, hand].tolist(), strict=True)) == slow.read()


def test_causes_add_up_to_the_bags_of_the_scores(table: tuple[Rules, Book]) -> None:
    rules, book = table
    causes = read_plays(rules, column(book, "events"), plays(book))[:4].sum(axis=0)
    by_side = causes.reshape(-1, rules.players // rules.n_sides, rules.n_sides).sum(axis=1)
    bags = column(book, "new_bags").reshape(-1, rules.players)[:, : rules.n_sides]
    assert by_side.tolist() == bags.tolist()


def causes(
    bids: tuple[int, ...], tricks: list[str], winners: list[int], rules: str = "pata"
) -> dict[str, int]:
    """What a hand tells in all; a trick is the cards of seats 0 to 3, who leads to the first one."""
    cards = np.array([[parse_card(card) for card in trick.split()] for trick in tricks], dtype=np.uint8).T
    won = [sum(1 << k for k, winner in enumerate(winners) if winner == seat) for seat in range(len(bids))]
    events = np.array([won[seat] | bid << AT_BID | 0 << AT_FIRST for seat, bid in enumerate(bids)])
    found = read_plays(Rules.parse(rules), events, np.ascontiguousarray(cards)).sum(axis=1).tolist()
    return {name: number for name, number in zip(COLUMNS, found, strict=True) if number}


BEGIN = ["AC 2C 3C 4C", "2D AD 3D 4D"]  # won by seats 0 and 1: what both sides bid in the hands below
NOT_NEEDED = "KC 5C 6C 9C"  # led by seat 0, whose 2C would have lost to 9C


@pytest.mark.parametrize(
    ("tricks", "winners", "expected"),
    [
        # Seat 0 could have played 3H under 7H.
        ([*BEGIN, "KH 5H 6H 7H", "3H 2S 8H 9H"], [0, 1, 0, 1], {"bags_avoidable": 1, "bags_forced": 1}),
        # With AH as its other heart it could not.
        ([*BEGIN, "KH 5H 6H 7H", "AH 2S 8H 9H"], [0, 1, 0, 1], {"bags_forced": 2}),
        # Its partner would have won instead.
        ([*BEGIN, "KH 5H TH 7H", "3H 2S 8H 9H"], [0, 1, 0, 1], {"bags_forced": 2}),
        # The other side still wants its trick.
        (["AC 2D 3C 4C", NOT_NEEDED, "2C 3H 4H QH"], [0, 0, 0], {"bags_to_set": 1, "bags_forced": 1}),
        # All hearts of seat 1 are above 3H, and none of seat 2 is: with that lead others would have won.
        (
            [*BEGIN, "6D 5D 7C 8C", "KD 9C TC JC", "3H 4H 2H QC"],
            [0, 1, 0, 0, 1],
            {"bags_avoidable": 1, "bags_forced": 2},
        ),
        # With 9H the partner could have won.
        (
            [*BEGIN, "6D 5D 7C 8C", "KD 9C TC JC", "3H 4H 9H QC"],
            [0, 1, 0, 0, 2],
            {"bags_of_nil": 1, "bags_forced": 2},
        ),
        # Or could have ruffed.
        (
            [*BEGIN, "6D 5D 7C 8C", "KD 9C TC JC", "3H 4H 2S QC"],
            [0, 1, 0, 0, 2],
            {"bags_of_nil": 1, "bags_forced": 2},
        ),
        # Its partner would have won with the lower heart led, too.
        ([*BEGIN, "6D 5D 7C 8C", "KH 5H TH 7H", "3H 2S 8H 9H"], [0, 1, 0, 0, 1], {"bags_forced": 3}),
        # Spades of others fall, and one of the partner's.
        (["AS 2S KS 4C", "QS 3S 5C 4S"], [0, 0], {"bags_forced": 1, "spades_led": 2, "spades_drawn": 3}),
    ],
)
def test_hands_laid_by_hand(tricks: list[str], winners: list[int], expected: dict[str, int]) -> None:
    assert causes((1, 1, 0, 0), tricks, winners) == expected


@pytest.mark.parametrize(
    ("second", "rules", "is_broken"),
    [
        ("2D AD 3D 4D", "any_spade", False),
        ("2D 5S 3D 4D", "any_spade", True),
        ("2D 5S 3D 4D", "offsuit_only", True),
        ("7S 8S 3D 4D", "any_spade", True),
        ("7S 8S 3D 4D", "offsuit_only", False),
    ],
)
def test_a_spade_is_led_once_they_are_broken(second: str, rules: str, is_broken: bool) -> None:
    """Seat 0 leads KD, and might have led 2S to the 4S of seat 1 had it been allowed to."""
    tricks = ["AC 2C 3C 4C", second, "6D 5D 7C 8C", "KD 9C TC JC", "2S 4S 3H QC"]
    found = causes((1, 1, 0, 0), tricks, [0, 1, 0, 0, 1], f"pata:break_on={rules}")
    assert found.get("bags_avoidable", 0) == is_broken
    assert found["bags_forced"] == 3 - is_broken


def test_a_bag_against_a_contract_that_is_lost_sets_nobody() -> None:
    tricks = ["AC 2D 3C 4C", NOT_NEEDED, "2C 3H 4H QH"]
    assert causes((1, 3, 0, 0), tricks, [0, 0, 0]) == {"bags_avoidable": 1, "bags_forced": 1}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [("bags", {"bags_of_nil": 1}), ("help", {"bags_forced": 1}), ("ignore", {})],
)
def test_bags_of_a_failed_nil_count_by_the_rules(rules: str, expected: dict[str, int]) -> None:
    """Seat 2's nil wins the first trick, and seat 0, which bid 1, the last one."""
    found = causes((1, 1, 0, 1), ["2C 3C AC 4C", "KC QC JC TC"], [2, 0], f"pata:failed_nil_tricks={rules}")
    assert found == expected
