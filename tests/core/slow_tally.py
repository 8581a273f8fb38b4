"""The tally of a run counted by hand: rooms played at the oracle's table, every sum taken over a list."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from spadesim.core.batch import PAIRS, Lineup
from spadesim.core.rules import Rules
from spadesim.core.tally import (
    DRAW_RESULT,
    LOSS,
    N_USUAL_RATIOS,
    PLAYER_COUNTS,
    RATIOS,
    SIDE_COUNTS,
    TALLY,
    UNFINISHED,
    WIN,
)
from spadesim.core.view import DECLARING, EXCHANGING, HAND_OVER, KEEPING
from spadesim.selftest.agreement import begin_hand
from spadesim.selftest.oracle import Game, Hand, Result, sides
from tests.core.table import engine, fresh_view, name_of, names_of, new_table

Counts = dict[str, int]


@dataclass(frozen=True)
class Played:
    """A finished hand of a room, as the oracle has it."""

    room: str
    hand: Hand
    results: list[Result]
    forced: list[int]
    free: list[int]

    @property
    def rules(self) -> Rules:
        return self.hand.rules

    @property
    def seats(self) -> range:
        return range(self.rules.players)

    def owner(self, seat: int) -> int:
        """Return whose bot sits at a seat: 0 for A, 1 for B."""
        return "AB".index(self.room[seat])

    def player(self, seat: int) -> int:
        """Return which of the four bots sits at a seat; those that play alone are the first of a side."""
        is_higher = self.rules.teams == "partners" and seat >= 2
        return 2 * self.owner(seat) + is_higher

    def side(self, seat: int) -> int:
        """Return which side of the table a seat plays for."""
        return next(k for k, seats in enumerate(sides(self.rules)) if seat in seats)

    def of(self, owner: int) -> list[Result]:
        """Return the results of the sides whose bots are of one owner."""
        pairs = zip(sides(self.rules), self.results, strict=True)
        return [result for seats, result in pairs if self.owner(seats[0]) == owner]

    def points(self, owner: int) -> int:
        return sum(result.points for result in self.of(owner))

    def priced(self, owner: int) -> int:
        """Return the points with each bag at its share of a penalty, times the bag limit."""
        rules, total = self.rules, 0
        for result in self.of(owner):
            without = result.points + result.n_penalties * rules.bag_penalty
            priced = without * rules.bag_limit - result.new_bags * rules.bag_penalty
            total += priced if rules.bag_limit else result.points
        return total


@dataclass(frozen=True)
class Room:
    """All hands of a room, how it ended ("goes on", "draw", or the winning side's number), and its scores."""

    number: int
    hands: list[Played]
    end: str
    scores: list[int]

    @property
    def level(self) -> list[int]:
        """Return the sides with the best score."""
        return [side for side, score in enumerate(self.scores) if score == max(self.scores)]

    @property
    def result_of_a(self) -> int:
        if self.end == "goes on":
            return UNFINISHED
        first = self.hands[0]
        if self.end == "draw":
            best = {first.owner(sides(first.rules)[side][0]) for side in self.level}
            return DRAW_RESULT if best == {0, 1} else WIN if best == {0} else LOSS
        return WIN if first.owner(sides(first.rules)[int(self.end)][0]) == 0 else LOSS


def play_hand(position: Any, game: Game, room: str, lineup: Lineup) -> Played:
    """Play one hand, the bots shown fresh views."""
    hand = begin_hand(position, game)
    free = [0] * 4
    counts = Played(room, hand, [], [], free)
    while engine.advance(position) != HAND_OVER:
        seat = int(position.turn)
        role = counts.player(seat)
        bot = lineup.by_phase()[int(position.phase)][role]
        choice = int(bot(fresh_view(position, seat), lineup.params[role]))
        held = int(position.hands[seat])
        phase = int(position.phase)
        engine.apply(position, choice)
        if phase == EXCHANGING:
            drawn = int(position.hands[seat]) & ~(held & ~choice)
            hand.before.exchange(names_of(choice), names_of(drawn))
        elif phase in (KEEPING, DECLARING):
            hand.before.answer(bool(choice))
        free[seat] += 1
    for k in counts.seats:
        hand.bid(int(position.bids[(hand.first + k) % game.rules.players]))
    for card in position.history[: position.n_history]:
        hand.play(name_of(int(card)))
    n_asked = [
        1 + game.rules.hand_size + len([a for a in hand.before.answers if a.seat == seat])
        for seat in range(4)
    ]
    forced = [n_asked[seat] - free[seat] for seat in counts.seats]
    return Played(room, hand, game.results(hand), forced, free)


def play_room(lineup: Lineup, rules: Rules, task: Any, unit: int, number: int) -> Room:
    """Play a room to its end, the hand cap, or the end of its board."""
    position = new_table(rules, int(task["seed"]), unit)
    game = Game(rules, int(position.dealer))
    is_game = task["kind"] == PAIRS
    if not is_game:
        game.scores, game.bags = (task[name][: rules.n_sides].tolist() for name in ("scores", "bags"))
        position.scores[:], position.bags[:] = task["scores"], task["bags"]
    hands: list[Played] = []
    end = "goes on"
    while end == "goes on" and len(hands) < (int(task["hand_cap"]) if is_game else 1):
        hands.append(play_hand(position, game, rooms_of(rules)[number], lineup))
        end = game.enter(hands[-1].hand)
        engine.end_hand(position)
    return Room(number, hands, end, list(game.scores))


def rooms_of(rules: Rules) -> list[str]:
    """Return whose bot sits where, room by room."""
    if rules.teams == "partners":
        return ["ABAB", "BABA"]
    return {
        2: ["AB", "BA"],
        3: ["ABB", "BAB", "BBA", "BAA", "ABA", "AAB"],
        4: ["AABB", "ABAB", "ABBA", "BBAA", "BABA", "BAAB"],
    }[rules.players]


def side_counts(owner: int, rooms: list[Room], is_game: bool) -> Counts:
    """Return what one side did in a unit, by the names of `SIDE_COUNTS`."""
    counts = dict.fromkeys(SIDE_COUNTS, 0)
    for played in (played for room in rooms for played in room.hands):
        for result in played.of(owner):
            counts["hands"] += 1
            counts["contracts"] += result.contract > 0
            counts["sets"] += result.is_set
            counts["bags"] += result.new_bags
            counts["bag_penalties"] += result.n_penalties
            counts["bostons"] += result.is_boston
            counts["points"] += result.points
        for seat in played.seats:
            bid, won = played.hand.bid_of(seat), played.hand.won(seat)
            if played.owner(seat) != owner:
                counts["opponent_nil_bids"] += bid == 0
                counts["opponent_nil_set"] += bid == 0 and won > 0
                continue
            add_before(counts, played, seat)
            counts["bid"] += bid
            counts["tricks"] += won
            counts["bid_error"] += won - bid
            counts["nil_bids"] += bid == 0
            counts["nil_made"] += bid == 0 and won == 0
            counts["seat_hands"] += 1
            counts["forced"] += played.forced[seat]
            counts["free"] += played.free[seat]
    if is_game:
        finished = [room.hands[0] for room in rooms if room.end != "goes on"]
        counts["games"] = sum(len(played.of(owner)) for played in finished)
    return counts


def add_before(counts: Counts, played: Played, seat: int) -> None:
    """Add what a seat decided before the bidding."""
    before, is_made = played.hand.before, played.hand.won(seat) == 0
    counts["offered"] += len(before.all_to("keep", seat))
    counts["kept"] += sum(answer.yes for answer in before.all_to("keep", seat))
    counts["blind_bids"] += before.has_declared(seat)
    counts["blind_made"] += before.has_declared(seat) and is_made


def player_counts(player: int, rooms: list[Room]) -> Counts:
    """Return what one bot did in a unit, by the names of `PLAYER_COUNTS`."""
    counts = dict.fromkeys(PLAYER_COUNTS, 0)
    for played in (played for room in rooms for played in room.hands):
        for seat in (seat for seat in played.seats if played.player(seat) == player):
            bid, won = played.hand.bid_of(seat), played.hand.won(seat)
            partners = [other for other in sides(played.rules)[played.side(seat)] if other != seat]
            covered = [other for other in partners if bid > 0 and played.hand.bid_of(other) == 0]
            counts["hands"] += 1
            counts["bid"] += bid
            counts["tricks"] += won
            counts["nil_bids"] += bid == 0
            counts["nil_made"] += bid == 0 and won == 0
            counts["covers"] += len(covered)
            counts["covers_made"] += sum(played.hand.won(other) == 0 for other in covered)
            counts["forced"] += played.forced[seat]
            counts["free"] += played.free[seat]
            add_before(counts, played, seat)
    return counts


def record_of(room: Room) -> list[Any]:
    """Return all that happened in a room, for comparison with another."""
    return [
        (
            played.hand.before.answers,
            played.hand.bids,
            played.hand.plays,
            [result.points for result in played.results],
        )
        for played in room.hands
    ]


def count_seats(tally: Any, played: Played) -> None:
    """Count what came to each seat."""
    hand = played.hand
    for seat in played.seats:
        won, points = hand.won(seat), played.results[played.side(seat)].points
        place = (seat - hand.first) % len(played.seats)
        tally["bid_tricks"][played.owner(seat), hand.bid_of(seat), won] += 1
        tally["seat_tricks"][seat] += won
        tally["seat_points"][seat] += points
        tally["order_tricks"][place] += won
        tally["order_tricks_squares"][place] += won**2
        tally["order_points"][place] += points
    for owner in range(2):
        for result in played.of(owner):
            tally["bags_hist"][owner, min(result.new_bags, 17)] += 1
    if hand.before.has_draw:
        first = hand.before.first_drawer
        ahead = played.results[first].points - played.results[1 - first].points
        tally["draw_margin"] += ahead
        tally["draw_margin_squares"] += ahead**2


def count_game(tally: Any, room: Room) -> None:
    """Count a game's length and winner."""
    tally["games"] += 1
    tally["lengths"][min(len(room.hands), 127)] += 1
    if room.end.isdigit():
        first = room.hands[0]
        winner, opener = int(room.end), first.side(first.hand.first)
        tally["opener_wins"][0 if winner == opener else 1] += 1


def parts_of(room: Room) -> list[int]:
    """Return the twelfths of a game that each side of the table won, and those of the side that led first."""
    parts = [0] * 4
    if room.end == "goes on":
        return [*parts, 0]
    best = [k for k, score in enumerate(room.scores) if score == max(room.scores)]
    for side in best:
        parts[side] = 12 // len(best)
    first = room.hands[0]
    return [*parts, parts[first.side(first.hand.first)]]


def count_parts(tally: Any, rooms: list[Room]) -> None:
    """Count whose the games of a unit were at the table."""
    n_finished = sum(room.end != "goes on" for room in rooms)
    parts = np.sum([parts_of(room) for room in rooms], axis=0)
    tally["parts"] += np.stack([parts, parts**2, parts * n_finished], axis=1)


def count_results(tally: Any, results: list[int]) -> None:
    """Count how a unit's games went for A."""
    for number, result in enumerate(results):
        tally["room_results"][number, result] += 1
    finished = [result for result in results if result != UNFINISHED]
    tally["shares"][len(finished), sum(finished)] += 1
    if len(results) == 2:
        tally["outcomes"][results[0], results[1]] += 1


def count_unit(tally: Any, rooms: list[Room], is_game: bool) -> None:
    """Count a unit's rooms together."""
    hands = [played for room in rooms for played in room.hands]
    tally["units"] += 1
    tally["hands"] += len(hands)
    tally["identical"] += all(record_of(room) == record_of(rooms[0]) for room in rooms)
    if is_game:
        count_results(tally, [room.result_of_a for room in rooms])
        count_parts(tally, rooms)
    else:
        tally["boards_by_chance"][1] += 1  # without a table of win chances every board is level
    led = sum(played.hand.won(played.hand.first) for played in hands)
    tally["led_products"] += [led**2, led * len(hands), len(hands) ** 2]
    margins = [sum(played.points(0) - played.points(1) for played in room.hands) for room in rooms]
    tally["level"] += sum(margins) == 0
    prices = [sum(played.priced(0) - played.priced(1) for played in room.hands) for room in rooms]
    for name, by_room in (("margin", margins), ("priced", prices)):
        tally[name][: len(rooms)] += by_room
        tally[f"{name}_squares"][: len(rooms)] += np.array(by_room) ** 2
        tally[f"{name}_squares"][6] += sum(by_room) ** 2
    points = [sum(played.points(owner) for played in hands) for owner in range(2)]
    n_hands = [sum(len(played.of(owner)) for played in hands) for owner in range(2)]
    tally["cross"] += [
        points[0] * points[1],
        points[0] * n_hands[1],
        n_hands[0] * points[1],
        n_hands[0] * n_hands[1],
    ]
    for owner in range(2):
        counts = side_counts(owner, rooms, is_game)
        tally["sides"][owner] += list(counts.values())
        values = list(counts.values())
        rules = hands[0].rules
        has_prelude = rules.deal == "draw_keep" or rules.blind_nil != "off"
        ratios = list(RATIOS.values())[: None if has_prelude else N_USUAL_RATIOS]
        for k, (numerator, denominator) in enumerate(ratios):
            n, d = values[numerator], values[denominator]
            tally["ratio_products"][owner, k] += [n**2, n * d, d**2]
    for player in range(4):
        tally["players"][player] += list(player_counts(player, rooms).values())


def slow_tally(lineup: Lineup, rules: Rules, task: Any) -> Any:
    """Return the tally of a run without its fingerprint, which stays 0."""
    tally = np.zeros(1, dtype=TALLY)[0]
    is_game = bool(task["kind"] == PAIRS)
    for unit in range(int(task["first"]), int(task["first"] + task["count"])):
        rooms = [play_room(lineup, rules, task, unit, number) for number in range(len(rooms_of(rules)))]
        for room in rooms:
            for played in room.hands:
                count_seats(tally, played)
            if is_game:
                count_game(tally, room)
        count_unit(tally, rooms, is_game)
    return tally
