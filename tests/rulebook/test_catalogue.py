"""The bundled situations say what they ask for, and the page about them is made of them."""

import itertools
import os
import re
from pathlib import Path

from spadesim.rulebook import read_situations
from spadesim.rulebook.catalogue import BOTS, catalogue
from spadesim.rulebook.kinds import KINDS
from spadesim.rulebook.skills import skill_of

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "situations.md"
SITUATIONS = read_situations()
UPDATES = os.environ.get("UPDATE_EXPECTED") == "1"


def test_the_page_is_made_of_the_file() -> None:
    page = PAGE.read_text(encoding="utf-8")
    head = page[: page.index("## ")]
    made = head + catalogue(SITUATIONS)
    if UPDATES:
        PAGE.write_text(made, encoding="utf-8")
    assert page == made or UPDATES


def test_every_link_of_the_page_leads_somewhere() -> None:
    page = PAGE.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    links = re.findall(r"\]\(#([^)]*)\)", page)
    assert len(links) > 30
    assert set(links) <= anchors


def test_each_situation_has_a_name_a_skill_and_a_reason() -> None:
    assert len(SITUATIONS) >= 60
    for example in SITUATIONS:
        assert example.name, example.id
        assert example.note.endswith("."), example.id
        assert KINDS[example.kind].answer
        assert not example.later
    assert len({example.name for example in SITUATIONS}) == len(SITUATIONS)
    order = [skill_of(example) for example in SITUATIONS]
    assert len(dict.fromkeys(order)) == 1 + sum(a != b for a, b in itertools.pairwise(order))


def test_each_bot_is_named_wherever_it_can_play() -> None:
    for example in SITUATIONS:
        named = {*example.given["levels"], *example.instead}
        assert example.rules is not None
        able = {"easy", "medium", "hard"} if example.rules.deal == "draw_keep" else set(BOTS)
        assert named == able, example.id


def test_hard_has_skills_that_medium_lacks_and_medium_some_that_easy_lacks() -> None:
    def only(better: str, worse: str) -> set[str]:
        return {
            skill_of(example)
            for example in SITUATIONS
            if better in example.given["levels"] and worse in example.instead
        }

    assert len(only("hard", "medium")) >= 5
    assert len(only("medium", "easy")) >= 5
