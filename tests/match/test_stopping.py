"""Rules that end a duel: what may be asked for, where a duel ends, and what is said of it."""

import dataclasses
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spadesim
from spadesim.errors import UserError
from spadesim.match.confirm import games_after
from spadesim.match.counted import counted_test
from spadesim.match.decision import claim, sentence
from spadesim.match.duel import Keep, play_duel
from spadesim.match.gate import gate
from spadesim.match.kept import resume_run
from spadesim.match.looked import at_any_look, moments_of
from spadesim.match.plan import plan
from spadesim.match.replay import replay
from spadesim.match.result import DuelResult
from spadesim.match.scale import ELO, GAMES_WON, NORMALISED_ELO, WIN_CHANCE
from spadesim.match.spec import make_spec
from spadesim.match.stop import Stop, choose, scale_for
from spadesim.match.stop_rules import Aim, Seen, rule_for
from spadesim.match.stopping import Stopping, aim_of
from spadesim.stats.anytime import anytime_reach
from spadesim.stats.elo import Sample, elo_interval, normalised_elo, score_of
from spadesim.stats.intervals import Estimate
from spadesim.stats.moments import Moments
from spadesim.stats.sequential import llr_logistic

A, B = "medium:king=2", "medium"


def test_a_rule_is_written_as_it_was_read() -> None:
    for stop in (Stop("sprt", "gain"), Stop("sprt", "-1,2.5elo", 0.01, 0.1), Stop("width", "0.5%")):
        spec = make_spec(A, B, games=2000, stop=stop)
        words = spec.command().split()
        at = next(k for k, word in enumerate(words) if word.startswith("--sprt") or word == "--until-width")
        text = words[at].partition("=")[2] or words[at + 1]
        again = Stop(stop.kind, text, stop.alpha, stop.beta)
        assert again == stop
        assert ("--alpha" in words) == (stop.alpha != 0.05)


def test_numbers_in_units() -> None:
    assert Stop("sprt", "gain").numbers(WIN_CHANCE) == (0.0, 0.001)
    assert Stop("sprt", "nonregression").numbers(GAMES_WON) == (-0.01, 0.0)
    assert Stop("equivalent", "2").numbers(NORMALISED_ELO) == (-2.0, 2.0)
    assert Stop("width", "0.5").numbers(WIN_CHANCE) == (0.0, 0.005)
    assert Stop("sprt", ".5, 1e1 elo").numbers(ELO) == (0.5, 10.0)
    assert make_spec(A, B, stop=Stop("sprt", "gain")).boards == 200_000


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"sprt": "gian"}, "Did you mean 'gain'"),
        ({"sprt": "3"}, "is no test"),
        ({"sprt": "1,2,3"}, "is no test"),
        ({"sprt": "0,1elo,"}, "is no test"),
        ({"sprt": "0elo,1nelo"}, "is no test"),
        ({"sprt": "0,nan"}, "is no test"),
        ({"sprt": "0,1e300"}, "out of reach"),
        ({"sprt": "-1e-300,1e-300"}, "out of reach"),
        ({"equivalent": "1e300"}, "out of reach"),
        ({"until_width": "1e-300"}, "out of reach"),
        ({"sprt": "5,2"}, "the first must be the smaller one: 2,5"),
        ({"sprt": "0,-0"}, "the second must be the greater one; both are 0"),
        ({"until_width": "0"}, "until-width must be above 0"),
        ({"until_width": "wide"}, "is no number for --until-width"),
        ({"equivalent": -1}, "equivalent must be above 0"),
        ({"sprt": "gain", "until_width": 1}, "--sprt and --until-width exclude each other"),
        ({"alpha": 0.1}, "give one of these"),
        ({"until_width": 1, "beta": 0.1}, "give one of these"),
        ({"sprt": "gain", "alpha": 0.0}, "alpha must be above 0"),
        ({"sprt": "gain", "beta": 0.5}, "beta must be above 0 and below 0.5"),
        ({"sprt": "gain", "alpha": 1e-320}, "alpha must be above 0 and below 0.5"),
        ({"sprt": "gain", "alpha": "0.05"}, "alpha must be above 0 and below 0.5"),
    ],
)
def test_what_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        choose(**asked)


BOARDS = Aim(Stop("sprt", "gain"), WIN_CHANCE, WIN_CHANCE, 1.0)
GAMES = Aim(Stop("sprt", "gain"), GAMES_WON, GAMES_WON, 0.5)


@pytest.mark.parametrize(
    ("aim", "kind", "good", "bad"),
    [
        (BOARDS, "sprt", "-99,99", "0,100"),
        (BOARDS, "width", "199", "200"),
        (BOARDS, "equivalent", "99.9", "100"),
        (GAMES, "sprt", "-49.9,49", "-50,0"),
        (GAMES, "width", "99", "100"),
        (dataclasses.replace(GAMES, scale=ELO), "sprt", "0,1199", "0,1200"),
        (dataclasses.replace(GAMES, scale=ELO), "width", "2399", "2400"),
        (dataclasses.replace(GAMES, scale=NORMALISED_ELO), "equivalent", "1199", "1200"),
    ],
)
def test_no_difference_is_larger_than_what_can_be(aim: Aim, kind: str, good: str, bad: str) -> None:
    dataclasses.replace(aim, stop=Stop(kind, good))
    with pytest.raises(UserError, match=r"A (difference|width) must be below .*, not [\d.]+\."):
        dataclasses.replace(aim, stop=Stop(kind, bad))


def test_few_pairs_that_differ_may_be_worth_much_normalised_elo() -> None:
    """It counts in the spread of the very pairs that differ: 40 to 0 is no proof of less than 5."""
    for test, outcome in (("gain", "undecided"), ("0,5elo", "low"), ("0,1%", "low")):
        aim_counts = (0, 0, 12_000, 0, 40)
        assert counted_test(aim_counts, Stop("sprt", test)).decision.outcome == outcome, test
    assert counted_test((0, 0, 60_000, 0, 3), Stop("sprt", "0,5")).decision.outcome == "low"


def test_a_width_in_elo_is_one_of_elo() -> None:
    """Far from one half an interval that is narrow in games won is wide in Elo."""
    seen = Seen(Moments(4000, 0.45 * 4000, 0.2075 * 4000, 3900, 10), [0, 10, 90, 490, 3410])
    won = rule_for(Aim(Stop("width", "10%"), GAMES_WON, GAMES_WON, 0.5), seen)
    in_elo = rule_for(Aim(Stop("width", "20elo"), ELO, GAMES_WON, 0.5), seen)
    assert won.look() == "reached"
    assert in_elo.look() == "undecided"
    wider = rule_for(Aim(Stop("width", "200elo"), ELO, GAMES_WON, 0.5), seen)
    assert wider.look() == "reached"


def test_units_that_are_not_played_are_refused() -> None:
    for length, text in (({"games": 10}, "0,1points"), ({"boards": 10}, "0,1elo")):
        spec = make_spec(A, B, **length)  # type: ignore[arg-type]
        with pytest.raises(UserError, match="is no unit of what is played here"):
            aim_of(spec, Stop("sprt", text))
    with pytest.raises(UserError, match="confirm plays games after boards"):
        spadesim.duel(A, B, games=10, confirm=10)


@pytest.mark.parametrize("length", [{"boards": 20_000}, {"games": 20_000}])
def test_a_duel_ends_at_the_same_board_for_any_chunks_and_workers(length: dict[str, int]) -> None:
    spec = make_spec(A, B, stop=Stop("sprt", "gain"), **length)  # type: ignore[arg-type]
    found = [play_duel(spec, workers=workers, chunk=chunk) for workers, chunk in ((1, None), (2, 17))]
    assert all(one.fingerprint == other.fingerprint for one, other in pairwise(found))
    assert found[0].decision == found[1].decision
    decision = found[0].decision
    assert decision is not None
    assert decision.outcome == "high"
    assert decision.units % decision.batch == 0
    assert decision.units < decision.budget
    assert not found[0].partial
    assert found[0].verdict.startswith(f"{A} is better than {B}: ")
    assert "decided after" in found[0].verdict


def test_the_command_ends_at_the_same_board() -> None:
    found = spadesim.duel(B, A, games=20_000, sprt="gain")
    assert found.decision is not None
    assert found.decision.outcome == "low"
    assert "--games 20000 --sprt gain" in found.command
    assert found.verdict.startswith(f"{B} is not better than {A} by 5.0 normalised Elo or more")


@pytest.mark.parametrize(
    ("rule", "length"),
    [
        ({"sprt": "gain"}, {"boards": 60_000}),
        ({"sprt": "nonregression"}, {"boards": 60_000}),
        ({"equivalent": 3}, {"boards": 60_000}),
        ({"sprt": "nonregression"}, {"games": 24_000}),
        ({"equivalent": "1%"}, {"games": 4000}),
    ],
)
def test_a_bot_against_itself_is_no_hypothesis_accepted(rule: dict[str, Any], length: dict[str, int]) -> None:
    found = spadesim.duel("easy", "easy", **rule, **length)  # type: ignore[arg-type]
    assert found.decision is not None
    assert found.decision.outcome == "no_difference"
    assert found.decision.units < found.decision.budget
    assert found.verdict.startswith("No difference on any of ")


def test_too_few_that_differ_are_not_judged_by_their_spread() -> None:
    aim = Aim(Stop("sprt", "0,0.1"), WIN_CHANCE, WIN_CHANCE, 1.0)
    seen = Seen()
    rule = rule_for(aim, seen)
    # One board of 1,000, and by far: a normal approximation would call the gain refuted.
    seen.moments = Moments(1000, 0.3, 0.09, 1, 0)
    assert rule.look() == "undecided"
    # Of 20,000 boards 3 differ: a gain of 0.1 % a board takes 20 that differ by all there is.
    seen.moments = Moments(20_000, 0.3, 0.09, 3, 0)
    assert rule.look() == "low"


@pytest.mark.parametrize("text", ["-5,0nelo", "-5,0elo", "-1,0%"])
def test_few_pairs_that_differ_rule_nothing_out_that_they_may_be(text: str) -> None:
    """Pairs that are lost as seldom as the lower value lets them be, and never won."""
    stop = Stop("sprt", text)
    aim = Aim(stop, scale_for(NORMALISED_ELO, (ELO, GAMES_WON), stop.suffix), GAMES_WON, 0.5)
    rng, wrong, runs = np.random.default_rng(7), 0, 300
    share = {"nelo": 2 * (5 * math.log(10) / 800) ** 2, "elo": 1 - 2 * score_of(-5), "%": 0.02}[stop.suffix]
    for lost in np.cumsum(rng.binomial(100, share, (runs, 150)), axis=1).tolist():
        seen = Seen()
        rule = rule_for(aim, seen)
        for look, behind in enumerate(lost, 1):
            seen.moments = Moments(100 * look, -behind / 2, behind / 4, 0, behind)
            seen.pairs = [behind, 0, 100 * look - behind, 0, 0]
            if rule.look() != "undecided" or behind >= 50:
                break
        wrong += rule.outcome == "high"
    assert wrong <= 0.05 * runs + 3 * (0.05 * 0.95 * runs) ** 0.5
    assert rule_for(aim, Seen(Moments(12_000), [0, 0, 12_000, 0, 0])).look() == "high"


def test_the_budget_may_be_spent() -> None:
    found = spadesim.duel(A, B, boards=500, sprt="0,0.0001")
    assert found.decision is not None
    assert found.decision.outcome == "undecided"
    assert "the budget of 500 boards is spent" in found.verdict
    assert found.decision.estimate is None or found.decision.estimate.low <= found.decision.estimate.high


def test_pairs_that_all_went_one_way() -> None:
    for counts, outcome in (((3000, 0, 0, 0, 0), "low"), ((0, 0, 0, 0, 3000), "high")):
        found = counted_test(counts, Stop("sprt", "gain"))
        assert found.decision.outcome == outcome
        assert found.decision.estimate is not None
    assert counted_test((0, 0, 1, 0, 0), Stop("sprt", "gain")).decision.outcome == "undecided"
    assert counted_test((1, 0, 0, 0, 0), Stop("sprt", "-900,900")).decision.outcome == "undecided"
    tied = counted_test((0, 0, 40_000, 0, 0), Stop("sprt", "gain"))
    assert tied.decision.outcome == "no_difference"
    assert tied.verdict == "No difference between A and B on any of 40,000 pairs of games."
    for wrong in ((0,) * 5, (1, 2), (1, 2, -3)):
        with pytest.raises(UserError):
            counted_test(wrong, Stop("sprt", "gain"))


def test_counts_are_tested_as_published() -> None:
    counts = (39, 2226, 31451, 2412, 40)
    found = counted_test(counts, Stop("sprt", "0.2,0.9elo"))
    assert found.decision.llr == pytest.approx(2.1625425800, abs=5e-11)
    # In per cent of games the same test of the same means.
    low, high = (100 * (1 / (1 + 10 ** (-e / 400)) - 0.5) for e in (0.2, 0.9))
    other = counted_test(counts, Stop("sprt", f"{low},{high}%"))
    assert other.decision.llr == pytest.approx(llr_logistic(counts, 0.2, 0.9), rel=1e-6)


def test_a_width_is_reached() -> None:
    found = spadesim.duel(A, B, games=20_000, until_width=8)
    assert found.decision is not None
    assert found.decision.outcome == "reached"
    interval = found.decision.anytime
    assert interval is not None
    assert interval.high - interval.low <= 0.08
    assert interval.low < found.win_rate_a.mean - 0.5 < interval.high  # type: ignore[union-attr]
    before = found.decision.units - found.decision.batch
    shorter = spadesim.duel(A, B, games=2 * before, until_width=8)
    assert shorter.decision is not None
    assert shorter.decision.outcome == "undecided"


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        # Of few pairs that differ the spread is small, and so much normalised Elo is few games.
        ((50, 0, 9900, 0, 50), "10nelo"),
        ((100, 0, 700, 0, 200), "50nelo"),
        # Far from even, one per cent of the games is many Elo.
        ((0, 0, 400, 0, 3600), "40elo"),
        ((400, 0, 1200, 0, 400), "20elo"),
    ],
)
def test_a_width_is_as_wide_as_it_says_in_its_own_unit(pairs: tuple[int, ...], text: str) -> None:
    wanted = float(text.strip("nelo"))

    def is_reached(times: float) -> bool:
        counts = [round(times * count) for count in pairs]
        return counted_test(counts, Stop("width", text)).decision.outcome == "reached"

    def width(times: float) -> float:
        counts = [round(times * count) for count in pairs]
        reach = anytime_reach(sum(counts))
        found = normalised_elo(counts, reach) if "n" in text else elo_interval(Sample.of(counts), reach)
        assert found is not None
        return found.high - found.low

    sizes = [2**k for k in range(8)]
    assert [is_reached(times) for times in sizes] == [width(times) <= wanted for times in sizes]
    assert not is_reached(sizes[0])
    assert is_reached(sizes[-1])


def test_two_that_are_not_alike_are_told_apart() -> None:
    found = spadesim.duel(A, "easy", games=4000, equivalent="2%")
    assert found.decision is not None
    assert found.decision.outcome == "different"
    assert found.verdict.startswith(f"{A} is better than easy, so they are not taken for alike")


def test_claims_say_no_more_than_was_found() -> None:
    claims = {
        ("gain", "high"): "A is better than B",
        ("gain", "low"): "A is not better than B by 0.10 percentage points a board or more",
        ("nonregression", "high"): "A is not worse than B by 0.10 percentage points a board or more",
        ("nonregression", "low"): "B is better than A",
        ("1,2", "high"): "A is better than B by more than 1.00 percentage points a board",
        ("-2,-1", "low"): "B is better than A by more than 1.00 percentage points a board",
    }
    for (text, outcome), words in claims.items():
        seen = Seen(Moments(100, 1.0, 1.0, 60, 30))
        rule = rule_for(Aim(Stop("sprt", text), WIN_CHANCE, WIN_CHANCE, 1.0), seen)
        rule.outcome = outcome
        assert claim(rule.decision(50, 1000, None, 1.0), "A", "B") == words


@pytest.mark.parametrize(
    ("kind", "text", "outcome", "words"),
    [
        ("sprt", "gain", "high", ", which holds 0: each of its ends errs in 2.5 of 100, the test in 5)"),
        (
            "sprt",
            "nonregression",
            "low",
            ", which holds 0: each of its ends errs in 2.5 of 100, the test in 2)",
        ),
        ("sprt", "nonregression", "high", " -0.20 to 0.40)"),  # which claims no more than "not worse"
        ("equivalent", "1", "different", ", which holds 0: it is one for any stop)"),
    ],
)
def test_a_claim_beside_an_interval_that_holds_no_difference_says_why(
    kind: str, text: str, outcome: str, words: str
) -> None:
    found = Estimate(0.001, -0.002, 0.004)
    seen = Seen(Moments(1000, 1.0, 1.0, 300, 200))
    rule = rule_for(Aim(Stop(kind, text, 0.05, 0.02), WIN_CHANCE, WIN_CHANCE, 1.0), seen)
    rule.outcome = outcome
    anytime = found if kind == "equivalent" else Estimate(0.001, -0.004, 0.006)
    decision = dataclasses.replace(rule.decision(50, 1000, anytime, 1.0), estimate=found)
    assert f"{words}; decided after 9 of at most 10." in sentence(decision, "A", "B", "9", "10")


def test_a_watch_without_a_rule_only_looks_on() -> None:
    spec = make_spec(A, B, boards=6000)
    watch = Stopping(spec, None)
    result = play_duel(spec, watch=watch)
    assert result.decision is None
    assert watch.seen.moments.n == 6000
    assert watch.anytime is not None
    assert " to " in watch.line()


@pytest.mark.parametrize(
    "length",
    [
        {"boards": 60},
        {"games": 60},
        {"games": 60, "rules": "bicycle"},
        {"boards": 30, "rules": "cutthroat3"},
        {"games": 40, "hand_cap": 9},
    ],
)
def test_a_tally_tells_the_moments_that_a_watch_has_seen(length: dict[str, Any]) -> None:
    spec = make_spec("easy", "hard", **length)
    watch = Stopping(spec, None)
    told, seen = moments_of(spec, play_duel(spec, watch=watch).tally), watch.seen.moments
    assert (told.n, told.different) == (seen.n, seen.different)
    assert (told.total, told.squares) == pytest.approx((seen.total, seen.squares))
    if spec.rules.n_sides == 2 or "games" in length:
        assert told.ahead == seen.ahead
    assert at_any_look(spec, told) is None or spec.units >= 50


def test_games_confirm_boards() -> None:
    found = spadesim.duel(A, B, boards=400, confirm=200)
    assert found.confirmation is not None
    assert found.confirmation.games == 200
    assert found.verdict.endswith(f"In games: {found.confirmation.verdict}")
    assert found.command.endswith("--confirm 200")
    assert found.to_dict()["confirmation"]["games"] == 200


def test_confirming_games_are_of_deals_that_no_board_has() -> None:
    spec = make_spec(A, B, boards=400, first=30)
    after = games_after(spec, 200)
    boards = {replay(spec, unit).rooms[0].hands[0].dealt for unit in range(30, 34)}
    assert after.first == 430
    assert replay(dataclasses.replace(after, first=30), 30).rooms[0].hands[0].dealt in boards
    assert replay(after, after.first).rooms[0].hands[0].dealt not in boards


def test_a_large_difference_is_told_as_large_as_it_is() -> None:
    """Of the first pairs every one goes alike, and nothing can be tested before one does not."""
    found = spadesim.duel("easy", "hard", games=2000, sprt="0,1%").decision
    assert found is not None
    assert found.estimate is not None
    assert found.estimate.mean == pytest.approx(found.mean, abs=0.002)
    assert found.estimate.low <= found.mean <= found.estimate.high


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"a": Path("hard")}, "A side is a text"),
        ({"b": None}, "A side is a text"),
        ({"rules": {"target": 300}}, "rules are a text"),
        ({"rules": None}, "rules are a text"),
    ],
)
def test_what_is_no_side_and_no_rules(asked: dict[str, Any], said: str) -> None:
    options: dict[str, Any] = {"a": A, "b": B, "games": 10} | asked
    with pytest.raises(UserError, match=said):
        spadesim.duel(**options)


def test_gate() -> None:
    passed, stopped = (gate(*bots, games=True, budget=20_000, margin=20) for bots in ((B, A), (A, B)))
    assert (passed.answer, passed.exit_code) == ("not worse", 0)
    assert (stopped.answer, stopped.exit_code) == ("worse", 1)
    assert gate(A, B, games=True, budget=20).exit_code == 3
    assert gate("easy", "easy").exit_code == 0
    assert gate("easy", "easy", budget=20).exit_code == 0  # the same source and parameters need no test
    with pytest.raises(UserError, match="margin must be above 0"):
        gate(A, B, margin=-1)
    with pytest.raises(UserError, match="no git revision 'nonsense'"):
        gate("hard@nonsense", "hard")


def test_plan() -> None:
    found = plan(A, B, effect=0.02, boards=500, games=500)
    pairs, apart = found.lengths[-2:]
    assert (pairs.what, apart.what) == ("pairs of games", "games on deals of their own")
    assert pairs.hands < apart.hands
    # A sample of games of their own: (1.96 + 1.28)**2 * 0.25 / 0.02**2.
    assert apart.units == pytest.approx(10.507 * 0.25 / 0.0004, rel=0.01)
    half = plan(A, B, effect=0.01, boards=500, games=500)
    assert half.lengths[-1].units == pytest.approx(4 * apart.units, rel=0.01)
    with pytest.raises(UserError, match=r"Only \d+ of 10 boards of the pilot differed, too few to plan"):
        plan(A, "easy", boards=10, games=10)
    for wrong in ({"effect": 0.6}, {"effect": 0.0}, {"power": 0.04}, {"power": 1.0}, {"alpha": 0.7}):
        with pytest.raises(UserError, match="must be above"):
            plan(A, B, **wrong)  # type: ignore[arg-type]


def test_a_plan_of_what_cannot_be_planned() -> None:
    nothing = plan("easy", "easy", boards=200, games=20)
    assert nothing.lengths == ()
    assert nothing.remark == (
        "No difference between easy and easy on any of 200 boards or 10 pairs of games, so nothing is to be "
        "planned."
    )
    assert nothing.to_dict()["lengths"] == ()
    alone = plan("medium", "hard", boards=60, rules="cutthroat3", games=300)
    assert [length.what for length in alone.lengths] == ["sets of games", "games on deals of their own"]
    assert alone.remark.startswith("Boards are left out: ")
    certain = plan("medium", "random_legal", boards=200, games=200)
    assert [length.what for length in certain.lengths] == ["boards"]
    assert certain.remark.startswith("All 100 pairs of games of the pilot ended alike: ")
    assert " A won 100.0 % of the pilot's games: who is better needs no plan" in certain.remark


@pytest.fixture(scope="module")
def plain() -> DuelResult:
    """A duel that ended itself."""
    return spadesim.duel(A, B, games=20_000, sprt="gain")


def test_a_kept_run_that_ended_itself_says_so_again(tmp_path: Path, plain: DuelResult) -> None:
    kept = spadesim.duel(A, B, games=20_000, sprt="gain", out=tmp_path / "run")
    assert kept.decision == plain.decision
    assert kept.fingerprint == plain.fingerprint
    again = resume_run(tmp_path / "run")
    assert again.was_finished
    assert again.result.decision == plain.decision
    assert again.result.verdict == plain.verdict


def test_a_run_that_was_broken_off_ends_at_the_same_pair(tmp_path: Path, plain: DuelResult) -> None:
    spec = make_spec(A, B, games=20_000, stop=Stop("sprt", "gain"))

    class Impatient(Stopping):
        def __call__(self, outcomes: Any) -> bool:
            super().__call__(outcomes)
            if self.seen.moments.n >= 500:
                raise KeyboardInterrupt
            return False

    keep = Keep(tmp_path / "run", part_units=150)
    broken = play_duel(spec, watch=Impatient(spec, spec.stop), keep=keep)
    assert broken.partial
    assert broken.decision is not None
    assert broken.decision.estimate is not None
    assert broken.decision.estimate == broken.decision.anytime
    gone_on = resume_run(tmp_path / "run")
    assert not gone_on.was_finished
    assert gone_on.result.decision == plain.decision
    assert gone_on.result.fingerprint == plain.fingerprint
