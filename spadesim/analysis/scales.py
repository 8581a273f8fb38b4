"""What stands along the axes of pages: places at the table, bids and cards by their names."""

from collections.abc import Sequence

from spadesim.analysis.charts import Scale
from spadesim.match.lead_columns import PLACES
from spadesim.match.recorded import RecordedRun

RANKS = {11: "jack", 12: "queen", 13: "king", 14: "ace"}
SEATS = {  # as a player has the others, clockwise, by the size of the table and whether there are partners
    (2, False): ("bidder", "opponent"),
    (3, False): ("bidder", "left-hand opponent", "right-hand opponent"),
    (4, False): ("bidder", "left-hand opponent", "opponent across", "right-hand opponent"),
    (4, True): ("bidder", "left-hand opponent", "partner", "right-hand opponent"),
}
ANY_TABLE = ("bidder", "next seat", "second next seat", "third next seat")

Runs = Sequence[RecordedRun]


def places(runs: Runs) -> Scale:
    """Who bids first, and so on, up to the last."""
    names = list(PLACES[: max(run.rules.players for run in runs)])
    names[-1] = "last"
    return Scale("place in the bidding", names=dict(enumerate(names)))


def bids(runs: Runs, label: str) -> Scale:
    """Bids, of which 0 is a nil."""
    most = max(run.rules.hand_size for run in runs)
    return Scale(label, names={bid: str(bid) if bid else "nil" for bid in range(most + 1)})


def ranks(label: str) -> Scale:
    """Ranks of cards, 2 to 14 for the ace, and 0 for none."""
    letters = {rank: name[0].upper() for rank, name in RANKS.items()}
    return Scale(label, names={0: "none", **{rank: str(rank) for rank in range(2, 11)}, **letters})


def leaders(runs: Runs, label: str) -> Scale:
    """Seats as a nil's bidder has them, by their distance clockwise from it."""
    tables = {(run.rules.players, run.spec.has_partners) for run in runs}
    return Scale(label, names=dict(enumerate(SEATS[tables.pop()] if len(tables) == 1 else ANY_TABLE)))


def with_sign(number: int) -> str:
    """A whole number with its sign, and none for 0.

    >>> with_sign(3), with_sign(-50), with_sign(0)
    ('+3', '−50', '0')
    """
    return f"{number:+d}".replace("-", "−") if number else "0"
