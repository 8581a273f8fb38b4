"""Where two bots part, out of the JSON that ``spadesim diff`` prints: no bot is loaded, nothing is played."""

import typing
from collections.abc import Mapping
from typing import Any

from spadesim.analysis.readback import built
from spadesim.core.parting import KINDS, NONE
from spadesim.match.bots_of_run import absent_bot
from spadesim.match.diff_result import Case, DiffResult, Worth
from spadesim.match.record import Decision, Replay, Room
from spadesim.match.room_json import read_room
from spadesim.match.spec import DuelSpec, make_spec
from spadesim.notation import SEATS
from spadesim.strategy import Side

Values = Mapping[str, Any]


def read_diff(values: Values) -> DiffResult:
    """The result of a diff, without the boards that are not among its cases.

    Raises
    ------
    KeyError, TypeError, ValueError, UserError
        It is no such result.
    """
    spec = make_spec(
        values["a"], values["b"], rules=values["rules"], boards=values["requested"], seed=values["seed"],
        first=values["first"], scores=values["scores"], bags=values["bags"],
    )  # fmt: skip
    a, b = map(str, values["names"])
    cases = tuple(_case(one, spec, (a, b)) for one in values["cases"])
    return typing.cast(DiffResult, built(DiffResult, values, cases=cases, spec=spec, found=None))


def _case(values: Values, spec: DuelSpec, names: tuple[str, str]) -> Case:
    rooms = tuple(read_room(room, spec.rules) for room in values["rooms"])
    if [room.number for room in rooms] != list(range(spec.n_rooms)):
        raise ValueError("a case has other rooms than its rules")
    if values["kind"] not in KINDS[:NONE]:
        raise ValueError(f"its kind '{values['kind']}' is unknown")
    replay = Replay(spec, values["board"], _sides(values, rooms, names), rooms)
    room_a, room_b, found = values["room_a"], values["room_b"], replay.difference(0)
    given: dict[str, Any] = {
        "seat": SEATS.index(values["seat"]),
        "step_a": _step(found and found.decisions[room_a]),
        "step_b": _step(found and found.decisions[room_b]),
        "worth": None if values["worth"] is None else built(Worth, values["worth"]),
        "replay": replay,
    }
    return typing.cast(Case, built(Case, values, **given))


def _step(step: Decision | None) -> Decision:
    if step is None:
        raise ValueError("the rooms of a case are alike")
    return step


def _sides(values: Values, rooms: tuple[Room, ...], names: tuple[str, str]) -> tuple[Side, Side]:
    """The bots of both sides by what is told of them; where everybody plays alone a side has one."""
    texts: dict[int, str] = {}
    for room, told in zip(rooms, values["rooms"], strict=True):
        texts |= dict(zip(room.roles, map(str, told["players"].values()), strict=True))
    a, b = (_side(names[side], texts[2 * side], texts.get(2 * side + 1)) for side in (0, 1))
    return a, b


def _side(name: str, lower: str, higher: str | None) -> Side:
    return Side(absent_bot(name, lower), absent_bot(name, higher or lower))
