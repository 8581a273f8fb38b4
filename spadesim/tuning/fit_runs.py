"""The hands of recorded runs that a fit learns from."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spadesim.core.rules import Rules
from spadesim.errors import UserError, suggest
from spadesim.match.columns import Rows, bots_by_role
from spadesim.match.manifest import FILE
from spadesim.match.recorded import RecordedRun, load
from spadesim.reading import user_path
from spadesim.strategy.spec import parse
from spadesim.tuning.fit_data import Decisions, Hands, Ints, joined

ANY = "any"


@dataclass(frozen=True)
class Source:
    """A run that was learned from.

    Parameters
    ----------
    folder : str
    fingerprint : str
        What its duel printed.
    seed, first, units : int
        Which deals it has.
    hands : int
        Hands in it, of all rooms.
    """

    folder: str
    fingerprint: str
    seed: int
    first: int
    units: int
    hands: int


def open_runs(folders: Sequence[str | Path]) -> list[RecordedRun]:
    """The runs in some folders, which must be of the same rules.

    Raises
    ------
    UserError
        One is none, or of other rules than the first; or the bidding is not the first thing that happens.
    """
    runs = [_open(folder) for folder in folders]
    for run in runs:
        if run.rules != runs[0].rules:
            raise UserError(
                f"'{run.store.folder}' was played by {run.rules}, '{runs[0].store.folder}' by "
                f"{runs[0].rules}: fit the runs of one set of rules at a time."
            )
    return runs


def _open(folder: str | Path) -> RecordedRun:
    path = user_path(folder)
    if not path.is_dir():
        near = [file.parent.name for file in path.parent.glob(f"*/{FILE}")]
        raise UserError(
            f"There is no run '{folder}'.{suggest(path.name, near)} A run is kept by: "
            "spadesim duel A B --out DIR."
        )
    return load(path)


def check_rules(rules: Rules) -> None:
    """Refuse tables where something is decided before the bidding.

    Raises
    ------
    UserError
        They are such.
    """
    if rules.record()["has_prelude"]:
        raise UserError(
            f"By {rules} cards are drawn or nils declared before the bidding: fit knows no such table."
        )


def read(runs: Sequence[RecordedRun], bot: str) -> tuple[Decisions, list[Source]]:
    """Every bid of a bot in some runs, and what it came to.

    Parameters
    ----------
    runs : sequence of RecordedRun
    bot : str
        The name of its file, or "any".

    Raises
    ------
    UserError
        No run has that bot, or a part is damaged.
    """
    parts: list[tuple[Hands, Ints]] = []
    sources = []
    names = {name: None for run in runs for name in _names(run)}
    if bot != ANY and bot not in names:
        raise UserError(
            f"No run has a bot '{bot}'.{suggest(bot, list(names))} Bots: {', '.join(names)}; "
            "--from any takes the hands of all."
        )
    for run in runs:
        roles = np.flatnonzero([bot in (ANY, name) for name in _names(run)])
        n_hands = 0
        for _, rows in run.tables():
            hands = _hands(rows, run.spec.seed)
            n_hands += len(hands)
            wanted = np.isin(rows["role"], roles).reshape(-1, rows.n_seats)
            which, seats = np.nonzero(wanted)
            parts.append((hands.take(which), seats.astype(np.int64)))
        spec = run.spec
        sources.append(
            Source(
                str(run.store.folder), run.result().fingerprint, spec.seed, spec.first, spec.units, n_hands
            )
        )
    hands = joined([hands for hands, _ in parts])
    return Decisions(runs[0].rules, hands, np.concatenate([seats for _, seats in parts])), sources


def _names(run: RecordedRun) -> list[str]:
    """The names of the bots' files, by role."""
    return [Path(parse(name).lower.source).stem for name in bots_by_role(run.manifest)]


def _hands(rows: Rows, seed: int) -> Hands:
    n = rows.n_seats

    def by_seat(name: str) -> Ints:
        found = np.zeros((len(rows["unit"]) // n, 4), dtype=np.int64)
        found[:, :n] = rows[name].reshape(-1, n)
        return found

    def of_hand(name: str) -> Ints:
        return np.ascontiguousarray(rows[name][::n], dtype=np.int64)

    units = of_hand("unit")
    return Hands(
        np.full(len(units), seed, dtype=np.int64), units, of_hand("hand") - 1, of_hand("dealer"),
        by_seat("cards"), by_seat("bid"), by_seat("tricks"), by_seat("score"), by_seat("bags"),
    )  # fmt: skip
