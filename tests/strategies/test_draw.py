"""The bots at a table of two: what they keep, bid and exchange, and how strong that makes them."""

from typing import Any

import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.batch import BOARDS, new_task, run_chunk
from spadesim.core.play import NO_FAULT
from spadesim.core.rules import Rules
from spadesim.core.tally import P_BLIND_BIDS, P_NIL_BIDS
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEPING, new_view
from spadesim.match import duel
from spadesim.strategy import lineup, load_side, load_strategy
from tests.core.cases import card, mask

DRAW300, DRAW500 = Rules.parse("draw300"), Rules.parse("draw500")
BOTS = ["easy", "medium", "hard"]
PHASE_OF = {"keep": KEEPING, "blind": DECLARING, "exchange": EXCHANGING, "bid": BIDDING}


def ask(spec: str, what: str, hand: str = "", rules: Rules = DRAW300, **fields: Any) -> int:
    """Return a bot's answer at seat 0 of a table of two; cards in `fields` are words."""
    bot = load_strategy(spec)
    view = new_view()
    view["rules"], view["n_players"], view["partner"], view["phase"] = rules.record(), 2, -1, PHASE_OF[what]
    view["trick"], view["bids"], view["offered"] = [-1] * 4, [-1] * 4, -1
    view["led_suit"] = view["best_card"] = view["best_seat"] = -1
    view["hand"], view["broken"] = mask(hand), 1
    for name, value in fields.items():
        if name == "offered":
            view[name] = card(value)
        elif name in ("discards", "played"):
            view[name] = mask(value)
        elif isinstance(value, list):
            view[name][:2] = value
        else:
            view[name] = value
    view["legal"] = {KEEPING: 3, DECLARING: 3, BIDDING: int(view["rules"]["bid_mask"])}.get(
        int(view["phase"]), int(view["hand"])
    )
    return int(bot.functions[what](view, bot.values))


# The draw


@pytest.mark.parametrize(
    ("bots", "offered", "hand", "kept"),
    [
        (BOTS, "KD", "", 1),
        (BOTS, "7S", "", 1),
        (["hard"], "QD", "KD", 1),  # one higher card will do
        (["hard"], "QD", "4D", 0),  # one lower card will not
        (["hard"], "QD", "5D 4D", 1),
        (["hard"], "QD", "", 0),
        (["hard"], "QD", "9D 6D 5D 4D", 0),  # long in it already
    ],
)
def test_what_is_kept(bots: list[str], offered: str, hand: str, kept: int) -> None:
    for name in bots:
        assert ask(name, "keep", hand, offered=offered) == kept, name


@pytest.mark.parametrize(("n_drawn", "hand", "kept"), [(4, "", 1), (20, "", 0), (20, "3D", 1)])
def test_hard_passes_up_a_king_that_will_stand_alone(n_drawn: int, hand: str, kept: int) -> None:
    assert ask("hard", "keep", hand, offered="KD", n_drawn=n_drawn) == kept


@pytest.mark.parametrize(
    ("offered", "for_it", "against_it"),
    [("5H", 1, 0), ("3H", 1, 1), ("KH", 0, 1), ("2S", 0, 1), ("9S", 0, 1), ("9H", 0, 0)],
)
def test_what_hard_keeps_for_a_double_nil_and_against_one(offered: str, for_it: int, against_it: int) -> None:
    assert ask("hard", "keep", offered=offered, rules=DRAW500, blind=[1, 0]) == for_it
    assert ask("hard", "keep", offered=offered, rules=DRAW500, blind=[0, 1]) == against_it


# The double nil


@pytest.mark.parametrize(
    ("scores", "declares"),
    [
        ([0, 0], 0),
        ([200, 400], 0),  # the opponent is not about to win
        ([380, 470], 0),  # not far enough behind
        ([370, 470], 1),
        ([470, 370], 0),
    ],
)
def test_hard_declares_a_double_nil_when_little_else_can_save_the_game(
    scores: list[int], declares: int
) -> None:
    assert ask("hard", "blind", rules=DRAW500, scores=scores) == declares
    assert ask("hard:draw_blind=never", "blind", rules=DRAW500, scores=scores) == 0
    assert ask("hard:draw_blind=always", "blind", rules=DRAW500, scores=scores) == 1
    assert ask("medium", "blind", rules=DRAW500, scores=scores) == 0
    assert ask("easy", "blind", rules=DRAW500, scores=scores) == 0


@pytest.mark.parametrize(
    ("hand", "given"),
    [
        ("2C 3C 4C 2D 4D 5D 3H 4H 6H 7H 8H 9H AS", "AS"),
        ("2C 3C 4C 2D 4D 5D 3H 4H 6H 7H 5C 6C 7C", ""),
        ("2C 3C 4C 2D 4D 5D 3H 4H 6H KC AC 9S AS", "9S AS"),  # the low clubs cover both
    ],
)
def test_hard_exchanges_what_endangers_the_nil_most(hand: str, given: str) -> None:
    assert ask("hard", "exchange", hand, rules=DRAW500) == mask(given)


def test_no_more_is_exchanged_than_the_rules_allow() -> None:
    rules = DRAW500.updated({"blind_nil_exchange": 1})
    assert ask("hard", "exchange", "2C 3C QS KS AS", rules=rules) == mask("AS")


# Bidding


STRONG = "AS KS QS 9S 4S AC KC 5C AD 7D 8H 7H 2H"


WEAK = "9S 8S 4S KC 9C 5C AD 7D 3D 8H 7H 4H 2H"


@pytest.mark.parametrize("name", ["medium", "hard"])
@pytest.mark.parametrize("hand", [STRONG, WEAK])
@pytest.mark.parametrize("rules", [DRAW300, DRAW500])
def test_bids_more_against_a_nil(rules: Rules, hand: str, name: str) -> None:
    ordinary = [ask(name, "bid", hand, bids=[-1, other], rules=rules) for other in (4, 5, 6)]
    against_nil = [ask(name, "bid", hand, bids=[-1, 0], rules=rules)]
    if rules == DRAW500:
        against_nil.append(ask(name, "bid", hand, bids=[-1, -1], blind=[0, 1], rules=rules))
        against_nil.append(ask(name, "bid", hand, bids=[-1, 0], blind=[0, 1], rules=rules))
    assert min(against_nil) > max(ordinary)


def test_hard_counts_a_king_more_when_it_has_seen_the_ace_discarded() -> None:
    hand = "JS 9S 8S 4S KC 5C 4C KD 7D 3D KH 7H 2H"
    assert ask("hard", "bid", hand, discards="AC AD AH") > ask("hard", "bid", hand, discards="3C 4D 4H")
    assert ask("medium", "bid", hand, discards="AC AD AH") == ask("medium", "bid", hand)


def test_hard_bids_less_against_a_higher_bid_and_more_when_behind() -> None:
    bids = [ask("hard", "bid", STRONG, bids=[-1, other]) for other in range(2, 10)]
    assert bids == sorted(bids, reverse=True)
    assert bids[0] > bids[-1]
    for place in range(13):  # one of them falls between two whole tricks
        hand = STRONG.replace("KC", "AKQJT98765432"[place] + "C") if place not in (0, 9) else STRONG
        bids = [ask("hard", "bid", hand, rules=DRAW500, scores=[score, 200]) for score in range(0, 400, 10)]
        assert bids == sorted(bids, reverse=True)
        if bids[0] > bids[-1]:
            return
    pytest.fail("the score made no difference")


@pytest.mark.parametrize(("scores", "most"), [([280, 100], 2), ([290, 100], 1), ([100, 100], 13)])
def test_hard_bids_first_what_wins_the_game(scores: list[int], most: int) -> None:
    found = ask("hard", "bid", STRONG, scores=scores)
    assert found <= most
    assert most < 13 or found > 5


# Contract


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(
    "rules",
    [
        "draw300",
        "draw500",
        "draw300:nil_allowed=false",
        "draw300:bot_memory=false,min_bid=3",
        "draw500:blind_nil=behind,blind_nil_exchange=0",
        "pata:players=2,teams=individual,deal=packet26",
        "pata:players=2,teams=individual,deal=packet26,blind_nil=always",
    ],
)
def test_every_answer_is_legal(name: str, rules: str) -> None:
    side, table = load_side(name), Rules.parse(rules)
    tally, fault = run_chunk(
        lineup(side, side, table), table, new_task(BOARDS, 3, 0, 3000 if COMPILED else 3)
    )
    assert fault["code"] == NO_FAULT
    assert tally[0]["identical"] == tally[0]["units"]


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", BOTS)
def test_no_nil_where_none_can_be_declared(name: str) -> None:
    """So never one with the ace of spades in hand: of 60,000 bids at `draw300`, none is 0."""
    side = load_side(name)
    tally, _ = run_chunk(lineup(side, side, DRAW300), DRAW300, new_task(BOARDS, 8, 0, 15_000))
    assert tally[0]["bid_tricks"][:, 0].sum() == 0
    assert tally[0]["bid_tricks"].sum() == 60_000


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", [*BOTS, "hard:draw_blind=always"])
def test_no_nil_but_a_declared_one(name: str) -> None:
    """At `draw500`, from scores at which hard declares: every bid of 0 is a blind nil."""
    side = load_side(name)
    task = new_task(BOARDS, 8, 0, 5000)
    task["scores"][:2] = 360, 460
    tally, _ = run_chunk(lineup(side, side, DRAW500), DRAW500, task)
    nils, declared = (int(tally[0]["players"][:, count].sum()) for count in (P_NIL_BIDS, P_BLIND_BIDS))
    assert nils == declared == tally[0]["bid_tricks"][:, 0].sum()
    assert declared == {"hard": 10_000, "hard:draw_blind=always": 20_000}.get(name, 0)


@pytest.mark.compiled_only
@pytest.mark.parametrize("rules", ["draw300", "draw500"])
@pytest.mark.parametrize(("better", "worse", "least"), [("medium", "easy", 0.97), ("hard", "medium", 0.6)])
def test_the_better_bot_wins(better: str, worse: str, least: float, rules: str) -> None:
    """4,000 games leave an error of 0.8 points at most, so a bot that wins 64 % fails one time in a million.

    Measured were 99.7 and 71 %.
    """
    result = duel(better, worse, rules=rules, games=4000, seed=9)
    assert result.win_rate_a is not None
    assert result.win_rate_a.mean > least


@pytest.mark.compiled_only
@pytest.mark.parametrize(("name", "low", "high"), [("medium", 10.6, 11.2), ("hard", 11.2, 11.8)])
def test_two_of_a_kind_bid_about_eleven_tricks(name: str, low: float, high: float) -> None:
    result = duel(name, name, rules="draw300", boards=5000, seed=10)
    bids = [side.mean_bid.mean for side in result.sides.values() if side.mean_bid is not None]
    assert len(bids) == 2
    assert low < sum(bids) < high
