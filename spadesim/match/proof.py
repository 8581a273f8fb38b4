"""Holding a run's folder against itself: bytes against names, totals and fingerprints against rows."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core import tally as t
from spadesim.core.batch import PAIRS
from spadesim.core.redigest import CELLS, fingerprint_of
from spadesim.core.tally import MAX_BID, N_LENGTHS, fingerprint_text, merge, new_tally
from spadesim.match.manifest import FILE, Manifest, check_layout
from spadesim.match.parts import PLAYS, DamagedPartError, Part, columns_of, read_rows
from spadesim.match.recording import Audience
from spadesim.match.stopping import Stopping
from spadesim.match.store import Found, Store

Columns = dict[str, npt.NDArray[Any]]
_COUNTED = ("room", "seat", "role", "bid", "tricks", "free", "is_set", "new_bags", "penalties")


@dataclass(frozen=True)
class Proof:
    """What a check of a run's folder found.

    Parameters
    ----------
    parts, expected : int
        Sound parts, and how many the whole run has.
    units, hands : int
        In the sound parts.
    fingerprint : str
        Of the sound parts.
    faults : tuple of (Path, str)
        Files named like parts that are no sound parts of the run, and why.
    result_fault : str
        What run.json tells of the result that the parts do not bear out, "" for nothing.
    missing : tuple of int
        Numbers of the parts that are still to be played.
    strays : tuple of str
        Names of files in the folder that are none of the run's.
    is_replayed : bool
        Whether the fingerprint was worked out from the cards, which a run of rows alone does not tell.
    """

    parts: int
    expected: int
    units: int
    hands: int
    fingerprint: str
    faults: tuple[tuple[Path, str], ...]
    result_fault: str
    missing: tuple[int, ...]
    strays: tuple[str, ...]
    is_replayed: bool

    @property
    def is_sound(self) -> bool:
        """Whether every file is what it should be; a run that is not finished may be."""
        return not self.faults and not self.result_fault

    @property
    def is_complete(self) -> bool:
        """Whether no part is missing."""
        return not self.missing

    @property
    def verdict(self) -> str:
        """What was found, in a sentence or two."""
        if not self.strays:
            return self._sentence()
        return f"{self._sentence()} The folder holds what is none of the run's: {', '.join(self.strays)}."

    def _sentence(self) -> str:
        if not self.is_sound:
            told = [f"{file.name} ({why})" for file, why in self.faults]
            told += [f"{FILE} ({self.result_fault})"] if self.result_fault else []
            return f"Damaged: {', '.join(told)}; {self.parts} of {self.expected} parts are sound."
        count = "1 part" if self.parts == 1 else f"{self.parts:,} parts"
        state = f"{count}, {self.units:,} units, {self.hands:,} hands, {self.fingerprint}"
        if self.missing:
            return f"Sound as far as it goes: {state}; {len(self.missing)} of {self.expected} parts missing."
        return f"Sound: {state}."


def prove(store: Store) -> Proof:
    """Check every file of a run.

    The bytes are held against the digest in the part's name, the counts in its footer against its rows, and,
    where the cards are recorded, its fingerprint against the cards. What run.json tells of the result is held
    against the parts, and when a rule ended the run, that rule is asked again.

    Raises
    ------
    UserError
        Another version wrote the parts.
    """
    check_layout(store.folder, store.manifest)
    fault = _fault_of_decision(store)
    if fault:
        going_on = Store(store.folder, store.manifest.undecided())
        return dataclasses.replace(_proof(going_on), result_fault=fault)
    return _proof(store)


def _proof(store: Store) -> Proof:
    manifest, total = store.manifest, new_tally()
    faults: list[tuple[Path, str]] = []
    sound, whole = 0, set()
    for found in store.inspect():
        fault = found.fault or _fault_of_rows(manifest, found)
        if fault or found.part is None:
            faults.append((found.file, fault))
            continue
        merge(total, found.part.tally)
        sound += 1
        if found.part.header.units == manifest.units_of(found.number)[1]:
            whole.add(found.number)
    tally = total[0]
    return Proof(
        parts=sound,
        expected=manifest.n_parts,
        units=int(tally["units"]),
        hands=int(tally["hands"]),
        fingerprint=fingerprint_text(tally),
        faults=tuple(faults),
        result_fault="" if faults else _fault_of_result(manifest, tally),
        missing=tuple(number for number in range(manifest.n_parts) if number not in whole),
        strays=tuple(store.strays()),
        is_replayed=manifest.has_plays,
    )


def _fault_of_rows(manifest: Manifest, found: Found) -> str:
    """What is wrong with the rows of a part whose bytes are sound, "" for nothing."""
    if found.part is None:
        return ""
    try:
        differing = list(differences(manifest, found.part, found.file))
    except DamagedPartError as error:
        return str(error)
    except (ValueError, IndexError, OverflowError):
        return "its rows hold what no row can hold"
    return f"its totals differ from its rows in {', '.join(differing)}" if differing else ""


def _fault_of_result(manifest: Manifest, tally: Any) -> str:
    """What run.json tells of a result that as many units do not bear out."""
    result = manifest.values["result"]
    if not result or result["units"] != tally["units"]:
        return ""
    if fingerprint_text(tally) != result["fingerprint"]:
        return "the parts have another fingerprint than it tells"
    return "the parts have another number of hands than it tells" if result["hands"] != tally["hands"] else ""


def _fault_of_decision(store: Store) -> str:
    """What run.json tells of the end of a run that its rule does not bear out, "" for nothing, or unknown."""
    spec, said = store.manifest.spec, store.manifest.end
    if spec.stop is None or not store.manifest.is_over:
        return ""
    audience, n = Audience(spec, Stopping(spec, spec.stop)), 0
    for found in Store(store.folder, store.manifest.undecided()).inspect():
        if found.part is None:
            continue
        if found.number * store.manifest.part_units != n:
            break
        end = audience.show(found.part.outcomes)
        if end is not None:
            return "" if end == said else f"the run was decided after {end:,} units, not after {said:,}"
        n += found.part.header.units
    is_wrong = store.manifest.is_decided and n >= said
    return f"the run was not decided after {said:,} units" if is_wrong else ""


def differences(manifest: Manifest, part: Part, file: Path) -> Iterator[str]:
    """The counts of a part that are not what its rows come to.

    Raises
    ------
    DamagedPartError
        The rows cannot be read.
    """
    names = [*columns_of(manifest.spec.rules), *_COUNTED, *([PLAYS] if manifest.has_plays else [])]
    rows, tally = read_rows(file, names), part.tally[0]
    n_players = manifest.spec.rules.players
    if len(rows["unit"]) != n_players * tally["hands"]:
        yield "hands"
        return
    if tally["units"] != part.header.units or len(np.unique(rows["unit"])) != part.header.units:
        yield "units"
        return
    yield from _of_players(rows, tally)
    yield from _of_sides(manifest, rows, part)
    if manifest.spec.kind == PAIRS and not np.array_equal(_lengths(rows), tally["lengths"]):
        yield "lengths"
    if manifest.has_plays and not np.array_equal(_fingerprint(manifest, rows), tally["fingerprint"]):
        yield "fingerprint"


def _of_players(rows: Columns, tally: Any) -> Iterator[str]:
    """Counts by bot and by seat."""
    role, bid, tricks = (rows[name].astype(np.int64) for name in ("role", "bid", "tricks"))
    is_nil = bid == 0
    counted = {
        t.P_HANDS: np.ones_like(bid),
        t.P_BID: bid,
        t.P_TRICKS: tricks,
        t.P_NIL_BIDS: is_nil,
        t.P_NIL_MADE: is_nil & (tricks == 0),
        t.P_FREE: rows["free"],
    }
    for count, values in counted.items():
        if not np.array_equal(_sums(role, values, 4), tally["players"][:, count]):
            yield f"{t.PLAYER_COUNTS[count]} by bot"
    pairs = (
        (role >> 1) * MAX_BID**2 + np.minimum(bid, MAX_BID - 1) * MAX_BID + np.minimum(tricks, MAX_BID - 1)
    )
    if not np.array_equal(np.bincount(pairs, minlength=2 * MAX_BID**2), tally["bid_tricks"].ravel()):
        yield "bids by tricks"
    seat = rows["seat"].astype(np.int64)
    for name, values in (("seat_tricks", tricks), ("seat_points", rows["points"])):
        if not np.array_equal(_sums(seat, values, 4), tally[name]):
            yield name


def _of_sides(manifest: Manifest, rows: Columns, part: Part) -> Iterator[str]:
    """Counts by side, and the points of every unit."""
    tally = part.tally[0]
    is_first = rows["seat"] < manifest.spec.rules.n_sides  # a side is told once, by its first seat
    owner = rows["role"][is_first].astype(np.int64) >> 1
    points = rows["points"][is_first].astype(np.int64)
    counted = {
        t.POINTS: points,
        t.SETS: rows["is_set"][is_first],
        t.BAGS: rows["new_bags"][is_first],
        t.BAG_PENALTIES: rows["penalties"][is_first],
    }
    for count, values in counted.items():
        if not np.array_equal(_sums(owner, values, 2), tally["sides"][:, count]):
            yield f"{t.SIDE_COUNTS[count]} by side"
    unit = rows["unit"][is_first] - part.header.first
    margins = _sums(unit, np.where(owner == 0, points, -points), part.header.units)
    if not np.array_equal(margins, part.outcomes["margin"]):
        yield "points of units"


def _lengths(rows: Columns) -> npt.NDArray[np.int64]:
    """Games by their number of hands."""
    is_first = rows["seat"] == 0
    unit, room = rows["unit"][is_first], rows["room"][is_first].astype(np.int64)
    _, hands = np.unique(np.stack([unit, room]), axis=1, return_counts=True)
    return np.bincount(np.minimum(hands, N_LENGTHS - 1), minlength=N_LENGTHS)


def _fingerprint(manifest: Manifest, rows: Columns) -> npt.NDArray[np.int64]:
    nothing = np.zeros(len(rows["unit"]), dtype=np.int64)
    cells = np.stack([rows.get(name, nothing).astype(np.int64) for name in CELLS], axis=1)
    plays = np.ascontiguousarray(rows[PLAYS])
    return fingerprint_of(manifest.spec.rules, manifest.spec.kind, np.ascontiguousarray(cells), plays)


def _sums(groups: npt.NDArray[np.int64], values: npt.NDArray[Any], n: int) -> npt.NDArray[np.int64]:
    """Exact sums of integers by group; the floats between hold them exactly."""
    return np.bincount(groups, weights=values, minlength=n).astype(np.int64)
