"""From the race of a sweep to its result: the winner measured anew, and a sentence on what that shows."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import spadesim
from spadesim.core.rng import RNG_NAME
from spadesim.errors import UserError
from spadesim.match.matches import stretches
from spadesim.match.scale import Scale
from spadesim.match.spec import rooms_of
from spadesim.match.stopping import limit_of, value_scale
from spadesim.stats.exact import FEW_DIFFERENT
from spadesim.stats.intervals import Estimate
from spadesim.stats.moments import Moments
from spadesim.tuning.claims import estimate, is_sure, needed_boards
from spadesim.tuning.field import BASELINE, Field, Tallies
from spadesim.tuning.race import Race
from spadesim.tuning.settings import Settings, with_settings
from spadesim.tuning.swept import MEASURED, Arm, Fresh, Games, SweepResult

if TYPE_CHECKING:
    from spadesim.tuning.sweep import SweepSpec

LEAST_FOR_A_CLAIM = 6  # boards that differ; fewer could all go one way by chance


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
            games=self._games() if self.game_sums.n else None,
        )

    def _games(self) -> Games:
        assert self.over_games is not None
        values, refs = self.over_games.values.moments, range(len(self.over_games.refs))
        won, usual = (
            tuple(estimate(values[arm, ref], 0.5).shifted(0.5) for ref in refs) for arm in (1, BASELINE)
        )
        return Games(self.spec.confirm, estimate(self.game_sums, 1.0), won, usual)


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
        better=fresh is not None and fresh.is_better and not fresh.is_disputed,
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
        try:
            numbers = [float(text) for text in axis.values]
        except ValueError:
            continue
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


def verdict(
    spec: "SweepSpec", arms: Sequence[Arm], winner: int | None, fresh: Fresh | None, scale: Scale
) -> str:
    """What is sure, in a sentence or two."""
    if len(arms) == 1:
        return f"Every combination comes to {spec.strategy} itself: there is nothing to compare."
    if winner is None:
        return f"no winner is chosen yet among {_settings(len(arms) - 1)} of {spec.strategy}."
    best = arms[winner]
    boards = max(arm.boards for arm in arms)
    if not any(arm.different for arm in arms):
        return f"No setting makes a difference to {spec.strategy} on any of {boards:,} boards."
    if best.gain.mean <= 0:
        return _none_better(spec, arms, best, scale)
    if fresh is None:
        return f"{best.label} did best, but was not measured on fresh boards; that alone would say nothing."
    return _on_fresh(spec, best, fresh, scale)


def _none_better(spec: "SweepSpec", arms: Sequence[Arm], best: Arm, scale: Scale) -> str:
    value, interval = scale.shown(best.gain, signed=True)
    said = (
        f"No setting looks better than {spec.strategy}: the best of {_settings(len(arms) - 1)}, "
        f"{best.label}, came to {value} {scale.words} ({interval}, {best.boards:,} boards)"
    )
    hidden = max(arm.gain.high for arm in arms if not arm.is_baseline)
    among = " among them" if len(arms) > 2 else ""
    return said + ("." if hidden <= 0 else f". A gain of {scale.bare(hidden)} may be hidden{among}.")


def _on_fresh(spec: "SweepSpec", best: Arm, fresh: Fresh, scale: Scale) -> str:
    value, interval = scale.shown(fresh.gain, signed=True)
    against = f" against {spec.vs[0]}" if len(spec.vs) == 1 else ""
    against = f" in the mean over {len(spec.vs)} opponents" if len(spec.vs) > 1 else against
    said = f"{value} {scale.words}{against} on {fresh.boards:,} fresh boards (95 % interval {interval})"
    games = _by_games(spec, fresh.games)
    if fresh.is_disputed:
        return f"Disputed: {best.label} did best, with {said}, but{games.removeprefix(' It')}."
    if fresh.is_better:
        return f"{best.label} is better than {spec.strategy}: {said}.{games}"
    if fresh.is_worse:
        return f"{best.label} did best, but on fresh boards it is worse than {spec.strategy}: {said}.{games}"
    return f"Undecided: {best.label} did best, but fresh boards do not show it: {said}.{games} {_more(fresh)}"


def _more(fresh: Fresh) -> str:
    """What a longer sweep could show."""
    different = fresh.ahead + fresh.behind
    if different < LEAST_FOR_A_CLAIM:
        enough = max(fresh.needed or 0, fresh.boards * FEW_DIFFERENT // max(1, different))
        return f"Only {different} of these boards differ, too few for any claim: play about {_about(enough)}."
    if fresh.needed is None:
        return "There is no gain to look for."
    return f"A gain of this size takes about {_about(fresh.needed)} to show."


def _about(boards: int) -> str:
    """A number of boards, rounded up to two digits.

    >>> _about(84_321)
    '85,000 boards'
    """
    step = 10 ** max(0, len(str(boards)) - 2)
    return f"{-(-boards // step) * step:,} boards"


def _by_games(spec: "SweepSpec", games: Games | None) -> str:
    if games is None:
        return ""
    if not spec.vs:
        won = games.won[0].scaled(100)
        return (
            f" It won {won.mean:.1f} % of {games.games:,} games against {spec.strategy} "
            f"({won.low:.1f} to {won.high:.1f})."
        )
    gain = games.gain.scaled(100)
    return (
        f" It won {gain.mean:+.1f} % of {games.games * len(spec.vs):,} games more than {spec.strategy} did "
        f"({gain.low:+.1f} to {gain.high:+.1f})."
    )


def _settings(n: int) -> str:
    return f"{n:,} setting{'' if n == 1 else 's'}"
