"""What hands are worth, in words: the numbers of every worked example come from the engine's own scoring."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

import numpy as np

from spadesim.core.rules import Rules
from spadesim.core.scoring import DRAW, GOES_ON, SideScore, bags_after, game_over, score_side, side_total

MINUS = "−"


def points(number: int) -> str:
    """A number of points.

    >>> points(-100)
    '−100'
    """
    return f"{MINUS}{-number}" if number < 0 else str(number)


def plural(number: int, word: str) -> str:
    """A count and what is counted.

    >>> plural(1, "bag"), plural(2, "bag")
    ('1 bag', '2 bags')
    """
    return f"{points(number)} {word}{'' if number == 1 else 's'}"


def score_of(
    rules: Rules, bids: list[int], tricks: list[int], bags: int = 0, is_blind: bool = False
) -> SideScore:
    """What a hand brings the side whose seats made these bids and won these tricks.

    With everybody alone there is one bid and one number of tricks. With `is_blind`, nils are blind ones.
    """
    by_seat = np.zeros((3, 4), dtype=np.int64)
    blind = [int(is_blind and bid == 0) for bid in bids]
    by_seat[:, : rules.players : rules.n_sides] = bids, tricks, blind
    score: SideScore = score_side(rules.record(), by_seat[0], by_seat[1], by_seat[2], 0, bags)
    return score


def sum_of(score: SideScore) -> str:
    """The parts of a result and their total: ``40 + 1 − 100 = −59``."""
    parts = [part for part in (score.contract, score.over, score.nil, score.boston, score.penalty) if part]
    total = points(int(side_total(score)))
    if len(parts) < 2:
        return total
    text = points(parts[0])
    for part in parts[1:]:
        text += f" {MINUS if part < 0 else '+'} {abs(part)}"
    return f"{text} = {total}"


def result_of(rules: Rules, bids: list[int], tricks: list[int], bags: int = 0, is_blind: bool = False) -> str:
    """A worked example as a clause: what was bid and won, and what it is worth."""
    score = score_of(rules, bids, tricks, bags, is_blind)
    nil = "blind nil" if is_blind else "nil"
    named = [nil if bid == 0 else str(bid) for bid in bids]
    if len(bids) == 1:
        what = f"{named[0]} bid and {plural(tricks[0], 'trick')} won"
    else:
        what = f"{' and '.join(named)} bid, {' and '.join(map(str, tricks))} tricks won"
    return f"{what}: {sum_of(score)}"


def bags_result(rules: Rules, bids: list[int], tricks: list[int], bags: int) -> str:
    """The same with the bags before and after."""
    score = score_of(rules, bids, tricks, bags)
    after = int(bags_after(rules.record(), bags, score.bags))
    before = plural(bags, "bag")
    return f"with {before} before, {result_of(rules, bids, tricks, bags)}, and {plural(after, 'bag')} after"


def end_of(rules: Rules, scores: list[int], hands: int = 0, in_tiebreak: bool = False) -> str:
    """How a game stands at scores of the first sides, further ones having less: a clause."""
    further = [max(min(scores) - 50 * k, 0) for k in range(1, rules.n_sides - len(scores) + 1)]
    everybody = [*scores, *further]
    padded = np.zeros(4, dtype=np.int64)
    padded[: len(everybody)] = everybody
    result = int(game_over(rules.record(), padded, hands, int(in_tiebreak)))
    shown = " to ".join(map(points, everybody))
    if result == GOES_ON:
        return f"at {shown} the game goes on"
    if result == DRAW:
        return f"at {shown} it is a draw"
    who = "side" if rules.teams == "partners" else "player"
    return f"at {shown} the {who} with {points(everybody[result])} has won"
