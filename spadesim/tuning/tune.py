"""Tuning: the best values of some parameters of a bot, and what they are worth where nothing was chosen."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import spadesim
from spadesim.core.rng import RNG_NAME
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.match.duel import Notice, play_duel
from spadesim.match.equity_file import equity_of
from spadesim.match.executors import apart
from spadesim.match.matches import Counter
from spadesim.match.run import Progress, prepare_engine
from spadesim.match.spec import DEFAULT_SEED
from spadesim.match.stopping import value_scale
from spadesim.stats.moments import Moments
from spadesim.strategy.check import preflight
from spadesim.strategy.load import check_side
from spadesim.tuning import search, spsa
from spadesim.tuning.arena import Arena, Place, make_place, moments
from spadesim.tuning.budget import BLOCKS, LEAST, Budget, Shares, shares
from spadesim.tuning.choice import choose, detectable, validate
from spadesim.tuning.dimensions import Dimension, read_dimensions, settings_of, start_of
from spadesim.tuning.study import RESULT, StudyFolder, check_same, folder_of
from spadesim.tuning.trials import History, Trial
from spadesim.tuning.tune_result import (
    Confirmation,
    Names,
    Tuned,
    TuneResult,
    Validation,
    verdict_of,
)
from spadesim.tuning.tune_spec import TuneSpec, asked_of, make_tune, spec_of
from spadesim.tuning.tuned import check_writable, write_tuned

PILOT, PILOTS = 400, 4  # boards and candidates that tell how fast boards are played, and how they spread
SAFETY = 0.9  # of the boards that fit into a time
SPSA = "spsa"


def tune(  # noqa: PLR0913 - its parameters are the options of the command
    strategy: str,
    *params: str,
    vs: str | None = None,
    budget: str | Budget | None = None,
    sampler: str = "tpe",
    confirm: int | None = None,
    rules: str | Rules = DEFAULT_PRESET,
    seed: int = DEFAULT_SEED,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    study: str | Path | None = None,
    write: str | Path | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> TuneResult:
    """Search the best values of some parameters, and measure them on boards that the search has not seen.

    Parameters
    ----------
    strategy : str
        A bot, with settings where wanted: what candidates are compared with.
    *params : str
        What is tuned: ``king`` over its whole range, ``king=0:4`` over a part of it.
    vs : str, optional
        Whom candidates meet; the strategy as it is given when left out.
    budget : str or Budget
        A time (``2m``), or boards (``5M-boards``); the same boards give the same result, the same time
        need not.
    sampler : {"tpe", "cmaes", "qmc", "spsa"}
    confirm : int, optional
        Whole games that confirm a gain; 0 for none.
    rules, seed, scores, bags, workers, chunk, progress, notice
        As for `duel`.
    study : str or Path, optional
        A new folder to keep the study in; `resume_tune` goes on with it.
    write : str or Path, optional
        Where a tuned set is written when there is a gain; into the study's folder when left out.

    Raises
    ------
    UserError
        What was asked for cannot be played, or a bot broke the contract.

    Examples
    --------
    >>> result = tune("lowest_card", "tricks", budget="20k-boards", sampler="qmc")  # doctest: +SKIP
    """
    spec = make_tune(
        strategy, params, vs=vs, budget=budget, sampler=sampler, confirm=confirm, rules=rules, seed=seed,
        scores=scores, bags=bags,
    )  # fmt: skip
    running: dict[str, Any] = {"workers": workers, "chunk": chunk, "progress": progress, "notice": notice}
    return play_tune(spec, study=study, write=write, **running)


def play_tune(
    spec: TuneSpec,
    *,
    study: str | Path | None = None,
    write: str | Path | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> TuneResult:
    """Play a tuning that has been specified; parameters and errors as `tune`.

    Ctrl-C ends it early: the best so far is the result, which then is partial.

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C before anything was tried.
    """
    table = _table(spec, workers, chunk, notice)
    check_writable(write, table.place.base)
    folder = None if study is None else folder_of(study)
    spec = _with_boards(spec, table, notice)
    if folder is not None:
        folder.begin(_asked(spec, table))
    return _play(spec, table, folder, write, progress)


def resume_tune(
    study: str | Path,
    given: Mapping[str, Any] | None = None,
    *,
    write: str | Path | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> TuneResult:
    """Go on with a study as if it had not been broken off.

    Parameters
    ----------
    study : str or Path
        Its folder.
    given : mapping, optional
        What somebody asks for by name, to be held against what the study was made for.
    write, workers, chunk, progress, notice
        As for `tune`.

    Raises
    ------
    UserError
        There is no study, it is damaged, or it was made for something else: another bot, other rules.
    """
    folder = folder_of(study)
    asked = folder.asked()
    spec = spec_of(asked, given or {})
    table = _table(spec, workers, chunk, notice)
    check_same(asked, _asked(spec, table), folder.path)
    check_writable(write, table.place.base)
    return _play(spec, table, folder, write, progress)


@dataclass(frozen=True)
class _Table:
    """Where a tuning is played, and what is tuned."""

    place: Place
    dimensions: tuple[Dimension, ...]


def _table(spec: TuneSpec, workers: int | None, chunk: int | None, notice: Notice | None) -> _Table:
    place = make_place(spec.duel_spec(), workers, chunk, notice)
    for side in (place.base, place.reference):
        check_side(side, spec.rules)
    dimensions = read_dimensions(spec.params, place.base)
    search.check_sampler(spec.sampler, dimensions)
    apart(partial(equity_of, place.duel, notice))  # made now where there is none yet
    prepare_engine(notice)
    for side in (place.base, place.reference):
        apart(partial(preflight, side, spec.rules))
    return _Table(place, dimensions)


def _asked(spec: TuneSpec, table: _Table) -> dict[str, Any]:
    return asked_of(spec, table.place.base, table.place.reference, table.dimensions)


def _with_boards(spec: TuneSpec, table: _Table, notice: Notice | None) -> TuneSpec:
    """The same tuning with its budget in boards, and a word on what may come of it."""
    arena = Arena(table.place, Counter(PILOT * PILOTS, None))
    candidates = [_anywhere(table.dimensions, spec.seed, number) for number in range(PILOTS)]
    for settings in candidates:
        arena.gains(settings, 0, 1)  # compiled by now, and in memory
    before, begun, seen = arena.played, time.perf_counter(), Moments()
    for settings in candidates:
        seen += moments(arena.gains(settings, 0, PILOT))
    seconds = time.perf_counter() - begun
    boards = spec.budget.boards
    if boards is None:
        assert spec.budget.seconds is not None
        boards = _rounded(spec.budget.seconds * SAFETY * max(arena.played - before, 1) / seconds)
        if boards < LEAST:
            raise UserError(
                f"In {spec.budget.seconds:g} seconds this machine plays some {boards:,} boards, too few for "
                "any claim; give it minutes."
            )
    if notice is not None:
        some = shares(boards, len(table.dimensions), table.place.matches)
        scale = value_scale(table.place.duel)
        least = detectable(seen, some.validation)
        notice(
            f"{boards:,} boards, of which {some.validation:,} validate what is found: a gain of "
            f"{scale.text(least)} or more will be seen, a smaller one perhaps."
        )
    return replace(spec, budget=Budget(boards=boards))


def _rounded(boards: float) -> int:
    """A number of boards with two digits that count."""
    return int(float(f"{boards:.1e}"))


def _anywhere(dimensions: Sequence[Dimension], seed: int, number: int) -> dict[str, str]:
    """Settings drawn anywhere in what is searched."""
    at = np.random.default_rng((seed, number)).random(len(dimensions))
    return settings_of(
        dimensions, [one.low + x * (one.high - one.low) for one, x in zip(dimensions, at, strict=True)]
    )


class _Tuning:
    """A tuning as it is played: the search, the choice, the validation, the games."""

    def __init__(
        self, spec: TuneSpec, table: _Table, folder: StudyFolder | None, progress: Progress | None
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

    def play(self) -> None:
        """Play all of it, or as far as it comes."""
        behind = self._climb() if self.spec.sampler == SPSA else self._search()
        if self.found is None or self.arena.text(self.found) == str(self.place.base):
            self.found = None
            return
        behind += self.shares.selection
        self.validation = validate(self.found, self.arena, self.place.duel, behind, self.shares.validation)
        if self.validation.is_clear and self.games:
            self._confirm(self.place.duel.first + behind + self.shares.validation)

    def _search(self) -> int:
        """Let Optuna search, then choose; return the number of boards that the search has used."""
        try:
            search.search(
                self.dimensions, self.spec.sampler, self.spec.seed, self.history, self._try, self._has_room,
                self.folder,
            )  # fmt: skip
        finally:
            if best := self.history.ranked():
                self.found, self.promised = best[0].settings, best[0].value
        if best:
            one = choose(best, self.arena, self.shares.trial, self.shares.selection, self.shares.trial)
            self.found, self.promised = one.settings, one.value
        return self.shares.trial

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
            before = self.arena.played
            found = moments(self.arena.between(ours, theirs, first, size))
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
        spec = replace(spec, b=str(self.place.base))
        result = play_duel(
            spec, workers=self.place.workers, chunk=self.place.chunk, progress=self.counter.within
        )
        if result.win_rate_a is not None and not result.partial:
            self.confirmation = Confirmation(result.win_rate_a, self.games, result.command)
            self.arena.hands += result.hands
            self.counter.seconds += result.seconds
        if result.partial:
            raise KeyboardInterrupt


def _play(
    spec: TuneSpec,
    table: _Table,
    folder: StudyFolder | None,
    write: str | Path | None,
    progress: Progress | None,
) -> TuneResult:
    tuning, is_partial = _Tuning(spec, table, folder, progress), False
    try:
        if folder is None:
            tuning.play()
        else:
            with folder.held():
                tuning.play()
    except KeyboardInterrupt:
        if not tuning.history.trials and not tuning.steps:
            raise
        is_partial = True
    result = _result(tuning, is_partial)
    where = Path(write) if write is not None else folder.tuned if folder is not None else None
    if result.is_gain and where is not None:
        assert tuning.found is not None
        write_tuned(where, result, table.place.base, table.place.reference, tuning.found)
    if folder is not None:
        folder.write(RESULT, result.to_dict())
    return result


def _result(tuning: _Tuning, is_partial: bool) -> TuneResult:
    spec, place, scale = tuning.spec, tuning.place, value_scale(tuning.place.duel)
    validation, confirmation = tuning.validation, tuning.confirmation
    found = None if tuning.found is None else tuning.arena.text(tuning.found)
    is_spsa = spec.sampler == SPSA
    history: tuple[Trial | spsa.Step, ...] = tuple(tuning.steps if is_spsa else tuning.history.trials)
    kind = "steps" if is_spsa else "trials"
    names = Names(found, str(place.base), str(place.reference), f"{len(history)} {kind}")
    named = replace(spec, strategy=str(place.base), vs=None if place.is_direct else str(place.reference))
    is_refuted = confirmation is not None and confirmation.won.high < 0.5
    return TuneResult(
        strategy=str(place.base),
        vs=str(place.reference),
        found=found,
        parameters=_parameters(tuning),
        trials=len(history),
        given_up=sum(one.pruned for one in tuning.history.trials),
        promised=tuning.promised,
        validation=validation,
        confirmation=confirmation,
        unit=scale.unit,
        is_gain=validation is not None and validation.is_clear and not is_refuted and not is_partial,
        partial=is_partial,
        sampler=spec.sampler,
        boards=tuning.arena.played,
        hands=tuning.arena.hands,
        rules=str(spec.rules),
        seed=spec.seed,
        study=None if tuning.folder is None else str(tuning.folder.path),
        verdict=verdict_of(names, scale, tuning.promised, validation, confirmation),
        seconds=tuning.counter.seconds,
        command=named.command(),
        version=spadesim.__version__,
        rng=RNG_NAME,
        scale=scale,
        history=history,
        spec=spec,
    )


def _parameters(tuning: _Tuning) -> tuple[Tuned, ...]:
    start = start_of(tuning.dimensions)
    found = tuning.found or start
    weights = search.importances(tuning.dimensions, tuning.history.trials)
    return tuple(
        Tuned(
            one.name,
            None if one.choices else one.low,
            None if one.choices else one.high,
            one.word(one.default) if one.choices or one.low <= one.default <= one.high else start[one.name],
            found[one.name],
            weights.get(one.name),
            one.is_at_edge(found[one.name]) if tuning.found else "",
        )
        for one in tuning.dimensions
    )
