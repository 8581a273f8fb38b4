"""Runs of scripted bots, and what happened in them told card by card, for the truth of pages."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import spadesim
from spadesim.analysis.gather import gather
from spadesim.analysis.report import Picture, Report, Section, subjects_of
from spadesim.match.duel import Keep, play_duel
from spadesim.match.recorded import RecordedRun
from spadesim.match.spec import make_spec
from tests.match.bots import write_bot

BIDS = {
    "zero": "return 0",
    "three": "return 3",
    "ace_nil": "return 0 if view.hand >> 51 & 1 else 4",  # with the ace of spades: never made
    "two_nil": "return 0 if view.hand & 1 else 2",  # with the two of clubs
}


@dataclass
class Seat:
    """What a seat did in a hand, by the cards alone."""

    bot: str
    seat: int
    bid: int
    cards: list[int]  # as they were played
    first_bidder: int  # who leads first, too
    points: int  # of the side
    table: "list[Seat]" = field(repr=False)
    won: list[int] = field(default_factory=list)  # tricks, from 1
    led_by: list[int] = field(default_factory=list)  # seats that led the tricks won

    @property
    def tricks(self) -> int:
        return len(self.won)

    @property
    def place(self) -> int:
        return (self.seat - self.first_bidder) % 4

    @property
    def partner(self) -> "Seat":
        return self.table[(self.seat + 2) % 4]

    @property
    def opponents(self) -> "list[Seat]":
        return [self.table[(self.seat + k) % 4] for k in (1, 3)]

    @property
    def spades(self) -> list[int]:
        return [card % 13 + 2 for card in self.cards if card >= 39]

    @property
    def high(self) -> int:
        return sum(card % 13 + 2 > 10 for card in self.cards)

    @property
    def low(self) -> int:
        return sum(card % 13 + 2 < 7 for card in self.cards)


def play(folder: Path, a: str, b: str, **more: Any) -> RecordedRun:
    """A run of scripted bots that is recorded with all cards."""
    files = {name: write_bot(folder, name, bid=body) for name, body in BIDS.items()}
    sides = ["+".join(files[name] for name in side.split("+")) for side in (a, b)]
    play_duel(make_spec(*sides, **more), keep=Keep(folder / "run", "cards"))
    return spadesim.load(folder / "run")


def seats_of(run: RecordedRun) -> list[Seat]:
    """Every seat in every hand, the tricks played anew."""
    rows = run.seats(["bot", "seat", "bid", "plays", "first_bidder", "points"]).to_dict("records")
    found = []
    for first in range(0, len(rows), 4):
        table: list[Seat] = []
        for row in rows[first : first + 4]:
            row["bot"], row["cards"] = Path(row["bot"]).stem, row.pop("plays").tolist()
            table.append(Seat(**{str(name): value for name, value in row.items()}, table=table))
        leader = table[0].first_bidder
        for trick in range(13):
            lead = table[leader].cards[trick] // 13
            strength = [
                card + 100 * (card // 13 == 3) if card // 13 in (lead, 3) else -1
                for card in (seat.cards[trick] for seat in table)
            ]
            winner = strength.index(max(strength))
            table[winner].won.append(trick + 1)
            table[winner].led_by.append(leader)
            leader = winner
        found += table
    return found


def sections_of(page: Any, *runs: RecordedRun) -> Sequence[Section]:
    """What a page says of runs."""
    subjects = subjects_of(runs)
    built: Sequence[Section] = page.build(
        Report(runs=runs, subjects=subjects, counts=gather(runs, page.COUNTS))
    )
    return built


def picture(sections: Sequence[Section], name: str) -> Picture:
    """A picture by its name."""
    return next(found for section in sections for found in section.pictures if found.name == name)


def means(
    seats: Iterable[Seat], key: Callable[[Seat], Hashable], value: Callable[[Seat], float]
) -> dict[Hashable, tuple[int, float]]:
    """How many seats there are of each kind, and the mean of what is told of them."""
    kinds: dict[Hashable, list[float]] = defaultdict(list)
    for seat in seats:
        kinds[key(seat)].append(value(seat))
    return {kind: (len(values), fmean(values)) for kind, values in kinds.items()}
