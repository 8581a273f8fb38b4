"""A position in the play, out of words: who holds what, what was bid and won, what lies on the table.

What contradicts itself is refused, with both things that cannot be true together.
"""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spadesim.core import position as position_module
from spadesim.core.cards import SPADES_MASK
from spadesim.core.rules import BREAK_ANY_SPADE, LEAD_ANYTIME, Rules
from spadesim.core.trick import legal_cards
from spadesim.core.view import NOT_YET, PLAYING
from spadesim.errors import UserError
from spadesim.match.spec import read_standing
from spadesim.notation import (
    SEAT_NAMES,
    SEATS,
    card_text,
    cards_in,
    deal_text,
    parse_cards,
    parse_deal,
    parse_seat,
)

engine: Any = position_module  # compiled functions carry no annotations

BID_WORDS = {"nil": 0, "blind": 0}
SUIT_NAMES = ("club", "diamond", "heart", "spade")


@dataclass(frozen=True)
class Given:
    """What is told of a position besides its cards; everything as text, or as values by seat (side).

    Parameters
    ----------
    leader : str or int
        Who led, or leads, the trick.
    trick : str
        Cards on the table in the order played: ``9H KH``.
    bids : str or sequence of int, optional
        By seat from North: ``3,nil,4,2``; ``blind`` for a blind nil.
    tricks : str or sequence of int, optional
        Won so far, by seat.
    bags : str or sequence of int, optional
        Before the hand, by side.
    broken : bool, optional
        Whether spades are broken; out of the cards that are missing if left out.
    """

    leader: str | int = 0
    trick: str = ""
    bids: str | Sequence[int] | None = None
    tricks: str | Sequence[int] | None = None
    bags: str | Sequence[int] | None = None
    broken: bool | None = None


def stand(hands: Sequence[int], given: Given, rules: Rules, is_points: bool) -> Any:
    """The table as it is told, a record ``POSITION`` with somebody to play a card.

    Parameters
    ----------
    hands : sequence of 4 int
        By seat, the cards left without those on the table, as masks.
    given : Given
    rules : Rules
    is_points : bool
        Whether bids and tricks must be told, because points are to be counted.

    Raises
    ------
    UserError
        The position is impossible, or too little of it is told.
    """
    check_partners(rules)
    leader = parse_seat(given.leader)
    on_table = parse_cards(given.trick)
    _check_cards(hands, leader, on_table, rules)
    n_left = max(hand.bit_count() for hand in hands)
    position = engine.new_position(rules)
    full = list(hands)
    for k, card in enumerate(on_table):
        full[(leader + k) % 4] |= 1 << card
    bids, blind = _bids(given.bids, rules, is_points)
    position["dealt"] = full
    engine.clear_hand(position)
    position["bids"], position["blind"] = bids, blind
    position["tricks"] = won = _tricks(given.tricks, rules.hand_size - n_left, is_points)
    _check_leader(leader, won)
    position["bags"][:2] = _bags(given.bags, rules)
    position["phase"], position["leader"], position["turn"] = PLAYING, leader, leader
    position["trick_no"] = rules.hand_size - n_left
    position["broken"] = _broken(given.broken, full, rules)
    position["played"] = int(rules.record()["deck"]) & ~_all(full)
    for card in on_table:
        _check_play(position, card)
        engine.apply_card(position, card)
    return position


def check_partners(rules: Rules) -> None:
    """Refuse tables of single players, where no two sides play against each other."""
    if rules.players != 4 or rules.teams != "partners":
        raise UserError(
            f"The solver plays for two pairs of partners, which '{rules}' has not; "
            "try rules such as pata or classic."
        )


def read_hands(text: str) -> list[int]:
    """Four hands of a deal, all of them or what is left of them; parameters and errors as `parse_deal`."""
    return parse_deal(text, hand_size=None)


def _all(hands: Sequence[int]) -> int:
    found = 0
    for hand in hands:
        found |= hand
    return found


def _check_cards(hands: Sequence[int], leader: int, on_table: Sequence[int], rules: Rules) -> None:
    """Refuse cards that are in two places, and hands whose sizes do not go together."""
    if len(on_table) > 3:
        raise UserError(f"The trick has {len(on_table)} cards: the last of four players sees 3 at most.")
    for card in on_table:
        for seat, hand in enumerate(hands):
            if hand >> card & 1:
                raise UserError(f"{card_text(card)} is on the table and in {SEAT_NAMES[seat]}'s hand.")
    has_played = [(seat - leader) % 4 < len(on_table) for seat in range(4)]
    first = next(seat for seat in range(4) if not has_played[seat])
    size = hands[first].bit_count()
    if not 1 <= size <= rules.hand_size:
        raise UserError(f"{SEAT_NAMES[first]} has {size} cards; who is to play has 1 to {rules.hand_size}.")
    for seat, hand in enumerate(hands):
        right = size - has_played[seat]
        if hand.bit_count() != right:
            why = (
                f", for it has played {card_text(on_table[(seat - leader) % 4])}" if has_played[seat] else ""
            )
            raise UserError(
                f"{SEAT_NAMES[seat]} has {_count(hand.bit_count())}, but {SEAT_NAMES[first]} has "
                f"{_count(size)}: {SEAT_NAMES[seat]} must have {_count(right)}{why}."
            )


def _count(n: int) -> str:
    return f"{n} card{'s' * (n != 1)}"


def _check_play(position: Any, card: int) -> None:
    """Refuse a card on the table that its player could not have played."""
    seat, led, broken = (int(position[name]) for name in ("turn", "led_suit", "broken"))
    hand, rules = int(position["hands"][seat]), position["rules"]
    legal = int(legal_cards(rules, hand, led, broken))
    if legal >> card & 1:
        return
    name = SEAT_NAMES[seat]
    other = card_text(cards_in(legal)[0])
    if led == NOT_YET:
        raise UserError(
            f"{name} led {card_text(card)}, but spades are not broken and {name} has {other}, which is none."
        )
    raise UserError(
        f"{name} played {card_text(card)} and so is void in {SUIT_NAMES[led]}s, but has {other} in hand."
    )


def _broken(told: bool | None, hands: Sequence[int], rules: Rules) -> int:
    """Whether spades are broken before the trick on the table."""
    record = rules.record()
    gone = int(record["deck"]) & SPADES_MASK & ~_all(hands)
    if int(record["spade_lead"]) == LEAD_ANYTIME:
        return 1
    if told and not gone:
        raise UserError("Spades are said to be broken, but all spades are still in the hands.")
    if told is False and gone and int(record["break_on"]) == BREAK_ANY_SPADE:
        card = card_text(cards_in(gone)[-1])
        raise UserError(f"Spades are said not to be broken, but {card} has been played.")
    return int(bool(gone) if told is None else told)


def _bids(given: str | Sequence[int] | None, rules: Rules, is_points: bool) -> tuple[list[int], list[int]]:
    """Bids and blind nils by seat."""
    if given is None:
        if is_points:
            raise UserError(
                "Points depend on the bids: give all four from North on, such as bids 3,nil,4,2, or ask for "
                "tricks as the value."
            )
        return [1] * 4, [0] * 4
    words = given.split(",") if isinstance(given, str) else [str(bid) for bid in given]
    if len(words) != 4:
        raise UserError(f"There are {len(words)} bids, not 4: one for each seat from North on.")
    return [_bid(word, seat, rules) for seat, word in enumerate(words)], [
        _is_blind(word, seat, rules) for seat, word in enumerate(words)
    ]


def _bid(word: str, seat: int, rules: Rules) -> int:
    text = word.strip().lower()
    bid = BID_WORDS.get(text, -1)
    if text.isdecimal() and len(text) < 4:
        bid = int(text)
    mask = int(rules.record()["bid_mask"])
    if bid < 0 or not mask >> bid & 1:
        low = max(rules.min_bid, 1)
        nil = "nil or " if rules.nil_allowed else ""
        raise UserError(
            f"'{word.strip()}' is no bid for {SEAT_NAMES[seat]}: a bid is {nil}a number from {low} to "
            f"{rules.hand_size} under these rules."
        )
    return bid


def _is_blind(word: str, seat: int, rules: Rules) -> int:
    if word.strip().lower() != "blind":
        return 0
    if rules.blind_nil == "off":
        raise UserError(f"{SEAT_NAMES[seat]} bids a blind nil, but these rules have none: blind_nil is off.")
    return 1


def _tricks(given: str | Sequence[int] | None, n_played: int, is_points: bool) -> list[int]:
    """Tricks won so far by seat; where only tricks to come count, none if nobody says."""
    if given is None:
        if n_played and is_points:
            raise UserError(
                f"The hands have {_count(13 - n_played)}, so {n_played} tricks have been won: say by whom, "
                f"from North on, such as tricks {_example(n_played)}."
            )
        return [0] * 4
    words = given.split(",") if isinstance(given, str) else [str(won) for won in given]
    if len(words) != 4 or not all(word.strip().isdecimal() and len(word.strip()) < 4 for word in words):
        raise UserError("Tricks won are four numbers, one for each seat from North on, such as 2,1,0,3.")
    won = [int(word) for word in words]
    if sum(won) != n_played:
        raise UserError(
            f"The tricks won add up to {sum(won)}, but with {_count(13 - n_played)} in a hand {n_played} "
            "have been played."
        )
    return won


def _check_leader(leader: int, won: Sequence[int]) -> None:
    """Refuse a leader who has won no trick, where tricks have been won."""
    if any(won) and not won[leader]:
        raise UserError(
            f"{SEAT_NAMES[leader]} leads trick {sum(won) + 1} but has won no trick, and who leads has won "
            "the one before: say who does, with leader and a seat, or correct the tricks."
        )


def _example(n: int) -> str:
    return ",".join(str((n + 3 - k) // 4) for k in range(4))


def _bags(given: str | Sequence[int] | None, rules: Rules) -> tuple[int, ...]:
    bags = (0, 0) if given is None else read_standing("bags", given, rules)
    for side, count in enumerate(bags):
        if count < 0 or 0 < rules.bag_limit <= count:
            most = f"0 to {rules.bag_limit - 1}" if rules.bag_limit else "0 or more"
            raise UserError(f"{count} bags for side {side}: a count is {most} under these rules.")
    return bags


def position_text(position: Any) -> str:
    """The hands of a position as PBN has them.

    >>> position_text(stand([1, 2, 4, 8], Given(), Rules(), is_points=False))
    'N:...2 ...3 ...4 ...5'
    """
    return deal_text([int(hand) for hand in position["hands"]])


def trick_text(position: Any) -> str:
    """The cards on the table in the order played, "" for none."""
    leader = int(position["leader"])
    cards = [int(position["trick"][(leader + k) % 4]) for k in range(int(position["n_in_trick"]))]
    return " ".join(f"{SEATS[(leader + k) % 4]} {card_text(card)}" for k, card in enumerate(cards))
