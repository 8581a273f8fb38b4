"""A tuning as it is played: the search, the choice, the validation, the games, and what they come to."""

from dataclasses import dataclass, replace
from typing import Any

import spadesim
from spadesim.core.rng import RNG_NAME
from spadesim.match.duel import play_duel
from spadesim.match.matches import Counter
from spadesim.match.run import Progress
from spadesim.match.stopping import value_scale
from spadesim.stats.intervals import Estimate
from spadesim.stats.moments import Moments
from spadesim.strategy.called import short_name
from spadesim.strategy.parameters import number_text
from spadesim.tuning import search, spsa
from spadesim.tuning.arena import Arena, Place
from spadesim.tuning.budget import BLOCKS, Shares, shares
from spadesim.tuning.choice import choose, validate
from spadesim.tuning.costs import costs
from spadesim.tuning.dimensions import Dimension
from spadesim.tuning.search import BUDGET
from spadesim.tuning.study import RESULT, StudyFolder
from spadesim.tuning.trials import History, Trial
from spadesim.tuning.tune_result import (
    Confirmation,
    Names,
    Tuned,
    TuneResult,
    Validation,
    verdict_of,
)
from spadesim.tuning.tune_spec import TuneSpec

SPSA = "spsa"


@dataclass(frozen=True)
class Table:
    """Where a tuning is played, and what is tuned.

    Parameters
    ----------
    place : Place
    dimensions : tuple of Dimension
    """

    place: Place
    dimensions: tuple[Dimension, ...]


class Course:
    """A tuning as it is played: the search, the choice, the validation, the games."""

    def __init__(
        self, spec: TuneSpec, table: Table, folder: StudyFolder | None, progress: Progress | None
    ) -> None:
        assert spec.budget.boards is not None
        self.spec, self.place, self.dimensions, self.folder = spec, table.place, table.dimensions, folder
        self.shares: Shares = shares(spec.budget.boards, len(table.dimensions), table.place.matches)
        self.games = spec.games_for(self.shares.validation)
        matches, rooms = table.place.matches, table.place.duel.n_rooms
        total = self.shares.search + matches * (self.shares.selection + self.shares.validation)
        self.counter = Counter(total + self.games // rooms, progress)
        self.arena = Arena(table.place, self.counter)
        self.history, self.steps = History(BLOCKS), list[spsa.Step]()
        self.found: dict[str, str] | None = None
        self.promised: float | None = None
        self.validation: Validation | None = None
        self.confirmation: Confirmation | None = None
        self.after_search: int | None = None  # boards played in this sitting until then
        self.is_recalled, self.recalled = False, 0
        self.ended = BUDGET

    def play(self) -> None:
        """Play all of it, or as far as it comes."""
        is_climb = self.spec.sampler == SPSA
        behind = self._climb() if is_climb else self._search()
        self.after_search = self.arena.played
        self.is_recalled = self._recall()
        if self.is_recalled:
            return
        if not is_climb:
            self._choose(behind)
        if self.found is None or self.arena.text(self.found) == self.place.duel.a:
            self.found = None
            return
        behind += self.shares.selection
        size = self.shares.validation + self._unused()
        self.validation = validate(self.found, self.arena, self.place.duel, behind, size)
        if self.validation.is_clear and self.games:
            self._confirm(self.place.duel.first + behind + size)

    @property
    def is_hopeful(self) -> bool:
        """Whether what was found is ahead of what was given, by the boards that chose it or by fresh ones."""
        is_clear = self.validation is not None and self.validation.is_clear
        return self.promised is None or self.promised > 0 or is_clear

    def _unused(self) -> int:
        """Boards that a search with nothing more to try has left to the validation."""
        if self.ended == BUDGET:
            return 0
        left = max(0, self.shares.search - self.history.boards) // self.place.matches
        self.counter.units = max(self.counter.units, self.shares.search)
        return left

    @property
    def boards(self) -> int:
        """Boards of all matches, those of a study's earlier sittings as well."""
        searched = self.history.boards + sum(step.boards for step in self.steps)
        later = 0 if self.after_search is None else self.arena.played - self.after_search
        return searched + self.recalled + later

    def _recall(self) -> bool:
        """Take over what a finished study's folder holds; whether there is any."""
        known = None if self.folder is None else self.folder.finished()
        if known is None:
            return False
        assert self.folder is not None
        with self.folder.reading(RESULT):
            self.promised = known["promised"]
            if known["found"] is not None:
                words = {one["name"]: one["found"] for one in known["parameters"]}
                self.found = {one.name: one.known(words[one.name]) for one in self.dimensions}
            elif known["nearest"] is not None:
                self.found = self._of_text(known["nearest"])
            if known["validation"] is not None:
                self.validation = Validation(**_with_estimate(known["validation"], "gain"))
            if known["confirmation"] is not None:
                self.confirmation = Confirmation(**_with_estimate(known["confirmation"], "won"))
            self.recalled = known["boards"] - self.boards
        return True

    def _of_text(self, text: str) -> dict[str, str]:
        """The settings of a trial that come to a spec's text."""
        return next(trial.settings for trial in self._best() if self.arena.text(trial.settings) == text)

    def _search(self) -> int:
        """Let Optuna search; return the number of boards that it has used."""
        try:
            self.ended = search.search(
                self.dimensions,
                self.spec.sampler,
                self.spec.seed,
                self.history,
                self._try,
                self._has_room,
                self.folder,
            )
        finally:
            if best := self._best():
                self.found, self.promised = best[0].settings, best[0].value
        return self.shares.trial

    def _best(self) -> list[Trial]:
        """The trials that were not given up, the best first, without the strategy as it is given."""
        base = self.place.duel.a
        return [trial for trial in self.history.ranked() if self.arena.text(trial.settings) != base]

    def _choose(self, behind: int) -> None:
        if best := self._best():
            one = choose(best, self.arena, behind, self.shares.selection, self.shares.trial)
            self.found, self.promised = one.settings, one.value

    def _has_room(self) -> bool:
        trial = self.shares.trial * self.place.matches
        self.counter.units = max(self.counter.units, self.history.boards)
        return self.history.boards + trial <= self.shares.search

    def _try(self, settings: dict[str, str]) -> Trial:
        def block(number: int) -> float:
            size = self.shares.block
            return float(self.arena.gains(settings, number * size, size, keep=True).mean())

        return self.history.run(settings, block, lambda: self.arena.played)

    def _climb(self) -> int:
        """Let SPSA climb; return the number of boards that it has used."""
        plan = spsa.plan_for(self.shares.search, self.place.matches)

        def play(ours: dict[str, str], theirs: dict[str, str], first: int, size: int) -> tuple[Moments, int]:
            self.counter.units = max(self.counter.units, sum(step.boards for step in self.steps))
            before = self.arena.played
            found = Moments.of(self.arena.between(ours, theirs, first, size))
            return found, self.arena.played - before

        try:
            spsa.climb(self.dimensions, plan, self.spec.seed, self.steps, play, self.folder)
        finally:
            if self.steps:
                self.found = spsa.answer(self.dimensions, self.steps)
        return plan.steps * plan.boards

    def _confirm(self, first: int) -> None:
        assert self.found is not None
        spec = self.spec.games_spec(self.arena.text(self.found), self.games, first)
        spec = replace(spec, b=self.place.duel.a)
        result = play_duel(
            spec, workers=self.place.workers, chunk=self.place.chunk, progress=self.counter.within
        )
        if result.win_rate_a is not None and not result.partial:
            self.confirmation = Confirmation(result.win_rate_a, self.games, result.command)
            self.arena.hands += result.hands
            self.counter.seconds += result.seconds
        if result.partial:
            raise KeyboardInterrupt


def result_of(course: Course, is_partial: bool) -> TuneResult:
    """What a tuning came to, or has come to so far."""
    spec, place, scale = course.spec, course.place, value_scale(course.place.duel)
    validation, confirmation = course.validation, course.confirmation
    found = None if course.found is None else course.arena.text(course.found)
    is_spsa = spec.sampler == SPSA
    history: tuple[Trial | spsa.Step, ...] = tuple(course.steps if is_spsa else course.history.trials)
    kind = "steps" if is_spsa else "trials"
    base, reference = place.duel.a, place.duel.b
    tried = f"{len(history)} {kind}"
    names = Names(
        found and short_name(found),
        short_name(base),
        short_name(reference),
        tried,
        is_partial,
        course.is_hopeful,
    )
    named = replace(
        spec,
        strategy=base,
        params=tuple(map(str, course.dimensions)),
        vs=None if place.is_direct else reference,
    )
    is_refuted = confirmation is not None and confirmation.won.high < 0.5
    is_proven = validation is not None and validation.is_clear
    return TuneResult(
        strategy=base,
        vs=reference,
        found=found if course.is_hopeful else None,
        nearest=None if course.is_hopeful else found,
        parameters=_parameters(course),
        trials=len(history),
        given_up=sum(one.pruned for one in course.history.trials),
        promised=course.promised,
        validation=validation,
        confirmation=confirmation,
        unit=scale.unit,
        is_gain=is_proven and not is_refuted and not is_partial,
        partial=is_partial,
        sampler=spec.sampler,
        ended=course.ended,
        boards=course.boards,
        hands=course.arena.hands,
        rules=str(spec.rules),
        seed=spec.seed,
        study=None if course.folder is None else str(course.folder.path),
        written=None,
        verdict=verdict_of(names, scale, course.promised, validation, confirmation),
        seconds=course.counter.seconds,
        command=named.command(),
        version=spadesim.__version__,
        rng=RNG_NAME,
        scale=scale,
        history=history,
        spec=named,
    )


def _parameters(course: Course) -> tuple[Tuned, ...]:
    found = course.found if course.is_hopeful else None
    given = {one.name: one.word(one.default) if one.choices else number_text(one.default)
             for one in course.dimensions}  # fmt: skip
    lost = costs(course.dimensions, course.history.trials)
    return tuple(
        Tuned(
            one.name,
            None if one.choices else one.low,
            None if one.choices else one.high,
            given[one.name],
            found[one.name] if found else given[one.name],
            lost.get(one.name),
            one.is_at_edge(found[one.name]) if found else "",
        )
        for one in course.dimensions
    )


def _with_estimate(values: dict[str, Any], name: str) -> dict[str, Any]:
    """Values out of a JSON object, one of them an estimate."""
    return values | {name: Estimate(**values[name])}
