"""Bots in situations: what an example leaves open is dealt anew, and what contradicts itself is refused."""

# An example and what is said about it are easiest to compare on one line.
# ruff: noqa: E501

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spadesim.core.trick import trick_winner
from spadesim.notation import card_text, mask_of, parse_cards
from spadesim.rulebook import parse_examples
from spadesim.rulebook.neutral import neutral_tricks
from spadesim.rulebook.situations import bidding, playing
from spadesim.rulebook.standing import N_DEALS, views
from tests.match.bots import write_bot
from tests.rulebook.files import complaint, mistake, mistakes, one, run

pytestmark = pytest.mark.compiled_only

ALL = (1 << 52) - 1
PLAYED = """played: [{leader: 1, cards: [3H, 9H, 4H, 2H]},
                     {leader: 2, cards: [2C, 5C, 6C, KC]},
                     {leader: 1, cards: [7D, 8D, 2S, 9D]}]"""
HAND = "[KH, QH, 5D, 4D, 3D, 7C, 8C, 9C, TC, 3S]"


def tip(given: str, expect: str = "{card: KH}") -> str:
    return one("tip_play", f"{{levels: [lowest_card], {given}}}", expect)


def view_of(given: str) -> Any:
    (example,) = parse_examples(one("tip_play", f"{{levels: [easy], {given}}}", "{card: KH}"), "my.yaml")
    return views(example, playing(example), 3)


def test_the_view_after_given_tricks() -> None:
    seen = view_of(f"hand: {HAND}, seat: 0, leader: 3, trick: [AH], {PLAYED}, bids: [1, 2, 3, 4]")
    view = seen[0]
    assert view["hand"] == mask_of(parse_cards(HAND[1:-1]))
    assert view["tricks"].tolist() == [0, 1, 1, 1]
    assert (view["trick_no"], view["leader"], view["first_bidder"], view["dealer"]) == (3, 3, 1, 0)
    assert view["broken"] == 1
    assert view["voids"].tolist() == [0, 0, 0, 2]  # seat 3 ruffed a diamond
    assert [card_text(card) for card in view["history"][:4]] == ["3H", "9H", "4H", "2H"]
    assert view["winners"][:3].tolist() == [2, 1, 3]
    assert view["bids"].tolist() == [1, 2, 3, 4]
    assert [card_text(card) for card in parse_cards("KH QH") if int(view["legal"]) >> card & 1] == [
        "KH",
        "QH",
    ]
    assert len({int(each["rng_key"]) for each in seen}) == 3


def test_the_view_after_neutral_tricks() -> None:
    given = "hand: [KH, 2H, 5C], seat: 0, trick: [3H, 9H, 4H], tricks_won: [3, 4, 0, 3], broken: true, scores: [40, -50], bags: [3, 9]"
    histories = set()
    for view in view_of(given):
        assert view["tricks"].tolist() == [3, 4, 0, 3]
        assert (view["trick_no"], view["leader"], view["seat"], view["broken"]) == (10, 1, 0, 1)
        assert view["voids"].tolist() == [0, 0, 0, 0]
        assert view["scores"][:2].tolist() == [40, -50]
        assert view["bags"][:2].tolist() == [3, 9]
        assert int(view["played"]).bit_count() == 43
        assert not int(view["played"]) & int(view["hand"])
        assert int(view["winners"][9]) == 1
        histories.add(tuple(view["history"].tolist()))
    assert len(histories) == 3


@pytest.mark.parametrize("broken", [True, False])
@pytest.mark.parametrize("n_cards", [12, 2])
def test_spades_are_broken_as_the_example_says(broken: bool, n_cards: int) -> None:
    hand = ["KH", "2H", "5C", "4D", "6D", "7D", "8D", "3C", "4C", "6C", "7C", "8C"][:n_cards]
    given = f"{{levels: [easy], hand: [{', '.join(hand)}], trick: [9H], broken: {str(broken).lower()}}}"
    (example,) = parse_examples(one("tip_play", given, "{card: KH}"), "my.yaml")
    assert set(views(example, playing(example))["broken"].tolist()) == {int(broken)}


@pytest.mark.parametrize("number", range(20))
@pytest.mark.parametrize(
    ("won", "leader", "broken"), [([3, 4, 0, 3], 1, True), ([0, 0, 7, 0], 2, False), ([4, 4, 2, 2], 0, True)]
)
def test_neutral_tricks_are_won_as_they_are_to_be(
    won: list[int], leader: int, broken: bool, number: int
) -> None:
    pool = ALL & ~mask_of(parse_cards("KH 3H 9H 4H"))
    tricks = neutral_tricks(pool, won, leader, broken, number)
    assert tricks == neutral_tricks(pool, won, leader, broken, number)
    cards = [card for _, trick in tricks for card in trick]
    assert len(set(cards)) == 4 * sum(won)
    assert not mask_of(cards) & ~pool
    winners: list[int] = []
    for leads, trick in tricks:
        assert not winners or leads == winners[-1]
        by_seat = np.array([trick[(seat - leads) % 4] for seat in range(4)])
        winners.append(int(trick_winner(by_seat, leads, 4)))
    assert [winners.count(seat) for seat in range(4)] == won
    assert winners[-1] == leader
    if not broken:
        assert max(cards) < 39
        assert all(len({card // 13 for card in trick}) == 1 for _, trick in tricks)


def test_the_view_of_a_bidder() -> None:
    text = one(
        "tip_bid", "{levels: [easy], hand: AKT2.AK3.A54.432, seat: 1, bids: [4, null, null, 3]}", "{bid: 5}"
    )
    (example,) = parse_examples(text, "my.yaml")
    seen = views(example, bidding(example))
    assert len(seen) == N_DEALS
    assert seen[0]["bids"].tolist() == [4, -1, -1, 3]
    assert (seen[0]["first_bidder"], seen[0]["seat"], seen[0]["legal"]) == (3, 1, (1 << 14) - 1)


def test_a_bot_whose_answer_changes_fails() -> None:
    found = complaint(
        one(
            "tip_play",
            "{levels: [random_legal], hand: [KH, 4H, 2S], trick: [9H], broken: true}",
            "{card: KH}",
        )
    )
    assert "random_legal plays " in found
    assert ", but with other cards where the example leaves them open " in found


def test_a_bot_that_remembers_what_was_open_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_bot(
        tmp_path,
        "historian",
        play="return lowest(view.legal & (view.legal - 1)) if view.history[0] & 1 else lowest(view.legal)",
    )
    given = "{levels: [./historian.py], hand: [KH, 4H, 2S], trick: [9H], broken: true}"
    assert "with other cards where the example leaves them open" in complaint(
        one("tip_play", given, "{card: KH}")
    )
    given = f"{{levels: [./historian.py], hand: {HAND}, leader: 3, trick: [AH, 5H, 6H], {PLAYED}}}"
    assert run(one("tip_play", given, "{card_in: [KH, QH]}")).passed


def test_a_bot_that_breaks_the_rules_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path, "cheat", bid="return 14", play="return 51")
    found = complaint(
        one("tip_play", "{levels: [./cheat.py], hand: [KH, 4H, 2S], trick: [9H], broken: true}", "{card: KH}")
    )
    assert found == "my.yaml:3: X-1: ./cheat.py plays AS, which is not legal; legal: KH 4H"
    found = complaint(one("ai_table", "{bot: ./cheat.py, deal: round_robin}", "{bids: [1, 1, 1, 1]}"))
    assert found.startswith("my.yaml:3: X-1: ./cheat.py bids 14, which is not legal; legal: 0 1 2 3")


def test_a_bot_that_raises_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path, "faulty", bid="return 5 // (view.n_in_trick * 0)")
    found = complaint(one("ai_bid", "{bot: ./faulty.py, hand: AKT2.AK3.A54.432}", "{bid: 1}"))
    assert found.startswith("my.yaml:3: X-1: ./faulty.py raises ZeroDivisionError")


def test_a_bot_may_have_settings() -> None:
    given = "{levels: ['easy:ace=2', easy], hand: AKT2.AK3.A54.432}"
    assert complaint(one("tip_bid", given, "{bid: 7}")) == "my.yaml:3: X-1: easy: bid should be 7, but is 5"
    given = "{bot: 'easy:ace=2', easy_zero: nil, hand: 432.5432.432.432}"
    assert run(one("ai_bid", given, "{bid: 0}")).passed


def test_an_unknown_bot_is_a_mistake_of_its_line() -> None:
    found = mistake(
        "- id: X-1\n  kind: tip_bid\n  given:\n    hand: AKT2.AK3.A54.432\n    levels:\n    - easy\n    - hadr\n  expect: {bid: 5}\n"
    )
    assert found.startswith("my.yaml:7: X-1: There is no strategy 'hadr'. Did you mean 'hard'?")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (one("tip_bid", "{levels: [easy], hand: AKT2.AK3.A54.43}", "{bid: 5}"), "given.hand has 12 cards, but before the first trick it is 13."),
        (one("tip_bid", "{levels: [easy], hand: AKT2.AK3.A54.432, bids: [3, null, null, null]}", "{bid: 5}"), "seat 0 is to bid: its place in given.bids must be null."),
        (one("tip_bid", "{levels: [easy], hand: AKT2.AK3.A54.432, bids: [null, 3, null, 2]}", "{bid: 5}"), "bids are made clockwise: with 2 made and seat 0 to bid, they must be those of seats 2 and 3."),
        (one("tip_bid", "{levels: [easy], hand: AKT2.AK3.A54.432, bids: [null, null, null]}", "{bid: 5}"), "given.bids has 3 values"),
        (one("tip_bid", "{levels: [easy], hand: AKT2.AK3.A54.432, bids: [null, null, null, 14]}", "{bid: 5}"), "14 is no bid under these rules"),
        (one("tip_bid", "{levels: [easy], hand: AKT2.AK3.A54.432, scores: [500, 20]}", "{bid: 5}"), "with given.scores the game is over"),
        (one("tip_bid", "{levels: [easy], hand: AKT2.AK3.A54.432, bags: [10, 0]}", "{bid: 5}"), "a count is at most 9"),
        (one("tip_bid", "{levels: [easy], hand: AKT2.AK3.A54.432}", "{bid: 14}"), "my.yaml:3: X-1: 14 is not legal there; legal: 0 1 2"),
        (tip("hand: [KH, 2H], trick: [3H], broken: true, trick_no: 11"), "given.hand has 2 cards, but in trick 11 it is 3."),
        (tip("hand: [KH, 2H], trick: [3H, KH], broken: true"), "KH is in given.hand and in given.trick."),
        (tip("hand: [KH, 2H], trick: [3H], broken: true, seat: 2, leader: 0"), "with 1 cards in the trick and seat 2 to play, seat 1 led."),
        (tip("hand: [KH, 2H], trick: [3H], broken: true, bids: [3, null, 3, 3]"), "everybody has bid before the first card: given.bids has a null."),
        (tip("hand: [KH, 2H], trick: [3H]"), "given lacks 'broken': true or false, or the tricks as 'played'."),
        (tip("hand: [KH, 2H], trick: [3H, 4S], broken: false"), "4S in given.trick breaks spades: given.broken must be true."),
        (tip("hand: [KH, 2H], trick: [3H], broken: true, tricks_won: [1, 2, 3, 4]"), "given.tricks_won add up to 10, but before trick 12 there are 11."),
        (tip("hand: [KH, 2H], trick: [3H], broken: true, tricks_won: [0, 5, 3, 3]"), "seat 0 leads trick 12, so it has won the one before."),
        (tip("hand: [KH, 2H], trick: [3H], broken: true, tricks_won: [8, 3]"), "given.tricks_won has 2 values"),
        (tip("hand: [KH, 2H], trick: [3H], broken: true", "{card: 3C}"), "my.yaml:3: X-1: 3C is not legal there; legal: KH 2H."),
        (tip("hand: [KH, 2S], trick: [3H], broken: true", "{card_in: [KH, 2S]}"), "2S is not legal there; legal: KH."),
        (tip("hand: [KH, 2S], trick: [], broken: true", "{card_must: win}"), "card_must needs a trick with cards in it."),
        (tip("hand: [KH, 2H], trick: [AH], broken: true", "{card_must: win}"), "no legal card would win there."),
        (tip(f"hand: {HAND}, trick: [AH, 5H], {PLAYED}"), "seat 3 wins the last of given.played, but seat 0 leads next."),
        (tip(f"hand: {HAND}, leader: 3, trick: [], seat: 3, {PLAYED}"), "given.played, trick 3: seat 3 plays 2S and does not follow suit, but it has 5D."),
        (tip(f"hand: [KH, QH], leader: 3, trick: [AH, 5H, 6H], {PLAYED}"), "given.played has 3 tricks, but this is trick 12 (the hand has 2 cards)."),
        (tip(f"hand: {HAND.replace('KH', 'KC')}, leader: 3, trick: [AH, 5H, 6H], {PLAYED}"), "KC is in given.hand, but was played before."),
        (tip(f"hand: {HAND}, leader: 3, trick: [9H, 5H, 6H], {PLAYED}"), "9H is in given.trick, but was played before."),
        (tip(f"hand: {HAND}, leader: 3, trick: [AD, 5D, 6H], {PLAYED}"), "5D is in given.hand and in given.trick."),
        (tip(f"hand: {HAND}, leader: 3, trick: [AH, 5H, 6H], {PLAYED}, broken: false"), "given.broken must be true after given.played."),
        (tip(f"hand: {HAND}, leader: 3, trick: [AH, 5H, 6H], {PLAYED}, tricks_won: [3, 0, 0, 0]"), "given.tricks_won must be [0, 1, 1, 1] after given.played."),
        (tip(f"hand: {HAND}, leader: 3, trick: [AD, 5H, 6H], {PLAYED}"), "given.played, trick 3: seat 3 plays 2S and does not follow suit, but it has AD."),
        (tip(f"hand: {HAND}, leader: 3, trick: [AH, 5H, 6H], {PLAYED.replace('leader: 2', 'leader: 3')}"), "my.yaml:3: X-1: given.played, trick 2 is led by seat 3, but seat 2 won the trick before."),
        (tip(f"hand: {HAND}, leader: 3, trick: [AH, 5H, 6H], {PLAYED.replace(', 2H]', ']')}"), "given.played, trick 1 has 3 cards, not 4."),
        (tip("hand: AK..AKQJT9.AKQJ, leader: 1, trick: [3H, 4H, 5H], played: [{leader: 1, cards: [2S, 9S, 4S, 3S]}]"), "given.played, trick 1: seat 1 leads 2S before spades are broken."),
        (tip("hand: AKQ.32.432.5432, leader: 1, trick: [4S, 4H, 5H], played: [{leader: 3, cards: [6D, 5D, 9D, 7D]}]"), "given.trick: seat 1 leads 4S before spades are broken."),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_refused(text: str, words: str) -> None:
    (found,) = mistakes(text)
    assert words in found


def test_cards_that_can_lie_nowhere_are_refused() -> None:
    # Nobody else has followed the heart: the hearts that are left lie with nobody.
    given = "{levels: [easy], hand: 5432.432.432.32, seat: 0, trick: [], broken: false, played: [{leader: 0, cards: [5H, 5C, 6C, 7C]}]}"
    words = "the cards that are left cannot be dealt so that everybody has played by the rules."
    assert words in mistake(one("tip_play", given, "{card: 2C}"))


@pytest.mark.parametrize("hand", ["[]", "[2C, 3C, 4C, 5C, 6C, 7C, 8C, 9C, TC, JC, QC, KC, AC, 2D]"])
def test_a_hand_of_no_size(hand: str) -> None:
    text = one("ai_play", f"{{bot: easy, hand: {hand}, trick: [3H], broken: true}}", "{card: 2C}")
    size = hand.count("C") + hand.count("D")
    assert mistake(text) == (
        f"my.yaml:2: X-1: given.hand has {size} cards; who plays has from 1 to 13 of them."
    )
