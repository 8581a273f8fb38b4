"""A seat's view out of words, and what a bot plays there."""

from typing import Any

from spadesim.core.rules import Rules
from spadesim.core.trick import beats, legal_cards
from spadesim.core.view import BIDDING, PLAYING, new_view
from spadesim.strategy import load_strategy
from tests.core.cases import card, cards, mask


def situation(
    hand: str,
    trick: str | None = None,
    *,
    seat: int = 0,
    bids: list[int] | None = None,
    tricks: list[int] | None = None,
    trick_no: int = 0,
    broken: int = 1,
    scores: tuple[int, int] = (0, 0),
    bags: tuple[int, int] = (0, 0),
    rules: Rules | None = None,
) -> Any:
    """Return the view of a seat that holds `hand`: to bid, or, where a trick is given, to play to it.

    The cards of the trick come in the order played, the last by the seat before.
    """
    view = new_view()
    rules = rules or Rules()
    view["rules"] = rules.record()
    view["n_players"], view["seat"], view["side"], view["partner"] = 4, seat, seat % 2, (seat + 2) % 4
    view["scores"][:2], view["bags"][:2] = scores, bags
    view["hand"], view["broken"], view["trick_no"] = mask(hand), broken, trick_no
    view["bids"], view["tricks"], view["trick"] = bids or [-1] * 4, tricks or [0] * 4, [-1] * 4
    view["led_suit"] = view["best_card"] = view["best_seat"] = -1
    if trick is None:
        view["phase"] = BIDDING
        view["legal"] = (2 << rules.hand_size) - 1 - (not rules.nil_allowed)
        return view
    view["phase"] = PLAYING
    played = cards(trick)
    view["n_in_trick"], view["leader"] = len(played), (seat - len(played)) % 4
    for place, number in enumerate(played):
        other = (view["leader"] + place) % 4
        view["trick"][other] = number
        if place == 0:
            view["led_suit"] = min(number // 13, 3)
        if place == 0 or beats(number, int(view["best_card"])):
            view["best_card"], view["best_seat"] = number, other
    view["played"] = mask(trick)
    view["legal"] = legal_cards(view["rules"], int(view["hand"]), int(view["led_suit"]), broken)
    return view


def bid(spec: str, hand: str, bids: list[int] | None = None, **rest: Any) -> int:
    """Return what a bot bids."""
    strategy = load_strategy(spec)
    return int(strategy.bid(situation(hand, bids=bids, **rest), strategy.values))


def play(spec: str, hand: str, trick: str, **rest: Any) -> str:
    """Return the card that a bot plays, as text."""
    strategy = load_strategy(spec)
    rest.setdefault("bids", [3, 3, 3, 3])
    chosen = int(strategy.play(situation(hand, trick, **rest), strategy.values))
    return next(word for word in hand.split() if card(word) == chosen)
