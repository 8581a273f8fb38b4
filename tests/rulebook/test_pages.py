"""The pages about worked examples and words say all there is."""

import re
from pathlib import Path

import pytest

from spadesim.rulebook.examples import parse_examples
from spadesim.rulebook.kinds import KINDS
from spadesim.rulebook.report import check_examples

pytestmark = pytest.mark.compiled_only

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
EXAMPLES = (REFERENCE / "worked-examples.md").read_text(encoding="utf-8")
GLOSSARY = (REFERENCE / "glossary.md").read_text(encoding="utf-8")
ALPHABET = " abcdefghijklmnopqrstuvwxyzåäö"


def part_about(kind: str) -> str:
    """Return the part of the page, or the row of its table, that describes a kind."""
    if KINDS[kind].later:
        (row,) = re.findall(rf"^\| `{kind}` \|.*$", EXAMPLES, re.MULTILINE)
        return str(row)
    parts = re.split(r"^### ", EXAMPLES, flags=re.MULTILINE)
    (part,) = [part for part in parts if kind in part.splitlines()[0].split(" and ")]
    return part


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_of_every_kind_is_described(kind: str) -> None:
    part = part_about(kind)
    for name in (*KINDS[kind].given, *KINDS[kind].expect):
        assert f"`{name}`" in part, name


def test_no_key_is_described_that_there_is_not() -> None:
    known = {name for kind in KINDS.values() for name in (*kind.given, *kind.expect)}
    for kind in KINDS:
        rows = re.findall(r"^\| (`[^|]*) \|", part_about(kind), re.MULTILINE)
        named = {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)}
        assert named <= known | set(KINDS), kind


def test_the_examples_on_the_page_hold() -> None:
    texts = re.findall(r"```yaml\n(.*?)```", EXAMPLES, re.DOTALL)
    assert check_examples(parse_examples("".join(texts), "page")).count("passed") == len(texts) == 2


def rows_of(heading: str) -> list[list[str]]:
    """Return the cells of the glossary's table under a heading."""
    part = GLOSSARY.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def place(word: str) -> list[int]:
    return [ALPHABET.index(letter) for letter in word.lower() if letter in ALPHABET]


@pytest.mark.parametrize(
    "heading", ["Finnish to English", "English to Finnish", "Words of machine-translated rule pages"]
)
def test_the_words_stand_in_order(heading: str) -> None:
    words = [row[0].removeprefix("to ") for row in rows_of(heading)]
    assert len(words) == len(set(map(str.lower, words))) or heading == "English to Finnish"
    assert words == sorted(words, key=place)


def test_both_directions_have_the_same_words() -> None:
    there, back = rows_of("Finnish to English"), rows_of("English to Finnish")
    english = {row[0]: row[1] for row in back}
    for finnish, words, _ in there:
        for word in re.split("[,;] ", words):
            assert finnish in english[re.sub("^(a|the) ", "", word)]
    assert {word for _, finnish in back for word in finnish.split(", ")} == {
        word for finnish, _, _ in there for word in finnish.split(", ")
    }
