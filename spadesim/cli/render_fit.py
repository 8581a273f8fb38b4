"""How a fit looks on a terminal."""

from __future__ import annotations

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from spadesim.cli.render import print_parts
from spadesim.tuning.fit_result import Bin, FitResult, NilFit, TricksFit

BY = {
    "tricks": "tricks won",
    "level": "boards, which level is best",
    "chance": "nils made",
    "price": "what nils gain",
}
FEW = 30  # decisions in a line of a table


def print_fit(console: Console, result: FitResult) -> None:
    """Print what a fit found, the verdict first."""
    verdict = Text(result.verdict, style="bold green" if result.is_kept else "bold yellow")
    console.print(verdict, soft_wrap=not console.is_terminal)
    console.print()
    parts: list[RenderableType] = [_parameters(result)]
    if result.tricks is not None:
        parts += ["", Text(about_tricks(result.tricks)), "", _table("expected", result.tricks, 1.0, 2)]
    if result.nil is not None:
        parts += ["", Text(about_nil(result.nil))]
        if result.nil.after:
            parts += ["", _table("chance", result.nil, 100.0, 1)]
    print_parts(console, [*parts, "", _provenance(result)])
    console.print(Text.assemble((f"{'again':13}", "dim"), result.command), soft_wrap=True)
    if result.validation is not None:
        console.print(Text.assemble((f"{'check':13}", "dim"), result.validation.command), soft_wrap=True)


def _parameters(result: FitResult) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("parameter")
    for heading in ("given", "fitted"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("by")
    for one in result.parameters:
        found = Text(one.found, style="bold" if one.found != one.given else "dim")
        table.add_row(one.name, one.given, found, Text(BY[one.by], style="dim"))
    return table


def about_tricks(fit: TricksFit) -> str:
    """What there is to say of an estimate, in sentences."""
    return (
        f"Of the tricks in {fit.held_out:,} hands that were not fitted the estimate explains "
        f"{100 * fit.explained_after:.1f} % ({100 * fit.explained_before:.1f} % before; {fit.hands:,} hands "
        f"were fitted). On average it is {_beside(fit.below_after)} what is won ({_beside(fit.below_before)} "
        "before): how far below is best is a matter of bags and failed contracts, which boards have chosen."
    )


def _beside(tricks: float) -> str:
    return f"{abs(tricks):.2f} tricks {'below' if tricks >= 0 else 'above'}"


def about_nil(fit: NilFit) -> str:
    """What there is to say of nils, in sentences."""
    share = f"{fit.nils + fit.held_out:,} nils, {100 * fit.made:.1f} % made"
    if fit.forced:
        said = f"{share}, were bid with any hand that has four spades or fewer and none above the jack."
    else:
        said = (
            f"{share}, were those that the bot chose to bid: they tell nothing of hands that it does not bid "
            "nil with, and not what chance a nil needs. --play has nils bid with any hand."
        )
    if fit.log_loss_before is not None and fit.brier_before is not None:
        said += (
            f" On the {fit.held_out:,} that were not fitted the chance told has a log-loss of "
            f"{fit.log_loss_after:.4f} ({fit.log_loss_before:.4f} before) and a Brier score of "
            f"{fit.brier_after:.4f} ({fit.brier_before:.4f})."
        )
    return said


def _table(heading: str, fit: TricksFit | NilFit, scale: float, decimals: int) -> Table:
    """What came of decisions by what was told of them, after the fit and before it."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(heading, no_wrap=True)
    for column in ("fitted", "came", "", "hands", "before", "came", "", "hands"):
        table.add_column(column, justify="right", no_wrap=True)
    befores = {one.low: one for one in fit.before if one.decisions >= FEW}
    afters = {one.low: one for one in fit.after if one.decisions >= FEW}
    for low in sorted({*befores, *afters}):
        one = afters.get(low) or befores[low]
        name = (
            f"{scale * one.low:.0f} to {scale * one.high:.0f} %"
            if scale > 1
            else f"about {one.low + 0.5:.0f}"
        )
        cells = [*_cells(afters.get(low), scale, decimals), *_cells(befores.get(low), scale, decimals)]
        table.add_row(name, *cells)
    return table


def _cells(one: Bin | None, scale: float, decimals: int) -> list[RenderableType]:
    if one is None:
        return ["–", "–", "", "–"]
    return [
        f"{scale * one.told:.{decimals}f}",
        f"{scale * one.happened:.{decimals}f}",
        Text(f"±{scale * one.error:.{decimals}f}", style="dim"),
        f"{one.decisions:,}",
    ]


def _provenance(result: FitResult) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", min_width=11)
    table.add_column()
    for source in result.sources:
        table.add_row("run", f"{source.folder}, {source.hands:,} hands, fingerprint {source.fingerprint}")
    if result.played:
        table.add_row("played", f"{result.played:,} boards for the fit")
    speed = f"{result.boards:,} boards, {result.hands:,} hands to choose and to judge"
    table.add_row("judged by", f"{speed}; {result.seconds:.1f} s in all")
    table.add_row("rules", result.rules)
    table.add_row("against", result.vs)
    table.add_row("deals", f"seed {result.seed}, {result.rng}")
    made = f"spadesim {result.version}"
    if result.validation is not None:
        made += f", fingerprint {result.validation.fingerprint} of the boards that judge"
    table.add_row("made by", made)
    if result.written is not None:
        table.add_row("written to", result.written)
    return table
