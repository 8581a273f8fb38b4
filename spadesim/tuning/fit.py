"""Fitting: expected tricks and chances of nils from hands, kept where fresh boards and games say so."""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import spadesim
from spadesim.core.rng import RNG_NAME
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.match.crews import Workers
from spadesim.match.duel import Notice, load, play_duel
from spadesim.match.equity_file import equity_of, table_of
from spadesim.match.executors import apart
from spadesim.match.matches import Counter
from spadesim.match.recorded import RecordedRun
from spadesim.match.run import Progress, prepare_engine
from spadesim.match.spec import DEFAULT_SEED, make_spec
from spadesim.match.stopping import value_scale
from spadesim.strategy import Side
from spadesim.strategy.called import short_name
from spadesim.strategy.load import check_side
from spadesim.strategy.preflight import preflight
from spadesim.tuning import fit_runs
from spadesim.tuning.arena import Arena, Place, make_place
from spadesim.tuning.choice import choose, validate
from spadesim.tuning.fit_bot import (
    NIL,
    TRICKS,
    FitBot,
    NilPart,
    TricksPart,
    check_nils,
    nils_of,
)
from spadesim.tuning.fit_data import Decisions, Nils, joined, joined_nils, play_hands, play_nils
from spadesim.tuning.fit_file import check_file, write_cards, write_fitted
from spadesim.tuning.fit_result import FitResult, Fitted, is_kept, verdict_of
from spadesim.tuning.fit_runs import Source
from spadesim.tuning.fit_spec import GAMES_SHARE, PLAYED, FitSpec, rooms_rounded
from spadesim.tuning.fit_tricks import Floats
from spadesim.tuning.trials import Trial
from spadesim.tuning.tune_result import Confirmation, Validation

LEVELS = 5  # steps above the given level of an estimate, the first that is not tried
STRETCH = 5000  # boards that are played for the fit at once
MOST_HANDS_PLAYED = 40_000  # boards, of which two seats are looked at


def fit(  # noqa: PLR0913 - its parameters are the options of the command
    strategy: str,
    *runs: str | Path,
    takes: str | None = None,
    parts: Sequence[str] = (TRICKS, NIL),
    vs: str | None = None,
    play: int | None = None,
    boards: int | None = None,
    games: int | None = None,
    rules: str | Rules | None = None,
    seed: int = DEFAULT_SEED,
    write: str | Path | None = None,
    anyway: bool = False,
    cards: str | Path | None = None,
    workers: Workers = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> FitResult:
    """Fit what a bot expects of its hands to what hands have come to, and try that on fresh boards.

    Parameters
    ----------
    strategy : str
        A bot, with settings where wanted; what it must tell of itself: docs/how-to/fit.md.
    *runs : str or Path
        Folders of recorded runs.
    takes : str, optional
        Whose hands of the runs: a bot's name, or "any"; its own when left out.
    parts : sequence of str
        "tricks", "nil".
    vs : str, optional
        Whom it is tried against, and plays against where boards are played; itself when left out.
    play : int, optional
        Boards that are played for the fit, on which a seat bids nil whatever it holds; 100,000 where no run
        is given, else 0.
    boards, games : int, optional
        That judge: 20,000, and a quarter of the boards; 0 games for none.
    rules : str or Rules, optional
        Those of the runs when left out, or `pata`.
    write : str or Path, optional
        Where the settings are written if they are kept.
    anyway : bool
        Write them also if they are not.
    cards : str or Path, optional
        Where the odds of a nil are written card by card, as a Python module.
    seed, workers, chunk, progress, notice
        As for `duel`.

    Raises
    ------
    UserError
        There is nothing to fit, or too little to learn from.

    Examples
    --------
    >>> result = fit("hard:nil_odds=1500", parts=["nil"])  # doctest: +SKIP
    """
    began = time.perf_counter()
    opened = fit_runs.open_runs(runs)
    spec = _make_spec(
        opened, strategy.strip(), rules, runs=tuple(map(str, runs)), takes=takes, parts=tuple(parts), vs=vs,
        play=play, boards=boards, games=games, seed=seed,
    )  # fmt: skip
    place = make_place(spec.duel_spec(), workers, chunk, notice)
    for file, kind in ((write, ".toml"), (cards, ".py")):
        check_file(file, kind)
    for side in (place.base, place.reference):
        check_side(side, spec.rules)
    bot = FitBot(place.base)
    spec = _possible(spec, bot, asked=tuple(parts), notice=notice)
    apart(partial(equity_of, place.duel, notice))
    prepare_engine(notice)
    for side in (place.base, place.reference):
        apart(partial(preflight, side, spec.rules))
    course = _Course(spec, place, bot, opened, progress)
    result = course.play(time.perf_counter() - began)
    if cards is not None:
        write_cards(Path(cards), course.nils, result, spec)
    if write is not None and result.found is not None and (result.is_kept or anyway):
        write_fitted(Path(write), result, place)
        result = replace(result, written=str(write))
    return result


def _make_spec(
    opened: Sequence[RecordedRun], strategy: str, rules: str | Rules | None, **given: Any
) -> FitSpec:
    played = opened[0].rules if opened else None
    wanted = make_spec("easy", "easy", rules=rules, boards=1).rules if rules is not None else played
    wanted = wanted or make_spec("easy", "easy", rules=DEFAULT_PRESET, boards=1).rules
    if played is not None and wanted != played:
        raise UserError(
            f"'{opened[0].store.folder}' was played by {played}, not by {wanted}: leave --rules out, or "
            "record a run by them."
        )
    fit_runs.check_rules(wanted)
    if given["play"] is None:
        given["play"] = 0 if opened else PLAYED
    values = {name: value for name, value in given.items() if value is not None}
    spec = FitSpec(strategy=strategy, rules=wanted, **{**values, "games": given["games"] or 0})
    if given["games"] is None:
        spec = replace(spec, games=rooms_rounded(spec.boards // GAMES_SHARE, wanted))
    return spec


def _possible(spec: FitSpec, bot: FitBot, asked: tuple[str, ...], notice: Notice | None) -> FitSpec:
    """The same fit of the parts that the bot lets be fitted.

    Raises
    ------
    UserError
        It is none of those that were asked for, or a single one was, and it is not possible.
    """
    lacks = {part: bot.lacks(part, spec.play > 0) for part in asked}
    parts = tuple(part for part in asked if not lacks[part])
    if not parts:
        raise UserError(
            f"{'; and '.join(dict.fromkeys(lacks.values()))}: docs/how-to/fit.md has one to copy."
        )
    for part in asked:
        if lacks[part] and notice is not None:
            notice(f"{part} not fitted: {lacks[part]}.")
    return replace(spec, parts=parts)


class _Course:
    """A fit as it is made: hands, weights, nils, the choice, the boards and the games that judge."""

    def __init__(
        self, spec: FitSpec, place: Place, bot: FitBot, runs: Sequence[RecordedRun], progress: Progress | None
    ) -> None:
        self.spec, self.place, self.bot, self.runs = spec, place, bot, runs
        self.first = max(
            (run.spec.first + run.spec.units for run in runs if run.spec.seed == spec.seed), default=0
        )
        hands = min(spec.play, MOST_HANDS_PLAYED) if TRICKS in spec.parts else 0
        nils = spec.play if NIL in spec.parts else 0
        total = hands + nils + place.matches * 2 * spec.boards + spec.games // place.duel.n_rooms
        self.counter = Counter(total, progress)
        self.arena = Arena(place, self.counter)
        self.sources: list[Source] = []
        self.recorded: Decisions | None = None
        self.played = 0
        self.nils: Nils | None = None
        self.tricks_part: TricksPart | None = None
        self.nil_part: NilPart | None = None
        self.validation: Validation | None = None
        self.confirmation: Confirmation | None = None
        self.table = table_of(place.duel)

    def play(self, seconds: float) -> FitResult:
        """Make all of it."""
        began = time.perf_counter()
        spec = self.spec
        if self.runs:
            self.recorded, self.sources = fit_runs.read(self.runs, spec.takes or self.bot.name)
        values, size = self.bot.bot.values, spec.boards
        if TRICKS in spec.parts:
            values = self._fit_tricks(size // 2)
        if NIL in spec.parts:
            values = self._fit_nil(values, size // 2)
        self.values = values
        settings = self.bot.settings(values)
        if settings:
            first = self._take(size)
            self.validation = validate(settings, self.arena, self.place.duel, first, size)
            if self.validation.is_clear and spec.games:
                self._confirm()
        return self._result(settings, seconds + time.perf_counter() - began)

    def _take(self, boards: int) -> int:
        """Boards that nothing has used so far: the first of them."""
        self.first += boards
        return self.first - boards

    def _fit_tricks(self, size: int) -> Floats:
        decisions = self.recorded
        if self.spec.play:
            played = self._play(
                min(self.spec.play, MOST_HANDS_PLAYED), play_hands, self._bots(self.bot.bot.values)
            )
            hands = joined(played)
            rules, n = self.spec.rules, self.spec.rules.players
            partners = (0, 2) if rules.n_sides < n else (0,)
            mine = [Decisions(rules, hands, (hands.units + k) % n) for k in partners]
            mine += [] if decisions is None else [decisions]
            decisions = Decisions(
                rules,
                joined([each.hands for each in mine]),
                np.concatenate([one.seats for one in mine]),
            )
        assert decisions is not None
        self.tricks_part = TricksPart(self.bot, decisions)
        if np.array_equal(self.tricks_part.values, self.bot.bot.values):
            return self.bot.bot.values
        return self._best(self.tricks_part.at_levels(LEVELS), size)

    def _fit_nil(self, values: Floats, size: int) -> Floats:
        if self.spec.play:
            self.nils = joined_nils(self._play(self.spec.play, play_nils, self._bots(values)))
        else:
            assert self.recorded is not None
            self.nils = nils_of(self.recorded)
        check_nils(self.nils, self.spec.takes or self.bot.name)
        self.nil_part = NilPart(self.bot, self.nils, values)
        if np.array_equal(self.nil_part.values, values):
            return values
        alone = self.bot.bot.values.copy()
        changed = [step.place for step in (*self.nil_part.chance, *self.nil_part.price)]
        alone[changed] = self.nil_part.values[changed]
        return self._best([self.nil_part.values, alone, values], size)

    def _bots(self, values: Floats) -> tuple[Side, Side]:
        """The bot with other values, and whom it meets."""
        mine = load(self.arena.text(self.bot.settings(values)))
        return mine, mine if self.place.is_direct else self.place.reference

    def _play(self, boards: int, how: Any, bots: tuple[Side, Side]) -> list[Any]:
        """Play boards for the fit, a stretch at a time, so that Ctrl-C is heard."""
        first, found = self._take(boards), []
        for done in range(0, boards, STRETCH):
            some = range(first + done, first + min(done + STRETCH, boards))
            found.append(how(bots, self.spec.rules, some, self.spec.seed, self.table))
            self.counter.units += len(some)
            self.counter.within(0, 0, 0)
        self.played += boards
        return found

    def _best(self, rows: Sequence[Floats], size: int) -> Floats:
        """The best of some values on boards that nothing else uses; the given ones are not among them.

        Whether the best is better than these is for the boards that judge to say.
        """
        given = tuple(self.bot.bot.values)
        every = list({tuple(row): row for row in rows if tuple(row) != given}.values())
        trials = [Trial(n, self.bot.settings(row), (), 0.0, False, 0) for n, row in enumerate(every)]
        return every[choose(trials, self.arena, self._take(size), size, 0).number]

    def _confirm(self) -> None:
        found = self.arena.text(self.bot.settings(self.values))
        spec = replace(self.spec.games_spec(found, self.first), b=self.place.duel.a)
        result = play_duel(
            spec, workers=self.place.workers, chunk=self.place.chunk, progress=self.counter.within
        )
        if result.partial:
            raise KeyboardInterrupt
        if result.win_rate_a is not None:
            self.confirmation = Confirmation(result.win_rate_a, self.spec.games, result.command)
            self.arena.hands += result.hands

    def _result(self, settings: dict[str, str], seconds: float) -> FitResult:
        spec, place, scale = self.spec, self.place, value_scale(self.place.duel)
        found = self.arena.text(settings) if settings else None
        names = (short_name(place.duel.a), found and short_name(found), short_name(place.duel.b))
        tricks, nil = self.tricks_part, self.nil_part
        return FitResult(
            strategy=place.duel.a,
            vs=place.duel.b,
            found=found,
            parameters=self._parameters(),
            tricks=None if tricks is None else tricks.report(self.values),
            nil=None if nil is None else nil.report(),
            sources=tuple(self.sources),
            played=self.played,
            validation=self.validation,
            confirmation=self.confirmation,
            unit=scale.unit,
            is_kept=is_kept(self.validation, self.confirmation),
            boards=self.arena.played,
            hands=self.arena.hands,
            rules=str(spec.rules),
            seed=spec.seed,
            written=None,
            verdict=verdict_of(names, scale, self.validation, self.confirmation),
            seconds=seconds,
            command=spec.command(),
            version=spadesim.__version__,
            rng=RNG_NAME,
            scale=scale,
            spec=spec,
        )

    def _parameters(self) -> tuple[Fitted, ...]:
        kinds = []
        if self.tricks_part is not None:
            kinds += [(TRICKS, self.tricks_part.weights), ("level", self.tricks_part.levels[:1])]
        if self.nil_part is not None:
            kinds += [("chance", self.nil_part.chance), ("price", self.nil_part.price)]
        given = self.bot.bot.values
        return tuple(
            Fitted(self.bot.called(step), kind, self.bot.word(step, given), self.bot.word(step, self.values))
            for kind, steps in kinds
            for step in steps
        )
