"""What reports/README.md says of pages: every one is in its table, and its examples are pages."""

import re
from pathlib import Path

import pytest

from spadesim.analysis.compose import Wanted, compose
from spadesim.analysis.inputs import read_inputs
from spadesim.analysis.pages import bundled, load_page
from spadesim.match.duel import Keep, play_duel
from spadesim.match.spec import make_spec

pytestmark = pytest.mark.compiled_only

TEXT = (Path(__file__).parents[2] / "reports" / "README.md").read_text(encoding="utf-8")


def test_every_page_is_in_the_table() -> None:
    assert set(bundled()) <= set(re.findall(r"^\| `(\w+)\.py` \|", TEXT, re.MULTILINE))


@pytest.mark.parametrize("name", bundled())
def test_a_bundled_page_says_what_it_is(name: str) -> None:
    page = load_page(name)
    assert page.question.endswith("?")
    assert 0 < page.order < 1000


@pytest.mark.parametrize("number", [0, 1])
def test_an_example_is_a_page(tmp_path: Path, number: int) -> None:
    if number:
        pytest.importorskip("spadesim.analysis.rates")
    page = tmp_path / "example.py"
    page.write_text(re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)[number])
    play_duel(make_spec("easy:easy_zero=nil", "lowest_card", games=4), keep=Keep(tmp_path / "run"))
    document = compose(read_inputs([tmp_path / "run"]), Wanted((str(page),)))
    assert document.faults == []
    (part,) = document.chapters[0].parts
    assert len(part.tables[0].rows) == (8 if number else 2)
