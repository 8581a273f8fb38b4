"""How the solver compares with the bridge double-dummy solver: agreement and time.

``python experiments/solver_speed.py`` solves 500 random deals with each of the four leaders, spades leading
anytime and tricks as the value, here and by DDS (the package endplay, extra dev): what every card is worth
must be alike. Then it solves endings in points. Times are processor time of this one process.
"""

import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import typer

from spadesim.core.position import POSITION, apply_card, start_game, start_hand
from spadesim.core.rules import Rules
from spadesim.core.solve_play import call, new_found, solve_root, solve_value
from spadesim.core.solve_work import WORK, new_table
from spadesim.core.trick import legal_cards
from spadesim.errors import UserError
from spadesim.match.standing import Given, stand
from spadesim.notation import deal_text

NO_LIMIT = 10**12
ANYTIME = "pata:spade_lead=anytime"
SEED = 1
BITS = {13: 13, 8: 9, 5: 4}


class Solver:
    """The solver with its memory, and the processor time of each call in milliseconds."""

    def __init__(self, bits: int) -> None:
        self.works, self.table = np.zeros(1, WORK), new_table(bits)
        self.positions = np.zeros(1, POSITION)
        self.times: list[float] = []

    def cards(self, position: Any, is_points: bool) -> dict[int, int]:
        """What every legal card is worth to side 0."""
        found = new_found()
        self._timed(position, lambda: call(solve_root, *self._with(is_points), found))
        return {int(row[2]): int(row[0]) for row in found[1:] if row[2] >= 0}

    def value(self, position: Any, is_points: bool) -> int:
        """What the position is worth to side 0."""
        return int(self._timed(position, lambda: call(solve_value, *self._with(is_points))))

    def _with(self, is_points: bool) -> tuple[Any, ...]:
        return self.works, self.table, self.positions, int(is_points), NO_LIMIT

    def _timed(self, position: Any, solve: Callable[[], Any]) -> Any:
        self.positions[0] = position
        begun = time.process_time()
        found = solve()
        self.times.append(1000 * (time.process_time() - begun))
        return found


class Bridge:
    """DDS by way of endplay, spades as trumps."""

    def __init__(self) -> None:
        try:
            from endplay import dds, types
        except ImportError:
            raise UserError("This needs endplay: install spadesim with the extra dev.") from None
        self.dds, self.types = dds, types
        self.times: list[float] = []

    def cards(self, hands: list[int], leader: int) -> dict[int, int]:
        """How many tricks every card of the leader brings side 0."""
        deal = self.types.Deal(deal_text(hands))
        deal.trump, deal.first = self.types.Denom.spades, self.types.Player(leader)
        begun = time.process_time()
        solved = self.dds.solve_board(deal)
        self.times.append(1000 * (time.process_time() - begun))
        tricks = {"CDHS".index(str(card.suit.name[0].upper())) * 13 + _rank(card): n for card, n in solved}
        return {card: n if leader % 2 == 0 else hands[0].bit_count() - n for card, n in tricks.items()}


def _rank(card: Any) -> int:
    return "23456789TJQKA".index(card.rank.name[-1])


def dealt(number: int) -> list[int]:
    """The hands of a random deal."""
    tables = np.zeros(1, POSITION)
    tables[0]["rules"], tables[0]["n_players"] = Rules().record(), 4
    start_game(tables[0], SEED, number)
    start_hand(tables[0])
    return [int(hand) for hand in tables[0]["dealt"]]


def ending(number: int, n_cards: int) -> Any:
    """A position of so many cards after legal random play, with likely bids, one of them often a nil."""
    rng = np.random.default_rng([SEED, number])
    bids = [int(bid) for bid in rng.integers(1, 5, 4)]
    if number % 2:
        bids[rng.integers(4)] = 0
    position = stand(dealt(number), Given(number % 4, "", bids, None, [number % 10, 7]), Rules(), True)
    while position["trick_no"] < 13 - n_cards:
        hand = int(position["hands"][position["turn"]])
        legal = int(legal_cards(position["rules"], hand, int(position["led_suit"]), int(position["broken"])))
        apply_card(position, int(rng.choice([card for card in range(52) if legal >> card & 1])))
    return position


def dealt_few(number: int, n_cards: int) -> list[int]:
    """Random hands of a few cards."""
    cards = np.random.default_rng([SEED, number]).permutation(52)
    return [sum(1 << int(card) for card in cards[seat * n_cards :][:n_cards]) for seat in range(4)]


def compare(n_deals: int, n_cards: int = 13) -> tuple[int, int, Solver, Solver, Bridge]:
    """Solve deals both ways: positions, disagreements, and the solvers with their times."""
    every, best, bridge = Solver(BITS[n_cards]), Solver(BITS[n_cards]), Bridge()
    rules = Rules.parse(ANYTIME)
    n_bad = n_done = 0
    for number in range(n_deals):
        hands = dealt(number) if n_cards == 13 else dealt_few(number, n_cards)
        for leader in range(4):
            position = stand(hands, Given(leader), rules, is_points=False)
            theirs = bridge.cards(hands, leader)
            n_bad += every.cards(position, False) != theirs
            value = (min if leader % 2 else max)(theirs.values())
            n_bad += best.value(position, False) != value
            n_done += 1
    return n_done, n_bad, every, best, bridge


def told(name: str, times: list[float]) -> str:
    """A row of the table; the first call is left out, for it may compile."""
    rest = np.array(times[1:] or times)
    return f"{name:<34}{rest.mean():>10.2f}{np.median(rest):>10.2f}{rest.max():>10.1f}"


def main(
    deals: Annotated[int, typer.Option(help="Random deals, each with four leaders.")] = 500,
    endings: Annotated[int, typer.Option(help="Endings of each length.")] = 500,
) -> None:
    """Print how often both agree, and their milliseconds."""
    print(f"{'milliseconds':<34}{'mean':>10}{'median':>10}{'most':>10}")
    if deals:
        n_done, n_bad, every, best, bridge = compare(deals)
        print(told("DDS, 13 tricks, every card", bridge.times))
        print(told("spadesim, 13 tricks, every card", every.times))
        print(told("spadesim, 13 tricks, value", best.times))
        print(f"{n_done} positions solved both ways, {n_bad} times not alike")
    for n_cards in (8, 5) if endings else ():
        every, best = Solver(BITS[n_cards]), Solver(BITS[n_cards])
        for number in range(endings):
            position = ending(number, n_cards)
            every.cards(position, True)
            best.value(position, True)
        print(told(f"spadesim, {n_cards} tricks in points, every card", every.times))
        print(told(f"spadesim, {n_cards} tricks in points, value", best.times))


if __name__ == "__main__":
    typer.run(main)
