"""The table of positions: what the search has found out about the beginnings of tricks.

An entry holds for every position with the same length of every suit in every hand, the same leader, and the
same owners of the highest few cards of each suit: the lower ones have never won a trick by their rank.
Numbers of an entry: key (shape, tricks left, leader, broken; 0 for an empty one), what was found (aim's kind,
bounds, how many cards of each suit matter), and the owners in two words.
"""

from __future__ import annotations

from typing import Any

from spadesim.core._jit import jit, jit_within
from spadesim.core.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from spadesim.core.solve_ranks import PATTERN_BITS, lowest_ranked, n_ranked, top_mask
from spadesim.core.solve_work import ENTRY, WAYS

UNKNOWN = -1
KIND, LOWER, UPPER = 24, 20, 16  # where they stand in the second number; the counts of cards are below
FACTOR_1, FACTOR_2, FACTOR_3 = 0x2545F491, 0x1B873593, 0x19D699A5
LOW_31 = (1 << 31) - 1


@jit_within
def entry_place(table: Any, key: Any, kind: Any) -> Any:
    """Where the group of entries for a key begins; its arithmetic stays within 63 bits."""
    mixed = ((key & LOW_31) * FACTOR_1) ^ ((key >> 31) * FACTOR_2) ^ (kind * FACTOR_3)
    mixed = ((mixed >> 20) & LOW_31) * FACTOR_2 ^ mixed
    n_groups = table.size // (WAYS * ENTRY)
    return ((mixed >> 17) & (n_groups - 1)) * (WAYS * ENTRY)


@jit
def look_up(work: Any, table: Any, ply: Any, kind: Any, need: Any) -> int:
    """Whether side 0 reaches an aim from a trick's beginning, as far as the table knows: 1, 0 or UNKNOWN.

    `outcome_ranks` gets the cards that it rests on.
    """
    key = work.keys[ply, 0]
    place = entry_place(table, key, kind)
    work.hint = -1
    for at in range(place, place + WAYS * ENTRY, ENTRY):
        if table[at] == 0:
            break
        if table[at] != key:
            continue
        found = table[at + 1]
        if (found >> KIND) & 0xFFFF != kind:
            continue
        if work.hint < 0:
            work.hint = (found >> 40) - 1
        if need <= (found >> LOWER) & 15:
            outcome = 1
        elif need > (found >> UPPER) & 15:
            outcome = 0
        else:
            continue
        spades = (found >> 12) & 15
        hearts = (found >> 8) & 15
        diamonds = (found >> 4) & 15
        clubs = found & 15
        high = top_mask(spades) << PATTERN_BITS | top_mask(hearts)
        if (table[at + 2] ^ work.keys[ply, 1]) & high:
            continue
        low = top_mask(diamonds) << PATTERN_BITS | top_mask(clubs)
        if (table[at + 3] ^ work.keys[ply, 2]) & low:
            continue
        in_play = work.p_in_play[ply]
        work.outcome_ranks = (
            lowest_ranked(spades, in_play, SPADES)
            | lowest_ranked(hearts, in_play, HEARTS)
            | lowest_ranked(diamonds, in_play, DIAMONDS)
            | lowest_ranked(clubs, in_play, CLUBS)
        )
        return outcome
    return UNKNOWN


@jit
def enter(work: Any, table: Any, ply: Any, kind: Any, need: Any, outcome: Any) -> None:
    """Write the outcome of a trick's beginning, with the cards in `outcome_ranks` that it rests on."""
    key = work.keys[ply, 0]
    in_play = work.p_in_play[ply]
    ranks = work.outcome_ranks
    counts = (
        n_ranked(ranks, in_play, SPADES) << 12
        | n_ranked(ranks, in_play, HEARTS) << 8
        | n_ranked(ranks, in_play, DIAMONDS) << 4
        | n_ranked(ranks, in_play, CLUBS)
    )
    lower = need if outcome else 0
    upper = 15 if outcome else need - 1
    place = entry_place(table, key, kind)
    free = place + (work.n_nodes & (WAYS - 1)) * ENTRY
    for at in range(place, place + WAYS * ENTRY, ENTRY):
        if table[at] == 0:
            free = at
            break
        found = table[at + 1]
        if (
            table[at] == key and (found >> KIND) & 0xFFFF == kind and found & 0xFFFF == counts
            and table[at + 2] == work.keys[ply, 1] and table[at + 3] == work.keys[ply, 2]
        ):  # fmt: skip
            lower = max(lower, (found >> LOWER) & 15)
            upper = min(upper, (found >> UPPER) & 15)
            free = at
            break
    table[free] = key
    card = work.p_move[ply] + 1 if outcome != work.p_seat[ply] & 1 else 0
    table[free + 1] = card << 40 | kind << KIND | lower << LOWER | upper << UPPER | counts
    table[free + 2] = work.keys[ply, 1]
    table[free + 3] = work.keys[ply, 2]
