"""Win chance of boards, end to end: replays priced by hand, files read with care, and real games."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spadesim
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.scoring import DRAW, GOES_ON, game_over
from spadesim.errors import UserError
from spadesim.match import equity_file
from spadesim.match.duel import duel, play_duel
from spadesim.match.equity import Equity, make_equity
from spadesim.match.equity_file import equity_for, equity_of, load_equity, save_equity
from spadesim.match.record import Room
from spadesim.match.replay import replay, replays
from spadesim.match.spec import DuelSpec, make_spec
from spadesim.match.values import unit_values
from spadesim.strategy import load_side
from tests.match.test_watch import Collector

TWO_SIDED = [name for name, rules in PRESETS.items() if rules.n_sides == 2]
TINY = "pata:target=60,floor=-60"
FEW_BAGS = f"{TINY},bag_limit=5,bag_penalty=50"


def chance_of_a(equity: Equity, spec: DuelSpec, room: Room) -> tuple[float, float]:
    """A's chance to win before and after a board's hand, from what the replay tells."""
    hand = room.hands[0]
    assert hand.results is not None
    side = next(side for side in (0, 1) if room.owner(side) == 0)
    ours, theirs = side, 1 - side
    is_first = hand.first_bidder % 2 == side
    before = equity.chance(
        (hand.scores[ours], hand.scores[theirs]), (hand.bags[ours], hand.bags[theirs]), is_first=is_first
    )
    after = [hand.results[k] for k in range(2)]
    look_up: Any = game_over
    scores = np.array([result.score for result in after] + [0, 0])
    end = int(look_up(spec.rules.record(), scores, 1, 0))
    if end != GOES_ON:
        return before, 0.5 if end == DRAW else float(end == side)
    return before, equity.chance(
        (after[ours].score, after[theirs].score),
        (after[ours].bags, after[theirs].bags),
        is_first=not is_first,
    )


@pytest.mark.parametrize("name", ["pata", "classic", "draw500"])
def test_the_engine_counts_what_replays_of_its_boards_come_to(name: str) -> None:
    spec = make_spec("easy", "hard", boards=60, rules=name, seed=11)
    watch = Collector(60)
    result = play_duel(spec, watch=watch)
    equity = equity_for(spec.rules)
    changes, starts = [], set()
    for played in replays(spec, (load_side("easy"), load_side("hard")), range(60)):
        pairs = [chance_of_a(equity, spec, room) for room in played.rooms]
        changes.append(np.mean([after - before for before, after in pairs]))
        states = [(room.hands[0].scores, room.hands[0].bags) for room in played.rooms]
        assert states[0] == states[1]
        assert sum(before for before, _ in pairs) == pytest.approx(1, abs=1e-9)
        starts.add(states[0])
    assert unit_values(spec, watch.batches[0]) == pytest.approx(changes, abs=1e-9)
    assert result.win_chance_per_board is not None
    assert result.win_chance_per_board.mean == pytest.approx(np.mean(changes))
    assert len(starts) > 40
    assert result.start == "realistic"
    assert result.win_chance_table == equity.digest


def test_given_scores_are_kept_and_a_given_deal_starts_level() -> None:
    fixed = make_spec("easy", "hard", boards=20, scores=(400, 350), bags=(3, 7), seed=2)
    for played in replays(fixed, (load_side("easy"), load_side("hard")), range(5)):
        assert {room.hands[0].scores for room in played.rooms} == {(400, 350)}
    result = play_duel(fixed)
    assert (result.start, result.scores, result.bags) == ("given", (400, 350), (3, 7))
    assert result.win_chance_per_board is not None
    shown = spadesim.replay(
        "easy", "hard", deal="N:AKQJ.AKQ.AKQ.AKQ 5432.432.432.432 9876.765.765.765 T.JT98.JT98.JT98"
    )
    assert {room.hands[0].scores for room in shown.rooms} == {(0, 0)}
    assert replay(make_spec("easy", "hard", boards=1, seed=2), 3).rooms[0].hands[0].scores != (0, 0)


def test_single_players_and_games_have_no_win_chance_and_points_as_before() -> None:
    spec = make_spec("easy", "hard", boards=12, rules="cutthroat3")
    assert equity_of(spec) is None
    result = play_duel(spec)
    assert (result.win_chance_per_board, result.boards_ahead, result.win_chance_table) == (None, None, None)
    assert result.start == "given"
    games = duel("easy", "hard", games=20)
    assert (games.win_chance_per_board, games.start) == (None, None)


def test_the_table_is_the_same_json_on_and_on(tmp_path: Path) -> None:
    result = duel("easy", "hard", boards=50)
    found = json.loads(result.to_json())
    assert set(found["win_chance_per_board"]) == {"mean", "low", "high"}
    assert found["boards_ahead"] + found["boards_behind"] <= 50
    frame = result.to_frame()
    both = frame[frame["statistic"] == "win_chance_per_board"]["value"].tolist()
    assert both[0] == -both[1] == result.win_chance_per_board.mean  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def tiny() -> Equity:
    return make_equity(Rules.parse(TINY), reference="easy", hands=4000)


@pytest.mark.compiled_only
def test_a_table_survives_its_file_and_is_small(tiny: Equity, tmp_path: Path) -> None:
    file = tmp_path / "tiny.npz"
    save_equity(tiny, file)
    found = load_equity(file)
    assert found.to_dict() == tiny.to_dict()
    assert found.table.chances.tobytes() == tiny.table.chances.tobytes()
    assert found.starts.tobytes() == tiny.starts.tobytes()
    assert not list(tmp_path.glob("*.part"))
    assert tiny.reference == "easy"
    assert tiny.hands >= 4000
    assert 0.3 < tiny.chance((0, 0)) < 0.7
    assert tiny.chance((50, 0)) > 0.6 > tiny.chance((0, 50))
    assert tiny.chance((20, 10), (3, 4)) == 1 - tiny.chance((10, 20), (4, 3), is_first=False)


@pytest.mark.compiled_only
def test_a_game_that_is_over_is_won_or_lost(tiny: Equity) -> None:
    assert (tiny.chance((60, 0)), tiny.chance((0, 60), is_first=False)) == (1, 0)
    assert (tiny.chance((-60, 0)), tiny.chance((65, 70), is_first=False)) == (0, 0)
    assert 0.2 < tiny.chance((60, 60)) < 0.8  # one more hand


@pytest.mark.compiled_only
def test_a_table_does_not_depend_on_workers(monkeypatch: pytest.MonkeyPatch, tiny: Equity) -> None:
    """Also where hands are played from states that games seldom reach."""
    monkeypatch.setattr("spadesim.match.equity.SELDOM", (15_000, 15_000))
    monkeypatch.setattr("spadesim.match.equity.STATES", 300)
    found = [
        make_equity(Rules.parse(FEW_BAGS), reference="easy", hands=4000, workers=workers)
        for workers in (1, 3)
    ]
    assert found[0].digest == found[1].digest
    assert found[0].to_dict() == found[1].to_dict()
    assert found[0].more_hands > 10_000
    assert tiny.more_hands == 0


def rewritten(file: Path, **changes: Any) -> None:
    """Write an archive again with some of its members changed."""
    with np.load(file) as archive:
        members = dict(archive) | changes
    np.savez_compressed(file, **members)


@pytest.mark.compiled_only
def test_damaged_files_are_refused_in_one_line(tiny: Equity, tmp_path: Path) -> None:
    file = tmp_path / "tiny.npz"

    def refused(like: str) -> None:
        with pytest.raises(UserError, match=like) as caught:
            load_equity(file)
        assert "\n" not in str(caught.value)

    refused("There is no table of win chances")
    save_equity(tiny, file)
    whole = file.read_bytes()
    for damaged in (b"", b"text", whole[: len(whole) // 2], whole[:-30]):
        file.write_bytes(damaged)
        refused("is no table of win chances that can be read")
    middle = bytearray(whole)
    middle[len(whole) // 2] ^= 255
    file.write_bytes(bytes(middle))
    refused("can be read")
    file.write_bytes(whole)
    rewritten(file, level=tiny.level + 1)
    refused("its digest does not hold")
    file.write_bytes(whole)
    rewritten(file, bags=np.arange(3))
    refused("can be read")
    file.write_bytes(whole)
    rewritten(file, chances=np.array([{"a": 1}], dtype=object))
    refused("can be read")
    file.write_bytes(whole)
    rewritten(file, about=np.frombuffer(b'{"format": 99}', dtype=np.uint8))
    refused("its format is 99, and 2 is read")


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    "change",
    [
        {"tops": 1},  # reads beyond the scores
        {"offsets": slice(1, None)},
        {"bags": 1},
        {"starts": (0, 2, 500)},  # bags that no side has
        {"level": slice(1, None)},
        {"chances": slice(0, 0)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_files_whose_digest_holds_but_whose_parts_read_beyond_each_other_are_refused(
    tiny: Equity, tmp_path: Path, change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "forged.npz"
    save_equity(tiny, file)
    monkeypatch.setattr(Equity, "digest", tiny.digest)
    load_equity(file)
    ((name, how),) = change.items()
    with np.load(file) as archive:
        member = archive[name]
    if isinstance(how, slice):
        member = member[how]
    elif isinstance(how, tuple):
        member[how[0], how[1]] = how[2]
    else:
        member = member + how
    rewritten(file, **{name: member})
    with pytest.raises(UserError, match="its parts do not fit together"):
        load_equity(file)


@pytest.mark.parametrize("bags", [(-1, 0), (0, 10), (500, 0)])
def test_bags_that_no_side_has_are_refused(bags: tuple[int, int]) -> None:
    with pytest.raises(UserError, match="Bags before a hand must be from 0 to 9"):
        equity_for(PRESETS["pata"]).chance((0, 0), bags)


def test_a_table_of_another_engine_or_solver_is_not_taken_from_the_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = Rules.parse("pata:target=100")
    names = {equity_file._cache_file(rules)}
    monkeypatch.setattr(equity_file, "engine_digest", lambda: "another")
    names.add(equity_file._cache_file(rules))
    monkeypatch.setattr(equity_file, "MAKERS", equity_file.MAKERS[:1])
    names.add(equity_file._cache_file(rules))
    assert len(names) == 3


def test_a_file_that_unpacks_to_too_much_is_not_unpacked(tmp_path: Path) -> None:
    file, content = tmp_path / "bomb.npz", io.BytesIO()
    np.lib.format.write_array(content, np.zeros(1, dtype=np.int8))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chances.npy", b"\0" * 300_000_000)
    with pytest.raises(UserError, match="unpacks to more than a table is"):
        load_equity(file)


@pytest.mark.parametrize("name", TWO_SIDED)
def test_every_preset_of_two_sides_has_a_bundled_table(name: str) -> None:
    found = equity_for(PRESETS[name])
    assert found.rules == PRESETS[name]
    assert (found.reference, found.seed) == ("hard", 1)
    assert found.hands >= 400_000
    assert found.more_hands > 1_000_000
    assert len(found.starts) == 4096
    assert (equity_file.BUNDLED / f"{name}.npz").stat().st_size < 300_000
    assert found.lattice.is_exact == (name != "classic")
    states = [((0, 0), (100, 0)), ((300, 250), (300, 200)), ((0, 0), (0, 250))]
    target = found.rules.target
    for (ours, theirs), (more, less) in states:
        scale = target / 500
        better = found.chance((round(more * scale), round(less * scale)))
        assert found.chance((round(ours * scale), round(theirs * scale))) != better
    assert found.chance((target - 20, 0)) > 0.95
    assert found.chance((100, 100), (0, 9)) > found.chance((100, 100), (9, 0))


@pytest.mark.compiled_only
def test_other_rules_get_a_table_that_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equity_file, "HANDS", 3000)
    monkeypatch.setattr(equity_file, "_known", {})
    made = []

    def making(rules: Rules, **options: Any) -> Equity:
        made.append(str(rules))
        return make_equity(rules, reference="easy", **options)

    monkeypatch.setattr(equity_file, "make_equity", making)
    said: list[str] = []
    spec = make_spec("easy", "lowest_card", boards=5, rules="pata:target=70,floor=none")
    kept = equity_file._cache_file(spec.rules)
    assert kept is not None
    kept.unlink(missing_ok=True)
    first = equity_of(spec, said.append)
    assert said[0] == "computing win chances under canonical:target=70, for the first time only"
    monkeypatch.setattr(equity_file, "_known", {})
    again = equity_of(spec, said.append)
    assert made == ["canonical:target=70"]
    assert first is not None
    assert again is not None
    assert first.digest == again.digest
    kept.write_bytes(b"broken")
    monkeypatch.setattr(equity_file, "_known", {})
    assert equity_of(spec, said.append).digest == first.digest  # type: ignore[union-attr]
    assert len(made) == 2


@pytest.mark.compiled_only
def test_what_can_have_no_table_is_said() -> None:
    with pytest.raises(UserError, match="everybody plays alone"):
        make_equity(Rules.parse("bicycle"))
    with pytest.raises(UserError, match="hands must be at least 2000"):
        make_equity(Rules(), hands=10)
    spec = make_spec("easy", "hard", boards=20, rules="pata:target=9000,floor=none")
    said: list[str] = []
    result = play_duel(spec, notice=said.append)
    assert result.win_chance_per_board is None
    assert result.points_per_board is not None
    assert any("too many for a table of win chances" in line for line in said)
    assert "points a board" in result.verdict
