"""How often does a bot win a game of two players from given scores on? Swapped pairs on the same deals.

``python experiments/from_scores.py hard hard:draw_blind=never --scores 360,460``: the first bot always has
the first score. `spadesim duel --scores` plays single boards; this plays on to the end of the game.
"""

from typing import Any

import numpy as np
import typer

from spadesim.core.batch import HAND_CAP, lay_out
from spadesim.core.play import DESK, NO_FAULT, play_hand
from spadesim.core.position import POSITION, end_hand, new_position, start_game
from spadesim.core.rules import Rules
from spadesim.core.scoring import GOES_ON
from spadesim.strategy import jit, lineup, load_side


@jit
def play_games(positions: Any, desks: Any, seed: Any, first_score: Any, second_score: Any, won: Any) -> None:
    """Play pairs of games, and write down how many of each the first bot won."""
    position, desk = positions[0], desks[0]
    for pair in range(won.size):
        for seat in range(2):
            desk.roles[seat] = 0
            desk.roles[1 - seat] = 2
            start_game(position, seed, pair)
            position.scores[seat] = first_score
            position.scores[1 - seat] = second_score
            result = GOES_ON
            while result == GOES_ON and position.hand_no < HAND_CAP:
                if play_hand(position, desk) != NO_FAULT:
                    return
                result = end_hand(position)
            won[pair] += 1 if result == seat else 0


def main(
    first: str, second: str, scores: str = "0,0", rules: str = "draw500", games: int = 20_000, seed: int = 1
) -> None:
    """Play, and print the share of games that the first bot wins with its 95 % interval over pairs."""
    table = Rules.parse(rules)
    positions, desks = np.zeros(1, dtype=POSITION), np.zeros(1, dtype=DESK)
    positions[0] = new_position(table)
    lay_out(desks[0], lineup(load_side(first), load_side(second), table))
    first_score, second_score = (int(score) for score in scores.split(","))
    won = np.zeros(games // 2, dtype=np.int64)
    play_games(positions, desks, seed, first_score, second_score, won)
    if desks[0]["fault"]["code"] != NO_FAULT:
        raise SystemExit("a bot gave an illegal answer")
    share, error = won.mean() / 2, won.std() / 2 / np.sqrt(won.size)
    print(f"{first} from {scores}: {share:.2%} of {games:,} games won, {1.96 * error:.2%} to either side")


if __name__ == "__main__":
    typer.run(main)
