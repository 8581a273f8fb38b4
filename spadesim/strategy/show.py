"""Views and answers in words, for messages about what a bot did."""

from typing import Any

from spadesim.core.view import BIDDING
from spadesim.notation import card_text, cards_text


def answer_text(view: Any, answer: int) -> str:
    """An answer to a view: a bid or a card."""
    return f"bid {answer}" if view["phase"] == BIDDING else f"played {card_text(answer)}"


def legal_text(view: Any) -> str:
    """What a view allows."""
    legal = int(view["legal"])
    if view["phase"] == BIDDING:
        return " ".join(str(bid) for bid in range(63) if legal >> bid & 1)
    return cards_text(legal)


def view_text(view: Any) -> str:
    """A view in one line: who decides, with what, after what."""
    seat, bids = int(view["seat"]), [int(bid) for bid in view["bids"]]
    parts = [f"seat {seat} holds {cards_text(int(view['hand']))}", f"bids by seat {_numbers(bids)}"]
    if view["phase"] != BIDDING:
        order = [(int(view["leader"]) + k) % int(view["n_players"]) for k in range(int(view["n_in_trick"]))]
        trick = ", ".join(f"seat {other} {card_text(int(view['trick'][other]))}" for other in order)
        parts.append(f"tricks by seat {_numbers(view['tricks'])}")
        parts.append(f"trick {int(view['trick_no']) + 1}: {trick or 'to lead'}")
    parts.append(f"scores {_numbers(view['scores'][:2])}, bags {_numbers(view['bags'][:2])}")
    return "; ".join(parts)


def _numbers(numbers: Any) -> str:
    return " ".join("-" if number < 0 and number == -1 else str(int(number)) for number in numbers)
