"""Bids its high cards and takes every trick it can, until its side has what it bid.

Bids: one for each ace, each king and every spade after the third, at least 1.
Plays: wins tricks as cheaply as it can while its side lacks some, and then plays its lowest card.
Origin: a template: copy this file, give it a name of its own, and edit it.
Weakness: say here what a clever opponent would do to it.
"""

from spadesim.core.cards import SPADES, SPADES_MASK, above, lowest, popcount, suit_mask, suit_of
from spadesim.strategy import Parameter, jit, parameters

# Every number that you may want to change later, with its range: `my_bot.py:trump=0` has another value.
PARAMETERS = parameters(
    Parameter("honour", 1, low=0, high=2, used_by="bid", meaning="tricks bid for each ace and king"),
    Parameter("trump", 1, low=0, high=2, used_by="bid", meaning="tricks bid for each spade after the third"),
    Parameter("greedy", "no", choices=("no", "yes"), used_by="play", meaning="go on taking tricks or not"),
)
P = PARAMETERS.index  # p[P.HONOUR] is the value of `honour`; a choice is its position among the choices
YES = 1

# False is a promise: the bot uses no card of earlier tricks (`played`, `history`) and no `voids`.
MEMORY = False

# The engine calls two functions, `bid` and `play`; draw tables and blind nils ask for those at the end of
# this file as well (docs/reference/strategies.md). What they may use besides the view: the steps that the
# bundled bots share (spadesim.tactics), masks of cards (spadesim.core.cards), and random numbers that
# repeat, `uniform_below(view, 0, n)` from spadesim.core.view.

# A set of cards is an int: bit 13 * suit + rank, suits C D H S = 0-3, ranks 2 to ace = 0-12.
KINGS_AND_ACES = sum(0b11 << (13 * suit + 11) for suit in range(4))


@jit
def bid(view, p):
    """How many tricks to bid, 0 for a nil; `view.bids` holds what the others have bid, -1 for not yet."""
    honours = popcount(view.hand & KINGS_AND_ACES)
    trumps = popcount(view.hand & SPADES_MASK)
    tricks = honours * int(p[P.HONOUR]) + max(trumps - 3, 0) * int(p[P.TRUMP])
    return min(max(tricks, 1), view.rules.hand_size)


@jit
def play(view, p):
    """One card out of `view.legal`."""
    if lacks_tricks(view) or p[P.GREEDY] == YES:
        winners = winning_cards(view)
        if winners:
            return lowest(winners)
    return lowest(view.legal)


@jit
def lacks_tricks(view):
    """Whether the side has won fewer tricks than it bid."""
    missing = 0
    for seat in range(view.side, view.n_players, view.rules.n_sides):
        missing += view.bids[seat] - view.tricks[seat]
    return missing > 0


@jit
def winning_cards(view):
    """The legal cards that would beat the best card of the trick; when leading, all of them."""
    if view.best_card < 0:
        return view.legal
    beating = suit_mask(suit_of(view.best_card)) & above(view.best_card)
    if suit_of(view.best_card) != SPADES:
        beating |= SPADES_MASK
    return view.legal & beating


# For draw tables and blind nils; take away the marks of what you need.

# @jit
# def keep(view, p):
#     """1 to keep the card `view.offered`, 0 to pass it up for the next one of the stock."""
#     return 1 if view.offered >= 39 else 0  # spades


# @jit
# def blind(view, p):
#     """1 to declare a blind nil, before the first card, 0 for none."""
#     return 0


# @jit
# def exchange(view, p):
#     """The cards of `view.hand` to give away after a blind nil, as a mask, 0 for none."""
#     return 0
