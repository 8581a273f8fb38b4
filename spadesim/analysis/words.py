"""What happened in a replay, in sentences."""

from collections.abc import Iterator

from spadesim.core.batch import BOARDS
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.match.faults import fault_text
from spadesim.match.record import N_SEATS, Choice, Difference, Hand, Replay, Room
from spadesim.notation import SEAT_NAMES, SEATS, bid_text, card_text

SIDES = ("N/S", "E/W")
SIGNS = "♣♦♥♠"


def card_sign(card: int) -> str:
    """A card with the sign of its suit.

    >>> card_sign(51)
    'A♠'
    """
    text = card_text(card)
    return text[0] + SIGNS[card // 13] if len(text) == 2 else text


def title(played: Replay, hand: int | None = None) -> str:
    """What is shown: which board, game, hand or deal of which duel."""
    spec, (a, b) = played.spec, played.names
    if played.deal is not None:
        what = "A given deal"
    elif spec.kind == BOARDS:
        what = f"Board {played.unit} of seed {spec.seed}"
    else:
        what = f"Game {played.unit} of seed {spec.seed}" + (f", hand {hand + 1}" if hand is not None else "")
    return f"{what}: {a} against {b}, rules {spec.rules}"


def opening(hand: Hand) -> str:
    """Who deals, and who begins."""
    first = SEAT_NAMES[hand.first_bidder]
    return f"{SEAT_NAMES[hand.dealer]} deals, {first} bids and leads first."


def parting(played: Replay, hand: int) -> str:
    """Where the two rooms part in a hand, or that they do not."""
    rooms = [room for room in played.rooms if hand < len(room.hands)]
    if len(rooms) == 1:
        other = 1 - rooms[0].number
        over = f"was over after {_hands(played, other)}"
        return f"Room {rooms[0].number} only: the game in room {other} {over}."
    found = next((found for found in played.differences() if found.hand == hand), None)
    if found is None:
        return "Both rooms are alike, card for card."
    return f"The rooms part in {_where(found)}: {_what(played, found)}."


def hint(played: Replay, hand: int) -> str:
    """How to look closer at where the rooms part; "" where they do not."""
    found = next((found for found in played.differences() if found.hand == hand), None)
    choice = found.choices[0] if found else None
    if found is None or choice is None:
        return ""
    asked = f"--seat {SEATS[choice.seat]} --trick {found.trick + 1}"
    return f"{asked} tells what {SEAT_NAMES[choice.seat]} knew there, --ask what other bots would do."


def _hands(played: Replay, room: int) -> str:
    n = len(played.rooms[room].hands)
    return f"{n} hand" + ("s" if n != 1 else "")


def _where(found: Difference) -> str:
    return "the bidding" if found.trick < 0 else f"trick {found.trick + 1}"


def _what(played: Replay, found: Difference) -> str:
    made = [(room, choice) for room, choice in enumerate(found.choices) if choice is not None]
    if len(made) == 1:
        room, choice = made[0]
        return f"room {1 - room} ends there; in room {room} {_deed(played, room, choice, found.trick)}"
    verb = "bids" if found.trick < 0 else "plays"
    texts = [
        f"{_choice_text(choice, found.trick)} in room {room} ({played.name_at(room, choice.seat)})"
        for room, choice in made
    ]
    return f"{SEAT_NAMES[made[0][1].seat]} {verb} {texts[0]} and {texts[1]}"


def _deed(played: Replay, room: int, choice: Choice, trick: int) -> str:
    verb = "bids" if trick < 0 else "plays"
    name = played.name_at(room, choice.seat)
    return f"{SEAT_NAMES[choice.seat]} ({name}) {verb} {_choice_text(choice, trick)}"


def _choice_text(choice: Choice, trick: int) -> str:
    return bid_text(choice.choice) if trick < 0 else card_sign(choice.choice)


def outcome(hand: Hand) -> Iterator[str]:
    """What is worth a word in a finished hand: nils, contracts not made, penalties, Bostons."""
    if hand.results is None:
        return
    for seat in range(N_SEATS):
        if hand.bid_of(seat) == 0:
            won = hand.won_by(seat)
            yield f"{SEAT_NAMES[seat]}'s nil " + (f"fails with {_tricks(won)}." if won else "is made.")
    for side, result in enumerate(hand.results):
        if result.is_set:
            yield f"{SIDES[side]} are set, bid {result.contract}."
        if result.is_boston:
            yield f"{SIDES[side]} win every trick: a Boston."
        if result.bag_penalties:
            times = f"{result.bag_penalties} times " if result.bag_penalties > 1 else ""
            yield f"{SIDES[side]} pay {times}for their bags."


def _tricks(n: int) -> str:
    return f"{n} trick" + ("s" if n != 1 else "")


def fault_sentence(played: Replay, room: Room) -> str:
    """What ended a room before its end; "" for nothing."""
    if room.fault is None:
        return ""
    place = room.fault.place
    bot = played.bot(room.number, place.seat).name
    return f"{SEAT_NAMES[place.seat]} ({bot}) {fault_text(room.fault)}."


def swing(played: Replay, hand: int) -> str:
    """A's points less B's in both rooms; "" unless both played the hand to its end."""
    points = []
    for room in played.rooms:
        results = room.hands[hand].results if hand < len(room.hands) else None
        if results is None:
            return ""
        a, b = results[room.number], results[1 - room.number]
        points.append(a.points - b.points)
    a_name, b_name = played.names
    own = f"{a_name}'s points less {b_name}'s" if a_name != b_name else "A's points less B's"
    return f"{own}: {points[0]:+} in room 0, {points[1]:+} in room 1, {sum(points):+} together."


def ending(played: Replay, room: Room) -> str:
    """How a game ended."""
    if room.fault is not None:
        return fault_sentence(played, room)
    last = room.hands[-1].results
    if last is None:
        return ""
    scores = [last[0].score, last[1].score]
    after = f"after {_hands(played, room.number)}"
    if room.end == GOES_ON:
        return f"Given up {after}, at {scores[0]} to {scores[1]}."
    if room.end == DRAW:
        return f"A draw {after}, at {scores[0]} to {scores[1]}."
    name = played.names[room.owner(room.end)]
    return f"{SIDES[room.end]} ({name}) win {after}, {scores[room.end]} to {scores[1 - room.end]}."
