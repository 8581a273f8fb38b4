"""Do a tournament's intervals hold the truth? Makes up tournaments of which the truth is known, and counts.

``python experiments/rating_coverage.py`` takes twenty minutes, and prints a line for each case: in how many
of 10,000 tournaments the 95 % interval of a rating held the true one (mean over the players), and in how many
the joint intervals held all of them. Boards are unequal and shared, as real ones are: many show no
difference, the others have wide tails, and all matches have the luck of the same deals. Games come in pairs
on the same deals, which all matches share.

The last lines are about equal players, for whom boards were added wherever the ranking was least certain,
with a look after every block: in how many tournaments anybody was ever separated from anybody; and, of a
tenth as many, of how many pairs, matches and single ratings 95 % were claimed at the end.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from scipy.special import ndtr

from spadesim.stats.common import MatchMoments
from spadesim.stats.davidson import ELO, davidson, expected_shares
from spadesim.stats.davidson import N_FEATURES as GAME_FEATURES
from spadesim.stats.extra import RankingAim, next_match
from spadesim.stats.intervals import Estimate
from spadesim.stats.ratings import (
    N_FEATURES,
    Heads,
    Ratings,
    design,
    features,
    heads,
    least_squares,
    round_robin,
    solver,
)
from spadesim.stats.signs import Signs

FloatArray = npt.NDArray[np.float64]
Case = tuple[Callable[[np.random.Generator], Ratings], FloatArray]

SEED = 7
TRUTH_BOARDS = 2_000_000  # so many tell what ratings endless play would give where players go in circles
FIVE = (0.02, 0.01, 0.0, -0.01, -0.02)


def board_values(
    rng: np.random.Generator,
    strengths: Sequence[float],
    boards: int,
    differing: float = 1.0,
    circles: FloatArray | None = None,
) -> FloatArray:
    """Values of shape (matches, boards) of a round robin, with luck that the matches share.

    Parameters
    ----------
    rng : Generator
    strengths : sequence of float
        True ratings, whose differences are the means.
    boards : int
    differing : float
        The share of the boards on which a match shows any difference.
    circles : float64 array of shape (matches,), optional
        What the matches' true means differ from the difference of strengths.
    """
    rows = design(len(strengths), round_robin(len(strengths)))
    means = rows @ np.asarray(strengths) + (0 if circles is None else circles)
    luck = rng.normal(0, 0.08, (boards, len(strengths))) @ rows.T
    own = 0.06 * rng.standard_t(6, (boards, len(rows)))
    wide = np.where(np.arange(len(rows)) % 2, 1.0, 0.5)  # some matches are noisier than others
    values = (rng.random((boards, len(rows))) < differing) * (wide * (luck + own) + means / differing)
    return np.asarray(values.T)


def moments_of(values: FloatArray) -> MatchMoments:
    """The moments of values of shape (matches, boards)."""
    moments = MatchMoments(len(values), N_FEATURES)
    moments.add_common(features(values))
    return moments


def game_moments(
    rng: np.random.Generator, log_strengths: Sequence[float], draw: float, n_pairs: int, deal: float = 0.6
) -> MatchMoments:
    """The moments of pairs of games by Davidson's model, in which all matches share their deals.

    Parameters
    ----------
    rng : Generator
    log_strengths : sequence of float
    draw : float, Davidson's v
    n_pairs : int
        Pairs of games in each match.
    deal : float, 0 to 1
        How much the deal decides; the second game has it turned round.
    """
    rows = design(len(log_strengths), round_robin(len(log_strengths)))
    score, drawn = expected_shares(rows @ np.asarray(log_strengths), draw)
    luck = deal * rng.standard_normal((n_pairs, 1, 1)) * np.array([1, -1])
    uniform = ndtr(luck + np.sqrt(1 - deal**2) * rng.standard_normal((n_pairs, len(rows), 2)))
    lost = (1 - score - drawn / 2)[:, None]
    result = (uniform > lost) / 2 + (uniform > lost + drawn[:, None]) / 2
    counts = np.stack([result.sum(2), (result == 0.5).sum(2), np.full(result.shape[:2], 2.0)], axis=-1)
    moments = MatchMoments(len(rows), GAME_FEATURES)
    moments.add_common(np.moveaxis(counts, 1, 0))
    return moments


def by_boards(
    strengths: Sequence[float], boards: int, differing: float = 1.0, circles: FloatArray | None = None
) -> Case:
    """A tournament on boards, and the ratings that endless play would give."""
    n = len(strengths)

    def play(rng: np.random.Generator) -> Ratings:
        values = board_values(rng, strengths, boards, differing, circles)
        return least_squares(n, round_robin(n), moments_of(values))

    if circles is None:
        return play, np.asarray(strengths) - np.mean(strengths)
    endless = MatchMoments(n * (n - 1) // 2, N_FEATURES)
    rng = np.random.default_rng(SEED)
    for _ in range(100):
        endless.add_common(features(board_values(rng, strengths, TRUTH_BOARDS // 100, differing, circles)))
    means = design(n, round_robin(n)) @ np.asarray(strengths) + circles
    return play, solver(n, round_robin(n), endless) @ means


def by_games(log_strengths: Sequence[float], draw: float, n_pairs: int, deal: float = 0.6) -> Case:
    """A tournament of whole games, and the true strengths in Elo."""
    n = len(log_strengths)

    def play(rng: np.random.Generator) -> Ratings:
        moments = game_moments(rng, log_strengths, draw, n_pairs, deal)
        return davidson(n, round_robin(n), moments, 2, None).elo

    return play, ELO * (np.asarray(log_strengths) - np.mean(log_strengths))


CIRCLES = np.array([0.01, 0.0, -0.01, 0.01, 0.01, 0.0, 0.0, 0.01, -0.01, 0.01])
CASES: dict[str, Callable[[], Case]] = {
    "boards: 5 players, 500 boards, all differ": lambda: by_boards(FIVE, 500),
    "boards: 5 players, 2,000 boards, 30 % differ": lambda: by_boards(FIVE, 2000, 0.3),
    "boards: 5 players in circles, 2,000 boards, 30 % differ": lambda: by_boards(FIVE, 2000, 0.3, CIRCLES),
    "boards: 8 equal players, 1,000 boards, 50 % differ": lambda: by_boards((0.0,) * 8, 1000, 0.5),
    "boards: 2 players, 5,000 boards, 5 % differ": lambda: by_boards((0.005, -0.005), 5000, 0.05),
    "games: 5 players within 170 Elo, 500 pairs": lambda: by_games((0.5, 0.2, 0.0, -0.2, -0.5), 0.0, 500),
    "games: the same with 9 % draws": lambda: by_games((0.5, 0.2, 0.0, -0.2, -0.5), 0.2, 500),
    "games: 4 players up to 700 Elo apart, 1,000 pairs": lambda: by_games((2.0, 0.2, 0.0, -2.0), 0.02, 1000),
    "games: 8 equal players, 300 pairs, deals decide": lambda: by_games((0.0,) * 8, 0.0, 300, 0.9),
}


def coverage(case: Case, runs: int, seed: int = SEED) -> tuple[float, float]:
    """The share of runs whose interval of a rating held the truth, and whose joint intervals all did."""
    play, truth = case
    rng = np.random.default_rng(seed)
    alone, joint = np.zeros(runs), np.zeros(runs)
    for run in range(runs):
        found = play(rng)
        alone[run] = _held(found.alone(), truth).mean()
        joint[run] = _held(found.joint(), truth).all()
    return float(alone.mean()), float(joint.mean())


def _held(estimates: Sequence[Estimate], truth: FloatArray) -> npt.NDArray[np.bool_]:
    ends = np.array([(estimate.low, estimate.high) for estimate in estimates])
    held: npt.NDArray[np.bool_] = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    return held


def looks(
    rng: np.random.Generator, n_players: int, boards: int, aim: RankingAim, differing: float = 0.3
) -> Iterator[tuple[Ratings, Heads]]:
    """Ratings and head to heads at every look at a growing tournament of equal players."""
    equal, pairs = (0.0,) * n_players, round_robin(n_players)
    values = board_values(rng, equal, boards, differing)
    moments, signs = moments_of(values), Signs(n_players, pairs)
    signs.add_common(values)
    first = least_squares(n_players, pairs, moments), heads(moments)
    match: int | None = 0
    while match is not None:
        ratings = replace(least_squares(n_players, pairs, moments), first_look=first[0], signs=signs)
        yield ratings, replace(heads(moments), first_look=first[1], signs=signs)
        match = next_match(pairs, moments, ratings, aim)
        if match is not None:
            more = board_values(rng, equal, aim.size(int(moments.units[match])), differing)[match]
            moments.add_extra(match, features(more))
            signs.add_extra(match, more)


def is_ever_separated(rng: np.random.Generator, n_players: int, boards: int, aim: RankingAim) -> bool:
    """Whether somebody of equal players is separated from anybody at any look at a growing tournament."""
    return any(ratings.separated().any() for ratings, _ in looks(rng, n_players, boards, aim))


def misled(
    rng: np.random.Generator, n_players: int, boards: int, aim: RankingAim
) -> tuple[float, float, float]:
    """What the end of a growing tournament of equal players tells for 95 % sure, each pair for itself.

    Returns
    -------
    tuple of 3 float
        The shares of pairs of which the superiority matrix says 97.5 % and more, of matches whose own
        interval leaves out 0, and of players whose rating's own interval does.
    """
    *_, (ratings, own) = looks(rng, n_players, boards, aim)
    sure = np.abs(ratings.superiority() - 0.5)[np.triu_indices(n_players, 1)] > 0.475
    heads_wrong, ratings_wrong = (~_held(found.alone(), np.zeros(1)) for found in (own, ratings))
    return float(sure.mean()), float(heads_wrong.mean()), float(ratings_wrong.mean())


def is_falsely_circular(rng: np.random.Generator, n_players: int, boards: int) -> bool:
    """Whether any head-to-head result of equal players is taken for sure."""
    moments = moments_of(board_values(rng, (0.0,) * n_players, boards, 0.5))
    return bool(heads(moments).beats(n_players, round_robin(n_players)).any())


def main(runs: Annotated[int, typer.Option(help="Tournaments of each case.")] = 10_000) -> None:
    """Print how often intervals hold the truth."""
    print(f"{'':58}  rating   all ratings")
    for name, case in CASES.items():
        alone, joint = coverage(case(), runs)
        print(f"{name:58} {100 * alone:6.2f} %   {100 * joint:6.2f} %", flush=True)
    rng = np.random.default_rng(SEED)
    heads_wrong = np.mean([is_falsely_circular(rng, 5, 1000) for _ in range(runs)])
    print(
        f"equal players: any result head to head taken for sure        {100 * heads_wrong:.2f} %", flush=True
    )
    for n_players in (2, 4):
        aim = RankingAim(indifference=0.0, block=200, cap=4000)
        wrong = np.mean([is_ever_separated(rng, n_players, 400, aim) for _ in range(runs)])
        print(
            f"{n_players} equal players, 400 to 4,000 boards a match, a look every 200: anybody ever ", end=""
        )
        print(f"separated {100 * wrong:.2f} %", flush=True)
        few = max(runs // 10, 1)
        found = np.mean([misled(rng, n_players, 200, replace(aim, block=100)) for _ in range(few)], axis=0)
        texts = (f"{100 * share:.2f} %" for share in found)
        print("  at the end 95 % sure of a pair, a match, a rating: " + ", ".join(texts), flush=True)


if __name__ == "__main__":
    typer.run(main)
