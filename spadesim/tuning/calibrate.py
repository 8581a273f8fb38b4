"""Aiming at a strength: the setting of a side that makes it win so many of its games against another."""

import math
import re
import shlex
from dataclasses import dataclass, field, replace

from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.match.crews import Workers
from spadesim.match.duel import Notice, Sides, load, seat_sides, workers_for
from spadesim.match.matches import Counter
from spadesim.match.run import Progress
from spadesim.match.spec import DEFAULT_SEED, MAX_UNITS, DuelSpec, check_range, make_spec
from spadesim.strategy import Parameter, Strategy, load_side
from spadesim.strategy.parameters import number_text
from spadesim.strategy.wrappers import WRAPPERS
from spadesim.tuning.aim import USUAL_SPREAD, Aim
from spadesim.tuning.calibrated import CalibrateResult
from spadesim.tuning.curve import GRID, Curve
from spadesim.tuning.settings import RULES, settable, with_settings

FIRST_UNITS = 500  # pairs or sets at each of the first settings
STEPS = 5  # settings at which about all units are played, in a search
LEAST_SPREAD = 0.25  # the standard deviation of the share won in a pair, where it is small
# Search and fresh games err alike, each by a standard error of a sixth of the tolerance: then the interval
# of the fresh games, 1.96 of it to both sides, lies within in all but 3 of 1,000 cases.
ERRORS_WITHIN = 6.2
MOST_RUNGS = 50
_PARAMETER = re.compile(r"(?P<name>[\w.]+)(?:=(?P<low>[^:]+):(?P<high>[^:]+))?")


@dataclass(frozen=True)
class CalibrateSpec:
    """A strength to be aimed at; building one checks everything but the bots.

    Parameters
    ----------
    side, vs : str
        The side that is set, and whom it plays against.
    parameter : str
        A parameter or a weakness, ``blunder``, ``lower.king``; with the range to search, ``blunder=0:0.5``.
    target : float, 0 to 1
        The share of games to win.
    within : float, above 0
        By how much that may be off.
    ladder : int
        Settings with equal steps in win rate, from the strongest down to the target; 0 for the target alone.
    games : int or None
        Most games to play, those of the search and fresh ones together; as many as the tolerance asks for
        if None.
    rules : Rules
    seed : int

    Raises
    ------
    UserError
        What cannot be aimed at, with the reason.
    """

    side: str
    vs: str
    parameter: str
    target: float
    within: float = 0.02
    ladder: int = 0
    games: int | None = None
    rules: Rules = field(default_factory=Rules)
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        """Refuse what nobody could reach."""
        if not 0 < self.target < 1:
            raise UserError(f"target must be between 0 and 1, such as 0.65 or 65%, not {self.target:g}.")
        if not 0 < self.within < 0.5:
            raise UserError(f"within must be above 0 and below 0.5, such as 0.02 or 2%, not {self.within:g}.")
        if self.ladder:
            check_range("ladder", self.ladder, 2, MOST_RUNGS)
        if not _PARAMETER.fullmatch(self.parameter):
            raise UserError(
                "param must be NAME or NAME=LOW:HIGH, such as blunder or blunder=0:0.5, "
                f"not '{self.parameter}'."
            )
        if self.name.startswith(RULES):
            raise UserError(
                f"'{self.name}' is one of the rules; a strength is aimed at by a setting of a bot."
            )
        if self.games is None and self._units_for(USUAL_SPREAD) > MAX_UNITS // self.parts:
            raise UserError(f"within {self.within:g} asks for more games than there are deals: allow more.")
        if self.games is not None and self.games < self.least_games:
            raise UserError(
                f"{self.games:,} games are too few to show anything to {100 * self.within:g} %: at least "
                f"{self.least_games:,}, or allow more with --within."
            )

    @property
    def name(self) -> str:
        """The setting that is varied."""
        return self.parameter.partition("=")[0]

    @property
    def n_rungs(self) -> int:
        """Settings that are looked for."""
        return max(self.ladder, 1)

    @property
    def n_rooms(self) -> int:
        """Games on the same deals."""
        return self.duel(self.side, 0, 1).n_rooms

    @property
    def parts(self) -> int:
        """How many times the units of a setting are played at most, the first look apart."""
        return self.n_rungs * (STEPS + 1)

    @property
    def least_games(self) -> int:
        """Fewer games, search included, cannot show anything."""
        units = math.ceil((1.96 * LEAST_SPREAD / self.within) ** 2)
        return self.n_rooms * units * (self.parts + GRID // 4)

    def units(self, spread: float) -> int:
        """Pairs or sets to play at a setting, in the search and once more in fresh games."""
        wanted = self._units_for(spread)
        if self.games is not None:
            left = self.games // self.n_rooms - GRID * self.first_units
            wanted = min(wanted, left // self.parts)
        return min(max(wanted, self.first_units), MAX_UNITS)

    def _units_for(self, spread: float) -> int:
        """Pairs or sets that the tolerance asks for."""
        return math.ceil((ERRORS_WITHIN * spread / self.within) ** 2)

    @property
    def first_units(self) -> int:
        """Pairs or sets at each of the first settings."""
        if self.games is None:
            return min(FIRST_UNITS, self._units_for(USUAL_SPREAD))
        return min(FIRST_UNITS, self.games // self.n_rooms // (4 * self.parts))

    def duel(self, side: str, first: int, units: int) -> DuelSpec:
        """A duel of a side over some pairs or sets of games."""
        spec = make_spec(side, self.vs, rules=self.rules, seed=self.seed, first=first)
        return replace(spec, games=units * spec.n_rooms)

    def command(self) -> str:
        """The command line that repeats it."""
        words = ["spadesim", "calibrate", self.side, "--param", self.parameter, "--vs", self.vs]
        words += ["--target", number_text(self.target), "--within", number_text(self.within)]
        words += ["--ladder", str(self.ladder)] if self.ladder else []
        words += ["--games", str(self.games)] if self.games is not None else []
        return shlex.join([*words, "--rules", str(self.rules), "--seed", str(self.seed)])


def calibrate(  # noqa: PLR0913 - its parameters are the options of the command
    side: str,
    parameter: str,
    vs: str,
    target: float,
    *,
    within: float = 0.02,
    ladder: int = 0,
    games: int | None = None,
    rules: str | Rules = DEFAULT_PRESET,
    seed: int = DEFAULT_SEED,
    workers: Workers = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> CalibrateResult:
    """The setting that makes a side win so many of its games, shown by games that the search never saw.

    Parameters
    ----------
    side, vs : str
        The side that is set, and whom it plays against.
    parameter : str
        A parameter or a weakness, ``blunder``, ``lower.king``; with the range to search, ``blunder=0:0.5``.
    target : float, 0 to 1
        The share of games to win.
    within : float, above 0
        By how much that may be off.
    ladder : int
        So many settings with equal steps in win rate, from the strongest down to the target; 0 for the target
        alone. Each has fresh games on deals of its own.
    games : int, optional
        Most games to play, those of the search and fresh ones together; as many as the tolerance asks for
        when left out.
    rules : str or Rules
        A preset with optional changes, such as ``pata:target=300``, or a TOML file.
    seed : int
        Which deals.
    workers : int, str or Crew, optional
        Threads; all usable cores when left out. Or others: ``processes:4``, ``dask:4``, ``tcp://host:8786``.
    progress, notice
        As for `spadesim.duel`.

    Raises
    ------
    UserError
        What cannot be aimed at, or a target that no setting reaches.
    KeyboardInterrupt
        Ctrl-C before anything was measured; later it ends the search, and the result is partial.

    Examples
    --------
    >>> calibrate("easy", "blunder", "easy", 1.5)
    Traceback (most recent call last):
    spadesim.errors.UserError: target must be between 0 and 1, such as 0.65 or 65%, not 1.5.
    """
    table = make_spec(side, vs, rules=rules, seed=seed).rules
    spec = CalibrateSpec(
        side.strip(), vs.strip(), parameter.strip(), target, within, ladder, games, table, seed
    )
    return play_calibration(spec, workers=workers, progress=progress, notice=notice)


def play_calibration(
    spec: CalibrateSpec,
    *,
    workers: Workers = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> CalibrateResult:
    """Aim at a strength that has been specified; parameters and errors as `calibrate`."""
    entry = entry_of(spec)
    opponent = load(spec.vs, notice)
    seat_sides(spec.duel(spec.side, 0, 1), (load(spec.side, notice), opponent), notice)
    planned = GRID * spec.first_units + spec.parts * spec.units(USUAL_SPREAD)

    def duel_at(value: str) -> tuple[DuelSpec, Sides]:
        text = with_settings(spec.side, {spec.name: value})
        return spec.duel(text, 0, 1), (load_side(text), opponent)

    curve = Curve(entry, duel_at, workers_for(workers), Counter(planned, progress))
    return Aim(spec, curve, own_value(spec)).play()


def entry_of(spec: CalibrateSpec) -> Parameter:
    """What the setting may be, within the range that was asked for.

    Raises
    ------
    UserError
        No bot of the side has it, it is a word, or the range is none of its own.
    """
    (entry, *others) = [parameter for _, parameter in settable(spec.side, spec.name).values()]
    for parameter in (entry, *others):
        if parameter.choices:
            raise UserError(f"'{spec.name}' is {parameter.allowed()}: only a number can be aimed with.")
    low, high = max(e.low or 0 for e in (entry, *others)), min(e.high or 0 for e in (entry, *others))
    found = _PARAMETER.fullmatch(spec.parameter)
    if found is not None and found["low"] is not None:
        low, high = entry.code(found["low"]), entry.code(found["high"])
    if low >= high:
        raise UserError(f"'{spec.parameter}' leaves nothing to choose between {low:g} and {high:g}.")
    if entry.is_whole:
        low, high = int(low), int(high)
        return replace(entry, default=low, low=low, high=high)
    return replace(entry, default=float(low), low=low, high=high)


def own_value(spec: CalibrateSpec) -> float:
    """What the setting is as the side was given."""
    seats = settable(spec.side, spec.name)
    side = load_side(spec.side)
    seat, (name, _) = next(iter(seats.items()))
    return _value_of((side.lower, side.higher)[seat], name)


def _value_of(bot: Strategy, name: str) -> float:
    if name in bot.parameters:
        return float(bot.values[bot.parameters.names.index(name)])
    return float(bot.weaknesses[list(WRAPPERS).index(name)])
