"""Runs that are kept: begun in a folder, gone on with after whatever ended them, judged from their parts."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import spadesim
from spadesim.core._jit import engine_digest
from spadesim.core.batch import Lineup
from spadesim.core.tally import fingerprint_text, new_tally
from spadesim.errors import UserError
from spadesim.match.bots_of_run import Sides, absent_sides, present_sides, trusted_sides
from spadesim.match.crews import Workers
from spadesim.match.decision import Decision
from spadesim.match.duel import Keep, Notice, judge, seat_sides, workers_for
from spadesim.match.manifest import FILE, Manifest, check_layout, equity_digest, make_manifest, read_manifest
from spadesim.match.parts import layout
from spadesim.match.recording import check_recordable, record_duel
from spadesim.match.result import DuelResult
from spadesim.match.run import Progress, Run, Watch, merged
from spadesim.match.spec import MAX_UNITS, DuelSpec, check_range
from spadesim.match.stopping import Stopping
from spadesim.match.store import Store, begin, find, no_part_yet, refuse_taken, writing
from spadesim.reading import user_path
from spadesim.strategy.compiled import compiling_note

WatchMaker = Callable[[DuelSpec, Mapping[str, Any]], Watch]
"""Makes a run's watch again out of what run.json says of its stopping."""


@dataclass(frozen=True)
class Resumed:
    """A run that was gone on with.

    Parameters
    ----------
    result : DuelResult
    was_finished : bool
        Whether nothing was left to play.
    """

    result: DuelResult
    was_finished: bool


def begin_run(
    spec: DuelSpec,
    sides: Sides,
    bots: Lineup,
    keep: Keep,
    *,
    workers: Workers,
    progress: Progress | None = None,
    notice: Notice | None = None,
    watch: Watch | None = None,
) -> Run:
    """Play a duel into a folder; parameters and errors as `spadesim.match.recording.record_duel`.

    Raises
    ------
    UserError
        The folder holds something already, or cannot be written.
    """
    check_recordable(spec)
    manifest = make_manifest(spec, sides, keep.record, keep.part_units, keep.stopping)
    store = begin(keep.folder, manifest)
    with writing(store):
        refuse_taken(store.folder, manifest)  # another process may have had it since
        store.save(manifest)
        run = record_duel(store, sides, bots, workers=workers, progress=progress, notice=notice, watch=watch)
        _save_result(store, run)
    return run


def resume_run(
    folder: str | Path,
    *,
    units: int | None = None,
    trust_source: bool = False,
    workers: Workers = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    make_watch: WatchMaker | None = None,
) -> Resumed:
    """Go on with a run where it was broken off.

    Parameters
    ----------
    folder : str or Path
    units : int, optional
        Pairs, sets or boards in all: more than the run was begun with.
    trust_source : bool
        Play the copies of the bots' sources that the folder keeps: they are executed.
    workers, progress, notice
        As for `spadesim.match.duel.duel`.
    make_watch : function, optional
        For a run that is ended early by somebody else than its own rule.

    Raises
    ------
    UserError
        The folder holds no run, another process writes to it, or what it was played with has changed.
    """
    if units is not None:
        check_range("units", units, 1, MAX_UNITS)
    store = find(folder)
    with writing(store):
        store.manifest = read_manifest(store.folder)  # as whoever wrote last has left it
        longer = _lengthened(store, units)
        stopping = store.manifest.values["stopping"]
        if longer is None and is_finished(store):
            return Resumed(result_of(store), True)
        _check_engine(store)
        _check_equity(store)
        check_recordable(store.manifest.spec)
        if trust_source:
            sides = trusted_sides(store.manifest, _announcer(notice))
        else:
            sides = present_sides(store.manifest, store.folder, _announcer(notice))
        if longer is not None:  # only now, so that a run that is refused stays as it was
            store.save(longer)
        store.manifest = store.manifest.undecided()  # its rule is asked again
        spec = store.manifest.spec
        watch: Watch | None = Stopping(spec, spec.stop, notice) if spec.stop else None
        if stopping is not None and make_watch is not None:
            watch = make_watch(spec, stopping)
        run = record_duel(
            store,
            sides,
            seat_sides(spec, sides, notice),
            workers=workers_for(workers),
            progress=progress,
            notice=notice,
            watch=watch,
        )
        run = _save_result(store, run)
        decision = watch.decision() if isinstance(watch, Stopping) else None
        return Resumed(judge(spec, sides, run, decision, store.manifest.is_lengthened), False)


def is_finished(store: Store) -> bool:
    """Whether run.json calls a run finished and all its parts are there and sound."""
    if not store.manifest.is_over:
        return False
    try:
        total = total_of(store)
    except UserError:
        return False
    result = store.manifest.values["result"]
    is_same = fingerprint_text(total[0]) == result["fingerprint"]
    return is_same and bool(total[0]["units"] == result["units"])


def total_of(store: Store) -> Any:
    """The tally of all parts up to the first gap; also of a run that is gone on with.

    Raises
    ------
    UserError
        One is damaged, or of another run.
    """
    total, files = new_tally(), store.files()
    for number in range(store.manifest.n_parts):
        if number not in files:
            break
        with store.telling(number):
            total = merged(total, store.read(number, files.pop(number)).tally)
    for number, file in files.items():  # of which some may be none of the run's
        with store.telling(number):
            store.read(number, file, is_quick=True)
    return total


def result_of(store: Store) -> DuelResult:
    """What the parts of a run come to, without any of its bots.

    Raises
    ------
    UserError
        There is no part yet, one is missing or damaged, or another version wrote them.
    """
    manifest = store.manifest
    check_layout(store.folder, manifest)
    if not store.whole_files():
        raise no_part_yet(store.folder)
    total = total_of(store)
    units = int(total[0]["units"])
    stored = manifest.values["result"] or {}
    is_decided = bool(stored.get("decided")) and units == stored.get("units")
    is_partial = units < manifest.spec.units and not is_decided
    run = Run(total, float(stored.get("seconds") or 0.0), is_partial, is_decided)
    decision = _decision_of(store, units)
    return judge(manifest.spec, absent_sides(manifest), run, decision, manifest.is_lengthened)


def _decision_of(store: Store, units: int) -> Decision | None:
    """What the rule of a run has come to on its first units, all of them in sound parts; None without one."""
    spec = store.manifest.spec
    if spec.stop is None:
        return None
    watch, found, n = Stopping(spec, spec.stop), [], 0
    for number, file in store.files().items():
        if n == units:
            break
        found.append(store.read(number, file).outcomes)
        n += len(found[-1])
    # While it played, the rule never looked at a batch that was not whole, unless it was the run's last.
    whole = units if units == spec.units else units // watch.batch * watch.batch
    outcomes = np.concatenate(found)[:whole]
    for first in range(0, whole, watch.batch):
        if watch(outcomes[first : first + watch.batch]):
            break
    return watch.decision()


def wanted_units(folder: str | Path, games: int | None, boards: int | None) -> int | None:
    """The length that a run in a folder is to have in all, in its own units; None for the one it has.

    Raises
    ------
    UserError
        Games were given for a run of boards, or the other way round, or no whole sets of them.
    """
    if games is None and boards is None:
        return None
    spec = find(folder).manifest.spec
    if (games if spec.boards is None else boards) is None:
        kind, given = ("games", "--boards") if spec.boards is None else ("boards", "--games")
        raise UserError(f"'{folder}' is a run of {kind}; it cannot be made longer by {given}.")
    return dataclasses.replace(spec, games=games, boards=boards).units


def overviews(folder: str | Path) -> list[dict[str, Any]]:
    """What `spadesim runs list` tells of each run in a folder, or of the folder itself if it is one.

    Raises
    ------
    UserError
        There is no such folder.
    """
    folder = user_path(folder)
    if not folder.is_dir():
        raise UserError(f"There is no folder '{folder}'.")
    places = [folder] if (folder / FILE).is_file() else sorted(folder.iterdir())
    return [_overview(place) for place in places if (place / FILE).is_file()]


def _overview(folder: Path) -> dict[str, Any]:
    row: dict[str, Any] = {"folder": str(folder), "faults": []}
    try:
        store = find(folder)
    except UserError as error:
        nothing = dict.fromkeys(("sides", "rules", "unit", "fingerprint"), "")
        return row | nothing | {"played": None, "asked": None, "state": str(error)}
    manifest, spec = store.manifest, store.manifest.spec
    row |= {
        "sides": " - ".join(manifest.values[side]["name"] for side in "ab"),
        "rules": str(spec.rules),
        "played": None,
        "asked": spec.units,
        "unit": spec.some_units(2).partition(" ")[2],
        "fingerprint": (manifest.values["result"] or {}).get("fingerprint", ""),
    }
    if manifest.values["layout"] != layout():
        return row | {"state": f"counted otherwise, by spadesim {manifest.values['version']}"}
    row["played"] = 0
    for each in store.inspect(is_quick=True):
        if each.part is not None:
            row["played"] += each.part.header.units
        else:
            row["faults"].append({"file": each.file.name, "why": each.fault})
    return row | {"state": _state(manifest, row)}


def _state(manifest: Manifest, row: Mapping[str, Any]) -> str:
    """How a run stands, in a few words, and what is wrong with it."""
    is_over = row["played"] >= manifest.end
    state = ("decided" if manifest.is_decided else "finished") if is_over else "to be resumed"
    if not row["faults"]:
        return state
    first, n_more = row["faults"][0], len(row["faults"]) - 1
    more = f", and {n_more} more" if n_more else ""
    return f"{state}, but {first['file']}: {first['why']}{more}"


def _save_result(store: Store, run: Run) -> Run:
    """Write what a run comes to into run.json; the run comes back with the time of all its sessions."""
    before = store.manifest.values["result"] or {}
    run = dataclasses.replace(run, seconds=run.seconds + float(before.get("seconds") or 0.0))
    tally = run.tally[0]
    result = {
        "units": int(tally["units"]),
        "hands": int(tally["hands"]),
        "fingerprint": fingerprint_text(tally),
        "decided": run.is_decided,
        "seconds": round(run.seconds, 3),
    }
    store.save(store.manifest.changed(result=result))
    return run


def _lengthened(store: Store, units: int | None) -> Manifest | None:
    """What run.json says of a run that goes on beyond its first length; None for the length it has."""
    manifest = store.manifest
    if units is None or units == manifest.spec.units:
        return None
    if units < manifest.spec.units:
        raise UserError(
            f"'{store.folder}' was begun with {manifest.spec.some_units(manifest.spec.units)}; a run can be "
            "made longer, not shorter."
        )
    if manifest.is_decided:
        raise UserError(f"'{store.folder}' is decided; more would not change its decision.")
    longer = manifest.changed(units=units, lengths=[*manifest.lengths, manifest.spec.units])
    named = dataclasses.replace(longer.spec, a=longer.values["a"]["spec"], b=longer.values["b"]["spec"])
    return longer.changed(command=named.command())


def _check_engine(store: Store) -> None:
    values = store.manifest.values
    if values["engine"] != engine_digest() or values["layout"] != layout():
        raise UserError(
            f"The engine has changed since '{store.folder}' was begun: it was that of spadesim "
            f"{values['version']} ({values['engine']}), and is that of {spadesim.__version__} "
            f"({engine_digest()}). Go on with that version, or begin another run."
        )


def _check_equity(store: Store) -> None:
    if store.manifest.values["equity"] != equity_digest(store.manifest.spec):
        raise UserError(
            f"The table of win chances has changed since '{store.folder}' was begun, and with it what its "
            "boards start from: begin another run."
        )


def _announcer(notice: Notice | None) -> Callable[[str], None] | None:
    return None if notice is None else lambda name: notice(compiling_note(name))
