"""How a tuning looks on a terminal."""

from __future__ import annotations

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from spadesim.cli.render import print_parts
from spadesim.strategy.parameters import number_text
from spadesim.tuning.tune_result import TuneResult

ENDED = {
    "budget": "",
    "all": "; all that there is was tried, and the boards left validate",
    "repeats": "; it had nothing new to ask, and the boards left validate",
    "trials": "; more are never tried, and the boards left validate",
}


def print_tuning(console: Console, result: TuneResult) -> None:
    """Print what a tuning found, the verdict first."""
    verdict = Text(result.verdict, style="bold green" if result.is_gain else "bold yellow")
    console.print(verdict, soft_wrap=not console.is_terminal)
    console.print()
    parts: list[RenderableType] = [_parameters(result)]
    if notes := sentences(result):
        parts += ["", Text("\n".join(notes))]
    print_parts(console, [*parts, "", _provenance(result)])
    console.print(Text.assemble((f"{'again':13}", "dim"), result.command), soft_wrap=True)
    if result.validation is not None:
        console.print(Text.assemble((f"{'check':13}", "dim"), result.validation.command), soft_wrap=True)


def _parameters(result: TuneResult) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("parameter")
    for heading in ("given", "found", "searched", "costs"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in result.parameters:
        searched = (
            "choice"
            if one.low is None or one.high is None
            else f"{number_text(one.low)} to {number_text(one.high)}"
        )
        costs = "–" if one.costs is None else result.scale.bare(one.costs)
        known = one.found if result.found is not None else "–"
        found = Text(known, style="bold" if one.found != one.given else "dim")
        table.add_row(one.name, one.given, found, Text(searched, style="dim"), costs)
    return table


def sentences(result: TuneResult) -> list[str]:
    """What there is to say besides the verdict."""
    found = []
    moved = [one for one in result.parameters if result.is_gain and one.found != one.given]
    if edges := [f"{one.name} ({one.edge} end)" for one in moved if one.edge in ("low", "high")]:
        found.append(
            f"At the edge of what was searched: {', '.join(edges)}. A wider range may hold better values."
        )
    if limits := [one.name for one in moved if one.edge in ("lowest", "highest")]:
        found.append(f"As far as the bot's own range goes: {', '.join(limits)}.")
    if result.validation is not None and result.promised is not None and result.found is not None:
        promised = result.scale.text(result.promised)
        found.append(f"The search had promised {promised}, on the boards that chose these settings.")
    if any(one.costs is not None for one in result.parameters):
        found.append(
            "costs: how far the best trial with a value in the worst part (a quarter, or a word of a choice) "
            f"of what was searched stayed behind the best of all, in {result.scale.words}."
        )
    return found


def _provenance(result: TuneResult) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", min_width=11)
    table.add_column()
    kind = "steps" if result.sampler == "spsa" else "trials"
    given_up = f", {result.given_up} of them given up early" if result.given_up else ""
    table.add_row("searched", f"{result.trials} {kind} by {result.sampler}{given_up}{ENDED[result.ended]}")
    speed = f", {result.hands / result.seconds:,.0f}/s" if result.seconds else ""
    table.add_row(
        "played", f"{result.boards:,} boards, {result.hands:,} hands in {result.seconds:.1f} s{speed}"
    )
    table.add_row("rules", result.rules)
    table.add_row("against", result.vs)
    table.add_row("deals", f"seed {result.seed}, {result.rng}")
    made = f"spadesim {result.version}"
    if result.validation is not None:
        made += f", fingerprint {result.validation.fingerprint} of the boards that validate"
    table.add_row("made by", made)
    if result.study is not None:
        table.add_row("kept in", result.study)
    return table
