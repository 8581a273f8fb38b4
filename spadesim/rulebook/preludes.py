"""What the engine answers about the time before the bidding: the draw, blind nils, and their exchange."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Callable
from typing import Any

import numpy as np

from spadesim.core import prelude as prelude_module
from spadesim.core import view as sight
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEP, KEEPING, NOT_YET, PASS_UP, new_view
from spadesim.notation import card_text, cards_in, mask_of
from spadesim.rulebook.examples import Example
from spadesim.rulebook.given import (
    SEED,
    Answer,
    by_four,
    check_length,
    check_pack,
    check_seat,
    engine,
    rules_of,
)
from spadesim.rulebook.worth import plural

prelude: Any = prelude_module  # compiled functions carry no annotations

QUESTIONS = {KEEPING: "keep", DECLARING: "blind", EXCHANGING: "exchange", BIDDING: "bid"}
PACK_SIZE = 52


def answer_draw(example: Example) -> list[Answer]:
    """Hands and discards after some turns of the draw, and who is asked what then."""
    position, stock = _drawing_table(example)
    for number, word in enumerate(_decisions(example, stock)):
        _declare(example, position)
        if position["phase"] != KEEPING:
            raise example.mistake("given.decisions", f"the draw is over after {number} turns.")
        engine.apply(position, KEEP if word == "keep" else PASS_UP)
    asked = QUESTIONS[engine.advance(position)]
    n_drawn, first = int(position["n_drawn"]), example.given["first"]
    pile = position["pile"][:n_drawn].tolist()
    discards = [pile[(seat - first) % 2 :: 2] for seat in range(2)]
    return [
        Answer(
            {
                "hands": position["hands"][:2].tolist(),
                "discards": [mask_of(cards) for cards in discards],
                "seen_discards": position["discards"][:2].tolist(),
                "discard_counts": [len(cards) for cards in discards],
                "next": int(position["turn"]),
                "asked": asked,
                "stock_left": len(stock) - 2 * n_drawn,
            }
        )
    ]


def _drawing_table(example: Example) -> tuple[Any, list[int]]:
    """A table at which the draw begins, and its stock, top card first."""
    rules, given = rules_of(example), example.given
    if rules.deal != "draw_keep":
        raise example.mistake(
            "given.stock", f"these rules have no draw: deal is {rules.deal}, not draw_keep."
        )
    check_seat(example, "first", rules.players)
    stock = list(range(PACK_SIZE)) if given["stock"] == "sorted" else given["stock"]
    if len(stock) % 2:
        raise example.mistake(
            "given.stock", f"given.stock has {len(stock)} cards, but every turn takes two: an even number."
        )
    for seat in given.get("blind", []):
        if seat >= rules.players:
            raise example.mistake("given.blind", f"given.blind must be of seats 0 and 1, not {seat}.")
    position = engine.new_position(rules)
    engine.start_game(position, SEED, 0)
    position["dealer"] = given["first"]
    position["deck"][: len(stock)] = stock
    engine.open_hand(position)
    return position, stock


def _decisions(example: Example, stock: list[int]) -> list[str]:
    words, n_turns = example.given["decisions"], len(stock) // 2
    if words == "all_keep":
        return ["keep"] * n_turns
    if len(words) > n_turns:
        raise example.mistake(
            "given.decisions",
            f"given.decisions has {len(words)} turns, but {len(stock)} cards are enough for {n_turns}.",
        )
    return list(words)


def _declare(example: Example, position: Any) -> None:
    """Answer the seat in turn's question about a blind nil, if it is asked."""
    seat = int(position["turn"])
    wants = seat in example.given.get("blind", [])
    if position["phase"] == DECLARING:
        engine.apply(position, int(wants))
    elif wants and position["blind"][seat] != 1:
        raise example.mistake("given.blind", f"seat {seat} may not declare a blind nil under these rules.")


def answer_exchange(example: Example) -> list[Answer]:
    """Whether a blind nil's bidder may give some cards, and hand and pile after it, as either player."""
    rules, given = rules_of(example), example.given
    hand, give, pile, places = given["hand"], given["give"], given["pile"], given["draw_indexes"]
    if rules.exchange_with != "discard_pile":
        raise example.mistake(
            "given.pile",
            "these rules have no exchange with the discards: take draw500, or other rules with "
            "exchange_with=discard_pile.",
        )
    if hand.bit_count() != rules.hand_size:
        raise example.mistake(
            "given.hand",
            f"given.hand has {plural(hand.bit_count(), 'card')}, but before the bidding it is "
            f"{rules.hand_size}.",
        )
    for card in pile:
        if hand >> card & 1:
            raise example.mistake("given.pile", f"{card_text(card)} is in given.hand and in given.pile.")
    check_pack(example, "hand", cards_in(hand))
    check_pack(example, "pile", pile)
    _check_places(example, give, len(pile), places)
    answers = [_exchange_as(example, seat) for seat in range(rules.players)]
    return answers[:1] if answers[0].found == answers[1].found else answers


def _check_places(example: Example, give: int, n_pile: int, places: list[int]) -> None:
    if len(places) != give.bit_count():
        raise example.mistake(
            "given.draw_indexes",
            f"given.draw_indexes has {plural(len(places), 'place')} for "
            f"{plural(give.bit_count(), 'card')} given: one for each.",
        )
    if len(set(places)) < len(places) or any(place >= n_pile for place in places):
        raise example.mistake(
            "given.draw_indexes", f"given.draw_indexes must be different places from 0 to {n_pile - 1}."
        )


def _exchange_as(example: Example, seat: int) -> Answer:
    given = example.given
    position = engine.new_position(rules_of(example))
    engine.start_game(position, SEED, 0)
    position["hands"][seat] = given["hand"]
    position["blind"] = by_four([1, 1])
    position["n_pile"] = len(given["pile"])
    position["pile"][: len(given["pile"])] = given["pile"]
    position["phase"], position["turn"] = EXCHANGING, seat
    engine.advance(position)
    is_legal = bool(sight.is_legal(position, given["give"]))
    if is_legal:
        prelude.swap_with_pile(position, seat, given["give"], np.array(given["draw_indexes"], dtype=np.int64))
    pile = position["pile"][: position["n_pile"]].tolist()
    return Answer(
        {"ok": is_legal, "hand": int(position["hands"][seat]), "pile": mask_of(pile)}, f"seat {seat}"
    )


def answer_blind_offer(example: Example) -> list[Answer]:
    """Whether a player is asked about a blind nil after it has seen so many cards, as every seat in turn."""
    rules, given = rules_of(example), example.given
    n_others = rules.n_sides - 1
    if "opp_score" in given and "opp_scores" in given:
        raise example.mistake("given.opp_scores", "give opp_score or opp_scores, not both.")
    check_length(example, "opp_scores", n_others, f"other side{'' if n_others == 1 else 's'}")
    others = given.get("opp_scores", [given.get("opp_score", 0)] * n_others)
    answers = []
    for seat in range(rules.players):
        scores = list(others)
        scores.insert(seat % rules.n_sides, given.get("own_score", 0))
        is_asked = _is_asked(example, seat, scores)
        answers.append(Answer({"allowed": is_asked}, f"seat {seat}"))
    if all(answer.found == answers[0].found for answer in answers):
        return [Answer(answers[0].found)]
    return answers


def _is_asked(example: Example, seat: int, scores: list[int]) -> bool:
    """Whether a seat is asked for a blind nil with so many cards in its view, in a hand that is begun."""
    position, view = engine.new_position(rules_of(example)), new_view()
    engine.start_game(position, SEED, 0)
    position["scores"] = by_four(scores)
    engine.start_hand(position)
    while (phase := engine.advance(position)) != BIDDING:
        if phase == DECLARING and position["turn"] == seat:
            engine.fill_view(position, seat, view)
            if _n_seen(view) == example.given["cards_seen"]:
                return True
        engine.apply(position, 0)
    return False


def _n_seen(view: Any) -> int:
    offered = 0 if view["offered"] == NOT_YET else 1 << int(view["offered"])
    return (int(view["hand"]) | int(view["discards"]) | offered).bit_count()


PRELUDE_ANSWERS: dict[str, Callable[[Example], list[Answer]]] = {
    "draw": answer_draw,
    "exchange": answer_exchange,
    "blind_offer": answer_blind_offer,
}
