"""What a search for a strength came to: the setting, what it wins in fresh games, and the ladder below it."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spadesim.match.told import Told
from spadesim.stats.intervals import Z_POWER, Estimate, Z
from spadesim.strategy.called import short_name
from spadesim.tuning.curve import Point

if TYPE_CHECKING:
    import pandas as pd

WITHIN, NOT_SHOWN, MISSED, PARTIAL = "within", "not_shown", "missed", "partial"


@dataclass(frozen=True)
class Rung:
    """A setting that was aimed at a win rate, and what it came to in games that the search never saw.

    Parameters
    ----------
    value : str
        The setting.
    side : str
        The side with it, as a duel takes it.
    wanted : float
        The share of games that it was to win.
    rate : Estimate or None
        The share that it won, with a 95 % interval over pairs or sets; None when nothing was played.
    games : int
    outcome : str
        "within" when the whole interval lies within the tolerance, "missed" when none of it does,
        "not_shown" otherwise; "partial" when the games were broken off.
    more_games : int or None
        How many more games would probably show that it is within, where that is so by the estimate.
    command : str
        The duel that repeats these games.
    """

    value: str
    side: str
    wanted: float
    rate: Estimate | None
    games: int
    outcome: str
    more_games: int | None
    command: str


def judge(rate: Estimate, wanted: float, within: float) -> str:
    """Whether a rate is within a tolerance: two one-sided tests, each with an error of 2.5 %.

    >>> judge(Estimate(0.65, 0.64, 0.66), 0.65, 0.02), judge(Estimate(0.66, 0.64, 0.68), 0.65, 0.02)
    ('within', 'not_shown')
    """
    if wanted - within < rate.low and rate.high < wanted + within:
        return WITHIN
    return MISSED if rate.high < wanted - within or rate.low > wanted + within else NOT_SHOWN


def more_games(rate: Estimate, games: int, wanted: float, within: float) -> int | None:
    """Games, beyond those played, after which a rate as seen would be shown to be within, four times in five.

    >>> more_games(Estimate(0.66, 0.64, 0.68), 4000, 0.65, 0.02)
    28692
    """
    room = within - abs(rate.mean - wanted)
    if room <= 0:
        return None
    error = (rate.high - rate.low) / (2 * Z)
    return max(0, math.ceil(games * ((Z + Z_POWER) * error / room) ** 2) - games)


@dataclass(frozen=True, eq=False, repr=False)
class CalibrateResult(Told):
    """Which setting makes a side as strong as was asked for; the fields are those of the JSON object.

    Parameters
    ----------
    side, vs : str
        As asked.
    parameter : str
        What was varied.
    target, within : float
        The share of games to win, and by how much it may be off.
    value, calibrated : str
        The setting found, and the side with it.
    rate : Estimate or None
        What it won in games that the search never saw; None when the search was broken off.
    outcome : str
        As in `Rung`.
    more_games : int or None
        As in `Rung`.
    search_error : float
        The standard error of the rate at that setting, as the search left it.
    is_monotone : bool
        Whether the rate was seen to go one way only along the setting.
    curve : tuple of Point
        All that the search measured, on common deals.
    ladder : tuple of Rung
        The settings of a ladder, the strongest first; otherwise the one setting.
    games_searched, games : int
        Games of the search, and fresh ones at the setting.
    partial : bool
        Whether Ctrl-C ended it.
    rules : str
    seed : int
    hands : int
    seconds : float
    verdict : str
        One sentence.
    command : str
        The command line that repeats it.
    version, rng : str
    """

    side: str
    vs: str
    parameter: str
    target: float
    within: float
    value: str
    calibrated: str
    rate: Estimate | None
    outcome: str
    more_games: int | None
    search_error: float
    is_monotone: bool
    curve: tuple[Point, ...]
    ladder: tuple[Rung, ...]
    games_searched: int
    games: int
    partial: bool
    rules: str
    seed: int
    hands: int
    seconds: float
    verdict: str
    command: str
    version: str
    rng: str
    has_ladder: bool = field(default=False, repr=False)

    @property
    def is_within(self) -> bool:
        """Whether fresh games have shown every setting to be within the tolerance."""
        return all(rung.outcome == WITHIN for rung in self.ladder) and bool(self.ladder)

    def to_frame(self) -> "pd.DataFrame":
        """A row for each setting of the ladder, or for the one found.

        Returns
        -------
        DataFrame
            Columns value, side, wanted, rate, low, high, games, outcome.
        """
        import pandas as pd

        rows = []
        for rung in self.ladder:
            rate = rung.rate or Estimate(math.nan, math.nan, math.nan)
            rows.append({
                "value": float(rung.value), "side": rung.side, "wanted": rung.wanted, "rate": rate.mean,
                "low": rate.low, "high": rate.high, "games": rung.games, "outcome": rung.outcome,
            })  # fmt: skip
        columns = ["value", "side", "wanted", "rate", "low", "high", "games", "outcome"]
        return pd.DataFrame(rows, columns=columns)


def share(value: float) -> str:
    """A share in per cent, with as many decimals as it has, one at the most but for small ones.

    >>> share(0.65), share(0.005), share(0.0025)
    ('65 %', '0.5 %', '0.25 %')
    """
    return f"{round(100 * value, 3):g} %"


def claim(rung: Rung, vs: str, within: float) -> str:
    """What the fresh games say of a setting, in one sentence."""
    wanted = f"{share(rung.wanted).removesuffix(' %')} ± {share(within)}"
    side, vs = short_name(rung.side), short_name(vs)
    if rung.rate is None:
        return f"Partial: {side} was found for {wanted} against {vs}, but no fresh games were played."
    rate = rung.rate.scaled(100)
    won = (
        f"{side} won {rate.mean:.1f} % of {rung.games:,} fresh games against {vs} "
        f"(95 % interval {rate.low:.1f} to {rate.high:.1f} %)"
    )
    if rung.outcome == WITHIN:
        return f"{won}: within {wanted}."
    if rung.outcome == MISSED:
        return f"Missed: {won}, which is outside {wanted}."
    if rung.outcome == PARTIAL:
        return f"Partial: {won}; {wanted} was asked for."
    more = f"; about {rung.more_games:,} more games would probably do" if rung.more_games else ""
    return f"Not shown: {won}, not all of it within {wanted}{more}."
