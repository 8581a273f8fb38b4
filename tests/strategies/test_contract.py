"""Every file in strategies/ keeps the contract, under every kind of rules."""

import re
from pathlib import Path

import numba
import numpy as np
import pytest

from spadesim import strategies
from spadesim.core._jit import COMPILED
from spadesim.core.batch import BOARDS, new_task, run_chunk
from spadesim.core.play import NO_FAULT
from spadesim.core.position import POSITION
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.view import BIDDING, EXCHANGING, VIEW
from spadesim.strategy import Strategy, check, check_strategy, lineup, load_side, load_strategy, preflight
from spadesim.strategy.ask import answers_to, watch
from spadesim.strategy.load import asked_before, check_asked
from tests.core.hidden import moments, redeal_all
from tests.quick import fewer, quick

FILES = sorted(
    file
    for folder in strategies.__path__
    for file in Path(folder).glob("*.py")
    if not file.name.startswith("_") or file.name == "_template.py"
)
BOTS = [file.stem for file in FILES if not file.name.startswith("_")]
OTHER_RULES = ["patalupaus:failed_nil_tricks=ignore", "classic:nil_allowed=false", "canonical:bag_limit=0"]
OTHER_TABLES = [
    "pata:teams=individual",
    "pata:players=3,teams=individual,deck=minus_2c",
    "pata:players=2,teams=individual,deal=packet26",
    "cutthroat3",
    "bicycle",
    "pata:blind_nil=behind",
    "draw300:nil_allowed=false,bot_memory=false",
    "draw500:blind_nil=behind,blind_nil_deficit=50,blind_nil_exchange=1",
]
TABLES_FOR_BIDS = ["cutthroat3"]
DRAWS = ["draw300", "draw500"]


@pytest.fixture(autouse=True)
def _compared_without_bounds_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check asks the bot in a process without the compiler, too: with bounds checked for nothing."""
    monkeypatch.setattr(check, "COMPILED", COMPILED and not numba.config.BOUNDSCHECK)


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def strategy(request: pytest.FixtureRequest) -> Strategy:
    return load_strategy(quick(request.param.stem, str(request.param)))


def skip_unless_it_plays(strategy: Strategy, rules: str) -> None:
    """Skip a bot that lacks a function for what this table decides before the bidding."""
    missing = set(asked_before(Rules.parse(rules))) - set(strategy.functions)
    if missing:
        pytest.skip(f"has no {', '.join(sorted(missing))}")


def skip_if_it_takes_long(strategy: Strategy) -> None:
    """Skip a bot that plays every decision out, where that takes seconds."""
    if strategy.model is not None and not COMPILED:
        pytest.skip("takes seconds a hand without the compiler")


@pytest.mark.parametrize("rules", DRAWS)
def test_the_contract_of_the_draw_on_many_positions(strategy: Strategy, rules: str) -> None:
    skip_unless_it_plays(strategy, rules)
    report = check_strategy(
        strategy, Rules.parse(rules), positions=fewer(strategy, 10_000 if COMPILED else 150)
    )
    assert not [check.problem for check in report.checks if check.problem], str(report)


@pytest.mark.parametrize("rules", [*DRAWS, "draw500:draw_second_seen=true"])
def test_what_lies_hidden_in_a_draw_changes_no_answer(strategy: Strategy, rules: str) -> None:
    """At the decisions of players who declare and exchange at random, so that all of them come up."""
    skip_unless_it_plays(strategy, rules)
    check_asked(strategy, Rules.parse("draw500"))
    n = fewer(strategy, 10_000 if COMPILED else 100)
    positions, views = moments(rules, 21, n)
    others, again = np.zeros(n, POSITION), np.zeros(n, VIEW)
    redeal_all(positions, views, others, again)
    answers = answers_to(strategy, views)
    assert np.array_equal(answers, answers_to(strategy, again))
    for position, view, answer in zip(positions, views, answers.tolist(), strict=True):
        if view["phase"] == EXCHANGING:
            assert answer & ~int(view["hand"]) == 0 <= answer
            assert answer.bit_count() <= position["rules"]["blind_nil_exchange"]
        else:
            assert position["legal"] >> answer & 1


def test_the_contract_on_many_positions(strategy: Strategy) -> None:
    report = check_strategy(strategy, positions=fewer(strategy, 10_000 if COMPILED else 150))
    assert not [check.problem for check in report.checks if check.problem], str(report)


@pytest.mark.parametrize("rules", [*OTHER_RULES, *OTHER_TABLES])
def test_the_contract_under_other_rules(
    strategy: Strategy, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    skip_unless_it_plays(strategy, rules)
    if strategy.name.endswith("_bids") and rules not in TABLES_FOR_BIDS:
        pytest.skip("plays as medium, which is tried here")
    skip_if_it_takes_long(strategy)
    monkeypatch.setattr(check, "N_INTERPRETED", 300)  # at the usual table it is asked oftener
    report = check_strategy(strategy, Rules.parse(rules), positions=fewer(strategy, 1000 if COMPILED else 60))
    assert report.passed, str(report)


def test_extreme_parameters_keep_to_the_rules(strategy: Strategy) -> None:
    skip_if_it_takes_long(strategy)
    n = fewer(strategy, 1000 if COMPILED else 60)
    for bound in ("low", "high"):
        settings = {
            entry.name: entry.choices[0 if bound == "low" else -1] if entry.choices else getattr(entry, bound)
            for entry in strategy.parameters
        }
        strategy.values[:] = strategy.parameters.values(settings)
        for company in (strategy, load_strategy("random_legal")):
            seen = watch(strategy, company, Rules(), 5, n)
            assert seen.error is None
            assert len(seen.views) == n, f"{seen.answers[-1]} in {seen.views[-1]}"


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_against_itself_scores_0_on_every_board(name: str) -> None:
    side = load_side(quick(name))
    skip_if_it_takes_long(side.lower)
    preflight(side, Rules())
    for rules in PRESETS.values():
        if set(asked_before(rules)) - set(side.lower.functions):
            continue
        boards = fewer(side.lower, 500) if COMPILED else 3
        tally, fault = run_chunk(lineup(side, side, rules), rules, new_task(BOARDS, 3, 0, boards))
        assert fault["code"] == NO_FAULT
        assert tally[0]["identical"] == tally[0]["level"] == tally[0]["units"] == boards


SKILLS_SINCE = ["leads", "throws", "limits", "attack", "shed", "shelter", "lost"]


@pytest.mark.parametrize("name", BOTS)
def test_every_parameter_tells_its_meaning(name: str) -> None:
    for entry in load_strategy(name).parameters:
        assert entry.meaning, entry.name


def test_the_defaults_of_hard_are_those_that_were_found() -> None:
    """But for what came after the search, which its files switch off."""
    later = "rounding=1,nil_partner=100,nil_against=200,nil_behind=100"
    later += "".join(f",{name}=on" for name in SKILLS_SINCE)
    hard = load_strategy("hard")
    assert np.array_equal(load_strategy(f"hard:hard_2026_spsa.toml,{later}").values, hard.values)
    assert np.sum(load_strategy(f"hard:hard_before_2026.toml,{later}").values != hard.values) == 15


def test_bids_do_not_depend_on_who_deals(strategy: Strategy) -> None:
    seen = watch(strategy, strategy, Rules(), 9, fewer(strategy, 2000 if COMPILED else 60))
    views = seen.views[seen.views["phase"] == BIDDING].copy()
    before = answers_to(strategy, views)
    for field in ("seat", "dealer", "first_bidder", "leader"):
        views[field] = (views[field] + 1) % 4
    views["partner"] = (views["partner"] + 1) % 4
    views["side"] = 1 - views["side"]
    for field in ("bids", "trick", "tricks", "voids"):
        views[field] = np.roll(views[field], 1, axis=1)
    for field in ("scores", "bags"):
        views[field][:, :2] = views[field][:, 1::-1]
    assert np.array_equal(answers_to(strategy, views), before)


def test_the_template_plays_draws_when_the_marks_are_taken_away(tmp_path: Path) -> None:
    text = next(file for file in FILES if file.name == "_template.py").read_text(encoding="utf-8")
    head, _, stubs = text.partition("# @jit\n")
    file = tmp_path / "opened.py"
    file.write_text(head + re.sub(r"^# ", "", "# @jit\n" + stubs, flags=re.MULTILINE), encoding="utf-8")
    report = check_strategy(load_strategy(str(file)), positions=300 if COMPILED else 30)
    assert [str(rules) for rules in report.tables] == ["pata", "draw300", "draw500"]
    assert report.passed, str(report)
