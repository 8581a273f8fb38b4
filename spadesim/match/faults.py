"""What a bot did wrong, in one line: who, where, what was legal, and the command that shows it again."""

# mypy: allow-untyped-calls

import dataclasses
from typing import Any, NamedTuple

from spadesim.core.batch import BOARDS, Lineup, run_chunk
from spadesim.core.play import ILLEGAL, REWROTE
from spadesim.core.position import advance, apply, end_hand, fill_view, new_position, start_game, start_hand
from spadesim.core.scoring import GOES_ON
from spadesim.core.view import BIDDING, HAND_OVER, new_view
from spadesim.errors import UserError
from spadesim.match.spec import DuelSpec
from spadesim.notation import card_text, cards_text
from spadesim.strategy import Side, Strategy

MAX_SHOWN = 200


class Place(NamedTuple):
    """A decision: in which unit and room, and where in the hand; `role` says which bot's it was."""

    unit: int
    room: int
    hand_no: int
    trick_no: int
    seat: int
    role: int
    phase: int
    legal: int


def fault_error(spec: DuelSpec, sides: tuple[Side, Side], fault: Any) -> UserError:
    """The error for an answer that broke the contract.

    Parameters
    ----------
    spec : DuelSpec
    sides : tuple of 2 Side
    fault : FAULT record with a code
    """
    if fault["code"] == REWROTE:
        bot = _bot(sides, int(fault["role"]))
        return UserError(
            f"{bot.name} wrote to its parameters, which are for reading only (unit {int(fault['unit'])}). "
            f"To see it again: {replay_command(spec, int(fault['unit']))}"
        )
    place = Place(*(int(fault[name]) for name in Place._fields))
    choice = int(fault["choice"])
    if fault["code"] == ILLEGAL:
        what = f"{_answer(place, choice)}, which is not legal; legal {_choices(place)}"
    else:
        what = "wrote to its view, which is for reading only"
    return _error(spec, sides, place, what)


def raised_error(
    spec: DuelSpec, sides: tuple[Side, Side], lineup: Lineup, units: tuple[int, int], error: Exception
) -> UserError:
    """The error for a bot that raised an exception in a chunk.

    Compiled code does not say where. So the units of the chunk are played again one by one, and the one that
    raises is played decision by decision.

    Parameters
    ----------
    spec, sides, lineup : as for `run_duel`
    units : tuple of 2 int
        The first unit of the chunk, and how many there are.
    error : Exception
        What came out of the engine.

    Raises
    ------
    Exception
        `error` itself, when no bot raises this time: then it is none of theirs.
    """
    unit = next((unit for unit in range(units[0], sum(units)) if _raises(spec, lineup, unit)), units[0])
    for room in range(2):
        found = _replay(spec, lineup, unit, room)
        if found is not None:
            place, raised = found
            text = f": {raised}" if str(raised) else ""
            return _error(spec, sides, place, f"raised {type(raised).__name__}{text}"[:MAX_SHOWN])
    raise error


def _raises(spec: DuelSpec, lineup: Lineup, unit: int) -> bool:
    try:
        run_chunk(lineup, spec.rules, spec.task(unit, 1))
    except Exception:  # whatever a user's bot raises
        return True
    return False


def _replay(spec, lineup, unit, room):  # type: ignore[no-untyped-def]
    """The place where a bot raises in one room of a unit, and what it raises; None when none does."""
    position, view, task = new_position(spec.rules), new_view(), spec.task(unit, 1)
    start_game(position, spec.seed, unit)
    if spec.kind == BOARDS:
        position["scores"], position["bags"] = task["scores"], task["bags"]
    result = GOES_ON
    while result == GOES_ON and position["hand_no"] < spec.hand_cap:
        start_hand(position)
        while advance(position) != HAND_OVER:
            seat, phase = int(position["turn"]), int(position["phase"])
            role = ((seat + room) & 1) * 2 + (seat >> 1)
            fill_view(position, seat, view)
            function = (lineup.bids if phase == BIDDING else lineup.plays)[role]
            try:
                choice = function(view, lineup.params[role])
            except Exception as error:  # whatever a user's bot raises
                hand_no, trick_no = int(position["hand_no"]), int(position["trick_no"])
                return Place(unit, room, hand_no, trick_no, seat, role, phase, int(position["legal"])), error
            apply(position, choice)
        result = end_hand(position)
        if spec.kind == BOARDS:
            break
    return None


def _error(spec: DuelSpec, sides: tuple[Side, Side], place: Place, what: str) -> UserError:
    bot = _bot(sides, place.role)
    unit = f"board {place.unit}" if spec.kind == BOARDS else f"pair {place.unit}"
    where = f"{unit}, room {place.room}, seat {place.seat}, hand_no {place.hand_no}"
    if place.phase != BIDDING:
        where += f", trick_no {place.trick_no}"
    return UserError(f"{bot.name} {what} ({where}). To see it again: {replay_command(spec, place.unit)}")


def replay_command(spec: DuelSpec, unit: int) -> str:
    """The command line that plays one unit of a duel alone."""
    games, boards = (None, 1) if spec.kind == BOARDS else (2, None)
    return dataclasses.replace(spec, games=games, boards=boards, first=unit).command()


def _bot(sides: tuple[Side, Side], role: int) -> Strategy:
    side = sides[role >> 1]
    return side.higher if role & 1 else side.lower


def _answer(place: Place, choice: int) -> str:
    return f"bid {choice}" if place.phase == BIDDING else f"played {card_text(choice)}"


def _choices(place: Place) -> str:
    if place.phase != BIDDING:
        return f"is {cards_text(place.legal)}"
    bids = [bid for bid in range(63) if place.legal >> bid & 1]
    return f"bids are {bids[0]} to {bids[-1]}"
