"""Which boards of a diff count: a condition on the deal, or on what the deciding seat had and did."""

import numpy as np
import numpy.typing as npt

from spadesim.core.parting import NONE
from spadesim.core.rows import Book, column, value_names
from spadesim.core.rules import START_DEALER_LEFT, START_SECOND_DRAWER
from spadesim.expressions import Known, compile_where
from spadesim.match.diff_boards import Choose, Records
from spadesim.match.duel import Sides
from spadesim.match.spec import DuelSpec

DEALER = "dealer"


def chooser(text: str, spec: DuelSpec, sides: Sides) -> Choose:
    """What says which boards meet a condition.

    Parameters
    ----------
    text : str
        As `spadesim.expressions` has it, of rows. ``me`` is the seat at whose decision the rooms part; where
        they never do, a condition on ``me`` is not met. What happened is told of the first room in which A's
        bot sits there.
    spec : DuelSpec
    sides : tuple of 2 Side

    Raises
    ------
    UserError
        It is no condition, or can never be met.
    """
    rules = spec.rules.record()
    bots = [str(bot) for side in sides for bot in (side.lower, side.higher)]
    names = [*value_names(bool(rules["has_prelude"])), DEALER]
    where = compile_where(text, Known.of_rows(spec.rules, names, bots))
    n, is_after = spec.rules.players, int(rules["start_role"]) in (START_DEALER_LEFT, START_SECOND_DRAWER)

    def choose(book: Book, partings: Records) -> npt.NDArray[np.bool_]:
        rooms = np.maximum(partings["room_a"].astype(np.int64), 0)
        rows = (np.arange(len(partings)) * spec.n_rooms + rooms)[:, None] * n + np.arange(n)
        columns = {name: column(book, name)[rows.ravel()] for name in where.needs - {DEALER}}
        if DEALER in where.needs:
            columns[DEALER] = (column(book, "first_bidder")[rows.ravel()] - is_after) % n
        met = where(columns, n).reshape(-1, n)
        seats = np.maximum(partings["seat"].astype(np.int64), 0)
        found: npt.NDArray[np.bool_] = met[np.arange(len(partings)), seats]
        return found & (partings["kind"] != NONE) if where.term.is_own else found

    return choose
