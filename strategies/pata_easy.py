"""Bids its aces and kings, and always plays its lowest legal card.

Bids: one for each ace and each king, spades included, at least 1; whatever the others bid and however the
score stands. The four counts at a table always total 8.
Plays: the lowest legal card: side suits before spades, then by rank, then clubs, diamonds, hearts; also when
its partner has bid nil.
Origin: the easy level of a public engine specification (Pata), which fixes both; what "lowest" means between
suits, and that a count of 0 is bid as 1, are this project's.
Weakness: it wins a trick only when its lowest card happens to, so aces and kings come last, under ruffs; it
protects nobody and sets nobody.
"""

from spadesim.core.cards import ACE, KING, popcount
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import TWOS_MASK, lowest_card, nearest_bid

PARAMETERS = parameters(
    Parameter("ace", 1, low=0, high=3, used_by="bid", meaning="tricks bid for each ace"),
    Parameter("king", 1, low=0, high=3, used_by="bid", meaning="tricks bid for each king"),
    Parameter(
        "zero", "one", choices=("one", "nil"), used_by="bid",
        meaning="what a count of 0 bids: one trick, or nil",
    ),
)  # fmt: skip
P = PARAMETERS.index
MEMORY = False

ZERO_NIL = PARAMETERS["zero"].choices.index("nil")


@jit
def bid(view, p):
    """The count, or 1 when it is 0 (or a nil, as `zero` has it)."""
    aces = popcount(view.hand & TWOS_MASK << ACE)
    kings = popcount(view.hand & TWOS_MASK << KING)
    count = int(p[P.ACE]) * aces + int(p[P.KING]) * kings
    if count == 0 and p[P.ZERO] != ZERO_NIL:
        count = 1
    return nearest_bid(view.legal, count)


@jit
def play(view, p):
    """The lowest legal card."""
    return lowest_card(view.legal)
