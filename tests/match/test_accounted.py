"""Every file of a run's folder and every field of its run.json is accounted for, each by its own name."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spadesim.errors import UserError
from spadesim.match.bots_of_run import check_unchanged
from spadesim.match.duel import Keep, play_duel
from spadesim.match.kept import overviews, result_of, resume_run
from spadesim.match.manifest import FILE
from spadesim.match.proof import Proof, prove
from spadesim.match.spec import make_spec
from spadesim.match.stop import Stop
from spadesim.match.store import find

pytestmark = pytest.mark.slow

STOP = Stop("sprt", "-8,8")
PART = 150


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that its rule ended at 500 boards, one to lend it parts that went on to 1000, and a plain one."""
    folder = tmp_path_factory.mktemp("runs")
    asked: dict[str, Any] = {"boards": 1000, "seed": 3}
    decided = make_spec("easy", "lowest_card", stop=STOP, **asked)
    play_duel(decided, keep=Keep(folder / "decided", "rows", PART))
    plain = make_spec("easy", "lowest_card", **asked)
    play_duel(plain, keep=Keep(folder / "lender", "rows", PART, STOP.to_dict()))
    play_duel(plain, keep=Keep(folder / "whole", "rows", PART))
    return folder


@pytest.fixture
def decided(made: Path, tmp_path: Path) -> Path:
    return copied(made / "decided", tmp_path / "decided")


@pytest.fixture
def whole(made: Path, tmp_path: Path) -> Path:
    return copied(made / "whole", tmp_path / "whole")


def copied(source: Path, folder: Path) -> Path:
    folder.mkdir()
    for file in source.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def part(folder: Path, number: int) -> Path:
    return find(folder).files()[number]


def lend(source: Path, number: int, folder: Path) -> str:
    file = part(source, number)
    (folder / file.name).write_bytes(file.read_bytes())
    return file.name


def edit(folder: Path, **values: Any) -> None:
    file = folder / FILE
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


def told(folder: Path) -> tuple[Proof, dict[str, str]]:
    proof = prove(find(folder))
    return proof, {file.name: why for file, why in proof.faults}


def row(folder: Path) -> dict[str, Any]:
    (found,) = overviews(folder)
    return found


def test_a_decided_run_is_sound_and_nothing_else_is(decided: Path, made: Path) -> None:
    lender = made / "lender"
    assert find(decided).manifest.id == find(lender).manifest.id
    assert prove(find(lender)).result_fault == "the run was decided after 500 units, not after 1,000"
    proof, faults = told(decided)
    assert (proof.is_sound, proof.is_complete, proof.expected, proof.units) == (True, True, 4, 500)
    assert row(decided)["state"] == "decided"
    beyond, longer = lend(lender, 5, decided), lend(lender, 3, decided)
    proof, faults = told(decided)
    assert faults == {
        beyond: "it lies beyond the board or game at which the run was decided",
        longer: "it holds other units than it should",
    }
    assert proof.result_fault == ""
    assert proof.parts == 4
    with pytest.raises(UserError, match=r"Part 5 of .* is damaged \(it lies beyond"):
        result_of(find(decided))
    assert row(decided)["state"].startswith(f"decided, but {longer}: ")
    (decided / longer).unlink()
    part(decided, 0).unlink()
    resume_run(decided)
    assert told(decided)[0].is_sound
    assert [file.name for file in (decided / "damaged").iterdir()] == [beyond]


def test_a_decision_that_its_rule_did_not_take_is_the_fault_of_run_json(decided: Path) -> None:
    result = json.loads((decided / FILE).read_text())["result"]
    edit(decided, result=result | {"units": 300})
    proof, faults = told(decided)
    assert not faults
    assert proof.result_fault == "the run was decided after 500 units, not after 300"
    assert proof.verdict.startswith("Damaged: run.json (the run was decided after")
    assert not proof.is_sound
    edit(decided, result=result | {"fingerprint": "0" * 16})
    assert told(decided)[0].result_fault == "the parts have another fingerprint than it tells"
    edit(decided, result=None)
    assert resume_run(decided).result.boards == 500
    assert told(decided)[0].verdict.startswith("Sound: 4 parts, 500 units")


def test_a_gap_in_a_decided_run_is_no_damage(decided: Path) -> None:
    part(decided, 3).unlink()
    proof, _ = told(decided)
    assert (proof.is_sound, proof.missing, proof.expected) == (True, (3,), 4)
    assert row(decided)["state"] == "to be resumed"


def test_a_part_twice_under_another_number_or_of_another_run(whole: Path, tmp_path: Path) -> None:
    longer = resume_run(copied(whole, tmp_path / "longer"), units=1010)
    assert longer.result.boards == 1010
    again = part(whole, 6).name
    lend(tmp_path / "longer", 6, whole)
    edit(whole, units=1010)
    renamed = part(whole, 2).name.replace("part-000002", "part-000005")
    part(whole, 5).unlink()
    (whole / renamed).write_bytes(part(whole, 2).read_bytes())
    other = tmp_path / "other"
    play_duel(make_spec("easy", "lowest_card", boards=300, seed=4), keep=Keep(other, "rows", PART))
    foreign = lend(other, 1, whole)
    (whole / "notes.txt").write_text("mine")
    proof, faults = told(whole)
    assert faults == {
        again: "another file holds this part as well",
        renamed: "it is part 2, not the one that its name tells",
        foreign: "it belongs to another run",
    }
    assert (proof.parts, proof.missing, proof.strays) == (6, (5,), ("notes.txt",))
    assert "The folder holds what is none of the run's: notes.txt." in proof.verdict
    found = row(whole)
    assert (found["sides"], found["played"], found["asked"]) == ("easy - lowest_card", 860, 1010)
    assert len(found["faults"]) == 3
    resume_run(whole)
    assert told(whole)[0].is_sound
    assert row(whole)["state"] == "finished"


def test_a_damaged_part_leaves_the_rest_of_its_row(whole: Path) -> None:
    os.truncate(part(whole, 1), 100)
    found = row(whole)
    assert (found["rules"], found["played"], found["asked"]) == ("pata", 850, 1000)
    assert found["state"].startswith("to be resumed, but part-000001-")


def test_a_run_of_a_version_that_counts_otherwise_is_not_called_damaged(whole: Path) -> None:
    values = json.loads((whole / FILE).read_text()) | {"layout": "0" * 8, "version": "0.0.9"}
    from spadesim.match.manifest import identity

    (whole / FILE).write_text(json.dumps(values | {"run": identity(values)}))
    with pytest.raises(UserError, match=r"recorded by spadesim 0\.0\.9, which counts otherwise"):
        prove(find(whole))
    assert row(whole)["state"] == "counted otherwise, by spadesim 0.0.9"


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("units", 1.5, "its units must be a whole number from 1 to 1000000000000, not 1.5."),
        ("units", True, "its units must be a whole number from 1 to 1000000000000, not true."),
        ("units", 900, "its result.units must be a whole number from 1 to 900, not 1000."),
        ("stopping", {"rule": {"kind": "luck"}}, 'must be sprt or width or equivalent, not "luck".'),
        (
            "stopping",
            {"rule": STOP.to_dict()["rule"]},
            "has been changed: it is no longer the run that it was.",
        ),
        ("result", [], "its result must be an object, not []."),
        (
            "result",
            {"units": "many"},
            'its result.units must be a whole number from 1 to 1000000000000, not "many".',
        ),
        ("lengths", [2000], "its lengths[0] must be a whole number from 1 to 999, not 2000."),
        ("scores", [1, "2"], 'its scores[1] must be a whole number from -1000000000 to 1000000000, not "2".'),
        (
            "rules",
            {"text": "my.toml", "options": {}},
            "its rules.text must be rules that begin with a preset",
        ),
    ],
)
def test_a_field_that_is_wrong_is_named(whole: Path, field: str, value: Any, text: str) -> None:
    edit(whole, **{field: value})
    with pytest.raises(UserError) as error:
        find(whole)
    assert text in str(error.value)


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if place:
        yield place
    if place[-1:] == ("options",):
        return
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield from places(value[key], (*place, key))


def test_no_field_brings_anything_but_a_sentence(whole: Path) -> None:
    text = (whole / FILE).read_text()
    n_refused = 0
    for *path, last in places(json.loads(text)):
        for value in ("gone", None, True, -1, 1.5, 10**30, "\ud800", [None]):
            values = json.loads(text)
            inner = values
            for key in path:
                inner = inner[key]
            if value == "gone":
                del inner[last]
            else:
                inner[last] = value
            (whole / FILE).write_text(json.dumps(values))
            found = row(whole)
            n_refused += found["asked"] is None
            assert found["state"]
            assert "\n" not in found["state"]
            assert len(found["state"]) < 500
    assert n_refused > 400


def test_a_bot_is_looked_for_where_the_run_was_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    advice = "resume in the folder in which the run was begun, or --trust-source plays the copy"
    for spec in ("./mine.py", "./mine.py@0123abc"):
        with pytest.raises(UserError, match=advice):
            check_unchanged({"spec": spec, "name": "mine", "digest": "0" * 12}, tmp_path / "run")


def test_settings_beside_the_spec_are_held_against_it(whole: Path) -> None:
    part(whole, 4).unlink()
    values = json.loads((whole / FILE).read_text())
    for bot in values["a"]["bots"]:
        bot["spec"] = "easy:ace=2"
    edit(whole, a=values["a"])
    with pytest.raises(UserError, match=r"'easy:ace=2' has not the settings that it tells"):
        resume_run(whole)


def test_a_refused_run_stays_as_it_was(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (whole / FILE).read_bytes()
    monkeypatch.setattr("spadesim.match.kept.engine_digest", lambda: "another")
    with pytest.raises(UserError, match="engine"):
        resume_run(whole, units=2000)
    assert (whole / FILE).read_bytes() == before
