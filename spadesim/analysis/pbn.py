"""Replays as PBN, the Portable Bridge Notation: the standard's tags for the deal, our own for the rest.

Bridge programs read the deal and pass over the tags that begin with ``Spades``; `match.deals` reads the deal
back. There is a PBN game for every hand of every room; where there are two, room 0 is ``Open`` and room 1
``Closed``.
"""

from collections.abc import Iterator, Sequence

import spadesim
from spadesim.analysis.words import fault_sentence, side_labels, title
from spadesim.core.batch import BOARDS
from spadesim.match.record import Hand, Replay, Room
from spadesim.notation import SEAT_NAMES, SEATS, bid_text, card_text, deal_text

ROOM_NAMES = ("Open", "Closed")
HEAD = "% PBN 2.1\n% EXPORT\n"


def pbn_text(played: Replay, hand: int | None, rooms: tuple[int, ...]) -> str:
    """The PBN of one hand, or of all, in the rooms asked for."""
    parts = [
        "\n".join(_game(played, played.rooms[room], record)) + "\n"
        for room in rooms
        for record in played.rooms[room].hands
        if hand is None or record.number == hand
    ]
    return f"{HEAD}% Creator: spadesim {spadesim.__version__}\n" + "\n".join(parts)


def _game(played: Replay, room: Room, hand: Hand) -> Iterator[str]:
    board = played.unit if played.spec.kind == BOARDS else hand.number + 1
    names = [played.name_at(room.number, seat) for seat in range(len(SEAT_NAMES))]
    yield from head_tags(title(played), board, names, hand.dealer, hand.dealt)
    if len(played.rooms) == len(ROOM_NAMES):
        yield tag("Room", ROOM_NAMES[room.number])
    else:
        yield tag("SpadesRoom", str(room.number))
    yield from _spades_tags(played, room, hand)


def head_tags(
    event: str, board: int, names: Sequence[str], dealer: int, hands: Sequence[int]
) -> Iterator[str]:
    """The standard's own tags of a hand of four, in its order.

    Parameters
    ----------
    event : str
    board : int
    names : sequence of str
        Of the players, from North on.
    dealer : int
    hands : sequence of int
        Masks, from North on.
    """
    yield tag("Event", event)
    yield tag("Site", "")
    yield tag("Date", "")
    yield tag("Board", str(board))
    for seat in (3, 0, 1, 2):
        yield tag(SEAT_NAMES[seat], names[seat])
    yield tag("Dealer", SEATS[dealer])
    yield tag("Vulnerable", "None")
    yield tag("Deal", deal_text(hands, dealer))
    for name, value in (("Scoring", ""), ("Declarer", ""), ("Contract", ""), ("Result", "")):
        yield tag(name, value)


def _spades_tags(played: Replay, room: Room, hand: Hand) -> Iterator[str]:
    yield tag("SpadesRules", str(played.spec.rules))
    yield tag("SpadesCommand", played.command())
    if played.spec.kind != BOARDS:
        yield tag("SpadesHand", str(hand.number + 1))
    sides = [label.replace("/", "") for label in side_labels(hand)]
    before = zip(sides, hand.scores, hand.bags, strict=True)
    yield tag("SpadesBefore", " ".join(f"{side} {score} bags {bags}" for side, score, bags in before))
    if hand.results is not None:
        found = list(zip(sides, hand.results, strict=True))
        after = " ".join(f"{side} {result.score} bags {result.bags}" for side, result in found)
        yield tag("SpadesPoints", " ".join(f"{side} {result.points}" for side, result in found))
        yield tag("SpadesAfter", after)
    elif room.fault is not None:
        yield tag("SpadesFault", fault_sentence(played, room))
    blind = [SEATS[seat] for seat, is_blind in hand.declared().items() if is_blind]
    if blind:
        yield tag("SpadesBlindNil", " ".join(blind))
    yield tag("SpadesBids", SEATS[hand.first_bidder])
    yield " ".join(bid_text(bid.choice) for bid in hand.bids)
    yield tag("SpadesPlay", SEATS[hand.first_bidder])
    for trick in hand.tricks:
        cards = {play.seat: card_text(play.choice) for play in trick.plays}
        order = [(hand.first_bidder + k) % hand.n_seats for k in range(hand.n_seats)]
        # As in the standard's own play: a column for every seat, suit before rank.
        yield " ".join(cards[seat][::-1] if seat in cards else "-" for seat in order)


def tag(name: str, value: str) -> str:
    """A tag with its value, which may have any signs."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'[{name} "{escaped}"]'
