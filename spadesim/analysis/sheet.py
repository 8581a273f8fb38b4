"""The score sheet of a set of games: a line for every hand of each room."""

from collections.abc import Sequence
from typing import NamedTuple

from spadesim.analysis.diagram import GAP, OWNER_STYLES
from spadesim.analysis.lines import Block, Line, Span, beside, cut, line, padded, width_of, wrapped
from spadesim.analysis.words import ending, side_labels, title
from spadesim.match.record import Hand, Replay, Room, Score
from spadesim.match.spec import in_words
from spadesim.notation import SEAT_NAMES

LABEL_WIDTH = 13
LEGEND = "≠ the rooms did not play the hand alike"


class Column(NamedTuple):
    """A number of a side's hand, and how wide it stands; + before what may show a plus sign."""

    head: str
    form: str
    field: str


COLUMNS = (
    Column(f"{'bid':>4}", ">4", "contract"),
    Column(f"{'won':>4}", ">4", "tricks"),
    Column(f"{'points':>7}", ">+7", "points"),
    Column(f"{'score':>6}", ">6", "score"),
    Column(f"{'bags':>5}", ">5", "bags"),
)
# With more sides there is no room for everything: points go, and then bags.
NARROWER = {2: (0, 1, 2, 3, 4), 3: (0, 1, 3, 4), 4: (0, 1, 3)}


def columns_for(n_sides: int) -> list[Column]:
    """The columns of each side at a table of so many sides."""
    return [COLUMNS[k] for k in NARROWER[n_sides]]


def sheet_block(played: Replay, columns: int, rooms: Sequence[int]) -> Block:
    """The score sheets of rooms, as many side by side as fit, and how each game ended."""
    different = {found.hand for found in played.differences()}
    tables = [_table(played, room, different) for room in played.rooms if room.number in rooms]
    all_rooms = "Both" if len(played.rooms) == 2 else f"All {in_words(len(played.rooms))}"
    same = "the same stock" if played.spec.rules.deal == "draw_keep" else "the same deals"
    rows = wrapped(title(played), columns, "head")
    rows += wrapped(f"{all_rooms} rooms get {same}; --hand H shows one of them card by card.", columns, "dim")
    if sum(map(width_of, tables)) + GAP * (len(tables) - 1) <= columns:
        rows += [line(), *beside(tables, GAP)]
    else:
        for table in tables:
            rows += [line(), *table]
    return [*rows, line(), *wrapped(LEGEND, columns, "dim")]


def _table(played: Replay, room: Room, different: set[int]) -> Block:
    first = room.hands[0]
    n_sides = len(first.scores)
    head = "".join(column.head for column in columns_for(n_sides))
    who = "first" if first.stock else "dealer"
    rows = [
        _head(played, room, len(head)),
        line(Span(f"{f'hand  {who}':<{LABEL_WIDTH}}{'  '.join([head] * n_sides)}", "dim")),
    ]
    rows += [_row(hand, hand.number in different) for hand in room.hands]
    return [*rows, *wrapped(ending(played, room), width_of(rows), "fault" if room.fault else "head")]


def _head(played: Replay, room: Room, side_width: int) -> Line:
    row = line(Span(f"Room {room.number}", "head"))
    for side, seats in enumerate(side_labels(room.hands[0])):
        owner, start = room.owner(side), LABEL_WIDTH + 2 + side * (side_width + 2)
        name = cut(f"{seats}  {played.names[owner]}", side_width - 2)
        row = (*padded(row, start), Span(name, OWNER_STYLES[owner]))
    return row


def _row(hand: Hand, is_different: bool) -> Line:
    mark = Span("≠" if is_different else " ", "mark")
    spans = [Span(f"{hand.number + 1:>4}"), mark, Span(f" {SEAT_NAMES[hand.dealer]:<7}")]
    for side, result in enumerate(hand.results or ()):
        text = "".join(_cell(column, result) for column in columns_for(len(hand.scores)))
        spans += [Span("  " if side else ""), Span(text, "set" if result.is_set else "")]
    return tuple(spans)


def _cell(column: Column, result: Score) -> str:
    return format(getattr(result, column.field), column.form)
