"""Do boards name the better bot, and do points? Twelve pairs of bots, by games, by win chance, by points.

``python experiments/sign_of_boards.py`` takes a minute or two, and prints the table of
docs/explanation/win-chance.md. Each pair plays whole games, which have the last word; boards from the states
of real games, judged by the change of win chance; and boards from 0-0 without bags, judged by points.

The pairs were chosen for what they are and for being told apart by games; what boards say of them had no
say in that. Nine of them differ in what they bid and in nothing else.
"""

from dataclasses import dataclass
from typing import Annotated

import typer

from spadesim.match import duel
from spadesim.stats.intervals import Estimate

SEED = 2026
# Rules, the two bots, and what the first one does that the second one does not.
PAIRS = (
    ("pata", "lowest_card", "easy", "always plays its lowest card"),
    ("pata", "hard:rounding=3", "hard", "bids ¾ of a trick more"),
    ("pata", "medium:rounding=3", "medium", "bids ½ of a trick more"),
    ("canonical", "yardstick:king=2", "yardstick", "counts less for kings"),
    ("classic", "hard:king=1,queen=0", "hard", "counts less for kings and queens"),
    ("classic", "pata_hard:rounding=60", "pata_hard", "bids ½ of a trick more"),
    ("patalupaus", "hard:nil_odds=-1500", "hard", "bids nils that fail more often than not"),
    ("patalupaus", "pata_normal:spade_long=40", "pata_normal", "counts half for long spades"),
    ("pata", "hard:bags=off", "hard", "takes tricks that nobody needs"),
    ("draw300", "medium:draw_less=75", "medium", "bids 0.4 of a trick more"),
    ("draw500", "hard:draw_rounding=-5", "hard", "bids a whole trick less"),
    ("draw500", "medium", "hard", "is another bot"),
)  # fmt: skip


@dataclass(frozen=True)
class Signs:
    """What the three measures say about a pair, each from the first bot's side.

    Parameters
    ----------
    games : Estimate
        The share of games won, less a half.
    chance : Estimate
        The change of win chance a board.
    points : Estimate
        Points a board from 0-0.
    """

    games: Estimate
    chance: Estimate
    points: Estimate

    @property
    def is_chance_right(self) -> bool:
        """Whether the change of win chance has the sign of the games."""
        return (self.chance.mean > 0) == (self.games.mean > 0)

    @property
    def are_points_right(self) -> bool:
        """Whether the points have."""
        return (self.points.mean > 0) == (self.games.mean > 0)


def is_clear(estimate: Estimate) -> bool:
    """Whether the 95 % interval leaves no doubt about the sign."""
    return estimate.low > 0 or estimate.high < 0


def measure(rules: str, a: str, b: str, n: int, seed: int = SEED) -> Signs:
    """Play a pair of bots, `n` games and as many boards of each kind, on deals of their own."""
    rate = duel(a, b, rules=rules, games=n, seed=seed).win_rate_a
    boards = duel(a, b, rules=rules, boards=n, seed=seed + 1)
    from_0 = duel(a, b, rules=rules, boards=n, seed=seed + 2, scores="0,0")
    assert rate is not None
    assert boards.win_chance_per_board is not None
    assert from_0.points_per_board is not None
    return Signs(
        Estimate(rate.mean - 0.5, rate.low - 0.5, rate.high - 0.5),
        boards.win_chance_per_board,
        from_0.points_per_board,
    )


def _line(rules: str, a: str, b: str, what: str, found: Signs) -> str:
    won, chance, points = found.games, found.chance.scaled(100), found.points
    marks = [
        ("" if is_right else " ✗") + ("" if is_clear(estimate) else " ?")
        for is_right, estimate in (
            (True, won), (found.is_chance_right, chance), (found.are_points_right, points)
        )
    ]  # fmt: skip
    return (
        f"| {rules} | `{a}` | `{b}` | {what} "
        f"| {100 * (won.mean + 0.5):.1f} ± {50 * (won.high - won.low):.1f}{marks[0]} "
        f"| {chance.mean:+.2f} ± {(chance.high - chance.low) / 2:.2f}{marks[1]} "
        f"| {points.mean:+.2f} ± {(points.high - points.low) / 2:.2f}{marks[2]} |"
    )


def main(
    n: Annotated[int, typer.Option(help="Games, and boards of either kind, of each pair.")] = 40_000,
    seed: Annotated[int, typer.Option(help="Which deals.")] = SEED,
) -> None:
    """Print a row a pair: ✗ for a wrong sign, ? for one that is not sure."""
    print("| rules | A | B | A, unlike B, | games that A wins, % | win chance a board, % | points from 0-0 |")
    print("|---|---|---|---|---|---|---|")
    every = []
    for rules, a, b, what in PAIRS:
        found = measure(rules, a, b, n, seed)
        print(_line(rules, a, b, what, found), flush=True)
        every.append(found)
    n_clear = sum(is_clear(found.games) for found in every)
    by_chance = sum(found.is_chance_right for found in every)
    by_points = sum(found.are_points_right for found in every)
    print(f"\n{n_clear} of {len(every)} pairs are told apart by games. ", end="")
    print(f"Win chance names the better one of {by_chance}, points from 0-0 of {by_points}.")


if __name__ == "__main__":
    typer.run(main)
