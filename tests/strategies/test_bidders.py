"""The bidders of public projects: named hands, and what they bid on the whole beside published figures."""

import importlib

import numpy as np
import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING
from spadesim.strategies import _chances, bis_bids
from spadesim.strategy import load_strategy
from spadesim.strategy.ask import watch
from tests.strategies.situations import bid

measured = importlib.import_module("spadesim.experiments.measure_bidders")
N_DEALS = 4000
LOW = "TS 4S 2S 9H 8H 3H 9D 7D 2D 9C 6C 4C 3C"


@pytest.mark.parametrize(
    ("bot", "hand", "bids", "tricks"),
    [
        ("cats_bids", "AS KS QS 2S AH KH 5H AD 2D 3C 4C 5C 6C", None, 7),
        ("cats_bids", "AS KS QS 2S AH KH 5H AD 2D 3C 4C 5C 6C", [-1, 1, 1, 1], 8),  # the last, at ten
        ("cats_bids", "AS KS QS 2S AH KH 5H AD 2D 3C 4C 5C 6C", [-1, 1, 1, 0], 9),
        ("cats_bids", "AS KS QS 2S AH KH 5H AD 2D 3C 4C 5C 6C", [-1, 1, 2, 1], 7),
        ("cats_bids", "KS 4S 3S 2S KH QD 8C 7C 6C 5C 4C 3C 2C", None, 2),  # 1.6 and .6 and .2
        ("cats_bids", LOW, None, 0),
        ("cats_bids", LOW, [-1, 3, 0, -1], 1),  # not after the partner's
        ("cats_bids", LOW.replace("TS", "JS"), None, 1),
        ("trickster_bids", "AS KS 5S 4S 3S 2S AH 3H 2H 7D 6D 5D 4D", None, 5),  # two ruffs by the lowest two
        ("trickster_bids", "AS KS 9S 8S 7S 6S AH 3H 2H 7D 6D 5D 4D", None, 5),
        ("trickster_bids", "TS 4S 9H 8H 3H 2H QD 7D 2D JC 6C 4C 3C", None, 0),
        ("trickster_bids", "TS 4S 9H 8H 3H 2H QD KD 2D JC 6C 4C 3C", None, 1),  # two high ones of three
        ("bis_bids", "AS 9S 8S 7S 6S 5S KH 2H QD 4D 3D 6C 5C", None, 4),  # 1, 2, .91, .5
        ("bis_bids", "AS 9S 8S 7S 6S 5S KH QD JD 4D 3D 7C 6C", None, 3),  # a lone king
        ("bis_bids", "AS 9S 8S 7S 6S 5S KH 2H QD 4D 3D KC 2C", None, 5),
        ("bis_bids", "5S 3S 2S 8H 6H 4H 3H 2H 7D 5D 3D 2D 2C", None, 0),
        ("bis_bids", LOW, None, 1),
        ("mreishus_bids", "AS KS 4S 3S 2S AH 4H 3H KD 2D QC 4C 3C", None, 6),  # 2, 1.6, 1, .5, .25, .75
        ("mreishus_bids", "QS 4S 2S QH 8H 3H 2H JD 7D 2D JC 6C 3C", None, 0),
        ("mreishus_bids", "QS 4S 2S QH 8H 3H 2H JD 7D 2D JC 6C 3C", [-1, 3, 3, 3], 2),
        ("mreishus_bids", "QS 4S 2S QH 8H 3H 2H JD 7D 2D JC 6C 3C", [-1, 3, 4, 3], 0),
        ("ggz_bids", "AS KS QS 5S 4S AH 3H 2H KD 3D 7C 6C 5C", None, 7),  # 4.75, 1.07, 1
        ("ggz_bids", "AS KS QS 5S 4S AH 3H 2H KD 3D 7C 6C 5C", [-1, 2, 2, 2], 6),  # the last, at thirteen
        ("ggz_bids", "6S 4S 2S 9H 8H 3H 9D 7D 2D 9C 6C 4C 3C", None, 0),
        ("ggz_bids", "6S 4S 2S 9H 8H 3H 9D 7D 2D 9C 6C 4C 3C", [-1, 3, 2, -1], 1),
    ],
)
def test_what_a_bidder_bids(bot: str, hand: str, bids: list[int] | None, tricks: int) -> None:
    assert bid(bot, hand, bids) == tricks


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", list(measured.PUBLISHED))
def test_the_table_of_a_bidder_is_as_published(name: str) -> None:
    found = measured.summary(measured.bids_of(load_strategy(name), N_DEALS, has_nils=name != "bis_bids"))
    published = measured.PUBLISHED[name]
    assert found.table == pytest.approx(published.table, abs=0.1)
    assert found.spread == pytest.approx(published.spread, abs=0.12)
    assert found.seats == pytest.approx(published.seats, abs=0.09)
    shares = [sum(one.nils) / 4 for one in (found, published)]
    assert shares[0] == pytest.approx(shares[1], abs=0.005)


@pytest.mark.compiled_only
def test_deals_are_bid_in_turn_as_the_engine_has_them() -> None:
    bot = load_strategy("cats_bids")
    seen = watch(bot, bot, Rules(), 3, 1000)
    is_last = (seen.views["phase"] == BIDDING) & ((seen.views["bids"] >= 0).sum(axis=1) == 3)
    views, positions = seen.views[is_last], seen.positions[is_last]
    assert len(views) > 10
    order = (views["first_bidder"][:, None] + np.arange(4)) % 4
    hands = np.take_along_axis(positions["hands"][:, :4], order, axis=1)
    bids = np.take_along_axis(views["bids"], order, axis=1)
    bids[:, 3] = seen.answers[is_last]
    assert np.array_equal(measured.bid_round(bot, hands), bids)


def test_the_chances_are_those_of_the_paper() -> None:
    """As the table of the paper has them, to its rounding and the noise of its simulation."""
    published = (
        (0.997, 0.994, 0.990, 0.983, 0.970, 0.948, 0.915, 0.857, 0.774, 0.646, 0.462, 0.227),
        (0.966, 0.942, 0.907, 0.855, 0.779, 0.678, 0.544, 0.381, 0.214, 0.074, 0, 0),
        (0.817, 0.733, 0.624, 0.489, 0.350, 0.212, 0.095, 0.025, 0, 0, 0, 0),
    )
    for row, chances in zip(_chances.CHANCE, published, strict=True):
        assert row[:12] / 100 == pytest.approx(chances, abs=0.0111)


def test_a_nil_breaks_as_the_cards_lie() -> None:
    assert bis_bids.chance_of_break(1, 0, 3) == 0  # a lowest card below all: the partner has one above
    # The second lowest card of two, with one card out, above it: nobody has two of the suit.
    assert bis_bids.chance_of_break(2, 0, 1) == 1
    # One card is out below the lowest: it breaks unless the partner has nothing, or one opponent must follow.
    assert bis_bids.chance_of_break(1, 1, 0) == 1
    # One below and one above: one opponent holds both.
    assert bis_bids.chance_of_break(1, 1, 1) == pytest.approx(2 * 13 * 12 / (39 * 38))


@pytest.mark.skipif(not COMPILED, reason="asks thousands of positions")
def test_all_bid_legally_where_no_nil_is_allowed() -> None:
    for name in measured.PUBLISHED:
        assert measured.bids_of(load_strategy(name), 500, has_nils=False).min() >= 1
