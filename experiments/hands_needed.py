"""How many hands does it take to see 1 % of games? Boards, pairs of games and games on deals of their own.

``python experiments/hands_needed.py`` prints the table of docs/explanation/stopping.md, in some minutes: two
bots that are close to each other are told apart by the same sequential test again and again, each time on new
deals, until what was played is used up. Games on deals of their own are one game of each pair, the sides
changing places from pair to pair.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import typer

from spadesim.match.duel import play_duel
from spadesim.match.result import DuelResult
from spadesim.match.scale import GAMES_WON, WIN_CHANCE
from spadesim.match.spec import make_spec
from spadesim.match.stop import Stop
from spadesim.match.stop_rules import UNDECIDED, Aim, Seen, rule_for
from spadesim.match.values import unit_values
from spadesim.stats.moments import Moments

Values = npt.NDArray[np.float64]
BATCHES = {"boards": 500, "pairs of games": 100, "games on deals of their own": 500}


@dataclass(frozen=True)
class Row:
    """One way to play: runs, shares of them that accepted either value, units and hands on average."""

    what: str
    runs: int
    high: float
    low: float
    units: float
    hands: float


class Collector:
    """A watch that keeps the outcomes."""

    batch = 5000

    def __init__(self) -> None:
        self.parts: list[Any] = []

    def __call__(self, outcomes: Any) -> bool:
        """Keep a batch, and go on."""
        self.parts.append(outcomes.copy())
        return False


def tests(values: Values, aim: Aim, batch: int) -> Iterator[tuple[str, int]]:
    """One test after the other, as long as there are values: what was accepted, and how many it took."""
    seen = Seen()
    rule = rule_for(aim, seen)
    for part in np.array_split(values[: len(values) // batch * batch], len(values) // batch):
        seen.moments += Moments.of(part)
        if rule.look() != UNDECIDED:
            yield rule.outcome, seen.moments.n
            seen = Seen()
            rule = rule_for(aim, seen)


def unpaired(outcomes: Any) -> Values:
    """A's score less 1/2 in one game of each pair, from the one room and the other by turns."""
    rooms = np.arange(len(outcomes)) % 2
    return np.asarray((outcomes["results"] >> 2 * rooms & 3) / 2 - 0.5, dtype=np.float64)


def measure(a: str, b: str, boards: int, games: int, effect: float) -> tuple[DuelResult, list[Row]]:
    """The duel of games that tells the truth, and a row for each way to play."""
    played: list[tuple[DuelResult, Any, Any]] = []
    for length in ({"boards": boards}, {"games": games}):
        spec, collector = make_spec(a, b, **length), Collector()  # type: ignore[arg-type]
        result = play_duel(spec, watch=collector)
        played.append((result, spec, np.concatenate(collector.parts)))
    (_, on_boards, single), (truth, on_games, paired) = played
    hands = truth.hands / games
    rows = []
    for what, values, mean, scale, hands_a_unit in (
        ("boards", unit_values(on_boards, single), effect / hands, WIN_CHANCE, 2.0),
        ("pairs of games", unit_values(on_games, paired), effect, GAMES_WON, 2 * hands),
        ("games on deals of their own", unpaired(paired), effect, GAMES_WON, hands),
    ):
        limit = 1.0 if scale is WIN_CHANCE else 0.5
        aim = Aim(Stop("sprt", f"0,{100 * mean:.6f}"), scale, scale, limit)
        found = list(tests(values, aim, BATCHES[what]))
        units = float(np.mean([n for _, n in found]))
        high = np.mean([outcome == "high" for outcome, _ in found])
        rows.append(Row(what, len(found), float(high), float(1 - high), units, units * hands_a_unit))
    return truth, rows


def main(
    a: str = "hard:hard_before_2026.toml",
    b: str = "hard:hard_before_2026.toml,queen_backed=2",
    boards: int = 600_000,
    games: int = 1_000_000,
    effect: float = 0.01,
) -> None:
    """Print the table."""
    truth, rows = measure(a, b, boards, games, effect)
    rate = truth.win_rate_a
    assert rate is not None
    print(f"{a} wins {100 * rate.mean:.2f} % ({100 * rate.low:.2f} to {100 * rate.high:.2f}) against {b}\n")
    print("| played | tests | better | not better | units on average | hands on average |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row.what} | {row.runs:,} | {100 * row.high:.1f} % | {100 * row.low:.1f} % "
            f"| {row.units:,.0f} | {row.hands:,.0f} |"
        )


if __name__ == "__main__":
    typer.run(main)
