"""What a search for hands gives: hands, and where they come from."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spadesim.expressions import Known, Value, Where
from spadesim.notation import SEATS, deal_text

Ints = npt.NDArray[np.integer]


@dataclass(frozen=True)
class Played:
    """What happened in a recorded hand, by seat.

    Parameters
    ----------
    hand, room : int
        Number of the hand in its game, from 1, and of its room, from 0.
    bots : tuple of str
    bids, tricks : tuple of int
    scores, bags, points : tuple of int
        Of the seat's side: before the hand, and what it brought.
    accepted : tuple of int
        The seats that meet the condition.
    """

    hand: int
    room: int
    bots: tuple[str, ...]
    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    scores: tuple[int, ...]
    bags: tuple[int, ...]
    points: tuple[int, ...]
    accepted: tuple[int, ...]


@dataclass(frozen=True)
class FoundHand:
    """A hand.

    Parameters
    ----------
    title : str
        Which one, in words.
    unit : int
        Number of its deal, board or game.
    cards : tuple of int
        The hands by seat, as masks.
    dealer, first_bidder : int
    command : str
        The command line that shows it.
    played : Played or None
        None for a fresh deal.
    """

    title: str
    unit: int
    cards: tuple[int, ...]
    dealer: int
    first_bidder: int
    command: str
    played: Played | None = None

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON object, as Python values."""
        found: dict[str, Any] = {
            "number": self.unit,
            "dealer": SEATS[self.dealer],
            "first_bidder": SEATS[self.first_bidder],
            "deal": deal_text(self.cards),
            "command": self.command,
        }
        if self.played is None:
            return found
        played = self.played
        seats = {
            SEATS[seat]: {
                "bot": bot,
                "accepted": seat in played.accepted,
                "bid": played.bids[seat],
                "tricks": played.tricks[seat],
                "score": played.scores[seat],
                "bags": played.bags[seat],
                "points": played.points[seat],
            }
            for seat, bot in enumerate(played.bots)
        }
        return found | {"hand": played.hand, "room": played.room, "seats": seats}


class Batch(NamedTuple):
    """A part of what is looked at.

    Parameters
    ----------
    trials : array of int
        By unit, how many were looked at.
    accepted : array of int
        By unit, how many of these were accepted.
    units : array of int
        The place in `trials` of the unit of each accepted one.
    values : array of int or None
        What each of these is counted by.
    examples : function of int
        Returns the first so many hands of them.
    """

    trials: Ints
    accepted: Ints
    units: Ints
    values: Ints | None
    examples: Callable[[int], list[FoundHand]]


class Source(ABC):
    """Where hands are looked for."""

    known: Known

    @abstractmethod
    def batches(
        self, accept: Where | None, value: Value | None, progress: Callable[[int, int], None] | None
    ) -> Iterator[Batch]:
        """Look through all hands, a part at a time."""

    def further(self, accept: Where) -> str:
        """How to look further where nothing met a condition; "" where there is no more to look at."""
        return ""

    @abstractmethod
    def what(self, number: int) -> str:
        """What is counted, in the singular or the plural."""

    @abstractmethod
    def command(self, where: str, by: str) -> str:
        """The command line that looks again."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """What the JSON object says of it."""


def counted(units: Ints, n: int) -> Ints:
    """How often each of `n` units occurs."""
    return np.bincount(units, minlength=n)
