"""A bot as a fit sees it: its numbers, what it tells of itself, and what hands teach of both."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from spadesim.errors import UserError
from spadesim.strategy import Parameter, Side
from spadesim.strategy.compiled import HOOKS, compile_all
from spadesim.tuning import fit_nils, fit_tricks
from spadesim.tuning.fit_data import Decisions, Nils
from spadesim.tuning.fit_result import Bin, NilFit, TricksFit
from spadesim.tuning.fit_tricks import Ask, Floats, Steps

TRICKS, NIL = "tricks", "nil"
LEAST_HANDS, LEAST_NILS = 2000, 500
MOST_HANDS = 80_000  # more make weights no surer than whole numbers need
HELD_OUT = 4  # every fourth unit judges
Z = 1.96


class FitBot:
    """The bot that is fitted.

    Parameters
    ----------
    side : Side
        Of one bot, without a bidder or weaknesses.

    Raises
    ------
    UserError
        It is none, or its functions do not compile.
    """

    def __init__(self, side: Side) -> None:
        bot = side.lower
        if side.lower is not side.higher:
            raise UserError(f"'{side}' names two bots: fit one of them, beside the other with --vs.")
        if bot.bidder is not None:
            raise UserError(f"In '{side}' {bot.bidder.name} bids: fit {bot.bidder.name}.")
        if bot.weaknesses.any():
            raise UserError(f"'{side}' has a weakness laid around it: fit the bot without it.")
        self.bot, self.table = bot, bot.parameters
        self.hooks = {name: bot.functions[name] for name in HOOKS if name in bot.functions}
        compile_all(self.hooks, bot.file)
        self.steps = fit_tricks.candidates(self.table)

    @property
    def name(self) -> str:
        """What its file is called."""
        return Path(self.bot.spec.source).stem if self.bot.spec.is_path else self.bot.spec.source

    def lacks(self, part: str, is_played: bool) -> str:
        """Why a part cannot be fitted, "" if it can."""
        if not self.steps:
            return f"{self.name} has no number that its bid reads"
        hook = "expected_quarters" if part == TRICKS else "nil_log_odds"
        if hook in self.hooks or (part == NIL and is_played):
            return ""
        return f"{self.name} has no function {hook}(view, p), which returns {HOOKS[hook]}"

    def word(self, step: Steps, values: Floats) -> str:
        """A parameter's value as text."""
        return self._entry(step).word(float(values[step.place]))

    def called(self, step: Steps) -> str:
        """A parameter's name."""
        return self._entry(step).name

    def _entry(self, step: Steps) -> Parameter:
        return self.table[self.table.names[step.place]]

    def settings(self, values: Floats) -> dict[str, str]:
        """Where values differ from those of the bot as it is given."""
        return {
            self.called(step): self.word(step, values)
            for step in self.steps
            if values[step.place] != self.bot.values[step.place]
        }

    def estimate(self, decisions: Decisions) -> Ask:
        """What the bot expects of each hand, in quarter tricks."""
        return lambda rows: decisions.answers(self.hooks["expected_quarters"], rows)

    def odds(self, decisions: Decisions) -> Ask:
        """What the bot thinks of a nil with each hand, in thousandths of a logit."""
        return lambda rows: decisions.answers(self.hooks["nil_log_odds"], rows)

    def bids(self, decisions: Decisions) -> Ask:
        """What the bot bids with each hand."""
        return lambda rows: decisions.answers(self.bot.bid, rows)


def without_nils(decisions: Decisions) -> Decisions:
    """Those in hands in which nobody bid nil, at most so many as are needed."""
    players = decisions.rules.players
    bids = decisions.hands.bids[:, :players]
    found = decisions.take((bids > 0).all(axis=1))
    if len(found) < LEAST_HANDS:
        raise UserError(
            f"There are {len(found):,} bids in hands without a nil, too few to fit weights: {LEAST_HANDS:,} "
            "are the least. Name longer runs, or --play 100000."
        )
    return found.take(slice(MOST_HANDS))


def nils_of(decisions: Decisions) -> Nils:
    """The nils among recorded decisions."""
    own = decisions.hands.bids[np.arange(len(decisions)), decisions.seats]
    found = decisions.take(own == 0)
    return Nils(found, found.tricks == 0)


def check_nils(nils: Nils, name: str) -> None:
    """Refuse too few nils.

    Raises
    ------
    UserError
        There are.
    """
    if len(nils) < LEAST_NILS or nils.made.all() or not nils.made.any():
        raise UserError(
            f"There are {len(nils):,} nils of {name}, {int(nils.made.sum()):,} of them made, too few to tell "
            f"a chance: {LEAST_NILS} are the least. Name longer runs, or --play 100000 to have it bid nils "
            "whatever it holds."
        )


def split(decisions: Decisions) -> tuple[np.ndarray, np.ndarray]:
    """Which decisions are fitted, and which judge: every fourth game or board is held out."""
    is_held = decisions.hands.units % HELD_OUT == HELD_OUT - 1
    return np.flatnonzero(~is_held), np.flatnonzero(is_held)


class TricksPart:
    """The weights of the estimate, fitted."""

    def __init__(self, bot: FitBot, decisions: Decisions) -> None:
        self.bot, self.all = bot, without_nils(decisions)
        fitted, held = split(self.all)
        self.fitted, self.held = self.all.take(fitted), self.all.take(held)
        ask = bot.estimate(self.fitted)
        values = bot.bot.values
        self.weights, self.levels = fit_tricks.sort_out(ask, values, bot.steps)
        self.values = values
        if self.weights:
            tricks = self.fitted.tricks.astype(np.float64)
            self.values = fit_tricks.fit_weights(ask, tricks, values, self.weights)

    def at_levels(self, span: int) -> list[Floats]:
        """The fitted weights, with each level of the estimate that is worth trying."""
        if not self.levels:
            return [self.values]
        level = self.levels[0]
        rows = [fit_tricks.moved(self.values, level, by) for by in range(-1, span)]
        return list({row[level.place]: row for row in rows}.values())

    def report(self, values: Floats) -> TricksFit:
        """How well the estimate does before and after, on what was held out."""
        tricks = self.held.tricks.astype(np.float64)
        before, after = self.bot.estimate(self.held)(np.stack([self.bot.bot.values, values]))
        told = [fit_tricks.QUARTER * each for each in (before, after)]
        shares = [fit_tricks.explained(each, tricks) for each in (before, after)]
        below = [float(tricks.mean() - each.mean()) for each in told]
        tables = [bins(each, tricks, np.arange(-0.5, 14.5)) for each in told]
        return TricksFit(
            hands=len(self.fitted),
            held_out=len(self.held),
            explained_before=shares[0],
            explained_after=shares[1],
            below_before=below[0],
            below_after=below[1],
            before=tables[0],
            after=tables[1],
        )


class NilPart:
    """The chance of a nil, and the chance that it needs, fitted."""

    def __init__(self, bot: FitBot, nils: Nils, values: Floats) -> None:
        self.bot, self.nils, self.given = bot, nils, values
        fitted, held = split(nils.decisions)
        self.fitted, self.held = nils.take(fitted), nils.take(held)
        self.chance: list[Steps] = []
        self.price: list[Steps] = []
        self.has_odds = "nil_log_odds" in bot.hooks
        if self.has_odds:
            values = self._fit_chance(values)
        if self.fitted.gains is not None:
            values = self._fit_price(values)
        self.values = values

    def _fit_chance(self, values: Floats) -> Floats:
        ask = self.bot.odds(self.fitted.decisions)
        self.chance = fit_nils.widened(fit_tricks.that_move(ask, values, fit_nils.widened(self.bot.steps)))
        if not self.chance:
            return values
        is_whole = [float(step.size).is_integer() and self.bot.table[self.bot.called(step)].is_whole
                    for step in self.chance]  # fmt: skip
        return fit_nils.fit_chance(ask, self.fitted.made, values, self.chance, is_whole)

    def _fit_price(self, values: Floats) -> Floats:
        assert self.fitted.gains is not None
        decisions = self.fitted.decisions
        taken = {step.place for step in self.chance}
        if "expected_quarters" in self.bot.hooks:
            ask = self.bot.estimate(decisions)
            taken |= {step.place for step in fit_tricks.that_move(ask, values, self.bot.steps)}
        bids = self.bot.bids(decisions)
        self.price = fit_nils.deciding(
            bids, values, [one for one in self.bot.steps if one.place not in taken]
        )
        return fit_nils.fit_price(bids, self.fitted.gains, values, self.price)

    def report(self) -> NilFit:
        """How well the chance is told before and after, on what was held out."""
        made = self.held.made
        figures: list[float | None] = [None] * 4
        tables: list[tuple[Bin, ...]] = [(), ()]
        if self.has_odds:
            ask = self.bot.odds(self.held.decisions)
            told = [fit_nils.chances(said) for said in ask(np.stack([self.given, self.values]))]
            figures = [
                measure(each, made) for measure in (fit_nils.log_loss, fit_nils.brier) for each in told
            ]
            tables = [bins(each, made.astype(np.float64), np.arange(11) / 10) for each in told]
        is_forced = self.nils.gains is not None
        return NilFit(
            nils=len(self.fitted),
            held_out=len(self.held),
            forced=is_forced,
            made=float(self.nils.made.mean()),
            log_loss_before=figures[0],
            log_loss_after=figures[1],
            brier_before=figures[2],
            brier_after=figures[3],
            priced=is_forced,
            before=tables[0],
            after=tables[1],
        )


def bins(told: Floats, happened: Floats, edges: Sequence[float] | Floats) -> tuple[Bin, ...]:
    """What came of decisions, by what was told of them; bins in which there are some."""
    found = []
    for low, high in pairwise(edges):
        here = (told >= low) & (told < high)
        n = int(here.sum())
        if n > 1:
            some = happened[here]
            error = Z * float(some.std(ddof=1)) / n**0.5
            found.append(Bin(float(low), float(high), n, float(told[here].mean()), float(some.mean()), error))
    return tuple(found)
