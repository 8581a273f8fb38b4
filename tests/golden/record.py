"""Writes a game for each preset beside this file: ``python -m tests.golden.record [PRESET ...]``.

Only needed when the deals of a seed, the rules of a preset or the form of the diagrams change: the bids and
cards of the recorded games stand in the files, so bots may change. What comes before the bidding is answered
by a rule of thumb.
"""

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from spadesim.core.rules import PRESETS, Rules
from spadesim.core.scoring import GOES_ON
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, HAND_OVER, PLAYING
from spadesim.notation import mask_of
from spadesim.selftest.agreement import bits
from spadesim.strategy import Strategy, load_strategy
from tests.core.table import engine, fresh_view, name_of
from tests.golden.diagram import Deal, draw_game, head_of
from tests.golden.tables import Choices, replay, word_of

FOLDER = Path(__file__).parent
SEED = 2024
MOST_HANDS = {"bicycle": 15, "draw300": 14, "draw500": 20, "cutthroat3": 14}  # of the others 9
MIDDLE = 8  # a ten
RARELY = 0.06  # a blind nil is declared: each costs 200 points


def most_hands(rules: Rules) -> int:
    """Return how long a game under a preset may be."""
    return MOST_HANDS.get(str(rules), 9)


def choices_of(rules: Rules, number: int, bots: list[Strategy]) -> Choices:
    """Return the answers of a game between bots, by seat; cut off when it becomes long."""
    position, random = engine.new_position(rules), np.random.default_rng(number)
    engine.start_game(position, SEED, number)
    choices: Choices = []
    result, n = GOES_ON, rules.players
    while result == GOES_ON and len(choices) <= most_hands(rules):
        engine.start_hand(position)
        before = []
        while (phase := engine.advance(position)) != HAND_OVER:
            if phase in (BIDDING, PLAYING):
                choice = answer(position, bots[int(position.turn)])
            else:
                choice = answer_before(position, random)
                before.append(word_of(phase, choice))
            engine.apply(position, choice)
        first = int(position.first_bidder)
        bids = [int(position.bids[(first + k) % n]) for k in range(n)]
        n_cards = int(position.n_history)
        choices.append((before, bids, [name_of(int(card)) for card in position.history[:n_cards]]))
        result = int(engine.end_hand(position))
    return choices


def answer_before(position: Any, random: np.random.Generator) -> int:
    """Return an answer before the bidding: keep what is high, or after a blind nil what is low."""
    if position.phase == DECLARING:
        return int(random.random() < RARELY)
    if position.phase == EXCHANGING:
        most = int(position.rules.blind_nil_exchange)
        return mask_of(sorted(bits(position.legal), key=height)[-most:])
    is_high = height(int(position.deck[2 * position.n_drawn])) >= MIDDLE
    return int(is_high != bool(position.blind[position.turn]))


def height(card: int) -> int:
    """Return how high a card is, spades above the others."""
    return card % 13 + (13 if card >= 39 else 0)


def answer(position: Any, bot: Strategy) -> int:
    """Return what a bot bids or plays.

    Where there is no nil, its nil is a bid of one, and two players, who hold the best half of the pack
    between them and find half of it gone, bid less than they count.
    """
    view = fresh_view(position, int(position.turn))
    if position.phase != BIDDING:
        return int(bot.play(view, bot.values))
    bid = int(bot.bid(view, bot.values))
    if position.rules.players == 2 and bid > 1:
        bid = max(bid - 2, 1)
    return bid if int(position.legal) >> bid & 1 else 1


def is_telling(rules: Rules, deals: list[Deal], end: str) -> bool:
    """Whether a game is short and much happens in it.

    As far as the rules have such: a nil made, a nil failed, a set side, a bag penalty, and an exchange.
    """
    won = [[winner for _, _, winner in deal.tricks] for deal in deals]
    nils = [
        winners.count(seat)
        for deal, winners in zip(deals, won, strict=True)
        for seat, bid in deal.bids
        if bid == 0
    ]
    is_set = rules.set_mode == "zero" or any(min(deal.points) < -20 for deal in deals)
    is_penalty = not rules.bag_limit or any(
        deal.bags[side] < before.bags[side] + deal.new_bags[side]
        for before, deal in pairwise(deals)
        for side in range(rules.n_sides)
    )
    is_short = end != "The game goes on" and len(deals) <= most_hands(rules)
    has_nils = not rules.nil_allowed or (0 in nils and any(nils))
    exchanges = [exchange for deal in deals for exchange in deal.exchanges if exchange[1]]
    has_exchange = not rules.blind_nil_exchange or len(exchanges) > 0
    return is_short and is_set and is_penalty and has_nils and has_exchange


def games(preset: str) -> Iterator[str]:
    """Give the texts of telling games under a preset."""
    timid, bold = load_strategy("yardstick"), load_strategy("easy:easy_zero=nil")
    rules = PRESETS[preset]
    for number in range(10_000):
        bots = [timid, timid if rules.players == 2 else bold, timid, timid]
        choices = choices_of(rules, number, bots)
        deals, end = replay(rules, SEED, number, choices)
        if is_telling(rules, deals, end):
            yield draw_game(head_of(preset, SEED, number), deals, end)


if __name__ == "__main__":
    for preset in sys.argv[1:] or PRESETS:
        (FOLDER / f"{preset}.txt").write_text(next(games(preset)))
