"""Writes a game for each preset beside this file: ``python -m tests.golden.record``.

Only needed when the deals of a seed, the rules of a preset or the form of the diagrams change: the bids and
cards of the recorded games stand in the files, so bots may change.
"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from spadesim.core.rules import PRESETS, Rules
from spadesim.core.scoring import GOES_ON
from spadesim.core.view import BIDDING, HAND_OVER
from spadesim.strategy import Strategy, load_strategy
from tests.core.table import engine, fresh_view, name_of
from tests.golden.diagram import Deal, draw_game, head_of
from tests.golden.tables import Choices, replay

FOLDER = Path(__file__).parent
SEED = 2024
MOST_HANDS = 9


def choices_of(rules: Rules, number: int, bots: list[Strategy]) -> Choices:
    """Return the bids and cards of a game between bots, by seat; cut off when it becomes long."""
    position = engine.new_position(rules)
    engine.start_game(position, SEED, number)
    choices: Choices = []
    result = GOES_ON
    while result == GOES_ON and len(choices) <= MOST_HANDS:
        engine.start_hand(position)
        while engine.advance(position) != HAND_OVER:
            engine.apply(position, answer(position, bots[int(position.turn)]))
        first = int(position.first_bidder)
        bids = [int(position.bids[(first + k) % 4]) for k in range(4)]
        choices.append((bids, [name_of(int(card)) for card in position.history[:52]]))
        result = int(engine.end_hand(position))
    return choices


def answer(position: Any, bot: Strategy) -> int:
    """Return what a bot bids or plays."""
    view = fresh_view(position, int(position.turn))
    function = bot.bid if position.phase == BIDDING else bot.play
    return int(function(view, bot.values))


def is_telling(deals: list[Deal], end: str) -> bool:
    """Whether a game is short and has a nil made, a nil failed, a set side and a bag penalty in it."""
    won = [[winner for _, _, winner in deal.tricks] for deal in deals]
    nils = [
        winners.count(seat)
        for deal, winners in zip(deals, won, strict=True)
        for seat, bid in deal.bids
        if bid == 0
    ]
    is_set = any(min(deal.points) < -20 for deal in deals)
    is_penalty = any(
        deal.bags[side] < before.bags[side] + deal.new_bags[side]
        for before, deal in pairwise(deals)
        for side in range(2)
    )
    is_short = end != "The game goes on" and len(deals) <= MOST_HANDS
    return is_short and is_set and is_penalty and 0 in nils and any(nils)


def games(preset: str) -> Iterator[str]:
    """Give the texts of telling games under a preset."""
    timid, bold = load_strategy("yardstick"), load_strategy("easy:easy_zero=nil")
    for number in range(10_000):
        choices = choices_of(PRESETS[preset], number, [timid, bold, timid, timid])
        deals, end = replay(PRESETS[preset], SEED, number, choices)
        if is_telling(deals, end):
            yield draw_game(head_of(preset, SEED, number), deals, end)


if __name__ == "__main__":
    for preset in PRESETS:
        (FOLDER / f"{preset}.txt").write_text(next(games(preset)))
