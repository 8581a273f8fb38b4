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
from spadesim.analysis.words import listed
from spadesim.core.batch import BOARDS
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEPING, PLAYING
from spadesim.errors import UserError, suggest
from spadesim.match.deals import seat_at
from spadesim.match.duel import Notice
from spadesim.match.moment import Moment, hand_of, moment, split_specs
from spadesim.match.record import Replay
from spadesim.match.request import replay
from spadesim.match.spec import in_words, rooms_of, whole
from spadesim.notation import SEATS

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
    draw: int | None = None
    declare: bool = False
    exchange: bool = False
    ask: str | Sequence[str] | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be shown of any replay."""
        for name in ("hand", "room", "trick", "draw"):
            if getattr(self, name) is not None:
                whole(name, getattr(self, name))
        if self.hand is not None and self.hand < 1:
            raise UserError(f"hand must be at least 1, not {self.hand}: hands count from 1.")
        asked = self.asked
        if len(asked) > 1:
            raise UserError(f"{listed(asked)} exclude each other: one decision is shown at a time.")
        if self.seat is None and (asked or self.ask is not None):
            lone = "ask" if not asked else "A trick or the bidding" if self.trick is not None else asked[0]
            raise UserError(f"{lone} goes with a seat: say whose decision it is, such as seat N.")

    @property
    def asked(self) -> list[str]:
        """The decisions that are asked for, by their options; there may be one."""
        found = [name for name in ("trick", "draw") if getattr(self, name) is not None]
        return found + [name for name in ("declare", "exchange") if getattr(self, name)]

    def check(self, rules: Rules, format: str = "text") -> None:
        """Refuse what cannot be shown under some rules, before anything is played.

        Parameters
        ----------
        rules : Rules
        format : str
            One of `FORMATS`.
        """
        last_room, n = rooms_of(rules) - 1, rules.hand_size
        if self.room is not None and not 0 <= self.room <= last_room:
            right = "0 or 1" if last_room == 1 else f"from 0 to {last_room}"
            raise UserError(f"room must be {right}, not {self.room}.")
        if self.trick is not None and not 0 <= self.trick <= n:
            raise UserError(f"trick must be from 1 to {n}, or 0 for the bidding, not {self.trick}.")
        if self.seat is not None and not self.asked:
            draws = ", or a turn of the draw" if rules.deal == "draw_keep" else ""
            raise UserError(f"seat goes with a trick: 1 to {n}, or 0 for the bidding{draws}.")
        if self.seat is not None:
            seat_at(self.seat, rules.players)
        self._check_before(rules)
        if format == "pbn" and rules.players != len(SEATS):
            raise UserError(
                f"pbn holds four hands, but {in_words(rules.players)} play under these rules: "
                "take text or json."
            )
        if format == "pbn" and self.seat is not None:
            raise UserError("pbn holds whole hands: leave seat and trick out, or take json.")

    def _check_before(self, rules: Rules) -> None:
        """Refuse decisions before the bidding that the table does not have."""
        if self.draw is not None and rules.deal != "draw_keep":
            raise UserError(f"There is no draw with deal={rules.deal}: leave draw out.")
        if self.draw is not None and not 1 <= self.draw <= rules.hand_size:
            raise UserError(
                f"draw must be from 1 to {rules.hand_size}, the turns of a seat, not {self.draw}."
            )
        if (self.declare or self.exchange) and rules.blind_nil == "off":
            raise UserError(f"There is no blind nil with blind_nil=off: leave {self.asked[0]} out.")
        if self.exchange and rules.blind_nil_exchange == 0:
            raise UserError("No cards are exchanged with blind_nil_exchange=0: leave exchange out.")

    @property
    def decision(self) -> tuple[int, int] | None:
        """Phase and number of the decision that is asked for, as `spadesim.match.record` has them."""
        if self.draw is not None:
            return KEEPING, self.draw - 1
        if self.declare or self.exchange:
            return (DECLARING if self.declare else EXCHANGING), 0
        if self.trick is None:
            return None
        return (PLAYING, self.trick - 1) if self.trick else (BIDDING, 0)

    def options(self) -> list[str]:
        """The options of ``show`` that ask for the same."""
        words = []
        for name in ("hand", "room", "seat", "trick", "draw"):
            value = getattr(self, name)
            words += [] if value is None else [f"--{name}", str(value)]
        words += [f"--{name}" for name in ("declare", "exchange") if getattr(self, name)]
        if self.ask is None:
            return words
        return [*words, "--ask", self.ask if isinstance(self.ask, str) else ",".join(self.ask)]

    def rooms(self, n_rooms: int) -> tuple[int, ...]:
        """The rooms to show, of so many."""
        return tuple(range(n_rooms)) if self.room is None else (self.room,)


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
        * `room` : which room, from 0; all without it.
        * `seat` and `trick` : what a seat, by letter or number, knew in a trick from 1 on, or with 0
          before its bid; in room 0 unless `room` says otherwise. Instead of a trick, `draw` : a turn of its
          draw, from 1; or ``declare=True`` or ``exchange=True`` : when it was asked for a blind nil, or for
          the cards to exchange.
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
    rules = asked.get("rules", DEFAULT_PRESET)
    wanted.check(Rules.parse(rules) if isinstance(rules, str) else rules, format)
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
        return sheet_block(played, columns, wanted.rooms(len(played.rooms)))
    return hand_block(played, number, columns, wanted.rooms(len(played.rooms)))


def other_text(played: Replay, wanted: Wanted, format: str, notice: Notice | None = None) -> str:
    """The same as PBN or JSON."""
    number, rooms = hand_number(played, wanted), wanted.rooms(len(played.rooms))
    if format == "pbn":
        return pbn_text(played, number, rooms)
    found = replay_dict(played, number, rooms, moment_of(played, wanted, notice), wanted.options())
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
    rooms = wanted.rooms(len(played.rooms))
    room = max(rooms, key=lambda room: len(played.rooms[room].hands))
    hand_of(played, room, number)
    return number


def moment_of(played: Replay, wanted: Wanted, notice: Notice | None) -> Moment | None:
    """The decision that is asked for, None for a whole hand."""
    if wanted.seat is None or wanted.decision is None:
        return None
    seat, number = seat_at(wanted.seat, played.spec.rules.players), hand_number(played, wanted)
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
        phase=wanted.decision[0],
        number=wanted.decision[1],
        ask=ask,
        notice=notice,
    )
