"""The bundled worked examples of what bots bid and play, one by one, each with its source in the file."""

import pytest

from spadesim.rulebook import Example, check_examples, read_examples
from spadesim.rulebook.bots import BOT_ANSWERS

EXAMPLES = [each for each in read_examples() if each.kind in BOT_ANSWERS and not each.later]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_worked_example(example: Example) -> None:
    assert check_examples([example]).complaints == []
