"""``spadesim selftest`` and ``spadesim bench``."""

import json

import pytest

from spadesim import bench
from spadesim.selftest import checks
from tests.cli.run import complaint, run

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]


def test_selftest_in_words_and_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(capsys, "selftest")
    n = len(checks.CHECKS)
    assert done.code == 0
    assert done.out.splitlines()[-1] == f"All {n} checks passed."
    assert [line.split()[0] for line in done.out.splitlines()[:-1]] == ["ok"] * n
    # Once is enough for what takes long.
    monkeypatch.setattr(checks, "CHECKS", {name: str for name in checks.CHECKS})
    assert run(capsys, "selftest", "--quiet").out == f"All {n} checks passed.\n"
    outcomes = json.loads(run(capsys, "selftest", "--json").out)
    assert [outcome["name"] for outcome in outcomes] == list(checks.CHECKS)
    assert all(outcome["passed"] for outcome in outcomes)


def test_selftest_that_fails(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "SPLITMIX_ANSWERS", (1,))
    monkeypatch.setattr(checks, "CHECKS", {"random numbers": checks.random_numbers, "another": str})
    done = run(capsys, "selftest")
    assert done.code == 1
    assert done.out.startswith("FAILED  random numbers: splitmix64 gives")
    assert "1 of" in done.out.splitlines()[-1]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in (("ROUNDS", 2), ("N_BOARDS", 60), ("N_DECISIONS", 200), ("N_CALLS", 100)):
        monkeypatch.setattr(bench, name, number)
    monkeypatch.setattr(bench, "has_openspiel", lambda: False)


@pytest.mark.usefixtures("quick")
def test_bench(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "bench", "lowest_card", "easy", "--decisions")
    assert done.code == 0
    for text in (
        "hands/s, one core",
        "ns a bid",
        "lowest_card",
        "easy",
        "one thread",
        "Calling a bot costs",
    ):
        assert text in done.out
    found = json.loads(run(capsys, "bench", "easy", "--decisions", "--json").out)
    assert [speed["strategy"] for speed in found["strategies"]] == ["easy"]
    assert found["strategies"][0]["low"] <= found["strategies"][0]["hands_per_second"]
    assert found["decisions"][0]["play"] > 0
    assert [entry["other"] for entry in found["versus"]] == ["one thread"]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("rules", "absent"), [("draw300", "yardstick"), ("pata:blind_nil=always,target=100", "pata_easy")]
)
def test_bench_of_all_bots_takes_those_that_can_play(
    capsys: pytest.CaptureFixture[str], rules: str, absent: str
) -> None:
    done = run(capsys, "bench", "--rules", rules, "--json")
    assert done.code == 0, done.err
    names = {entry["strategy"] for entry in json.loads(done.out)["strategies"]}
    assert {"easy", "medium", "hard"} <= names
    assert absent not in names


def test_bench_of_a_bot_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert complaint(capsys, "bench", "eazy").startswith("There is no strategy 'eazy'. Did you mean 'easy'?")


# Stands for the compiler, which takes half a minute: it keeps something in the cache and is quick afterwards.
COMPILER = """
import json, os, pathlib, sys
kept = pathlib.Path(os.environ["SPADESIM_CACHE_DIR"], "kept")
print(json.dumps(dict.fromkeys(["engine", *sys.argv[1:]], 1 if kept.exists() else 9)))
kept.touch()
"""


def test_compile_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "COMPILING", COMPILER)
    engine, bot = bench.compile_times(["easy"])
    assert (engine.what, bot.what) == ("engine", "easy")
    assert (engine.cold, engine.warm) == (bot.cold, bot.warm) == (9, 1)


def test_what_compiling_takes_is_timed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["-c", "easy"])
    exec(bench.COMPILING, {})
    times = json.loads(capsys.readouterr().out)
    assert list(times) == ["engine", "easy"]
    assert min(times.values()) > 0
