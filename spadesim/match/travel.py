"""What plays a chunk elsewhere: a duel's bots with their sources, unpacked and looked over by a worker.

A bundled bot travels by its name and digest, for a worker has the same package; any other with the sources
of all that it imports which is not installed. A worker plays only if it has the same versions, the same
engine, and comes to the same bits on a few boards of the very duel.
"""

import hashlib
import os
import pickle
import platform
import signal
import sys
import threading
import zlib
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

import spadesim
from spadesim.core._jit import engine_digest, import_closure, source_digest
from spadesim.core.batch import Lineup, run_chunk
from spadesim.core.play import NO_FAULT
from spadesim.errors import UserError
from spadesim.match.abreast import play_abreast
from spadesim.match.bots_of_run import check_settings, digest_beside, from_copy
from spadesim.match.equity_file import table_of
from spadesim.match.manifest import describe_bot, equity_digest
from spadesim.match.parts import Header
from spadesim.match.recording import Made, Player
from spadesim.match.run import Chunk, Pieces, Played, play_pieces, prepare_engine
from spadesim.match.spec import DuelSpec
from spadesim.strategy import Side, Strategy, lineup
from spadesim.strategy.find import find, folders_of_bundled
from spadesim.strategy.load import load_from
from spadesim.strategy.parameters import BIDDER
from spadesim.strategy.revision import Export
from spadesim.strategy.spec import parse_bot

Sides = tuple[Side, Side]

N_PROBE = 4  # units that are played on both sides, to compare bits
MOST_KEPT = 256  # duels that a worker keeps ready


class Build(NamedTuple):
    """What must be the same wherever a run is played."""

    spadesim: str
    engine: str
    numba: str
    numpy: str


@cache
def build() -> Build:
    """What this process has of it."""
    return Build(spadesim.__version__, engine_digest(), numba.__version__, np.__version__)


def refusal(worker: str, theirs: Build, ours: Build) -> str:
    """Why a worker may not play, "" when it may.

    >>> refusal("tcp://b:1", Build("0.1", "e1", "0.68", "2.4"), Build("0.1", "e1", "0.68", "2.3"))
    'The worker tcp://b:1 is refused: it has numpy 2.4, and this process has 2.3; they must be the same.'
    """
    names = {"engine": "the engine"}
    differing = [
        f"it has {names.get(name, name)} {own}, and this process has {wanted}"
        for name, own, wanted in zip(Build._fields, theirs, ours, strict=True)
        if own != wanted
    ]
    told = "; ".join(differing)
    return f"The worker {worker} is refused: {told}; they must be the same." if differing else ""


@dataclass(frozen=True)
class Errand:
    """A duel as it travels, whatever units are to be played.

    Parameters
    ----------
    spec : DuelSpec
        One unit of it, number 0.
    bots : tuple of 4 dict
        As run.json describes them: A's at its lower and its higher seat, then B's.
    equity : str or None
        The digest of its table of win chances.
    bits : str
        See `bits_of`.
    """

    spec: DuelSpec
    bots: tuple[dict[str, Any], ...]
    equity: str | None
    bits: str


def pack(spec: DuelSpec, sides: Sides, bots: Lineup) -> bytes:
    """A duel as it travels.

    Raises
    ------
    UserError
        One of its bots cannot travel.
    """
    one = replace(
        spec,
        games=None if spec.boards else spec.n_rooms,
        boards=1 if spec.boards else None,
        first=0,
        stop=None,
    )
    described: dict[int, dict[str, Any]] = {}
    four = [bot for side in sides for bot in (side.lower, side.higher)]
    for bot in four:
        if id(bot) not in described:
            described[id(bot)] = _travelling(bot)
    told = tuple(described[id(bot)] for bot in four)
    return zlib.compress(pickle.dumps(Errand(one, told, equity_digest(one), bits_of(one, bots))))


def _travelling(bot: Strategy) -> dict[str, Any]:
    """A bot as run.json describes it, without sources that every worker has.

    Raises
    ------
    UserError
        It imports what lies neither beside it nor in the package, and is not installed; or its files have
        changed since it was loaded.
    """
    bidder = {BIDDER: _travelling(bot.bidder)} if bot.bidder else {}
    if source_digest(bot.file) != bot.own_digest and not bot.commit:
        raise UserError(f"{bot.name} has changed since it was loaded, and cannot travel: begin again.")
    if is_bundled(bot.file):
        return describe_bot(bot) | {"sources": []} | bidder
    for file in import_closure(bot.file):
        if not file.is_relative_to(bot.file.parent) and not is_bundled(file):
            raise UserError(
                f"{bot.name} cannot travel to other machines: it imports '{file}', which does not lie "
                "beside it. Put it there, or install it on every worker."
            )
    return describe_bot(bot) | bidder


def is_bundled(file: Path) -> bool:
    """Whether a file is one of the package's strategies."""
    return file.parent in folders_of_bundled()


def bits_of(spec: DuelSpec, bots: Lineup) -> str:
    """16 hexadecimal digits over what is counted on the first units; "" where a bot breaks the contract."""
    try:
        tally, fault = run_chunk(bots, spec.rules, spec.task(0, N_PROBE), equity=table_of(spec))
    except Exception:  # whatever a user's bot raises
        return ""
    return hashlib.sha256(tally.tobytes()).hexdigest()[:16] if fault["code"] == NO_FAULT else ""


def play_there(asked: Build, errand: bytes, chunk: Chunk, batch: int, done: int, is_watched: bool) -> Pieces:
    """What came out of a chunk, on a worker; parameters as for `spadesim.match.run.play_pieces`.

    Parameters
    ----------
    asked : Build
        Of the process that wants it.
    errand : bytes
        The duel, see `pack`.
    chunk, batch, done, is_watched

    Raises
    ------
    UserError
        This worker cannot play, or would play otherwise.
    """
    there = ready(asked, errand)
    return play_pieces(there.spec, there.bots, chunk, batch, done, is_watched)


def play_abreast_there(asked: Build, errands: tuple[bytes, ...], chunk: Chunk) -> list[Played]:
    """What came out of a chunk in several duels side by side, on a worker; errors as `play_there`."""
    there = [ready(asked, errand) for errand in errands]
    return play_abreast([(one.spec, one.bots) for one in there], chunk)


def make_there(asked: Build, errand: bytes, header: Header, has_plays: bool) -> Made:
    """A part of a run that is kept, on a worker; errors as `play_there`."""
    return ready(asked, errand).player(has_plays).play(header)


class Ready:
    """A duel that a worker has unpacked."""

    def __init__(self, spec: DuelSpec, sides: Sides, bots: Lineup) -> None:
        self.spec, self.sides, self.bots = spec, sides, bots
        self._players: dict[bool, Player] = {}

    def player(self, has_plays: bool) -> Player:
        """Who plays its parts; it keeps its books from one to the next."""
        return self._players.setdefault(has_plays, Player(self.spec, self.bots, has_plays))


lock = threading.RLock()


def ready(asked: Build, errand: bytes) -> Ready:
    """The duel in an errand, which is unpacked once.

    Raises
    ------
    UserError
        See `play_there`.
    """
    if fault := refusal(here(), build(), asked):
        raise UserError(fault)
    with lock:
        return _unpacked(errand)


@lru_cache(MOST_KEPT)
def _unpacked(errand: bytes) -> Ready:
    packed: Errand = pickle.loads(zlib.decompress(errand))
    prepare_engine()
    try:
        known: dict[str, Strategy] = {}
        for bot in packed.bots:
            known[bot["spec"]] = known.get(bot["spec"]) or _arrived(bot)
        four = [known[bot["spec"]] for bot in packed.bots]
    except UserError as error:
        raise UserError(f"The worker {here()} cannot play: {error}") from error
    sides = Side(four[0], four[1]), Side(four[2], four[3])
    bots = lineup(*sides, packed.spec.rules)
    equity = equity_digest(packed.spec)
    if equity != packed.equity:
        raise UserError(
            f"The worker {here()} is refused: its table of win chances is another one ({equity}, not "
            f"{packed.equity})."
        )
    if (bits := bits_of(packed.spec, bots)) != packed.bits:
        raise UserError(
            f"The worker {here()} is refused: the same {N_PROBE} units come to other bits there ({bits}, not "
            f"{packed.bits}), so its processor or compiler counts otherwise."
        )
    return Ready(packed.spec, sides, bots)


def _arrived(bot: dict[str, Any]) -> Strategy:
    """The bot that was described: of this installation where it has the same, else out of its sources."""
    bidder = _arrived(bot[BIDDER]) if BIDDER in bot else None
    spec = parse_bot(bot["spec"])
    if not bot["sources"] or not (spec.is_path or spec.revision):
        try:
            origin = find(spec)
            has_same = digest_beside(source_digest(origin.file), bot) == bot["digest"]
        except UserError:
            has_same = False
        if has_same:
            return check_settings(load_from(Export(origin, "", {}), spec, bidder=bidder), bot)
        if not bot["sources"]:
            raise UserError(f"its {bot['name']} is another one; all must have the same spadesim.")
    return check_settings(from_copy(bot, bidder=bidder), bot)


def dask_setup(worker: object) -> None:
    """Have a worker that was started by this package leave Ctrl-C to the process that started it.

    What bots print goes to standard error, as in that process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr


def here() -> str:
    """What this worker is called in messages."""
    if "distributed" in sys.modules:
        from distributed import get_worker

        try:
            return f"{get_worker().address} ({platform.node()})"
        except ValueError:
            pass
    return f"process {os.getpid()} on {platform.node()}"
