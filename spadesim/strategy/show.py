"""Views and answers in words, for messages about what a bot did."""

from typing import Any

from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEPING, PLAYING
from spadesim.notation import card_text, cards_text
from spadesim.strategy.compiled import BY_PHASE

_CHOICES = {
    KEEPING: {1: "KEEP, which is 1", 0: "PASS_UP, which is 0"},
    DECLARING: {1: "1 for a blind nil", 0: "0 for none"},
}


def answer_text(view: Any, answer: int) -> str:
    """An answer to a view: a bid, a card, or what was decided before the bidding."""
    return answer_words(int(view["phase"]), answer, int(view["hand"]))


def answer_words(phase: int, answer: int, hand: int) -> str:
    """An answer in words, legal or not.

    Parameters
    ----------
    phase : int
        Of `spadesim.core.view`.
    answer : int
    hand : mask of the cards that the seat held

    Examples
    --------
    >>> answer_words(BIDDING, 4, 0), answer_words(KEEPING, 7, 0)
    ('bid 4', 'answered 7 in keep')
    >>> answer_words(EXCHANGING, 0b1011, 0b11)
    'asked to exchange 3 cards, 5C 3C 2C, of which it does not hold 5C'
    """
    if phase == BIDDING:
        return f"bid {answer}"
    if phase == PLAYING:
        return f"played {card_text(answer)}"
    if phase == EXCHANGING and 0 < answer < 1 << 52:
        n, foreign = answer.bit_count(), answer & ~hand
        rest = f", of which it does not hold {cards_text(foreign)}" if foreign else ""
        if n == 1:
            return f"asked to exchange {cards_text(answer)}{', which it does not hold' if foreign else ''}"
        return f"asked to exchange {n} cards, {cards_text(answer)}{rest}"
    if phase == EXCHANGING and answer == 0:
        return "asked to exchange no card"
    return f"answered {answer} in {BY_PHASE[phase]}"


def legal_text(view: Any) -> str:
    """What a view allows."""
    legal = int(view["legal"])
    if view["phase"] == BIDDING:
        return " ".join(str(bid) for bid in range(63) if legal >> bid & 1)
    if view["phase"] == PLAYING:
        return cards_text(legal)
    return legal_words(int(view["phase"]), legal, int(view["rules"]["blind_nil_exchange"]))


def legal_words(phase: int, legal: int, most: int) -> str:
    """What a seat may answer, in words.

    Parameters
    ----------
    phase : int
    legal : mask of choices, or of the cards that the seat may exchange
    most : int
        How many cards it may exchange.

    Examples
    --------
    >>> legal_words(KEEPING, 3, 0)
    'KEEP, which is 1, and PASS_UP, which is 0'
    """
    if phase == EXCHANGING:
        return f"a mask of at most {most} of {cards_text(legal)}, or 0 for none"
    if phase in _CHOICES:
        return ", and ".join(_CHOICES[phase].values())
    if phase == BIDDING:
        return " ".join(str(bid) for bid in range(63) if legal >> bid & 1)
    return cards_text(legal)


def view_text(view: Any) -> str:
    """A view in one line: who decides, with what, after what."""
    seat, phase = int(view["seat"]), int(view["phase"])
    n_players, n_sides = int(view["n_players"]), int(view["rules"]["n_sides"])
    parts = [f"seat {seat} holds {cards_text(int(view['hand']))}", *_before(view)]
    if phase in (BIDDING, PLAYING):
        parts.append(f"bids by seat {_numbers(view['bids'][:n_players])}")
    if phase == PLAYING:
        order = [(int(view["leader"]) + k) % n_players for k in range(int(view["n_in_trick"]))]
        trick = ", ".join(f"seat {other} {card_text(int(view['trick'][other]))}" for other in order)
        parts.append(f"tricks by seat {_numbers(view['tricks'][:n_players])}")
        parts.append(f"trick {int(view['trick_no']) + 1}: {trick or 'to lead'}")
    parts.append(f"scores {_numbers(view['scores'][:n_sides])}, bags {_numbers(view['bags'][:n_sides])}")
    return "; ".join(parts)


def _before(view: Any) -> list[str]:
    """What a view knows of the decisions before the bidding; nothing at tables that have none."""
    parts = []
    if view["phase"] == KEEPING:
        turn = int(view["n_drawn"]) // int(view["n_players"]) + 1
        parts.append(f"its turn {turn} of the draw offers {card_text(int(view['offered']))}")
    if int(view["discards"]):
        parts.append(f"saw discarded {cards_text(int(view['discards']))}")
    blind = [seat for seat in range(int(view["n_players"])) if view["blind"][seat] == 1]
    return parts + [f"seat {seat} declared a blind nil" for seat in blind]


def _numbers(numbers: Any) -> str:
    return " ".join("-" if number < 0 and number == -1 else str(int(number)) for number in numbers)
