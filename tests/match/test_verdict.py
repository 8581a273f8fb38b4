import dataclasses

import numpy as np
import pytest

from spadesim.match.findings import Findings
from spadesim.match.looked import at_any_look
from spadesim.match.spec import DuelSpec, make_spec
from spadesim.match.verdict import verdict
from spadesim.stats.games import game_stats, set_stats
from spadesim.stats.intervals import Estimate
from spadesim.stats.moments import Moments

NO_GAMES = game_stats([[0] * 4 for _ in range(4)])


def found(won: int = 0, split: int = 0, lost: int = 0, open_: int = 0) -> Findings:
    """Findings of pairs won, split, lost, and with one unfinished game beside a won one."""
    games = game_stats([[lost, 0, split, 0], [0] * 4, [0, 0, won, open_], [0] * 4])
    by_value = lost, split, won + open_
    return Findings("hard", "easy", False, games.pairs, 0, games, None, False, by_value)


def said(spec: DuelSpec, findings: Findings) -> str:
    """The verdict, which calls that side better which the findings do."""
    text = verdict(spec, findings)
    claimed = {
        side
        for side, (one, other) in {"a": ("hard", "easy"), "b": ("easy", "hard")}.items()
        if f"{one} is better than {other}" in text
    }
    assert claimed == ({findings.better} if findings.better else set())
    return text


def on_games(findings: Findings) -> str:
    return said(make_spec("hard", "easy", games=20_000), findings)


def on_boards(points: Estimate, scores: tuple[int, int] | None = None, differing: int = 900) -> str:
    findings = Findings(
        "hard", "easy", False, 1000, 0, NO_GAMES, points, False, (0, 1000 - differing, differing)
    )
    return said(make_spec("hard", "easy", boards=1000, scores=scores), findings)


def test_the_better_side_is_named_whichever_it_is() -> None:
    assert on_games(found(won=9604, split=392, lost=4)) == (
        "hard is better than easy: it won 98.0 % of 20,000 games (95 % interval 97.8 to 98.2 %)."
    )
    assert on_games(found(won=4, split=392, lost=9604)) == (
        "easy is better than hard: it won 98.0 % of 20,000 games (95 % interval 97.8 to 98.2 %)."
    )


def test_an_interval_that_holds_half_decides_nothing() -> None:
    assert on_games(found(won=2530, split=5000, lost=2470)) == (
        "Undecided: hard won 50.3 % of 20,000 games against easy, and its 95 % interval, 49.6 to 51.0 %, "
        "holds 50 %; a true difference of this size would need about 220,000 games to show."
    )


def test_a_small_difference_is_shown_as_one() -> None:
    assert "hard won 50.02 % of" in on_games(found(won=2502, split=5000, lost=2498))
    assert "more than a billion games" in on_games(found(won=2501, split=10**6, lost=2500))


def test_exactly_half_is_undecided_too() -> None:
    assert "both won exactly half" in on_games(found(won=2500, split=5000, lost=2500))


def test_rooms_that_went_alike_are_no_difference() -> None:
    alike = dataclasses.replace(found(split=100), identical=100)
    assert on_games(alike) == (
        "No difference between hard and easy on any of 100 pairs of games: "
        "both rooms went alike, card by card."
    )
    mirror = dataclasses.replace(alike, a="hard", b="hard", is_mirror=True)
    assert on_games(mirror) == (
        "No difference on any of 100 pairs of games, as it must be: hard plays against itself."
    )


def test_unfinished_games_above_half_a_percent_forbid_a_verdict() -> None:
    assert on_games(found(won=90, open_=10)) == (
        "No verdict: 10 of 200 games were unfinished after 1,000 hands, "
        "and with them hard's share of the wins could be anything from 95.0 to 100.0 %; "
        "max_hands=50 in the rules ends them, and so do bots that reach the target."
    )
    assert on_games(found(won=99, open_=1)).startswith(
        "hard is better than easy: it won 100.0 % of 199 games"
    )
    nothing = dataclasses.replace(found(), games=game_stats([*[[0] * 4] * 3, [0, 0, 0, 5]]), units=5)
    assert on_games(nothing) == (
        "No verdict: 10 of 10 games were unfinished after 1,000 hands; max_hands=50 in the rules ends them, "
        "and so do bots that reach the target."
    )


def test_what_would_end_unfinished_games() -> None:
    stuck = found(won=90, open_=10)
    endless = make_spec("hard", "easy", games=200, rules="draw300")
    assert verdict(endless, stuck).endswith(
        "; floor=-200 or max_hands=50 in the rules ends them, and so do bots that reach the target."
    )
    make_spec("hard", "easy", games=200, rules="draw300:floor=-200,max_hands=50")
    capped = make_spec("hard", "easy", games=200, hand_cap=20)
    assert verdict(capped, stuck).endswith("; a higher --hand-cap, such as 1000, lets them go on.")


def test_a_partial_run_says_so_first() -> None:
    partial = dataclasses.replace(found(won=1000), is_partial=True)
    assert on_games(partial).startswith("Partial, after 2,000 of 20,000 games: hard is better than easy")


def test_points_are_no_measure_of_strength() -> None:
    assert on_boards(Estimate(-12.25, -13.0, -11.5)) == (
        "easy scored 12.2 points a board more than hard (1,000 boards from 0-0, 95 % interval 11.5 to 13.0); "
        "but points from 0-0 are no measure of strength by themselves: whole games are."
    )
    assert on_boards(Estimate(1.0, -1.0, 3.0), (400, -50)).startswith(
        "Undecided in points: hard scored 1.0 points a board more than easy "
        "(1,000 boards from 400 against -50, 95 % interval -1.0 to 3.0, which holds 0); but points from 400"
    )


def on_chance(chance: Estimate, split: tuple[int, int, int], scores: tuple[int, int] | None = None) -> str:
    findings = Findings(
        "hard", "easy", False, 1000, 0, NO_GAMES, Estimate(5.0, 4.0, 6.0), False, split, chance
    )  # fmt: skip
    return said(make_spec("hard", "easy", boards=1000, scores=scores), findings)


def test_boards_are_judged_by_the_chance_to_win_whatever_points_say() -> None:
    assert on_chance(Estimate(-0.0123, -0.015, -0.0096), (600, 100, 300)) == (
        "easy is better than hard: its chance to win the game grew by 1.23 percentage points a board "
        "(1,000 boards, 95 % interval 0.96 to 1.50)."
    )
    assert on_chance(Estimate(0.0123, 0.0096, 0.015), (300, 100, 600), (400, -50)) == (
        "hard is better than easy there: its chance to win the game grew by 1.23 percentage points a board "
        "(1,000 boards from 400 against -50, 95 % interval 0.96 to 1.50)."
    )
    assert on_chance(Estimate(0.001, -0.001, 0.003), (450, 50, 500)) == (
        "Undecided: hard is ahead of easy, its chance to win the game grew by 0.10 percentage points a board "
        "(1,000 boards, 95 % interval -0.10 to 0.30), which holds 0; a true difference of this size would "
        "need about 8,200 boards to show."
    )
    assert "more than a billion boards" in on_chance(Estimate(0.0, -0.001, 0.001), (500, 0, 500))


def test_few_boards_that_differ_in_points_are_too_few() -> None:
    few = on_boards(Estimate(0.2, 0.1, 0.3), differing=49)
    assert few.startswith(
        "Undecided in points: hard scored 0.2 points a board more than easy (1,000 boards from 0-0, 95 % "
        "interval 0.1 to 0.3, only 49 of them differed, too few to tell); but points"
    )
    assert on_boards(Estimate(0.2, 0.1, 0.3), differing=50).startswith("hard scored 0.2 points a board more")
    assert on_boards(Estimate(0.0, 0.0, 0.0), differing=0) == (
        "No difference in points between hard and easy on any of 1,000 boards from 0-0."
    )


def test_few_pairs_of_games_that_differ_are_judged_by_their_number() -> None:
    """By Q. McNemar's test: 5 to 0 may be luck (p = 0.0625), whatever the interval says, and 6 to 0 not."""
    luck = on_games(found(won=5, split=17_999))
    assert luck.startswith(
        "Undecided: hard is ahead of easy, it won 50.01 % of 36,008 games (95 % interval 50.0"
    )
    assert luck.endswith(
        "; only 5 of 18,004 pairs of games differed, 5 for it and 0 against it, which may be luck, though so "
        "rough an interval leaves out 0."
    )
    assert on_games(found(lost=6, split=17_999)).startswith("easy is better than hard: it won 50.02 %")
    assert on_games(found(won=9, split=2, lost=1)).endswith(
        "; 10 of 12 pairs of games differed, 9 for it and 1 against it."
    )
    assert on_games(found(split=100)) == (
        "Undecided: hard and easy won half of 200 games each, and none of 100 pairs of games went to either."
    )
    assert on_games(found(won=55, lost=45)).startswith("Undecided: hard won 55.0 % of 200 games against easy")


def watched(findings: Findings, is_partial: bool = True) -> Findings:
    """The same of a duel that was broken off, or made longer."""
    behind, level, ahead = findings.by_value
    squares = (behind + ahead) / 4
    moments = Moments(behind + level + ahead, (ahead - behind) / 2, squares, ahead, behind)
    look = at_any_look(make_spec("hard", "easy", games=20_000), moments)
    return dataclasses.replace(findings, is_partial=is_partial, is_watched=True, at_any_look=look)


def test_who_has_looked_is_told_less_surely() -> None:
    clear, once = found(won=2800, lost=2600, split=4600), found(won=12, lost=2, split=500)
    assert on_games(clear).startswith("hard is better than easy: it won 51.0 % of 20,000 games")
    assert on_games(once).startswith("hard is better than easy: ")
    assert on_games(watched(clear, is_partial=False)) == (
        "Undecided: hard won 51.0 % of 20,000 games against easy, and its 95 % interval that holds at any "
        "look, 49.9 to 52.1 %, holds 50 %; a true difference of this size would need about 21,000 games to "
        "show."
    )
    assert on_games(watched(once)).startswith(
        "Partial, after 1,028 of 20,000 games: Undecided: hard is ahead"
    )
    more = found(won=2900, lost=2500, split=4600)
    assert "better than easy: it won 52.0 % of 20,000 games (95 % interval that holds at any look 50.9" in (
        on_games(watched(more))
    )


@pytest.mark.parametrize("differing", [0.9, 0.03])
def test_whoever_ends_a_duel_when_it_pleases_is_hardly_ever_misled(differing: float) -> None:
    """Of equal bots somebody is called better at any of 40 looks in no more than 5 of 100 duels."""
    rng, runs, fooled = np.random.default_rng(9), 120, 0
    for drawn in rng.multinomial(100, [differing / 2, 1 - differing, differing / 2], (runs, 40)):
        looks = (found(lost=lost, split=split, won=won) for lost, split, won in drawn.cumsum(axis=0).tolist())
        fooled += any("is better than" in on_games(watched(look)) for look in looks)
    assert fooled <= 0.05 * runs


def test_few_boards_that_differ_are_judged_by_their_number() -> None:
    """Whatever the t interval says, which can be far off then."""
    assert on_chance(Estimate(0.002, -0.001, 0.005), (3, 983, 14)) == (
        "hard is better than easy: its chance to win the game grew by 0.20 percentage points a board "
        "(1,000 boards, 95 % interval -0.10 to 0.50); only 17 of them differed, 14 for it and 3 against it, "
        "no mere luck though so rough an interval holds 0."
    )
    few = on_chance(Estimate(-0.002, -0.003, -0.001), (8, 990, 2))
    assert few.startswith("Undecided: easy is ahead of hard, its chance")
    assert few.endswith(
        "only 10 of them differed, 8 for it and 2 against it, which may be luck, though so rough an interval "
        "leaves out 0."
    )
    clear = on_chance(Estimate(-0.002, -0.003, -0.001), (30, 960, 10))
    assert clear.endswith("; only 40 of them differed, 30 for it and 10 against it.")
    assert on_chance(Estimate(0.0, -0.004, 0.004), (0, 1000, 0)) == (
        "No difference in the chance to win between hard and easy on any of 1,000 boards."
    )


def test_mean_and_number_of_few_boards_may_disagree() -> None:
    """Then nobody is called ahead without what speaks against it, and nobody is better."""
    assert on_chance(Estimate(0.0002, -0.0004, 0.0008), (52, 934, 14)) == (
        "Undecided between hard and easy, for mean and number of boards disagree: by the mean hard is ahead, "
        "its chance to win the game grew by 0.020 percentage points a board (1,000 boards, 95 % interval "
        "-0.040 to 0.080); but only 66 of them differed, 14 for it and 52 against it, no mere luck."
    )
    turned = on_chance(Estimate(-0.0002, -0.0008, 0.0004), (14, 934, 17))
    assert turned.startswith("Undecided between easy and hard, ")
    assert turned.endswith("31 of them differed, 14 for it and 17 against it, which may be luck.")
    assert "by the mean hard is level" in on_chance(Estimate(0.0, -0.001, 0.001), (3, 990, 7))


def test_sets_of_six_games_and_single_players() -> None:
    spec = make_spec("hard", "easy", games=6000, rules="bicycle")
    shares = [[0] * 13 for _ in range(7)]
    shares[6][6], shares[6][8], shares[6][4] = 298, 102, 100
    games = set_stats(shares, [[1498, 0, 1502, 0], *[[0] * 4] * 5])
    base = Findings("hard", "easy", False, 500, 0, games, None, True, (100, 298, 102))
    text = verdict(make_spec("hard", "easy", games=60_000, rules="bicycle"), base)
    assert text.startswith("Partial, after 3,000 of 60,000 games: Undecided: hard won 50.1 % of 3,000 games")
    assert "would need about 1,200,000 games to show" in text
    alike = dataclasses.replace(base, identical=500, is_partial=False)
    assert verdict(spec, alike) == (
        "No difference between hard and easy on any of 500 sets of games: "
        "all six rooms went alike, card by card."
    )
    points = dataclasses.replace(base, points=Estimate(3.25, 3.0, 3.5), is_partial=False)
    three = make_spec("hard", "easy", boards=500, rules="cutthroat3", scores=(100, 40, -20))
    assert verdict(three, points).startswith(
        "hard scored 3.2 points a hand more than easy "
        "(500 boards from 100, 40 and -20, 95 % interval 3.0 to 3.5)"
    )
    two = make_spec("hard", "easy", boards=500, rules="draw300")
    assert "points a hand more than easy (500 boards from 0-0," in verdict(two, points)


@pytest.mark.parametrize("pairs", [1, 2, 10])
def test_few_pairs_decide_little(pairs: int) -> None:
    sentence = on_games(found(won=pairs))
    assert sentence.startswith("hard is better" if pairs == 10 else "Undecided")
    assert (pairs == 10) != sentence.endswith("0 against it, which may be luck.")
