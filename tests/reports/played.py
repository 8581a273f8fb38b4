"""Runs of bots that play to a script, and their hands with scores and bags, told card by card."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

import spadesim
from spadesim.analysis.report import Section
from spadesim.match.duel import Keep, play_duel
from spadesim.match.recorded import RecordedRun
from spadesim.match.spec import make_spec
from tests.match.bots import write_bot
from tests.reports.scripted import Seat, picture, seats_of

HIGHEST = """cards = view.legal
    while cards & (cards - 1):
        cards &= cards - 1
    return lowest(cards)"""
RUFF_PARTNER = """spades = view.legal >> 39 << 39
    if 0 <= view.led_suit < 3 and view.best_seat == view.partner and spades:
        return lowest(spades)
    return lowest(view.legal)"""
BOTS = {
    "greedy": {"bid": "return 2", "play": HIGHEST},
    "bold": {"bid": "return 4"},
    "ruffer": {"bid": "return 3", "play": RUFF_PARTNER},
    "north": {"play": f"if view.seat:\n        return lowest(view.legal)\n    {HIGHEST}"},
}


def recorded(folder: Path, a: str, b: str, record: str = "cards", **more: Any) -> RecordedRun:
    """A run of scripted bots."""
    sides = [write_bot(folder, name, **BOTS[name]) for name in (a, b)]
    play_duel(make_spec(*sides, **more), keep=Keep(folder / record, record))
    return spadesim.load(folder / record)


@dataclass
class Hand:
    """A hand of a game, with what was before it."""

    game: tuple[int, int]
    number: int
    seats: list[Seat]
    scores: list[int]  # of the two sides, before the hand
    bags: list[int]

    def over(self, side: int) -> int:
        """Tricks above the contract."""
        return sum(seat.tricks - seat.bid for seat in self.seats[side::2])

    def new_bags(self, side: int) -> int:
        return max(self.over(side), 0)

    def points(self, side: int) -> int:
        bid = sum(seat.bid for seat in self.seats[side::2])
        if self.over(side) < 0:
            return -10 * bid
        return 10 * bid + self.over(side) - 100 * ((self.bags[side] + self.over(side)) // 10)


def hands_of(run: RecordedRun) -> list[Hand]:
    """All hands, scores and bags counted anew by Pata's rules; no bot here bids nil."""
    seats = seats_of(run)
    places = run.seats(["unit", "room", "hand"])[::4].to_numpy().tolist()
    found: list[Hand] = []
    for number, (unit, room, hand) in enumerate(places):
        scores, bags = [0, 0], [0, 0]
        if hand > 1:
            last = found[-1]
            scores = [last.scores[side] + last.points(side) for side in (0, 1)]
            bags = [(last.bags[side] + last.new_bags(side)) % 10 for side in (0, 1)]
        found.append(Hand((unit, room), hand, seats[4 * number : 4 * number + 4], scores, bags))
    return found


def sides_of(hands: Sequence[Hand]) -> Iterator[tuple[str, Hand, int]]:
    """Every side in every hand, and its bot."""
    for hand in hands:
        for side in (0, 1):
            yield hand.seats[side].bot, hand, side


def shown(sections: Sequence[Section], name: str, *columns: str) -> dict[tuple[Any, ...], float]:
    """What a picture shows, by bot and columns."""
    data = picture(sections, name).data
    keys = zip(*(data[column] for column in ("bot", *columns)), strict=True)
    return dict(zip(keys, data["mean"], strict=True))


def tabled(section: Section, column: str) -> dict[tuple[Any, ...], float]:
    """What a table shows of bots beside each other."""
    frame = section.tables[0].frame.set_index(column)  # type: ignore[union-attr]
    bots = [str(name).removesuffix("_mean") for name in frame if str(name).endswith("_mean")]
    return {(bot, key): mean for bot in bots for key, mean in frame[f"{bot}_mean"].dropna().items()}


def mean_by(told: Iterator[tuple[Hashable, float]]) -> dict[Hashable, Any]:
    """The mean of values by their keys."""
    kinds: dict[Hashable, list[float]] = {}
    for key, value in told:
        kinds.setdefault(key, []).append(value)
    return {key: pytest.approx(fmean(values)) for key, values in kinds.items()}
