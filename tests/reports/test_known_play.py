"""The pages of bags, play, games and fairness: every figure has the numbers that the cards tell."""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import pytest

import spadesim
from spadesim.analysis.drawn import draw
from spadesim.analysis.frame_table import as_table
from spadesim.analysis.gather import Count, gather
from spadesim.analysis.report import Report, Section, subjects_of
from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.match.recorded import RecordedRun
from spadesim.reports import bags, fairness, games, play
from tests.core.slow_played import Table
from tests.reports.played import Hand, hands_of, mean_by, recorded, shown, sides_of, tabled
from tests.reports.scripted import picture, sections_of

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    """One bids 2 and plays high; the other bids 3, plays low, and ruffs its partner's winners."""
    return recorded(tmp_path_factory.mktemp("plays"), "greedy", "ruffer", games=8)


@pytest.fixture(scope="module")
def hands(run: RecordedRun) -> list[Hand]:
    return hands_of(run)


@pytest.fixture(scope="module")
def on_bags(run: RecordedRun) -> Sequence[Section]:
    return sections_of(bags, run)


def test_how_many_bags_hands_bring(on_bags: Sequence[Section], hands: list[Hand]) -> None:
    truth = {
        (name, str(number)): fmean(
            hand.new_bags(side) == number for bot, hand, side in sides_of(hands) if bot == name
        )
        for name in ("greedy", "ruffer")
        for number in range(7)
    }
    found = {(bot, str(number)): share for (bot, number), share in shown(on_bags, "bags", "bags").items()}
    assert {key: found[key] for key in truth} == {key: pytest.approx(share) for key, share in truth.items()}


def test_bags_by_the_hand_and_penalties_by_the_game(on_bags: Sequence[Section], hands: list[Hand]) -> None:
    """A game's penalties are one for every ten bags of it; a hand's are those over its hands."""
    frame = on_bags[0].tables[0].frame.set_index("bot")  # type: ignore[union-attr]
    for name in ("greedy", "ruffer"):
        ours = [(hand, side) for bot, hand, side in sides_of(hands) if bot == name]
        by_game: Counter[tuple[int, int]] = Counter()
        for hand, side in ours:
            by_game[hand.game] += hand.new_bags(side)
        penalties = [number // 10 for number in by_game.values()]
        row = frame.loc[name]
        assert (row["n"], row["games_n"]) == (len(ours), 8)
        assert row["mean"] == pytest.approx(by_game.total() / len(ours))
        assert row["games"] == pytest.approx(fmean(penalties))
        assert row["penalties"] == pytest.approx(sum(penalties) / len(ours))
    assert any("penalties for bags a game" in text for text in on_bags[0].text)


def test_causes_of_bags(on_bags: Sequence[Section], hands: list[Hand]) -> None:
    totals: Counter[tuple[str, str]] = Counter()
    n_seats: Counter[str] = Counter()
    for hand in hands:
        cards = [seat.cards for seat in hand.seats]
        told = Table(Rules(), [s.bid for s in hand.seats], hand.seats[0].first_bidder, cards).read()
        for number, seat in enumerate(hand.seats):
            n_seats[seat.bot] += 1
            for column, name in bags.CAUSES.items():
                totals[seat.bot, name] += told[column][number]
    assert shown(on_bags, "causes", "cause") == {
        key: pytest.approx(number / n_seats[key[0]]) for key, number in totals.items()
    }


def test_sets_by_the_bids_of_side_and_table(on_bags: Sequence[Section], hands: list[Hand]) -> None:
    for name, at in (("side-bid", {"greedy": 4, "ruffer": 6}), ("table-bid", {"greedy": 10, "ruffer": 10})):
        own = mean_by(((bot, at[bot]), hand.over(side) < 0) for bot, hand, side in sides_of(hands))
        others = mean_by(((bot, at[bot]), hand.over(1 - side) < 0) for bot, hand, side in sides_of(hands))
        assert shown(on_bags, f"own-by-{name}", "bid") == own
        assert shown(on_bags, f"others-by-{name}", "bid") == others


def test_bags_against_sets_had_more_been_bid(on_bags: Sequence[Section], hands: list[Hand]) -> None:
    data = picture(on_bags, "trade-off").data.set_index(["bot", "more"])
    assert set(data.index) == {(bot, more) for bot in ("greedy", "ruffer") for more in range(-2, 3)}
    for name, more in data.index:
        row = data.loc[(name, more)]
        over = [hand.over(side) - more for bot, hand, side in sides_of(hands) if bot == name]
        assert row["set"] == pytest.approx(fmean(tricks < 0 for tricks in over))
        assert row["bags"] == pytest.approx(fmean(max(tricks, 0) for tricks in over))


def test_hands_that_are_chosen_count_for_each_seat_they_fit(run: RecordedRun, hands: list[Hand]) -> None:
    where = "spades >= 4"
    counts = gather([run], bags.COUNTS, where=where)
    report = Report((run,), subjects_of([run]), counts, where=where)
    frame = bags.build(report)[0].tables[0].frame.set_index("bot")
    for name in ("greedy", "ruffer"):
        fit = [hand.new_bags(seat.seat % 2) for hand in hands for seat in hand.seats
               if seat.bot == name and len(seat.spades) >= 4]  # fmt: skip
        assert (frame.loc[name, "n"], frame.loc[name, "mean"]) == (len(fit), pytest.approx(fmean(fit)))
    assert "games" not in frame


def test_without_cards_the_command_that_records_them_is_told(tmp_path: Path) -> None:
    run = recorded(tmp_path, "greedy", "greedy", "rows", boards=4)
    assert len(picture(sections_of(bags, run), "bags").data)
    for column, hint in {"bags_forced": "with --record cards", "result": "in runs of games"}.items():
        assert column not in run.columns
        with pytest.raises(UserError, match=f"no column '{column}'. It is there {hint}"):
            run.seats([column])
        with pytest.raises(UserError, match=f"no column '{column}'. It is there {hint}"):
            gather([run], {"all": Count(by=(column,))})
    for page in (bags, play):
        text = str(sections_of(page, run))
        assert f"{run.spec.command()} --record cards --out DIR" in text
        assert not {"causes", "spades"} & {
            p.name for section in sections_of(page, run) for p in section.pictures
        }


@pytest.fixture(scope="module")
def on_play(run: RecordedRun) -> Sequence[Section]:
    return sections_of(play, run)


def leads(hand: Hand) -> list[tuple[int, int]]:
    """Who led each trick, and who won it."""
    won = {trick: seat for seat in hand.seats for trick in seat.won}
    leader = {trick: by for seat in hand.seats for trick, by in zip(seat.won, seat.led_by, strict=True)}
    return [(leader[trick], won[trick].seat) for trick in range(1, 14)]


def test_tricks_by_who_led(on_play: Sequence[Section], hands: list[Hand]) -> None:
    names = ("own lead", "right opponent's lead", "partner's lead", "left opponent's lead")
    played: Counter[tuple[str, str]] = Counter()
    won: Counter[tuple[str, str]] = Counter()
    for hand in hands:
        for leader, winner in leads(hand):
            for seat in hand.seats:
                key = seat.bot, names[(seat.seat - leader) % 4]
                played[key] += 1
                won[key] += winner == seat.seat
    n = 2 * len(hands)  # of each bot's seats
    assert shown(on_play, "tricks-by-lead", "place") == {key: pytest.approx(won[key] / n) for key in played}
    assert shown(on_play, "share-by-lead", "place") == {
        key: pytest.approx(won[key] / played[key]) for key in played
    }


def test_ruffs_and_what_is_lost(on_play: Sequence[Section], hands: list[Hand]) -> None:
    """The ruffer ruffs its partner's winner whenever it can; the truth is told by what it could."""
    totals: Counter[tuple[str, str]] = Counter()
    for hand in hands:
        held = [set(seat.cards) for seat in hand.seats]
        for number, (leader, winner) in enumerate(leads(hand)):
            best = leader
            for step in range(4):
                at = (leader + step) % 4
                seat, card = hand.seats[at], hand.seats[at].cards[number]
                led = hand.seats[leader].cards[number] // 13
                is_ruff = card >= 39 and led != 3
                totals[seat.bot, "ruffs"] += is_ruff
                is_void = all(other // 13 != led for other in held[at])
                if (best - at) % 4 == 2 and step and is_void and led != 3 and max(held[at]) >= 39:
                    totals[seat.bot, "could"] += 1
                    totals[seat.bot, "partner's winner ruffed"] += is_ruff
                totals[seat.bot, "high cards lost"] += card % 13 >= 10 and (winner - at) % 2 == 1
                top = hand.seats[best].cards[number]
                best = at if step and card > top and card // 13 in (3, top // 13) else best
                held[at].remove(card)
    assert totals["ruffer", "could"] == totals["ruffer", "partner's winner ruffed"] > 0
    could = {bot: totals.pop((bot, "could")) for bot in ("greedy", "ruffer")}
    assert shown(on_play, "waste", "what") == {
        key: pytest.approx(n / (2 * len(hands))) for key, n in totals.items()
    }
    assert could["greedy"] >= totals["greedy", "partner's winner ruffed"]


def test_spades_led_and_drawn(on_play: Sequence[Section], hands: list[Hand]) -> None:
    totals: Counter[tuple[str, str]] = Counter()
    for hand in hands:
        for number, (leader, _) in enumerate(leads(hand)):
            seat = hand.seats[leader]
            others = [other.cards[number] >= 39 for other in seat.opponents]
            is_spade = seat.cards[number] >= 39
            totals[seat.bot, "spades led"] += is_spade
            totals[seat.bot, "spades drawn from others"] += is_spade * sum(others)
    assert shown(on_play, "spades", "what") == {
        key: pytest.approx(n / (2 * len(hands))) for key, n in totals.items()
    }


@pytest.fixture(scope="module")
def on_games(run: RecordedRun) -> Sequence[Section]:
    return sections_of(games, run)


def games_of(hands: Sequence[Hand]) -> list[tuple[list[Hand], list[int]]]:
    """The hands of each game, and the final scores."""
    found = []
    for _, group in groupby(hands, key=lambda hand: hand.game):
        played = list(group)
        found.append((played, [played[-1].scores[side] + played[-1].points(side) for side in (0, 1)]))
    return found


def test_length_and_comebacks(on_games: Sequence[Section], hands: list[Hand]) -> None:
    played = games_of(hands)
    lengths = Counter(len(game) for game, _ in played)
    (label,) = set(picture(on_games, "length").data["bot"])
    assert label == "greedy against ruffer"
    found = {hands: share for (_, hands), share in shown(on_games, "length", "hands").items()}
    assert found == {length: pytest.approx(n / len(played)) for length, n in lengths.items()}
    truth: dict[Hashable, list[bool]] = {}
    for game, final in played:
        for side in (0, 1):
            behind = max(hand.scores[1 - side] - hand.scores[side] for hand in game)
            for far in range(50, 401, 50):
                if behind >= far:
                    truth.setdefault((game[0].seats[side].bot, far), []).append(final[side] > final[1 - side])
    assert shown(on_games, "comebacks", "far") == {
        key: pytest.approx(fmean(won)) for key, won in truth.items()
    }


def test_win_chance_by_score_and_bags(on_games: Sequence[Section], hands: list[Hand]) -> None:
    told = [
        (hand.seats[side].bot, hand.scores[side], hand.scores[side] - hand.scores[1 - side], hand.bags[side],
         final[side] > final[1 - side])
        for game, final in games_of(hands) for hand in game for side in (0, 1)
    ]  # fmt: skip
    assert tabled(on_games[0], "ahead") == mean_by(
        ((bot, ahead // 50 * 50), won) for bot, _, ahead, _, won in told
    )
    expected = {
        key: fmean(won for bot, score, ahead, _, won in told if (bot, score // 100, ahead // 100) == key)
        for key in {(bot, score // 100, ahead // 100) for bot, score, ahead, _, _ in told}
    }
    by_bags = mean_by(
        ((bot, bags), 100 * (won - expected[bot, score // 100, ahead // 100]))
        for bot, score, ahead, bags, won in told
    )
    assert tabled(on_games[1], "bags") == by_bags


def test_columns_of_games_are_what_units_say(run: RecordedRun) -> None:
    rows = run.seats(["unit", "room", "role", "is_last", "result", "opening_place", "place", "hand"])
    last = rows[rows["is_last"]]
    assert len(last) == 4 * 8
    units = run.units().set_index("unit")
    for row in last.to_dict("records"):
        of_a = units[f"result_{row['room']}"][row["unit"]]
        assert row["result"] == (of_a if row["role"] < 2 else 2 - of_a)
    first = rows[rows["hand"] == 1]
    assert (first["opening_place"] == first["place"]).all()
    by_seat = rows.groupby(["unit", "room", "role"])["opening_place"].nunique()
    assert (by_seat == 1).all()


def test_gains_on_boards(tmp_path: Path) -> None:
    run = recorded(tmp_path, "greedy", "ruffer", "rows", boards=40)
    values = 100 * run.units()["value"].to_numpy()
    found = shown(sections_of(games, run), "boards-win-chance", "gain")
    for bot, sign in (("greedy", 1), ("ruffer", -1)):
        assert found[bot, "any"] == pytest.approx(np.mean(sign * values > 0))
        for least in (1, 2, 5, 10, 20):
            assert found[bot, str(least)] == pytest.approx(np.mean(sign * values >= least))


def test_games_given_up_are_not_counted_as_lost(tmp_path: Path) -> None:
    run = recorded(tmp_path, "greedy", "ruffer", "rows", games=4, hand_cap=2)
    assert [section.title for section in sections_of(games, run)] == ["No game was finished"]


@pytest.mark.parametrize(
    ("rules", "a", "b"),
    [("pata", "bold", "bold"), ("cutthroat3", "greedy", "ruffer"), ("cutthroat3", "greedy", "greedy")],
)
def test_draws_under_a_limit_of_hands(rules: str, a: str, b: str, tmp_path: Path) -> None:
    """A draw is of those level at the top, who have half a win each; nobody else has anything of it."""
    run = recorded(tmp_path, a, b, "rows", games=60, rules=f"{rules}:max_hands=1")
    rows = run.seats(["unit", "room", "seat", "role", "bot", "score", "points", "result"])
    rows = rows.assign(bot=[Path(bot).stem for bot in rows["bot"]], final=rows["score"] + rows["points"])
    sides = rows[rows["seat"] < run.rules.n_sides]
    n_draws = lost_at_a_draw = 0
    for _, game in sides.groupby(["unit", "room"]):
        best = game["final"] == game["final"].max()
        expected = np.where(best, 1 if best.sum() > 1 else 2, 0)
        assert game["result"].tolist() == expected.tolist()
        n_draws += best.sum() > 1
        is_of_both = game.loc[best, "role"].floordiv(2).nunique() == 2
        lost_at_a_draw += (is_of_both or a != b) and best.sum() > 1 and not best.all()
    assert n_draws
    assert lost_at_a_draw or run.rules.n_sides == 2
    got = mean_by(zip(sides["bot"], sides["result"] / 2, strict=True))
    assert tabled(sections_of(games, run)[0], "ahead") == {(bot, 0): won for bot, won in got.items()}
    seats = rows.groupby("seat")["result"].mean() * 50
    found = list(shown(sections_of(fairness, run), "games-by-seat", "what").values())[: run.rules.n_sides]
    assert found == pytest.approx([seats[seat] - rows["result"].mean() * 50 for seat in range(len(found))])


def test_games_that_end_by_a_limit_of_hands_are_finished(tmp_path: Path) -> None:
    """Games that `max_hands` ends are finished, and have its length."""
    run = recorded(tmp_path, "greedy", "ruffer", "rows", games=4, rules="pata:max_hands=2")
    lengths = shown(sections_of(games, run), "length", "hands")
    assert lengths == {("greedy against ruffer", 2): 1}
    result = run.result()
    assert result.win_rate_a is not None
    rows = run.seats(["role", "is_last", "result"])
    of_a = rows[rows["is_last"] & (rows["role"] == 0)]
    assert len(of_a) == 4
    assert of_a["result"].mean() / 2 == pytest.approx(result.win_rate_a.mean)


def test_like_scores_are_estimated_too() -> None:
    """Leaving out a block changes what is won with any number of bags, too: told by hand, block by block."""
    source = np.random.default_rng(3)
    keys = [(block, ahead, bags) for block in range(12) for ahead in (0, 1) for bags in (0, 1, 2)]
    frame = pd.DataFrame(keys, columns=["block", "ahead // 100", "bags"])
    frame = frame.assign(subject=0, rows=source.integers(1, 30, len(keys)), got=source.random(len(keys)))
    frame["score // 100"] = 0

    def gains(rows: pd.DataFrame) -> list[float]:
        found = []
        for n_bags in (0, 1, 2):
            own = rows[rows["bags"] == n_bags]
            level = [
                np.average(like["got"], weights=like["rows"])
                for like in (rows[rows["ahead // 100"] == ahead] for ahead in own["ahead // 100"])
            ]
            found.append(100 * np.average(own["got"] - level, weights=own["rows"]))
        return found

    found = games._by_bags(frame)
    assert found["mean"].tolist() == pytest.approx(gains(frame))
    without = np.array([gains(frame[frame["block"] != block]) for block in range(12)])
    half = 2.20098516 * np.sqrt(11 / 12 * ((without - without.mean(axis=0)) ** 2).sum(axis=0))  # t, 11
    assert (found["high"] - found["mean"]).to_numpy() == pytest.approx(half)


def test_a_table_at_which_north_plays_otherwise_is_not_fair(tmp_path: Path) -> None:
    """North plays its highest cards, all others their lowest."""
    run = recorded(tmp_path, "north", "north", "rows", boards=200)
    sections = sections_of(fairness, run)
    assert sections[0].title.startswith("north against north: seats are not alike: North wins")
    seats = run.seats(["seat", "tricks", "points", "place"])
    found = shown(sections, "tricks-by-seat", "what")
    names = ("North", "East", "South", "West")
    for seat, name in enumerate(names):
        ours = seats[seats["seat"] == seat]
        assert found["north against north", name] == pytest.approx(ours["tricks"].mean() - 3.25)
    points = shown(sections, "points-by-seat", "what")
    gap = seats[seats["seat"] % 2 == 0]["points"].mean() - seats["points"].mean()
    assert points["north against north", "North and South"] == pytest.approx(gap)
    first = seats[seats["place"] == 0]["tricks"].mean() - 3.25
    assert found["north against north", "first bidder"] == pytest.approx(first)


PAGES = (bags, play, games, fairness)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    return recorded(tmp_path_factory.mktemp("pair"), "greedy", "ruffer", games=2)


@pytest.mark.parametrize("page", PAGES)
def test_one_pair_has_no_intervals(page: Any, pair: RecordedRun) -> None:
    for section in sections_of(page, pair):
        assert "nan" not in f"{section.title} {section.text}".lower()
        for table in section.tables:
            assert "nan" not in str(as_table(table)).lower()  # type: ignore[arg-type]
        for each in section.pictures[:1]:
            draw(each, with_files=False)


@pytest.mark.parametrize("page", PAGES)
def test_fifty_bots_make_a_page(page: Any, run: RecordedRun) -> None:
    sections = sections_of(page, *[spadesim.load(run.store.folder) for _ in range(25)])
    assert max(each.data["bot"].nunique() for section in sections for each in section.pictures) <= 6
    frames = [table.frame for section in sections for table in section.tables]  # type: ignore[union-attr]
    assert max(frame["bot"].nunique() for frame in frames) >= 25
