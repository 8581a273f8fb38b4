"""What a replay tells is what the run counted: bids, cards, points and scores of every hand."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spadesim.core import tally as t
from spadesim.core.batch import BOARDS, run_chunk
from spadesim.core.play import ILLEGAL, NO_FAULT, digest_hand
from spadesim.core.position import POSITION
from spadesim.core.rng import mix
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.tally import WORD, add_digest, fingerprint_text, new_tally
from spadesim.errors import UserError
from spadesim.match.moment import moment
from spadesim.match.record import Deal, Hand, Replay, Room
from spadesim.match.replay import RAISED, replay, replays
from spadesim.match.request import replay as request
from spadesim.match.spec import DuelSpec
from spadesim.notation import deal_text
from spadesim.strategy import Side, lineup, load_side
from tests.match.bots import write_bot

SEED = 20


def counted(spec: DuelSpec, sides: tuple[Side, Side]) -> Any:
    """The tally of a duel."""
    tally, fault = run_chunk(lineup(*sides), spec.rules, spec.task(spec.first, spec.units))
    assert fault["code"] == NO_FAULT
    return tally[0]


def digest(room: Room) -> tuple[int, int]:
    """The engine's digest of a room, from the record of its hands alone."""
    low = high = 0
    position = np.zeros(1, dtype=POSITION)[0]
    for hand in room.hands:
        assert hand.results is not None
        cards = [play.choice for trick in hand.tricks for play in trick.plays]
        position["n_history"] = len(cards)
        position["history"][: len(cards)] = cards
        for bid in hand.bids:
            position["bids"][bid.seat] = bid.choice
        position["points"][:2] = [result.points for result in hand.results]
        low, high = digest_hand(position, low, high)
    return int(low), int(high)


def fingerprint(found: Iterable[Replay]) -> str:
    """The fingerprint of a run, from replays alone."""
    tally = new_tally()
    for played in found:
        for room in played.rooms:
            words = (played.unit & WORD, played.unit >> 32, room.number, played.spec.kind)
            add_digest(tally[0], *mix(*digest(room), *words))
    return fingerprint_text(tally[0])


def margin(room: Room) -> int:
    """A's points less B's, over all hands of a room."""
    total = 0
    for hand in room.hands:
        assert hand.results is not None
        total += hand.results[room.number].points - hand.results[1 - room.number].points
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
    assert [sum(margin(played.rooms[k]) for played in found) for k in range(2)] == tally["margin"].tolist()
    assert sum(len(room.hands) for played in found for room in played.rooms) == tally["hands"]
    assert sum(not list(played.differences()) and is_level(played) for played in found) == tally["identical"]
    assert forced(found) == tally["players"][:, t.P_FORCED].tolist()
    if spec.kind != BOARDS:
        outcomes = np.zeros_like(tally["outcomes"])
        for played in found:
            outcomes[outcome(played.rooms[0]), outcome(played.rooms[1])] += 1
        assert outcomes.tolist() == tally["outcomes"].tolist()
    return found


def is_level(played: Replay) -> bool:
    one, other = played.rooms
    return len(one.hands) == len(other.hands)


def forced(found: list[Replay]) -> list[int]:
    """Forced choices by bot: A's at its lower and its higher seat, then B's."""
    counts = [0] * 4
    for room in (room for played in found for room in played.rooms):
        for choice in (choice for hand in room.hands for choice in hand.choices()):
            counts[2 * room.owner(choice.seat) + (choice.seat >> 1)] += choice.is_forced
    return counts


@pytest.mark.slow
def test_ten_thousand_boards() -> None:
    compare(DuelSpec("easy", "medium", boards=10_000, seed=SEED, scores=(350, -120), bags=(3, 9)))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_whole_games(preset: str) -> None:
    found = compare(DuelSpec("hard", "easy", games=60, rules=PRESETS[preset], seed=SEED, first=5))
    for room in (room for played in found for room in played.rooms):
        check_sheet(room)


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
        assert after.dealer == (before.dealer + 1) % 4


def test_every_card_once() -> None:
    for room in replay(DuelSpec("easy", "hard", boards=1), 3).rooms:
        (hand,) = room.hands
        for seat in range(4):
            cards = [choice.choice for choice in hand.choices()[4:] if choice.seat == seat]
            assert sum(1 << card for card in cards) == hand.dealt[seat]
        assert sum(hand.won_by(seat) for seat in range(4)) == 13
        assert [bid.seat for bid in hand.bids] == [(hand.first_bidder + k) % 4 for k in range(4)]


def test_a_given_deal_is_played_as_the_dealt_one() -> None:
    spec = DuelSpec("easy", "random_legal", boards=1, seed=SEED)
    played = replay(spec, 7)
    (hand,) = played.rooms[0].hands
    given = replay(spec, 7, deal=Deal(hand.dealt, hand.dealer))
    assert given.rooms == played.rooms
    turned = replay(spec, 7, deal=Deal(hand.dealt, (hand.dealer + 1) % 4))
    assert turned.rooms[0].hands[0].first_bidder == (hand.first_bidder + 1) % 4


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


def decisions(hand: Hand) -> list[tuple[int, int]]:
    """Seat and trick (-1 for the bidding) of every choice of a hand."""
    return [(choice.seat, k // 4 - 1) for k, choice in enumerate(hand.choices())]


def test_bots_at_their_own_decisions_answer_as_they_played() -> None:
    played = replay(DuelSpec("easy", "random_legal", games=2, seed=SEED), 1)
    for number in (0, 1):
        hand = played.rooms[number].hands[1]
        for choice, (seat, trick) in zip(hand.choices(), decisions(hand), strict=True):
            seen = moment(played, room=number, hand=1, seat=seat, trick=trick)
            assert (seen.made, seen.is_forced) == (choice.choice, choice.is_forced)
            assert seen.legal >> choice.choice & 1
            own = played.names[(seat + number) & 1]
            assert [answer.choice for answer in seen.answers if answer.bot == own] == (
                [] if choice.is_forced else [choice.choice]
            )


def test_what_a_seat_knew() -> None:
    played = replay(DuelSpec("easy", "hard", boards=1), 3)
    (hand,) = played.rooms[0].hands
    last = hand.tricks[5]
    seat = last.plays[-1].seat
    seen = moment(played, room=0, hand=0, seat=seat, trick=5)
    assert seen.on_table == last.plays[:3]
    assert seen.leader == last.leader
    assert seen.holding | seen.played | seen.unseen == 2**52 - 1
    assert sum(seen.tricks) == 5
    assert seen.bids == tuple(hand.bid_of(seat) for seat in range(4))
    assert seen.holding & ~hand.dealt[seat] == 0
    assert len(seen.answers) == (0 if seen.is_forced else 2)


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
