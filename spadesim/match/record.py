"""What happened at the tables of a board or a set of games, as values: every bid, card, trick and score.

Cards and hands are the ints of `spadesim.core.cards`, seats are 0 to 3 from North clockwise (a table of two
has North and East). With partners, of the two sides of a table 0 is North and South, 1 is East and West;
where everybody plays alone, a side is a seat. Whose bots sit where depends on the room (`Room.roles`): with
partners side A sits North and South in room 0, East and West in room 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from spadesim.core.cards import SPADES
from spadesim.core.scoring import GOES_ON
from spadesim.core.view import BIDDING, DECLARING, KEEP, KEEPING, NOT_YET, PLAYING
from spadesim.match.spec import DuelSpec
from spadesim.notation import SEATS, card_text, deal_text
from spadesim.strategy import Side, Strategy


class Choice(NamedTuple):
    """A bid, a card or another answer, whose it was, and whether there was no other."""

    seat: int
    choice: int
    is_forced: bool


class Decision(NamedTuple):
    """A choice and what it was about.

    Parameters
    ----------
    phase : int
        One of `spadesim.core.view`: BIDDING, PLAYING, KEEPING, DECLARING, EXCHANGING.
    number : int
        From 0: the trick, or the seat's own turn of the draw; 0 elsewhere.
    made : Choice
    card : int
        The card of the stock that was kept or passed up; -1 elsewhere.
    """

    phase: int
    number: int
    made: Choice
    card: int = NOT_YET


@dataclass(frozen=True)
class Turn:
    """A turn of the draw: whose it was, its two cards, and what became of them."""

    seat: int
    first: int
    second: int
    is_kept: bool
    sees_second: bool

    @property
    def drawn(self) -> int:
        """The card that the seat took."""
        return self.first if self.is_kept else self.second

    @property
    def discarded(self) -> int:
        """The card that nobody took."""
        return self.second if self.is_kept else self.first

    @property
    def is_seen(self) -> bool:
        """Whether the seat saw what was discarded."""
        return self.sees_second or not self.is_kept


class BrokenNil(NamedTuple):
    """How a nil failed: whose it was, in which trick from 0, with which card over which.

    `over` is the best of the other cards in the trick that might have won it; None where all of them were
    thrown away.
    """

    seat: int
    trick: int
    card: int
    over: int | None


class Exchange(NamedTuple):
    """Cards that the bidder of a blind nil gave and received, as masks."""

    seat: int
    given: int
    received: int


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
        Seats; at a draw table the dealer is the one that drew first.
    dealt : tuple of int
        Cards by seat when the bidding began, as masks; where it did not come to that, those drawn so far.
    bids : tuple of Choice
        In order.
    tricks : tuple of Trick
        In order.
    scores, bags : tuple of int
        Before the hand, by side.
    results : tuple of Score, or None
        By side; None when a bot's fault ended the hand.
    stock : tuple of int
        At a draw table, its 52 cards, the top one first.
    prelude : tuple of Decision
        What was decided before the bidding, in order.
    exchanges : tuple of Exchange
        In order.
    sees_second : bool
        Whether who keeps the first card of a turn sees the second.
    """

    number: int
    dealer: int
    first_bidder: int
    dealt: tuple[int, ...]
    bids: tuple[Choice, ...]
    tricks: tuple[Trick, ...]
    scores: tuple[int, ...]
    bags: tuple[int, ...]
    results: tuple[Score, ...] | None
    stock: tuple[int, ...] = ()
    prelude: tuple[Decision, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    sees_second: bool = True

    @property
    def n_seats(self) -> int:
        """How many play."""
        return len(self.dealt)

    @property
    def has_partners(self) -> bool:
        """Whether two seats score together."""
        return len(self.scores) < len(self.dealt)

    def decisions(self) -> list[Decision]:
        """Every choice in order, with what it was about."""
        played = [Decision(PLAYING, k, play) for k, trick in enumerate(self.tricks) for play in trick.plays]
        return [*self.prelude, *(Decision(BIDDING, 0, bid) for bid in self.bids), *played]

    def choices(self) -> list[Choice]:
        """Every choice in order: bids and cards, after what was decided before the bidding."""
        return [decision.made for decision in self.decisions()]

    def bid_of(self, seat: int) -> int | None:
        """What a seat bid; None when it has not come to that."""
        return next((bid.choice for bid in self.bids if bid.seat == seat), None)

    def won_by(self, seat: int) -> int:
        """How many tricks a seat won."""
        return sum(trick.winner == seat for trick in self.tricks)

    def broken_nils(self) -> list[BrokenNil]:
        """How nils failed, in the order of the tricks."""
        nils, found = {bid.seat for bid in self.bids if bid.choice == 0}, []
        for number, trick in enumerate(self.tricks):
            if trick.winner in nils:
                nils.remove(trick.winner)
                card = next(play.choice for play in trick.plays if play.seat == trick.winner)
                found.append(BrokenNil(trick.winner, number, card, _second(trick, card)))
        return found

    def draw(self) -> list[Turn]:
        """The turns of the draw in order."""
        kept = [step.made for step in self.prelude if step.phase == KEEPING]
        return [
            Turn(made.seat, self.stock[2 * k], self.stock[2 * k + 1], made.choice == KEEP, self.sees_second)
            for k, made in enumerate(kept)
        ]

    def declared(self) -> dict[int, bool]:
        """Whether each seat that was asked declared a blind nil."""
        return {step.made.seat: step.made.choice == 1 for step in self.prelude if step.phase == DECLARING}


def _second(trick: Trick, winner: int) -> int | None:
    """The best of the other cards of a trick, None where none could have won it."""
    others = [play.choice for play in trick.plays if play.choice != winner]
    led = trick.plays[0].choice // 13
    trumps = [card for card in others if card // 13 >= SPADES]
    return max(trumps or [card for card in others if card // 13 == led], default=None)


class Place(NamedTuple):
    """A decision: in which unit and room, and where in the hand; `role` says which bot's it was."""

    unit: int
    room: int
    hand_no: int
    trick_no: int
    n_drawn: int
    seat: int
    role: int
    phase: int
    legal: int

    def number(self, n_players: int) -> int:
        """The trick, or the seat's own turn of the draw, as in `Decision`."""
        return {PLAYING: self.trick_no, KEEPING: self.n_drawn // n_players}.get(self.phase, 0)


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
        From 0.
    hands : tuple of Hand
    end : int
        The winning side of the table, `scoring.DRAW`, or `scoring.GOES_ON`: a board, or a game given up.
    fault : Fault or None
        What stopped the room within its last hand.
    roles : tuple of int
        By seat, which bot sits there: 0 and 1 are A's, 2 and 3 are B's (`spadesim.core.seating`).
    """

    number: int
    hands: tuple[Hand, ...]
    end: int = GOES_ON
    fault: Fault | None = None
    roles: tuple[int, ...] = (0, 2, 1, 3)

    def owner(self, side: int) -> int:
        """Whose bots sit at a side of this table: 0 for A's, 1 for B's; works for seats as well."""
        return self.roles[side] >> 1


class Deal(NamedTuple):
    """Given cards by seat, as masks, and the seat that deals; at a draw table the stock instead."""

    hands: tuple[int, ...]
    dealer: int = 0
    stock: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The cards as `show --deal` reads them."""
        return " ".join(map(card_text, self.stock)) if self.stock else deal_text(self.hands)


class Difference(NamedTuple):
    """Where rooms part in a hand: what was decided in each room, None where nothing was."""

    hand: int
    decisions: tuple[Decision | None, ...]

    @property
    def first(self) -> Decision:
        """What was decided in the first room that decided something."""
        return next(step for step in self.decisions if step is not None)


@dataclass(frozen=True)
class Replay:
    """All rooms of a board or of a set of games.

    Parameters
    ----------
    spec : DuelSpec
        The duel that it belongs to.
    unit : int
        Number of the board, pair or set.
    sides : tuple of 2 Side
        The bots of A and of B.
    rooms : tuple of Room
    deal : Deal or None
        The given cards that a board was played with.
    """

    spec: DuelSpec
    unit: int
    sides: tuple[Side, Side]
    rooms: tuple[Room, ...]
    deal: Deal | None = None

    def bot(self, room: int, seat: int) -> Strategy:
        """The bot at a seat of a room."""
        role = self.rooms[room].roles[seat]
        side = self.sides[role >> 1]
        return side.higher if role & 1 else side.lower

    @property
    def names(self) -> tuple[str, str]:
        """What A and B are called: short names where these tell them apart."""
        a, b = self.sides
        return (a.name, b.name) if a.name != b.name or str(a) == str(b) else (str(a), str(b))

    def name_at(self, room: int, seat: int) -> str:
        """What the bot at a seat of a room is called."""
        owner = self.rooms[room].owner(seat)
        side = self.sides[owner]
        is_pair = str(side.lower) != str(side.higher)
        return self.bot(room, seat).name if is_pair else self.names[owner]

    def command(self, *where: str) -> str:
        """The command line that shows it again; `where` adds to it."""
        deal = (self.deal.text, SEATS[self.deal.dealer]) if self.deal else None
        return self.spec.show_command(self.unit, *where, deal=deal)

    def difference(self, number: int) -> Difference | None:
        """Where the rooms that have a hand part in it; None when they are alike, card for card."""
        return first_difference(
            [room.hands[number] if number < len(room.hands) else None for room in self.rooms]
        )

    def differences(self) -> Iterator[Difference]:
        """The first difference of every hand that rooms have in common and did not play alike."""
        for number in range(max(len(room.hands) for room in self.rooms)):
            found = self.difference(number)
            if found is not None:
                yield found


def first_difference(hands: Sequence[Hand | None]) -> Difference | None:
    """Where hands on the same deal part, None standing for rooms without it; None when they are alike."""
    present = [hand for hand in hands if hand is not None]
    for steps in zip_longest(*(hand.decisions() for hand in present)):
        keys = {step and (step.phase, step.made.seat, step.made.choice) for step in steps}
        if len(keys) > 1:
            by_room = iter(steps)
            return Difference(
                present[0].number, tuple(next(by_room) if hand is not None else None for hand in hands)
            )
    return None
