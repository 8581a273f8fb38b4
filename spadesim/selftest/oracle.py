"""Spades played with lists and words, slowly and obviously: what the compiled engine is compared with.

A card is a text such as "AS" or "TC", a hand is a list of cards, and whatever follows from the cards played
so far is found by looking back over them, anew each time. Deals, bids and cards come from outside.
"""

from dataclasses import dataclass, field
from functools import cache

from spadesim.core.rules import Rules
from spadesim.notation import RANKS, SUITS
from spadesim.selftest.before import Before

Trick = list[tuple[int, str]]  # seat and card, in the order played


def whole_pack(rules: Rules) -> list[str]:
    """Return the cards of the pack, clubs to spades, twos to aces."""
    cards = [rank + suit for suit in SUITS for rank in RANKS]
    if rules.deck == "minus_2c":
        cards.remove("2C")
    return cards


@cache  # asked after every card
def tricks_in_a_hand(rules: Rules) -> int:
    """Return how many cards each player has."""
    return 13 if rules.players == 2 else len(whole_pack(rules)) // rules.players


def sides(rules: Rules) -> list[list[int]]:
    """Return the seats of every side."""
    if rules.teams == "partners":
        return [[0, 2], [1, 3]]
    return [[seat] for seat in range(rules.players)]


def may_play(rules: Rules, hand: list[str], trick: Trick, is_broken: bool) -> list[str]:
    """Return the cards of a hand that may be played to a trick."""
    if trick:
        suit_led = trick[0][1][1]
        following = [card for card in hand if card[1] == suit_led]
        return following if following else list(hand)
    others = [card for card in hand if card[1] != "S"]
    if rules.spade_lead == "anytime" or is_broken or not others:
        return list(hand)
    return others


def leading_play(trick: Trick) -> tuple[int, str]:
    """Return the seat and the card that win a trick as far as it has gone."""
    spades = [play for play in trick if play[1][1] == "S"]
    suit_led = trick[0][1][1]
    contenders = spades if spades else [play for play in trick if play[1][1] == suit_led]
    return max(contenders, key=lambda play: RANKS.index(play[1][0]))


@dataclass
class Hand:
    """One hand of a game, from what comes before the bidding to the last card.

    Parameters
    ----------
    rules : Rules
    first : int
        Seat that bids first and leads to the first trick.
    before : Before
        How the hands came about, and who has declared a blind nil.
    dealt : list of list of str
        What each seat holds when the bidding begins; empty until then.
    bids : list of (int, int)
        Seat and bid, in order.
    plays : list of (int, str)
        Seat and card, in order.
    """

    rules: Rules
    first: int
    before: Before
    dealt: list[list[str]] = field(default_factory=list)
    bids: list[tuple[int, int]] = field(default_factory=list)
    plays: Trick = field(default_factory=list)

    def question(self) -> tuple[int, str] | None:
        """Return who is asked what before the bidding; None when that is over."""
        return None if self.bids else self.before.question()

    @property
    def asked(self) -> str:
        """What the seat to act is asked: "blind", "keep", "exchange", "bid" or "card"; "" at the end."""
        question = self.question()
        if question:
            return question[1]
        if len(self.bids) < self.rules.players:
            return "bid"
        return "" if self.is_over else "card"

    @property
    def is_over(self) -> bool:
        """Whether every card has been played."""
        return len(self.plays) == tricks_in_a_hand(self.rules) * self.rules.players

    def seat_to_act(self) -> int:
        """Return the seat that answers, bids or plays next."""
        question = self.question()
        if question:
            return question[0]
        if self.asked == "bid":
            return (self.first + len(self.bids)) % self.rules.players
        return (self.leader() + len(self.trick())) % self.rules.players

    def choices(self) -> list[int] | list[str]:
        """Return what the seat to act may choose: 0 or 1 for no or yes, bids, or cards (one, or some)."""
        if self.asked in ("blind", "keep"):
            return [0, 1]
        if self.asked == "bid":
            return self.possible_bids()
        if self.asked == "exchange":
            return self.held(self.seat_to_act())
        return may_play(self.rules, self.held(self.seat_to_act()), self.trick(), self.is_broken())

    def possible_bids(self) -> list[int]:
        """Return the bids that the seat to act may make."""
        if self.before.has_declared(self.seat_to_act()):
            return [0]
        bids = list(range(tricks_in_a_hand(self.rules) + 1))
        return [bid for bid in bids if (self.rules.nil_allowed if bid == 0 else bid >= self.rules.min_bid)]

    def bid(self, number: int) -> None:
        """Enter the next bid."""
        if number not in self.choices():
            raise ValueError(f"the bid {number} is not one of {self.choices()}")
        self.dealt = self.before.hands()
        self.bids.append((self.seat_to_act(), number))

    def play(self, card: str) -> None:
        """Play the next card."""
        if card not in self.choices():
            raise ValueError(f"{card} is not one of {self.choices()}")
        self.plays.append((self.seat_to_act(), card))

    def held(self, seat: int) -> list[str]:
        """Return the cards that a seat has left."""
        gone = {card for _, card in self.plays}
        cards = self.dealt[seat] if self.bids else self.before.hands()[seat]
        return [card for card in cards if card not in gone]

    def full_tricks(self) -> list[Trick]:
        """Return the tricks that everybody has played to."""
        n = self.rules.players
        n_full = len(self.plays) // n
        return [self.plays[n * k : n * k + n] for k in range(n_full)]

    def trick(self) -> Trick:
        """Return what lies on the table of the trick being played."""
        n = self.rules.players
        return self.plays[len(self.plays) // n * n :]

    def leader(self) -> int:
        """Return the seat that leads, or has led, to the trick being played."""
        done = self.full_tricks()
        return leading_play(done[-1])[0] if done else self.first

    def won(self, seat: int) -> int:
        """Return how many tricks a seat has won."""
        return [leading_play(trick)[0] for trick in self.full_tricks()].count(seat)

    def is_broken(self) -> bool:
        """Whether spades have been broken."""
        for trick in [*self.full_tricks(), self.trick()]:
            for _, card in trick:
                on_another_suit = trick[0][1][1] != "S"
                if card[1] == "S" and (self.rules.break_on == "any_spade" or on_another_suit):
                    return True
        return False

    def shown_out(self, seat: int) -> set[str]:
        """Return the suits that a seat is known to have none of: it did not follow when they were led."""
        suits = set()
        for trick in [*self.full_tricks(), self.trick()]:
            for player, card in trick:
                if player == seat and card[1] != trick[0][1][1]:
                    suits.add(trick[0][1][1])
        return suits

    def bid_of(self, seat: int) -> int:
        """Return a seat's bid."""
        return dict(self.bids)[seat]


@dataclass(frozen=True)
class Result:
    """What a hand brings one side: points, new bags, its count of bags afterwards, and how it came about."""

    points: int
    new_bags: int
    bags_after: int
    contract: int
    is_set: bool
    n_penalties: int
    is_boston: bool


def result_of(hand: Hand, seats: list[int], bags_before: int) -> Result:
    """Return what a finished hand brings the side of `seats`."""
    rules = hand.rules
    points = contract = tricks_for_it = new_bags = 0
    for seat in seats:
        bid, won = hand.bid_of(seat), hand.won(seat)
        if bid > 0 or not rules.nil_allowed:
            contract += bid
            tricks_for_it += won
        elif won == 0:
            points += rules.blind_nil_value if hand.before.has_declared(seat) else rules.nil_value
        else:
            points -= rules.blind_nil_penalty if hand.before.has_declared(seat) else rules.nil_penalty
            if rules.failed_nil_tricks == "help":
                tricks_for_it += won
            elif rules.failed_nil_tricks == "bags":
                new_bags += won
    is_set = tricks_for_it < contract
    if is_set:
        lost = {"bid": contract, "zero": 0, "shortfall": contract - tricks_for_it}[rules.set_mode]
        points -= lost * rules.trick_value
    else:
        points += contract * rules.trick_value
        new_bags += tricks_for_it - contract
    points += new_bags * rules.overtrick_value
    is_boston = sum(hand.won(seat) for seat in seats) == tricks_in_a_hand(rules)
    if is_boston:
        points += rules.boston_bonus
    bags_after, n_penalties = bags_before + new_bags, 0
    while rules.bag_limit and bags_after >= rules.bag_limit:
        n_penalties += 1
        bags_after = 0 if rules.bag_rollover == "reset" else bags_after - rules.bag_limit
    points -= n_penalties * rules.bag_penalty
    return Result(points, new_bags, bags_after, contract, is_set, n_penalties, is_boston)


@dataclass
class Game:
    """A game's score sheet.

    Parameters
    ----------
    rules : Rules
    start : int
        Seat found before the first hand: the first dealer, the first bidder where that rotates, or who draws
        first.
    scores, bags : list of int
        By side.
    n_hands : int
        Hands entered.
    is_extra : bool
        Whether the next hand is an extra one, because the last one ended the game with level best scores.
    """

    rules: Rules
    start: int
    scores: list[int] = field(default_factory=list)
    bags: list[int] = field(default_factory=list)
    n_hands: int = 0
    is_extra: bool = False

    def __post_init__(self) -> None:
        """Begin at 0."""
        if not self.scores:
            self.scores = [0 for _ in sides(self.rules)]
            self.bags = [0 for _ in sides(self.rules)]

    def first_to_bid(self) -> int:
        """Return the seat that bids and leads first in the next hand."""
        is_after = self.rules.start_role in ("dealer_left", "second_drawer")
        return (self.dealer() + is_after) % self.rules.players

    def dealer(self) -> int:
        """Return the seat that deals the next hand, or draws first in it."""
        return (self.start + self.n_hands) % self.rules.players

    def leads(self) -> list[int]:
        """Return how far each seat's score lies above the best score of another side."""
        found = {}
        for side, seats in enumerate(sides(self.rules)):
            others = [score for other, score in enumerate(self.scores) if other != side]
            for seat in seats:
                found[seat] = self.scores[side] - max(others)
        return [found[seat] for seat in range(self.rules.players)]

    def new_hand(self, cards: list[str] | list[list[str]]) -> Hand:
        """Return the next hand with the stock, top card first, or with the cards that each seat is dealt."""
        first = self.first_to_bid()
        return Hand(self.rules, first, Before(self.rules, self.dealer(), first, self.leads(), cards))

    def results(self, hand: Hand) -> list[Result]:
        """Return what a finished hand brings each side."""
        return [result_of(hand, seats, self.bags[k]) for k, seats in enumerate(sides(self.rules))]

    def enter(self, hand: Hand) -> str:
        """Enter a finished hand; "goes on", "draw", or the number of the winning side comes back."""
        for side, result in enumerate(self.results(hand)):
            self.scores[side] += result.points
            self.bags[side] = result.bags_after
        self.n_hands += 1
        best = max(self.scores)
        winners = [side for side, score in enumerate(self.scores) if score == best]
        if self.rules.max_hands and self.n_hands >= self.rules.max_hands:
            return str(winners[0]) if len(winners) == 1 else "draw"
        is_end = any(self.is_end_score(score) for score in self.scores)
        if self.is_extra and self.rules.tie == "extra_hand_decides":
            is_end = True
        if is_end and len(winners) == 1:
            return str(winners[0])
        self.is_extra = is_end
        return "goes on"

    def is_end_score(self, score: int) -> bool:
        """Whether a side's score is at or past the target or the floor."""
        rules = self.rules
        if score > rules.target or (rules.target_inclusive and score == rules.target):
            return True
        if rules.floor is None:
            return False
        return score < rules.floor or (rules.floor_inclusive and score == rules.floor)
