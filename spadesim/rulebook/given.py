"""What an example is given, checked and put to the engine: what all kinds have in common."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core import position as position_module
from spadesim.core.cards import lowest, suit_of
from spadesim.core.rules import START_DEALER_LEFT, START_SECOND_DRAWER, Rules
from spadesim.core.trick import breaks_spades
from spadesim.notation import card_text, cards_in
from spadesim.rulebook.examples import Example
from spadesim.rulebook.fields import BLIND, BLIND_WORD

engine: Any = position_module  # compiled functions carry no annotations

SEED = 1
LEADING = -1


@dataclass(frozen=True)
class Answer:
    """What was found, by the name that an expectation has for it.

    Parameters
    ----------
    found : dict of str to value
    who : str
        Which bot or side answered so, "" where there is only one answer.
    trouble : str
        Why there is no answer to compare, "" when there is one.
    others : tuple of dict
        What else was found with other cards where the example leaves them open.
    varies : str
        What to say of that where one of them is not as expected, "" where there are none.
    """

    found: dict[str, Any]
    who: str = ""
    trouble: str = ""
    others: tuple[dict[str, Any], ...] = ()
    varies: str = ""


def by_four(values: list[int], otherwise: int = 0) -> npt.NDArray[np.int64]:
    """Values by seat or side, as the engine has them."""
    return np.array([*values, *[otherwise] * (4 - len(values))], dtype=np.int64)


def rules_of(example: Example) -> Rules:
    """The rules of an example that is supported."""
    assert example.rules is not None
    return example.rules


def check_length(example: Example, name: str, n: int, what: str) -> None:
    """Refuse a list of another length than `n`, one value for each of `what`."""
    values = example.given.get(name)
    if values is not None and len(values) != n:
        raise example.mistake(
            f"given.{name}",
            f"given.{name} has {len(values)} values, but these rules have {n} {what}: one for each.",
        )


def check_seat(example: Example, name: str, n: int) -> None:
    """Refuse a seat that the table has not."""
    if example.given.get(name, 0) >= n:
        raise example.mistake(
            f"given.{name}", f"given.{name} must be a seat from 0 to {n - 1}, not {example.given[name]}."
        )


def check_pack(example: Example, name: str, cards: Iterable[int]) -> None:
    """Refuse a card that these rules do not play with."""
    pack = int(rules_of(example).record().deck)
    for card in cards:
        if not pack >> card & 1:
            raise example.mistake(f"given.{name}", f"{card_text(card)} is not in the pack of these rules.")


def check_bids(example: Example) -> None:
    """Refuse bids that the engine would not take at the beginning of a hand."""
    rules = rules_of(example)
    position = engine.new_position(rules)
    engine.start_game(position, SEED, 0)
    engine.clear_hand(position)
    legal = int(engine.legal_bids(position))
    for bid in example.given.get("bids", []):
        if bid == BLIND and rules.blind_nil == "off":
            raise example.mistake(
                "given.bids", f"{BLIND_WORD} is no bid under these rules: blind_nil is off."
            )
        if bid >= 0 and not legal >> bid & 1:
            low = "0 or " if legal & 1 else ""
            span = f"{int(lowest(legal & ~1))} to {rules.hand_size}"
            raise example.mistake(
                "given.bids", f"{bid} is no bid under these rules: a bid is {low}a number from {span}."
            )


def numbers(bids: list[int]) -> list[int]:
    """Bids as the engine has them: a blind nil is a 0."""
    return [0 if bid == BLIND else bid for bid in bids]


def blind_ones(bids: list[int]) -> list[int]:
    """1 for each bid that is a blind nil, 0 for another."""
    return [int(bid == BLIND) for bid in bids]


def enter_bid(position: Any, bid: int) -> None:
    """Enter the bid of the seat in turn, which may be a blind nil that it has declared before."""
    position["blind"][position["turn"]] = bid == BLIND
    engine.apply_bid(position, 0 if bid == BLIND else bid)


def check_bags(example: Example, name: str) -> None:
    """Refuse bag counts that have cost their penalty, and been taken down, long ago."""
    rules, bags = rules_of(example), example.given.get(name)
    if isinstance(bags, list):
        check_length(example, name, rules.n_sides, "sides")
    for count in bags if isinstance(bags, list) else [bags or 0]:
        if 0 < rules.bag_limit <= count:
            raise example.mistake(
                f"given.{name}",
                f"given.{name} has {count}, but {rules.bag_limit} bags have cost their penalty already: "
                f"a count is at most {rules.bag_limit - 1}.",
            )


def check_tricks(example: Example, name: str, is_whole_hand: bool) -> None:
    """Refuse tricks that no hand has."""
    tricks, size = example.given[name], rules_of(example).hand_size
    total = sum(tricks)
    if total > size or (is_whole_hand and total != size):
        most = "has" if is_whole_hand else "has only"
        raise example.mistake(
            f"given.{name}", f"given.{name} add up to {total}, but a hand {most} {size} tricks."
        )


def check_trick(example: Example, trick: list[int], hand: int) -> None:
    """Refuse a trick that is full, or with a card of the hand that is to play to it."""
    n = rules_of(example).players
    if len(trick) >= n:
        raise example.mistake(
            "given.trick", f"given.trick has {len(trick)} cards: with {n} players the last one sees {n - 1}."
        )
    for card in trick:
        if hand >> card & 1:
            raise example.mistake("given.trick", f"{card_text(card)} is in given.hand and in given.trick.")
    check_pack(example, "trick", trick)
    check_pack(example, "hand", cards_in(hand))


def check_broken(example: Example, trick: list[int], broken: bool, trick_no: int) -> None:
    """Refuse spades that are broken without having been played, or played without being broken."""
    record = rules_of(example).record()
    if any(breaks(record, trick)) and not broken:
        card = trick[breaks(record, trick).index(True)]
        raise example.mistake(
            "given.broken", f"{card_text(card)} in given.trick breaks spades: given.broken must be true."
        )
    if broken and trick_no == 1 and not any(breaks(record, trick)):
        raise example.mistake(
            "given.broken",
            "nothing in given.trick breaks spades, and it is the first: given.broken must be false.",
        )


def breaks(record: Any, trick: list[int]) -> list[bool]:
    """Which cards of a trick break spades, in order."""
    led = [LEADING] + [int(suit_of(trick[0])) for _ in trick[1:]] if trick else []
    return [bool(breaks_spades(record, card, suit)) for card, suit in zip(trick, led, strict=True)]


@cache
def first_dealer_for(rules: Rules, first_bidder: int) -> int:
    """The dealer of a hand in which a seat bids first; at a draw table who draws first."""
    step = int(int(rules.record().start_role) in (START_DEALER_LEFT, START_SECOND_DRAWER))
    return (first_bidder - step) % rules.players
