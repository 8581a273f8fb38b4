"""How often do the rules that may end a duel err? Results made up, so that the truth is known, and real ones.

``python experiments/error_rates.py`` prints the table of docs/explanation/stopping.md, in some minutes on one
core: 10,000 runs of each rule under either truth. With ``--engine`` 1,000 runs follow in which two different
bots play, and a coin tossed for each board by its number decides whose result it is, so that the truth is no
difference, whatever the bots are.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from spadesim.match.duel import play_duel
from spadesim.match.scale import ELO, GAMES_WON, NORMALISED_ELO, WIN_CHANCE
from spadesim.match.spec import make_spec
from spadesim.match.stop import Stop
from spadesim.match.stop_rules import UNDECIDED, Aim, Rule, Seen, rule_for
from spadesim.match.stopping import BATCH_OF_BOARDS, BATCH_OF_GAMES, aim_of
from spadesim.match.values import unit_values
from spadesim.stats.anytime import anytime_interval
from spadesim.stats.elo import score_of
from spadesim.stats.moments import Moments

RUNS, ENGINE_RUNS, ESTIMATES = 10_000, 1000, 1000
BUDGET, ENGINE_BUDGET = 200_000, 8000
SEED = 1
SHARE_LEVEL, SPREAD = 0.5, 0.05  # of made-up boards: half are level, the others of heavy tails
PAIRS = np.array([0.02, 0.06, 0.84, 0.06, 0.02])  # of made-up pairs, most of them split

Values = npt.NDArray[np.float64]
Feed = Callable[[np.random.Generator, int], Seen]


@dataclass(frozen=True)
class Case:
    """A rule and a truth.

    Parameters
    ----------
    name, truth : str
    aim : Aim
    feed : function of a generator and a number of units
        Returns what a batch adds.
    wrong : tuple of str
        Outcomes that are errors.
    mean : float
        The true mean.
    batch : int
    """

    name: str
    truth: str
    aim: Aim
    feed: Feed
    wrong: tuple[str, ...]
    mean: float
    batch: int = BATCH_OF_BOARDS


@dataclass(frozen=True)
class Found:
    """How often a rule erred, how long it took, and how often its interval held the truth."""

    case: Case
    errors: float
    undecided: float
    units: float
    held: float


def boards(mean: float, level: float = SHARE_LEVEL) -> Feed:
    """Boards, a share of them level, the others of a t distribution with four degrees of freedom."""

    def feed(rng: np.random.Generator, size: int) -> Seen:
        differ = rng.random(size) >= level
        values = np.where(differ, SPREAD * rng.standard_t(4, size) + mean / (1 - level), 0.0)
        ahead, behind = int((values > 0).sum()), int((values < 0).sum())
        return Seen(Moments(size, float(values.sum()), float((values * values).sum()), ahead, behind))

    return feed


def pairs(mean: float) -> Feed:
    """Pairs of games, with a mean score that is off 1/2."""
    shares = PAIRS + mean * np.array([-1.0, 0, 0, 0, 1.0])

    def feed(rng: np.random.Generator, size: int) -> Seen:
        counts = rng.multinomial(size, shares)
        values = np.linspace(-0.5, 0.5, 5)
        total, squares = float(counts @ values), float(counts @ values**2)
        moments = Moments(size, total, squares, int(counts[3:].sum()), int(counts[:2].sum()))
        return Seen(moments, counts.tolist())

    return feed


def cases() -> Iterator[Case]:
    """Every rule, at the truths that its errors are about."""
    for level, what in ((SHARE_LEVEL, "boards"), (0.995, "boards, 0.5 % differ")):
        high = 0.002 if level == SHARE_LEVEL else 0.0004
        aim = Aim(Stop("sprt", f"0,{100 * high:g}"), WIN_CHANCE, WIN_CHANCE, 1.0)
        yield Case(f"test, {what}", "the lower value", aim, boards(0.0, level), ("high",), 0.0)
        yield Case(f"test, {what}", "the higher value", aim, boards(high, level), ("low",), high)
    for name, scale, means in (
        ("test, pairs, normalised Elo", NORMALISED_ELO, (0.0, _mean_of_t(20.0))),
        ("test, pairs, Elo", ELO, (0.0, score_of(7.0) - 0.5)),
    ):
        text = "0,20" if scale is NORMALISED_ELO else "0,7elo"
        aim = Aim(Stop("sprt", text), scale, GAMES_WON, 0.5)
        for truth, mean, wrong in zip(("lower", "higher"), means, ("high", "low"), strict=True):
            yield Case(name, f"the {truth} value", aim, pairs(mean), (wrong,), mean, BATCH_OF_GAMES)
    aim = Aim(Stop("equivalent", "0.2"), WIN_CHANCE, WIN_CHANCE, 1.0)
    yield Case("alike, boards", "no difference", aim, boards(0.0), ("different",), 0.0)
    yield Case("alike, boards", "just the margin", aim, boards(0.002), ("equivalent",), 0.002)
    aim = Aim(Stop("width", "0.4"), WIN_CHANCE, WIN_CHANCE, 1.0)
    yield Case("width, boards", "no difference", aim, boards(0.0), ("missed",), 0.0)
    yield Case("width, boards", "a difference", aim, boards(0.002), ("missed",), 0.002)


def _mean_of_t(normalised_elo: float) -> float:
    """The mean at which the made-up pairs have a normalised Elo."""
    low, high = 0.0, PAIRS[0]
    while high - low > 1e-12:
        middle = (low + high) / 2
        shares = PAIRS + middle * np.array([-1.0, 0, 0, 0, 1.0])
        values = np.linspace(-0.5, 0.5, 5)
        spread = (2 * (shares @ values**2 - (shares @ values) ** 2)) ** 0.5
        is_less = (shares @ values) / spread < normalised_elo / (800 / np.log(10))
        low, high = (middle, high) if is_less else (low, middle)
    return float(low)


def follow(rule: Rule, seen: Seen, batches: Iterator[Seen]) -> str:
    """Feed a rule batch by batch, and return its outcome."""
    for batch in batches:
        seen.moments += batch.moments
        seen.pairs[:] = [a + b for a, b in zip(seen.pairs, batch.pairs, strict=True)]
        if rule.look() != UNDECIDED:
            break
    return rule.outcome


def measure(case: Case, runs: int, estimates: int, seed: int = SEED) -> Found:
    """Play a case many times."""
    rng = np.random.default_rng(seed)
    errors = undecided = held = 0
    units = []
    for run in range(runs):
        seen = Seen()
        rule = rule_for(case.aim, seen)
        limits = (-case.aim.limit, case.aim.limit)
        batches = (case.feed(rng, case.batch) for _ in range(BUDGET // case.batch))
        outcome = follow(rule, seen, batches)
        interval = anytime_interval(seen.moments, limits)
        if outcome == "reached" and interval and not interval.low <= case.mean <= interval.high:
            outcome = "missed"
        errors += outcome in case.wrong
        undecided += outcome == UNDECIDED
        units.append(seen.moments.n)
        if run < estimates:
            estimate = rule.estimate(case.batch, interval)
            held += estimate is None or estimate.low <= case.mean <= estimate.high
    return Found(case, errors / runs, undecided / runs, float(np.mean(units)), held / estimates)


def with_engine(a: str, b: str, runs: int, budget: int) -> tuple[Any, Values]:
    """What two different bots came to on the boards of many runs, changing sides by a coin for each board.

    Parameters
    ----------
    a, b : str
    runs, budget : int

    Returns
    -------
    DuelSpec, and float64 array of shape (runs, budget)
    """
    spec = make_spec(a, b, boards=runs * budget, seed=SEED)
    values = _values(spec)
    coins = np.random.Generator(np.random.Philox(key=SEED)).integers(0, 2, values.size) * 2 - 1
    return spec, (values * coins).reshape(runs, budget)


def tested(spec: Any, values: Values, text: str) -> tuple[float, float, float]:
    """Shares of runs that accept the higher and the lower value of a test, and boards on average."""
    aim = aim_of(spec, Stop("sprt", text))
    outcomes, units = [], []
    for row in values:
        seen = Seen()
        batches = (Seen(Moments.of(part)) for part in np.split(row, len(row) // BATCH_OF_BOARDS))
        outcomes.append(follow(rule_for(aim, seen), seen, batches))
        units.append(seen.moments.n)
    shares = [outcomes.count(outcome) / len(outcomes) for outcome in ("high", "low")]
    return shares[0], shares[1], float(np.mean(units))


def _values(spec: Any) -> Values:
    class Collector:
        batch = 5000
        parts: list[Values] = []  # noqa: RUF012 - one collector, one list

        def __call__(self, outcomes: Any) -> bool:
            self.parts.append(unit_values(spec, outcomes))
            return False

    collector = Collector()
    play_duel(spec, watch=collector)
    return np.concatenate(collector.parts)


def main(
    runs: int = RUNS,
    engine: Annotated[bool, typer.Option("--engine", help="Let bots play as well.")] = False,
    test: Annotated[str, typer.Option(help="The test of the bots.")] = "0,0.2",
    a: str = "hard",
    b: str = "hard:king=4",
) -> None:
    """Print the tables."""
    print("| rule | truth | wrong | undecided | units on average | interval holds the truth |")
    print("|---|---|---|---|---|---|")
    for case in cases():
        found = measure(case, runs, min(runs, ESTIMATES))
        print(
            f"| {case.name} | {case.truth} | {100 * found.errors:.1f} % | {100 * found.undecided:.1f} % "
            f"| {found.units:,.0f} | {100 * found.held:.1f} % |",
            flush=True,
        )
    if engine:
        print("\n| test | accepts the higher | accepts the lower | boards on average |\n|---|---|---|---|")
        high = float(test.split(",")[1])
        spec, values = with_engine(a, b, ENGINE_RUNS, ENGINE_BUDGET)
        for text in (test, f"{-high:g},0"):
            up, down, units = tested(spec, values, text)
            print(f"| {text} | {100 * up:.1f} % | {100 * down:.1f} % | {units:,.0f} |", flush=True)


if __name__ == "__main__":
    typer.run(main)
