"""``spadesim runs``: what lies in the folders that ``duel --out`` made."""

import json as json_text
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.terminal import Notes, result_console, say

if TYPE_CHECKING:
    from spadesim.match.proof import Proof
    from spadesim.match.store import Store

DAMAGED = 1

app = typer.Typer(
    no_args_is_help=True,
    help="Runs kept in folders: list, show, verify.",
    epilog="Make one with: spadesim duel easy hard --out my_run",
)
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.")]


@app.command("list")
def list_runs(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="Where to look; here unless given.")
    ] = Path(),
    json: options.Json = False,
) -> None:
    """List the runs in a folder: who played, how much of it is there, and what is wrong with it.

    Of the parts only the footers are read; verify reads everything.

    \b
    spadesim runs list
    spadesim runs list results --json
    """  # noqa: D301
    from spadesim.match.kept import overviews

    found = overviews(folder)
    if json:
        say(json_text.dumps(found, indent=2))
        return
    if not found:
        say(f"There is no run in '{folder}'.")
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("run", "sides", "rules", "played", "of", "", "state"):
        table.add_column(name, justify="right" if name in ("played", "of") else "left", overflow="fold")
    for row in found:
        lengths = [f"{row[name]:,}" if row[name] is not None else "" for name in ("played", "asked")]
        table.add_row(row["folder"], row["sides"], row["rules"], *lengths, row["unit"], row["state"])
    result_console().print(table)


@app.command("show")
def show(folder: Folder, json: options.Json = False, quiet: options.Quiet = False) -> None:
    """Print what a run comes to, from its parts alone; no bot is loaded.

    \b
    spadesim runs show my_run
    spadesim runs show my_run --json
    """  # noqa: D301
    from spadesim.cli.duel import show as show_result
    from spadesim.match.kept import result_of
    from spadesim.match.store import find

    show_result(result_of(find(folder)), json, quiet)


@app.command("verify")
def verify(
    folder: Folder,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            help="Set aside what is no sound part of the run, so that duel --resume plays it anew.",
        ),
    ] = False,
    json: options.Json = False,
) -> None:
    """Hold a run against itself: bytes, totals against rows, and with --record cards the fingerprint.

    Exit code 0 when all is sound, 1 when a part is damaged or none of the run's, or run.json tells another
    result than the parts.

    \b
    spadesim runs verify my_run
    spadesim runs verify my_run --repair
    """  # noqa: D301
    from spadesim.match.proof import prove
    from spadesim.match.store import find, writing

    store = find(folder)
    with writing(store) if repair else nullcontext():
        proof = prove(store)
        say(json_text.dumps(_described(proof), indent=2) if json else proof.verdict)
        if repair and not proof.is_sound:
            _repair(store, proof, Notes(False))
    if not proof.is_sound:
        raise typer.Exit(DAMAGED)


def _repair(store: "Store", proof: "Proof", notes: Notes) -> None:
    """Set aside what is no sound part, and forget a result that is not that of the parts."""
    for file, _ in proof.faults:
        notes.say(f"{file.name} is now in {store.set_aside(file).parent}")
    if proof.result_fault:
        store.save(store.manifest.changed(result=None))
        notes.say("run.json no longer tells a result")
    if proof.missing or proof.result_fault:
        notes.say(f"spadesim duel --resume '{store.folder}' plays what is missing.")


def _described(proof: "Proof") -> dict[str, Any]:
    faults = [{"file": file.name, "why": why} for file, why in proof.faults]
    faults += [{"file": "run.json", "why": proof.result_fault}] if proof.result_fault else []
    return {
        "sound": proof.is_sound,
        "complete": proof.is_complete,
        "parts": proof.parts,
        "expected_parts": proof.expected,
        "units": proof.units,
        "hands": proof.hands,
        "fingerprint": proof.fingerprint,
        "fingerprint_from_cards": proof.is_replayed,
        "faults": faults,
        "missing": list(proof.missing),
        "strays": list(proof.strays),
    }
