"""The bundled worked examples of the rules, one by one, each with its source in the file."""

import pytest

from spadesim.rulebook import Example, check_examples, read_examples
from spadesim.rulebook.answers import ANSWERS
from spadesim.rulebook.report import ENGINE_ANSWERS

EXAMPLES = [each for each in read_examples() if each.kind in ENGINE_ANSWERS and not each.later]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_worked_example(example: Example) -> None:
    assert check_examples([example]).complaints == []


@pytest.mark.parametrize(
    "example", [each for each in EXAMPLES if each.kind == "scoring"], ids=lambda example: example.id
)
def test_a_part_of_a_score_that_is_not_named_is_nothing(example: Example) -> None:
    for answer in ANSWERS["scoring"](example):
        named = set(example.expect) | ({"is_set"} if example.expect["contract"] <= 0 else set())
        assert not any(value for name, value in answer.found.items() if name not in named | {"is_boston"})
