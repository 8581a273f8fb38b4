"""The selftest passes, and each of its checks fails when what it looks at is wrong."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from spadesim import rulebook
from spadesim.core.batch import run_chunk
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.view import VIEW
from spadesim.notation import RANKS
from spadesim.selftest import agreement, checks, oracle
from spadesim.selftest.before import Before

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]


def test_every_check_passes_and_says_what_it_saw() -> None:
    outcomes = list(checks.selftest())
    assert [outcome.name for outcome in outcomes] == list(checks.CHECKS)
    assert all(outcome.passed for outcome in outcomes), outcomes
    assert all(outcome.detail for outcome in outcomes)


def test_other_random_numbers_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "PHILOX_ANSWERS", {0: (1, 2, 3, 4)})
    with pytest.raises(checks.CheckError, match="philox4x32-10/v1 gives"):
        checks.random_numbers()
    monkeypatch.undo()
    monkeypatch.setattr(checks, "SPLITMIX_ANSWERS", (1,))
    with pytest.raises(checks.CheckError, match="splitmix64 gives 6457827717110365317 as number 0, not 1"):
        checks.random_numbers()


def test_a_board_that_was_not_played_alike_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def miscounting(*arguments: Any) -> Any:
        tallies, fault = run_chunk(*arguments)
        tallies[0]["identical"] -= 1
        return tallies, fault

    monkeypatch.setattr(checks, "run_chunk", miscounting)
    with pytest.raises(checks.CheckError, match="bis_bids against itself: 1 of 2000 boards"):
        checks.null_duels()


def test_an_example_that_does_not_hold_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
- {id: A, kind: winner, preset: pata, given: {leader: 0, cards: [9H, KH, AH, 2H]}, expect: {winner: 3}}
"""
    report = rulebook.check_examples(rulebook.parse_examples(text, "mine.yaml"))
    monkeypatch.setattr(rulebook, "check_examples", lambda _: report)
    with pytest.raises(checks.CheckError, match=r"1 does not. The first: .*A: winner should be 3, but is 2"):
        checks.worked_examples()


WRONG = {
    "leading_play": lambda trick: min(trick, key=lambda play: RANKS.index(play[1][0])),
    "may_play": lambda rules, hand, trick, is_broken: list(hand),
    "tricks_in_a_hand": lambda rules: 12,
}


@pytest.mark.parametrize("name", WRONG)
def test_the_oracle_and_the_engine_notice_each_other(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever of the two is wrong: here the oracle is."""
    monkeypatch.setattr(oracle, name, WRONG[name])
    with pytest.raises(checks.CheckError, match=r"the engine has .*, the oracle "):
        checks.oracle_games()


def play_some_hands(ours: Rules, theirs: Rules, n_games: int = 60) -> None:
    """Play games at both tables, the engine's under `ours` and the oracle's under `theirs`."""
    for number in range(n_games):
        random, views = np.random.default_rng(number), np.zeros(4, dtype=VIEW)
        position = agreement.new_table(ours, 5, number)
        game = oracle.Game(theirs, int(position.dealer))
        for _ in range(agreement.MAX_HANDS):
            agreement.play_hand(position, game, random, views, Counter())


WRONG_BEFORE: dict[str, tuple[str, Any]] = {
    "order": ("seat to decide", lambda self, first: list(range(self.rules.players))),
    "may_declare": ("", lambda self, seat: False),
    "has_declared": ("", lambda self, seat: False),
    "is_settled": ("blind in the view", lambda self, seat: True),
    "offered": ("offered in the view", lambda self: "AS"),
    "seen": ("discards in the view", lambda self, seat: []),
    "hands": ("", lambda self: [["AS"]] * self.rules.players),
    "pile": ("an exchange: .* drawn for", lambda self: []),
    "allowed": ("a legal exchange", lambda self, given: True),
}


@pytest.mark.parametrize("name", WRONG_BEFORE)
def test_oracle_and_engine_notice_each_other_before_the_bidding(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    what, wrong = WRONG_BEFORE[name]
    monkeypatch.setattr(Before, name, wrong)
    with pytest.raises(agreement.OracleError, match=f"^{what}"):
        play_some_hands(PRESETS["draw500"], PRESETS["draw500"])


@pytest.mark.parametrize(
    ("rules", "change"),
    [
        ("bicycle", {"set_mode": "bid"}),
        ("bicycle", {"min_bid": 2}),
        ("draw500", {"blind_nil_value": 100, "blind_nil_penalty": 100}),
        ("draw500", {"blind_nil_exchange": 2}),
        ("draw500", {"draw_second_seen": True}),
        ("draw500", {"start_role": "first_drawer"}),
        ("draw300", {"bot_memory": False}),
        ("cutthroat3:blind_nil=behind", {"blind_nil_deficit": 101}),
        ("cutthroat3:blind_nil=behind", {"blind_nil": "always"}),
    ],
)
def test_every_option_of_these_tables_is_compared(rules: str, change: dict[str, Any]) -> None:
    """The engine plays by rules that differ a little from the oracle's."""
    theirs = Rules.parse(rules)
    play_some_hands(theirs, theirs, n_games=2)
    with pytest.raises((agreement.OracleError, ValueError)):
        play_some_hands(theirs.updated(change), theirs)


@pytest.mark.parametrize(
    ("field", "change", "what"),
    [
        ("new_bags", 1, "bags of the hand"),
        ("points", 1, "points"),
        ("contract", 1, "contract"),
        ("n_penalties", 1, "bag penalties"),
        ("is_set", True, "contract not made"),
        ("is_boston", True, "Boston"),
    ],
)
def test_each_line_of_the_score_is_compared(
    field: str, change: int, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def results(self: oracle.Game, hand: oracle.Hand) -> list[oracle.Result]:
        found = real(self, hand)
        setattr_frozen(found[0], field, getattr(found[0], field) ^ change)
        return found

    real = oracle.Game.results
    monkeypatch.setattr(oracle.Game, "results", results)
    with pytest.raises(agreement.OracleError, match=f"^{what}: the engine has"):
        agreement.play_game(PRESETS["pata"], 0, np.random.default_rng(0), Counter())


def setattr_frozen(record: object, name: str, value: object) -> None:
    object.__setattr__(record, name, value)


def test_a_first_dealer_that_is_fixed() -> None:
    seen: Counter[str] = Counter()
    agreement.play_game(Rules(first_dealer="fixed"), 3, np.random.default_rng(0), seen)
    assert seen["games"] == 1
