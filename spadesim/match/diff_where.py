"""Which boards of a diff count: a condition on the deal, or on what the deciding seat had and did."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from spadesim.core.parting import NONE
from spadesim.core.rows import Book, column, value_names
from spadesim.core.rules import START_DEALER_LEFT, START_SECOND_DRAWER
from spadesim.expressions import Known, compile_where
from spadesim.match.columns import HAND, counted_from_1
from spadesim.match.spec import DuelSpec

DEALER = "dealer"

Records = npt.NDArray[np.void]
Choose = Callable[[Book, Records], npt.NDArray[np.bool_]]
"""Which boards count, by the rows of their hands and by where their rooms part."""


def chooser(text: str, spec: DuelSpec, bots: Sequence[str]) -> Choose:
    """What says which boards meet a condition.

    Parameters
    ----------
    text : str
        As `spadesim.expressions` has it, of rows. ``me`` is the seat at whose decision the rooms part; where
        they never do, a condition on ``me`` is not met. What happened is told of the first room in which A's
        bot sits there.
    spec : DuelSpec
    bots : sequence of 4 str
        A's at its lower and its higher seat, then B's.

    Raises
    ------
    UserError
        It is no condition, or can never be met.
    """
    rules = spec.rules.record()
    names = [*value_names(bool(rules["has_prelude"])), DEALER]
    where = compile_where(text, Known.of_rows(spec.rules, names, bots))
    n, is_after = spec.rules.players, int(rules["start_role"]) in (START_DEALER_LEFT, START_SECOND_DRAWER)

    def choose(book: Book, partings: Records) -> npt.NDArray[np.bool_]:
        rooms = np.maximum(partings["room_a"].astype(np.int64), 0)
        rows = (np.arange(len(partings)) * spec.n_rooms + rooms)[:, None] * n + np.arange(n)
        columns = {name: column(book, name)[rows.ravel()] for name in where.needs - {DEALER}}
        if HAND in columns:
            columns[HAND] = counted_from_1(columns[HAND])
        if DEALER in where.needs:
            columns[DEALER] = (column(book, "first_bidder")[rows.ravel()] - is_after) % n
        met = where(columns, n).reshape(-1, n)
        seats = np.maximum(partings["seat"].astype(np.int64), 0)
        found: npt.NDArray[np.bool_] = met[np.arange(len(partings)), seats]
        return found & (partings["kind"] != NONE) if where.term.is_own else found

    return choose
