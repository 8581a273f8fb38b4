"""What is settled at the beginning of a trick: sure spades, tricks to cash, the last trick."""

from __future__ import annotations

from typing import Any

from spadesim.core._jit import jit, jit_within
from spadesim.core.aims import TRICKS_OF_0, TRICKS_OF_1
from spadesim.core.cards import (
    SIDE_SUITS_MASK,
    SPADES,
    SPADES_MASK,
    SUIT_RANKS,
    above,
    highest,
    popcount,
    suit_mask,
    suit_of,
)
from spadesim.core.solve_ranks import sure_rank, sure_spades
from spadesim.core.solve_table import UNKNOWN
from spadesim.core.trick import beats


@jit
def last_trick(work: Any, ply: Any) -> int:
    """Whether side 0 reaches the aim with the last trick, in which everybody has one card."""
    leader = work.p_seat[ply]
    best = highest(work.hands[leader])
    winner = leader
    is_ranked = False
    for k in range(1, 4):
        seat = (leader + k) & 3
        card = highest(work.hands[seat])
        is_same = suit_of(card) == suit_of(best)
        if beats(card, best):
            best = card
            winner = seat
            is_ranked = is_same
        else:
            is_ranked |= is_same
    work.outcome_ranks = 1 << best if is_ranked else 0
    return work.aim_next[work.p_aim[ply], winner]


@jit
def settle(work: Any, ply: Any, kind: Any, need: Any, left: Any) -> int:
    """Whether a side wins `need` of the tricks left, where sure tricks settle it: 1, 0 or UNKNOWN.

    `outcome_ranks` gets the cards that it rests on.
    """
    if kind > TRICKS_OF_1:
        return UNKNOWN
    sure = work.sure[(work.p_in_play[ply] >> 39) & SUIT_RANKS]
    best = kind if sure_spades(sure, kind) >= sure_spades(sure, kind + 2) else kind + 2
    ours = sure_spades(sure, best)
    if ours >= need:
        work.outcome_ranks = sure_rank(sure, best)
        return 1
    foe = 1 - kind
    other = foe if sure_spades(sure, foe) >= sure_spades(sure, foe + 2) else foe + 2
    theirs = sure_spades(sure, other)
    if need > left - theirs:
        work.outcome_ranks = sure_rank(sure, other)
        return 0
    if kind != TRICKS_OF_0:
        return UNKNOWN
    cashed = cash(work, ply)
    if work.p_seat[ply] & 1 == 0:
        if cashed + ours >= need:
            work.outcome_ranks |= sure_rank(sure, best) if ours else 0
            return 1
    elif need > left - theirs - cashed:
        work.outcome_ranks |= sure_rank(sure, other) if theirs else 0
        return 0
    return UNKNOWN


@jit
def cash(work: Any, ply: Any) -> int:
    """How many tricks the leader's side can take at once in the side suits, without touching its spades.

    `outcome_ranks` gets the cards that it rests on.
    """
    leader = work.p_seat[ply]
    partner = (leader + 2) & 3
    hand = work.hands[leader]
    facing = work.hands[partner]
    total = 0
    most = 0
    ranks = 0
    ranks_over = 0
    for suit in range(SPADES):
        held = suit_mask(suit)
        if hand & held == 0:
            continue
        n = _n_run(work, leader, held)
        if n:
            total += n
            ranks |= _lowest_of_top(hand & held, n) if work.p_in_play[ply] & held & ~hand else 0
            continue
        n = _n_run(work, partner, held)
        if n > most:
            most = n
            ranks_over = _lowest_of_top(facing & held, n)
    if facing & SPADES_MASK:
        total = min(total, popcount(facing & SIDE_SUITS_MASK))
    if most and _can_spare(hand, total + most) and _can_spare(facing, total + most):
        total += most
        ranks |= ranks_over
    work.outcome_ranks = ranks if total else 0
    return total


@jit_within
def _can_spare(hand: Any, n: Any) -> Any:
    """Whether a hand has cards of side suits for so many tricks."""
    return hand & SPADES_MASK == 0 or popcount(hand & SIDE_SUITS_MASK) >= n


@jit_within
def _n_run(work: Any, seat: Any, held: Any) -> Any:
    """How many of a seat's cards of a suit are above all others and cannot be ruffed."""
    hands = work.hands
    left = hands[(seat + 1) & 3]
    right = hands[(seat + 3) & 3]
    others = (left | right | hands[(seat + 2) & 3]) & held
    top = hands[seat] & held
    if others:
        top &= above(highest(others))
    n = popcount(top)
    if left & SPADES_MASK:
        n = min(n, popcount(left & held))
    if right & SPADES_MASK:
        n = min(n, popcount(right & held))
    return n


@jit_within
def _lowest_of_top(cards: Any, n: Any) -> Any:
    """The `n`-th highest card, as a mask."""
    for _ in range(popcount(cards) - n):
        cards &= cards - 1
    return cards & -cards
