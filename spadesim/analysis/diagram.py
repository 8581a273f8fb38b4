"""A hand as bridge players draw it: the deal as a compass, the bids and tricks of all rooms, the scores.

Everything is made of lines with named styles (`spadesim.analysis.lines`): ``spade``, ``heart``, ``diamond``
and ``club``; ``a`` and ``b`` for the sides of the duel; ``head``, ``dim``, ``mark`` and ``fault``.
"""

from collections.abc import Sequence

from spadesim.analysis.lines import Block, Line, Span, beside, cut, line, padded, width_of, wrapped
from spadesim.analysis.words import (
    SIGNS,
    before_bidding,
    fault_sentence,
    hint,
    opening,
    outcome,
    parting,
    side_labels,
    swing,
    title,
)
from spadesim.core.view import BIDDING, KEEPING, PLAYING
from spadesim.match.record import Choice, Hand, Replay, Room, Trick, Turn
from spadesim.notation import RANKS, SEAT_NAMES, SEATS, bid_text

SUIT_STYLES = ("club", "diamond", "heart", "spade")
OWNER_STYLES = ("a", "b")
ROOM_WIDTH = 38
CELL = 7
TURN = 12
GAP = 4
LEGEND = "› leads   * wins   · had no other choice   ≠ the rooms part"
LEGEND_OF_DRAW = "( ) discarded   [ ] discarded unseen"


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


def columns_of(hands: Sequence[int], dealer: int) -> Block:
    """A deal with the hands side by side, for tables that are no compass."""
    blocks = []
    for seat, hand in enumerate(hands):
        deals = " deals" if seat == dealer else ""
        blocks.append([line(Span(f"{SEAT_NAMES[seat]}{deals}", "dim")), *suit_lines(hand)])
    return beside(blocks, GAP)


def hand_block(played: Replay, number: int, columns: int, rooms: Sequence[int]) -> Block:
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
    hand = next(room for room in played.rooms if _has(room, number, rooms)).hands[number]
    return [
        *wrapped(title(played, number), columns, "head"),
        *wrapped(opening(hand), columns),
        *wrapped(parting(played, number), columns, "mark"),
        *wrapped(swing(played, number), columns),
        line(),
        *tables_block(played, number, columns, rooms),
        line(),
        *legend_block(hand, columns),
        *wrapped(hint(played, number), columns, "dim"),
    ]


def tables_block(played: Replay, number: int, columns: int, rooms: Sequence[int]) -> Block:
    """The deal and the rooms of a hand, without a word; parameters as `hand_block`."""
    shown = [room for room in played.rooms if _has(room, number, rooms)]
    tables = [room_block(played, room, number) for room in shown]
    return _arranged(_deal(shown[0].hands[number]), tables, columns)


def legend_block(hand: Hand, columns: int) -> Block:
    """What the signs mean."""
    return [
        *wrapped(LEGEND, columns, "dim"),
        *(wrapped(LEGEND_OF_DRAW, columns, "dim") if hand.stock else []),
    ]


def _has(room: Room, number: int, rooms: Sequence[int]) -> bool:
    """Whether a room is to be shown, and has such a hand."""
    return room.number in rooms and number < len(room.hands)


def _deal(hand: Hand) -> Block:
    """The deal, which all rooms have in common; at a draw table they draw their own."""
    if hand.stock:
        return []
    if hand.n_seats == len(SEATS):
        return compass(hand.dealt, hand.dealer)
    return columns_of(hand.dealt, hand.dealer)


def _arranged(deal: Block, tables: list[Block], columns: int) -> Block:
    """The deal and the rooms, as many side by side as fit."""
    if deal and _abreast([deal, *tables]) <= columns:
        return beside([deal, *tables], GAP)
    rows, left = list(deal), list(tables)
    while left:
        n = next((n for n in range(len(left), 1, -1) if _abreast(left[:n]) <= columns), 1)
        rows += [*([line()] if rows else []), *beside(left[:n], GAP)]
        left = left[n:]
    return rows


def _abreast(blocks: Sequence[Block]) -> int:
    return sum(map(width_of, blocks)) + GAP * (len(blocks) - 1)


def room_block(played: Replay, room: Room, number: int) -> Block:
    """One table: who sits where, the draw, the bids and tricks, what came of it; `ROOM_WIDTH` columns."""
    hand = room.hands[number]
    parted = parted_in(played, room, number)
    rows = [*_names(played, room, hand), line(), *_drawn(room, hand, parted)]
    if hand.results is None and not hand.bids:
        return [*rows, *wrapped(fault_sentence(played, room), ROOM_WIDTH, "fault")]
    rows += [
        _seats_row(room, hand),
        _row("bid", bid_cells(hand, parted), ""),
    ]
    counts = counts_of(hand)
    for k, cards in enumerate(hand.tricks):
        rows.append(_row(f"{k + 1:>2} ", card_cells(hand, k, cards, parted), counts[k]))
    return [*rows, *_results(played, room, hand)]


Parted = tuple[int, int, int] | None
"""Phase, number and seat of the decision where the rooms part."""


def parted_in(played: Replay, room: Room, number: int) -> Parted:
    """Where a room parts from the others in a hand."""
    found = played.difference(number)
    step = found and found.decisions[room.number]
    return (step.phase, step.number, step.made.seat) if step else None


def counts_of(hand: Hand) -> list[str]:
    """How many tricks both sides have after each; "" at a table of more sides, and for an open trick."""
    n_sides, counts = len(hand.scores), []
    taken = [0] * n_sides
    for cards in hand.tricks:
        if cards.winner is not None:
            taken[cards.winner % n_sides] += 1
        counts.append("–".join(map(str, taken)) if cards.winner is not None and n_sides == 2 else "")
    return counts


def _drawn(room: Room, hand: Hand, parted: Parted) -> Block:
    """The turns of the draw, what else was decided before the bidding, and the hands that it made."""
    rows: Block = []
    if hand.stock:
        heads = [
            Span(f" {SEATS[seat]:<{TURN - 1}}", OWNER_STYLES[room.owner(seat)])
            for seat in range(hand.n_seats)
        ]
        rows.append(line(Span("draw", "dim"), *heads))
    for k, cells in enumerate(turn_cells(hand, parted)):
        spans = [Span(f"{k + 1:>2}  ", "dim")]
        for cell in cells:
            spans += padded(cell, TURN)
        rows.append(tuple(spans))
    for sentence in before_bidding(hand):
        rows += wrapped(sentence, ROOM_WIDTH)
    hands = [(seat, cards) for seat, cards in enumerate(hand.dealt) if hand.stock and cards]
    if hands:
        rows += [
            line(),
            *(line(Span(f"{SEATS[seat]}  ", "dim"), *cards_line(cards)) for seat, cards in hands),
        ]
    return [*rows, line()] if rows else []


def turn_cells(hand: Hand, parted: Parted) -> list[list[Line]]:
    """The turns of the draw, a line for each seat in a row."""
    turns, rows = hand.draw(), []
    for k in range(0, len(turns), hand.n_seats):
        cells = [line()] * hand.n_seats
        for turn in turns[k : k + hand.n_seats]:
            cells[turn.seat] = _turn(turn, is_parted=parted == (KEEPING, k // hand.n_seats, turn.seat))
        rows.append(cells)
    return rows


def _turn(turn: Turn, is_parted: bool) -> Line:
    """Both cards of a turn in the order of the stock, the one that was discarded in brackets."""
    left, right = "()" if turn.is_seen else "[]"
    dead = line(Span(left, "dim"), card_span(turn.discarded), Span(right, "dim"))
    taken = line(card_span(turn.drawn, "head"))
    order = (*taken, Span(" "), *dead) if turn.is_kept else (*dead, Span(" "), *taken)
    return (*order, Span(" ≠" if is_parted else "", "mark"))


def _names(played: Replay, room: Room, hand: Hand) -> Block:
    """The room's number, who sits where, and the scores that the hand began with."""
    rows = [line(Span(f"Room {room.number}", "head"))]
    for side, seats in enumerate(side_labels(hand)):
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


def _seats_row(room: Room, hand: Hand) -> Line:
    cells = [line(" ", Span(SEATS[seat], OWNER_STYLES[room.owner(seat)])) for seat in range(hand.n_seats)]
    labels = side_labels(hand)
    return _row("", cells, "–".join(labels).replace("/", "") if len(labels) == 2 else "")


def _row(label: str, cells: Sequence[Line], end: str) -> Line:
    spans = [Span(f"{label:<4}", "dim")]
    for cell in cells:
        spans += padded(cell, CELL)
    return (*spans, Span(f"{end:>5}", "dim"))


def bid_cells(hand: Hand, parted: Parted) -> list[Line]:
    """What each seat bid."""
    cells = [line()] * hand.n_seats
    for k, bid in enumerate(hand.bids):
        text = Span(f"{bid_text(bid.choice):<3}", "dim" if bid.is_forced else "head")
        is_parted = parted == (BIDDING, 0, bid.seat)
        cells[bid.seat] = _marked(bid, text, k == 0, " " if bid.is_forced else "", is_parted)
    return cells


def card_cells(hand: Hand, number: int, trick: Trick, parted: Parted) -> list[Line]:
    """What each seat played to a trick."""
    cells = [line()] * hand.n_seats
    for k, play in enumerate(trick.plays):
        is_winner = play.seat == trick.winner
        style = "won" if is_winner else "forced" if play.is_forced else ""
        is_parted = parted == (PLAYING, number, play.seat)
        cells[play.seat] = _marked(
            play, card_span(play.choice, style), k == 0, "*" if is_winner else " ", is_parted
        )
    return cells


def _marked(choice: Choice, text: Span, is_first: bool, won: str, is_parted: bool) -> Line:
    return line(
        Span("›" if is_first else " ", "mark"),
        text,
        Span(won, "head"),
        Span("·" if choice.is_forced else " ", "dim"),
        Span("≠" if is_parted else "", "mark"),
    )


def _results(played: Replay, room: Room, hand: Hand) -> Block:
    won = [line(f" {hand.won_by(seat)}") for seat in range(hand.n_seats)]
    rows = [_row("won", won, ""), line()]
    if hand.results is None:
        return [*rows, *wrapped(fault_sentence(played, room), ROOM_WIDTH, "fault")]
    rows.append(line(Span("      bid  won   points   score   bags", "dim")))
    for side, result in enumerate(hand.results):
        made = f"{result.contract:>6}{result.tricks:>5}{result.points:>+9}"
        after = f"{result.score:>8}{result.bags:>7}"
        label = f"{side_labels(hand)[side]:<3}"
        rows.append(line(Span(label, OWNER_STYLES[room.owner(side)]), made, after))
    for sentence in outcome(hand):
        rows += wrapped(sentence, ROOM_WIDTH)
    return rows
