"""From the matches of a tournament to its result: ratings, groups, circles, and a sentence on who is best."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import spadesim
from spadesim.core.rng import RNG_NAME
from spadesim.core.tally import fingerprint_text
from spadesim.match.scale import Scale
from spadesim.match.spec import DuelSpec
from spadesim.match.standings import Few, Head, Standing, TournamentResult
from spadesim.match.stopping import value_scale
from spadesim.stats.common import MatchMoments
from spadesim.stats.davidson import Strengths, davidson
from spadesim.stats.extra import open_questions
from spadesim.stats.games import set_stats, win_rate
from spadesim.stats.intervals import Estimate
from spadesim.stats.matrix import clear_triads, cyclic_triads, groups
from spadesim.stats.ratings import DIFFERS, Heads, Ratings
from spadesim.strategy import Side
from spadesim.strategy.called import short_name

if TYPE_CHECKING:
    from spadesim.match.tournament import TournamentSpec

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Phase(Enum):
    """What a tournament is at: boards that all play, boards for the least certain pairs, whole games."""

    BOARDS = auto()
    SEPARATING = auto()
    GAMES = auto()


@dataclass(frozen=True)
class Played:
    """What was measured, before anything is made of it.

    Parameters
    ----------
    sides : tuple of Side
    ratings : Ratings
    heads : Heads
    boards : MatchMoments
    board_tallies : list of arrays of one TALLY record, one for each match
    games : MatchMoments or None
    game_tallies : list, likewise
    seconds : float
    broken_off : Phase or None
        What Ctrl-C ended it in.
    """

    sides: tuple[Side, ...]
    ratings: Ratings
    heads: Heads
    boards: MatchMoments
    board_tallies: Sequence[npt.NDArray[np.void]]
    games: MatchMoments | None
    game_tallies: Sequence[npt.NDArray[np.void]]
    seconds: float
    broken_off: Phase | None


def standings(spec: "TournamentSpec", played: Played) -> TournamentResult:
    """The result that a tournament's matches come to."""
    ratings, names = played.ratings, call(played.sides)
    order = np.argsort(-ratings.values, kind="stable").tolist()
    strengths = _strengths(spec, played)
    beats = played.heads.beats(len(names), spec.pairs)
    clear = beats | beats.T
    found = [
        tuple(names[order[k]] for k in group) for group in groups(ratings.separated()[np.ix_(order, order)])
    ]
    agree, oppose = _compared(ratings, strengths, names)
    scale = value_scale(spec.duel_spec(0, 1))
    tallies = [tally[0] for tally in (*played.board_tallies, *played.game_tallies)]
    hands = sum(int(tally["hands"]) for tally in tallies)
    games = played.games.n_common * spec.duel_spec(0, 1).n_rooms if played.games else 0
    return TournamentResult(
        players=tuple(_standing(spec, names, ratings, strengths, found, k) for k in order),
        heads=tuple(
            _head(spec, names, played, match, bool(clear[pair])) for match, pair in enumerate(spec.pairs)
        ),
        unit=scale.unit,
        superiority=tuple(map(tuple, ratings.superiority()[np.ix_(order, order)].tolist())),
        groups=tuple(found),
        few=_few(ratings, names, order),
        open=tuple((names[i], names[j]) for i, j in open_questions(ratings, spec.aim.indifference)),
        circles=tuple((names[i], names[j], names[k]) for i, j, k in cyclic_triads(beats)),
        clear_triads=clear_triads(beats),
        games_agree=agree,
        games_oppose=oppose,
        draw=strengths.draw if strengths else None,
        boards=played.boards.n_common,
        requested=spec.boards,
        games=games,
        partial=played.broken_off is not None,
        hands=hands,
        rules=str(spec.rules),
        seed=spec.seed,
        verdict=verdict(spec, played, names, scale, games),
        seconds=played.seconds,
        hands_per_second=hands / played.seconds,
        command=spec.command(),
        version=spadesim.__version__,
        rng=RNG_NAME,
        scale=scale,
        spec=spec,
    )


def call(sides: Sequence[Side]) -> list[str]:
    """What players are called: short names where these tell them apart, or as they were asked for."""
    short, asked = [side.name for side in sides], [short_name(side.asked) for side in sides]
    apart = [own if asked.count(own) == 1 else str(side) for own, side in zip(asked, sides, strict=True)]
    return [name if short.count(name) == 1 else own for name, own in zip(short, apart, strict=True)]


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


def _head(spec: "TournamentSpec", names: Sequence[str], played: Played, match: int, is_clear: bool) -> Head:
    i, j = spec.pairs[match]
    value, expected = played.heads.alone()[match], float(played.ratings.differences[i, j])
    tally = played.board_tallies[match][0]
    duel = spec.duel_spec(i, j)
    return Head(
        a=names[i],
        b=names[j],
        boards=int(tally["units"]),
        value=value,
        expected=expected,
        fits=bool(abs(value.mean - expected) <= played.heads.margins()[match]),
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


def _few(ratings: Ratings, names: Sequence[str], order: Sequence[int]) -> tuple[Few, ...]:
    """The pairs of players between whom few boards make a difference, the better one first."""
    if ratings.signs is None:
        return ()
    ahead, few = ratings.signs.ahead, ratings.signs.few()
    return tuple(
        Few(names[i], names[j], int(ahead[i, j]), int(ahead[j, i]))
        for i, j in combinations(order, 2)
        if few[i, j]
    )


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


def verdict(spec: "TournamentSpec", played: Played, names: Sequence[str], scale: Scale, games: int) -> str:
    """One sentence on who is best."""
    units = played.boards.units
    sentence = _sentence(played.ratings, names, scale, (int(units.min()), int(units.max())))
    if played.broken_off is None:
        return sentence
    when = {
        Phase.BOARDS: f"after {played.boards.n_common:,} of {spec.boards:,} boards a pair",
        Phase.SEPARATING: "before the ranking was sure enough",
        Phase.GAMES: f"after {games:,} of {spec.games:,} games a pair",
    }[played.broken_off]
    return f"Partial, {when}: {sentence}"


def _sentence(ratings: Ratings, names: Sequence[str], scale: Scale, boards: tuple[int, int]) -> str:
    length = f"{boards[0]:,}" + (f" to {boards[1]:,}" if boards[0] < boards[1] else "")
    length += " board a pair" if boards[1] == 1 else " boards a pair"
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
    shown = scale.shown(Estimate(lead, lead - margin, lead + margin))
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
