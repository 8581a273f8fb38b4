import dataclasses
import itertools
import json
import shlex
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spadesim
from spadesim.core.rules import Rules
from spadesim.core.tally import TALLY
from spadesim.errors import UserError
from spadesim.match import DuelResult, duel
from spadesim.stats.intervals import Estimate, t_quantile
from tests.match.bots import GAMBLER, write_bot

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def games() -> DuelResult:
    """Forty whole games."""
    return duel("easy", "lowest_card", games=40)


@pytest.fixture(scope="module")
def boards() -> DuelResult:
    """Sixty boards."""
    return duel("easy", "lowest_card", boards=60, scores=(120, -30), bags=(3, 7))


def counts(result: DuelResult) -> list[int]:
    """Everything that a run counts, its fingerprint included."""
    numbers: list[int] = np.array([result.tally], dtype=TALLY).view(np.int64).tolist()
    return numbers


@pytest.mark.parametrize(("workers", "chunk"), [(1, 1), (1, 7), (2, None), (2, 1), (3, 1000), (None, None)])
def test_workers_and_chunks_change_nothing(games: DuelResult, workers: int | None, chunk: int | None) -> None:
    again = duel("easy", "lowest_card", games=40, workers=workers, chunk=chunk)
    assert counts(again) == counts(games)
    assert again.fingerprint == games.fingerprint
    assert again.verdict == games.verdict


TABLES = ["draw300", "draw500", "cutthroat3", "bicycle", "pata:blind_nil=behind,target=200"]


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """Two bots for every table, one of which tries everything, and some games of theirs."""
    bot = write_bot(tmp_path, "gambler", **GAMBLER)
    return {"a": bot, "b": "lowest_card", "rules": request.param, "games": 60, "hand_cap": 20}


def test_workers_and_chunks_change_nothing_at_other_tables(table: dict[str, Any]) -> None:
    first = duel(**table)
    for workers, chunk in ((1, 1), (2, 3), (3, None)):
        again = duel(**table, workers=workers, chunk=chunk)
        assert counts(again) == counts(first)
    part = [duel(**(table | {"games": 30}), first=k * first.tally.units // 2) for k in range(2)]
    assert sum(int(each.fingerprint, 16) for each in part) % 2**64 == int(first.fingerprint, 16)
    boards = {name: value for name, value in table.items() if name not in ("games", "hand_cap")}
    one, other = (duel(**boards, boards=50, workers=n, chunk=c) for n, c in ((1, 7), (2, None)))
    assert counts(one) == counts(other)


def test_swapping_the_bots_turns_the_result_of_other_tables_round(table: dict[str, Any]) -> None:
    first, other = duel(**table), duel(**(table | {"a": table["b"], "b": table["a"]}))
    assert (other.wins, other.losses, other.hands) == (first.losses, first.wins, first.hands)
    assert other.points_per_hand is not None
    assert first.points_per_hand is not None
    assert other.points_per_hand.mean == pytest.approx(-first.points_per_hand.mean)
    assert other.sides["a"].counts() == first.sides["b"].counts()
    assert other.seats == first.seats


def test_what_players_did_adds_up(table: dict[str, Any]) -> None:
    result, rules = duel(**table), Rules.parse(table["rules"])
    a, b = result.sides["a"], result.sides["b"]
    seat_hands = rules.players * result.hands
    assert sum(bot.hands for side in (a, b) for bot in side.bots) == seat_hands
    assert a.hands + b.hands == rules.n_sides * result.hands
    alone = rules.teams == "individual"
    for side in (a, b):
        assert len(side.bots) == (1 if alone else 2)
        assert (side.covers is None) == (side.cover_success is None and side.covers_made is None) == alone
        assert side.cards_offered == (13 * side.hands if rules.deal == "draw_keep" else None)
        assert (side.blind_attempts is None) == (rules.blind_nil == "off")
        assert a.hands == b.hands or not result.boards
        for name, estimate in side.estimates().items():
            assert estimate is None or estimate.low <= estimate.mean <= estimate.high, name
    assert b.kept_rate is None or b.kept_rate.mean == 1
    seats = result.seats
    assert seats.tricks is not None
    assert len(seats.tricks) == rules.players
    assert sum(seats.tricks) == pytest.approx(rules.hand_size)
    assert (seats.win_rates is None) == (not alone or result.wins == result.losses == 0)
    if seats.win_rates:
        assert sum(rate.mean for rate in seats.win_rates) == pytest.approx(1)
    assert (seats.first_drawer_points is None) == (rules.deal != "draw_keep")
    if seats.first_drawer_edge is not None:
        first = seats.tricks_by_place[0 if rules.start_role == "first_drawer" else 1]  # type: ignore[index]
        assert seats.first_drawer_edge.mean == pytest.approx(first - 6.5)
    strict(result.to_json())
    assert len(result.to_frame()) == len(duel("easy", "easy", games=2).to_frame())


@pytest.mark.parametrize("rules", TABLES)
def test_a_bot_against_itself_scores_exactly_nothing_at_other_tables(rules: str) -> None:
    for length in ({"games": 12, "hand_cap": 30}, {"boards": 20}):
        result = duel("random_legal", "random_legal", rules=rules, **length)  # type: ignore[arg-type]
        assert result.identical_boards == result.level_boards == result.tally.units
        assert result.points_per_hand == Estimate(0, 0, 0)
    assert "as it must be: random_legal plays against itself" in result.verdict


def test_points_of_single_players_are_the_means_of_their_hands() -> None:
    """A's mean points in a hand of one of its seats, less B's, from boards one by one."""
    result = duel("lowest_card", "random_legal", boards=40, rules="cutthroat3")
    a, b = (result.sides[key].points_per_hand for key in "ab")
    assert result.points_per_board is not None
    assert a is not None
    assert b is not None
    assert result.points_per_board.mean == pytest.approx(a.mean - b.mean)
    assert result.points_per_hand is not None
    assert result.points_per_hand.mean == pytest.approx(a.mean - b.mean)
    assert result.sides["a"].hands == result.sides["b"].hands == 9 * 40


def test_seeds_deal_other_cards(games: DuelResult) -> None:
    assert duel("easy", "lowest_card", games=40, seed=2).fingerprint != games.fingerprint


def test_a_range_of_pairs_is_that_part_of_the_whole(games: DuelResult) -> None:
    parts = [duel("easy", "lowest_card", games=20, first=first) for first in (0, 10)]
    for name in ("hands", "wins", "losses"):
        assert sum(getattr(part, name) for part in parts) == getattr(games, name)
    total = sum(int(part.fingerprint, 16) for part in parts) % 2**64
    assert total == int(games.fingerprint, 16)


@pytest.mark.parametrize("length", [{"games": 20}, {"boards": 30}])
@pytest.mark.parametrize("bot", ["easy", "random_legal", "lowest_card+random_legal"])
def test_a_bot_against_itself_scores_exactly_nothing(bot: str, length: dict[str, int]) -> None:
    result = duel(bot, bot, **length)  # type: ignore[arg-type]
    assert result.identical_boards == result.level_boards == result.tally.units
    assert "as it must be" in result.verdict
    if result.games:
        assert result.win_rate_a == Estimate(0.5, 0.5, 0.5)
    else:
        assert result.points_per_board == result.priced_per_board == Estimate(0, 0, 0)
    assert result.points_per_hand == Estimate(0, 0, 0)
    assert result.room_correlation == pytest.approx(-1)
    assert result.variance_factor is None


def test_bots_that_only_play_alike_are_not_said_to_be_equal() -> None:
    """What parameters change on no deal that was seen may still matter on another."""
    result = duel("lowest_card", "lowest_card", games=2)
    other = duel("easy", "easy:third_seat=2", games=2, seed=3)
    assert result.win_rate_a == Estimate(0.5, 0.5, 0.5)
    assert other.win_rate_a is not None
    assert other.win_rate_a.low < 0.5 < other.win_rate_a.high


def test_swapping_the_sides_turns_the_result_round(games: DuelResult) -> None:
    other = duel("lowest_card", "easy", games=40)
    assert (other.wins, other.losses, other.hands) == (games.losses, games.wins, games.hands)
    assert other.win_rate_a is not None
    assert games.win_rate_a is not None
    assert other.win_rate_a.mean == 1 - games.win_rate_a.mean
    assert other.sides["a"].counts() == games.sides["b"].counts()


def test_estimates_equal_those_from_single_units() -> None:
    """What the sums over units say is what the units say one by one."""
    result = duel("easy", "lowest_card", boards=50)
    units = [duel("easy", "lowest_card", boards=1, first=k).tally for k in range(50)]
    x = np.array([(unit.margin[0] + unit.margin[1]) / 2 for unit in units])
    half = t_quantile(49) * x.std(ddof=1) / np.sqrt(50)
    points = result.points_per_board
    assert points is not None
    assert (points.mean, points.low, points.high) == pytest.approx(
        (x.mean(), x.mean() - half, x.mean() + half)
    )
    bags = np.array([int(unit.sides[0][6]) for unit in units])
    hands = np.array([int(unit.sides[0][0]) for unit in units])
    ratio = bags.sum() / hands.sum()
    variance = 50 / 49 * ((bags - ratio * hands) ** 2).sum() / hands.sum() ** 2
    estimate = result.sides["a"].bags_per_hand
    assert estimate is not None
    assert estimate.mean == pytest.approx(ratio)
    assert estimate.high - estimate.mean == pytest.approx(t_quantile(49) * np.sqrt(variance))


def test_what_a_side_did_adds_up(games: DuelResult) -> None:
    a, b = games.sides["a"], games.sides["b"]
    for side, other in ((a, b), (b, a)):
        assert side.hands == games.hands
        assert side.nil_attempts == other.opponent_nils
        assert side.nil_attempts - side.nil_made == other.opponent_nils_set
        assert sum(bot.hands for bot in side.bots) == 2 * side.hands
        for name in ("nil_attempts", "nil_made", "covers", "covers_made", "forced", "free"):
            assert sum(getattr(bot, name) for bot in side.bots) == getattr(side, name)
        for name, estimate in side.estimates().items():
            assert estimate is None or estimate.low <= estimate.mean <= estimate.high, name
    assert a.mean_bid is not None
    assert a.bid_error is not None
    assert b.mean_bid is not None
    assert b.bid_error is not None
    assert sum(e.mean for e in (a.mean_bid, a.bid_error, b.mean_bid, b.bid_error)) == pytest.approx(13)
    assert a.forced + a.free + b.forced + b.free == games.hands * (52 + 4)


def test_seats_share_what_there_is(games: DuelResult) -> None:
    seats = games.seats
    assert seats.tricks is not None
    assert sum(seats.tricks) == pytest.approx(13)
    assert seats.tricks_by_place is not None
    assert sum(seats.tricks_by_place) == pytest.approx(13)
    assert seats.first_leader_edge is not None
    assert seats.first_leader_edge.mean == pytest.approx(seats.tricks_by_place[0] - 3.25)
    assert seats.points is not None
    assert seats.points[0] == seats.points[2]
    for share in (seats.seats_0_2_win_rate, seats.opener_win_rate):
        assert share is not None
        assert 0 <= share.low < share.mean < share.high <= 1


def test_mixed_sides_report_their_bots_apart() -> None:
    result = duel("easy+lowest_card", "lowest_card", games=10)
    assert [bot.name for bot in result.sides["a"].bots] == ["easy", "lowest_card"]
    assert [bot.place for bot in result.sides["a"].bots] == ["lower", "higher"]
    assert result.sides["a"].name == "easy+lowest_card"


def test_unfinished_games_are_bounded_and_forbid_a_verdict() -> None:
    result = duel("easy", "lowest_card", games=20, hand_cap=25)
    assert result.unfinished
    assert result.verdict.startswith("No verdict")
    assert result.worst_case is not None
    low, high = result.worst_case
    assert high - low == pytest.approx(result.unfinished / 20)
    assert not result.is_decidable
    nothing = duel("easy", "lowest_card", games=20, hand_cap=1)
    assert (nothing.unfinished, nothing.win_rate_a) == (20, None)
    json.loads(nothing.to_json())


def test_names_are_those_that_were_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "easy:ace=0" in duel("easy", "easy:ace=0", games=20).verdict
    assert "medium:ace=2,king=5 " in duel("medium:king=5,ace=2", "lowest_card", games=20).verdict
    monkeypatch.chdir(tmp_path)
    Path("other.toml").write_text("ace = 2\nking = 5\n", encoding="utf-8")
    found = duel("medium:other.toml", "easy", games=20)
    assert "medium:other.toml " in found.verdict
    assert shlex.split(found.command)[2:4] == ["medium:other.toml", "easy"]
    assert found.sides["a"].bots[0].spec == "medium:ace=2,king=5"
    kept = duel("medium:other.toml", "easy", games=20, out="kept")
    assert shlex.split(kept.command)[2:4] == ["medium:ace=2,king=5", "easy"]
    assert spadesim.load("kept").result().command == kept.command


def strict(text: str) -> dict[str, Any]:
    def refuse(word: str) -> None:
        raise ValueError(word)

    values: dict[str, Any] = json.loads(text, parse_constant=refuse)
    return values


def test_json_of_games(games: DuelResult) -> None:
    values = strict(games.to_json())
    assert values == games.to_dict()
    assert (values["a"], values["b"], values["rules"], values["seed"]) == ("easy", "lowest_card", "pata", 1)
    assert (values["games"], values["boards"], values["unfinished"]) == (40, None, 0)
    assert values["points_per_board"] is None
    assert set(values["win_rate_a"]) == {"mean", "low", "high"}
    assert values["version"] == spadesim.__version__
    assert values["rng"] == "philox4x32-10/v1"
    assert values["command"] == "spadesim duel easy lowest_card --games 40 --rules pata --seed 1"
    assert len(values["fingerprint"]) == 16
    assert values["wins"] + values["draws"] + values["losses"] == 40
    assert values["seconds"] > 0
    for side in values["sides"].values():
        assert isinstance(side["mean_bid"], float)
        assert side["intervals"]["mean_bid"]["mean"] == side["mean_bid"]
        assert side["nil_attempts"] == 0
        assert side["nil_success"] is None
        assert {"bid_error", "set_rate", "bags_per_hand", "nil_made", "bag_penalties_per_game"} <= set(side)
        assert [len(bot["digest"]) for bot in side["bots"]] == [12, 12]


def test_json_of_boards(boards: DuelResult) -> None:
    values = strict(boards.to_json(indent=None))
    assert (values["games"], values["boards"], values["unfinished"], values["wins"]) == (None, 60, None, None)
    assert values["win_rate_a"] is None
    assert values["scores"] == [120, -30]
    assert values["bags"] == [3, 7]
    assert values["sides"]["a"]["bag_penalties_per_game"] is None
    assert values["seats"]["opener_win_rate"] is None
    assert values["points_per_board"]["low"] <= values["points_per_board"]["mean"]


@pytest.mark.parametrize("length", [{"games": 2}, {"boards": 1}])
def test_the_shortest_duel_has_no_nan_and_honest_intervals(length: dict[str, int]) -> None:
    result = duel("easy", "lowest_card", **length)  # type: ignore[arg-type]
    strict(result.to_json())
    estimate = result.win_rate_a or result.points_per_board
    assert estimate is not None
    assert estimate.high - estimate.low > 0.3


def test_a_result_prints_as_its_verdict_and_the_way_to_repeat_it(games: DuelResult) -> None:
    assert str(games) == f"{games.verdict}\nAgain: {games.command}"


def test_frame(games: DuelResult) -> None:
    table = games.to_frame()
    assert list(table.columns) == ["side", "name", "statistic", "value", "low", "high"]
    assert set(zip(table["side"], table["name"], strict=True)) == {
        ("a", games.sides["a"].name),
        ("b", games.sides["b"].name),
    }
    assert not table.duplicated(["side", "statistic"]).any()
    values = table.set_index(["side", "statistic"])["value"]
    assert values["a", "win_rate"] + values["b", "win_rate"] == pytest.approx(1)
    assert values["a", "margin_per_hand"] == -values["b", "margin_per_hand"]
    assert values["b", "hands"] == games.hands
    assert np.isnan(values["a", "margin_per_board"])


def test_results_are_read_only(games: DuelResult) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        games.games = 3  # type: ignore[misc]


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_what_was_measured(workers: int) -> None:
    calls = itertools.count()

    def interrupt(done: int, total: int, hands: int) -> None:
        if next(calls) == 2:
            signal.raise_signal(signal.SIGINT)

    result = duel("easy", "lowest_card", games=400, workers=workers, chunk=2, progress=interrupt)
    assert (result.partial, result.games, result.requested) == (True, 12, 400)
    assert result.verdict.startswith("Partial, after 12 of 400 games: ")
    assert counts(result) == counts(duel("easy", "lowest_card", games=12))


def test_ctrl_c_before_anything_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("spadesim.match.run.run_together", interrupted)
    with pytest.raises(KeyboardInterrupt):
        duel("easy", "lowest_card", games=4, workers=1)


def test_progress_grows_to_the_end() -> None:
    heard: list[tuple[int, int, int]] = []
    result = duel("easy", "lowest_card", boards=50, chunk=20, progress=lambda *step: heard.append(step))
    assert [step[:2] for step in heard] == [(20, 50), (40, 50), (50, 50)]
    assert heard[-1][2] == result.hands == 100


def test_a_notice_before_a_bot_is_compiled_for_the_first_time(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "newcomer")
    notices: list[str] = []
    for _ in range(2):
        duel("lowest_card", bot, games=2, notice=notices.append)
    assert notices.count("compiling newcomer, first run only") == 1


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"workers": 0}, "workers must be from 1 to 1024, not 0"),
        ({"workers": 5000}, "workers must be from 1 to 1024, not 5000"),
        ({"chunk": 0}, "chunk must be at least 1, not 0"),
        ({"games": 3}, "games must be even"),
    ],
)
def test_bad_input(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        duel("easy", "lowest_card", **asked)


def test_an_unknown_strategy() -> None:
    with pytest.raises(UserError, match="easy"):
        duel("easi", "lowest_card", games=2)
