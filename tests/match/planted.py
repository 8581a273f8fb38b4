"""A bot that plays one way, and differs from itself in one known kind of situation where it is told to."""

from pathlib import Path

KINDS = ("none", "bid", "nil", "cover", "set", "bag", "play", "own_nil", "late", "lead")

TEXT = '''
"""Bids by aces, plays low; differs where it is told to."""

from spadesim.core._jit import jit
from spadesim.core.cards import SPADES_MASK, highest, lowest, popcount
from spadesim.core.scoring import contract_tricks
from spadesim.strategy.parameters import Parameter, parameters

KINDS = ("none", "bid", "nil", "cover", "set", "bag", "play", "own_nil", "late", "lead")
NONE, BID, NIL, COVER, SET, BAG, PLAY, OWN_NIL, LATE, LEAD = range(len(KINDS))
PARAMETERS = parameters(
    Parameter("at", "none", choices=KINDS, used_by="both", meaning="where it differs"),
    Parameter("nils", 1, low=0, high=1, used_by="both", meaning="whether it bids nils"),
)
P = PARAMETERS.index
ACES = sum(1 << (13 * suit + 12) for suit in range(4))


@jit
def bid(view, p):
    at = int(p[P.AT])
    top = highest(view.hand & SPADES_MASK) - 39
    aces = popcount(view.hand & ACES)
    is_low = p[P.NILS] > 0 and aces == 0 and top < 9
    if at == NIL and p[P.NILS] > 0 and aces == 1 and top < 7:
        is_low = True
    if is_low:
        return 0
    return 1 + aces + (4 if at == BID and aces == 3 else 0)


@jit
def play(view, p):
    at = int(p[P.AT])
    if at == LATE:
        differs = view.trick_no == 10 and view.n_in_trick == 3
    elif at == LEAD:
        differs = view.trick_no == 0 and view.n_in_trick == 0
    else:
        differs = at == situation(view)
    return highest(view.legal) if differs else lowest(view.legal)


@jit
def stands(view, seat):
    return view.bids[seat] == 0 and view.tricks[seat] == 0


@jit
def situation(view):
    left, right = (view.seat + 1) & 3, (view.seat + 3) & 3
    if stands(view, view.seat):
        return OWN_NIL
    if stands(view, view.partner):
        return COVER
    if stands(view, left) or stands(view, right):
        return SET
    own = is_open(view, view.seat, view.partner, view.side)
    theirs = is_open(view, left, right, 1 - view.side)
    return PLAY if own else (SET if theirs else BAG)


@jit
def is_open(view, first, second, side):
    need = view.bids[first] + view.bids[second] - contract_tricks(view.rules, view.bids, view.tricks, side)
    return 0 < need <= 13 - view.trick_no
'''


def write_planted(folder: Path) -> str:
    """Write the bot to a file; its path, which names it as it is when it differs from nothing."""
    file = folder / "planted.py"
    file.write_text(TEXT, encoding="utf-8")
    return str(file)
