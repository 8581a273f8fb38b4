"""Bots for tests of the engine: some that play, and one that does wrong where it is told to."""

from collections.abc import Callable
from typing import Any

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.batch import Lineup
from spadesim.core.cards import lowest, popcount
from spadesim.core.view import BIDDING, uniform, uniform_below

HONOURS_MASK = sum(0b111 << (13 * suit + 10) for suit in range(4))

Function = Callable[[Any, Any], int]
Bot = tuple[Function, Function]


@jit
def one_of(choices: Any, n: Any) -> Any:
    """Return the place of the `n`-th bit of a mask, from 0."""
    for _ in range(n):
        choices &= choices - 1
    return lowest(choices)


@jit
def random_bid(view: Any, p: Any) -> Any:
    """Nil with probability 1/5, else 1-5, where they are legal."""
    if uniform(view, 0) < 0.2:
        return lowest(view.legal)
    return 1 + uniform_below(view, 1, 5)


@jit
def random_play(view: Any, p: Any) -> Any:
    """Any legal card."""
    return one_of(view.legal, uniform_below(view, 0, popcount(view.legal)))


@jit
def honour_bid(view: Any, p: Any) -> Any:
    """Two thirds of its honours, nil without any."""
    bid = popcount(view.hand & HONOURS_MASK) * 2 // 3
    return max(bid, lowest(view.legal))


@jit
def standing_bid(view: Any, p: Any) -> Any:
    """1-11 by the scores and bags of both sides."""
    standing = view.scores[0] + 2 * view.scores[1] + 3 * view.bags[0] + 4 * view.bags[1]
    return 1 + standing % 11


@jit
def low_play(view: Any, p: Any) -> Any:
    """The legal card with the lowest number."""
    return lowest(view.legal)


@jit
def is_place(view: Any, p: Any) -> Any:
    """Whether this is the seat, phase, trick and hand in which a culprit does wrong."""
    return (
        view.seat == int(p[1])
        and view.phase == int(p[2])
        and view.trick_no == int(p[3])
        and view.hand_no == int(p[4])
    )


@jit
def culprit(view: Any, p: Any) -> Any:
    """Bid 3 and play low, but answer p[0] at the place that p names."""
    if is_place(view, p):
        return int(p[0])
    return 3 if view.phase == BIDDING else lowest(view.legal)


@jit
def raiser(view: Any, p: Any) -> Any:
    """Bid 3 and play low, but raise at the place that p names."""
    if is_place(view, p):
        raise ZeroDivisionError("out of tricks")
    return 3 if view.phase == BIDDING else lowest(view.legal)


@jit
def rewriter(view: Any, p: Any) -> Any:
    """Bid 3 and play low, but add p[0] to p[5] at the place that p names."""
    if is_place(view, p):
        p[5] += p[0]
    return 3 if view.phase == BIDDING else lowest(view.legal)


@jit
def scribbler(view: Any, p: Any) -> Any:
    """Bid 3 and play low, but write to the view at the place that p names."""
    if is_place(view, p):
        scribble(view, int(p[5]))
    return 3 if view.phase == BIDDING else lowest(view.legal)


N_SCRIBBLES = 8


@jit
def scribble(view: Any, what: Any) -> None:
    """Change something in a view: its first field, its last, its legal cards, its rules, and others."""
    if what == 0:
        view.seat += 4
    elif what == 1:
        view.voids[3] ^= 1
    elif what == 2:
        view.legal = 0
    elif what == 3:
        view.rules.target += 1
    elif what == 4:
        view.history[55] = 0
    elif what == 5:
        view.hand |= 1 << 60
    elif what == 6:
        view.scores[0] = -view.scores[0] - 1
    else:
        view.rng_key ^= 1


@jit
def random_keep(view: Any, p: Any) -> Any:
    """The card offered or the next one."""
    return uniform_below(view, 0, 2)


@jit
def random_blind(view: Any, p: Any) -> Any:
    """A blind nil with probability 1/3."""
    return 1 if uniform(view, 0) < 1 / 3 else 0


@jit
def random_exchange(view: Any, p: Any) -> Any:
    """Any up to three cards."""
    cards = np.int64(0)
    for k in range(uniform_below(view, 0, 4)):
        rest = view.hand & ~cards
        cards |= np.int64(1) << one_of(rest, uniform_below(view, 1 + k, popcount(rest)))
    return cards


RANDOM: Bot = (random_bid, random_play)
HONEST: Bot = (honour_bid, low_play)
MIXED: Bot = (standing_bid, random_play)
CULPRIT: Bot = (culprit, culprit)
RAISER: Bot = (raiser, raiser)
SCRIBBLER: Bot = (scribbler, scribbler)
REWRITER: Bot = (rewriter, rewriter)


def line_up(a: Bot, b: Bot, a_higher: Bot | None = None, b_higher: Bot | None = None) -> Lineup:
    """Return the line-up of two sides, a side's second bot being its first unless another is given.

    Before the bidding all of them choose at random.
    """
    bots = (a, a_higher or a, b, b_higher or b)
    return Lineup(
        tuple(bid for bid, _ in bots),
        tuple(play for _, play in bots),
        np.zeros((4, 6)),
        (random_keep,) * 4,
        (random_blind,) * 4,
        (random_exchange,) * 4,
    )
