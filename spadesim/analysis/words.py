"""What happened in a replay, in sentences."""

from collections.abc import Iterator, Sequence

from spadesim.core.batch import BOARDS
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEP, KEEPING, PLAYING
from spadesim.match.faults import fault_text
from spadesim.match.moment import decision_name
from spadesim.match.record import Decision, Difference, Hand, Replay, Room
from spadesim.match.spec import in_words
from spadesim.notation import SEAT_NAMES, SEATS, bid_text, card_text, cards_in

SIDES = ("N/S", "E/W")
SIGNS = "♣♦♥♠"


def side_labels(hand: Hand) -> tuple[str, ...]:
    """What the sides of a table are called in a narrow column: N/S and E/W, or single seats."""
    return SIDES if hand.has_partners else tuple(SEATS[: hand.n_seats])


def side_does(hand: Hand, side: int, alone: str, together: str) -> str:
    """A side and what it does, in the singular for a single player."""
    return f"{SIDES[side]} {together}" if hand.has_partners else f"{SEAT_NAMES[side]} {alone}"


def card_sign(card: int) -> str:
    """A card with the sign of its suit.

    >>> card_sign(51)
    'A♠'
    """
    text = card_text(card)
    return text[0] + SIGNS[card // 13] if len(text) == 2 else text


def cards_signs(cards: int) -> str:
    """Cards of a mask with the signs of their suits.

    >>> cards_signs(1 << 51 | 1), cards_signs(0)
    ('A♠ 2♣', 'nothing')
    """
    return " ".join(map(card_sign, cards_in(cards))) or "nothing"


def title(played: Replay, hand: int | None = None) -> str:
    """What is shown: which board, game, hand or deal of which duel."""
    spec, (a, b) = played.spec, played.names
    if played.deal is not None:
        what = "A given stock" if played.deal.stock else "A given deal"
    elif spec.kind == BOARDS:
        what = f"Board {played.unit} of seed {spec.seed}"
    else:
        what = f"Game {played.unit} of seed {spec.seed}" + (f", hand {hand + 1}" if hand is not None else "")
    return f"{what}: {a} against {b}, rules {spec.rules}"


def opening(hand: Hand) -> str:
    """Who deals, or draws first, and who begins."""
    dealer, first = SEAT_NAMES[hand.dealer], SEAT_NAMES[hand.first_bidder]
    if not hand.stock:
        return f"{dealer} deals, {first} bids and leads first."
    if dealer == first:
        return f"{dealer} draws, bids and leads first."
    return f"{dealer} draws first, {first} bids and leads first."


def parting(played: Replay, hand: int) -> str:
    """Where the rooms part in a hand, or that they do not."""
    rooms = [room for room in played.rooms if hand < len(room.hands)]
    if len(rooms) == 1 and len(played.rooms) == 2:
        other = 1 - rooms[0].number
        over = f"was over after {_hands(played, other)}"
        return f"Room {rooms[0].number} only: the game in room {other} {over}."
    if len(rooms) == 1:
        return f"Room {rooms[0].number} only: the games in the other rooms were over before."
    found = played.difference(hand)
    if found is None:
        who = "Both rooms" if len(rooms) == 2 else f"All {in_words(len(rooms))} rooms"
        return f"{who} are alike, card for card."
    return f"The rooms part in {_where(found)}: {_what(played, found)}."


def hint(played: Replay, hand: int) -> str:
    """How to look closer at where the rooms part; "" where they do not."""
    found = played.difference(hand)
    if found is None:
        return ""
    step = found.first
    seat = step.made.seat
    asked = f"--seat {SEATS[seat]} {wanted(step)}"
    return f"{asked} tells what {SEAT_NAMES[seat]} knew there, --ask what other bots would do."


def wanted(step: Decision) -> str:
    """The options of ``show`` that ask for a decision."""
    return {
        BIDDING: "--trick 0",
        PLAYING: f"--trick {step.number + 1}",
        KEEPING: f"--draw {step.number + 1}",
        DECLARING: "--declare",
        EXCHANGING: "--exchange",
    }[step.phase]


def _hands(played: Replay, room: int) -> str:
    n = len(played.rooms[room].hands)
    return f"{n} hand" + ("s" if n != 1 else "")


def _where(found: Difference) -> str:
    step = found.first
    if step.phase in (DECLARING, EXCHANGING):
        return "the exchange" if step.phase == EXCHANGING else "the declaring of blind nils"
    return decision_name(step.phase, step.number)


def _what(played: Replay, found: Difference) -> str:
    """What was done in each room, rooms that did the same together."""
    groups: dict[tuple[int, int], list[int]] = {}
    for room, step in enumerate(found.decisions):
        if step is not None:
            groups.setdefault((step.phase, step.made.choice), []).append(room)
    steps = [next(step for room, step in enumerate(found.decisions) if step and room in rooms)
             for rooms in groups.values()]  # fmt: skip
    seat = found.first.made.seat
    ended = [room for room, step in enumerate(found.decisions) if not step and _has(played, found, room)]
    if ended:
        ends = "ends" if len(ended) == 1 else "end"
        rooms = groups[next(iter(groups))]
        name = played.name_at(rooms[0], seat)
        deed = f"{SEAT_NAMES[seat]} ({name}) {deed_text(steps[0])}"
        return f"{rooms_text(ended)} {ends} there; in {rooms_text(rooms)} {deed}"
    is_alike = len({step.phase for step in steps}) == 1 and steps[0].phase in (BIDDING, PLAYING)
    verb = f" {'bids' if steps[0].phase == BIDDING else 'plays'}" if is_alike else ""
    parts = [
        f"{choice_sign(step) if is_alike else deed_text(step)} in {rooms_text(rooms)} "
        f"({_names_at(played, rooms, seat)})"
        for step, rooms in zip(steps, groups.values(), strict=True)
    ]
    return f"{SEAT_NAMES[seat]}{verb} {listed(parts)}"


def _has(played: Replay, found: Difference, room: int) -> bool:
    return found.hand < len(played.rooms[room].hands)


def _names_at(played: Replay, rooms: Sequence[int], seat: int) -> str:
    return " or ".join(dict.fromkeys(played.name_at(room, seat) for room in rooms))


def rooms_text(rooms: Sequence[int]) -> str:
    """Rooms by number.

    >>> rooms_text([3]), rooms_text([0, 1, 4])
    ('room 3', 'rooms 0, 1 and 4')
    """
    return f"room{'s' * (len(rooms) > 1)} {listed([str(room) for room in rooms])}"


def listed(parts: Sequence[str]) -> str:
    """Things in a row.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def choice_sign(step: Decision) -> str:
    """A bid or a card."""
    return bid_text(step.made.choice) if step.phase == BIDDING else card_sign(step.made.choice)


def deed_text(step: Decision, past: bool = False) -> str:
    """What was chosen, as a predicate: "bids 4", "kept A♠"."""
    choice, card = step.made.choice, card_sign(step.card)
    words = {
        BIDDING: ("bids", "bid", bid_text(max(choice, 0))),
        PLAYING: ("plays", "played", card_sign(choice)),
        KEEPING: ("keeps", "kept", card) if choice == KEEP else ("passes", "passed", f"{card} up"),
        DECLARING: ("declares", "declared", f"{'a' if choice == 1 else 'no'} blind nil"),
        EXCHANGING: ("exchanges", "exchanged", cards_signs(max(choice, 0))),
    }[step.phase]
    return f"{words[past]} {words[2]}"


def outcome(hand: Hand) -> Iterator[str]:
    """What is worth a word in a finished hand: nils, contracts not made, penalties, Bostons."""
    if hand.results is None:
        return
    declared = hand.declared()
    for seat in range(hand.n_seats):
        if hand.bid_of(seat) == 0:
            won, blind = hand.won_by(seat), "blind " if declared.get(seat) else ""
            end = f"fails with {_tricks(won)}." if won else "is made."
            yield f"{SEAT_NAMES[seat]}'s {blind}nil {end}"
    for side, result in enumerate(hand.results):
        if result.is_set:
            yield f"{side_does(hand, side, 'is', 'are')} set, bid {result.contract}."
        if result.is_boston:
            yield f"{side_does(hand, side, 'wins', 'win')} every trick: a Boston."
        if result.bag_penalties:
            times = f"{result.bag_penalties} times " if result.bag_penalties > 1 else ""
            whose = "their" if hand.has_partners else "its"
            yield f"{side_does(hand, side, 'pays', 'pay')} {times}for {whose} bags."


def before_bidding(hand: Hand) -> Iterator[str]:
    """The blind nils that were declared in a hand, and the cards exchanged for them."""
    for seat, is_blind in hand.declared().items():
        if is_blind:
            yield f"{SEAT_NAMES[seat]} declares a blind nil."
    for exchange in hand.exchanges:
        given, received = (cards_signs(cards) for cards in exchange[1:])
        swapped = f"{given} for {received}" if exchange.given else "nothing"
        yield f"{SEAT_NAMES[exchange.seat]} exchanges {swapped}."


def _tricks(n: int) -> str:
    return f"{n} trick" + ("s" if n != 1 else "")


def fault_sentence(played: Replay, room: Room) -> str:
    """What ended a room before its end; "" for nothing."""
    if room.fault is None:
        return ""
    place = room.fault.place
    bot = played.bot(room.number, place.seat).name
    return f"{SEAT_NAMES[place.seat]} ({bot}) {fault_text(room.fault, played.spec.rules)}."


def swing(played: Replay, hand: int) -> str:
    """A's points less B's in all rooms; "" unless all played the hand to its end."""
    points = []
    for room in played.rooms:
        results = room.hands[hand].results if hand < len(room.hands) else None
        if results is None:
            return ""
        points.append(sum(won.points * (-1) ** room.owner(side) for side, won in enumerate(results)))
    a_name, b_name = played.names
    own = f"{a_name}'s points less {b_name}'s" if a_name != b_name else "A's points less B's"
    parts = ", ".join(f"{number:+} in room {room}" for room, number in enumerate(points))
    return f"{own}: {parts}, {sum(points):+} together."


def ending(played: Replay, room: Room) -> str:
    """How a game ended."""
    if room.fault is not None:
        return fault_sentence(played, room)
    hand = room.hands[-1]
    if hand.results is None:
        return ""
    scores = [result.score for result in hand.results]
    after = f"after {_hands(played, room.number)}"
    if room.end == GOES_ON:
        return f"Given up {after}, at {_against(scores)}."
    if room.end == DRAW:
        return f"A draw {after}, at {_against(scores)}."
    name = played.names[room.owner(room.end)]
    rest = [score for side, score in enumerate(scores) if side != room.end]
    who = f"{SIDES[room.end]} ({name}) win" if hand.has_partners else f"{SEAT_NAMES[room.end]} ({name}) wins"
    return f"{who} {after}, {_against([scores[room.end], *rest])}."


def _against(scores: Sequence[int]) -> str:
    """A score and those against it.

    >>> _against([500, 320]), _against([500, 320, -40])
    ('500 to 320', '500 to 320 and -40')
    """
    return f"{scores[0]} to {listed([str(score) for score in scores[1:]])}"
