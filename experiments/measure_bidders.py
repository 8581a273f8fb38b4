"""What bots bid: the total of a table, its spread, the mean of each place and nils, beside published figures.

python experiments/measure_bidders.py            # the bidders of public projects, 40,000 deals each
python experiments/measure_bidders.py hard 10000 # any bot, by its name
"""

import sys
from dataclasses import dataclass

import numpy as np

from spadesim.core.fresh import fresh_deals
from spadesim.core.position import POSITION, advance, fill_view, new_position, start_game, start_hand
from spadesim.core.rules import Rules
from spadesim.core.view import VIEW
from spadesim.strategy import Strategy, load_strategy
from spadesim.strategy.ask import answers_to

DEALS = 40_000
BATCH = 5_000
SEED = 2026
NIL = 1  # the bit of a bid of 0 in the mask of legal bids


@dataclass(frozen=True)
class Bids:
    """What four of a bot bid.

    Parameters
    ----------
    table, spread : float
        Mean and standard deviation of the total, a nil as 0.
    seats : tuple of 4 float
        Mean bid of the first to bid and those after it.
    nils : tuple of 4 float
        Shares of nils, likewise.
    """

    table: float
    spread: float
    seats: tuple[float, ...]
    nils: tuple[float, ...]


PUBLISHED = {  # reimplementations of the public projects elsewhere, 40,000 deals each
    "cats_bids": Bids(11.333, 0.78, (2.70, 2.71, 2.70, 3.23), (0.0334,) * 4),
    "trickster_bids": Bids(11.400, 1.09, (2.85, 2.85, 2.85, 2.84), (0.0296,) * 4),
    "ggz_bids": Bids(11.089, 0.87, (2.80, 2.72, 2.71, 2.86), (0.0744,) * 4),
    "bis_bids": Bids(10.521, 1.22, (2.63,) * 4, (0.0,) * 4),  # where no nil is allowed
    "mreishus_bids": Bids(10.039, 1.23, (2.49, 2.49, 2.53, 2.53), (0.048, 0.048, 0.017, 0.017)),
}


def main(names: list[str], n: int = DEALS) -> None:
    """Print the figures of some bots."""
    for name in names:
        strategy = load_strategy(name)
        print(line(name, summary(bids_of(strategy, n))))
        if name == "bis_bids":
            print(line(f"{name}, no nils", summary(bids_of(strategy, n, has_nils=False))))
        if name in PUBLISHED:
            print(line("published", PUBLISHED[name]))


def bids_of(strategy: Strategy, n: int = DEALS, has_nils: bool = True) -> np.ndarray:
    """The bids of four of a bot on fresh deals, an int64 array of shape (n, 4), the first to bid first."""
    rules = Rules()
    cards, dealers = fresh_deals(rules, SEED, 0, n)
    order = (dealers[:, None].astype(np.int64) + 1 + np.arange(4)) % 4
    hands = np.take_along_axis(cards, order, axis=1)
    parts = [bid_round(strategy, hands[at : at + BATCH], has_nils) for at in range(0, n, BATCH)]
    return np.concatenate(parts)


def bid_round(strategy: Strategy, hands: np.ndarray, has_nils: bool = True) -> np.ndarray:
    """The bids of some deals at 0-0, seat 0 first."""
    views = np.repeat(first_view(), len(hands))
    for seat in range(4):
        views["seat"], views["partner"], views["side"] = seat, (seat + 2) % 4, seat % 2
        views["hand"] = hands[:, seat]
        if not has_nils:
            views["legal"] &= ~NIL
        views["bids"][:, seat] = answers_to(strategy, views)
    return views["bids"][:, :4].astype(np.int64)


def first_view() -> np.ndarray:
    """The view of seat 0 when it is the first to bid, in an array of one."""
    positions, views = np.zeros(1, POSITION), np.zeros(1, VIEW)
    positions[0] = new_position(Rules())
    start_game(positions[0], SEED, 0)
    start_hand(positions[0])
    advance(positions[0])
    fill_view(positions[0], int(positions[0]["turn"]), views[0])
    views["dealer"], views["first_bidder"], views["leader"] = 3, 0, 0
    return views


def summary(bids: np.ndarray) -> Bids:
    """The figures of some bids, an array as `bids_of` gives."""
    totals, nils = bids.sum(axis=1), (bids == 0).mean(axis=0)
    means: list[float] = bids.mean(axis=0).tolist()
    return Bids(float(totals.mean()), float(totals.std()), tuple(means), tuple(nils.tolist()))


def line(name: str, found: Bids) -> str:
    """The figures of a bot in a line."""
    seats = " ".join(f"{mean:.2f}" for mean in found.seats)
    nils = " ".join(f"{100 * nil:.2f}" for nil in found.nils)
    share = 100 * sum(found.nils) / len(found.nils)
    table = f"table {found.table:.3f} sd {found.spread:.2f}"
    return f"{name:22} {table}  seats {seats}  nils {share:.2f} % ({nils})"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main([sys.argv[1]], *map(int, sys.argv[2:3]))
    else:
        main(list(PUBLISHED))
