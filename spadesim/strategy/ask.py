"""Playing seeded boards with a strategy, taking down what it was shown, and asking it again about that."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import COMPILED, jit
from spadesim.core.batch import lay_out, no_answer
from spadesim.core.call import address_of, ask
from spadesim.core.play import DESK, answer_weakly
from spadesim.core.position import (
    POSITION,
    advance,
    apply,
    fill_view,
    new_position,
    start_game,
    start_hand,
)
from spadesim.core.redeal import hide_again, redeal
from spadesim.core.rules import Rules
from spadesim.core.seating import seat_line_up
from spadesim.core.view import HAND_OVER, VIEW, is_legal
from spadesim.core.weakness import FORGET, dim, forgotten_cards
from spadesim.strategy.compiled import ASKED_BEFORE, BY_PHASE
from spadesim.strategy.lineup import lineup
from spadesim.strategy.load import Side, Strategy

UNANSWERED = -(2**63)

_RECORDS = {dtype: types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (VIEW, POSITION, DESK)}
_INTS = types.Array(types.int64, 1, "C")
_FLOATS = types.Array(types.float64, 2, "C")

Views = npt.NDArray[np.void]
Ints = npt.NDArray[np.int64]


class Seen(NamedTuple):
    """What a strategy was shown at each of its decisions, the whole truth there, and what it answered.

    An answer of `UNANSWERED` can only be the last, when the strategy raised; so can an illegal one. `company`
    names who played the other side at each decision.
    """

    views: Views
    positions: npt.NDArray[np.void]
    answers: Ints
    company: list[str]
    rules: Rules
    error: Exception | None = None

    def part(self, which: slice) -> "Seen":
        """A part of the decisions."""
        return self._replace(
            views=self.views[which],
            positions=self.positions[which],
            answers=self.answers[which],
            company=self.company[which],
        )


def watch(strategy: Strategy, company: Strategy, rules: Rules, seed: int, n: int) -> Seen:
    """The first `n` decisions of a strategy on seeded boards: at A's seats, at all in its own company.

    Parameters
    ----------
    strategy : Strategy
    company : Strategy
        Plays at the other seats.
    rules : Rules
    seed : int
        Which boards; the scores and bags differ from board to board.
    n : int
        Fewer come back when the strategy gives an illegal answer or raises.
    """
    seen = Seen(np.zeros(n, VIEW), np.zeros(n, POSITION), np.full(n, UNANSWERED), [str(company)] * n, rules)
    tables, desks = np.zeros(1, POSITION), np.zeros(1, DESK)
    tables[0] = new_position(rules)
    lay_out(desks[0], lineup(Side(strategy, strategy), Side(company, company), rules))
    reached = np.zeros(1, np.int64)
    error = None
    try:
        roles = 4 if company is strategy else 2
        _call(_watch, tables, desks, seed, roles, seen.views, seen.positions, seen.answers, reached)
    except Exception as raised:  # whatever a user's bot raises
        error = raised
    count = int(reached[0])
    return seen._replace(error=error).part(slice(count))


def answers_to(strategy: Strategy, views: Views, rows: npt.NDArray[np.float64] | None = None) -> Ints:
    """What a strategy answers to each of many views, a bid, a card or another choice by the view's phase.

    Parameters
    ----------
    strategy : Strategy
    views : array of VIEW records
    rows : float64 array of shape (2, parameters), optional
        What it gets as `p`, in bidding and later; its own unless given.

    Raises
    ------
    Exception
        Whatever the strategy raises.
    """
    answers = np.full(len(views), UNANSWERED)
    functions = [strategy.functions.get(name, no_answer) for name in BY_PHASE]
    calls = np.array([address_of(function) for function in functions], dtype=np.int64)
    _call(_ask_all, calls, strategy.rows if rows is None else rows, views, answers)
    return answers


def choices_of(strategy: Strategy, views: Views) -> Ints:
    """What a strategy does at a table with each of many views, its weaknesses included.

    Parameters
    ----------
    strategy : Strategy
    views : array of VIEW records
        As its seat may know them, without any weakness.

    Raises
    ------
    Exception
        Whatever the strategy raises.
    """
    if not strategy.weaknesses.any():
        return answers_to(strategy, views)
    desks, answers = np.zeros(1, DESK), np.full(len(views), UNANSWERED)
    both = Side(strategy, strategy)
    keeps, blinds, exchanges = ((strategy.functions.get(name),) * 4 for name in ASKED_BEFORE)
    lay_out(desks[0], lineup(both, both)._replace(keeps=keeps, blinds=blinds, exchanges=exchanges))
    _call(_choose_all, desks, views, answers)
    return answers


def dimmed(views: Views, weaknesses: npt.NDArray[np.float64]) -> Views:
    """The views at the same decisions as a bot with weaknesses has them.

    Parameters
    ----------
    views : array of VIEW records
    weaknesses : float64 array, see `spadesim.strategy.wrappers`
    """
    others = views.copy()
    _call(_dim_all, others, weaknesses)
    return others


def are_legal(views: Views, answers: Ints) -> npt.NDArray[np.bool_]:
    """Which of many answers are legal, by the view that each was given to."""
    marks = np.zeros(len(views), dtype=np.int64)
    _call(_judge_all, views, answers, marks)
    legal: npt.NDArray[np.bool_] = marks == 1
    return legal


def redealt(seen: Seen, number: int) -> Views:
    """The views at the same decisions after the cards that the seat cannot see have been dealt anew."""
    views = np.zeros(len(seen.views), VIEW)
    _call(_redeal_all, seen.positions.copy(), seen.views, number, views)
    return views


def _call(function: Any, *arguments: Any) -> Any:
    if COMPILED and not function.signatures:
        function.compile(_SIGNATURES[function.__name__])
    return function(*arguments)


_SIGNATURES = {
    "_watch": types.void(
        _RECORDS[POSITION],
        _RECORDS[DESK],
        types.int64,
        types.int64,
        _RECORDS[VIEW],
        _RECORDS[POSITION],
        _INTS,
        _INTS,
    ),
    "_choose_all": types.void(_RECORDS[DESK], _RECORDS[VIEW], _INTS),
    "_dim_all": types.void(_RECORDS[VIEW], types.Array(types.float64, 1, "C")),
    "_ask_all": types.void(_INTS, _FLOATS, _RECORDS[VIEW], _INTS),
    "_judge_all": types.void(_RECORDS[VIEW], _INTS, _INTS),
    "_redeal_all": types.void(_RECORDS[POSITION], _RECORDS[VIEW], types.int64, _RECORDS[VIEW]),
}


@jit
def _watch(tables, desks, seed, n_roles, views, positions, answers, reached):  # type: ignore[no-untyped-def]
    position, desk = tables[0], desks[0]
    board = 0
    while True:
        start_game(position, seed, board)
        rules = position.rules
        seat_line_up(rules, board % rules.n_rooms, desk.roles)
        lowest_score = max(rules.floor + 1, -150)
        for side in range(rules.n_sides):  # any standing within the target and the floor
            above = (board * (61 + 36 * side) - lowest_score) % (rules.target - lowest_score)
            position.scores[side] = lowest_score + above
            position.bags[side] = (board >> side) % max(rules.bag_limit, 1)
        start_hand(position)
        while advance(position) != HAND_OVER:
            seat = position.turn
            role = desk.roles[seat]
            fill_view(position, seat, desk.sight)
            at = reached[0]
            if role < n_roles:
                if at == views.size:
                    return
                views[at] = desk.sight
                positions[at] = position
                reached[0] = at + 1
            choice = ask(
                desk.calls[position.phase, role], desk.sight, desk.params[min(position.phase, 1), role]
            )
            if role < n_roles:
                answers[at] = choice
            if not is_legal(position, choice):
                return
            apply(position, choice)
        board += 1


@jit
def _ask_all(calls, rows, views, answers):  # type: ignore[no-untyped-def]
    for k in range(views.size):
        answers[k] = ask(calls[views[k].phase], views[k], rows[min(views[k].phase, 1)])


@jit
def _choose_all(desks, views, answers):  # type: ignore[no-untyped-def]
    desk = desks[0]
    for k in range(views.size):
        desk.sight = views[k]
        _, answers[k] = answer_weakly(desk, 0, False)


@jit
def _dim_all(views, weakness):  # type: ignore[no-untyped-def]
    for k in range(views.size):
        dim(views[k], weakness, forgotten_cards(views[k].rng_key, weakness[FORGET]))


@jit
def _judge_all(views, answers, marks):  # type: ignore[no-untyped-def]
    for k in range(views.size):
        marks[k] = 1 if is_legal(views[k], answers[k]) else 0


@jit
def _redeal_all(positions, views, number, others):  # type: ignore[no-untyped-def]
    hands = np.empty(4, dtype=np.int64)
    for k in range(views.size):
        position = positions[k]
        redeal(views[k], views[k].rng_key, number, hands)
        hide_again(position, position.turn, hands, views[k].rng_key, number)
        # A bot may know its random numbers, never where they come from or which table it sits at.
        position.seed += 1
        position.index += 1
        position.serial += 1
        fill_view(position, position.turn, others[k])
