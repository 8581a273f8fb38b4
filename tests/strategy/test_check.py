"""The contract check: it passes what keeps the contract and finds out what does not."""

from pathlib import Path

import numpy as np
import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.rules import Rules
from spadesim.core.view import VIEW
from spadesim.errors import UserError
from spadesim.notation import card_text
from spadesim.strategy import check as checking
from spadesim.strategy import load_side, load_strategy
from spadesim.strategy.check import CheckReport, check_strategy, tables_for
from spadesim.strategy.preflight import preflight
from spadesim.strategy.show import view_text
from tests.strategy.conftest import Write

N = 1500 if COMPILED else 300
PLAIN = "return lowest(view.legal)"
UNTOUCHED = "view and parameters untouched"
HIDDEN = "hidden cards make no difference"
EARLIER = "earlier tricks make no difference (MEMORY = False)"

IMPORTS = """\
import numpy as np
from numpy.random import random as chance
from spadesim.core.cards import highest, popcount
"""


def report_of(write: Write, body: str = "", bid: str = "return 3", play: str = PLAIN) -> CheckReport:
    """The report on a bot with these lines in its file and in its functions."""
    file = write(
        body=f"{IMPORTS}{body}",
        bid=f"@jit\ndef bid(view, p):\n    {bid}\n",
        play=f"@jit\ndef play(view, p):\n    {play}\n",
    )
    return check_strategy(load_strategy(str(file)), positions=N)


def test_a_bot_that_keeps_the_contract(write: Write) -> None:
    report = report_of(write)
    assert report.passed
    assert not [check.problem for check in report.checks if check.problem]
    lines = str(report).splitlines()
    assert len(lines) == len(report.checks) == (9 if COMPILED else 8)
    assert all(line.startswith("ok     ") for line in lines)


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    ("parts", "name", "problem"),
    [
        ({"play": "return lowest(view.hand)"}, "legal answers", "legal cards: "),
        ({"play": "return 99"}, "legal answers", "played number 99, legal cards: "),
        ({"bid": "return 14"}, "legal answers", "bid 14, legal bids: 0 1 2 3 4 5 6 7 8 9 10 11 12 13, when "),
        ({"bid": "return -1"}, "legal answers", "bid -1, legal bids"),
        (
            {"play": "\n    if view.trick_no == 5:\n        raise ValueError('lost')\n    " + PLAIN},
            "legal answers",
            "raised ValueError: lost, when seat ",
        ),
        (
            {"play": "view.hand = 0\n    " + PLAIN},
            UNTOUCHED,
            "wrote to hand of its view, when seat ",
        ),
        ({"play": "view.bids[0] += 1\n    " + PLAIN}, UNTOUCHED, "wrote to bids of its view"),
        (
            {
                "body": "PARAMETERS = parameters(Parameter('a', 1.5, low=0, high=9))\n",
                "play": "p[0] += 1\n    " + PLAIN,
            },
            UNTOUCHED,
            "wrote to its parameters p.",
        ),
        (
            {"play": "return lowest(view.legal) if chance() < 0.5 else highest(view.legal)"},
            "same view, same answer",
            "but the next time played ",
        ),
        ({"bid": "return 3 + view.serial % 2"}, HIDDEN, "with the hidden cards dealt anew"),
        (
            {"body": "MEMORY = False\n", "play": f"{PLAIN} if view.played & 4096 else highest(view.legal)"},
            EARLIER,
            "but with other cards in the earlier tricks played ",
        ),
        (
            {"body": "MEMORY = False\n", "play": f"{PLAIN} if sum(view.voids) else highest(view.legal)"},
            EARLIER,
            "but with other cards in the earlier tricks played ",
        ),
        (
            {
                "play": "suit = 8191 << (13 * view.led_suit) if 0 <= view.led_suit < 3 else 0\n"
                "    return lowest(view.hand & suit) if view.hand & suit else lowest(view.legal)"
            },
            "obeys a reduced legal",
            "with a card taken out of legal, played ",
        ),
    ],
)  # fmt: skip
def test_bots_that_break_the_contract(
    parts: dict[str, str], name: str, problem: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "COMPILED", False)  # leaves out the demand that takes another process
    report = report_of(write, **parts)
    broken = [check for check in report.checks if check.problem]
    assert [check.name for check in broken][:1] == [name]
    assert problem in broken[0].problem
    assert not report.passed
    assert f"FAILED {name}" in str(report)


@pytest.mark.compiled_only
def test_a_bot_that_differs_without_the_compiler(write: Write) -> None:
    body = "import numba\nOFF = numba.config.DISABLE_JIT\n"
    report = report_of(write, body, play="return lowest(view.legal) if OFF else highest(view.legal)")
    broken = [check for check in report.checks if check.problem]
    assert [check.name for check in broken] == ["interpreted as compiled"]
    assert "but without the compiler played" in broken[0].problem


@pytest.mark.compiled_only
def test_a_bot_that_returns_no_int_without_the_compiler(write: Write) -> None:
    report = report_of(write, bid="return 3 if view.hand % 7 else True")
    assert [check.problem for check in report.checks if check.problem] == [
        "without the compiler `bid` returns something that is no int."
    ]


@pytest.mark.compiled_only
def test_a_bot_that_raises_without_the_compiler(write: Write) -> None:
    body = "import numba\nOFF = numba.config.DISABLE_JIT\n"
    report = report_of(write, body, play=f"return 1 // (1 - OFF) - 1 + {PLAIN.removeprefix('return ')}")
    (problem,) = [check.problem for check in report.checks if check.problem]
    assert "bot.py, line 13: ZeroDivisionError: integer division or modulo by zero, when seat " in problem


def test_nils_that_good_sense_forbids_are_advice(write: Write) -> None:
    report = report_of(write, bid="return 0")
    assert report.passed
    assert [check.name for check in report.checks if check.problem] == [
        "legal with every weakness",
        "no nil with the ace of spades",
        "no nil after the partner's nil",
    ]
    assert "advice no nil with the ace of spades" in str(report)


def test_other_rules(write: Write) -> None:
    file = write(bid="@jit\ndef bid(view, p):\n    return 0\n")
    strategy = load_strategy(str(file))
    report = check_strategy(strategy, Rules.parse("pata:nil_allowed=false"), positions=60)
    assert report.checks[0].problem.startswith("bid 0, legal bids: 1 2 3")


BEFORE = {"keep": "return 1", "blind": "return 0", "exchange": "return 0"}


def with_prelude(write: Write, **bodies: str) -> Path:
    """A bot with functions for what comes before the bidding, each with these lines in it."""
    functions = [f"@jit\ndef {name}(view, p):\n    {line}\n" for name, line in bodies.items()]
    return write(body="".join([IMPORTS, *functions]))


@pytest.mark.parametrize(
    ("functions", "tables"),
    [
        ([], ["pata"]),
        (["keep"], ["pata", "draw300"]),
        (["keep", "blind", "exchange"], ["pata", "draw300", "draw500"]),
        (["keep", "blind"], ["pata", "draw300", "pata:blind_nil=always"]),
        (["blind", "exchange"], ["pata", "pata:blind_nil=always"]),
    ],
)
def test_a_bot_is_tried_at_every_table_that_it_has_functions_for(
    functions: list[str], tables: list[str], write: Write
) -> None:
    file = with_prelude(write, **{name: BEFORE[name] for name in functions})
    strategy = load_strategy(str(file))
    assert [str(rules) for rules in tables_for(strategy)] == tables
    report = check_strategy(strategy, positions=60)
    assert [str(rules) for rules in report.tables] == tables
    assert report.passed, str(report)
    assert [check.n >= 57 * len(tables) for check in report.checks][:4] == [True] * 4


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"keep": "return 5"}, "answered 5 in keep, legal answers: KEEP, which is 1, and PASS_UP, "),
        ({"blind": "return 2"}, "answered 2 in blind, legal answers: 1 for a blind nil, and 0 for none, "),
        ({"exchange": "return view.hand"}, "asked to exchange 13 cards"),
        ({"exchange": "return -1"}, "answered -1 in exchange, legal exchanges: a mask of at most 3 of "),
        (
            {"exchange": "return 0 if view.n_exchanged.sum() == 0 else view.hand"},  # only after the other's
            "asked to exchange 13 cards",
        ),
        (
            {"exchange": "\n    if view.hand:\n        raise ValueError('lost')\n    return 0"},
            "raised ValueError: lost, when seat ",
        ),
    ],
)  # fmt: skip
def test_wrong_answers_before_the_bidding_are_found(
    wrong: dict[str, str], problem: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without being told the rules, and an exchange also by a bot that never declares a blind nil."""
    monkeypatch.setattr(checking, "COMPILED", False)
    file = with_prelude(write, **{**BEFORE, **wrong})
    report = check_strategy(load_strategy(str(file)), positions=2000 if COMPILED else 1000)
    assert not report.passed
    (check,) = report.checks
    assert problem in check.problem
    if "exchange" in wrong:
        assert " declared a blind nil; " in check.problem
        assert check.problem.endswith(" Rules draw500, blind nils declared at random.")
        assert check.command == ""
    else:
        assert "--rules draw" in check.command


def test_an_exchange_by_a_bot_that_declares_has_a_command(write: Write) -> None:
    file = with_prelude(write, keep="return 1", blind="return 1", exchange="return view.hand")
    report = check_strategy(load_strategy(str(file)), positions=300)
    assert ", legal exchanges: a mask of at most 3 of " in report.checks[0].problem
    assert report.checks[0].command.endswith(" --exchange")


def test_an_exchange_that_looks_at_hidden_cards_is_found(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "COMPILED", False)
    file = with_prelude(
        write, **{**BEFORE, "exchange": "return (1 << lowest(view.hand)) * (view.serial % 2)"}
    )
    report = check_strategy(load_strategy(str(file)), Rules.parse("draw500"), 4000 if COMPILED else 2000)
    broken = [check for check in report.checks if check.problem]
    assert [check.name for check in broken] == [HIDDEN]
    assert "but with the hidden cards dealt anew asked to exchange" in broken[0].problem


def test_preflight_refuses_a_bot_that_writes_to_its_view(write: Write) -> None:
    play = f"@jit\ndef play(view, p):\n    view.tricks[1] = 7\n    {PLAIN}\n"
    file = write(play=play)
    with pytest.raises(UserError, match="bot: `play` writes to its view, which is for reading only"):
        preflight(load_side(f"easy+{file}"), Rules())
    preflight(load_side("easy"), Rules())


def test_preflight_leaves_other_faults_to_the_run(write: Write) -> None:
    preflight(load_side(str(write("a.py", bid="@jit\ndef bid(view, p):\n    return 14\n"))), Rules())
    preflight(
        load_side(
            str(
                write(
                    "b.py", bid="@jit\ndef bid(view, p):\n    if view.hand: raise ValueError\n    return 1\n"
                )
            )
        ),
        Rules(),
    )


def test_views_in_words() -> None:
    view = np.zeros(1, VIEW)[0]
    view["n_players"], view["phase"], view["leader"], view["n_in_trick"], view["hand"] = (
        4,
        1,
        3,
        2,
        1 << 51 | 1,
    )
    view["rules"] = Rules().record()
    view["trick"], view["bids"] = [50, -1, -1, 49], [3, 0, 1, 4]
    assert view_text(view) == (
        "seat 0 holds AS 2C; bids by seat 3 0 1 4; tricks by seat 0 0 0 0; trick 1: seat 3 QS, seat 0 KS; "
        "scores 0 0, bags 0 0"
    )
    assert card_text(-1) == "number -1"
