"""A solved position as a page of text."""

from spadesim.analysis.diagram import cards_line
from spadesim.analysis.lines import Block, Span, line, padded, wrapped
from spadesim.analysis.words import card_sign
from spadesim.match.solving import Solution, Worth
from spadesim.notation import SEAT_NAMES, SEATS, parse_card, parse_hand

CELL = 6
COLUMNS = 80


def solution_block(solved: Solution) -> Block:
    """What the position is worth, what each card, and the best line."""
    rows: Block = [line(), *_hands(solved), line(), *wrapped(_verdict(solved), COLUMNS, "head")]
    if not solved.is_exact:
        rows += wrapped(_limit(solved), COLUMNS, "fault")
    rows += [line(), line(Span(f"card   {_unit(solved)}", "dim"))]
    rows += [_card_row(solved, worth) for worth in solved.cards]
    return [*rows, line(), *_line(solved)] if solved.line else rows


def _hands(solved: Solution) -> Block:
    words = solved.deal.partition(":")[2].split()
    rows = []
    for seat, word in enumerate(words):
        rows.append(line(Span(f"{SEATS[seat]}  ", "dim"), *cards_line(parse_hand(word))))
    plays = solved.trick.split()
    if plays:
        shown = ", ".join(
            f"{s} {card_sign(parse_card(c))}" for s, c in zip(plays[::2], plays[1::2], strict=True)
        )
        rows.append(line(Span("on the table: ", "dim"), shown))
    return [line(Span(f"rules {solved.rules}", "dim")), *rows]


def _verdict(solved: Solution) -> str:
    """Who is to play, and what North and South get."""
    what = "points more than East and West" if solved.value == "points" else "of the tricks left"
    return (
        f"{SEAT_NAMES[solved.seat]} plays. With best play North and South get {_span(solved, solved)} {what}."
    )


def _limit(solved: Solution) -> str:
    return (
        f"The search was ended after {solved.nodes:,} cards (--nodes {solved.most_nodes}), before all was "
        f"known; the best card so far is {card_sign(solved.best)}."
    )


def _unit(solved: Solution) -> str:
    return "points of N/S less E/W" if solved.value == "points" else "tricks of N/S"


def _span(solved: Solution, bounds: Solution | Worth) -> str:
    sign = "+" if solved.value == "points" else ""
    low, high = format(bounds.low, f"{sign}d"), format(bounds.high, f"{sign}d")
    return low if low == high else f"{low} to {high}"


def _card_row(solved: Solution, worth: Worth) -> tuple[Span, ...]:
    is_best = (worth.low, worth.high) == (solved.low, solved.high) and worth.low == worth.high
    cell = padded(line(" ", card_sign(worth.card)), CELL)
    return (*cell, Span(f"{_span(solved, worth):>8}"), Span("  best" if is_best else "", "mark"))


def _line(solved: Solution) -> Block:
    """The best line, a trick in a row, every card below its seat."""
    rows: Block = [line(Span("best line", "dim"), *(f"  {seat:<4}" for seat in SEATS))]
    on_table = solved.trick.split()
    plays = [(SEATS.index(s), parse_card(c)) for s, c in zip(on_table[::2], on_table[1::2], strict=True)]
    plays += solved.line
    for k in range(0, len(plays), 4):
        trick = dict(plays[k : k + 4])
        leader = plays[k][0]
        cells = [f" {'›' if seat == leader else ' '}{card_sign(trick[seat]):<4}" for seat in range(4)]
        rows.append(line(Span(f"{k // 4 + 1:>9}", "dim"), *cells))
    return rows
