"""What a tuning is before it is played: of whom, of which parameters, against whom, for how long."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import spadesim
from spadesim.core._jit import engine_digest
from spadesim.core.rng import RNG_NAME
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.match.confirm import about_confirm
from spadesim.match.manifest import equity_digest
from spadesim.match.spec import DEFAULT_SEED, DuelSpec, make_spec
from spadesim.strategy import Side
from spadesim.tuning.budget import Budget, read_budget
from spadesim.tuning.search import versions

DEFAULT_BUDGET = "2m"
GAMES_SHARE = 4  # boards of the validation for every game that confirms


@dataclass(frozen=True)
class TuneSpec:
    """A tuning that can be played; building one checks everything but the strategies.

    Parameters
    ----------
    strategy : str
        A side, as the spec grammar has it.
    params : tuple of str
        What is tuned: ``king``, ``king=0:4`` or ``lower.king``.
    vs : str or None
        Whom candidates meet; None: the strategy as it is given.
    budget : Budget
    sampler : {"tpe", "cmaes", "qmc", "spsa"}
    confirm : int or None
        Whole games of what was found against the strategy as it is given, to confirm a gain; 0 for none, as
        many as a quarter of the boards that validate if None.
    rules, seed, scores, bags
        As for a duel (`spadesim.match.spec.DuelSpec`).

    Raises
    ------
    UserError
        Whatever cannot be played as asked, with the reason.
    """

    strategy: str
    params: tuple[str, ...]
    vs: str | None = None
    budget: Budget = field(default_factory=lambda: read_budget(DEFAULT_BUDGET))
    sampler: str = "tpe"
    confirm: int | None = None
    rules: Rules = field(default_factory=Rules)
    seed: int = DEFAULT_SEED
    scores: tuple[int, ...] | None = None
    bags: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        self.duel_spec()
        if self.confirm:
            with about_confirm():
                self.games_spec(self.strategy, self.confirm, 0)

    def duel_spec(self) -> DuelSpec:
        """The duel of boards in which candidates meet whom they are tried against."""
        return make_spec(
            self.strategy,
            self.vs or self.strategy,
            rules=self.rules,
            scores=self.scores,
            bags=self.bags,
            boards=1,
            seed=self.seed,
        )

    def games_spec(self, found: str, games: int, first: int) -> DuelSpec:
        """The games of what was found against the strategy as it is given."""
        return make_spec(found, self.strategy, rules=self.rules, games=games, seed=self.seed, first=first)

    def games_for(self, validation: int) -> int:
        """How many games confirm a gain on so many boards."""
        if self.confirm is not None:
            return self.confirm
        rooms = self.duel_spec().n_rooms
        return validation // GAMES_SHARE // rooms * rooms

    def command(self) -> str:
        """The command line, quoted for a shell, that repeats exactly this tuning."""
        words = ["spadesim", "tune", self.strategy]
        for param in self.params:
            words += ["--param", param]
        words += ["--vs", self.vs] if self.vs else []
        words += ["--budget", str(self.budget), "--sampler", self.sampler]
        words += [] if self.confirm is None else ["--confirm", str(self.confirm)]
        return shlex.join(words + self.duel_spec().conditions())


def make_tune(
    strategy: str,
    params: Sequence[str],
    *,
    budget: str | Budget | None = None,
    rules: str | Rules = DEFAULT_PRESET,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    **more: object,
) -> TuneSpec:
    """A `TuneSpec` from what a caller writes: budget and rules as text or object, scores as text or numbers.

    Parameters
    ----------
    strategy, params, budget, rules, scores, bags
        See `TuneSpec`; two minutes if `budget` is None.
    **more
        Its other fields; those that are None take their defaults.
    """
    usual = make_spec(strategy, strategy, rules=rules, scores=scores, bags=bags, boards=1)
    return TuneSpec(
        strategy=strategy.strip(),
        params=tuple(param.strip() for param in params),
        budget=read_budget(DEFAULT_BUDGET if budget is None else budget),
        rules=usual.rules,
        scores=usual.scores,
        bags=usual.bags,
        **{name: value for name, value in more.items() if value is not None},  # type: ignore[arg-type]
    )


def asked_of(spec: TuneSpec, base: Side, reference: Side, dimensions: Sequence[object]) -> dict[str, Any]:
    """What a study was made for, as JSON: everything that its trials depend on, settings written out."""
    return {
        **sides_of(base, reference),
        "params": [str(one) for one in dimensions],
        "budget": str(spec.budget),
        "sampler": spec.sampler,
        "libraries": versions(spec.sampler),
        "confirm": spec.confirm,
        "rules": str(spec.rules),
        "seed": spec.seed,
        "scores": None if spec.scores is None else list(spec.scores),
        "bags": None if spec.bags is None else list(spec.bags),
        "win_chance_table": equity_digest(spec.duel_spec()),
        "version": spadesim.__version__,
        "engine": engine_digest(),
        "rng": RNG_NAME,
    }


OPTIONS = ("strategy", "params", "vs", "budget", "sampler", "confirm", "rules", "seed", "scores", "bags")


NAMED = "named"  # the key of a study's sides as they were asked for


def spec_of(asked: Mapping[str, Any], given: Mapping[str, Any]) -> TuneSpec:
    """The tuning that a study was made for, with what somebody asks for now in its place.

    Parameters
    ----------
    asked : mapping of str to JSON values
        See `asked_of`; under `NAMED` may be the sides as they were asked for.
    given : mapping
        Options by name; those that are None count as not given.
    """
    options = {name: asked[name] for name in OPTIONS} | dict(asked.get(NAMED, {}))
    options |= {name: value for name, value in given.items() if value is not None}
    return make_tune(options.pop("strategy"), options.pop("params"), **options)


def sides_of(base: Side, reference: Side) -> dict[str, Any]:
    """What a study says of its sides, as JSON."""
    return {
        "strategy": str(base),
        "strategy_digest": [base.lower.digest, base.higher.digest],
        "vs": str(reference),
        "vs_digest": [reference.lower.digest, reference.higher.digest],
    }
