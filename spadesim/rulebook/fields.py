"""What the fields of a worked example may hold: each is read from a node, checked, and shown as text."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from spadesim.errors import UserError, suggest
from spadesim.notation import card_text, cards_text, mask_of, parse_card, parse_cards, parse_deal, parse_hand
from spadesim.rulebook.nodes import Mistake, Node

Read = Callable[[Node, str], Any]
MOST = 100_000
NOT_MADE = -1  # a bid not made
BLIND = -2  # a nil declared before its bidder saw a card
LATER_CARDS = ("BJ", "LJ")
BLIND_WORD = "BN"


class Later(Exception):  # noqa: N818 - nothing is wrong with it
    """A worked example needs something that there is not yet; the text says what."""


def same(expected: Any, found: Any) -> bool:
    """Whether what was found is what was expected."""
    return bool(expected == found)


def plain(value: Any) -> str:
    """A value as the file would have it: numbers, true, false, null and lists of them."""
    if value is None:
        return "null"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(plain, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Field:
    """One field of an example.

    Parameters
    ----------
    read : function of (Node, str)
        The value of a node; the name is for messages. Raises `Mistake`.
    text : function
        A value as text.
    required : bool
    of : str
        Which of the answers an expectation is about, "" for the one of its own name.
    agrees : function of (expected, found)
    joins : str
        Word before the expected value in messages, such as "one of".
    """

    read: Read
    text: Callable[[Any], str] = plain
    required: bool = True
    of: str = ""
    agrees: Callable[[Any, Any], bool] = field(default=same)
    joins: str = ""

    def optional(self) -> "Field":
        """The same field where it may be left out."""
        return Field(self.read, self.text, False, self.of, self.agrees, self.joins)


def whole(low: int = -MOST, high: int = MOST, or_null: bool = False) -> Read:
    """A whole number within a range, or null as None where that is allowed."""
    also = " or null" if or_null else ""

    def read(node: Node, name: str) -> int | None:
        if node.value is None and or_null:
            return None
        if isinstance(node.value, int) and not isinstance(node.value, bool) and low <= node.value <= high:
            return node.value
        raise Mistake(node.line, f"{name} must be a whole number from {low} to {high}{also}, not {node}.")

    return read


def flag(node: Node, name: str) -> bool:
    """A yes or no."""
    if isinstance(node.value, bool):
        return node.value
    words = {"yes": "true", "on": "true", "no": "false", "off": "false"}
    right = words.get(str(node.value).lower(), "")
    hint = f" Did you mean {right}?" if right else ""
    raise Mistake(node.line, f"{name} must be true or false, not {node}.{hint}")


def text(node: Node, name: str) -> str:
    """Words that can be printed; a number is as good."""
    if isinstance(node.value, str | int) and not isinstance(node.value, bool):
        words = str(node.value)
        if not words.replace("\n", " ").isprintable():
            raise Mistake(node.line, f"{name} has characters in it that cannot be printed.")
        return " ".join(words.split())
    raise Mistake(node.line, f"{name} must be a text, not {node}.")


def one_of(*words: str) -> Read:
    """One of some words."""

    def read(node: Node, name: str) -> str:
        if node.value in words and isinstance(node.value, str):
            return node.value
        hint = suggest(str(node.value), words)
        raise Mistake(node.line, f"{name} must be {' or '.join(words)}, not {node}.{hint}")

    return read


def several(read: Read, what: str, low: int = 0, high: int = 63) -> Read:
    """A list whose members `read` reads, `what` they are being said in messages."""

    def read_all(node: Node, name: str) -> list[Any]:
        if not isinstance(node.value, list):
            raise Mistake(node.line, f"{name} must be a list of {what}, not {node}.")
        n = len(node.value)
        if not low <= n <= high:
            count = f"{low} to {high}" if low < high else str(low)
            raise Mistake(node.line, f"{name} must be a list of {count} {what}, not of {n}.")
        return [read(member, f"a member of {name}") for member in node.value]

    return read_all


def bid(node: Node, name: str) -> int:
    """A bid made with the cards in view."""
    if node.value == BLIND_WORD:
        raise Mistake(node.line, f"{name}: a blind nil ({BLIND_WORD}) is declared before the bidding.")
    if isinstance(node.value, int) and not isinstance(node.value, bool) and 0 <= node.value <= 26:
        return node.value
    hint = " A nil is the bid 0." if str(node.value).lower() in ("nil", "nolla") else ""
    raise Mistake(node.line, f"{name} must be a bid, a whole number from 0 to 26, not {node}.{hint}")


def bid_made(node: Node, name: str) -> int:
    """A bid, which may be a blind nil."""
    return BLIND if node.value == BLIND_WORD else bid(node, name)


def bid_or_none(node: Node, name: str) -> int:
    """A bid as made, or null for one not made yet."""
    return NOT_MADE if node.value is None else bid_made(node, name)


def bid_set(node: Node, name: str) -> list[int]:
    """Different bids, in order of size."""
    found = sorted(several(bid, "bids", 1, 27)(node, name))
    for number in found:
        if found.count(number) > 1:
            raise Mistake(node.line, f"{name}: the bid {number} comes twice.")
    return found


def bids_text(bids: Iterable[int]) -> str:
    """Bids as the file has them."""
    words = {NOT_MADE: None, BLIND: BLIND_WORD}
    return plain([words.get(made, made) for made in bids])


def card(node: Node, name: str) -> int:
    """A card; a joker is read, and told to be for later."""
    if node.value in LATER_CARDS:
        raise Later("packs with jokers")
    if not isinstance(node.value, str):
        raise Mistake(node.line, f"{name} must be a card such as AS or TD, not {node}.")
    try:
        return parse_card(node.value)
    except UserError as error:
        raise Mistake(node.line, f"{name}: {error}") from None


def card_list(node: Node, name: str) -> list[int]:
    """Cards in order, as a list or as one text."""
    if isinstance(node.value, str):
        try:
            return parse_cards(node.value)
        except UserError as error:
            raise Mistake(node.line, f"{name}: {error}") from None
    if not isinstance(node.value, list):
        raise Mistake(node.line, f"{name} must be a list of cards such as [AS, TD], not {node}.")
    cards: list[int] = []
    for member in node.value:
        found = card(member, name)
        if found in cards:
            raise Mistake(member.line, f"{name}: {card_text(found)} comes twice.")
        cards.append(found)
    return cards


def hand(node: Node, name: str) -> int:
    """Cards as a mask: a list, one text, or the suits from spades down with points between them."""
    if isinstance(node.value, str):
        try:
            return parse_hand(node.value)
        except UserError as error:
            raise Mistake(node.line, f"{name}: {error}") from None
    return mask_of(card_list(node, name))


def cards_shown(cards: Iterable[int]) -> str:
    """Cards in order as the file has them."""
    return f"[{', '.join(map(card_text, cards))}]"


def hand_shown(mask: int) -> str:
    """A mask as the file has it."""
    return f"[{cards_text(mask).replace(' ', ', ')}]" if mask else "[]"


def some(read: Read, what: str) -> Read:
    """What `read` reads, one or a list of them, as a list."""

    def read_some(node: Node, name: str) -> list[Any]:
        if isinstance(node.value, list):
            return list(several(read, what, low=1)(node, name))
        return [read(node, name)]

    return read_some


def stock(node: Node, name: str) -> str | list[int]:
    """``sorted``, or cards, top card first."""
    return "sorted" if node.value == "sorted" else card_list(node, name)


def decisions(node: Node, name: str) -> str | list[str]:
    """``all_keep``, or a word for each turn of the draw."""
    if node.value == "all_keep":
        return "all_keep"
    return list(several(one_of("keep", "reject"), "decisions (keep or reject), or all_keep")(node, name))


def deal(node: Node, name: str) -> str | list[int]:
    """``round_robin``, or four hands as a text: N: and a hand for each seat."""
    words = text(node, name)
    if words == "round_robin":
        return words
    try:
        return parse_deal(words)
    except UserError as error:
        raise Mistake(node.line, f"{name} must be round_robin or a deal. {error}") from None


def tricks_played(node: Node, name: str) -> list[tuple[int, list[int], int]]:
    """Finished tricks: leader, cards in order, and the line where each stands."""
    found: list[tuple[int, list[int], int]] = []
    seen: dict[int, int] = {}
    for member in _members(node, f"{name} must be a list of tricks, {{leader: 1, cards: [3H, 9H, 4H, KH]}}"):
        trick = read_group(member, f"a trick of {name}", TRICK)
        for number in trick["cards"]:
            if number in seen:
                where = f"in trick {seen[number]}"
                raise Mistake(member.line, f"{name}: {card_text(number)} was played {where} already.")
            seen[number] = len(found) + 1
        found.append((trick["leader"], trick["cards"], member.line))
    return found


def _members(node: Node, otherwise: str) -> list[Node]:
    if not isinstance(node.value, list):
        raise Mistake(node.line, f"{otherwise}, not {node}.")
    return list(node.value)


def read_group(node: Node, name: str, fields: Mapping[str, Field]) -> dict[str, Any]:
    """The values of a group of keys.

    Raises
    ------
    Mistake
        No group, an unknown or a missing key, or a value that its field does not take.
    Later
        A value for later, and no mistake beside it.
    """
    if not isinstance(node.value, dict):
        raise Mistake(node.line, f"{name} must be a group of keys, {{key: value, ...}}, not {node}.")
    for key, value in node.value.items():
        if key not in fields:
            known = f" {name} may have {', '.join(fields)}."
            raise Mistake(value.line, f"{name} has no key '{key}'.{suggest(key, fields) or known}")
    missing = [key for key, entry in fields.items() if entry.required and key not in node.value]
    if missing:
        raise Mistake(node.line, f"{name} lacks {' and '.join(repr(key) for key in missing)}.")
    found, later = {}, None
    for key, value in node.value.items():
        try:
            found[key] = fields[key].read(value, f"{name}.{key}")
        except Later as reason:
            later = later or reason
    if later:
        raise later
    return found


SEAT = Field(whole(0, 3))
TRICK = {"leader": SEAT, "cards": Field(card_list, cards_shown)}
