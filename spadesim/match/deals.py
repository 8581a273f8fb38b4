"""Deals that somebody gives: as text, or out of a PBN file (Portable Bridge Notation).

Of a PBN file the tags ``Board``, ``Dealer`` and ``Deal`` are read, and everything else is passed over, so
that files of any bridge program will do. ``#`` stands for what the game before had, as in the standard.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from spadesim.core.cards import N_CARDS
from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.match.record import Deal
from spadesim.match.spec import in_words
from spadesim.notation import SEATS, parse_cards, parse_deal, parse_seat
from spadesim.reading import user_path

MAX_BYTES = 20_000_000
MOST_NAMED = 8
_TAG = re.compile(r'\s*\[\s*(\w+)\s+"(.*)"\s*\]')


class Tagged(NamedTuple):
    """A deal as it stands in a file: board and dealer ("" if untold), cards, and the line of these."""

    board: str
    dealer: str
    text: str
    line: int


def read_deal(text: str, board: int | None, dealer: str | int | None, rules: Rules) -> tuple[Deal, int]:
    """A given deal, and the number of its board.

    Parameters
    ----------
    text : str
        ``N:AKQ2.J3...`` and so on, or the name of a file that ends in ``.pbn``. At a draw table the 52 cards
        of the stock, the top one first.
    board : int or None
        Which board of a file, by its Board tag, or counted from 1 where no deal has such a tag; None for the
        file's first deal. The number of a deal in words, 0 if left out.
    dealer : str, int or None
        The seat that deals, or draws first; None for the one that the file names, and North where none is
        named.
    rules : Rules

    Raises
    ------
    UserError
        The deal or the file is none, with the line that is wrong.
    """
    seat = None if dealer is None else seat_at(dealer, rules.players)
    is_file = text.strip().lower().endswith(".pbn")
    if is_file and rules.players != len(SEATS):
        what = "the stock as text" if rules.deal == "draw_keep" else "the hands as text"
        raise UserError(
            f"A PBN file holds four hands, but {in_words(rules.players)} play under these rules: give {what}."
        )
    if rules.deal == "draw_keep":
        return Deal((), seat or 0, _stock(text)), board or 0
    if not is_file:
        return Deal(tuple(parse_deal(text, rules.players, rules.hand_size)), seat or 0), board or 0
    file = user_path(text.strip())
    found = _pick(list(tagged_deals(_read(file))), board, file)
    try:
        hands = tuple(parse_deal(found.text, rules.players, rules.hand_size))
        if seat is None:
            seat = 0 if found.dealer in ("", "?") else parse_seat(found.dealer)
    except UserError as error:
        raise UserError(f"{file}, line {found.line}: {error}") from None
    is_number = found.board.isdecimal() and len(found.board) < 13
    return Deal(hands, seat), int(found.board) if is_number else board or 0


def _stock(text: str) -> tuple[int, ...]:
    """The 52 cards of a stock, the top one first."""
    right = "at a draw table a deal is the stock, all 52 cards with the top one first, such as 'AS 7D 2C ...'"
    if ":" in text or "." in text:
        raise UserError(f"'{cut(text)}' has hands; {right}.")
    cards = parse_cards(text)
    if len(cards) != N_CARDS:
        raise UserError(f"The stock has {len(cards)} card{'s' * (len(cards) != 1)}, not 52: {right}.")
    return tuple(cards)


def cut(text: str, most: int = 30) -> str:
    """A text that is short enough for a message."""
    return text if len(text) <= most else f"{text[:most]}..."


def seat_at(text: str | int, n_players: int) -> int:
    """The seat that a text names at a table of so many.

    Raises
    ------
    UserError
        There is no such seat.

    Examples
    --------
    >>> seat_at("e", 2)
    1
    """
    seat = parse_seat(text)
    if seat >= n_players:
        seats = " and ".join((", ".join(SEATS[: n_players - 1]), SEATS[n_players - 1]))
        raise UserError(f"'{text}' is no seat at a table of {in_words(n_players)}, which has {seats}.")
    return seat


def _read(file: Path) -> str:
    try:
        with file.open("rb") as source:
            data = source.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"The file '{file}' cannot be read: {error.strerror}.") from None
    if len(data) > MAX_BYTES:
        most = MAX_BYTES // 1_000_000
        raise UserError(f"The file '{file}' is larger than {most} MB; cut out the deals that you want.")
    if b"\0" in data:
        raise UserError(f"The file '{file}' is not a text: a PBN file has lines such as [Deal \"N:...\"].")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UserError(
            f"{file}, line {line}: this is not UTF-8. If the file is Latin-1, "
            "`iconv -f latin1 -t utf-8` makes UTF-8 of it."
        ) from None


def tagged_deals(text: str) -> Iterator[Tagged]:
    r"""Give every deal of a PBN text, in order; comments and what is no deal are passed over.

    >>> [found.board for found in tagged_deals('[Board "7"]\n[Deal "N:... ... ... ..."]')]
    ['7']
    """
    before: dict[str, str] = {}
    tags: dict[str, str] = {}
    line_of_deal = 0
    for number, line in enumerate(chain(_without_comments(text), [""]), start=1):
        found = _TAG.match(line)
        name = found[1] if found else ""
        if name in tags or not line.strip():
            if "Deal" in tags:
                yield Tagged(tags.get("Board", ""), tags.get("Dealer", ""), tags["Deal"], line_of_deal)
            before, tags = tags or before, {}
        if found:
            tags[name] = before.get(name, "") if found[2] == "#" else found[2].strip()
            line_of_deal = number if name == "Deal" else line_of_deal


def _without_comments(text: str) -> Iterator[str]:
    """The lines of a PBN text, with a dot for each that belongs to a comment."""
    is_inside = False
    for line in text.splitlines():
        is_tag = line.lstrip().startswith("[") and not is_inside
        yield line if is_tag or not (is_inside or line[:1] in ("%", ";", "{")) else "."
        if not is_tag and ("{" in line or is_inside):
            is_inside = "}" not in line.rpartition("{")[2]


def _pick(deals: list[Tagged], board: int | None, file: Path) -> Tagged:
    if not deals:
        raise UserError(f"There is no deal in '{file}': a PBN file has lines such as [Deal \"N:...\"].")
    if board is None:
        return deals[0]
    names = [deal.board or str(k) for k, deal in enumerate(deals, start=1)]
    if str(board) not in names:
        known = list(dict.fromkeys(names))
        more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
        raise UserError(
            f"There is no board {board} in '{file}', which has {', '.join(known[:MOST_NAMED])}{more}."
        )
    return deals[names.index(str(board))]
