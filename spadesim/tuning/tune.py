"""Tuning: the best values of some parameters of a bot, and what they are worth where nothing was chosen."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.match.crews import Workers
from spadesim.match.duel import Notice, load
from spadesim.match.equity_file import equity_of
from spadesim.match.executors import apart
from spadesim.match.matches import Counter
from spadesim.match.run import Progress, prepare_engine
from spadesim.match.spec import DEFAULT_SEED
from spadesim.match.stopping import value_scale
from spadesim.stats.moments import Moments
from spadesim.strategy.load import check_side
from spadesim.strategy.preflight import preflight
from spadesim.tuning import search
from spadesim.tuning.arena import Arena, make_place
from spadesim.tuning.budget import LEAST, MOST, Budget, shares
from spadesim.tuning.claims import detectable
from spadesim.tuning.course import Course, Table, result_of
from spadesim.tuning.dimensions import Dimension, read_dimensions, settings_of
from spadesim.tuning.study import ASKED, RESULT, StudyFolder, check_same, folder_of
from spadesim.tuning.tune_result import (
    TuneResult,
)
from spadesim.tuning.tune_spec import NAMED, TuneSpec, asked_of, make_tune, sides_of, spec_of
from spadesim.tuning.tuned import check_writable, write_tuned

PILOT, PILOTS = 400, 4  # boards and candidates that tell how fast boards are played, and how they spread
PILOT_STRETCH = 1000  # boards that are timed at once
TIMED = 0.03  # of a time that is to be spent, in which it is found out how fast boards are played
SAFETY = 0.9  # of the boards that fit into a time


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
    workers: Workers = None,
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
    workers: Workers = None,
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
        duel = table.place.duel
        named = {"strategy": duel.a, "vs": None if table.place.is_direct else duel.b}
        folder.begin({**_asked(spec, table), NAMED: named})
    return _play(spec, table, folder, write, progress)


def resume_tune(
    study: str | Path,
    given: Mapping[str, Any] | None = None,
    *,
    write: str | Path | None = None,
    workers: Workers = None,
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
    with folder.reading(ASKED):
        spec = spec_of(_as_named(asked, notice), given or {})
    _check_sides(asked, spec, folder.path, notice)
    table = _table(spec, workers, chunk, notice)
    check_same(asked, _asked(spec, table), folder.path)
    check_writable(write, table.place.base)
    return _play(spec, table, folder, write, progress)


def _table(spec: TuneSpec, workers: Workers, chunk: int | None, notice: Notice | None) -> Table:
    place = make_place(spec.duel_spec(), workers, chunk, notice)
    for side in (place.base, place.reference):
        check_side(side, spec.rules)
    dimensions = read_dimensions(spec.params, place.base)
    search.check_sampler(spec.sampler, dimensions)
    apart(partial(equity_of, place.duel, notice))  # made now where there is none yet
    prepare_engine(notice)
    for side in (place.base, place.reference):
        apart(partial(preflight, side, spec.rules))
    return Table(place, dimensions)


def _as_named(asked: Mapping[str, Any], notice: Notice | None) -> dict[str, Any]:
    """What a study was made for, the names of its sides left out where they mean something else by now."""
    named = asked.get(NAMED, {})
    try:
        is_same = all(
            str(load(text, notice)) == asked[name] for name, text in named.items() if text is not None
        )
    except UserError:
        is_same = False
    return {name: value for name, value in asked.items() if name != NAMED or is_same}


def _check_sides(asked: Mapping[str, Any], spec: TuneSpec, path: Path, notice: Notice | None) -> None:
    """Refuse other sides by their names, before the parameters are looked for that the study has."""
    now = sides_of(load(spec.strategy, notice), load(spec.vs or spec.strategy, notice))
    if spec.vs is None:
        del now["vs"], now["vs_digest"]
    check_same({name: asked[name] for name in now if name in asked}, now, path)


def _asked(spec: TuneSpec, table: Table) -> dict[str, Any]:
    return asked_of(spec, table.place.base, table.place.reference, table.dimensions)


def _with_boards(spec: TuneSpec, table: Table, notice: Notice | None) -> TuneSpec:
    """The same tuning with its budget in boards, and a word on what may come of it."""
    arena = Arena(table.place, Counter(PILOT * PILOTS, None))
    candidates = [_anywhere(table.dimensions, spec.seed, number) for number in range(PILOTS)]
    for settings in candidates:
        arena.gains(settings, 0, 1)  # compiled by now, and in memory
    seen = Moments()
    for settings in candidates:
        seen += Moments.of(arena.gains(settings, 0, PILOT))
    boards = spec.budget.boards
    if boards is None:
        assert spec.budget.seconds is not None
        rate = _boards_a_second(arena, candidates, TIMED * spec.budget.seconds)
        boards = min(_rounded(spec.budget.seconds * SAFETY * rate), MOST)
        if boards < LEAST:
            raise UserError(
                f"In {spec.budget.seconds:g} seconds this machine plays some {boards:,} boards, too few for "
                "any claim; give it minutes."
            )
    if notice is not None:
        some = shares(boards, len(table.dimensions), table.place.matches)
        scale = value_scale(table.place.duel)
        least = detectable(seen, some.validation)
        taken = "" if spec.budget.seconds is None else f"{spec.budget.seconds:g} s are taken for "
        notice(
            f"{taken}{boards:,} boards, of which {some.validation:,} validate what is found: a gain of "
            f"{scale.text(least)} is seen in 4 of 5 cases, a smaller one more rarely."
        )
    return replace(spec, budget=Budget(boards=boards))


def _boards_a_second(arena: Arena, candidates: Sequence[Mapping[str, str]], seconds: float) -> float:
    """How fast boards are played, by candidates drawn anywhere, for so long."""
    before, begun, first = arena.played, time.perf_counter(), PILOT
    while True:
        for settings in candidates:
            arena.gains(settings, first, PILOT_STRETCH)
        first += PILOT_STRETCH
        passed = time.perf_counter() - begun
        if passed >= seconds:
            return max(arena.played - before, 1) / passed


def _rounded(boards: float) -> int:
    """A number of boards with two digits that count."""
    return int(float(f"{boards:.1e}"))


def _anywhere(dimensions: Sequence[Dimension], seed: int, number: int) -> dict[str, str]:
    """Settings drawn anywhere in what is searched."""
    at = np.random.default_rng((seed, number)).random(len(dimensions))
    return settings_of(
        dimensions, [one.low + x * (one.high - one.low) for one, x in zip(dimensions, at, strict=True)]
    )


def _play(
    spec: TuneSpec,
    table: Table,
    folder: StudyFolder | None,
    write: str | Path | None,
    progress: Progress | None,
) -> TuneResult:
    course, is_partial = Course(spec, table, folder, progress), False
    try:
        if folder is None:
            course.play()
        else:
            with folder.room(), folder.held():
                course.play()
    except KeyboardInterrupt:
        if not course.history.trials and not course.steps:
            raise
        is_partial = True
    result = result_of(course, is_partial)
    where = Path(write) if write is not None else folder.tuned if folder is not None else None
    if result.is_gain and where is not None:
        assert course.found is not None
        if write_tuned(where, result, table.place.base, table.place.reference, course.found):
            result = replace(result, written=str(where))
    if folder is not None and not course.is_recalled:
        with folder.room():
            folder.write(RESULT, result.to_dict())
    return result
