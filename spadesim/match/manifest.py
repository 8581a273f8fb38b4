"""What a run is: run.json, from which it can be named, repeated, gone on with, and told from any other."""

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import spadesim
from spadesim.core._jit import engine_digest, import_closure
from spadesim.core.rng import RNG_NAME
from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.match.equity_file import equity_of
from spadesim.match.fields import FieldError, check, check_fields, shown, whole
from spadesim.match.parts import FORMAT, layout
from spadesim.match.spec import DuelSpec
from spadesim.match.stop import Stop
from spadesim.strategy import Side, Strategy
from spadesim.strategy.parameters import BIDDER

FILE = "run.json"
MAX_BYTES = 100_000_000
RECORDS = ("rows", "cards")
PART_GAMES = 4000  # games to a part, in whole pairs or sets
PART_ROOMS = 40_000  # boards to a part, each room counted
ID_DIGITS = 16
MAX_TOLD = 5  # options that have changed

# What tells a run from another. Not in it are `units`, for a run may grow, and what has no part in the parts.
IDENTITY = (
    "format", "layout", "engine", "rng", "kind", "seed", "first", "hand_cap", "scores", "bags", "equity",
    "record", "part_units", "stopping",
)  # fmt: skip


@dataclass(frozen=True)
class Manifest:
    """The content of run.json, checked.

    Parameters
    ----------
    values : dict
        As documented in docs/reference/run-folder.md.
    spec : DuelSpec
        The duel that it describes.
    """

    values: dict[str, Any]
    spec: DuelSpec

    @property
    def id(self) -> str:
        """16 hexadecimal digits that every part of the run carries."""
        return str(self.values["run"])

    @property
    def part_units(self) -> int:
        """Pairs, sets or boards to a part."""
        return int(self.values["part_units"])

    @property
    def has_plays(self) -> bool:
        """Whether the cards are recorded in the order played."""
        return bool(self.values["record"] == "cards")

    @property
    def lengths(self) -> list[int]:
        """The lengths that it was to have before it was made longer."""
        return [int(units) for units in self.values.get("lengths", [])]

    @property
    def is_lengthened(self) -> bool:
        """Whether it was to be shorter at first, so that its length was not chosen beforehand."""
        return bool(self.lengths)

    @property
    def is_decided(self) -> bool:
        """Whether it is said that a rule has ended the run early."""
        return bool((self.values["result"] or {}).get("decided"))

    @property
    def end(self) -> int:
        """How many units the whole run has."""
        return int(self.values["result"]["units"]) if self.is_decided else self.spec.units

    @property
    def is_over(self) -> bool:
        """Whether it is said that nothing is left to play."""
        return bool(self.values["result"] and self.values["result"]["units"] == self.end)

    @property
    def n_parts(self) -> int:
        """How many parts the whole run has."""
        return -(-self.end // self.part_units)

    def units_of(self, number: int) -> tuple[int, int]:
        """The first unit of a part, and how many it has in the whole run."""
        done = number * self.part_units
        return self.spec.first + done, min(self.part_units, self.end - done)

    def undecided(self) -> "Manifest":
        """The same run as if no rule had ended it."""
        return self.changed(result={**self.values["result"], "decided": False}) if self.is_decided else self

    def changed(self, **values: Any) -> "Manifest":
        """The same run with other values beside its identity."""
        return read_values({**self.values, **values})

    def text(self) -> str:
        """The content of run.json."""
        return json.dumps(self.values, indent=2) + "\n"


def make_manifest(
    spec: DuelSpec,
    sides: tuple[Side, Side],
    record: str = "rows",
    part_units: int | None = None,
    stopping: Mapping[str, Any] | None = None,
) -> Manifest:
    """What run.json says of a run that is to begin.

    Parameters
    ----------
    spec : DuelSpec
    sides : tuple of 2 Side
    record : str
        ``rows``, or ``cards`` for every card in the order played as well.
    part_units : int, optional
        Pairs, sets or boards to a part; by default as many as take a fraction of a second.
    stopping : mapping, optional
        How the run is ended early, in the words of whoever ends it; by the rule of `spec` when left out.

    Raises
    ------
    UserError
        `record` is neither, or a part would hold nothing.
    """
    if record not in RECORDS:
        raise UserError(f"record must be rows or cards, not '{record}'.")
    if part_units is not None and part_units < 1:
        raise UserError(f"part must be at least 1, not {part_units}.")
    if stopping is None and spec.stop is not None:
        stopping = spec.stop.to_dict()
    usual = (PART_GAMES if spec.boards is None else PART_ROOMS) // spec.n_rooms
    named = dataclasses.replace(spec, a=str(sides[0]), b=str(sides[1]))
    values = {
        "format": FORMAT,
        "version": spadesim.__version__,
        "layout": layout(),
        "engine": engine_digest(),
        "rng": RNG_NAME,
        "command": named.command(),
        "kind": "games" if spec.boards is None else "boards",
        "units": spec.units,
        "lengths": [],
        "first": spec.first,
        "seed": spec.seed,
        "scores": spec.scores and list(spec.scores),
        "bags": spec.bags and list(spec.bags),
        "hand_cap": spec.hand_cap,
        "rules": {"text": str(spec.rules), "options": options_of(spec.rules)},
        "a": _describe_side(spec.a, sides[0]),
        "b": _describe_side(spec.b, sides[1]),
        "equity": equity_digest(spec),
        "record": record,
        "part_units": part_units or usual,
        "stopping": None if stopping is None else dict(stopping),
        "result": None,
    }
    return read_values({"run": identity(values), **values})


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run's folder.

    Raises
    ------
    UserError
        The folder holds no run, a damaged one, or one of a newer version.
    """
    file = folder / FILE
    if not folder.is_dir():
        raise UserError(f"There is no folder '{folder}'.")
    if not file.is_file():
        raise UserError(f"'{folder}' is not a run: it has no {FILE}.")
    try:
        with file.open("rb") as stream:
            values = _parsed(stream.read(MAX_BYTES))
        _check_format(folder, values)
        check_fields(values)
        manifest = read_values(values)
    except (FieldError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"'{file}' is damaged: {error}.") from error
    except OSError as error:
        raise UserError(f"'{file}' cannot be read: {error.strerror}.") from error
    if manifest.id != identity(values):
        raise UserError(f"'{file}' has been changed: it is no longer the run that it was.")
    return manifest


def _parsed(data: bytes) -> Any:
    """The values in a JSON text."""
    try:
        return json.loads(data, parse_constant=_refuse_constant)
    except (json.JSONDecodeError, UnicodeDecodeError, FieldError):
        raise
    except RecursionError as error:
        raise FieldError("it is nested too deeply") from error
    except ValueError as error:
        # Python's own words for a number that is too long are advice for programmers.
        raise FieldError("it holds a number of thousands of digits") from error


def _refuse_constant(word: str) -> None:
    raise FieldError(f"{word} is no number")


def _check_format(folder: Path, values: Any) -> None:
    """Refuse a run of a newer version, whose other fields may be anything."""
    check(values, {"format": whole(1, 2**31)})
    if values["format"] > FORMAT:
        raise UserError(
            f"'{folder}' was made by a newer spadesim ({values.get('version')}; this is "
            f"{spadesim.__version__}), whose runs this one cannot read."
        )


def read_values(values: dict[str, Any]) -> Manifest:
    """A manifest from the values of run.json.

    Raises
    ------
    UserError
        The rules are not what they were.
    FieldError, KeyError, TypeError, ValueError
        Something is missing, of another type, or cannot be played.
    """
    try:
        rules = Rules.parse(values["rules"]["text"])
    except UserError as error:
        raise FieldError(f"its rules are none: {str(error).rstrip('.')}") from error
    _check_rules(values, rules)
    try:
        return Manifest(values, _spec_of(values, rules))
    except UserError as error:
        raise FieldError(f"it asks for what cannot be played: {str(error).rstrip('.')}") from error


def _check_rules(values: dict[str, Any], rules: Rules) -> None:
    """Refuse rules that have other options than they had."""
    now, then = options_of(rules), values["rules"]["options"]
    differing = [name for name in sorted({*now, *then}) if now.get(name) != then.get(name)]
    if differing:
        parts = [f"{name} was {shown(then.get(name))}, is {shown(now.get(name))}" for name in differing]
        more = f", and {len(parts) - MAX_TOLD} more" if len(parts) > MAX_TOLD else ""
        told = ", ".join(parts[:MAX_TOLD])
        raise UserError(f"The rules '{rules}' have changed since the run began: {told}{more}.")


def _spec_of(values: dict[str, Any], rules: Rules) -> DuelSpec:
    """The duel that run.json describes."""
    units = values["units"]
    return DuelSpec(
        a=values["a"]["asked"],
        b=values["b"]["asked"],
        boards=units if values["kind"] == "boards" else None,
        games=None if values["kind"] == "boards" else units * _n_rooms(rules),
        rules=rules,
        seed=values["seed"],
        first=values["first"],
        scores=values["scores"] and tuple(values["scores"]),
        bags=values["bags"] and tuple(values["bags"]),
        hand_cap=values["hand_cap"],
        stop=Stop.from_dict(values["stopping"]),
    )


def check_layout(folder: Path, manifest: Manifest) -> None:
    """Refuse a run whose parts count otherwise than this version.

    Raises
    ------
    UserError
        They do.
    """
    if manifest.values["layout"] != layout():
        raise UserError(
            f"'{folder}' was recorded by spadesim {manifest.values['version']}, which counts otherwise "
            f"than this {spadesim.__version__}: its rows can be read, its totals cannot."
        )


def identity(values: Mapping[str, Any]) -> str:
    """16 hexadecimal digits over all that decides what is in the parts of a run."""
    told = {name: values[name] for name in IDENTITY} | {"rules": values["rules"]["options"]}
    told |= {
        side: [[bot["settings"], bot["digest"], bot["has_memory"]] for bot in values[side]["bots"]]
        for side in "ab"
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:ID_DIGITS]


def equity_digest(spec: DuelSpec) -> str | None:
    """The digest of the table of win chances that a duel's boards start from and are judged by."""
    equity = equity_of(spec)
    return None if equity is None else equity.digest


def options_of(rules: Rules) -> dict[str, Any]:
    """Every option of rules with its value."""
    return dataclasses.asdict(rules)


def sources_of(file: Path) -> Iterator[tuple[str, str]]:
    """The files that the digest of a strategy without a bidder is taken over, in its order: paths and texts.

    Paths are relative to the strategy's folder; of files elsewhere the name alone.
    """
    for source in import_closure(file):
        inside = source.is_relative_to(file.parent)
        name = source.relative_to(file.parent).as_posix() if inside else source.name
        yield name, source.read_bytes().decode("utf-8", "surrogateescape")


def settings_of(bot: Strategy) -> list[list[str]]:
    """The parameters of a bot that are not at their defaults, and their values as text."""
    return sorted([name, str(value)] for name, value in bot.parameters.changes(bot.values).items())


def _describe_side(asked: str, side: Side) -> dict[str, Any]:
    bots = [describe_bot(bot) for bot in (side.lower, side.higher)]
    return {"asked": asked, "spec": str(side), "name": side.name, "bots": bots}


def describe_bot(bot: Strategy) -> dict[str, Any]:
    """What run.json says of a bot, its sources included, and of its bidder."""
    return {
        "name": bot.name,
        "spec": str(bot),
        "settings": settings_of(bot),
        "commit": bot.commit,
        "has_memory": bot.has_memory,
        "digest": bot.digest,
        "sources": [list(pair) for pair in sources_of(bot.file)],
        **({BIDDER: describe_bot(bot.bidder)} if bot.bidder else {}),
    }


def _n_rooms(rules: Rules) -> int:
    return int(rules.record()["n_rooms"])
