"""Expressions against a plain reading of the same hands, one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spadesim.core.rules import Rules
from spadesim.expressions import Known, compile_value, compile_where
from spadesim.notation import SUITS, card_text, cards_in

HANDS = 400
RANKS = "23456789TJQKA"


def dealt(n_hands: int, rules: Rules) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Hands of whole deals, a row a seat."""
    random = np.random.default_rng(7)
    pack = [card for card in range(52) if rules.deck == "std52" or card]
    rows = []
    for _ in range(n_hands):
        order = random.permutation(pack)
        for seat in range(rules.players):
            mine = order[seat * rules.hand_size : (seat + 1) * rules.hand_size]
            rows.append(sum(1 << int(card) for card in mine))
    return np.array(rows, dtype=np.int64)


def rows_of(rules: Rules) -> dict[str, Any]:
    random = np.random.default_rng(11)
    n, seats = HANDS, rules.players
    size = n * seats

    def of_hand(low: int, high: int, dtype: Any) -> Any:
        return np.repeat(random.integers(low, high, n), seats).astype(dtype)

    return {
        "cards": dealt(n, rules),
        "bid": random.integers(0, 5, size).astype(np.int8),
        "tricks": random.integers(0, 5, size).astype(np.int8),
        "score": random.integers(-300, 500, size).astype(np.int32),
        "is_set": random.integers(0, 2, size).astype(np.int8),
        "won": random.integers(0, 1 << 13, size).astype(np.int32),
        "first_bidder": of_hand(0, seats, np.int8),
        "dealer": of_hand(0, seats, np.int8),
        "seat": np.tile(np.arange(seats, dtype=np.int8), n),
        "role": np.tile(np.array([0, 2, 1, 3][:seats], np.int8), n),
        "hand": of_hand(1, 9, np.int32),
    }


COLUMNS = rows_of(Rules())
KNOWN = Known.of_rows(Rules(), COLUMNS, ("easy", "easy", "hard:king=0.7", "hard"))


class Row:
    """A row as a player would look at it."""

    def __init__(self, number: int) -> None:
        self.hand, self.seat = divmod(number, 4)

    def of(self, name: str, seat: int) -> int:
        return int(COLUMNS[name][4 * self.hand + seat % 4])

    def me(self, name: str, away: int = 0) -> int:
        return self.of(name, self.seat + away)

    def suit(self, letter: str, away: int = 0) -> str:
        held = [card_text(card) for card in cards_in(self.me("cards", away))]
        return "".join(card[0] for card in held if card[1] == letter)

    def lengths(self, away: int = 0) -> list[int]:
        return [len(self.suit(letter, away)) for letter in SUITS]

    def cards(self, away: int = 0) -> str:
        return " ".join(card_text(card) for card in cards_in(self.me("cards", away)))


CONDITIONS: dict[str, Callable[[Row], bool]] = {
    "spades >= 4 and bid == 0": lambda row: len(row.suit("S")) >= 4 and row.me("bid") == 0,
    "spades(n) >= 5 or void(n)": lambda row: (
        len(row.suit("S", -row.seat)) >= 5 or 0 in row.lengths(-row.seat)
    ),
    "not spades(Partner) < 4": lambda row: len(row.suit("S", 2)) >= 4,
    "2 <= hearts(left) <= 3": lambda row: 2 <= len(row.suit("H", 1)) <= 3,
    "clubs > diamonds(right)": lambda row: len(row.suit("C")) > len(row.suit("D", 3)),
    "void(hearts) or singleton(me, clubs)": lambda row: not row.suit("H") or len(row.suit("C")) == 1,
    "doubleton": lambda row: 2 in row.lengths(),
    "has('AK of spades')": lambda row: row.suit("S").startswith("AK"),
    "has(us, 'AS, QJ of hearts')": lambda row: all(
        card in row.cards() + " " + row.cards(2) for card in ("AS", "QH", "JH")
    ),
    "holds(left, 'AKQ of hearts') == 2": lambda row: sum(rank in row.suit("H", 1) for rank in "AKQ") == 2,
    "bid(partner) + bid >= 7": lambda row: row.me("bid") + row.me("bid", 2) >= 7,
    "bid - tricks(opponents) < -2": lambda row: (
        row.me("bid") - row.me("tricks", 1) - row.me("tricks", 3) < -2
    ),
    "tricks(ns) > tricks(ew)": lambda row: (
        row.of("tricks", 0) + row.of("tricks", 2) > row.of("tricks", 1) + row.of("tricks", 3)
    ),
    "nil": lambda row: row.me("bid") == 0,
    "nil_made and not nil_set(partner)": lambda row: (
        row.me("bid") == row.me("tricks") == 0 and not (row.me("bid", 2) == 0 and row.me("tricks", 2) > 0)
    ),
    "nil_set(opponents)": lambda row: any(
        row.me("bid", away) == 0 and row.me("tricks", away) > 0 for away in (1, 3)
    ),
    "score > opponents_score": lambda row: row.me("score") > max(row.me("score", 1), row.me("score", 3)),
    "score // 100 == -1 or score % 100 == 7": lambda row: (
        row.me("score") // 100 == -1 or row.me("score") % 100 == 7
    ),
    "score * 100000 > 40000000": lambda row: row.me("score") > 400,
    "spades - hearts < -3": lambda row: len(row.suit("S")) - len(row.suit("H")) < -3,
    "bid * 100 - 300 == 0": lambda row: row.me("bid") == 3,
    "abs(bid - tricks) >= 3": lambda row: abs(row.me("bid") - row.me("tricks")) >= 3,
    "max(spades, hearts, 5) == 5 and min(bid, tricks) == 1": lambda row: (
        max(len(row.suit("S")), len(row.suit("H"))) <= 5 and min(row.me("bid"), row.me("tricks")) == 1
    ),
    "bid in (1, 3)": lambda row: row.me("bid") in (1, 3),
    "bid not in [1, 3]": lambda row: row.me("bid") not in (1, 3),
    "any(bid == 0)": lambda row: any(row.of("bid", seat) == 0 for seat in range(4)),
    "all(tricks(partner) + bid > 1)": lambda row: all(
        row.of("tricks", seat + 2) + row.of("bid", seat) > 1 for seat in range(4)
    ),
    "count(spades >= 4) == 2": lambda row: sum(len(row.suit("S", away)) >= 4 for away in range(4)) == 2,
    "first or last(partner)": lambda row: (row.seat - row.me("first_bidder")) % 4 in (0, 1),
    "place == 2 and dealer == left": lambda row: (
        (row.seat - row.me("first_bidder")) % 4 == 2 and row.me("dealer") == (row.seat + 1) % 4
    ),
    "seat == South": lambda row: row.seat == 2,
    "made and set(opponents)": lambda row: (
        not row.me("is_set") and bool(row.me("is_set", 1) or row.me("is_set", 3))
    ),
    "won(13) or won(left, 1)": lambda row: bool(row.me("won") >> 12 & 1 or row.me("won", 1) & 1),
    "highest(spades) == ace": lambda row: "A" in row.suit("S"),
    "lowest(partner, clubs) in (0, 2)": lambda row: row.suit("C", 2)[-1:] in ("", "2"),
    "longest - shortest >= 5": lambda row: max(row.lengths()) - min(row.lengths()) >= 5,
    "longest(us) <= 8": lambda row: (
        max(mine + theirs for mine, theirs in zip(row.lengths(), row.lengths(2), strict=True)) <= 8
    ),
    "high(me) > 6 and high == high_cards": lambda row: sum(row.cards().count(rank) for rank in "AKQJ") > 6,
    "high_cards(spades) == 2": lambda row: sum(rank in row.suit("S") for rank in "AKQJ") == 2,
    "aces + kings(left) == jacks(partner)": lambda row: (
        row.cards().count("A") + row.cards(1).count("K") == row.cards(2).count("J")
    ),
    "hcp >= 12": lambda row: (
        sum(points * row.cards().count(rank) for rank, points in zip("AKQJ", (4, 3, 2, 1), strict=True)) >= 12
    ),
    "side == 'b'": lambda row: row.seat % 2 == 1,
    "bot != 'easy'": lambda row: row.seat % 2 == 1,
    "bot == 'hard'": lambda row: row.seat == 3,
    "'easy' == bot or bot in ('hard:king=0.7', 'easy')": lambda row: row.seat != 3,
    "void(n) + void(e) + void(s) >= 1": lambda row: any(
        0 in row.lengths(seat - row.seat) for seat in (0, 1, 2)
    ),
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_condition(text: str) -> None:
    where = compile_where(text, KNOWN)
    found = where({name: COLUMNS[name] for name in where.needs}, 4)
    assert found.dtype == bool
    expected = [CONDITIONS[text](Row(number)) for number in range(4 * HANDS)]
    assert found.tolist() == expected
    assert any(expected), "nothing is tested where it is never so"
    assert not all(expected)


def test_numbers() -> None:
    value = compile_value("bid - tricks", KNOWN)
    assert (value.low, value.high) == (-13, 13)
    expected = COLUMNS["bid"].astype(int) - COLUMNS["tricks"]
    assert (value(COLUMNS, 4) == expected).all()
    assert set(compile_value("nil", KNOWN)(COLUMNS, 4)) == {0, 1}


def test_any_other_column_of_a_run() -> None:
    known = Known.of_rows(Rules(), ("bid", "low_cards"))
    columns = {"low_cards": np.array([1, 2, 3, 4])}
    assert compile_value("low_cards - low_cards(left)", known)(columns, 4).tolist() == [-1, -1, -1, 3]


def test_every_value_lies_in_its_range() -> None:
    for text in ("longest", "shortest", "hcp", "highest(spades)", "spades(us) - 3", "-score", "count(nil)"):
        value = compile_value(text, KNOWN)
        found = value(COLUMNS, 4)
        assert value.low <= found.min() <= found.max() <= value.high


def test_long_tables_are_gone_through_in_blocks() -> None:
    times = 60
    many = {name: np.tile(values, times) for name, values in COLUMNS.items()}
    where = compile_where("bid(partner) == 0 and hearts >= 4", KNOWN)
    assert (where(many, 4) == np.tile(where(COLUMNS, 4), times)).all()


def test_a_fresh_deal_has_one_answer() -> None:
    known = Known.of_deals(Rules())
    columns = {name: COLUMNS[name] for name in ("cards", "first_bidder", "dealer")}
    where = compile_where("spades(n) >= 5 and void(s) or dealer == w and first(n)", known)
    found = where(columns, 4)
    expected = [
        (len(row.suit("S")) >= 5 and 0 in row.lengths(2))
        or (row.me("dealer") == 3 and row.me("first_bidder") == 0)
        for row in (Row(4 * hand) for hand in range(HANDS))
    ]
    assert found.tolist() == expected
    freak = compile_where("any(spades >= 6 and void(left))", known)(columns, 4)
    rows = [[Row(4 * hand + seat) for seat in range(4)] for hand in range(HANDS)]
    assert freak.tolist() == [
        any(len(row.suit("S")) >= 6 and 0 in row.lengths(1) for row in hand) for hand in rows
    ]


def test_three_players() -> None:
    rules = Rules.parse("cutthroat3")
    columns = rows_of(rules)
    known = Known.of_rows(rules, columns, ("easy", "easy", "hard", "hard"))
    found = compile_where("bid(left) + bid(right) == bid(opponents) and bid(left) != bid(right)", known)
    bids = columns["bid"].reshape(-1, 3)
    left, right = np.roll(bids, -1, axis=1), np.roll(bids, 1, axis=1)
    assert (found(columns, 3).reshape(-1, 3) == (left != right)).all()
    assert compile_value("spades", known).high == 13
    assert compile_value("longest", known).low == 5


def test_two_players() -> None:
    rules = Rules.parse("draw300")
    known = Known.of_rows(rules, ["cards", "bid", "kept"], ("easy",) * 4)
    columns = {"cards": np.array([1, 2]), "bid": np.array([3, 4]), "kept": np.array([0b1011, 0])}
    for other in ("left", "right", "opponents"):
        assert compile_value(f"bid({other})", known)(columns, 2).tolist() == [4, 3]
    assert compile_value("kept", known)(columns, 2).tolist() == [3, 0]
