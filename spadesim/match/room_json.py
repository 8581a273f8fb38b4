"""The rooms of a board or a game as plain values, which JSON can hold, and the rooms of a board out of them.

docs/reference/show.md tells every key.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from spadesim.core.rules import Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.seating import ROLES
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEPING, PLAYING
from spadesim.match.faults import fault_text
from spadesim.match.record import Choice, Decision, Exchange, Fault, Hand, Replay, Room, Score, Trick, Turn
from spadesim.notation import (
    SEATS,
    card_text,
    cards_in,
    deal_text,
    mask_of,
    parse_card,
    parse_cards,
    parse_deal,
)

PHASES = {BIDDING: "bid", PLAYING: "play", KEEPING: "keep", DECLARING: "declare", EXCHANGING: "exchange"}


def side_keys(hand: Hand) -> list[str]:
    """The keys of the sides: NS and EW, or single seats."""
    return keys_of(hand.n_seats, hand.has_partners)


def keys_of(n_seats: int, has_partners: bool) -> list[str]:
    """The keys of the sides of a table."""
    return ["NS", "EW"] if has_partners else list(SEATS[:n_seats])


def room_dict(played: Replay, room: Room, hand: int | None = None) -> dict[str, Any]:
    """A room, all its hands or one of them."""
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
        **where(place.phase, place.number(rules.players)),
        "seat": SEATS[place.seat],
        "text": fault_text(fault, rules),
    }


def where(phase: int, number: int) -> dict[str, Any]:
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


def read_room(values: Mapping[str, Any], rules: Rules) -> Room:
    """The room of a board that was played to its end.

    Parameters
    ----------
    values : mapping
        As `room_dict` has them.
    rules : Rules

    Raises
    ------
    KeyError, TypeError, ValueError, UserError
        It is no such room.
    """
    number, (hand,) = int(values["room"]), values["hands"]
    _check(0 <= number < rules.record()["n_rooms"], f"its rules have no room {number}")
    roles = ROLES[int(rules.record()["seating"]), number, : rules.players]
    return Room(number, (_read_hand(hand, rules),), roles=tuple(roles.tolist()))


def _read_hand(values: Mapping[str, Any], rules: Rules) -> Hand:
    seats = SEATS[: rules.players]
    exchanges = tuple(_read_exchange(exchange, seats) for exchange in values.get("exchanges", []))
    blind = {read_seat(key, seats): bool(is_blind) for key, is_blind in values.get("blind", {}).items()}
    found = Hand(
        number=int(values["hand"]) - 1,
        dealer=read_seat(values["dealer"], seats),
        first_bidder=read_seat(values["first_bidder"], seats),
        dealt=tuple(parse_deal(values["deal"], rules.players, rules.hand_size)),
        bids=tuple(_read_bids(values["bids"], blind, seats)),
        tricks=tuple(_read_trick(trick, seats) for trick in values["tricks"]),
        scores=tuple(int(side["score"]) for side in _by_side(values["before"], rules)),
        bags=tuple(int(side["bags"]) for side in _by_side(values["before"], rules)),
        results=tuple(map(_read_score, _by_side(values["results"], rules))),
        stock=tuple(parse_cards(values.get("stock") or "")),
        prelude=(
            *_read_draw(blind, values.get("draw", []), seats),
            *(Decision(EXCHANGING, 0, Choice(seat, given, False)) for seat, given, _ in exchanges),
        ),
        exchanges=exchanges,
        sees_second=rules.draw_second_seen,
    )
    _check_whole(found, rules)
    return found


def _check(is_right: bool, what: str) -> None:
    if not is_right:
        raise ValueError(what)


def _check_whole(hand: Hand, rules: Rules) -> None:
    """Refuse a hand that lacks something, or has too much of it, or another number than can be."""
    n, size = rules.players, rules.hand_size
    bidders = [(hand.first_bidder + k) % n for k in range(n)]
    _check(hand.number >= 0, f"a hand cannot have the number {hand.number + 1}")
    _check([bid.seat for bid in hand.bids] == bidders, "not every seat of a hand bids, each in its turn")
    wrong = [bid.choice for bid in hand.bids if not 0 <= bid.choice <= size]
    _check(not wrong, f"nobody can bid {wrong[:1]}")
    cards = {play.choice for trick in hand.tricks for play in trick.plays}
    is_played = len(hand.tricks) == size and all(len(trick.plays) == n for trick in hand.tricks)
    _check(is_played and len(cards) == n * size, f"a hand is not {size} tricks of {n} cards, all different")
    n_turns = n * size if rules.deal == "draw_keep" else 0
    n_made = sum(step.phase == KEEPING for step in hand.prelude)
    _check(n_made == n_turns, f"a hand is drawn in {n_turns} turns, not in {n_made}")
    _check(len(hand.stock) == 2 * n_turns, f"a stock is of {2 * n_turns} cards, not of {len(hand.stock)}")


def _by_side(values: Mapping[str, Any], rules: Rules) -> list[Any]:
    """What is told of each side, in their order."""
    keys = keys_of(rules.players, rules.n_sides < rules.players)
    _check(values.keys() == set(keys), f"a hand has other sides than {' and '.join(keys)}")
    return [values[key] for key in keys]


def _read_score(values: Mapping[str, Any]) -> Score:
    kinds: dict[str, Any] = {each.name: each.type for each in dataclasses.fields(Score)}
    return Score(**{name: kind(values[name]) for name, kind in kinds.items()})


def read_seat(letter: str, seats: str = SEATS) -> int:
    """The seat of a letter.

    >>> read_seat("E")
    1

    Raises
    ------
    ValueError
        There is none.
    """
    if letter not in tuple(seats):
        raise ValueError(f"there is no seat {letter!r}")
    return seats.index(letter)


def _read_bids(values: Mapping[str, Any], blind: Mapping[int, bool], seats: str) -> Iterator[Choice]:
    for key, bid in values.items():
        seat = read_seat(key, seats)
        yield Choice(seat, int(bid), blind.get(seat, False))


def _read_draw(
    blind: Mapping[int, bool], turns: Sequence[Mapping[str, Any]], seats: str
) -> Iterator[Decision]:
    """The turns of a draw, and before the first one of a seat whether it declared a blind nil."""
    left, taken = dict(blind), dict.fromkeys(range(len(seats)), 0)
    for turn in turns:
        seat = read_seat(turn["seat"], seats)
        if seat in left:
            yield Decision(DECLARING, 0, Choice(seat, int(left.pop(seat)), False))
        kept = Choice(seat, int(bool(turn["kept"])), False)
        yield Decision(KEEPING, taken[seat], kept, parse_card(turn["offered"]))
        taken[seat] += 1
    for seat, is_blind in left.items():
        yield Decision(DECLARING, 0, Choice(seat, int(is_blind), False))


def _read_exchange(values: Mapping[str, Any], seats: str) -> Exchange:
    given, received = (mask_of(map(parse_card, values[name])) for name in ("given", "received"))
    return Exchange(read_seat(values["seat"], seats), given, received)


def _read_trick(values: Mapping[str, Any], seats: str) -> Trick:
    leader, forced = read_seat(values["leader"], seats), set(values["forced"])
    plays = tuple(
        Choice((leader + k) % len(seats), parse_card(card), card in forced)
        for k, card in enumerate(values["cards"])
    )
    return Trick(leader, plays, read_seat(values["winner"], seats))
