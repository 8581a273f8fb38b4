"""Positions out of words: what is solved, what contradicts itself, what a search that is cut short says."""

from typing import Any

import pytest

import spadesim
from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.match.solving import Solution, solve
from spadesim.match.standing import Given, read_hands, stand
from spadesim.notation import parse_card

pytestmark = pytest.mark.compiled_only

ENDING = "N:A3..K.2 K2..9.3 QJ..8.4 54..Q.5"
STANDING: dict[str, Any] = {"bids": "3,nil,4,2", "tricks": "3,0,4,2"}


def test_it_is_public() -> None:
    assert spadesim.solve is solve


def test_a_nil_is_set_by_holding_back_the_ace() -> None:
    # South plays the three below East's king, who has bid nil: 20 and 6 bags, against 10, 4 bags and -100.
    solved = solve("N:.2.3. .K.2. .A3.. .Q.4.", bids="1,nil,1,1", tricks="5,0,3,3", bags=[0, 0])
    assert (solved.low, solved.high) == (26 + 86, 26 + 86)
    assert (2, parse_card("3H")) in solved.line
    # Where the ace takes the trick, the nil is made: 20 and 8 bags, against 10, 2 bags and 100.
    behind = solve("N:..3. ..2. .A3.. .Q.4.", trick="2H KH", bids="1,nil,1,1", tricks="5,0,3,3")
    worths = {worth.card: worth.low for worth in behind.cards}
    assert worths == {parse_card("3H"): 112, parse_card("AH"): 28 - 112}


def test_points_and_tricks_are_told_of_the_same_position() -> None:
    points, tricks = solve(ENDING, **STANDING), solve(ENDING, value="tricks")
    assert points.is_exact
    assert tricks.is_exact
    assert points.low == points.cards[0].low == max(worth.low for worth in points.cards)
    assert tricks.low in range(5)
    assert len(points.line) == len(tricks.line) == 16


def test_best_for_east_and_west_is_the_lowest() -> None:
    solved = solve("N:A...K Q...3 .5..4 54...", leader="E", value="tricks")
    worths = [worth.low for worth in solved.cards]
    assert worths == sorted(worths)
    assert solved.low == worths[0]


def test_a_board_of_bots_is_solved_before_any_trick() -> None:
    last = solve(bots=("easy", "medium"), board=3, trick_no=10)
    again = solve(bots=("easy", "medium"), board=3, trick_no=10)
    assert last == again
    assert last.is_exact
    assert len(last.line) == 16
    played = spadesim.replay("easy", "medium", board=3, scores="0,0").rooms[0].hands[0]
    assert last.seat == played.tricks[9].leader
    assert {worth.card for worth in last.cards} >= {played.tricks[9].plays[0].choice}


def test_a_search_that_is_cut_short_says_so_and_answers() -> None:
    cut: Solution = solve(board=3, value="tricks", nodes=2000)
    assert not cut.is_exact
    assert cut.low < cut.high
    assert cut.nodes <= cut.most_nodes == 2000
    assert cut.best in {worth.card for worth in cut.cards}
    assert cut.line == ()
    assert all(worth.low <= worth.high for worth in cut.cards)


@pytest.mark.parametrize(
    ("deal", "given", "message"),
    [
        (ENDING, {"bids": "3,nil,4,2"}, "9 tricks have been won: say by whom"),
        (ENDING, {}, "Points depend on the bids"),
        (ENDING, {"bids": "3,nil,4"}, "There are 3 bids, not 4"),
        (
            ENDING,
            {**STANDING, "bids": "3,nil,14,2"},
            "'14' is no bid for South: a bid is nil or a number from 1",
        ),
        (ENDING, {**STANDING, "bids": "3,blind,4,2"}, "East bids a blind nil, but these rules have none"),
        (ENDING, {**STANDING, "tricks": "3,0,4,1"}, "add up to 8, but with 4 cards in a hand 9 have been"),
        (ENDING, {**STANDING, "bags": "10,0"}, "10 bags for side 0: a count is 0 to 9"),
        (ENDING, {**STANDING, "broken": False}, "not to be broken, but 6S has been played"),
        (ENDING, {**STANDING, "value": "honour"}, "The value is points or tricks, not 'honour'"),
        (ENDING, {**STANDING, "nodes": 0}, "nodes must be"),
        (ENDING, {**STANDING, "rules": "cutthroat3"}, "plays for two pairs of partners"),
        (ENDING, {**STANDING, "trick_no": 3}, "only be said with bots"),
        (ENDING, {"bots": ("easy", "hard")}, "leave out its cards, bids and tricks"),
        (ENDING, {**STANDING, "room": 1}, "A room can only be said with bots"),
        (ENDING, {**STANDING, "seed": 4}, "not dealt by a seed"),
        (ENDING, {**STANDING, "leader": "Q"}, "'Q' is no seat"),
        (ENDING, {**STANDING, "leader": "E"}, "East leads trick 10 but has won no trick"),
        (ENDING, {**STANDING, "bids": "3,nil,-4,2"}, "'-4' is no bid for South"),
        (ENDING, {**STANDING, "tricks": "3,0,-4,10"}, "Tricks won are four numbers"),
        (ENDING, {**STANDING, "bids": "0,1,1,1", "rules": "pata:nil_allowed=false"}, "a bid is a number"),
        (None, {"board": 3, "value": "tricks", "tricks": "1,0,0,0"}, "add up to 1, but with 13 cards in a"),
        (None, {"board": 3, "value": "tricks", "broken": True}, "to be broken, but all spades are still"),
        (None, {"board": 3, "value": "tricks", "trick": "2C"}, "2C is on the table and in"),
        (None, {}, "Say what to solve"),
        ("N:A3.. A3.. QJ..", {}, "The deal has 3 hands, not 4"),
        ("N:AA... K2... QJ... 54...", {}, "AS comes twice"),
        ("N:A3... K2... QJ... 54...", {"value": "tricks", "trick": "9H 9H"}, "9H comes twice"),
        ("N:A3.. A3.. QJ.. 54..", {}, "not 4"),
        ("N:A3... A2... QJ... 54...", {}, "AS is dealt twice"),
        ("N:A3... K2... QJ... 5...", {"value": "tricks"}, "West has 1 card, but North has 2 cards"),
        (
            "N:A3... K2... QJ... 54...",
            {"value": "tricks", "trick": "AS"},
            "AS is on the table and in North's",
        ),
        (
            "N:A3... K2... QJ... 54...",
            {"value": "tricks", "trick": "TS"},
            "must have 1 card, for it has played TS",
        ),
        (
            "N:A... K...2 QJ... 54...",
            {"value": "tricks", "trick": "TS 3C"},
            "East has 2 cards, but South has 2",
        ),
        (
            "N:A... ...2 QJ... 54...",
            {"value": "tricks", "trick": "AC 3H"},
            "void in clubs, but has 2C in hand",
        ),
        ("N:... ... ... ...", {"value": "tricks"}, "North has 0 cards"),
        ("N:A... K... Q... J...", {"value": "tricks", "trick": "AS KS QS JS"}, "The trick has 4 cards"),
    ],
)
def test_what_contradicts_itself_is_refused(deal: str | None, given: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as refused:
        solve(deal, **given)
    assert message in str(refused.value)


OFFSUIT = Rules.parse("pata:break_on=offsuit_only")


def test_a_spade_is_not_led_before_spades_are_broken() -> None:
    with pytest.raises(UserError, match="North led 9S, but spades are not broken and North has 2C"):
        stand(read_hands("N:...2 ..3.3 .4.2. .5.4."), Given(0, "9S", broken=False), OFFSUIT, is_points=False)


def test_a_spade_on_the_table_breaks_spades() -> None:
    hands = read_hands("N:2... 3... .32.. .54..")
    for trick, is_broken in (("KC AS", 1), ("KC AC", 0)):
        position = stand(hands, Given(0, trick, broken=False), OFFSUIT, is_points=False)
        assert position["broken"] == is_broken
