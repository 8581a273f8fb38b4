"""What may be played to a trick, what it does, and who wins it."""

from typing import Any

from spadesim.core._jit import jit
from spadesim.core.cards import SIDE_SUITS_MASK, SPADES, suit_mask, suit_of
from spadesim.core.rules import BREAK_ANY_SPADE, LEAD_ANYTIME


@jit
def legal_cards(rules: Any, hand: int, led_suit: int, broken: int) -> int:
    """Return the mask of the cards that may be played; empty only for an empty hand.

    Parameters
    ----------
    rules : record
        From `Rules.record()`.
    hand : int
        Mask of the cards held.
    led_suit : int
        Suit of the first card of the trick, 0-3; -1 for the leader.
    broken : int
        1 once spades are broken, else 0.
    """
    if led_suit >= 0:
        following = hand & suit_mask(led_suit)
        return following if following else hand
    if broken or rules.spade_lead == LEAD_ANYTIME:
        return hand
    side_suits = hand & SIDE_SUITS_MASK
    return side_suits if side_suits else hand


@jit
def beats(card: int, best: int) -> bool:
    """Whether a card, played after the card that is winning a trick so far, takes it over.

    Being of the led suit or a spade, `best` needs no led suit beside it.

    >>> ace_of_clubs, two_of_hearts, two_of_spades = 12, 26, 39
    >>> bool(beats(two_of_spades, ace_of_clubs)), bool(beats(two_of_hearts, ace_of_clubs))
    (True, False)
    """
    suit = suit_of(card)
    return (card > best) & ((suit == SPADES) | (suit == suit_of(best)))


@jit
def trick_winner(trick: Any, leader: int, n_players: int) -> int:
    """Return the seat that wins a complete trick.

    Parameters
    ----------
    trick : int64[:]
        The card that each seat played, by seat.
    leader : int
        Seat that led.
    n_players : int
        Seats at the table, 2-4.
    """
    winner = leader
    for step in range(1, n_players):
        seat = (leader + step) % n_players
        if beats(trick[seat], trick[winner]):
            winner = seat
    return winner


@jit
def breaks_spades(rules: Any, card: int, led_suit: int) -> int:
    """Return 1 when playing the card breaks spades, else 0.

    Parameters
    ----------
    rules : record
        From `Rules.record()`.
    card : int
        The card played.
    led_suit : int
        Suit of the first card of the trick, 0-3; -1 when `card` is that card.
    """
    if suit_of(card) != SPADES:
        return 0
    if rules.break_on == BREAK_ANY_SPADE:
        return 1
    return 1 if led_suit not in (-1, SPADES) else 0
