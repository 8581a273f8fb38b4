"""Cards and views in words, for messages about a bot's answers."""

from typing import Any

from spadesim.core.cards import N_CARDS
from spadesim.core.view import BIDDING

RANKS = "23456789TJQKA"
SUITS = "CDHS"


def card_text(card: int) -> str:
    """A card as rank and suit; any other number as itself.

    >>> card_text(0), card_text(51), card_text(99)
    ('2C', 'AS', 'number 99')
    """
    return RANKS[card % 13] + SUITS[card // 13] if 0 <= card < N_CARDS else f"number {card}"


def cards_text(cards: int) -> str:
    """The cards of a mask, spades first and high cards before low ones.

    >>> cards_text(1 << 51 | 1 << 40 | 1 << 0)
    'AS 3S 2C'
    """
    return " ".join(card_text(card) for card in reversed(range(N_CARDS)) if cards >> card & 1) or "none"


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
