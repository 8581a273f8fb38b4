"""What finds elsewhere where bots part, and what it is worth: see `spadesim.match.travel`."""

from collections.abc import Sequence

from spadesim.core.fork import Tried, compile_forks
from spadesim.core.parting import compile_partings
from spadesim.match.diff_boards import Piece, play_piece
from spadesim.match.diff_where import chooser
from spadesim.match.diff_worth import try_parting
from spadesim.match.replay import replays
from spadesim.match.run import Chunk
from spadesim.match.travel import Build, lock, ready


def find_there(asked: Build, errand: bytes, part: Chunk, where: str | None, bots: Sequence[str]) -> Piece:
    """What came out of a chunk of boards, on a worker.

    Parameters
    ----------
    asked : Build
        Of the process that wants it.
    errand : bytes
        The duel, see `spadesim.match.travel.pack`.
    part, where, bots
        As for `spadesim.match.diff_boards.play_piece` and `spadesim.match.diff_where.chooser`.

    Raises
    ------
    UserError
        This worker cannot play, or would play otherwise.
    """
    there = ready(asked, errand)
    with lock:
        compile_partings()
    choose = None if where is None else chooser(where, there.spec, bots)
    return play_piece(there.spec, there.bots, part, choose)


def try_there(asked: Build, errand: bytes, unit: int, redeals: int) -> Tried:
    """The re-deals of a board, on a worker; errors as `find_there` and `spadesim.match.diff_worth.worths`."""
    there = ready(asked, errand)
    with lock:
        compile_forks()
        (played,) = replays(there.spec, there.sides, [unit])
    return try_parting(played, there.bots, redeals)
