"""The page of a duel: whole, self-contained, valid, and there for every kind of duel."""

import re
from html.parser import HTMLParser
from importlib import import_module
from typing import Any

import pytest

import spadesim
from spadesim.analysis.report import Report
from spadesim.match import DuelResult, duel

pytestmark = pytest.mark.compiled_only

VOID = {"meta", "br", "img", "link", "hr", "input"}

DUELS: dict[str, dict[str, Any]] = {
    "games": {"a": "easy", "b": "lowest_card", "games": 60},
    "nils": {"a": "easy:easy_zero=nil", "b": "easy", "games": 40},
    "mixed": {"a": "easy+lowest_card", "b": "lowest_card+easy:ace=2,third_seat=2", "games": 20},
    "long specs": {"a": "easy:ace=2,high_spade=0,third_seat=2", "b": "easy:ace=0,third_seat=2,high_spade=2",
                   "games": 20},
    "mirror": {"a": "easy", "b": "easy", "games": 20},
    "tiny": {"a": "easy", "b": "lowest_card", "games": 2},
    "boards": {"a": "easy", "b": "lowest_card", "boards": 50, "scores": (400, 350), "bags": (3, 7)},
    "one board": {"a": "easy", "b": "lowest_card", "boards": 1},
    "mirrored boards": {"a": "easy", "b": "easy", "boards": 5},
    "unfinished": {"a": "easy", "b": "lowest_card", "games": 10, "hand_cap": 3},
    "no nil, no bags": {"a": "easy", "b": "lowest_card", "games": 20,
                        "rules": "pata:nil_allowed=false,bag_limit=0"},
}  # fmt: skip


class Reader(HTMLParser):
    """Takes down what a page is made of, and that every element is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.counts: dict[str, int] = {}
        self.ids: list[str] = []
        self.references: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        values = dict(attrs)
        if values.get("id"):
            self.ids.append(str(values["id"]))
        self.references += [str(values[key]) for key in ("src", "href", "xlink:href") if values.get(key)]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "script", "title"} & set(self.open):
            self.text.append(data)


def build(result: DuelResult) -> str:
    return spadesim.report(result, with_files=False).html()


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("kind", DUELS)
def test_a_page_is_whole_and_needs_no_other_file(kind: str) -> None:
    result = duel(**DUELS[kind])
    page = build(result)
    reader = read(page)
    n_figures = 4 + (result.win_chance_per_board is not None)
    assert reader.counts["svg"] == reader.counts["figure"] == n_figures
    assert reader.counts["table"] == 3 + 1  # and what it takes to see the same again
    assert "script" not in reader.counts
    assert len(set(reader.ids)) == len(reader.ids)
    inner = [reference for reference in reader.references if reference[0] == "#"]
    assert all(reference[1:] in reader.ids for reference in inner)
    assert set(reader.references) - set(inner) == {"data:,"}  # no icon to ask for
    assert not re.search(r"url\((?!#)|@import", page)
    assert re.findall(r"https?://[^\"' ]+", re.sub(r' xmlns(:\w+)?="[^"]*"', "", page)) == []
    text = "".join(reader.text)
    assert result.verdict in text
    assert result.fingerprint in text
    assert result.command in text
    assert not re.search(r"\bnan\b", page, re.IGNORECASE)
    assert "This page is missing" not in page


def test_the_same_duel_gives_the_same_page() -> None:
    pages = [build(duel("easy", "lowest_card", games=20)) for _ in range(2)]
    assert pages[0] == pages[1]


def test_colours_are_named_so_that_a_dark_screen_has_its_own() -> None:
    page = build(duel("easy", "lowest_card", games=20))
    drawings = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert "var(--a)" in drawings
    assert set(re.findall(r"#[0-9a-f]{6}\b", drawings)) <= {"#000000", "#ffffff"}
    assert "prefers-color-scheme: dark" in page


def test_a_page_says_nothing_of_nils_where_there_are_none() -> None:
    result = duel("easy", "lowest_card", games=12, rules="bicycle")
    sections = sides(result)
    assert [line.label for line in import_module("spadesim.reports.sides").share_lines(result)] == [
        "contracts set"
    ]
    assert not any("nil" in section.title for section in sections)


def sides(result: DuelResult) -> list[Any]:
    """The sections on how each side plays."""
    sections: list[Any] = import_module("spadesim.reports.sides").build(Report(results=(result,)))
    return sections


def test_shares_at_a_table_of_two() -> None:
    """One opponent; and nils that are all blind are told once."""
    result = duel("hard:draw_blind=always", "lowest_card", games=40, rules="draw500")
    assert all(side.nil_attempts == side.blind_attempts for side in result.sides.values())
    labels = [line.label for line in import_module("spadesim.reports.sides").share_lines(result)]
    assert "opponent's nils set" in labels
    assert "opponents' nils set" not in labels
    assert "nils made" not in labels
    assert "blind nils made" in labels


@pytest.mark.parametrize(
    ("rules", "least"), [("pata", 0), ("bicycle", 1), ("pata:nil_allowed=false,min_bid=2", 2)]
)
def test_bids_begin_where_they_can(rules: str, least: int) -> None:
    """A column for 0 only where 0 is a bid."""
    picture = sides(duel("easy", "lowest_card", games=12, rules=rules))[0].pictures[0]
    assert picture.name == "tricks-by-bid"
    assert picture.draw.keywords["least"] == least


def test_pages_on_the_hands_themselves_take_the_place_of_pictures() -> None:
    result = duel("easy", "lowest_card", games=12)
    build_sides = import_module("spadesim.reports.sides").build
    assert len(build_sides(Report(results=(result,)))) == 4
    assert len(build_sides(Report(results=(result,), pages=("bids", "bags", "nil")))) == 1


def test_several_duels_stand_side_by_side() -> None:
    results = [duel("easy", "lowest_card", games=12), duel("easy", "lowest_card", boards=12)]
    sections = import_module("spadesim.reports.duel").build(Report(results=tuple(results)))
    assert [len(section.pictures) for section in sections] == [2, 1, 2]
    (table,) = sections[0].tables
    assert len(table.rows) == 2
