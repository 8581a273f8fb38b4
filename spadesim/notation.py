"""Cards, hands, deals and bids as people write and read them.

A card is rank and suit, ``AS`` or ``TD``; ``10D``, lower case and the suit signs are read as well. A hand is
its cards, ``AS KS 2C``, or its suits from spades down with points between them, ``AK..T98.2``, as PBN, the
Portable Bridge Notation, has it. A deal is the seat of its first hand and the hands clockwise:

>>> hands = parse_deal("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
>>> hand_text(hands[0]), hand_text(hands[1])
('AKQJT98765432...', '.AKQJT98765432..')
>>> parse_deal(deal_text(hands)) == hands
True

Seats 0 to 3 are North, East, South and West.
"""

from collections.abc import Iterable, Sequence

from spadesim.core.cards import N_CARDS
from spadesim.errors import UserError

RANKS = "23456789TJQKA"
SUITS = "CDHS"
SEATS = "NESW"
SEAT_NAMES = ("North", "East", "South", "West")
SIGNS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "♢": "D", "♡": "H", "♤": "S"}


def parse_seat(text: str | int) -> int:
    """The seat that a text names: ``N``, ``north`` or ``0``.

    Raises
    ------
    UserError
        There is no such seat.

    Examples
    --------
    >>> [parse_seat(text) for text in ("N", "east", "2", 3)]
    [0, 1, 2, 3]
    """
    word = str(text).strip().upper()
    for seat, name in enumerate(SEAT_NAMES):
        if word and word in (SEATS[seat], name.upper(), str(seat)):
            return seat
    raise UserError(f"'{text}' is no seat: a seat is N, E, S or W, or a number from 0 (North) to 3 (West).")


def card_text(card: int) -> str:
    """A card as rank and suit; any other number as itself.

    >>> card_text(0), card_text(51), card_text(99)
    ('2C', 'AS', 'number 99')
    """
    return RANKS[card % 13] + SUITS[card // 13] if 0 <= card < N_CARDS else f"number {card}"


def parse_card(text: str) -> int:
    """The card that a text stands for.

    Raises
    ------
    UserError
        The text is no card.

    Examples
    --------
    >>> [parse_card(text) for text in ("2C", "AS", "10d", "Q♥")]
    [0, 51, 21, 36]
    """
    word = text.strip().upper().replace("10", "T")
    for sign, letter in SIGNS.items():
        word = word.replace(sign, letter)
    if len(word) != 2 or word[0] not in RANKS or word[1] not in SUITS:
        backwards = len(word) == 2 and word[1] in RANKS and word[0] in SUITS
        hint = (
            f" Did you mean '{word[::-1]}'?" if backwards else " A card is rank and suit, such as AS or TD."
        )
        raise UserError(f"'{text.strip()}' is no card.{hint}")
    return 13 * SUITS.index(word[1]) + RANKS.index(word[0])


def cards_text(cards: int) -> str:
    """The cards of a mask, spades first and high cards before low ones.

    >>> cards_text(1 << 51 | 1 << 40 | 1 << 0), cards_text(0)
    ('AS 3S 2C', 'none')
    """
    return " ".join(card_text(card) for card in cards_in(cards)) or "none"


def cards_in(cards: int) -> list[int]:
    """The cards of a mask, spades first and high cards before low ones.

    >>> cards_in(1 << 51 | 1 << 40 | 1 << 0)
    [51, 40, 0]
    """
    return [card for card in reversed(range(N_CARDS)) if cards >> card & 1]


def parse_cards(text: str) -> list[int]:
    """The cards of a text such as ``9H KH``, in order; commas between them do no harm.

    Raises
    ------
    UserError
        A word that is no card, or a card that comes twice.
    """
    found: list[int] = []
    for word in text.replace(",", " ").split():
        card = parse_card(word)
        if card in found:
            raise UserError(f"{card_text(card)} comes twice in '{text.strip()}'.")
        found.append(card)
    return found


def mask_of(cards: Iterable[int]) -> int:
    """Cards as one mask.

    >>> mask_of([0, 2])
    5
    """
    return sum({1 << int(card) for card in cards})


def hand_text(hand: int) -> str:
    """A hand as its suits from spades down, points between them.

    >>> hand_text(mask_of(parse_cards("AS KS 9D TD 2C")))
    'AK..T9.2'
    """
    return ".".join(
        "".join(rank for rank in reversed(RANKS) if hand >> (13 * suit + RANKS.index(rank)) & 1)
        for suit in reversed(range(4))
    )


def parse_hand(text: str) -> int:
    """The mask of a hand, written as cards or as its suits from spades down with points between them.

    Raises
    ------
    UserError
        A word that is no card, a rank that there is not, a card that comes twice, or not four suits.

    Examples
    --------
    >>> parse_hand("AS KS TD 9D 2C") == parse_hand("AK..T9.2") == parse_hand("ak.-.109.2")
    True
    """
    text = text.strip()
    if "." not in text:
        return mask_of(parse_cards(text))
    suits = text.upper().replace("10", "T").split(".")
    if len(suits) != 4:
        right = "spades.hearts.diamonds.clubs, such as AK..T9.2"
        raise UserError(f"The hand '{text}' has {len(suits)} suits, not 4: {right}.")
    cards = [rank + suit for suit, ranks in zip("SHDC", suits, strict=True) for rank in ranks.strip(" -–")]
    try:
        return mask_of(parse_cards(" ".join(cards)))
    except UserError as error:
        raise UserError(f"In the hand '{text}': {error}") from None


def deal_text(hands: Sequence[int], first: int = 0) -> str:
    """A deal as PBN has it: the seat of the first hand, then every hand clockwise.

    >>> deal_text([1 << 51, 1 << 38, 1 << 25, 1 << 12], first=1)
    'E:.A.. ..A. ...A A...'
    """
    order = [(first + k) % len(hands) for k in range(len(hands))]
    return f"{SEATS[first]}:" + " ".join(hand_text(hands[seat]) for seat in order)


def parse_deal(text: str, n_players: int = 4, hand_size: int | None = 13) -> list[int]:
    """The hands by seat of a deal: ``N:`` and a hand for each seat clockwise, North first if none is named.

    Parameters
    ----------
    text : str
        A deal, or the whole of PBN's ``[Deal "N:..."]`` tag.
    n_players : int, 2 to 4
    hand_size : int or None
        Cards in each hand; None for any number.

    Raises
    ------
    UserError
        Anything that is no such deal: what is wrong, and what would be right.
    """
    inner = text.strip()
    if inner.startswith("["):
        parts = inner.split('"')
        if len(parts) != 3 or not parts[0].startswith("[Deal"):
            raise UserError(f"'{inner}' is no PBN deal, which looks like [Deal \"N:AK2.J3... ... ... ...\"].")
        inner = parts[1]
    first = 0
    if inner[1:2] == ":":
        if inner[0].upper() not in SEATS[:n_players]:
            seats = ", ".join(SEATS[:n_players])
            raise UserError(f"'{inner[0]}' is no seat: a deal begins with one of {seats}.")
        first, inner = SEATS.index(inner[0].upper()), inner[2:]
    words = inner.split()
    if len(words) > n_players and all(len(word.replace("10", "T")) == 2 for word in words):
        raise UserError(
            f"These are {len(words)} single cards, as a stock is written where cards are drawn; a deal has a "
            'hand for each seat, from spades down, points between the suits: "N:AK2.J3.T98.7654 ...".'
        )
    if len(words) != n_players:
        has = f"{len(words)} hand" + ("s" if len(words) != 1 else "")
        raise UserError(f"The deal has {has}, not {n_players}: '{text.strip()}'.")
    hands = [0] * n_players
    for k, word in enumerate(words):
        hands[(first + k) % n_players] = parse_hand(word)
    check_deal(hands, hand_size)
    return hands


def check_deal(hands: Sequence[int], hand_size: int | None) -> None:
    """Refuse hands that share a card, or that are of another size.

    Raises
    ------
    UserError
        Which card or hand it is.
    """
    seen = 0
    for seat, hand in enumerate(hands):
        if both := seen & hand:
            raise UserError(f"{card_text(cards_in(both)[0])} is dealt twice.")
        seen |= hand
        if hand_size is not None and hand.bit_count() != hand_size:
            n = hand.bit_count()
            raise UserError(f"{SEAT_NAMES[seat]} has {n} card{'s' * (n != 1)}, not {hand_size}.")


def bid_text(bid: int) -> str:
    """A bid as people say it.

    >>> bid_text(0), bid_text(4), bid_text(-1)
    ('nil', '4', '-')
    """
    return "nil" if bid == 0 else "-" if bid < 0 else str(bid)
