"""``spadesim hands``: hands that meet a condition, and how often they come."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spadesim.cli import options
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.files import check_place, write_bytes, write_whole
from spadesim.cli.terminal import WIDTH, Notes, at_the_second, result_console, say
from spadesim.errors import UserError

if TYPE_CHECKING:
    from spadesim.analysis.hands import Hands

DIAGRAM, JSON = "diagram", "json"


def hands(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]", help="A folder that duel --out made; fresh deals of the rules without it."
        ),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            "--where",
            metavar="EXPR",
            help="A condition, such as 'spades(n) >= 5 and void(n)'; of a run also bids, tricks, scores.",
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--count", metavar="N", parser=options.whole, help="How many hands to show; 10 if left out."
        ),
    ] = None,
    freq: Annotated[bool, typer.Option("--freq", help="Only count how often there are such hands.")] = False,
    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="EXPR", help="Only count, by the values of a whole number such as 'spades(n)'."
        ),
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", metavar="FORM", help="diagram, pbn, json or csv.")
    ] = None,
    json: options.Json = False,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="With --by: draw it into this .svg, .png or .pdf file."),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules", metavar="RULES", help="Of fresh deals: a preset, changes to it, or a TOML file."
        ),
    ] = None,
    seed: options.Seed = None,
    first: Annotated[
        int | None,
        typer.Option(
            "--first",
            metavar="K",
            parser=options.whole,
            help="Number of the first fresh deal; 0 if left out.",
        ),
    ] = None,
    tries: Annotated[
        int | None,
        typer.Option(
            "--tries", metavar="N", parser=options.whole, help="Fresh deals to try; 1,000,000 if left out."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write to this file instead.")
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Look for hands, among fresh deals or in a recorded run, and tell how many of how many there are.

    Each hand comes with the command that shows it, played. The words of a condition are in
    docs/reference/expressions.md: suits, cards, and of a run bids, tricks, scores and nils. n, e, s, w are
    seats; of a run me, partner, left and right are seen from each row, and me may be left out.

    \b
    spadesim hands --where 'spades(n) >= 5 and void(n)'
    spadesim hands --where 'any(spades >= 9)' --count 3 --format pbn --output freaks.pbn
    spadesim hands --where 'has(n, "AK of spades") and hcp(n) <= 8' --freq
    spadesim hands --by 'spades(n)' --plot spades.svg
    spadesim hands my_run --where 'nil_set and spades <= 2'
    spadesim hands my_run --where 'bid == 0' --by 'highest(spades)'
    spadesim hands my_run --where 'bot == "hard" and made and tricks >= bid + 3' --format csv
    """  # noqa: D301
    from spadesim.analysis.hands import COUNT, search, source_of
    from spadesim.analysis.hands_forms import check_format

    run = _only(runs or [])
    form = _form(form, json)
    is_count = freq or by is not None
    if count is not None and is_count:
        raise UserError("--count is of hands that are shown: leave it out, or --freq and --by.")
    if freq and where is None and by is None:
        raise UserError("--freq tells how often something is so: say what by --where or --by.")
    _check_given(run, where, by)
    _check_places(output, plot, by)
    source = source_of(run, rules, seed, first, tries)
    check_format(form, is_count, source.known.n_seats)
    shown = 0 if is_count else COUNT if count is None else count
    notes = Notes(quiet)
    try:
        with notes.shown(), at_the_second(notes.say):
            found = search(source, where or "", by or "", shown, notes.counting)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    _print(found, form, output, notes)
    if plot is not None and found.table:
        from spadesim.analysis.hands_picture import picture

        write_bytes(plot, picture(found, plot.suffix))
        notes.say(f"the picture is in {plot}")
    elif plot is not None:
        notes.say("there is nothing to draw, so no picture is written.")
    if found.partial:
        raise typer.Exit(INTERRUPTED)


def _only(runs: list[str]) -> str | None:
    """The run that was named, if any."""
    if len(runs) > 1:
        raise UserError(
            f"hands looks through one run at a time, for every run numbers its own hands: name {runs[0]} or "
            f"{runs[1]}. spadesim report counts over several."
        )
    return runs[0] if runs else None


def _form(form: str | None, json: bool) -> str:
    if json and form not in (None, JSON):
        raise UserError(f"--json is --format json: leave it out, or --format {form}.")
    return JSON if json else form or DIAGRAM


def _check_given(run: str | None, where: str | None, by: str | None) -> None:
    for name, text in (("where", where), ("by", by)):
        if text is not None and not text.strip():
            raise UserError(f"--{name} is empty; one is --{name} 'spades(n){' >= 5' * (name == 'where')}'.")
    if run is not None and not Path(run).exists() and set(run) & set("<>=("):
        raise UserError(f"There is no folder '{run}'; a condition stands behind --where.")


def _check_places(output: Path | None, plot: Path | None, by: str | None) -> None:
    for file in (output, plot):
        if file is not None:
            check_place(file)
    if plot is None:
        return
    from spadesim.analysis.pictures import check_picture

    check_picture(plot)
    if not by:
        raise UserError("--plot draws what --by counts: give a number such as --by 'spades(n)'.")


def _print(found: "Hands", form: str, output: Path | None, notes: Notes) -> None:
    """Print what was found, or write it to a file."""
    from spadesim.analysis.hands_forms import hands_block, hands_text
    from spadesim.analysis.lines import plain
    from spadesim.cli.paint import print_block

    if form == DIAGRAM and output is None:
        console = result_console()
        print_block(console, hands_block(found, console.width))
        return
    text = plain(hands_block(found, WIDTH)) if form == DIAGRAM else hands_text(found, form)
    if output is None:
        say(text, end="")
    else:
        write_whole(output, text)
        notes.say(f"written to {output}")
    if form != DIAGRAM:
        notes.say(found.verdict)
