"""What a duel measured: one frozen object, the same as JSON and as a table."""

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from spadesim.match.decision import Decision
from spadesim.match.seats import SeatStats
from spadesim.match.sides import SideStats
from spadesim.match.spec import DuelSpec
from spadesim.match.told import Told
from spadesim.stats.elo import EloStats
from spadesim.stats.games import is_decidable
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class DuelResult(Told):
    """What a duel measured; the fields are those of the JSON object, and what does not apply is None.

    Parameters
    ----------
    a, b : str
        The two sides as they were asked for.
    rules : str
        The rules in their text form.
    seed, first : int
        Which deals: the seed, and the number of the first pair or board.
    games, boards : int or None
        Whole games, or boards, that were played.
    requested : int
        Games or boards that were asked for; more than were played when the run is partial.
    partial : bool
        Whether it was stopped before its end.
    scores, bags : tuple of int, or None
        How boards stood before their hand, by side of the seats.
    hands : int
        Hands played in all rooms.
    wins, draws, losses, unfinished : int or None
        Games by A's result.
    win_rate_a : Estimate or None
        A's share of the finished games, a draw as half a win.
    worst_case : tuple of 2 float, or None
        The same over all games if A had lost, or won, every unfinished one.
    start : str or None
        Where boards start: "realistic", states that occur in games, or "given", `scores` and `bags`.
    win_chance_per_board : Estimate or None
        The change of A's chance to win the game on a board, the mean of its two rooms: 0.01 is one percentage
        point. None for games, and where there is no table of win chances.
    boards_ahead, boards_behind : int or None
        Boards on which it rose, and fell.
    win_chance_table : str or None
        Digest of the table of win chances.
    points_per_board : Estimate or None
        A's points minus B's on a board, the mean of its two rooms; at a table of single players A's mean
        points in a hand of one seat minus B's.
    priced_per_board : Estimate or None
        The same with every bag at its share of the penalty, instead of the penalties that fell due.
    points_per_hand : Estimate
        A's points minus B's per hand.
    identical_boards : int
        Pairs or sets of games, or boards, of which all rooms went alike card by card.
    level_boards : int
        Pairs or sets of games, or boards, on which both sides scored the same.
    room_correlation : float or None
        Of A's change of win chance, or margin of points, in two rooms; with more rooms the mean over all
        pairs of them.
    variance_factor : float or None
        How many times larger the variance of the win rate (for boards: of the change of win chance, or of the
        points) would be for as many hands on deals of their own.
    elo : EloStats or None
        Of pairs of games: how they ended, and Elo; None for boards and for sets of games.
    decision : Decision or None
        What the rule that may end the duel came to; None without one.
    is_watched : bool
        Whether no rule ended it and its length was not chosen beforehand: it was broken off, or made longer.
    at_any_look : Estimate or None
        Then, what the verdict rests on: A's share of the games, or the change of its chance to win (or of
        points) a board, with the interval that holds at any look. None while too few units differ.
    fingerprint : str
        16 hexadecimal digits over every bid and card; equal for equal runs on any machine.
    sides : dict of str to SideStats
        "a" and "b".
    seats : SeatStats
    verdict : str
        One sentence.
    better : str or None
        Whom it calls the better one, "a" or "b"; None for neither.
    seconds, hands_per_second : float
        Time at play, and speed.
    command : str
        The command line that repeats the duel.
    version, rng : str
        Of the package, and of the random numbers.
    tally : TALLY record
        All counts (see `spadesim.core.tally`); not in the JSON object.
    spec : DuelSpec
        What was asked for; not in the JSON object.
    confirmation : DuelResult or None
        The games that were played after the boards, where that was asked for.
    """

    a: str
    b: str
    rules: str
    seed: int
    first: int
    games: int | None
    boards: int | None
    requested: int
    partial: bool
    scores: tuple[int, ...] | None
    bags: tuple[int, ...] | None
    hands: int
    wins: int | None
    draws: int | None
    losses: int | None
    unfinished: int | None
    win_rate_a: Estimate | None
    worst_case: tuple[float, float] | None
    start: str | None
    win_chance_per_board: Estimate | None
    boards_ahead: int | None
    boards_behind: int | None
    win_chance_table: str | None
    points_per_board: Estimate | None
    priced_per_board: Estimate | None
    points_per_hand: Estimate | None
    identical_boards: int
    level_boards: int
    room_correlation: float | None
    variance_factor: float | None
    elo: EloStats | None
    decision: Decision | None
    is_watched: bool
    at_any_look: Estimate | None
    fingerprint: str
    sides: dict[str, SideStats]
    seats: SeatStats
    verdict: str
    better: str | None
    seconds: float
    hands_per_second: float
    command: str
    version: str
    rng: str
    tally: Any = field(repr=False)
    spec: DuelSpec = field(repr=False)
    confirmation: "DuelResult | None" = None

    @property
    def is_decidable(self) -> bool:
        """Whether whole games were played, and few enough of them were unfinished for a verdict."""
        return self.win_rate_a is not None and is_decidable(self.unfinished or 0, self.games or 0)

    @property
    def is_judged(self) -> bool:
        """Whether nothing hides what it came to: boards, or games of which few enough were unfinished."""
        return self.boards is not None or self.is_decidable

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON object, as Python values."""
        values = {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}
        del values["tally"], values["spec"]
        values["sides"] = {key: _side(side) for key, side in self.sides.items()}
        return values

    def to_frame(self) -> "pd.DataFrame":
        """A tidy table, one row for a side and a statistic.

        Returns
        -------
        DataFrame
            Columns side ("a", "b"), name (what the side is called), statistic, value, low, high; low and high
            are NaN for counts, and all three where a statistic does not apply.
        """
        import pandas as pd

        rows = [row for key in ("a", "b") for row in self._rows(key)]
        frame = pd.DataFrame(rows, columns=["side", "statistic", "value", "low", "high"])
        frame.insert(1, "name", frame["side"].map({key: side.name for key, side in self.sides.items()}))
        return frame

    def _rows(self, key: str) -> list[tuple[str, str, float, float, float]]:
        sign = 1 if key == "a" else -1
        rate = self.win_rate_a if key == "a" or self.win_rate_a is None else self.win_rate_a.complement()
        between: dict[str, Estimate | None] = {"win_rate": rate}
        chance = self.win_chance_per_board
        between["win_chance_per_board"] = chance and chance.scaled(sign)
        for name in ("points_per_board", "priced_per_board", "points_per_hand"):
            estimate = getattr(self, name)
            between["margin_" + name.removeprefix("points_")] = estimate and estimate.scaled(sign)
        nan = float("nan")
        nothing = Estimate(nan, nan, nan)
        estimates = {name: e or nothing for name, e in (between | self.sides[key].estimates()).items()}
        counts = self.sides[key].counts().items()
        return [
            *((key, name, e.mean, e.low, e.high) for name, e in estimates.items()),
            *((key, name, nan if count is None else float(count), nan, nan) for name, count in counts),
        ]


def _plain(value: Any) -> Any:
    if isinstance(value, Estimate | EloStats | Decision | DuelResult):
        return value.to_dict()
    if isinstance(value, SeatStats):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _side(side: SideStats) -> dict[str, Any]:
    """A side with plain numbers under the names of its statistics, and their intervals beside them."""
    estimates = side.estimates()
    return {
        "name": side.name,
        **{name: estimate and estimate.mean for name, estimate in estimates.items()},
        **side.counts(),
        "intervals": {name: estimate and estimate.to_dict() for name, estimate in estimates.items()},
        "bots": [asdict(bot) for bot in side.bots],
    }
