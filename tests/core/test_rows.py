"""Rows of a book tell what happened at the tables, as hands that are replayed and read one by one do."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.batch import run_chunk
from spadesim.core.rows import BLOCK_ROWS, Book, column, is_overfull, n_rows, new_book, plays
from spadesim.core.tally import fingerprint_text
from spadesim.match.record import Hand, Room
from spadesim.match.replay import replay
from spadesim.match.spec import DuelSpec, make_spec
from spadesim.strategy import lineup, load_side
from tests.match.bots import GAMBLER, write_bot

TABLES = ("pata", "classic", "draw500:floor=-300", "cutthroat3:target=150", "bicycle")


def played(spec: DuelSpec, book: Book) -> Any:
    """The tally of a whole duel, its rows written into a book."""
    bots = lineup(load_side(spec.a), load_side(spec.b), spec.rules)
    tally, fault = run_chunk(bots, spec.rules, spec.task(spec.first, spec.units), None, None, book)
    assert fault["code"] == 0
    return tally


def rows_of(book: Book, names: list[str]) -> list[dict[str, int]]:
    columns = {name: column(book, name) for name in names}
    return [{name: int(values[k]) for name, values in columns.items()} for k in range(n_rows(book))]


def lost_honours(hand: Hand, seat: int, side_of: Callable[[Any], int]) -> int:
    tricks = [trick for trick in hand.tricks if side_of(trick.winner) != side_of(seat)]
    cards = [play.choice for trick in tricks for play in trick.plays if play.seat == seat]
    return sum(card % 13 >= 10 for card in cards)


def winning(plays: list[Any]) -> Any:
    """The play that is winning a trick so far."""
    best = plays[0]
    for play in plays[1:]:
        is_over = play.choice > best.choice and play.choice // 13 in (3, best.choice // 13)
        best = play if is_over else best
    return best


def ruffs(hand: Hand, seat: int) -> list[bool]:
    """For each ruff of a seat, whether it was over the partner's winning card."""
    found = []
    for trick in hand.tricks:
        k = next(k for k, play in enumerate(trick.plays) if play.seat == seat)
        if trick.plays[k].choice >= 39 > trick.plays[0].choice:
            best = winning(list(trick.plays[:k]))
            found.append(hand.has_partners and (best.seat - seat) % 4 == 2)
    return found


def told(spec: DuelSpec, unit: int, room: Room, hand: Hand) -> Iterator[dict[str, int]]:
    """What the rows of a hand should say."""
    n_sides = spec.rules.n_sides

    def side_of(seat: Any) -> int:
        return int(seat) % 2 if n_sides == 2 else int(seat)

    assert hand.results is not None
    for seat in range(hand.n_seats):
        result = hand.results[side_of(seat)]
        bid = next(choice.choice for choice in hand.bids if choice.seat == seat)
        won = [k for k, trick in enumerate(hand.tricks) if trick.winner == seat]
        yield {
            "unit": unit,
            "room": room.number,
            "seat": seat,
            "role": room.roles[seat],
            "hand": hand.number,
            "first_bidder": hand.first_bidder,
            "bid": bid,
            "tricks": len(won),
            "won": sum(1 << k for k in won),
            "score": hand.scores[side_of(seat)],
            "bags": hand.bags[side_of(seat)],
            "points": result.points,
            "new_bags": result.new_bags,
            "penalties": result.bag_penalties,
            "is_set": result.is_set,
            "cards": hand.dealt[seat],
            "honours_lost": lost_honours(hand, seat, side_of),
            "ruffs": len(ruffs(hand, seat)),
            "partner_ruffed": sum(ruffs(hand, seat)),
        }


@pytest.mark.parametrize("rules", TABLES)
def test_rows_tell_what_a_replay_shows(tmp_path: Path, rules: str) -> None:
    bot = write_bot(tmp_path, "gambler", **GAMBLER)
    spec = make_spec("easy", bot, rules=rules, games=12, hand_cap=6 if COMPILED else 2, first=5)
    book = new_book(4000, spec.rules.hand_size)
    played(spec, book)
    expected, cards = [], []
    for unit in range(spec.first, spec.first + spec.units):
        for room in replay(spec, unit).rooms:
            for hand in room.hands:
                expected += list(told(spec, unit, room, hand))
                made = [play for trick in hand.tricks for play in trick.plays]
                for seat in range(hand.n_seats):
                    cards.append([play.choice for play in made if play.seat == seat])
    assert rows_of(book, list(expected[0])) == expected
    assert plays(book).tolist() == cards


def test_a_book_changes_nothing_that_is_played() -> None:
    spec = make_spec("easy", "medium", games=4 if COMPILED else 2)
    with_rows, without = played(spec, new_book(5000)), played(spec, new_book(0))
    assert with_rows.tobytes() == without.tobytes()
    assert fingerprint_text(with_rows[0]) != "0" * 16


def test_rows_go_on_in_the_next_block_and_those_without_room_are_counted() -> None:
    spec = make_spec("easy", "medium", boards=9)
    whole, short, long = new_book(72), new_book(1), new_book(BLOCK_ROWS + 1)
    for book in (short, long):
        book[0]["rows"] = BLOCK_ROWS - 48
    for book in (whole, short, long):
        played(spec, book)
    assert n_rows(short) == n_rows(long) == BLOCK_ROWS - 48 + 9 * 2 * 4
    assert (is_overfull(short), is_overfull(long)) == (True, False)
    for name in ("unit", "cards", "events"):
        assert np.array_equal(column(long, name)[-72:], column(whole, name))
        assert np.array_equal(column(short, name)[-48:], column(whole, name)[:48])
