"""``spadesim sweep``: tables, files, refusals, Ctrl-C."""

import json
from pathlib import Path

import pytest

from tests.cli.run import check_expected, complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]
BOT = '''"""A bot that bids what it is told."""

from spadesim.core.cards import lowest
from spadesim.strategy import Parameter, jit, parameters

PARAMETERS = parameters(Parameter("tricks", 3, low=1, high=6, used_by="bid", meaning="tricks bid"))


@jit
def bid(view, p):
    return int(p[0])


@jit
def play(view, p):
    return lowest(view.legal)
'''


@pytest.fixture
def bidder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A bot in the current folder that never changes."""
    monkeypatch.chdir(tmp_path)
    Path("bidder.py").write_text(BOT, encoding="utf-8")
    return "bidder.py"


def test_a_sweep(capsys: Capture, bidder: str) -> None:
    command = ("sweep", f"{bidder}:tricks=5", "--set", "tricks=2:5:1", "--boards", "400", "--confirm", "40")
    done = run(capsys, *command, "--plot", "curve.svg", "--csv", "arms.csv")
    assert done.code == 0
    check_expected("sweep.txt", done.out)
    assert "</svg>" in Path("curve.svg").read_text(encoding="utf-8")
    rows = Path("arms.csv").read_text().splitlines()
    assert rows[0].startswith("tricks,side,is_baseline,boards,gain,low,high,different")
    assert len(rows) == 5


def test_to_play_it_is_said_of_what_was_found_alone(capsys: Capture, bidder: str) -> None:
    few = ("sweep", f"{bidder}:tricks=5", "--set", "tricks=2:5:1", "--confirm", "0")
    assert "To play it: bidder.py" in run(capsys, *few, "--boards", "400").out
    undecided = run(capsys, *few, "--boards", "4").out
    assert "did best, but fresh boards do not show it" in undecided
    assert "To play it" not in undecided


@pytest.mark.parametrize("rules", ["pata", 'pata", "classic'])
def test_a_question_says_each_verdict_once(capsys: Capture, bidder: str, rules: str) -> None:
    Path("asked.toml").write_text(
        f'title = "Bids"\nquestion = "How many?"\nkind = "sweep"\nstrategy = "{bidder}"\n'
        f'set = ["tricks=2:4:1"]\nrules = ["{rules}"]\nboards = 100\nconfirm = 0\nexpected = ""\n'
    )
    done = run(capsys, "run", "asked.toml")
    verdicts = [
        found["verdict"] for found in json.loads(run(capsys, "run", "asked.toml", "--json").out)["results"]
    ]
    assert len(verdicts) == 1 + rules.count(",")
    assert [done.out.count(verdict) for verdict in verdicts] == [1] * len(verdicts)


def test_several_references_and_holm(capsys: Capture, bidder: str) -> None:
    command = ("sweep", bidder, "--set", "tricks=1:4:1", "--boards", "200", "--confirm", "0")
    done = run(capsys, *command, "--vs", bidder, "--vs", f"{bidder}:tricks=2", "--correction", "holm")
    assert done.code == 0
    check_expected("sweep_holm.txt", done.out)


def test_a_sweep_of_rules(capsys: Capture, bidder: str) -> None:
    command = ("sweep", bidder, "--set", "rules.bag_penalty=0,100", "--vs", f"{bidder}:tricks=2")
    done = run(capsys, *command, "--games", "40")
    assert done.code == 0
    check_expected("sweep_rules.txt", done.out)
    longer = ("--set", "rules.target=200,250", "--vs", bidder, "--games", "4")
    assert "\nbag_penalty  target  against   " in run(capsys, *command, *longer).out


def test_json_and_quiet(capsys: Capture, bidder: str) -> None:
    command = ("sweep", bidder, "--set", "tricks=2,3", "--boards", "100", "--confirm", "0")
    found = json.loads(run(capsys, *command, "--json").out)
    assert [arm["side"] for arm in found["arms"]] == [bidder, f"{bidder}:tricks=2"]
    assert found["arms"][1]["gain"]["low"] < found["arms"][1]["gain"]["mean"]
    done = run(capsys, *command, "--quiet", "--seed", "2")
    assert (done.code, done.err, len(done.out.splitlines())) == (0, "", 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--set", "trick=1,2"), "Did you mean 'tricks'?"),
        (("--set", "tricks=1:7:1"), "must be a whole number from 1 to 6, not '7'."),
        (("--set", "tricks=2", "--games", "10"), "--games does not go with a sweep of settings"),
        (("--set", "rules.target=200", "--boards", "10"), "--boards does not go with a sweep of rules"),
        (("--set", "rules.target=200", "--no-race"), "--no-race does not go with a sweep of rules"),
        (("--set", "tricks=1,2", "--plot", "x.gif"), "A picture is an .svg"),
        ((), "Missing option '--set'"),
    ],
)
def test_what_is_refused(capsys: Capture, bidder: str, words: tuple[str, ...], message: str) -> None:
    assert message in complaint(capsys, "sweep", bidder, *words)


def test_what_a_bot_prints_is_not_in_the_result(capsys: Capture, bidder: str) -> None:
    file = Path(bidder).with_name("chatty.py")
    text = Path(bidder).read_text(encoding="utf-8")
    file.write_text(f"{text}\nprint('loaded')\n", encoding="utf-8")
    done = run(capsys, "sweep", str(file), "--set", "tricks=2", "--boards", "20", "--confirm", "0", "--json")
    assert (done.code, json.loads(done.out)["partial"]) == (0, False)
    assert "loaded" in done.err


def test_ctrl_c_before_anything_was_measured(
    capsys: Capture, bidder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*arguments: object, **more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("spadesim.tuning.field.run_abreast", stopped)
    done = run(capsys, "sweep", bidder, "--set", "tricks=1,2", "--boards", "100")
    assert (done.code, done.out) == (130, "")
    assert "stopped before anything was measured" in done.err
