"""Replays and decisions as plain values, which JSON can hold; docs/reference/show.md tells every key."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from spadesim.analysis.words import side_labels
from spadesim.core.batch import BOARDS
from spadesim.core.rules import Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEP, KEEPING, PLAYING
from spadesim.match.faults import fault_text
from spadesim.match.moment import Moment
from spadesim.match.record import Difference, Exchange, Fault, Hand, Replay, Room, Score, Turn
from spadesim.notation import SEATS, SUITS, card_text, cards_in, deal_text, hand_text

PHASES = {BIDDING: "bid", PLAYING: "play", KEEPING: "keep", DECLARING: "declare", EXCHANGING: "exchange"}


def side_keys(hand: Hand) -> list[str]:
    """The keys of the sides: NS and EW, or single seats."""
    return [label.replace("/", "") for label in side_labels(hand)]


def replay_dict(
    played: Replay,
    hand: int | None,
    rooms: tuple[int, ...],
    seen: Moment | None = None,
    asked: Sequence[str] = (),
) -> dict[str, Any]:
    """A replay, or one hand of it, as nested dicts and lists; `asked` are the options that ask for it."""
    spec = played.spec
    found = [part for part in played.differences() if hand is None or part.hand == hand]
    return {
        "a": spec.a,
        "b": spec.b,
        "kind": "deal" if played.deal else "board" if spec.kind == BOARDS else "game",
        "number": played.unit,
        "rules": str(spec.rules),
        "seed": spec.seed,
        "command": played.command(*asked),
        "rooms": [_room(played, played.rooms[room], hand) for room in rooms],
        "differences": [_difference(part) for part in found],
        "moment": None if seen is None else _moment(seen),
    }


def _room(played: Replay, room: Room, hand: int | None) -> dict[str, Any]:
    first = room.hands[0]
    return {
        "room": room.number,
        "sides": {key: "ab"[room.owner(side)] for side, key in enumerate(side_keys(first))},
        "players": {SEATS[seat]: str(played.bot(room.number, seat)) for seat in range(first.n_seats)},
        "n_hands": len(room.hands),
        "winner": _winner(room),
        "fault": None if room.fault is None else _fault(room.fault, played.spec.rules),
        "hands": [_hand(record) for record in room.hands if hand is None or record.number == hand],
    }


def _winner(room: Room) -> str | None:
    if room.end == GOES_ON:
        return None
    return "draw" if room.end == DRAW else side_keys(room.hands[0])[room.end]


def _fault(fault: Fault, rules: Rules) -> dict[str, Any]:
    place = fault.place
    return {
        "hand": place.hand_no + 1,
        **_where(place.phase, place.number(rules.players)),
        "seat": SEATS[place.seat],
        "text": fault_text(fault, rules),
    }


def _where(phase: int, number: int) -> dict[str, Any]:
    """Which decision of a hand: a trick, 0 for the bidding; or what was decided before that."""
    if phase in (BIDDING, PLAYING):
        return {"trick": number + 1 if phase == PLAYING else 0}
    return {"trick": None, "decision": PHASES[phase], "draw": number + 1 if phase == KEEPING else None}


def _hand(hand: Hand) -> dict[str, Any]:
    return {
        "hand": hand.number + 1,
        "dealer": SEATS[hand.dealer],
        "first_bidder": SEATS[hand.first_bidder],
        "deal": deal_text(hand.dealt),
        "before": {
            key: {"score": hand.scores[side], "bags": hand.bags[side]}
            for side, key in enumerate(side_keys(hand))
        },
        **(_before_bidding(hand) if hand.stock or hand.prelude else {}),
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
        else {key: _score(hand.results[side]) for side, key in enumerate(side_keys(hand))},
    }


def _before_bidding(hand: Hand) -> dict[str, Any]:
    return {
        "stock": " ".join(map(card_text, hand.stock)) or None,
        "draw": [_turn(turn) for turn in hand.draw()],
        "blind": {SEATS[seat]: is_blind for seat, is_blind in hand.declared().items()},
        "exchanges": [_exchange(exchange) for exchange in hand.exchanges],
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "seat": SEATS[turn.seat],
        "offered": card_text(turn.first),
        "kept": turn.is_kept,
        "drawn": card_text(turn.drawn),
        "discarded": card_text(turn.discarded),
        "seen": turn.is_seen,
    }


def _exchange(exchange: Exchange) -> dict[str, Any]:
    given, received = ([card_text(card) for card in cards_in(cards)] for cards in exchange[1:])
    return {"seat": SEATS[exchange.seat], "given": given, "received": received}


def _score(result: Score) -> dict[str, Any]:
    return dataclasses.asdict(result)


def _difference(found: Difference) -> dict[str, Any]:
    step = found.first
    return {
        "hand": found.hand + 1,
        **_where(step.phase, step.number),
        "rooms": [
            step and {"seat": SEATS[step.made.seat], **_choice(step.made.choice, step.phase)}
            for step in found.decisions
        ],
    }


def _choice(choice: int, phase: int) -> dict[str, Any]:
    """A choice under the name of what it is."""
    if phase == BIDDING:
        return {"bid": choice}
    if phase == PLAYING:
        return {"card": card_text(choice)}
    if phase == EXCHANGING:
        is_mask = 0 <= choice < 1 << 52
        return {"exchange": [card_text(card) for card in cards_in(choice)] if is_mask else choice}
    if choice not in (0, 1):
        return {PHASES[phase]: choice}
    return {"keep": choice == KEEP} if phase == KEEPING else {"declare": choice == 1}


def _moment(seen: Moment) -> dict[str, Any]:
    return {
        "room": seen.room,
        "hand": seen.hand.number + 1,
        **_where(seen.phase, seen.number),
        "seat": SEATS[seen.seat],
        "holding": hand_text(seen.holding),
        **(_known_before(seen) if seen.hand.stock or seen.hand.prelude else {}),
        "legal": _legal(seen),
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
        "made": None if seen.made is None else _choice(seen.made, seen.phase),
        "answers": [
            {
                "bot": answer.bot,
                **(_choice(answer.choice, seen.phase) if answer.choice is not None else {}),
                "legal": answer.is_legal,
                "same": None if seen.made is None else answer.choice == seen.made,
                "error": answer.error,
            }
            for answer in seen.answers
        ],
    }


def _legal(seen: Moment) -> list[Any]:
    if seen.phase in (PLAYING, EXCHANGING):
        return [card_text(card) for card in cards_in(seen.legal)]
    numbers = [number for number in range(63) if seen.legal >> number & 1]
    return numbers if seen.phase == BIDDING else [number == 1 for number in numbers]


def _known_before(seen: Moment) -> dict[str, Any]:
    """What the seat knew of what was decided before the bidding."""
    said = {-1: None, 0: False, 1: True}
    return {
        "offered": card_text(seen.offered) if seen.offered >= 0 else None,
        "discards": hand_text(seen.discards),
        "may_be_back": hand_text(seen.may_be_back),
        "turns": {SEATS[seat]: [turn == "k" for turn in turns] for seat, turns in enumerate(seen.turns)},
        "blind": {SEATS[seat]: said[blind] for seat, blind in enumerate(seen.blind)},
        "exchanged": {SEATS[seat]: n for seat, n in enumerate(seen.n_exchanged)},
    }
