"""Where a hand may end the game, the score decides: what is bid last, and which tricks are worth winning."""

from typing import Any

import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.rules import Rules
from spadesim.strategy import load_strategy
from spadesim.strategy.ask import answers_to, watch
from tests.strategies.situations import bid, play

BOTS = ["medium", "hard", "pata_normal", "pata_hard"]
HARD_LEVEL = ["hard", "pata_hard"]

THREE = "AS KS 4S AC 6C 5C 8D 7D 5D 4D 8H 6H 5H"  # worth three tricks to every bot
LOW = "5S 2S 7C 5C 4C 2C 6D 4D 3D 7H 5H 3H 2H"  # a nil for every bot
OPPONENTS_SIX = [-1, 3, 4, 3]  # the partner bids four


def spec(name: str, *settings: str) -> str:
    """Return the bot that leaves a table's total of 13 alone, as all but hard do."""
    told = ["table_high=13"] * (name == "hard") + list(settings)
    return f"{name}:{','.join(told)}" if told else name


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(
    ("scores", "bags", "tricks"),
    [
        ((100, 100), (0, 0), 3),  # nothing is decided in this hand
        ((430, 100), (0, 0), 3),  # 500 needs all three, and has them
        ((440, 100), (0, 0), 2),  # a trick less still gets there
        ((450, 100), (0, 0), 1),
        ((490, 100), (0, 0), 1),  # the least there is
        ((450, 455), (0, 0), 3),  # they get to 515: short steps would not do
        ((440, 455), (0, 0), 4),  # nor do three: one more passes them
        ((430, 455), (0, 0), 5),  # or two
        ((420, 455), (0, 0), 3),  # out of reach: they have to be set
        ((440, 450), (0, 0), 3),  # level at 510: the game goes on
        ((450, 100), (8, 0), 2),  # two bags would cost a penalty and the game
        ((460, 100), (9, 0), 3),  # so would one
    ],
)
def test_the_last_bids_what_wins(
    name: str, scores: tuple[int, int], bags: tuple[int, int], tricks: int
) -> None:
    assert bid(spec(name), THREE, OPPONENTS_SIX, scores=scores, bags=bags) == tricks
    assert bid(spec(name, "endgame=off"), THREE, OPPONENTS_SIX, scores=scores, bags=bags) == 3


@pytest.mark.parametrize("name", BOTS)
def test_others_bid_what_they_hold(name: str) -> None:
    for bids in ([-1] * 4, [-1, -1, 4, 3]):
        assert bid(spec(name), THREE, bids, scores=(450, 455)) == 3


@pytest.mark.parametrize("name", BOTS)
def test_no_nil_is_risked_when_one_trick_wins(name: str) -> None:
    assert bid(name, LOW, OPPONENTS_SIX, scores=(100, 100)) == 0
    assert bid(name, LOW, OPPONENTS_SIX, scores=(450, 100)) == 1


@pytest.mark.parametrize("name", HARD_LEVEL)
def test_a_worse_nil_will_do_when_only_a_nil_catches_up(name: str) -> None:
    doubtful = "TS 8S 7S 8H 7H 6H KD JD 9D QC 7C 6C 4C"
    assert bid(name, doubtful, OPPONENTS_SIX, scores=(100, 100)) > 0
    assert bid(name, doubtful, OPPONENTS_SIX, scores=(380, 450)) == 0
    assert bid(f"{name}:nil_need=0", doubtful, OPPONENTS_SIX, scores=(380, 450)) > 0
    hopeless = doubtful.replace("TS", "AS")
    assert bid(name, hopeless, OPPONENTS_SIX, scores=(380, 450)) > 0
    assert bid(name, doubtful, [-1, 3, 0, 3], scores=(380, 450)) > 0  # after the partner's


@pytest.mark.parametrize("name", BOTS)
def test_how_far_it_stretches(name: str) -> None:
    assert bid(spec(name, "stretch=1"), THREE, OPPONENTS_SIX, scores=(430, 455)) == 3
    assert bid(spec(name, "stretch=3"), THREE, OPPONENTS_SIX, scores=(420, 455)) == 6
    assert bid(spec(name, "endgame_from=40"), THREE, OPPONENTS_SIX, scores=(450, 100)) == 3


@pytest.mark.parametrize("name", BOTS)
def test_the_target_is_the_rules_own(name: str) -> None:
    """500 does not end the game of those rules, 501 does: one bag more."""
    rules = Rules.parse("patalupaus")
    assert bid(spec(name), THREE, OPPONENTS_SIX, scores=(430, 100), rules=rules) == 3
    assert bid(spec(name), THREE, OPPONENTS_SIX, scores=(440, 100), rules=rules) == 2
    assert bid(spec(name), THREE, OPPONENTS_SIX, scores=(250, 100), rules=Rules.parse("pata:target=300")) == 1
    last = Rules.parse("pata:max_hands=1")
    assert bid(spec(name), THREE, OPPONENTS_SIX, scores=(100, 100), rules=last) == 2  # 61 against 60
    assert bid(spec(name), THREE, OPPONENTS_SIX, scores=(0, 0), rules=Rules.parse("pata:max_hands=2")) == 3


# Playing: seat 0 is the last to play, and can take with the king or leave it


def chosen(name: str, scores: tuple[int, int], **place: Any) -> str:
    """Return the card played to a queen that an opponent is winning with."""
    cards = {5: "KH 3H 2C 2D 4D", 3: "KH 3H 2C", 7: "KH 3H 2C 2D 4D 5D 6D"}
    return play(name, cards[13 - place["trick_no"]], "QH 4H 5H", scores=scores, **place)


# Three tricks bid and won; the opponents bid five and have three; five are left.
THREE_TO_SPARE = {"bids": [2, 3, 1, 2], "tricks": [2, 3, 1, 2], "trick_no": 8}


@pytest.mark.parametrize("name", BOTS)
def test_a_contract_that_wins_the_game_is_fought(name: str) -> None:
    place = THREE_TO_SPARE | {"bids": [2, 4, 1, 3]}  # they need two of five: too far for a set
    assert chosen(name, (300, 300), **place) == "3H"
    assert chosen(name, (300, 430), **place) == "KH"  # 500 for them
    assert chosen(name, (300, 420), **place) == "3H"  # 490 only
    assert chosen(name, (490, 430), **place) == "3H"  # 520 for us
    assert chosen(f"{name}:endgame=off", (300, 430), **place) == "3H"
    assert chosen(name, (300, 430), **THREE_TO_SPARE) == "3H"  # they are home


@pytest.mark.parametrize("name", BOTS)
def test_nobody_is_helped_home_for_the_sake_of_a_bag(name: str) -> None:
    """The opponents need one of the last three tricks for the contract that wins them the game."""
    place = {"bids": [2, 3, 3, 2], "tricks": [3, 2, 3, 2], "trick_no": 10}
    assert chosen(name, (300, 450), **place) == "KH"
    assert chosen(name, (300, 450), bags=(8, 0), **place) == "KH"  # not even when it costs a penalty
    off = "fight=0" if name == "pata_hard" else "set_slack=0"
    assert chosen(f"{name}:endgame=off,{off}", (300, 450), **place) == "3H"


@pytest.mark.parametrize("name", BOTS)
def test_no_bag_that_loses_the_game(name: str) -> None:
    """The opponents need every trick left, and are set by this one; it may be the tenth bag."""
    place = {"bids": [2, 5, 1, 5], "tricks": [2, 3, 1, 2], "trick_no": 8}
    assert chosen(name, (475, 300), bags=(4, 0), **place) == "KH"
    assert chosen(name, (475, 300), bags=(9, 0), **place) == "3H"  # 505 wins, 406 does not
    assert chosen(name, (475, 300), bags=(7, 0), **place) == "3H"  # nor do three bags, once it has taken one
    assert chosen(name, (300, 300), bags=(9, 0), **place) == "KH"  # nothing is lost but points
    assert chosen(f"{name}:endgame=off", (475, 300), bags=(9, 0), **place) == "KH"


@pytest.mark.parametrize("name", BOTS)
def test_bags_decide_between_two_that_are_over_the_target(name: str) -> None:
    """All have made five. Two of the last three tricks put the own side ahead, one makes it level."""
    place = {"bids": [2, 3, 3, 2], "tricks": [2, 3, 3, 2], "trick_no": 10}
    assert chosen(name, (452, 451), **place) == "KH"
    assert chosen(name, (480, 451), **place) == "3H"  # ahead whatever comes
    assert chosen(name, (420, 400), **place) == "3H"


@pytest.mark.parametrize("name", BOTS)
def test_how_many_bags_it_hopes_for_to_win(name: str) -> None:
    """With five bid and made it stands at 495; five bags of the seven tricks left would win."""
    place = {"bids": [3, 1, 2, 0], "tricks": [3, 1, 2, 0], "trick_no": 6}
    rules = Rules.parse("pata:nil_allowed=false")
    assert chosen(name, (445, 100), rules=rules, **place) == "3H"
    assert chosen(f"{name}:win_reach=3", (445, 100), rules=rules, **place) == "KH"


NIL_AHEAD = {"bids": [4, 0, 3, 3], "trick_no": 10}


@pytest.mark.parametrize("name", BOTS)
def test_a_nil_that_wins_the_game_comes_before_the_own_contract(name: str) -> None:
    """Seat 1 has bid nil and is winning; the own side needs each of the last three tricks."""
    place = NIL_AHEAD | {"tricks": [4, 0, 0, 6]}
    assert play(name, "KH 8H 2H", "9H 4H 3H", scores=(300, 200), **place) == "KH"
    assert play(name, "KH 8H 2H", "9H 4H 3H", scores=(300, 405), **place) == "8H"
    assert play(f"{name}:endgame=off", "KH 8H 2H", "9H 4H 3H", scores=(300, 405), **place) == "KH"


@pytest.mark.parametrize("name", BOTS)
def test_a_contract_that_wins_the_game_comes_before_a_nil(name: str) -> None:
    """Seat 1 has bid nil and is winning; the own side needs one of the last three tricks."""
    place = NIL_AHEAD | {"tricks": [4, 0, 2, 4]}
    assert play(name, "KH 8H 2H", "9H 4H 3H", scores=(200, 200), **place) == "8H"
    # Hard goes on at the nil, which by 100,000 boards wins it more: 0.065 points of win chance a board.
    wins = "8H" if name == "hard" else "KH"
    assert play(name, "KH 8H 2H", "9H 4H 3H", scores=(440, 200), **place) == wins


@pytest.mark.parametrize("name", BOTS)
def test_the_score_counts_only_near_the_end(name: str) -> None:
    """With both sides between -79 and 379, no answer is another with the score sense off."""
    views = watch(load_strategy(name), load_strategy(name), Rules(), 8, 20_000 if COMPILED else 200).views
    off = load_strategy(f"{name}:endgame=off")
    early = ((views["scores"][:, :2] > -80) & (views["scores"][:, :2] < 380)).all(axis=1)
    differs = answers_to(load_strategy(name), views) != answers_to(off, views)
    assert not differs[early].any()
    assert early.any()
    assert differs.any() or not COMPILED


def test_of_three_sides_none_looks_at_the_score() -> None:
    rules = Rules.parse("pata:players=3,teams=individual,deck=minus_2c")
    for name in BOTS:
        views = watch(load_strategy(name), load_strategy(name), Rules(), 8, 100).views
        views["rules"] = rules.record()
        off = load_strategy(f"{name}:endgame=off")
        assert (answers_to(load_strategy(name), views) == answers_to(off, views)).all()
