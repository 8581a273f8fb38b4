"""How long a comparison is going to take, before it is played: from a short pilot."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.match.crews import Workers
from spadesim.match.duel import play_duel
from spadesim.match.result import DuelResult
from spadesim.match.run import Progress
from spadesim.match.scale import GAMES_WON, WIN_CHANCE
from spadesim.match.spec import DEFAULT_SEED, DuelSpec, make_spec, set_word
from spadesim.match.stop import DEFAULT_ERROR, MOST_ERROR
from spadesim.match.stopping import Stopping, scales_of, value_scale
from spadesim.stats.moments import Moments
from spadesim.stats.sequential import Bounds, Expected, expected_table, fixed_length

PILOT_BOARDS, PILOT_GAMES = 4000, 1200
LEAST_EFFECT = 1e-6  # games won: less takes more of them than anybody plays
LEAST_DIFFERENT = 20  # units of a pilot; with fewer its spread says next to nothing
FAR = 0.05  # share of the games that the loser wins, below which their spread says little of close bots
NO_BOARDS = (
    "Boards are left out: without a table of win chances they tell points, and nobody knows how many of "
    "these are worth 1 % of games."
)


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
        Empty where no unit of the pilot differed.
    remark : str
        What is not told, and why; "" where nothing is missing.
    """

    a: str
    b: str
    rules: str
    effect: float
    alpha: float
    power: float
    hands_per_game: float
    lengths: tuple[Length, ...]
    remark: str

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
    workers: Workers = None,
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
        Length of the pilot; three games for ten boards, 1,200 or more, if left out.
    rules, seed, workers, progress, notice
        As for `spadesim.duel`.

    Raises
    ------
    UserError
        Numbers out of range, or bots between which the pilot shows next to no difference.
    """
    _check(effect, power, alpha)
    first = make_spec(a, b, rules=rules, seed=seed, boards=boards)
    games = games or max(PILOT_GAMES, boards * PILOT_GAMES // PILOT_BOARDS)
    games = -(-games // first.n_rooms) * first.n_rooms
    specs = [first, make_spec(a, b, rules=rules, seed=seed, games=games)]
    remarks = []
    if scales_of(first, notice)[0] is not WIN_CHANCE:
        remarks.append(NO_BOARDS)
        del specs[0]
    pilots = [_Pilot(spec, *_played(spec, workers, progress, notice)) for spec in specs]
    of_games = pilots[-1].result
    hands_per_game = of_games.hands / games
    lengths = [_length(pilot, effect, hands_per_game, alpha, power) for pilot in pilots if not pilot.obstacle]
    if not any(pilot.different for pilot in pilots):
        remarks = [_nothing_to_plan(pilots)]
    elif not lengths and all(pilot.different < LEAST_DIFFERENT for pilot in pilots):
        raise UserError(pilots[0].obstacle)
    else:
        remarks += [pilot.obstacle for pilot in pilots if pilot.obstacle]
        remarks += _far_apart(of_games)
        lengths += _unpaired(of_games, effect, alpha, power)
    return Plan(
        first.a, first.b, str(first.rules), effect, alpha, power, hands_per_game, tuple(lengths),
        " ".join(remarks),
    )  # fmt: skip


@dataclass(frozen=True)
class _Pilot:
    """What was played of one kind of unit."""

    spec: DuelSpec
    result: DuelResult
    moments: Moments

    @property
    def different(self) -> int:
        """Units that differed."""
        return self.moments.different

    @property
    def length(self) -> str:
        """What was played, in words."""
        return self.spec.some_units(self.result.spec.units)

    @property
    def obstacle(self) -> str:
        """Why no plan can be made with such units; "" where one can."""
        if self.different < LEAST_DIFFERENT:
            number = f"Only {self.different}" if self.different else "None"
            few = f"{number} of {self.length} of the pilot differed, too few to plan with them"
            return f"{few}; --pilot makes it longer."
        if self.moments.variance == 0:
            return f"All {self.length} of the pilot ended alike: no such plan is needed to see that."
        return ""


def _far_apart(games: DuelResult) -> list[str]:
    """What is to be said where one side wins nearly always."""
    assert games.win_rate_a is not None
    won = games.win_rate_a.mean
    if min(won, 1 - won) > FAR:
        return []
    return [
        f"A won {100 * won:.1f} % of the pilot's games: who is better needs no plan, and closer bots take "
        "more games than this."
    ]


def _nothing_to_plan(pilots: Sequence[_Pilot]) -> str:
    """What is said of bots that always did alike."""
    spec = pilots[0].spec
    lengths = " or ".join(pilot.length for pilot in pilots)
    sentence = f"No difference between {spec.a} and {spec.b} on any of {lengths}, so nothing is to be planned"
    return sentence + ("." if spec.a == spec.b else "; a longer --pilot may find one.")


def _check(effect: float, power: float, alpha: float) -> None:
    for name, value, most in (("effect", effect, 0.5), ("alpha", alpha, MOST_ERROR), ("power", power, 1.0)):
        if not 0 < value < most:
            raise UserError(f"{name} must be above 0 and below {100 * most:.0f} %, not {100 * value:g} %.")
    if effect < LEAST_EFFECT:
        raise UserError(f"effect must be at least {100 * LEAST_EFFECT:g} %, not {100 * effect:g} %.")
    if power <= alpha:
        raise UserError(f"power must be above alpha, not {100 * power:g} %; 90 % is usual.")


def _played(
    spec: DuelSpec, workers: Workers, progress: Progress | None, notice: Callable[[str], None] | None
) -> tuple[DuelResult, Moments]:
    watch = Stopping(spec, None, notice)
    result = play_duel(spec, workers=workers, progress=progress, notice=notice, watch=watch)
    if result.partial:  # a plan from half a pilot is none
        raise KeyboardInterrupt
    return result, watch.seen.moments


def _length(pilot: _Pilot, effect: float, hands_per_game: float, alpha: float, power: float) -> Length:
    spec, result, moments = pilot.spec, pilot.result, pilot.moments
    scale = value_scale(spec)
    effect = effect if scale is GAMES_WON else effect / hands_per_game
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


def _unpaired(games: DuelResult, effect: float, alpha: float, power: float) -> list[Length]:
    """Games that share no deals, as most simulators play them; nothing where one side won them all."""
    assert games.games is not None
    assert games.win_rate_a is not None
    draws = (games.draws or 0) / games.games
    spread = (games.win_rate_a.mean * (1 - games.win_rate_a.mean) - draws / 4) ** 0.5
    if spread == 0:
        return []
    units = fixed_length(effect, spread, alpha, power)
    rows = expected_table(0.0, effect, spread, Bounds.of(alpha, 1 - power))
    hands, seconds = units * games.hands / games.games, units * games.seconds / games.games
    what = "games on deals of their own"
    return [Length(what, GAMES_WON.name, effect, spread, units, hands, seconds, tuple(rows), 1.0)]
