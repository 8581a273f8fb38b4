"""How a search for a strength looks on a terminal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from spadesim.analysis.numbers import percent
from spadesim.cli.render import print_parts
from spadesim.core.rules import Rules
from spadesim.match.spec import rooms_of
from spadesim.tuning.calibrated import WITHIN, share

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from spadesim.tuning.calibrated import CalibrateResult

WORDS = {"within": "yes", "not_shown": "not shown", "missed": "no", "partial": "partial"}


def print_calibration(console: Console, result: CalibrateResult) -> None:
    """Print what a search found, the verdict first."""
    style = "bold green" if result.is_within and not result.partial else "bold yellow"
    console.print(Text(result.verdict, style=style), soft_wrap=not console.is_terminal)
    console.print()
    parts: list[RenderableType] = []
    if result.ladder:
        parts += [_rungs(result), ""]
    parts += [_searched(result), "", Text(_length(result), style="dim")]
    print_parts(console, parts)
    duel = shlex.join(["spadesim", "duel", result.calibrated, result.vs, "--rules", result.rules])
    console.print(Text.assemble((f"{'play it':13}", "dim"), duel), soft_wrap=True)
    console.print(Text.assemble((f"{'again':13}", "dim"), result.command), soft_wrap=True)


def _rungs(result: CalibrateResult) -> Table:
    """The settings found, with what they won in fresh games."""
    table = _table(result.parameter, "wanted", "won in fresh games", "95 % interval", "within")
    for rung in result.ladder:
        cell = percent(rung.rate)
        color = "" if rung.outcome == WITHIN else "yellow"
        table.add_row(
            rung.value, share(round(rung.wanted, 3)), cell.value, cell.note, Text(WORDS[rung.outcome], color)
        )
    return table


def _searched(result: CalibrateResult) -> Table:
    """The curve that the search measured."""
    units = "pairs" if rooms_of(Rules.parse(result.rules)) == 2 else "sets"
    table = _table(result.parameter, "won in the search", "95 % interval", units)
    for point in result.curve:
        cell = percent(point.rate)
        table.add_row(point.value, cell.value, cell.note, f"{point.units:,}", style="dim")
    return table


def _table(*heads: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, justify="right" if head != "within" else "left")
    return table


def _length(result: CalibrateResult) -> str:
    fresh = sum(rung.games for rung in result.ladder)
    return (
        f"{result.games_searched:,} games searched, {fresh:,} fresh ones; {result.seconds:.1f} s, "
        f"rules {result.rules}, seed {result.seed}."
    )
