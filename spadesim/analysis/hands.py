"""Hands that meet a condition, and how often there are such: among fresh deals, or in a recorded run."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spadesim.analysis.hands_found import FoundHand, Source
from spadesim.analysis.hands_fresh import MOST_TRIES, TRIES, FreshDeals
from spadesim.analysis.hands_run import RunHands
from spadesim.analysis.numbers import percent, rounded
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.expressions import compile_value, compile_where
from spadesim.match.recorded import RecordedRun, load
from spadesim.match.spec import DEFAULT_SEED, MAX_SEED, MAX_UNITS, check_range
from spadesim.match.told import Told
from spadesim.stats.intervals import Estimate
from spadesim.stats.shares import Shares

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

COUNT = 10
MOST_FOUND = 100_000
MOST_VALUES = 1000  # different ones of a table, above which nobody reads it
SELDOM = 0.05  # a share that one in so many says, too
RARE = 1e-4  # a share that is better told as one in so many

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Hands(Told):
    """What was found.

    Parameters
    ----------
    source : Source
        Where it was looked for.
    where, by : str
        The condition and the number that was counted by; "" for none.
    tried, accepted : int
        How many deals, hands, or seats in hands, were looked at, and how many met the condition.
    share : Estimate or None
        The share of these, with an interval that allows for all dependence within boards and games; None
        without a condition, which all meet, and where nothing was looked at.
    found : tuple of FoundHand
        The first of them.
    table : tuple of Row
        By value of `by`, the share of the accepted.
    partial : bool
        Whether Ctrl-C ended it.
    command : str
        The command line that finds the same.
    """

    source: Source
    where: str
    by: str
    tried: int
    accepted: int
    share: Estimate | None
    found: tuple[FoundHand, ...]
    table: "tuple[Row, ...]"
    partial: bool
    command: str

    @property
    def verdict(self) -> str:  # type: ignore[override]
        """How many of how many, in a sentence."""
        what = f"{self.source.what(self.tried)}{', until Ctrl-C' if self.partial else ''}"
        if self.tried == 0:
            return f"There are no {what} to look at."
        if self.share is None:
            return f"{self.tried:,} {what}."
        return f"{self.accepted:,} of {self.tried:,} {what}: {share_text(self.share)}."

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON object, as Python values."""
        return {
            **self.source.to_dict(),
            "where": self.where or None,
            "by": self.by or None,
            "command": self.command,
            "partial": self.partial,
            "tried": self.tried,
            "accepted": self.accepted,
            "share": self.share and self.share.to_dict(),
            "table": [row.to_dict() for row in self.table] if self.by else None,
            "hands": [hand.to_dict() for hand in self.found],
        }

    def to_frame(self) -> "pd.DataFrame":
        """The table of values, with the columns value, count, mean, low, high."""
        import pandas as pd

        names = ["value", "count", "mean", "low", "high"]
        rows = [(row.value, row.count, row.share.mean, row.share.low, row.share.high) for row in self.table]
        return pd.DataFrame(rows, columns=pd.Index(names))


@dataclass(frozen=True)
class Row:
    """A value, how often it was seen, and its share."""

    value: int
    count: int
    share: Estimate

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"value": self.value, "count": self.count, "share": self.share.to_dict()}


def share_text(share: Estimate) -> str:
    """A share in words, a tiny one as one in so many.

    >>> share_text(Estimate(0.25, 0.24, 0.26)), share_text(Estimate(0.01, 0.009, 0.011))
    ('25 % (24 to 26 %)', '1.0 % (0.9 to 1.1 %), one in 100')
    >>> share_text(Estimate(0.0, 0.0, 1e-6))
    'fewer than one in 1,000,000'
    """
    if share.mean == 0:
        return f"fewer than one in {rounded(1 / share.high)}"
    if share.mean < RARE:
        ends = " to ".join(rounded(1 / end) for end in (share.high, share.low))
        return f"one in {rounded(1 / share.mean)} ({ends})"
    cell = percent(share, least=0)
    note = f" ({cell.note})" if cell.note else ""
    often = f", one in {rounded(1 / share.mean)}" if share.mean < SELDOM else ""
    return f"{cell.value}{note}{often}"


def hands(  # noqa: PLR0913 - its parameters are the options of the command
    where: str = "",
    run: "RecordedRun | str | Path | None" = None,
    *,
    rules: str | Rules | None = None,
    seed: int | None = None,
    first: int | None = None,
    tries: int | None = None,
    count: int = COUNT,
    by: str = "",
    progress: Progress | None = None,
) -> Hands:
    """Look for hands among fresh deals, or in a recorded run.

    Parameters
    ----------
    where : str
        A condition (`spadesim.expressions`); "" accepts everything.
    run : RecordedRun, str or Path, optional
        A run, or its folder; fresh deals without it.
    rules, seed, first, tries : optional
        Of fresh deals: the rules (pata unless given), the seed (1), the number of the first deal (0), and how
        many deals are tried (a million). Deal k is what board k of that seed is at a score of nothing.
    count : int
        How many of the hands come back, the first ones.
    by : str
        A whole number by whose values the accepted ones are counted.
    progress : function of two int, optional
        Told how much was looked at, of how much.

    Raises
    ------
    UserError
        An expression is wrong, there is no such run, or the rules deal no hands.

    Examples
    --------
    >>> found = hands("spades(n) >= 6", tries=300)
    >>> found.accepted, found.found[0].command
    (14, 'spadesim show medium hard --board 41 --scores 0,0 --rules pata --seed 1')
    """
    return search(source_of(run, rules, seed, first, tries), where, by, count, progress)


def search(
    source: Source, where: str = "", by: str = "", count: int = COUNT, progress: Progress | None = None
) -> Hands:
    """Look for hands in a source; parameters and errors as `hands`."""
    check_range("count", count, 0, MOST_FOUND)
    accept = compile_where(where, source.known) if where else None
    value = compile_value(by, source.known) if by else None
    everything, by_value = Shares(), Shares()
    found: list[FoundHand] = []
    is_partial = False
    try:
        for batch in source.batches(accept, value, progress):
            everything.add(batch.trials, batch.units, batch.units * 0)
            if batch.values is not None:
                by_value.add(batch.accepted, batch.units, batch.values)
                _check_values(by, by_value)
            if len(found) < count:
                found += batch.examples(count - len(found))
    except KeyboardInterrupt:
        is_partial = True
    return Hands(
        source,
        where,
        by,
        everything.trials,
        everything.counts().get(0, 0),
        everything.share(0) if where else None,
        tuple(found),
        _table(by_value),
        is_partial,
        source.command(where, by),
    )


def source_of(
    run: "RecordedRun | str | Path | None" = None,
    rules: str | Rules | None = None,
    seed: int | None = None,
    first: int | None = None,
    tries: int | None = None,
) -> Source:
    """Where hands are looked for; parameters and errors as `hands`."""
    given = {"rules": rules, "seed": seed, "first": first, "tries": tries}
    if run is not None:
        named = next((name for name, value in given.items() if value is not None), "")
        if named:
            raise UserError(f"{named} is for fresh deals; a recorded run has its own: leave {named} out.")
        return RunHands(run if isinstance(run, RecordedRun) else load(run))
    seed, first = DEFAULT_SEED if seed is None else seed, first or 0
    tries = TRIES if tries is None else tries
    check_range("seed", seed, 0, MAX_SEED)
    check_range("tries", tries, 1, MOST_TRIES)
    check_range("first", first, 0, MAX_UNITS - tries)
    rules = DEFAULT_PRESET if rules is None else rules
    return FreshDeals(Rules.parse(rules) if isinstance(rules, str) else rules, seed, first, tries)


def _check_values(by: str, seen: Shares) -> None:
    n = len(seen.counts())
    if n > MOST_VALUES:
        raise UserError(
            f"'{by}' has more than {MOST_VALUES:,} values: make it coarser, such as score // 100."
        )


def _table(seen: Shares) -> tuple[Row, ...]:
    rows = [(value, count, seen.share(value)) for value, count in seen.counts().items()]
    return tuple(Row(value, count, share) for value, count, share in rows if share is not None)
