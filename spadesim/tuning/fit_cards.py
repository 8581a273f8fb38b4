"""The odds that a nil is made, card by card: a logistic regression, and its numbers as a Python module."""

import numpy as np

from spadesim.tuning.fit_nils import Bools, chances
from spadesim.tuning.fit_tricks import Floats, Ints

N_SIDE_PLACES, N_SPADE_PLACES, N_RANKS = 6, 4, 13
PRIOR = 2.0  # weight of the ridge penalty
ROUNDS = 12
THOUSAND = 1000


def features(cards: Ints) -> Floats:
    """One row a hand: 1, then how many cards it has of each rank at each place, side suits together.

    Places are counted from the lowest card of a suit; the last one takes all higher ones as well.

    Parameters
    ----------
    cards : array of int
        Hands, as masks.
    """
    side, spade = N_SIDE_PLACES * N_RANKS, N_SPADE_PLACES * N_RANKS
    rows = np.zeros((cards.size, 1 + side + spade))
    rows[:, 0] = 1
    every = np.arange(cards.size)
    for suit in range(4):
        places = np.zeros(cards.size, dtype=np.int64)
        begin, most = (1, N_SIDE_PLACES) if suit < 3 else (1 + side, N_SPADE_PLACES)
        for rank in range(N_RANKS):
            has = (cards >> (13 * suit + rank)) & 1
            at = begin + np.minimum(places, most - 1) * N_RANKS + rank
            rows[every, at] += has
            places += has
    return rows


def fit_cards(cards: Ints, made: Bools) -> Floats:
    """The coefficients of a logistic regression on `features` with a small ridge, by Newton's method."""
    rows = features(cards)
    coefficients = np.zeros(rows.shape[1])
    ridge = PRIOR * np.eye(rows.shape[1])
    ridge[0, 0] = 0
    for _ in range(ROUNDS):
        chance = chances(THOUSAND * (rows @ coefficients))
        weight = chance * (1 - chance)
        slope = rows.T @ (made - chance) - ridge @ coefficients
        coefficients += np.linalg.solve((rows * weight[:, None]).T @ rows + ridge, slope)
    return coefficients


def module_text(coefficients: Floats, origin: str) -> str:
    """The fitted numbers as a module that a bot can import."""
    cut = 1 + N_SIDE_PLACES * N_RANKS
    parts = [
        f'"""The odds that a nil is made, card by card, in thousandths of a logit.\n\n{origin}\n"""',
        "\nimport numpy as np\n",
        f"NIL_BASE = {round(THOUSAND * coefficients[0])}\n",
        "# Rows: place in the suit from the lowest card, the last row for all higher ones.",
        "# Columns: 2 to ace.",
        _table("NIL_SIDE", coefficients[1:cut].reshape(-1, N_RANKS)),
        "",
        _table("NIL_SPADE", coefficients[cut:].reshape(-1, N_RANKS)),
        "",
    ]
    return "\n".join(parts)


def _table(name: str, values: Floats) -> str:
    lines = [f"        ({', '.join(str(round(THOUSAND * x)) for x in row)})," for row in values]
    return "\n".join([f"{name} = np.array(", "    (", *lines, "    ),", "    dtype=np.int64,", ")"])
