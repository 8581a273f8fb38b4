"""What a bot did wrong, in one line: who, where, what was legal, and the command that shows it again."""

import dataclasses
from typing import Any

from spadesim.core.batch import BOARDS, Lineup, run_chunk
from spadesim.core.play import ILLEGAL, REWROTE
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEPING, PLAYING
from spadesim.errors import UserError
from spadesim.match.equity_file import table_of
from spadesim.match.record import Fault, Place
from spadesim.match.replay import replay_room
from spadesim.match.spec import DuelSpec, set_word
from spadesim.notation import SEATS, cards_text
from spadesim.strategy import Side, Strategy
from spadesim.strategy.show import answer_words, legal_words

MAX_SHOWN = 200


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
    return _error(spec, sides, Fault(place, int(fault["code"]), int(fault["choice"]), None))


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
    for room in range(spec.n_rooms):
        fault = replay_room(spec, lineup, unit, room).fault
        if fault is not None and fault.error is not None:
            return _error(spec, sides, fault)
    raise error


def _raises(spec: DuelSpec, lineup: Lineup, unit: int) -> bool:
    try:
        run_chunk(lineup, spec.rules, spec.task(unit, 1), equity=table_of(spec))
    except Exception:  # whatever a user's bot raises
        return True
    return False


def fault_text(fault: Fault, rules: Rules) -> str:
    """What a bot did wrong, without its name and the place."""
    if fault.error is not None:
        text = f": {fault.error}" if str(fault.error) else ""
        return f"raised {type(fault.error).__name__}{text}"[:MAX_SHOWN]
    if fault.code == ILLEGAL:
        place = fault.place
        answer = answer_words(place.phase, fault.choice, place.legal)
        return f"{answer}, which is not legal; legal {_choices(place, rules)}"
    return "wrote to its view, which is for reading only"


def _error(spec: DuelSpec, sides: tuple[Side, Side], fault: Fault) -> UserError:
    place, bot = fault.place, _bot(sides, fault.place.role)
    unit = f"{'board' if spec.kind == BOARDS else set_word(spec.n_rooms)} {place.unit}"
    where = f"{unit}, room {place.room}, seat {place.seat}, hand_no {place.hand_no}"
    if place.phase == PLAYING:
        where += f", trick_no {place.trick_no}"
    if place.phase == KEEPING:
        where += f", its turn {place.number(spec.rules.players) + 1} of the draw"
    return UserError(
        f"{bot.name} {fault_text(fault, spec.rules)} ({where}). To see it again: {place_command(spec, place)}"
    )


def place_command(spec: DuelSpec, place: Place) -> str:
    """The command line that shows what a bot knew at a decision."""
    where = ["--room", str(place.room)]
    where += ["--hand", str(place.hand_no + 1)] if spec.kind != BOARDS else []
    number = str(place.number(spec.rules.players) + 1)
    what = {
        BIDDING: ["--trick", "0"],
        PLAYING: ["--trick", number],
        KEEPING: ["--draw", number],
        DECLARING: ["--declare"],
        EXCHANGING: ["--exchange"],
    }
    return spec.show_command(place.unit, *where, "--seat", SEATS[place.seat], *what[place.phase])


def replay_command(spec: DuelSpec, unit: int) -> str:
    """The command line that plays one unit of a duel alone."""
    games, boards = (None, 1) if spec.kind == BOARDS else (spec.n_rooms, None)
    return dataclasses.replace(spec, games=games, boards=boards, first=unit).command()


def _bot(sides: tuple[Side, Side], role: int) -> Strategy:
    side = sides[role >> 1]
    return side.higher if role & 1 else side.lower


def _choices(place: Place, rules: Rules) -> str:
    if place.phase == PLAYING:
        return f"is {cards_text(place.legal)}"
    if place.phase == BIDDING:
        bids = [bid for bid in range(63) if place.legal >> bid & 1]
        return f"bids are {bids[0]} to {bids[-1]}"
    verb = "is" if place.phase == EXCHANGING else "are"
    return f"{verb} {legal_words(place.phase, place.legal, rules.blind_nil_exchange)}"
