"""Whole games as text: deals drawn as bridge players do, bids, tricks and scores.

A diagram is written from a `Deal` for each hand, and its choices can be read back from the text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SEATS = ("North", "East", "South", "West")
SIDES = ("N/S", "E/W")
SUITS = "SHDC"
RANKS = "AKQJT98765432"
WEST, MIDDLE, EAST = 0, 16, 32  # columns of the diagram


@dataclass(frozen=True)
class Deal:
    """One hand of a game, with the score sheet before and after it.

    Parameters
    ----------
    dealer : int
        Seat.
    hands : list of list of str
        Cards such as "AS" by seat.
    bids : list of (int, int)
        Seat and bid, in order.
    tricks : list of (int, list of str, int)
        Leader, cards in order, winner.
    contracts, points, new_bags : list of int
        By side.
    scores, bags : list of int
        By side, after the hand.
    """

    dealer: int
    hands: list[list[str]]
    bids: list[tuple[int, int]]
    tricks: list[tuple[int, list[str], int]]
    contracts: list[int]
    points: list[int]
    new_bags: list[int]
    scores: list[int]
    bags: list[int]


def suits_of(hand: list[str]) -> list[str]:
    """Return a hand's four lines, spades first.

    >>> suits_of(["2C", "AS", "KS"])
    ['S AK', 'H -', 'D -', 'C 2']
    """
    lines = []
    for suit in SUITS:
        ranks = [rank for rank in RANKS if rank + suit in hand]
        lines.append(f"{suit} {''.join(ranks) or '-'}")
    return lines


def compass(hands: list[list[str]]) -> Iterator[str]:
    """Give the lines of a deal: North above, South below, West and East beside each other."""
    north, east, south, west = map(suits_of, hands)
    for line in north:
        yield " " * MIDDLE + line
    for left, right in zip(west, east, strict=True):
        yield f"{left:<{EAST}}{right}"
    for line in south:
        yield " " * MIDDLE + line


def draw_deal(number: int, deal: Deal) -> Iterator[str]:
    """Give the lines of one hand."""
    yield f"Hand {number}, {SEATS[deal.dealer]} deals"
    yield ""
    yield from compass(deal.hands)
    yield ""
    yield "Bids: " + ", ".join(f"{SEATS[seat]} {bid or 'nil'}" for seat, bid in deal.bids)
    for k, (leader, cards, winner) in enumerate(deal.tricks):
        yield f"{k + 1:>2}. {SEATS[leader] + ' leads':<12} {' '.join(cards)}  {SEATS[winner]}"
    for side, name in enumerate(SIDES):
        won = sum(winner % 2 == side for _, _, winner in deal.tricks)
        yield (
            f"{name}: contract {deal.contracts[side]}, tricks {won}, points {deal.points[side]:+}, "
            f"bags {deal.new_bags[side]:+}; score {deal.scores[side]}, bags {deal.bags[side]}"
        )
    yield ""


def draw_game(head: str, deals: Iterable[Deal], end: str) -> str:
    """Return the text of a game: its head, every hand, and how it ended."""
    lines = [head, ""]
    for number, deal in enumerate(deals, start=1):
        lines += draw_deal(number, deal)
    return "\n".join([*lines, end, ""])


def read_choices(text: str) -> list[tuple[list[int], list[str]]]:
    """Return the bids and the cards of every hand of a game's text, in order."""
    games = []
    for part in text.split("\nHand ")[1:]:
        (bids,) = re.findall("^Bids: (.*)$", part, re.MULTILINE)
        numbers = [0 if word.split()[1] == "nil" else int(word.split()[1]) for word in bids.split(", ")]
        tricks = re.findall(r"^ *\d+\. \w+ leads +((?:\w\w ?)+)  \w+$", part, re.MULTILINE)
        games.append((numbers, " ".join(tricks).split()))
    return games


def read_head(text: str) -> tuple[str, int, int]:
    """Return rules, seed and number of the game."""
    found = re.match(r"Rules (\S+), seed (\d+), game (\d+)$", text, re.MULTILINE)
    assert found, text.partition("\n")[0]
    return found[1], int(found[2]), int(found[3])


def head_of(rules: str, seed: int, number: int) -> str:
    """Return the line that `read_head` reads."""
    return f"Rules {rules}, seed {seed}, game {number}"
