"""Where two bots part: the kinds add up to the duel, planted differences are found, and worths are told."""

import pickle
import re
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import spadesim
from spadesim.analysis.diff import diff
from spadesim.core.equity import EQUITY_ONE
from spadesim.core.view import BIDDING
from spadesim.errors import UserError
from spadesim.match import diff_worth
from spadesim.match.diff_boards import Boards
from spadesim.match.diff_result import FAULT, LUCK, UNDECIDED, DiffResult
from spadesim.match.executors import Distant, Parcel, Serial
from spadesim.match.record import Choice, Trick
from spadesim.match.replay import replays
from spadesim.match.spec import make_spec
from spadesim.notation import SEATS, card_text, parse_card
from spadesim.strategy import load_side
from tests.match.bots import BEFORE, write_bot
from tests.match.planted import write_planted

pytestmark = pytest.mark.slow
BOARDS = 400


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_planted(tmp_path_factory.mktemp("bots"))


def boards_of(found: DiffResult) -> Boards:
    assert found.found is not None
    return found.found


def found_of(a: str, b: str, **asked: Any) -> DiffResult:
    return diff(a, b, **({"boards": BOARDS, "top": 0} | asked))


@pytest.mark.parametrize(
    ("a", "b", "rules"),
    [
        ("hard", "medium", "pata"),
        ("medium+hard", "easy", "classic"),
        ("easy", "medium", "draw500"),
        ("medium", "easy", "cutthroat3"),
        ("hard", "hard:king=4", "bicycle"),
        ("hard", "hard:king=4", "pata"),
    ],
)
def test_kinds_add_up_to_the_duel(a: str, b: str, rules: str) -> None:
    found = found_of(a, b, rules=rules)
    duel = spadesim.duel(a, b, boards=BOARDS, rules=rules)
    assert found.total.points_per_board == duel.points_per_board
    assert found.total.win_chance_per_board == duel.win_chance_per_board
    assert found.total.boards == found.counted == sum(part.boards for part in found.kinds) == BOARDS
    assert found.total.point_units == sum(part.point_units for part in found.kinds)
    assert found.total.point_units == duel.tally["margin"].sum()
    if found.has_chances:
        assert found.total.chance_units == sum(part.chance_units or 0 for part in found.kinds)
        assert found.total.chance_units == duel.tally["equity"].sum()
        means = [part.win_chance_per_board for part in found.kinds if part.win_chance_per_board]
        assert sum(mean.mean for mean in means) == pytest.approx(duel.win_chance_per_board.mean)  # type: ignore[union-attr]
    never = found.part("none")
    assert (never.boards, never.point_units) == (duel.identical_boards, 0)
    assert never.chance_units in (0, None)


def test_what_is_shown_of_cases_is_what_happened() -> None:
    found = found_of("easy", "medium", boards=100, top=100, redeals=0)
    costs = [case.win_chance for case in found.cases]
    assert costs == sorted(costs, key=lambda cost: cost or 0)
    assert all(cost is not None and cost < 0 for cost in costs)
    for case in found.cases:
        assert case.replay.unit == case.board
        assert case.replay.bot(case.room_a, case.seat).name == "easy"
        assert case.replay.bot(case.room_b, case.seat).name == "medium"
        margins = [
            (room.hands[0].results[0].points - room.hands[0].results[1].points) * (1 - 2 * room.owner(0))  # type: ignore[index]
            for room in case.replay.rooms
        ]
        assert case.points == sum(margins)
    total = found.total.chance_units or 0
    frame = found.boards_frame()
    assert round(frame["win_chance"].sum() * EQUITY_ONE) == total
    assert len(frame) == BOARDS // 4 - found.part("none").boards


@pytest.mark.parametrize(
    ("at", "kind"),
    [
        ("bid", "bid"), ("nil", "nil"), ("own_nil", "nil"), ("cover", "cover"), ("set", "set"),
        ("bag", "bag"), ("play", "play"), ("lead", None),
    ],
)  # fmt: skip
def test_a_planted_difference_is_all_of_its_kind(bot: str, at: str, kind: str | None) -> None:
    found = found_of(f"{bot}:at={at}", bot)
    parted = {part.kind: part.boards for part in found.kinds if part.boards and part.kind != "none"}
    assert sum(parted.values()) > 5
    if kind is not None:
        assert set(parted) == {kind}
        assert found.part(kind).chance_units == found.total.chance_units
    else:  # the lead to the first trick, by which every contract is open
        assert set(parted) <= {"play", "nil", "cover", "set"}
        assert set(boards_of(found).partings["number"][boards_of(found).parted].tolist()) == {0}


def test_identical_bots_never_part(bot: str) -> None:
    found = found_of(bot, bot, top=20)
    assert found.part("none").boards == BOARDS
    assert found.total.win_chance_per_board.to_dict() == {"mean": 0.0, "low": 0.0, "high": 0.0}  # type: ignore[union-attr]
    assert found.cases == ()
    assert "never part: on 400 boards they choose alike" in found.verdict


def test_a_fault_is_told_from_bad_luck(bot: str) -> None:
    """To bid four tricks too many is a fault, and to be beaten by who does so is bad luck."""
    bold, plain, how = f"{bot}:at=bid,nils=0", f"{bot}:nils=0", {"boards": 4000, "top": 8, "scores": (0, 0)}
    for a, b, verdict in ((bold, plain, FAULT), (plain, bold, LUCK)):
        found = found_of(a, b, redeals=300, **how)
        assert found.cases
        for case in found.cases:
            worth = case.worth
            assert worth is not None
            assert worth.accepted == 300 <= worth.tried
            assert worth.verdict == verdict
            assert worth.win_chance is not None
            assert worth.points is not None
            assert (worth.points.mean < 0) == (worth.win_chance.mean < 0) == (verdict == FAULT)
        assert (found.boards_frame()["verdict"] == verdict).sum() == len(found.cases)


def test_workers_and_chunks_change_nothing() -> None:
    one, two = (found_of("easy", "medium", top=5, workers=n, seed=3) for n in (1, 2))
    assert replace_seconds(one) == replace_seconds(two)


def replace_seconds(found: DiffResult) -> dict[str, object]:
    return replace(found, seconds=0.0).to_dict()


def test_too_few_redeals_are_said(bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff_worth, "MOST_FOR_ONE", 2)
    bids, second = "return 1 + view.hand % 12", "return lowest(view.legal & (view.legal - 1))"
    many, high = write_bot(tmp_path, "many", bid=bids), write_bot(tmp_path, "high", bid=bids, play=second)
    (case,) = found_of(many, high, boards=20, top=1, redeals=30).cases
    assert case.worth is not None
    assert case.worth.points is None
    assert case.worth.verdict == UNDECIDED
    assert "of 60 re-deals counted, and an average needs 30" in case.worth.why


@pytest.mark.parametrize(
    ("rules", "body", "kind", "decision"),
    [
        ("draw500", {"keep": "return 1 if view.n_drawn > 22 else 0"}, "draw", "draw"),
        ("draw500", {"blind": "return 1 - view.seat"}, "nil", "blind nil"),
        ("draw500", {"exchange": "return 1 << lowest(view.hand)"}, "nil", "exchange"),
        ("pata:blind_nil=always", {"blind": "return 1 if view.seat == 2 else 0"}, "nil", "blind nil"),
    ],
)
def test_decisions_before_the_bidding(
    tmp_path: Path, rules: str, body: dict[str, str], kind: str, decision: str
) -> None:
    """Nothing has been bid or played by then, so that every re-deal counts."""
    usual = BEFORE | {"keep": "return 0"} | ({"blind": "return 1 - view.seat"} if "exchange" in body else {})
    a, b = write_bot(tmp_path, "a", **usual), write_bot(tmp_path, "b", **usual | body)
    found = found_of(a, b, boards=60, rules=rules, top=2, redeals=50, scores="0,0")
    assert found.part(kind).boards == found.counted - found.part("none").boards > 0
    assert found.cases
    for case in found.cases:
        assert case.to_dict()["decision"] == decision
        assert case.worth is not None
        assert case.worth.tried == case.worth.accepted == 50


def test_a_bot_that_fails_on_a_redeal_is_named(tmp_path: Path) -> None:
    bids = "return {0} if view.hand & 1 else (99 if view.hand & 14 == 14 else 3)"
    a, b = (write_bot(tmp_path, name, bid=bids.format(3 + k)) for k, name in enumerate("ab"))
    said: list[str] = []
    for first in range(20):
        try:
            found_of(a, b, boards=1, first=first, top=1, redeals=1000)
        except UserError as error:
            said.append(str(error))
    named = r"a gave an illegal answer on a re-deal of board \d+; spadesim strategies check"
    assert any(re.match(named, text) for text in said), said


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"top": -1}, "top must be from 0"),
        ({"redeals": 7}, "redeals must be 0, for none, or at least 30, not 7"),
        ({"kind": "bids"}, r"There is no kind of decision 'bids'. Did you mean 'bid'\? Kinds: bid, nil"),
        ({"boards": 0}, "boards must be from 1"),
        ({"workers": "process:1"}, "Did you mean 'processes'"),
    ],
)
def test_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        found_of("easy", "medium", **asked)


def test_frames_and_json_hold_the_same() -> None:
    found = found_of("easy", "medium", boards=200, top=4)
    frame, values = found.to_frame().set_index("kind"), found.to_dict()
    assert frame.loc["all", "boards"] == 200
    assert frame["point_units"].drop("all").sum() == frame.loc["all", "point_units"]
    for part in values["kinds"]:
        assert frame.loc[part["kind"], "boards"] == part["boards"]
    assert [case["board"] for case in values["cases"]] == [case.board for case in found.cases]
    assert "spec" not in values
    listed = found.boards_frame().set_index("board")
    for case in values["cases"]:
        assert listed.loc[case["board"], "verdict"] == case["worth"]["verdict"]
        assert case["worth"]["verdict"] in {FAULT, LUCK, UNDECIDED}
    assert found.to_json()


def test_cases_of_one_kind() -> None:
    found = found_of("easy", "medium", boards=1000, top=5, kind="nil", redeals=0)
    assert {case.kind for case in found.cases} == {"nil"}
    assert "--kind nil --top 5 --redeals 0" in found.command


def holders(found: DiffResult, mask: int) -> list[int]:
    """On each board that counts, the seat that holds all cards of a mask in the first room, -1 for none."""
    sides = (load_side(found.a), load_side(found.b))
    hands = [
        played.rooms[0].hands[0].dealt
        for played in replays(found.spec, sides, boards_of(found).units.tolist())
    ]
    return [next((seat for seat, cards in enumerate(hand) if cards & mask == mask), -1) for hand in hands]


def test_boards_that_count_meet_the_condition() -> None:
    every = found_of("easy", "medium")
    ace_of_spades = 1 << 51
    of_deal = found_of("easy", "medium", where='has(n, "AS")')
    assert (
        0
        < of_deal.counted
        == of_deal.total.boards
        == sum(seat == 0 for seat in holders(every, ace_of_spades))
    )
    assert set(holders(of_deal, ace_of_spades)) == {0}
    of_seat = found_of("easy", "medium", where='has("AS")', top=3, redeals=0)
    seats = boards_of(every).partings["seat"].tolist()
    expected = [seat == holder for seat, holder in zip(seats, holders(every, ace_of_spades), strict=True)]
    assert boards_of(of_seat).units.tolist() == boards_of(every).units[expected].tolist()
    assert of_seat.total.point_units == int(boards_of(every).points[expected].sum())
    assert all("""--where 'has("AS")'""" in found.command for found in (of_seat,))
    assert all(case.board in boards_of(of_seat).units for case in of_seat.cases)


def test_conditions_on_what_happened_are_of_the_room_of_a() -> None:
    """A nil of the deciding seat is A's: boards on which it bid nil and B's bot did not, or the other way."""
    where = found_of("hard", "medium", boards=1000, where="nil", rules="pata")
    partings = boards_of(where).partings
    bids = partings[partings["phase"] == BIDDING]
    assert (bids["choice_a"] == 0).all()
    every = boards_of(found_of("hard", "medium", boards=1000)).partings
    mine = (every["phase"] == BIDDING) & (every["choice_a"] == 0)
    assert len(bids) == mine.sum() > 0
    only_a = found_of("easy", "medium", boards=100, where='side == "a"')
    assert only_a.counted == 100 - found_of("easy", "medium", boards=100).part("none").boards
    with pytest.raises(UserError, match="No board counts"):
        found_of("easy", "medium", boards=100, where="dealer == first_bidder")


def test_a_condition_with_a_mistake_is_pointed_at() -> None:
    with pytest.raises(UserError, match="There is no 'spaeds'"):
        found_of("easy", "medium", where="spaeds >= 4")


def test_no_board_counts() -> None:
    with pytest.raises(UserError, match=r"^No board counts: none of 20 boards fits has\(n,.* More --boards"):
        found_of("easy", "medium", boards=20, where='has(n, "AKQJT98 of spades")', top=5)


class Elsewhere(Distant):
    """Workers to whom everything goes as bytes, though they are in this process."""

    n = 2
    sent = 0

    def submit(self, parcel: Parcel) -> Future[Any]:
        function, arguments = pickle.loads(pickle.dumps(tuple(parcel)))
        self.sent += 1
        done: Future[Any] = Future()
        done.set_result(pickle.loads(pickle.dumps(function(*arguments))))
        return done

    def reopen(self) -> None:
        raise AssertionError

    def hopeless(self, what: str) -> UserError:
        return UserError(what)


def test_workers_elsewhere_change_nothing(bot: str) -> None:
    asked: dict[str, Any] = {"top": 3, "redeals": 60, "where": "spades >= 2", "seed": 4}
    far = Elsewhere()
    here, there = (found_of(f"{bot}:at=bid", bot, workers=who, **asked) for who in (1, far))
    assert replace_seconds(here) == replace_seconds(there)
    assert (boards_of(here).partings == boards_of(there).partings).all()
    assert far.sent > 3
    assert all(case.worth for case in there.cases)


def test_ctrl_c_tells_what_was_played() -> None:
    def stop(done: int, total: int, hands: int) -> None:
        if done >= 100:
            raise KeyboardInterrupt

    found = found_of("easy", "medium", top=2, progress=stop, workers=Serial())
    assert found.partial
    assert 100 <= found.boards == found.counted < BOARDS == found.requested
    whole = found_of("easy", "medium", boards=found.boards)
    assert found.total == whole.total
    assert found.kinds == whole.kinds
    assert found.verdict == f"Partial, after {found.boards} of 400 boards: {whole.verdict}"
    assert [case.worth for case in found.cases] == [None, None]


def test_ctrl_c_ends_the_redeals() -> None:
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        told.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    found = found_of("easy", "medium", top=4, redeals=30, redealing=stop, workers=Serial())
    assert told == [(1, 4), (2, 4)]
    assert [case.worth is not None for case in found.cases] == [True, True, False, False]
    assert found.partial
    assert found.boards == BOARDS
    assert not found.verdict.startswith("Partial")
    told.clear()
    assert not found_of("easy", "medium", top=2, redeals=30, redealing=lambda *n: told.append(n)).partial
    assert told == [(1, 2), (2, 2)]


def test_the_cards_over_which_nils_were_broken() -> None:
    cases = found_of("hard", "medium", boards=1000, top=40, kind="nil", redeals=0).cases
    seen = 0
    for case in cases:
        for told in case.to_dict()["nils_broken"]:
            hand = case.replay.rooms[told["room"]].hands[0]
            seat, trick = SEATS.index(told["seat"]), hand.tricks[told["trick"] - 1]
            assert hand.bid_of(seat) == 0
            assert [t.winner for t in hand.tricks].index(seat) == told["trick"] - 1
            cards = {play.seat: play.choice for play in trick.plays}
            assert card_text(cards.pop(seat)) == told["card"]
            assert told["over"] is None or parse_card(told["over"]) in cards.values()
            seen += 1
        n_failed = sum(
            hand.bid_of(seat) == 0 and hand.won_by(seat) > 0
            for hand in (case.replay.rooms[n].hands[0] for n in (case.room_a, case.room_b))
            for seat in range(4)
        )
        assert n_failed == len(case.broken_nils())
    assert seen > 20


def test_the_second_card_of_a_trick() -> None:
    """The nil of the winner is broken over the best card that could have beaten the others."""

    def over(cards: str, winner: str) -> str | None:
        plays = tuple(Choice(seat, parse_card(card), False) for seat, card in enumerate(cards.split()))
        seat = next(play.seat for play in plays if play.choice == parse_card(winner))
        hand = replace(some, bids=(Choice(seat, 0, False),), tricks=(Trick(0, plays, seat),))
        (broken,) = hand.broken_nils()
        assert (broken.seat, broken.trick, broken.card) == (seat, 0, parse_card(winner))
        return None if broken.over is None else card_text(broken.over)

    some = next(replays(make_spec("easy", "easy", boards=1), (load_side("easy"),) * 2, [0])).rooms[0].hands[0]
    assert over("9H 8H AC 2H", "9H") == "8H"
    assert over("9H 2S AC KH", "2S") == "KH"
    assert over("9H 2S 3S KH", "3S") == "2S"
    assert over("9H 8C AC 2D", "9H") is None
