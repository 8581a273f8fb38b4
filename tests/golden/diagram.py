"""Whole games as text: deals drawn as bridge players do, or stock and draw, bids, tricks and scores.

A diagram is written from a `Deal` for each hand, and its choices can be read back from the text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

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
        Seat; who draws first at a draw table.
    hands : list of list of str
        Cards such as "AS" by seat, as the bidding begins.
    bids : list of (int, int)
        Seat and bid, in order.
    tricks : list of (int, list of str, int)
        Leader, cards in order, winner.
    contracts, points, new_bags : list of int
        By side.
    scores, bags : list of int
        By side, after the hand.
    stock : list of str
        Top card first; empty where cards are dealt.
    answers : list of str
        What was answered before the bidding, in order: ``blind`` or ``no`` to the question of a blind nil,
        ``K`` (keep) or ``P`` (pass up) in the draw, ``give:`` with the cards given in an exchange.
    exchanges : list of (int, list of str, list of str)
        Seat, cards given, cards drawn.
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
    stock: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    exchanges: list[tuple[int, list[str], list[str]]] = field(default_factory=list)


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


def side_names(n_sides: int) -> tuple[str, ...]:
    """Return the names of the sides: pairs, or single players."""
    return SIDES if n_sides == len(SIDES) else SEATS[:n_sides]


def names_of_sides(deal: Deal) -> tuple[str, ...]:
    """Return the names of the sides of a deal; two players are no pairs."""
    return SEATS[:2] if len(deal.hands) == 2 else side_names(len(deal.scores))


def rows(hands: list[list[str]]) -> Iterator[str]:
    """Give a line for each hand, at tables of other than four."""
    for name, hand in zip(SEATS, hands, strict=False):
        yield f"{name:<5}  {'  '.join(suits_of(hand))}"


def before(deal: Deal) -> Iterator[str]:
    """Give the lines of the stock and of what was answered before the bidding."""
    if deal.stock:
        yield f"Stock: {' '.join(deal.stock[:26])}"
        yield f"       {' '.join(deal.stock[26:])}"
    if deal.answers:
        yield f"Answers: {' '.join(deal.answers)}"
    for seat, given, drawn in deal.exchanges:
        yield f"{SEATS[seat]} gives {' '.join(given) or 'nothing'}, draws {' '.join(drawn) or 'nothing'}"
    if deal.answers:
        yield ""


def draw_deal(number: int, deal: Deal) -> Iterator[str]:
    """Give the lines of one hand."""
    yield f"Hand {number}, {SEATS[deal.dealer]} {'draws first' if deal.stock else 'deals'}"
    yield ""
    yield from before(deal)
    yield from compass(deal.hands) if len(deal.hands) == 4 else rows(deal.hands)
    yield ""
    yield "Bids: " + ", ".join(f"{SEATS[seat]} {bid or 'nil'}" for seat, bid in deal.bids)
    for k, (leader, cards, winner) in enumerate(deal.tricks):
        yield f"{k + 1:>2}. {SEATS[leader] + ' leads':<12} {' '.join(cards)}  {SEATS[winner]}"
    names = names_of_sides(deal)
    for side, name in enumerate(names):
        won = sum(winner % len(names) == side for _, _, winner in deal.tricks)
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


def read_choices(text: str) -> list[tuple[list[str], list[int], list[str]]]:
    """Return the answers before the bidding, the bids and the cards of every hand of a game, in order."""
    games = []
    for part in text.split("\nHand ")[1:]:
        answers = re.findall("^Answers: (.*)$", part, re.MULTILINE)
        (bids,) = re.findall("^Bids: (.*)$", part, re.MULTILINE)
        numbers = [0 if word.split()[1] == "nil" else int(word.split()[1]) for word in bids.split(", ")]
        tricks = re.findall(r"^ *\d+\. \w+ leads +((?:\w\w ?)+)  \w+$", part, re.MULTILINE)
        games.append((" ".join(answers).split(), numbers, " ".join(tricks).split()))
    return games


def read_head(text: str) -> tuple[str, int, int]:
    """Return rules, seed and number of the game."""
    found = re.match(r"Rules (\S+), seed (\d+), game (\d+)$", text, re.MULTILINE)
    assert found, text.partition("\n")[0]
    return found[1], int(found[2]), int(found[3])


def head_of(rules: str, seed: int, number: int) -> str:
    """Return the line that `read_head` reads."""
    return f"Rules {rules}, seed {seed}, game {number}"
