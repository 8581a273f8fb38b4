"""A hand to look at: which one, what of it, and in which form."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spadesim.analysis.diagram import hand_block
from spadesim.analysis.knowledge import moment_block
from spadesim.analysis.lines import Block, plain
from spadesim.analysis.pbn import pbn_text
from spadesim.analysis.plain import replay_dict
from spadesim.analysis.sheet import sheet_block
from spadesim.core.batch import BOARDS
from spadesim.errors import UserError, suggest
from spadesim.match.duel import Notice
from spadesim.match.moment import Moment, hand_of, moment, split_specs
from spadesim.match.record import Replay
from spadesim.match.request import replay
from spadesim.match.spec import whole
from spadesim.notation import parse_seat

FORMATS = ("text", "pbn", "json")
USUAL_WIDTH = 80
LEAST_WIDTH = 40


@dataclass(frozen=True)
class Wanted:
    """What of a replay to show; the fields are the parameters of `show`."""

    hand: int | None = None
    room: int | None = None
    seat: str | int | None = None
    trick: int | None = None
    ask: str | Sequence[str] | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be shown of any replay."""
        for name in ("hand", "room", "trick"):
            if getattr(self, name) is not None:
                whole(name, getattr(self, name))
        if self.hand is not None and self.hand < 1:
            raise UserError(f"hand must be at least 1, not {self.hand}: hands count from 1.")
        if self.room not in (None, 0, 1):
            raise UserError(f"room must be 0 or 1, not {self.room}.")
        if self.trick is not None and not 0 <= self.trick <= 13:
            raise UserError(f"trick must be from 1 to 13, or 0 for the bidding, not {self.trick}.")
        if self.seat is None and (self.trick is not None or self.ask is not None):
            lone = "A trick or the bidding" if self.trick is not None else "ask"
            raise UserError(f"{lone} goes with a seat: whose decision is it, N, E, S or W?")
        if self.seat is not None and self.trick is None:
            raise UserError("seat goes with a trick: 1 to 13, or 0 for the bidding.")

    @property
    def rooms(self) -> tuple[int, ...]:
        """The rooms to show."""
        return (0, 1) if self.room is None else (self.room,)


def show(a: str, b: str, *, format: str = "text", width: int = USUAL_WIDTH, **asked: Any) -> str:
    """A board, a game, one of its hands or one decision, as text.

    Parameters
    ----------
    a, b : str
        The two sides, as for `duel`.
    format : str
        "text" for people, "pbn" for bridge programs, "json" for other programs.
    width : int
        Columns of the text.
    **asked
        Which board, game or deal: the parameters of `replay`. And what of it:

        * `hand` : int, from 1; of a game without it, the score sheet.
        * `room` : 0 or 1; both without it.
        * `seat` and `trick` : what a seat, by letter or number, knew in a trick from 1 to 13, or with 0
          before its bid; in room 0 unless `room` says otherwise.
        * `ask` : bots that say what they would do there, ``easy,hard`` or a list; A and B without it.

    Raises
    ------
    UserError
        There is no such hand, seat or decision, or the bots cannot be loaded.

    Examples
    --------
    >>> print(show("easy", "hard", board=3).splitlines()[0])
    Board 3 of seed 1: easy against hard, rules pata
    """
    check_format(format)
    wanted = Wanted(**{name: asked.pop(name) for name in Wanted.__dataclass_fields__ if name in asked})
    played = replay(a, b, **asked)
    if format == "text":
        return plain(page(played, wanted, width))
    return other_text(played, wanted, format, asked.get("notice"))


def check_format(name: str) -> None:
    """Refuse a form that there is not."""
    if name not in FORMATS:
        right = ", ".join(FORMATS)
        raise UserError(f"There is no format '{name}'.{suggest(name, FORMATS)} Formats: {right}.")


def page(played: Replay, wanted: Wanted, columns: int, notice: Notice | None = None) -> Block:
    """What is asked for, as lines with styles.

    Parameters
    ----------
    played : Replay
    wanted : Wanted
    columns : int
    notice : function, optional
        As for `duel`.
    """
    columns = max(columns, LEAST_WIDTH)
    seen = moment_of(played, wanted, notice)
    if seen is not None:
        return moment_block(played, seen, columns)
    number = hand_number(played, wanted)
    if number is None:
        return sheet_block(played, columns, wanted.rooms)
    return hand_block(played, number, columns, wanted.rooms)


def other_text(played: Replay, wanted: Wanted, format: str, notice: Notice | None = None) -> str:
    """The same as PBN or JSON."""
    number = hand_number(played, wanted)
    if format == "pbn":
        if wanted.seat is not None:
            raise UserError("pbn holds whole hands: leave seat and trick out, or take json.")
        return pbn_text(played, number, wanted.rooms)
    found = replay_dict(played, number, wanted.rooms, moment_of(played, wanted, notice))
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def hand_number(played: Replay, wanted: Wanted) -> int | None:
    """The number of the hand, from 0, that is asked for; None for a whole game.

    Raises
    ------
    UserError
        No room asked for has such a hand.
    """
    if wanted.hand is None:
        return 0 if played.spec.kind == BOARDS else None
    number = wanted.hand - 1
    room = max(wanted.rooms, key=lambda room: len(played.rooms[room].hands))
    hand_of(played, room, number)
    return number


def moment_of(played: Replay, wanted: Wanted, notice: Notice | None) -> Moment | None:
    """The decision that is asked for, None for a whole hand."""
    if wanted.seat is None or wanted.trick is None:
        return None
    seat, number = parse_seat(wanted.seat), hand_number(played, wanted)
    if number is None:
        raise UserError("A decision in a game needs a hand, too: 1 for the first.")
    ask = split_specs(wanted.ask) if isinstance(wanted.ask, str) else wanted.ask
    if ask is not None and not ask:
        raise UserError("ask names no bot; it takes one or more, such as easy,hard.")
    return moment(
        played,
        room=wanted.room or 0,
        hand=number,
        seat=seat,
        trick=wanted.trick - 1,
        ask=ask,
        notice=notice,
    )
