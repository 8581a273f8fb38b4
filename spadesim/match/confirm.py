"""Games that are played after boards, for a second opinion."""

import dataclasses
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spadesim.errors import UserError
from spadesim.match.result import DuelResult
from spadesim.match.spec import DuelSpec


def games_after(spec: DuelSpec, games: int) -> DuelSpec:
    """The games that confirm what boards have found, on deals that no board has.

    A unit's number is what its cards come from, so the games begin behind the last board that may be played:
    the deals by which a change was chosen are no second opinion on it.

    Raises
    ------
    UserError
        The duel is one of games already.
    """
    if spec.boards is None:
        raise UserError("confirm plays games after boards; this duel is one of games. Leave it out.")
    behind = spec.first + spec.units
    with about_confirm():
        return dataclasses.replace(
            spec, boards=None, games=games, scores=None, bags=None, first=behind, stop=None
        )


@contextmanager
def about_confirm() -> Iterator[None]:
    """Say of what is wrong with the number of games in the block that it is those that confirm."""
    try:
        yield
    except UserError as error:
        raise UserError(f"confirm: {error}") from None


def how_to_keep(games: DuelSpec, folder: Path) -> str:
    """How the games that confirm a run of boards can be kept: as a run of their own."""
    command = f"{games.command()} {shlex.join(['--out', f'{folder}_games'])}"
    return f"--out keeps the boards alone; to keep the games that confirm them: {command}"


def confirmed(result: DuelResult, games: DuelResult) -> DuelResult:
    """The result of boards with that of the games played after them, and both verdicts."""
    return dataclasses.replace(
        result,
        verdict=f"{result.verdict} In games: {games.verdict}",
        command=f"{result.command} --confirm {games.requested}",
        confirmation=games,
    )
