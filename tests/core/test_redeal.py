"""Redealing the cards that a seat cannot see: uniform over all the deals that it may hold possible.

The tests of uniformity run on fixed seeds; each would fail a perfect dealer with probability 1e-6.
"""

from collections import Counter
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import stats

from spadesim.core import redeal as redeal_module
from spadesim.core._jit import COMPILED
from spadesim.core.redeal import UNDEALT
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, NOT_YET, unseen_cards
from tests.core.table import (
    ALONE,
    THREE,
    TWO,
    bits,
    decisions,
    engine,
    fresh_view,
    mask_of,
    new_table,
    random_moment,
)

dealer: Any = redeal_module
ERROR_RATE = 1e-6
DRAWS_EACH = 40 if COMPILED else 12
MOST_DEALS = 400 if COMPILED else 30

Deal = tuple[int, ...]


def dealt(view: Any, number: int, key: int = 77) -> Deal:
    """Return the hands of one redeal."""
    hands = np.full(4, -1, dtype=np.int64)
    dealer.redeal(view, key, number, hands)
    return tuple(int(hand) for hand in hands)


def holders(view: Any) -> list[tuple[int, int, int]]:
    """Return who may hold the unseen cards: seat, how many cards, and which suits not, as a mask of suits."""
    n_played = [0] * 4
    for k in range(int(view.n_history)):
        n = int(view.n_players)
        n_played[(int(view.leaders[k // n]) + k % n) % n] += 1
    size = int(view.rules.hand_size)
    found = [
        (seat, size - n_played[seat], int(view.voids[seat]))
        for seat in range(view.n_players)
        if seat != view.seat
    ]
    return [*found, (UNDEALT, 26, 0)] if view.n_players == 2 else found


def unseen(view: Any) -> list[int]:
    """Return the cards that the seat has not seen."""
    pack = range(1 if view.n_players == 3 else 0, 52)
    return [card for card in pack if not (int(view.hand) | int(view.played)) >> card & 1]


def every_deal(view: Any) -> list[Deal]:
    """Return all deals that agree with what the seat knows, by trying them all."""
    deals: list[Deal] = []

    def share(cards: list[int], waiting: list[tuple[int, int, int]], hands: dict[int, int]) -> None:
        if not waiting:
            deals.append(tuple(hands.get(seat, 0) for seat in range(4)))
            return
        (seat, size, suits), *others = waiting
        allowed = [card for card in cards if not suits >> (card // 13) & 1]
        for hand in combinations(allowed, size):
            left = [card for card in cards if card not in hand]
            share(left, others, {**hands, seat: mask_of(list(hand))})

    share(unseen(view), holders(view), {int(view.seat): int(view.hand)})
    return deals


def n_without_voids(view: Any) -> int:
    """Return how many deals there would be without the voids."""
    left, n = len(unseen(view)), 1
    for _, size, _ in holders(view):
        n, left = n * comb(left, size), left - size
    return n


def endings(rules: Rules, n_wanted: int) -> list[Any]:
    """Return views late in random hands, by different seats, with few deals to tell apart."""
    found: list[Any] = []
    for index in range(100):
        random = np.random.default_rng(index)
        position = new_table(rules, seed=9, index=index)
        engine.start_hand(position)
        views = [
            fresh_view(position, int(random.integers(rules.players)))
            for _ in decisions(position, random)
            if position.phase != BIDDING and position.trick_no >= rules.hand_size - 4
        ]
        few = [
            view
            for view in views
            if n_without_voids(view) < 2000 and 5 <= len(every_deal(view)) <= MOST_DEALS
        ]
        if few:
            found.append(few[int(random.integers(len(few)))])
        if len(found) == n_wanted:
            return found
    raise AssertionError("too few endings")


def assert_uniform(view: Any, deals: list[Deal]) -> None:
    """Fail unless redeals are these, each as often as any other."""
    is_test = len(deals) <= (2000 if COMPILED else 60)
    counts = Counter(dealt(view, number) for number in range(DRAWS_EACH * len(deals) if is_test else 60))
    assert set(counts) <= set(deals)
    if is_test and len(deals) > 1:
        assert stats.chisquare([counts[deal] for deal in deals]).pvalue > ERROR_RATE, view


# ----------------------------------------------------------------------------------------------- uniformity


@pytest.mark.parametrize("rules", [Rules(), ALONE, THREE, TWO], ids=["four", "alone", "three", "two"])
def test_every_deal_of_an_ending_comes_equally_often(rules: Rules) -> None:
    """Against full enumeration, with and without voids, in the middle of tricks and between them."""
    views = endings(rules, 10 if COMPILED else 2)
    for view in views:
        deals = every_deal(view)
        assert_uniform(view, deals)
    if COMPILED:
        n_restricted = sum(len(every_deal(view)) < n_without_voids(view) for view in views)
        n_between_tricks = sum(view.n_in_trick == 0 for view in views)
        assert n_restricted >= 3
        assert 1 <= n_between_tricks < len(views)


def fan(view: Any, voids: list[int], hand: list[int], played: list[int]) -> Any:
    """Turn a view into one of seat 0 with the given cards, after whole tricks, voids given by seat."""
    size = view.rules.hand_size
    n = int(view.n_players)
    view.seat, view.hand, view.played = 0, mask_of(hand), mask_of(played)
    view.trick_no, view.n_history = size - len(hand), len(played)
    view.trick[:] = NOT_YET
    view.voids[:] = voids
    view.leaders[: size - len(hand)] = 0
    assert len(played) == n * (size - len(hand))
    return view


@pytest.mark.parametrize(
    ("voids", "n_deals"),
    [
        ([0, 0, 0, 0], 1680),
        ([0, 0b1000, 0, 0], 20 * 20),
        ([0, 0b1000, 0b0001, 0], 20 * 20),  # no club is left to be void in
        ([0, 0b1000, 0b1000, 0], 20),
        ([0, 0b0111, 0, 0], 20),
        ([0, 0b1000, 0b0100, 0b0010], 56),
        ([0, 0b1010, 0b1100, 0b0111], 1),
        ([0, 0b1110, 0, 0], 0),
    ],
)
def test_voids_made_by_hand(voids: list[int], n_deals: int) -> None:
    """Seat 0 and its three cards; three spades, three hearts, three diamonds are left with the others."""
    view = fresh_view(random_moment(Rules(), 1, 10), 0)
    rest = [13, 14, 15, 26, 27, 28, 39, 40, 41]
    hand = [0, 1, 2]
    fan(view, voids, hand, [card for card in range(52) if card not in rest + hand])
    deals = every_deal(view)
    assert len(deals) == n_deals
    if not deals:
        with pytest.raises(ValueError, match="no deal"):
            dealt(view, 0)
        return
    assert_uniform(view, deals)


def split_probabilities(n_spades: int, n_others: int, size: int) -> list[float]:
    """Return P(first of two hands has k spades), a third hand of `size` cards having none at all.

    The third hand takes its cards from the others first; what is left is shared by two hands of `size`.
    """
    weights = [
        comb(n_spades, k) * comb(n_others - size, size - k) if k <= size else 0 for k in range(n_spades + 1)
    ]
    return [weight / sum(weights) for weight in weights]


@pytest.mark.slow
def test_spades_split_by_the_number_of_deals_behind_each_split() -> None:
    """A whole hand before the first trick, one seat known to have no spade: too many deals to list."""
    view = fresh_view(random_moment(Rules(), seed=5, stop=0), 0)
    view.voids[2] = 0b1000
    n_spades = sum(card >= 39 for card in unseen(view))
    n = 8_000
    counts = np.zeros(14)
    for number in range(n):
        hands = dealt(view, number)
        assert [len(bits(hand)) for hand in hands] == [13] * 4
        assert not any(card >= 39 for card in bits(hands[2]))
        counts[sum(card >= 39 for card in bits(hands[1]))] += 1
    expected = n * np.array(split_probabilities(n_spades, 39 - n_spades, 13))
    common = expected >= 5
    pooled = [*counts[: len(expected)][common], counts.sum() - counts[: len(expected)][common].sum()]
    assert stats.chisquare(pooled, [*expected[common], n - expected[common].sum()]).pvalue > ERROR_RATE


@pytest.mark.slow
@pytest.mark.parametrize("rules", [Rules(), THREE, TWO], ids=["four", "three", "two"])
def test_every_unseen_card_comes_to_every_seat_by_its_number_of_cards(rules: Rules) -> None:
    """Before the first trick, when nothing is known."""
    view = fresh_view(random_moment(rules, seed=6, stop=0), 1)
    n = 20_000
    places = [seat for seat, _, _ in holders(view)]
    counts = np.zeros((52, len(places)))
    for number in range(n):
        hands = dealt(view, number)
        for place, seat in enumerate(places):
            counts[bits(hands[seat]), place] += 1
    cards = unseen(view)
    shares = np.array([size for _, size, _ in holders(view)]) / len(cards)
    for card in cards:
        assert stats.chisquare(counts[card], n * shares).pvalue > ERROR_RATE / 10
    assert counts.sum() == n * len(cards)


# ---------------------------------------------------------------------------------------------- what it is


@pytest.mark.parametrize("rules", [Rules(), ALONE, THREE, TWO], ids=["four", "alone", "three", "two"])
def test_a_redeal_agrees_with_what_the_seat_knows(rules: Rules) -> None:
    """At any moment of random hands: all unseen cards, hand sizes, voids, and the true deal's own hand."""
    for seed, stop in product(range(6), range(0, 60, 4)) if COMPILED else [(0, 6), (1, 27), (2, 49)]:
        position = random_moment(rules, seed, stop)
        for seat in range(rules.players):
            view = fresh_view(position, seat)
            hands = dealt(view, number=stop)
            assert hands[seat] == view.hand
            cards = [card for hand in hands for card in bits(hand)]
            assert sorted(cards) == sorted(unseen(view) + bits(view.hand))
            for other, size, suits in holders(view):
                assert len(bits(hands[other])) == size == dealer_count(view, other)
                assert not any(suits >> (card // 13) & 1 for card in bits(hands[other]))
            n_empty = 4 - rules.players - (1 if rules.players == 2 else 0)
            assert [*hands].count(0) >= n_empty
            assert bits(unseen_cards(view)) == unseen(view)


def dealer_count(view: Any, seat: int) -> int:
    """Return how many cards the module says that a holder has."""
    return 26 if seat == UNDEALT and view.n_players == 2 else int(dealer.cards_left(view, seat))


@pytest.mark.parametrize("has_voids", [False, True])
def test_a_redeal_is_named_by_its_key_and_number(has_voids: bool) -> None:
    view = fresh_view(random_moment(Rules(), seed=8, stop=20), 0)
    if has_voids:
        view.voids[1] |= 0b0100
    else:
        view.voids[:] = 0
    assert dealt(view, 3) == dealt(view, 3)
    assert len({dealt(view, number, key) for number in range(10) for key in range(10)}) == 100


def test_numbers_beyond_any_deal_are_drawn_again() -> None:
    """A draw below n takes 62 bits, and throws away those beyond the last whole multiple of n."""
    n = 3 << 60  # a quarter is thrown away
    drawn = [int(dealer.draw_below(n, 5, number, 9)) for number in range(3000 if COMPILED else 1500)]
    assert 0 <= min(drawn) <= max(drawn) < n
    assert stats.chisquare(np.bincount([number // (n // 12) for number in drawn])).pvalue > ERROR_RATE
    small = [int(dealer.draw_below(3, 5, number, 9)) for number in range(3000 if COMPILED else 1500)]
    assert stats.chisquare(np.bincount(small)).pvalue > ERROR_RATE


# ------------------------------------------------------------------------------------------ impossible views


def test_no_deal_for_a_suit_that_nobody_may_hold() -> None:
    view = fresh_view(random_moment(Rules(), seed=4, stop=8), 0)
    view.voids[1:] = 0b1000
    with pytest.raises(ValueError, match="no deal of the unseen cards agrees"):
        dealt(view, 0)


@pytest.mark.parametrize("rules", [Rules(), ALONE, THREE, TWO], ids=["four", "alone", "three", "two"])
@pytest.mark.parametrize("stop", [0, 17, 40])
@pytest.mark.parametrize("change", ["a card too few", "a card too many", "a card seen twice"])
def test_no_deal_for_another_number_of_cards(rules: Rules, stop: int, change: str) -> None:
    view = fresh_view(random_moment(rules, seed=2, stop=stop), 0)
    if change == "a card too few":
        view.hand &= view.hand - 1
    elif change == "a card too many":
        view.hand |= 1 << unseen(view)[0]
    else:
        view.played |= 1 << unseen(view)[0]
    with pytest.raises(ValueError, match="no deal of the unseen cards agrees"):
        dealt(view, 0)


def test_no_deal_for_a_seat_that_may_hold_nothing() -> None:
    view = fresh_view(random_moment(Rules(), seed=4, stop=8), 0)
    view.voids[2] = 0b1111
    with pytest.raises(ValueError, match="no deal of the unseen cards agrees"):
        dealt(view, 0)


def test_no_deal_for_a_hand_too_large_for_the_suits_left_to_it() -> None:
    """Seat 1 has 13 cards to hold and only spades to hold them in, of which seat 0 has some."""
    view = fresh_view(random_moment(Rules(), seed=5, stop=0), 0)
    assert view.hand >> 39
    view.voids[1] = 0b0111
    with pytest.raises(ValueError, match="no deal of the unseen cards agrees"):
        dealt(view, 0)
