"""The page on the JSON object names every key, and no other."""

import re
from pathlib import Path
from typing import Any

import pytest

from spadesim.match import duel

pytestmark = pytest.mark.compiled_only

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "json.md"


def named(text: str) -> set[str]:
    """The words in code type in the first cells of a text's tables."""
    cells = re.findall(r"^\| (`.+?`) \|", text, re.MULTILINE)
    return {word for cell in cells for word in re.findall(r"`(\w+)`", cell)}


def test_every_key_is_on_the_page_and_every_word_of_the_page_is_a_key() -> None:
    values: dict[str, Any] = duel("easy", "lowest_card", games=2).to_dict()
    top, sides, seats = re.split(r"^## `\w+`$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert named(top) == set(values) - {"sides", "seats"}
    assert named(sides) == set(values["sides"]["a"])
    assert named(seats) == set(values["seats"])
    of_bots = sides.partition("An object in `bots` has")[2]
    assert set(values["sides"]["a"]["bots"][0]) <= set(re.findall(r"`(\w+)`", of_bots))
