"""What a bot that looks ahead promises besides the contract: strength, and the same hands in any chunks."""

import numpy as np
import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.batch import BOARDS, new_task, run_chunk
from spadesim.core.play import NO_FAULT
from spadesim.core.rules import Rules
from spadesim.core.tally import merge, new_tally
from spadesim.core.view import PLAYING
from spadesim.core.weakness import FORGET, N_WEAKNESSES
from spadesim.errors import UserError
from spadesim.match.equity_file import equity_for
from spadesim.strategy import lineup, load_side, load_strategy
from spadesim.strategy.ask import answers_to, are_legal, dimmed, watch
from tests.quick import quick

QUICK = quick("expert")
N_BOARDS = 240
ODD_RULES = (
    "classic",
    "bicycle",
    "cutthroat3",
    "draw300",
    "draw500",
    "pata:blind_nil=always",
    "pata:spade_lead=anytime,failed_nil_tricks=help,max_hands=2",
    "pata:players=2,teams=individual,deal=packet26",
)


@pytest.mark.compiled_only
def test_boards_come_out_alike_in_any_chunks() -> None:
    rules, n = Rules(), 24
    bots = lineup(load_side(QUICK), load_side("hard"), rules)
    whole, fault = run_chunk(bots, rules, new_task(BOARDS, 5, 0, n))
    assert fault["code"] == NO_FAULT
    parts = new_tally()
    for first in range(0, n, n // 2):
        merge(parts, run_chunk(bots, rules, new_task(BOARDS, 5, first, n // 2))[0])
    assert np.array_equal(whole, parts)


@pytest.mark.compiled_only
def test_it_is_better_than_hard() -> None:
    rules = Rules()
    bots, table = (
        lineup(load_side("expert:worlds=12,bid_worlds=8"), load_side("hard"), rules),
        equity_for(rules).table,
    )
    tally, _ = run_chunk(bots, rules, new_task(BOARDS, 6, 0, N_BOARDS), equity=table)
    moments = tally[0]["equity"].sum() / N_BOARDS, tally[0]["equity_squares"][-1] / N_BOARDS
    mean, error = moments[0], np.sqrt((moments[1] - moments[0] ** 2) / N_BOARDS)
    assert mean > 2 * error


def test_where_nothing_agrees_with_what_it_remembers_it_plays_as_its_model() -> None:
    hard, expert = load_strategy("hard"), load_strategy(QUICK)
    seen = watch(hard, hard, Rules(), 4, 400 if COMPILED else 30)
    weakness = np.zeros(N_WEAKNESSES)
    weakness[FORGET] = 1.0
    views = dimmed(seen.views[(seen.views["phase"] == PLAYING) & (seen.views["trick_no"] > 3)], weakness)
    assert len(views)
    assert np.array_equal(answers_to(expert, views), answers_to(hard, views))


@pytest.mark.parametrize("rules", ODD_RULES)
def test_whatever_the_others_have_done_it_answers(rules: str) -> None:
    """After random bids, draws and cards, which no model explains; at every decision of a hand."""
    anybody, expert, table = load_strategy("random_legal"), load_strategy(QUICK), Rules.parse(rules)
    seen = watch(anybody, anybody, table, 12, 900 if COMPILED else 8)
    assert seen.error is None
    answers = answers_to(expert, seen.views)
    assert are_legal(seen.views, answers).all()
    assert np.array_equal(answers, answers_to(expert, seen.views))


def test_without_worlds_it_is_its_model() -> None:
    hard = load_strategy("hard")
    seen = watch(hard, hard, Rules(), 4, 300 if COMPILED else 30)
    for name in ("hard", "easy"):
        expert = load_strategy(f"expert:model={name},worlds=0,bid_worlds=0")
        assert np.array_equal(answers_to(expert, seen.views), answers_to(load_strategy(name), seen.views))


def test_a_model_that_draws_no_cards_makes_a_bot_that_draws_none() -> None:
    assert "keep" in load_strategy("expert").functions
    assert "keep" not in load_strategy("expert:model=yardstick").functions


def test_a_table_of_models_must_match_the_parameter(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "mine.py"
    file.write_text(
        '"""Mine."""\n'
        "from spadesim.strategies import hard\n"
        "from spadesim.strategies.hard import bid, play\n"
        "from spadesim.strategy import Parameter, parameters\n"
        'PARAMETERS = parameters(Parameter("model", "easy", choices=("easy",)))\n'
        'MODELS = {"hard": hard}\n'
    )
    with pytest.raises(UserError, match="MODELS must be"):
        load_strategy(str(file))
