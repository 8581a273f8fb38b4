"""Scoring and the end of a game: a slow scorer written apart from the code, and what every result has."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spadesim.core.rules import Rules
from spadesim.core.scoring import (
    DRAW,
    GOES_ON,
    SideScore,
    bags_after,
    contract_tricks,
    end_reached,
    game_over,
    score_side,
    side_total,
    sole_best,
)
from tests.core.cases import valid_rules

NOBODY = np.zeros(4, dtype=np.int64)  # has bid a blind nil


def by_seat(values: Sequence[int], rules: Rules, side: int, elsewhere: int) -> Any:
    """Return an int64 array by seat with a side's values in its seats, and `elsewhere` in all others."""
    seats = np.full(4, elsewhere, dtype=np.int64)
    for index, value in enumerate(values):
        seats[side + index * rules.n_sides] = value
    return seats


def by_side(scores: Sequence[int]) -> Any:
    """Return the scores as the engine holds them, always four."""
    return np.array([*scores, 0, 0, 0][:4], dtype=np.int64)


def plain(score: SideScore) -> dict[str, int]:
    return {name: int(value) for name, value in score._asdict().items()}


# --------------------------------------------------------------------------------- the scorer written apart


def slow_score(
    rules: Rules, bids: list[int], tricks: list[int], blind: list[int], bags: int
) -> dict[str, int]:
    """Return a side's result, bag by bag and seat by seat, as a scorekeeper with a pencil would find it."""
    nils = [seat for seat, bid in enumerate(bids) if bid == 0 and rules.nil_allowed]
    others = [seat for seat in range(len(bids)) if seat not in nils]
    need = sum(bids[seat] for seat in others)
    have = sum(tricks[seat] for seat in others)
    stray = sum(tricks[seat] for seat in nils)
    if rules.failed_nil_tricks == "help":
        have, stray = have + stray, 0
    new_bags = stray if rules.failed_nil_tricks == "bags" else 0
    contract = sum(rules.trick_value for _ in range(need))
    if have < need:
        missing = {"bid": need, "zero": 0, "shortfall": need - have}[rules.set_mode]
        contract = -missing * rules.trick_value
    if have > need:
        new_bags += have - need
    n_penalties, count = 0, bags
    for _ in range(new_bags):
        count += 1
        if count == rules.bag_limit:
            n_penalties, count = n_penalties + 1, 0
    if rules.bag_rollover == "reset" and n_penalties:
        n_penalties, count = 1, 0
    is_boston = sum(tricks) == rules.hand_size
    return {
        "contract": contract,
        "over": new_bags * rules.overtrick_value,
        "nil": sum(slow_nil(rules, tricks[seat], blind[seat]) for seat in nils),
        "boston": rules.boston_bonus if is_boston else 0,
        "penalty": -n_penalties * rules.bag_penalty,
        "bags": new_bags,
        "contract_bid": need,
        "is_set": int(have < need),
        "n_periods": n_penalties,
        "is_boston": int(is_boston),
        "contract_tricks": have,
        "bags_after": count,
    }


def slow_nil(rules: Rules, won: int, is_blind: int) -> int:
    if is_blind:
        return -rules.blind_nil_penalty if won else rules.blind_nil_value
    return -rules.nil_penalty if won else rules.nil_value


Case = tuple[Rules, list[int], list[int], list[int], int, int]


@st.composite
def side_hands(draw: st.DrawFn) -> Case:
    """Rules, a side's bids and tricks, which nils are blind, its bags before, and which side it is."""
    rules = draw(valid_rules())
    n_seats = rules.players // rules.n_sides
    numbers = st.integers(0, rules.hand_size)
    bid = st.sampled_from([0, 1, 2, 3, 4]) | numbers
    bids = draw(st.lists(bid, min_size=n_seats, max_size=n_seats))
    if not rules.nil_allowed:
        bids = [max(bid, 1) for bid in bids]
    total = draw(numbers | st.just(rules.hand_size))
    first = draw(st.integers(0, total)) if n_seats == 2 else total
    tricks = [first, total - first][:n_seats]
    bags = draw(st.integers(0, rules.bag_limit - 1 if rules.bag_limit else 100))
    blind = [int(bid == 0 and rules.blind_nil != "off" and draw(st.booleans())) for bid in bids]
    return rules, bids, tricks, blind, bags, draw(st.integers(0, rules.n_sides - 1))


@given(side_hands())
def test_scores_equal_those_of_the_slow_scorer(case: Case) -> None:
    rules, bids, tricks, blind, bags, side = case
    record = rules.record()
    seat_bids, seat_tricks = by_seat(bids, rules, side, -1), by_seat(tricks, rules, side, 99)
    score = score_side(record, seat_bids, seat_tricks, by_seat(blind, rules, side, 1), side, bags)
    expected = slow_score(rules, bids, tricks, blind, bags)
    assert contract_tricks(record, seat_bids, seat_tricks, side) == expected.pop("contract_tricks")
    assert bags_after(record, bags, score.bags) == expected.pop("bags_after")
    assert plain(score) == expected
    parts = ("contract", "over", "nil", "boston", "penalty")
    assert side_total(score) == sum(expected[name] for name in parts)


def slow_end(rules: Rules, scores: list[int], hands_played: int, in_tiebreak: bool) -> int:
    """Return how a game stands, out of a sorted score sheet."""
    sheet = sorted(((score, side) for side, score in enumerate(scores)), reverse=True)
    is_level = sheet[0][0] == sheet[1][0]
    if rules.max_hands and hands_played >= rules.max_hands:
        return DRAW if is_level else sheet[0][1]
    past_target = sheet[0][0] - rules.target
    past_floor = -1 if rules.floor is None else rules.floor - sheet[-1][0]
    is_end = past_target > 0 or (past_target == 0 and rules.target_inclusive)
    is_end = is_end or past_floor > 0 or (past_floor == 0 and rules.floor_inclusive)
    if in_tiebreak and rules.tie == "extra_hand_decides":
        is_end = True
    return sheet[0][1] if is_end and not is_level else GOES_ON


@st.composite
def score_sheets(draw: st.DrawFn) -> tuple[Rules, list[int], int, bool]:
    """Rules, scores that like to lie at the target, at the floor, and level, hands played, tie-break."""
    rules = draw(valid_rules())
    near = st.sampled_from([rules.target, rules.floor or 0, 0]).flatmap(
        lambda at: st.integers(at - 1, at + 1)
    )
    scores = draw(st.lists(near, min_size=rules.n_sides, max_size=rules.n_sides))
    return rules, scores, draw(st.integers(1, 6) | st.just(rules.max_hands)), draw(st.booleans())


@given(score_sheets())
@example((Rules(), [500, 500], 9, False))
@example((Rules(), [-200, -200], 9, False))
def test_ends_equal_those_of_the_slow_score_sheet(case: tuple[Rules, list[int], int, bool]) -> None:
    rules, scores, hands_played, in_tiebreak = case
    found = game_over(rules.record(), by_side(scores), hands_played, int(in_tiebreak))
    assert found == slow_end(rules, scores, hands_played, in_tiebreak)


# ---------------------------------------------------------------------------------------------- properties


@pytest.mark.parametrize("score", [-1005, -10, 0, 7, 499])
def test_a_score_never_changes_the_bags(score: int) -> None:
    record = Rules(floor=None).record()
    bids, tricks = by_side([3, 3, 3, 3]), by_side([4, 3, 3, 3])
    result = score_side(record, bids, tricks, NOBODY, 0, 8)
    assert (side_total(result), bags_after(record, 8, result.bags)) == (61, 9)
    assert game_over(record, by_side([score + 61, score]), 1, 0) == (0 if score + 61 >= 500 else GOES_ON)


@given(st.integers(0, 9), st.integers(0, 13), st.sampled_from(["carry", "reset"]))
def test_no_bag_count_reaches_the_limit(before: int, bags: int, rollover: str) -> None:
    record = Rules(bag_rollover=rollover).record()
    after = bags_after(record, before, bags)
    assert 0 <= after <= 9
    if rollover == "carry":
        assert (before + bags - after) % 10 == 0


def test_both_nils_are_scored_alone() -> None:
    record = Rules().record()
    totals = {}
    for tricks in ((0, 0), (0, 1), (1, 0), (1, 1)):
        score = score_side(record, by_side([0, 4, 0, 4]), by_side([tricks[0], 6, tricks[1], 6]), NOBODY, 0, 0)
        totals[tricks] = int(score.nil)
        assert (score.contract, score.is_set, score.bags) == (0, 0, sum(tricks))
    assert totals == {(0, 0): 200, (0, 1): 0, (1, 0): 0, (1, 1): -200}


def test_a_blind_nil_has_stakes_of_its_own_beside_an_open_one() -> None:
    record = Rules(blind_nil="always", blind_nil_value=300, blind_nil_penalty=250).record()
    bids, blind = by_side([0, 4, 0, 4]), by_side([1, 0, 0, 0])
    nils = {
        tricks: int(score_side(record, bids, by_side([tricks[0], 6, tricks[1], 6]), blind, 0, 0).nil)
        for tricks in ((0, 0), (0, 1), (1, 0), (1, 1))
    }
    assert nils == {(0, 0): 400, (0, 1): 200, (1, 0): -150, (1, 1): -350}


def test_no_bid_is_a_nil_where_nil_is_not_allowed() -> None:
    record = Rules(nil_allowed=False).record()
    bids, tricks = by_side([0, 4, 4, 4]), by_side([2, 4, 3, 4])
    assert contract_tricks(record, bids, tricks, 0) == 5
    assert plain(score_side(record, bids, tricks, NOBODY, 0, 0)) == plain(
        SideScore(40, 1, 0, 0, 0, 1, 4, 0, 0, 0)
    )


def test_two_games_through_a_tie_above_the_target() -> None:
    """After 505-505 the end is tested again, or the next hand decides, wherever the scores stand."""
    sheets = [by_side(scores) for scores in ([505, 505], [470, 460], [520, 470])]
    for tie, expected in (
        ("extra_hand", [GOES_ON, GOES_ON, 0]),
        ("extra_hand_decides", [GOES_ON, 0]),
    ):
        record = Rules(tie=tie).record()
        in_tiebreak, found = 0, []
        for n_hands, scores in enumerate(sheets, start=1):
            found.append(int(game_over(record, scores, n_hands, in_tiebreak)))
            if found[-1] != GOES_ON:
                break
            in_tiebreak = int(in_tiebreak or end_reached(record, scores))
        assert found == expected


def test_sole_best() -> None:
    record = Rules(teams="individual").record()
    assert sole_best(record, by_side([1, 5, 5, 9])) == 3
    assert sole_best(record, by_side([9, 5, 5, 1])) == 0
    assert sole_best(record, by_side([9, 5, 9, 1])) == -1
    assert sole_best(record, by_side([-5, -5, -5, -5])) == -1


def test_a_boston_belongs_to_the_side_that_takes_every_trick_of_its_table() -> None:
    three = Rules(players=3, teams="individual", deck="minus_2c", boston_bonus=150).record()
    bids = by_side([5, 5, 5])
    assert score_side(three, bids, by_side([0, 17, 0]), NOBODY, 1, 0).boston == 150
    assert score_side(three, bids, by_side([4, 13, 0]), NOBODY, 1, 0).boston == 0


@pytest.mark.parametrize(
    ("rules", "scores", "winner"),
    [
        (Rules(), [90, 30, 9999, -9999], GOES_ON),
        (Rules(players=3, teams="individual", deck="minus_2c"), [90, 30, -200, 9999], 0),
    ],
    ids=["two sides", "three sides"],
)
def test_the_entries_of_sides_that_there_are_not_end_no_game(
    rules: Rules, scores: list[int], winner: int
) -> None:
    assert game_over(rules.record(), by_side(scores), 1, 0) == winner
