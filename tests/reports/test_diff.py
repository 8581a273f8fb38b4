"""The page of where two bots part: what it says and draws is what was found; nothing in a name gets out."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import spadesim
from spadesim.analysis.compose import Wanted, compose
from spadesim.analysis.diff import diff
from spadesim.analysis.document import Document
from spadesim.analysis.hand_view import DrawnHand
from spadesim.analysis.inputs import read_inputs
from spadesim.analysis.lines import plain
from spadesim.analysis.readback import UnreadableError, read_back
from spadesim.analysis.report import Report, Section
from spadesim.errors import UserError
from spadesim.match.diff_result import DiffResult
from spadesim.match.duel import Keep, play_duel
from spadesim.match.replay import replay
from spadesim.match.room_json import read_room, room_dict
from spadesim.match.spec import make_spec
from spadesim.notation import SEATS, card_text
from spadesim.reports import diff as page
from tests.analysis.test_compose import EVIL
from tests.match.bots import BEFORE, GAMBLER, write_bot
from tests.reports.test_duel import read

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module")
def found() -> DiffResult:
    return diff("easy", "lowest_card", boards=200, top=6, redeals=30)


@pytest.fixture(scope="module")
def sections(found: DiffResult) -> list[Section]:
    sections: list[Section] = page.build(Report(results=(found,)))
    return sections


def made(*things: Any) -> Document:
    return compose(read_inputs(things), Wanted(with_files=False))


def test_the_kinds_add_up_to_the_whole(found: DiffResult, sections: list[Section]) -> None:
    frame = sections[0].tables[0].frame.set_index("kind")  # type: ignore[union-attr]
    for column in ("boards", "point_units", "chance_units"):
        assert frame[column].drop("all").sum() == frame.loc["all", column]
    gain = found.total.win_chance_per_board
    assert gain is not None
    low, high = (100 * end for end in (gain.low, gain.high))
    assert sections[0].title.startswith(f"Of {100 * gain.mean:+.1f}"[:6])
    assert f"({low:+.1f}"[:4] in sections[0].title
    assert f"to {high:+.1f}"[:6] in sections[0].title


def test_the_costliest_are_told_with_what_they_are_worth(found: DiffResult, sections: list[Section]) -> None:
    assert sections[1].title == "The 6 boards that cost easy the most"
    frame = sections[1].tables[0].frame  # type: ignore[union-attr]
    assert frame["board"].tolist() == [case.board for case in found.cases]
    assert frame["cost"].tolist() == [case.win_chance for case in found.cases]
    assert frame["verdict"].tolist() == [case.worth.verdict for case in found.cases if case.worth]
    assert frame["command"].tolist() == [case.command for case in found.cases]
    n_faults = (frame["verdict"] == "a fault").sum()
    assert (f"{n_faults} is a fault" in sections[1].text[0]) == (n_faults == 1)
    assert (f"{n_faults} are faults" in sections[1].text[0]) == (n_faults > 1)


def test_every_case_is_drawn_card_by_card(found: DiffResult, sections: list[Section]) -> None:
    for case, section in zip(found.cases, sections[2:], strict=True):
        assert section.commands == [case.command]
        (drawn,) = section.hands
        view = drawn.view
        assert [room.title for room in view.rooms] == [f"Room {case.room_a}", f"Room {case.room_b}"]
        for room, number in zip(view.rooms, (case.room_a, case.room_b), strict=True):
            hand = case.replay.rooms[number].hands[0]
            bids, *tricks, won = room.rows
            for row, trick in zip(tricks, hand.tricks, strict=True):
                for play in trick.plays:
                    text = plain([row.cells[play.seat]])
                    assert card_text(play.choice) == text.translate(str.maketrans("♠♥♦♣", "SHDC")).strip(
                        " ›*·≠\n"
                    )
                    assert ("*" in text) == (play.seat == trick.winner)
            assert [int(plain([cell])) for cell in won.cells] == [hand.won_by(seat) for seat in range(4)]
            marks = [(row.label, seat) for row in (bids, *tricks) for seat in range(4) if row.parted[seat]]
            step = case.step_a
            label = "bid" if section.title.count("bidding") else str(step.number + 1)
            assert marks == [(label, case.seat)]


def test_a_page_shows_the_hands(found: DiffResult) -> None:
    document = made(found)
    assert document.faults == []
    html, markdown = document.html(), document.markdown("x")
    reader = read(html)
    assert len(set(reader.ids)) == len(reader.ids)
    assert len(re.findall('<div class="hand">', html)) == len(found.cases)
    assert len(re.findall('class="parted"', html)) == 2 * len(found.cases)
    for case in found.cases:
        assert case.command in html
        assert case.command in markdown
    assert markdown.count("```text\n") == len(found.cases)
    assert markdown.count("≠ ") >= len(found.cases)


def test_boards_alike_are_said_in_words() -> None:
    document = made(diff("easy", "easy", boards=20))
    assert document.faults == []
    assert "never part" in document.html()
    one = made(
        diff("easy", "lowest_card", boards=1, redeals=0), diff("easy", "lowest_card", boards=30, top=0)
    )
    assert one.faults == []
    assert not re.search(r"\bnan\b", one.html(), re.IGNORECASE)


@pytest.mark.parametrize("evil", EVIL)
def test_nothing_in_a_file_gets_out_of_its_place(found: DiffResult, tmp_path: Path, evil: str) -> None:
    values = json.loads(found.to_json())
    values |= {"names": [evil, "b"], "verdict": evil, "command": evil}
    for case in values["cases"]:
        case["command"] = case["worth"]["why"] = evil
    file = tmp_path / "evil.json"
    file.write_text(json.dumps(values))
    document = made(file)
    assert document.faults == []
    reader = read(document.html())
    assert "script" not in reader.counts
    assert "img" not in reader.counts
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e]", document.markdown("x"))


HAND = ("cases", 0, "rooms", 1, "hands", 0)
TRICK = (*HAND, "tricks", 12)


def edited(found: DiffResult, place: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """What the JSON of a diff is with another value at one place; a callable makes it of what is there."""
    values: dict[str, Any] = json.loads(found.to_json())
    inner: Any = values
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value(inner[place[-1]]) if callable(value) else value
    return values


def without(key: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda values: {name: value for name, value in values.items() if name != key}


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (("cases", 0, "rooms"), [], "a case has other rooms than its rules"),
        (("cases", 0, "kind"), "evil", "its kind 'evil' is unknown"),
        (("kinds", 0, "kind"), "evil", "its kind 'evil' is unknown"),
        (("cases", 0, "seat"), "X", "there is no seat 'X'"),
        (("cases", 0, "worth"), {"tried": "many"}, "its tried cannot be 'many'"),
        (("cases", 0, "worth", "verdict"), "evil", "its verdict 'evil' is unknown"),
        (("cases", 0, "board"), -1, "board must be from 0 to 199, not -1"),
        (("cases", 0, "room_a"), "0", "the room of a case"),
        (("cases", 0, "room_a"), 9, "the room of a case must be from 0 to 1, not 9"),
        (("cases", 0, "room_b"), -1, "the room of a case must be from 0 to 1, not -1"),
        (("cases", 0, "rooms", 1, "room"), 99, "its rules have no room 99"),
        ((*HAND, "hand"), 0, "a hand cannot have the number 0"),
        ((*HAND, "dealer"), "", "there is no seat ''"),
        ((*HAND, "before"), without("EW"), "a hand has other sides than NS and EW"),
        ((*HAND, "results"), without("NS"), "a hand has other sides than NS and EW"),
        ((*HAND, "before", "NS", "score"), float("inf"), r"cannot (be|convert float) inf"),
        ((*HAND, "bids"), without("E"), "not every seat of a hand bids"),
        ((*HAND, "bids", "E"), 900, r"nobody can bid \[900\]"),
        ((*HAND, "stock"), "2C 3C", "a stock is of 0 cards, not of 2"),
        ((*HAND, "tricks"), [], "a hand is not 13 tricks of 4 cards, all different"),
        ((*TRICK, "cards"), lambda cards: cards[:3], "a hand is not 13 tricks of 4 cards"),
        ((*TRICK, "cards"), lambda cards: cards[:1] * 4, "a hand is not 13 tricks of 4 cards, all different"),
        ((*TRICK, "leader"), "", "there is no seat ''"),
        ((*TRICK, "leader"), ["N"], r"there is no seat \['N'\]"),
        ((*TRICK, "winner"), None, "there is no seat None"),
    ],
)
def test_a_file_that_is_no_diff_is_refused(
    found: DiffResult, tmp_path: Path, place: tuple[str | int, ...], value: object, reason: str
) -> None:
    file = tmp_path / "no.json"
    file.write_text(json.dumps(edited(found, place, value)))
    with pytest.raises(UserError, match=f"is no result that this version can read: .*{reason}"):
        made(file)


def test_sides_are_read_by_their_names(found: DiffResult) -> None:
    values = json.loads(found.to_json())
    values["cases"][0]["rooms"][1]["hands"][0]["before"] = dict(
        reversed(values["cases"][0]["rooms"][1]["hands"][0]["before"].items())
    )
    assert json.loads(read_back("diff", values).to_json()) == json.loads(found.to_json())


def test_a_draw_of_too_few_cards_or_turns_is_refused(tmp_path: Path) -> None:
    found = diff("easy", "lowest_card", boards=20, top=1, redeals=0, rules="draw500")
    for place, value in (
        ((*HAND, "stock"), lambda cards: cards[:8]),
        ((*HAND, "draw"), lambda turns: turns[:2]),
    ):
        with pytest.raises(UnreadableError, match=r"a stock is of 52 cards, not of 3|in 26 turns, not in 2"):
            read_back("diff", edited(found, place, value))


def test_a_room_comes_back_out_of_json(tmp_path: Path) -> None:
    """With all that can be decided before the bidding."""
    gambler, usual = write_bot(tmp_path, "gambler", **GAMBLER), write_bot(tmp_path, "usual", **BEFORE)
    for rules in ("draw500", "pata:blind_nil=always"):
        spec = make_spec(gambler, usual, boards=40, rules=rules)
        for unit in range(40):
            played = replay(spec, unit)
            for room in played.rooms:
                back = read_room(json.loads(json.dumps(room_dict(played, room))), spec.rules)
                assert plain_hand(back) == plain_hand(room)


def plain_hand(room: Any) -> Any:
    """A hand without what JSON leaves out: which bids and answers before them had no other choice."""
    (hand,) = room.hands
    choices = [
        (step.phase, step.number, step.made.seat, step.made.choice, step.card) for step in hand.prelude
    ]
    bids = [(bid.seat, bid.choice) for bid in hand.bids]
    rest = (hand.dealer, hand.first_bidder, hand.dealt, hand.tricks, hand.scores, hand.bags, hand.results)
    return room.number, room.roles, choices, bids, rest, hand.stock, hand.exchanges, hand.sees_second


def test_the_draw_is_shown(tmp_path: Path) -> None:
    spec = make_spec("easy", "medium", boards=1, rules="draw500")
    played = replay(spec, 0)
    view = DrawnHand(played, (0, 1)).view
    assert view.holdings == []
    for room in view.rooms:
        assert len(room.draw) == 13
        assert [seat for seat, _ in room.made] == list(SEATS[:2])
        assert "discarded unseen" in view.legend


def test_a_hand_that_cannot_be_drawn_takes_its_page_alone() -> None:
    found = diff("easy", "lowest_card", boards=20, top=1, redeals=0, rules="draw500")
    (case,) = found.cases
    rooms = tuple(
        replace(room, hands=(replace(room.hands[0], stock=room.hands[0].stock[:3]),))
        for room in case.replay.rooms
    )
    broken = replace(found, cases=(replace(case, replay=replace(case.replay, rooms=rooms)),))
    document = made(broken)
    ((name, fault),) = document.faults
    assert (name, fault.error.partition(":")[0]) == ("diff", "IndexError")
    assert "This page is missing." in document.html()
    assert document.markdown("x")


def test_a_run_and_its_hands_are_one_report(tmp_path: Path) -> None:
    play_duel(make_spec("easy", "lowest_card", boards=60, first=5), keep=Keep(tmp_path / "run"))
    alone = spadesim.report(tmp_path / "run", with_files=False)
    (note,) = [note for note in alone.notes if "where they part" in note]
    assert f"spadesim report {tmp_path / 'run'} --hands 20 adds" in note
    both = spadesim.report(tmp_path / "run", hands=2, with_files=False)
    assert both.faults == []
    assert both.title == alone.title
    assert {chapter.id for chapter in both.chapters} == {chapter.id for chapter in alone.chapters} | {"diff"}
    (chapter,) = [chapter for chapter in both.chapters if chapter.id == "diff"]
    assert len(chapter.parts) == 4
    whole = diff("easy", "lowest_card", boards=60, first=5, top=2)
    assert whole.verdict in both.answers
    assert [part.commands for part in chapter.parts[2:]] == [[case.command] for case in whole.cases]
    beside = spadesim.report(whole, tmp_path / "run", with_files=False)
    assert beside.title == alone.title


def test_hands_need_a_run_of_two_bots(tmp_path: Path) -> None:
    play_duel(make_spec("easy", "easy", boards=4), keep=Keep(tmp_path / "same"))
    with pytest.raises(UserError, match="both sides of all runs are the same bots"):
        spadesim.report(tmp_path / "same", hands=3)
    with pytest.raises(UserError, match="there is no recorded run"):
        spadesim.report(spadesim.duel("easy", "lowest_card", boards=4), hands=3)
    bot = Path(write_bot(tmp_path, "mine", bid="return 3"))
    play_duel(make_spec(str(bot), "easy", boards=4), keep=Keep(tmp_path / "changed"))
    bot.write_text(bot.read_text() + "\n# changed\n")
    with pytest.raises(UserError, match="mine has changed since the run began"):
        spadesim.report(tmp_path / "changed", hands=3)
