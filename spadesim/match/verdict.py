"""The verdict: one plain sentence on who is better, by how much, and how sure that is."""

import math
from dataclasses import dataclass

from spadesim.core.batch import HAND_CAP
from spadesim.match.decision import Decision
from spadesim.match.decision import sentence as sentence_of
from spadesim.match.spec import DuelSpec, in_words
from spadesim.stats.exact import FEW_DIFFERENT, sign_test
from spadesim.stats.games import GameStats, pairs_to_decide
from spadesim.stats.intervals import LEVEL, Estimate

FEW = 30
MANY = 10**9
MAX_DIGITS = 4
LUCK = "which may be luck"


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
    chance : Estimate or None
        The change of A's chance to win a board; None for games, and without a table of win chances.
    by_chance : tuple of 3 int
        Boards on which that chance fell, stayed, and rose.
    decision : Decision or None
        What the rule that may end the duel has come to; None without one.
    """

    a: str
    b: str
    is_mirror: bool
    units: int
    identical: int
    games: GameStats
    points: Estimate | None
    is_partial: bool
    chance: Estimate | None = None
    by_chance: tuple[int, ...] = (0, 0, 0)
    decision: Decision | None = None


def verdict(spec: DuelSpec, found: Findings) -> str:
    """One sentence on the duel as it stands."""
    sentence = _by_rule(spec, found) or _sentence(spec, found)
    if not found.is_partial:
        return sentence
    unit, factor = ("boards", 1) if found.points else ("games", spec.n_rooms)
    return f"Partial, after {found.units * factor:,} of {spec.units * factor:,} {unit}: {sentence}"


def _by_rule(spec: DuelSpec, found: Findings) -> str:
    """What the rule that may end the duel says; "" without one, and where something else is to be said."""
    is_open = found.games.is_decidable or found.points is not None
    if found.decision is None or found.identical == found.units or not is_open:
        return ""
    played, budget = spec.some_units(found.units), spec.some_units(spec.units)
    return sentence_of(found.decision, found.a, found.b, played, budget)


def _sentence(spec: DuelSpec, found: Findings) -> str:
    if not found.points:
        return _on_games(spec, found)
    if found.identical == found.units:
        return _no_difference(spec, found)
    return _on_points(spec, found) if found.chance is None else _on_chance(spec, found, found.chance)


def _on_chance(spec: DuelSpec, found: Findings, chance: Estimate) -> str:
    """What boards say about the chance to win the game."""
    behind, _, ahead = found.by_chance
    boards, start = spec.some_units(found.units), "" if spec.draws_start else f" from {_start(spec)}"
    if ahead + behind == 0:
        return (
            f"No difference in the chance to win between {found.a} and {found.b} on any of {boards}{start}."
        )
    a_leads = chance.mean > 0 or (chance.mean == 0 and ahead >= behind)
    gain = chance if a_leads else chance.scaled(-1)
    winner, loser = (found.a, found.b) if a_leads else (found.b, found.a)
    digits = _places(gain)
    low, high = (f"{100 * end:.{digits}f}" for end in (gain.low, gain.high))
    said = (
        f"its chance to win the game grew by {100 * gain.mean:.{digits}f} percentage points a board ({boards}"
        f"{start}, 95 % interval {low} to {high})"
    )
    where = " there" if start else ""
    if ahead + behind < FEW_DIFFERENT:
        won, lost = (ahead, behind) if a_leads else (behind, ahead)
        return _on_few(f"{winner} is better than {loser}{where}", (winner, loser), said, gain, won, lost)
    if gain.low > 0:
        return f"{winner} is better than {loser}{where}: {said}."
    needed = _needed_boards(gain, found.units)
    return f"Undecided: {winner} is ahead of {loser}, {said}, which holds 0; {needed}."


def _on_few(better: str, sides: tuple[str, str], said: str, gain: Estimate, won: int, lost: int) -> str:
    """What few boards that differ say by their number, which decides, and by their mean.

    Parameters
    ----------
    better : str
        The claim, should it hold.
    sides : tuple of 2 str
        Who is ahead by the mean, and who is behind.
    said : str
        What the mean says.
    gain : Estimate
        The mean, not below 0.
    won, lost : int
        Boards that went for who is ahead by the mean, and against it.
    """
    is_sure = sign_test(won, lost).p_value < 1 - LEVEL
    ahead, behind = sides
    count = f"only {won + lost:,} of them differed, {won:,} for it and {lost:,} against it"
    if lost > won or gain.mean == 0:
        place, luck = "ahead" if gain.mean else "level", "no mere luck" if is_sure else LUCK
        return (
            f"Undecided between {ahead} and {behind}, for mean and number of boards disagree: by the mean "
            f"{ahead} is {place}, {said}; but {count}, {luck}."
        )
    if is_sure:
        holds = "" if gain.low > 0 else ", no mere luck though so rough an interval holds 0"
        return f"{better}: {said}; {count}{holds}."
    rough = ", though so rough an interval leaves out 0" if gain.low > 0 else ""
    return f"Undecided: {ahead} is ahead of {behind}, {said}; {count}, {LUCK}{rough}."


def _needed_boards(gain: Estimate, boards: int) -> str:
    if boards < FEW:
        return "so few boards show large differences only"
    wanted = pairs_to_decide(gain, boards, 0.0)
    if wanted is None or wanted > MANY:
        return "a difference as small as this would need more than a billion boards"
    return f"a true difference of this size would need about {_rounded(wanted)} boards to show"


def _places(gain: Estimate) -> int:
    """Decimals of percentage points that show the half width of an interval with two digits."""
    half = 50 * (gain.high - gain.low)
    return 1 if half <= 0 else max(1, min(1 - math.floor(math.log10(half)), MAX_DIGITS))


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
        return f"{reason}; {_way_out(spec)}."
    low, high = games.worst_case
    bounds = _ends(Estimate(low, low, high))
    return (
        f"{reason}, and with them {found.a}'s share of the wins could be anything from {bounds}; "
        f"{_way_out(spec)}."
    )


def _way_out(spec: DuelSpec) -> str:
    """What makes games end that were given up."""
    if spec.hand_cap < HAND_CAP:
        return f"a higher --hand-cap, such as {HAND_CAP}, lets them go on"
    floor = "floor=-200 or " if spec.rules.floor is None else ""
    return f"{floor}max_hands=50 in the rules ends them, and so do bots that reach the target"


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


def _on_points(spec: DuelSpec, found: Findings) -> str:
    """What boards say where no win chances are told."""
    assert found.points is not None
    boards = spec.some_units(found.units)
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
