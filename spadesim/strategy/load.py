"""Loading: from a spec's text to a bot that the engine can play, and from two sides to a line-up."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core._jit import source_digest
from spadesim.core.batch import Lineup
from spadesim.core.play import MAX_PARAMETERS
from spadesim.core.rules import Rules
from spadesim.core.weakness import CHANGES_BIDS_ONLY, N_WEAKNESSES
from spadesim.errors import UserError
from spadesim.strategy.compiled import (
    ASKED_BEFORE,
    BY_PHASE,
    FUNCTIONS,
    compile_all,
    functions_of,
    is_cached,
    refuse_chance,
)
from spadesim.strategy.dossier import Dossier, dossier
from spadesim.strategy.find import Origin, bundled, find, find_unborn
from spadesim.strategy.models import Model, model_of
from spadesim.strategy.module import place, run
from spadesim.strategy.parameters import Parameters
from spadesim.strategy.revision import Export, export
from spadesim.strategy.settings_file import read_settings, settings_file
from spadesim.strategy.spec import BotSpec, SideSpec, parse, parse_bot
from spadesim.strategy.wrappers import read_wrappers, wrappers_text, write_wrappers

Announce = Callable[[str], None]


@dataclass(frozen=True)
class Strategy:
    """A bot that is ready to play; `str` gives the spec that loads it again, its settings written out.

    Parameters
    ----------
    name : str
        What it is called in tables, its weaknesses included.
    spec : BotSpec
        What it was loaded by.
    file : Path
        Its source, in the cache for an earlier revision.
    commit : str
        The commit of an earlier revision, "" for the file as it is.
    dossier : Dossier
    parameters : Parameters
    values : float64 array
        The parameters' values, `p` of its `bid`.
    functions : dict of str to function
        `bid` and `play`, compiled unless the compiler is off, and what it has of `keep`, `blind` and
        `exchange`, which are compiled for the tables that ask for them.
    has_memory : bool
        False when it promises to use no card of earlier tricks and no void shown in them.
    digest : str
        12 hexadecimal digits over its source and its helpers'.
    weaknesses : float64 array
        What is laid around it, see `spadesim.strategy.wrappers`; 0 for what is not.
    model : Model, optional
        The bot that it asks what others would do.
    """

    name: str
    spec: BotSpec
    file: Path
    commit: str
    dossier: Dossier
    parameters: Parameters
    values: npt.NDArray[np.float64] = field(compare=False)
    functions: dict[str, Any] = field(compare=False)
    has_memory: bool
    digest: str
    weaknesses: npt.NDArray[np.float64] = field(
        default_factory=lambda: np.zeros(N_WEAKNESSES), compare=False, repr=False
    )
    model: Model | None = field(default=None, compare=False, repr=False)

    @property
    def bid(self) -> Any:
        """The function that bids, ``bid(view, p) -> int``."""
        return self.functions["bid"]

    @property
    def play(self) -> Any:
        """The function that plays a card, ``play(view, p) -> int``."""
        return self.functions["play"]

    @property
    def rows(self) -> npt.NDArray[np.float64]:
        """The `p` of `bid` and of its other functions; last in both what compiled code calls its model by."""
        rows = self.parameters.rows(self.values)
        return (
            rows if self.model is None else np.pad(rows, ((0, 0), (0, 1)), constant_values=self.model.handle)
        )

    @property
    def asked(self) -> BotSpec:
        """The spec that it was asked for by, an earlier revision by its commit."""
        return replace(self.spec, revision=self.commit)

    def __str__(self) -> str:
        settings = tuple(sorted(self.parameters.changes(self.values).items()))
        return str(BotSpec(self.spec.source, self.commit, "", settings, write_wrappers(self.weaknesses)))


@dataclass(frozen=True)
class Side:
    """Two bots that play together: the one at the side's lower seat and the one at its higher seat."""

    lower: Strategy
    higher: Strategy

    def __str__(self) -> str:
        return str(self.lower) if str(self.lower) == str(self.higher) else f"{self.lower}+{self.higher}"

    @property
    def asked(self) -> str:
        """The text that it was asked for by, which names the same bots as `str` while its files are there."""
        return str(SideSpec(self.lower.asked, self.higher.asked))

    @property
    def name(self) -> str:
        """What the side is called in tables."""
        return (
            self.lower.name
            if str(self.lower) == str(self.higher)
            else f"{self.lower.name}+{self.higher.name}"
        )


def load_strategy(text: str, announce: Announce | None = None) -> Strategy:
    """The bot that a spec names, compiled.

    Parameters
    ----------
    text : str
        See `spadesim.strategy.spec`.
    announce : function of str, optional
        Called with the bot's name before it is compiled for the first time, which takes seconds.

    Raises
    ------
    UserError
        Whatever is wrong with the spec, the file or its functions.
    """
    return _load(parse_bot(text), announce)


def load_side(text: str, announce: Announce | None = None) -> Side:
    """The side that a spec names, its bots compiled; parameters and errors as `load_strategy`."""
    spec = parse(text)
    lower = _load(spec.lower, announce)
    return Side(lower, lower if spec.higher == spec.lower else _load(spec.higher, announce))


def asked_before(rules: Rules) -> dict[str, str]:
    """The functions that a table needs besides `bid` and `play`, and the rule option that asks for each."""
    declares = rules.blind_nil != "off"
    exchanges = declares and rules.blind_nil_exchange > 0
    return {
        **({"keep": "deal=draw_keep"} if rules.deal == "draw_keep" else {}),
        **({"blind": f"blind_nil={rules.blind_nil}"} if declares else {}),
        **({"exchange": f"blind_nil_exchange={rules.blind_nil_exchange}"} if exchanges else {}),
    }


def check_asked(strategy: Strategy, rules: Rules) -> None:
    """Refuse a strategy without a function that the table needs, and compile those that it has for it.

    Raises
    ------
    UserError
        One is missing, or does not compile.
    """
    for name, option in lacking(strategy.functions, rules):
        if strategy.file in bundled().values():
            raise UserError(_bundled_without(strategy.name, name, option, rules))
        raise UserError(
            f"{place(strategy.file)} has no function `{name}`, which {option} asks for: "
            f"{name}(view, p) returns {ASKED_BEFORE[name]}. docs/reference/strategies.md has one to copy."
        )
    if asked := asked_before(rules):
        compile_all({name: strategy.functions[name] for name in asked}, strategy.file)
        if strategy.model is not None:
            strategy.model.learn(frozenset(asked))


def lacking(functions: Collection[str], rules: Rules) -> list[tuple[str, str]]:
    """The functions that a table needs and a strategy lacks, each with the option that asks for it."""
    return [(name, option) for name, option in asked_before(rules).items() if name not in functions]


def functions_named(name: str) -> set[str]:
    """Which functions of the contract the strategy of a name has, without compiling them.

    Raises
    ------
    UserError
        There is no such strategy, or its file cannot be run.
    """
    return set(BY_PHASE) & set(vars(run(find(parse_bot(name)))))


def _bundled_without(name: str, function: str, option: str, rules: Rules) -> str:
    """That a bundled bot cannot sit at a table, and which of them can."""
    cannot = {
        "keep": "draws no cards",
        "blind": "declares no blind nils",
        "exchange": "exchanges no cards",
    }
    able = [other for other in bundled() if not lacking(functions_named(other), rules)]
    listed = ", ".join(able) or "none"
    return (
        f"{name} {cannot[function]}, which {option} asks for, and cannot play under these rules. "
        f"Bundled bots that can: {listed}."
    )


def lineup(side_a: Side, side_b: Side, rules: Rules | None = None) -> Lineup:
    """The four bots of a duel as the engine takes them: A's lower and higher seat, then B's.

    Parameters
    ----------
    side_a, side_b : Side
    rules : Rules, optional
        The table, which may ask for more functions than `bid` and `play`.

    Raises
    ------
    UserError
        A bot lacks a function that the table asks for, or a side of two bots is to play alone.
    """
    bots = (side_a.lower, side_a.higher, side_b.lower, side_b.higher)
    if rules is not None:
        for side in (side_a, side_b):
            check_side(side, rules)
    rows = [bot.rows for bot in bots]
    params = np.zeros((2, 4, max(1, *(row.shape[1] for row in rows))))
    for role, row in enumerate(rows):
        params[:, role, : row.shape[1]] = row
    asked = asked_before(rules) if rules is not None else {}
    functions = {
        name: tuple(bot.functions[name] if name in (*FUNCTIONS, *asked) else None for bot in bots)
        for name in BY_PHASE
    }
    bids, plays, keeps, blinds, exchanges = functions.values()
    weaknesses = np.stack([bot.weaknesses for bot in bots])
    return Lineup(
        bids,
        plays,
        params,
        keeps,
        blinds,
        exchanges,
        differ_in_bids(side_a, side_b),
        weaknesses,
        (after_bids(side_a), after_bids(side_b)),
    )


def differ_in_bids(side_a: Side, side_b: Side) -> bool:
    """Whether both sides are variants of the same bots that can differ in their bids only.

    What they do after the bidding is then the same function of the same parameters.
    """
    pairs = ((side_a.lower, side_b.lower), (side_a.higher, side_b.higher))
    differs = [
        not np.array_equal(a.values, b.values) or not np.array_equal(a.weaknesses, b.weaknesses)
        for a, b in pairs
    ]
    return after_bids(side_a) == after_bids(side_b) and any(differs)


def after_bids(side: Side) -> tuple[object, ...]:
    """What a side's bots are at every decision after the bidding: equal for sides that then do the same."""
    return tuple(
        (
            bot.digest,
            *bot.parameters.rows(bot.values)[1].tolist(),
            *np.delete(bot.weaknesses, CHANGES_BIDS_ONLY).tolist(),
        )
        for bot in (side.lower, side.higher)
    )


def check_side(side: Side, rules: Rules) -> None:
    """Refuse a side that cannot sit at a table, and compile what the table asks of its bots.

    Raises
    ------
    UserError
        Two bots where everybody plays alone, or a bot without a function that the table needs.
    """
    if rules.teams == "individual" and side.lower is not side.higher:
        raise UserError(
            f"'{side}' names two bots, but with teams=individual every bot plays alone: name one of them."
        )
    for bot in (side.lower, side.higher):
        check_asked(bot, rules)


def _load(spec: BotSpec, announce: Announce | None) -> Strategy:
    _weaknesses(spec)  # before anything is compiled
    exported = export(find_unborn(spec), spec.revision) if spec.revision else Export(find(spec), "", {})
    return load_from(exported, spec, announce)


def load_from(exported: Export, spec: BotSpec, announce: Announce | None = None) -> Strategy:
    """The bot that a spec names, out of given files.

    Parameters
    ----------
    exported : Export
        Its file, its commit, and the modules that it imports from elsewhere than everybody else.
    spec : BotSpec
        Its settings, and what it is called.
    announce
        As for `load_strategy`.

    Raises
    ------
    UserError
        Whatever is wrong with the file, its functions or the settings.
    """
    origin = exported.origin
    module = run(origin, exported.stand_ins)
    table = _table(module, origin)
    values, weaknesses = _values(spec, table, origin), _weaknesses(spec)
    functions = functions_of(module, origin.file)
    refuse_chance(origin.file)
    if announce is not None and not is_cached(origin.file):
        announce(origin.name)
    model = model_of(module, table, values, origin.file)
    if model is not None:  # which answers before the bidding in its place
        functions = {name: functions[name] for name in functions if name in model.functions}
    compile_all({name: functions[name] for name in FUNCTIONS}, origin.file)
    return Strategy(
        name=origin.name + wrappers_text(weaknesses),
        spec=spec,
        file=origin.file,
        commit=exported.commit,
        dossier=dossier(module.__doc__ or ""),
        parameters=table,
        values=values,
        functions=functions,
        has_memory=_memory(module, origin),
        digest=source_digest(origin.file),
        weaknesses=weaknesses,
        model=model,
    )


def _weaknesses(spec: BotSpec) -> npt.NDArray[np.float64]:
    try:
        return read_wrappers(spec.wrappers)
    except UserError as error:
        raise UserError(f"'{spec}': {error}") from error


def _table(module: ModuleType, origin: Origin) -> Parameters:
    table = vars(module).get("PARAMETERS", Parameters())
    if not isinstance(table, Parameters):
        raise UserError(f"{place(origin.file)}: PARAMETERS must be made by parameters(Parameter(...), ...).")
    most = MAX_PARAMETERS - ("MODELS" in vars(module))
    if len(table) > most:
        raise UserError(f"{place(origin.file)} has {len(table)} parameters; at most {most} fit.")
    return table


def _memory(module: ModuleType, origin: Origin) -> bool:
    memory = vars(module).get("MEMORY", True)
    if not isinstance(memory, bool):
        raise UserError(f"{place(origin.file)}: MEMORY must be True or False, not {memory!r}.")
    return memory


def _values(spec: BotSpec, table: Parameters, origin: Origin) -> npt.NDArray[np.float64]:
    settings: dict[str, object] = {}
    if spec.settings_file:
        file = settings_file(spec.settings_file, origin)
        settings.update(read_settings(file, origin))
        try:
            table.values(settings)
        except UserError as error:
            raise UserError(f"In '{place(file)}' for {origin.name}: {error}") from error
    settings.update(spec.settings)
    try:
        return table.values(settings)
    except UserError as error:
        raise UserError(f"{origin.name}: {error}") from error
