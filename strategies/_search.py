"""Looking ahead: choices tried in sampled worlds, each played out by a model, and which comes out best."""

import numpy as np

from spadesim.core.cards import lowest, popcount, suit_mask
from spadesim.core.model import play_out
from spadesim.core.position import POSITION, apply
from spadesim.core.redeal import plan_deals
from spadesim.core.solve_work import WORK
from spadesim.core.view import VIEW
from spadesim.core.worlds import N_KEPT, N_WORLD_TABLES, WORLD, draw_world, lay_out_worlds, weigh_keeping
from spadesim.strategies._ending import MEMO, begin_ending, solve_choices
from spadesim.strategies._worth import BEHIND, worth
from spadesim.strategy import jit

PLAYED = N_WORLD_TABLES
JUDGING, WATCHING = range(2)  # sights: of the model that judges worlds, and of the one that plays them out
FIRST_LOOK = 4  # worlds after which choices that fall behind are first dropped
TINY = 1e-9


@jit
def try_out(view, handle, how, choices, at_prior, worlds, is_solved, scale, sums):
    """Play every choice out in sampled worlds.

    Parameters
    ----------
    view : the view of the seat in turn, bidding or playing
    handle : int, the model
    how : float64 array of 4, how worlds are drawn, see `spadesim.core.worlds`
    choices : int64 array, legal bids or cards
    at_prior : int, the place of the choice that the others are compared with
    worlds : int, how many at the most
    is_solved : bool, whether worlds are solved instead, see `spadesim.strategies._ending`
    scale : float64 array of 4, see `worth`
    sums : float64 array of shape (2, choices), written: what each choice is worth more than the prior one on
        the average, and the standard error of that; `-1` and 0 for choices that were dropped

    Returns
    -------
    bool
        False where no world agrees with the view.
    """
    tables, sights = np.zeros(N_WORLD_TABLES + 1, dtype=POSITION), np.zeros(2, dtype=VIEW)
    own, values = np.zeros(4, dtype=np.int64), np.zeros(choices.size)
    raw, alive = np.zeros((2, choices.size)), np.ones(choices.size, dtype=np.int64)
    draws = np.zeros(N_KEPT + 1)
    works, memo = np.zeros(is_solved, dtype=WORK), np.zeros(MEMO * is_solved, dtype=np.int64)
    lay_out_worlds(view, tables, own)
    weigh_keeping(view, how, own, draws)
    plan = plan_deals(view)
    serial = np.int64(1) << 50
    look = FIRST_LOOK
    n = 0
    while n < worlds and alive.sum() > 1:
        if not draw_world(view, plan, handle, how, n, tables, sights[JUDGING], own, draws):
            return False
        if is_solved:
            if n == 0:
                begin_ending(works[0], memo, tables, WORLD, PLAYED, scale)
            solve_choices(works[0], memo, tables[WORLD].hands, choices, alive, values)
        for k in range(choices.size):
            if alive[k] and not is_solved:
                serial += 1
                tables[PLAYED] = tables[WORLD]
                tables[PLAYED].serial = serial
                apply(tables[PLAYED], choices[k])
                play_out(handle, tables[PLAYED], sights[WATCHING])
                values[k] = worth(tables[PLAYED], view.side, scale)
        n += 1
        for k in range(choices.size):
            if alive[k]:
                more = values[k] - values[at_prior]
                raw[0, k] += more
                raw[1, k] += more * more
        if n in (look, worlds):
            average(raw, n, alive, sums)
            drop(alive, at_prior, scale[BEHIND], sums)
            look *= 2
    return True


@jit
def average(raw, n, alive, sums):
    """Means and standard errors out of sums and sums of squares."""
    for k in range(alive.size):
        if alive[k]:
            mean = raw[0, k] / n
            sums[0, k] = mean
            sums[1, k] = np.sqrt(max(raw[1, k] / n - mean * mean, 0.0) / max(n - 1, 1))


@jit
def drop(alive, at_prior, dropped, sums):
    """Leave out the choices that are surely behind the best; the prior one stays, to compare with."""
    best = at_prior
    for k in range(alive.size):
        if alive[k] and sums[0, k] > sums[0, best]:
            best = k
    for k in range(alive.size):
        far = sums[0, best] - sums[0, k]
        error = np.sqrt(sums[1, k] * sums[1, k] + sums[1, best] * sums[1, best])
        if alive[k] and k not in (at_prior, best) and far > dropped * error:
            alive[k] = 0
            sums[0, k], sums[1, k] = -1.0, 0.0


@jit
def best_of(sums, at_prior, sure, margin):
    """The place of the best choice: the prior one unless another is better by enough.

    Parameters
    ----------
    sums : float64 array of shape (2, choices), from `try_out`
    at_prior : int
    sure : float, standard errors by which another choice must be better
    margin : float, 0 to 1, the chance to win that it must gain besides
    """
    best = at_prior
    for k in range(sums.shape[1]):
        is_better = sums[0, k] > max(sums[1, k] * sure + margin, TINY)
        if is_better and sums[0, k] > sums[0, best]:
            best = k
    return best


@jit
def distinct(view):
    """The legal cards, one of each run whose cards in between are the seat's own or gone, as a mask."""
    gone = view.played
    for seat in range(view.n_players):
        if view.trick[seat] >= 0:
            gone &= ~(np.int64(1) << view.trick[seat])
    chosen = np.int64(0)
    for suit in range(4):
        cards = view.legal & suit_mask(suit)
        last = -1
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            between = (
                ((np.int64(1) << card) - 1) & ~((np.int64(2) << last) - 1) if last >= 0 else np.int64(-1)
            )
            if between & ~gone:
                chosen |= np.int64(1) << card
            last = card
    return chosen


@jit
def listed(chosen):
    """The bits of a mask, lowest first, as an array."""
    found = np.zeros(popcount(chosen), dtype=np.int64)
    for k in range(found.size):
        found[k] = lowest(chosen)
        chosen &= chosen - 1
    return found
