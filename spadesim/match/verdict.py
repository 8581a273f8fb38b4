"""The verdict: one plain sentence on who is better, by how much, and how sure that is."""

from dataclasses import dataclass

from spadesim.match.spec import DuelSpec, in_words
from spadesim.stats.games import GameStats, pairs_to_decide
from spadesim.stats.intervals import Estimate

FEW = 30
MANY = 10**9
MAX_DIGITS = 4


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
    """

    a: str
    b: str
    is_mirror: bool
    units: int
    identical: int
    games: GameStats
    points: Estimate | None
    is_partial: bool


def verdict(spec: DuelSpec, found: Findings) -> str:
    """One sentence on the duel as it stands."""
    sentence = _on_boards(spec, found) if found.points else _on_games(spec, found)
    if not found.is_partial:
        return sentence
    unit, factor = ("boards", 1) if found.points else ("games", spec.n_rooms)
    return f"Partial, after {found.units * factor:,} of {spec.units * factor:,} {unit}: {sentence}"


def _on_games(spec: DuelSpec, found: Findings) -> str:
    games, rate = found.games, found.games.win_rate
    if rate is None or not games.is_decidable:
        return _no_verdict(spec, found)
    if found.identical == found.units:
        return _no_difference(spec, found)
    n = f"{games.games - games.unfinished:,}"
    if rate.low <= 0.5 <= rate.high:
        return (
            f"Undecided: {found.a} won {_share(rate)} of {n} games against {found.b}, and its 95 % interval, "
            f"{_ends(rate)}, holds 50 %; {_needed(rate, found.units, spec.n_rooms)}."
        )
    better, worse, won = (
        (found.a, found.b, rate) if rate.mean > 0.5 else (found.b, found.a, rate.complement())
    )
    return f"{better} is better than {worse}: it won {_share(won)} of {n} games (95 % interval {_ends(won)})."


def _no_verdict(spec: DuelSpec, found: Findings) -> str:
    games = found.games
    reason = (
        f"No verdict: {games.unfinished:,} of {games.games:,} games were unfinished after "
        f"{spec.hand_cap:,} hands"
    )
    if games.win_rate is None or games.worst_case is None:
        return f"{reason}."
    low, high = games.worst_case
    bounds = _ends(Estimate(low, low, high))
    return f"{reason}, and with them {found.a}'s share of the wins could be anything from {bounds}."


def _no_difference(spec: DuelSpec, found: Findings) -> str:
    units = spec.some_units(found.units)
    if found.is_mirror:
        return f"No difference on any of {units}, as it must be: {found.a} plays against itself."
    return (
        f"No difference between {found.a} and {found.b} on any of {units}: "
        f"{'both' if spec.n_rooms == 2 else f'all {in_words(spec.n_rooms)}'} rooms went alike, card by card."
    )


def _needed(rate: Estimate, pairs: int, n_rooms: int) -> str:
    wanted = pairs_to_decide(rate, pairs)
    if pairs < FEW:
        return "so few games show large differences only"
    if wanted is None:
        return "both won exactly half, so no number of games would confirm this as a difference"
    if n_rooms * wanted > MANY:
        return "a difference as small as this would need more than a billion games"
    return f"a true difference of this size would need about {_rounded(n_rooms * wanted)} games to show"


def _rounded(number: float) -> str:
    """A count to two digits.

    >>> _rounded(183_421), _rounded(7)
    ('180,000', '7')
    """
    return f"{int(float(f'{number:.2g}')):,}"


def _on_boards(spec: DuelSpec, found: Findings) -> str:
    assert found.points is not None
    boards = spec.some_units(found.units)
    if found.identical == found.units:
        return _no_difference(spec, found)
    points = found.points if found.points.mean >= 0 else found.points.scaled(-1)
    ahead, behind = (found.a, found.b) if found.points.mean >= 0 else (found.b, found.a)
    start, each = _start(spec), "board" if spec.has_partners else "hand"
    interval = f"95 % interval {points.low:.1f} to {points.high:.1f}"
    lead = (
        f"{ahead} scored {points.mean:.1f} points a {each} more than {behind} "
        f"({boards} from {start}, {interval}"
    )
    lead = f"{lead})" if points.low > 0 else f"Undecided in points: {lead}, which holds 0)"
    return f"{lead}; but points from {start} are no measure of strength by themselves: whole games are."


def _start(spec: DuelSpec) -> str:
    """How the boards stood before their hand: ``0-0``, ``400 against 350``."""
    scores = spec.scores or (0,) * spec.rules.n_sides
    if not any(scores):
        return "-".join("0" * len(scores))
    if len(scores) == 2:
        return "{} against {}".format(*scores)
    return ", ".join(map(str, scores[:-1])) + f" and {scores[-1]}"


def _digits(rate: Estimate) -> int:
    """Decimals of a percentage that its interval can bear."""
    width = rate.high - rate.low
    return 1 if width >= 0.002 else 2 if width >= 0.0002 else 3


def _share(rate: Estimate) -> str:
    """A percentage, with as many decimals as show that it is not quite 50 %."""
    digits = _digits(rate)
    while rate.mean != 0.5 and digits < MAX_DIGITS and round(100 * rate.mean, digits) == 50:
        digits += 1
    return f"{100 * rate.mean:.{digits}f} %"


def _ends(rate: Estimate) -> str:
    digits = _digits(rate)
    return f"{100 * rate.low:.{digits}f} to {100 * rate.high:.{digits}f} %"
