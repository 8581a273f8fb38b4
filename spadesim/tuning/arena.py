"""Where settings are tried: a candidate and the strategy as it is given, on the same boards."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from spadesim.core.tally import fingerprint_text
from spadesim.match.crews import Workers, is_near
from spadesim.match.duel import Notice, Sides, load, workers_for
from spadesim.match.matches import Counter, Matches, stretches
from spadesim.match.spec import DuelSpec
from spadesim.stats.common import FloatArray
from spadesim.stats.moments import Moments
from spadesim.stats.ratings import VALUE
from spadesim.strategy import Side
from spadesim.tuning.dimensions import Key, key_of
from spadesim.tuning.settings import settable, with_settings

CHUNK = 125  # blocks are short, and chunks that grow from a few boards would be shorter still
FAR_CHUNK = 1000  # where a chunk has a way to go


@dataclass(frozen=True)
class Place:
    """Who is tried, against whom and where.

    Parameters
    ----------
    duel : DuelSpec
        Of boards: `a` the strategy as it is given, `b` whom candidates meet, both as they were asked for.
    base, reference : Side
        The same two, loaded.
    workers : Workers
    chunk : int or None
    """

    duel: DuelSpec
    base: Side
    reference: Side
    workers: Workers
    chunk: int | None

    @property
    def is_direct(self) -> bool:
        """Whether candidates meet the strategy as it is given itself."""
        return str(self.base) == str(self.reference)

    @property
    def matches(self) -> int:
        """How many matches tell a candidate from the strategy as it is given."""
        return 1 if self.is_direct else 2


def make_place(duel: DuelSpec, workers: Workers, chunk: int | None, notice: Notice | None) -> Place:
    """The place of a duel on boards, its bots loaded; errors as `spadesim.match.duel.load`."""
    sides = load(duel.a, notice), load(duel.b, notice)
    duel = replace(duel, a=sides[0].asked, b=sides[1].asked)
    return Place(duel, *sides, workers_for(workers, chunk), chunk)


class Arena:
    """Plays candidates, and counts what they play.

    Parameters
    ----------
    place : Place
    counter : Counter

    Attributes
    ----------
    played : int
        Boards of all matches so far.
    hands : int
        Hands in them that were played out.
    """

    def __init__(self, place: Place, counter: Counter) -> None:
        self.place, self.counter = place, counter
        self.played = self.hands = 0
        self._texts: dict[Key, str] = {}
        self._usual: dict[tuple[int, int], FloatArray] = {}
        self._matches: dict[tuple[str, str], Matches] = {}

    def text(self, settings: Mapping[str, str]) -> str:
        """The strategy with some settings changed, as a spec's text."""
        key = key_of(settings)
        if key not in self._texts:
            changes = {name: word for name, word in settings.items() if not self._is_given(name, word)}
            self._texts[key] = with_settings(self.place.duel.a, changes)
        return self._texts[key]

    def _is_given(self, name: str, word: str) -> bool:
        """Whether the strategy as it is given has this very setting."""
        bots = (self.place.base.lower, self.place.base.higher)
        return all(
            bots[seat].values[bots[seat].parameters.names.index(own)] == entry.code(word)
            for seat, (own, entry) in settable(self.place.duel.a, name).items()
        )

    def gains(self, settings: Mapping[str, str], first: int, size: int, keep: bool = False) -> FloatArray:
        """What settings gain on each board beside the strategy as it is given; shape (boards,).

        Parameters
        ----------
        settings : mapping of str to str
        first, size : int
            Which boards.
        keep : bool
            Whether these boards will be played again, so that the results of the strategy as it is given
            are worth keeping.

        Raises
        ------
        KeyboardInterrupt
            Ctrl-C; nothing of these boards then counts.
        """
        return self.between(settings, None, first, size, keep)

    def between(
        self,
        settings: Mapping[str, str],
        others: Mapping[str, str] | None,
        first: int,
        size: int,
        keep: bool = False,
    ) -> FloatArray:
        """The same beside other settings, None for the strategy as it is given."""
        ours = self.text(settings)
        theirs = self.place.duel.a if others is None else self.text(others)
        if ours == theirs:
            return np.zeros(size)
        if self.place.is_direct:
            return self._play(ours, theirs, first, size)
        reference = self.place.duel.b
        usual = self._usual.get((first, size)) if others is None else None
        if usual is None:
            usual = self._play(theirs, reference, first, size)
            if keep and others is None:
                self._usual[first, size] = usual
        return self._play(ours, reference, first, size) - usual

    def measure(self, settings: Mapping[str, str], first: int, size: int) -> Moments:
        """The sums of what settings gain, for any number of boards."""
        total = Moments()
        for start, some in stretches(first, size):
            total += Moments.of(self.gains(settings, start, some))
        return total

    def prove(self, settings: Mapping[str, str], first: int, size: int) -> tuple[Moments, str, str]:
        """As `measure`, with a command that plays the candidate's boards again and what it will print.

        Returns
        -------
        tuple of Moments, str, str
            The sums, the command line of a duel, and its fingerprint.
        """
        self._matches.clear()  # so that the tally counts these boards alone
        found = self.measure(settings, first, size)
        ours, theirs = self.text(settings), self.place.duel.b
        spec = replace(self.place.duel, a=ours, b=theirs, first=self.place.duel.first + first, boards=size)
        return found, spec.command(), fingerprint_text(self._match(ours, theirs).tallies[0][0])

    def _play(self, a: str, b: str, first: int, size: int) -> FloatArray:
        match = self._match(a, b)
        before = self.counter.hands
        values = match.play_one(0, first, size)[:, VALUE]
        self.played += size
        self.hands += self.counter.hands - before
        return values

    def _match(self, a: str, b: str) -> Matches:
        """The match of two sides; the last two are kept, for one takes a while to make."""
        if (a, b) not in self._matches:
            if len(self._matches) > 1:
                del self._matches[next(iter(self._matches))]
            sides: Sides = (load(a), load(b))
            spec, place = replace(self.place.duel, a=a, b=b), self.place
            chunk = place.chunk or (CHUNK if is_near(place.workers) else FAR_CHUNK)
            self._matches[a, b] = Matches([spec], [sides], place.workers, chunk, self.counter)
        return self._matches[a, b]
