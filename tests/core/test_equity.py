"""Win chance in the engine: what is read from a table, where boards start, and what is counted."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadesim.core._jit import COMPILED
from spadesim.core.batch import BOARDS, OUTCOME, new_task, run_chunk
from spadesim.core.equity import (
    EQUITY_ONE,
    GRID,
    START_STATE,
    STEP_BITS,
    TABLE_ONE,
    EquityTable,
    chance,
    draw_start,
)
from spadesim.core.play import NO_FAULT
from spadesim.core.position import first_side, new_position, start_game
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.strategy import lineup, load_side

N_SCORES, N_BAGS, STEP, BASE = 60, 4, 10, -90
N_BOARDS = 400 if COMPILED else 8
LOOK_UP: Any = chance


def small_table(bags: tuple[int, ...] = (0, 3, 6, 9), n_hands: int = 1, seed: int = 3) -> EquityTable:
    """Give a table of random chances: scores by tens, four points of the bags' grid, few starts."""
    rng = np.random.default_rng(seed)
    grid = np.zeros(1, dtype=GRID)
    grid["is_on"], grid["n_hands"], grid["n_scores"], grid["n_bags"] = 1, n_hands, N_SCORES, N_BAGS
    grid["lowest"], grid["step"], grid["n_starts"] = BASE, STEP, 5
    grid["n_states"] = N_SCORES * N_BAGS
    grid["tops"][0][:N_BAGS] = N_SCORES - 2
    points = np.searchsorted(bags, np.arange(10), side="right") - 1
    grid["bag_points"][0][:10] = points
    grid["bag_above"][0][:10] = np.arange(10) - np.array(bags)[points]
    grid["bag_gaps"][0] = 3
    n = n_hands * (N_SCORES * N_BAGS) ** 2 + N_BAGS**2
    starts = np.zeros(5, dtype=START_STATE)
    starts["scores"] = rng.integers(-80, 490, (5, 2))
    starts["bags"] = rng.integers(0, 10, (5, 2))
    return EquityTable(grid, rng.integers(0, TABLE_ONE, n).astype(np.int16), starts)


TABLE = small_table()


def position_at(scores: tuple[int, int], bags: tuple[int, int], dealer: int = 0, rules: str = "pata") -> Any:
    position = new_position(Rules.parse(rules))
    position["scores"][:2], position["bags"][:2], position["dealer"] = scores, bags, dealer
    return position


def chance_at(position: Any, side: int, table: EquityTable = TABLE, result: int = GOES_ON) -> int:
    return int(LOOK_UP(position, result, side, table.grid[0], table.chances))


def entry(first: tuple[int, int], other: tuple[int, int], table: EquityTable = TABLE, hand: int = 0) -> int:
    """Give the number of the table for a point of the grid: score and point of the bags of both sides."""
    places = [((score - BASE) // STEP, point) for score, point in (first, other)]
    flat = hand
    for at, point in places:
        flat = (flat * N_BAGS + point) * N_SCORES + at
    return int(table.chances[flat]) << STEP_BITS


any_score = st.integers(-180, 499)
any_bags = st.integers(0, 9)


@given(any_score, any_score, any_bags, any_bags, st.integers(0, 3))
def test_the_chances_of_both_sides_add_up_and_a_mirror_gets_the_rest(
    ours: int, theirs: int, our_bags: int, their_bags: int, dealer: int
) -> None:
    position = position_at((ours, theirs), (our_bags, their_bags), dealer)
    found = [chance_at(position, side) for side in range(2)]
    assert sum(found) == EQUITY_ONE
    assert 0 <= found[0] <= EQUITY_ONE
    # The same state with the sides' names exchanged, and the deal one seat further.
    mirror = position_at((theirs, ours), (their_bags, our_bags), (dealer + 1) % 4)
    assert [chance_at(mirror, side) for side in (1, 0)] == found


def test_points_of_the_grid_are_read_and_what_lies_between_is_interpolated() -> None:
    position = position_at((120, -30), (3, 9), dealer=3)
    assert int(first_side(position)) == 0
    assert chance_at(position, 0) == entry((120, 1), (-30, 3))
    between = [entry((score, 1), (-30, 3)) for score in (120, 130)]
    assert chance_at(position_at((124, -30), (3, 9), 3), 0) == (6 * between[0] + 4 * between[1]) // 10
    both = [[entry((a, 1), (b, 3)) for b in (-30, -20)] for a in (120, 130)]
    expected = np.array([0.6, 0.4]) @ np.array(both) @ np.array([0.1, 0.9])
    assert chance_at(position_at((124, -21), (3, 9), 3), 0) == pytest.approx(expected, abs=1)
    in_bags = [[entry((120, a), (-30, b)) for b in (0, 1)] for a in (1, 2)]
    expected = np.array([1 / 3, 2 / 3]) @ np.array(in_bags) @ np.array([2 / 3, 1 / 3])
    assert chance_at(position_at((120, -30), (5, 1), 3), 0) == pytest.approx(expected, abs=1)


def exact_table(is_exact: bool) -> EquityTable:
    """Give a table in which every number of bags is a point and tells the last digit of the score."""
    rng = np.random.default_rng(8)
    grid = np.zeros(1, dtype=GRID)
    grid["is_on"], grid["n_hands"], grid["n_scores"], grid["n_bags"] = 1, 1, N_SCORES, 10
    grid["lowest"], grid["step"], grid["n_states"], grid["is_exact"] = BASE, STEP, N_SCORES * 10, is_exact
    grid["tops"][0][:10], grid["offsets"][0][:10], grid["bag_points"][0][:10] = 58, range(10), range(10)
    grid["bag_gaps"][0] = 1
    chances = rng.integers(0, TABLE_ONE, (N_SCORES * 10) ** 2 + 100).astype(np.int16)
    return EquityTable(grid, chances, np.zeros(1, dtype=START_STATE))


SHORT_CUT, LONG_WAY = exact_table(True), exact_table(False)


@given(any_score, any_score, any_bags, any_bags, st.booleans())
def test_the_short_cut_through_an_exact_grid_leads_to_the_same_chance(
    ours: int, theirs: int, our_bags: int, their_bags: int, is_on_grid: bool
) -> None:
    if is_on_grid:
        ours, theirs = ours // 10 * 10 + our_bags, theirs // 10 * 10 + their_bags
    position = position_at((ours, theirs), (our_bags, their_bags))
    assert chance_at(position, 0, SHORT_CUT) == chance_at(position, 0, LONG_WAY)


def test_beyond_its_edges_the_nearest_point_counts() -> None:
    lowest = position_at((-150, 100), (0, 0), 3)
    assert chance_at(lowest, 0) == entry((-90, 0), (100, 0))
    highest = position_at((499, 100), (0, 0), 3)  # the last place at which a game goes on is 490
    assert chance_at(highest, 0) == entry((490, 0), (100, 0))


def test_a_game_that_is_over_is_won_lost_or_drawn() -> None:
    position = position_at((510, 300), (0, 0))
    assert [chance_at(position, side, result=0) for side in (0, 1)] == [EQUITY_ONE, 0]
    assert [chance_at(position, side, result=1) for side in (0, 1)] == [0, EQUITY_ONE]
    assert [chance_at(position, side, result=DRAW) for side in (0, 1)] == [EQUITY_ONE // 2] * 2


def test_level_scores_at_the_end_have_chances_of_their_own() -> None:
    level = (N_SCORES * N_BAGS) ** 2
    position = position_at((510, 510), (6, 3), 3)
    assert chance_at(position, 0) == int(TABLE.chances[level + 2 * N_BAGS + 1]) << STEP_BITS


def test_hands_played_count_where_there_is_a_table_for_each() -> None:
    table = small_table(n_hands=3)
    for hand_no, hand in ((0, 0), (2, 2), (7, 2)):
        position = position_at((0, 0), (0, 0), 3)
        position["hand_no"] = hand_no
        assert chance_at(position, 0, table) == entry((0, 0), (0, 0), table, hand)


def test_starts_are_drawn_by_seed_and_board_alone_each_equally_often() -> None:
    draw: Any = draw_start
    seen = []
    for board in range(4000):
        position = new_position(Rules())
        start_game(position, 9, board)
        draw(position, TABLE.grid[0], TABLE.starts)
        first = int(first_side(position))
        state = [(int(position["scores"][k]), int(position["bags"][k])) for k in (first, 1 - first)]
        starts = [
            list(zip(start["scores"].tolist(), start["bags"].tolist(), strict=True)) for start in TABLE.starts
        ]
        seen.append(starts.index(state))
    counts = np.bincount(seen, minlength=5)
    assert (np.abs(counts - 800) < 4 * np.sqrt(4000 * 0.2 * 0.8)).all()
    again = new_position(Rules())
    start_game(again, 9, 17)
    draw(again, TABLE.grid[0], TABLE.starts)
    assert again["scores"][int(first_side(again))] == TABLE.starts[seen[17]]["scores"][0]


def play(a: str, b: str, rules: Rules, n: int, table: EquityTable | None, *, draws: bool = True) -> Any:
    task = new_task(BOARDS, 5, 0, n)
    task["draws_start"] = draws
    outcomes = np.zeros(n, dtype=OUTCOME)
    tally, fault = run_chunk(lineup(load_side(a), load_side(b), rules), rules, task, outcomes, table)
    assert fault["code"] == NO_FAULT
    return tally[0], outcomes


@pytest.mark.parametrize("name", ["pata", "classic", "draw500"])
def test_what_is_counted_is_what_the_outcomes_say(name: str) -> None:
    tally, outcomes = play("easy", "lowest_card", PRESETS[name], N_BOARDS, TABLE)
    change = outcomes["equity"]
    assert change.any()
    assert tally["equity"].sum() == change.sum()
    assert tally["equity_squares"][-1] == (change.astype(object) ** 2).sum()
    assert tally["boards_by_chance"].tolist() == [(change < 0).sum(), (change == 0).sum(), (change > 0).sum()]


@pytest.mark.parametrize("name", ["pata", "classic", "draw300", "draw500"])
def test_the_same_bots_change_nothing_on_any_board_and_swapped_ones_the_opposite(name: str) -> None:
    rules = PRESETS[name]
    tally, outcomes = play("easy", "easy", rules, N_BOARDS // 2, TABLE)
    assert not outcomes["equity"].any()
    assert tally["boards_by_chance"].tolist() == [0, N_BOARDS // 2, 0]
    assert tally["equity"][0] == -tally["equity"][1]
    assert tally["equity"][0] != 0
    forth, back = (
        play(a, b, rules, N_BOARDS // 2, TABLE)[1] for a, b in (("easy", "hard"), ("hard", "easy"))
    )
    assert (forth["equity"] == -back["equity"]).all()


def test_without_a_table_nothing_changes_and_boards_start_level() -> None:
    tally, outcomes = play("easy", "lowest_card", Rules(), N_BOARDS // 4, None)
    assert not outcomes["equity"].any()
    level, _ = play("easy", "lowest_card", Rules(), N_BOARDS // 4, None, draws=False)
    assert tally["fingerprint"].tolist() == level["fingerprint"].tolist()
