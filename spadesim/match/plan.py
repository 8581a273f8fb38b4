"""How long a comparison is going to take, before it is played: from a short pilot."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.match.duel import play_duel
from spadesim.match.result import DuelResult
from spadesim.match.run import Progress
from spadesim.match.spec import DEFAULT_SEED, DuelSpec, make_spec, set_word
from spadesim.match.stop import DEFAULT_ERROR, GAMES_WON, MOST_ERROR, WIN_CHANCE, Scale
from spadesim.match.stopping import Stopping, value_scale
from spadesim.stats.sequential import Bounds, Expected, expected_table, fixed_length

PILOT_BOARDS, PILOT_GAMES = 4000, 1200
LEAST_EFFECT = 1e-6  # games won: less takes more of them than anybody plays
LEAST_DIFFERENT = 20  # units of a pilot; with fewer its spread says next to nothing


@dataclass(frozen=True)
class Length:
    """What it takes to see a difference with units of one kind.

    Parameters
    ----------
    what : str
        The units: "boards", "pairs of games", "sets of games" or "games on deals of their own".
    unit : str
        Of the difference, see `Decision.unit`.
    effect : float
        The difference in a unit's value.
    spread : float
        Standard deviation of a unit's value, from the pilot.
    units : float
        As many show the difference with the power asked for, the length being chosen beforehand.
    hands, seconds : float
        What these take.
    test : tuple of Expected
        How a sequential test of 0 against the difference goes, by the true difference.
    different : float
        Share of the pilot's units that differed.
    """

    what: str
    unit: str
    effect: float
    spread: float
    units: float
    hands: float
    seconds: float
    test: tuple[Expected, ...]
    different: float


@dataclass(frozen=True)
class Plan:
    """How long it takes to see a difference between two bots.

    Parameters
    ----------
    a, b, rules : str
    effect : float
        The difference, in games won: with 0.01 A wins 51 % of them.
    alpha, power : float
    hands_per_game : float
        From the pilot.
    lengths : tuple of Length
    """

    a: str
    b: str
    rules: str
    effect: float
    alpha: float
    power: float
    hands_per_game: float
    lengths: tuple[Length, ...]

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON object, as Python values."""
        return dataclasses.asdict(self)


def plan(  # noqa: PLR0913 - its parameters are the options of the command
    a: str,
    b: str,
    *,
    effect: float = 0.01,
    power: float = 0.9,
    alpha: float = DEFAULT_ERROR,
    boards: int = PILOT_BOARDS,
    games: int | None = None,
    rules: str | Rules = DEFAULT_PRESET,
    seed: int | None = DEFAULT_SEED,
    workers: int | None = None,
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
) -> Plan:
    """How many boards or games, and seconds, it takes to see a difference between two bots.

    A pilot of boards and games tells how much units vary and how long they take. A difference in games won is
    taken for the change of win chance that adds up to it over the hands of a game.

    Parameters
    ----------
    a, b : str
    effect : float
        The difference to be seen, in games won: with 0.01 A wins 51 % of the games.
    power : float
        The chance to see it.
    alpha : float
        The chance to see a difference where there is none.
    boards, games : int
        Length of the pilot.
    rules, seed, workers, progress, notice
        As for `spadesim.duel`.

    Raises
    ------
    UserError
        Numbers out of range, or bots between which the pilot shows next to no difference.
    """
    _check(effect, power, alpha)
    first = make_spec(a, b, rules=rules, seed=seed, boards=boards)
    games = -(-(games or PILOT_GAMES) // first.n_rooms) * first.n_rooms
    second = make_spec(a, b, rules=rules, seed=seed, games=games)
    pilots = [_pilot(spec, workers, progress, notice) for spec in (first, second)]
    hands_per_game = pilots[1][0].hands / games
    lengths = []
    for spec, (result, watch) in zip((first, second), pilots, strict=True):
        scale = value_scale(spec)
        if spec.boards is not None and scale is not WIN_CHANCE:
            continue
        size = effect if scale is GAMES_WON else effect / hands_per_game
        lengths.append(_length(spec, result, watch, scale, size, alpha, power))
    lengths.append(_unpaired(lengths[-1], pilots[1][0], effect, alpha, power))
    return Plan(first.a, first.b, str(first.rules), effect, alpha, power, hands_per_game, tuple(lengths))


def _check(effect: float, power: float, alpha: float) -> None:
    for name, value, most in (("effect", effect, 0.5), ("alpha", alpha, MOST_ERROR), ("power", power, 1.0)):
        if not 0 < value < most:
            raise UserError(f"{name} must be above 0 and below {100 * most:.0f} %, not {100 * value:g} %.")
    if effect < LEAST_EFFECT:
        raise UserError(f"effect must be at least {100 * LEAST_EFFECT:g} %, not {100 * effect:g} %.")
    if power <= alpha:
        raise UserError(f"power must be above alpha, not {100 * power:g} %; 90 % is usual.")


def _pilot(
    spec: DuelSpec, workers: int | None, progress: Progress | None, notice: Callable[[str], None] | None
) -> tuple[DuelResult, Stopping]:
    watch = Stopping(spec, None, notice)
    result = play_duel(spec, workers=workers, progress=progress, notice=notice, watch=watch)
    if result.partial:  # a plan from half a pilot is none
        raise KeyboardInterrupt
    different = watch.seen.moments.different
    if different < LEAST_DIFFERENT:
        seen = f"Only {different} of {spec.some_units(result.spec.units)} differed"
        raise UserError(f"{seen}, too few for a plan; make the pilot longer with --pilot.")
    return result, watch


def _length(
    spec: DuelSpec,
    result: DuelResult,
    watch: Stopping,
    scale: Scale,
    effect: float,
    alpha: float,
    power: float,
) -> Length:
    moments = watch.seen.moments
    spread = moments.variance**0.5
    units = fixed_length(effect, spread, alpha, power)
    rows = expected_table(0.0, effect, spread, Bounds.of(alpha, 1 - power))
    what = "boards" if spec.boards is not None else f"{set_word(spec.n_rooms)}s of games"
    return Length(
        what,
        scale.name,
        effect,
        spread,
        units,
        units * result.hands / moments.n,
        units * result.seconds / moments.n,
        tuple(rows),
        moments.different / moments.n,
    )


def _unpaired(pairs: Length, games: DuelResult, effect: float, alpha: float, power: float) -> Length:
    """Games that share no deals, as most simulators play them: each with a result of its own."""
    assert games.games is not None
    assert games.win_rate_a is not None
    draws = (games.draws or 0) / games.games
    spread = (games.win_rate_a.mean * (1 - games.win_rate_a.mean) - draws / 4) ** 0.5
    units = fixed_length(effect, spread, alpha, power)
    rows = expected_table(0.0, effect, spread, Bounds.of(alpha, 1 - power))
    return Length(
        "games on deals of their own",
        pairs.unit,
        effect,
        spread,
        units,
        units * games.hands / games.games,
        units * games.seconds / games.games,
        tuple(rows),
        1.0,
    )
