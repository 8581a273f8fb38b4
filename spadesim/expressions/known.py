"""What an expression may ask for: the cards of fresh deals, or the columns of a recorded run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.rules import DECK_MASKS, Rules

Array = npt.NDArray[Any]
DEAL_COLUMNS = ("cards", "first_bidder", "dealer")
SEATS = "nesw"


@dataclass(frozen=True)
class Known:
    """What is known of the hands that an expression is about.

    Parameters
    ----------
    rules : Rules
    columns : frozenset of str
        Names under which rows tell something, as `RecordedRun.columns` has them.
    bots : tuple of str
        The bots by role, a.lower, a.higher, b.lower, b.higher; empty where nobody plays.
    is_deals : bool
        Whether these are fresh deals, one answer each, and not rows of a run, one answer a seat and hand.
    """

    rules: Rules
    columns: frozenset[str]
    bots: tuple[str, ...] = ()
    is_deals: bool = False

    @classmethod
    def of_deals(cls, rules: Rules) -> "Known":
        """Fresh deals under some rules."""
        return cls(rules, frozenset(DEAL_COLUMNS), is_deals=True)

    @classmethod
    def of_rows(cls, rules: Rules, columns: Iterable[str], bots: Iterable[str] = ()) -> "Known":
        """Rows of a run with these columns, and its bots by role."""
        return cls(rules, frozenset(columns), tuple(bots))

    @property
    def n_seats(self) -> int:
        """Seats at the table, which is rows to a hand."""
        return self.rules.players

    @property
    def has_partners(self) -> bool:
        """Whether seats 0 and 2 play against 1 and 3."""
        return self.rules.teams == "partners" and self.n_seats == 4

    @property
    def hand_size(self) -> int:
        """Cards of a hand."""
        return self.rules.hand_size

    @property
    def pack(self) -> int:
        """The cards that there are, as a mask."""
        return DECK_MASKS[self.rules.deck]

    @property
    def is_whole_pack_dealt(self) -> bool:
        """Whether every card of the pack is in some hand."""
        return self.hand_size * self.n_seats == self.pack.bit_count()


class Block:
    """Columns of some hands, each of shape (hands, seats).

    Parameters
    ----------
    columns : mapping of str to array
        Rows of whole hands, a seat after the other.
    n_seats : int
    """

    def __init__(self, columns: Mapping[str, Array], n_seats: int) -> None:
        self.n_seats = n_seats
        self._columns = {name: np.asarray(values).reshape(-1, n_seats) for name, values in columns.items()}

    def __getitem__(self, name: str) -> Array:
        return self._columns[name]

    def __len__(self) -> int:
        return min(map(len, self._columns.values()), default=0)

    def part(self, first: int, last: int) -> "Block":
        """Some of the hands."""
        found = object.__new__(Block)
        found.n_seats = self.n_seats
        found._columns = {name: values[first:last] for name, values in self._columns.items()}
        return found
