"""How much a tuning may play: a time or a number of boards, and what it is spent on."""

import re
from dataclasses import dataclass

from spadesim.errors import UserError

SECONDS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
THOUSANDS = {"": 1, "k": 1000, "M": 1_000_000, "G": 1_000_000_000}
LEAST = 10_000  # boards, below which nothing could be claimed at the end
MOST = 10**11  # boards, behind which games that confirm still have deals of their own
MOST_SECONDS = 10**8
SEARCHED, SELECTED = 0.6, 0.1  # of all boards; the rest validates
TRIALS_EACH = 30  # of the usual length for each parameter that is tuned
FEWEST_TRIALS, USUAL_COST = 60, 0.4  # of a trial, as bad candidates end early
BLOCKS = 20  # of a trial, after which its candidate may be given up
SHORTEST, LONGEST = 20, 10_000  # boards in a block


@dataclass(frozen=True)
class Budget:
    """What a tuning may play; one of both.

    Parameters
    ----------
    boards : int or None
    seconds : float or None
        As many boards as are played in so long, as a short trial tells.
    """

    boards: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        return f"{self.boards}-boards" if self.boards is not None else f"{self.seconds:g}s"


def read_budget(text: str | Budget) -> Budget:
    """A budget out of its text.

    >>> read_budget("2m"), read_budget("5M-boards")
    (Budget(boards=None, seconds=120.0), Budget(boards=5000000, seconds=None))

    Raises
    ------
    UserError
        It is none, or no claim could come of it.
    """
    if isinstance(text, Budget):
        return text
    plain = text.strip().replace(",", "").replace("_", "")
    if found := re.fullmatch(r"(\d+(?:\.\d+)?)([kMG]?)-boards", plain):
        boards = round(float(found[1]) * THOUSANDS[found[2]])
        if boards < LEAST:
            raise UserError(
                f"{boards:,} boards are too few for any claim: {LEAST:,} are the least, millions are usual."
            )
        if boards > MOST:
            raise UserError(f"'{text}' is more than anybody waits for: {MOST // 10**9}G-boards are the most.")
        return Budget(boards=boards)
    if found := re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|min|h)", plain):
        seconds = float(found[1]) * SECONDS[found[2]]
        if seconds <= 0:
            raise UserError("A budget of no time is too small for any claim.")
        if seconds > MOST_SECONDS:
            raise UserError(f"'{text}' is more than anybody waits for: three years are the most.")
        return Budget(seconds=seconds)
    raise UserError(
        f"'{text}' is no budget: a time, such as 90s, 2m or 1h, or boards, such as 200k-boards or 5M-boards."
    )


@dataclass(frozen=True)
class Shares:
    """What the boards of a budget are spent on, as numbers of boards that a candidate plays.

    Parameters
    ----------
    search : int
        To be played by all trials together.
    block : int
        Boards in a block; a trial has `BLOCKS` of them, the same for all trials.
    selection : int
        Boards that choose among the best of the search.
    validation : int
        Boards on which the chosen settings are measured, and on which nothing was before.
    """

    search: int
    block: int
    selection: int
    validation: int

    @property
    def trial(self) -> int:
        """Boards of a whole trial."""
        return self.block * BLOCKS


def shares(boards: int, dimensions: int, matches: int) -> Shares:
    """What the boards of a budget are spent on.

    Parameters
    ----------
    boards : int
        Of the whole budget.
    dimensions : int
        Parameters that are tuned.
    matches : int, 1 or 2
        Matches that tell a candidate from the strategy as it is given: 2 where both meet somebody else.

    Examples
    --------
    >>> shares(1_000_000, 2, 1)
    Shares(search=600000, block=1250, selection=100000, validation=300000)
    """
    search, selection = int(boards * SEARCHED), int(boards * SELECTED)
    trials = max(FEWEST_TRIALS, TRIALS_EACH * dimensions)
    block = int(search / (trials * USUAL_COST * BLOCKS))
    return Shares(
        search,
        max(SHORTEST, min(block, LONGEST)),
        selection // matches,
        (boards - search - selection) // matches,
    )
