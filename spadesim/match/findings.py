"""What a duel has measured, as far as it tells who is better; and who that is."""

from dataclasses import dataclass

from spadesim.match.decision import Decision, winner
from spadesim.stats.exact import FEW_DIFFERENT, sign_p_any_time, sign_test
from spadesim.stats.games import GameStats
from spadesim.stats.intervals import LEVEL, Estimate


@dataclass(frozen=True)
class Findings:
    """What a verdict rests on.

    Parameters
    ----------
    a, b : str
        What the sides are called; different texts unless they are the same bots.
    is_mirror : bool
        Whether both sides are the same bots.
    units, identical : int
        Pairs or sets of games or boards played, and those of which all rooms went alike card by card.
    games : GameStats
    points : Estimate or None
        A's points minus B's a board, or a hand of one player; None for games.
    is_partial : bool
        Whether the run was stopped before its end.
    by_value : tuple of 3 int
        Units that went against A, for neither, and for A: by the change of its chance to win, or by its share
        of the games. Of boards that are judged by points only how many differed is known, which all count as
        for A.
    chance : Estimate or None
        The change of A's chance to win a board; None for games, and without a table of win chances.
    decision : Decision or None
        What the rule that may end the duel has come to; None without one.
    is_watched : bool
        Whether the length was not chosen beforehand: somebody may have looked, and ended or lengthened it.
    at_any_look : Estimate or None
        Then what is judged, with the interval that holds at any look; None while too few units differ.
    """

    a: str
    b: str
    is_mirror: bool
    units: int
    identical: int
    games: GameStats
    points: Estimate | None
    is_partial: bool
    by_value: tuple[int, ...]
    chance: Estimate | None = None
    decision: Decision | None = None
    is_watched: bool = False
    at_any_look: Estimate | None = None

    @property
    def differing(self) -> int:
        """Units that did not go for neither."""
        return self.by_value[0] + self.by_value[2]

    @property
    def is_open(self) -> bool:
        """Whether there is something to judge: boards, or games of which few enough were unfinished."""
        return self.games.is_decidable or self.points is not None

    @property
    def interval(self) -> str:
        """What the intervals are called."""
        return "95 % interval that holds at any look" if self.at_any_look else "95 % interval"

    @property
    def lead(self) -> "Lead | None":
        """Who is ahead in what is judged; None where only points are known, or games hide too much."""
        value, look = self.chance, self.at_any_look
        if self.points is None and self.games.win_rate is not None and self.games.is_decidable:
            value, look = self.games.win_rate.shifted(-0.5), look and look.shifted(-0.5)
        if value is None:
            return None
        behind, _, ahead = self.by_value
        is_a = value.mean > 0 or (value.mean == 0 and ahead >= behind)
        shown, counts = look or value, (ahead, behind) if is_a else (behind, ahead)
        split = Split(*counts, self.units, self.is_watched)
        return Lead(is_a, shown if is_a else shown.scaled(-1), split)

    @property
    def better(self) -> str | None:
        """Which side is called the better one, "a" or "b"; None for neither."""
        if self.identical == self.units or not self.is_open:
            return None
        if self.decision is not None:
            return winner(self.decision)
        lead = self.lead
        return ("a" if lead.is_a else "b") if lead is not None and lead.is_sure else None


@dataclass(frozen=True)
class Split:
    """Units that differ by whom they went for.

    Parameters
    ----------
    won, lost : int
        For the side that is asked about, and against it.
    units : int
        All that were played.
    is_watched : bool
    """

    won: int
    lost: int
    units: int
    is_watched: bool

    @property
    def is_few(self) -> bool:
        """Whether so few differ that their number decides."""
        return self.won + self.lost < FEW_DIFFERENT

    @property
    def is_no_luck(self) -> bool:
        """Whether they went one way, whichever, more often than luck would have it."""
        p_value = (
            sign_p_any_time(self.won, self.lost)
            if self.is_watched
            else sign_test(self.won, self.lost).p_value
        )
        return p_value < 1 - LEVEL

    def text(self, of: str) -> str:
        """How many of all units differed, and which way."""
        differing = self.won + self.lost
        only = "only " if 2 * differing < self.units else ""
        return f"{only}{differing:,} of {of} differed, {self.won:,} for it and {self.lost:,} against it"


@dataclass(frozen=True)
class Lead:
    """Who is ahead by the mean.

    Parameters
    ----------
    is_a : bool
    gain : Estimate
        The mean, not below 0: of the change of its chance to win, or of its share of the games minus 1/2.
    split : Split
        From its side.
    """

    is_a: bool
    gain: Estimate
    split: Split

    @property
    def is_disputed(self) -> bool:
        """Whether the number of units does not say the same as their mean."""
        return self.split.lost > self.split.won or self.gain.mean == 0

    @property
    def is_sure(self) -> bool:
        """Whether it is the better one: where few units differ by their number, else by the mean."""
        if self.split.is_few:
            return self.split.is_no_luck and not self.is_disputed
        return self.gain.low > 0
