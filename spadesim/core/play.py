"""Playing with strategies: the loop that asks them, checks every answer and keeps the record of a room."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from spadesim.core._jit import jit, jit_within
from spadesim.core.call import ask
from spadesim.core.cards import N_CARD_BITS, lowest
from spadesim.core.memory import word_at
from spadesim.core.position import advance, apply, fill_view, start_hand
from spadesim.core.rng import mix
from spadesim.core.tally import WORD
from spadesim.core.view import BIDDING, DECLARING, HAND_OVER, PLAYING, VIEW, is_legal
from spadesim.core.weakness import (
    BLUNDER,
    FORGET,
    N_WEAKNESSES,
    dim,
    falls,
    forgotten_cards,
    shuns_nil,
    weak_bid,
)

NO_FAULT, ILLEGAL, TAMPERED, REWROTE = range(4)

AUDIT_EVERY = 64  # every 64th game or board has its views compared before and after each answer

FAULT = np.dtype((np.record, [
    ("code", np.int64),  # NO_FAULT, ILLEGAL, TAMPERED (with the view) or REWROTE (parameters)
    ("unit", np.int64),
    ("room", np.int64),
    ("hand_no", np.int64),
    ("trick_no", np.int64),
    ("n_drawn", np.int64),  # turns of the draw that were over
    ("seat", np.int64),
    ("role", np.int64),  # which bot of the line-up
    ("phase", np.int64),
    ("choice", np.int64),
    ("legal", np.int64),
]))  # fmt: skip

N_PHASES = HAND_OVER  # phases in which a bot is asked
VIEW_WORDS = VIEW.itemsize // 8
MAX_PARAMETERS = 128

# What a line-up plays with, in one piece of memory: the view that is put before each bot, a copy of its
# words for the audit, the address of each role's functions by phase, each role's
# parameters, the same as they were given, how many of them count, and the role that sits at each seat. A role
# with weaknesses is asked about a dimmed view; what it forgets is worked out once for each of its keys.
DESK = np.dtype((np.record, [
    ("sight", VIEW),
    ("shadow", np.int64, (VIEW_WORDS,)),
    ("calls", np.int64, (N_PHASES, 4)),
    ("params", np.float64, (2, 4, MAX_PARAMETERS)),  # of the bidding, and of all later phases
    ("given", np.float64, (2, 4, MAX_PARAMETERS)),
    ("n_params", np.int64),
    ("roles", np.int64, (4,)),
    ("is_weak", np.int64, (4,)),  # by role, 1 when one of its weaknesses is above 0
    ("weakness", np.float64, (4, N_WEAKNESSES)),
    ("dimmed", VIEW),
    ("forgotten", np.int64, (4,)),  # cards, by role
    ("forgotten_by", np.int64, (4,)),  # the key for which that is so
    ("fault", FAULT),
    ("n_spared", np.int64),  # hands that were counted without being played out
]))  # fmt: skip

# Odd 31-bit weights of the cards by place: two different hands almost surely differ in one of two sums.
FIRST_WEIGHTS, SECOND_WEIGHTS = (
    np.array(
        [zlib.crc32(f"{lane} {place}".encode()) >> 1 | 1 for place in range(N_CARD_BITS)], dtype=np.int64
    )
    for lane in ("first", "second")
)


@jit
def play_hand(position: Any, desk: Any) -> Any:
    """Deal and play one hand; `NO_FAULT`, or what a strategy did wrong (then `desk.fault` says where).

    Parameters
    ----------
    position : the table, between two hands
    desk : DESK record with the line-up laid out: its calls, parameters and roles
    """
    start_hand(position)
    return play_on(position, desk)


@jit
def play_on(position: Any, desk: Any) -> Any:
    """Play a hand from wherever it stands to its end; parameters and result as `play_hand`."""
    while True:
        phase = advance(position)
        if phase == HAND_OVER:
            return NO_FAULT
        code = decide(position, phase, desk)
        if code != NO_FAULT:
            return code


@jit
def bid_on(position: Any, desk: Any) -> Any:
    """Bid a hand from wherever that stands to its end; parameters and result as `play_hand`."""
    while True:
        phase = advance(position)
        if phase != BIDDING:
            return NO_FAULT
        code = decide(position, phase, desk)
        if code != NO_FAULT:
            return code


@jit_within
def decide(position: Any, phase: Any, desk: Any) -> Any:
    """Ask whose turn it is, and do what it answers; a fault's code, or `NO_FAULT`."""
    view, seat = desk.sight, position.turn
    audited = position.index % AUDIT_EVERY == 0
    fill_view(position, seat, view)
    view.serial = 0  # it differs by chunk and room, so no bot may see it
    role = desk.roles[seat]
    if desk.is_weak[role]:
        return decide_weakly(position, role, audited, desk)
    if audited:
        for k in range(VIEW_WORDS):
            desk.shadow[k] = word_at(view, k)
    choice = ask(desk.calls[phase, role], view, desk.params[min(phase, 1), role])
    if not is_legal(position, choice):
        blame(position, role, choice, ILLEGAL, desk.fault)
        return ILLEGAL
    if audited and is_tampered(view, desk.shadow):
        blame(position, role, choice, TAMPERED, desk.fault)
        return TAMPERED
    view.serial = position.serial
    position.n_free[seat] += 1
    apply(position, choice)
    return NO_FAULT


@jit
def decide_weakly(position: Any, role: Any, audited: Any, desk: Any) -> Any:
    """`decide` for a role with weaknesses, once `desk.sight` is filled."""
    view, seat = desk.sight, position.turn
    code, choice = answer_weakly(desk, role, audited)
    if code != NO_FAULT:
        blame(position, role, choice, code, desk.fault)
        return code
    view.serial = position.serial
    position.n_free[seat] += 1
    apply(position, choice)
    return NO_FAULT


@jit
def answer_weakly(desk: Any, role: Any, audited: Any) -> Any:
    """What a role with weaknesses answers to the view in `desk.sight`, which stays as it is.

    Returns
    -------
    tuple of 2 int
        `NO_FAULT`, or what the bot did wrong; and the answer.
    """
    sight, weakness = desk.sight, desk.weakness[role]
    phase = sight.phase
    if phase == DECLARING and shuns_nil(sight, weakness):
        return NO_FAULT, np.int64(0)
    if desk.forgotten_by[role] != sight.rng_key:
        desk.forgotten[role] = forgotten_cards(sight.rng_key, weakness[FORGET])
        desk.forgotten_by[role] = sight.rng_key
    desk.dimmed = sight
    view = desk.dimmed
    dim(view, weakness, desk.forgotten[role])
    if audited:
        for k in range(VIEW_WORDS):
            desk.shadow[k] = word_at(view, k)
    choice = ask(desk.calls[phase, role], view, desk.params[min(phase, 1), role])
    if not is_legal(sight, choice):
        return ILLEGAL, choice
    if audited and is_tampered(view, desk.shadow):
        return TAMPERED, choice
    if phase == BIDDING:
        return NO_FAULT, weak_bid(view, choice, weakness)
    if phase == PLAYING and falls(sight.rng_key, BLUNDER, sight.trick_no, weakness[BLUNDER]):
        return next_best(desk, role, choice)
    return NO_FAULT, choice


@jit
def next_best(desk: Any, role: Any, best: Any) -> Any:
    """The card that a role plays when it cannot have its best one; result as `answer_weakly`."""
    view = desk.dimmed
    legal = desk.sight.legal & ~(np.int64(1) << best)
    if legal & (legal - 1) == 0:
        return NO_FAULT, lowest(legal)
    view.legal = legal
    choice = ask(desk.calls[PLAYING, role], view, desk.params[1, role])
    return NO_FAULT if is_legal(view, choice) else ILLEGAL, choice


@jit
def is_tampered(view: Any, shadow: Any) -> Any:
    """Whether the view is no longer what it was when the bot was asked."""
    n_changed = 0
    for k in range(VIEW_WORDS):
        n_changed += 1 if word_at(view, k) != shadow[k] else 0
    return n_changed > 0


@jit
def rewriter(desk: Any) -> Any:
    """The first role whose parameters are no longer what they were when the line-up sat down, -1 for none."""
    for role in range(4):
        n_changed = 0
        for k in range(desk.n_params):
            n_changed += 1 if desk.params[0, role, k] != desk.given[0, role, k] else 0
            n_changed += 1 if desk.params[1, role, k] != desk.given[1, role, k] else 0
        if n_changed > 0:
            return role
    return -1


@jit
def blame(position: Any, role: Any, choice: Any, code: Any, fault: Any) -> Any:
    """Write down which answer broke the contract, and where."""
    fault.code = code
    fault.hand_no = position.hand_no
    fault.trick_no = position.trick_no
    fault.n_drawn = position.n_drawn
    fault.seat = position.turn
    fault.role = role
    fault.phase = position.phase
    fault.choice = choice
    fault.legal = position.legal


@jit
def digest_hand(position: Any, low: Any, high: Any) -> Any:
    """A room's digest, two 32-bit words, with a finished hand taken in: bids, cards in order, points."""
    first = second = np.int64(0)
    for k in range(position.n_history):
        first += FIRST_WEIGHTS[k] * position.history[k]
        second += SECOND_WEIGHTS[k] * position.history[k]
    bids = np.int64(0)
    points = np.int64(0)
    for seat in range(4):
        bids = (bids << 6) | (position.bids[seat] + 1)
        points = (points * 65537 + position.points[seat]) & WORD
    low, high = mix(low, high, first & WORD, first >> 32, second & WORD, second >> 32)
    if position.rules.has_prelude:
        for seat in range(position.n_players):
            given = position.given[seat]
            answers = position.kept[seat] * 4 + position.blind[seat] + 1
            low, high = mix(low, high, given & WORD, given >> 32, answers, seat)
    return mix(low, high, bids, points, position.n_history, 0)
