"""How rules and the check of worked examples look on a terminal."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from spadesim.cli.render import SIDE_STYLES, print_parts
from spadesim.core.options import to_word
from spadesim.rulebook import CheckReport, SkillReport
from spadesim.rulebook.differences import Difference
from spadesim.rulebook.prose import Passage
from spadesim.rulebook.report import FAILED
from spadesim.rulebook.skills import right_text

INDENT = (0, 0, 0, 2)


def print_presets(console: Console, rows: Sequence[tuple[str, str, list[str]]], later: Sequence[str]) -> None:
    """Print the presets, a line or two each, and those that are known only."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("rules", style=SIDE_STYLES[0], no_wrap=True)
    table.add_column("what they are")
    table.add_column("differ from pata in")
    for name, summary, changes in rows:
        table.add_row(name, summary, "\n".join(changes) or "nothing")
    note = Text(f"Known, but not supported yet: {', '.join(later)}.", style="dim")
    print_parts(console, [table, "", note])


def print_rules(console: Console, title: str, passages: Sequence[Passage]) -> None:
    """Print rules in words under their headings."""
    parts: list[RenderableType] = [Text(title, style=f"bold {SIDE_STYLES[0]}")]
    for heading, group in groupby(passages, key=lambda passage: passage.title):
        parts += ["", Text(heading, style="bold")]
        parts += [Padding(Text(passage.text), INDENT) for passage in group]
    print_parts(console, parts)


def print_differences(
    console: Console,
    names: tuple[str, str],
    values: Sequence[tuple[str, Any, Any]],
    found: Sequence[Difference],
) -> None:
    """Print the options that differ, and then what each of the two says about them."""
    if not values:
        print_parts(console, [f"{names[0]} and {names[1]} are the same rules."])
        return
    labels = names if names[0] != names[1] else ("the first", "the second")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("option", header_style="bold", no_wrap=True)
    for label, style in zip(labels, SIDE_STYLES, strict=True):
        table.add_column(Text(label, style=f"bold {style}"))
    for name, a, b in values:
        table.add_row(name, to_word(a), to_word(b))
    parts: list[RenderableType] = [table]
    for title, group in groupby(found, key=lambda difference: difference.title):
        parts += ["", Text(title, style="bold")]
        for difference in group:
            for label, style, text in zip(labels, SIDE_STYLES, (difference.a, difference.b), strict=True):
                words = Text.assemble((f"{label}: ", style), text or "nothing about it.")
                parts.append(Padding(words, INDENT))
    print_parts(console, parts)


def print_check(console: Console, report: CheckReport) -> None:
    """Print every mismatch, what is not supported yet, the counts by kind, and what it comes to."""
    for complaint in report.complaints:
        console.print(Text(complaint), soft_wrap=True)
    if report.complaints:
        console.print()
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(report.file, no_wrap=True)
    for outcome in ("passed", "failed", "unsupported"):
        table.add_column(outcome, justify="right")
    for kind, counts in report.counts.items():
        failed = Text(str(counts["failed"]), style="bold red" if counts["failed"] else "")
        table.add_row(kind, str(counts["passed"]), failed, str(counts["unsupported"]))
    parts: list[RenderableType] = [table, ""]
    if report.lacking:
        parts.append(Text("Not supported yet, and not tried:", style="bold"))
        for what, ids in report.lacking.items():
            parts.append(Padding(Text.assemble(f"{what}  ", (" ".join(ids), "dim")), INDENT))
        parts.append("")
    print_parts(console, parts)
    style = "bold green" if report.passed else "bold red"
    console.print(Text(str(report), style=style), soft_wrap=True)


def print_skills(console: Console, report: SkillReport) -> None:
    """Print which skills bots have, and every situation that they do not meet."""
    for example, row in report.replies:
        for bot, reply in row.items():
            if reply.outcome == FAILED:
                name = f" {example.name}:" if example.name else ""
                found = reply.trouble or f"{reply.found}, but right is {right_text(example)}"
                console.print(Text(f"{example.place()}:{name} {bot} {found}"), soft_wrap=True)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("skill")
    for bot in report.bots:
        table.add_column(Text(bot), justify="right", overflow="fold")
    for skill, counts in report.skills.items():
        table.add_row(Text(skill), *(_share(*counts[bot]) for bot in report.bots))
    table.add_row(Text("all", style="bold"), *(_share(*report.count(bot)) for bot in report.bots))
    print_parts(console, ["", table, ""])
    console.print(Text(str(report), style="bold green" if report.passed else "bold red"), soft_wrap=True)


def _share(met: int, n: int) -> Text:
    if n == 0:
        return Text("\N{EN DASH}", style="dim")
    return Text(f"{met} of {n}", style="green" if met == n else "red" if met == 0 else "")
