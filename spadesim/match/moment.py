"""One decision of a replay: what the seat knew there, and what other bots would have done in its place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spadesim.core.batch import BOARDS
from spadesim.core.view import BIDDING
from spadesim.errors import UserError
from spadesim.match.duel import Notice, load
from spadesim.match.record import N_SEATS, Choice, Hand, Replay, Room
from spadesim.match.replay import stand_at
from spadesim.notation import SEAT_NAMES
from spadesim.strategy import Strategy

Four = tuple[int, ...]
_SETTING = re.compile(r"[A-Za-z_]\w*=")


@dataclass(frozen=True)
class Answer:
    """What a bot would do.

    Parameters
    ----------
    bot : str
        The spec that was asked for.
    choice : int or None
        A bid or a card; None when it raised an exception.
    is_legal : bool
    error : str
        What it raised, "" for nothing.
    """

    bot: str
    choice: int | None
    is_legal: bool
    error: str = ""


@dataclass(frozen=True)
class Moment:
    """A decision and all that its seat knew; masks and seats as in `spadesim.match.record`.

    Parameters
    ----------
    room, seat, trick : int
        Where; trick 0 is the first, -1 the bidding.
    hand : Hand
        The hand that it belongs to; most of this the seat did not see.
    holding, legal : int
        Its cards left, and what it could choose from: cards, or bit b for bid b.
    made : int or None
        What it chose; None when its answer ended the hand.
    is_forced : bool
        Whether there was one legal choice, so that no bot was asked.
    leader, winning : int
        Seats: who leads this trick, and whose card is winning it; -1 before the lead.
    on_table : tuple of Choice
        The cards of this trick so far.
    bids, tricks : tuple of 4 int
        By seat; a bid of -1 has not been made.
    voids : tuple of 4 int
        By seat, bit s set when it has shown out of suit s.
    played, unseen : int
        Cards that everybody has seen, and cards that are in the other hands.
    spades_broken : bool
    answers : tuple of Answer
        What each bot that was asked would do; empty when the choice was forced.
    """

    room: int
    seat: int
    trick: int
    hand: Hand
    holding: int
    legal: int
    made: int | None
    is_forced: bool
    leader: int
    winning: int
    on_table: tuple[Choice, ...]
    bids: Four
    tricks: Four
    voids: Four
    played: int
    unseen: int
    spades_broken: bool
    answers: tuple[Answer, ...]

    @property
    def is_bidding(self) -> bool:
        """Whether the choice was a bid."""
        return self.trick < 0


def moment(
    played: Replay,
    *,
    room: int,
    hand: int,
    seat: int,
    trick: int,
    ask: Sequence[str] | None = None,
    notice: Notice | None = None,
) -> Moment:
    """What a seat knew at one of its decisions, and what bots would do there.

    Parameters
    ----------
    played : Replay
    room : int, 0 or 1
    hand : int
        0 for the first of a game.
    seat : int
    trick : int
        0 for the first, -1 for the bidding.
    ask : sequence of str, optional
        Specs of the bots to ask; of a side of two, the one for this seat is asked. A and B when left out.
    notice : function, optional
        Called with a line of text before a bot is compiled.

    Raises
    ------
    UserError
        The seat did not come to that decision, or a bot cannot be loaded.
    """
    record = hand_of(played, room, hand)
    choices = record.choices()
    at = _index(played.rooms[room], record, seat, trick)
    made = choices[at] if at < len(choices) else None
    position, view = stand_at(played, room, record, at)
    is_forced = made is not None and made.is_forced
    bots = _bots(played, seat, ask, notice)
    on_table = record.tricks[trick].plays[: int(view["n_in_trick"])] if view["n_in_trick"] else ()
    return Moment(
        room=room,
        seat=seat,
        trick=trick,
        hand=record,
        holding=int(view["hand"]),
        legal=int(view["legal"]),
        made=None if made is None else made.choice,
        is_forced=is_forced,
        leader=int(view["leader"]),
        winning=int(view["best_seat"]),
        on_table=on_table,
        bids=_four(view["bids"]),
        tricks=_four(view["tricks"]),
        voids=_four(view["voids"]),
        played=int(view["played"]),
        unseen=int(view["rules"]["deck"]) & ~int(view["hand"]) & ~int(view["played"]),
        spades_broken=bool(position["broken"]),
        answers=() if is_forced else tuple(_answer(name, bot, view.copy()) for name, bot in bots),
    )


def hand_of(played: Replay, room: int, number: int) -> Hand:
    """A hand of a room by its number.

    Raises
    ------
    UserError
        The game was over by then.
    """
    hands = played.rooms[room].hands
    if number < len(hands):
        return hands[number]
    name = f"board {played.unit} has one hand" if played.spec.kind == BOARDS else _lengths(played)
    raise UserError(f"There is no hand {number + 1} in room {room}: {name}.")


def _lengths(played: Replay) -> str:
    here, there = (len(room.hands) for room in played.rooms)
    rooms = f" in room 0 and {there} in room 1" if here != there else ""
    return f"game {played.unit} has {here} hand{'s' if here != 1 else ''}{rooms}"


def _index(room: Room, hand: Hand, seat: int, trick: int) -> int:
    """How many bids and cards came before a decision."""
    for k, choice in enumerate(hand.choices()):
        if choice.seat == seat and _trick_of(k) == trick:
            return k
    n = len(hand.choices())
    if room.fault is not None and room.fault.place.seat == seat and _trick_of(n) == trick:
        return n
    where = "its bid" if trick < 0 else f"trick {trick + 1}"
    end = f"the hand in trick {_trick_of(n) + 1}" if n >= N_SEATS else "the bidding"
    raise UserError(f"{SEAT_NAMES[seat]} did not come to {where}: a fault ended {end}.")


def _trick_of(k: int) -> int:
    return k // N_SEATS - 1


def _bots(
    played: Replay, seat: int, ask: Sequence[str] | None, notice: Notice | None
) -> list[tuple[str, Strategy]]:
    if ask is None:
        named = dict(zip((played.spec.a, played.spec.b), played.sides, strict=True))
    else:
        named = {text.strip(): load(text.strip(), notice) for text in ask}
    return [(name, side.higher if seat >> 1 else side.lower) for name, side in named.items()]


def _answer(name: str, bot: Strategy, view: Any) -> Answer:
    legal = int(view["legal"])
    function = bot.bid if view["phase"] == BIDDING else bot.play
    try:
        choice = int(function(view, bot.values.copy()))
    except Exception as error:  # whatever a user's bot raises
        return Answer(name, None, False, f"{type(error).__name__}: {error}".rstrip(": "))
    return Answer(name, choice, 0 <= choice <= 62 and bool(legal >> choice & 1))


def split_specs(text: str) -> list[str]:
    """The specs of a list with commas between them, which stand within specs, too.

    >>> split_specs("easy,hard:king=4,nil_risk=2,medium")
    ['easy', 'hard:king=4,nil_risk=2', 'medium']
    """
    specs: list[str] = []
    for part in text.split(","):
        if specs and _SETTING.match(part.strip()):
            specs[-1] += f",{part.strip()}"
        elif part.strip():
            specs.append(part.strip())
    return specs


def _four(values: Any) -> Four:
    return tuple(values.tolist())
