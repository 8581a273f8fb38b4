"""What a notebook shows: results and runs at a glance, pictures as HTML, figures and frames."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spadesim
from spadesim.analysis.document import Document
from spadesim.analysis.glance import MOST_ROWS
from spadesim.analysis.numbers import percent
from spadesim.errors import UserError
from spadesim.match import DuelResult
from spadesim.match.recorded import RecordedRun, load
from tests.analysis.test_compose import EVIL
from tests.reports.test_duel import Reader, read

pytestmark = pytest.mark.compiled_only

BOARDS = 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("runs") / "one"
    spadesim.duel("easy", "lowest_card", boards=BOARDS, out=place)
    return place


@pytest.fixture(scope="module")
def run(folder: Path) -> RecordedRun:
    return load(folder)


@pytest.fixture(scope="module")
def report(run: RecordedRun) -> Document:
    return spadesim.report(run, pages="bids", with_files=False)


def shown(thing: Any) -> Reader:
    """What a notebook would show, read as a browser does."""
    return read(thing._repr_html_())


RESULTS: dict[str, Callable[[], Any]] = {
    "duel": lambda: spadesim.duel("easy", "lowest_card", games=4),
    "tournament": lambda: spadesim.tournament("easy", "lowest_card", boards=BOARDS),
    "sweep": lambda: spadesim.sweep("easy", ["ace=0:2:1"], boards=BOARDS, confirm=0),
    "rules": lambda: spadesim.sweep_rules("easy", ["rules.bag_penalty=0,100"], vs=["lowest_card"], games=12),
    "tune": lambda: spadesim.tune("easy", "ace", budget="10k-boards", sampler="qmc"),
    "calibrate": lambda: spadesim.calibrate("easy", "blunder", "easy", 0.4, within=0.1),
    "diff": lambda: spadesim.diff("easy", "lowest_card", boards=BOARDS, redeals=0),
    "hands": lambda: spadesim.hands(by="spades(n)", tries=100),
}
SAY = {
    "duel": "contracts set",
    "tournament": "lowest_card",
    "sweep": "gain",
    "rules": "bag_penalty",
    "tune": "ace",
    "calibrate": "blunder",
    "diff": "win chance a board",
    "hands": "0.",
}


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_says_its_sentence_its_numbers_and_its_command(kind: str) -> None:
    result = RESULTS[kind]()
    reader = shown(result)
    text = "".join(reader.text)
    assert result.verdict in text
    assert result.command in text
    assert SAY[kind] in text.replace(result.verdict, "").replace(result.command, "")
    assert 1 <= reader.counts["table"] <= 2
    assert reader.counts["tr"] <= 2 * (1 + MOST_ROWS)
    assert "nan" not in text


def test_the_numbers_are_those_of_the_terminal() -> None:
    result = spadesim.duel("easy", "lowest_card", games=40)
    cell = percent(result.win_rate_a)
    assert f"<td>{cell.value}<small>{cell.note}</small></td>" in str(result._repr_html_())


def test_a_run_says_what_it_is_of(run: RecordedRun) -> None:
    text = "".join(shown(run).text)
    assert run.result().verdict in text
    assert f"{BOARDS} boards of {BOARDS}" in text
    assert ", ".join(run.columns) in text


def test_a_run_whose_parts_are_missing_is_shown_all_the_same(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes((folder / "run.json").read_bytes())
    assert "missing from" in "".join(shown(load(tmp_path)).text)


def test_long_tables_are_cut_and_it_is_said() -> None:
    found = spadesim.hands(by="hcp(ns)", tries=400)
    left = len(found.to_frame()) - MOST_ROWS
    assert left > 1
    reader = shown(found)
    assert reader.counts["tr"] == 1 + MOST_ROWS
    assert f"{left} rows more; to_frame() has all." in "".join(reader.text)


@pytest.mark.parametrize("evil", EVIL)
def test_nor_out_of_a_picture(report: Document, evil: str) -> None:
    drawn = report.pictures["bids/by-place"]
    named = replace(drawn.picture, name=evil, title=evil, caption=evil, alt=evil)
    reader = read(replace(drawn, picture=named)._repr_html_())
    assert {"script", "img", "iframe"}.isdisjoint(reader.counts)
    assert reader.counts["svg"] == reader.counts["figcaption"] == 1
    assert "\x1b" not in "".join(reader.text)


@pytest.mark.parametrize("evil", EVIL)
def test_nothing_gets_out_of_its_place(evil: str) -> None:
    result: DuelResult = RESULTS["duel"]()
    sides = {key: replace(side, name=evil) for key, side in result.sides.items()}
    reader = shown(replace(result, verdict=evil, command=evil, sides=sides))
    assert {"script", "img", "iframe"}.isdisjoint(reader.counts)
    assert reader.counts["table"] == 2
    assert "\x1b" not in "".join(reader.text)


def test_pictures_have_frames_and_figures(report: Document) -> None:
    assert "bids/by-place" in report.pictures
    picture = report.pictures["bids/by-place"]
    assert {"bot", "place", "n", "mean", "low", "high"} <= set(picture.data.columns)
    figure = picture.figure()
    (axes,) = figure.axes
    assert axes.get_ylabel() == "tricks won minus bid"
    drawn = sorted(round(float(y), 9) for line in axes.get_lines() for y in np.ravel(line.get_ydata()))
    assert {round(y, 9) for y in picture.data["mean"]} <= set(drawn)
    axes.set_xlabel("x" * 20)  # it is the reader's own
    assert picture.figure().axes[0].get_xlabel() != "x" * 20
    content = io.BytesIO()
    figure.savefig(content, format="png")
    assert content.getvalue().startswith(b"\x89PNG")


def test_a_picture_shows_itself_in_colours_of_its_own(report: Document) -> None:
    picture = report.pictures["bids/by-place"]
    html = picture._repr_html_()
    assert read(html).counts["svg"] == 1
    used = {name for name in html.split("var(")[1:]}
    assert all(f"{name.split(')')[0]}:#" in html for name in used)
    assert picture.picture.caption in "".join(read(html).text)


def test_a_picture_that_is_not_there_is_told(report: Document) -> None:
    with pytest.raises(UserError, match=r"no picture 'bids/by-plac'\. Did you mean 'bids/by-place'\?"):
        report.pictures["bids/by-plac"]


def test_reprs_are_short(report: Document, run: RecordedRun) -> None:
    assert repr(report) == "<report 'easy against lowest_card': bids>"
    assert len(repr(report.pictures)) < 100 * len(report.pictures)
