"""medium and hard at tables of three and four single players: better than those below, no foolish nils."""

import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.rules import Rules
from spadesim.match import duel
from spadesim.strategy import load_strategy
from spadesim.strategy.ask import watch

LADDER = [("medium", "easy"), ("hard", "medium")]


@pytest.mark.compiled_only
@pytest.mark.parametrize("rules", ["cutthroat3", "bicycle", "pata:teams=individual"])
@pytest.mark.parametrize(("better", "worse"), LADDER)
def test_the_better_bot_scores_more_a_hand(better: str, worse: str, rules: str) -> None:
    """Five standard errors above 0; a bot no better would pass with a probability of 3e-7."""
    found = duel(better, worse, rules=rules, boards=4000, seed=5).points_per_board
    assert found is not None
    error = (found.high - found.low) / (2 * 1.96)
    assert found.mean > 5 * error


@pytest.mark.parametrize("name", ["medium", "hard"])
def test_no_nil_at_a_table_of_three(name: str) -> None:
    """Of those that they bid with a partner's table in mind, one in five was made there."""
    bot = load_strategy(name)
    seen = watch(bot, load_strategy("easy"), Rules.parse("cutthroat3"), 4, 5000 if COMPILED else 60)
    bids = seen.answers[seen.views["phase"] == 0]
    assert len(bids) > 200 or not COMPILED
    assert bids.min() >= 1


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["medium", "hard"])
def test_bids_come_near_the_tricks_won_at_a_table_of_three(name: str) -> None:
    """Of 17 tricks four players' bids would claim 11 to 12; these leave less than one each."""
    side = duel(name, name, rules="cutthroat3", boards=3000, seed=6).sides["a"]
    assert side.mean_bid is not None
    assert side.bid_error is not None
    assert 4.8 < side.mean_bid.mean < 5.5
    assert 0.2 < side.bid_error.mean < 1


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["medium", "hard"])
def test_tricks_are_taken_where_bags_are_free(name: str) -> None:
    """Against the same bot, ducking would bring nothing: with and without it they play alike."""
    assert duel(name, f"{name}:bags=off", rules="bicycle", boards=500, seed=7).identical_boards == 500
    assert duel(name, f"{name}:bags=off", rules="cutthroat3", boards=500, seed=7).identical_boards < 250
