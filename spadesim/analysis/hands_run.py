"""Looking through the hands of a recorded run."""

import shlex
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from spadesim.analysis.hands_found import Batch, FoundHand, Ints, Played, Source, counted
from spadesim.core.batch import BOARDS
from spadesim.expressions import Value, Where
from spadesim.match.columns import Rows, bots_by_role
from spadesim.match.recorded import RecordedRun
from spadesim.match.store import no_part_yet

SHOWN = ("unit", "hand", "room", "role", "cards", "bid", "tricks", "score", "bags", "points")


class RunHands(Source):
    """The hands of a run.

    Where an expression asks nothing that differs between seats every hand counts once, otherwise every seat
    in it.

    Parameters
    ----------
    run : RecordedRun
    """

    def __init__(self, run: RecordedRun) -> None:
        self.run = run
        self.known = run.known
        self._is_by_seat = False

    def batches(
        self, accept: Where | None, value: Value | None, progress: Callable[[int, int], None] | None
    ) -> Iterator[Batch]:
        """Look through the rows, a part of the run at a time."""
        asked = [expression for expression in (accept, value) if expression is not None]
        self._is_by_seat = any(expression.term.is_own for expression in asked)
        n_parts = len(self.run.headers())
        if not n_parts:
            raise no_part_yet(self.run.store.folder)
        for done, (header, rows) in enumerate(self.run.tables(), start=1):
            step = 1 if self._is_by_seat else rows.n_seats
            units = (rows["unit"] - header.first)[::step]
            accepted = None if accept is None else _column(accept, rows)[::step]
            places = np.arange(len(units)) if accepted is None else np.flatnonzero(accepted)
            values = None if value is None else _column(value, rows)[::step][places]

            def examples(count: int, rows: Rows = rows, at: Ints = places * step) -> list[FoundHand]:
                return self._examples(rows, at, count)

            mine = units[places]
            yield Batch(counted(units, header.units), counted(mine, header.units), mine, values, examples)
            if progress is not None:
                progress(done, n_parts)

    def _examples(self, rows: Rows, at: Ints, count: int) -> list[FoundHand]:
        """The first hands that accepted rows belong to."""
        found = np.unique(at // rows.n_seats)[:count]
        seats = np.zeros(len(rows["unit"]), dtype=bool)
        seats[at] = True
        return [self._hand(rows, int(hand), seats) for hand in found]

    def _hand(self, rows: Rows, number: int, accepted: Ints) -> FoundHand:
        n = rows.n_seats
        place = slice(number * n, (number + 1) * n)
        told = {name: tuple(rows[name][place].tolist()) for name in SHOWN}
        first_bidder, dealer = (int(rows[name][place][0]) for name in ("first_bidder", "dealer"))
        unit, hand, room = (told[name][0] for name in ("unit", "hand", "room"))
        bots = bots_by_role(self.run.manifest)
        played = Played(
            hand,
            room,
            tuple(bots[role] for role in told["role"]),
            told["bid"],
            told["tricks"],
            told["score"],
            told["bags"],
            told["points"],
            tuple(np.flatnonzero(accepted[place]).tolist()) if self._is_by_seat else tuple(range(n)),
        )
        spec = self.run.spec
        is_board = spec.kind == BOARDS
        which = f"Board {unit}" if is_board else f"Game {unit}, hand {hand}"
        options = [] if is_board else ["--hand", str(hand)]
        return FoundHand(
            f"{which}, room {room}",
            unit,
            told["cards"],
            dealer,
            first_bidder,
            spec.show_command(unit, *options, "--room", str(room)),
            played,
        )

    def what(self, number: int) -> str:
        """Hands, or seats in them."""
        if self._is_by_seat:
            return "seat in a hand" if number == 1 else "seats in hands"
        return "hand" if number == 1 else "hands"

    def command(self, where: str, by: str) -> str:
        """The command line that looks again."""
        words = ["spadesim", "hands", str(self.run.store.folder)]
        words += ["--where", where] if where else []
        return shlex.join(words + (["--by", by] if by else []))

    def to_dict(self) -> dict[str, Any]:
        """What the JSON object says of it."""
        spec = self.run.spec
        return {
            "of": "seats" if self._is_by_seat else "hands",
            "run": str(self.run.store.folder),
            "rules": str(spec.rules),
            "seed": spec.seed,
            "first": spec.first,
        }


def _column(expression: Where | Value, rows: Rows) -> Any:
    return expression(rows.columns(expression.needs), rows.n_seats)
