"""How it looks on a terminal where two bots part."""

from __future__ import annotations

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from spadesim.analysis.diff import at_text, case_block, chose_text
from spadesim.analysis.numbers import NOTHING, decimals, signed
from spadesim.cli.paint import print_block
from spadesim.cli.render import print_parts
from spadesim.match.diff_result import FAULT, LUCK, Case, DiffResult, Part, Worth
from spadesim.notation import SEATS
from spadesim.stats.intervals import Estimate

FULL, NARROW = 80, 68  # columns of a window, for all of the tables and for most of them

VERDICT_STYLES = {FAULT: "bold red", LUCK: "green"}
KINDS_SAY = (
    "A board's kind is that of the first decision on which the bots differ. A board: of all boards, as in a "
    "duel; the kinds add up. A case: A's choice against B's, where it happens."
)
WORTH_SAYS = (
    "On average: on re-deals of what the seat could not see that agree with the bids so far, each choice "
    "played on by the same bots; 95 % ranges, each for itself."
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
        parts += [Text(_cases_head(result), style="bold"), _cases(result, console.width)]
        parts += [Text(WORTH_SAYS, style="dim")] if result.redeals else []
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


def _new_table() -> Table:
    return Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")


def _kinds(result: DiffResult, width: int) -> Table:
    columns = _columns(result, width)
    table = _new_table()
    table.add_column("part at", no_wrap=True)
    for head in columns.values():
        table.add_column(head, justify="right", no_wrap=True)
    for part in (*result.kinds, result.total):
        cells = _cells(result, part)
        style = "bold" if part is result.total else ""
        table.add_row(part.kind, *(cells[name] for name in columns), style=style)
    return table


def _columns(result: DiffResult, width: int) -> dict[str, str]:
    """The columns that there is room for, by name, with their heads."""
    heads = {"boards": "boards", "share": "share"}
    if result.has_chances:
        heads |= {"chance": "% a board", "range": "", "points": "points", "chance case": "% a case"}
    else:
        heads |= {"points": "points a board", "range": ""}
    heads["points case"] = "points" if result.has_chances else "a case"
    left_out = {"range"} if width < FULL else set()
    left_out |= {"share", "points case"} if width < NARROW else set()
    return {name: head for name, head in heads.items() if name not in left_out}


def _cells(result: DiffResult, part: Part) -> dict[str, str]:
    """A kind's values by column, in the decimals that the total can bear."""
    cells = {"boards": f"{part.boards:,}", "share": f"{100 * part.share:.1f} %"}
    in_chance, in_points = part.win_chance_per_case, part.points_per_case
    cells["points case"] = NOTHING if in_points is None else signed(in_points, 1)
    cells["chance case"] = NOTHING if in_chance is None else signed(100 * in_chance, 2)
    cells["points"], cells["range"] = _shown(part.points_per_board, result.total.points_per_board)
    if result.has_chances:
        total = result.total.win_chance_per_board
        cells["chance"], cells["range"] = _shown(
            part.win_chance_per_board and part.win_chance_per_board.scaled(100), total and total.scaled(100)
        )
    return cells


def _shown(found: Estimate | None, total: Estimate | None) -> tuple[str, str]:
    """A value and its range."""
    if found is None or total is None:
        return NOTHING, ""
    places = decimals(total, 2)
    ends = f"{signed(found.low, places)} to {signed(found.high, places)}"
    return signed(found.mean, places), ends if found.low < found.high else ""


def _cases_head(result: DiffResult) -> str:
    n = len(result.cases)
    what = f"The {n} boards that" if n > 1 else "The board that"
    return f"{what} cost {result.names[0]} the most"


def _cases(result: DiffResult, width: int) -> Table:
    table = _new_table()
    unit = "%" if result.has_chances else "points"
    table.add_column("board", justify="right", no_wrap=True)
    for head in ("kind", "seat", "at", "A", "B"):
        table.add_column(head, no_wrap=True)
    table.add_column(f"cost, {unit}" if width >= NARROW else "cost", justify="right", no_wrap=True)
    if result.redeals and width >= NARROW:
        table.add_column("on average", justify="right", no_wrap=True)
    if result.redeals:
        table.add_column("", no_wrap=True)
    for case in result.cases:
        step = case.step_a
        row: list[str | Text] = [str(case.board), case.kind, SEATS[case.seat], at_text(step)]
        row += [chose_text(step), chose_text(case.step_b), _cost(case)]
        if case.worth and width >= NARROW:
            row.append(_worth(case.worth))
        if case.worth:
            row.append(Text(case.worth.verdict, style=VERDICT_STYLES.get(case.worth.verdict, "dim")))
        table.add_row(*row)
    return table


def _cost(case: Case) -> str:
    return signed(case.points, 1) if case.win_chance is None else signed(100 * case.win_chance, 1)


def _worth(worth: Worth) -> str:
    """The mean of the re-deals, and how far the truth may lie from it."""
    found = worth.win_chance.scaled(100) if worth.win_chance else worth.points
    if found is None:
        return "too few"
    return f"{signed(found.mean, 1)} ±{max(found.mean - found.low, found.high - found.mean):.1f}"
