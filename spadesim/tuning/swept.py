"""What a sweep measured: one frozen object, the same as JSON and as a table."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from spadesim.match.scale import Scale
from spadesim.match.told import Told
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.tuning.sweep_spec import SweepSpec

# How a side plays, as `spadesim.match.sides.SideStats` names it.
MEASURED = ("mean_bid", "nil_rate", "bags_per_hand", "set_rate", "points_per_hand")


@dataclass(frozen=True)
class Arm:
    """One combination of settings.

    Parameters
    ----------
    settings : dict of str to str
        By name; empty for the baseline where no combination is the same as it.
    side : str
        The text that plays it.
    is_baseline : bool
        Whether it is the strategy as it was given.
    boards : int
        Boards that it played; 0 for the baseline, which gains nothing over itself.
    gain : Estimate
        What it gains over the baseline on a board, on its own boards; all arms' intervals hold together in 95
        of 100 sweeps, whenever arms stopped.
    different : int
        Boards on which it gained or lost.
    is_behind : bool
        Whether it stopped early because others did better.
    not_worse : bool
        Whether no other arm surely beats it: the best one is among those, in 95 of 100 sweeps.
    p : float or None
        With Holm's correction, the adjusted p value of no gain and no loss.
    mean_bid, nil_rate, bags_per_hand, set_rate, points_per_hand : Estimate or None
        How its side plays against the references: tricks bid a hand, nils a bot and hand, bags a hand, the
        share of contracts that are set, points a hand. Each interval holds for itself; None for not played.
    by_ref : tuple of Estimate
        The same gain against each reference, with the interval that holds for it alone.
    """

    settings: dict[str, str]
    side: str
    is_baseline: bool
    boards: int
    gain: Estimate
    different: int
    is_behind: bool
    not_worse: bool
    p: float | None
    mean_bid: Estimate | None
    nil_rate: Estimate | None
    bags_per_hand: Estimate | None
    set_rate: Estimate | None
    points_per_hand: Estimate | None
    by_ref: tuple[Estimate, ...]

    @property
    def label(self) -> str:
        """Its settings in a few words."""
        return ",".join(f"{name}={value}" for name, value in self.settings.items()) or "as given"

    def __repr__(self) -> str:
        """Its settings, gain and boards."""
        gain = self.gain
        return (
            f"<Arm {self.label}: gain {gain.mean:.4g} ({gain.low:.4g} to {gain.high:.4g}), "
            f"{self.boards:,} boards>"
        )


@dataclass(frozen=True)
class Games:
    """The winner over whole games, on deals that nothing else was played on.

    Parameters
    ----------
    games : int
        Against each reference.
    gain : Estimate
        Its share of games won minus the baseline's, the mean over the references.
    won, baseline_won : tuple of Estimate
        The share of games that each of them won against each reference, a draw as half a win.
    promised : Estimate or None
        The share of games that the gain on fresh boards comes to between equals: as much for each of a game's
        hands. In lopsided matches it comes to less. None where boards are not counted in win chance, and for
        more than a tenth of all games, which makes a match lopsided by itself.
    """

    games: int
    gain: Estimate
    won: tuple[Estimate, ...]
    baseline_won: tuple[Estimate, ...]
    promised: Estimate | None

    @property
    def is_ahead(self) -> bool:
        """Whether it surely won more."""
        return self.gain.low > 0

    @property
    def is_behind(self) -> bool:
        """Whether it surely won less."""
        return self.gain.high < 0

    @property
    def is_short(self) -> bool:
        """Whether it surely won less than the boards promise.

        >>> won = Estimate(0.001, -0.006, 0.008)
        >>> far, near = (
        ...     Games(8000, won, (), (), Estimate(p, p - 0.003, p + 0.003)) for p in (0.018, 0.008)
        ... )
        >>> far.is_short, near.is_short
        (True, False)
        """
        if self.promised is None:
            return False
        halves = self.promised.mean - self.promised.low, self.gain.high - self.gain.mean
        return self.promised.mean - self.gain.mean > math.hypot(*halves)


@dataclass(frozen=True)
class Fresh:
    """The winner on boards that had no part in choosing it.

    Parameters
    ----------
    first, boards : int
        The number of the first of these boards, and how many.
    gain : Estimate
        What it gains over the baseline on a board, with a plain 95 % interval.
    ahead, behind : int
        Boards on which it gained, and lost.
    by_ref : tuple of Estimate
        Against each reference.
    is_better, is_worse : bool
        Whether that is sure, by these boards.
    needed : int or None
        How many boards would show a gain like this in 4 of 5 cases; None where there is none to show.
    games : Games or None
    """

    first: int
    boards: int
    gain: Estimate
    ahead: int
    behind: int
    by_ref: tuple[Estimate, ...]
    is_better: bool
    is_worse: bool
    needed: int | None
    games: Games | None

    @property
    def is_disputed(self) -> bool:
        """Whether the boards show it to be better for sure, and whole games to be worse."""
        return self.is_better and self.games is not None and self.games.is_behind

    @property
    def is_unborne(self) -> bool:
        """Whether boards surely show it to be better, and games show no gain and surely less than that."""
        games = self.games
        return self.is_better and games is not None and games.is_short and not games.is_ahead


@dataclass(frozen=True, eq=False, repr=False)
class SweepResult(Told):
    """What a sweep measured; the fields are those of the JSON object.

    Parameters
    ----------
    strategy : str
        The baseline.
    vs : tuple of str
        The references.
    arms : tuple of Arm
        The baseline first, then in the order of the grid.
    winner : int or None
        The number of the arm that did best besides the baseline; None before the race was over.
    fresh : Fresh or None
        The winner measured anew; None when the baseline did best, and after Ctrl-C.
    better : bool
        Whether the winner is surely better than the baseline on fresh boards, and whole games neither surely
        say the opposite nor show no gain and surely less than the boards promise.
    edges : tuple of str
        Settings of the winner that lie on the edge of what was tried, though more is allowed.
    correction : str
        "max-t" or "holm": how the arms' intervals were made to hold together.
    reach : float
        Standard errors that these intervals reach to each side.
    borders : tuple of int
        The numbers of boards at which an arm could stop.
    unit : str
        Of gains, which are divided by `scale.written` when shown.
    boards : int
        The most that an arm played.
    partial : bool
        Whether Ctrl-C ended it.
    hands : int
        That were played out. A hand that could only go as another one of its board, because all had bid
        alike and the settings reach the bidding only, was counted again instead.
    rules : str
    seed : int
    verdict : str
        One sentence or two.
    seconds, hands_per_second : float
    command : str
        The command line that repeats the sweep.
    version, rng : str
    scale : Scale
        How values are shown; not in the JSON object.
    spec : SweepSpec
        Not in the JSON object.
    """

    strategy: str
    vs: tuple[str, ...]
    arms: tuple[Arm, ...]
    winner: int | None
    fresh: Fresh | None
    better: bool
    edges: tuple[str, ...]
    correction: str
    reach: float
    borders: tuple[int, ...]
    unit: str
    boards: int
    partial: bool
    hands: int
    rules: str
    seed: int
    verdict: str
    seconds: float
    hands_per_second: float
    command: str
    version: str
    rng: str
    scale: Scale = field(repr=False)
    spec: "SweepSpec" = field(repr=False)

    @property
    def best(self) -> Arm | None:
        """The arm that won, None before the race was over."""
        return None if self.winner is None else self.arms[self.winner]

    @property
    def not_worse(self) -> tuple[Arm, ...]:
        """The arms that no other one surely beats: the best one is among them, in 95 of 100 sweeps."""
        return tuple(arm for arm in self.arms if arm.not_worse)

    def to_frame(self) -> "pd.DataFrame":
        """A row an arm, the baseline first.

        Returns
        -------
        DataFrame
            A column for each setting, of numbers where all of its values are, then side, is_baseline, boards,
            gain, low, high, different, is_behind, not_worse, p, mean_bid, nil_rate, bags_per_hand, set_rate,
            points_per_hand; and gain, low and high against each reference, where there are several.
        """
        import pandas as pd

        rows = []
        for arm in self.arms:
            row: dict[str, Any] = {axis.name: None for axis in self.spec.axes}
            row |= {"side": arm.side, "is_baseline": arm.is_baseline, "boards": arm.boards}
            row |= {"gain": arm.gain.mean, "low": arm.gain.low, "high": arm.gain.high}
            row |= {name: getattr(arm, name) for name in ("different", "is_behind", "not_worse", "p")}
            row |= {name: getattr(getattr(arm, name), "mean", None) for name in MEASURED}
            for ref, found in zip(self.vs, arm.by_ref, strict=True) if len(self.vs) > 1 else ():
                row |= {f"gain {ref}": found.mean, f"low {ref}": found.low, f"high {ref}": found.high}
            rows.append(row)
        frame = pd.DataFrame(rows)
        for axis in self.spec.axes:
            frame[axis.name] = axis.column(arm.settings.get(axis.name) for arm in self.arms)
        return frame
