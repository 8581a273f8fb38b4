"""What a duel says of the bots and seats at tables of three and of four single players."""

from typing import Any

import numpy as np
import pytest

from spadesim.analysis.tables import seat_rows, side_rows
from spadesim.core.tally import GAMES, UNFINISHED
from spadesim.match import DuelResult, duel
from spadesim.stats.intervals import Estimate, t_quantile

pytestmark = pytest.mark.slow

QUICK = {"cutthroat3": "cutthroat3:target=60", "bicycle": "bicycle:target=60"}
LEVEL = "max_hands=1,trick_value=0,overtrick_value=0,nil_allowed=false,boston_bonus=0,bag_limit=0"


def play(rules: str, games: int, **more: Any) -> DuelResult:
    return duel("lowest_card", "random_legal", games=games, rules=rules, hand_cap=300, **more)


@pytest.fixture(params=QUICK)
def result(request: pytest.FixtureRequest) -> DuelResult:
    return play(QUICK[request.param], 360)


def known(estimate: Estimate | None) -> Estimate:
    assert estimate is not None
    return estimate


def test_bag_penalties_are_those_of_one_seat_in_one_game(result: DuelResult) -> None:
    """A bot holds one seat or two of three, and two of four."""
    finished = (result.games or 0) - (result.unfinished or 0)
    seats = result.spec.rules.players
    assert result.tally["sides"][:, GAMES].sum() == seats * finished > 0
    if not result.unfinished:
        assert result.tally["sides"][:, GAMES].tolist() == [seats * finished // 2] * 2
    for key, own in zip("ab", result.tally["sides"][:, GAMES].tolist(), strict=True):
        side = result.sides[key]
        assert known(side.bag_penalties_per_game).mean == pytest.approx(side.bag_penalties / own)


def test_with_partners_and_two_players_a_game_is_one_of_each_side() -> None:
    for rules in ("pata", "draw300"):
        done = duel("lowest_card", "random_legal", games=20, rules=rules, hand_cap=40)
        finished = 20 - (done.unfinished or 0)
        assert done.tally["sides"][:, GAMES].tolist() == [finished] * 2


@pytest.mark.parametrize("rules", QUICK.values())
def test_the_interval_of_a_seats_share_is_over_sets(rules: str) -> None:
    """It is that of the sets played one by one, and not of games that all go alike."""
    whole = play(rules, 480)
    sets = [play(rules, 6, first=k, workers=1).tally for k in range(80)]
    finished = np.array([each.room_results[:, :UNFINISHED].sum() for each in sets])
    shares = [*(known_rates(whole)), known(whole.seats.opener_win_rate)]
    places = [*range(whole.spec.rules.players), 4]
    for place, share in zip(places, shares, strict=True):
        won = np.array([each.parts[place][0] for each in sets]) / 12
        mean = won.sum() / finished.sum()
        error = np.sqrt(80 / 79 * ((won - mean * finished) ** 2).sum()) / finished.sum()
        assert share.mean == pytest.approx(mean)
        half = (share.high - share.low) / 2
        # The prior of one set and a half in 80 makes the difference.
        assert half == pytest.approx(t_quantile(79) * error, rel=0.12)
        assert half < 1.9 * np.sqrt(mean * (1 - mean) / 80)
    assert sum(share.mean for share in shares[:-1]) == pytest.approx(1)


def known_rates(result: DuelResult) -> tuple[Estimate, ...]:
    assert result.seats.win_rates is not None
    return result.seats.win_rates


@pytest.mark.parametrize(("rules", "players"), [("cutthroat3", 3), ("bicycle", 4), ("draw300", 2)])
def test_a_drawn_game_counts_in_equal_parts(rules: str, players: int) -> None:
    """With the same definition for two players and for more: everybody is level, and so all shares are."""
    done = play(f"{rules}:{LEVEL}", 24)
    assert done.unfinished == 0
    for rate in (*known_rates(done), known(done.seats.opener_win_rate)):
        assert rate.mean == pytest.approx(1 / players)
        assert rate.low <= rate.mean <= rate.high


def test_shares_of_unfinished_games_are_none() -> None:
    done = duel("lowest_card", "random_legal", games=12, rules="bicycle", hand_cap=1)
    assert done.unfinished == 12
    assert done.seats.win_rates is None
    assert done.seats.opener_win_rate is None


@pytest.mark.parametrize("rules", ["cutthroat3", "bicycle"])
def test_the_first_leaders_edge_is_over_boards(rules: str) -> None:
    whole = duel("lowest_card", "random_legal", boards=60, rules=rules)
    boards = [duel("lowest_card", "random_legal", boards=1, first=k, rules=rules).tally for k in range(60)]
    led = np.array([each.order_tricks[0] for each in boards]) / 6
    edge = known(whole.seats.first_leader_edge)
    assert edge.mean == pytest.approx(led.mean() - whole.spec.rules.hand_size / whole.spec.rules.players)
    assert (edge.high - edge.low) / 2 == pytest.approx(t_quantile(59) * led.std(ddof=1) / np.sqrt(60))


def test_opponents_of_both_kinds_have_no_share_of_nils_set(result: DuelResult) -> None:
    for side in result.sides.values():
        assert side.nil_attempts >= 0
        assert (side.opponent_nils, side.opponent_nils_set) == (None, None)
        assert side.opponent_nil_set_rate is None
        assert {"opponent_nils", "opponent_nils_set"} <= set(side.counts())
    assert "opponents' nils set" not in [row.label for row in side_rows(result)]
    two = duel("random_legal", "lowest_card", games=20, rules="draw300", hand_cap=20)
    assert two.sides["b"].opponent_nils == two.sides["a"].nil_attempts


def test_games_won_by_seat_are_printed_with_their_ranges(result: DuelResult) -> None:
    rows, players = dict(seat_rows(result)), result.spec.rules.players
    fair = f"games won (fair: {100 / players:.1f} %)"
    for seat, rate in enumerate(known_rates(result)):
        assert rows[fair][seat] == f"{100 * rate.mean:.1f} %"
        assert rows["  at least"][seat] == f"{100 * rate.low:.1f} %"
        assert rows["  at most"][seat] == f"{100 * rate.high:.1f} %"
