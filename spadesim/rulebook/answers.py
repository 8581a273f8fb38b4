"""What our rules answer to a worked example: the engine's own functions, asked one example at a time."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core import position as position_module
from spadesim.core.cards import SPADES, lowest, suit_of
from spadesim.core.rules import START_DEALER_LEFT, Rules
from spadesim.core.scoring import DRAW, GOES_ON, bags_after, game_over, score_side, side_total
from spadesim.core.trick import breaks_spades, legal_cards, trick_winner
from spadesim.core.view import BIDDING, HAND_OVER
from spadesim.notation import card_text, cards_in
from spadesim.rulebook.examples import Example

engine: Any = position_module  # compiled functions carry no annotations

SEED = 1
LEADING = -1
OTHER_BID, OTHER_TRICKS = 3, 1  # of the seats that an example of one side says nothing about


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
    """

    found: dict[str, Any]
    who: str = ""
    trouble: str = ""


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
        if bid >= 0 and not legal >> bid & 1:
            low = "0 or " if legal & 1 else ""
            raise example.mistake(
                "given.bids",
                f"{bid} is no bid under these rules: a bid is {low}a number from 1 to {rules.hand_size}.",
            )


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


def answer_scoring(example: Example) -> list[Answer]:
    """What one hand brings a side, as every side of the table in turn."""
    rules, given = rules_of(example), example.given
    n_seats = rules.players // rules.n_sides
    for name in ("bids", "tricks"):
        check_length(example, name, n_seats, "seats on a side" if n_seats > 1 else "seat on a side")
    check_bids(example)
    check_bags(example, "bags_before")
    check_tricks(example, "tricks", is_whole_hand=False)
    answers = [_score_as(rules, given, side) for side in range(rules.n_sides)]
    if all(answer.found == answers[0].found for answer in answers):
        return [Answer(answers[0].found)]
    return answers


def _score_as(rules: Rules, given: Mapping[str, Any], side: int) -> Answer:
    record, before = rules.record(), given.get("bags_before", 0)
    bids, tricks = by_four([], OTHER_BID), by_four([], OTHER_TRICKS)
    bids[side : rules.players : rules.n_sides] = given["bids"]
    tricks[side : rules.players : rules.n_sides] = given["tricks"]
    score = score_side(record, bids, tricks, side, before)
    found: dict[str, Any] = {
        name: int(getattr(score, name)) for name in ("contract", "over", "nil", "boston", "penalty")
    }
    found["total"] = int(side_total(score))
    found["bags_after"] = int(bags_after(record, before, score.bags))
    found["is_set"] = bool(score.is_set)
    found["is_boston"] = bool(score.is_boston)
    return Answer(found, f"side {side}")


def answer_table(example: Example) -> list[Answer]:
    """What a whole hand brings, and how the game stands after it."""
    rules, given = rules_of(example), example.given
    for name in ("bids", "tricks"):
        check_length(example, name, rules.players, "seats")
    check_length(example, "scores_before", rules.n_sides, "sides")
    check_bags(example, "bags_before")
    check_bids(example)
    check_tricks(example, "tricks", is_whole_hand=True)
    position = engine.new_position(rules)
    engine.start_game(position, SEED, 0)
    position["bids"], position["tricks"] = by_four(given["bids"]), by_four(given["tricks"])
    position["scores"] = by_four(given.get("scores_before", []))
    position["bags"] = by_four(given.get("bags_before", []))
    position["hand_no"] = _hands_played(example) - 1
    position["in_tiebreak"] = given.get("in_tiebreak", False)
    engine.score_hand(position)
    totals = position["points"][: rules.n_sides].tolist()
    result = int(engine.end_hand(position))
    return [
        Answer(
            {
                "totals": totals,
                "bags_after": position["bags"][: rules.n_sides].tolist(),
                "scores": position["scores"][: rules.n_sides].tolist(),
                **_end(result),
            }
        )
    ]


def _hands_played(example: Example) -> int:
    n = int(example.given.get("hands_played", 1))
    if n < 1:
        raise example.mistake(
            "given.hands_played", "given.hands_played counts the hand just scored too: 1 or more."
        )
    return n


def _end(result: int) -> dict[str, Any]:
    """Whether the game is over, and who has won; nobody has won a draw."""
    return {"over": result != GOES_ON, "winner": None if result in (GOES_ON, DRAW) else result}


def answer_game_end(example: Example) -> list[Answer]:
    """How a game stands after a hand."""
    rules, given = rules_of(example), example.given
    check_length(example, "scores", rules.n_sides, "sides")
    result = game_over(
        rules.record(),
        by_four(given["scores"]),
        _hands_played(example),
        int(given.get("in_tiebreak", False)),
    )
    return [Answer(_end(int(result)))]


def answer_legality(example: Example) -> list[Answer]:
    """The cards of a hand that may be played to a trick."""
    rules, given = rules_of(example), example.given
    trick, hand = given["trick"], given["hand"]
    if not hand:
        raise example.mistake("given.hand", "given.hand is empty: who has no cards plays none.")
    check_trick(example, trick, hand)
    trick_no = given.get("trick_no", 1)
    if trick_no > rules.hand_size:
        raise example.mistake(
            "given.trick_no", f"given.trick_no is {trick_no}, but a hand has {rules.hand_size} tricks."
        )
    if hand.bit_count() > rules.hand_size - trick_no + 1:
        raise example.mistake(
            "given.hand",
            f"given.hand has {hand.bit_count()} cards, but in trick {trick_no} nobody holds more than "
            f"{rules.hand_size - trick_no + 1}.",
        )
    check_broken(example, trick, given["broken"], trick_no)
    led_suit = int(suit_of(trick[0])) if trick else LEADING
    return [Answer({"legal": int(legal_cards(rules.record(), hand, led_suit, given["broken"]))})]


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
    if any(_breaks(record, trick)) and not broken:
        card = trick[_breaks(record, trick).index(True)]
        raise example.mistake(
            "given.broken", f"{card_text(card)} in given.trick breaks spades: given.broken must be true."
        )
    if broken and trick_no == 1 and not any(_breaks(record, trick)):
        raise example.mistake(
            "given.broken",
            "nothing in given.trick breaks spades, and it is the first: given.broken must be false.",
        )


def _breaks(record: Any, trick: list[int]) -> list[bool]:
    led = [LEADING] + [int(suit_of(trick[0])) for _ in trick[1:]] if trick else []
    return [bool(breaks_spades(record, card, suit)) for card, suit in zip(trick, led, strict=True)]


def answer_breaking(example: Example) -> list[Answer]:
    """Whether spades are broken after some tricks."""
    rules = rules_of(example)
    record, seen, broken = rules.record(), 0, False
    for number, trick in enumerate(example.given["tricks"], 1):
        if len(trick) != rules.players:
            raise example.mistake(
                "given.tricks",
                f"trick {number} has {len(trick)} cards, not {rules.players}, one for each seat.",
            )
        for card in trick:
            if seen >> card & 1:
                raise example.mistake("given.tricks", f"{card_text(card)} is played twice.")
            seen |= 1 << card
        check_pack(example, "tricks", trick)
        broken = broken or any(_breaks(record, trick))
    return [Answer({"broken": broken})]


def answer_winner(example: Example) -> list[Answer]:
    """The seat that wins a trick."""
    rules, given = rules_of(example), example.given
    check_seat(example, "leader", rules.players)
    cards = given["cards"]
    if len(cards) != rules.players:
        raise example.mistake(
            "given.cards", f"given.cards has {len(cards)} cards, not {rules.players}, one for each seat."
        )
    check_pack(example, "cards", cards)
    trick = by_four([], -1)
    for place, card in enumerate(cards):
        trick[(given["leader"] + place) % rules.players] = card
    return [Answer({"winner": int(trick_winner(trick, given["leader"], rules.players))})]


def answer_bid_order(example: Example) -> list[Answer]:
    """Who bids after whom and who leads, in a game that is played so far."""
    rules, given = rules_of(example), example.given
    check_seat(example, "start", rules.players)
    position = engine.new_position(rules)
    engine.start_game(position, SEED, 0)
    position["dealer"] = given["start"]
    bidders: list[int] = []
    for _ in range(given["round"]):
        engine.start_hand(position)
        bidders = []
        while (phase := engine.advance(position)) != HAND_OVER:
            if phase == BIDDING:
                bidders.append(int(position["turn"]))
            engine.apply(position, lowest(position["legal"]))
        engine.end_hand(position)
    return [Answer({"order": bidders, "leader": int(position["leaders"][0])})]


def answer_bid_legality(example: Example) -> list[Answer]:
    """The bids that a seat may make after some others have bid."""
    rules, given = rules_of(example), example.given
    made = given.get("bids_so_far", [])
    if len(made) >= rules.players:
        raise example.mistake(
            "given.bids_so_far", f"given.bids_so_far has {len(made)} bids: nobody is left to bid."
        )
    partners = made[-2] if rules.teams == "partners" and len(made) > 1 else None
    if given.get("partner_bid", partners) != partners:
        right = "null" if partners is None else f"{partners}, the last but one of given.bids_so_far"
        raise example.mistake("given.partner_bid", f"given.partner_bid must be {right}.")
    position = engine.new_position(rules)
    engine.start_game(position, SEED, 0)
    position["dealer"] = first_dealer_for(rules, 0)
    engine.deal_hands(position, _hands_with_spades(example, len(made)))
    for bid in made:
        if not int(engine.legal_bids(position)) >> bid & 1:
            raise example.mistake(
                "given.bids_so_far", f"{bid} in given.bids_so_far is no bid under these rules."
            )
        engine.apply_bid(position, bid)
    legal = int(engine.legal_bids(position))
    return [Answer({"legal": [bid for bid in range(63) if legal >> bid & 1]})]


def first_dealer_for(rules: Rules, first_bidder: int) -> int:
    """The dealer of a hand in which a seat bids first."""
    step = int(int(rules.record().start_role) == START_DEALER_LEFT)
    return (first_bidder - step) % rules.players


def _hands_with_spades(example: Example, seat: int) -> npt.NDArray[np.int64]:
    """Hands of which one has so many spades; without a number, as many as come."""
    rules = rules_of(example)
    pack = cards_in(int(rules.record().deck))[::-1]
    spades = [card for card in pack if card // 13 == SPADES]
    others = [card for card in pack if card // 13 != SPADES]
    n = example.given.get("spades_in_hand", 0)
    if n > min(rules.hand_size, len(spades)):
        raise example.mistake(
            "given.spades_in_hand",
            f"given.spades_in_hand is {n}, but a hand has at most {len(spades)} spades.",
        )
    own = spades[:n] + others[: rules.hand_size - n]
    rest = [card for card in pack if card not in own]
    hands = by_four([])
    for other in range(rules.players):
        cards = own if other == seat else [rest.pop() for _ in range(rules.hand_size)]
        hands[other] = sum(1 << card for card in cards)
    return hands


ANSWERS: Mapping[str, Callable[[Example], list[Answer]]] = {
    "scoring": answer_scoring,
    "table": answer_table,
    "legality": answer_legality,
    "breaking": answer_breaking,
    "winner": answer_winner,
    "game_end": answer_game_end,
    "bid_order": answer_bid_order,
    "bid_legality": answer_bid_legality,
}
