"""What a replay tells is what the run counted: bids, cards, points and scores of every hand."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spadesim.analysis.knowledge import moment_block
from spadesim.core import tally as t
from spadesim.core.batch import BOARDS, run_chunk
from spadesim.core.play import ILLEGAL, NO_FAULT, digest_hand
from spadesim.core.position import new_position
from spadesim.core.rng import mix
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.tally import WORD, add_digest, fingerprint_text, new_tally
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEPING, NOT_YET, PLAYING
from spadesim.errors import UserError
from spadesim.match.equity_file import table_of
from spadesim.match.moment import moment
from spadesim.match.record import Deal, Replay, Room
from spadesim.match.replay import RAISED, replay, replays
from spadesim.match.request import replay as request
from spadesim.match.spec import DuelSpec, make_spec
from spadesim.notation import deal_text, mask_of
from spadesim.strategy import Side, lineup, load_side
from tests.match.bots import GAMBLER, write_bot

SEED = 20


def counted(spec: DuelSpec, sides: tuple[Side, Side]) -> Any:
    """The tally of a duel."""
    bots, task = lineup(*sides, spec.rules), spec.task(spec.first, spec.units)
    tally, fault = run_chunk(bots, spec.rules, task, equity=table_of(spec) if spec.draws_start else None)
    assert fault["code"] == NO_FAULT
    return tally[0]


def digest(room: Room, rules: Rules) -> tuple[int, int]:
    """The engine's digest of a room, from the record of its hands alone."""
    low = high = 0
    for hand in room.hands:
        position = new_position(rules)
        position["bids"] = NOT_YET
        assert hand.results is not None
        cards = [play.choice for trick in hand.tricks for play in trick.plays]
        position["n_history"] = len(cards)
        position["history"][: len(cards)] = cards
        for bid in hand.bids:
            position["bids"][bid.seat] = bid.choice
        position["points"][: len(hand.results)] = [result.points for result in hand.results]
        for turn, step in enumerate(step for step in hand.prelude if step.phase == KEEPING):
            position["kept"][step.made.seat] |= step.made.choice << turn // 2
        for seat, is_blind in hand.declared().items():
            position["blind"][seat] = is_blind
        for exchange in hand.exchanges:
            position["given"][exchange.seat] = exchange.given
        low, high = digest_hand(position, low, high)
    return int(low), int(high)


def fingerprint(found: Iterable[Replay]) -> str:
    """The fingerprint of a run, from replays alone."""
    tally = new_tally()
    for played in found:
        for room in played.rooms:
            words = (played.unit & WORD, played.unit >> 32, room.number, played.spec.kind)
            add_digest(tally[0], *mix(*digest(room, played.spec.rules), *words))
    return fingerprint_text(tally[0])


def margin(room: Room) -> int:
    """A's points less B's, over all hands of a room."""
    total = 0
    for hand in room.hands:
        assert hand.results is not None
        total += sum(won.points * (-1) ** room.owner(side) for side, won in enumerate(hand.results))
    return total


def outcome(room: Room) -> int:
    if room.end in (GOES_ON, DRAW):
        return t.UNFINISHED if room.end == GOES_ON else t.DRAW_RESULT
    return t.WIN if room.owner(room.end) == 0 else t.LOSS


def compare(spec: DuelSpec) -> list[Replay]:
    """Replay a whole duel, and compare everything that its tally holds."""
    sides = (load_side(spec.a), load_side(spec.b))
    tally = counted(spec, sides)
    found = list(replays(spec, sides, range(spec.first, spec.first + spec.units)))
    assert fingerprint(found) == fingerprint_text(tally)
    n_rooms = spec.n_rooms
    margins = [sum(margin(played.rooms[k]) for played in found) for k in range(n_rooms)]
    assert margins == tally["margin"][:n_rooms].tolist()
    assert sum(len(room.hands) for played in found for room in played.rooms) == tally["hands"]
    assert sum(not list(played.differences()) and is_level(played) for played in found) == tally["identical"]
    for name, counts in by_bot(found).items():
        assert counts == tally["players"][:, t.PLAYER_COUNTS.index(name)].tolist(), name
    if spec.kind != BOARDS:
        results = np.zeros_like(tally["room_results"])
        for room in (room for played in found for room in played.rooms):
            results[room.number, outcome(room)] += 1
        assert results.tolist() == tally["room_results"].tolist()
    return found


def is_level(played: Replay) -> bool:
    return len({len(room.hands) for room in played.rooms}) == 1


def by_bot(found: list[Replay]) -> dict[str, list[int]]:
    """Counts by bot: A's at its lower and its higher seat, then B's."""
    names = ("forced", "free", "offered", "kept", "blind_bids", "blind_made", "nil_bids")
    counts = {name: [0] * 4 for name in names}
    for room in (room for played in found for room in played.rooms):
        for hand in room.hands:
            for choice in hand.choices():
                counts["forced" if choice.is_forced else "free"][room.roles[choice.seat]] += 1
            for turn in hand.draw():
                counts["offered"][room.roles[turn.seat]] += 1
                counts["kept"][room.roles[turn.seat]] += turn.is_kept
            for seat, is_blind in hand.declared().items():
                counts["blind_bids"][room.roles[seat]] += is_blind
                counts["blind_made"][room.roles[seat]] += is_blind and hand.won_by(seat) == 0
            for bid in hand.bids:
                counts["nil_bids"][room.roles[bid.seat]] += bid.choice == 0
    return counts


@pytest.mark.slow
def test_ten_thousand_boards() -> None:
    compare(DuelSpec("easy", "medium", boards=10_000, seed=SEED, scores=(350, -120), bags=(3, 9)))


@pytest.mark.slow
@pytest.mark.parametrize("preset", [name for name, rules in PRESETS.items() if rules.deal == "all"])
def test_whole_games(preset: str) -> None:
    found = compare(DuelSpec("hard", "easy", games=60, rules=PRESETS[preset], seed=SEED, first=5))
    for room in (room for played in found for room in played.rooms):
        check_sheet(room)


def start_of(rules: str) -> tuple[int, ...] | None:
    """Level scores where boards would otherwise start from a table that must be made first."""
    return None if rules in PRESETS else (0,) * Rules.parse(rules).n_sides


BEFORE_BIDDING = [
    "draw300",
    "draw500",
    "draw500:blind_nil=behind,blind_nil_deficit=50",
    "draw300:bot_memory=false",
    "pata:players=2,teams=individual,deal=packet26",
    "pata:blind_nil=always",
    "cutthroat3:blind_nil=behind",
    "bicycle:nil_allowed=true,blind_nil=always",
]


@pytest.mark.compiled_only
@pytest.mark.parametrize("rules", BEFORE_BIDDING)
def test_games_of_a_bot_that_tries_everything(tmp_path: Path, rules: str) -> None:
    bot = write_bot(tmp_path, "gambler", **GAMBLER)
    spec = make_spec(bot, "lowest_card", games=36, rules=rules, seed=SEED, hand_cap=25)
    found = compare(spec)
    hands = [hand for played in found for room in played.rooms for hand in room.hands]
    for room in (room for played in found for room in played.rooms):
        check_sheet(room)
    draws = spec.rules.deal == "draw_keep"
    assert any(hand.exchanges for hand in hands) == (spec.rules.blind_nil_exchange > 0)
    assert any(any(hand.declared().values()) for hand in hands) == (spec.rules.blind_nil != "off")
    assert all(len(hand.draw()) == (26 if draws else 0) for hand in hands)
    compare(make_spec(bot, "random_legal", boards=300, rules=rules, seed=SEED, scores=start_of(rules)))


@pytest.mark.compiled_only
def test_a_draw_tells_where_every_card_went(tmp_path: Path) -> None:
    spec = make_spec(write_bot(tmp_path, "gambler", **GAMBLER), "random_legal", boards=1, rules="draw500")
    exchanges = 0
    for unit in range(40):
        for room in replay(spec, unit).rooms:
            (hand,) = room.hands
            assert sorted(hand.stock) == list(range(52))
            drawn = [mask_of(turn.drawn for turn in hand.draw() if turn.seat == seat) for seat in (0, 1)]
            dead = mask_of(turn.discarded for turn in hand.draw())
            assert drawn[0] | drawn[1] | dead == 2**52 - 1
            for seat, given, received in hand.exchanges:
                exchanges += given.bit_count()
                assert given.bit_count() == received.bit_count() <= 3
                assert (given & ~drawn[seat], received & ~dead) == (0, 0)
                drawn[seat] = drawn[seat] & ~given | received
                dead = dead & ~received | given
            assert hand.dealt == tuple(drawn)
            assert all(turn.is_seen == (not turn.is_kept) for turn in hand.draw())
    assert exchanges > 20


def test_a_few() -> None:
    compare(DuelSpec("easy", "lowest_card", boards=3, seed=SEED))
    compare(DuelSpec("easy", "random_legal", games=2, seed=SEED, hand_cap=2))
    compare(DuelSpec("easy", "random_legal", games=2, seed=SEED, rules=Rules(max_hands=1)))


def check_sheet(room: Room) -> None:
    """Every hand begins where the one before it ended."""
    assert [hand.number for hand in room.hands] == list(range(len(room.hands)))
    for before, after in pairwise(room.hands):
        assert before.results is not None
        assert after.scores == tuple(result.score for result in before.results)
        assert after.bags == tuple(result.bags for result in before.results)
        assert after.dealer == (before.dealer + 1) % after.n_seats


def test_every_card_once() -> None:
    for room in replay(DuelSpec("easy", "hard", boards=1), 3).rooms:
        (hand,) = room.hands
        for seat in range(4):
            cards = [choice.choice for choice in hand.choices()[4:] if choice.seat == seat]
            assert sum(1 << card for card in cards) == hand.dealt[seat]
        assert sum(hand.won_by(seat) for seat in range(4)) == 13
        assert [bid.seat for bid in hand.bids] == [(hand.first_bidder + k) % 4 for k in range(4)]


@pytest.mark.parametrize("rules", ["pata", "draw300", "cutthroat3", "pata:blind_nil=always"])
def test_a_given_deal_is_played_as_the_dealt_one(rules: str) -> None:
    level = (0,) * Rules.parse(rules).n_sides  # where a given deal starts
    spec = make_spec("lowest_card", "random_legal", boards=1, seed=SEED, rules=rules, scores=level)
    played = replay(spec, 7)
    (hand,) = played.rooms[0].hands
    given = replay(spec, 7, deal=Deal(hand.dealt, hand.dealer, hand.stock))
    assert given.rooms == played.rooms
    n = hand.n_seats
    turned = replay(spec, 7, deal=Deal(hand.dealt, (hand.dealer + 1) % n, hand.stock))
    assert turned.rooms[0].hands[0].first_bidder == (hand.first_bidder + 1) % n


def test_games_have_their_own_deals() -> None:
    with pytest.raises(UserError, match="A given deal is played as a board"):
        replay(DuelSpec("easy", "easy", games=2), 0, deal=Deal((0, 0, 0, 0)))


def test_rooms_of_the_same_bots_are_alike() -> None:
    played = replay(DuelSpec("random_legal", "random_legal", games=2), 0)
    assert list(played.differences()) == []
    assert played.rooms[0].hands == played.rooms[1].hands


@pytest.mark.compiled_only
def test_a_fault_ends_its_room(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "cheat", play="return 51 if view.trick_no == 4 else lowest(view.legal)")
    rooms = replay(DuelSpec("easy", bot, boards=1), 2).rooms
    for room in rooms:
        assert room.fault is not None
        assert room.fault.code == ILLEGAL
        assert room.owner(room.fault.place.seat) == 1
        (hand,) = room.hands
        assert hand.results is None
        assert len([trick for trick in hand.tricks if trick.winner is not None]) == 4


@pytest.mark.compiled_only
def test_what_a_bot_raises(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "divider", bid="return 7 // (view.hand & 0)")
    fault = replay(DuelSpec(bot, "easy", boards=1), 2).rooms[0].fault
    assert fault is not None
    assert (fault.code, type(fault.error)) == (RAISED, ZeroDivisionError)
    assert fault.place.trick_no == 0


def answers_as_played(played: Replay, number: int) -> set[int]:
    """Ask both bots again at every decision of a hand; the phases that came up come back."""
    phases = set()
    for room in (room for room in played.rooms if number < len(room.hands)):
        for phase, turn, (seat, choice, is_forced), card in room.hands[number].decisions():
            seen = moment(played, room=room.number, hand=number, seat=seat, phase=phase, number=turn)
            assert (seen.made, seen.is_forced, seen.offered) == (choice, is_forced, card)
            own = (played.spec.a, played.spec.b)[room.owner(seat)]
            found = [(answer.choice, answer.is_legal) for answer in seen.answers if answer.bot == own]
            assert found == ([] if is_forced else [(choice, True)])
            phases.add(phase)
    return phases


def test_bots_at_their_own_decisions_answer_as_they_played() -> None:
    played = replay(DuelSpec("easy", "random_legal", games=2, seed=SEED), 1)
    assert answers_as_played(played, 1) == {BIDDING, PLAYING}


@pytest.mark.compiled_only
@pytest.mark.parametrize("rules", BEFORE_BIDDING)
def test_so_they_do_before_the_bidding(tmp_path: Path, rules: str) -> None:
    bot, scores = write_bot(tmp_path, "gambler", **GAMBLER), start_of(rules)
    spec = make_spec(bot, "random_legal", boards=1, rules=rules, scores=scores)
    phases: set[int] = set()
    for unit in range(4):
        phases |= answers_as_played(replay(spec, unit), 0)
    assert (KEEPING in phases) == (spec.rules.deal == "draw_keep")
    assert (DECLARING in phases) == (spec.rules.blind_nil == "always")
    assert (EXCHANGING in phases) == (rules == "draw500")


def test_what_a_seat_knew() -> None:
    played = replay(DuelSpec("easy", "hard", boards=1), 3)
    (hand,) = played.rooms[0].hands
    last = hand.tricks[5]
    seat = last.plays[-1].seat
    seen = moment(played, room=0, hand=0, seat=seat, phase=PLAYING, number=5)
    assert seen.on_table == last.plays[:3]
    assert seen.leader == last.leader
    assert seen.holding | seen.played | seen.unseen == 2**52 - 1
    assert sum(seen.tricks) == 5
    assert seen.bids == tuple(hand.bid_of(seat) for seat in range(4))
    assert seen.holding & ~hand.dealt[seat] == 0
    assert len(seen.answers) == (0 if seen.is_forced else 2)


@pytest.mark.compiled_only
def test_what_may_be_back_after_the_other_players_exchange(tmp_path: Path) -> None:
    """Discards that the seat saw: with those unseen they have all cards that the other may hold."""
    rules = "draw500:draw_second_seen=true"
    bot, scores = write_bot(tmp_path, "gambler", **GAMBLER), start_of(rules)
    spec = make_spec(bot, "random_legal", boards=1, rules=rules, scores=scores)
    n_back = 0
    for unit in range(6):
        played = replay(spec, unit)
        for room in played.rooms:
            for exchange in room.hands[0].exchanges:
                seat = 1 - exchange.seat
                seen = moment(played, room=room.number, hand=0, seat=seat, phase=BIDDING)
                assert seen.may_be_back & ~seen.discards == 0
                assert room.hands[0].dealt[1 - seat] & ~(seen.unseen | seen.may_be_back) == 0
                if not seen.n_exchanged[1 - seat]:
                    assert seen.may_be_back == 0
                    continue
                n_back += (room.hands[0].dealt[1 - seat] & seen.may_be_back).bit_count()
                lines = ["".join(span.text for span in row) for row in moment_block(played, seen, 100)]
                assert any(row.startswith("may be back") for row in lines) == bool(seen.may_be_back)
    assert n_back > 0


@pytest.mark.compiled_only
def test_replays_do_not_share_what_a_bot_writes(tmp_path: Path) -> None:
    source = Path(write_bot(tmp_path, "selfish", bid="p[0] += 1\n    return int(p[0])"))
    text = source.read_text(encoding="utf-8").replace("import jit", "import Parameter, jit, parameters")
    head, _, rest = text.partition("\n@jit")
    table = "\nPARAMETERS = parameters(Parameter('x', 1, low=0, high=9, used_by='bid', meaning='a number'))\n"
    source.write_text(f"{head}{table}\n@jit{rest}", encoding="utf-8")
    spec = DuelSpec(str(source), "easy", boards=1)
    played = replay(spec, 2)
    assert replay(spec, 2, sides=played.sides).rooms == played.rooms


REFUSED: dict[str, dict[str, Any]] = {
    "board must be from 0 to": {"board": -1},
    "game must be from 0 to": {"game": -1},
    "game and board exclude each other: give one of them.": {"board": 1, "game": 1},
    "game and deal exclude each other: give one of them.": {"game": 1, "deal": "N:..."},
    "dealer goes with a given deal": {"dealer": "N"},
    "scores are for boards": {"game": 1, "scores": "1,2"},
}


@pytest.mark.parametrize("message", REFUSED)
def test_requests_that_are_refused(message: str) -> None:
    with pytest.raises(UserError, match=message):
        request("easy", "hard", **REFUSED[message])


def test_the_command_asks_for_the_same() -> None:
    played = request("easy", "hard", board=3, scores="100,-20", rules="classic", seed=9)
    assert played.command() == ("spadesim show easy hard --board 3 --scores 100,-20 --rules classic --seed 9")
    (hand,) = played.rooms[0].hands
    given = replay(played.spec, 3, deal=Deal(hand.dealt, 1))
    assert f"--deal '{deal_text(hand.dealt)}' --dealer E --board 3 --scores" in given.command()
    game = request("easy", "hard", game=3)
    assert game.command("--hand", "2") == "spadesim show easy hard --game 3 --rules pata --seed 1 --hand 2"
    assert game.spec.show_command(5) == "spadesim show easy hard --game 5 --rules pata --seed 1"
