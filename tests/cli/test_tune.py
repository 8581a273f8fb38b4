"""``spadesim tune``: tables, files, refusals, Ctrl-C, and going on."""

import json
from pathlib import Path

import pytest

from tests.cli.run import check_expected, complaint, run
from tests.tuning.bots import write_known

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]
SMALL = ("--budget", "10k-boards", "--confirm", "20", "--seed", "4")


@pytest.fixture
def known(bots: tuple[str, str]) -> str:
    """The bot of known best parameters, in the current folder."""
    write_known(Path.cwd())
    return "known.py"


def test_a_tuning_and_its_files(capsys: Capture, known: str) -> None:
    command = ("tune", known, "--param", "risk", "--param", "mode", *SMALL, "--write", "best.toml")
    done = run(capsys, *command, "--plot", "search.svg", "--csv", "trials.csv")
    assert done.code == 0
    check_expected("tune.txt", done.out)
    assert "10,000 boards, of which 3,000 validate what is found: a gain of " in done.err
    assert "the tuned set is in best.toml" in done.err
    assert "</svg>" in Path("search.svg").read_text(encoding="utf-8")
    assert (
        Path("trials.csv").read_text().startswith("trial,gain,boards,given_up,risk,mode\n0,0.0,0,False,0.9,")
    )
    done = run(capsys, "duel", "known.py:best.toml", "known.py", "--boards", "500", "--quiet")
    assert done.out.startswith("known:best.toml is better than known: ")


def test_json_and_spsa(capsys: Capture, known: str) -> None:
    command = ("tune", known, "--param", "risk", *SMALL, "--sampler", "spsa", "--json", "--plot", "s.png")
    found = json.loads(run(capsys, *command).out)
    assert found["trials"] == 40
    assert found["validation"]["boards"] == 3000
    assert found["parameters"][0]["name"] == "risk"
    assert Path("s.png").read_bytes().startswith(b"\x89PNG")


def test_ctrl_c_and_going_on(capsys: Capture, known: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from spadesim.tuning.study import StudyFolder

    command = ("tune", known, "--param", "risk", *SMALL, "--sampler", "qmc")
    whole = run(capsys, *command, "--quiet")

    def interrupted(self: StudyFolder, trials: int) -> None:
        mark(self, trials)
        if trials == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        mark = StudyFolder.mark
        patch.setattr(StudyFolder, "mark", interrupted)
        done = run(capsys, *command, "--study", "my_study")
    assert done.code == 130
    assert done.out.startswith("Stopped after 3 trials, nothing validated: ")
    assert "what was tried is kept; spadesim tune --resume 'my_study' goes on." in done.err
    assert run(capsys, "tune", "--resume", "my_study", "--quiet").out == whole.out
    refused = complaint(capsys, "tune", "--resume", "my_study", "--rules", "classic")
    assert "was made for something else (rules: pata then, classic now)" in refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Missing argument 'STRATEGY'. See spadesim tune --help."),
        (("known.py",), "Nothing to tune: name a parameter or more, such as --param risk."),
        (("known.py", "--param", "rsk"), "has no setting 'rsk'. Did you mean 'risk'?"),
        (("known.py", "--param", "risk", "--budget", "9k-boards"), "9,000 boards are too few for any claim"),
        (("known.py", "--param", "risk", "--plot", "x.gif"), "A picture is an .svg, a .png or a .pdf file"),
        (("--resume", "none"), "There is no study in 'none': it has no study.json."),
        (("--resume", "none", "--study", "other"), "--study begins a study and --resume goes on with one"),
    ],
)
def test_refused(capsys: Capture, known: str, words: tuple[str, ...], message: str) -> None:
    assert message in complaint(capsys, "tune", *words)
