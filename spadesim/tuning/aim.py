"""The search for a strength: first looks, the setting by common deals, fresh games, and the result."""

from typing import TYPE_CHECKING

import spadesim
from spadesim.core.rng import RNG_NAME
from spadesim.errors import UserError
from spadesim.match.duel import play_duel
from spadesim.strategy.parameters import number_text
from spadesim.tuning.calibrated import (
    PARTIAL,
    WITHIN,
    CalibrateResult,
    Rung,
    claim,
    judge,
    more_games,
    share,
)
from spadesim.tuning.curve import GRID, SURE, Curve, find_root
from spadesim.tuning.settings import with_settings

USUAL_SPREAD = 0.35  # the standard deviation of the share won in a pair

if TYPE_CHECKING:
    from spadesim.tuning.calibrate import CalibrateSpec


class Aim:
    """A search under way, and what it comes to.

    Parameters
    ----------
    spec : CalibrateSpec
    curve : Curve
    start : float
        The setting of the side as it was given.
    """

    def __init__(self, spec: "CalibrateSpec", curve: Curve, start: float) -> None:
        self.spec, self.curve, self.start = spec, curve, start
        self.units = spec.units(USUAL_SPREAD)
        self.is_monotone = True
        self.rungs: list[Rung] = []

    def play(self) -> CalibrateResult:
        """Search, then play fresh games."""
        spec, curve = self.spec, self.curve
        try:
            for place in curve.first_places():
                curve.measure(place, spec.first_units)
            self.is_monotone = curve.is_monotone()
            self._plan()
            found = [(self._setting(wanted), wanted) for wanted in self._wanted()]
            for place, wanted in found:
                self.rungs.append(self._confirmed(place, wanted))
        except KeyboardInterrupt:
            if not curve.places:
                raise
            return self._result(is_partial=True)
        return self._result(any(rung.outcome == PARTIAL for rung in self.rungs))

    def _plan(self) -> None:
        """How much is played at a setting, and how much the search may play, now that the spread is known."""
        spec, curve = self.spec, self.curve
        looked = GRID * spec.first_units
        self.units = spec.units(curve.spread(spec.target))
        if spec.games is not None:
            curve.room = spec.games // spec.n_rooms - looked - spec.n_rungs * self.units
        curve.counter.all = looked + spec.parts * self.units

    def _wanted(self) -> list[float]:
        """The win rates that are aimed at, the strongest first."""
        spec, curve = self.spec, self.curve
        if not spec.ladder:
            return [spec.target]
        best = max(curve.places, key=curve.rate)
        top = curve.measure(best, self.units)
        if top - spec.target <= spec.within:
            raise UserError(f"There is no room for a ladder: {self._reach()}.")
        step = (spec.target - top) / (spec.ladder - 1)
        return [top + k * step for k in range(spec.ladder)]

    def _setting(self, wanted: float) -> float:
        """The setting for a win rate.

        Raises
        ------
        UserError
            None reaches it.
        """
        curve = self.curve
        for more in (1, 4, 16):  # where it is near the highest or the lowest rate, more games must tell
            if found := curve.brackets(wanted):
                bracket = self._chosen(found)
                return find_root(curve, wanted, bracket, self.units)
            nearest = min(curve.places, key=lambda place: abs(curve.rate(place) - wanted))
            if abs(curve.rate(nearest) - wanted) > SURE * curve.error(nearest):
                break
            curve.measure(nearest, min(self.units, self.spec.first_units * 4 * more))
        if abs(curve.measure(nearest, self.units) - wanted) <= self.spec.within:
            return nearest
        raise UserError(
            f"No value of {self.spec.name} makes {self.spec.side} win {share(wanted)} of its games "
            f"against {self.spec.vs}: {self._reach()}."
        )

    def _chosen(self, found: list[tuple[float, float]]) -> tuple[float, float]:
        """Which passage through the target: of several, the one nearest to the bot as it was given."""
        if self.is_monotone:
            return found[len(found) // 2]
        return min(found, key=lambda ends: min(abs(end - self.start) for end in ends))

    def _reach(self) -> str:
        """What is won at both ends, and the most and the least in between."""
        curve = self.curve
        low, high = curve.places[0], curve.places[-1]
        text = ", ".join(self._at(place) for place in (low, high))
        between = [max(curve.places, key=curve.rate), min(curve.places, key=curve.rate)]
        extremes = [place for place in between if place not in (low, high)]
        return text + "".join(f", {self._at(place)}" for place in extremes)

    def _at(self, place: float) -> str:
        return f"{share(round(self.curve.rate(place), 3))} at {number_text(place)}"

    def _confirmed(self, place: float, wanted: float) -> Rung:
        """A setting after games on deals of its own, which nothing was tried on before."""
        spec, counter = self.spec, self.curve.counter
        side = with_settings(spec.side, {spec.name: number_text(place)})
        duel = spec.duel(side, self.units * (1 + len(self.rungs)), self.units)
        result = play_duel(duel, workers=self.curve.workers, progress=counter.within)
        rate, games = result.win_rate_a, result.games or 0
        counter.units += games // spec.n_rooms
        counter.hands += result.hands
        counter.seconds += result.seconds
        outcome, more = PARTIAL, None
        if rate is not None and not result.partial:
            outcome = judge(rate, wanted, spec.within)
            more = None if outcome == WITHIN else more_games(rate, games, wanted, spec.within)
        return Rung(number_text(place), side, wanted, rate, games, outcome, more, result.command)

    def _result(self, is_partial: bool) -> CalibrateResult:
        spec, curve = self.spec, self.curve
        nearest = min(curve.places, key=lambda place: abs(curve.rate(place) - spec.target))
        last = self.rungs[-1] if len(self.rungs) == spec.n_rungs else None
        value = last.value if last else number_text(nearest)
        return CalibrateResult(
            side=spec.side,
            vs=spec.vs,
            parameter=spec.name,
            target=spec.target,
            within=spec.within,
            value=value,
            calibrated=with_settings(spec.side, {spec.name: value}),
            rate=last.rate if last else None,
            outcome=last.outcome if last else PARTIAL,
            more_games=last.more_games if last else None,
            search_error=curve.error(float(value)),
            is_monotone=self.is_monotone,
            curve=curve.points(),
            ladder=tuple(self.rungs),
            games_searched=spec.n_rooms * sum(map(curve.units, curve.places)),
            games=last.games if last else 0,
            partial=is_partial,
            rules=str(spec.rules),
            seed=spec.seed,
            hands=curve.counter.hands,
            seconds=curve.counter.seconds,
            verdict=self._verdict(last, nearest),
            command=spec.command(),
            version=spadesim.__version__,
            rng=RNG_NAME,
            has_ladder=bool(spec.ladder),
        )

    def _verdict(self, last: Rung | None, nearest: float) -> str:
        spec = self.spec
        if last is None:
            games = spec.n_rooms * self.curve.units(nearest)
            return (
                f"Partial: the search was broken off; nearest to {share(spec.target)} came "
                f"{spec.name}={number_text(nearest)} with {share(round(self.curve.rate(nearest), 3))} of "
                f"{games:,} games, which no fresh games have confirmed."
            )
        text = claim(last, spec.vs, spec.within)
        if spec.ladder:
            n = sum(rung.outcome == WITHIN for rung in self.rungs)
            text += f" Of the ladder's {spec.ladder} settings {n} are shown to be within."
        if not self.is_monotone:
            text += f" The win rate goes up and down along {spec.name}: other settings may give the same."
        return text
