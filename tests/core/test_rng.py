"""Philox and its streams.

Statistical tests run on fixed seeds, so they either always pass or always fail; each would fail a perfect
generator with probability 1e-6.
"""

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from spadesim.core import rng as rng_module
from spadesim.core._jit import COMPILED
from spadesim.core.rules import Rules
from spadesim.core.view import VIEW, uniform, uniform_below
from tests.core.slow_rng import slow_philox, slow_shuffle
from tests.core.table import engine, fresh_view, random_moment

rng: Any = rng_module
ERROR_RATE = 1e-6
MANY = 200_000 if COMPILED else 2_000


def hexadecimal(words: Any) -> str:
    return " ".join(f"{int(word):08x}" for word in words)


def p_value(counts: Any, expected: Any = None) -> float:
    return float(stats.chisquare(counts, expected).pvalue)


# ------------------------------------------------------------------------------------------------- Philox


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
    ids=["zeros", "ones", "pi"],
)
def test_known_answers(counter: str, key: str, expected: str) -> None:
    """The answers published with Random123."""
    arguments = [np.uint64(int(word, 16)) for word in f"{counter} {key}".split()]
    assert hexadecimal(rng.philox(*arguments)) == expected
    numbers = [int(word) for word in arguments]
    assert hexadecimal(slow_philox(numbers[:4], numbers[4:])) == expected


def test_words_place_seed_index_tag_and_block() -> None:
    """Key = seed; counter = index, tag, block; the low word first."""
    random = np.random.default_rng(1)
    for _ in range(50):
        key, index = (int(number) for number in random.integers(0, 2**63, 2))
        tag, block = (int(number) for number in random.integers(0, 2**32, 2))
        counter = [index % 2**32, index >> 32, tag, block]
        expected = slow_philox(counter, [key % 2**32, key >> 32])
        assert list(rng.words(key, index, tag, block)) == expected


def test_words_are_plain_non_negative_ints() -> None:
    for word in rng.words(2**63 - 1, 2**63 - 1, 2**32 - 1, 2**32 - 1):
        assert isinstance(word, int | np.int64)
        assert 0 <= word < 2**32


# ------------------------------------------------------------------------------------------------ streams


def test_no_two_streams_are_the_same() -> None:
    """Every purpose, hand, seat, game and seed has numbers of its own, as has every place in a stream."""
    places = itertools.product(
        range(3), range(3), range(4), (0, 1, 2, 999, 2**24 - 1), (0, 1, 2, 3, 15), range(3)
    )
    blocks = [
        tuple(rng.words(seed, index, rng.stream_tag(purpose, hand, seat), block))
        for seed, index, purpose, hand, seat, block in places
    ]
    words = [word for block in blocks for word in block]
    assert len(set(blocks)) == len(blocks) == 2700
    # 10,800 words of 32 bits: 0.014 repetitions expected, 3 or more with probability 4e-7
    assert len(words) - len(set(words)) < 3


def test_tags_tell_purposes_hands_and_seats_apart() -> None:
    tags = [
        rng.stream_tag(purpose, hand, seat)
        for purpose in range(16)
        for hand in (0, 1, 1000, 2**24 - 1)
        for seat in range(16)
    ]
    assert len(set(tags)) == len(tags)
    assert 0 <= min(tags) <= max(tags) < 2**32


def test_a_purpose_has_its_own_number() -> None:
    assert [rng.DEAL, rng.BOT, rng.DEALER, rng.REDEAL] == [0, 1, 2, 3]
    assert rng.stream_tag(rng.DEALER, 5, 3) == 5 * 256 + 2 * 16 + 3


def test_seats_have_keys_of_their_own() -> None:
    keys = {
        int(view.rng_key)
        for seed in range(3)
        for index in range(5)
        for hand in range(3)
        for view in views_of_hand(seed, index, hand)
    }
    assert len(keys) == 3 * 5 * 3 * 4
    assert 0 <= min(keys) <= max(keys) < 2**63


def views_of_hand(seed: int, index: int, hand: int) -> list[Any]:
    """Return what the four seats see in a hand, dealt without those before it."""
    position = engine.new_position(Rules())
    engine.start_game(position, seed, index)
    position.hand_no = hand
    engine.start_hand(position)
    engine.advance(position)
    return [fresh_view(position, seat) for seat in range(4)]


# ------------------------------------------------------------------------------- numbers for the strategies


def test_uniform_numbers_of_a_decision_differ_and_come_again() -> None:
    view = fresh_view(random_moment(Rules(), seed=3, stop=0), seat=0)
    drawn = {}
    for phase, trick_no, k in itertools.product(range(2), range(17), range(20)):
        view.phase, view.trick_no = phase, trick_no
        drawn[phase, trick_no, k] = float(uniform(view, k))
        assert uniform(view, k) == drawn[phase, trick_no, k]
    assert len(set(drawn.values())) == len(drawn)
    assert 0 <= min(drawn.values()) <= max(drawn.values()) < 1


def test_splitmix_against_the_published_numbers() -> None:
    """The first five of key 1234567, as Vigna's own splitmix64.c prints them."""
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [int(rng.splitmix(1234567, n)) for n in range(5)] == published
    for n, number in enumerate(published):
        assert rng.keyed_uniform(1234567, 0, n) == (number >> 11) / 2**53
        assert rng.keyed_below(1234567, 0, n, 1000) == (number >> 32) * 1000 >> 32


def test_a_uniform_number_has_53_bits_of_its_own() -> None:
    """The key is the seat's, the place in its stream the number within the decision and the moment."""
    view = fresh_view(random_moment(Rules(), seed=3, stop=30), seat=1)
    key, moment = int(view.rng_key), 64 * int(view.phase) + int(view.trick_no)
    for k in (0, 1, 2, 77, 2**33):
        assert uniform(view, k) == (rng_module.splitmix(key, 1024 * k + moment) >> 11) / 2**53


def test_neighbouring_decisions_are_independent() -> None:
    """Numbers of one key at two moments, and of keys one apart, fall evenly into 8 by 8 squares."""
    keys = range(MANY // 10)
    at = [[int(rng.keyed_below(key, 0, moment, 8)) for key in keys] for moment in (64, 65)]
    for first, second in ((at[0], at[1]), (at[0][1:], at[0][:-1])):
        table = np.zeros((8, 8))
        np.add.at(table, (first, second), 1)
        assert p_value(table.ravel()) > ERROR_RATE


def test_uniform_numbers_depend_on_key_phase_trick_and_number_alone() -> None:
    one, other = (fresh_view(random_moment(Rules(), seed, stop=30), seat=0) for seed in (3, 4))
    for view in (one, other):
        view.rng_key, view.phase, view.trick_no = 123_456_789, 1, 5
    assert [uniform(one, k) for k in range(8)] == [uniform(other, k) for k in range(8)]


def test_uniform_numbers_are_uniform() -> None:
    view = np.zeros(1, dtype=VIEW)[0]
    view.rng_key = 2**62 + 12345
    drawn = [float(uniform(view, k)) for k in range(MANY)]
    assert stats.kstest(drawn, "uniform").pvalue > ERROR_RATE


@pytest.mark.parametrize("n", [1, 2, 3, 13, 52])
def test_uniform_below_is_uniform(n: int) -> None:
    view = np.zeros(1, dtype=VIEW)[0]
    view.rng_key = 98765
    counts = np.bincount([uniform_below(view, k, n) for k in range(MANY // 10)], minlength=n)
    assert len(counts) == n
    assert n == 1 or p_value(counts) > ERROR_RATE


def test_uniform_ints_take_the_leading_half_of_the_same_number() -> None:
    view = np.zeros(1, dtype=VIEW)[0]
    view.rng_key, view.phase, view.trick_no = 2**40 + 5, 1, 7
    for k in range(50):
        word = rng_module.splitmix(2**40 + 5, 1024 * k + 64 + 7) >> 32
        assert uniform_below(view, k, 13) == word * 13 >> 32


@pytest.mark.parametrize("n", [1, 2, 3, 4, 13, 52])
def test_bounded_ints_are_uniform(n: int) -> None:
    drawn = [rng.below_n(word, n) for block in range(MANY // 40) for word in rng.words(7, 0, 0, block)]
    counts = np.bincount(drawn, minlength=n)
    assert len(counts) == n
    assert n == 1 or p_value(counts) > ERROR_RATE


@pytest.mark.parametrize("n", [1, 2, 3, 13, 52])
def test_bounded_ints_at_both_ends(n: int) -> None:
    assert rng.below_n(0, n) == 0
    assert rng.below_n(2**32 - 1, n) == n - 1


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_first_dealers_are_uniform(n_players: int) -> None:
    counts = np.bincount([rng.first_dealer(5, index, n_players) for index in range(MANY // 20)])
    assert len(counts) == n_players
    assert p_value(counts) > ERROR_RATE


def test_the_first_dealer_is_drawn_from_a_stream_of_its_own() -> None:
    for seed, index in ((0, 0), (7, 3), (2**40 + 1, 2**50 + 5)):
        words = slow_philox([index % 2**32, index >> 32, rng.DEALER << 4, 0], [seed % 2**32, seed >> 32])
        assert rng.first_dealer(seed, index, 4) == words[0] * 4 >> 32


@pytest.mark.parametrize("n_blocks", [0, 1, 3, 4, 10, 17])
def test_a_run_of_blocks_is_the_blocks_one_by_one(n_blocks: int) -> None:
    found = np.full(4 * n_blocks + 1, -7, dtype=np.int64)
    rng.fill_words(found, n_blocks, 2**62 + 3, 2**45 + 9, 77)
    assert found[-1] == -7
    expected = [word for block in range(n_blocks) for word in rng.words(2**62 + 3, 2**45 + 9, 77, block)]
    assert [int(word) for word in found[:-1]] == expected


# ------------------------------------------------------------------------------------------------ shuffles


def shuffled(n_cards: int, n_drawn: int, seed: int, index: int, tag: int) -> list[int]:
    cards = np.arange(n_cards, dtype=np.int64)
    rng.shuffle(cards, n_cards, n_drawn, seed, index, tag, np.empty(n_drawn + 3, dtype=np.int64))
    return [int(card) for card in cards]


@pytest.mark.parametrize("n_drawn", [0, 1, 2, 3, 4, 5, 26, 39, 50, 51, 52])
def test_shuffle_is_fisher_and_yates_on_the_stream(n_drawn: int) -> None:
    for index in (0, 1, 2**40):
        found = shuffled(52, n_drawn, 11, index, 22)
        assert found[:n_drawn] == slow_shuffle(52, n_drawn, 11, index, 22)
        assert sorted(found) == list(range(52))


def test_shuffle_reaches_every_order_equally_often() -> None:
    orders = Counter(tuple(shuffled(4, 4, 1, index, 0)) for index in range(MANY // 4))
    assert len(orders) == 24
    assert p_value(list(orders.values())) > ERROR_RATE


def test_a_partial_draw_reaches_every_pair_equally_often() -> None:
    pairs = Counter(tuple(shuffled(5, 2, 1, index, 0)[:2]) for index in range(MANY // 8))
    assert len(pairs) == 20
    assert p_value(list(pairs.values())) > ERROR_RATE


@pytest.mark.slow
def test_every_card_comes_to_every_place_of_52_equally_often() -> None:
    n = 40_000
    counts = np.zeros((52, 52))
    for index in range(n):
        counts[np.arange(52), shuffled(52, 52, 3, index, 0)] += 1
    # Rows and columns have fixed sums; 51 / 52 of the usual sum has 51 * 51 degrees of freedom.
    statistic = ((counts - n / 52) ** 2).sum() / (n / 52) * 51 / 52
    assert stats.chi2.sf(statistic, 51 * 51) > ERROR_RATE


# ------------------------------------------------------------------------------------------------- digests


def test_mix_depends_on_every_word() -> None:
    arguments = [1, 2, 3, 4, 5, 6]
    digests = {tuple(rng.mix(*arguments))}
    for place in range(6):
        for bit in (0, 15, 31):
            changed = list(arguments)
            changed[place] ^= 1 << bit
            digests.add(tuple(rng.mix(*changed)))
    assert len(digests) == 19
    assert all(0 <= word < 2**32 for digest in digests for word in digest)
