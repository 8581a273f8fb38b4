"""The parts of the solver one by one: what is settled without a search, the table, the limit of nodes."""

import random
from typing import Any

import numpy as np

from spadesim.core._jit import COMPILED
from spadesim.core.cards import highest
from spadesim.core.position import POSITION
from spadesim.core.rules import Rules
from spadesim.core.solve import ANY, reaches
from spadesim.core.solve_bounds import cash, settle
from spadesim.core.solve_order import MOST_HISTORY
from spadesim.core.solve_play import call, new_found, solve_line, solve_root, solve_value
from spadesim.core.solve_table import UNKNOWN, enter, look_up
from spadesim.core.solve_work import WORK, new_table
from spadesim.match.standing import Given, stand
from spadesim.notation import parse_card, parse_deal
from tests.core.slow_solver import SlowSolver
from tests.core.test_solve import MOST, random_position

ANYTIME = Rules.parse("pata:spade_lead=anytime")
NILS = Rules.parse("pata")
N_CARDS = 3
N_LEADS, N_ENDINGS = (60, 20) if COMPILED else (20, 4)


class Unwanted(SlowSolver):
    """Side 0 plays for the tricks of side 1, which side 1 does not want."""

    def _worth(self, won: tuple[int, ...]) -> int:
        return won[1] + won[3]


def lead(hands: list[int], leader: int) -> Any:
    """A trick's beginning, spades leading anytime, with no bids."""
    return stand(hands, Given(leader), ANYTIME, False)


def random_lead(rng: random.Random, n_cards: int) -> Any:
    cards = rng.sample(range(52), 4 * n_cards)
    return lead([sum(1 << card for card in cards[k::4]) for k in range(4)], rng.randrange(4))


def search(position: Any, is_points: bool, nodes: int = MOST, bits: int = 4) -> tuple[int, Any, Any]:
    """The value found, the works and the table behind it."""
    positions, works, table = np.zeros(1, POSITION), np.zeros(1, WORK), new_table(bits)
    positions[0] = position
    return call(solve_value, works, table, positions, int(is_points), nodes), works, table


def worth(slow: SlowSolver) -> int:
    seat = (slow.root[1] + len(slow.root[2])) % 4
    return (max if seat % 2 == 0 else min)(slow.cards().values())


def test_what_is_settled_without_a_search_is_so() -> None:
    rng, n_settled = random.Random(5), {(kind, outcome): 0 for kind in range(2) for outcome in range(2)}
    for _ in range(N_LEADS):
        position = random_lead(rng, N_CARDS)
        won = [worth(SlowSolver(position, False)), worth(Unwanted(position, False))]
        value, works, _ = search(position, False)
        assert value == won[0]
        for kind in range(2):
            for need in range(1, N_CARDS + 1):
                outcome = settle(works[0], 0, kind, need, N_CARDS)
                if outcome != UNKNOWN:
                    assert outcome == (won[kind] >= need)
                    n_settled[kind, outcome] += 1
        cashed = cash(works[0], 0)
        leader = int(position["leader"])
        assert cashed <= (won[0] if leader % 2 == 0 else N_CARDS - won[0])
    assert min(n_settled.values()) > 0


def test_tricks_are_cashed_from_the_top_as_long_as_nobody_ruffs() -> None:
    def cashed(deal: str) -> int:
        hands = parse_deal(deal, hand_size=None)
        _, works, _ = search(lead(hands, 0), False)
        return int(cash(works[0], 0))

    assert cashed("N:.AK2..2 .Q4..34 .J5..56 .T6..78") == 2
    assert cashed("N:.AK2..2 2.Q4..3 .J5..56 .T6..78") == 2
    assert cashed("N:.AK2..2 2.Q..34 .J5..56 .T6..78") == 1
    assert cashed("N:.AK2..2 2...345 .J5..67 .T6..89") == 0
    # The partner's tricks: with a card to reach them, and with no spade that would have to be played.
    assert cashed("N:.32..24 .Q4..38 .AK..56 .T6..79") == 2
    assert cashed("N:.32..A2 .Q4..38 .AK..56 .T6..79") == 3
    assert cashed("N:345.2.. .Q4..38 .AK..56 .T6..79") == 0
    assert cashed("N:...AT42 .Q4..38 .AK..56 .J6..79") == 2


def test_the_table_knows_what_was_entered_and_what_follows_from_it() -> None:
    position = lead(parse_deal("N:A2..3.4 K3..4.5 Q4..5.6 J5..6.7", hand_size=None), 0)
    _, works, table = search(position, False)
    work = works[0]
    table[:] = 0
    work.keys[0] = 9, 1 << 50, 1 << 50
    ace = 1 << parse_card("AS")
    work.p_move[0] = parse_card("AS")

    def put(need: int, outcome: int, ranks: int = ace) -> None:
        work.outcome_ranks = ranks
        enter(work, table, 0, 0, need, outcome)

    def known(kind: int = 0) -> list[int]:
        return [int(look_up(work, table, 0, kind, need)) for need in range(1, 5)]

    assert known() == [UNKNOWN] * 4
    put(2, 1)
    assert known() == [1, 1, UNKNOWN, UNKNOWN]
    assert work.hint == parse_card("AS")
    assert known(kind=1) == [UNKNOWN] * 4
    put(4, 0)
    assert known() == [1, 1, UNKNOWN, 0]
    assert np.count_nonzero(table[::4]) == 1  # what is alike tightens one entry
    put(3, 0)
    put(1, 1)
    assert known() == [1, 1, 0, 0]
    work.outcome_ranks = 0
    assert look_up(work, table, 0, 0, 1) == 1
    assert work.outcome_ranks == ace

    # The owner of the highest spade mattered, of no other card.
    work.keys[0, 1] ^= 1 << 40
    assert known() == [1, 1, 0, 0]
    work.keys[0, 1] ^= 1 << 51
    assert known() == [UNKNOWN] * 4
    work.keys[0, 1] ^= 1 << 51
    work.keys[0, 0] = 8
    assert known() == [UNKNOWN] * 4
    put(2, 1, 1 << parse_card("6D"))
    work.keys[0, 2] ^= 1 << 51
    assert known() == [UNKNOWN] * 4


def test_a_full_group_of_the_table_gives_up_an_entry_for_another() -> None:
    _, works, table = search(random_lead(random.Random(1), 3), False, bits=2)
    work = works[0]
    work.keys[0] = 9, 0, 0
    table[:] = 0
    for k in range(70):
        work.keys[0, 1] = k << 44
        work.outcome_ranks = 1 << highest(work.p_in_play[0] & 8191 << 39 or 1 << 39)
        work.n_nodes = k
        enter(work, table, 0, 0, 1, 1)
    assert np.count_nonzero(table[::4]) == 64
    assert look_up(work, table, 0, 0, 1) == 1
    assert look_up(work, table, 0, 0, 2) == UNKNOWN


def test_the_size_of_the_table_and_what_it_remembers_change_no_value() -> None:
    rng = random.Random(3)
    for k in range(N_ENDINGS):
        position = random_position(rng, NILS, N_CARDS, k % 2 == 0)
        is_points = k % 2 == 0
        value, works, table = search(position, is_points, bits=2)
        assert value == search(position, is_points, bits=7)[0] == worth(SlowSolver(position, is_points))
        work = works[0]
        for _ in range(2):
            for target in work.worths[: work.n_worths]:
                assert reaches(work, table, target, ANY) == (target <= value)


def test_a_search_of_few_nodes_gives_bounds_that_hold_and_takes_its_cards_back() -> None:
    rng, n_open = random.Random(7), 0
    for k in range(N_ENDINGS):
        is_points = k % 2 == 0
        position = random_position(rng, NILS, N_CARDS, is_points)
        expected = SlowSolver(position, is_points).cards()
        best = worth(SlowSolver(position, is_points))
        for nodes in (0, 3, 10, 30):
            positions, works, table = np.zeros(1, POSITION), np.zeros(1, WORK), new_table(4)
            positions[0] = position
            found = new_found()
            call(solve_root, works, table, positions, int(is_points), nodes, found)
            low, high, card = found[0].tolist()
            assert low <= best <= high
            assert low == high or card in expected
            n_open += low < high
            for at_least, at_most, card in found[1 : 1 + len(expected)]:
                assert at_least <= expected[card] <= at_most
            assert works["hands"][0].tolist() == position["hands"].tolist()
            assert works["n_nodes"][0] <= nodes
    assert n_open > 0


def test_a_line_ends_where_the_nodes_end() -> None:
    position = random_lead(random.Random(11), 4)
    value, works, table = search(position, False)
    line = np.zeros((52, 2), np.int64)
    works["most_nodes"] = 0
    n = call(solve_line, works, table, value, line)
    assert n < 16
    works["most_nodes"] = MOST
    table[:] = 0
    assert n + call(solve_line, works, table, int(works["worths"][0, 0]) - 1, line) <= 16


def test_old_success_counts_half_and_aims_that_find_no_room_are_made_anew() -> None:
    position = random_position(random.Random(2), NILS, 3, True)
    value, works, table = search(position, True)
    work = works[0]
    work.history[:] = MOST_HISTORY
    table[:] = 0
    for k in range(work.n_worths):
        work.n_slots = 2  # as if the aims of other targets had taken the room
        assert reaches(work, table, work.worths[k], ANY) == (work.worths[k] <= value)
    assert work.history.max() <= MOST_HISTORY
