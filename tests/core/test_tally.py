"""Tallies: adding them up is exact, in any grouping and any order."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadesim.core import tally as tally_module
from spadesim.core.tally import (
    N_PLAYER_COUNTS,
    N_SIDE_COUNTS,
    PLAYER_COUNTS,
    RATIO_NAMES,
    RATIO_PARTS,
    RATIOS,
    SIDE_COUNTS,
    TALLY,
    fingerprint_text,
    has_overflowed,
    merge,
    new_tally,
)

compiled: Any = tally_module
seeds = st.integers(0, 2**32)
words = st.integers(0, 2**32 - 1)
edges = st.sampled_from([0, 1, 2**31, 2**32 - 1])


def random_tally(seed: int) -> Any:
    """Return a tally of any counts, its fingerprint two words."""
    random = np.random.default_rng(seed)
    tally = new_tally()
    tally.view(np.int64)[:] = random.integers(-(2**40), 2**40, tally.view(np.int64).shape)
    tally[0]["fingerprint"] = random.integers(0, 2**32, 2)
    return tally


def merged(*parts: Any) -> Any:
    total = new_tally()
    for part in parts:
        merge(total, part)
    return total


def as_int(tally: Any) -> int:
    return int(fingerprint_text(tally[0]), 16)


@given(seeds, seeds, seeds)
def test_merging_is_adding(one: int, two: int, three: int) -> None:
    a, b, c = (random_tally(seed) for seed in (one, two, three))
    whole = merged(a, b, c).tobytes()
    assert merged(merged(a, b), c).tobytes() == whole
    assert merged(a, merged(b, c)).tobytes() == whole
    assert merged(c, a, b).tobytes() == whole
    assert merged(a, new_tally()).tobytes() == a.tobytes()


@given(seeds, seeds)
def test_every_count_is_added_and_the_part_left_alone(one: int, two: int) -> None:
    total, part = random_tally(one), random_tally(two)
    before, unchanged = total.copy(), part.tobytes()
    merge(total, part)
    for name in TALLY.names or ():
        if name != "fingerprint":
            assert np.array_equal(total[0][name], before[0][name] + part[0][name])
    assert part.tobytes() == unchanged


@given(words | edges, words | edges, words | edges, words | edges)
def test_fingerprints_add_up_modulo_2_to_the_64(low: int, high: int, more: int, most: int) -> None:
    """Merged from two tallies, or one digest after another."""
    one, other = new_tally(), new_tally()
    one[0]["fingerprint"], other[0]["fingerprint"] = (low, high), (more, most)
    expected = ((high << 32) + low + (most << 32) + more) % 2**64
    assert as_int(merged(one, other)) == expected
    compiled.add_digest(one[0], more, most)
    assert as_int(one) == expected
    assert 0 <= one[0]["fingerprint"].min() <= one[0]["fingerprint"].max() < 2**32


@pytest.mark.parametrize("name", ["margin_squares", "priced_squares"])
@pytest.mark.parametrize("room", [0, 1, 5, 6])
def test_a_sum_of_squares_that_overflows_shows(name: str, room: int) -> None:
    total, part = new_tally(), new_tally()
    total[0][name][room] = part[0][name][room] = 2**62
    total[0]["cross"][2] = -5  # a sum of products may be negative
    assert not has_overflowed(total)
    merge(total, part)
    assert has_overflowed(total)


def test_a_fingerprint_is_16_digits() -> None:
    tally = new_tally()
    assert fingerprint_text(tally[0]) == "0" * 16
    tally[0]["fingerprint"] = 0xABC, 0x12
    assert fingerprint_text(tally[0]) == "0000001200000abc"


def test_counts_are_named_by_their_places() -> None:
    for names, prefix in ((SIDE_COUNTS, ""), (PLAYER_COUNTS, "P_")):
        for place, name in enumerate(names):
            assert getattr(tally_module, f"{prefix}{name.upper()}") == place
    assert (len(SIDE_COUNTS), len(PLAYER_COUNTS)) == (N_SIDE_COUNTS, N_PLAYER_COUNTS)


def test_ratios_are_of_a_sides_counts() -> None:
    assert tuple(RATIOS) == RATIO_NAMES
    assert RATIO_PARTS.tolist() == [list(parts) for parts in RATIOS.values()]
    assert {
        name: f"{SIDE_COUNTS[numerator]} / {SIDE_COUNTS[denominator]}"
        for name, (numerator, denominator) in RATIOS.items()
    } == {
        "mean_bid": "bid / hands",
        "bid_error": "bid_error / hands",
        "set_rate": "sets / contracts",
        "bags_per_hand": "bags / hands",
        "bag_penalties_per_game": "bag_penalties / games",
        "nil_rate": "nil_bids / seat_hands",
        "nil_success": "nil_made / nil_bids",
        "opponent_nil_set_rate": "opponent_nil_set / opponent_nil_bids",
        "boston_rate": "bostons / hands",
        "points_per_hand": "points / hands",
    }


def test_a_new_tally_is_empty() -> None:
    assert not new_tally().view(np.int64).any()
