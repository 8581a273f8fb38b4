"""Loading: from a spec's text to a bot that the engine can play, and from two sides to a line-up."""

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core._jit import source_digest
from spadesim.core.play import MAX_PARAMETERS
from spadesim.core.rules import Rules
from spadesim.core.weakness import N_WEAKNESSES
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
from spadesim.strategy.parameters import BIDDER, Parameters
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
        What it is called in tables, its bidder and its weaknesses included.
    spec : BotSpec
        What it was loaded by.
    file : Path
        Its source, in the cache for an earlier revision.
    commit : str
        The commit of an earlier revision, "" for the file as it is.
    dossier : Dossier
    parameters : Parameters
    values : float64 array
        The parameters' values.
    functions : dict of str to function
        `bid` and `play`, compiled unless the compiler is off, and what it has of `keep`, `blind` and
        `exchange`, which are compiled for the tables that ask for them.
    has_memory : bool
        False when it promises to use no card of earlier tricks and no void shown in them.
    digest : str
        12 hexadecimal digits over its source and its helpers', and its bidder's.
    weaknesses : float64 array
        What is laid around it, see `spadesim.strategy.wrappers`; 0 for what is not.
    own_digest : str
        The same without its bidder.
    bidder : Strategy or None
        The bot that bids in its place, with its own parameters; None where it bids itself.
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
    own_digest: str = ""
    bidder: "Strategy | None" = None
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
        """The parameters `p` of `bid`, its bidder's if it has one, and those of its other functions.

        See `Parameters.rows`. Where the bot has a model, what compiled code calls it by comes last; the
        shorter of two unlike rows is filled up with 0.
        """
        own = self.parameters.rows(self.values)
        if self.model is not None:
            own = np.pad(own, ((0, 0), (0, 1)), constant_values=self.model.handle)
        if self.bidder is None:
            return own
        bids = self.bidder.rows[0]
        rows = np.zeros((2, max(own.shape[1], bids.size)))
        rows[0, : bids.size] = bids
        rows[1, : own.shape[1]] = own[1]
        return rows

    @property
    def asked(self) -> BotSpec:
        """The spec that it was asked for by, an earlier revision by its commit."""
        return replace(self.spec, revision=self.commit)

    def __str__(self) -> str:
        settings = tuple(sorted(self.parameters.changes(self.values).items()))
        bidder = self.bidder.spec.source if self.bidder else ""
        wrappers = write_wrappers(self.weaknesses)
        return str(BotSpec(self.spec.source, self.commit, "", settings, wrappers, bidder))


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


def can_sit(side: str, rules: Rules) -> bool:
    """Whether a side can sit at a table, found out without compiling its bots; an earlier revision as today.

    Raises
    ------
    UserError
        There is no such bot, or its file cannot be run.
    """
    bots = parse(side)
    if rules.teams == "individual" and bots.lower != bots.higher:
        return False
    return not any(
        lacking(functions_named(str(BotSpec(bot.source))), rules) for bot in (bots.lower, bots.higher)
    )


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


def load_from(
    exported: Export, spec: BotSpec, announce: Announce | None = None, bidder: Strategy | None = None
) -> Strategy:
    """The bot that a spec names, out of given files.

    Parameters
    ----------
    exported : Export
        Its file, its commit, and the modules that it imports from elsewhere than everybody else.
    spec : BotSpec
        Its settings, and what it is called.
    announce
        As for `load_strategy`.
    bidder : Strategy, optional
        The bot that its settings name as its bidder; the installation's unless given.

    Raises
    ------
    UserError
        Whatever is wrong with the file, its functions or the settings.
    """
    origin = exported.origin
    module = run(origin, exported.stand_ins)
    table = _table(module, origin)
    weaknesses = _weaknesses(spec)
    values, named = _values(spec, table, origin)
    functions = functions_of(module, origin.file)
    refuse_chance(origin.file)
    if announce is not None and not is_cached(origin.file):
        announce(origin.name)
    model = model_of(module, table, values, origin.file)
    if model is not None:  # which answers before the bidding in its place
        functions = {name: functions[name] for name in functions if name in model.functions}
    compile_all({name: functions[name] for name in FUNCTIONS}, origin.file)
    bidder = bidder or (_bidder(spec, named, announce) if named else None)
    digest = source_digest(origin.file)
    return Strategy(
        name=origin.name + tail_of_name(bidder, weaknesses),
        spec=spec,
        file=origin.file,
        commit=exported.commit,
        dossier=dossier(module.__doc__ or ""),
        parameters=table,
        values=values,
        functions=functions | ({"bid": bidder.bid} if bidder else {}),
        has_memory=_memory(module, origin),
        digest=joint_digest(digest, bidder.digest if bidder else None),
        weaknesses=weaknesses,
        own_digest=digest,
        bidder=bidder,
        model=model,
    )


def _bidder(spec: BotSpec, named: str, announce: Announce | None) -> Strategy:
    """The bot that another one's settings name as its bidder."""
    try:
        return _load(BotSpec(named), announce)
    except UserError as error:
        raise UserError(f"{BIDDER} of '{spec.source}': {error}") from error


def tail_of_name(bidder: Strategy | None, weaknesses: npt.NDArray[np.float64]) -> str:
    """What a bot's name says besides the name of its file."""
    return (f":{BIDDER}={bidder.name}" if bidder else "") + wrappers_text(weaknesses)


def joint_digest(own: str, bidder: str | None) -> str:
    """12 hexadecimal digits over the digests of a bot's sources and of its bidder's; its own without one."""
    return hashlib.sha256(f"{own} {bidder}".encode()).hexdigest()[:12] if bidder else own


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


def _values(spec: BotSpec, table: Parameters, origin: Origin) -> tuple[npt.NDArray[np.float64], str]:
    """The parameters' values, and the bidder that the settings name, "" for none."""
    settings: dict[str, object] = {}
    bidder = spec.bidder
    if spec.settings_file:
        file = settings_file(spec.settings_file, origin)
        settings.update(read_settings(file, origin))
        bidder = bidder or str(settings.get(BIDDER, ""))
        settings.pop(BIDDER, None)
        try:
            table.values(settings)
        except UserError as error:
            raise UserError(f"In '{place(file)}' for {origin.name}: {error}") from error
    settings.update(spec.settings)
    try:
        return table.values(settings), bidder
    except UserError as error:
        raise UserError(f"{origin.name}: {error}") from error
