"""A slow and obvious reading of recorded cards, with lists: why bags were taken, which spades were drawn."""

import itertools
from collections.abc import Iterator

from spadesim.core.played import COLUMNS
from spadesim.core.rules import Rules

Counts = dict[str, list[int]]


class Table:
    """A hand that is read back slowly: what everybody holds, trick by trick."""

    def __init__(self, rules: Rules, bids: list[int], first: int, cards: list[list[int]]) -> None:
        self.rules, self.bids, self.leader, self.cards = rules, bids, first, cards
        self.n = len(bids)
        self.hands = [set(hand) for hand in cards]
        self.broken = False
        self.found: Counts = {name: [0] * self.n for name in COLUMNS}

    def side(self, seat: int) -> int:
        return seat % self.rules.n_sides

    def legal(self, seat: int, led: int | None) -> set[int]:
        hand = self.hands[seat]
        if led is None:
            others = {card for card in hand if card // 13 != 3}
            return hand if self.broken or self.rules.spade_lead == "anytime" else others or hand
        return {card for card in hand if card // 13 == led} or hand

    def winner(self, trick: dict[int, int]) -> int:
        """The seat that wins cards played in the order of the dict."""
        led = next(iter(trick.values())) // 13
        return max(trick, key=lambda seat: (trick[seat] // 13 == 3, trick[seat] // 13 == led, trick[seat]))

    def order(self, leader: int) -> list[int]:
        return [(leader + k) % self.n for k in range(self.n)]

    def could_leave(self, seat: int, trick: dict[int, int]) -> bool:
        led = next(iter(trick.values())) // 13
        for card in self.legal(seat, None if seat == self.leader else led) - {trick[seat]}:
            if seat == self.leader and card // 13 != led:
                replies = [self.legal(other, card // 13) for other in self.order(seat)[1:]]
                others: Iterator[list[int]] = map(list, itertools.product(*replies))
            else:
                others = iter([[trick[other] for other in trick if other != seat]])
            if all(self.is_left(seat, card, list(cards), trick) for cards in others):
                return True
        return False

    def is_left(self, seat: int, card: int, others: list[int], trick: dict[int, int]) -> bool:
        """Whether another side wins once a seat plays a card and the others these, in their order."""
        changed = dict(zip([other for other in trick if other != seat], others, strict=True)) | {seat: card}
        return self.side(self.winner({other: changed[other] for other in trick})) != self.side(seat)

    def read(self) -> Counts:
        wanted = [
            sum(self.bids[seat] for seat in range(self.n) if self.side(seat) == side) for side in range(4)
        ]
        nil_counts = self.rules.failed_nil_tricks
        for number in range(len(self.cards[0])):
            left = len(self.cards[0]) - number
            trick = {seat: self.cards[seat][number] for seat in self.order(self.leader)}
            winner = self.winner(trick)
            side, is_nil = self.side(winner), self.bids[winner] == 0
            is_bag = nil_counts == "bags" if is_nil and nil_counts != "help" else wanted[side] <= 0
            if is_bag and is_nil:
                self.found["bags_of_nil"][winner] += 1
            elif is_bag and not self.could_leave(winner, trick):
                self.found["bags_forced"][winner] += 1
            elif is_bag:
                others = [wanted[other] for other in range(self.rules.n_sides) if other != side]
                is_open = any(0 < tricks <= left for tricks in others)
                self.found["bags_to_set" if is_open else "bags_avoidable"][winner] += 1
            if trick[self.leader] // 13 == 3:
                drawn = [
                    c
                    for seat, c in trick.items()
                    if self.side(seat) != self.side(self.leader) and c // 13 == 3
                ]
                self.found["spades_led"][self.leader] += 1
                self.found["spades_drawn"][self.leader] += len(drawn)
            if not is_nil or nil_counts == "help":
                wanted[side] -= 1
            led = trick[self.leader] // 13
            self.broken |= any(card // 13 == 3 for card in trick.values()) and (
                self.rules.break_on == "any_spade" or led != 3
            )
            for seat, card in trick.items():
                self.hands[seat].remove(card)
            self.leader = winner
        return self.found
