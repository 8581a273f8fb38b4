"""Hands that were found, as a drawing, PBN, CSV and JSON, and the table of what they were counted by."""

import csv
import io

import spadesim
from spadesim.analysis.diagram import GAP, columns_of, compass
from spadesim.analysis.hands import Hands
from spadesim.analysis.hands_found import FoundHand, Played
from spadesim.analysis.lines import Block, Line, Span, beside, line, padded, wrapped
from spadesim.analysis.numbers import percent
from spadesim.analysis.pbn import HEAD, head_tags, tag
from spadesim.errors import UserError, suggest
from spadesim.expressions import compile_where
from spadesim.notation import SEAT_NAMES, SEATS, bid_text, hand_text

FORMATS = ("diagram", "pbn", "json", "csv")
LABEL = 8
LEAST_CELL = 8
MOST_NAME = 16
ACCEPTED = "›"


def check_format(name: str, is_table: bool, players: int) -> None:
    """Refuse a form that there is not, or that cannot hold what is asked for."""
    if name not in FORMATS:
        raise UserError(
            f"There is no format '{name}'.{suggest(name, FORMATS)} Formats: {', '.join(FORMATS)}."
        )
    if name == "pbn" and is_table:
        raise UserError("pbn holds hands and no counts: take json or csv.")
    if name == "pbn" and players != len(SEATS):
        raise UserError(f"pbn holds four hands, not {players}: take diagram, json or csv.")


def hands_text(found: Hands, format: str) -> str:
    """What was found as PBN, JSON or CSV."""
    if format == "json":
        return found.to_json() + "\n"
    if format == "csv":
        return _table_csv(found) if found.by else _hands_csv(found)
    games = ["\n".join(_game(hand, found)) + "\n" for hand in found.found]
    return f"{HEAD}% Creator: spadesim {spadesim.__version__}\n" + "\n".join(games)


def hands_block(found: Hands, columns: int) -> Block:
    """What was found as a drawing: every hand, or the table, and how many there are.

    Parameters
    ----------
    found : Hands
    columns : int
        How wide it may be.
    """
    rows: Block = []
    for hand in found.found:
        rows += [*_hand_block(hand, columns), line()]
    if found.by:
        rows += [*_table_block(found), line()]
    rows += wrapped(found.verdict, columns, "head")
    if found.tried and not found.accepted:
        rows += wrapped(found.source.further(compile_where(found.where, found.source.known)), columns)
    return rows


def _hand_block(hand: FoundHand, columns: int) -> Block:
    dealer, first = SEAT_NAMES[hand.dealer], SEAT_NAMES[hand.first_bidder]
    drawn = len(hand.cards) < len(SEATS)
    deal = columns_of(hand.cards, hand.dealer) if drawn else compass(hand.cards, hand.dealer)
    table = [] if hand.played is None else _played_block(hand.played)
    return [
        *wrapped(hand.title, columns, "head"),
        *wrapped(f"{dealer} deals, {first} bids and leads first.", columns),
        line(),
        *_arranged(deal, table, columns),
        line(),
        *([line(Span(hand.command, "dim"))]),
    ]


def _arranged(deal: Block, table: Block, columns: int) -> Block:
    """The deal and what was bid, side by side where they fit."""
    if not table:
        return deal
    both = beside([deal, table], GAP)
    if max(sum(len(span.text) for span in row) for row in both) <= columns:
        return both
    return [*deal, line(), *table]


def _played_block(played: Played) -> Block:
    """Who sat where, bid and won what; the seats that meet the condition are marked."""
    names = [_short(bot) for bot in played.bots]
    wide = max(LEAST_CELL, *(len(name) + 2 for name in names))
    seats = [
        line(Span(ACCEPTED if seat in played.accepted else " ", "mark"), Span(SEATS[seat], "head"))
        for seat in range(len(names))
    ]
    rows = {
        "bot": names,
        "bid": list(map(bid_text, played.bids)),
        "won": list(map(str, played.tricks)),
        "points": [f"{points:+}" for points in played.points],
        "score": list(map(str, played.scores)),
        "bags": list(map(str, played.bags)),
    }
    body = [_row(label, [line(f" {cell}") for cell in cells], wide) for label, cells in rows.items()]
    return [_row("", seats, wide), *body]


def _row(label: str, cells: list[Line], wide: int) -> Line:
    spans = [Span(f"{label:<{LABEL}}", "dim")]
    for cell in cells:
        spans += padded(cell, wide)
    return tuple(spans)


def _short(name: str) -> str:
    return name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…"


def _table_block(found: Hands) -> Block:
    """A value a line: how often, the share and its interval."""
    heads = (found.by if len(found.by) <= MOST_NAME else "value", "count", "share", "95 % interval")
    cells = [heads]
    for seen in found.table:
        share = percent(seen.share)
        cells.append((str(seen.value), f"{seen.count:,}", share.value, share.note))
    widths = [max(len(row[k]) for row in cells) for k in range(len(heads))]
    title = [] if heads[0] == found.by else [line(Span(f"By {found.by}", "head"))]
    block: Block = []
    for number, row in enumerate(cells):
        texts = [text.rjust(width) for text, width in zip(row, widths, strict=True)]
        block.append(line(Span("   ".join(texts), "dim" if number == 0 else "")))
    return [*title, *block]


def _table_csv(found: Hands) -> str:
    rows: list[list[object]] = [["value", "count", "share", "low", "high"]]
    rows += [[row.value, row.count, row.share.mean, row.share.low, row.share.high] for row in found.table]
    return _csv(rows)


def _hands_csv(found: Hands) -> str:
    """A line a deal, or an accepted seat of a recorded hand."""
    is_played = found.source.to_dict()["run"] is not None
    if not is_played:
        seats = SEATS[: found.source.known.n_seats].lower()
        rows: list[list[object]] = [["number", "dealer", *seats, "command"]]
        for hand in found.found:
            rows.append([hand.unit, SEATS[hand.dealer], *map(hand_text, hand.cards), hand.command])
        return _csv(rows)
    heads = ["number", "hand", "room", "seat", "bot", "cards", "bid", "tricks", "score", "bags", "points"]
    rows = [[*heads, "command"]]
    for hand in found.found:
        played = hand.played
        assert played is not None
        for seat in played.accepted:
            told = (played.bids, played.tricks, played.scores, played.bags, played.points)
            place = [hand.unit, played.hand, played.room, SEATS[seat], played.bots[seat]]
            cards = hand_text(hand.cards[seat])
            rows.append([*place, cards, *(values[seat] for values in told), hand.command])
    return _csv(rows)


def _csv(rows: list[list[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _game(hand: FoundHand, found: Hands) -> list[str]:
    """A hand as a game of a PBN file."""
    names = hand.played.bots if hand.played else ("", "", "", "")
    tags = list(head_tags(hand.title, hand.unit, names, hand.dealer, hand.cards))
    tags.append(tag("SpadesRules", found.source.to_dict()["rules"]))
    tags.append(tag("SpadesCommand", hand.command))
    if hand.played is not None:
        order = [(hand.first_bidder + k) % len(SEATS) for k in range(len(SEATS))]
        tags.append(tag("SpadesRoom", str(hand.played.room)))
        tags.append(tag("SpadesHand", str(hand.played.hand)))
        tags.append(tag("SpadesBids", SEATS[hand.first_bidder]))
        tags.append(" ".join(bid_text(hand.played.bids[seat]) for seat in order))
    return tags
