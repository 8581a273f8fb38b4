"""Questions and answers as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from spadesim.analysis import tables
from spadesim.analysis.numbers import number, percent
from spadesim.cli.answers import HOMES, print_all
from spadesim.cli.render import GAP, cell, print_duel, print_parts
from spadesim.questions.kinds import verdicts

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from spadesim.match.result import DuelResult
    from spadesim.questions import Experiment, ExperimentResult

LADDER_WIDTH = 24


def print_experiment(console: Console, result: ExperimentResult) -> None:
    """Print a question, what was expected, everything that was measured, and the answer last.

    Every part begins with its verdict; where these are the whole answer, it is not said again.
    """
    asked = result.experiment
    head: list[RenderableType] = [Text(f"{asked.title}: {asked.values['question']}", style="bold"), ""]
    if expected := asked.values["expected"].strip():
        head += [Text("Expected: " + " ".join(expected.split()), style="dim"), ""]
    if asked.values["kind"] == "ladder":
        is_yes = result.answer.startswith("Yes")
        answer = Text(result.answer, "bold green" if is_yes else "bold yellow")
        print_parts(console, [*head, *_ladders(asked, result.results, console.width), "", answer])
        return
    print_parts(console, head)
    for part, found in zip(asked.parts, result.results, strict=False):
        if len(asked.parts) > 1:
            console.print(Text(f"Under {part.rules}", style="bold underline"))
        print_part(console, asked.values["kind"], found)
        console.print()
    if result.partial or result.answer != verdicts(asked.parts, result.results):
        console.print(Text(f"Answer: {result.answer}", style="bold"), soft_wrap=not console.is_terminal)


def print_part(console: Console, kind: str, result: Any) -> None:
    """Print one result as the command of its kind does."""
    if kind in HOMES:
        print_all(console, kind, result)
    else:
        print_duel(console, result)


def _ladders(asked: Experiment, results: Sequence[DuelResult], width: int) -> list[RenderableType]:
    """A table for each of the rules."""
    parts: list[RenderableType] = []
    for rules in dict.fromkeys(part.rules for part in asked.parts):
        duels = [duel for duel in results if duel.spec.rules == rules]
        parts += [_ladder(str(rules), duels, width), ""]
    games = " or ".join(f"{n:,}" for n in dict.fromkeys(part.spec.games for part in asked.parts))
    length = f"{games} games a duel, seed {asked.values['seed']}. {tables.INTERVALS}"
    return [*parts, Text(length, style="dim")]


def _ladder(rules: str, duels: Sequence[DuelResult], width: int) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(rules, min_width=LADDER_WIDTH, overflow="fold")
    table.add_column("games won")
    table.add_column("points per hand")
    room = (width - LADDER_WIDTH - 2 * GAP) // 2
    for duel in duels:
        a, b = tables.labels(duel)
        rate, points = percent(duel.win_rate_a), number(duel.points_per_hand, 1, signed=True)
        partial = " (partial)" if duel.partial else ""
        table.add_row(f"{a} over {b}{partial}", cell(rate, 6, room), cell(points, 6, room))
    return table
