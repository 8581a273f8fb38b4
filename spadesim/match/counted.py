"""A sequential test of results that were counted elsewhere, and how long such a test is going to take."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spadesim.errors import UserError
from spadesim.match.decision import Decision, sentence
from spadesim.match.scale import ELO, GAMES_WON, NORMALISED_ELO
from spadesim.match.stop import Stop, scale_for
from spadesim.match.stop_rules import Aim, Seen, rule_for
from spadesim.stats.anytime import always_valid_p, anytime_interval
from spadesim.stats.elo import measured_elo, normalised_elo
from spadesim.stats.intervals import Estimate
from spadesim.stats.moments import Moments
from spadesim.stats.sequential import Bounds, Expected, expected_table

KINDS = {3: "losses, draws and wins", 5: "LL, LD, WL and DD, WD, WW"}


@dataclass(frozen=True)
class Counted:
    """What a test says of counted games or pairs of games.

    Parameters
    ----------
    counts : tuple of int
        Games by score (losses, draws, wins), or pairs of games (LL, LD, WL and DD, WD, WW).
    decision : Decision
    elo : Estimate
    normalised_elo : Estimate or None
        With the usual intervals; None where all ended alike, which shows no spread to count it in.
    expected : tuple of Expected
        How the test goes for true values, in the test's unit; units are games or pairs. Empty where all
        ended alike.
    verdict : str
        One sentence.
    """

    counts: tuple[int, ...]
    decision: Decision
    elo: Estimate
    normalised_elo: Estimate | None
    expected: tuple[Expected, ...]
    verdict: str

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON object, as Python values."""
        return {
            "counts": list(self.counts),
            "verdict": self.verdict,
            "decision": self.decision.to_dict(),
            "elo": self.elo.to_dict(),
            "normalised_elo": self.normalised_elo.to_dict() if self.normalised_elo else None,
            "expected": [vars(row) for row in self.expected],
        }


def counted_test(counts: Sequence[int], stop: Stop) -> Counted:
    """A sequential test of counted games.

    Parameters
    ----------
    counts : sequence of 3 or 5 int
        Games by score, or pairs of games by score, both from A's side and the worst first.
    stop : Stop

    Raises
    ------
    UserError
        Counts that are none, or no games at all.

    Examples
    --------
    >>> found = counted_test((39, 2226, 31451, 2412, 40), Stop("sprt", "0.2,0.9elo"))
    >>> round(found.decision.llr, 4), found.decision.outcome
    (2.1625, 'undecided')
    """
    if len(counts) not in KINDS or min(counts) < 0:
        raise UserError("Counts are 5 whole numbers, LL,LD,WL+DD,WD,WW, or 3: losses, draws and wins.")
    if sum(counts) == 0:
        raise UserError("No games were counted, so there is nothing to test.")
    aim = Aim(stop, scale_for(NORMALISED_ELO, (ELO, GAMES_WON), stop.suffix), GAMES_WON, 0.5)
    seen = Seen(_moments(counts), list(counts))
    rule = rule_for(aim, seen)
    rule.look()
    interval = anytime_interval(seen.moments, (-0.5, 0.5))
    decision = rule.decision(0, seen.moments.n, interval, always_valid_p(seen.moments))
    n, drawn = seen.moments.n, counts[1] if len(counts) == 3 else counts[1] + counts[3]
    what = {3: "game", 5: "pair of games"} if n == 1 else {3: "games", 5: "pairs of games"}
    return Counted(
        tuple(counts),
        decision,
        measured_elo(counts),
        normalised_elo(counts),
        tuple(_expected(aim, seen)),
        sentence(decision, "A", "B", f"{n:,} {what[len(counts)]}", won="scored" if drawn else "won"),
    )


def _moments(counts: Sequence[int]) -> Moments:
    top, middle = len(counts) - 1, len(counts) // 2
    values = [k / top - 0.5 for k in range(top + 1)]
    total = sum(value * count for value, count in zip(values, counts, strict=True))
    squares = sum(value * value * count for value, count in zip(values, counts, strict=True))
    return Moments(sum(counts), total, squares, sum(counts[middle + 1 :]), sum(counts[:middle]))


def _expected(aim: Aim, seen: Seen) -> list[Expected]:
    """How the test goes, with the spread that was seen; nothing where there was none."""
    if seen.moments.variance == 0:
        return []
    low, high = aim.ends
    means = aim.mean(low, seen), aim.mean(high, seen)
    bounds = Bounds.of(aim.stop.alpha, aim.stop.beta)
    rows = expected_table(*means, seen.moments.variance**0.5, bounds)
    scale = (high - low) / (means[1] - means[0])
    return [Expected(low + (row.effect - means[0]) * scale, row.accepts_high, row.units) for row in rows]
