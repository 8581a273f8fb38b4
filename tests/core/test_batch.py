"""Batches: the counts are right, and nothing depends on chunks, threads, rooms or the compiler."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spadesim.core import batch as batch_module
from spadesim.core._jit import COMPILED
from spadesim.core.batch import BOARDS, HAND_CAP, PAIRS, Lineup, new_task, run_chunk
from spadesim.core.count import UNIT
from spadesim.core.play import NO_FAULT
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.tally import (
    BAGS,
    BID,
    BID_ERROR,
    DRAW_RESULT,
    FORCED,
    FREE,
    GAMES,
    HANDS,
    N_LENGTHS,
    NIL_BIDS,
    NIL_MADE,
    OPPONENT_NIL_BIDS,
    OPPONENT_NIL_SET,
    P_BID,
    P_FORCED,
    P_FREE,
    P_HANDS,
    P_NIL_BIDS,
    P_NIL_MADE,
    P_TRICKS,
    POINTS,
    SEAT_HANDS,
    TRICKS,
    UNFINISHED,
    fingerprint_text,
    merge,
    new_tally,
)
from tests.core import runs
from tests.core.bots import HONEST, MIXED, RANDOM, line_up
from tests.core.slow_tally import slow_tally

compiled: Any = batch_module
ROOT = Path(__file__).parent.parent.parent
SEED = 8
N = 300 if COMPILED else 3
KINDS = pytest.mark.parametrize("kind", [PAIRS, BOARDS], ids=["games", "boards"])


def run(lineup: Lineup, rules: Rules, task: Any) -> Any:
    """Return the tally of a run in which all answers are legal."""
    tally, fault = run_chunk(lineup, rules, task)
    assert fault["code"] == NO_FAULT
    return tally


def boards(count: int, scores: list[int], bags: list[int], first: int = 0) -> Any:
    task = new_task(BOARDS, SEED, first, count)
    task["scores"][: len(scores)], task["bags"][: len(bags)] = scores, bags
    return task


# ------------------------------------------------------------------------------------------------- counts


@pytest.mark.parametrize(
    ("rules", "task"),
    [
        ("pata", boards(40, [0, 0], [0, 0])),
        ("patalupaus", boards(10, [480, -170], [9, 4], first=2**40)),
        ("classic", boards(10, [490, 490], [9, 9], first=3)),
        ("pata:bag_limit=0,start_role=dealer", boards(6, [0, 0], [0, 0])),
        ("canonical:nil_allowed=false,boston_bonus=50,bag_limit=2", boards(6, [0, 0], [1, 0])),
        ("pata:trick_value=0,overtrick_value=0,nil_value=0,nil_penalty=0", boards(6, [0, 0], [0, 0])),
        ("pata", new_task(PAIRS, SEED, 0, 4)),
        ("canonical:target=150", new_task(PAIRS, SEED, 7, 3, hand_cap=6)),
        ("pata:max_hands=2,trick_value=0,overtrick_value=0", new_task(PAIRS, SEED, 0, 6)),
        ("classic:failed_nil_tricks=ignore", new_task(PAIRS, SEED, 5, 3, hand_cap=2)),
        ("pata:blind_nil=always", boards(6, [0, 0], [9, 0])),
        ("draw300", boards(10, [0, 0], [5, 9])),
        ("draw300", new_task(PAIRS, SEED, 0, 3, hand_cap=8)),
        ("draw500", boards(10, [400, -90], [5, 9])),
        ("draw500", new_task(PAIRS, SEED, 3, 2, hand_cap=8)),
        ("cutthroat3", boards(5, [0, 100, -50], [5, 9, 0])),
        ("cutthroat3:target=60", new_task(PAIRS, SEED, 3, 2, hand_cap=6)),
        ("bicycle", boards(5, [0, 10, 20, 30], [0, 0, 0, 0])),
        ("bicycle:target=120", new_task(PAIRS, SEED, 3, 2, hand_cap=12)),
        ("cutthroat3:max_hands=1,trick_value=0,overtrick_value=0", new_task(PAIRS, SEED, 3, 3)),
        ("pata:teams=individual,max_hands=1,trick_value=0,nil_value=0", new_task(PAIRS, SEED, 3, 2)),
        ("cutthroat3:max_hands=1,trick_value=1,overtrick_value=0,nil_value=3", new_task(PAIRS, SEED, 0, 20)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_count_equals_the_one_taken_by_hand(rules: str, task: Any) -> None:
    if not COMPILED:
        task = task.copy()
        task["count"] = 2 if task["kind"] == BOARDS else 1
    lineup = line_up(RANDOM, HONEST, MIXED)
    found = run(lineup, Rules.parse(rules), task)[0]
    expected = slow_tally(lineup, Rules.parse(rules), task)
    for name in found.dtype.names:
        if name != "fingerprint":
            assert np.array_equal(found[name], expected[name]), (name, found[name], expected[name])


@pytest.mark.compiled_only
def test_a_game_that_two_seats_of_one_bot_share_is_that_bots() -> None:
    """Only level best scores of both bots are a draw."""
    rules = Rules.parse("cutthroat3:max_hands=1,trick_value=1,overtrick_value=0,nil_value=3")
    tally = run(line_up(RANDOM, HONEST), rules, new_task(PAIRS, SEED, 0, 200))[0]
    results = tally["room_results"]
    n_sole = tally["opener_wins"].sum()
    n_shared = results[:, :UNFINISHED].sum() - n_sole - results[:, DRAW_RESULT].sum()
    assert n_shared > 50
    assert results[:, DRAW_RESULT].sum() > 50


def test_a_game_that_does_not_end_is_unfinished() -> None:
    """The hand cap stops it in both rooms; it counts as a game, and as nobody's win."""
    rules = Rules(target=100_000, floor=None)
    tally = run(line_up(RANDOM, HONEST), rules, new_task(PAIRS, SEED, 0, 3, hand_cap=4))[0]
    assert tally["outcomes"][UNFINISHED, UNFINISHED] == tally["outcomes"].sum() == 3
    assert tally["lengths"][4] == tally["games"] == 6
    assert not tally["parts"].any()
    assert not tally["opener_wins"].any()


@pytest.mark.compiled_only
def test_the_longest_games_share_a_bin() -> None:
    rules = Rules(target=100_000, floor=None)
    tally = run(line_up(HONEST, HONEST), rules, new_task(PAIRS, SEED, 0, 2, hand_cap=200))[0]
    assert tally["lengths"][N_LENGTHS - 1] == 4
    assert new_task(PAIRS, SEED, 0, 2)["hand_cap"] == HAND_CAP == 1000


def check_sums(tally: Any, kind: int, rules: Rules) -> None:
    """Fail unless the parts of a tally agree with each other."""
    sides, players = tally["sides"], tally["players"]
    hands = int(tally["hands"])
    size, n_sides, n_players = rules.hand_size, rules.n_sides, rules.players
    n_tricks = [tally[name].sum() for name in ("seat_tricks", "order_tricks")]
    assert [*n_tricks, sides[:, TRICKS].sum()] == [size * hands] * 3
    per_side = n_players // n_sides
    assert tally["seat_points"].sum() == tally["order_points"].sum() == per_side * sides[:, POINTS].sum()
    assert sides[:, HANDS].sum() == n_sides * hands
    if (
        n_players != 3 or kind == BOARDS
    ):  # of three seats a bot has two in some rooms, whose games may be longer
        assert sides[0, HANDS] == sides[1, HANDS]
    assert sides[:, SEAT_HANDS].tolist() == (per_side * sides[:, HANDS]).tolist()
    assert sides[:, BID_ERROR].tolist() == (sides[:, TRICKS] - sides[:, BID]).tolist()
    n_choices = n_players * (size + 1) * hands
    n_before = (sides[:, FORCED] + sides[:, FREE]).sum() - n_choices
    n_turns = 26 * hands if rules.deal == "draw_keep" else 0
    n_declared = n_players * hands if rules.blind_nil != "off" else 0
    assert n_turns + n_declared <= n_before <= n_turns + (2 if n_declared else 1) * n_declared
    for side, player in (
        (BID, P_BID), (TRICKS, P_TRICKS), (FORCED, P_FORCED), (FREE, P_FREE), (NIL_BIDS, P_NIL_BIDS),
        (NIL_MADE, P_NIL_MADE), (SEAT_HANDS, P_HANDS),
    ):  # fmt: skip
        assert sides[:, side].tolist() == players[:, player].reshape(2, 2).sum(axis=1).tolist()
    assert sides[::-1, OPPONENT_NIL_BIDS].tolist() == sides[:, NIL_BIDS].tolist()
    assert sides[::-1, OPPONENT_NIL_SET].tolist() == (sides[:, NIL_BIDS] - sides[:, NIL_MADE]).tolist()
    numbers = np.arange(18)
    table = tally["bid_tricks"]
    assert (table.sum(axis=2) @ numbers).tolist() == sides[:, BID].tolist()
    assert (table.sum(axis=1) @ numbers).tolist() == sides[:, TRICKS].tolist()
    assert table[:, 0].sum(axis=1).tolist() == sides[:, NIL_BIDS].tolist()
    assert table[:, 0, 0].tolist() == sides[:, NIL_MADE].tolist()
    assert tally["bags_hist"].sum(axis=1).tolist() == sides[:, HANDS].tolist()
    assert (tally["bags_hist"] @ numbers).tolist() == sides[:, BAGS].tolist()
    assert tally["margin"].sum() == sides[0, POINTS] - sides[1, POINTS]
    is_game = kind == PAIRS
    n_rooms, units = (int(rules.record()["n_rooms"]), int(tally["units"])) if is_game else (0, 0)
    assert tally["games"] == tally["lengths"].sum() == tally["room_results"].sum() == n_rooms * units
    assert tally["outcomes"].sum() == (units if n_rooms == 2 else 0)
    assert tally["shares"].sum() == units
    finished, half_points = np.indices(tally["shares"].shape)
    results = tally["room_results"].sum(axis=0)
    assert (tally["shares"] * finished).sum() == results[:UNFINISHED].sum()
    assert (tally["shares"] * half_points).sum() == results[:UNFINISHED] @ [0, 1, 2]
    assert tally["margin_squares"][n_rooms or 6 : 6].sum() == 0
    parts = tally["parts"][:, 0]
    assert parts[:4].sum() == 12 * results[:UNFINISHED].sum()
    assert 12 * tally["opener_wins"][0] <= parts[4] <= 12 * (tally["games"] - tally["opener_wins"][1])
    assert tally["opener_wins"].sum() <= tally["games"]
    assert sides[:, GAMES].sum() == n_sides * results[:UNFINISHED].sum()


@KINDS
@pytest.mark.parametrize("preset", PRESETS)
def test_the_counts_of_a_run_agree_with_each_other(preset: str, kind: int) -> None:
    task = new_task(kind, SEED, 0, N if kind == BOARDS else N // 3, hand_cap=60 if COMPILED else 2)
    check_sums(run(line_up(MIXED, RANDOM, HONEST), PRESETS[preset], task)[0], kind, PRESETS[preset])


# ------------------------------------------------------------------------------------------- independence


@KINDS
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ["random", "honest", "mixed"])
def test_a_side_against_itself_scores_exactly_nothing_on_every_board(
    preset: str, name: str, kind: int
) -> None:
    """Both rooms go alike, card by card: random bots too, and sides of two different bots."""
    side = {"random": (RANDOM, RANDOM), "honest": (HONEST, HONEST), "mixed": (RANDOM, HONEST)}[name]
    lineup = line_up(side[0], side[0], side[1], side[1])
    count = N if kind == BOARDS else N // 3
    tally = run(lineup, PRESETS[preset], new_task(kind, SEED, 0, count, hand_cap=60 if COMPILED else 3))[0]
    assert tally["identical"] == tally["level"] == tally["units"] == count
    for margin in ("margin", "priced"):
        *squares, whole = tally[f"{margin}_squares"]
        assert tally[margin].sum() == whole == 0
        assert sum(squares) > 0
        assert squares[0] == squares[1] or PRESETS[preset].players > 2
    assert tally["sides"][0].tolist() == tally["sides"][1].tolist()
    assert tally["players"][:2].tolist() == tally["players"][2:].tolist()
    if kind == PAIRS:
        for result in range(4):
            for other in range(4):
                is_mirrored = (result, other) in ((0, 2), (2, 0), (1, 1), (3, 3))
                assert is_mirrored or not tally["outcomes"][result, other]


def test_different_bots_do_not_play_alike() -> None:
    tally = run(line_up(RANDOM, HONEST), Rules(), new_task(BOARDS, SEED, 0, N))[0]
    assert tally["identical"] == 0


@KINDS
@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_chunks_make_no_difference(kind: int, chunk: int) -> None:
    count = 1100 if COMPILED else 4
    if not COMPILED:
        chunk = {1: 1, 7: 3, 1000: 4}[chunk]
    lineup, hand_cap = line_up(RANDOM, HONEST, MIXED), 20 if COMPILED else 2
    whole = run(lineup, Rules(), new_task(kind, SEED, 5, count, hand_cap))
    total = new_tally()
    for first in range(5, 5 + count, chunk):
        merge(
            total, run(lineup, Rules(), new_task(kind, SEED, first, min(chunk, 5 + count - first), hand_cap))
        )
    assert total.tobytes() == whole.tobytes()
    assert fingerprint_text(total[0]) == fingerprint_text(whole[0])


@pytest.mark.compiled_only
@KINDS
def test_threads_make_no_difference(kind: int) -> None:
    lineup, count, chunk = line_up(RANDOM, HONEST, MIXED), 2000, 50
    tasks = [new_task(kind, SEED, first, chunk) for first in range(0, count, chunk)]
    totals = []
    for n_threads in (1, 2):
        with ThreadPoolExecutor(n_threads) as pool:
            parts = list(pool.map(lambda task: run(lineup, Rules(), task), tasks))
        total = new_tally()
        for part in parts:
            merge(total, part)
        totals.append(total.tobytes())
    assert totals[0] == totals[1] == run(lineup, Rules(), new_task(kind, SEED, 0, count)).tobytes()


@pytest.mark.compiled_only
@pytest.mark.slow
def test_compiled_equals_interpreted() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.runs"],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == runs.results()


def test_the_scores_that_boards_start_from_reach_the_bots_and_the_end() -> None:
    """Under the floor or over the target, with bags one short of a penalty, everything counts as told."""
    rules, lineup = Rules(), line_up(HONEST, HONEST)
    level = run(lineup, rules, boards(N, [0, 0], [0, 0]))[0]
    full = run(lineup, rules, boards(N, [0, 0], [9, 9]))[0]
    assert full["sides"][:, BAGS].tolist() == level["sides"][:, BAGS].tolist()
    assert full["sides"][0, POINTS] < level["sides"][0, POINTS]
    assert fingerprint_text(full) != fingerprint_text(level)


# -------------------------------------------------------------------------------------------- fingerprints


def text(lineup: Lineup, rules: Rules, task: Any) -> str:
    return fingerprint_text(run(lineup, rules, task)[0])


def test_a_fingerprint_tells_runs_apart() -> None:
    count = 5 if COMPILED else 2
    task = new_task(BOARDS, SEED, 0, count)
    found = [
        text(line_up(RANDOM, HONEST), Rules(), task),
        text(line_up(HONEST, RANDOM), Rules(), task),
        text(line_up(RANDOM, HONEST, MIXED), Rules(), task),
        text(line_up(RANDOM, RANDOM), Rules(), task),
        text(line_up(RANDOM, HONEST), Rules(nil_penalty=90), task),
        text(line_up(RANDOM, HONEST), Rules(), new_task(BOARDS, SEED + 1, 0, count)),
        text(line_up(RANDOM, HONEST), Rules(), new_task(BOARDS, SEED, 1, count)),
        text(line_up(RANDOM, HONEST), Rules(), new_task(BOARDS, SEED, 0, count - 1)),
        text(line_up(RANDOM, HONEST), Rules(), new_task(PAIRS, SEED, 0, count, hand_cap=1)),
    ]
    assert len(set(found)) == len(found)
    assert all(len(fingerprint) == 16 for fingerprint in found)


def of_unit(digests: Any, number: int, kind: int) -> str:
    """Return the fingerprint of one unit whose rooms have the given digests."""
    unit, tally = np.zeros(1, dtype=UNIT)[0], new_tally()
    unit.digest[:] = digests
    compiled.count_unit(unit, kind, number, Rules().record(), tally[0])
    return fingerprint_text(tally[0])


def test_a_fingerprint_depends_on_the_unit_the_room_and_the_kind() -> None:
    """Beside all that was bid and played there."""
    digests = np.array([[1, 2], [3, 4], [0, 0], [0, 0], [0, 0], [0, 0]])
    found = [of_unit(digests, number, kind) for number in (0, 1, 2**32, 2**40) for kind in (PAIRS, BOARDS)]
    found += [of_unit(digests[[1, 0, 2, 3, 4, 5]], 0, PAIRS), of_unit(digests[:, ::-1], 0, PAIRS)]
    assert len(set(found)) == len(found)
    assert of_unit(digests, 1, BOARDS) == of_unit(digests, 1, BOARDS)


def test_the_rooms_of_a_mirror_match_do_not_cancel() -> None:
    lineup = line_up(HONEST, HONEST)
    assert len({text(lineup, Rules(), new_task(BOARDS, SEED, first, 1)) for first in range(8)}) == 8
