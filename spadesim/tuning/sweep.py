"""The sweep: many settings of a strategy on the same boards, and whether the best one is really better."""

import math
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from spadesim.core.batch import HAND_CAP
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError, suggest
from spadesim.match.confirm import about_confirm
from spadesim.match.crews import Workers
from spadesim.match.duel import Notice, load, seat_sides, workers_for
from spadesim.match.equity_file import equity_of
from spadesim.match.executors import apart
from spadesim.match.matches import Counter, stretches
from spadesim.match.run import Progress
from spadesim.match.spec import DEFAULT_SEED, MAX_UNITS, DuelSpec, check_range, make_spec, whole
from spadesim.match.stop import DEFAULT_BUDGET, Stop, scale_for
from spadesim.match.stopping import limit_of, value_scale
from spadesim.stats.common import FloatArray
from spadesim.strategy import Side, load_side
from spadesim.tuning.field import BASELINE, Field
from spadesim.tuning.outcome import Remeasured, result_of
from spadesim.tuning.race import CORRECTIONS, Race, RacePlan
from spadesim.tuning.settings import (
    Axis,
    Settings,
    check_axes,
    check_different,
    check_settings,
    grid,
    of_rules,
    read_axis,
    sampled,
    with_settings,
)
from spadesim.tuning.swept import SweepResult

DEFAULT_BOARDS = 20_000
DEFAULT_GAMES = 4000
MANY = 2000  # arms that are not played without being asked twice
PILOT = 200  # boards by which the speed is told


@dataclass(frozen=True)
class SweepSpec:
    """A sweep that can be played; building one checks everything but the strategies.

    Parameters
    ----------
    strategy : str
        The baseline: a side as the spec grammar has it.
    axes : tuple of Axis
        The settings that are varied, and their values.
    vs : tuple of str
        The references that all arms play against; the strategy itself if empty.
    sample : int or None
        Play so many combinations, spread evenly, instead of all.
    boards : int or None
        The most boards that an arm plays against each reference: 20,000 if left out, or 200,000 with a width.
    until_width : str or None
        Go on until every arm's interval is no wider than this, or the arm surely worse than the best.
    race : bool
        Whether arms that do badly stop early.
    correction : {"max-t", "holm"}
        How the arms' intervals are made to hold together.
    confirm : int
        Whole games that the winner plays against each reference in the end; 0 for none.
    rules, seed, scores, bags, hand_cap
        As for a duel (`spadesim.match.spec.DuelSpec`).

    Raises
    ------
    UserError
        Whatever cannot be played as asked, with the reason.
    """

    strategy: str
    axes: tuple[Axis, ...]
    vs: tuple[str, ...] = ()
    sample: int | None = None
    boards: int | None = None
    until_width: str | None = None
    race: bool = True
    correction: str = CORRECTIONS[0]
    confirm: int = DEFAULT_GAMES
    rules: Rules = field(default_factory=Rules)
    seed: int = DEFAULT_SEED
    scores: tuple[int, ...] | None = None
    bags: tuple[int, ...] | None = None
    hand_cap: int = HAND_CAP

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        check_axes(self.axes)
        if names := [axis.name for axis in self.axes if of_rules(axis)]:
            raise UserError(f"'{names[0]}' varies the rules: sweep rules alone, not together with settings.")
        check_range("boards", self.most, 1, MAX_UNITS)
        if self.sample is not None and whole("sample", self.sample) < 1:
            raise UserError(f"sample must be at least 1, not {self.sample}.")
        if self.correction not in CORRECTIONS:
            near = suggest(self.correction, CORRECTIONS)
            raise UserError(f"correction must be max-t or holm, not '{self.correction}'.{near}")
        self.duel()
        if self.confirm:
            with about_confirm():
                self.duel(games=self.confirm)
        _ = self.width

    @property
    def refs(self) -> tuple[str, ...]:
        """Whom all arms play against."""
        return self.vs or (self.strategy,)

    @property
    def most(self) -> int:
        """The most boards that an arm plays against each reference."""
        if self.boards is not None:
            return self.boards
        return DEFAULT_BOARDS if self.until_width is None else DEFAULT_BUDGET

    @property
    def size(self) -> int:
        """Combinations to be played, before those that come to the same are left out."""
        n = math.prod(len(axis.values) for axis in self.axes)
        return n if self.sample is None else min(n, self.sample)

    @property
    def width(self) -> float | None:
        """The width to be reached, in the unit of boards' values.

        Raises
        ------
        UserError
            It is no number, or in a unit that is not played here.
        """
        if self.until_width is None:
            return None
        stop, scale = Stop("width", self.until_width), value_scale(self.duel())
        return stop.numbers(scale_for(scale, (), stop.suffix))[1]

    def duel(self, games: int | None = None, first: int = 0) -> DuelSpec:
        """The duel of the baseline and the first reference: on boards, or over so many whole games."""
        return make_spec(
            self.strategy,
            self.refs[0],
            rules=self.rules,
            scores=self.scores if games is None else None,
            bags=self.bags if games is None else None,
            boards=self.most if games is None else None,
            games=games,
            seed=self.seed,
            first=first,
            hand_cap=self.hand_cap,
        )

    def settings(self) -> Sequence[Settings]:
        """The combinations to be played."""
        return list(grid(self.axes)) if self.sample is None else sampled(self.axes, self.sample, self.seed)

    def command(self) -> str:
        """The command line, quoted for a shell, that repeats exactly this sweep."""
        words = ["spadesim", "sweep", self.strategy]
        words += [word for axis in self.axes for word in ("--set", str(axis))]
        words += [word for ref in self.vs for word in ("--vs", ref)]
        words += ["--sample", str(self.sample)] if self.sample is not None else []
        words += ["--boards", str(self.most)]
        words += ["--until-width", self.until_width.replace(" ", "")] if self.until_width else []
        words += [] if self.race else ["--no-race"]
        words += ["--correction", self.correction] if self.correction != CORRECTIONS[0] else []
        words += ["--confirm", str(self.confirm)]
        return shlex.join(words + self.duel().conditions())


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
    vs, sample, boards, until_width, race, correction, confirm
        See `SweepSpec`.
    rules, seed, scores, bags, hand_cap, workers, chunk, progress, notice
        As for `duel`.
    yes : bool
        Play however many combinations there are.

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


def make_sweep(
    strategy: str,
    axes: Sequence[str],
    *,
    vs: Sequence[str] = (),
    until_width: str | float | None = None,
    rules: str | Rules = DEFAULT_PRESET,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    **more: object,
) -> SweepSpec:
    """A `SweepSpec` from what a caller writes, rules and scores as for `make_spec`.

    Parameters
    ----------
    strategy, axes, vs, until_width, rules, scores, bags
        See `sweep`.
    **more
        Other fields of `SweepSpec`; those that are None take their defaults.
    """
    usual = make_spec(strategy, strategy, rules=rules, scores=scores, bags=bags, boards=1)
    return SweepSpec(
        strategy=usual.a,
        axes=tuple(read_axis(text) for text in axes),
        vs=tuple(ref.strip() for ref in vs),
        until_width=None if until_width is None else str(until_width).strip(),
        rules=usual.rules,
        scores=usual.scores,
        bags=usual.bags,
        **{name: value for name, value in more.items() if value is not None},  # type: ignore[arg-type]
    )


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
    refs = [load(ref, notice) for ref in spec.refs]
    baseline = load(spec.strategy, notice)
    check_bots(spec)
    for ref in refs:
        seat_sides(spec.duel(), (baseline, ref), notice)
    apart(partial(equity_of, spec.duel(), notice))
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
