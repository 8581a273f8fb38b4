"""What easy, pata_easy, lowest_card and random_legal do, hand by hand."""

import math

import numpy as np
import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.batch import BOARDS, new_task, run_chunk
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, PLAYING
from spadesim.strategy import lineup, load_side, load_strategy
from spadesim.strategy.ask import answers_to, watch
from tests.core.cases import card, mask
from tests.strategies.situations import bid, play, situation

NEEDS = {"bids": [3, 1, 3, 1], "tricks": [2, 0, 3, 0], "trick_no": 5}
HAS_MADE = {"bids": [3, 1, 3, 1], "tricks": [3, 0, 3, 0], "trick_no": 6}


@pytest.mark.parametrize(
    ("trick", "hand", "chosen"),
    [
        # leading
        ("", "AH 5H 4H AD 3D 2C", "AD"),  # the ace of the shorter suit
        ("", "AH 5H AD 3D 2C", "AD"),  # of equally short ones, diamonds before hearts
        ("", "KH 5H QD KC", "KC"),  # the highest side card, clubs first
        ("", "QS 5S", "QS"),  # nothing but spades
        # second to play: the highest winner
        ("5H", "KH QH 2H", "KH"),
        ("AH", "KH QH 2H", "2H"),
        # third: over the opponents with a jack or better, over the partner's unless it is an ace
        ("2H 6H", "TH 3H", "3H"),
        ("2H 6H", "JH 3H", "JH"),
        ("TH 6H", "JH 3H", "JH"),
        ("AH 6H", "KH 3H", "3H"),
        # last: as cheaply as it can, not over the partner
        ("5H 9H TH", "KH JH 2H", "JH"),
        ("5H JH TH", "KH QH 2H", "2H"),
        ("5H 2S 9H", "KH QH 2D", "QH"),
        # void: the cheapest spade that wins
        ("5H", "9S 3S 2D", "3S"),
        ("5H 4S", "9S 3S 2D", "9S"),
        ("5H 4S 6H", "9S 3S 2D", "2D"),
        ("5H TS", "9S 3S 4D 4C", "4C"),
    ],
)
def test_easy_takes_what_it_needs(trick: str, hand: str, chosen: str) -> None:
    assert play("easy", hand, trick, **NEEDS) == chosen


@pytest.mark.parametrize(
    ("trick", "hand", "chosen"),
    [
        ("", "AH 5H 2S 4C", "4C"),  # leads low, side suits first
        ("9H", "KH 8H 2H", "8H"),  # under the best card
        ("2H", "KH 8H 5H", "5H"),  # all win, others follow: the lowest
        ("2H 3H 4H", "KH 8H 5H", "KH"),  # all win, last: the highest
        ("9H", "AS 3S KD KC 2C", "KC"),  # void: the highest side card
        ("9H 8S", "AS 3S KD", "3S"),  # under a spade, the highest spade that loses
        ("9H", "AS 3S", "3S"),  # only spades
        ("9H 2H 3H", "AS 3S", "AS"),
        ("9S", "AS 8S 3S", "8S"),
    ],
)
def test_easy_ducks_when_its_side_has_its_tricks(trick: str, hand: str, chosen: str) -> None:
    assert play("easy", hand, trick, **HAS_MADE) == chosen
    nil = {"bids": [0, 1, 3, 1], "tricks": [0, 2, 2, 1], "trick_no": 5}
    assert play("easy", hand, trick, **nil) == chosen


def test_easy_parameters() -> None:
    empty = situation("9S 8S 2S KH QH 3H KD 4D 5D KC 3C 4C 5C")
    rich = situation("AS KS TS 2S AH KH 3H AD 4D 5D 2C 3C 4C")
    for settings, bids in {
        "": (1, 5),
        ":easy_zero=nil": (0, 5),
        ":ace=2": (1, 7),
        ":high_spade=0": (1, 2),
        ":spade_from=11": (1, 4),
        ":spade_from=8": (2, 5),
        ":spade_from=15": (1, 2),
    }.items():
        strategy = load_strategy(f"easy{settings}")
        assert (strategy.bid(empty, strategy.values), strategy.bid(rich, strategy.values)) == bids
    assert play("easy:third_seat=12", "JH 3H", "2H 6H", **NEEDS) == "3H"
    assert play("easy:third_seat=10", "TH 3H", "2H 6H", **NEEDS) == "TH"


def test_without_nils_a_zero_is_bid_as_one() -> None:
    strategy = load_strategy("easy:easy_zero=nil")
    view = situation("9S 8S 2S KH QH 3H KD 4D 5D KC 3C 4C 5C", rules=Rules.parse("pata:nil_allowed=false"))
    assert strategy.bid(view, strategy.values) == 1


@pytest.mark.parametrize("spec", ["easy:easy_zero=nil", "pata_easy:zero=nil"])
def test_four_simple_counts_always_total_8(spec: str) -> None:
    side = load_side(spec)
    boards = 2000 if COMPILED else 5
    tally, _ = run_chunk(lineup(side, side), Rules(), new_task(BOARDS, 4, 0, boards))
    assert tally[0]["sides"][:, 1].sum() == 8 * 2 * boards
    for board in range(5):
        tally, _ = run_chunk(lineup(side, side), Rules(), new_task(BOARDS, 4, board, 1))
        assert tally[0]["sides"][:, 1].sum() == 8 * 2


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["easy:easy_zero=nil", "pata_easy:zero=nil"])
def test_nothing_to_count_is_as_frequent_as_combinatorics_has_it(spec: str) -> None:
    """A right count fails on fresh boards with a probability below 1e-6: it asks for 5 standard errors."""
    side = load_side(spec)
    hands = 4 * 2 * 20_000
    tally, _ = run_chunk(lineup(side, side), Rules(), new_task(BOARDS, 8, 0, 20_000))
    share = math.comb(44, 13) / math.comb(52, 13)
    # Both rooms hold the same hands, so half of them count.
    error = math.sqrt(share * (1 - share) / (hands / 2))
    assert abs(tally[0]["players"][:, 3].sum() / hands - share) < 5 * error


def test_pata_easy_parameters() -> None:
    hand, empty = "AS KS TS 2S AH KH 3H AD KD 5D 2C 3C 4C", "QS JS TS 9S QH JH TH QD JD TD QC JC TC"
    for settings, bids in {"": (6, 1), ":ace=2": (9, 1), ":king=0": (3, 1), ":zero=nil": (6, 0)}.items():
        assert (bid(f"pata_easy{settings}", hand), bid(f"pata_easy{settings}", empty)) == bids
    assert bid("pata_easy:zero=nil", empty, rules=Rules.parse("pata:nil_allowed=false")) == 1


def test_pata_easy_does_not_spare_its_partners_nil() -> None:
    place = {"bids": [4, 3, 0, 3], "tricks": [3, 4, 0, 3], "trick_no": 11}
    assert play("pata_easy", "KH 2H", "3H 9H 4H", **place) == "2H"


@pytest.mark.parametrize("name", ["easy", "pata_easy"])
def test_simple_bids_heed_nothing_but_the_hand(name: str) -> None:
    """Whatever the others bid and however the score stands."""
    strategy = load_strategy(name)
    views = watch(strategy, strategy, Rules(), 6, 4000 if COMPILED else 60).views
    views = views[views["phase"] == BIDDING].copy()
    before = answers_to(strategy, views)
    source = np.random.default_rng(3)
    views["bids"] = source.integers(-1, 8, views["bids"].shape)
    views["scores"] = source.integers(-190, 490, views["scores"].shape)
    views["bags"] = source.integers(0, 10, views["bags"].shape)
    assert np.array_equal(answers_to(strategy, views), before)


@pytest.mark.parametrize("name", ["lowest_card", "random_legal"])
def test_the_other_two_bid_like_easy(name: str) -> None:
    easy, other = load_strategy("easy"), load_strategy(name)
    views = watch(easy, easy, Rules(), 6, 2000 if COMPILED else 60).views
    bidding = views[views["phase"] == BIDDING].copy()
    assert np.array_equal(answers_to(easy, bidding), answers_to(other, bidding))


@pytest.mark.slow
def test_random_legal_plays_each_card_equally_often() -> None:
    strategy = load_strategy("random_legal")
    views = watch(strategy, strategy, Rules(), 6, 40_000).views
    views = views[views["phase"] == PLAYING].copy()
    views["legal"] = mask("2C 5D 9H AS")
    counts = np.bincount(answers_to(strategy, views), minlength=52)[
        [card(c) for c in ("2C", "5D", "9H", "AS")]
    ]
    expected = len(views) / 4
    assert counts.sum() == len(views)
    assert (
        (counts - expected) ** 2 / expected
    ).sum() < 21.1  # chi-square with 3 degrees of freedom, p = 1e-4
