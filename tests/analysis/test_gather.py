"""Counts in one pass over parts: the same as counting rows one by one, and every hand once."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import spadesim
from spadesim.analysis import gather as gathering
from spadesim.analysis.gather import Count, gather
from spadesim.analysis.rates import matched_differences, once_a_side, rates
from spadesim.errors import UserError
from spadesim.match.columns import Rows
from spadesim.match.duel import Keep, play_duel
from spadesim.match.kept import resume_run
from spadesim.match.parts import Header
from spadesim.match.recorded import RecordedRun
from spadesim.match.spec import make_spec
from spadesim.match.store import Store

if TYPE_CHECKING:
    import pandas as pd

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

GAMES = make_spec("easy+medium", "lowest_card", games=40, seed=2)
COUNTS = {
    "bids": Count(by=("bid", "place"), of=("tricks", "points")),
    "sides": Count(by=("role", "hand"), of=("penalties", "new_bags")),
    "nils": Count(by=("nil_made",), of=("bid",), where="nil"),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    folder = tmp_path_factory.mktemp("runs") / "run"
    play_duel(GAMES, keep=Keep(folder, "rows", 3))
    return spadesim.load(folder)


@pytest.fixture(scope="module")
def frames(run: RecordedRun) -> "dict[str, pd.DataFrame]":
    return gather([run], COUNTS)


def test_cells_are_those_of_the_rows_one_by_one(run: RecordedRun, frames: "dict[str, pd.DataFrame]") -> None:
    rows = run.seats(["unit", "bot", "bid", "place", "tricks", "points"])
    rows["subject"] = rows["bot"].cat.codes
    rows["block"] = rows["unit"] * 64 // 20
    keys = ["subject", "block", "bid", "place"]
    expected = rows.groupby(keys).agg(
        rows=("tricks", "size"), tricks=("tricks", "sum"), points=("points", "sum")
    )
    found = frames["bids"].set_index(keys).sort_index()
    assert found.index.tolist() == expected.index.tolist()
    assert found.to_numpy().tolist() == expected.to_numpy().tolist()
    assert frames["bids"]["block"].dtype == np.int8


def test_a_condition_leaves_its_rows_alone(run: RecordedRun, frames: "dict[str, pd.DataFrame]") -> None:
    rows = run.seats(["nil", "nil_made"])
    assert frames["nils"]["rows"].sum() == rows["nil"].sum() > 0
    made = frames["nils"].loc[frames["nils"]["nil_made"] == 1, "rows"].sum()
    assert made == rows["nil_made"].sum() > 0
    everywhere = gather([run], {"nils": Count(by=("nil_made",))}, where="nil")["nils"]
    assert everywhere["rows"].sum() == rows["nil"].sum()


def test_large_and_small_parts_and_tables_give_the_same(
    frames: "dict[str, pd.DataFrame]", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_duel(GAMES, keep=Keep(tmp_path / "run", "rows", 20))
    monkeypatch.setattr(gathering, "MOST_CELLS", 0)
    monkeypatch.setattr(gathering, "MOST_PENDING", 0)
    again = gather([spadesim.load(tmp_path / "run")], COUNTS)
    for name, frame in frames.items():
        assert again[name].equals(frame)


def test_a_resumed_run_counts_each_hand_once(
    run: RecordedRun, frames: "dict[str, pd.DataFrame]", tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run.store.folder, folder)
    first, second, *_ = (file for _, file in sorted(spadesim.load(folder).store.files().items()))
    first.unlink()
    with pytest.raises(UserError, match="Part 0 is missing"):
        gather([spadesim.load(folder)], COUNTS)
    resume_run(folder)
    # The same part twice, as two computers that share a folder might leave it.
    shutil.copy(second, second.with_name("part-000001-0123456789abcdef.parquet"))
    resumed = gather([spadesim.load(folder)], COUNTS)
    for name, frame in frames.items():
        assert resumed[name].equals(frame)


def test_rates_are_per_hand_or_per_game_as_they_are_labelled(
    run: RecordedRun, frames: "dict[str, pd.DataFrame]"
) -> None:
    frame = frames["sides"]
    lowest = frame[(frame["subject"] == 2) & once_a_side(frame)]
    side = {name: count or 0 for name, count in run.result().sides["b"].counts().items()}
    per_hand = rates(lowest, "new_bags").iloc[0]
    assert (per_hand["n"], per_hand["mean"]) == (side["hands"], side["bags"] / side["hands"])
    per_game = rates(lowest, "penalties", per=(lowest["hand"] == 1).astype(int)).iloc[0]
    assert (per_game["n"], per_game["mean"]) == (40, side["bag_penalties"] / 40)


def test_intervals_are_those_of_the_duel(run: RecordedRun, frames: "dict[str, pd.DataFrame]") -> None:
    """Blocks of pairs of games give nearly what the duel's own formulas give over the pairs themselves."""
    frame = frames["sides"]
    bags = rates(frame[(frame["subject"] == 2) & once_a_side(frame)], "new_bags").iloc[0]
    expected = run.result().sides["b"].bags_per_hand
    assert expected is not None
    assert bags["mean"] == pytest.approx(expected.mean)
    assert bags["high"] - bags["low"] == pytest.approx(expected.high - expected.low, rel=0.1)


def test_partners_of_different_bots_count_for_themselves(frames: "dict[str, pd.DataFrame]") -> None:
    frame = frames["sides"]
    assert once_a_side(frame)[frame["subject"] < 2].all()
    assert sorted(frame.loc[~once_a_side(frame), "role"].unique()) == [3]


def test_bots_of_several_runs_are_told_apart(run: RecordedRun, frames: "dict[str, pd.DataFrame]") -> None:
    told: list[tuple[int, int]] = []
    both = gather([run, run], COUNTS, progress=lambda done, all_parts: told.append((done, all_parts)))["bids"]
    assert sorted(both["subject"].unique()) == [0, 1, 2, 3, 4, 5]
    assert both["rows"].sum() == 2 * frames["bids"]["rows"].sum()
    assert told[-1] == (14, 14)


def test_a_run_without_parts_has_empty_frames(run: RecordedRun, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    Store(folder, run.manifest).save(run.manifest.changed(result=None))
    found = gather([spadesim.load(folder)], COUNTS)
    assert {name: list(frame) for name, frame in found.items()}["bids"] == [
        "subject", "block", "bid", "place", "rows", "tricks", "points"
    ]  # fmt: skip
    assert not any(map(len, found.values()))
    assert not len(rates(found["bids"], "points", ["bid"]))


def test_expressions_are_counted_by(run: RecordedRun) -> None:
    count = Count(("tricks - bid", "nil(partner)"), of=("bid(us)",), where="spades >= 4 and bid")
    with pytest.raises(UserError, match="bid is a number"):
        gather([run], {"over": count})
    count = Count(("tricks - bid", "nil(partner)"), of=("bid(us)",), where="spades >= 4 and bid > 0")
    found = gather([run], {"over": count}, where="hand < 3")["over"]
    rows = run.seats(["tricks", "bid", "partner_bid", "spades", "hand"])
    met = rows[(rows["spades"] >= 4) & (rows["bid"] > 0) & (rows["hand"] < 3)]
    over = (met["tricks"].astype(int) - met["bid"]).value_counts().to_dict()
    assert found.groupby("tricks - bid")["rows"].sum().to_dict() == over
    nils = found[found["nil(partner)"] == 1]
    assert nils["rows"].sum() == (met["partner_bid"] == 0).sum()
    assert found["bid(us)"].sum() == met["bid"].sum() + met["partner_bid"].sum()


def test_what_cannot_be_counted_by_is_refused(run: RecordedRun) -> None:
    with pytest.raises(UserError, match="'bot' is no whole number"):
        gather([run], {"bots": Count(by=("bot",))})
    with pytest.raises(UserError, match=r"tricsk"):
        gather([run], {"tricks": Count(by=("tricsk",))})
    with pytest.raises(UserError, match="make it coarser"):
        gather([run], {"much": Count(by=("cards", "score * 1_000_000", "unit"))})


def test_a_damaged_part_is_told(run: RecordedRun, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run.store.folder, folder)
    file = spadesim.load(folder).store.files()[2]
    with file.open("r+b") as stream:
        stream.seek(200)
        stream.write(b"\0\1\2")
    with pytest.raises(UserError, match=r"Part 2 of .* is damaged"):
        gather([spadesim.load(folder)], COUNTS)


def test_like_is_compared_with_like() -> None:
    """Ten points more in every kind of hand, though the kinds with few points are bid nil the most."""
    import pandas as pd

    cells = [(0, nil, kind, block) for nil in (0, 1) for kind in (0, 1) for block in range(64)]
    frame = pd.DataFrame(cells, columns=["subject", "nil", "kind", "block"])
    frame["rows"] = [9 if nil != kind else 1 for _, nil, kind, _ in cells]
    frame["points"] = frame["rows"] * (100 * frame["kind"] + 10 * frame["nil"])
    frame.loc[len(frame)] = [0, 1, 7, 3, 1, 5000]  # a kind that is always bid nil cannot be compared
    is_nil = frame["nil"] == 1
    found = matched_differences(frame, "points", (is_nil, ~is_nil), ["kind"]).iloc[0]
    assert (found["n"], found["mean"]) == (640, pytest.approx(10))
    assert np.isnan([found["low"], found["high"]]).all()  # all blocks tell the same


def test_what_was_counted_is_not_held(run: RecordedRun, monkeypatch: pytest.MonkeyPatch) -> None:
    """The columns of a part take 100 MB, and several parts wait for their turn."""
    seen: list[Rows] = []
    tables = RecordedRun.tables

    def watched(self: RecordedRun) -> Iterator[tuple[Header, Rows]]:
        for header, rows in tables(self):
            seen.append(rows)
            yield header, rows

    monkeypatch.setattr(RecordedRun, "tables", watched)
    gather([run], COUNTS)
    assert len(seen) > 1
    assert not any(rows.found for rows in seen)
