"""Value iteration against a slow obvious oracle: every state a key of a dictionary, plain Python floats."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from spadesim.core.hands import HAND_ROW
from spadesim.core.rules import Rules
from spadesim.stats.equity import Solution, lattice_for, n_counted_hands, solve

Side = tuple[int, int]  # score, bags
Hand = tuple[int, int, int, int]  # points and bags of who bids first, then of the other
Shares = dict[Hand, float]

# What hands bring where both are close to the end, where one of them has bags then, and where one is far.
USUAL: dict[Hand, int] = {
    (20, 0, 35, 5): 4, (-30, 0, 20, 0): 2, (45, 5, -20, 0): 3, (55, 5, 40, 0): 1, (20, 0, 20, 0): 2,
}  # fmt: skip
IN_DEBT: dict[Hand, int] = {(20, 0, 20, 0): 3, (-40, 0, 30, 0): 2, (35, 5, -20, 0): 1}
BEHIND: dict[Hand, int] = {(30, 0, -30, 0): 1, (-40, 0, 45, 5): 2, (65, 5, 20, 0): 1}
LOW = -10  # 6 tricks short of 50
MANY = 120  # hands from each state


def hands_at(own: Side, other: Side) -> dict[Hand, int]:
    if min(own[0], other[0]) < LOW:
        return BEHIND
    return IN_DEBT if own[1] or other[1] else USUAL


def rows_of() -> npt.NDArray[np.void]:
    """Write hands as the engine does, from all pairs of some states."""
    sides = [(score + bags, bags) for score in range(LOW - 10, 50, 10) for bags in (0, 5)]
    rows = [
        (0, 0, (own[0], other[0]), (own[1], other[1]), (a, b), (bags, theirs), 0, 2)
        for own, other in product(sides, repeat=2)
        for (a, bags, b, theirs), share in shares_at(own, other).items()
        for _ in range(round(share * MANY))
    ]
    return np.array(rows, dtype=HAND_ROW)


def shares_at(own: Side, other: Side) -> Shares:
    hands = hands_at(own, other)
    return {hand: n / sum(hands.values()) for hand, n in hands.items()}


# A hand that decides between level scores is as those that were played near the end, all together.
DECIDING: Counter[Hand] = Counter()
for own_bags, other_bags in product((0, 5), repeat=2):
    for hand, share in shares_at((LOW, own_bags), (LOW, other_bags)).items():
        DECIDING[hand] += round(1200 * share)


def enter(rules: Rules, side: Side, points: int, bags: int) -> Side:
    """Add a hand to a side's score, and take its penalties."""
    score, total = side[0] + points, side[1] + bags
    while rules.bag_limit and total >= rules.bag_limit:
        score, total = score - rules.bag_penalty, total - rules.bag_limit
        if rules.bag_rollover == "reset":
            total = 0
    return score, total


def is_end(rules: Rules, score: int) -> bool:
    return score >= rules.target or (rules.floor is not None and score <= rules.floor)


class Oracle:
    """The chance of who bids first, by (own side, other side, hands played)."""

    def __init__(self, rules: Rules, shares: Callable[[Side, Side], Shares] = shares_at) -> None:
        self.rules, self.shares = rules, shares
        self.found: dict[tuple[Side, Side, int], float] = {}

    def after(self, own: Side, other: Side, hands: int) -> float | None:
        """The chance after a hand for who bade first; None when the next hand must be asked."""
        is_last = 0 < self.rules.max_hands <= hands
        if not (is_last or is_end(self.rules, own[0]) or is_end(self.rules, other[0])):
            return None
        if own[0] != other[0]:
            return float(own[0] > other[0])
        return 0.5 if is_last else 1 - self.level(other, own)

    def level(self, own: Side, other: Side) -> float:
        """One more hand decides between level scores; a further draw counts half."""
        total = 0.0
        for (a, bags, b, theirs), n in DECIDING.items():
            share = n / DECIDING.total()
            ours, others = enter(self.rules, own, a, bags)[0], enter(self.rules, other, b, theirs)[0]
            total += share * (1.0 if ours > others else 0.5 if ours == others else 0.0)
        return total

    def before(self, own: Side, other: Side, hands: int) -> float:
        total = 0.0
        for (a, bags, b, theirs), share in self.shares(own, other).items():
            ours, others = enter(self.rules, own, a, bags), enter(self.rules, other, b, theirs)
            chance = self.after(ours, others, hands + 1)
            if chance is None:
                chance = 1 - self.found.setdefault((others, ours, self.next(hands)), 0.5)
            total += share * chance
        return total

    def next(self, hands: int) -> int:
        return hands + 1 if self.rules.max_hands else 0

    def solve(self) -> dict[tuple[Side, Side, int], float]:
        """Go over all states that can be reached from the beginning until nothing changes."""
        self.found[((0, 0), (0, 0), 0)] = 0.5
        change = 1.0
        while change > 1e-7:
            n, change = len(self.found), 0.0
            for state, value in list(self.found.items()):
                self.found[state] = self.before(*state)
                change = max(change, abs(self.found[state] - value))
            change = 1.0 if len(self.found) > n else change
        return self.found


def chance_in(solution: Solution, own: Side, other: Side, hands: int) -> float:
    """Read a state that lies on the grid."""
    lattice, place = solution.lattice, []
    for score, bags in (own, other):
        at = score - lattice.base - int(lattice.offsets[bags])
        assert at % lattice.step == 0
        place += [bags, at // lattice.step]
    return float(solution.chances[(hands, *place)])


RULES = "pata:target=50,floor=-50,bag_penalty=50,bag_limit=10"


@pytest.mark.parametrize(
    ("extra", "least"),
    [pytest.param("", 200, marks=pytest.mark.compiled_only), (",max_hands=4", 18)],
)
def test_every_reachable_state_has_the_chance_that_the_oracle_finds(extra: str, least: int) -> None:
    rules = Rules.parse(RULES + extra)
    found = Oracle(rules).solve()
    solution = solve(rules, rows_of())
    assert solution.lattice.is_exact
    assert len(found) > least
    worst = max(abs(chance_in(solution, *state) - chance) for state, chance in found.items())
    assert worst < 2e-4
    values = np.array(list(found.values()))
    assert values.min() < 0.2
    assert values.max() > 0.8


@pytest.mark.compiled_only
def test_threads_change_nothing() -> None:
    rules = Rules.parse(RULES)
    one, other = (solve(rules, rows_of(), workers) for workers in (1, 3))
    assert one.chances.tobytes() == other.chances.tobytes()


@pytest.mark.compiled_only
def test_what_lies_between_the_points_of_a_grid_is_interpolated() -> None:
    """With bags that fall back to 0, they do not tell the last digit of the score."""
    rules = Rules.parse("classic:target=100,floor=-50,bag_penalty=50")
    rows = rows_of()
    solution = solve(rules, rows)
    lattice = solution.lattice
    assert not lattice.is_exact
    assert lattice.step == 2
    oracle = Oracle(rules, shares_everywhere(rules, rows))
    errors = []
    for (own, other, _), chance in oracle.solve().items():
        places = [(own[0] - lattice.base) / 2, (other[0] - lattice.base) / 2]
        if any(place % 1 for place in places):
            continue
        at = solution.chances[0, own[1], int(places[0]), other[1], int(places[1])]
        errors.append(abs(float(at) - chance))
    assert len(errors) > 100
    assert np.mean(errors) < 0.01
    assert np.quantile(errors, 0.99) < 0.06


def shares_everywhere(rules: Rules, rows: Any) -> Callable[[Side, Side], Shares]:
    """What hands bring by where both sides stand, counted anew in the finest way that has 100 hands."""
    short = (24, 20, 17, 14, 12, *range(10, 0, -1))

    def ways(side: Side) -> list[tuple[str, int, int] | None]:
        tricks = -(-(rules.target - side[0]) // rules.trick_value)
        band = min((n for n in short if n >= tricks), default=99)
        left = rules.bag_limit - side[1]
        group = min((n for n in (1, 3, 6) if n >= left), default=99)
        rough = min((n for n in (6, 13, 24) if n >= tricks), default=99)
        return [("close", band, side[1]) if tricks <= 6 else None, ("band", band, group), ("rough", rough, 0)]

    hands: dict[Any, Counter[Hand]] = {}
    every: Counter[Hand] = Counter()
    for row in rows:
        sides = [(int(row["scores"][k]), int(row["bags"][k])) for k in range(2)]
        (a, b), (bags, theirs) = row["points"].tolist(), row["new_bags"].tolist()
        for key in zip(*map(ways, sides), strict=True):
            hands.setdefault(key, Counter())[(a, bags, b, theirs)] += 1
        every[(a, bags, b, theirs)] += 1

    def shares(own: Side, other: Side) -> Shares:
        keys = [key for key in zip(ways(own), ways(other), strict=True) if None not in key]
        found = next((hands[key] for key in keys if key in hands and hands[key].total() >= 100), every)
        return {hand: float(Fraction(n, found.total())) for hand, n in found.items()}

    return shares


def test_grids_hold_every_state_where_bags_tell_the_last_digit() -> None:
    scores = np.array([-120, 0, 300])
    pata = lattice_for(Rules(), scores)
    assert (pata.is_exact, pata.step, pata.base, pata.n_scores) == (True, 10, -200, 70)
    assert pata.offsets.tolist() == list(range(10))
    exclusive = lattice_for(Rules.parse("patalupaus"), scores)
    assert [500 - exclusive.base - int(exclusive.offsets[0]), exclusive.tops[0] * 10] == [620, 620]
    assert exclusive.tops[1] * 10 + exclusive.base + 1 == 491  # 501 ends the game
    assert lattice_for(Rules.parse("pata:overtrick_value=0,bag_rollover=reset"), scores).is_exact
    assert not lattice_for(Rules.parse("classic"), scores).is_exact
    wide = lattice_for(Rules.parse("pata:bag_limit=40"), scores)
    assert not wide.is_exact
    assert len(wide.bags) == 11
    assert wide.bags[-1] == 39
    no_bags = lattice_for(Rules.parse("canonical:bag_limit=0"), scores)
    assert len(no_bags.bags) == 1
    assert no_bags.step == 1 or not no_bags.is_exact


def test_hands_count_only_where_few_end_a_game() -> None:
    assert n_counted_hands(Rules()) == 1
    assert n_counted_hands(Rules.parse("pata:max_hands=4")) == 4
    assert n_counted_hands(Rules.parse("pata:max_hands=1000")) == 1
