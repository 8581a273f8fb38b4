"""What a seat cannot see at a draw table or before it looks: re-dealt, it leaves the seat's view as it was.

The tests of uniformity run on fixed seeds; each would fail a perfect dealer with probability 1e-6.
"""

from collections import Counter
from functools import cache
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import stats

from spadesim.core import redeal as redeal_module
from spadesim.core._jit import COMPILED
from spadesim.core.position import (
    POSITION,
)
from spadesim.core.redeal import UNDEALT
from spadesim.core.rules import DEAL_DRAW, Rules
from spadesim.core.view import (
    DECLARING,
    KEEPING,
    PLAYING,
    VIEW,
    cards_out,
    unseen_cards,
)
from tests.core.hidden import moments, moments_twice_seen, redeal_all
from tests.core.table import bits, fresh_view

dealer: Any = redeal_module
ERROR_RATE = 1e-6
N = 10_000 if COMPILED else 60
TABLES = [
    "draw300",
    "draw500",
    "draw500:draw_second_seen=true",
    "draw500:blind_nil=behind,blind_nil_deficit=0",
    "draw300:bot_memory=false",
    "draw500:bot_memory=false",
    "pata:players=2,teams=individual,deal=packet26,blind_nil=always",
    "pata:blind_nil=always",
    "cutthroat3:blind_nil=always",
]


@pytest.mark.parametrize("table", TABLES)
def test_what_a_seat_cannot_see_never_shows_in_its_view(table: str) -> None:
    """Other hands, the order of the stock, unseen discards; at every phase, 10,000 decisions a table."""
    positions, views = moments(table, 5, N)
    others, again = np.zeros(N, POSITION), np.zeros(N, VIEW)
    redeal_all(positions, views, others, again)
    for name in VIEW.names or ():
        assert np.array_equal(views[name], again[name]), name
    for k in range(0, N, 50):
        cards, before = all_cards(others[k]), all_cards(positions[k])
        assert len(set(cards)) == len(cards) == len(before)
        assert cards == before or "packet26" in table  # of which 26 cards lie nowhere
    is_other = np.any(others["hands"] != positions["hands"], axis=1)
    is_other |= np.any(others["deck"] != positions["deck"], axis=1)
    assert is_other.mean() > 0.8
    assert {KEEPING, DECLARING} & set(positions["phase"].tolist())


@pytest.mark.parametrize("table", TABLES)
def test_a_view_brought_up_to_date_is_as_a_fresh_one(table: str) -> None:
    _, views, lasting = moments_twice_seen(table, 4, N)
    for name in VIEW.names or ():
        assert np.array_equal(views[name], lasting[name]), name


def all_cards(position: Any) -> list[int]:
    """Return every card in a hand, on the pile, in the stock or played, in order: each one once."""
    cards = [card for hand in position["hands"] for card in bits(hand)]
    cards += bits(position["played"])
    if position["rules"]["deal"] == DEAL_DRAW:
        cards += position["pile"][: position["n_pile"]].tolist()
        cards += position["deck"][2 * int(position["n_drawn"]) : 52].tolist()
    return sorted(cards)


@pytest.mark.parametrize("table", ["draw500:blind_nil=off", "draw300"])
def test_a_kept_cards_partner_stays_unseen_unless_the_rules_show_it(table: str) -> None:
    """Unseen, it may lie anywhere for the player who discarded it."""
    positions, views = moments(table, 6, 4000 if COMPILED else 60)
    is_shown = Rules.parse(table).draw_second_seen
    n = 0
    for position, view in zip(positions, views, strict=True):
        if position["phase"] == KEEPING or position["n_history"]:
            continue
        seat = int(position["turn"])
        for turn in range(13):
            dead = int(position["pile"][2 * turn + (seat != position["dealer"])])
            is_seen = is_shown or not view["kept"][seat] >> turn & 1
            assert bool(int(view["discards"]) >> dead & 1) == is_seen
            assert bool(int(unseen_cards(view)) >> dead & 1) != is_seen
        n += 1
    assert n >= 2


@pytest.mark.parametrize("wanted", [0, 7, 20, 26])
def test_every_unseen_card_is_dealt_to_the_opponent_equally_often(wanted: int) -> None:
    """In the draw, and after it: the chance is its cards over all that are unseen."""
    positions, views = moments("draw500:blind_nil=off", 7, 60)
    view = next(view for view in views if view["n_drawn"] == wanted)
    other, cards = 1 - int(view["seat"]), bits(unseen_cards(view))
    n_held = len(bits(next(p for p in positions if p["n_drawn"] == wanted)["hands"][other]))
    counts: Counter[int] = Counter()
    n = 4000 if COMPILED else 200
    for number in range(n):
        hands = np.zeros(4, dtype=np.int64)
        dealer.redeal(view, 3, number, hands)
        assert len(bits(hands[other])) == n_held
        assert int(hands[other] | hands[UNDEALT]) == int(unseen_cards(view))
        counts.update(bits(hands[other]))
    if n_held:
        expected = n * n_held / len(cards)
        # Drawn without replacement: the counts' squares have this spread, and are a chi-square in the limit.
        spread = expected * (1 - n_held / len(cards)) * len(cards) / (len(cards) - 1)
        statistic = sum((counts[card] - expected) ** 2 for card in cards) / spread
        assert stats.chi2.sf(statistic, len(cards) - 1) > ERROR_RATE


@cache
def tables_with_exchanges() -> Any:
    return moments("draw500:draw_second_seen=true", 8, 20_000 if COMPILED else 6000)[0]


def exchanged(is_first: bool) -> Any:
    """Return what a seat knows when both have exchanged, its opponent three cards.

    Parameters
    ----------
    is_first : whether the seat exchanges first, so that the cards it gave lay there for the other
    """
    for position in tables_with_exchanges():
        first = int(position["first_bidder"])
        seat = first if is_first else 1 - first
        n_exchanged = position["n_exchanged"]
        is_begun = position["phase"] == PLAYING and position["n_history"] == 0
        if is_begun and n_exchanged[1 - seat] == 3 and n_exchanged[seat] > 0:
            return fresh_view(position, seat)
    raise AssertionError("no such exchange")


@pytest.mark.parametrize("is_first", [True, False])
def test_cards_that_the_opponent_drew_back_come_as_often_as_they_should(is_first: bool) -> None:
    """The number of seen discards that it has drawn in its exchange is hypergeometric."""
    view = exchanged(is_first)
    lay = int(view.discards) & (~0 if view.seat == view.first_bidder else ~int(view.given))
    n_seen = lay.bit_count()
    assert int(cards_out(view)) == int(unseen_cards(view)) | lay
    counts: Counter[int] = Counter()
    n = 20_000 if COMPILED else 200
    for number in range(n):
        hands = np.zeros(4, dtype=np.int64)
        dealer.redeal(view, 4, number, hands)
        assert len(bits(hands[1 - int(view.seat)])) == 13
        counts[(int(hands[1 - int(view.seat)]) & lay).bit_count()] += 1
    ways = [comb(n_seen, j) * comb(26 - n_seen, 3 - j) for j in range(4)]
    expected = [n * way / comb(26, 3) for way in ways]
    assert stats.chisquare([counts[j] for j in range(4)], expected).pvalue > ERROR_RATE


def test_no_deal_agrees_with_too_many_cards_shown_out_of() -> None:
    view = exchanged(is_first=True)
    view.voids[1 - int(view.seat)] = 0b1111
    with pytest.raises(ValueError, match="no deal of the unseen cards agrees"):
        dealer.redeal(view, 1, 0, np.zeros(4, dtype=np.int64))
