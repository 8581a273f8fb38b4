"""Files of worked examples out of a few words, and the bundled ones."""

import dataclasses
from typing import Any

import pytest

from spadesim.rulebook import BadExamples, CheckReport, Example, check_examples, parse_examples, read_examples
from spadesim.rulebook.nodes import Node
from spadesim.strategy.find import bundled

SCORING = "{bids: [4, 2], tricks: [2, 5], bags_before: 0}"


def one(kind: str, given: str, expect: str, rest: str = "") -> str:
    """Return a file of one example with the id X-1."""
    return f"- {{id: X-1, kind: {kind}, {rest}\n   given: {given},\n   expect: {expect}}}\n"


def run(text: str) -> CheckReport:
    """Return what comes of a file of that text."""
    return check_examples(parse_examples(text, "my.yaml"), "my.yaml")


def mistakes(text: str) -> list[str]:
    """Return the mistakes of a file, as a user sees them."""
    with pytest.raises(BadExamples) as caught:
        run(text)
    return caught.value.mistakes


def mistake(text: str) -> str:
    """Return the one mistake of a file."""
    (found,) = mistakes(text)
    return found


def complaint(text: str) -> str:
    """Return the one line about an example that does not hold."""
    (found,) = run(text).complaints
    return found


def bundled_examples() -> list[Example]:
    """Return the bundled examples, asking only bots that are there."""
    return [example for example in map(with_present_bots, read_examples()) if example is not None]


def with_present_bots(example: Example) -> Example | None:
    """Return an example without the bots that there are not; None when none is left."""
    specs = example.given.get("levels") or [example.given.get("bot")]
    present = [spec for spec in specs if spec is None or spec.split(":")[0] in bundled()]
    if not present or len(present) == len(specs):
        return example if present else None
    levels: dict[str, Any] = {"levels": present}
    nodes = {"given.levels": Node([Node(spec, example.line) for spec in present], example.line)}
    return dataclasses.replace(example, given=example.given | levels, nodes=example.nodes | nodes)
