"""How likely is a nil made? Fits the odds that `hard` bids by, and writes them as a Python module.

``python experiments/fit_nil.py strategies/_nil_odds.py``, from a checkout, takes about a minute. The nils are
bid among four ``hard`` as it stands, so a second run, with the odds of the first, gives slightly other ones;
``--company hard@REV`` fixes it.

One seat of a board bids nil whatever it holds, as long as that is no certain loss, while everybody bids and
plays as the strategy does. The odds are a logistic regression on the cards: one number for each rank at each
place of its suit, counted from the lowest card, in thousandths of a logit; side suits share one table.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import typer

from spadesim.core.batch import lay_out
from spadesim.core.call import ask
from spadesim.core.cards import SPADES_MASK, popcount
from spadesim.core.play import DESK
from spadesim.core.position import POSITION, advance, apply, fill_view, new_position, start_game, start_hand
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, HAND_OVER
from spadesim.strategy import jit, lineup, load_side

N_BOARDS = 2_000_000
SEED = 20
MOST_SPADES = 4
SPADE_HONOURS = 7 << 49  # queen, king and ace
N_SIDE_PLACES, N_SPADE_PLACES, N_RANKS = 6, 4, 13
PRIOR = 2.0  # weight of the ridge penalty
FloatArray = npt.NDArray[np.float64]


@jit
def play_nils(positions: Any, desks: Any, seed: Any, first: Any, hands: Any, made: Any) -> Any:
    """Play boards on which one seat bids nil, write down its hands and successes, and return their number."""
    position, desk = positions[0], desks[0]
    n = 0
    for board in range(first, first + hands.size):
        start_game(position, seed, board)
        start_hand(position)
        seat = board & 3
        hand = position.dealt[seat]
        if hand & SPADE_HONOURS or popcount(hand & SPADES_MASK) > MOST_SPADES:
            continue
        is_wasted = False
        while advance(position) != HAND_OVER:
            turn = position.turn
            fill_view(position, turn, desk.sight)
            choice = ask(desk.calls[position.phase, 0], desk.sight, desk.params[min(position.phase, 1), 0])
            if position.phase == BIDDING and turn == seat:
                choice = 0
            if position.phase == BIDDING and turn == (seat + 2) & 3 and choice == 0:
                is_wasted = True
            apply(position, choice)
        if not is_wasted:
            hands[n] = hand
            made[n] = 1.0 if position.tricks[seat] == 0 else 0.0
            n += 1
    return n


def features(hands: npt.NDArray[np.int64]) -> FloatArray:
    """One row a hand: 1, then how many cards it has of each rank at each place, side suits together."""
    side, spade = N_SIDE_PLACES * N_RANKS, N_SPADE_PLACES * N_RANKS
    rows = np.zeros((hands.size, 1 + side + spade))
    rows[:, 0] = 1
    every = np.arange(hands.size)
    for suit in range(4):
        places = np.zeros(hands.size, dtype=np.int64)
        begin, most = (1, N_SIDE_PLACES) if suit < 3 else (1 + side, N_SPADE_PLACES)
        for rank in range(N_RANKS):
            has = (hands >> (13 * suit + rank)) & 1
            at = begin + np.minimum(places, most - 1) * N_RANKS + rank
            rows[every, at] += has
            places += has
    return rows


def fit(rows: FloatArray, made: FloatArray) -> FloatArray:
    """The coefficients of a logistic regression with a small ridge, by Newton's method."""
    coefficients = np.zeros(rows.shape[1])
    ridge = PRIOR * np.eye(rows.shape[1])
    ridge[0, 0] = 0
    for _ in range(12):
        chance = 1 / (1 + np.exp(-rows @ coefficients))
        weight = chance * (1 - chance)
        slope = rows.T @ (made - chance) - ridge @ coefficients
        coefficients += np.linalg.solve((rows * weight[:, None]).T @ rows + ridge, slope)
    return coefficients


def table(name: str, values: FloatArray) -> str:
    """A table as Python source, thousandths of a logit."""
    lines = [f"        ({', '.join(str(round(1000 * x)) for x in row)},)," for row in values]
    lines = [line.replace(",),", "),") for line in lines]
    return "\n".join([f"{name} = np.array(", "    (", *lines, "    ),", "    dtype=np.int64,", ")"])


def nil_odds(coefficients: FloatArray, origin: str) -> str:
    """The fitted numbers as the text of a module."""
    cut = 1 + N_SIDE_PLACES * N_RANKS
    parts = [
        f'"""The odds that a nil is made, card by card, in thousandths of a logit.\n\n{origin}\n"""',
        "\nimport numpy as np\n",
        f"NIL_BASE = {round(1000 * coefficients[0])}\n",
        "# Rows: place in the suit from the lowest card, the last row for all higher ones.",
        "# Columns: 2 to ace.",
        table("NIL_SIDE", coefficients[1:cut].reshape(-1, N_RANKS)),
        "",
        table("NIL_SPADE", coefficients[cut:].reshape(-1, N_RANKS)),
        "",
    ]
    return "\n".join(parts)


def print_calibration(rows: FloatArray, made: FloatArray, coefficients: FloatArray) -> None:
    """Print how often nils were made that were fitted to be about as likely."""
    chance = 1 / (1 + np.exp(-rows @ coefficients))
    for low in np.arange(0.2, 1.0, 0.1):
        here = (chance >= low) & (chance < low + 0.1)
        print(f"fitted {low:.1f}-{low + 0.1:.1f}: {here.sum():,} nils, {made[here].mean():.3f} made")


def main(output: Path, company: str = "hard", boards: int = N_BOARDS, seed: int = SEED) -> None:
    """Play, fit, and write the module."""
    side = load_side(company)
    positions, desks = np.zeros(1, dtype=POSITION), np.zeros(1, dtype=DESK)
    positions[0] = new_position(Rules())
    lay_out(desks[0], lineup(side, side))
    hands, made = np.zeros(boards, dtype=np.int64), np.zeros(boards)
    n = play_nils(positions, desks, seed, 0, hands, made)
    rows = features(hands[:n])
    coefficients = fit(rows, made[:n])
    bot = side.lower
    origin = (
        f"Fitted by ``experiments/fit_nil.py`` on {n:,} nils, {100 * made[:n].mean():.1f} % of them made,\n"
        f"on {boards:,} boards of seed {seed} among four ``{company}``, digest {bot.digest}."
    )
    output.write_text(nil_odds(coefficients, origin))
    print_calibration(rows, made[:n], coefficients)


if __name__ == "__main__":
    typer.run(main)
