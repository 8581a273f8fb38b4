"""Replays and decisions as plain values, which JSON can hold; docs/reference/show.md tells every key."""

from collections.abc import Sequence
from typing import Any

from spadesim.core.batch import BOARDS
from spadesim.core.view import BIDDING, EXCHANGING, KEEP, KEEPING, PLAYING
from spadesim.match.moment import Moment
from spadesim.match.record import Difference, Replay
from spadesim.match.room_json import PHASES, room_dict, where
from spadesim.notation import SEATS, SUITS, card_text, cards_in, hand_text


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
        "rooms": [room_dict(played, played.rooms[room], hand) for room in rooms],
        "differences": [_difference(part) for part in found],
        "moment": None if seen is None else _moment(seen),
    }


def _difference(found: Difference) -> dict[str, Any]:
    step = found.first
    return {
        "hand": found.hand + 1,
        **where(step.phase, step.number),
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
        **where(seen.phase, seen.number),
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
