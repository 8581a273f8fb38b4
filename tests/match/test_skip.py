"""Boards that can only go as in the first room are not played again, and nothing tells that they were not."""

from pathlib import Path

import numpy as np
import pytest

from spadesim.core.batch import OUTCOME, run_chunk
from spadesim.core.rows import column, column_names, n_rows, new_book, plays
from spadesim.core.rules import Rules
from spadesim.match.equity_file import table_of
from spadesim.match.spec import DuelSpec
from spadesim.strategy import load_side
from spadesim.strategy.lineup import lineup

BOARDS = 300
VARIANTS = [
    ("hard", "hard:king=4", "pata"),
    ("hard", "hard:queen_backed=2", "classic"),
    ("medium:king=4+hard", "medium+hard", "pata"),
    ("medium", "medium:king=4", "cutthroat3"),
    ("hard", "hard:king=4", "draw300"),
    pytest.param("hard", "hard:bidder=medium", "pata", marks=pytest.mark.compiled_only),
    ("hard~blunder=0.3~forget=0.5~timid=0.5", "hard:king=4~blunder=0.3~forget=0.5~afraid_of_nil", "pata"),
]

NOSY = """
'''Reads in its play what is for its bidding.'''

from spadesim.core._jit import jit
from spadesim.core.cards import highest, lowest
from spadesim.strategy.parameters import Parameter, parameters

PARAMETERS = parameters(Parameter("most", 2, low=0, high=9, used_by="bid", meaning="tricks that it bids"))
P = PARAMETERS.index


@jit
def bid(view, p):
    return min(int(p[P.MOST]), 2)


@jit
def play(view, p):
    return lowest(view.legal) if p[P.MOST] < 3 else highest(view.legal)
"""


def played(a: str, b: str, rules: str, skips: bool) -> list[bytes]:
    """Everything that the engine has to tell of some boards."""
    spec = DuelSpec(a, b, boards=BOARDS, rules=Rules.parse(rules), seed=5, skips=skips)
    bots = lineup(load_side(a), load_side(b), spec.rules)
    outcomes, book = (
        np.zeros(BOARDS, dtype=OUTCOME),
        new_book(BOARDS * spec.n_rooms * 4, int(spec.rules.record()["hand_size"])),
    )
    tally, fault = run_chunk(bots, spec.rules, spec.task(0, BOARDS), outcomes, table_of(spec), book)
    assert fault["code"] == 0
    assert n_rows(book) == BOARDS * spec.n_rooms * spec.rules.players
    rows = [column(book, name).tobytes() for name in column_names(spec.rules.deal == "draw_keep")]
    return [tally.tobytes(), outcomes.tobytes(), *rows, plays(book).tobytes()]


@pytest.mark.parametrize(("a", "b", "rules"), VARIANTS)
def test_all_comes_out_as_without_skipping(a: str, b: str, rules: str) -> None:
    assert played(a, b, rules, True) == played(a, b, rules, False)


def test_boards_are_really_skipped() -> None:
    """Bots that differ in their play, taken for alike by mistake: rooms with the same bids are not played."""
    rules = Rules()
    bots = lineup(load_side("lowest_card"), load_side("random_legal"), rules)
    assert not bots.differs_in_bids
    mistaken = bots._replace(bids=(bots.bids[0],) * 4, differs_in_bids=True)
    spec = DuelSpec("lowest_card", "random_legal", boards=BOARDS, rules=rules)
    assert run_chunk(mistaken, rules, spec.task(0, BOARDS))[0][0]["identical"] == BOARDS
    spec = DuelSpec("lowest_card", "random_legal", boards=BOARDS, rules=rules, skips=False)
    assert run_chunk(mistaken, rules, spec.task(0, BOARDS))[0][0]["identical"] < BOARDS


@pytest.mark.parametrize(
    ("a", "b", "differs"),
    [
        ("hard", "hard:king=4", True),
        ("hard", "hard", False),  # a bot against itself is played in full: that proves something
        ("hard", "hard:endgame_from=300", False),
        ("hard", "hard:king=4,third_seat=5", False),
        ("hard", "medium", False),
        ("hard+medium", "hard:king=4+medium", True),
        ("hard+medium", "medium+hard:king=4", False),
        ("hard", "hard~timid=1~afraid_of_nil", True),
        ("hard", "hard~blunder=0.1", False),
        ("hard:king=4", "hard~forget=0.1", False),
        ("hard", "hard~blind_to_bags", False),
        ("hard~forget=0.1", "hard~forget=0.1", False),
    ],
)
def test_only_variants_of_the_bidding_are_skipped(a: str, b: str, differs: bool) -> None:
    assert lineup(load_side(a), load_side(b), Rules()).differs_in_bids is differs


def test_play_sees_nothing_of_what_is_for_the_bidding(tmp_path: Path) -> None:
    file = tmp_path / "nosy.py"
    file.write_text(NOSY, encoding="utf-8")
    bots = lineup(load_side(str(file)), load_side(f"{file}:most=5"), Rules())
    assert bots.differs_in_bids
    spec = DuelSpec("a", "b", boards=BOARDS, skips=False)
    tally, _ = run_chunk(bots, Rules(), spec.task(0, BOARDS))
    assert tally[0]["identical"] == BOARDS  # it bids 2 in both variants, and plays by the default in both
