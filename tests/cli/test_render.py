"""Tables in windows of any width: a value and its range are never torn apart."""

import io

import pytest
from rich.console import Console

from spadesim.analysis import tables
from spadesim.cli.render import print_duel
from spadesim.match.duel import duel
from spadesim.match.result import DuelResult

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module")
def result() -> DuelResult:
    """A duel with many digits: nearly no double nils, and rates near 0."""
    return duel("easy", "hard", rules="draw500", games=6000)


@pytest.mark.parametrize("columns", [100, 80, 70, 60, 50])
def test_a_line_of_a_table_is_one_line(result: DuelResult, columns: int) -> None:
    out = io.StringIO()
    print_duel(Console(file=out, width=columns, force_terminal=True, color_system=None), result)
    lines = out.getvalue().splitlines()
    table = lines[next(k for k, line in enumerate(lines) if line.startswith("tricks bid per hand")) :]
    for row in tables.side_rows(result):
        line = next(line for line in table if line.startswith(row.label))
        for cell in (row.a, row.b):
            assert cell.value in line
            if columns >= 80 and " to " in cell.note:
                assert cell.note in line
    assert not [line for line in lines if line.strip() == "%"]
    again = next(k for k, line in enumerate(lines) if line.startswith("again"))
    assert all(len(line) <= columns for line in lines[:again])
