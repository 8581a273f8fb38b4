"""A draw table as a situation has it: a stock that brings every card to the seat that is to hold it."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.prelude import N_TURNS
from spadesim.core.rng import REDEAL, shuffle, stream_tag
from spadesim.core.view import DECLARING, EXCHANGING, KEEP, KEEPING, PASS_UP
from spadesim.notation import cards_in
from spadesim.rulebook.given import SEED, engine

STOCK = 18  # a stream beside those of neutral tricks

Turn = tuple[int, int, bool]  # the card held after it, the one discarded, and whether the first was kept


def play_draw(
    position: Any,
    seat: int,
    hands: npt.NDArray[np.int64],
    discards: int,
    blind: list[int],
    number: int,
    asked: int = -1,
    offered: int = -1,
) -> None:
    """Play the draw of a game that has begun, to its end or to a decision of one seat.

    Parameters
    ----------
    position : the table, its dealer and scores set
    seat : int
        Whose cards, and whose decision, it is about.
    hands : int64 array, by seat
        Masks of the cards that are known to be held then; a hand that has more gets others.
    discards : int
        Mask of discards that the seat has seen; under rules that show every discard it sees others, too.
    blind : list of int
        Seats that declare a blind nil.
    number : int
        Number after number another draw.
    asked : int
        The phase of the decision, `KEEPING`, `DECLARING` or `EXCHANGING`; -1 for the bidding.
    offered : int
        In `KEEPING` the card of the stock that it is about.
    """
    turns = _turns(position, seat, hands, discards, number, offered)
    first_two = [(held, dead) if keeps else (dead, held) for held, dead, keeps in turns]
    position["deck"][: 2 * N_TURNS] = np.array(first_two, dtype=np.int64).ravel()
    engine.open_hand(position)
    n_held = int(hands[seat]).bit_count()
    while (phase := int(position["phase"])) in (KEEPING, DECLARING, EXCHANGING):
        turn = int(position["turn"])
        if phase == asked and turn == seat and int(position["hands"][seat]).bit_count() == n_held:
            return
        if phase == KEEPING:
            engine.apply(position, KEEP if turns[int(position["n_drawn"])][2] else PASS_UP)
        else:
            engine.apply(position, int(phase == DECLARING and turn in blind))


def _turns(
    position: Any, seat: int, hands: npt.NDArray[np.int64], discards: int, number: int, offered: int
) -> list[Turn]:
    known = discards | int(hands[0]) | int(hands[1]) | (1 << offered if offered >= 0 else 0)
    pool = _shuffled(cards_in(int(position["rules"]["deck"]) & ~known), number)
    held = [cards_in(int(hands[0])), cards_in(int(hands[1]))]
    seen, waits = cards_in(discards), offered >= 0
    turns: list[Turn] = []
    for turn in range(N_TURNS):
        drawer = int(position["dealer"] + turn) % 2
        if drawer == seat and waits and not held[seat]:
            turns.append((offered, pool.pop(), True))
            waits = False
            continue
        card = held[drawer].pop() if held[drawer] else pool.pop()
        if drawer == seat:
            turns.append((card, seen.pop(), False) if seen else (card, pool.pop(), True))
        else:
            turns.append((card, pool.pop(), (number >> (turn // 2 % 5)) % 2 == 0))
    return turns


def _shuffled(cards: list[int], number: int) -> list[int]:
    array, scratch = np.array(cards, dtype=np.int64), np.empty(67, dtype=np.int64)
    shuffle(array, len(cards), len(cards), SEED, number, stream_tag(REDEAL, STOCK, 0), scratch)
    found: list[int] = array.tolist()
    return found
