import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from spadesim.analysis.show import show
from spadesim.cli.app import main
from spadesim.errors import UserError
from spadesim.match import duel
from tests.match.bots import BEFORE, write_bot

pytestmark = pytest.mark.slow

HIGHEST_OF_ALL = "return 51"
LOW = "return lowest(view.legal)"
RAISES_LATE = f"if view.trick_no == 3 and view.seat == 2:\n        return 7 // (view.hand & 0)\n    {LOW}"
WRITES = f"view.tricks[0] = 5\n    {LOW}"


def complaint(a: str, b: str, **asked: Any) -> str:
    with pytest.raises(UserError) as error:
        duel(a, b, **asked)
    message = str(error.value)
    assert "\n" not in message
    return message


def shown(message: str) -> tuple[list[str], dict[str, str]]:
    """The sides, and the options, of the command in a message."""
    words = shlex.split(message.partition("To see it again: ")[2])
    assert words[:2] == ["spadesim", "show"]
    options = dict(zip(words[4::2], words[5::2], strict=True))
    assert options.pop("--rules") == "pata"
    return words[2:4], {name.removeprefix("--").replace("-", "_"): value for name, value in options.items()}


def seen(message: str) -> str:
    """What the command in a message prints."""
    (a, b), options = shown(message)
    asked: dict[str, Any] = {name: value if name == "seat" else int(value) for name, value in options.items()}
    return show(a, b, **asked)


def test_an_illegal_card(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "cheat", play=HIGHEST_OF_ALL)
    message = complaint("easy", bot, games=20, seed=5)
    assert re.match(
        r"cheat played AS, which is not legal; legal is [2-9TJQKA][CDHS].* "
        r"\(pair 0, room [01], seat [0-3], hand_no 0, trick_no \d+\)\. To see it again: ",
        message,
    )
    sides, options = shown(message)
    assert sides == ["easy", bot]
    assert options.items() >= {"game": "0", "seed": "5", "hand": "1"}.items()
    assert "(cheat) played AS, which is not legal; legal is" in seen(message)


def test_an_illegal_bid(tmp_path: Path) -> None:
    message = complaint(write_bot(tmp_path, "boaster", bid="return 14"), "easy", boards=3)
    assert message.startswith(
        "boaster bid 14, which is not legal; legal bids are 0 to 13 (board 0, room 0, seat"
    )
    assert "trick_no" not in message
    options = shown(message)[1]
    assert options.pop("seat") in "NESW"
    assert options == {"board": "0", "seed": "1", "room": "0", "trick": "0"}
    assert "(boaster) bid 14, which is not legal; legal bids are 0 to 13." in seen(message)


def test_a_number_that_is_no_card(tmp_path: Path) -> None:
    message = complaint(write_bot(tmp_path, "lost", play="return -1"), "easy", games=2)
    assert message.startswith("lost played number -1, which is not legal")


def test_the_partner_is_told_apart(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "boaster", bid="return 14")
    message = complaint("easy", f"easy+{bot}", boards=1)
    assert message.startswith("boaster bid 14")
    assert "room 0, seat 3" in message or "room 1, seat 2" in message


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_is_traced_to_its_decision(tmp_path: Path, workers: int) -> None:
    message = complaint("easy", write_bot(tmp_path, "divider", play=RAISES_LATE), games=40, workers=workers)
    assert message.startswith("divider raised ZeroDivisionError")
    assert re.search(r"\(pair 0, room 1, seat 2, hand_no \d+, trick_no 3\)", message)
    assert "South (divider) raised ZeroDivisionError" in seen(message)


def test_the_fault_is_the_same_for_any_workers_and_chunks(tmp_path: Path) -> None:
    body = "if view.hand & 15 == 15:\n        return 14\n    return 3"
    bot = write_bot(tmp_path, "sometimes", bid=body)
    messages = {
        complaint(bot, "lowest_card", boards=2000, workers=workers, chunk=chunk)
        for workers, chunk in ((1, 1), (1, 2000), (2, 7), (3, 100))
    }
    assert len(messages) == 1
    message = messages.pop()
    assert int(shown(message)[1]["board"]) > 0
    assert "(sometimes) bid 14, which is not legal" in seen(message)


CARDS = "([2-9TJQKA][CDHS] ?)+"
ILLEGAL = "which is not legal; legal"
BEFORE_BIDDING = {
    "exchange": (
        "return view.hand",
        rf"cheat asked to exchange 13 cards, {CARDS}, {ILLEGAL} is a mask of at most 3 of {CARDS}, or 0 "
        r"for none \(board 0, room 0, seat 0, hand_no 0\)\. .* --seat N --exchange$",
    ),
    "exchange of a card not held": (
        "cards = view.rules.deck & ~view.hand\n    return cards & -cards",
        rf"cheat asked to exchange {CARDS}, which it does not hold, {ILLEGAL} is a mask of at most 3",
    ),
    "exchange of what is no cards": ("return -5", f"cheat answered -5 in exchange, {ILLEGAL} is"),
    "keep": (
        "return 2 if view.n_drawn > 8 else 1",
        rf"cheat answered 2 in keep, {ILLEGAL} are KEEP, which is 1, and PASS_UP, which is 0 "
        r"\(board 0, room 0, seat 0, hand_no 0, its turn 6 of the draw\)\. .* --seat N --draw 6$",
    ),
    "blind": (
        "return 5",
        rf"cheat answered 5 in blind, {ILLEGAL} are 1 for a blind nil, and 0 for none .* --declare$",
    ),
}


@pytest.mark.parametrize("name", BEFORE_BIDDING)
def test_answers_before_the_bidding(tmp_path: Path, name: str) -> None:
    body, pattern = BEFORE_BIDDING[name]
    bodies = BEFORE | {"blind": "return 1"} | {name.split(maxsplit=1)[0]: body}
    bot = write_bot(tmp_path, "cheat", **bodies)
    message = complaint(bot, "lowest_card", boards=3, rules="draw500")
    assert re.match(pattern, message), message
    words = shlex.split(message.partition("To see it again: ")[2])
    assert main(words[1:]) == 0


@pytest.mark.parametrize("rules", ["draw300", "draw500", "pata:blind_nil=always"])
def test_a_bot_without_a_function_is_refused_before_anything_is_played(tmp_path: Path, rules: str) -> None:
    bot = write_bot(tmp_path, "plain")
    missing = "blind" if rules.startswith("pata") else "keep"
    for refused in (
        lambda: duel(bot, "lowest_card", boards=1, rules=rules),
        lambda: duel("lowest_card", bot, boards=1, rules=rules),
        lambda: show("lowest_card", bot, rules=rules),
        lambda: show("lowest_card", "random_legal", rules=rules, seat=0, trick=1, ask=bot),
    ):
        with pytest.raises(
            UserError,
            match=rf"plain.py has no function `{missing}`, which .* asks for: {missing}.*"
            "docs/reference/strategies.md has one to copy",
        ):
            refused()


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("draw300", "pata_hard draws no cards, which deal=draw_keep asks for"),
        ("pata:blind_nil=always", "pata_hard declares no blind nils, which blind_nil=always asks for"),
    ],
)
def test_a_bundled_bot_at_the_wrong_table_is_told_who_plays_there(rules: str, reason: str) -> None:
    """Whoever did not write it is not told how to."""
    with pytest.raises(UserError) as refused:
        duel("pata_hard", "hard", boards=1, rules=rules)
    text = str(refused.value)
    assert text.startswith(reason)
    assert "view" not in text
    able = text.partition("Bundled bots that can: ")[2].rstrip(".").split(", ")
    assert {"easy", "medium", "hard"} <= set(able)
    assert not {"yardstick", "pata_easy"} & set(able)


def test_a_bot_that_writes_to_its_view(tmp_path: Path) -> None:
    message = complaint(write_bot(tmp_path, "scribbler", play=WRITES), "easy", games=2)
    assert "scribbler" in message
    assert "writes to its view" in message
