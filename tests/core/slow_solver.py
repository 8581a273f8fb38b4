"""The slow obvious solver: every legal card, to the end of the hand, scored by the reference of the rules."""

from functools import cache
from typing import Any

import numpy as np

from spadesim.core.scoring import score_side, side_total
from spadesim.core.trick import beats, breaks_spades, legal_cards


class SlowSolver:
    """A minimax over all cards from a `POSITION` record, with nothing but a memory of whole positions."""

    def __init__(self, position: Any, is_points: bool) -> None:
        self.rules = position["rules"]
        self.bids, self.blind = np.array(position["bids"]), np.array(position["blind"])
        self.bags, self.is_points = np.array(position["bags"]), is_points
        self.before = tuple(int(won) for won in position["tricks"])
        self.root = (
            tuple(int(hand) for hand in position["hands"]),
            int(position["leader"]),
            tuple(
                int(position["trick"][(int(position["leader"]) + k) % 4])
                for k in range(int(position["n_in_trick"]))
            ),
            int(position["broken"]),
            (0, 0, 0, 0),
        )
        self.value = cache(self._value)

    def cards(self) -> dict[int, int]:
        """What each legal card at the root is worth."""
        return {card: self.value(*self._after(self.root, card)) for card in self._legal(self.root)}

    def _legal(self, state: Any) -> list[int]:
        hands, leader, trick, broken, _ = state
        led = trick[0] // 13 if trick else -1
        cards = int(legal_cards(self.rules, hands[(leader + len(trick)) % 4], led, broken))
        return [card for card in range(52) if cards >> card & 1]

    def _after(self, state: Any, card: int) -> Any:
        hands, leader, trick, broken, won = state
        seat = (leader + len(trick)) % 4
        led = trick[0] // 13 if trick else -1
        broken = broken or int(breaks_spades(self.rules, card, led))
        left = tuple(hand & ~(1 << card) if k == seat else hand for k, hand in enumerate(hands))
        trick = (*trick, card)
        if len(trick) < 4:
            return left, leader, trick, broken, won
        best = 0
        for k in range(1, 4):
            if beats(trick[k], trick[best]):
                best = k
        winner = (leader + best) % 4
        return left, winner, (), broken, tuple(n + (k == winner) for k, n in enumerate(won))

    def _value(self, *state: Any) -> int:
        if not any(state[0]):
            return self._worth(state[4])
        values = [self.value(*self._after(state, card)) for card in self._legal(state)]
        seat = (state[1] + len(state[2])) % 4
        return max(values) if seat % 2 == 0 else min(values)

    def _worth(self, won: tuple[int, ...]) -> int:
        if not self.is_points:
            return won[0] + won[2]
        tricks = np.array([a + b for a, b in zip(self.before, won, strict=True)])
        points = [
            int(side_total(score_side(self.rules, self.bids, tricks, self.blind, side, self.bags[side])))
            for side in range(2)
        ]
        return points[0] - points[1]
