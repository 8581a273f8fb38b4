"""What is shown of a hand: every card of it, within the width, in each form, and read back."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from spadesim.analysis.lines import in_letters, plain, width_of
from spadesim.analysis.show import FORMATS, Wanted, page, show
from spadesim.analysis.words import before_bidding
from spadesim.cli.app import main
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING
from spadesim.errors import UserError
from spadesim.match.deals import read_deal, tagged_deals
from spadesim.match.record import Replay
from spadesim.match.request import replay
from spadesim.notation import SEAT_NAMES, SEATS, card_text, deal_text, parse_card, parse_deal
from tests.match.bots import BEFORE, GAMBLER, write_bot

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "show.md"


@pytest.fixture(scope="module")
def board() -> Replay:
    return replay("easy", "random_legal", board=3)


@pytest.fixture(scope="module")
def game() -> Replay:
    return replay("easy", "random_legal", game=3)


@pytest.mark.parametrize("columns", [20, 60, 79, 80, 100, 140, 200])
def test_pages_keep_to_the_width(board: Replay, game: Replay, columns: int) -> None:
    allowed = max(columns, 40)
    assert width_of(page(board, Wanted(), columns)) <= allowed
    assert width_of(page(game, Wanted(hand=1), columns)) <= allowed
    assert width_of(page(board, Wanted(seat="N", trick=5), columns)) <= max(allowed, 80)
    assert width_of(page(game, Wanted(), columns)) <= max(allowed, 67)


@pytest.fixture(
    scope="module", params=["draw300", "draw500", "cutthroat3", "bicycle", "pata:blind_nil=always,target=100"]
)
def other(request: pytest.FixtureRequest) -> Replay:
    """A board at another table."""
    return replay("lowest_card", "random_legal", board=3, rules=request.param)


@pytest.mark.parametrize("columns", [20, 60, 80, 140, 260])
def test_pages_of_other_tables_keep_to_the_width(other: Replay, columns: int) -> None:
    allowed = max(columns, 40)
    assert width_of(page(other, Wanted(), columns)) <= allowed
    assert width_of(page(other, Wanted(room=1), columns)) <= allowed
    assert width_of(page(other, Wanted(seat="E", trick=5), columns)) <= max(allowed, 80)
    assert plain(in_letters(page(other, Wanted(), columns))).isascii()


def test_every_card_of_every_other_room_is_there(other: Replay) -> None:
    n_tricks = other.spec.rules.hand_size
    for room in other.rooms:
        (hand,) = room.hands
        text = plain(page(other, Wanted(room=room.number), 40))
        rows = rows_of(text[text.index("bid ") :])[-n_tricks:]
        for row, trick in zip(rows, hand.tricks, strict=True):
            cards = [parse_card(word) for word in re.findall("[2-9TJQKA][♠♥♦♣]", row)]
            assert cards[-len(trick.plays) :] == [play.choice for play in sorted(trick.plays)]
        drawn = [parse_card(word) for word in re.findall(r"[2-9TJQKA][♠♥♦♣]", text[: text.index("bid ")])]
        if hand.stock:
            assert [card for card in hand.stock if card not in drawn] == []
            assert text.count("[") - 1 == sum(not turn.is_seen for turn in hand.draw())


def test_where_other_rooms_part_is_marked_in_each(other: Replay) -> None:
    (found,) = other.differences()
    text = plain(page(other, Wanted(), 80))
    legend = next(line for line in text.splitlines() if line.startswith("› leads"))
    assert text.count("≠") - legend.count("≠") == len(other.rooms)
    assert re.search(r"--seat [NESW] --(draw|trick) \d+ tells what", text)
    assert {step and step.phase for step in found.decisions} == {found.first.phase}


def test_all_rooms_of_one_bot_are_alike() -> None:
    assert "All six rooms are alike, card for card." in show(
        "lowest_card", "lowest_card", board=1, rules="bicycle"
    ).replace("\n", " ")


def test_pbn_of_four_single_players(tmp_path: Path) -> None:
    text = show("lowest_card", "random_legal", board=3, rules="bicycle", format="pbn")
    assert re.findall(r'SpadesRoom "(\d)"', text) == list("012345")
    assert text.count('[SpadesBefore "N 0 bags 0 E 0 bags 0 S 0 bags 0 W 0 bags 0"]') == 6
    file = tmp_path / "board.pbn"
    file.write_text(text, encoding="utf-8")
    dealt = replay("lowest_card", "random_legal", board=3, rules="bicycle")
    assert replay("lowest_card", "random_legal", deal=str(file), rules="bicycle").rooms == dealt.rooms


def rows_of(text: str) -> list[str]:
    """The rows of the tricks, the two rooms side by side."""
    return re.findall(r"^(?: \d|1\d)  .*$", text, re.MULTILINE)


def test_every_card_of_both_rooms_is_there(board: Replay) -> None:
    rows = rows_of(plain(page(board, Wanted(), 80)))
    assert len(rows) == 13
    for k, row in enumerate(rows):
        cards = [parse_card(word) for word in re.findall("[2-9TJQKA][♠♥♦♣]", row)]
        tricks = [room.hands[0].tricks[k] for room in board.rooms]
        assert cards == [play.choice for trick in tricks for play in sorted(trick.plays)]
        for trick, half in zip(tricks, (row[:40], row[40:]), strict=True):
            by_seat = {play.seat: card_text(play.choice)[0] for play in trick.plays}
            assert half[half.index("›") + 1] == by_seat[trick.leader]
            assert half[half.index("*") - 2] == by_seat[trick.winner if trick.winner is not None else -1]
            assert half.count("·") == sum(play.is_forced for play in trick.plays)


def test_where_rooms_part_is_marked_once_in_each(board: Replay) -> None:
    (found,) = board.differences()
    text = plain(page(board, Wanted(), 80))
    legend = next(line for line in text.splitlines() if line.startswith("› leads"))
    assert text.count("≠") - legend.count("≠") == 2
    assert ("The rooms part in the bidding" in text) == (found.first.phase == BIDDING)


def test_rooms_that_are_alike() -> None:
    assert "Both rooms are alike, card for card." in show("easy", "easy", board=1)


def test_exchanges_come_after_all_declarations() -> None:
    """In the order in which they happened: what one gives, the other may draw."""
    always = "hard:draw_blind=always"
    hand = replay(always, always, board=2, rules="draw500").rooms[0].hands[0]
    seats = [SEAT_NAMES[step.made.seat] for step in hand.prelude if step.phase in (DECLARING, EXCHANGING)]
    assert len(seats) == 4
    told = list(before_bidding(hand))
    assert [sentence.split()[0] for sentence in told] == seats
    assert [sentence.split()[1] for sentence in told] == ["declares"] * 2 + ["exchanges"] * 2
    given = [sentence.partition(" exchanges ")[2].partition(" for ") for sentence in told[2:]]
    assert set(given[1][2].rstrip(".").split()) & set(given[0][0].split()), "East drew what North gave"


def test_letters_hold_no_other_signs(board: Replay) -> None:
    text = plain(in_letters(page(board, Wanted(), 140)))
    assert text.isascii()


def test_the_deal_is_drawn_once_and_whole(board: Replay) -> None:
    text = plain(page(board, Wanted(), 80))
    head = text[: text.index("Room 0")]
    drawn = re.findall("([♠♥♦♣]) ([2-9TJQKA]+)", head)
    cards = [parse_card(rank + sign) for sign, ranks in drawn for rank in ranks]
    assert sorted(cards) == list(range(52))


def test_pbn_gives_the_deal_back(board: Replay, tmp_path: Path) -> None:
    file = tmp_path / "board.pbn"
    file.write_text(show("easy", "random_legal", board=3, format="pbn"), encoding="utf-8")
    deal, number = read_deal(str(file), 3, None, Rules())
    (hand,) = board.rooms[0].hands
    assert (deal.hands, deal.dealer, number) == (hand.dealt, hand.dealer, 3)
    again = replay("easy", "random_legal", deal=str(file), scores=hand.scores, bags=hand.bags)
    assert again.rooms == board.rooms


def test_pbn_gives_bids_and_cards_back(game: Replay) -> None:
    text = show("easy", "random_legal", game=3, format="pbn")
    records = [hand for room in game.rooms for hand in room.hands]
    parts = text.split("[Event ")[1:]
    assert len(list(tagged_deals(text))) == len(parts) == len(records)
    for part, hand in zip(parts, records, strict=True):
        (leader, bids) = re.findall(r'\[SpadesBids "(\w)"\]\n(.*)', part)[0]
        assert SEATS[hand.first_bidder] == leader
        assert [0 if word == "nil" else int(word) for word in bids.split()] == [
            bid.choice for bid in hand.bids
        ]
        rows = part.partition("[SpadesPlay ")[2].strip().splitlines()[1:]
        for row, trick in zip(rows, hand.tricks, strict=True):
            cards = [parse_card(word[::-1]) for word in row.split()]
            seats = [(hand.first_bidder + k) % 4 for k in range(4)]
            assert dict(zip(seats, cards, strict=True)) == {play.seat: play.choice for play in trick.plays}


def keys_of(value: Any, path: str = "") -> set[str]:
    """Every key of nested dicts, the ones inside lists with []; keys that are seats or sides as *."""
    if isinstance(value, list):
        return set().union(*(keys_of(item, f"{path}[]") for item in value))
    if not isinstance(value, dict):
        return set()
    found = set()
    for key, inner in value.items():
        name = "*" if key in ("N", "E", "S", "W", "NS", "EW") else key
        place = f"{path}.{name}" if path else name
        found |= {place} | keys_of(inner, place)
    return found


def test_every_key_of_the_json_object_is_explained(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "cheat", play="return 51")
    gambler = write_bot(tmp_path, "gambler", **GAMBLER)
    found = [
        show("easy", "hard", board=3, seat="S", trick=1, format="json"),
        show("easy", bot, board=3, format="json"),
        show(gambler, "lowest_card", board=0, rules="draw500", seat="N", exchange=True, format="json"),
    ]
    paths = set().union(*(keys_of(json.loads(text)) for text in found))
    keys = {path.rpartition(".")[2].strip("[]*") for path in paths} - {""}
    text = REFERENCE.read_text(encoding="utf-8").partition("## PBN")[0]
    assert keys <= set(re.findall(r"`([a-z_]+)`", text))
    assert set(re.findall(r"^\| `([a-z_]+)`", text, re.MULTILINE)) <= keys


@pytest.mark.parametrize(
    "asked",
    [
        {"game": 2, "hand": 2, "room": 1},
        {"game": 2, "hand": 2, "room": 1, "seat": "E", "trick": 3, "ask": "easy,medium"},
        {"board": 3, "room": 1, "seat": 2, "trick": 0},
        {"board": 2, "rules": "draw500", "seat": "N", "draw": 5},
        {"board": 2, "rules": "draw500", "seat": "N", "declare": True},
    ],
)
def test_the_command_in_the_json_object_shows_the_same(
    asked: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    text = show("easy", "hard", format="json", **asked)
    words = shlex.split(json.loads(text)["command"])[1:]
    capsys.readouterr()
    assert main([*words, "--format", "json"]) == 0
    assert capsys.readouterr().out == text


def test_json_tells_the_same(board: Replay) -> None:
    found = json.loads(show("easy", "random_legal", board=3, format="json"))
    for room, record in zip(found["rooms"], board.rooms, strict=True):
        (hand,), (played,) = room["hands"], record.hands
        assert tuple(parse_deal(hand["deal"])) == played.dealt
        cards = [parse_card(card) for trick in hand["tricks"] for card in trick["cards"]]
        assert cards == [choice.choice for choice in played.choices()[4:]]
        assert [trick["winner"] for trick in hand["tricks"]] == [
            SEATS[trick.winner] for trick in played.tricks if trick.winner is not None
        ]
        assert played.results is not None
        assert [hand["results"][key]["points"] for key in ("NS", "EW")] == [
            result.points for result in played.results
        ]


def test_a_score_sheet_has_a_line_for_every_hand(game: Replay) -> None:
    text = plain(page(game, Wanted(), 80))
    numbers = [int(number) for number in re.findall(r"^ {2,3}(\d+)[≠ ] ", text, re.MULTILINE)]
    assert numbers == [hand.number + 1 for room in game.rooms for hand in room.hands]
    assert text.count(" win after ") == 2


def test_what_is_asked_of_a_forced_choice(board: Replay) -> None:
    seat = board.rooms[0].hands[0].tricks[12].plays[0].seat
    text = plain(page(board, Wanted(seat=seat, trick=13), 80))
    assert "the only legal card, so no bot was asked." in text


def test_answers_that_differ_are_marked() -> None:
    text = show("easy", "hard", board=3, seat="N", trick=0, ask="easy,hard,easy+hard")
    assert re.search(r"^easy +1$", text, re.MULTILINE)
    assert re.search(r"^hard +3 +≠ not as played$", text, re.MULTILINE)
    assert re.search(r"^easy\+hard +1$", text, re.MULTILINE)


def test_a_hand_that_one_room_did_not_reach(game: Replay) -> None:
    lengths = [len(room.hands) for room in game.rooms]
    assert lengths[0] != lengths[1]
    text = plain(page(game, Wanted(hand=max(lengths)), 80))
    longer = lengths.index(max(lengths))
    assert f"Room {longer} only: the game in room {1 - longer} was over after {min(lengths)} hand" in text


def test_a_fault_is_shown_where_it_happened(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "cheat", play="return 51 if view.trick_no == 4 else lowest(view.legal)")
    text = show("easy", bot, board=3, width=140)
    assert text.count("(cheat) played AS, which is not") == 2
    assert '[SpadesFault "' in show("easy", bot, board=3, format="pbn")
    with pytest.raises(UserError, match="did not come to trick 9: a fault ended the hand in trick 5"):
        show("easy", bot, board=3, seat=0, trick=9)


@pytest.mark.parametrize(
    ("bodies", "rules"),
    [
        ({"keep": "return 7"}, "draw300"),
        ({"keep": "return 1 if view.offered % 2 else 7"}, "draw300"),
        ({"blind": "return 5"}, "pata:blind_nil=always,target=100"),
    ],
)
def test_a_fault_before_the_bidding_ends_what_is_shown(
    tmp_path: Path, bodies: dict[str, str], rules: str
) -> None:
    """No empty hands, bids or tricks of a hand that came to none."""
    bot = write_bot(tmp_path, "cheat", **BEFORE | bodies)
    text = show(bot, "easy", board=1, rules=rules, room=0)
    assert "which is not legal" in " ".join(text.split())
    assert not re.search(r"^(bid|won)\b|^[NE]  none$", text, re.MULTILINE)


def test_from_scores_and_a_given_deal() -> None:
    dealt = replay("easy", "hard", board=5).rooms[0].hands[0]
    text = show(
        "easy", "hard", deal=deal_text(dealt.dealt), dealer="E", scores="400,-20", bags="1,0", width=140
    )
    assert text.startswith("A given deal: easy against hard, rules pata\nEast deals")
    assert "400, 1 bag" in text
    assert "-20, 0 bags" in text


REFUSED: dict[str, dict[str, Any]] = {
    "hand must be at least 1, not 0": {"hand": 0},
    "hand must be a whole number, not '1'.": {"hand": "1"},
    "There is no hand 2 in room 0: board 0 has one hand.": {"hand": 2},
    "There is no hand 40 in room 0: game 4 has 8 hands.": {"game": 4, "hand": 40},
    "There is no hand 10 in room 1": {"game": 4, "hand": 10, "room": 1},
    "room must be 0 or 1, not 2.": {"room": 2},
    "trick must be from 1 to 13, or 0 for the bidding, not 14.": {"seat": "N", "trick": 14},
    "trick must be from 1 to 13, or 0 for the bidding, not -1.": {"seat": "N", "trick": -1},
    "seat goes with a trick": {"seat": "N"},
    "A trick or the bidding goes with a seat": {"trick": 1},
    "ask goes with a seat": {"ask": "hard"},
    "ask names no bot": {"ask": " ,", "seat": "N", "trick": 1},
    "'X' is no seat: a seat is N, E, S or W": {"seat": "X", "trick": 1},
    "A decision in a game needs a hand": {"game": 3, "seat": "N", "trick": 1},
    "There is no format 'jsn'. Did you mean 'json'?": {"format": "jsn"},
    "pbn holds whole hands": {"format": "pbn", "seat": "N", "trick": 1},
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_shown(message: str) -> None:
    with pytest.raises(UserError) as error:
        show("easy", "hard", **REFUSED[message])
    assert str(error.value).startswith(message)


def test_all_forms_end_with_a_line_break() -> None:
    for form in FORMATS:
        assert re.search(r"[^\n]\n\Z", show("easy", "hard", board=1, format=form))
