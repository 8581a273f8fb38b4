"""How gates, plans and tests of counted results look on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from spadesim.analysis.facts import Fact, decision_facts
from spadesim.analysis.numbers import number, rounded, seconds
from spadesim.cli.render import facts_table, print_duel, print_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console, RenderableType

    from spadesim.match.counted import Counted
    from spadesim.match.gate import Gate
    from spadesim.match.plan import Length, Plan
    from spadesim.stats.sequential import Expected

STYLES = {"not worse": "bold green", "worse": "bold red", "undecided": "bold yellow"}


def print_gate(console: Console, found: Gate) -> None:
    """Print a gate's answer, and the duel that it comes from."""
    why = ", as Ctrl-C ended it" if found.duel.partial else ""
    answer = f"{found.answer.capitalize()}{why} (exit code {found.exit_code})."
    console.print(Text(answer, style=STYLES[found.answer]))
    print_duel(console, found.duel)


def print_counted(console: Console, found: Counted) -> None:
    """Print what a test says of counted results, and how long it takes."""
    console.print(Text(found.verdict, style="bold"), soft_wrap=not console.is_terminal)
    console.print()
    spread = "likewise" if found.normalised_elo else "all ended alike, without a spread"
    facts = [
        Fact("Elo", number(found.elo, 1, signed=True), "for a length chosen beforehand"),
        Fact("normalised Elo", number(found.normalised_elo, 1, signed=True), spread),
        *decision_facts(found.decision),
    ]
    units = "games" if len(found.counts) == 3 else "pairs"
    scale = found.decision.scale
    rows = [(scale.bare(row.effect), row) for row in found.expected]
    length = f"How long such a test takes is not known: all {units} ended alike, without a spread."
    table = _expected(rows, f"true {scale.suffix}", units) if rows else length
    print_parts(console, [facts_table(facts), table])


def _expected(rows: Sequence[tuple[str, Expected]], truth: str, units: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(truth, justify="right")
    table.add_column("accepts the higher value", justify="right")
    table.add_column(f"{units} on average", justify="right")
    for label, row in rows:
        table.add_row(label, f"{100 * row.accepts_high:.1f} %", rounded(row.units))
    return table


def plan_sentence(found: Plan) -> str:
    """A plan in one sentence: what takes least, or why there is none."""
    if not found.lengths:
        return found.remark
    best = min(found.lengths, key=lambda length: length.hands)
    return (
        f"A difference of {100 * found.effect:g} % of games between {found.a} and {found.b} takes about "
        f"{rounded(best.units)} {best.what}, {seconds(best.seconds)}, to be seen {100 * found.power:g} times "
        f"in 100."
    )


def print_plan(console: Console, found: Plan) -> None:
    """Print how long a comparison takes, in units of every kind, of a fixed length and of a test."""
    console.print(Text(plan_sentence(found), style="bold"), soft_wrap=not console.is_terminal)
    if not found.lengths:
        return
    console.print()
    explained = f"{_explained(found)} {found.remark}".strip()
    parts: list[RenderableType] = [_lengths(found.lengths), Text(""), Text(explained, style="dim")]
    for length in found.lengths:
        factor = found.effect / length.effect
        rows = [(f"{100 * row.effect * factor:+.2f} %", row) for row in length.test]
        heading = f"\nA sequential test of 0 against {100 * found.effect:g} %, in {length.what}:"
        parts += [Text(heading), _expected(rows, "truth, of games", length.what)]
    print_parts(console, parts)


def _lengths(lengths: Sequence[Length]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("played", no_wrap=True)
    for heading in ("how many", "hands", "time"):
        table.add_column(heading, justify="right")
    table.add_column("they differ on", style="dim", justify="right")
    for length in lengths:
        table.add_row(
            length.what,
            rounded(length.units),
            rounded(length.hands),
            seconds(length.seconds),
            f"{100 * length.different:.0f} %",
        )
    return table


def _explained(found: Plan) -> str:
    return (
        f"For a length chosen beforehand; where there is no difference one is found {100 * found.alpha:g} "
        f"times in 100; {found.hands_per_game:.1f} hands a game."
    )
