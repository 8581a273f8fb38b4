"""Results out of their JSON: all that was in it is in them, and the pages of each kind are made of it."""

import json
from pathlib import Path
from typing import Any

import pytest

import spadesim
from spadesim.analysis.compose import Wanted, compose
from spadesim.analysis.inputs import read_inputs
from spadesim.analysis.readback import UnreadableError, kind_of, read_back
from spadesim.match.partners import make_partners, play_partners
from tests.reports.test_duel import read

pytestmark = pytest.mark.compiled_only

BOTS = ["easy", "lowest_card", "easy:ace=2"]
PLAYED: dict[str, Any] = {
    "duel": lambda: spadesim.duel("easy", "lowest_card", games=12),
    "duel of boards": lambda: spadesim.duel("easy", "lowest_card", boards=12),
    "duel by a rule": lambda: spadesim.duel("easy", "lowest_card", boards=400, sprt="gain"),
    "duel of three": lambda: spadesim.duel("easy", "lowest_card", games=12, rules="cutthroat3"),
    "tournament": lambda: spadesim.tournament(*BOTS, boards=40, games=4),
    "partners": lambda: play_partners(make_partners(["easy", "lowest_card"], "easy", boards=40)),
    "sweep": lambda: spadesim.sweep("easy", ["ace=0:2:1"], boards=40, confirm=4),
    "sweep of two": lambda: spadesim.sweep(
        "easy", ["ace=0:1:1", "easy_zero=one,nil"], vs=["lowest_card", "easy"], boards=40, confirm=0
    ),
    "sweep of a sample": lambda: spadesim.sweep(
        "easy", ["ace=0:1:1", "third_seat=2:4:1"], sample=3, boards=40, confirm=0
    ),
    "rules_sweep": lambda: spadesim.sweep_rules(
        "easy", ["rules.target=100,200"], vs=["lowest_card"], games=12
    ),
    "tune": lambda: spadesim.tune("easy", "ace", budget="10k-boards", sampler="qmc"),
    "diff": lambda: spadesim.diff("easy", "lowest_card", boards=40, top=3, redeals=30),
    "diff of three": lambda: spadesim.diff("easy", "medium", boards=40, top=2, redeals=0, rules="cutthroat3"),
    "calibrate": lambda: spadesim.calibrate("easy", "blunder", "easy", 0.4, within=0.1),
}


@pytest.fixture(scope="module", params=PLAYED)
def result(request: pytest.FixtureRequest) -> Any:
    return PLAYED[request.param]()


def test_nothing_is_lost(result: Any) -> None:
    values = json.loads(result.to_json())
    kind = kind_of(values)
    assert kind is not None
    assert json.loads(read_back(kind, values).to_json()) == values


def test_a_page_is_made_of_it(result: Any, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.write_text(result.to_json())
    document = compose(read_inputs([file]), Wanted(with_files=False))
    assert document.faults == []
    assert document.answers == [result.verdict]
    reader = read(document.html())
    assert len(set(reader.ids)) == len(reader.ids)
    assert result.command in "".join(reader.text)
    is_drawn = kind_of(json.loads(result.to_json())) != "tune"  # whose trials are in its study only
    assert bool(reader.counts.get("svg")) is is_drawn
    assert not {"nan", "None", "inf"} & set("".join(reader.text).split())


def test_a_study_has_what_its_json_lacks(tmp_path: Path) -> None:
    spadesim.tune("easy", "ace", budget="10k-boards", sampler="qmc", study=tmp_path / "study")
    before = {file.name: file.read_bytes() for file in (tmp_path / "study").iterdir()}
    found = read_inputs([tmp_path / "study"])
    (tuned,) = found.results["tune"]
    assert len(tuned.history) == tuned.trials
    assert max(trial.value for trial in tuned.history if not trial.pruned) >= 0
    document = compose(found, Wanted(("tune",), with_files=False))
    assert document.faults == []
    assert [shown.id for shown in document.chapters[0].parts[0].pictures] == [
        "tune-history",
        "tune-by-ace",
    ]
    assert {file.name: file.read_bytes() for file in (tmp_path / "study").iterdir()} == before


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("games", "many", "'many'"),
        ("hands", "12", "its hands cannot be '12'"),
        ("partial", 1, "its partial cannot be 1"),
        ("win_rate_a", {"mean": 1}, "it has no 'low'"),
        ("hands", -12, "its hands cannot be -12$"),
        ("hands", 10**30, "its hands cannot be 1000000"),
        ("seconds", float("nan"), "its seconds cannot be NaN$"),
        ("seconds", -1.0, "its seconds cannot be -1.0$"),
        ("win_rate_a", {"mean": 0.5, "low": 0.6, "high": 0.7}, "its win_rate_a cannot be {'mean': 0.5, "),
        ("win_rate_a", {"mean": 0.5, "low": "x", "high": 0.7}, r"its win_rate_a\.low cannot be 'x'$"),
        (
            "win_rate_a",
            {"mean": 0.5, "low": float("-inf"), "high": 1},
            r"its win_rate_a\.low cannot be -inf$",
        ),
        ("games", 7, "sides swapped$"),
        ("rules", "bridge", "bridge"),
        ("sides", {"a": {}}, "it has no 'intervals'"),
    ],
)
def test_other_values_are_refused(name: str, value: object, reason: str) -> None:
    values = json.loads(spadesim.duel("easy", "lowest_card", games=2).to_json())
    with pytest.raises(UnreadableError, match=reason):
        read_back("duel", values | {name: value})
