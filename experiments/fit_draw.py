"""What is a hand of a two-player draw table worth? Fits the tricks that `hard` counts on, as a Python module.

``python experiments/fit_draw.py strategies/_draw_odds.py``, from a checkout, takes about a minute. The hands
are those that two ``hard:draw_bags=off`` keep, which then fight for every trick; a second run, with the
numbers of the first, gives slightly other ones.

The tricks are a linear regression: one number for each card by the cards above it in its suit, unseen ones
and own ones, one for each length of a suit, for leading first, for each first card that the opponent kept,
and for each spade unseen. Both kinds of draw, with the second card seen or not, have a table of their own.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import typer

from spadesim.core.batch import lay_out
from spadesim.core.call import ask
from spadesim.core.cards import PACK_MASK
from spadesim.core.play import DESK
from spadesim.core.position import (
    POSITION,
    advance,
    apply,
    fill_view,
    new_position,
    start_game,
    start_hand,
)
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, HAND_OVER, is_legal
from spadesim.strategy import jit, lineup, load_side

N_BOARDS = 500_000
AT_A_TIME = 50_000
SEED = 11
TABLES = ("draw500", "draw300")  # by `draw_second_seen`
MOST_OUT, MOST_OWN, MOST_SIDE, MOST_SPADES = 7, 5, 7, 12
N_CARDS = 2 * (MOST_OUT + 1) * (MOST_OWN + 1)
PRIOR = 3.0  # weight of the ridge penalty
HAND, SEEN, KEPT, FIRST, WON, N_FACTS = range(6)
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@jit
def play_hands(positions: Any, desks: Any, seed: Any, first: Any, facts: Any) -> Any:
    """Play boards with bids of 13, and write down what each seat knew when it bid and the tricks it won.

    Whether every answer was legal comes back; nothing is played after one that was not.
    """
    position, desk = positions[0], desks[0]
    for k in range(0, facts.shape[0], 2):
        start_game(position, seed, first + k // 2)
        start_hand(position)
        while advance(position) != HAND_OVER:
            turn = position.turn
            view = desk.sight
            fill_view(position, turn, view)
            choice = ask(desk.calls[position.phase, 0], view, desk.params[min(position.phase, 1), 0])
            if position.phase == BIDDING:
                facts[k + turn, HAND] = view.hand
                facts[k + turn, SEEN] = view.discards
                facts[k + turn, KEPT] = view.kept[1 - turn]
                facts[k + turn, FIRST] = 1 if view.first_bidder == turn else 0
                choice = 13
            if not is_legal(view, choice):
                return False
            apply(position, choice)
        for seat in range(2):
            facts[k + seat, WON] = position.tricks[seat]
    return True


def n_set(masks: IntArray) -> IntArray:
    """How many bits are set in each mask."""
    return np.bitwise_count(masks).astype(np.int64)


def features(facts: IntArray) -> FloatArray:
    """One row a hand: cards by place, lengths of side suits and of spades, and the three numbers beside."""
    hands, seen = facts[:, HAND], facts[:, SEEN]
    every = np.arange(len(facts))
    cards = np.zeros((len(facts), 2, MOST_OUT + 1, MOST_OWN + 1))
    sides = np.zeros((len(facts), MOST_SIDE + 1))
    spades = np.zeros((len(facts), MOST_SPADES + 1))
    for suit in range(4):
        out = np.zeros(len(facts), dtype=np.int64)
        own = np.zeros(len(facts), dtype=np.int64)
        for rank in range(12, -1, -1):
            has = (hands >> (13 * suit + rank)) & 1
            is_seen = (seen >> (13 * suit + rank)) & 1
            cards[every, int(suit == 3), np.minimum(out, MOST_OUT), np.minimum(own, MOST_OWN)] += has
            own += has
            out += 1 - has - is_seen
        lengths, most = (sides, MOST_SIDE) if suit < 3 else (spades, MOST_SPADES)
        lengths[every, np.minimum(own, most)] += 1
    spades_out = n_set((PACK_MASK & ~hands & ~seen) >> 39)
    beside = np.stack([facts[:, FIRST], n_set(facts[:, KEPT]), spades_out], axis=1)
    return np.concatenate([cards.reshape(len(facts), -1), sides, spades, beside], axis=1)


def fit(rules: Rules, company: str, boards: int, seed: int) -> FloatArray:
    """The coefficients for one table, and a printed line on what they leave unexplained."""
    side = load_side(company)
    positions, desks = np.zeros(1, dtype=POSITION), np.zeros(1, dtype=DESK)
    positions[0] = new_position(rules)
    lay_out(desks[0], lineup(side, side, rules))
    squares: Any = 0
    products: Any = 0
    total = 0.0
    for first in range(0, boards, AT_A_TIME):
        facts = np.zeros((2 * min(AT_A_TIME, boards - first), N_FACTS), dtype=np.int64)
        if not play_hands(positions, desks, seed, first, facts):
            raise SystemExit(f"error: {company} gave an illegal answer by {rules}.")
        rows, won = features(facts), facts[:, WON].astype(np.float64)
        squares = squares + rows.T @ rows
        products = products + rows.T @ won
        total += float(won @ won)
    coefficients: FloatArray = np.linalg.solve(squares + PRIOR * np.eye(len(squares)), products)
    left = total - 2 * coefficients @ products + coefficients @ squares @ coefficients
    print(f"{rules}: {2 * boards:,} hands, {np.sqrt(left / (2 * boards)):.3f} tricks standard deviation left")
    return coefficients


def table(name: str, values: npt.NDArray[Any]) -> str:
    """A table as Python source, in percent of a trick."""
    text = np.array2string(
        np.rint(100 * values).astype(np.int64), separator=", ", max_line_width=100, threshold=10**6
    )
    lines = [f"    {line}" for line in text.replace("[", "(").replace("]", ")").split("\n") if line.strip()]
    body = "\n".join(lines).lstrip()
    return f"{name} = np.array(\n    {body},\n    dtype=np.int64,\n)"


def module(coefficients: FloatArray, origin: str) -> str:
    """The fitted numbers of both tables as the text of a module."""
    cuts = np.cumsum([N_CARDS, MOST_SIDE + 1, MOST_SPADES + 1])
    cards, sides, spades, beside = np.split(coefficients, cuts, axis=1)
    parts = [
        f'"""What a hand of a two-player draw table is worth, in percent of a trick.\n\n{origin}\n"""',
        "\nimport numpy as np\n",
        "# By whether the second card is seen (no, yes), by suit (side suits, spades), by the higher cards",
        "# of the suit that are unseen, by the own higher cards of the suit; the last of each for all more.",
        table("CARD_WORTH", cards.reshape(2, 2, MOST_OUT + 1, MOST_OWN + 1)),
        "\n# By whether the second card is seen, by length.",
        table("SIDE_LENGTH_WORTH", sides),
        table("SPADE_LENGTH_WORTH", spades),
        "\n# By whether the second card is seen: for leading first, for each first card that the opponent",
        "# kept, for each spade unseen.",
        table("BESIDE_WORTH", beside),
        "",
    ]
    return "\n".join(parts)


def main(output: Path, company: str = "hard:draw_bags=off", boards: int = N_BOARDS, seed: int = SEED) -> None:
    """Play, fit, and write the module."""
    if boards < 1:
        raise SystemExit(f"error: boards must be at least 1, not {boards}.")
    coefficients = np.stack([fit(Rules.parse(rules), company, boards, seed) for rules in TABLES])
    bot = load_side(company).lower
    origin = (
        f"Fitted by ``experiments/fit_draw.py`` on {2 * boards:,} hands of each table, seed {seed},\n"
        f"played by two ``{company}``, digest {bot.digest}."
    )
    output.write_text(module(coefficients, origin))


if __name__ == "__main__":
    typer.run(main)
