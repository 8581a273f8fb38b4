"""The bots of two sides as the engine takes them, and whether the sides can differ in their bids only."""

import numpy as np

from spadesim.core.batch import Lineup
from spadesim.core.rules import Rules
from spadesim.core.weakness import CHANGES_BIDS_ONLY
from spadesim.strategy.compiled import BY_PHASE, FUNCTIONS
from spadesim.strategy.load import Side, Strategy, asked_before, check_side


def lineup(side_a: Side, side_b: Side, rules: Rules | None = None) -> Lineup:
    """The four bots of a duel as the engine takes them: A's lower and higher seat, then B's.

    Parameters
    ----------
    side_a, side_b : Side
    rules : Rules, optional
        The table, which may ask for more functions than `bid` and `play`.

    Raises
    ------
    UserError
        A bot lacks a function that the table asks for, or a side of two bots is to play alone.
    """
    bots = (side_a.lower, side_a.higher, side_b.lower, side_b.higher)
    if rules is not None:
        for side in (side_a, side_b):
            check_side(side, rules)
    rows = [bot.rows for bot in bots]
    params = np.zeros((2, 4, max(1, *(own.shape[1] for own in rows))))
    for role, own in enumerate(rows):
        params[:, role, : own.shape[1]] = own
    asked = asked_before(rules) if rules is not None else {}
    functions = {
        name: tuple(bot.functions[name] if name in (*FUNCTIONS, *asked) else None for bot in bots)
        for name in BY_PHASE
    }
    bids, plays, keeps, blinds, exchanges = functions.values()
    weaknesses = np.stack([bot.weaknesses for bot in bots])
    return Lineup(
        bids,
        plays,
        params,
        keeps,
        blinds,
        exchanges,
        differ_in_bids(side_a, side_b),
        weaknesses,
        (after_bids(side_a), after_bids(side_b)),
    )


def differ_in_bids(side_a: Side, side_b: Side) -> bool:
    """Whether both sides are variants of the same bots that can differ in their bids only.

    What they do after the bidding is then the same function of the same parameters.
    """
    pairs = ((side_a.lower, side_b.lower), (side_a.higher, side_b.higher))
    differs = [_bids_by(a) != _bids_by(b) or not np.array_equal(a.weaknesses, b.weaknesses) for a, b in pairs]
    return after_bids(side_a) == after_bids(side_b) and any(differs)


def _bids_by(bot: Strategy) -> tuple[object, ...]:
    """What makes a bot's bids, but for its weaknesses: a file and its numbers."""
    by = bot.bidder or bot
    return (by.own_digest, *by.values.tolist())


def after_bids(side: Side) -> tuple[object, ...]:
    """What a side's bots are at every decision after the bidding: equal for sides that then do the same."""
    return tuple(
        (bot.own_digest, *_row_after(bot), *np.delete(bot.weaknesses, CHANGES_BIDS_ONLY).tolist())
        for bot in (side.lower, side.higher)
    )


def _row_after(bot: Strategy) -> list[float]:
    """The parameters with which a bot does everything but bid."""
    row: list[float] = bot.parameters.rows(bot.values)[1].tolist()
    return row
