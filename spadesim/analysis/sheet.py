"""The score sheet of a pair of games: a line for every hand of each room."""

from collections.abc import Sequence

from spadesim.analysis.diagram import GAP, OWNER_STYLES
from spadesim.analysis.lines import Block, Line, Span, beside, cut, line, padded, width_of, wrapped
from spadesim.analysis.words import SIDES, ending, title
from spadesim.match.record import Hand, Replay, Room
from spadesim.notation import SEAT_NAMES

LABEL_WIDTH, SIDE_WIDTH = 13, 26
HEAD = f"{'bid':>4}{'won':>4}{'points':>7}{'score':>6}{'bags':>5}"
LEGEND = "≠ the rooms did not play the hand alike"


def sheet_block(played: Replay, columns: int, rooms: Sequence[int] = (0, 1)) -> Block:
    """The score sheets of rooms, side by side where there is room, and how each game ended."""
    different = {found.hand for found in played.differences()}
    tables = [_table(played, room, different) for room in played.rooms if room.number in rooms]
    rows = wrapped(title(played), columns, "head")
    rows += wrapped("Both rooms get the same deals; --hand H shows one of them card by card.", columns, "dim")
    if sum(map(width_of, tables)) + GAP * (len(tables) - 1) <= columns:
        rows += [line(), *beside(tables, GAP)]
    else:
        for table in tables:
            rows += [line(), *table]
    return [*rows, line(), *wrapped(LEGEND, columns, "dim")]


def _table(played: Replay, room: Room, different: set[int]) -> Block:
    rows = [
        _head(played, room),
        line(Span(f"{'hand  dealer':<{LABEL_WIDTH}}{HEAD}{HEAD:>{SIDE_WIDTH + 2}}", "dim")),
    ]
    rows += [_row(hand, hand.number in different) for hand in room.hands]
    return [*rows, *wrapped(ending(played, room), width_of(rows), "fault" if room.fault else "head")]


def _head(played: Replay, room: Room) -> Line:
    row = line(Span(f"Room {room.number}", "head"))
    for side, seats in enumerate(SIDES):
        owner, start = room.owner(side), LABEL_WIDTH + 2 + side * (SIDE_WIDTH + 2)
        name = cut(f"{seats}  {played.names[owner]}", SIDE_WIDTH - 2)
        row = (*padded(row, start), Span(name, OWNER_STYLES[owner]))
    return row


def _row(hand: Hand, is_different: bool) -> Line:
    mark = Span("≠" if is_different else " ", "mark")
    spans = [Span(f"{hand.number + 1:>4}"), mark, Span(f" {SEAT_NAMES[hand.dealer]:<7}")]
    for side in range(2):
        if hand.results is not None:
            result = hand.results[side]
            made = f"{result.contract:>4}{result.tricks:>4}{result.points:>+7}"
            after = f"{result.score:>6}{result.bags:>5}"
            spans += [Span("  " if side else ""), Span(made + after, "set" if result.is_set else "")]
    return tuple(spans)
