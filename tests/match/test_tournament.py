"""A tournament is its duels, whoever plays them; and it says what is sure."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spadesim.cli.render_tournament import sentences
from spadesim.errors import UserError
from spadesim.match.duel import duel
from spadesim.match.matches import Matches, game_features, rounds
from spadesim.match.ranking import call
from spadesim.match.spec import make_spec
from spadesim.match.standings import TournamentResult
from spadesim.match.tournament import make_tournament, read_difference, tournament
from spadesim.stats.exact import sureness
from spadesim.strategy import load_side
from tests.match.bots import write_bot

pytestmark = pytest.mark.compiled_only

THREE = ("lowest_card", "easy", "medium")


@pytest.fixture(scope="module")
def three() -> TournamentResult:
    return tournament(*THREE, boards=500, games=200, seed=5)


def test_heads_are_the_duels_of_these_boards(three: TournamentResult) -> None:
    for a, b in (("easy", "medium"), ("lowest_card", "easy")):
        alone, head = duel(a, b, boards=500, seed=5), three.head(a, b)
        assert head is not None
        assert head.fingerprint == alone.fingerprint
        assert head.identical == alone.identical_boards
        assert alone.win_chance_per_board is not None
        assert head.value.mean == pytest.approx(alone.win_chance_per_board.mean, abs=1e-12)
        assert head.value.high == pytest.approx(alone.win_chance_per_board.high, rel=0.02)
        games = duel(a, b, games=200, seed=5).win_rate_a
        assert head.won == games
        back = three.head(b, a)
        assert back is not None
        assert back.value == head.value.scaled(-1)
        assert back.won == (games and games.complement())


def test_the_ranking(three: TournamentResult) -> None:
    assert three.players[0].name == "medium"
    assert three.groups[0] == ("medium",)
    assert sum(player.rating.mean for player in three.players) == pytest.approx(0, abs=1e-9)
    for player in three.players:
        assert (
            player.rating.low < player.alone.low < player.rating.mean < player.alone.high < player.rating.high
        )
        assert player.elo is not None
    matrix = np.array(three.superiority)
    assert matrix + matrix.T == pytest.approx(np.ones((3, 3)))
    assert (np.triu(matrix, 1) >= 0.5)[np.triu_indices(3, 1)].all()
    assert three.circles == ()
    assert three.verdict.startswith("medium is the best of 3: ")
    assert "95 % interval" in three.verdict


def test_the_same_for_any_workers_and_chunks() -> None:
    found = [
        tournament(
            "easy",
            "medium",
            "yardstick",
            boards=300,
            until_separated=True,
            cap=900,
            workers=workers,
            chunk=chunk,
        )
        for workers, chunk in ((1, None), (2, 7), (3, 100))
    ]
    plain: list[dict[str, Any]] = [result.to_dict() for result in found]
    for values in plain:
        del values["seconds"], values["hands_per_second"]
    assert plain[0] == plain[1] == plain[2]


def test_more_boards_go_to_the_closest_pair_and_no_further_than_the_cap() -> None:
    found = tournament("medium", "pata_normal", "lowest_card", boards=200, until_separated=True, cap=600)
    boards = {frozenset((head.a, head.b)): head.boards for head in found.heads}
    assert boards.pop(frozenset(("medium", "pata_normal"))) == 600
    assert set(boards.values()) == {200}
    assert {frozenset(pair) for pair in found.open} == {frozenset(("medium", "pata_normal"))}


def test_the_last_block_ends_at_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no stretch of boards is longer than fits into memory."""
    monkeypatch.setattr("spadesim.match.matches.MOST_IN_A_ROUND", 40)
    sizes = []
    play = Matches.play_one

    def watched(self: Matches, match: int, first: int, size: int) -> Any:
        sizes.append(size)
        return play(self, match, first, size)

    monkeypatch.setattr(Matches, "play_one", watched)
    found = tournament("hard", "hard:king=4", boards=100, until_separated=True, cap=130)
    assert [head.boards for head in found.heads] == [130]
    assert sizes == [30]
    sizes.clear()
    found = tournament("hard", "hard:king=4", boards=200, until_separated=True, cap=310)
    assert [head.boards for head in found.heads] == [310]
    assert sizes == [40, 40, 20, 10]
    assert found.heads[0].fingerprint == duel("hard", "hard:king=4", boards=310).fingerprint


@pytest.mark.parametrize(
    ("calls", "when"),
    [
        (1, "after 100 of 200 boards a pair"),
        (3, "before the ranking was sure enough"),
        (5, "after 0 of 20 games"),
    ],
)
def test_ctrl_c_is_told_by_what_it_ended(monkeypatch: pytest.MonkeyPatch, calls: int, when: str) -> None:
    done: list[int] = []
    play = Matches._play

    def interrupted(self: Matches, match: int, first: int, size: int) -> Any:
        if len(done) == calls:
            raise KeyboardInterrupt
        done.append(size)
        return play(self, match, first, size)

    monkeypatch.setattr(Matches, "_play", interrupted)
    found = tournament("hard", "hard:king=4", boards=200, until_separated=True, cap=410, games=20)
    assert found.partial
    assert found.verdict.startswith(f"Partial, {when}")
    assert [f"Still open: {found.open[0][0]} from {found.open[0][1]}."] == [
        line for line in sentences(found) if line.startswith("Still open")
    ]


def test_equal_bots_are_not_separated_and_show_no_difference(tmp_path: Path) -> None:
    one, other = (write_bot(tmp_path, name) for name in ("one", "other"))
    found = tournament(one, other, "easy", boards=200)
    head = found.head("one", "other")
    assert head is not None
    assert (head.differing, head.identical, head.value.mean, head.clear) == (0, 200, 0.0, False)
    assert any({"one", "other"} <= set(group) for group in found.groups)
    assert tournament(one, other, boards=50).verdict == (
        "No difference between one and other on any of 50 boards."
    )


def test_pairs_that_few_boards_tell_apart_are_named_with_their_numbers() -> None:
    found = tournament("hard", "hard:queen_backed=2", "easy", boards=150)
    names = [player.name for player in found.players]
    (few,) = found.few
    assert (few.a, few.b) == tuple(names[:2])
    matrix = np.array(found.superiority)
    assert 0.5 <= matrix[0, 1] <= max(0.5, sureness(few.ahead, few.behind))
    assert not any({few.a} == set(group) for group in found.groups)
    assert few.ahead + few.behind < 100
    assert found.to_dict()["few"] == [dataclasses.asdict(few)]
    assert f"{few.a} over {few.b} {few.ahead:,}, against it {few.behind:,}" in " ".join(sentences(found))


def test_a_gauntlet_has_the_matches_of_one_player() -> None:
    found = tournament("easy", "medium", boards=100, gauntlet="yardstick", anchor="yardstick")
    assert [(head.a, head.b) for head in found.heads] == [("yardstick", "easy"), ("yardstick", "medium")]
    anchor = next(player for player in found.players if player.name == "yardstick")
    assert (anchor.rating.low, anchor.rating.high) == (0, 0)
    assert found.head("easy", "medium") is None


@pytest.mark.parametrize(
    ("rules", "unit"),
    [("draw300", "percentage points of win chance a board"), ("cutthroat3", "points a hand")],
)
def test_other_tables(rules: str, unit: str) -> None:
    found = tournament("lowest_card", "medium", boards=60, games=12, rules=rules, hand_cap=60)
    assert found.players[0].name == "medium"
    assert found.unit == unit


def test_names_tell_players_apart(tmp_path: Path) -> None:
    found = tournament("hard", "hard:king=4", "easy+medium", boards=20)
    assert {player.name for player in found.players} == {"hard", "hard:king=4", "easy+medium"}


def test_ctrl_c_leaves_what_whole_rounds_came_to() -> None:
    calls = []

    def interrupt(done: int, total: int, hands: int) -> None:
        calls.append((done, total))
        if done > 700:
            raise KeyboardInterrupt

    found = tournament("easy", "medium", "lowest_card", boards=1000, workers=1, chunk=100, progress=interrupt)
    assert found.partial
    assert found.boards == 200
    assert found.verdict.startswith("Partial, after 200 of 1,000 boards a pair: ")
    assert calls[-1][1] == 3000
    whole = tournament("easy", "medium", "lowest_card", boards=200)
    assert found.heads[0].fingerprint == whole.heads[0].fingerprint


def test_ctrl_c_before_anything_was_measured() -> None:
    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament("easy", "medium", boards=100, progress=interrupt)


def test_the_tables(three: TournamentResult) -> None:
    frame = three.to_frame()
    assert frame["name"].tolist() == [player.name for player in three.players]
    assert (frame["low"] < frame["rating"]).all()
    assert frame["elo"].notna().all()
    assert set(three.to_dict()) == set(three.__dataclass_fields__) - {"scale", "spec"}
    assert '"superiority"' in three.to_json()


def test_rounds_are_a_function_of_the_boards_alone() -> None:
    for units in (1, 99, 100, 101, 25_000):
        found = list(rounds(units))
        assert sum(size for _, size in found) == units
        assert [first for first, _ in found] == np.cumsum([0, *(size for _, size in found[:-1])]).tolist()
    assert max(size for _, size in rounds(10**6)) == 10_000


def test_games_count_wins_draws_and_what_was_finished() -> None:
    spec = make_spec("easy", "hard", games=2)
    results = np.array([0 | 2 << 2, 1 | 1 << 2, 2 | 3 << 2, 3 | 3 << 2])
    outcomes = np.zeros(4, dtype=[("results", np.int64)])
    outcomes["results"] = results
    assert game_features(spec, outcomes).tolist() == [[1, 0, 2], [1, 2, 2], [1, 0, 1], [0, 0, 0]]


@pytest.mark.parametrize(
    ("players", "more", "message"),
    [
        (("easy",), {}, "two players or more"),
        (("easy", "easy"), {}, "'easy' is given twice"),
        (("easy", "hard"), {"anchor": "haard"}, "Did you mean 'hard'"),
        (("easy", "hard"), {"boards": 0}, "boards must be from 1"),
        (("easy", "hard"), {"games": 7}, "games must be even"),
        (("easy", "hard"), {"cap": 70}, "are for until_separated"),
        (("easy", "hard"), {"cap": 70, "until_separated": True}, "cap must be at least boards"),
        (("easy", "hard"), {"indifference": "x", "until_separated": True}, "must be a number from 0 up"),
        (tuple(f"easy:ace={k}" for k in range(40)), {}, "500 are the most"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(
    players: tuple[str, ...], more: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        make_tournament(players, **more)


def test_one_bot_under_two_texts_is_refused() -> None:
    with pytest.raises(UserError, match="are the same bot"):
        tournament("hard:king=4,ace=4", "hard:ace=4,king=4", boards=10)


def test_the_indifference_zone_is_in_the_unit_of_the_boards() -> None:
    with pytest.raises(UserError, match=r"must be in per cent, such as 0\.1%"):
        tournament("easy", "hard", boards=10, until_separated=True, indifference=0.5)
    with pytest.raises(UserError, match=r"must be below 100%, not 100%"):
        tournament("easy", "hard", boards=10, until_separated=True, indifference="100%")
    with pytest.raises(UserError, match=r"must be a number, such as 1\.5"):
        tournament("easy", "hard", boards=10, until_separated=True, indifference="1%", rules="bicycle")


@pytest.mark.parametrize("text", ["", "-1", "nan", "inf", "1%%"])
def test_differences_that_are_none(text: str) -> None:
    with pytest.raises(UserError):
        read_difference(text)


def test_a_tournament_names_files_of_settings(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text("ace = 2\nking = 5\n", encoding="utf-8")
    sides = [load_side(text) for text in ("easy", f"medium:{file}", "medium")]
    (_, named, _) = call(sides)
    assert named.endswith("other.toml")
    assert "ace" not in named
