"""Integer tallies of a run: what the batches count, and how the counts of two batches add up.

Everything is a sum of integers, so that chunks merge exactly, in any grouping, to the same totals. A *unit*
is what is independent of every other unit: a set of games on the same deals, or a board, in all its rooms.
At a table of single players each of them is a side. For each bot the unit's counts are summed over all
rooms; for each ratio that a report gives an interval for, the sums of squares and products over units are
kept beside the totals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core._jit import jit
from spadesim.core.seating import MAX_ROOMS

MAX_BID = 18  # bids and tricks 0-17 fit every table
N_LENGTHS = 128  # hands a game; the last bin takes all longer games

# Counts of one side in one unit, over all rooms.
SIDE_COUNTS = (
    "hands",  # side-hands
    "bid",  # tricks bid by the side, nils as 0
    "tricks",  # tricks won by the side
    "bid_error",  # tricks won minus tricks bid
    "contracts",  # side-hands with a contract above 0
    "sets",  # of these, not made
    "bags",
    "bag_penalties",
    "nil_bids",
    "nil_made",
    "seat_hands",  # player-hands
    "opponent_nil_bids",
    "opponent_nil_set",
    "bostons",
    "points",  # score changes, bag penalties included
    "forced",  # decisions with one legal choice, made by the engine
    "free",  # decisions put to a bot
    "games",  # finished side-games: single players may hold several seats of one game
    # Counted at tables with decisions before the bidding only.
    "offered",  # first cards of a turn of the draw
    "kept",  # of these, kept
    "blind_bids",  # nils declared blind
    "blind_made",
)
N_SIDE_COUNTS = len(SIDE_COUNTS)
N_USUAL_COUNTS = SIDE_COUNTS.index("offered")
(
    HANDS, BID, TRICKS, BID_ERROR, CONTRACTS, SETS, BAGS, BAG_PENALTIES, NIL_BIDS, NIL_MADE, SEAT_HANDS,
    OPPONENT_NIL_BIDS, OPPONENT_NIL_SET, BOSTONS, POINTS, FORCED, FREE, GAMES,
    OFFERED, KEPT, BLIND_BIDS, BLIND_MADE,
) = range(N_SIDE_COUNTS)  # fmt: skip

# name -> (numerator, denominator): the ratios with a linearised variance over units.
RATIOS = {
    "mean_bid": (BID, HANDS),
    "bid_error": (BID_ERROR, HANDS),
    "set_rate": (SETS, CONTRACTS),
    "bags_per_hand": (BAGS, HANDS),
    "bag_penalties_per_game": (BAG_PENALTIES, GAMES),
    "nil_rate": (NIL_BIDS, SEAT_HANDS),
    "nil_success": (NIL_MADE, NIL_BIDS),
    "opponent_nil_set_rate": (OPPONENT_NIL_SET, OPPONENT_NIL_BIDS),
    "boston_rate": (BOSTONS, HANDS),
    "points_per_hand": (POINTS, HANDS),
    "kept_rate": (KEPT, OFFERED),
    "blind_rate": (BLIND_BIDS, SEAT_HANDS),
    "blind_success": (BLIND_MADE, BLIND_BIDS),
}
RATIO_NAMES = tuple(RATIOS)
RATIO_PARTS = np.array(list(RATIOS.values()), dtype=np.int64)
N_USUAL_RATIOS = RATIO_NAMES.index("kept_rate")

CROSS = ((POINTS, POINTS), (POINTS, HANDS), (HANDS, POINTS), (HANDS, HANDS))  # of A and of B

# Counts of one bot at its place, A's lower seat, A's higher seat, B's lower, B's higher.
PLAYER_COUNTS = (
    "hands",
    "bid",
    "tricks",
    "nil_bids",
    "nil_made",
    "covers",  # hands in which the partner alone had bid nil
    "covers_made",  # of these, the partner's nil was made
    "forced",
    "free",
    "offered",
    "kept",
    "blind_bids",
    "blind_made",
)
N_PLAYER_COUNTS = len(PLAYER_COUNTS)
N_USUAL_PLAYER_COUNTS = PLAYER_COUNTS.index("offered")  # the same four stand last here and among a side's
(
    P_HANDS, P_BID, P_TRICKS, P_NIL_BIDS, P_NIL_MADE, P_COVERS, P_COVERS_MADE, P_FORCED, P_FREE,
    P_OFFERED, P_KEPT, P_BLIND_BIDS, P_BLIND_MADE,
) = range(N_PLAYER_COUNTS)  # fmt: skip

LOSS, DRAW_RESULT, WIN, UNFINISHED = range(4)  # a game from A's side
WHOLE_GAME = 12  # parts of a game, so that two, three or four level best scores share a draw in integers
OPENER = 4  # where a game's parts are counted for the side that led first, after those for four sides

TALLY = np.dtype((np.record, [
    ("units", np.int64),
    ("games", np.int64),
    ("hands", np.int64),
    ("identical", np.int64),  # units in which all rooms went alike, card by card
    ("level", np.int64),  # units in which A's points over all rooms equal B's
    ("outcomes", np.int64, (4, 4)),  # at tables with two rooms, units by A's result in room 0 and in room 1
    ("room_results", np.int64, (MAX_ROOMS, 4)),  # games by room and A's result
    ("shares", np.int64, (MAX_ROOMS + 1, 2 * MAX_ROOMS + 1)),  # units by finished games and A's half points
    ("margin", np.int64, (MAX_ROOMS,)),  # sum over units of A's points minus B's, by room
    ("margin_squares", np.int64, (MAX_ROOMS + 1,)),  # sums of squares, by room and of a unit's whole
    ("priced", np.int64, (MAX_ROOMS,)),  # the same with bags at their price, times the bag limit
    ("priced_squares", np.int64, (MAX_ROOMS + 1,)),
    # Sums over boards of the change of A's chance to win, by room, in units of 1 / EQUITY_ONE.
    ("equity", np.int64, (MAX_ROOMS,)),
    ("equity_squares", np.int64, (MAX_ROOMS + 1,)),
    ("boards_by_chance", np.int64, (3,)),  # boards on which the chance fell, stayed, rose, all rooms together
    ("cross", np.int64, (4,)),  # sums over units of A's points and hands (of one side) times B's, see `CROSS`
    ("sides", np.int64, (2, N_SIDE_COUNTS)),
    ("ratio_products", np.int64, (2, len(RATIOS), 3)),  # sums of num**2, num * den, den**2 over units
    ("players", np.int64, (4, N_PLAYER_COUNTS)),
    ("bid_tricks", np.int64, (2, MAX_BID, MAX_BID)),  # player-hands by side, bid and tricks won
    ("bags_hist", np.int64, (2, MAX_BID)),  # side-hands by side and bags
    ("lengths", np.int64, (N_LENGTHS,)),  # games by number of hands
    ("seat_tricks", np.int64, (4,)),  # tricks by seat
    ("seat_points", np.int64, (4,)),  # the side's points by seat
    ("order_tricks", np.int64, (4,)),  # tricks by place after the hand's first leader
    ("order_tricks_squares", np.int64, (4,)),
    ("led_products", np.int64, (3,)),  # sums over units of (first leaders' tricks)**2, them * hands, hands**2
    ("order_points", np.int64, (4,)),  # the side's points by place after the first leader
    # Twelfths of finished games by who won them: the four sides of the table, and the one that led first;
    # each as sums over units of them, of their squares, and of them times the finished games.
    ("parts", np.int64, (OPENER + 1, 3)),
    ("opener_wins", np.int64, (2,)),  # finished games won by, against the side that led the first hand
    ("draw_margin", np.int64),  # sum over hands of the points of the seat that drew first less the other's
    ("draw_margin_squares", np.int64),
    ("fingerprint", np.int64, (2,)),  # low and high 32 bits of the sum of all rooms' digests
]))  # fmt: skip

WORD = 0xFFFFFFFF
SQUARES = ("margin_squares", "priced_squares", "equity_squares", "draw_margin_squares")


def new_tally() -> npt.NDArray[np.void]:
    """A tally of nothing: an array of one TALLY record."""
    return np.zeros(1, dtype=TALLY)


def merge(total: npt.NDArray[np.void], part: npt.NDArray[np.void]) -> None:
    """Add the counts of `part` to `total`, in place."""
    low, high = total[0]["fingerprint"].astype(object) + part[0]["fingerprint"]
    total.view(np.int64)[:] += part.view(np.int64)
    total[0]["fingerprint"] = low & WORD, (high + (low >> 32)) & WORD


def has_overflowed(total: npt.NDArray[np.void]) -> bool:
    """Whether a sum of squares has exceeded 63 bits: looked at after each chunk, it shows as negative."""
    squares = [total[0][name] for name in SQUARES]
    squares += [total[0]["ratio_products"][..., k] for k in (0, 2)]
    return any(bool((values < 0).any()) for values in squares)


def fingerprint_text(tally: Any) -> str:
    """The fingerprint of a run as 16 hexadecimal digits."""
    low, high = tally["fingerprint"]
    return f"{(int(high) << 32) | int(low):016x}"


@jit
def add_digest(tally: Any, low: Any, high: Any) -> Any:
    """Add a room's digest, two 32-bit words, to the fingerprint modulo 2**64."""
    total = tally.fingerprint[0] + low
    tally.fingerprint[0] = total & WORD
    tally.fingerprint[1] = (tally.fingerprint[1] + high + (total >> 32)) & WORD
