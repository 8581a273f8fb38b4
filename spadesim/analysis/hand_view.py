"""A hand as a page shows it: the deal around the table, every room trick by trick, and what came of it.

The cells are the lines of `spadesim.analysis.diagram`, whose styles a page turns into classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from spadesim.analysis.diagram import (
    LEGEND,
    LEGEND_OF_DRAW,
    OWNER_STYLES,
    bid_cells,
    card_cells,
    cards_line,
    counts_of,
    parted_in,
    standing_text,
    suit_lines,
    turn_cells,
)
from spadesim.analysis.lines import Block, Line, Span, line
from spadesim.analysis.words import before_bidding, fault_sentence, opening, outcome, side_labels
from spadesim.match.record import Hand, Replay, Room
from spadesim.notation import SEAT_NAMES, SEATS


@dataclass(frozen=True)
class Holding:
    """The cards of a seat: a line for each suit, spades first."""

    seat: str
    deals: bool
    suits: Block


@dataclass(frozen=True)
class RoomRow:
    """A row of a room: a bid, a trick, a turn of the draw; `count` is how the tricks stand after it."""

    label: str
    cells: Sequence[Line]
    count: str = ""

    @property
    def parted(self) -> list[bool]:
        """Which of the cells are where the rooms part."""
        return [any(span.style == "mark" and "≠" in span.text for span in cell) for cell in self.cells]


@dataclass(frozen=True)
class RoomView:
    """A room.

    Parameters
    ----------
    title : str
    sides : sequence of (str, Line, str)
        Seats, who sits there, and the score and bags that the hand began with.
    heads : sequence of Line
        The seats.
    count_head : str
        Above the counts of tricks; "" where there are none.
    draw : sequence of RoomRow
        The turns of the draw.
    before : sequence of str
        What else was decided before the bidding, in sentences.
    made : sequence of (str, Line)
        At a draw table the hands that it made, by seat.
    rows : sequence of RoomRow
    results : sequence of (Line, sequence of str)
        By side: contract, tricks, points, and score and bags after the hand.
    outcome : sequence of str
        In sentences.
    """

    title: str
    sides: Sequence[tuple[str, Line, str]]
    heads: Sequence[Line]
    count_head: str
    draw: Sequence[RoomRow]
    before: Sequence[str]
    made: Sequence[tuple[str, Line]]
    rows: Sequence[RoomRow]
    results: Sequence[tuple[Line, Sequence[str]]]
    outcome: Sequence[str]


@dataclass(frozen=True)
class HandView:
    """A hand; its rooms draw their own cards at a draw table, and there are no holdings then."""

    opening: str
    holdings: Sequence[Holding]
    rooms: Sequence[RoomView]
    legend: str


@dataclass(frozen=True)
class DrawnHand:
    """A hand that a page is to draw; one that cannot be drawn raises at once, where the page is told of.

    Parameters
    ----------
    played : Replay
    rooms : sequence of int
        Which rooms, by number; each of them has the hand.
    number : int
        Of the hand, 0 for the first of a game.

    Attributes
    ----------
    view : HandView
        What is shown of it.
    """

    played: Replay
    rooms: Sequence[int]
    number: int = 0
    view: HandView = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the view."""
        object.__setattr__(self, "view", hand_view(self.played, self.rooms, self.number))


def hand_view(played: Replay, numbers: Sequence[int], number: int) -> HandView:
    """What a page shows of a hand in some rooms; parameters as those of `DrawnHand`."""
    rooms = [played.rooms[room] for room in numbers]
    hand = rooms[0].hands[number]
    holdings = [
        Holding(SEAT_NAMES[seat], seat == hand.dealer, suit_lines(cards))
        for seat, cards in enumerate(hand.dealt)
        if not hand.stock
    ]
    legend = f"{LEGEND}   {LEGEND_OF_DRAW}" if hand.stock else LEGEND
    views = [_room(played, room, number) for room in rooms]
    return HandView(opening(hand), holdings, views, legend)


def _room(played: Replay, room: Room, number: int) -> RoomView:
    hand, parted, labels = (
        room.hands[number],
        parted_in(played, room, number),
        side_labels(room.hands[number]),
    )
    tricks = [
        RoomRow(str(k + 1), card_cells(hand, k, trick, parted), count)
        for k, (trick, count) in enumerate(zip(hand.tricks, counts_of(hand), strict=True))
    ]
    won = RoomRow("won", [line(f" {hand.won_by(seat)}") for seat in range(hand.n_seats)])
    fault = fault_sentence(played, room)
    return RoomView(
        title=f"Room {room.number}",
        sides=[_side(played, room, hand, side) for side in range(len(labels))],
        heads=[
            line(Span(SEATS[seat], OWNER_STYLES[room.owner(seat)])) for seat in range(hand.n_seats)
        ],
        count_head="–".join(labels).replace("/", "") if len(labels) == 2 else "",
        draw=[RoomRow(str(k + 1), cells) for k, cells in enumerate(turn_cells(hand, parted))],
        before=list(before_bidding(hand)),
        made=[(SEATS[n], cards_line(cards)) for n, cards in enumerate(hand.dealt) if hand.stock and cards],
        rows=[RoomRow("bid", bid_cells(hand, parted)), *tricks, won],
        results=_results(room, hand),
        outcome=[*outcome(hand), *([fault] if fault else [])],
    )  # fmt: skip


def _side(played: Replay, room: Room, hand: Hand, side: int) -> tuple[str, Line, str]:
    owner = room.owner(side)
    standing = standing_text(hand, side) if any(hand.scores + hand.bags) else ""
    return side_labels(hand)[side], line(Span(played.names[owner], OWNER_STYLES[owner])), standing


def _results(room: Room, hand: Hand) -> list[tuple[Line, Sequence[str]]]:
    return [
        (
            line(Span(side_labels(hand)[side], OWNER_STYLES[room.owner(side)])),
            [str(won.contract), str(won.tricks), f"{won.points:+}", str(won.score), str(won.bags)],
        )
        for side, won in enumerate(hand.results or ())
    ]
