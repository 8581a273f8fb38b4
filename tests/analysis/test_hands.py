"""Hands that meet a condition: known chances, the same hands as the engine's, the rows of a run."""

import json
import shlex
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import spadesim
from spadesim.analysis import hands_fresh
from spadesim.analysis.hands import hands, search, source_of
from spadesim.errors import UserError
from spadesim.expressions import compile_value, compile_where
from spadesim.match.duel import Keep, play_duel
from spadesim.match.recorded import RecordedRun
from spadesim.match.spec import make_spec

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    folder = tmp_path_factory.mktemp("runs") / "run"
    play_duel(make_spec("easy+medium", "lowest_card", games=20, seed=2), keep=Keep(folder, "rows", 4))
    return spadesim.load(folder)


def test_spade_lengths_come_as_often_as_they_must() -> None:
    found = hands(by="spades(n)", tries=200_000)
    assert (found.tried, found.accepted) == (200_000, 200_000)
    for row in found.table:
        true = comb(13, row.value) * comb(39, 13 - row.value) / comb(52, 13)
        spread = (row.share.high - row.share.low) / 2
        assert abs(row.share.mean - true) < 2.2 * spread + 1e-9  # beyond which one of 10,000 seeds comes
    assert sum(row.count for row in found.table) == 200_000


def test_shares_of_a_table_are_of_what_was_accepted() -> None:
    found = hands("spades(n) <= 1", by="spades(e) <= 1", tries=5000)
    assert [row.value for row in found.table] == [0, 1]
    assert sum(row.count for row in found.table) == found.accepted < 1000
    assert sum(row.share.mean for row in found.table) == pytest.approx(1)
    assert found.to_frame()["count"].tolist() == [row.count for row in found.table]


@pytest.mark.parametrize("rules", ["pata", "cutthroat3", "bicycle"])
def test_the_command_shows_the_same_deal(rules: str) -> None:
    found = hands("any(longest >= 7)", rules=rules, seed=3, first=100, tries=200, count=2)
    assert len(found.found) == 2
    for hand in found.found:
        assert hand.unit >= 100
        given = shlex.split(hand.command)
        assert given[:4] == ["spadesim", "show", "medium", "hard"]
        named = dict(zip(given[4::2], given[5::2], strict=True))
        played = spadesim.replay(
            "lowest_card",
            "lowest_card",
            board=int(named["--board"]),
            rules=named["--rules"],
            seed=int(named["--seed"]),
            scores=named.get("--scores"),
        )
        record = played.rooms[0].hands[0]
        assert record.dealt == hand.cards
        assert (record.dealer, record.first_bidder) == (hand.dealer, hand.first_bidder)


def test_batches_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("spades(n) >= 6", None)
    whole = hands(*asked, tries=500, by="hcp(n)")
    monkeypatch.setattr(hands_fresh, "BATCH", 77)
    parts = hands(*asked, tries=500, by="hcp(n)")
    assert parts.to_dict() == whole.to_dict()
    assert len(whole.found) == 10 < whole.accepted


def test_ctrl_c_keeps_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands_fresh, "BATCH", 100)

    def press(done: int, total: int) -> None:
        assert total == 1000
        if done == 300:
            raise KeyboardInterrupt

    found = search(source_of(tries=1000), "spades(n) >= 3", progress=press)
    assert (found.tried, found.partial, len(found.found)) == (300, True, 10)
    assert "of 300 deals, until Ctrl-C" in found.verdict


def test_what_never_comes_is_said_to_be_rare() -> None:
    found = hands("spades(n) == 13", tries=1000)
    assert (found.accepted, found.found) == (0, ())
    assert found.verdict == "0 of 1,000 deals: fewer than one in 261."


def test_seats_of_a_run(run: RecordedRun) -> None:
    rows = run.seats()
    met = rows[(rows["spades"] >= 4) & (rows["partner_bid"] <= 2) & (rows["bid"] > 0)]
    found = hands("spades >= 4 and bid(partner) <= 2 and bid > 0", run, count=1000)
    assert (found.tried, found.accepted) == (len(rows), len(met))
    told = {
        (hand.unit, hand.played.room, hand.played.hand, seat)
        for hand in found.found
        if hand.played is not None
        for seat in hand.played.accepted
    }
    assert told == set(zip(met["unit"], met["room"], met["hand"], met["seat"], strict=True))
    by_bid = hands("spades >= 4", run, by="bid")
    expected = rows[rows["spades"] >= 4]["bid"].value_counts().to_dict()
    assert {row.value: row.count for row in by_bid.table} == expected


def test_hands_of_a_run_count_once(run: RecordedRun) -> None:
    rows = run.seats()
    found = hands("any(bid == 0) or spades(n) >= 5", run)
    least = rows["bid"].to_numpy().reshape(-1, 4).min(axis=1)
    norths = rows["spades"].to_numpy().reshape(-1, 4)[:, 0]
    met = int(((least == 0) | (norths >= 5)).sum())
    assert (found.tried, found.accepted) == (len(rows) // 4, met)
    assert "hands: " in found.verdict


def test_a_recorded_hand_is_told_as_it_was_played(run: RecordedRun) -> None:
    (hand,) = hands("nil_set or bid >= 6 or tricks >= 7", run, count=1).found
    assert hand.played is not None
    words = shlex.split(hand.command)
    options = dict(zip(words[4::2], words[5::2], strict=True))
    played = spadesim.replay(*words[2:4], game=int(options["--game"]), seed=int(options["--seed"]))
    record = played.rooms[int(options["--room"])].hands[int(options["--hand"]) - 1]
    bids = {bid.seat: bid.choice for bid in record.bids}
    assert (hand.cards, hand.dealer) == (record.dealt, record.dealer)
    assert hand.played.bids == tuple(bids[seat] for seat in range(4))
    assert hand.played.tricks == tuple(record.won_by(seat) for seat in range(4))
    assert record.results is not None
    assert hand.played.points == tuple(record.results[seat % 2].points for seat in range(4))
    told = hand.to_dict()["seats"]["S"]
    assert (told["bid"], told["score"]) == (hand.played.bids[2], record.scores[0])


def test_intervals_of_a_run_allow_for_rooms_that_are_alike(tmp_path: Path) -> None:
    # The same bots on both sides: both rooms of a board are one and the same hand.
    play_duel(make_spec("easy", "easy", boards=100), keep=Keep(tmp_path / "run", "rows", 50))
    found = hands("bid(n) >= 4", tmp_path / "run")
    alone = hands("bid(n) >= 4 and room == 0", tmp_path / "run")
    assert found.accepted == 2 * alone.accepted
    assert found.share is not None
    p, n = found.share.mean, 100
    assert found.share.high - found.share.low > 2 * 1.9 * np.sqrt(p * (1 - p) / n)


def test_json_is_strict(run: RecordedRun) -> None:
    for found in (hands("nil", run), hands(tries=20, count=2), hands(by="aces(n)", tries=20, count=0)):
        told = json.loads(found.to_json())
        assert told["tried"] == found.tried
        assert len(told["hands"]) == len(found.found)
        assert (told["share"] is None) == (not found.where)  # no interval for what is so by its meaning


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"rules": "draw300"}, "no deals"),
        ({"tries": 0}, "tries must be"),
        ({"seed": -1}, "seed must be"),
        ({"first": 10**12}, "first must be"),
        ({"count": -1}, "count must be"),
        ({"run": "nowhere"}, "no folder"),
        ({"run": "nowhere", "seed": 3}, "seed is for fresh deals"),
        ({"where": "bid(n) == 0"}, "recorded hands only"),
        ({"by": "bid(n)"}, "recorded hands only"),
        ({"by": "hcp(n) * 1000 + hcp(e) * 10 + spades(s)", "tries": 20_000}, "coarser"),
    ],
)
def test_refused(asked: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        hands(**asked)  # type: ignore[arg-type]


WORDS = [
    "won({seat}, {trick})", "void({seat}, {suit})", "singleton({seat}, {suit})", "doubleton({seat}, {suit})",
    "high({seat}, {suit}) == {few}", "hcp({seat}, {suit}) >= {few}", "highest({seat}, {suit}) >= {rank}",
    "lowest({seat}, {suit}) < {rank}", 'has({seat}, "A of {suit}")', 'holds({seat}, "QJT of {suit}") < {few}',
    "nil({seat})", "nil_set({seat})", "made({seat})", "set({seat})", "first({seat})", "last({seat})",
    "bid({seat}) <= {few}", "tricks({seat}) > {few}", "{suit}({seat}) == {few}", "ruffs({seat}) == {few}",
    "longest({seat}) >= {rank} - 4", "shortest({seat}) == {few}", "aces({seat}) > {few}", "room == {few}",
    "any(won({trick}) and {suit} == {few})", "count(void({suit})) == {few}", "score({seat}) > 100 * {few}",
    "{suit}({seat}) + hearts(n) == {rank}", "{suit}({seat}) - bid({seat}) < {few}", "hand == {few}",
]  # fmt: skip
SEATS = ("n", "e", "s", "w", "ns", "ew", "me", "partner", "left", "right", "us", "opponents")


def test_no_condition_is_refused_that_a_recorded_row_meets(run: RecordedRun) -> None:
    random = np.random.default_rng(3)
    (_, rows), *_ = run.tables()

    def true_of(text: str) -> npt.NDArray[np.bool_]:
        value = compile_value(text, run.known)  # of which none is refused for what it can be
        return value(rows.columns(value.needs), 4) == 1

    def some_word() -> tuple[str, npt.NDArray[np.bool_]]:
        suit, seat = random.choice(["spades", "hearts", "clubs"]), random.choice(SEATS)
        text = random.choice(WORDS).format(
            suit=suit,
            seat=seat,
            trick=random.integers(1, 14),
            few=random.integers(4),
            rank=random.integers(9, 15),
        )
        met = true_of(text)
        return (f"not {text}", ~met) if random.random() < 0.4 else (text, met)

    n_met = 0
    for _ in range(600):
        (one, met), (other, also), (third, too) = some_word(), some_word(), some_word()
        text, expected = f"{one} and ({other} or {third})", met & (also | too)
        if random.random() < 0.5:
            text, expected = f"{one} and {other} and {third}", met & also & too
        if expected.any():
            n_met += 1
            where = compile_where(text, run.known)
            assert (where(rows.columns(where.needs), 4) == expected).all(), text
    assert n_met > 100


def test_hands_of_games_have_one_number_everywhere(run: RecordedRun) -> None:
    (found,) = hands("unit == 1 and room == 1 and hand == 2", run).found
    assert found.title == "Game 1, hand 2, room 1"
    assert "--hand 2" in found.command
    assert found.to_dict()["hand"] == 2
    rows = run.seats(["unit", "cards"], where="hand == 2 and room == 1")
    assert tuple(rows[rows["unit"] == 1]["cards"]) == found.cards
    assert run.seats(["hand"])["hand"].min() == 1
    played = spadesim.replay("easy+medium", "lowest_card", game=1, seed=2)
    assert played.rooms[1].hands[1].dealt == found.cards


@pytest.mark.parametrize("text", ["won(1) and not won(2)", "won(n, 13) and not won(n, 1)"])
def test_each_trick_is_asked_for_itself(run: RecordedRun, text: str) -> None:
    assert 0 < hands(text, run).accepted < hands(text.partition(" and")[0], run).accepted
