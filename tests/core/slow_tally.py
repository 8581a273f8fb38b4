"""The tally of a run counted by hand: rooms played at the oracle's table, every sum taken over a list."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from spadesim.core.batch import PAIRS, Lineup
from spadesim.core.rules import Rules
from spadesim.core.tally import DRAW_RESULT, LOSS, PLAYER_COUNTS, RATIOS, SIDE_COUNTS, TALLY, UNFINISHED, WIN
from spadesim.core.view import BIDDING, HAND_OVER
from spadesim.selftest.oracle import Game, Hand, Result
from tests.core.table import engine, fresh_view, name_of, names_of, new_table

Counts = dict[str, int]


@dataclass(frozen=True)
class Played:
    """A finished hand of a room, as the oracle has it."""

    room: int
    hand: Hand
    results: list[Result]
    forced: list[int]
    free: list[int]

    def owner(self, seat: int) -> int:
        """Return whose bot sits at a seat: 0 for A, 1 for B."""
        return 0 if seat % 2 == self.room else 1

    def player(self, seat: int) -> int:
        """Return which of the four bots sits at a seat."""
        return 2 * self.owner(seat) + seat // 2

    def points(self, owner: int) -> int:
        return self.results[owner ^ self.room].points

    def priced(self, owner: int, rules: Rules) -> int:
        """Return the points with each bag at its share of a penalty, times the bag limit."""
        result = self.results[owner ^ self.room]
        if rules.bag_limit == 0:
            return result.points
        without = result.points + result.n_penalties * rules.bag_penalty
        return without * rules.bag_limit - result.new_bags * rules.bag_penalty


@dataclass(frozen=True)
class Room:
    """All hands of a room, and how it ended: "goes on", "draw", or the number of the winning side."""

    number: int
    hands: list[Played]
    end: str

    @property
    def result_of_a(self) -> int:
        if self.end == "goes on":
            return UNFINISHED
        if self.end == "draw":
            return DRAW_RESULT
        return WIN if int(self.end) == self.number else LOSS


def play_hand(position: Any, game: Game, room: int, lineup: Lineup) -> Played:
    """Play one hand, the bots shown fresh views."""
    engine.start_hand(position)
    hand = game.new_hand([names_of(cards) for cards in position.dealt])
    free = [0] * 4
    counts = Played(room, hand, [], [], free)
    while engine.advance(position) != HAND_OVER:
        seat = int(position.turn)
        role = counts.player(seat)
        bot = lineup.bids[role] if position.phase == BIDDING else lineup.plays[role]
        engine.apply(position, bot(fresh_view(position, seat), lineup.params[role]))
        free[seat] += 1
    hand.bids += [((hand.first + k) % 4, int(position.bids[(hand.first + k) % 4])) for k in range(4)]
    for card in position.history[:52]:
        hand.play(name_of(int(card)))
    return Played(room, hand, game.results(hand), [14 - n for n in free], free)


def play_room(lineup: Lineup, rules: Rules, task: Any, unit: int, number: int) -> Room:
    """Play a room to its end, the hand cap, or the end of its board."""
    position = new_table(rules, int(task["seed"]), unit)
    game = Game(rules, int(position.dealer))
    is_game = task["kind"] == PAIRS
    if not is_game:
        game.scores, game.bags = (task[name][:2].tolist() for name in ("scores", "bags"))
        position.scores[:2], position.bags[:2] = game.scores, game.bags
    hands: list[Played] = []
    end = "goes on"
    while end == "goes on" and len(hands) < (int(task["hand_cap"]) if is_game else 1):
        hands.append(play_hand(position, game, number, lineup))
        end = game.enter(hands[-1].hand)
        engine.end_hand(position)
    return Room(number, hands, end)


def side_counts(owner: int, rooms: list[Room], is_game: bool) -> Counts:
    """Return what one side did in a unit, by the names of `SIDE_COUNTS`."""
    counts = dict.fromkeys(SIDE_COUNTS, 0)
    for played in (played for room in rooms for played in room.hands):
        result = played.results[owner ^ played.room]
        counts["hands"] += 1
        counts["contracts"] += result.contract > 0
        counts["sets"] += result.is_set
        counts["bags"] += result.new_bags
        counts["bag_penalties"] += result.n_penalties
        counts["bostons"] += result.is_boston
        counts["points"] += result.points
        for seat in range(4):
            bid, won = played.hand.bid_of(seat), played.hand.won(seat)
            if played.owner(seat) != owner:
                counts["opponent_nil_bids"] += bid == 0
                counts["opponent_nil_set"] += bid == 0 and won > 0
                continue
            counts["bid"] += bid
            counts["tricks"] += won
            counts["bid_error"] += won - bid
            counts["nil_bids"] += bid == 0
            counts["nil_made"] += bid == 0 and won == 0
            counts["seat_hands"] += 1
            counts["forced"] += played.forced[seat]
            counts["free"] += played.free[seat]
    counts["games"] = sum(room.end != "goes on" for room in rooms) if is_game else 0
    return counts


def player_counts(player: int, rooms: list[Room]) -> Counts:
    """Return what one bot did in a unit, by the names of `PLAYER_COUNTS`."""
    counts = dict.fromkeys(PLAYER_COUNTS, 0)
    for played in (played for room in rooms for played in room.hands):
        (seat,) = (seat for seat in range(4) if played.player(seat) == player)
        bid, won = played.hand.bid_of(seat), played.hand.won(seat)
        partner = (seat + 2) % 4
        covers = bid > 0 and played.hand.bid_of(partner) == 0
        counts["hands"] += 1
        counts["bid"] += bid
        counts["tricks"] += won
        counts["nil_bids"] += bid == 0
        counts["nil_made"] += bid == 0 and won == 0
        counts["covers"] += covers
        counts["covers_made"] += covers and played.hand.won(partner) == 0
        counts["forced"] += played.forced[seat]
        counts["free"] += played.free[seat]
    return counts


def record_of(room: Room) -> list[Any]:
    """Return all that happened in a room, for comparison with another."""
    return [
        (played.hand.bids, played.hand.plays, [result.points for result in played.results])
        for played in room.hands
    ]


def count_seats(tally: Any, played: Played) -> None:
    """Count what came to each seat."""
    hand = played.hand
    for seat in range(4):
        won, points = hand.won(seat), played.results[seat % 2].points
        place = (seat - hand.first) % 4
        tally["bid_tricks"][played.owner(seat), hand.bid_of(seat), won] += 1
        tally["seat_tricks"][seat] += won
        tally["seat_points"][seat] += points
        tally["order_tricks"][place] += won
        tally["order_tricks_squares"][place] += won**2
        tally["order_points"][place] += points
    for owner in range(2):
        tally["bags_hist"][owner, min(played.results[owner ^ played.room].new_bags, 17)] += 1


def count_game(tally: Any, room: Room) -> None:
    """Count a game's length and winner."""
    tally["games"] += 1
    tally["lengths"][min(len(room.hands), 127)] += 1
    if room.end.isdigit():
        winner, opener = int(room.end), room.hands[0].hand.first % 2
        tally["seat_wins"][winner] += 1
        tally["opener_wins"][0 if winner == opener else 1] += 1


def count_unit(tally: Any, rooms: list[Room], rules: Rules, is_game: bool) -> None:
    """Count a unit's two rooms together."""
    hands = [played for room in rooms for played in room.hands]
    tally["units"] += 1
    tally["hands"] += len(hands)
    tally["identical"] += record_of(rooms[0]) == record_of(rooms[1])
    if is_game:
        tally["outcomes"][rooms[0].result_of_a, rooms[1].result_of_a] += 1
    margins = [sum(played.points(0) - played.points(1) for played in room.hands) for room in rooms]
    tally["level"] += sum(margins) == 0
    prices = [
        sum(played.priced(0, rules) - played.priced(1, rules) for played in room.hands) for room in rooms
    ]
    for name, (one, other) in (("margin", margins), ("priced", prices)):
        tally[name] += [one, other]
        tally[f"{name}_products"] += [one**2, other**2, one * other]
    tally["points_hands"] += [sum(margins) * len(hands), len(hands), len(hands) ** 2]
    for owner in range(2):
        counts = side_counts(owner, rooms, is_game)
        tally["sides"][owner] += list(counts.values())
        values = list(counts.values())
        for k, (numerator, denominator) in enumerate(RATIOS.values()):
            n, d = values[numerator], values[denominator]
            tally["ratio_products"][owner, k] += [n**2, n * d, d**2]
    for player in range(4):
        tally["players"][player] += list(player_counts(player, rooms).values())


def slow_tally(lineup: Lineup, rules: Rules, task: Any) -> Any:
    """Return the tally of a run without its fingerprint, which stays 0."""
    tally = np.zeros(1, dtype=TALLY)[0]
    is_game = bool(task["kind"] == PAIRS)
    for unit in range(int(task["first"]), int(task["first"] + task["count"])):
        rooms = [play_room(lineup, rules, task, unit, number) for number in range(2)]
        for room in rooms:
            for played in room.hands:
                count_seats(tally, played)
            if is_game:
                count_game(tally, room)
        count_unit(tally, rooms, rules, is_game)
    return tally
