"""How it looks on a terminal where two bots part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from spadesim.analysis.diff import WORTH_SAYS, at_text, case_block, cases_head, chose_text
from spadesim.analysis.numbers import NOTHING, decimals, signed
from spadesim.cli.paint import print_block
from spadesim.cli.render import print_parts
from spadesim.match.diff_result import FAULT, LUCK, Case, DiffResult, Worth
from spadesim.notation import SEATS
from spadesim.stats.intervals import Estimate

GAP = 2  # columns between those of a table

VERDICT_STYLES = {FAULT: "bold red", LUCK: "green"}
KINDS_SAY = (
    "A board's kind is that of the first decision on which the bots differ. A board: of all boards, as in a "
    "duel; the kinds add up. A case: A's choice against B's, where it happens."
)


def print_result(console: Console, result: DiffResult, n_drawn: int) -> None:
    """Print the sentence, the kinds, the costliest cases, and some of these in full.

    Parameters
    ----------
    console : Console
    result : DiffResult
    n_drawn : int
        How many cases to draw.
    """
    console.print(Text(result.verdict, style="bold"), soft_wrap=not console.is_terminal)
    console.print()
    parts: list[RenderableType] = [_kinds(result, console.width), Text(KINDS_SAY, style="dim"), ""]
    if result.cases:
        parts += [Text(cases_head(result), style="bold"), _cases(result, console.width)]
        parts += [Text(WORTH_SAYS, style="dim")] if any(case.worth for case in result.cases) else []
        parts += [""]
    print_parts(console, parts)
    for case in result.cases:
        console.print(Text(case.command, style="dim"), soft_wrap=True)
    if result.cases:
        console.print()
    for k in range(min(n_drawn, len(result.cases))):
        print_block(console, case_block(result, k, console.width))
        console.print()
    played = f"{result.boards:,} boards"
    if result.where is not None:
        played += f", of which {result.counted:,} fit {result.where}"
    console.print(Text.assemble((f"{'played':13}", "dim"), played), soft_wrap=True)
    console.print(Text.assemble((f"{'again':13}", "dim"), result.command), soft_wrap=True)


@dataclass(frozen=True)
class _Column:
    """A column: its head, its cells, and whether they stand on the left."""

    head: str
    cells: list[str]
    is_left: bool = False
    style: str = ""

    @property
    def width(self) -> int:
        return max(map(len, (self.head, *self.cells)))


def _fitted(columns: dict[str, _Column], width: int, droppable: Sequence[str], last: str = "") -> Table:
    """A table of the columns that there is room for.

    Parameters
    ----------
    columns : dict of str to _Column
        By name.
    width : int
    droppable : sequence of str
        Names of columns to do without, the first one first.
    last : str
        The style of the last row.
    """
    dropped: list[str] = []
    for name in droppable:
        kept = [column.width for other, column in columns.items() if other not in dropped]
        if sum(kept) + GAP * (len(kept) - 1) > width:
            dropped.append(name)
    shown = [column for name, column in columns.items() if name not in dropped]
    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
    for column in shown:
        table.add_column(column.head, justify="left" if column.is_left else "right", no_wrap=True)
    n = len(shown[0].cells)
    for k in range(n):
        cells = [Text(column.cells[k], VERDICT_STYLES.get(column.cells[k], column.style)) for column in shown]
        table.add_row(*cells, style=last if k == n - 1 else "")
    return table


def _kinds(result: DiffResult, width: int) -> Table:
    total, parts = result.total, [*result.kinds, result.total]
    points = [_shown(part.points_per_board, total.points_per_board, 1) for part in parts]
    columns = {
        "kind": _Column("part at", [part.kind for part in parts], is_left=True),
        "boards": _Column("boards", [f"{part.boards:,}" for part in parts]),
        "share": _Column("share", [f"{100 * part.share:.1f} %" for part in parts]),
    }
    if result.has_chances:
        chances = [_shown(part.win_chance_per_board, total.win_chance_per_board, 100) for part in parts]
        columns |= {
            "chance": _Column("% a board", [mean for mean, _ in chances]),
            "range": _Column("", [ends for _, ends in chances], style="dim"),
            "points": _Column("points", [mean for mean, _ in points]),
            "case": _Column("% a case", [_case(part.win_chance_per_case, 100, 2) for part in parts]),
        }
    else:
        columns |= {
            "points": _Column("points a board", [mean for mean, _ in points]),
            "range": _Column("", [ends for _, ends in points], style="dim"),
        }
    head = "points" if result.has_chances else "a case"
    columns["points case"] = _Column(head, [_case(part.points_per_case, 1, 1) for part in parts])
    return _fitted(columns, width, ("range", "share", "points case", "case"), "bold")


def _case(value: float | None, scale: float, places: int) -> str:
    return NOTHING if value is None else signed(scale * value, places)


def _shown(found: Estimate | None, total: Estimate | None, scale: float) -> tuple[str, str]:
    """A value and its range, in the decimals that the total can bear."""
    if found is None or total is None:
        return NOTHING, ""
    places, shown = decimals(total.scaled(scale), 2), found.scaled(scale)
    ends = f"{signed(shown.low, places)} to {signed(shown.high, places)}"
    return signed(shown.mean, places), ends if shown.low < shown.high else ""


def _cases(result: DiffResult, width: int) -> Table:
    cases, unit = result.cases, "%" if result.has_chances else "points"
    columns = {
        "board": _Column("board", [str(case.board) for case in cases]),
        "kind": _Column("kind", [case.kind for case in cases], is_left=True),
        "seat": _Column("seat", [SEATS[case.seat] for case in cases], is_left=True),
        "at": _Column("at", [at_text(case.step_a) for case in cases], is_left=True),
        "a": _Column("A", [chose_text(case.step_a) for case in cases], is_left=True),
        "b": _Column("B", [chose_text(case.step_b) for case in cases], is_left=True),
        "cost": _Column(f"cost, {unit}", [_cost(case) for case in cases]),
    }
    worths = [case.worth for case in cases]
    if any(worths):
        columns["worth"] = _Column("on average", [_worth(worth) for worth in worths])
        counted = [f"{worth.accepted:,} of {worth.tried:,}" if worth else "" for worth in worths]
        columns["counted"] = _Column("re-deals", counted, style="dim")
        columns["verdict"] = _Column("", [worth.verdict if worth else "" for worth in worths], is_left=True)
    return _fitted(columns, width, ("counted", "worth", "kind", "seat", "at"))


def _cost(case: Case) -> str:
    return signed(case.points, 1) if case.win_chance is None else signed(100 * case.win_chance, 1)


def _worth(worth: Worth | None) -> str:
    """The mean of the re-deals, and how far the truth may lie from it."""
    if worth is None:
        return NOTHING
    found = worth.win_chance.scaled(100) if worth.win_chance else worth.points
    if found is None:
        return "too few"
    return f"{signed(found.mean, 1)} ±{max(found.mean - found.low, found.high - found.mean):.1f}"
