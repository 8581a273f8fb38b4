"""Replays and decisions as plain values, which JSON can hold; docs/reference/show.md tells every key."""

import dataclasses
from typing import Any

from spadesim.core.batch import BOARDS
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.match.faults import fault_text
from spadesim.match.moment import Moment
from spadesim.match.record import Difference, Fault, Hand, Replay, Room, Score
from spadesim.notation import SEATS, SUITS, card_text, cards_in, deal_text, hand_text

SIDE_KEYS = ("NS", "EW")


def replay_dict(
    played: Replay, hand: int | None, rooms: tuple[int, ...], seen: Moment | None = None
) -> dict[str, Any]:
    """A replay, or one hand of it, as nested dicts and lists."""
    spec = played.spec
    found = [part for part in played.differences() if hand is None or part.hand == hand]
    return {
        "a": spec.a,
        "b": spec.b,
        "kind": "deal" if played.deal else "board" if spec.kind == BOARDS else "game",
        "number": played.unit,
        "rules": str(spec.rules),
        "seed": spec.seed,
        "command": played.command(),
        "rooms": [_room(played, played.rooms[room], hand) for room in rooms],
        "differences": [_difference(part) for part in found],
        "moment": None if seen is None else _moment(seen),
    }


def _room(played: Replay, room: Room, hand: int | None) -> dict[str, Any]:
    return {
        "room": room.number,
        "sides": {key: "ab"[room.owner(side)] for side, key in enumerate(SIDE_KEYS)},
        "players": {SEATS[seat]: str(played.bot(room.number, seat)) for seat in range(4)},
        "n_hands": len(room.hands),
        "winner": _winner(room),
        "fault": None if room.fault is None else _fault(room.fault),
        "hands": [_hand(record) for record in room.hands if hand is None or record.number == hand],
    }


def _winner(room: Room) -> str | None:
    if room.end == GOES_ON:
        return None
    return "draw" if room.end == DRAW else SIDE_KEYS[room.end]


def _fault(fault: Fault) -> dict[str, Any]:
    place = fault.place
    return {
        "hand": place.hand_no + 1,
        "trick": place.trick_no + 1 if place.phase else 0,
        "seat": SEATS[place.seat],
        "text": fault_text(fault),
    }


def _hand(hand: Hand) -> dict[str, Any]:
    return {
        "hand": hand.number + 1,
        "dealer": SEATS[hand.dealer],
        "first_bidder": SEATS[hand.first_bidder],
        "deal": deal_text(hand.dealt),
        "before": {
            key: {"score": hand.scores[side], "bags": hand.bags[side]} for side, key in enumerate(SIDE_KEYS)
        },
        "bids": {SEATS[bid.seat]: bid.choice for bid in hand.bids},
        "tricks": [
            {
                "leader": SEATS[trick.leader],
                "cards": [card_text(play.choice) for play in trick.plays],
                "forced": [card_text(play.choice) for play in trick.plays if play.is_forced],
                "winner": None if trick.winner is None else SEATS[trick.winner],
            }
            for trick in hand.tricks
        ],
        "results": None
        if hand.results is None
        else {key: _score(hand.results[side]) for side, key in enumerate(SIDE_KEYS)},
    }


def _score(result: Score) -> dict[str, Any]:
    return dataclasses.asdict(result)


def _difference(found: Difference) -> dict[str, Any]:
    return {
        "hand": found.hand + 1,
        "trick": found.trick + 1,
        "rooms": [
            choice and {"seat": SEATS[choice.seat], **_choice(choice.choice, found.trick < 0)}
            for choice in found.choices
        ],
    }


def _choice(choice: int, is_bid: bool) -> dict[str, Any]:
    return {"bid": choice} if is_bid else {"card": card_text(choice)}


def _moment(seen: Moment) -> dict[str, Any]:
    is_bid = seen.is_bidding
    bids = [bid for bid in range(63) if seen.legal >> bid & 1]
    return {
        "room": seen.room,
        "hand": seen.hand.number + 1,
        "trick": seen.trick + 1,
        "seat": SEATS[seen.seat],
        "holding": hand_text(seen.holding),
        "legal": bids if is_bid else [card_text(card) for card in cards_in(seen.legal)],
        "on_table": [{"seat": SEATS[play.seat], "card": card_text(play.choice)} for play in seen.on_table],
        "bids": {SEATS[seat]: None if bid < 0 else bid for seat, bid in enumerate(seen.bids)},
        "tricks": {SEATS[seat]: won for seat, won in enumerate(seen.tricks)},
        "shown_out": {
            SEATS[seat]: [SUITS[suit] for suit in reversed(range(4)) if void >> suit & 1]
            for seat, void in enumerate(seen.voids)
        },
        "played": hand_text(seen.played),
        "unseen": hand_text(seen.unseen),
        "spades_broken": seen.spades_broken,
        "forced": seen.is_forced,
        "made": None if seen.made is None else _choice(seen.made, is_bid),
        "answers": [
            {
                "bot": answer.bot,
                **(_choice(answer.choice, is_bid) if answer.choice is not None else {}),
                "legal": answer.is_legal,
                "same": None if seen.made is None else answer.choice == seen.made,
                "error": answer.error,
            }
            for answer in seen.answers
        ],
    }
