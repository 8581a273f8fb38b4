"""What a tournament came to: one frozen object, the same as JSON and as tables."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import spadesim
from spadesim.core.rng import RNG_NAME
from spadesim.core.tally import fingerprint_text
from spadesim.match.scale import Scale, scale_of
from spadesim.match.spec import DuelSpec
from spadesim.stats.common import Moments
from spadesim.stats.davidson import Strengths, davidson
from spadesim.stats.extra import open_questions
from spadesim.stats.games import set_stats, win_rate
from spadesim.stats.intervals import Estimate, t_quantile
from spadesim.stats.matrix import clear_triads, cyclic_triads, groups
from spadesim.stats.ratings import DIFFERS, Heads, Ratings, heads
from spadesim.strategy import Side

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.match.tournament import TournamentSpec

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Played:
    """What was measured, before anything is made of it.

    Parameters
    ----------
    sides : tuple of Side
    ratings : Ratings
    boards : Moments
    board_tallies : list of arrays of one TALLY record, one for each match
    games : Moments or None
    game_tallies : list, likewise
    seconds : float
    is_partial : bool
    """

    sides: tuple[Side, ...]
    ratings: Ratings
    boards: Moments
    board_tallies: Sequence[npt.NDArray[np.void]]
    games: Moments | None
    game_tallies: Sequence[npt.NDArray[np.void]]
    seconds: float
    is_partial: bool


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
        The same with the narrower interval of this player for itself, for a length fixed beforehand.
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
    clear: bool
    differing: int
    identical: int
    games: int
    won: Estimate | None
    fingerprint: str
    command: str


@dataclass(frozen=True, eq=False)
class TournamentResult:
    """What a tournament measured; the fields are those of the JSON object.

    Parameters
    ----------
    players : tuple of Standing
        The best first.
    heads : tuple of Head
        The matches.
    unit : str
        Of ratings and of the matches' values, which are `scale.factor` times as large when shown.
    superiority : tuple of tuples of float
        How sure it is that the row's rating is above the column's, 0 to 1; rows and columns as `players`.
    groups : tuple of tuples of str
        The largest sets of players of whom no two are separated.
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

    def __str__(self) -> str:
        return f"{self.verdict}\nAgain: {self.command}"

    def head(self, a: str, b: str) -> Head | None:
        """The match of two names, seen from the first; None when they did not meet."""
        for head in self.heads:
            if (head.a, head.b) == (a, b):
                return head
            if (head.a, head.b) == (b, a):
                return turned(head)
        return None

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON object, as Python values."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        del values["scale"], values["spec"]
        for name in ("players", "heads"):
            values[name] = [asdict(one) for one in values[name]]
        return values

    def to_json(self, indent: int | None = 2) -> str:
        """The documented JSON object, strict: no NaN, and null for what does not apply."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

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
    values = asdict(head) | {"a": head.b, "b": head.a, "value": head.value.scaled(-1), "won": won}
    return Head(**values)


def standings(spec: "TournamentSpec", played: Played) -> TournamentResult:
    """The result that a tournament's matches come to."""
    ratings, names = played.ratings, call(played.sides)
    order = np.argsort(-ratings.values, kind="stable").tolist()
    strengths = _strengths(spec, played)
    own = heads(played.boards)
    beats = own.beats(len(names), spec.pairs)
    clear = beats | beats.T
    found = [
        tuple(names[order[k]] for k in group) for group in groups(ratings.separated()[np.ix_(order, order)])
    ]
    agree, oppose = _compared(ratings, strengths, names)
    scale = scale_of(spec.duel_spec(0, 1))
    tallies = [tally[0] for tally in (*played.board_tallies, *played.game_tallies)]
    hands = sum(int(tally["hands"]) for tally in tallies)
    units = played.boards.units
    return TournamentResult(
        players=tuple(_standing(spec, names, ratings, strengths, found, k) for k in order),
        heads=tuple(
            _head(spec, names, played, own, match, bool(clear[pair])) for match, pair in enumerate(spec.pairs)
        ),
        unit=scale.unit,
        superiority=tuple(map(tuple, ratings.superiority()[np.ix_(order, order)].tolist())),
        groups=tuple(found),
        open=tuple((names[i], names[j]) for i, j in open_questions(ratings, spec.aim.indifference)),
        circles=tuple((names[i], names[j], names[k]) for i, j, k in cyclic_triads(beats)),
        clear_triads=clear_triads(beats),
        games_agree=agree,
        games_oppose=oppose,
        draw=strengths.draw if strengths else None,
        boards=played.boards.n_common,
        requested=spec.boards,
        games=played.games.n_common * spec.duel_spec(0, 1).n_rooms if played.games else 0,
        partial=played.is_partial,
        hands=hands,
        rules=str(spec.rules),
        seed=spec.seed,
        verdict=verdict(spec, ratings, names, scale, (int(units.min()), int(units.max())), played.is_partial),
        seconds=played.seconds,
        hands_per_second=hands / played.seconds,
        command=spec.command(),
        version=spadesim.__version__,
        rng=RNG_NAME,
        scale=scale,
        spec=spec,
    )


def call(sides: Sequence[Side]) -> list[str]:
    """What players are called: short names where these tell them apart."""
    short = [side.name for side in sides]
    return [name if short.count(name) == 1 else str(side) for name, side in zip(short, sides, strict=True)]


def _strengths(spec: "TournamentSpec", played: Played) -> Strengths | None:
    if played.games is None or played.games.n_common < 2:
        return None
    n_rooms = spec.duel_spec(0, 1).n_rooms
    return davidson(len(spec.players), spec.pairs, played.games, n_rooms, spec.anchor_number)


def _standing(
    spec: "TournamentSpec",
    names: Sequence[str],
    ratings: Ratings,
    strengths: Strengths | None,
    found: Sequence[Sequence[str]],
    k: int,
) -> Standing:
    letters = [_letter(number) for number, group in enumerate(found) if names[k] in group]
    return Standing(
        player=spec.players[k],
        name=names[k],
        rating=ratings.joint()[k],
        alone=ratings.alone()[k],
        groups=" ".join(letters) if len(found) > len(LETTERS) else "".join(letters),
        elo=strengths.elo.joint()[k] if strengths else None,
    )


def _letter(number: int) -> str:
    """Letters in order, then aa, ab and so on.

    >>> _letter(0), _letter(27)
    ('a', 'ab')
    """
    tens, ones = divmod(number, len(LETTERS))
    return (LETTERS[tens - 1] if tens else "") + LETTERS[ones]


def _head(
    spec: "TournamentSpec", names: Sequence[str], played: Played, own: Heads, match: int, is_clear: bool
) -> Head:
    i, j = spec.pairs[match]
    mean, error = float(own.means[match]), float(own.errors[match])
    half = t_quantile(own.df) * error
    tally = played.board_tallies[match][0]
    duel = spec.duel_spec(i, j)
    return Head(
        a=names[i],
        b=names[j],
        boards=int(tally["units"]),
        value=Estimate(mean, mean - half, mean + half),
        clear=is_clear,
        differing=round(played.boards.means[match, DIFFERS] * played.boards.units[match]),
        identical=int(tally["identical"]),
        games=int(played.game_tallies[match][0]["games"]) if played.game_tallies else 0,
        won=_won(duel, played.game_tallies[match][0]) if played.game_tallies else None,
        fingerprint=fingerprint_text(tally),
        command=duel.command(),
    )


def _won(duel: DuelSpec, tally: Any) -> Estimate | None:
    if duel.n_rooms == 2:
        return win_rate(tally["outcomes"].tolist())
    return set_stats(tally["shares"].tolist(), tally["room_results"][: duel.n_rooms].tolist()).win_rate


Names = tuple[tuple[str, str], ...]


def _compared(ratings: Ratings, strengths: Strengths | None, names: Sequence[str]) -> tuple[Names, Names]:
    """Pairs that boards and games both separate, in the same order and in opposite ones."""
    if strengths is None:
        return (), ()
    both = ratings.separated() & strengths.elo.separated() & (ratings.differences > 0)
    same = strengths.elo.differences > 0
    agree, oppose = (
        tuple((names[i], names[j]) for i, j in np.argwhere(both & which).tolist()) for which in (same, ~same)
    )
    return agree, oppose


def verdict(
    spec: "TournamentSpec",
    ratings: Ratings,
    names: Sequence[str],
    scale: Scale,
    boards: tuple[int, int],
    is_partial: bool,
) -> str:
    """One sentence on who is best."""
    sentence = _sentence(ratings, names, scale, boards)
    if not is_partial:
        return sentence
    return f"Partial, after {boards[0]:,} of {spec.boards:,} boards a pair: {sentence}"


def _sentence(ratings: Ratings, names: Sequence[str], scale: Scale, boards: tuple[int, int]) -> str:
    length = f"{boards[0]:,}" + (f" to {boards[1]:,}" if boards[0] < boards[1] else "") + " boards a pair"
    if not ratings.errors.any() and not ratings.values.any():
        return f"No difference between {_listed(names)} on any of {boards[0]:,} boards."
    best, *rest = np.argsort(-ratings.values, kind="stable").tolist()
    level = [names[k] for k in rest if not ratings.separated()[best, k]]
    if level:
        return (
            f"Undecided who is best: {names[best]} is ahead, but not separated from {_listed(level)} "
            f"after {length}."
        )
    next_one, margin = rest[0], float(ratings.margins()[best, rest[0]])
    lead = float(ratings.differences[best, next_one])
    shown = scale.text(Estimate(lead, lead - margin, lead + margin))
    return (
        f"{names[best]} is the best of {len(names)}: {shown[0]} {scale.unit} ahead of {names[next_one]}, "
        f"the next (joint 95 % interval {shown[1]}; {length})."
    )


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
