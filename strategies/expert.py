"""Deals the unseen cards many times over and takes the choice that comes out best when hard plays on.

Bids: as hard, unless a trick more or less, or a nil, surely comes out better in the sampled deals.
Plays: the card that comes out best over sampled deals, each played out by hard at all seats; hard's own card
    where others are hardly better. Deals are drawn the likelier the better they explain the others' bids.
Origin: Monte Carlo play over sampled worlds, as Ginsberg's GIB plays bridge.
Weakness: thinks that everybody bids and plays like hard and sees all that it sees; keeps no secrets.
"""

import numpy as np

from spadesim.core.cards import SPADES_MASK, highest
from spadesim.core.model import answer_of
from spadesim.core.search import best_of, try_out
from spadesim.core.search_ends import is_ending
from spadesim.core.view import BIDDING, PLAYING
from spadesim.strategies import easy, hard, medium, yardstick
from spadesim.strategies._choices import distinct, listed
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import SPADE_ACE


def _worlds(name, used_by, meaning):
    return Parameter(name, 20, low=0, high=400, used_by=used_by, meaning=f"deals sampled for a {meaning}")


def _share(name, default, meaning):
    return Parameter(
        name, default, low=0.0, high=1.0, meaning=f"likelihood of a {meaning}; 1: it tells nothing"
    )


def _sure(name, used_by, meaning):
    meaning = f"standard errors by which another {meaning} must be better"
    return Parameter(name, 1.0, low=0.0, high=10.0, used_by=used_by, meaning=meaning)


def _margin(name, default, used_by, meaning):
    meaning = f"thousandths of a win that another {meaning} must gain"
    return Parameter(name, default, low=0.0, high=100.0, used_by=used_by, meaning=meaning)


def _points(name, default, low, high, meaning):
    return Parameter(name, default, low=low, high=high, meaning=f"points {meaning}")


MODELS = {"hard": hard, "medium": medium, "easy": easy, "yardstick": yardstick}
BEHIND_MEANING = "standard errors behind the best at which a choice is dropped early"
PARAMETERS = parameters(
    Parameter("model", "hard", choices=tuple(MODELS), meaning="who is taken to sit at every seat"),
    _worlds("worlds", "play", "card"),
    _worlds("bid_worlds", "bid", "bid"),
    Parameter("tries", 30, low=1, high=1000, meaning="deals tried for one that explains the bids"),
    _share("bids", 0.1, "bid one trick from the model's"),
    _share("cards", 1.0, "card other than the model's"),
    _share("draws", 0.1, "turn of a draw against the rule to keep spades, aces and kings"),
    Parameter(
        "solve_from", 3, low=0, high=6, used_by="play", meaning="tricks left from which worlds are solved"
    ),
    Parameter("bid_of_two", 1, low=0, high=1, used_by="bid", meaning="whether bids of two players are tried"),
    _sure("sure", "play", "card"),
    _margin("margin", 0.5, "play", "card"),
    _sure("bid_sure", "bid", "bid"),
    _margin("bid_margin", 1.0, "bid", "bid"),
    Parameter("dropped", 2.0, low=0.0, high=100.0, meaning=BEHIND_MEANING),
    _points("bag_price", 4.0, 0.0, 20.0, "that a bag costs"),
    _points("spread", 120.0, 1.0, 2000.0, "of luck in 100 points of a game"),
    _points("floor", 11.0, 1.0, 2000.0, "of a game that are always left"),
)
P = PARAMETERS.index
HANDLE = len(PARAMETERS)  # where p has what the model is called by


@jit
def think(view, p):
    """The model's answer, or a bid or card that surely comes out better; at every decision."""
    handle = np.int64(p[HANDLE])
    prior = answer_of(handle, view)
    if view.phase == PLAYING:
        choices, worlds = listed(distinct(view)), int(p[P.WORLDS])
        sure, margin = p[P.SURE], p[P.MARGIN]
    elif view.phase == BIDDING:
        choices, worlds = listed(bids_near(view, prior, p[P.BID_OF_TWO])), int(p[P.BID_WORLDS])
        sure, margin = p[P.BID_SURE], p[P.BID_MARGIN]
    else:
        return prior
    if worlds == 0 or choices.size < 2:
        return prior
    at_prior = 0
    for k in range(choices.size):
        at_prior = k if choices[k] <= prior else at_prior
    how = np.array([p[P.TRIES], p[P.BIDS], p[P.CARDS], p[P.DRAWS]])
    scale = np.array([p[P.BAG_PRICE], p[P.SPREAD], p[P.FLOOR], p[P.DROPPED]])
    sums = np.zeros((2, choices.size))
    limits = np.array([worlds, 1 if is_ending(view, int(p[P.SOLVE_FROM])) else 0])
    if not try_out(view, handle, how, choices, at_prior, limits, scale, sums):
        return prior
    best = best_of(sums, at_prior, sure, margin / 1000.0)
    return prior if best == at_prior else choices[best]


bid = play = keep = blind = exchange = think  # one function: it is large, and compiled once


@jit
def bids_near(view, prior, bid_of_two):
    """The bids that are tried, as a mask: the model's, a trick more and less, and a nil that is no folly."""
    chosen = np.int64(1) << prior
    if view.n_players == 2 and (prior == 0 or bid_of_two == 0):
        return chosen
    if prior > 0:
        chosen |= (np.int64(0b101) << (prior - 1)) & ~1
    else:
        chosen |= 0b1110
    is_folly = (
        view.n_players == 2
        or highest(view.hand & SPADES_MASK) >= SPADE_ACE
        or (view.partner >= 0 and view.bids[view.partner] == 0)
    )
    if view.rules.nil_allowed and not is_folly:
        chosen |= 1
    return chosen & (view.legal | np.int64(1) << prior)
