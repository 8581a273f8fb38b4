"""What a tournament measured: one frozen object, the same as JSON and as tables."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from spadesim.match.scale import Scale
from spadesim.match.told import Told
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.match.tournament import TournamentSpec


@dataclass(frozen=True)
class Standing:
    """A player's place.

    Parameters
    ----------
    player, name : str
        The text that was asked for, and what the player is called in tables.
    rating : Estimate
        What it gains on a board, beside the anchor or the mean of all; all players' intervals hold together
        in 95 of 100 tournaments.
    alone : Estimate
        The same with the narrower interval of this player for itself.
    groups : str
        Letters of the groups that it belongs to; two players with a letter in common are not separated.
    elo : Estimate or None
        Its strength by whole games, with a joint interval.
    """

    player: str
    name: str
    rating: Estimate
    alone: Estimate
    groups: str
    elo: Estimate | None


@dataclass(frozen=True)
class Head:
    """One match: what two players came to against each other.

    Parameters
    ----------
    a, b : str
        Names.
    boards : int
    value : Estimate
        What a gained on a board, with the interval of this match for itself.
    expected : float
        The difference of their ratings, which is made of all matches.
    fits : bool
        Whether the value and the difference of the ratings are as close as luck lets them be. Where they are
        not, one number a player is too little to tell this match.
    clear : bool
        Whether the sign is sure, all such statements of the tournament together.
    differing : int
        Boards on which the value was not 0.
    identical : int
        Boards of which all rooms went alike, card by card.
    games : int
    won : Estimate or None
        A's share of the finished games, a draw as half a win.
    fingerprint : str
        Of the boards.
    command : str
        The command line that plays these boards as a duel.
    """

    a: str
    b: str
    boards: int
    value: Estimate
    expected: float
    fits: bool
    clear: bool
    differing: int
    identical: int
    games: int
    won: Estimate | None
    fingerprint: str
    command: str


@dataclass(frozen=True)
class Few:
    """Two players between whom so few boards make a difference that the exact sign test has a say.

    Parameters
    ----------
    a, b : str
        Names, the one with the higher rating first.
    ahead, behind : int
        Boards that speak for a against b, and the other way round: by what they add to the difference of the
        ratings, see `spadesim.stats.signs.Signs`.
    """

    a: str
    b: str
    ahead: int
    behind: int


@dataclass(frozen=True, eq=False, repr=False)
class TournamentResult(Told):
    """What a tournament measured; the fields are those of the JSON object.

    Parameters
    ----------
    players : tuple of Standing
        The best first.
    heads : tuple of Head
        The matches.
    unit : str
        Of ratings and of the matches' values, which are divided by `scale.written` when shown.
    superiority : tuple of tuples of float
        How sure it is that the row's rating is above the column's: 1 minus the one-sided p value, each pair
        for itself; rows and columns as `players`.
    groups : tuple of tuples of str
        The largest sets of players of whom no two are separated.
    few : tuple of Few
        Pairs between whom fewer than 100 boards make a difference. Of these nothing is called sure, neither
        here nor in `superiority`, that is not so by the exact sign test as well.
    open : tuple of (str, str)
        Neighbours in the ranking that are neither separated nor surely within the indifference zone.
    circles : tuple of (str, str, str)
        The first surely beats the second, the second the third, the third the first.
    clear_triads : int
        How many triples have three sure results and so could be a circle.
    games_agree, games_oppose : tuple of (str, str)
        Pairs that both boards and games separate, in the same order and in opposite ones, the better by
        boards first.
    draw : float or None
        Davidson's parameter of draws.
    boards, requested : int
        Boards that all matches have in common, and those asked for.
    games : int
        Games of each match.
    partial : bool
        Whether Ctrl-C ended it.
    hands : int
    rules : str
    seed : int
    verdict : str
        One sentence.
    seconds, hands_per_second : float
    command : str
        The command line that repeats the tournament.
    version, rng : str
    scale : Scale
        How values are shown; not in the JSON object.
    spec : TournamentSpec
        Not in the JSON object.
    """

    players: tuple[Standing, ...]
    heads: tuple[Head, ...]
    unit: str
    superiority: tuple[tuple[float, ...], ...]
    groups: tuple[tuple[str, ...], ...]
    few: tuple[Few, ...]
    open: tuple[tuple[str, str], ...]
    circles: tuple[tuple[str, str, str], ...]
    clear_triads: int
    games_agree: tuple[tuple[str, str], ...]
    games_oppose: tuple[tuple[str, str], ...]
    draw: float | None
    boards: int
    requested: int
    games: int
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
    spec: "TournamentSpec" = field(repr=False)

    def head(self, a: str, b: str) -> Head | None:
        """The match of two names, seen from the first; None when they did not meet."""
        for head in self.heads:
            if (head.a, head.b) == (a, b):
                return head
            if (head.a, head.b) == (b, a):
                return turned(head)
        return None

    def to_frame(self) -> "pd.DataFrame":
        """A row a player, the best first.

        Returns
        -------
        DataFrame
            Columns rank, name, player, rating, low, high (joint interval), alone_low, alone_high, groups,
            elo, elo_low, elo_high; the last three are NaN without games.
        """
        import pandas as pd

        nothing = Estimate(float("nan"), float("nan"), float("nan"))
        rows = []
        for rank, one in enumerate(self.players, 1):
            rating, elo = one.rating, one.elo or nothing
            rows.append({
                "rank": rank, "name": one.name, "player": one.player, "rating": rating.mean,
                "low": rating.low, "high": rating.high, "alone_low": one.alone.low,
                "alone_high": one.alone.high, "groups": one.groups, "elo": elo.mean, "elo_low": elo.low,
                "elo_high": elo.high,
            })  # fmt: skip
        return pd.DataFrame(rows)


def turned(head: Head) -> Head:
    """A match seen from the other side."""
    won = head.won.complement() if head.won else None
    turned_value = head.value.scaled(-1)
    return replace(head, a=head.b, b=head.a, value=turned_value, expected=-head.expected, won=won)
