"""What does looking again and again do? Draws two pictures for docs/explanation/stopping.md.

``python experiments/peeking.py docs/explanation/pictures`` takes half a minute. The one shows how often two
bots that are the same are called different by who looks again and again at the usual interval, and by who
looks at the one that may be looked at any time. The other follows a duel of pairs of games: its two
intervals, and its sequential test between the bounds.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import typer

from spadesim.analysis.look import DASHED, FAINT, INK, SIDES, SMALL, STYLE, new_figure
from spadesim.match.duel import play_duel
from spadesim.match.spec import make_spec
from spadesim.match.stop import Stop
from spadesim.match.stopping import Stopping
from spadesim.stats.anytime import anytime_interval
from spadesim.stats.intervals import Estimate, Z
from spadesim.stats.moments import Moments

RUNS, LOOKS, BATCH = 4000, 100, 200
LIMITS = (-1.0, 1.0)
Rates = npt.NDArray[np.float64]


def fooled(runs: int = RUNS, seed: int = 1) -> tuple[Rates, Rates]:
    """Shares of runs without a difference that have shown one by each look: usual and any-time interval."""
    rng = np.random.default_rng(seed)
    usual, anytime = np.zeros((2, runs, LOOKS), dtype=bool)
    for run in range(runs):
        values = np.where(rng.random(LOOKS * BATCH) < 0.5, 0.05 * rng.standard_t(4, LOOKS * BATCH), 0.0)
        sums, squares = np.cumsum(values), np.cumsum(values * values)
        for look in range(LOOKS):
            n = (look + 1) * BATCH
            moments = Moments(n, sums[n - 1], squares[n - 1], n // 2, 0)
            usual[run, look] = abs(moments.mean) > Z * (moments.variance / n) ** 0.5
            found = anytime_interval(moments, LIMITS)
            anytime[run, look] = found is not None and not found.low <= 0 <= found.high
    return tuple(np.logical_or.accumulate(shown, axis=1).mean(axis=0) for shown in (usual, anytime))


def draw_fooled(usual: Rates, anytime: Rates) -> Any:
    """The first picture."""
    figure, axes = new_figure(2.9)
    looks = np.arange(1, LOOKS + 1)
    axes.plot(looks, 100 * usual, color=SIDES[1], label="the usual interval")
    axes.plot(looks, 100 * anytime, color=SIDES[0], label="the interval for any time")
    axes.axhline(5, color=FAINT, linewidth=1, linestyle=DASHED)
    axes.set_xlabel(f"looks, one every {BATCH} boards")
    axes.set_ylabel("called different, %")
    axes.set_ylim(0, None)
    axes.grid(axis="y")
    axes.legend(fontsize=SMALL, loc="upper left")
    return figure


class Follower(Stopping):
    """A rule's watch that writes down how it stood at every look, and goes on after its end."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.rows: list[tuple[int, float, float, Estimate | None, float]] = []

    def __call__(self, outcomes: Any) -> bool:
        """Write down how it stands."""
        super().__call__(outcomes)
        moments, rule = self.seen.moments, self._rule
        assert rule is not None
        error = (moments.variance / moments.n) ** 0.5
        llr = rule.aim.llr(self.seen, *rule.aim.ends)
        self.rows.append((moments.n, moments.mean, error, self.anytime, llr))
        return False


def draw_path(follower: Follower, bounds: tuple[float, float]) -> Any:
    """The second picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    rows = [row for row in follower.rows if row[3] is not None]
    n = [row[0] for row in rows]
    for color, ends, label in (
        (SIDES[0], [(row[3].low, row[3].high) for row in rows if row[3]], "for any time"),
        (SIDES[1], [(row[1] - Z * row[2], row[1] + Z * row[2]) for row in rows], "the usual one"),
    ):
        low, high = (50 + 100 * np.array(side) for side in zip(*ends, strict=True))
        above.fill_between(n, low, high, color=color, alpha=0.3, linewidth=0, label=label)
    above.plot(n, [50 + 100 * row[1] for row in rows], color=INK)
    above.axhline(50, color=FAINT, linewidth=1, linestyle=DASHED)
    above.set_ylabel("games won, %")
    above.legend(fontsize=SMALL, loc="lower right")
    below.plot([row[0] for row in follower.rows], [row[4] for row in follower.rows], color=INK)
    for bound in bounds:
        below.axhline(bound, color=SIDES[0], linewidth=1, linestyle=DASHED)
    below.set_ylabel("log-likelihood ratio")
    below.set_xlabel("pairs of games")
    return figure


def main(folder: Path, a: str = "hard", b: str = "hard:king=2", games: int = 12_000) -> None:
    """Draw both pictures into a folder."""
    from matplotlib import rc_context

    usual, anytime = fooled()
    print(f"called different by look {LOOKS}: {100 * usual[-1]:.1f} % and {100 * anytime[-1]:.1f} %")
    stop = Stop("sprt", "gain")
    spec = make_spec(a, b, games=games, stop=stop)
    follower = Follower(spec, stop)
    play_duel(spec, watch=follower)
    rule = follower._rule
    assert rule is not None
    assert rule.test is not None
    folder.mkdir(parents=True, exist_ok=True)
    with rc_context(STYLE):  # type: ignore[arg-type]
        for name, figure in (
            ("peeking", draw_fooled(usual, anytime)),
            ("a-test-on-its-way", draw_path(follower, (rule.test.bounds.low, rule.test.bounds.high))),
        ):
            figure.savefig(folder / f"{name}.svg", facecolor="white", metadata={"Date": None})


if __name__ == "__main__":
    typer.run(main)
