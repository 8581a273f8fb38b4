"""The verdict: one plain sentence on who is better, by how much, and how sure that is."""

import math

from spadesim.core.batch import HAND_CAP
from spadesim.match.decision import sentence as sentence_of
from spadesim.match.findings import Findings, Lead
from spadesim.match.spec import DuelSpec, in_words
from spadesim.stats.anytime import LEAST_DIFFERENT
from spadesim.stats.games import pairs_to_decide
from spadesim.stats.intervals import Estimate

MANY = 10**9
MAX_DIGITS = 4
LUCK = "which may be luck"


def verdict(spec: DuelSpec, found: Findings) -> str:
    """One sentence on the duel as it stands."""
    sentence = _by_rule(spec, found) or _sentence(spec, found)
    if not found.is_partial:
        return sentence
    unit, factor = ("boards", 1) if found.points else ("games", spec.n_rooms)
    return f"Partial, after {found.units * factor:,} of {spec.units * factor:,} {unit}: {sentence}"


def _by_rule(spec: DuelSpec, found: Findings) -> str:
    """What the rule that may end the duel says; "" without one, and where something else is to be said."""
    if found.decision is None or found.identical == found.units or not found.is_open:
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
    boards, start = spec.some_units(found.units), "" if spec.draws_start else f" from {_start(spec)}"
    if found.differing == 0:
        return (
            f"No difference in the chance to win between {found.a} and {found.b} on any of {boards}{start}."
        )
    lead = found.lead
    assert lead is not None
    winner, loser = (found.a, found.b) if lead.is_a else (found.b, found.a)
    digits = _places(lead.gain)
    mean, low, high = (f"{100 * x:.{digits}f}" for x in (lead.gain.mean, lead.gain.low, lead.gain.high))
    said = (
        f"its chance to win the game grew by {mean} percentage points a board ({boards}{start}, "
        f"{found.interval} {low} to {high})"
    )
    claim = f"{winner} is better than {loser}{' there' if start else ''}"
    if lead.split.is_few:
        return _on_few(claim, (winner, loser), said, lead, "boards")
    if lead.is_sure:
        return f"{claim}: {said}."
    needed = _needed_boards(chance, found.units)
    return f"Undecided: {winner} is ahead of {loser}, {said}, which holds 0; {needed}."


def _on_few(claim: str, sides: tuple[str, str], said: str, lead: Lead, units: str) -> str:
    """What few units that differ say by their number, which decides, and by their mean.

    Parameters
    ----------
    claim : str
        Who is better, should it hold.
    sides : tuple of 2 str
        Who is ahead by the mean, and who is behind.
    said : str
        What the mean says.
    lead : Lead
    units : str
        What they are called.
    """
    ahead, behind = sides
    count = lead.split.text("them" if units == "boards" else f"{lead.split.units:,} {units}")
    if lead.is_disputed:
        place, luck = (
            "ahead" if lead.gain.mean else "level",
            "no mere luck" if lead.split.is_no_luck else LUCK,
        )
        return (
            f"Undecided between {ahead} and {behind}, for mean and number of {units} disagree: by the mean "
            f"{ahead} is {place}, {said}; but {count}, {luck}."
        )
    if lead.is_sure:
        holds = "" if lead.gain.low > 0 else ", no mere luck though so rough an interval holds 0"
        return f"{claim}: {said}; {count}{holds}."
    rough = ", though so rough an interval leaves out 0" if lead.gain.low > 0 else ""
    return f"Undecided: {ahead} is ahead of {behind}, {said}; {count}, {LUCK}{rough}."


def _needed_boards(gain: Estimate, boards: int) -> str:
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
    n, what = f"{games.games - games.unfinished:,}", spec.some_units(2).partition(" ")[2]
    if found.differing == 0:
        halves = f"{found.a} and {found.b} won half of {n} games each"
        return f"Undecided: {halves}, and none of {found.units:,} {what} went to either."
    lead = found.lead
    assert lead is not None
    won, (better, worse) = lead.gain.shifted(0.5), (found.a, found.b) if lead.is_a else (found.b, found.a)
    claim = f"{better} is better than {worse}"
    said = f"it won {_share(won)} of {n} games ({found.interval} {_ends(won)})"
    if lead.split.is_few:
        return _on_few(claim, (better, worse), said, lead, what)
    if lead.is_sure:
        return f"{claim}: {said}."
    shown = won if lead.is_a else won.complement()
    return (
        f"Undecided: {found.a} won {_share(shown)} of {n} games against {found.b}, and its {found.interval}, "
        f"{_ends(shown)}, holds 50 %; {_needed(rate, found.units, spec.n_rooms)}."
    )


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
    shown, start = found.at_any_look or found.points, _start(spec)
    boards, each = spec.some_units(found.units), "board" if spec.has_partners else "hand"
    if found.differing == 0:
        return f"No difference in points between {found.a} and {found.b} on any of {boards} from {start}."
    points = shown if shown.mean >= 0 else shown.scaled(-1)
    ahead, behind = (found.a, found.b) if shown.mean >= 0 else (found.b, found.a)
    said = (
        f"{ahead} scored {points.mean:.1f} points a {each} more than {behind} "
        f"({boards} from {start}, {found.interval} {points.low:.1f} to {points.high:.1f}"
    )
    is_few = found.differing < LEAST_DIFFERENT  # which way they went is not in a tally
    if is_few or points.low <= 0:
        why = f"only {found.differing:,} of them differed, too few to tell" if is_few else "which holds 0"
        said = f"Undecided in points: {said}, {why}"
    return f"{said}); but points from {start} are no measure of strength by themselves: whole games are."


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
