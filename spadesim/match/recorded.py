"""Reading a run back: tidy tables of what every seat did, a few columns or a part at a time.

A row is a seat in a room in a hand, so a run of ten million hands has forty million rows: name the columns
that you need, or go through the parts one by one; sums over groups are gathered part by part.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spadesim.core.rows import column_names, source_of, value_names
from spadesim.core.rules import Rules
from spadesim.errors import UserError, suggest
from spadesim.expressions import Known, compile_where
from spadesim.glanced import Glanced
from spadesim.match.bots_of_run import absent_sides
from spadesim.match.columns import Rows, bots_by_role, derived_names, lacks
from spadesim.match.kept import result_of
from spadesim.match.manifest import Manifest
from spadesim.match.parts import PLAYS, Header, layout, stored_columns
from spadesim.match.result import DuelResult
from spadesim.match.spec import DuelSpec
from spadesim.match.store import Store, find
from spadesim.match.values import unit_values

if TYPE_CHECKING:
    import pandas as pd

ROLES = ("a.lower", "a.higher", "b.lower", "b.higher")


def load(folder: str | Path) -> "RecordedRun":
    """The run that a folder keeps; nothing in it is executed.

    Parameters
    ----------
    folder : str or Path
        What ``duel --out`` made.

    Raises
    ------
    UserError
        The folder holds no run that this version can read.
    """
    return RecordedRun(find(folder))


class RecordedRun(Glanced):
    """A run on the disk. Tables are read when they are asked for, and only the columns that are named.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def __repr__(self) -> str:
        a, b = (side.name for side in absent_sides(self.manifest))
        spec = self.spec
        return f"<run of {a} and {b}, {spec.rules}, {spec.some_units(spec.units)}, in '{self.store.folder}'>"

    @property
    def manifest(self) -> Manifest:
        """What run.json says."""
        return self.store.manifest

    @property
    def spec(self) -> DuelSpec:
        """What was asked for."""
        return self.manifest.spec

    @property
    def rules(self) -> Rules:
        """The rules of the run."""
        return self.spec.rules

    @property
    def columns(self) -> list[str]:
        """The columns that rows can have: those on the disk, and those worked out from them."""
        told = [name for name in value_names(self._has_prelude) if source_of(name) in self._stored]
        return [*told, *derived_names(self.manifest)]

    @property
    def bots(self) -> dict[str, str]:
        """The bots by their place: ``a.lower``, ``a.higher``, ``b.lower``, ``b.higher``."""
        named = dict(zip(ROLES, bots_by_role(self.manifest), strict=True))
        return named if self.spec.has_partners else {key: named[f"{key}.lower"] for key in "ab"}

    @property
    def _has_prelude(self) -> bool:
        return bool(self.rules.record()["has_prelude"])

    @cached_property
    def _stored(self) -> frozenset[str]:
        """The columns on the disk, of which another version may have written fewer."""
        for number, file in self.store.files().items():
            with self.store.telling(number):
                return stored_columns(file)
        return frozenset(column_names(self._has_prelude))

    @property
    def known(self) -> Known:
        """What an expression may ask of its rows."""
        return Known.of_rows(self.rules, self.columns, bots_by_role(self.manifest))

    def result(self) -> DuelResult:
        """What the run comes to so far, worked out from its parts without loading any bot."""
        return result_of(self.store)

    def parts(
        self, columns: Sequence[str], bot: str | None = None, where: str = ""
    ) -> Iterator["pd.DataFrame"]:
        """The rows, one part of the run at a time; parameters and errors as `seats`."""
        import pandas as pd

        roles = self._roles(bot)
        accept = compile_where(where, self.known) if where else None
        for name in columns:
            self._check_column(name)
        for _, wanted in self.tables():
            found = {name: wanted[name] for name in columns}
            keep = None if roles is None else np.isin(wanted["role"], roles)
            if accept is not None:
                met = accept(wanted.columns(accept.needs), wanted.n_seats)
                keep = met if keep is None else keep & met
            yield pd.DataFrame(
                {
                    name: list(rows) if rows.ndim > 1 else rows
                    for name, rows in ((n, v if keep is None else v[keep]) for n, v in found.items())
                }
            )

    def tables(self) -> Iterator[tuple[Header, "Rows"]]:
        """The parts of the run, in order: which units each has, and its columns, read as they are asked for.

        Raises
        ------
        UserError
            A part is damaged; also where a column is asked for that cannot be read.
        """
        for number, file in self.store.whole_files().items():
            with self.store.telling(number):
                header = self.store.read(number, file).header
            yield header, Rows(self.manifest, file, partial(self.store.telling, number))

    def headers(self) -> list[Header]:
        """Which units each part has, in order, without its rows being looked at; errors as `tables`."""
        found = []
        for number, file in self.store.whole_files().items():
            with self.store.telling(number):
                found.append(self.store.read(number, file, is_quick=True).header)
        return found

    def seats(
        self, columns: Sequence[str] | None = None, bot: str | None = None, where: str = ""
    ) -> "pd.DataFrame":
        """What seats did, a row a seat, room and hand.

        Parameters
        ----------
        columns : sequence of str, optional
            Which of `columns`; all but the cards played when left out, which is about 110 bytes a row.
        bot : str, optional
            Of one bot alone: ``a``, ``b``, or one place such as ``a.lower``.
        where : str, optional
            A condition on the rows, such as ``spades >= 4 and bid == 0`` (`spadesim.expressions`).

        Raises
        ------
        UserError
            There is no such column or bot, the condition is none, or a part is damaged.
        """
        import pandas as pd

        names = list(columns) if columns is not None else [name for name in self.columns if name != PLAYS]
        frames = list(self.parts(names, bot, where))
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=names)

    def sums(
        self, by: Sequence[str], of: Sequence[str] = (), bot: str | None = None, where: str = ""
    ) -> "pd.DataFrame":
        """Sums over groups of rows, gathered part by part in little memory.

        Parameters
        ----------
        by : sequence of str
            The columns whose values make the groups, such as ``["bid", "place"]``.
        of : sequence of str
            Columns to be summed.
        bot, where : str, optional
            As for `seats`.

        Returns
        -------
        DataFrame
            A row a group: `by`, then ``rows``, how many there are, then the sums of `of`.
        """
        import pandas as pd

        total: pd.DataFrame | None = None
        for frame in self.parts(list(dict.fromkeys([*by, *of])), bot, where):
            groups = frame.assign(rows=1).groupby(list(by), observed=True)[["rows", *of]].sum()
            total = groups if total is None else total.add(groups, fill_value=0)
        if total is None:
            return pd.DataFrame(columns=[*by, "rows", *of])
        whole = [name for name in total if not (total[name] % 1).any()]
        return total.astype(dict.fromkeys(whole, "int64")).reset_index()

    def units(self) -> "pd.DataFrame":
        """What pairs, sets or boards came to, a row each.

        Returns
        -------
        DataFrame
            Columns unit, value (from A's side, 0 for no difference, see `spadesim.match.values`), margin (A's
            points minus B's, all rooms together), same (whether all rooms went alike card by card), and for
            games ``result_0`` and so on: A's result by room, 0 lost, 1 drawn, 2 won, 3 unfinished.

        Raises
        ------
        UserError
            Another version wrote the parts, or one is damaged.
        """
        import pandas as pd

        frames = [self._units_of(*found) for found in self.store.whole_files().items()]
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=["unit", "value"])

    def boards(self) -> "pd.DataFrame":
        """As `units`, for a run of boards.

        Raises
        ------
        UserError
            Whole games were played.
        """
        if self.spec.boards is None:
            raise UserError(
                f"'{self.store.folder}' is a run of games: its units() are pairs or sets of them."
            )
        return self.units()

    def _units_of(self, number: int, file: Path) -> "pd.DataFrame":
        import pandas as pd

        if self.manifest.values["layout"] != layout():
            raise UserError(f"'{self.store.folder}' was recorded by a version that counts units otherwise.")
        with self.store.telling(number):
            part = self.store.read(number, file)
        outcomes, first = part.outcomes, part.header.first
        columns = {
            "unit": np.arange(first, first + len(outcomes)),
            "value": unit_values(self.spec, outcomes),
            "margin": outcomes["margin"],
            "same": outcomes["same"] == 1,
        }
        if self.spec.boards is None:
            for room in range(self.spec.n_rooms):
                columns[f"result_{room}"] = (outcomes["results"] >> 2 * room & 3).astype(np.int8)
        return pd.DataFrame(columns)

    def _check_column(self, name: str) -> None:
        if name not in self.columns:
            hint = f" {lacks(self.manifest, name)}".rstrip() or suggest(name, self.columns)
            raise UserError(f"The run has no column '{name}'.{hint} Columns: {', '.join(self.columns)}.")

    def _roles(self, bot: str | None) -> list[int] | None:
        if bot is None:
            return None
        if bot in ("a", "b"):
            return [0, 1] if bot == "a" else [2, 3]
        if bot not in self.bots:
            raise UserError(f"The run has no bot '{bot}'; it has a, b, {', '.join(self.bots)}.")
        return [ROLES.index(bot)]
