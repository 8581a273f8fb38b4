"""How often does a bot win a game of two players from given scores on? Swapped pairs on the same deals.

``python experiments/from_scores.py hard hard:draw_blind=never --scores 360,460``: the first bot always has
the first score. `spadesim duel --scores` plays single boards; this plays on to the end of the game. As in a
duel, a draw counts as half a game won, and unfinished games are left out and told.
"""

from typing import Any

import numpy as np
import typer

from spadesim.core.batch import lay_out
from spadesim.core.play import DESK, NO_FAULT, play_hand
from spadesim.core.position import POSITION, end_hand, new_position, start_game
from spadesim.core.scoring import DRAW as DRAWN
from spadesim.core.scoring import GOES_ON
from spadesim.errors import UserError
from spadesim.match.spec import make_spec
from spadesim.stats.games import DRAW, LOSS, UNFINISHED, WIN, GameStats, game_stats
from spadesim.strategy import jit, lineup, load_side

TWO = 2


@jit
def play_games(positions: Any, desks: Any, seed: Any, scores: Any, hand_cap: Any, results: Any) -> None:
    """Play pairs of games, and write down the first bot's result in both of each."""
    position, desk = positions[0], desks[0]
    for pair in range(results.shape[0]):
        for seat in range(2):
            desk.roles[seat] = 0
            desk.roles[1 - seat] = 2
            start_game(position, seed, pair)
            position.scores[seat] = scores[0]
            position.scores[1 - seat] = scores[1]
            result = GOES_ON
            while result == GOES_ON and position.hand_no < hand_cap:
                if play_hand(position, desk) != NO_FAULT:
                    return
                result = end_hand(position)
            if result == GOES_ON:
                results[pair, seat] = UNFINISHED
            elif result == DRAWN:
                results[pair, seat] = DRAW
            else:
                results[pair, seat] = WIN if result == seat else LOSS


def measure(
    first: str, second: str, scores: str, rules: str = "draw500", games: int = 20_000, seed: int = 1
) -> GameStats:
    """What the games came to, from the first bot's side.

    Raises
    ------
    UserError
        The table is not one for two, a game is over at these scores, or whatever a duel refuses.
    """
    if games < TWO or games % TWO:
        raise UserError(f"games must be an even number, 2 at least, not {games}: they are played in pairs.")
    # The standing is that of a board, so a board's checks are the ones that fit.
    spec = make_spec(first, second, rules=rules, scores=scores, boards=games // 2, seed=seed)
    if spec.rules.players != TWO:
        raise UserError(f"rules must be for two players, such as draw500, not {spec.rules}.")
    task = spec.task(0, spec.units)
    positions, desks = np.zeros(1, dtype=POSITION), np.zeros(1, dtype=DESK)
    positions[0] = new_position(spec.rules)
    lay_out(desks[0], lineup(load_side(first), load_side(second), spec.rules))
    results = np.zeros((spec.units, 2), dtype=np.int64)
    play_games(positions, desks, seed, np.array(spec.scores), task["hand_cap"], results)
    if desks[0]["fault"]["code"] != NO_FAULT:
        raise UserError(f"a bot gave an illegal answer: {first} or {second}.")
    outcomes = np.zeros((4, 4), dtype=np.int64)
    np.add.at(outcomes, (results[:, 0], results[:, 1]), 1)
    return game_stats(outcomes.tolist())


def main(
    first: str, second: str, scores: str = "0,0", rules: str = "draw500", games: int = 20_000, seed: int = 1
) -> None:
    """Play, and print the share of games that the first bot wins with its 95 % interval over pairs."""
    try:
        stats = measure(first, second, scores, rules, games, seed)
    except UserError as error:
        raise SystemExit(f"error: {error}") from None
    share = stats.win_rate
    if share is None:
        raise SystemExit(f"error: none of {games:,} games was finished.")
    print(
        f"{first} from {scores}: {share.mean:.2%} of {games:,} games won "
        f"({share.low:.2%} to {share.high:.2%}); "
        f"{stats.wins:,} won, {stats.draws:,} drawn, {stats.losses:,} lost, {stats.unfinished:,} unfinished"
    )


if __name__ == "__main__":
    typer.run(main)
