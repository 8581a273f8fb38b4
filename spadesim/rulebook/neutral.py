"""Earlier tricks of which only the winners are known, made of cards that lie nowhere else.

Each is really won by the seat that is to win it. All cards of a trick are of one suit as long as there are
such tricks, so that nobody is seen to fail to follow suit, and no spade is among them while spades are not
broken and other cards are left. A neutral trick is not always one that a table would have come to: with few
cards left, a seat may play off a suit that it follows again later.
"""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

import itertools

import numpy as np

from spadesim.core.rng import REDEAL, shuffle, stream_tag
from spadesim.core.trick import trick_winner
from spadesim.notation import cards_in
from spadesim.rulebook.given import SEED, by_four

CARDS, WINNERS = 16, 17  # streams beside those of `redeal`

Tricks = list[tuple[int, list[int]]]  # leader and cards in order


def neutral_tricks(pool: int, tricks_won: list[int], leader: int, broken: bool, number: int) -> Tricks:
    """Tricks that agree with who has won how many, number after number other ones.

    Parameters
    ----------
    pool : int
        Mask of the cards that they are made of.
    tricks_won : list of int
        By seat.
    leader : int
        Who wins the last of them.
    broken : bool
        Whether spades are broken after them.
    number : int
        The same number gives the same tricks.
    """
    n = len(tricks_won)
    winners = [seat for seat, count in enumerate(tricks_won) for _ in range(count)]
    winners.remove(leader)
    winners = [*_shuffled(winners, WINNERS, number), leader]
    groups = _groups(_shuffled(cards_in(pool), CARDS, number), n, len(winners), broken)
    tricks: Tricks = []
    leads = number % n
    for group, winner in zip(groups, winners, strict=True):
        tricks.append((leads, _trick_for(group, leads, winner)))
        leads = winner
    return tricks


def _shuffled(values: list[int], stream: int, number: int) -> list[int]:
    array, scratch = np.array(values, dtype=np.int64), np.empty(67, dtype=np.int64)
    shuffle(array, len(values), len(values), SEED, number, stream_tag(REDEAL, stream, 0), scratch)
    found: list[int] = array.tolist()
    return found


def _groups(pool: list[int], n: int, n_tricks: int, broken: bool) -> list[list[int]]:
    """Cards for so many tricks: of one suit as long as there are such, spades last while unbroken."""
    suits = [[card for card in pool if card // 13 == suit] for suit in range(4)]
    groups = [
        cards[at : at + n]
        for suit, cards in enumerate(suits)
        if broken or suit < 3
        for at in range(0, len(cards) - n + 1, n)
    ]
    order = {card: place for place, card in enumerate(pool)}
    groups = sorted(groups, key=lambda group: order[group[0]])[:n_tricks]
    used = {card for group in groups for card in group}
    rest = [card for card in pool if card not in used]
    if not broken:
        rest.sort(key=lambda card: card // 13 == 3)
    while len(groups) < n_tricks:
        groups.append(rest[:n])
        rest = rest[n:]
    return groups


def _trick_for(group: list[int], leader: int, winner: int) -> list[int]:
    """The cards in an order in which the winner wins: the strongest of any four can be played so."""
    n = len(group)
    for cards in itertools.permutations(group):
        trick = by_four([], -1)
        for place, card in enumerate(cards):
            trick[(leader + place) % n] = card
        if int(trick_winner(trick, leader, n)) == winner:
            return list(cards)
    raise AssertionError(group)  # two of four cards share a suit, or one is a spade
