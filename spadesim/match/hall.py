"""A tournament as it is played: boards of all, more boards of some, whole games, and what they come to."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from spadesim.match.crews import Workers
from spadesim.match.matches import Counter, Matches, rounds, stretches
from spadesim.match.ranking import Phase, Played
from spadesim.stats.common import MatchMoments
from spadesim.stats.davidson import N_FEATURES as GAME_FEATURES
from spadesim.stats.extra import next_match
from spadesim.stats.ratings import N_FEATURES, VALUE, Heads, Ratings, heads, least_squares
from spadesim.stats.signs import Signs
from spadesim.strategy import Side

if TYPE_CHECKING:
    from spadesim.match.tournament import TournamentSpec


class Hall:
    """Where a tournament is played: its matches on boards and over games, and what they came to so far.

    Parameters
    ----------
    spec : TournamentSpec
    sides : sequence of Side
        The players.
    workers : Workers
        Who plays, see `spadesim.match.crews.crew_of`.
    chunk : int or None
    counter : Counter

    Attributes
    ----------
    boards : MatchMoments
        Of the matches on boards.
    phase : Phase
        What is being played.
    """

    def __init__(
        self,
        spec: "TournamentSpec",
        sides: Sequence[Side],
        workers: Workers,
        chunk: int | None,
        counter: Counter,
    ) -> None:
        self.spec, self.sides, self.counter = spec, sides, counter
        opponents = [(sides[i], sides[j]) for i, j in spec.pairs]
        on_boards = [spec.duel_spec(i, j) for i, j in spec.pairs]
        self.on_boards = Matches(on_boards, opponents, workers, chunk, counter)
        self.boards = MatchMoments(len(spec.pairs), N_FEATURES)
        self.signs = Signs(len(spec.players), spec.pairs)
        self.over_games: Matches | None = None
        self.games = MatchMoments(len(spec.pairs), GAME_FEATURES)
        if spec.games:
            duels = [spec.duel_spec(i, j, spec.games) for i, j in spec.pairs]
            self.over_games = Matches(duels, opponents, workers, chunk, counter)
        self.phase = Phase.BOARDS
        self.first_look: Ratings | None = None
        self.first_heads: Heads | None = None

    def play(self) -> None:
        """Play all that was asked for, boards first."""
        for first, size in rounds(self.spec.boards):
            found = self.on_boards.play_round(first, size)
            self.boards.add_common(found)
            self.signs.add_common(found[..., VALUE])
        if self.spec.until_separated:
            self.phase = Phase.SEPARATING
            self._separate()
        if self.over_games is not None:
            self.phase = Phase.GAMES
            for first, size in rounds(self.over_games.specs[0].units):
                self.games.add_common(self.over_games.play_round(first, size))

    def ratings(self) -> Ratings:
        """The ratings by boards as they are now."""
        found = least_squares(len(self.spec.players), self.spec.pairs, self.boards, self.spec.anchor_number)
        return replace(found, first_look=self.first_look, signs=self.signs)

    def heads(self) -> Heads:
        """What each match says for itself."""
        return replace(heads(self.boards), first_look=self.first_heads, signs=self.signs)

    def _separate(self) -> None:
        """Give blocks of fresh boards to the match that helps the least certain question most."""
        aim = self.spec.aim
        self.first_look, self.first_heads = self.ratings(), self.heads()
        for block in count(self.spec.boards, aim.block):
            match = next_match(self.spec.pairs, self.boards, self.ratings(), aim)
            if match is None:
                return
            wanted = aim.size(int(self.boards.units[match]))
            self.counter.all += wanted
            for first, size in stretches(block, wanted):
                found = self.on_boards.play_one(match, first, size)
                self.boards.add_extra(match, found)
                self.signs.add_extra(match, found[:, VALUE])

    def played(self, broken_off: Phase | None) -> Played:
        """What the result is made of."""
        return Played(
            sides=tuple(self.sides),
            ratings=self.ratings(),
            heads=self.heads(),
            boards=self.boards,
            board_tallies=self.on_boards.tallies,
            games=self.games if self.games.n_common else None,
            game_tallies=self.over_games.tallies if self.over_games else [],
            seconds=self.counter.seconds,
            broken_off=broken_off,
        )
