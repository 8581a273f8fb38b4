"""The sweep: many settings of a strategy on the same boards, and whether the best one is really better."""

import time
from collections.abc import Sequence
from functools import partial

from spadesim.core.batch import HAND_CAP
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.match.crews import Workers
from spadesim.match.duel import Notice, load, seat_sides, workers_for
from spadesim.match.equity_file import equity_of
from spadesim.match.executors import apart
from spadesim.match.matches import Counter, stretches
from spadesim.match.run import Progress
from spadesim.match.spec import DEFAULT_SEED
from spadesim.match.stopping import limit_of
from spadesim.stats.common import FloatArray
from spadesim.strategy import Side, load_side
from spadesim.tuning.field import BASELINE, Field
from spadesim.tuning.outcome import Remeasured, result_of
from spadesim.tuning.race import CORRECTIONS, Race, RacePlan
from spadesim.tuning.settings import (
    Axis,
    Settings,
    check_different,
    check_settings,
    with_settings,
)
from spadesim.tuning.sweep_spec import DEFAULT_GAMES, SweepSpec, make_sweep
from spadesim.tuning.swept import SweepResult

MANY = 2000  # arms that are not played without being asked twice
PILOT = 200  # boards by which the speed is told


def sweep(  # noqa: PLR0913 - its parameters are the options of the command
    strategy: str,
    axes: Sequence[str],
    *,
    vs: Sequence[str] = (),
    sample: int | None = None,
    boards: int | None = None,
    until_width: str | float | None = None,
    race: bool = True,
    correction: str = CORRECTIONS[0],
    confirm: int = DEFAULT_GAMES,
    rules: str | Rules = DEFAULT_PRESET,
    seed: int = DEFAULT_SEED,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    hand_cap: int = HAND_CAP,
    yes: bool = False,
    workers: Workers = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> SweepResult:
    """Play many settings of a strategy on the same boards, and measure the best of them anew.

    Parameters
    ----------
    strategy : str
        The baseline: a bot or a side of two, with parameters where wanted.
    axes : sequence of str
        Settings and their values, such as ``king=2:6:1`` or ``nil_odds=0,300,600``; several make a grid.
    vs : sequence of str
        Whom all settings play against; the strategy itself if empty.
    sample : int, optional
        Play so many combinations of a grid, spread evenly, instead of all.
    boards : int, optional
        The most boards that a setting plays against each of these: 20,000, or 200,000 with a width.
    until_width : str or float, optional
        Go on until every interval is no wider, such as ``0.6%``, or the setting surely worse than the best.
    race : bool
        Whether settings that do badly stop early.
    correction : {"max-t", "holm"}
        How intervals are made to hold together.
    confirm : int
        Whole games that the winner plays against each of `vs` in the end; 0 for none.
    rules : str or Rules
        A preset, with options changed where wanted, such as ``pata:target=300``.
    seed : int, 0 to 2**63 - 1
        Which deals.
    scores, bags : str or sequence of int, optional
        How boards stand before their hand, by side; without them as it occurs in games.
    hand_cap : int
        Hands after which a game is given up.
    yes : bool
        Play however many combinations there are.
    workers : int, str, Crew or None
        Who plays: a number of threads, all cores without it, or a text such as ``processes:4``.
    chunk : int, optional
        Boards that a worker takes at once.
    progress : function of 3 int, optional
        Called with units done, units in all, and hands played out.
    notice : function of str, optional
        Called with what takes a while, before it does.

    Raises
    ------
    UserError
        What was asked for cannot be played, or a bot broke the contract.

    Examples
    --------
    >>> found = sweep("medium", ["rounding=0:4:2"], boards=400, confirm=0)
    >>> [arm.label for arm in found.arms], found.arms[0].is_baseline
    (['as given', 'rounding=0', 'rounding=2', 'rounding=4'], True)
    """
    spec = make_sweep(
        strategy, axes, vs=vs, sample=sample, boards=boards, until_width=until_width, race=race,
        correction=correction, confirm=confirm, rules=rules, seed=seed, scores=scores, bags=bags,
        hand_cap=hand_cap,
    )  # fmt: skip
    return play_sweep(spec, yes=yes, workers=workers, chunk=chunk, progress=progress, notice=notice)


def play_sweep(
    spec: SweepSpec,
    *,
    yes: bool = False,
    workers: Workers = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> SweepResult:
    """Play a sweep that has been specified; parameters and errors as `sweep`.

    Ctrl-C ends it early: what whole stretches of boards came to is the result, which then is partial.

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C before anything was measured.
    """
    crew = workers_for(workers, chunk)
    baseline, refs = _made_ready(spec, notice)
    if spec.size > MANY and not yes:
        raise UserError(how_long(spec, baseline, refs, crew))
    arms = arms_of(spec, str(baseline))
    counter = Counter(0, progress)
    field = Field(spec.duel(), list(arms), refs, crew, chunk, counter)
    plan = RacePlan(len(arms) - 1, spec.most, spec.race, spec.width, limit_of(spec.duel()))
    counter.all = len(refs) * (plan.planned + plan.boards) + field.units(plan.boards, plan.boards)

    def looked(race: Race) -> None:
        """With a width it is seen on the way only how long the race will be."""
        if plan.width is not None:
            more = len(refs) * (race.left() + race.boards) + field.units(race.boards, race.boards)
            counter.all = counter.units + more

    def play(playing: Sequence[int], first: int, size: int) -> FloatArray:
        """Arms beside the baseline, of which it is seen how it plays, whoever the references are."""
        gains: FloatArray = field.play([BASELINE, *playing], first, size)[1:]
        return gains

    race = Race(plan, play, spec.correction == "holm", looked)
    again = None
    is_partial = True
    try:
        if plan.arms:
            race.run()
        is_partial = False
        if plan.arms and race.winner() != 0:
            again = Remeasured(spec, race, field)
            again.play()
    except KeyboardInterrupt:
        if not race.boards:
            raise
        is_partial = True
    return result_of(spec, arms, race, field, again, is_partial)


def _made_ready(spec: SweepSpec, notice: Notice | None) -> tuple[Side, list[Side]]:
    """The strategy and the references, compiled, once all that a sweep needs is there."""
    refs = [load(ref, notice) for ref in spec.refs]
    baseline = load(spec.strategy, notice)
    check_bots(spec)
    for ref in refs:
        seat_sides(spec.duel(), (baseline, ref), notice)
    apart(partial(equity_of, spec.duel(), notice))
    return baseline, refs


def check_bots(spec: SweepSpec) -> None:
    """Refuse settings that the strategy has not, and one reference twice.

    Raises
    ------
    UserError
        Which one, and why.
    """
    check_settings(spec.strategy, spec.axes)
    check_different([load_side(ref) for ref in spec.refs])


def arms_of(spec: SweepSpec, baseline: str) -> dict[str, Settings]:
    """The arms by the text that plays them, the baseline first; combinations that come to the same are one.

    Parameters
    ----------
    spec : SweepSpec
    baseline : str
        Its text, as all texts are written.
    """
    arms: dict[str, Settings] = {baseline: {}}
    for settings in spec.settings():
        text = with_settings(baseline, settings)
        if not arms.get(text):
            arms[text] = settings
    return arms


def how_long(spec: SweepSpec, baseline: Side, refs: Sequence[Side], workers: Workers) -> str:
    """How long a sweep of very many arms would take, as a pilot of it tells."""
    begun = time.perf_counter()
    few = SweepSpec(spec.strategy, tuple(Axis(a.name, a.values[:1]) for a in spec.axes), rules=spec.rules)
    arms = arms_of(few, str(baseline))
    field = Field(spec.duel(), [str(baseline), list(arms)[-1]], refs, workers, None, Counter(0, None))
    loading = time.perf_counter() - begun
    begun = time.perf_counter()
    for first, size in stretches(0, PILOT):
        field.play([1], first, size)
    a_board = (time.perf_counter() - begun) / PILOT
    plan = RacePlan(spec.size, spec.most, spec.race, spec.width)
    seconds = loading * spec.size + a_board * plan.planned
    return (
        f"{spec.size:,} combinations would take about {_time_text(seconds)} on this machine. "
        "--yes plays them all the same; --sample 200 tries 200 of them, spread evenly."
    )


def _time_text(seconds: float) -> str:
    """A long time in the largest unit that it has some of.

    >>> _time_text(90), _time_text(7200), _time_text(400_000)
    ('2 minutes', '2 hours', '5 days')
    """
    for size, word in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 1.5 * size or word == "minute":
            n = max(1, round(seconds / size))
            return f"{n:,} {word}{'' if n == 1 else 's'}"
    raise AssertionError
