"""Studies whose files are damaged, or cannot be written."""

import errno
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spadesim.errors import UserError
from spadesim.tuning.study import StudyFolder
from spadesim.tuning.tune import resume_tune, tune
from tests.tuning.bots import write_known

pytestmark = pytest.mark.compiled_only

SMALL: dict[str, Any] = {"budget": "10k-boards", "confirm": 0}
PARAM = "risk=0.1:1"


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_known(tmp_path_factory.mktemp("bots"))


@pytest.fixture(scope="module")
def studies(bot: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Finished studies by their samplers."""
    found = {}
    for sampler in ("qmc", "spsa"):
        found[sampler] = tmp_path_factory.mktemp("studies") / sampler
        tune(bot, PARAM, sampler=sampler, study=found[sampler], **SMALL)
    return found


def _without(name: str) -> Callable[[str], str]:
    return lambda text: json.dumps({key: value for key, value in json.loads(text).items() if key != name})


@pytest.mark.parametrize(
    ("sampler", "file", "damage", "told"),
    [
        ("qmc", "study.json", _without("budget"), "damaged: study.json is not as it was written"),
        ("qmc", "study.json", _without("strategy_digest"), "damaged: study.json has no strategy_digest"),
        ("qmc", "study.json", lambda text: text[:-9], r"study.json' cannot be read"),
        ("qmc", "done.json", _without("journal_bytes"), "damaged: done.json is not as it was written"),
        ("qmc", "journal.log", lambda text: text.replace("{", "#"), "damaged: journal.log is not as"),
        (
            "qmc",
            "journal.log",
            lambda text: text.replace("settings", "sittings"),
            "damaged: journal.log is not",
        ),
        ("qmc", "result.json", _without("found"), "damaged: result.json is not as it was written"),
        ("qmc", "result.json", lambda text: text.replace('"risk"', '"rusk"'), "damaged: result.json is not"),
        ("spsa", "steps.jsonl", lambda text: text.replace("{", "["), "damaged: steps.jsonl is not as"),
        ("spsa", "steps.jsonl", lambda text: text.partition("\n")[2], "damaged: steps.jsonl is not as"),
        (
            "spsa",
            "steps.jsonl",
            lambda text: text.replace('"point": [', '"point": [7, '),
            "damaged: steps.jsonl",
        ),
    ],
)
def test_a_file_that_makes_no_sense_is_named(
    sampler: str, file: str, damage: Callable[[str], str], told: str, studies: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    shutil.copytree(studies[sampler], folder)
    text = (folder / file).read_text(encoding="utf-8")
    (folder / file).write_text(damage(text), encoding="utf-8")
    with pytest.raises(UserError, match=told):
        resume_tune(folder)


def test_a_full_disk_says_how_to_go_on(
    bot: str, studies: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: StudyFolder, step: dict[str, Any]) -> None:
        if step["number"] > 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        log(folder, step)

    log = StudyFolder.log
    with monkeypatch.context() as patch:
        patch.setattr(StudyFolder, "log", full)
        with pytest.raises(
            UserError, match=r"No space left on device. What it has is kept; --resume '.*study'"
        ):
            tune(bot, PARAM, sampler="spsa", study=tmp_path / "study", **SMALL)
    resumed, whole = resume_tune(tmp_path / "study"), resume_tune(studies["spsa"])
    assert (resumed.verdict, resumed.history) == (whole.verdict, whole.history)


def test_of_two_that_begin_at_once_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    StudyFolder(tmp_path).begin({"seed": 1})
    (tmp_path / "study.json").unlink()  # the other one is about to write it
    monkeypatch.setattr(Path, "iterdir", lambda path: iter(()))
    with pytest.raises(UserError, match="Another process has just begun a study in"):
        StudyFolder(tmp_path).begin({"seed": 2})
