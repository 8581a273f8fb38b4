"""Worlds: uniform without likelihoods, in proportion with them; the same table as far as the seat knows it.

Those that draw many run without the compiler alone: what they draw is compiled nowhere else but in bots.
"""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from spadesim.core import redeal as redeal_module
from spadesim.core import worlds as worlds_module
from spadesim.core._jit import COMPILED
from spadesim.core.position import POSITION
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, KEEPING, PLAYING, VIEW
from spadesim.strategy import load_strategy
from spadesim.strategy.models import Model
from tests.core.table import ALONE, DRAW300, THREE, bits, decisions, engine, fresh_view, new_table
from tests.core.test_redeal import Deal, endings, every_deal

worlds: Any = worlds_module
planner: Any = redeal_module
ERROR_RATE = 1e-6
UNKNOWN = {"serial", "rng_key", "n_seen", "n_tricks_seen", "n_choices_seen"}  # to worlds, of a view

pytestmark = pytest.mark.skipif(COMPILED, reason="nothing else compiles what this draws")


@pytest.fixture(scope="module")
def model() -> Model:
    """Hard, as expert asks it."""
    found = load_strategy("expert").model
    assert found is not None
    return found


class Drawer:
    """Draws worlds of one view."""

    def __init__(
        self,
        view: Any,
        model: Model,
        tries: int = 1,
        bids: float = 1.0,
        cards: float = 1.0,
        draws: float = 1.0,
    ) -> None:
        self.view, self.model = view, model
        self.tables, self.sight = np.zeros(2, POSITION), np.zeros(1, VIEW)[0]
        self.own, self.how = np.zeros(4, np.int64), np.array([tries, bids, cards, draws])
        self.draws = np.zeros(worlds.N_KEPT + 1)
        worlds.lay_out_worlds(view, self.tables, self.own)
        worlds.weigh_keeping(view, self.how, self.own, self.draws)
        self.plan = planner.plan_deals(view)

    def draw(self, number: int) -> Any:
        """One world; None where there is none."""
        is_found = worlds.draw_world(
            self.view,
            self.plan,
            self.model.handle,
            self.how,
            number,
            self.tables,
            self.sight,
            self.own,
            self.draws,
        )
        return self.tables[worlds.WORLD] if is_found else None

    def deal(self, number: int) -> Deal:
        """The hands of one world."""
        return tuple(self.draw(number)["hands"].tolist())


def model_bids(view: Any, deal: Deal) -> list[int]:
    """What hard bids at a table where these hands, and what was played from them, were dealt."""
    hard, table = load_strategy("hard"), new_table(Rules())
    n, dealt = int(view.n_players), list(deal)
    for k in range(int(view.n_history)):
        dealt[(int(view.leaders[k // n]) + k % n) % n] |= 1 << int(view.history[k])
    table["dealer"], table["scores"], table["bags"] = view.dealer, view.scores, view.bags
    engine.deal_hands(table, np.array(dealt))
    bids = [0] * n
    while engine.advance(table) == BIDDING:
        seat = int(table["turn"])
        bids[seat] = int(hard.bid(fresh_view(table, seat), hard.rows[0]))
        engine.apply(table, int(view.bids[seat]))
    return bids


def weight(view: Any, deal: Deal, factor: float) -> float:
    """How likely the others' bids are: a factor for each trick that hard is away, two more for a nil."""
    steps = 0
    for seat, told in enumerate(model_bids(view, deal)):
        made = int(view.bids[seat])
        if seat != view.seat and told != made:
            steps += abs(told - made) + (2 if 0 in (told, made) else 0)
    return float(factor**steps)


def small(views: list[Any], most: int) -> Any:
    """The view with the most deals to tell apart among those with few enough."""
    return max(
        (view for view in views if len(every_deal(view)) <= most), key=lambda view: len(every_deal(view))
    )


def with_bids(view: Any, deal: Deal) -> Any:
    """The same view after the bids that hard makes with one of its deals."""
    for _ in range(4):
        for seat, told in enumerate(model_bids(view, deal)):
            view.bids[seat] = told
    return view


def test_without_likelihoods_every_deal_comes_equally_often(model: Model) -> None:
    restricted = [view for view in endings(Rules(), 6) if view.voids.any() and view.phase == PLAYING]
    view = small(restricted, 30)
    deals, drawer = every_deal(view), Drawer(view, model)
    counts = Counter(drawer.deal(number) for number in range(20 * len(deals)))
    assert set(counts) <= set(deals)
    assert stats.chisquare([counts[deal] for deal in deals]).pvalue > ERROR_RATE


def test_deals_come_as_likely_as_they_explain_the_bids(model: Model) -> None:
    view = small([view for view in endings(Rules(), 6) if view.phase == PLAYING], 30)
    deals = every_deal(view)
    with_bids(view, deals[0])
    weights = np.array([weight(view, deal, 0.4) for deal in deals])
    assert len(set(weights.tolist())) > 1
    n = 600
    drawer = Drawer(view, model, tries=400, bids=0.4)
    counts = Counter(drawer.deal(number) for number in range(n))
    expected = n * weights / weights.sum()
    is_often = expected >= 5
    seen = [*(counts[deal] for deal, often in zip(deals, is_often, strict=True) if often), 0]
    seen[-1] = n - sum(seen)
    wanted = [*expected[is_often].tolist(), max(float(expected[~is_often].sum()), 1e-9)]
    if wanted[-1] < 1:
        wanted, seen = wanted[:-1], seen[:-1]
        wanted = [one * sum(seen) / sum(wanted) for one in wanted]
    assert stats.chisquare(seen, wanted).pvalue > ERROR_RATE
    assert stats.chisquare(seen).pvalue < ERROR_RATE  # a uniform draw would be noticed


@pytest.mark.parametrize("rules", [Rules(), ALONE, THREE, DRAW300], ids=["four", "alone", "three", "draw"])
def test_a_world_shows_the_seat_what_it_sees(rules: Rules, model: Model) -> None:
    table, n_seen = new_table(rules, seed=3), 0
    engine.start_hand(table)
    for _ in decisions(table, np.random.default_rng(8)):
        if table["phase"] in (BIDDING, PLAYING):
            view = fresh_view(table, int(table["turn"]))
            world = Drawer(view, model, tries=2, bids=0.1, cards=0.9, draws=0.1).draw(4)
            again = fresh_view(world, int(world["turn"]))
            for name in set(VIEW.names or ()) - UNKNOWN:
                assert np.array_equal(view[name], again[name]), name
            n_seen += 1
    assert n_seen > 10


def test_what_the_other_seat_kept_tells_of_its_hand(model: Model) -> None:
    """Stocks are drawn by the rule; of those that look alike to a seat, hands are as in its worlds."""
    table, n = drawn_table(), 4000
    seat = int(table["turn"])
    view = fresh_view(table, seat)
    unseen = bits(int(planner.unseen_cards(view)))
    is_good = np.array([worlds.WORTH_KEEPING >> card & 1 for card in unseen], bool)
    n_kept, n_good = int(view.kept[1 - seat]).bit_count(), int(is_good.sum())
    random, found = np.random.default_rng(6), Counter[int]()
    while found.total() < n:
        turns = random.permuted(np.tile(is_good, (4000, 1)), axis=1).reshape(4000, 13, 2)
        firsts, seconds = turns[:, :, 0], turns[:, :, 1]
        hands = (firsts | seconds).sum(axis=1)
        found.update(hands[firsts.sum(axis=1) == n_kept].tolist())
    places = range(worlds.N_KEPT + 1)
    deals = np.array([math.comb(n_good, k) * math.comb(26 - n_good, 13 - k) for k in places], float)
    expected = Drawer(view, model, draws=0.0).draws * deals
    assert chance_of(found, expected) > ERROR_RATE
    assert chance_of(found, deals) < ERROR_RATE
    uniform, weighed = Drawer(view, model), Drawer(view, model, tries=100, draws=0.0)
    usual, better = (
        [(drawer.deal(number)[1 - seat] & worlds.WORTH_KEEPING).bit_count() for number in range(12)]
        for drawer in (uniform, weighed)
    )
    assert stats.ttest_ind(usual, better, alternative="less").pvalue < 1e-3


def chance_of(counts: Counter[int], expected: Any) -> float:
    """The chance of counts that are further from what is expected; the seldom ones are taken together."""
    seen = np.array([counts[k] for k in range(len(expected))], float)
    wanted = expected * seen.sum() / expected.sum()
    is_often = wanted >= 5
    seen, wanted = (
        np.append(of[is_often], of[~is_often].sum() + (0.5 if of is wanted else 0.0)) for of in (seen, wanted)
    )
    return float(stats.chisquare(seen, wanted * seen.sum() / wanted.sum()).pvalue)


def drawn_table() -> Any:
    """A table of two at its first bid, its cards drawn by the rule to keep spades, aces and kings."""
    table = new_table(DRAW300, seed=5)
    engine.start_hand(table)
    while engine.advance(table) == KEEPING:
        offered = int(fresh_view(table, int(table["turn"])).offered)
        engine.apply(table, worlds.WORTH_KEEPING >> offered & 1)
    return table


def test_bids_that_no_deal_explains_still_give_a_world(model: Model) -> None:
    view = endings(Rules(), 1)[0]
    view.bids[:] = 13
    assert Drawer(view, model, tries=3, bids=0.0, cards=0.0).deal(0) in every_deal(view)


def test_contradictions_give_no_world(model: Model) -> None:
    view = endings(Rules(), 1)[0]
    view.voids[(int(view.seat) + 1) % 4] = 0b1111
    assert Drawer(view, model).draw(0) is None
    view = endings(Rules(), 1)[0]
    view.played &= ~(1 << int(view.history[0]))
    assert Drawer(view, model).draw(0) is None
