"""The pages of bids and nils: every figure has the numbers that the cards tell, counted one by one."""

import re
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import spadesim
from spadesim.analysis.charts import LEAST
from spadesim.analysis.drawn import draw
from spadesim.analysis.frame_table import as_table
from spadesim.analysis.report import Report, Section, subjects_of
from spadesim.match.duel import Keep, play_duel
from spadesim.match.recorded import RecordedRun
from spadesim.match.spec import make_spec
from spadesim.reports import bids, nil
from tests.match.bots import GAMBLER, write_bot
from tests.reports.scripted import Seat, means, picture, play, seats_of, sections_of

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

BOARDS = 30
BOTS = ("ace_nil", "two_nil")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    """One bids nil with the ace of spades, else 4; the other with the two of clubs, else 2."""
    return play(tmp_path_factory.mktemp("nils"), "ace_nil", "two_nil", boards=BOARDS)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    """One always bids nil, beside a partner that always bids 3, against two of these."""
    return play(tmp_path_factory.mktemp("mixed"), "zero+three", "three", boards=BOARDS)


@pytest.fixture(scope="module")
def seats(run: RecordedRun) -> list[Seat]:
    return seats_of(run)


@pytest.fixture(scope="module")
def on_bids(run: RecordedRun) -> Sequence[Section]:
    return sections_of(bids, run)


@pytest.fixture(scope="module")
def on_nils(run: RecordedRun) -> Sequence[Section]:
    return sections_of(nil, run)


def assert_shows(
    sections: Sequence[Section], name: str, column: str, truth: dict[Hashable, tuple[int, float]]
) -> None:
    """A picture shows these values by bot and column: all but those that are rare."""
    data = picture(sections, name).data
    shown = {(row.bot, getattr(row, column)): row.mean for row in data.itertuples()}
    assert set(shown) >= {kind for kind, (n, _) in truth.items() if n >= LEAST}
    for kind, value in shown.items():
        assert value == pytest.approx(truth[kind][1]), kind


def error(seat: Seat) -> float:
    return seat.tricks - seat.bid


def is_outcome(sign: int, seat: Seat) -> bool:
    return bool(np.sign(error(seat)) == sign)


def is_nil(seat: Seat) -> bool:
    return seat.bid == 0


def made(seat: Seat) -> bool:
    return is_nil(seat) and not seat.won


BY: dict[str, Callable[[Seat], Hashable]] = {
    "spades": lambda seat: len(seat.spades),
    "highest-spade": lambda seat: max(seat.spades, default=0),
    "low-cards": lambda seat: seat.low,
    "place": lambda seat: seat.place,
    "partner-bid": lambda seat: seat.partner.bid,
}


@pytest.mark.parametrize(
    ("name", "column", "key"),
    [
        ("by-place", "place", BY["place"]),
        ("by-spades", "spades", BY["spades"]),
        ("by-partner", "partner_bid", BY["partner-bid"]),
    ],
)
def test_tricks_won_minus_bid(
    on_bids: Sequence[Section], seats: list[Seat], name: str, column: str, key: Callable[[Seat], Hashable]
) -> None:
    bidders = [seat for seat in seats if not is_nil(seat)]
    assert_shows(on_bids, name, column, means(bidders, lambda seat: (seat.bot, key(seat)), error))


def test_files_of_tables_have_a_row_an_observation(on_bids: Sequence[Section], seats: list[Seat]) -> None:
    table = next(t for section in on_bids for t in section.tables if t.name == "by-spades")
    tidy: Any = table.tidy  # type: ignore[union-attr]
    assert list(tidy.columns) == ["bot", "spades", "n", "mean", "low", "high"]
    bidders = [seat for seat in seats if not is_nil(seat)]
    truth = means(bidders, lambda seat: (seat.bot, BY["spades"](seat)), error)
    assert {(row.bot, row.spades): (row.n, row.mean) for row in tidy.itertuples()} == {
        key: (n, pytest.approx(mean)) for key, (n, mean) in truth.items()
    }


def test_bids_against_tricks(on_bids: Sequence[Section], seats: list[Seat]) -> None:
    bidders = [seat for seat in seats if not is_nil(seat)]
    assert_shows(
        on_bids, "by-bid", "bid", means(bidders, lambda seat: (seat.bot, seat.bid), lambda seat: seat.tricks)
    )
    assert {(row.bot, row.bid) for row in picture(on_bids, "by-bid").data.itertuples()} == {
        ("ace_nil", 4),
        ("two_nil", 2),
    }


def test_how_often_bids_are_met_and_what_that_brings(on_bids: Sequence[Section], seats: list[Seat]) -> None:
    bidders = [seat for seat in seats if not is_nil(seat)]
    for outcome, sign in (("fewer than bid", -1), ("as bid", 0), ("more than bid", 1)):
        truth = means(bidders, lambda seat: seat.bot, partial(is_outcome, sign))
        data = picture(on_bids, "outcomes").data
        shown = data[data["outcome"] == outcome]
        assert dict(zip(shown["bot"], shown["mean"], strict=True)) == {
            bot: pytest.approx(share) for bot, (_, share) in truth.items()
        }
    off = means(bidders, lambda seat: (seat.bot, max(-4, min(4, error(seat)))), lambda seat: seat.points)
    assert_shows(on_bids, "points", "off", off)


def test_attempts_count_failures(on_nils: Sequence[Section], seats: list[Seat]) -> None:
    """A nil with the ace of spades is never made, and is an attempt all the same."""
    data = picture(on_nils, "overall").data.set_index(["bot", "what"])
    # One of the four hands of a deal has the card, and each bot has all four, in one room or the other.
    for bot in BOTS:
        assert (data.loc[(bot, "bid"), "n"], data.loc[(bot, "bid"), "mean"]) == (4 * BOARDS, 0.25)
        assert data.loc[(bot, "made"), "n"] == BOARDS
    assert data.loc[("ace_nil", "made"), "mean"] == 0
    successes = sum(made(seat) for seat in seats if seat.bot == "two_nil")
    assert data.loc[("two_nil", "made"), "mean"] == pytest.approx(successes / BOARDS)
    assert 0 < successes < BOARDS
    assert on_nils[0].title.startswith("ace_nil bids nil in 25.0 %")


@pytest.mark.parametrize("name", BY)
def test_nils_bid_and_made(on_nils: Sequence[Section], seats: list[Seat], name: str) -> None:
    column, key = name.replace("-", "_"), BY[name]
    choosing = [seat for seat in seats if name != "partner-bid" or seat.place >= 2]
    assert_shows(on_nils, f"bid-by-{name}", column, means(choosing, lambda s: (s.bot, key(s)), is_nil))
    nils = [seat for seat in seats if is_nil(seat)]
    assert_shows(on_nils, f"made-by-{name}", column, means(nils, lambda s: (s.bot, key(s)), made))


def test_nils_with_the_ace_are_bid_with_no_other_highest_spade(on_nils: Sequence[Section]) -> None:
    data = picture(on_nils, "bid-by-highest-spade").data
    ours = data[data["bot"] == "ace_nil"].set_index("highest_spade")["mean"]
    assert ours[14] == 1
    assert not ours.drop(14).any()


def test_who_breaks_nils_and_when(on_nils: Sequence[Section], seats: list[Seat]) -> None:
    failed = [seat for seat in seats if is_nil(seat) and seat.won]
    names = ("bidder", "left-hand opponent", "partner", "right-hand opponent")
    kinds: dict[tuple[str, str], Callable[[Seat], Any]] = {
        ("broken-on", "trick"): lambda seat: seat.won[0],
        ("broken-by", "broken_by"): lambda seat: names[(seat.led_by[0] - seat.seat) % 4],
    }
    for (name, column), value in kinds.items():
        for bot in BOTS:
            told = [value(seat) for seat in failed if seat.bot == bot]
            data = picture(on_nils, name).data
            shown = data[data["bot"] == bot].set_index(column)["mean"]
            assert shown.sum() == pytest.approx(1)
            for each, share in shown.items():
                assert share == pytest.approx(told.count(each) / len(told))


def test_sentences_are_about_whole_numbers(on_bids: Sequence[Section], on_nils: Sequence[Section]) -> None:
    text = " ".join(f"{section.title} {section.text}" for section in [*on_bids, *on_nils])
    assert re.search(r"with (\d+|no) spades", text)
    assert not re.search(r"(with|bid of|partner's|trick) \d+\.\d", text)


def test_what_covering_costs(on_nils: Sequence[Section], seats: list[Seat]) -> None:
    bidders = [seat for seat in seats if not is_nil(seat)]
    truth = means(bidders, lambda seat: (seat.bot, is_nil(seat.partner)), error)
    shown = picture(on_nils, "cover").data.set_index("bot")["mean"]
    for bot in BOTS:
        assert shown[bot] == pytest.approx(truth[bot, True][1] - truth[bot, False][1])


def test_covering_is_told_against_the_same_bids(run: RecordedRun) -> None:
    """A bot bids 1 beside a nil and 5 beside others, as a rule; bid by bid it wins less beside nils."""
    keys = [(block, bid, partner) for block in range(20) for bid in (1, 5) for partner in (0, 3)]
    cover = pd.DataFrame(keys, columns=["block", "bid", "partner_bid"]).assign(subject=0, is_set=0)
    is_beside, is_low = cover["partner_bid"] == 0, cover["bid"] == 1
    cover["rows"] = np.where(is_beside == is_low, 90, 10)
    # Bids of 1 win 2 tricks more than bid, those of 5 just as many; luck differs by block.
    cover["tricks"] = (
        cover["bid"] + 2 * is_low + cover["block"] % 3 - 0.5 * is_beside * (1 + cover["block"] % 2)
    )
    report = Report((run,), subjects_of([run]), {"cover": cover})
    section = nil._cover(report)
    assert "Beside a partner's nil ace_nil wins 0.8 tricks fewer (0.6 to 0.9)" in section.title
    assert section.pictures[0].data["mean"].tolist() == pytest.approx([-0.75, -0.75])


def test_nils_set_count_once_for_the_side_that_sets_them(
    on_nils: Sequence[Section], seats: list[Seat]
) -> None:
    lower = [seat for seat in seats if seat.seat < 2]
    nils = [(seat, other) for seat in lower for other in seat.opponents if is_nil(other)]
    truth: dict[Hashable, list[bool]] = {}
    for seat, other in nils:
        truth.setdefault((seat.bot, seat.bid + seat.partner.bid), []).append(not made(other))
    expected = {key: (len(told), sum(told) / len(told)) for key, told in truth.items()}
    assert_shows(on_nils, "against", "side_bid", expected)
    table = next(section.tables[0] for section in on_nils if "opponents' nils" in section.title)
    faced = as_table(table).rows  # type: ignore[arg-type]
    assert [getattr(row.cells[1], "value", None) for row in faced] == [str(BOARDS), str(BOARDS)]


def test_what_nils_are_worth(on_nils: Sequence[Section], seats: list[Seat]) -> None:
    """Like hands are those with as many spades and as many high cards."""
    data = picture(on_nils, "value").data
    for row in data.itertuples():
        ours = [s for s in seats if s.bot == row.bot and len(s.spades) == row.spades]
        gaps, weights = [], []
        for high in {seat.high for seat in ours}:
            like = [seat for seat in ours if seat.high == high]
            points = [[s.points for s in like if is_nil(s) == kind] for kind in (True, False)]
            if all(points):
                gaps.append(np.mean(points[0]) - np.mean(points[1]))
                weights.append(len(points[0]))
        assert row.n == sum(weights)
        assert row.mean == pytest.approx(np.average(gaps, weights=weights))
    assert len(data) > 2


def test_bags_of_a_failed_nil(mixed: RecordedRun) -> None:
    """Each trick of a failed nil is a bag, also where the partner falls short; and never helps it."""
    sides = [seat for seat in seats_of(mixed) if seat.bot == "zero"]
    table = sections_of(nil, mixed)[0].tables[0]
    came = table.frame.set_index("kind")  # type: ignore[union-attr]
    for kind, has_failed in {"nil set": True, "nil made": False}.items():
        chosen = [seat for seat in sides if bool(seat.won) == has_failed]
        bags = [seat.tricks + max(seat.partner.tricks - 3, 0) for seat in chosen]
        assert came.loc[kind, "n"] == len(chosen)
        assert came.loc[kind, "bags"] == pytest.approx(np.mean(bags))
        assert came.loc[kind, "set"] == pytest.approx(np.mean([seat.partner.tricks < 3 for seat in chosen]))


def test_one_bot_at_both_sides_of_a_table(mixed: RecordedRun) -> None:
    """The partner of the nils faces none, and those who face them count each once."""
    sections = sections_of(nil, mixed)
    against = next(section.tables[0] for section in sections if "opponents' nils" in section.title)
    frame = against.frame  # type: ignore[union-attr]
    assert frame[["bot", "n"]].to_numpy().tolist() == [["three", 2 * BOARDS]]
    assert [section.title for section in sections if "bids no nil" in str(section)]
    cover = next(section for section in sections if any(p.name == "cover" for p in section.pictures))
    ours = [seat for seat in seats_of(mixed) if seat.bot == "three"]
    truth = means(ours, lambda seat: is_nil(seat.partner), error)
    data = picture([cover], "cover").data
    assert data["mean"].item() == pytest.approx(truth[True][1] - truth[False][1])


def test_both_partners_nil(tmp_path: Path) -> None:
    """Each is an attempt of its own that nobody covers; the side's contract is 0, its tricks are bags."""
    run = play(tmp_path, "zero", "three", boards=BOARDS)
    ours = [seat for seat in seats_of(run) if seat.bot == "zero"]
    sections = sections_of(nil, run)
    data = picture(sections, "overall").data.set_index(["bot", "what"])
    assert (data.loc[("zero", "bid"), "n"], data.loc[("zero", "bid"), "mean"]) == (4 * BOARDS, 1)
    assert data.loc[("zero", "made"), "n"] == 4 * BOARDS
    assert data.loc[("zero", "made"), "mean"] == pytest.approx(np.mean([made(seat) for seat in ours]))
    came = sections[0].tables[0].frame.set_index("kind")  # type: ignore[union-attr]
    failed = [seat for seat in ours if seat.won]
    bags = [seat.tricks + seat.partner.tricks for seat in failed]
    assert came.loc["nil set", "bags"] == pytest.approx(np.mean(bags))
    assert "Nobody covered a nil" in [section.title for section in sections]
    faced = next(section.tables[0] for section in sections if "opponents' nils" in section.title)
    assert faced.frame[["bot", "n"]].to_numpy().tolist() == [["three", 4 * BOARDS]]  # type: ignore[union-attr]


def test_partners_that_both_bid_nil_cover_nobody(tmp_path: Path) -> None:
    """Of two partners that bid nil with different cards, each covers the other but where both have theirs."""
    run = play(tmp_path, "ace_nil+two_nil", "three", boards=BOARDS)
    seats = [seat for seat in seats_of(run) if seat.bot in BOTS]
    assert any(is_nil(seat) and is_nil(seat.partner) for seat in seats)
    covering = means([s for s in seats if is_nil(s.partner) and not is_nil(s)], lambda s: s.bot, error)
    cover = next(section for section in sections_of(nil, run) if "Beside a partner's nil" in section.title)
    frame = cover.tables[0].frame.set_index("bot")  # type: ignore[union-attr]
    for bot in BOTS:
        assert (frame.loc[bot, "n"], frame.loc[bot, "mean"]) == (
            covering[bot][0],
            pytest.approx(covering[bot][1]),
        )


def test_a_bot_against_itself_that_always_bids_three(tmp_path: Path) -> None:
    """Four seats win 13 tricks: a quarter of a trick more than bid, in every block, and no nil at all."""
    run = play(tmp_path, "three", "three", boards=BOARDS)
    sections = sections_of(bids, run)
    assert sections[0].title == "three underbids by 0.25 tricks a hand (no interval)"
    data = picture(sections, "by-bid").data
    assert data[["bot", "bid", "n", "mean"]].to_numpy().tolist() == [["three", 3, 8 * BOARDS, 3.25]]
    assert [section.title for section in sections_of(nil, run)] == [
        "Nobody bid nil, though the rules allow it"
    ]


@pytest.mark.parametrize("rules", ["draw500", "cutthroat3"])
def test_players_without_partners(rules: str, tmp_path: Path) -> None:
    """Nobody covers a nil, and there is no partner's bid; the seats have the names of that table."""
    bot = write_bot(tmp_path, "gambler", **GAMBLER)
    play_duel(make_spec(bot, bot, boards=60, rules=rules), keep=Keep(tmp_path / "run"))
    run = spadesim.load(tmp_path / "run")
    names = {drawn.name for page in (bids, nil) for s in sections_of(page, run) for drawn in s.pictures}
    assert {"by-place", "made-by-place", "broken-by", "against", "value"} <= names
    assert not {"by-partner", "made-by-partner-bid", "cover"} & names
    sections = sections_of(nil, run)
    leaders = set(picture(sections, "broken-by").data["broken_by"])
    opponents = {"opponent"} if rules == "draw500" else {"left-hand opponent", "right-hand opponent"}
    assert opponents <= leaders <= opponents | {"bidder"}
    kinds = set(sections[0].tables[0].frame["kind"])  # type: ignore[union-attr]
    assert ("blind nil set" in kinds) == (rules == "draw500")
    nils = run.seats(["opponents_nils", "opponents_nils_set", "nil", "nil_made"])
    faced = 1 if rules == "draw500" else 2  # others to whom a nil is an opponent's
    assert nils["opponents_nils"].sum() == faced * nils["nil"].sum()
    assert nils["opponents_nils_set"].sum() == faced * (nils["nil"] & ~nils["nil_made"]).sum()


@pytest.fixture(scope="module")
def one_board(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    return play(tmp_path_factory.mktemp("one"), "ace_nil", "two_nil", boards=1)


@pytest.mark.parametrize("page", [bids, nil])
def test_one_board_has_no_intervals_and_says_so(page: Any, one_board: RecordedRun) -> None:
    sections = sections_of(page, one_board)
    for section in sections:
        assert "nan" not in f"{section.title} {section.text}".lower()
        for table in section.tables:
            assert "nan" not in str(as_table(table)).lower()  # type: ignore[arg-type]
    draw(sections[1].pictures[0], with_files=False)
    assert "(no interval)" in sections[0].title
    assert not re.search(r"\(.?\d|(?<!not) surely ", " ".join(section.title for section in sections))
    assert "there are no intervals" in str(sections)


@pytest.mark.parametrize("page", [bids, nil])
def test_fifty_bots_make_a_page(page: Any, run: RecordedRun) -> None:
    sections = sections_of(page, *[run] * 25)
    drawn = picture(sections, "by-bid" if page is bids else "overall")
    assert drawn.data["bot"].nunique() == 6
    first = next(section.tables[0] for section in sections if section.tables)
    assert first.frame["bot"].nunique() == 50  # type: ignore[union-attr]
    assert "first 6 of 50 bots" in str(sections)
