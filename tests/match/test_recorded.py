"""A recorded run read back as tables: what the tallies say, in any portion."""

import io
import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import spadesim
from spadesim.errors import UserError
from spadesim.match.duel import Keep, play_duel
from spadesim.match.parts import part_name
from spadesim.match.recorded import RecordedRun
from spadesim.match.spec import make_spec

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    folder = tmp_path_factory.mktemp("runs") / "run"
    spec = make_spec("easy+medium", "lowest_card", games=60, seed=2)
    play_duel(spec, keep=Keep(folder, "cards", 7))
    return spadesim.load(folder)


def test_rows_add_up_to_the_result(run: RecordedRun) -> None:
    rows, result = run.seats(), run.result()
    assert len(rows) == 4 * result.hands
    ours = rows[rows["side"] == "a"]
    assert ours["nil"].sum() == result.sides["a"].counts()["nil_attempts"]
    assert ours["nil_made"].sum() == result.sides["a"].counts()["nil_made"]
    assert (rows["tricks"] == np.bitwise_count(rows["won"])).all()
    assert (rows[["clubs", "diamonds", "hearts", "spades"]].sum(axis=1) == 13).all()
    assert (rows["partner_bid"].sum()) == rows["bid"].sum()
    assert set(rows["place"]) == {0, 1, 2, 3}
    assert ((rows["dealer"] + 1) % 4 == rows["first_bidder"]).all()
    others = rows.loc[rows["seat"] == 1, "score"].to_numpy()
    assert (rows.loc[rows["seat"] == 0, "opponents_score"].to_numpy() == others).all()


def test_a_bot_alone_and_sums_part_by_part(run: RecordedRun) -> None:
    assert list(run.bots.values()) == ["easy", "medium", "lowest_card", "lowest_card"]
    rows = run.seats(["bid", "tricks", "bot"], bot="a.higher")
    assert set(rows["bot"]) == {"medium"}
    summed = run.sums(["bid"], ["tricks"], bot="a.higher").set_index("bid")
    expected = rows.groupby("bid")["tricks"].agg(["size", "sum"])
    assert summed["rows"].to_dict() == expected["size"].to_dict()
    assert summed["tricks"].to_dict() == expected["sum"].to_dict()


def test_rows_that_meet_a_condition(run: RecordedRun) -> None:
    rows = run.seats()
    met = rows[(rows["spades"] >= 4) & (rows["partner_bid"] > 2) & (rows["bot"] == "medium")]
    found = run.seats(where="spades >= 4 and bid(partner) > 2 and bot == 'medium'")
    assert found.equals(met.reset_index(drop=True))
    assert len(found)
    of_one = run.seats(["tricks"], bot="a.higher", where="spades >= 4 and bid(partner) > 2")
    assert of_one["tricks"].tolist() == met["tricks"].tolist()
    summed = run.sums(["bid"], ["tricks"], bot="a.higher", where="spades >= 4 and bid(partner) > 2")
    assert summed["rows"].sum() == len(met)
    assert summed["tricks"].sum() == met["tricks"].sum()
    assert len(run.sums(["bid"], where="spades == 13 and bid == 0")) == 0
    with pytest.raises(UserError, match="There is no 'spade'"):
        run.seats(where="spade > 3")


def test_what_another_version_did_not_record_is_not_asked_for(run: RecordedRun, tmp_path: Path) -> None:
    folder = tmp_path / "older"
    shutil.copytree(run.store.folder, folder)
    for number, file in spadesim.load(folder).store.files().items():
        table = pq.read_table(file).drop_columns(["score"])
        text = io.BytesIO()
        with pq.ParquetWriter(text, table.schema.remove_metadata(), store_schema=False) as writer:
            writer.write_table(table)
            writer.add_key_value_metadata(table.schema.metadata)
        file.unlink()
        (folder / part_name(number, text.getvalue())).write_bytes(text.getvalue())
    older = spadesim.load(folder)
    assert "score" not in older.columns
    assert older.seats(["bid"], where="nil").equals(run.seats(["bid"], where="nil"))
    with pytest.raises(UserError, match="no column 'score'"):
        older.seats(["score"])
    with pytest.raises(UserError, match="The rows do not tell 'score'") as found:
        older.seats(["bid"], where="nil and score > 300")
    assert found.value.excerpt.splitlines()[1].index("^") == len("    nil and ")
    with pytest.raises(UserError, match="it was recorded without 'score'"):
        older.seats(["opponents_score"])


def test_units_average_to_the_win_rate(run: RecordedRun) -> None:
    units, rate = run.units(), run.result().win_rate_a
    assert rate is not None
    assert units["unit"].tolist() == list(range(30))
    assert units["value"].mean() == pytest.approx(rate.mean - 0.5)
    with pytest.raises(UserError, match="is a run of games"):
        run.boards()


def test_cards_in_the_order_played(run: RecordedRun) -> None:
    rows = run.seats(["cards", "plays"])
    for cards, plays in rows.head(100).itertuples(index=False):
        assert sum(1 << int(card) for card in plays) == cards


def test_what_is_not_there_is_refused(run: RecordedRun) -> None:
    with pytest.raises(UserError, match=r"no column 'tricsk'. Did you mean 'tricks'\?"):
        run.seats(["tricsk"])
    with pytest.raises(UserError, match=r"no bot 'c'; it has a, b, a\.lower"):
        run.seats(["bid"], bot="c")


def test_loading_executes_nothing(run: RecordedRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spadesim.strategy.module.run", None)
    again = spadesim.load(run.store.folder)
    assert again.result().fingerprint == run.result().fingerprint
    assert "easy+medium and lowest_card" in repr(again)
