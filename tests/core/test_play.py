"""What happens when a strategy breaks the contract: an illegal answer, an exception, a view written to."""

from typing import Any

import numpy as np
import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.batch import BOARDS, PAIRS, Lineup, new_task, run_chunk
from spadesim.core.play import AUDIT_EVERY, ILLEGAL, NO_FAULT, REWROTE, TAMPERED, digest_hand
from spadesim.core.rules import Rules
from spadesim.core.seating import seat_line_up
from spadesim.core.tally import FORCED, FREE
from spadesim.core.view import BIDDING, HAND_OVER, PLAYING
from tests.core import bots
from tests.core.bots import CULPRIT, HONEST, RAISER, SCRIBBLER, line_up
from tests.core.table import bits, engine, fresh_view, new_table

SEED = 3
NEVER = -9  # a seat that there is not
RULES = Rules(nil_allowed=False, floor=None)

# No legal bids in a hand of 13 cards without nil: below 0, above 13, beyond the mask, and 0.
BAD_BIDS = [-1, -61, -(2**40), 0, 14, 52, 61, 62, 63, 64, 127, 2**40]
NO_CARDS = [-1, -(2**40), 52, 61, 62, 63, 64, 127, 2**40]


def told(
    bot: bots.Bot, role: int, seat: int, phase: int, trick_no: int, hand_no: int = 0, **more: int
) -> Lineup:
    """Return four of a bot, the one of a role told to do wrong at a place."""
    lineup = line_up(bot, bot)
    lineup.params[:, 1] = NEVER
    lineup.params[role] = [more.get("answer", 0), seat, phase, trick_no, hand_no, more.get("what", 0)]
    return lineup


def role_at(seat: int, room: int) -> int:
    """Return the role that sits at a seat: A's bots 0 and 1, B's bots 2 and 3, the lower seat's first."""
    is_a = seat % 2 == room
    return (0 if is_a else 2) + (1 if seat >= 2 else 0)


def moment(unit: int, seat: int, phase: int, trick_no: int, hand_no: int) -> Any:
    """Return the table where that decision is due when all bid 3 and play low, or None where it is forced."""
    position = new_table(RULES, SEED, unit)
    for _ in range(hand_no + 1):
        engine.start_hand(position)
        while engine.advance(position) != HAND_OVER:
            at = (position.turn, position.phase, position.trick_no, position.hand_no)
            if at == (seat, phase, trick_no, hand_no):
                return position
            engine.apply(position, 3 if position.phase == BIDDING else bits(position.legal)[0])
        if engine.end_hand(position) >= 0:
            return None
    return None


def first_moment(seat: int, phase: int, trick_no: int, hand_no: int, first: int) -> tuple[int, Any]:
    """Return the first unit in which that decision comes up, and the table there."""
    for unit in range(first, first + 50):
        position = moment(unit, seat, phase, trick_no, hand_no)
        if position is not None:
            return unit, position
    raise AssertionError("there is no such decision")


def check_fault(fault: Any, code: int, unit: int, room: int, position: Any, choice: int) -> None:
    seat = int(position.turn)
    expected = {
        "code": code,
        "unit": unit,
        "room": room,
        "hand_no": position.hand_no,
        "trick_no": position.trick_no,
        "seat": seat,
        "role": role_at(seat, room),
        "phase": position.phase,
        "choice": choice,
        "legal": position.legal,
    }
    assert {name: int(fault[name]) for name in fault.dtype.names} == expected


@pytest.mark.parametrize("room", [0, 1])
@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(("phase", "trick_no"), [(BIDDING, 0), (PLAYING, 0), (PLAYING, 7)])
def test_a_fault_says_where(room: int, seat: int, phase: int, trick_no: int) -> None:
    unit, position = first_moment(seat, phase, trick_no, hand_no=0, first=10)
    lineup = told(CULPRIT, role_at(seat, room), seat, phase, trick_no, answer=-1)
    tally, fault = run_chunk(lineup, RULES, new_task(BOARDS, SEED, 10, 60))
    check_fault(fault, ILLEGAL, unit, room, position, -1)
    assert tally[0]["units"] == unit - 10


@pytest.mark.parametrize("hand_no", [0, 1, 4])
def test_a_fault_late_in_a_game(hand_no: int) -> None:
    unit, position = first_moment(2, PLAYING, 5, hand_no, first=1)
    lineup = told(CULPRIT, role_at(2, 1), 2, PLAYING, 5, hand_no, answer=63)
    _, fault = run_chunk(lineup, RULES, new_task(PAIRS, SEED, 1, 60))
    check_fault(fault, ILLEGAL, unit, 1, position, 63)


@pytest.mark.parametrize("bid", BAD_BIDS)
def test_no_bid_but_a_legal_one_is_taken(bid: int) -> None:
    unit, position = first_moment(1, BIDDING, 0, 0, first=0)
    lineup = told(CULPRIT, role_at(1, 0), 1, BIDDING, 0, answer=bid)
    _, fault = run_chunk(lineup, RULES, new_task(BOARDS, SEED, unit, 1))
    check_fault(fault, ILLEGAL, unit, 0, position, bid)


@pytest.mark.parametrize("card", NO_CARDS)
def test_no_number_but_a_cards_is_taken(card: int) -> None:
    unit, position = first_moment(1, PLAYING, 3, 0, first=0)
    lineup = told(CULPRIT, role_at(1, 0), 1, PLAYING, 3, answer=card)
    _, fault = run_chunk(lineup, RULES, new_task(BOARDS, SEED, unit, 1))
    check_fault(fault, ILLEGAL, unit, 0, position, card)


@pytest.mark.parametrize("trick_no", [0, 2, 6])
def test_no_card_but_a_legal_one_is_taken(trick_no: int) -> None:
    """Of all 52: own cards of other suits, others' cards, and cards already played are refused."""
    unit, position = first_moment(0, PLAYING, trick_no, 0, first=0)
    shifted = [card + step for card in bits(position.legal) for step in (-64, 64)]
    for card in [*range(0, 52, 1 if COMPILED else 7), *shifted]:
        lineup = told(CULPRIT, role_at(0, 0), 0, PLAYING, trick_no, answer=card)
        _, fault = run_chunk(lineup, RULES, new_task(BOARDS, SEED, unit, 1))
        if card in bits(position.legal):
            assert fault["code"] == NO_FAULT
        else:
            check_fault(fault, ILLEGAL, unit, 0, position, card)


@pytest.mark.parametrize(("phase", "trick_no"), [(BIDDING, 0), (PLAYING, 4)])
def test_an_exception_comes_out_as_itself(phase: int, trick_no: int) -> None:
    lineup = told(RAISER, role_at(2, 0), 2, phase, trick_no)
    with pytest.raises(ZeroDivisionError, match="out of tricks"):
        run_chunk(lineup, RULES, new_task(BOARDS, SEED, 0, 20))


def test_the_engine_goes_on_working_after_an_exception() -> None:
    task = new_task(BOARDS, SEED, 0, 4)
    before, _ = run_chunk(line_up(HONEST, HONEST), RULES, task)
    with pytest.raises(ZeroDivisionError):
        run_chunk(told(RAISER, 0, 0, BIDDING, 0), RULES, task)
    after, fault = run_chunk(line_up(HONEST, HONEST), RULES, task)
    assert fault["code"] == NO_FAULT
    assert after.tobytes() == before.tobytes()


@pytest.mark.parametrize("what", range(bots.N_SCRIBBLES))
@pytest.mark.parametrize(("phase", "trick_no"), [(BIDDING, 0), (PLAYING, 2)])
def test_a_strategy_that_writes_to_its_view_is_caught(what: int, phase: int, trick_no: int) -> None:
    """In the audited units, which are the multiples of `AUDIT_EVERY`."""
    seat = 3
    unit = next(
        unit for unit in range(0, 20 * AUDIT_EVERY, AUDIT_EVERY) if moment(unit, seat, phase, trick_no, 0)
    )
    position = moment(unit, seat, phase, trick_no, 0)
    lineup = told(SCRIBBLER, role_at(seat, 0), seat, phase, trick_no, what=what)
    _, fault = run_chunk(lineup, RULES, new_task(BOARDS, SEED, unit, 1))
    honest = 3 if phase == BIDDING else bits(position.legal)[0]
    if what == 2 and phase == PLAYING:  # having emptied its legal cards it finds none
        check_fault(fault, ILLEGAL, unit, 0, position, 64)
    else:
        check_fault(fault, TAMPERED, unit, 0, position, honest)


@pytest.mark.parametrize("role", range(4))
def test_a_strategy_that_writes_to_its_parameters_is_caught(role: int) -> None:
    """In any unit, at its end; the line-up's own numbers stay as they are."""
    seat = next(seat for seat in range(4) if role_at(seat, room=0) == role)
    unit, _ = first_moment(seat, PLAYING, 3, 0, first=1)
    lineup = told(bots.REWRITER, role, seat, PLAYING, 3, answer=1)
    before = lineup.params.copy()
    tally, fault = run_chunk(lineup, RULES, new_task(BOARDS, SEED, 1, 60))
    assert (fault["code"], fault["unit"], fault["role"]) == (REWROTE, unit, role)
    assert tally[0]["units"] == unit - 1
    assert np.array_equal(lineup.params, before)
    harmless = told(bots.REWRITER, role, seat, PLAYING, 3, answer=0)
    assert run_chunk(harmless, RULES, new_task(BOARDS, SEED, 1, 4))[1]["code"] == NO_FAULT


def test_audits_find_nothing_where_nothing_is_wrong() -> None:
    """Nor do they change what is played."""
    n = AUDIT_EVERY + 1 if COMPILED else 1
    for bot in (HONEST, bots.RANDOM):
        _, fault = run_chunk(line_up(bot, bot), RULES, new_task(PAIRS, SEED, 0, n, hand_cap=1))
        assert fault["code"] == NO_FAULT


@pytest.mark.parametrize("room", [0, 1])
def test_side_a_sits_at_seats_0_and_2_then_at_1_and_3(room: int) -> None:
    roles = np.zeros(4, dtype=np.int64)
    seat_line_up(RULES.record(), room, roles)
    assert [*roles] == [role_at(seat, room) for seat in range(4)]
    assert [*roles] == [[0, 2, 1, 3], [2, 0, 3, 1]][room]


def test_free_and_forced_decisions_add_up() -> None:
    """Every bid and card is one or the other, and every free one was put to a bot."""
    n = 20 if COMPILED else 2
    tally, _ = run_chunk(line_up(bots.RANDOM, HONEST), Rules(), new_task(BOARDS, SEED, 1, n))
    n_asked = n_forced = 0
    for unit in range(1, n + 1):
        for room in range(2):
            position = new_table(Rules(), SEED, unit)
            engine.start_hand(position)
            while engine.advance(position) != HAND_OVER:
                seat = int(position.turn)
                bot = bots.RANDOM if role_at(seat, room) < 2 else HONEST
                engine.apply(position, bot[int(position.phase)](fresh_view(position, seat), np.zeros(1)))
                n_asked += 1
            n_forced += int(position.n_forced.sum())
    sides = tally[0]["sides"]
    assert sides[:, FREE].sum() == n_asked
    assert sides[:, FORCED].sum() == n_forced
    assert n_asked + n_forced == 2 * n * 56


def digest(position: Any, low: int = 1, high: int = 2) -> tuple[int, ...]:
    return tuple(int(word) for word in digest_hand(position, low, high))


def test_a_digest_depends_on_every_bid_card_and_score() -> None:
    """And on what came before; a hand of which any two cards are exchanged is another hand."""
    position = moment(1, 3, PLAYING, 11, 0)
    while engine.advance(position) != HAND_OVER:
        engine.apply(position, bits(position.legal)[0])
    digests = {digest(position), digest(position, low=0), digest(position, high=0)}
    n_changes = 3
    for name, count in (("bids", 4), ("points", 2), ("history", 52)):
        for k in range(count):
            for step in (1, -1, 10) if name == "points" else (1, -1):
                other = position.copy()
                other[name][k] += step
                digests.add(digest(other))
                n_changes += 1
    for k in range(51):
        for later in range(k + 1, 52, 1 if COMPILED else 9):
            other = position.copy()
            other.history[[k, later]] = position.history[[later, k]]
            digests.add(digest(other))
            n_changes += 1
    swapped = position.copy()
    swapped.bids[:2] = [4, 2]
    assert len(digests | {digest(swapped)}) == n_changes + 1
