"""Whether cards can lie as bounds on suit lengths demand: every hand and every suit has so many cards.

>>> from spadesim.core.rules import Rules
>>> known = Known.of_deals(Rules())
>>> can_lie({"spades(n)": (8, 13), "spades(s)": (6, 13)}, known)
False
>>> can_lie({"spades(n)": (8, 13), "spades(s)": (5, 13)}, known)
True
"""

import re
from collections.abc import Mapping
from math import comb

from spadesim.expressions.known import Known
from spadesim.expressions.terms import Bounds

SUITS = ("clubs", "diamonds", "hearts", "spades")
_LENGTH = re.compile(rf"({'|'.join(SUITS)})\((\w+)\)")
_TABLES = (("n", "e", "s", "w"), ("me", "left", "partner", "right"), ("ns", "ew"), ("us", "opponents"))
_PAIRS = ("ns", "ew", "us")

Span = tuple[int, int]
Share = tuple[int, int]  # what a card counts, and how many there can be
Lengths = dict[tuple[str, str], Span]  # suit and seat -> least and most cards


def can_lie(bounds: Bounds, known: Known) -> bool:
    """Whether some deal may meet bounds on suit lengths; True where these rules of thumb do not tell.

    Parameters
    ----------
    bounds : mapping of str to (int, int)
        Of quantities such as ``spades(n)``; all others are passed over.
    known : Known
    """
    found = [(match, span) for name, span in bounds.items() if (match := _LENGTH.fullmatch(name))]
    if len(found) < 2:
        return True
    asked: Lengths = {(match[1], match[2]): span for match, span in found}
    return all(_can_sit(asked, seats, known) for seats in _TABLES)


def most_likely(bounds: Bounds, known: Known) -> float:
    """The chance of a fresh deal to meet the least likely of bounds on suit lengths; 1 without any.

    Parameters
    ----------
    bounds : mapping of str to (int, int)
        Of quantities such as ``spades(n)``; all others are passed over.
    known : Known

    Examples
    --------
    >>> from spadesim.core.rules import Rules
    >>> round(1 / most_likely({"spades(n)": (13, 13)}, Known.of_deals(Rules())))
    635013559600
    """
    found = [(match, span) for name, span in bounds.items() if (match := _LENGTH.fullmatch(name))]
    chances = []
    for match, (low, high) in found:
        size, pack = _size(match[2], known), known.pack.bit_count()
        cards = _cards_of(SUITS.index(match[1]), known)
        ways = sum(comb(cards, k) * comb(pack - cards, size - k) for k in range(low, min(high, size) + 1))
        chances.append(ways / comb(pack, size))
    return min(chances, default=1.0)


def sum_range(weights: Mapping[str, int], known: Known) -> Span | None:
    """The least and the most that a sum of suit lengths can be; None where it has other things, too.

    Parameters
    ----------
    weights : mapping of str to int
        How often each quantity is in the sum.
    known : Known

    Examples
    --------
    >>> from spadesim.core.rules import Rules
    >>> sum_range({"spades(n)": 1, "hearts(n)": 1}, Known.of_deals(Rules()))
    (0, 13)
    """
    found = {
        match.group(1, 2): times for name, times in weights.items() if (match := _LENGTH.fullmatch(name))
    }
    if len(found) < len(weights) or not found:
        return None
    spans = []
    of_seat: dict[str, list[Share]] = {}
    of_suit: dict[tuple[str, tuple[str, ...]], list[Share]] = {}
    for (suit, seat), times in found.items():
        table = next(seats for seats in _TABLES if seat in seats)
        cards, size = _cards_of(SUITS.index(suit), known), _size(seat, known)
        of_seat.setdefault(seat, []).append((times, min(cards, size)))
        of_suit.setdefault((suit, table), []).append((times, min(cards, size)))
    for seat, shares in of_seat.items():
        others = [(0, _cards_of(SUITS.index(suit), known)) for suit in SUITS if (suit, seat) not in found]
        spans.append(_filled([*shares, *others], _size(seat, known)))
    by_seat = sum(low for low, _ in spans), sum(high for _, high in spans)
    spans = []
    for (suit, _), shares in of_suit.items():
        cards = _cards_of(SUITS.index(suit), known)
        spans.append(_filled([*shares, (0, cards)], cards))
    by_suit = sum(low for low, _ in spans), sum(high for _, high in spans)
    return max(by_seat[0], by_suit[0]), min(by_seat[1], by_suit[1])


def _filled(shares: list[Share], total: int) -> Span:
    """The least and the most that a total can come to, given out in shares of a worth and a most each."""
    ends = []
    for is_most in (False, True):
        left, worth = total, 0
        for times, most in sorted(shares, reverse=is_most):
            worth += times * min(left, most)
            left -= min(left, most)
        ends.append(worth)
    return ends[0], ends[1]


def _can_sit(asked: Lengths, seats: tuple[str, ...], known: Known) -> bool:
    """Whether the hands of seats that have no card in common can be so."""
    taking = [seat for seat in seats if any(seat == other for _, other in asked)]
    totals = {suit: _cards_of(number, known) for number, suit in enumerate(SUITS)}
    lengths = {
        (suit, seat): asked.get((suit, seat), (0, min(totals[suit], _size(seat, known))))
        for suit in SUITS
        for seat in taking
    }
    # Where a seat is missing it holds what is left, so suits only have a most.
    is_all = (
        known.is_whole_pack_dealt and sum(_size(seat, known) for seat in taking) == known.pack.bit_count()
    )
    for _ in range(len(lengths)):
        before = dict(lengths)
        for seat in taking:
            if not _tighten(lengths, [(suit, seat) for suit in SUITS], _size(seat, known), is_exact=True):
                return False
        for suit in SUITS:
            if not _tighten(lengths, [(suit, seat) for seat in taking], totals[suit], is_exact=is_all):
                return False
        if lengths == before:
            return True
    return True


def _tighten(lengths: Lengths, group: list[tuple[str, str]], total: int, is_exact: bool) -> bool:
    """Narrow lengths that add up to a total, or to no more than it; False when they cannot."""
    least = sum(lengths[key][0] for key in group)
    most = sum(lengths[key][1] for key in group)
    if least > total or (is_exact and most < total):
        return False
    for key in group:
        low, high = lengths[key]
        high = min(high, total - (least - low))
        low = max(low, total - (most - lengths[key][1])) if is_exact else low
        if low > high:
            return False
        least, most = least + low - lengths[key][0], most + high - lengths[key][1]
        lengths[key] = (low, high)
    return True


def _cards_of(suit: int, known: Known) -> int:
    return (known.pack >> (13 * suit) & (1 << 13) - 1).bit_count()


def _size(seat: str, known: Known) -> int:
    """Cards of a seat, or of the seats that go by one name."""
    if seat == "opponents":
        return known.hand_size * (known.n_seats - (2 if known.has_partners else 1))
    return known.hand_size * (2 if seat in _PAIRS else 1)
