"""What comes before the bidding, with lists and words: the draw, blind nils, and the exchange of cards.

Everything is found by looking back over the answers given so far, anew each time. Which cards an exchange
draws from the discards comes from outside.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from spadesim.core.rules import Rules

N_TURNS = 26


class Answered(NamedTuple):
    """An answer: who gave it, to what question, and what it was.

    Parameters
    ----------
    seat : int
    question : str
        "blind", "keep" or "exchange".
    yes : bool
        For the first two.
    given, drawn : list of str
        Cards of an exchange.
    """

    seat: int
    question: str
    yes: bool = False
    given: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()


@dataclass
class Before:
    """The part of a hand before the bidding.

    Parameters
    ----------
    rules : Rules
    first_drawer : int
        Seat that draws first; of no meaning where cards are dealt.
    first_bidder : int
    leads : list of int
        By seat, how far its score lies above the best other one, below 0 when it is behind.
    cards : list of str, or list of list of str
        The stock, top card first; or what each seat is dealt.
    answers : list of Answered
        In order.
    """

    rules: Rules
    first_drawer: int
    first_bidder: int
    leads: list[int]
    cards: list[str] | list[list[str]]
    answers: list[Answered] = field(default_factory=list)

    @property
    def has_draw(self) -> bool:
        """Whether hands are drawn from a stock."""
        return self.rules.deal == "draw_keep"

    def order(self, first: int) -> list[int]:
        """Return all seats clockwise from one of them."""
        n = self.rules.players
        return [(first + k) % n for k in range(n)]

    def all_to(self, question: str, seat: int | None = None) -> list[Answered]:
        """Return the answers to a question, of one seat or of all."""
        return [each for each in self.answers if each.question == question and seat in (None, each.seat)]

    def may_declare(self, seat: int) -> bool:
        """Whether a seat's score allows it a blind nil."""
        if self.rules.blind_nil == "behind":
            return self.leads[seat] <= -self.rules.blind_nil_deficit
        return self.rules.blind_nil == "always"

    def has_declared(self, seat: int) -> bool:
        """Whether a seat has declared a blind nil."""
        return any(each.yes for each in self.all_to("blind", seat))

    def question(self) -> tuple[int, str] | None:
        """Return who is asked what; None when the bidding begins."""
        n_turns = len(self.all_to("keep"))
        if self.has_draw and n_turns < N_TURNS:
            seat = self.order(self.first_drawer)[n_turns % 2]
            is_first_turn = n_turns < 2
            return (seat, "blind") if is_first_turn and self.is_open(seat) else (seat, "keep")
        for seat in self.order(self.first_bidder):
            if not self.has_draw and self.is_open(seat):
                return seat, "blind"
        for seat in self.order(self.first_bidder) if self.rules.blind_nil_exchange else []:
            if self.has_declared(seat) and not self.all_to("exchange", seat):
                return seat, "exchange"
        return None

    def is_open(self, seat: int) -> bool:
        """Whether a seat has yet to say if it declares the blind nil that it may declare."""
        return self.may_declare(seat) and not self.all_to("blind", seat)

    def is_settled(self, seat: int) -> bool:
        """Whether a seat's turn to be asked for a blind nil has come, and is over."""
        if self.is_open(seat):
            return False
        if self.has_draw:
            return len(self.all_to("keep")) >= self.order(self.first_drawer).index(seat)
        asked = self.question()
        order = self.order(self.first_bidder)
        return asked is None or asked[1] != "blind" or order.index(seat) < order.index(asked[0])

    def offered(self) -> str:
        """Return the card that the player in turn looks at."""
        return str(self.cards[2 * len(self.all_to("keep"))])

    def allowed(self, given: list[str]) -> bool:
        """Whether the seat that is asked may exchange these cards."""
        asked = self.question()
        held = self.hands()[asked[0]] if asked else []
        return len(given) <= self.rules.blind_nil_exchange and all(card in held for card in given)

    def answer(self, yes: bool) -> None:
        """Enter the answer to a yes-or-no question."""
        asked = self.question()
        assert asked is not None
        self.answers.append(Answered(*asked, yes))

    def exchange(self, given: list[str], drawn: list[str]) -> None:
        """Enter an exchange of cards.

        Raises
        ------
        ValueError
            Cards drawn that do not lie among the discards, or not as many as were given.
        """
        asked = self.question()
        assert asked is not None
        pile = self.pile()
        if len(drawn) != len(given) or any(card not in pile for card in drawn):
            raise ValueError(f"{drawn} drawn for {given} out of {pile}")
        self.answers.append(Answered(*asked, False, tuple(given), tuple(drawn)))

    def turns(self) -> list[tuple[int, str, str, bool]]:
        """Return the turns of the draw: seat, card kept, card discarded, whether the seat saw that."""
        found = []
        for number, each in enumerate(self.all_to("keep")):
            first, second = str(self.cards[2 * number]), str(self.cards[2 * number + 1])
            if each.yes:
                found.append((each.seat, first, second, self.rules.draw_second_seen))
            else:
                found.append((each.seat, second, first, True))
        return found

    def pile(self) -> list[str]:
        """Return the cards out of play that were discarded or given away."""
        cards = [discarded for _, _, discarded, _ in self.turns()]
        for each in self.all_to("exchange"):
            cards = [card for card in cards if card not in each.drawn] + list(each.given)
        return cards

    def hands(self) -> list[list[str]]:
        """Return what each seat holds."""
        hands: list[list[str]] = [[] for _ in range(self.rules.players)]
        if not self.has_draw:
            hands = [list(cards) for cards in self.cards]
        for seat, kept, _, _ in self.turns():
            hands[seat].append(kept)
        for each in self.all_to("exchange"):
            left = [card for card in hands[each.seat] if card not in each.given]
            hands[each.seat] = left + list(each.drawn)
        return hands

    def seen(self, seat: int) -> list[str]:
        """Return the cards that a seat has seen leave the game: its discards, and what it gave away."""
        cards = [discarded for who, _, discarded, is_seen in self.turns() if who == seat and is_seen]
        for each in self.all_to("exchange", seat):
            cards = [card for card in cards if card not in each.drawn] + list(each.given)
        return cards
