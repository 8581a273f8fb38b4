"""Handing over what a command found: a picture, a table, one JSON object, one sentence, or everything."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from spadesim.cli.files import check_places, write_bytes, write_whole
from spadesim.cli.terminal import Notes, result_console, say

if TYPE_CHECKING:
    from rich.console import Console


class Home(NamedTuple):
    """Where a kind of result is at home.

    Parameters
    ----------
    prints : str
        The function that prints it, as module:name.
    draws : str
        The module whose `picture` draws it.
    """

    prints: str
    draws: str


HOMES = {
    "tournament": Home("spadesim.cli.render_tournament:print_result", "spadesim.analysis.ranking"),
    "sweep": Home("spadesim.cli.render_sweep:print_result", "spadesim.analysis.sweep"),
    "rules_sweep": Home("spadesim.cli.render_sweep:print_result", "spadesim.analysis.sweep"),
    "tune": Home("spadesim.cli.render_tune:print_tuning", "spadesim.analysis.tune"),
    "fit": Home("spadesim.cli.render_fit:print_fit", "spadesim.analysis.fit"),
    "calibrate": Home("spadesim.cli.render_calibrate:print_calibration", "spadesim.analysis.strength"),
}


def check_files(plot: Path | None, *others: Path | None) -> None:
    """Refuse places that cannot be written to, and kinds of pictures that there are not.

    Raises
    ------
    UserError
        Which one, and why; or one place is given for two files.
    """
    check_places(plot, *others)
    if plot is not None:
        from spadesim.analysis.pictures import check_picture

        check_picture(plot)


def deliver(
    kind: str, result: Any, *, plot: Path | None, csv: Path | None, json: bool, quiet: bool, notes: Notes
) -> None:
    """Write the picture and the table that were asked for, and print the result.

    Parameters
    ----------
    kind : str
        One of `HOMES`.
    result : object
        With `verdict`, `to_json` and `to_frame`.
    """
    try:  # files before the output, whose reader may go away
        if plot is not None:
            draw(kind, result, plot, notes)
        if csv is not None:
            write_whole(csv, result.to_frame().to_csv(index=False))
            notes.say(f"the table is in {csv}")
    finally:  # also when a file cannot be written
        if json:
            say(result.to_json())
        elif quiet:
            say(result.verdict)
        else:
            print_all(result_console(), kind, result)


def draw(kind: str, result: Any, file: Path, notes: Notes) -> None:
    """Draw a result into a file."""
    write_bytes(file, import_module(HOMES[kind].draws).picture(result, file.suffix))
    notes.say(f"the picture is in {file}")


def print_all(console: "Console", kind: str, result: Any) -> None:
    """Print all of a result."""
    module, _, name = HOMES[kind].prints.partition(":")
    getattr(import_module(module), name)(console, result)
