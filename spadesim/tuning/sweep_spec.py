"""What a sweep is before it is played: the settings that are varied, against whom, how far and how surely."""

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from spadesim.core.batch import HAND_CAP
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError, suggest
from spadesim.match.confirm import about_confirm
from spadesim.match.spec import DEFAULT_SEED, MAX_UNITS, DuelSpec, check_range, make_spec, whole
from spadesim.match.stop import DEFAULT_BUDGET, Stop, scale_for
from spadesim.match.stopping import value_scale
from spadesim.tuning.race import CORRECTIONS
from spadesim.tuning.settings import (
    Axis,
    Settings,
    check_axes,
    grid,
    of_rules,
    read_axis,
    sampled,
)

DEFAULT_BOARDS = 20_000
DEFAULT_GAMES = 4000


@dataclass(frozen=True)
class SweepSpec:
    """A sweep that can be played; building one checks everything but the strategies.

    Parameters
    ----------
    strategy : str
        The baseline: a side as the spec grammar has it.
    axes : tuple of Axis
        The settings that are varied, and their values.
    vs : tuple of str
        The references that all arms play against; the strategy itself if empty.
    sample : int or None
        Play so many combinations, spread evenly, instead of all.
    boards : int or None
        The most boards that an arm plays against each reference: 20,000 if left out, or 200,000 with a width.
    until_width : str or None
        Go on until every arm's interval is no wider than this, or the arm surely worse than the best.
    race : bool
        Whether arms that do badly stop early.
    correction : {"max-t", "holm"}
        How the arms' intervals are made to hold together.
    confirm : int
        Whole games that the winner plays against each reference in the end; 0 for none.
    rules, seed, scores, bags, hand_cap
        As for a duel (`spadesim.match.spec.DuelSpec`).

    Raises
    ------
    UserError
        Whatever cannot be played as asked, with the reason.
    """

    strategy: str
    axes: tuple[Axis, ...]
    vs: tuple[str, ...] = ()
    sample: int | None = None
    boards: int | None = None
    until_width: str | None = None
    race: bool = True
    correction: str = CORRECTIONS[0]
    confirm: int = DEFAULT_GAMES
    rules: Rules = field(default_factory=Rules)
    seed: int = DEFAULT_SEED
    scores: tuple[int, ...] | None = None
    bags: tuple[int, ...] | None = None
    hand_cap: int = HAND_CAP

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        check_axes(self.axes)
        if names := [axis.name for axis in self.axes if of_rules(axis)]:
            raise UserError(f"'{names[0]}' varies the rules: sweep rules alone, not together with settings.")
        check_range("boards", self.most, 1, MAX_UNITS)
        if self.sample is not None and whole("sample", self.sample) < 1:
            raise UserError(f"sample must be at least 1, not {self.sample}.")
        if self.correction not in CORRECTIONS:
            near = suggest(self.correction, CORRECTIONS)
            raise UserError(f"correction must be max-t or holm, not '{self.correction}'.{near}")
        self.duel()
        if self.confirm:
            with about_confirm():
                self.duel(games=self.confirm)
        _ = self.width

    @property
    def refs(self) -> tuple[str, ...]:
        """Whom all arms play against."""
        return self.vs or (self.strategy,)

    @property
    def most(self) -> int:
        """The most boards that an arm plays against each reference."""
        if self.boards is not None:
            return self.boards
        return DEFAULT_BOARDS if self.until_width is None else DEFAULT_BUDGET

    @property
    def size(self) -> int:
        """Combinations to be played, before those that come to the same are left out."""
        n = math.prod(len(axis.values) for axis in self.axes)
        return n if self.sample is None else min(n, self.sample)

    @property
    def width(self) -> float | None:
        """The width to be reached, in the unit of boards' values.

        Raises
        ------
        UserError
            It is no number, or in a unit that is not played here.
        """
        if self.until_width is None:
            return None
        stop, scale = Stop("width", self.until_width), value_scale(self.duel())
        return stop.numbers(scale_for(scale, (), stop.suffix))[1]

    def duel(self, games: int | None = None, first: int = 0) -> DuelSpec:
        """The duel of the baseline and the first reference: on boards, or over so many whole games."""
        return make_spec(
            self.strategy,
            self.refs[0],
            rules=self.rules,
            scores=self.scores if games is None else None,
            bags=self.bags if games is None else None,
            boards=self.most if games is None else None,
            games=games,
            seed=self.seed,
            first=first,
            hand_cap=self.hand_cap,
        )

    def settings(self) -> Sequence[Settings]:
        """The combinations to be played."""
        return list(grid(self.axes)) if self.sample is None else sampled(self.axes, self.sample, self.seed)

    def command(self) -> str:
        """The command line, quoted for a shell, that repeats exactly this sweep."""
        words = ["spadesim", "sweep", self.strategy]
        words += [word for axis in self.axes for word in ("--set", str(axis))]
        words += [word for ref in self.vs for word in ("--vs", ref)]
        words += ["--sample", str(self.sample)] if self.sample is not None else []
        words += ["--boards", str(self.most)]
        words += ["--until-width", self.until_width.replace(" ", "")] if self.until_width else []
        words += [] if self.race else ["--no-race"]
        words += ["--correction", self.correction] if self.correction != CORRECTIONS[0] else []
        words += ["--confirm", str(self.confirm)]
        return shlex.join(words + self.duel().conditions())


def make_sweep(
    strategy: str,
    axes: Sequence[str],
    *,
    vs: Sequence[str] = (),
    until_width: str | float | None = None,
    rules: str | Rules = DEFAULT_PRESET,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    **more: object,
) -> SweepSpec:
    """A `SweepSpec` from what a caller writes, rules and scores as for `make_spec`.

    Parameters
    ----------
    strategy, axes, vs, until_width, rules, scores, bags
        See `sweep`.
    **more
        Other fields of `SweepSpec`; those that are None take their defaults.
    """
    usual = make_spec(strategy, strategy, rules=rules, scores=scores, bags=bags, boards=1)
    return SweepSpec(
        strategy=usual.a,
        axes=tuple(read_axis(text) for text in axes),
        vs=tuple(ref.strip() for ref in vs),
        until_width=None if until_width is None else str(until_width).strip(),
        rules=usual.rules,
        scores=usual.scores,
        bags=usual.bags,
        **{name: value for name, value in more.items() if value is not None},  # type: ignore[arg-type]
    )
