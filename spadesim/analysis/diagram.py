"""A hand as bridge players draw it: the deal as a compass, the bids and tricks of both rooms, the scores.

Everything is made of lines with named styles (`spadesim.analysis.lines`): ``spade``, ``heart``, ``diamond``
and ``club``; ``a`` and ``b`` for the sides of the duel; ``head``, ``dim``, ``mark`` and ``fault``.
"""

from collections.abc import Sequence

from spadesim.analysis.lines import Block, Line, Span, beside, cut, line, padded, width_of, wrapped
from spadesim.analysis.words import (
    SIDES,
    SIGNS,
    fault_sentence,
    hint,
    opening,
    outcome,
    parting,
    swing,
    title,
)
from spadesim.match.record import N_SEATS, Choice, Hand, Replay, Room, Trick, first_difference
from spadesim.notation import RANKS, SEATS, bid_text

SUIT_STYLES = ("club", "diamond", "heart", "spade")
OWNER_STYLES = ("a", "b")
ROOM_WIDTH = 38
CELL = 7
GAP = 4
LEGEND = "› leads   * wins   · had no other choice   ≠ the rooms part"


def card_span(card: int, style: str = "") -> Span:
    """A card with the sign and in the style of its suit."""
    suit = card // 13
    return Span(RANKS[card % 13] + SIGNS[suit], f"{SUIT_STYLES[suit]} {style}".strip())


def suit_lines(hand: int) -> Block:
    """A hand's four suits, spades first."""
    rows = []
    for suit in reversed(range(4)):
        ranks = "".join(rank for rank in reversed(RANKS) if hand >> (13 * suit + RANKS.index(rank)) & 1)
        rows.append(line(Span(SIGNS[suit], SUIT_STYLES[suit]), " ", ranks or "–"))
    return rows


def cards_line(cards: int) -> Line:
    """Cards on one line, suit by suit; suits without any are left out."""
    spans: list[Span] = []
    for row, suit in zip(suit_lines(cards), reversed(range(4)), strict=True):
        if cards >> (13 * suit) & 0x1FFF:
            spans += [*row, Span("  ")]
    return tuple(spans[:-1]) or line(Span("none", "dim"))


def compass(hands: Sequence[int], dealer: int | None = None) -> Block:
    """A deal with North above, South below, West left and East right.

    >>> from spadesim.analysis.lines import plain
    >>> print(plain(compass([1 << 51, 1 << 38, 1 << 25, 1 << 12]))[:100].splitlines()[0].strip())
    ♠ A
    """
    north, east, south, west = (suit_lines(hand) for hand in hands)
    left = max(width_of(west), 8) + 3
    rose = [
        line("    N    "),
        line("  W   E  "),
        line("    S    "),
        line(Span(f"{SEATS[dealer]} deals".center(9), "dim") if dealer is not None else " " * 9),
    ]
    middle = beside([[padded(row, left) for row in west], rose, east], 3)
    shift = " " * (left + 3)
    return [
        *(line(shift, *row) for row in north),
        *middle,
        *(line(shift, *row) for row in south),
    ]


def hand_block(played: Replay, number: int, columns: int, rooms: Sequence[int] = (0, 1)) -> Block:
    """A hand in full: the deal and what happened at the tables.

    Parameters
    ----------
    played : Replay
    number : int
        Of the hand, 0 for the first of a game.
    columns : int
        How wide it may be: the rooms stand side by side where there is room, and beside the deal.
    rooms : sequence of int
        Which rooms to show.
    """
    shown = [room for room in played.rooms if room.number in rooms and number < len(room.hands)]
    hand = shown[0].hands[number]
    tables = [room_block(played, room, number) for room in shown]
    deal = compass(hand.dealt, hand.dealer)
    return [
        *wrapped(title(played, number), columns, "head"),
        *wrapped(opening(hand), columns),
        *wrapped(parting(played, number), columns, "mark"),
        *wrapped(swing(played, number), columns),
        line(),
        *_arranged(deal, tables, columns),
        line(),
        *wrapped(LEGEND, columns, "dim"),
        *wrapped(hint(played, number), columns, "dim"),
    ]


def _arranged(deal: Block, tables: list[Block], columns: int) -> Block:
    """The deal and the rooms, side by side as far as they fit."""
    abreast = sum(map(width_of, tables)) + GAP * (len(tables) - 1)
    if width_of(deal) + GAP + abreast <= columns:
        return beside([deal, *tables], GAP)
    if abreast <= columns:
        return [*deal, line(), *beside(tables, GAP)]
    rows = deal
    for table in tables:
        rows = [*rows, line(), *table]
    return rows


def room_block(played: Replay, room: Room, number: int) -> Block:
    """One table: who sits where, the bids, the tricks, and what came of it; `ROOM_WIDTH` columns."""
    hand = room.hands[number]
    there = played.rooms[1 - room.number].hands
    found = first_difference(hand, there[number]) if number < len(there) else None
    parted = found.choices[0].seat if found and found.choices[0] else None
    trick = found.trick if found else None
    rows = [
        *_names(played, room, hand),
        line(),
        _seats_row(room),
        _row("bid", _bids(hand, parted if trick == -1 else None), ""),
    ]
    taken = [0, 0]
    for k, cards in enumerate(hand.tricks):
        if cards.winner is not None:
            taken[cards.winner & 1] += 1
        count = f"{taken[0]}–{taken[1]}" if cards.winner is not None else ""
        rows.append(_row(f"{k + 1:>2} ", _cards(cards, parted if trick == k else None), count))
    return [*rows, *_results(played, room, hand)]


def _names(played: Replay, room: Room, hand: Hand) -> Block:
    """The room's number, who sits where, and the scores that the hand began with."""
    rows = [line(Span(f"Room {room.number}", "head"))]
    for side, seats in enumerate(SIDES):
        owner = room.owner(side)
        standing = standing_text(hand, side) if any(hand.scores + hand.bags) else ""
        name = cut(played.names[owner], ROOM_WIDTH - 7 - len(standing))
        left = line(f"{seats}  ", Span(name, OWNER_STYLES[owner]))
        rows.append(line(*padded(left, ROOM_WIDTH - len(standing)), standing))
    return rows


def standing_text(hand: Hand, side: int) -> str:
    """A side's score and bags before a hand."""
    bags = hand.bags[side]
    return f"{hand.scores[side]}, {bags} bag{'s' if bags != 1 else ''}"


def _seats_row(room: Room) -> Line:
    cells = [line(" ", Span(SEATS[seat], OWNER_STYLES[room.owner(seat)])) for seat in range(N_SEATS)]
    return _row("", cells, "NS–EW")


def _row(label: str, cells: Sequence[Line], end: str) -> Line:
    spans = [Span(f"{label:<4}", "dim")]
    for cell in cells:
        spans += padded(cell, CELL)
    return (*spans, Span(f"{end:>5}", "dim"))


def _bids(hand: Hand, parted: int | None) -> list[Line]:
    cells = [line()] * N_SEATS
    for k, bid in enumerate(hand.bids):
        text = Span(f"{bid_text(bid.choice):<3}", "dim" if bid.is_forced else "head")
        cells[bid.seat] = _marked(bid, text, k == 0, " " if bid.is_forced else "", parted)
    return cells


def _cards(trick: Trick, parted: int | None) -> list[Line]:
    cells = [line()] * N_SEATS
    for k, play in enumerate(trick.plays):
        is_winner = play.seat == trick.winner
        style = "won" if is_winner else "forced" if play.is_forced else ""
        cells[play.seat] = _marked(
            play, card_span(play.choice, style), k == 0, "*" if is_winner else " ", parted
        )
    return cells


def _marked(choice: Choice, text: Span, is_first: bool, won: str, parted: int | None) -> Line:
    return line(
        Span("›" if is_first else " ", "mark"),
        text,
        Span(won, "head"),
        Span("·" if choice.is_forced else " ", "dim"),
        Span("≠" if choice.seat == parted else "", "mark"),
    )


def _results(played: Replay, room: Room, hand: Hand) -> Block:
    won = [line(f" {hand.won_by(seat)}") for seat in range(N_SEATS)]
    rows = [_row("won", won, ""), line()]
    if hand.results is None:
        return [*rows, *wrapped(fault_sentence(played, room), ROOM_WIDTH, "fault")]
    rows.append(line(Span("      bid  won   points   score   bags", "dim")))
    for side, result in enumerate(hand.results):
        made = f"{result.contract:>6}{result.tricks:>5}{result.points:>+9}"
        after = f"{result.score:>8}{result.bags:>7}"
        rows.append(line(Span(SIDES[side], OWNER_STYLES[room.owner(side)]), made, after))
    for sentence in outcome(hand):
        rows += wrapped(sentence, ROOM_WIDTH)
    return rows
