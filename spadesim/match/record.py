"""What happened at the tables of a board or a pair of games, as values: every bid, card, trick and score.

Cards and hands are the ints of `spadesim.core.cards`, seats are 0 to 3 from North clockwise, and of the two
sides of a table 0 is North and South, 1 is East and West. Whose bots sit there depends on the room: side A
sits North and South in room 0, East and West in room 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple

from spadesim.core.scoring import GOES_ON
from spadesim.match.spec import DuelSpec
from spadesim.notation import SEATS, deal_text
from spadesim.strategy import Side, Strategy

N_SEATS = 4


class Choice(NamedTuple):
    """A bid or a card, whose it was, and whether there was no other."""

    seat: int
    choice: int
    is_forced: bool


@dataclass(frozen=True)
class Trick:
    """One trick; `winner` is None while cards are missing."""

    leader: int
    plays: tuple[Choice, ...]
    winner: int | None


@dataclass(frozen=True)
class Score:
    """What a finished hand was worth to one side of the table.

    Parameters
    ----------
    contract, tricks : int
        Tricks bid and won.
    points, new_bags : int
        What the hand brought; penalties are in the points.
    is_set, is_boston : bool
        The contract was not made; every trick was won.
    bag_penalties : int
        How many were charged.
    score, bags : int
        After the hand.
    """

    contract: int
    tricks: int
    points: int
    new_bags: int
    is_set: bool
    is_boston: bool
    bag_penalties: int
    score: int
    bags: int


@dataclass(frozen=True)
class Hand:
    """One hand in one room.

    Parameters
    ----------
    number : int
        0 for the first of a game.
    dealer, first_bidder : int
        Seats.
    dealt : tuple of 4 int
        Cards by seat, as masks.
    bids : tuple of Choice
        In order.
    tricks : tuple of Trick
        In order.
    scores, bags : tuple of 2 int
        Before the hand, by side.
    results : tuple of 2 Score, or None
        By side; None when a bot's fault ended the hand.
    """

    number: int
    dealer: int
    first_bidder: int
    dealt: tuple[int, ...]
    bids: tuple[Choice, ...]
    tricks: tuple[Trick, ...]
    scores: tuple[int, int]
    bags: tuple[int, int]
    results: tuple[Score, Score] | None

    def choices(self) -> list[Choice]:
        """Every bid and card in order."""
        return [*self.bids, *(play for trick in self.tricks for play in trick.plays)]

    def bid_of(self, seat: int) -> int | None:
        """What a seat bid; None when it has not come to that."""
        return next((bid.choice for bid in self.bids if bid.seat == seat), None)

    def won_by(self, seat: int) -> int:
        """How many tricks a seat won."""
        return sum(trick.winner == seat for trick in self.tricks)


class Place(NamedTuple):
    """A decision: in which unit and room, and where in the hand; `role` says which bot's it was."""

    unit: int
    room: int
    hand_no: int
    trick_no: int
    seat: int
    role: int
    phase: int
    legal: int


class Fault(NamedTuple):
    """How a bot broke the contract: where, and what it answered or raised."""

    place: Place
    code: int
    choice: int
    error: Exception | None


@dataclass(frozen=True)
class Room:
    """One table: its hands, and how it ended.

    Parameters
    ----------
    number : int
        0, where side A sits North and South, or 1.
    hands : tuple of Hand
    end : int
        The winning side of the table, `scoring.DRAW`, or `scoring.GOES_ON`: a board, or a game given up.
    fault : Fault or None
        What stopped the room within its last hand.
    """

    number: int
    hands: tuple[Hand, ...]
    end: int = GOES_ON
    fault: Fault | None = None

    def owner(self, side: int) -> int:
        """Whose bots sit at a side of this table: 0 for A's, 1 for B's; works for seats as well."""
        return (side + self.number) & 1


class Deal(NamedTuple):
    """Given cards by seat, as masks, and the seat that deals."""

    hands: tuple[int, ...]
    dealer: int = 0


class Difference(NamedTuple):
    """Where two rooms part: hand, trick (-1 in the bidding), and the choices there; None for one missing."""

    hand: int
    trick: int
    choices: tuple[Choice | None, Choice | None]


@dataclass(frozen=True)
class Replay:
    """Both rooms of a board or of a pair of games.

    Parameters
    ----------
    spec : DuelSpec
        The duel that it belongs to.
    unit : int
        Number of the board or pair.
    sides : tuple of 2 Side
        The bots of A and of B.
    rooms : tuple of 2 Room
    deal : Deal or None
        The given cards that a board was played with.
    """

    spec: DuelSpec
    unit: int
    sides: tuple[Side, Side]
    rooms: tuple[Room, Room]
    deal: Deal | None = None

    def bot(self, room: int, seat: int) -> Strategy:
        """The bot at a seat of a room."""
        side = self.sides[(seat + room) & 1]
        return side.higher if seat >> 1 else side.lower

    @property
    def names(self) -> tuple[str, str]:
        """What A and B are called: short names where these tell them apart."""
        a, b = self.sides
        return (a.name, b.name) if a.name != b.name or str(a) == str(b) else (str(a), str(b))

    def name_at(self, room: int, seat: int) -> str:
        """What the bot at a seat of a room is called."""
        side = self.sides[(seat + room) & 1]
        is_pair = str(side.lower) != str(side.higher)
        return self.bot(room, seat).name if is_pair else self.names[(seat + room) & 1]

    def command(self, *where: str) -> str:
        """The command line that shows it again; `where` adds to it."""
        deal = (deal_text(self.deal.hands), SEATS[self.deal.dealer]) if self.deal else None
        return self.spec.show_command(self.unit, *where, deal=deal)

    def differences(self) -> Iterator[Difference]:
        """The first difference of every hand that both rooms have and did not play alike."""
        for pair in zip(*(room.hands for room in self.rooms), strict=False):
            found = first_difference(*pair)
            if found is not None:
                yield found


def first_difference(one: Hand, other: Hand) -> Difference | None:
    """Where two hands on the same deal part; None when they are alike, card for card."""
    for k, pair in enumerate(zip_longest(one.choices(), other.choices())):
        ours, theirs = pair
        if ours is None or theirs is None or ours[:2] != theirs[:2]:
            return Difference(one.number, (k - N_SEATS) // N_SEATS if k >= N_SEATS else -1, pair)
    return None


class Opening(NamedTuple):
    """How a table stands before a hand: the hand's number, the dealer, scores and bags by side."""

    number: int
    dealer: int
    scores: tuple[int, int]
    bags: tuple[int, int]


def read_opening(position: Any) -> Opening:
    """How a table stands between two hands."""
    scores, bags = position["scores"].tolist(), position["bags"].tolist()
    number, dealer = int(position["hand_no"]), int(position["dealer"])
    return Opening(number, dealer, (scores[0], scores[1]), (bags[0], bags[1]))


def read_hand(position: Any, opening: Opening, forced: list[bool], is_over: bool) -> Hand:
    """The record of the hand that a table holds.

    Parameters
    ----------
    position : POSITION record
    opening : Opening
        How it stood before.
    forced : list of bool
        Whether there was one legal choice, for every bid and card in order.
    is_over : bool
        Whether the hand is finished, and entered.
    """
    first, n_bids = int(position["first_bidder"]), int(position["n_bids"])
    bids = position["bids"].tolist()
    seats = [(first + k) % N_SEATS for k in range(n_bids)]
    return Hand(
        number=opening.number,
        dealer=opening.dealer,
        first_bidder=first,
        dealt=tuple(position["dealt"].tolist()),
        bids=tuple(Choice(seat, bids[seat], forced[k]) for k, seat in enumerate(seats)),
        tricks=tuple(_tricks(position, forced[n_bids:])),
        scores=opening.scores,
        bags=opening.bags,
        results=(_score(position, 0), _score(position, 1)) if is_over else None,
    )


def _tricks(position: Any, forced: list[bool]) -> Iterator[Trick]:
    cards, leaders, winners = (position[name].tolist() for name in ("history", "leaders", "winners"))
    n_cards, n_finished = int(position["n_history"]), int(position["trick_no"])
    for number, start in enumerate(range(0, n_cards, N_SEATS)):
        leader = leaders[number]
        plays = tuple(
            Choice((leader + k) % N_SEATS, cards[start + k], forced[start + k])
            for k in range(min(N_SEATS, n_cards - start))
        )
        yield Trick(leader, plays, winners[number] if number < n_finished else None)


def _score(position: Any, side: int) -> Score:
    tricks = position["tricks"].tolist()
    names = ("points", "hand_bags", "sets", "bostons", "periods", "scores", "bags", "contracts")
    points, new_bags, is_set, is_boston, periods, score, bags, contract = (
        int(position[name][side]) for name in names
    )
    won = tricks[side] + tricks[side + 2]
    return Score(contract, won, points, new_bags, bool(is_set), bool(is_boston), periods, score, bags)
