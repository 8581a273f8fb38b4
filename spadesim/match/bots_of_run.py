"""The bots of a recorded run: as they were when it began, and as they are now if they are still the same.

Nothing that lies in a run's folder is executed: a run goes on with the bots of the installation, whose
sources must have the digests that run.json tells, and that is looked at before any of them is loaded. Only
who asks for it plays the copies of the sources that the folder keeps.
"""

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from spadesim.core._jit import source_digest
from spadesim.errors import UserError
from spadesim.match.manifest import Manifest, settings_of, sources_of
from spadesim.strategy import Side, Strategy
from spadesim.strategy.dossier import Dossier
from spadesim.strategy.find import BUNDLED, Origin, find, find_unborn, folders_of_bundled
from spadesim.strategy.load import Announce, joint_digest, load_from, load_strategy, tail_of_name
from spadesim.strategy.parameters import BIDDER, Parameters
from spadesim.strategy.revision import Export, export, store_texts
from spadesim.strategy.spec import BotSpec, parse_bot
from spadesim.strategy.wrappers import read_wrappers

Sides = tuple[Side, Side]


class AbsentBot(Strategy):
    """A bot of a run that was recorded, by what run.json says of it; it has no functions to play with."""

    def __str__(self) -> str:
        return str(self.spec)


def absent_sides(manifest: Manifest) -> Sides:
    """The sides of a run as it tells of them, to name them in its result; none of their code is read."""
    a, b = (_each(manifest.values[side]["bots"], _absent) for side in "ab")
    return a, b


def present_sides(manifest: Manifest, folder: Path, announce: Announce | None = None) -> Sides:
    """The sides of a run as the installation has them.

    Raises
    ------
    UserError
        One of their bots is not there any more, has changed, or lies in the run's own folder.
    """

    def load(bot: dict[str, Any]) -> Strategy:
        check_unchanged(bot, folder)
        return check_settings(load_strategy(bot["spec"], announce), bot)

    a, b = (_each(manifest.values[side]["bots"], load) for side in "ab")
    return a, b


def trusted_sides(manifest: Manifest, announce: Announce | None = None) -> Sides:
    """The sides of a run out of the sources that its folder keeps, which are executed.

    Raises
    ------
    UserError
        The sources are not those that the run was played with.
    """

    def load(bot: dict[str, Any]) -> Strategy:
        return check_settings(from_copy(bot, announce), bot)

    a, b = (_each(manifest.values[side]["bots"], load) for side in "ab")
    return a, b


def check_unchanged(bot: dict[str, Any], folder: Path) -> None:
    """Refuse to go on with a bot that is not what it was; none of its code is executed.

    Parameters
    ----------
    bot : dict
        As run.json describes it.
    folder : Path
        Of the run.

    Raises
    ------
    UserError
        What has changed.
    """
    if BIDDER in bot:
        check_unchanged(bot[BIDDER], folder)
    file = _still_there(parse_bot(bot["spec"])).file
    if file.is_relative_to(folder.resolve()):
        raise UserError(
            f"'{bot['spec']}' lies in the run's own folder, of which nothing is executed; --trust-source "
            "plays the copies that the run keeps."
        )
    if digest_beside(source_digest(file), bot) != bot["digest"]:
        raise UserError(
            f"{bot['name']} has changed since the run began ({_what_changed(bot, file)}): put it back as it "
            "was, begin another run, or let --trust-source play the copy that the run keeps."
        )


def check_settings(bot: Strategy, told: dict[str, Any]) -> Strategy:
    """The same bot, unless it has other settings than run.json tells beside its spec.

    Raises
    ------
    UserError
        It has.
    """
    if settings_of(bot) != told["settings"] or bot.has_memory != told["has_memory"]:
        raise UserError(f"run.json has been changed: '{told['spec']}' has not the settings that it tells.")
    return bot


def _each(bots: list[dict[str, Any]], load: Callable[[dict[str, Any]], Strategy]) -> Side:
    """A side of two bots, the same object twice where they are the same."""
    lower, higher = bots
    first = load(lower)
    return Side(first, first if lower["spec"] == higher["spec"] else load(higher))


def _absent(bot: dict[str, Any]) -> Strategy:
    return absent_bot(bot["name"], bot["spec"], bot["commit"], bot["has_memory"], bot["digest"])


def absent_bot(
    name: str, spec: str, commit: str = "", has_memory: bool = False, digest: str = ""
) -> AbsentBot:
    """A bot that is only told of, by its name and the text that loads it."""
    return AbsentBot(
        name=name,
        spec=parse_bot(spec),
        file=Path(),
        commit=commit,
        dossier=Dossier("", {}),
        parameters=Parameters(),
        values=np.zeros(0),
        functions={},
        has_memory=has_memory,
        digest=digest,
    )


def _still_there(spec: BotSpec) -> Origin:
    """Where a bot is, looked up from this folder as it was from that in which the run was begun."""
    try:
        return export(find_unborn(spec), spec.revision).origin if spec.revision else find(spec)
    except UserError as error:
        where = "resume in the folder in which the run was begun, or " if spec.is_path else ""
        raise UserError(
            f"{error} The run was played with it: {where}--trust-source plays the copy that the run keeps."
        ) from error


def _what_changed(bot: dict[str, Any], file: Path) -> str:
    """The names of the sources that differ."""
    then, now = dict(bot["sources"]), dict(sources_of(file))
    names = [name for name in sorted({*then, *now}) if then.get(name) != now.get(name)]
    return ", ".join(names) if names else "the order of its files"


def from_copy(
    bot: dict[str, Any], announce: Announce | None = None, bidder: Strategy | None = None
) -> Strategy:
    """A bot out of the sources that its description brings along, which are executed.

    Parameters
    ----------
    bot : dict
        As run.json describes it.
    announce
        As for `load_strategy`.
    bidder : Strategy, optional
        What bids in its place; out of the description unless given.

    Raises
    ------
    UserError
        They have another digest than it tells, would be written elsewhere, or do not load.
    """
    texts = {PurePosixPath(name): text.encode("utf-8", "surrogateescape") for name, text in bot["sources"]}
    own = digest_of(texts)
    if digest_beside(own, bot) != bot["digest"]:
        raise UserError(f"The copy of {bot['name']} is not what the run was played with.")
    main = next(iter(texts))
    safe = [path for path in texts if not path.is_absolute() and ".." not in path.parts]
    if len(safe) < len(texts):
        raise UserError(f"The copy of {bot['name']} names files outside its folder.")
    folder = store_texts(texts, main)
    stand_ins = dict(_stand_ins(folder, texts))
    spec = parse_bot(bot["spec"])
    if BIDDER in bot and bidder is None:
        bidder = from_copy(bot[BIDDER], announce)
    name = bot["name"].removesuffix(tail_of_name(bidder, read_wrappers(spec.wrappers)))
    exported = Export(Origin(name, folder / main), bot["commit"], stand_ins)
    loaded = load_from(exported, spec, announce, bidder)
    return dataclasses.replace(loaded, digest=bot["digest"], own_digest=own)


def digest_beside(own: str, bot: dict[str, Any]) -> str:
    """What the digest of a bot of run.json must be if its own sources have the digest `own`."""
    return joint_digest(own, bot[BIDDER]["digest"] if BIDDER in bot else None)


def digest_of(texts: dict[PurePosixPath, bytes]) -> str:
    """The digest of a strategy with these sources, as `source_digest` takes it."""
    digest = hashlib.sha256()
    for path, text in texts.items():
        digest.update(path.name.encode() + b"\0" + text)
    return digest.hexdigest()[:12]


def _stand_ins(folder: Path, texts: dict[PurePosixPath, bytes]) -> Iterator[tuple[str, Path]]:
    """The bundled modules that a copy brings along, to be imported instead of today's."""
    bundled = {file.name for place in folders_of_bundled() for file in place.glob("*.py")}
    for path in list(texts)[1:]:
        if path.name == str(path) and path.name in bundled:
            yield f"{BUNDLED}.{path.stem}", folder / path
