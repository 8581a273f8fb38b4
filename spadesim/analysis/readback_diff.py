"""Where two bots part, out of the JSON that ``spadesim diff`` prints: no bot is loaded, nothing is played."""

import typing
from collections.abc import Mapping, Sequence
from typing import Any

from spadesim.analysis.readback import built
from spadesim.core.parting import KINDS, NONE
from spadesim.match.bots_of_run import absent_bot
from spadesim.match.diff_result import VERDICTS, Case, DiffResult, Worth
from spadesim.match.record import Decision, Difference, Replay, Room
from spadesim.match.room_json import read_room, read_seat
from spadesim.match.spec import DuelSpec, check_range, make_spec
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
    for part in values["kinds"]:
        _check_kind(part["kind"], KINDS)
    a, b = map(str, values["names"])
    cases = tuple(_case(one, spec, (a, b)) for one in values["cases"])
    return typing.cast(DiffResult, built(DiffResult, values, cases=cases, spec=spec, found=None))


def _case(values: Values, spec: DuelSpec, names: tuple[str, str]) -> Case:
    rooms = tuple(read_room(room, spec.rules) for room in values["rooms"])
    if [room.number for room in rooms] != list(range(spec.n_rooms)):
        raise ValueError("a case has other rooms than its rules")
    _check_kind(values["kind"], KINDS[:NONE])
    check_range("board", values["board"], spec.first, spec.first + spec.units - 1)
    replay = Replay(spec, values["board"], _sides(values, rooms, names), rooms)
    found = replay.difference(0)
    given: dict[str, Any] = {
        "seat": read_seat(values["seat"], SEATS[: spec.rules.players]),
        "step_a": _step(found, values["room_a"]),
        "step_b": _step(found, values["room_b"]),
        "worth": None if values["worth"] is None else _worth(values["worth"]),
        "replay": replay,
    }
    return typing.cast(Case, built(Case, values, **given))


def _check_kind(kind: object, known: Sequence[str]) -> None:
    if kind not in known:
        raise ValueError(f"its kind '{kind}' is unknown")


def _step(found: Difference | None, room: int) -> Decision:
    """What was decided in a room where the rooms part."""
    if found is None:
        raise ValueError("the rooms of a case are alike")
    check_range("the room of a case", room, 0, len(found.decisions) - 1)
    step = found.decisions[room]
    if step is None:
        raise ValueError(f"nothing is decided in room {room} of a case")
    return step


def _worth(values: Values) -> Worth:
    worth = typing.cast(Worth, built(Worth, values))
    if worth.verdict not in VERDICTS:
        raise ValueError(f"its verdict '{worth.verdict}' is unknown")
    return worth


def _sides(values: Values, rooms: tuple[Room, ...], names: tuple[str, str]) -> tuple[Side, Side]:
    """The bots of both sides by what is told of them; where everybody plays alone a side has one."""
    texts: dict[int, str] = {}
    for room, told in zip(rooms, values["rooms"], strict=True):
        texts |= dict(zip(room.roles, map(str, told["players"].values()), strict=True))
    a, b = (_side(names[side], texts[2 * side], texts.get(2 * side + 1)) for side in (0, 1))
    return a, b


def _side(name: str, lower: str, higher: str | None) -> Side:
    return Side(absent_bot(name, lower), absent_bot(name, higher or lower))
