"""How results look on a terminal, 80 columns wide; the same without colours, and in a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from spadesim.analysis import tables
from spadesim.analysis.facts import Fact
from spadesim.analysis.numbers import Cell
from spadesim.cli.terminal import USUAL_WIDTH, WIDTH
from spadesim.core.rules import DEFAULT_PRESET
from spadesim.match.result import DuelResult
from spadesim.match.spec import in_words
from spadesim.strategy.check import CheckReport
from spadesim.strategy.parameters import Parameter

if TYPE_CHECKING:
    from spadesim.bench import CompileTime, Versus
    from spadesim.core.rules import Rules
    from spadesim.selftest.checks import Outcome

SIDE_WIDTH = 25  # twice, beside the longest label: the usual width
GAP = 2  # columns between those of a table
SIDE_STYLES = ("cyan", "magenta")


def print_duel(console: Console, result: DuelResult) -> None:
    """Print all that a duel measured, the verdict first."""
    is_clear = not result.partial and result.better is not None
    verdict = Text(result.verdict, style="bold green" if is_clear else "bold yellow")
    parts: list[RenderableType] = [
        facts_table(tables.facts(result)),
        _sides(result, console.width),
        Text(tables.INTERVALS, style="dim"),
        "",
        _seats(result),
        Text("\n".join([*tables.seat_sentences(result), *tables.notes(result)])),
        "",
        _provenance(result),
    ]
    # Nothing but a terminal needs lines broken; elsewhere a sentence on one line can be searched for.
    console.print(verdict, soft_wrap=not console.is_terminal)
    console.print()
    print_parts(console, parts)
    # A command is there to be copied: no line breaks.
    console.print(Text.assemble((f"{'again':13}", "dim"), result.command), soft_wrap=True)


def print_parts(console: Console, parts: Sequence[RenderableType]) -> None:
    """Print one part after the other, without blanks at the ends of lines where they could be seen."""
    if console.is_terminal:
        console.print(Group(*parts))
        return
    with console.capture() as capture:
        console.print(Group(*parts))
    for line in capture.get().splitlines():
        console.out(line.rstrip())


def facts_table(found: Sequence[Fact]) -> Table:
    """Labels, values with their intervals, and what they mean, a line each."""
    width = _width([fact.cell for fact in found])
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(no_wrap=True)
    table.add_column(min_width=12)
    for fact in found:
        table.add_row(fact.label, cell(fact.cell, width), Text(fact.meaning, style="dim"))
    table.add_row()
    return table


def _sides(result: DuelResult, width: int) -> Table:
    rows = tables.side_rows(result)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("", no_wrap=True)
    for label, style in zip(tables.labels(result), SIDE_STYLES, strict=True):
        head, least = Text(label, style=f"bold {style}"), SIDE_WIDTH if width >= USUAL_WIDTH else None
        table.add_column(head, min_width=least)
    widths = _width([row.a for row in rows]), _width([row.b for row in rows])
    room = (width - max(len(row.label) for row in rows) - 2 * GAP) // 2
    for row in rows:
        if row.starts_group:
            table.add_row()
        table.add_row(row.label, cell(row.a, widths[0], room), cell(row.b, widths[1], room))
    return table


def _seats(result: DuelResult) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("Is the table fair?", header_style="bold", no_wrap=True)
    for seat in range(result.spec.rules.players):
        table.add_column(f"seat {seat}", justify="right", header_style="none")
    for label, values in tables.seat_rows(result):
        table.add_row(label, *values)
    return table


def _provenance(result: DuelResult) -> Table:
    pairs = [("played", tables.played(result)), *tables.provenance(result)]
    return _pairs(pairs)


def _pairs(pairs: Sequence[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", min_width=11)
    table.add_column(overflow="fold")
    for label, value in pairs:
        table.add_row(label, Text(value))
    return table


def _width(cells: Sequence[Cell]) -> int:
    return max(len(cell.value) for cell in cells)


def cell(cell: Cell, width: int, room: int = WIDTH) -> Text:
    """A value, right-justified, and its note as far as there is room: whole, short, or left out."""
    notes = (cell.note, cell.note.replace(" to ", "–").partition(" of ")[0])
    note = next((note for note in notes if note and width + GAP + len(note) <= room), "")
    # A value and its range stay on one line.
    return Text.assemble(
        (f"{cell.value:>{width}}", ""),
        (f"  {note}" if note else "", "dim"),
        no_wrap=True,
        overflow="ellipsis",
    )


def print_strategies(
    console: Console, found: Sequence[dict[str, Any]], wrappers: Iterable[Parameter]
) -> None:
    """Print the list of strategies, a line each, and what can be laid around any of them."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("bot", style=SIDE_STYLES[0], no_wrap=True)
    table.add_column("what it is")
    table.add_column("parameters", justify="right")
    table.add_column("tables", no_wrap=True)
    table.add_column("from", overflow="fold")
    for bot in found:
        n = "broken" if bot["parameters"] is None else str(bot["parameters"])
        tables_played = (bot["tables"] or "").split(",")[0]
        table.add_row(bot["name"], bot["summary"], n, tables_played, bot["package"])
    weak = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for head in ("weakness", "values", "what it is"):
        weak.add_column(head, no_wrap=head != "what it is")
    for wrapper in wrappers:
        weak.add_row(f"~{wrapper.name}", f"{wrapper.low} to {wrapper.high}", wrapper.meaning)
    print_parts(console, [table, "", weak, "", "Any bot can have them: hard~blunder=0.1~forget=0.2"])


def print_strategy(console: Console, facts: dict[str, Any]) -> None:
    """Print what a strategy says of itself, its parameters, and where it is."""
    sections = [(name.lower(), text) for name, text in facts["dossier"].items() if text]
    places = [("file", facts["file"]), ("digest", facts["digest"])]
    if bidder := facts["bidder"]:
        places[1:1] = [("bids by", f"{bidder['name']}, {bidder['file']}")]
    if facts["commit"]:
        places.append(("commit", facts["commit"]))
    places.append(("tables", facts["tables"]))
    title = Text.assemble((facts["name"], f"bold {SIDE_STYLES[0]}"), "  ", facts["summary"])
    parts: list[RenderableType] = [title, ""]
    if sections:
        parts += [_pairs(sections), ""]
    print_parts(console, [*parts, _parameters(facts["parameters"]), "", _pairs(places)])


def _parameters(parameters: Sequence[dict[str, Any]]) -> RenderableType:
    if not parameters:
        return "It has no parameters."
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("parameter", no_wrap=True)
    table.add_column("value", justify="right")
    table.add_column("allowed")
    table.add_column("for")
    table.add_column("meaning")
    for entry in parameters:
        changed = entry["value"] != entry["default"]
        value = Text(entry["value"], style="bold yellow" if changed else "")
        allowed = ", ".join(entry["choices"]) if entry["choices"] else f"{entry['low']} to {entry['high']}"
        table.add_row(entry["name"], value, allowed, entry["used_by"], entry["meaning"])
    return table


def print_check(console: Console, report: CheckReport) -> None:
    """Print how a strategy met every demand, and what that comes to."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    for check in report.checks:
        mark, style = ("ok", "green")
        if check.problem:
            mark, style = ("advice", "yellow") if check.is_advice else ("FAILED", "bold red")
        what = Text.assemble(check.name, (f"  {check.n:,} decisions", "dim"))
        if check.problem:
            what.append(f"\n{check.problem}")
        table.add_row(Text(mark, style=style), what)
    name = report.strategy.name
    end = Text(f"{name} keeps the contract.", "bold green")
    if not report.passed:
        end = Text(f"{name} breaks the contract, and cannot play.", "bold red")
    print_parts(console, [table, ""])
    for command in dict.fromkeys(check.command for check in report.checks if check.command):
        # A command is there to be copied: no line breaks.
        console.print(Text.assemble(("to see it  ", "dim"), command, "\n"), soft_wrap=True)
    console.print(end)


def print_outcome(console: Console, outcome: Outcome) -> None:
    """Print what came of one check of the selftest, on a line of its own."""
    mark = Text("ok    ", "green") if outcome.passed else Text("FAILED", "bold red")
    seconds = Text(f"  {outcome.seconds:.1f} s", "dim")
    console.print(Text.assemble(mark, f"  {outcome.name}: {outcome.detail}", seconds), soft_wrap=True)


def print_bench(console: Console, found: dict[str, Any], rules: Rules) -> None:
    """Print the speed of the bots, and what it compares with.

    Parameters
    ----------
    console : Console
    found : dict
        Lists of what `spadesim.bench` returns: `strategies`, `decisions`, `compile`, `versus`; and
        `call_price`, in nanoseconds.
    rules : Rules
        What was played.
    """
    parts: list[RenderableType] = [_speeds(found, in_words(rules.players)), ""]
    if str(rules) != DEFAULT_PRESET:
        parts.insert(0, f"Rules {rules}.")
    if found["compile"]:
        parts += [_compile_times(found["compile"]), ""]
    parts += [_versus(found["versus"]), ""]
    parts.append(f"Calling a bot costs {found['call_price']:.1f} ns more than having it compiled in.")
    print_parts(console, parts)


def _speeds(found: dict[str, Any], players: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(f"{players} of", no_wrap=True)
    table.add_column("hands/s, one core", justify="right")
    table.add_column("slowest to fastest", style="dim", no_wrap=True)
    times = {time.strategy: time for time in found["decisions"]}
    if times:
        table.add_column("ns a bid", justify="right")
        table.add_column("ns a play", justify="right")
    for speed in found["strategies"]:
        row = [speed.strategy, f"{speed.hands_per_second:,.0f}", f"{speed.low:,.0f} to {speed.high:,.0f}"]
        if times:
            time = times[speed.strategy]
            row += [f"{time.bid:.0f}", f"{time.play:.0f}"]
        table.add_row(*row)
    return table


def _compile_times(times: Sequence[CompileTime]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("seconds until it plays", no_wrap=True)
    table.add_column("nothing compiled", justify="right")
    table.add_column("compiled before", justify="right")
    for time in times:
        table.add_row(time.what, f"{time.cold:.1f}", f"{time.warm:.2f}")
    return table


def _versus(comparisons: Sequence[Versus]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("compared with")
    table.add_column("here", justify="right")
    table.add_column("there", justify="right")
    table.add_column("ratio", justify="right")
    for entry in comparisons:
        table.add_row(entry.other, f"{entry.ours:,.0f}", f"{entry.theirs:,.0f}", f"×{entry.ratio:.3g}")
    return table
