"""What our rules answer to a worked example: the engine's own functions, asked one example at a time."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.cards import SPADES, lowest, suit_of
from spadesim.core.rules import Rules
from spadesim.core.scoring import DRAW, GOES_ON, bags_after, game_over, score_side, side_total
from spadesim.core.trick import legal_cards, trick_winner
from spadesim.core.view import BIDDING, HAND_OVER
from spadesim.notation import card_text, cards_in
from spadesim.rulebook.examples import Example
from spadesim.rulebook.fields import BLIND
from spadesim.rulebook.given import (
    LEADING,
    SEED,
    Answer,
    blind_ones,
    breaks,
    by_four,
    check_bags,
    check_bids,
    check_broken,
    check_length,
    check_pack,
    check_seat,
    check_trick,
    check_tricks,
    engine,
    enter_bid,
    first_dealer_for,
    numbers,
    rules_of,
)

OTHER_BID, OTHER_TRICKS = 3, 1  # of the seats that an example of one side says nothing about


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
    bids, tricks, blind = by_four([], OTHER_BID), by_four([], OTHER_TRICKS), by_four([])
    bids[side : rules.players : rules.n_sides] = numbers(given["bids"])
    blind[side : rules.players : rules.n_sides] = blind_ones(given["bids"])
    tricks[side : rules.players : rules.n_sides] = given["tricks"]
    score = score_side(record, bids, tricks, blind, side, before)
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
    position["bids"], position["tricks"] = by_four(numbers(given["bids"])), by_four(given["tricks"])
    position["blind"] = by_four(blind_ones(given["bids"]))
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
        broken = broken or any(breaks(record, trick))
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
        while position["phase"] != HAND_OVER:
            if position["phase"] == BIDDING:
                bidders.append(int(position["turn"]))
                engine.apply_bid(position, lowest(engine.legal_bids(position)))
            elif engine.advance(position) != HAND_OVER:
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
    _check_declared(example, made)
    for bid in made:
        if bid != BLIND and not int(engine.legal_bids(position)) >> bid & 1:
            raise example.mistake(
                "given.bids_so_far", f"{bid} in given.bids_so_far is no bid under these rules."
            )
        enter_bid(position, bid)
    position["blind"][position["turn"]] = given.get("blind", False)
    legal = int(engine.legal_bids(position))
    return [Answer({"legal": [bid for bid in range(63) if legal >> bid & 1]})]


def _check_declared(example: Example, made: list[int]) -> None:
    """Refuse blind nils where there are none."""
    if rules_of(example).blind_nil == "off":
        for name, is_there in (("bids_so_far", BLIND in made), ("blind", example.given.get("blind", False))):
            if is_there:
                raise example.mistake(f"given.{name}", "these rules have no blind nil: blind_nil is off.")


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


ANSWERS: dict[str, Callable[[Example], list[Answer]]] = {
    "scoring": answer_scoring,
    "table": answer_table,
    "legality": answer_legality,
    "breaking": answer_breaking,
    "winner": answer_winner,
    "game_end": answer_game_end,
    "bid_order": answer_bid_order,
    "bid_legality": answer_bid_legality,
}
