"""One decision of a replay: what the seat knew there, and what other bots would have done in its place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spadesim.core.batch import BOARDS
from spadesim.core.view import (
    BIDDING,
    DECLARING,
    EXCHANGING,
    KEEPING,
    PLAYING,
    drawn_back,
    is_legal,
    unseen_cards,
)
from spadesim.errors import UserError
from spadesim.match.duel import Notice, load
from spadesim.match.record import Choice, Hand, Replay
from spadesim.match.replay import stand_at
from spadesim.notation import SEAT_NAMES
from spadesim.strategy import Strategy
from spadesim.strategy.ask import choices_of
from spadesim.strategy.load import check_side

_SETTING = re.compile(r"[A-Za-z_]\w*=")


@dataclass(frozen=True)
class Answer:
    """What a bot would do.

    Parameters
    ----------
    bot : str
        The spec that was asked for.
    choice : int or None
        A bid, a card or another answer; None when it raised an exception.
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
    room, seat : int
        Where.
    phase, number : int
        Which decision, as in `spadesim.match.record.Decision`.
    hand : Hand
        The hand that it belongs to; most of this the seat did not see.
    holding, legal : int
        Its cards left, and what it could choose from: cards, or bit b for bid or answer b.
    made : int or None
        What it chose; None when its answer ended the hand.
    is_forced : bool
        Whether there was one legal choice, so that no bot was asked.
    leader, winning : int
        Seats: who leads this trick, and whose card is winning it; -1 before the lead.
    on_table : tuple of Choice
        The cards of this trick so far.
    bids, tricks : tuple of int
        By seat; a bid of -1 has not been made.
    voids : tuple of int
        By seat, bit s set when it has shown out of suit s.
    played, unseen : int
        Cards that everybody has seen, and cards that it has not seen.
    may_be_back : int
        Discards that it saw and that another seat may have drawn since, in an exchange.
    spades_broken : bool
    offered : int
        The card of the stock to keep or to pass up; -1 elsewhere.
    discards : int
        Cards out of play that it saw discarded.
    turns : tuple of str
        By seat, for each turn of the draw so far "k" when it kept the first card and "p" when it passed it
        up, as everybody saw.
    blind : tuple of int
        By seat, 1 for a declared blind nil, 0 for none, -1 before it was asked.
    n_exchanged : tuple of int
        By seat, how many cards it exchanged.
    may_exchange : int
        How many cards the rules let the bidder of a blind nil exchange.
    answers : tuple of Answer
        What each bot that was asked would do; empty when the choice was forced.
    """

    room: int
    seat: int
    phase: int
    number: int
    hand: Hand
    holding: int
    legal: int
    made: int | None
    is_forced: bool
    leader: int
    winning: int
    on_table: tuple[Choice, ...]
    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    voids: tuple[int, ...]
    played: int
    unseen: int
    may_be_back: int
    spades_broken: bool
    offered: int
    discards: int
    turns: tuple[str, ...]
    blind: tuple[int, ...]
    n_exchanged: tuple[int, ...]
    may_exchange: int
    answers: tuple[Answer, ...]

    @property
    def has_draw(self) -> bool:
        """Whether the hand was drawn from a stock."""
        return bool(self.hand.stock)


def moment(
    played: Replay,
    *,
    room: int,
    hand: int,
    seat: int,
    phase: int = PLAYING,
    number: int = 0,
    ask: Sequence[str] | None = None,
    notice: Notice | None = None,
) -> Moment:
    """What a seat knew at one of its decisions, and what bots would do there.

    Parameters
    ----------
    played : Replay
    room : int, from 0
    hand : int
        0 for the first of a game.
    seat : int
    phase : int
        Which kind of decision: one of `spadesim.core.view`.
    number : int
        From 0: the trick, or the seat's own turn of the draw; 0 elsewhere.
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
    steps = record.decisions()
    at = _index(played, room, record, (seat, phase, number))
    made = steps[at].made if at < len(steps) else None
    bots = _bots(played, seat, ask, notice)
    position, view = stand_at(played, room, record, at)
    is_forced = made is not None and made.is_forced
    n = record.n_seats
    on_table = record.tricks[number].plays[: int(view["n_in_trick"])] if view["n_in_trick"] else ()
    return Moment(
        room=room,
        seat=seat,
        phase=phase,
        number=number,
        hand=record,
        holding=int(view["hand"]),
        legal=int(view["legal"]),
        made=None if made is None else made.choice,
        is_forced=is_forced,
        leader=int(view["leader"]),
        winning=int(view["best_seat"]),
        on_table=on_table,
        bids=_first(view["bids"], n),
        tricks=_first(view["tricks"], n),
        voids=_first(view["voids"], n),
        played=int(view["played"]),
        unseen=int(unseen_cards(view)),
        may_be_back=int(drawn_back(view)),
        spades_broken=bool(position["broken"]),
        offered=int(view["offered"]),
        discards=int(view["discards"]),
        turns=_turns(record, int(view["n_drawn"])),
        blind=_first(view["blind"], n),
        n_exchanged=_first(view["n_exchanged"], n),
        may_exchange=int(view["rules"]["blind_nil_exchange"]),
        answers=() if is_forced else tuple(_answer(name, bot, view) for name, bot in bots),
    )


def _turns(hand: Hand, n_drawn: int) -> tuple[str, ...]:
    """Who kept and who passed up what it was offered in the draw so far."""
    done = hand.draw()[:n_drawn]
    return tuple(
        "".join("k" if turn.is_kept else "p" for turn in done if turn.seat == seat)
        for seat in range(hand.n_seats if hand.stock else 0)
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
    lengths = [len(room.hands) for room in played.rooms]
    first = f"game {played.unit} has {lengths[0]} hand{'s' if lengths[0] != 1 else ''}"
    if len(set(lengths)) == 1:
        return first
    rest = [f"{n} in room {k}" for k, n in enumerate(lengths)][1:]
    return f"{first} in room 0{''.join(f', {part}' for part in rest[:-1])} and {rest[-1]}"


def _index(played: Replay, room: int, hand: Hand, wanted: tuple[int, int, int]) -> int:
    """How many choices came before a decision, which is named by seat, phase and number."""
    steps, fault = hand.decisions(), played.rooms[room].fault
    for k, step in enumerate(steps):
        if (step.made.seat, step.phase, step.number) == wanted:
            return k
    seat, phase, number = wanted
    if fault is None or fault.place.hand_no != hand.number:
        raise UserError(f"{SEAT_NAMES[seat]} was not asked {_ASKED[phase]} in this hand.")
    place = fault.place
    at = place.number(hand.n_seats)
    if (place.seat, place.phase, at) == wanted:
        return len(steps)
    end = "the bidding" if place.phase == BIDDING else decision_name(place.phase, at)
    name = "its bid" if phase == BIDDING else decision_name(phase, number)
    raise UserError(f"{SEAT_NAMES[seat]} did not come to {name}: a fault ended the hand in {end}.")


_ASKED = {DECLARING: "about a blind nil", EXCHANGING: "to exchange cards"}


def decision_name(phase: int, number: int) -> str:
    """Which decision it is, as a noun.

    >>> decision_name(PLAYING, 0), decision_name(KEEPING, 4)
    ('trick 1', 'turn 5 of the draw')
    """
    if phase == PLAYING:
        return f"trick {number + 1}"
    if phase == KEEPING:
        return f"turn {number + 1} of the draw"
    return {BIDDING: "the bidding", DECLARING: "its word on a blind nil", EXCHANGING: "its exchange"}[phase]


def _bots(
    played: Replay, seat: int, ask: Sequence[str] | None, notice: Notice | None
) -> list[tuple[str, Strategy]]:
    if ask is None:
        named = dict(zip((played.spec.a, played.spec.b), played.sides, strict=True))
    else:
        named = {text.strip(): load(text.strip(), notice) for text in ask}
    for side in named.values():
        check_side(side, played.spec.rules)
    return [(name, side.higher if seat >> 1 else side.lower) for name, side in named.items()]


def _answer(name: str, bot: Strategy, view: Any) -> Answer:
    try:
        choice = int(choices_of(bot, np.array([view]))[0])
    except Exception as error:  # whatever a user's bot raises
        return Answer(name, None, False, f"{type(error).__name__}: {error}".rstrip(": "))
    return Answer(name, choice, bool(is_legal(view, choice)))


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


def _first(values: Any, n: int) -> tuple[int, ...]:
    return tuple(values[:n].tolist())
