"""Where rooms part, as boards that are replayed and compared decision by decision have it."""

from pathlib import Path

import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.batch import run_chunk
from spadesim.core.parting import KINDS, NONE, find_partings
from spadesim.core.rows import BLOCK_ROWS, new_book
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, KEEPING, PLAYING
from spadesim.match.record import Decision, Hand, Replay
from spadesim.match.replay import replays
from spadesim.match.spec import DuelSpec, make_spec
from spadesim.strategy import lineup, load_side
from tests.match.bots import GAMBLER, write_bot

# A bot that differs from the gambler, who draws the same lots, now and then in every kind of decision.
SELDOM = {
    "keep": "return 1 if view.n_drawn > 22 else uniform_below(view, 0, 2)",
    "blind": "return 1 if view.seat == 1 else uniform_below(view, 0, 2)",
    "bid": "return 4 if view.hand & 7 == 7 else "
    "(lowest(view.legal) if uniform(view, 0) < 0.2 else 1 + uniform_below(view, 1, 5))",
    "play": "return lowest(view.legal & (view.legal - 1) if (view.hand >> 5) % 11 == 1 else view.legal)",
}
FOUR = "return 4 if view.hand & 1 else 3"
N_BOARDS = 60 if COMPILED else 2
TABLES = (
    "pata", "classic", "draw500:floor=-300", "cutthroat3:target=150", "bicycle", "pata:blind_nil=always",
)  # fmt: skip


def kind_of(rules: Rules, hand: Hand, step: Decision, choices: set[int]) -> str:
    """The kind of a decision, told slowly from what had happened in the hand before it."""
    if step.phase == KEEPING:
        return "draw"
    has_nils = bool(rules.record()["nil_allowed"])
    if step.phase == BIDDING:
        return "nil" if has_nils and 0 in choices else "bid"
    if step.phase != PLAYING:
        return "nil"
    n_sides, seat = len(hand.scores), step.made.seat
    tricks = hand.tricks[: step.number]
    won = [sum(trick.winner == other for trick in tricks) for other in range(hand.n_seats)]
    bids = [hand.bid_of(other) or 0 for other in range(hand.n_seats)]
    nils = [has_nils and bid == 0 for bid in bids]
    standing = [other for other in range(hand.n_seats) if nils[other] and won[other] == 0]
    if seat in standing:
        return "nil"
    if any(other % n_sides == seat % n_sides for other in standing):
        return "cover"
    if standing:
        return "set"
    n_left = len(hand.tricks) - step.number
    is_open = []
    for side in range(n_sides):
        seats = range(side, hand.n_seats, n_sides)
        helped = [k for k in seats if not nils[k] or rules.failed_nil_tricks == "help"]
        lacking = sum(bids[k] for k in seats) - sum(won[k] for k in helped)
        is_open.append(lacking in range(1, n_left + 1))
    if is_open[seat % n_sides]:
        return "play"
    return "set" if any(is_open) else "bag"


def told(played: Replay) -> tuple[object, ...]:
    """What the replay of a board says of where its rooms part."""
    found = played.difference(0)
    if found is None:
        return ("none",)
    seat = found.first.made.seat
    owners = [room.owner(seat) for room in played.rooms]
    room_a, room_b = owners.index(0), owners.index(1)
    a, b = found.decisions[room_a], found.decisions[room_b]
    assert a is not None
    assert b is not None
    kind = kind_of(played.spec.rules, played.rooms[room_a].hands[0], a, {a.made.choice, b.made.choice})
    return kind, a.phase, a.number, seat, a.made.choice, b.made.choice, room_a, room_b


def compare(spec: DuelSpec) -> list[str]:
    """Hold the boards of a duel against their replays; their kinds come back."""
    sides = load_side(spec.a), load_side(spec.b)
    book = new_book(spec.units * spec.n_rooms * spec.rules.players, spec.rules.hand_size)
    _, fault = run_chunk(lineup(*sides, spec.rules), spec.rules, spec.task(0, spec.units), None, None, book)
    assert fault["code"] == 0
    partings = find_partings(book, spec.rules, spec.units, spec.n_rooms)
    names = ("phase", "number", "seat", "choice_a", "choice_b", "room_a", "room_b")
    found: list[tuple[object, ...]] = []
    for parting in partings:
        is_none = int(parting["kind"]) == NONE
        assert not is_none or {int(parting[name]) for name in names} == {-1}
        values = () if is_none else tuple(int(parting[name]) for name in names)
        found.append((KINDS[int(parting["kind"])], *values))
    assert found == [told(played) for played in replays(spec, sides, range(spec.units))]
    return [str(kind) for kind, *_ in found]


@pytest.mark.parametrize("rules", TABLES)
def test_partings_are_those_of_the_replays(rules: str, tmp_path: Path) -> None:
    gambler = write_bot(tmp_path, "gambler", **GAMBLER)
    other = write_bot(tmp_path, "other", **GAMBLER | SELDOM)
    level = [0] * Rules.parse(rules).n_sides  # so that no table of win chances is made
    spec = make_spec(gambler, other, rules=rules, boards=N_BOARDS, seed=4, scores=level)
    kinds = compare(spec)
    assert not COMPILED or len(set(kinds)) >= 3


@pytest.mark.skipif(COMPILED, reason="compiled there are boards enough for all kinds")
@pytest.mark.parametrize(
    ("bid", "seat", "kind"),
    [
        ("0 if view.seat == 0 else 3", 1, "set"),
        ("0 if view.seat == 0 else 3", 2, "cover"),
        ("13 if view.seat & 1 else 3", 1, "set"),
        ("13", 1, "bag"),
    ],
)
def test_a_first_card_is_of_the_kind_that_the_bids_make_it(
    bid: str, seat: int, kind: str, tmp_path: Path
) -> None:
    higher = f"return lowest(view.legal & (view.legal - 1) if view.seat == {seat} else view.legal)"
    low = write_bot(tmp_path, "low", bid=f"return {bid}")
    other = write_bot(tmp_path, "other", bid=f"return {bid}", play=higher)
    assert compare(make_spec(low, other, boards=1, seed=4, scores=[0, 0])) == [kind]


def test_boards_lie_across_blocks(tmp_path: Path) -> None:
    """A block of a book ends within a board of two rooms: after the first of them, here."""
    assert BLOCK_ROWS % 8 == 4
    if not COMPILED:
        return
    n_boards = BLOCK_ROWS // 8 + 2
    spec = make_spec(write_bot(tmp_path, "low"), write_bot(tmp_path, "four", bid=FOUR), boards=n_boards)
    sides, book = (load_side(spec.a), load_side(spec.b)), new_book(n_boards * 8, 13)
    run_chunk(lineup(*sides, spec.rules), spec.rules, spec.task(0, n_boards), None, None, book)
    partings = find_partings(book, spec.rules, n_boards, 2)[-9:]
    found = [(KINDS[int(parting["kind"])], int(parting["seat"])) for parting in partings]
    expected = [(*told(played), -1, -1, -1) for played in replays(spec, sides, range(n_boards - 9, n_boards))]
    assert found == [(kind, seat) for kind, _, _, seat, *_ in expected]
    assert len(set(found)) > 2
