"""Games that are played after boards, for a second opinion."""

import dataclasses

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
    return dataclasses.replace(
        spec, boards=None, games=games, scores=None, bags=None, first=behind, stop=None
    )


def confirmed(result: DuelResult, games: DuelResult) -> DuelResult:
    """The result of boards with that of the games played after them, and both verdicts."""
    return dataclasses.replace(
        result,
        verdict=f"{result.verdict} In games: {games.verdict}",
        command=f"{result.command} --confirm {games.requested}",
        confirmation=games,
    )
