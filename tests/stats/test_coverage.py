"""How often the 95 % intervals hold the true value, over 4,000 simulated runs each with known truth."""

import numpy as np
import numpy.typing as npt
import pytest

from spadesim.stats.boards import RoomSums, margin_per_hand, points_per_board
from spadesim.stats.games import set_stats, win_rate
from spadesim.stats.intervals import Estimate
from spadesim.stats.proportions import RatioSums, proportion, ratio
from tests.stats.given import known

RUNS = 4000
Counts = npt.NDArray[np.int64]


def assert_holds(
    estimates: list[Estimate | None], truth: float, least: float = 0.935, most: float = 0.965
) -> None:
    """0.935 to 0.965 is 0.95 with four standard errors of 4,000 runs on either side."""
    held = [estimate.low <= truth <= estimate.high for estimate in map(known, estimates)]
    assert len(held) == RUNS
    assert least <= np.mean(held) <= most, f"{np.mean(held):.4f}"


# Pairs lost, split and won: from fair coin flips to results that the deal, or the better bot, decides.
PAIRS = {
    "independent games": (0.25, 0.5, 0.25),
    "the deal decides": (0.05, 0.88, 0.07),
    "both games alike": (0.45, 0.05, 0.50),
    "65 %": (0.10, 0.50, 0.40),
    "98 %, independent": (0.0004, 0.0392, 0.9604),
}


@pytest.mark.parametrize("n", [100, 1000, 10_000])
@pytest.mark.parametrize("shares", PAIRS.values(), ids=PAIRS.keys())
def test_win_rate(shares: tuple[float, ...], n: int) -> None:
    counts = np.random.default_rng(n).multinomial(n, shares, size=RUNS)
    estimates = [
        win_rate([[lost, 0, split, 0], [0] * 4, [0, 0, won, 0], [0] * 4]) for lost, split, won in counts
    ]
    assert_holds(estimates, shares[1] / 2 + shares[2], most=0.97 if n == 100 else 0.965)


@pytest.mark.parametrize("shares", [(0.004, 0.99, 0.006), (0.0001, 0.0098, 0.9901)])
@pytest.mark.parametrize("n", [30, 100])
def test_win_rate_where_hardly_a_pair_differs(shares: tuple[float, ...], n: int) -> None:
    """Fewer than three pairs stand out here; the plain t interval would hold the truth in 26 to 63 %."""
    counts = np.random.default_rng(n).multinomial(n, shares, size=RUNS)
    estimates = [
        win_rate([[lost, 0, split, 0], [0] * 4, [0, 0, won, 0], [0] * 4]) for lost, split, won in counts
    ]
    assert_holds(estimates, shares[1] / 2 + shares[2], least=0.91, most=1)


def ratio_sums(nums: Counts, dens: Counts) -> list[RatioSums]:
    """One `RatioSums` a run, from arrays of runs x units."""
    columns = (
        nums.sum(1), dens.sum(1), (nums * nums).sum(1), (nums * dens).sum(1), (dens * dens).sum(1)
    )  # fmt: skip
    return [RatioSums(nums.shape[1], *map(int, row)) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize("units", [50, 200])
def test_bags_per_hand(units: int) -> None:
    """Counts per game whose rate changes from game to game, and games of different length."""
    rng = np.random.default_rng(units)
    hands = rng.integers(6, 16, size=(RUNS, units)) * 2
    bags = rng.poisson(hands * rng.gamma(8, 0.1, size=hands.shape))
    assert_holds([ratio(sums, 0, 13) for sums in ratio_sums(bags, hands)], 0.8)


@pytest.mark.parametrize(("made", "correlation"), [(0.5, 0.0), (0.5, 0.7), (0.8, 0.3), (0.8, 0.7)])
@pytest.mark.parametrize(("nils", "units"), [(0.4, 200), (0.4, 800), (8, 50), (8, 200)])
def test_nils_made(made: float, correlation: float, nils: float, units: int) -> None:
    """Few nils on a board, many in a pair of games, in clusters that go well or badly together."""
    rng = np.random.default_rng(int(units + 1000 * correlation))
    bid = rng.poisson(nils, size=(RUNS, units))
    chance = np.full(bid.shape, made)
    if correlation:
        strength = (1 - correlation) / correlation
        chance = rng.beta(made * strength, (1 - made) * strength, size=bid.shape)
    estimates = [proportion(sums) for sums in ratio_sums(rng.binomial(bid, chance), bid)]
    assert_holds(estimates, made)


def test_nils_made_in_a_handful_of_boards() -> None:
    """Ten nils or so, most of them made: the interval must not promise too much."""
    rng = np.random.default_rng(4)
    bid = rng.binomial(2, 0.1, size=(RUNS, 50))
    sums = [part for part in ratio_sums(rng.binomial(bid, 0.9), bid) if part.den]
    held = [part.low <= 0.9 <= part.high for part in map(known, map(proportion, sums))]
    assert 0.93 <= np.mean(held) <= 0.99


@pytest.mark.parametrize("boards", [50, 300])
def test_points_on_boards(boards: int) -> None:
    """Margins that the deal dominates, with the same deal turned round in the other room."""
    rng = np.random.default_rng(boards)
    luck = rng.normal(0, 60, size=(RUNS, boards))
    first, second = (np.rint(sign * luck + rng.normal(2, 30, size=luck.shape)) for sign in (1, -1))
    estimates = []
    for x, y in zip(first.astype(int), second.astype(int), strict=True):
        whole = int((x + y) @ (x + y))
        sums = RoomSums(boards, (int(x.sum()), int(y.sum())), (int(x @ x), int(y @ y)), whole)
        estimates.append(points_per_board(sums, 1000))
    assert_holds(estimates, 2.0)


@pytest.mark.parametrize("boards", [50, 200])
def test_points_in_six_rooms(boards: int) -> None:
    """Three players: A holds one seat in half of the rooms and two in the others, 9 hands a board in all."""
    rng = np.random.default_rng(boards)
    # Seats by luck and skill: the same bot at the same seat of a board has the same luck in every room.
    luck = rng.normal(25, 30, size=(3, RUNS, boards))
    rooms = []
    for line in ("ABB", "BAB", "BBA", "BAA", "ABA", "AAB"):
        signs = [1 if letter == "A" else -1 for letter in line]
        points = [luck[seat] + (2.0 if sign > 0 else 0.0) + rng.normal(0, 15, size=(RUNS, boards))
                  for seat, sign in enumerate(signs)]  # fmt: skip
        rooms.append(np.rint(sum(sign * own for sign, own in zip(signs, points, strict=True))).astype(int))
    whole = sum(rooms)
    estimates = [
        points_per_board(
            RoomSums(
                boards,
                [int(room[run].sum()) for room in rooms],
                [int(room[run] @ room[run]) for room in rooms],
                int(whole[run] @ whole[run]),
                9,
            ),
            1000,
        )
        for run in range(RUNS)
    ]
    assert_holds(estimates, 2.0)


@pytest.mark.parametrize("sets", [50, 200])
def test_points_a_hand_where_bots_play_unequal_numbers_of_hands(sets: int) -> None:
    """Games of sets differ in length, and the better bot's games are shorter."""
    rng = np.random.default_rng(sets)
    lengths = rng.integers(40, 140, size=(RUNS, sets))
    ours, theirs = lengths, lengths + rng.integers(-15, 10, size=lengths.shape)
    luck = rng.normal(0, 3, size=lengths.shape)
    won, lost = (
        np.rint(hands * (rate + luck + rng.normal(0, 2, size=hands.shape))).astype(int)
        for hands, rate in ((ours, 21.0), (theirs, 19.0))
    )
    columns = [won, ours, lost, theirs]
    estimates = []
    for run in range(RUNS):
        x, h, y, k = (column[run] for column in columns)
        a, b = ratio_sums(x[None], h[None])[0], ratio_sums(y[None], k[None])[0]
        cross = (int(x @ y), int(x @ k), int(h @ y), int(h @ k))
        estimates.append(margin_per_hand(a, b, cross, 500))
    assert_holds(estimates, 2.0)


SET_CASES = {  # the spread of A's chance of a game between deals, and what it is on average
    "even, the deals hardly matter": (200.0, 0.5),
    "even, the deal decides all six games": (0.3, 0.5),
    "70 %, deals matter": (3.0, 0.7),
    "95 %": (20.0, 0.95),
}


@pytest.mark.parametrize("sets", [100, 400])
@pytest.mark.parametrize(("weight", "chance"), SET_CASES.values(), ids=SET_CASES.keys())
def test_win_rate_of_sets(weight: float, chance: float, sets: int) -> None:
    rng = np.random.default_rng(int(sets + 10 * weight))
    chances = rng.beta(chance * weight, (1 - chance) * weight, size=(RUNS, sets))
    won = rng.binomial(6, chances)
    estimates = []
    for run in range(RUNS):
        wins = np.bincount(won[run], minlength=7)
        shares = [[0] * 13 for _ in range(7)]
        shares[6][::2] = wins.tolist()
        total = int(wins @ np.arange(7))
        rooms = [[6 * sets - total, 0, total, 0], *([[0] * 4] * 5)]
        estimates.append(set_stats(shares, rooms).win_rate)
    assert_holds(estimates, chance, most=0.97)
