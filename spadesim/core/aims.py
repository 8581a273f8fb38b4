"""What a side plays for: the values that a hand may end with, and which of them reach a target.

The *standing* counts the tricks that the seats have won since the root, as one number: a side without a nil
has one counter, one with a nil a counter for each of its seats. For a target value every standing has an
*aim*: reached for sure, out of reach, or open. Aims that lead to the same aims, whoever wins the tricks to
come, are one aim, so that a search meets few of them; the commonest is "so many more tricks for a side".
"""

from __future__ import annotations

from typing import Any

from spadesim.core._jit import jit, jit_within
from spadesim.core.scoring import is_nil, score_side, side_total
from spadesim.core.solve_work import AIM_SLOTS

LOST, REACHED = 0, 1
TRICKS_OF_0, TRICKS_OF_1 = 0, 1
WHOLE = 1 << 30
FEW_TRICKS, FEW_SLOTS = 6, 1 << 11


@jit
def lay_out(work: Any, bids: Any, is_points: Any) -> Any:
    """Choose the counters of the standing for the root's tricks; the standing begins at 0."""
    work.depth = work.n_left
    work.standing = 0
    step = work.depth + 1
    stride = 1
    for side in range(2):
        has_nil = is_points and (is_nil(work.rules, bids[side]) or is_nil(work.rules, bids[side + 2]))
        for seat in (side, side + 2):
            is_own = seat == side or has_nil
            work.counters[seat] = stride if is_own else 0
            work.limits[seat] = work.depth if is_own else 0
            if is_own:
                work.steps[seat] = stride
                stride *= step
            else:
                work.steps[seat] = work.steps[side]


@jit
def value_ends(work: Any, bids: Any, tricks: Any, blind: Any, bags: Any, is_points: Any) -> None:
    """Write what every standing after the last trick is worth, and the different values in order.

    Parameters
    ----------
    work : record `WORK`, its counters laid out
    bids, tricks, blind : int64[:]
        By seat, as `scoring.score_side` takes them, the tricks won before the root; scratch may be written
        into `tricks`, which is as before afterwards.
    bags : int64[:]
        By side, before the hand.
    is_points : int
        1: points of side 0 less those of side 1; 0: tricks of side 0 from the root on.
    """
    work.n_worths = 0
    limits = work.limits
    for a in range(limits[0] + 1):
        for c in range(min(limits[2], work.depth - a) + 1):
            tricks[0] += a
            tricks[2] += c
            first = a + c
            if is_points:
                first = side_total(score_side(work.rules, bids, tricks, blind, 0, bags[0]))
            tricks[0] -= a
            tricks[2] -= c
            others = work.depth - a - c
            least = 0 if limits[3] else others
            for b in range(least, others + 1):
                tricks[1] += b
                tricks[3] += others - b
                second = 0
                if is_points:
                    second = side_total(score_side(work.rules, bids, tricks, blind, 1, bags[1]))
                tricks[1] -= b
                tricks[3] -= others - b
                at = a * work.counters[0] + b * work.counters[1] + c * work.counters[2]
                at += (others - b) * work.counters[3]
                work.ends[at] = first - second
                enter_worth(work, first - second)


@jit
def enter_worth(work: Any, value: Any) -> None:
    """Enter a value that the hand may end with among the different ones, in order."""
    k = work.n_worths
    while k > 0 and work.worths[k - 1] > value:
        k -= 1
    if k > 0 and work.worths[k - 1] == value:
        return
    for j in range(work.n_worths, k, -1):
        work.worths[j] = work.worths[j - 1]
    work.worths[k] = value
    work.n_worths += 1


@jit
def clear_aims(work: Any) -> None:
    """Forget all aims but the two that are settled."""
    work.n_aims = 2
    work.n_slots = FEW_SLOTS if work.depth <= FEW_TRICKS else AIM_SLOTS
    work.aim_weight[LOST] = 0
    work.aim_weight[REACHED] = WHOLE
    for slot in range(work.n_slots):
        work.aim_slots[slot] = 0


@jit
def aim_at(work: Any, target: Any) -> bool:
    """Write the aim of every standing for a target value; False when there is no room for so many aims.

    Aims that an earlier target has brought keep their numbers.
    """
    work.target = target
    limits = work.limits
    for left in range(work.depth + 1):
        won = work.depth - left
        for a in range(min(limits[0], won) + 1):
            for c in range(min(limits[2], won - a) + 1):
                others = won - a - c
                for b in range(0 if limits[3] else others, others + 1):
                    at = a * work.counters[0] + b * work.counters[1] + c * work.counters[2]
                    at += (others - b) * work.counters[3]
                    if left == 0:
                        work.aims[at] = REACHED if work.ends[at] >= target else LOST
                    elif not _enter_aim(work, at, left):
                        return False
    return True


@jit
def _enter_aim(work: Any, at: Any, left: Any) -> bool:
    """Write the aim of one standing, whose successors have theirs."""
    n = work.aims[at + work.steps[0]]
    e = work.aims[at + work.steps[1]]
    s = work.aims[at + work.steps[2]]
    w = work.aims[at + work.steps[3]]
    if n == e and n == s and n == w and n <= REACHED:
        work.aims[at] = n
        return True
    slot = (n * 7919 + e * 104729 + s * 1299709 + w * 15485863 + left * 31) & (work.n_slots - 1)
    while work.aim_slots[slot] != 0:
        aim = work.aim_slots[slot]
        after = work.aim_next[aim]
        if (
            after[0] == n and after[1] == e and after[2] == s and after[3] == w
            and work.aim_left[aim] == left
        ):  # fmt: skip
            work.aims[at] = aim
            return True
        slot = (slot + 1) & (work.n_slots - 1)
    if 2 * work.n_aims >= work.n_slots:
        return False
    aim = work.n_aims
    work.n_aims += 1
    work.aim_slots[slot] = aim
    work.aims[at] = aim
    after = work.aim_next[aim]
    after[0] = n
    after[1] = e
    after[2] = s
    after[3] = w
    work.aim_left[aim] = left
    total = work.aim_weight[n] + work.aim_weight[e] + work.aim_weight[s] + work.aim_weight[w]
    work.aim_weight[aim] = total >> 2
    _classify(work, aim, left, n == s and e == w)
    return True


@jit
def _classify(work: Any, aim: Any, left: Any, is_by_side: Any) -> None:
    """Say whether an aim is a number of tricks for one side."""
    work.aim_kind[aim] = aim
    work.aim_need[aim] = 1
    if not is_by_side:
        return
    for side in range(2):
        won = work.aim_next[aim, side]
        lost = work.aim_next[aim, 1 - side]
        need = left
        if won > REACHED:
            need = work.aim_need[won] + 1
        elif won == REACHED:
            need = 1
        if _is_need(work, won, side, need - 1, left - 1) and _is_need(work, lost, side, need, left - 1):
            work.aim_kind[aim] = side
            work.aim_need[aim] = need
            return


@jit_within
def _is_need(work: Any, aim: Any, side: Any, need: Any, left: Any) -> Any:
    """Whether an aim is reached by exactly so many tricks of a side out of those left."""
    if need <= 0:
        return aim == REACHED
    if need > left:
        return aim == LOST
    return aim > REACHED and work.aim_kind[aim] == side and work.aim_need[aim] == need
