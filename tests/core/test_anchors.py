"""Figures about spades that are known from elsewhere, found again on dealt hands and in random play.

A figure may lie 4 standard errors from the known one, which a right program misses with probability 6e-5 for
each figure; the seeds are fixed, so that the tests always pass or always fail.
"""

from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest

from spadesim.core._jit import jit
from spadesim.core.cards import popcount, suit_mask, suit_of
from spadesim.core.position import advance, apply, fill_view, new_position, start_game, start_hand
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, HAND_OVER, new_view
from spadesim.strategies import random_legal

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

N_DEALS = 400_000
N_HANDS = 1_000_000
N_PUBLISHED = 4_000_000  # hands of random play behind the figures below, another program's
HANDS = comb(52, 13)
TEN_BIT = 8


def check(
    sums: Any, squares: Any, n: int, known: list[float], known_error: float = 0.0, digits: int = 6
) -> None:
    """Fail unless means lie within 4 standard errors of what they should be.

    Parameters
    ----------
    sums, squares : int64 arrays
        Over `n` deals or hands, which are independent.
    known_error : float
        Standard error of the known figures as a share of ours.
    digits : int
        To which the known figures are rounded.
    """
    means = sums / n
    errors = np.sqrt((squares / n - means**2) / n * (1 + known_error**2))
    allowed = 4 * errors + 0.5 * 10.0**-digits
    assert (np.abs(means - known) <= allowed).all(), (means, known, errors)


# -------------------------------------------------------------------------------------------- dealt hands


def is_certain_loss(spades: int) -> bool:
    """Whether a nil is lost by its spades alone: among some highest ones it holds more than all others do."""
    return any((spades >> (13 - m)).bit_count() > m / 2 for m in range(1, 14))


def probability(n_spades: int) -> float:
    """Return P(one named holding of so many spades)."""
    return comb(39, 13 - n_spades) / HANDS


def exact_figures() -> list[float]:
    """Return the figures of `count_deals`, out of the number of hands that there are."""
    void = comb(39, 13) / HANDS
    any_void = (4 * comb(39, 13) - 6 * comb(26, 13) + 4) / HANDS
    low = sum(comb(9, k) * probability(k) for k in range(4))
    loss = sum(probability(spades.bit_count()) for spades in range(2**13) if is_certain_loss(spades))
    return [void, any_void, low, loss, *(comb(13, k) * probability(k) for k in range(10))]


def test_the_exact_figures_are_the_published_ones() -> None:
    """The certain losses: by a list at Cross Validated (A; KQ; three above 9; four above 7; and so on)."""
    void, any_void, low, loss = (round(figure, 6) for figure in exact_figures()[:4])
    assert (void, any_void, round(low, 5), loss) == (0.012791, 0.051066, 0.24733, 0.324531)
    assert [round(figure, 5) for figure in exact_figures()[4:]] == [
        0.01279, 0.08006, 0.20587, 0.28633, 0.23861, 0.12469, 0.04156, 0.00882, 0.00117, 0.00009,
    ]  # fmt: skip
    for holding in product((0, 1), repeat=13):  # ace first
        listed = any(sum(holding[: 2 * k - 1]) >= k for k in range(1, 8))
        assert listed == is_certain_loss(sum(bit << (12 - k) for k, bit in enumerate(holding)))


@jit
def count_deals(position: Any, n: int, sums: Any, squares: Any) -> None:
    """Add up over deals how many hands have each of the figures' properties, and the squares of that."""
    counts = np.zeros(14, dtype=np.int64)
    for index in range(n):
        start_game(position, 1, index)
        start_hand(position)
        counts[:] = 0
        for seat in range(4):
            hand = position.dealt[seat]
            n_voids = 0
            for suit in range(4):
                n_voids += 1 if hand & suit_mask(suit) == 0 else 0
            spades = hand >> 39
            counts[0] += 1 if spades == 0 else 0
            counts[1] += 1 if n_voids > 0 else 0
            counts[2] += 1 if popcount(spades) <= 3 and spades >> (TEN_BIT + 1) == 0 else 0
            is_loss = False
            for k in range(1, 8):
                is_loss |= popcount(spades >> (13 - (2 * k - 1))) >= k
            counts[3] += 1 if is_loss else 0
            if popcount(spades) < 10:
                counts[4 + popcount(spades)] += 1
        for figure in range(14):
            sums[figure] += counts[figure]
            squares[figure] += counts[figure] * counts[figure]


def test_dealt_hands_have_the_exact_figures() -> None:
    sums, squares = np.zeros(14, dtype=np.int64), np.zeros(14, dtype=np.int64)
    count_deals(new_position(Rules()), N_DEALS, sums, squares)
    check(sums / 4, squares / 16, N_DEALS, exact_figures())


# -------------------------------------------------------------------------------------------- random play

LEGAL = 0  # cards to choose from over the 52 turns
TRICKLESS = 1  # seats without a trick
PLACE_TRICKS = 2  # by place after the first leader
TRICKS = 6  # seats with 0, 1, ... 9 tricks
FIRST_SPADE = 16  # the trick in which the first spade is played, 1-10
N_FIGURES = 26


@jit
def play_random(position: Any, view: Any, p: Any, counts: Any) -> None:
    """Play a hand of random cards and count its figures."""
    start_hand(position)
    counts[:] = 0
    counts[LEGAL] = 52
    while advance(position) != HAND_OVER:
        seat = position.turn
        fill_view(position, seat, view)
        if position.phase == BIDDING:
            apply(position, 3)
        else:
            counts[LEGAL] += popcount(position.legal) - 1
            apply(position, random_legal.play(view, p))
    for seat in range(4):
        tricks = position.tricks[seat]
        counts[TRICKLESS] += 1 if tricks == 0 else 0
        counts[PLACE_TRICKS + (seat - position.first_bidder) % 4] = tricks
        if tricks < 10:
            counts[TRICKS + tricks] += 1
    for k in range(52):
        if suit_of(position.history[k]) == 3:
            if k < 40:
                counts[FIRST_SPADE + k // 4] = 1
            break


@jit
def count_random_play(position: Any, view: Any, p: Any, n: int, sums: Any, squares: Any) -> None:
    """Add up the figures of `n` hands, and their squares."""
    counts = np.zeros(N_FIGURES, dtype=np.int64)
    for index in range(n):
        start_game(position, 2, index)
        play_random(position, view, p, counts)
        for figure in range(N_FIGURES):
            sums[figure] += counts[figure]
            squares[figure] += counts[figure] * counts[figure]


@pytest.fixture(scope="module")
def random_play() -> tuple[Any, Any]:
    sums, squares = np.zeros(N_FIGURES, dtype=np.int64), np.zeros(N_FIGURES, dtype=np.int64)
    count_random_play(new_position(Rules()), new_view(), np.zeros(1), N_HANDS, sums, squares)
    return sums, squares


@pytest.mark.parametrize(
    ("first", "per_hand", "known"),
    [
        (LEGAL, 52, [3.5608]),
        (TRICKLESS, 4, [0.0343]),
        (PLACE_TRICKS, 1, [3.2612, 3.2462, 3.2468, 3.2458]),
        (TRICKS, 4, [0.0343, 0.1215, 0.2065, 0.2277, 0.1851, 0.1192, 0.0633, 0.0281, 0.0104, 0.0031]),
        (FIRST_SPADE, 1, [0.0162, 0.0424, 0.0756, 0.1148, 0.1537, 0.1835, 0.1858, 0.1465, 0.0708, 0.0108]),
    ],
    ids=["legal cards a turn", "no trick", "tricks by place", "tricks", "first spade"],
)
def test_random_play_has_the_known_figures(
    random_play: tuple[Any, Any], first: int, per_hand: int, known: list[float]
) -> None:
    """Under `pata`; legal cards at all 52 turns, forced ones included."""
    sums, squares = (part[first : first + len(known)] for part in random_play)
    share = np.sqrt(N_HANDS / N_PUBLISHED)
    check(sums / per_hand, squares / per_hand**2, N_HANDS, known, known_error=float(share), digits=4)
