"""The fingerprint worked out from the cards of rows is that of the run that wrote them."""

import numpy as np
import pytest

from spadesim.core.batch import BOARDS, PAIRS, new_task, run_chunk
from spadesim.core.play import NO_FAULT
from spadesim.core.redigest import CELLS, POINTS, fingerprint_of
from spadesim.core.rows import Book, column, n_rows, new_book
from spadesim.core.rows import plays as plays_of
from spadesim.core.rules import Rules
from spadesim.strategy import lineup, load_side

TABLES = ("pata", "draw500:max_hands=2", "cutthroat3:target=40")


def played(rules: Rules, kind: int, book: Book) -> list[int]:
    """The fingerprint of a few units, their rows written into a book."""
    bots = lineup(load_side("easy"), load_side("lowest_card"), rules)
    n = 6 if kind == BOARDS else 2
    task = new_task(kind, 4, 3, n)
    task["hand_cap"] = 3
    tally, fault = run_chunk(bots, rules, task, None, None, book)
    assert fault["code"] == NO_FAULT
    return [int(word) for word in tally[0]["fingerprint"]]


@pytest.mark.parametrize("kind", [PAIRS, BOARDS])
@pytest.mark.parametrize("text", TABLES)
def test_cards_have_the_fingerprint_of_the_run(text: str, kind: int) -> None:
    rules = Rules.parse(text)
    book = new_book(2000, rules.hand_size)
    expected = played(rules, kind, book)
    cells = np.stack([column(book, name).astype(np.int64) for name in CELLS], axis=1)
    n, plays = n_rows(book), plays_of(book)
    assert fingerprint_of(rules, kind, cells, plays).tolist() == expected
    cells[n - rules.players, POINTS] += 1  # of the first seat of the last hand
    assert fingerprint_of(rules, kind, cells, plays).tolist() != expected
    cells[n - rules.players, POINTS] -= 1
    plays[[0, 1], 0] = plays[[1, 0], 0]
    assert fingerprint_of(rules, kind, cells, plays).tolist() != expected
