"""A YAML text as plain values that know their lines.

The values are made from what the parser reports, not by its loader, so that a word stays the word that was
written: YAML 1.1 reads ``no`` and ``off`` as false, ``010`` as eight and ``1:30`` as ninety. Here ``true``,
``false``, ``null`` and whole numbers in digits are what they say, and all else is text:

>>> node = parse("{blind_nil: off, target: 500}")
>>> {name: value.value for name, value in node.value.items()}
{'blind_nil': 'off', 'target': 500}

Anchors and aliases are refused, because a few lines of them can stand for more values than any memory holds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

MAX_DEPTH = 12

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the compiled parser where there is one
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE = re.compile("[-+]?[0-9]{1,18}")


class Mistake(Exception):  # noqa: N818 - it is what the author of a file made
    """Something in a file that its author can put right.

    Parameters
    ----------
    line : int
        Counted from 1.
    text : str
        What is wrong and what would be right, one sentence or two.
    """

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line
        self.text = text


@dataclass(frozen=True)
class Node:
    """A value and the line where it begins.

    Parameters
    ----------
    value : None, bool, int, str, list of Node, or dict of str to Node
    line : int
        Counted from 1.
    """

    value: Any
    line: int

    def __str__(self) -> str:
        """The value as a message names it."""
        if isinstance(self.value, list):
            return "an empty list" if not self.value else "a list"
        if isinstance(self.value, dict):
            return "a group of keys"
        if self.value is None:
            return "nothing"
        if isinstance(self.value, str):
            return f"'{self.value}'" if len(self.value) <= 60 else f"'{self.value[:57]}...'"
        return str(self.value).lower()


def parse(text: str) -> Node | None:
    """The one value of a YAML text; None for an empty one.

    Raises
    ------
    Mistake
        No YAML, or YAML that these files do without: a second document, anchors, tags, a key twice.
    """
    try:
        return _Builder(yaml.parse(text, Loader=_LOADER)).document()
    except yaml.MarkedYAMLError as error:
        marks: Any = [mark for mark in (error.problem_mark, error.context_mark) if mark]
        what = ", ".join(part for part in (error.context, error.problem) if part)
        raise Mistake(
            marks[0].line + 1 if marks else 1, f"this is not valid YAML: {what}.{_hint(what)}"
        ) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise Mistake(line, "this is not valid YAML: a character that no text may have.") from None


def _hint(problem: str) -> str:
    """What is behind the parser's most frequent words, as far as one can tell."""
    if "'\\t'" in problem or "tab character" in problem:
        return " Use blanks instead of tabs."
    if "cannot start any token" in problem:
        return " Use blanks instead of tabs, and quotes around a text that begins with @, ` or %."
    if "flow sequence" in problem or "flow mapping" in problem:
        return " Look for a missing comma, quote, ] or } on this line or the one before."
    if "mapping values are not allowed" in problem:
        return " A text with ': ' in it needs quotes around it."
    return ""


class _Builder:
    """Values out of the parser's events."""

    def __init__(self, events: Iterator[Any]) -> None:
        self.events = events

    def document(self) -> Node | None:
        found: list[Node] = []
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if found:
                    raise Mistake(_line_of(event), "a second document begins here; one is read.")
                found.append(self.node(next(self.events), 0))
        if not found or (found[0].value is None):
            return None
        return found[0]

    def node(self, event: Any, depth: int) -> Node:
        line = _line_of(event)
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise Mistake(line, "anchors (&) and aliases (*) are not read: write the values out.")
        if event.tag not in (None, "!"):
            raise Mistake(line, f"tags such as {event.tag} are not read: write the plain value.")
        if depth > MAX_DEPTH:
            raise Mistake(line, f"lists inside lists are read {MAX_DEPTH} deep, no deeper.")
        if isinstance(event, yaml.ScalarEvent):
            return Node(_scalar(event.value, event.style), line)
        if isinstance(event, yaml.SequenceStartEvent):
            return Node(list(self.items(yaml.SequenceEndEvent, depth)), line)
        return Node(self.mapping(depth), line)

    def items(self, end: type, depth: int) -> Iterator[Node]:
        while not isinstance(event := next(self.events), end):
            yield self.node(event, depth + 1)

    def mapping(self, depth: int) -> dict[str, Node]:
        found: dict[str, Node] = {}
        lines: dict[str, int] = {}
        nodes = self.items(yaml.MappingEndEvent, depth)
        for key, value in zip(nodes, nodes, strict=True):
            if not isinstance(key.value, str):
                raise Mistake(key.line, f"a key must be a word, not {key}.")
            if key.value in found:
                before = lines[key.value]
                where = "in the same group" if before == key.line else f"in line {before}"
                raise Mistake(key.line, f"the key '{key.value}' comes twice, before this {where}.")
            found[key.value] = value
            lines[key.value] = key.line
        return found


def _line_of(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _scalar(text: str, style: str | None) -> bool | int | str | None:
    """The value of a word; quoted words are text, whatever they look like."""
    if style not in (None, ""):
        return text
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if _WHOLE.fullmatch(text) else text
