"""The bundled worked examples of what bots bid and play, and the situations, one by one.

Each says in its file where it comes from, or why its answer is right. In a situation bots that have the skill
do what is right, and the others do what the file says.
"""

import pytest

from spadesim.core._jit import COMPILED
from spadesim.rulebook import Example, check_examples, read_examples, read_situations, standing
from spadesim.rulebook.bots import BOT_ANSWERS

EXAMPLES = [
    each for each in [*read_examples(), *read_situations()] if each.kind in BOT_ANSWERS and not each.later
]


@pytest.fixture(autouse=True)
def _few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the compiler a few deals of what an example leaves open go through the same lines."""
    if not COMPILED:
        monkeypatch.setattr(standing, "N_DEALS", 3)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_worked_example(example: Example) -> None:
    assert check_examples([example]).complaints == []
