"""From the race of a sweep to its result: what arms came to, and the winner measured anew."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import spadesim
from spadesim.core.rng import RNG_NAME
from spadesim.errors import UserError
from spadesim.match.matches import stretches
from spadesim.match.scale import WIN_CHANCE
from spadesim.match.spec import rooms_of
from spadesim.match.stopping import limit_of, value_scale
from spadesim.stats.intervals import Estimate
from spadesim.stats.moments import Moments
from spadesim.tuning.claims import estimate, is_sure, needed_boards
from spadesim.tuning.field import BASELINE, Field, Tallies
from spadesim.tuning.race import Race
from spadesim.tuning.settings import Settings, with_settings
from spadesim.tuning.swept import MEASURED, Arm, Fresh, Games, SweepResult
from spadesim.tuning.swept_words import verdict

if TYPE_CHECKING:
    from spadesim.tuning.sweep_spec import SweepSpec

NEARLY_EVEN = 0.1  # share of games up to which a match is nearly even, and hands add up to games


class Remeasured:
    """The winner of a race on fresh boards behind all others, and over whole games behind these.

    Parameters
    ----------
    spec : SweepSpec
    race : Race
        That is over.
    field : Field
        Where it was held.
    """

    def __init__(self, spec: "SweepSpec", race: Race, field: Field) -> None:
        self.spec, self.arm = spec, race.winner()
        self.first, self.boards = race.boards, int(race.sums.boards[self.arm])
        self.on_boards = self._field(field, None, self.first)
        self.over_games = self._field(field, spec.confirm, self.first + self.boards) if spec.confirm else None
        self.sums, self.game_sums = Moments(), Moments()

    def _field(self, field: Field, games: int | None, first: int) -> Field:
        arms = [field.arms[BASELINE], field.arms[self.arm]]
        duel = self.spec.duel(games=games, first=first)
        return Field(duel, arms, field.refs, field.workers, field.chunk, field.counter)

    def play(self) -> None:
        """Play both."""
        counter, pairs = self.on_boards.counter, self.pairs
        counter.all = counter.units + self.on_boards.units(self.boards + pairs, self.boards + pairs)
        self.sums = self._played(self.on_boards, self.boards)
        if self.over_games is not None:
            self.game_sums = self._played(self.over_games, pairs)

    @property
    def pairs(self) -> int:
        """Pairs or sets of games against each reference."""
        return self.spec.confirm // rooms_of(self.spec.rules)

    @staticmethod
    def _played(field: Field, units: int) -> Moments:
        mean = Tallies()
        for first, size in stretches(0, units):
            mean.add(1, 0, field.play([1], first, size)[0])
        return mean.moments[1, 0]

    def fresh(self) -> Fresh | None:
        """What came of it; None when it was broken off before its boards were played."""
        sums, limit = self.sums, limit_of(self.spec.duel())
        if sums.n == 0:
            return None
        gain = estimate(sums, limit)
        refs = range(len(self.on_boards.refs))
        return Fresh(
            first=self.first,
            boards=self.boards,
            gain=gain,
            ahead=sums.ahead,
            behind=sums.behind,
            by_ref=tuple(estimate(self.on_boards.gains.moments[1, ref], limit) for ref in refs),
            is_better=is_sure(sums, gain) and gain.mean > 0,
            is_worse=is_sure(sums, gain) and gain.mean < 0,
            needed=needed_boards(sums),
            games=self._games(gain) if self.game_sums.n else None,
        )

    def _games(self, gain: Estimate) -> Games:
        """Whole games, and what a gain on boards comes to in them."""
        assert self.over_games is not None
        side, games = self.over_games.side(1), self.spec.confirm * len(self.over_games.refs)
        is_chance = value_scale(self.spec.duel()) is WIN_CHANCE
        promised = gain.scaled(side.hands / games) if side is not None and is_chance else None
        values, refs = self.over_games.values.moments, range(len(self.over_games.refs))
        won, usual = (
            tuple(estimate(values[arm, ref], 0.5).shifted(0.5) for ref in refs) for arm in (1, BASELINE)
        )
        return Games(
            games=self.spec.confirm,
            gain=estimate(self.game_sums, 1.0),
            won=won,
            baseline_won=usual,
            promised=promised if promised and abs(promised.mean) <= NEARLY_EVEN else None,
        )


def result_of(
    spec: "SweepSpec",
    arms: Mapping[str, Settings],
    race: Race,
    field: Field,
    again: Remeasured | None,
    is_partial: bool,
) -> SweepResult:
    """The result that a race and the second look at its winner come to."""
    found = arms_found(spec, arms, race, field)
    fresh = again.fresh() if again else None
    scale, counter = value_scale(spec.duel()), field.counter
    is_over = race.plan.arms > 0 and (not is_partial or again is not None)
    winner = race.runner_up() if is_over else None
    return SweepResult(
        strategy=spec.strategy,
        vs=spec.refs,
        arms=found,
        winner=winner,
        fresh=fresh,
        better=fresh is not None and fresh.is_better and not (fresh.is_disputed or fresh.is_unborne),
        edges=edges(spec, found[winner]) if winner is not None and found[winner].gain.mean > 0 else (),
        correction=spec.correction,
        reach=race.reach if race.plan.arms else 0.0,
        borders=race.plan.borders,
        unit=scale.unit,
        boards=race.boards,
        partial=is_partial,
        hands=counter.hands,
        rules=str(spec.rules),
        seed=spec.seed,
        verdict=("Partial: " if is_partial else "") + verdict(spec, found, winner, fresh, scale),
        seconds=counter.seconds,
        hands_per_second=counter.hands / counter.seconds if counter.seconds else 0.0,
        command=spec.command(),
        version=spadesim.__version__,
        rng=RNG_NAME,
        scale=scale,
        spec=spec,
    )


def arms_found(spec: "SweepSpec", arms: Mapping[str, Settings], race: Race, field: Field) -> tuple[Arm, ...]:
    """What each arm came to."""
    gains, p_values = race.gains(), race.p_values()
    not_worse = set(race.not_worse()) if race.boards else set(range(len(arms)))
    limit, nothing = limit_of(spec.duel()), Moments()
    return tuple(
        Arm(
            settings=dict(settings),
            side=text,
            is_baseline=number == BASELINE,
            boards=int(race.sums.boards[number]) if number != BASELINE else 0,
            gain=gains[number],
            different=int(race.sums.different[number]),
            is_behind=number in race.behind,
            not_worse=number in not_worse,
            p=p_values[number] if p_values else None,
            **_seen(field, number),
            by_ref=tuple(
                Estimate(0.0, 0.0, 0.0)
                if number == BASELINE
                else estimate(field.gains.moments.get((number, ref), nothing), limit)
                for ref in range(len(field.refs))
            ),
        )
        for number, (text, settings) in enumerate(arms.items())
    )


def _seen(field: Field, arm: int) -> dict[str, Estimate | None]:
    """How an arm plays, by the names of an `Arm`."""
    side = field.side(arm)
    return {name: getattr(side, name, None) for name in MEASURED}


def edges(spec: "SweepSpec", best: Arm) -> tuple[str, ...]:
    """Settings of the winner on the edge of what was tried, where the next step beyond would be allowed.

    Only numbers have an edge, and only where three values or more were tried.
    """
    found = []
    for axis in spec.axes:
        value = best.settings.get(axis.name)
        numbers = list(axis.numbers or ())
        if value is None or len(numbers) < 3 or sorted(numbers) not in (numbers, numbers[::-1]):
            continue
        for end, before in ((0, 1), (-1, -2)):
            beyond = 2 * numbers[end] - numbers[before]
            if value == axis.values[end] and _is_allowed(spec, axis.name, beyond):
                found.append(f"{axis.name}={value}")
    return tuple(found)


def _is_allowed(spec: "SweepSpec", name: str, value: float) -> bool:
    try:
        with_settings(spec.strategy, {name: f"{value:.12g}"})
    except UserError:
        return False
    return True
