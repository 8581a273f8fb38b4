"""Playing with strategies: the loop that asks them, checks every answer and keeps the record of a room."""

from __future__ import annotations

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.position import advance, apply, fill_view, start_hand
from spadesim.core.rng import mix
from spadesim.core.view import BIDDING, HAND_OVER, VIEW

NO_FAULT, ILLEGAL, TAMPERED = range(3)

AUDIT_EVERY = 64  # every 64th game or board has its views compared before and after each answer

FAULT = np.dtype((np.record, [
    ("code", np.int64),  # NO_FAULT, ILLEGAL or TAMPERED
    ("unit", np.int64),
    ("room", np.int64),
    ("hand_no", np.int64),
    ("trick_no", np.int64),
    ("seat", np.int64),
    ("role", np.int64),  # which bot of the line-up
    ("phase", np.int64),
    ("choice", np.int64),
    ("legal", np.int64),
]))  # fmt: skip

VIEW_WORDS = VIEW.itemsize // 8
MAX_PARAMETERS = 128

# What a line-up plays with, in one piece of memory: the view that is put before each bot, the same bytes as
# int64s and a copy of these for the audit, each role's parameters, and the role that sits at each seat.
_LAYOUT = [
    ("sight", VIEW),
    ("shadow", np.dtype((np.int64, (VIEW_WORDS,)))),
    ("params", np.dtype((np.float64, (4, MAX_PARAMETERS)))),
    ("roles", np.dtype((np.int64, (4,)))),
    ("fault", FAULT),
]
_OFFSETS = np.cumsum([0, *(dtype.itemsize for _, dtype in _LAYOUT)])
DESK = np.dtype((np.record, {
    "names": [*(name for name, _ in _LAYOUT), "raw"],
    "formats": [*(dtype for _, dtype in _LAYOUT), np.dtype((np.int64, (VIEW_WORDS,)))],
    "offsets": [*_OFFSETS[:-1], 0],
}))  # fmt: skip

WORD = 0xFFFFFFFF
CARDS_PER_WORD = 5
WORDS_PER_HAND = 12


@jit
def play_hand(position, desk, bids, plays):  # type: ignore[no-untyped-def]
    """Deal and play one hand; `NO_FAULT`, or what a strategy did wrong (then `desk.fault` says where).

    Parameters
    ----------
    position : the table, between two hands
    desk : DESK record, its parameters and roles set
    bids, plays : a tuple each of the line-up's functions, by role
    """
    start_hand(position)
    return play_on(position, desk, bids, plays)


@jit
def play_on(position, desk, bids, plays):  # type: ignore[no-untyped-def]
    """Play a hand from wherever it stands to its end; parameters and result as `play_hand`."""
    view = desk.sight
    audited = position.index % AUDIT_EVERY == 0
    while True:
        phase = advance(position)
        if phase == HAND_OVER:
            return NO_FAULT
        seat = position.turn
        fill_view(position, seat, view)
        if audited:
            for k in range(VIEW_WORDS):
                desk.shadow[k] = desk.raw[k]
        role = desk.roles[seat]
        if phase == BIDDING:
            choice = bids[role](view, desk.params[role])
        else:
            choice = plays[role](view, desk.params[role])
        if choice < 0 or choice > 62 or not (position.legal >> choice) & 1:
            blame(position, role, choice, ILLEGAL, desk.fault)
            return ILLEGAL
        if audited and is_tampered(desk):
            blame(position, role, choice, TAMPERED, desk.fault)
            return TAMPERED
        position.n_free[seat] += 1
        apply(position, choice)


@jit
def is_tampered(desk):  # type: ignore[no-untyped-def]
    """Whether the view is no longer what it was when the bot was asked."""
    for k in range(VIEW_WORDS):
        if desk.raw[k] != desk.shadow[k]:
            return True
    return False


@jit
def blame(position, role, choice, code, fault):  # type: ignore[no-untyped-def]
    """Write down which answer broke the contract, and where."""
    fault.code = code
    fault.hand_no = position.hand_no
    fault.trick_no = position.trick_no
    fault.seat = position.turn
    fault.role = role
    fault.phase = position.phase
    fault.choice = choice
    fault.legal = position.legal


@jit
def digest_hand(position, low, high):  # type: ignore[no-untyped-def]
    """A room's digest, two 32-bit words, with a finished hand taken in: bids, cards in order, points."""
    at = 0
    for _ in range(WORDS_PER_HAND // 4):
        w0, at = _pack(position, at)
        w1, at = _pack(position, at)
        w2, at = _pack(position, at)
        w3, at = _pack(position, at)
        low, high = mix(low, high, w0, w1, w2, w3)
    bids = 0
    for seat in range(position.n_players):
        bids = (bids << 5) | position.bids[seat]
    return mix(
        low, high, bids, position.points[0] & WORD, position.points[1] & WORD,
        (position.points[2] * 65537 + position.points[3]) & WORD,
    )  # fmt: skip


@jit
def _pack(position, at):  # type: ignore[no-untyped-def]
    """The next five cards of the history as one 32-bit word, and where the next word begins."""
    word = 0
    for k in range(at, min(at + CARDS_PER_WORD, position.n_history)):
        word = (word << 6) | (position.history[k] + 1)
    return word, at + CARDS_PER_WORD
