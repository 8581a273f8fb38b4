"""The bundled examples hold, and each of them says something: no number in it could be another."""

import dataclasses
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from spadesim.core.rules import PRESETS
from spadesim.rulebook import (
    BadExamples,
    Example,
    check_examples,
    parse_examples,
    read_examples,
    read_situations,
)
from spadesim.rulebook.examples import BUNDLED
from spadesim.rulebook.kinds import KINDS

pytestmark = pytest.mark.compiled_only

EXAMPLES = read_examples()
SUPPORTED = [example for example in EXAMPLES if not example.later]


def test_they_hold() -> None:
    report = check_examples(EXAMPLES)
    assert report.complaints == []
    assert report.count("passed") == len(SUPPORTED) > 190
    assert report.count("unsupported") == len(EXAMPLES) - len(SUPPORTED)


def test_every_kind_and_preset_has_some() -> None:
    assert {example.kind for example in [*EXAMPLES, *read_situations()]} == set(KINDS)
    assert {example.preset for example in SUPPORTED} == set(PRESETS)


def test_every_example_has_a_source() -> None:
    assert [example.id for example in EXAMPLES if not example.source] == []


QUESTIONS = {"keep", "blind", "exchange", "bid"}


def others(name: str, value: Any, found: Any) -> Iterator[Any]:
    """Yield values that an expectation of another name or value would have, each wrong."""
    if name in ("bid_in", "card_in"):
        yield [choice + 1 for choice in value]
    elif name == "bid_not":
        yield [found]
    elif isinstance(value, str):
        yield from {"win": ["lose"], "lose": ["win"]}.get(value, QUESTIONS - {value})
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield [*value[:place], member + 1, *value[place + 1 :]]
        yield value[:-1]
    elif value is None:
        yield 0
    else:
        yield not value if isinstance(value, bool) else value + 1


def holds(example: Example) -> bool:
    try:
        return check_examples([example]).passed
    except BadExamples:  # what is expected now is not even legal
        return False


@pytest.mark.slow
@pytest.mark.parametrize("example", SUPPORTED, ids=lambda example: example.id)
def test_with_anything_else_expected_it_does_not_hold(example: Example) -> None:
    assert holds(example)
    for name, value in example.expect.items():
        found = 1 if name == "bid_not" else None
        for other in others(name, value, found):
            wrong = dataclasses.replace(example, expect=example.expect | {name: other})
            assert not holds(wrong), (name, other)


WORDS = [
    *("null", "-1", "99", "[]", "{}", "true", "AS", "2C", "BN", "BJ", "x", "0", "13", '"5"', "&a", "*a"),
    *("!!int", "~", "1e3", "[AS, AS]", "hard", "{leader: 0, cards: [2C]}"),
]
MARKS = ["", ",", ":", "[", "}", "\n", "\t", '"', " #"]


def damaged(text: str, source: random.Random) -> str:
    """Return a text with a word or a mark or two put in another's place."""
    for _ in range(source.randint(1, 3)):
        found = list(re.finditer(r"[\w-]+|\[[^\[\]]*\]", text))
        if source.random() < 0.6 and found:
            start, end = source.choice(found).span()
            text = text[:start] + source.choice([*WORDS, source.choice(found)[0]]) + text[end:]
        else:
            place = source.randrange(len(text))
            text = text[:place] + source.choice(MARKS) + text[place + source.randint(0, 2) :]
    return text


def test_of_a_damaged_file_come_mistakes_and_nothing_worse() -> None:
    texts = re.split(r"\n(?=- )", BUNDLED.read_text(encoding="utf-8"))[1:]
    source, mistakes = random.Random(5), list[str]()
    for _ in range(1500):
        try:
            check_examples(parse_examples(damaged(source.choice(texts), source), "damaged"), "damaged")
        except BadExamples as error:
            mistakes += error.mistakes
    assert len(mistakes) > 500
    assert all(re.match(r"damaged:\d+: ", line) for line in mistakes)
