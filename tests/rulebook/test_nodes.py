"""YAML as values with lines, and what is no such YAML."""

# An example and what is said about it are easiest to compare on one line.
# ruff: noqa: E501

import re
from typing import Any

import pytest
import yaml

from spadesim.rulebook import nodes
from spadesim.rulebook.examples import BUNDLED
from spadesim.rulebook.nodes import MAX_DEPTH, Mistake, Node, parse


def plain(node: Node | None) -> Any:
    """Return the values without their lines."""
    if node is None:
        return None
    if isinstance(node.value, list):
        return [plain(member) for member in node.value]
    if isinstance(node.value, dict):
        return {key: plain(value) for key, value in node.value.items()}
    return node.value


def mistake(text: str) -> tuple[int, str]:
    with pytest.raises(Mistake) as caught:
        parse(text)
    return caught.value.line, caught.value.text


def test_words_stay_words() -> None:
    text = "[no, off, yes, on, N, 010, 1:30, 1e3, 0x1F, 1.5, 2H, null, ~, true, False, -7, +3, 'true', \"5\", 2024-01-01]"
    assert plain(parse(text)) == [
        *("no", "off", "yes", "on", "N", 10, "1:30", "1e3", "0x1F", "1.5", "2H"),
        *(None, None, True, False, -7, 3, "true", "5", "2024-01-01"),
    ]


def test_every_value_knows_its_line() -> None:
    node = parse("- a: 1\n  b:\n    - x\n    - y\n- {c: 2,\n   d: 3}\n")
    assert node is not None
    first, second = node.value
    assert (first.line, first.value["a"].line, [member.line for member in first.value["b"].value]) == (
        1,
        1,
        [3, 4],
    )
    assert (second.line, second.value["c"].line, second.value["d"].line) == (5, 5, 6)


@pytest.mark.parametrize("text", ["", "\n\n", "# a comment\n", "---\n", "null\n"])
def test_nothing_is_none(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("- a: [1, 2\n- b: 3\n", 2, "missing comma"),
        ("a: b: c\n", 1, "needs quotes"),
        ("a:\n\tb: 1\n", 2, "instead of tabs"),
        ("a: 'x\n", 2, "not valid YAML"),
        ("ok: 1\nbad: \x01\n", 2, "a character that no text may have"),
        ("{a: 1, b: 2,\n a: 3}\n", 2, "the key 'a' comes twice, before this in line 1"),
        ("{a: 1, a: 3}\n", 1, "the key 'a' comes twice, before this in the same group"),
        ("1: 2\n", 1, "a key must be a word, not 1"),
        ("a: 1\n---\nb: 2\n", 2, "a second document begins here"),
        ("a: !!python/object/apply:os.system [ls]\n", 1, "tags such as"),
    ],
)  # fmt: skip
def test_what_is_no_such_yaml(text: str, line: int, words: str) -> None:
    found, what = mistake(text)
    assert (found, words in what) == (line, True), what


def test_a_bomb_of_aliases_does_not_go_off() -> None:
    levels = "\n".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    line, what = mistake(f"a: &a [x, x]\n{levels}\n")
    assert line == 1
    assert "anchors (&) and aliases (*) are not read" in what


@pytest.mark.parametrize("loader", [yaml.SafeLoader, nodes._LOADER])
def test_deep_nesting_is_refused(loader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "_LOADER", loader)
    assert plain(parse("[" * MAX_DEPTH + "]" * MAX_DEPTH)) is not None
    assert "deep, no deeper" in mistake("[" * 40)[1]
    assert re.search("deep|nesting depth", mistake("[" * 100_000)[1])  # the parsers have limits of their own


def test_the_compiled_and_the_plain_parser_read_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = BUNDLED.read_text(encoding="utf-8")
    compiled = parse(text)
    monkeypatch.setattr(nodes, "_LOADER", yaml.SafeLoader)
    assert parse(text) == compiled
