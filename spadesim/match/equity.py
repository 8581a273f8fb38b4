"""The table of win chances for a set of rules: made from a reference bot's games, stored, and found again.

Tables for the presets with two sides come with the package. For other rules one is made when it is first
needed, always from the same deals, so that it is the same everywhere, and kept in the cache folder.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

import spadesim
from spadesim.core.equity import EQUITY_ONE, START_STATE, TABLE_ONE, EquityTable, chance, price_starts
from spadesim.core.hands import play_games, play_hands
from spadesim.core.position import POSITION, first_side, new_position
from spadesim.core.rules import Rules
from spadesim.core.scoring import game_over
from spadesim.cores import usable_cores
from spadesim.errors import UserError
from spadesim.match.executors import in_order
from spadesim.match.spec import MAX_SEED, check_range
from spadesim.stats.equity import Lattice, grid_record, n_counted_hands, solve
from spadesim.stats.yields import ENOUGH, seldom_seen
from spadesim.strategy import lineup, load_side
from spadesim.strategy.load import check_side

REFERENCE = "hard"
HANDS = 400_000
SELDOM = (200, 300)  # hands from each pair of standings, near the end and anywhere, to so many
SEED = 1
MIN_HANDS = 2000
N_STARTS = 4096
CHUNK = 500  # games
FEW = 50  # games that tell how long they are
STATES = 4000  # that a hand each is played from, at a time
LONGEST = 60  # hands a game; longer games are not iterated over

Notice = Callable[[str], None]
Progress = Callable[[int, int], None]


class NoTableError(UserError):
    """There can be no table for these rules: games are too long, or the reference bot cannot play them."""


@dataclass(frozen=True, eq=False)
class Equity:
    """The chance to win from every state of a game of two sides.

    Parameters
    ----------
    rules : Rules
    reference, reference_digest : str
        The bot whose hands it was made from, and the digest of its source.
    hands, games, seed : int
        How many of its hands, in how many games, on which deals.
    more_hands : int
        How many besides, from states that its games seldom went through.
    version : str
        Of the package that made it.
    sweeps : int
        Rounds of the iteration.
    lattice : Lattice
        The grid of one side's states.
    chances : int16 array of shape (hands played, bags, scores, bags, scores)
        Of the side that bids first, its own state first, in units of 1 / TABLE_ONE.
    level : int16 array of shape (bags, bags)
        The same for level scores at the game's end.
    starts : array of START_STATE records
        A systematic sample of the states that its games went through.
    """

    rules: Rules
    reference: str
    reference_digest: str
    hands: int
    games: int
    more_hands: int
    seed: int
    version: str
    sweeps: int
    lattice: Lattice
    chances: npt.NDArray[np.int16]
    level: npt.NDArray[np.int16]
    starts: npt.NDArray[np.void]

    @cached_property
    def table(self) -> EquityTable:
        """The table as the engine takes it."""
        grid = grid_record(self.rules, self.lattice, n_starts=len(self.starts))
        flat = np.concatenate([self.chances.reshape(-1), self.level.reshape(-1)])
        starts = self.starts.copy()
        positions = np.zeros(1, dtype=POSITION)
        positions[0] = new_position(self.rules)
        price: Any = price_starts
        price(positions, grid, flat, starts)
        return EquityTable(grid, flat, starts)

    @cached_property
    def digest(self) -> str:
        """12 hexadecimal digits over everything that a result depends on."""
        from hashlib import sha256

        lattice = self.lattice
        said = f"{self.rules} {lattice.base} {lattice.step} {n_counted_hands(self.rules)}".encode()
        numbers = (lattice.bags, lattice.offsets, lattice.tops, self.chances, self.level)
        starts = (self.starts[name] for name in ("scores", "bags", "hands"))
        parts = (np.ascontiguousarray(part, dtype="<i8").tobytes() for part in (*numbers, *starts))
        return sha256(said + b"".join(parts)).hexdigest()[:12]

    def chance(
        self,
        scores: tuple[int, int],
        bags: tuple[int, int] = (0, 0),
        *,
        is_first: bool = True,
        hands: int = 0,
    ) -> float:
        """The chance to win, 0 to 1, of the side whose score and bags are given first.

        Where these scores have ended the game it is 0 or 1, or a half for a draw.

        Parameters
        ----------
        scores, bags : tuple of 2 int
            Of this side, and of the other.
        is_first : bool
            Whether this side bids first in the next hand.
        hands : int
            Hands played so far, where the rules end a game after some number of them.

        Raises
        ------
        UserError
            Bags that no side has between two hands, or hands below 0.
        """
        if not are_bags(self.rules, np.array(bags)):
            most = f"from 0 to {self.rules.bag_limit - 1}" if self.rules.bag_limit else "at least 0"
            raise UserError(f"Bags before a hand must be {most}, not {bags[0]},{bags[1]}.")
        if hands < 0:
            raise UserError(f"hands must be at least 0, not {hands}.")
        position = new_position(self.rules)
        position["hand_no"] = hands
        first = int(first_side(position))
        side = first if is_first else 1 - first
        for name, values in (("scores", scores), ("bags", bags)):
            position[name][side], position[name][1 - side] = values
        over: Any = game_over
        result = int(over(position["rules"], position["scores"], hands, 0))
        look_up: Any = chance
        return int(look_up(position, result, side, self.table.grid[0], self.table.chances)) / EQUITY_ONE

    def to_dict(self) -> dict[str, Any]:
        """Where it comes from, and how its grid lies, as plain values."""
        return {
            "rules": str(self.rules),
            "reference": self.reference,
            "reference_digest": self.reference_digest,
            "hands": self.hands,
            "games": self.games,
            "more_hands": self.more_hands,
            "seed": self.seed,
            "version": self.version,
            "sweeps": self.sweeps,
            "digest": self.digest,
            "exact": self.lattice.is_exact,
            "step": self.lattice.step,
            "lowest_score": self.lattice.base,
            "bags": self.lattice.bags.tolist(),
        }


def are_bags(rules: Rules, bags: npt.NDArray[np.int64]) -> bool:
    """Whether sides can have these numbers of bags between two hands."""
    return bool((bags >= 0).all() and (not rules.bag_limit or (bags < rules.bag_limit).all()))


def applies(rules: Rules) -> bool:
    """Whether win chance is told under some rules: there must be two sides."""
    return rules.n_sides == 2


def make_equity(
    rules: Rules,
    *,
    reference: str = REFERENCE,
    hands: int = HANDS,
    seed: int = SEED,
    workers: int | None = None,
    notice: Notice | None = None,
    progress: Progress | None = None,
) -> Equity:
    """The table of a set of rules, computed; the same for any number of workers.

    Parameters
    ----------
    rules : Rules
        With two sides.
    reference : str
        The bot that plays, in the spec grammar.
    hands : int
        At least so many of its hands are played, in whole games; from 134,000 on, some times as many
        besides, from states that games seldom reach.
    seed : int
        On which deals.
    workers : int, optional
        Threads; all usable cores when left out.
    notice : function, optional
        Called with a line of text before a bot is compiled.
    progress : function, optional
        Called with steps done and steps in all, roughly.

    Raises
    ------
    UserError
        The rules have more than two sides, games that are too long, or the bot cannot play by them.
    """
    if not applies(rules):
        raise UserError(f"Win chances are for two sides; under {rules} everybody plays alone.")
    check_range("seed", seed, 0, MAX_SEED)
    if hands < MIN_HANDS:
        raise UserError(f"hands must be at least {MIN_HANDS}, not {hands}: fewer say nothing.")
    side = load_side(reference, None if notice is None else lambda name: notice(f"compiling {name}"))
    try:
        check_side(side, rules)
    except UserError as error:
        raise NoTableError(f"No win chances can be made: {error}") from None
    workers = workers or usable_cores()
    rows = _play(rules, side, hands, seed, workers)
    more = _play_seldom(rules, side, rows, hands, seed, workers)
    solution = solve(rules, rows, workers, progress, more)
    return Equity(
        rules=rules,
        reference=str(side),
        reference_digest=side.lower.digest,
        hands=len(rows),
        games=int(rows["game"][-1]) + 1,
        more_hands=len(more),
        seed=seed,
        version=spadesim.__version__,
        sweeps=solution.sweeps,
        lattice=solution.lattice,
        chances=_quantised(solution.chances),
        level=_quantised(solution.level),
        starts=_starts(rules, rows),
    )


def _quantised(chances: npt.NDArray[np.float32]) -> npt.NDArray[np.int16]:
    """Chances in steps of 1 / 4096, finer than any table is true."""
    steps = np.round(chances.astype(np.float64) * TABLE_ONE)
    return np.asarray(np.clip(steps, 0, TABLE_ONE), dtype=np.int16)


def _play(rules: Rules, side: Any, hands: int, seed: int, workers: int) -> npt.NDArray[np.void]:
    """So many hands or a few more of a bot against itself, in whole games from number 0 on."""
    bots = lineup(side, side, rules)
    _check_length(rules, play_games(bots, rules, seed, 0, FEW))
    parts: list[npt.NDArray[np.void]] = [play_games(bots, rules, seed, 0, CHUNK)]
    n = len(parts[0])
    firsts = iter(range(CHUNK, 10**9, CHUNK))
    if n < hands:
        for _, rows in in_order(lambda first: play_games(bots, rules, seed, first, CHUNK), firsts, workers):
            parts.append(rows)
            n += len(rows)
            if n >= hands:
                break
    return np.concatenate(parts)


def _play_seldom(
    rules: Rules, side: Any, rows: npt.NDArray[np.void], hands: int, seed: int, workers: int
) -> npt.NDArray[np.void]:
    """Hands from states that games seldom reach, as many from each kind as are worth it to so many hands."""
    near, anywhere = (n * hands // HANDS for n in SELDOM)
    enough = (near if near >= ENOUGH else 0, anywhere if anywhere >= ENOUGH else 0)
    states = seldom_seen(rules, rows, enough)
    bots = lineup(side, side, rules)

    def play(first: int) -> npt.NDArray[np.void]:
        return play_hands(bots, rules, seed, states[first : first + STATES])

    play(len(states))  # compiles
    for first, played in in_order(play, range(0, len(states), STATES), workers):
        states[first : first + STATES] = played
    return states


def _check_length(rules: Rules, rows: npt.NDArray[np.void]) -> None:
    if len(rows) > LONGEST * FEW:
        raise NoTableError(
            f"Under {rules} a game takes {len(rows) // FEW} hands and more, too many for a table of win "
            f"chances; at most {LONGEST} are."
        )


def _starts(rules: Rules, rows: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """A systematic sample of the states before a hand, as they came one after the other."""
    usual = rows[rows["extra"] == 0]
    sample = usual[np.arange(N_STARTS) * len(usual) // N_STARTS]
    starts = np.zeros(N_STARTS, dtype=START_STATE)
    starts["scores"], starts["bags"] = sample["scores"], sample["bags"]
    if n_counted_hands(rules) > 1:
        starts["hands"] = sample["hands"]
    return starts
