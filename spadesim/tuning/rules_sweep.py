"""What a rule changes: the same bots on the same deals under several sets of rules. There is no best one."""

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

import spadesim
from spadesim.core.batch import HAND_CAP
from spadesim.core.rng import RNG_NAME
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.match.crews import Workers
from spadesim.match.duel import Notice, is_same, load, play_duel, seat_sides, workers_for
from spadesim.match.matches import Counter
from spadesim.match.result import DuelResult
from spadesim.match.run import Progress
from spadesim.match.spec import DEFAULT_SEED, DuelSpec, make_spec, rooms_of
from spadesim.match.told import Told
from spadesim.stats.intervals import Estimate, t_interval
from spadesim.tuning.settings import (
    Axis,
    Settings,
    check_axes,
    check_different,
    grid,
    of_rules,
    read_axis,
    with_rules,
)
from spadesim.tuning.swept import MEASURED

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_GAMES = 4000
MOST_ARMS = 1000
LEAST_UNITS = 2  # pairs or sets, for an interval
MEASURES = ("won", "hands_per_game", *MEASURED)


@dataclass(frozen=True)
class RulesSweepSpec:
    """A sweep of rules that can be played.

    Parameters
    ----------
    strategy : str
        The side that is looked at.
    axes : tuple of Axis
        Options of the rules (``rules.bag_penalty``) and their values.
    vs : tuple of str
        Whom it plays against; itself if empty.
    games : int
        Whole games under each set of rules, against each reference.
    rules, seed, hand_cap
        As for a duel; the options are laid on `rules`.

    Raises
    ------
    UserError
        Whatever cannot be played as asked, with the reason.
    """

    strategy: str
    axes: tuple[Axis, ...]
    vs: tuple[str, ...] = ()
    games: int = DEFAULT_GAMES
    rules: Rules = field(default_factory=Rules)
    seed: int = DEFAULT_SEED
    hand_cap: int = HAND_CAP

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        check_axes(self.axes)
        if names := [axis.name for axis in self.axes if not of_rules(axis)]:
            raise UserError(f"'{names[0]}' is no option of the rules: sweep rules alone, not with settings.")
        size = math.prod(len(axis.values) for axis in self.axes)
        if size > MOST_ARMS:
            raise UserError(f"{size:,} sets of rules are too many to be read; {MOST_ARMS:,} are the most.")
        for settings in grid(self.axes):
            duel = self.duel(settings, self.refs[0])
            if duel.units < LEAST_UNITS:
                raise UserError(
                    f"{self.games} games do not show how much games differ: "
                    f"{LEAST_UNITS * duel.n_rooms} are the least."
                )

    @property
    def refs(self) -> tuple[str, ...]:
        """Whom the strategy plays against."""
        return self.vs or (self.strategy,)

    def duel(self, settings: Settings, ref: str) -> DuelSpec:
        """The games under one set of rules."""
        rules = with_rules(self.rules, settings)
        games = -(-self.games // rooms_of(rules)) * rooms_of(rules)
        return make_spec(self.strategy, ref, rules=rules, games=games, seed=self.seed, hand_cap=self.hand_cap)

    def command(self) -> str:
        """The command line, quoted for a shell, that repeats exactly this sweep."""
        words = ["spadesim", "sweep", self.strategy]
        words += [word for axis in self.axes for word in ("--set", str(axis))]
        words += [word for ref in self.vs for word in ("--vs", ref)]
        words += ["--games", str(self.games), "--rules", str(self.rules), "--seed", str(self.seed)]
        words += ["--hand-cap", str(self.hand_cap)] if self.hand_cap != HAND_CAP else []
        return shlex.join(words)


@dataclass(frozen=True)
class RulesArm:
    """One set of rules against one reference; every interval holds for itself.

    Parameters
    ----------
    settings : dict of str to str
        The options that were varied.
    rules : str
    vs : str
    games : int
    won : Estimate or None
        The strategy's share of the games, a draw as half a win: how much skill decides. None against itself.
    hands_per_game : Estimate
        Its interval takes both games of a pair for one.
    mean_bid, bags_per_hand, points_per_hand : Estimate or None
        Of the strategy's side, per hand.
    nil_rate : Estimate or None
        Nils per hand of one bot.
    set_rate : Estimate or None
        Share of contracts not made.
    command : str
        The command line that plays these games alone.
    """

    settings: dict[str, str]
    rules: str
    vs: str
    games: int
    won: Estimate | None
    hands_per_game: Estimate
    mean_bid: Estimate | None
    nil_rate: Estimate | None
    bags_per_hand: Estimate | None
    set_rate: Estimate | None
    points_per_hand: Estimate | None
    command: str

    @property
    def label(self) -> str:
        """Its options in a few words, without what all of them begin with."""
        return ",".join(f"{name.removeprefix('rules.')}={value}" for name, value in self.settings.items())

    def __repr__(self) -> str:
        """Its options, whom it is against, and games."""
        return f"<RulesArm {self.label}, against {self.vs}, {self.games:,} games>"


@dataclass(frozen=True, eq=False, repr=False)
class RulesSweepResult(Told):
    """What a sweep of rules measured; the fields are those of the JSON object.

    Parameters
    ----------
    strategy : str
    vs : tuple of str
    arms : tuple of RulesArm
        By rules in the order of the grid, then by reference.
    requested : int
        How many there are when all is played.
    partial : bool
        Whether Ctrl-C ended it.
    hands : int
    rules : str
        Those on which the options were laid.
    seed : int
    verdict : str
    seconds, hands_per_second : float
    command : str
        The command line that repeats the sweep.
    version, rng : str
    spec : RulesSweepSpec
        Not in the JSON object.
    """

    strategy: str
    vs: tuple[str, ...]
    arms: tuple[RulesArm, ...]
    requested: int
    partial: bool
    hands: int
    rules: str
    seed: int
    verdict: str
    seconds: float
    hands_per_second: float
    command: str
    version: str
    rng: str
    spec: RulesSweepSpec = field(repr=False)

    def to_frame(self) -> "pd.DataFrame":
        """A row for each set of rules and reference.

        Returns
        -------
        DataFrame
            A column for each option, of numbers where all of its values are, then rules, vs, games, and for
            each measure its value and its interval: won, won_low, won_high, hands_per_game and so on.
        """
        import pandas as pd

        rows = []
        for arm in self.arms:
            row: dict[str, Any] = {**arm.settings, "rules": arm.rules, "vs": arm.vs, "games": arm.games}
            for name in MEASURES:
                found: Estimate | None = getattr(arm, name)
                row |= {
                    f"{name}{end}": getattr(found, what, None)
                    for end, what in (("", "mean"), ("_low", "low"), ("_high", "high"))
                }
            rows.append(row)
        frame = pd.DataFrame(rows)
        for axis in self.spec.axes if rows else ():
            frame[axis.name] = axis.column(arm.settings[axis.name] for arm in self.arms)
        return frame


def sweep_rules(
    strategy: str,
    axes: Sequence[str],
    *,
    vs: Sequence[str] = (),
    games: int = DEFAULT_GAMES,
    rules: str | Rules = DEFAULT_PRESET,
    seed: int = DEFAULT_SEED,
    hand_cap: int = HAND_CAP,
    **how: Any,
) -> RulesSweepResult:
    """Play the same deals under several sets of rules, and measure what that changes.

    Parameters
    ----------
    strategy, vs, games, rules, seed, hand_cap
        See `RulesSweepSpec`.
    axes : sequence of str
        Options of the rules and their values, such as ``rules.bag_penalty=0,50,100``; several make a grid.
    **how
        workers, chunk, progress and notice, as for `duel`.

    Raises
    ------
    UserError
        What was asked for cannot be played.

    Examples
    --------
    >>> found = sweep_rules("medium", ["rules.target=100,200"], games=200)
    >>> [round(arm.hands_per_game.mean) for arm in found.arms]
    [2, 3]
    """
    spec = make_rules_sweep(strategy, axes, vs=vs, games=games, rules=rules, seed=seed, hand_cap=hand_cap)
    return play_rules_sweep(spec, **how)


def make_rules_sweep(
    strategy: str, axes: Sequence[str], *, vs: Sequence[str] = (), rules: str | Rules, **more: object
) -> RulesSweepSpec:
    """A `RulesSweepSpec` from what a caller writes; fields that are None take their defaults."""
    return RulesSweepSpec(
        strategy=strategy.strip(),
        axes=tuple(read_axis(text) for text in axes),
        vs=tuple(ref.strip() for ref in vs),
        rules=Rules.parse(rules) if isinstance(rules, str) else rules,
        **{name: value for name, value in more.items() if value is not None},  # type: ignore[arg-type]
    )


def play_rules_sweep(
    spec: RulesSweepSpec,
    *,
    workers: Workers = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> RulesSweepResult:
    """Play a sweep of rules that has been specified; Ctrl-C leaves the sets of rules that were finished.

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C before anything was measured.
    """
    crew = workers_for(workers, chunk)
    duels = [(settings, spec.duel(settings, ref), ref) for settings in grid(spec.axes) for ref in spec.refs]
    check_tables(spec, notice)
    counter = Counter(sum(duel.units for _, duel, _ in duels), progress)
    arms, hands = [], 0
    try:
        for settings, duel, ref in duels:
            result = play_duel(duel, workers=crew, chunk=chunk, progress=counter.within, notice=notice)
            if result.partial:
                raise KeyboardInterrupt
            counter.units, counter.hands = counter.units + duel.units, counter.hands + result.hands
            counter.seconds += result.seconds
            arms.append(_arm(settings, ref, result, is_own=is_same((load(duel.a), load(duel.b)))))
            hands += result.hands
    except KeyboardInterrupt:
        if not arms:
            raise
    return RulesSweepResult(
        strategy=spec.strategy,
        vs=spec.refs,
        arms=tuple(arms),
        requested=len(duels),
        partial=len(arms) < len(duels),
        hands=hands,
        rules=str(spec.rules),
        seed=spec.seed,
        verdict=_verdict(spec, arms, len(duels)),
        seconds=counter.seconds,
        hands_per_second=hands / counter.seconds if counter.seconds else 0.0,
        command=spec.command(),
        version=spadesim.__version__,
        rng=RNG_NAME,
        spec=spec,
    )


def check_tables(spec: RulesSweepSpec, notice: Notice | None = None) -> None:
    """Refuse bots that cannot sit at one of the tables, and one reference twice.

    Raises
    ------
    UserError
        Which one, and why.
    """
    check_different([load(ref, notice) for ref in spec.refs])
    for settings in grid(spec.axes):
        for ref in spec.refs:
            duel = spec.duel(settings, ref)
            seat_sides(duel, (load(duel.a, notice), load(duel.b, notice)), notice)


def _arm(settings: Settings, ref: str, result: DuelResult, is_own: bool) -> RulesArm:
    side = result.sides["a"]
    return RulesArm(
        settings=dict(settings),
        rules=result.rules,
        vs=ref,
        games=result.games or 0,
        won=None if is_own else result.win_rate_a,
        hands_per_game=_length(result),
        **{name: getattr(side, name) for name in MEASURED},
        command=result.command,
    )


def _length(result: DuelResult) -> Estimate:
    """Hands in a game; the games of a pair have much in common, and count as one for the interval."""
    counts = np.asarray(result.tally["lengths"], dtype=np.float64)
    lengths, games = np.arange(len(counts)), counts.sum()
    mean = result.hands / games
    spread = float((counts * (lengths - mean) ** 2).sum() / games)
    units = int(result.tally["units"])
    return t_interval(float(mean), spread / max(1, units - 1), max(2, units))


def _verdict(spec: RulesSweepSpec, arms: Sequence[RulesArm], planned: int) -> str:
    """What changes most to a game designer: who wins, or else how long a game is."""
    begin = "" if len(arms) == planned else f"Partial, {len(arms)} of {planned} sets of rules: "
    skilled = [arm for arm in arms if arm.won is not None and arm.vs == spec.refs[0]]
    if skilled:
        ordered = sorted(skilled, key=lambda arm: arm.won.mean if arm.won else 0.0)
        what = f"{spec.strategy} wins between {{}} of the games against {spec.refs[0]}"
        ends = [(arm.label, arm.won.scaled(100) if arm.won else Estimate(0, 0, 0)) for arm in ordered]
        words = [f"{e.mean:.1f} % ({e.low:.1f} to {e.high:.1f}; {label})" for label, e in ends]
    else:
        ordered = sorted(arms, key=lambda arm: arm.hands_per_game.mean)
        what = "A game takes between {} hands"
        ends = [(arm.label, arm.hands_per_game) for arm in ordered]
        words = [f"{e.mean:.2f} ({e.low:.2f} to {e.high:.2f}; {label})" for label, e in ends]
    if len(words) == 1:
        return begin + what.replace("between ", "").format(words[0]) + "."
    return begin + what.format(f"{words[0]} and {words[-1]}") + "."
