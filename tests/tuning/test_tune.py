"""Tuning finds what is there, says what it is worth, and goes on after a break as if there had been none."""

import json
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spadesim import strategies
from spadesim.errors import UserError
from spadesim.match.duel import duel
from spadesim.match.matches import Matches
from spadesim.strategy import load_side, load_strategy
from spadesim.strategy.called import short_name
from spadesim.tuning import search
from spadesim.tuning.costs import costs
from spadesim.tuning.dimensions import Dimension
from spadesim.tuning.study import StudyFolder
from spadesim.tuning.trials import Trial
from spadesim.tuning.tune import resume_tune, tune
from spadesim.tuning.tune_result import Names, TuneResult, verdict_of
from spadesim.tuning.tuned import tuned_text
from tests.tuning.bots import write_known

pytestmark = pytest.mark.compiled_only

SMALL = "10k-boards"
PARAMS = {"tpe": ("risk", "step", "mode"), "cmaes": ("risk", "step"), "qmc": ("risk", "mode"),
          "spsa": ("risk", "step")}  # fmt: skip


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_known(tmp_path_factory.mktemp("bots"))


def plain(result: TuneResult) -> dict[str, Any]:
    """A result without what may differ between two runs of the same tuning."""
    values = result.to_dict()
    for name in ("seconds", "study", "written", "hands"):
        del values[name]
    return values


@pytest.fixture(scope="module")
def whole(bot: str) -> dict[str, TuneResult]:
    """One tuning by each sampler, not broken off."""
    return {name: tune(bot, *params, budget=SMALL, sampler=name, confirm=100, seed=4)
            for name, params in PARAMS.items()}  # fmt: skip


@pytest.mark.parametrize("sampler", PARAMS)
def test_it_finds_what_is_there(sampler: str, whole: dict[str, TuneResult]) -> None:
    found = whole[sampler]
    values = {one.name: one.found for one in found.parameters}
    assert float(values["risk"]) == pytest.approx(0.3, abs=0.4 if sampler == "spsa" else 0.25)
    assert values.get("mode", "right") == "right"
    assert abs(int(values.get("step", "7")) - 7) <= (3 if sampler == "spsa" else 2)
    assert found.is_gain
    assert found.validation is not None
    assert found.validation.gain.low > 0.01
    assert found.confirmation is not None
    assert found.confirmation.won.low > 0.5
    assert " gains " in found.verdict
    assert "It also wins " in found.verdict
    assert found.boards <= 10_000


class Broken(BaseException):
    """A process that ends at once."""


def broken_at(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, call: int, is_before: bool) -> None:
    """Have a call of a method end the process, before or after it has done its work."""
    real, calls = getattr(owner, name), iter(range(10_000))

    def broken(*args: Any, **kwargs: Any) -> Any:
        is_now = next(calls) == call
        if is_now and is_before:
            raise Broken
        found = real(*args, **kwargs)
        if is_now:
            raise Broken
        return found

    monkeypatch.setattr(owner, name, broken)


def breaks(sampler: str) -> Iterator[tuple[Any, str, int, bool]]:
    """Moments at which a study may be broken off: after how many calls of what, before it or after it."""
    if sampler == "spsa":
        yield StudyFolder, "log", 7, True
        yield StudyFolder, "log", 12, False
        return
    import optuna

    yield optuna.study.Study, "ask", 0, False
    yield optuna.study.Study, "ask", 5, False  # settings asked for, and never told
    yield optuna.study.Study, "tell", 4, False  # told, and not yet counted
    yield StudyFolder, "mark", 3, True


@pytest.mark.parametrize("sampler", PARAMS)
def test_it_goes_on_trial_for_trial(
    sampler: str, bot: str, whole: dict[str, TuneResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "study"
    options: dict[str, Any] = {"budget": SMALL, "sampler": sampler, "confirm": 100, "seed": 4}
    for number, (owner, name, call, is_before) in enumerate(breaks(sampler)):
        with monkeypatch.context() as patch:
            broken_at(patch, owner, name, call, is_before)
            go_on: Callable[[], TuneResult] = partial(resume_tune, folder)
            if number == 0:
                go_on = partial(tune, bot, *PARAMS[sampler], study=folder, **options)
            with pytest.raises(Broken):
                go_on()
        if sampler == "spsa":
            with (folder / "steps.jsonl").open("ab") as file:
                file.write(b'{"number": 99, "poi')  # a line that a crash cut in two
    found = resume_tune(folder)
    assert found.history == whole[sampler].history
    assert plain(found) == plain(whole[sampler])
    monkeypatch.setattr(Matches, "play_one", lambda *_: 1 / 0)  # a finished one has nothing left to play
    kept = (folder / "result.json").read_bytes()
    again = resume_tune(folder)
    assert (folder / "result.json").read_bytes() == kept  # with the hands and the time that it took
    assert again.history == whole[sampler].history
    assert plain(again) == plain(found)


def test_ctrl_c_says_what_is_known(bot: str, whole: dict[str, TuneResult], tmp_path: Path) -> None:
    def stop(done: int, total: int, hands: int) -> None:
        if done > total / 3:
            raise KeyboardInterrupt

    folder = tmp_path / "study"
    found = tune(
        bot, *PARAMS["tpe"], budget=SMALL, confirm=100, seed=4, study=folder, progress=stop, workers=1
    )
    assert found.partial
    assert found.validation is None
    assert 0 < found.trials < whole["tpe"].trials
    assert found.verdict.startswith(f"Stopped after {found.trials} trials, nothing validated: ")
    assert not (folder / "tuned.toml").exists()
    assert resume_tune(folder, workers=2, chunk=7).history == whole["tpe"].history


def test_the_validation_is_a_duel_on_boards_that_the_search_had_not(whole: dict[str, TuneResult]) -> None:
    for sampler, found in whole.items():
        checked = found.validation
        assert checked is not None
        assert found.found is not None
        last = max(sum(trial.boards for trial in found.history), 1) if sampler == "spsa" else 400 + 1000
        assert checked.first >= last
        again = duel(found.found, found.strategy, boards=checked.boards, first=checked.first, seed=4)
        assert again.command == checked.command
        assert again.fingerprint == checked.fingerprint
        assert again.win_chance_per_board is not None
        assert again.win_chance_per_board.mean == pytest.approx(checked.gain.mean, abs=1e-12)
        assert again.win_chance_per_board.low == pytest.approx(checked.gain.low, rel=1e-6)


def test_against_somebody_else(bot: str) -> None:
    found = tune(bot, "risk", "step", vs="lowest_card", budget=SMALL, confirm=0)
    assert found.vs == "lowest_card"
    assert found.is_gain
    assert found.found is not None
    assert found.validation is not None
    ours, usual = (
        duel(side, "lowest_card", boards=found.validation.boards, first=found.validation.first)
        for side in (found.found, bot)
    )
    assert ours.win_chance_per_board is not None
    assert usual.win_chance_per_board is not None
    gain = ours.win_chance_per_board.mean - usual.win_chance_per_board.mean
    assert found.validation.gain.mean == pytest.approx(gain, abs=1e-12)
    assert found.boards <= 10_000
    assert " against lowest_card (" in found.verdict


def test_where_nothing_is_to_be_found_it_says_so(bot: str, tmp_path: Path) -> None:
    found = tune(bot, "idle", budget=SMALL, write=tmp_path / "idle.toml")
    assert found.validation is not None
    assert found.validation.gain.mean == 0
    assert not found.is_gain
    assert found.found is None
    assert found.nearest is not None
    assert found.nearest.startswith(f"{bot}:idle=")
    assert found.confirmation is None
    assert found.verdict.startswith(
        f"No gain found in {found.trials} trials: nothing was ahead of known as it is."
    )
    assert " at most, if any." in found.verdict
    assert found.written is None
    assert not (tmp_path / "idle.toml").exists()
    assert found.trials <= 10 + search.MOST_REPEATS


def test_known_losers_are_not_nominated_and_all_boards_are_used(bot: str, tmp_path: Path) -> None:
    best = f"{bot}:mode=right,risk=0.3,step=7"
    found = tune(best, "mode", budget=SMALL, study=tmp_path / "study")
    assert found.found is None
    (mode,) = found.parameters
    assert (mode.given, mode.found, mode.edge) == ("right", "right", "")
    assert found.promised is not None
    assert found.promised < 0
    assert found.verdict.startswith("No gain found in ")
    assert f": nothing was ahead of {short_name(best)} as it is. The best of them, known:" in found.verdict
    assert found.verdict.endswith(": a loss.")
    assert found.ended == "all"
    assert found.validation is not None
    assert found.validation.boards > 8000
    assert found.boards == 10_000
    assert plain(resume_tune(tmp_path / "study")) == plain(found)


def test_sides_are_named_as_they_were_asked_for(
    bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file, study = tmp_path / "before.toml", tmp_path / "study"
    file.write_text("risk = 0.8\nstep = 2\n", encoding="utf-8")
    asked = f"{bot}:before.toml"
    found = tune(asked, "mode", budget=SMALL, confirm=20, study=study)
    assert (found.strategy, found.vs, found.found) == (asked, asked, f"{asked},mode=right")
    assert found.verdict.startswith("known:before.toml,mode=right gains ")
    assert shlex.split(found.command)[2] == asked
    assert found.validation is not None
    assert shlex.split(found.validation.command)[2:4] == [f"{asked},mode=right", asked]
    made = tomllib.loads((study / "tuned.toml").read_text(encoding="utf-8"))["made"]
    written_out = f"{bot}:risk=0.8,step=2"
    assert made["beside"] == made["against"] == shlex.split(made["command"])[2] == written_out
    assert shlex.split(made["check"])[2:4] == [f"{bot}:mode=right,risk=0.8,step=2", written_out]
    assert plain(resume_tune(study)) == plain(found)
    file.write_text("risk = 0.7\n", encoding="utf-8")  # the study knows what it was
    again = resume_tune(study)
    assert again.strategy == written_out
    assert again.history == found.history


def test_a_tuned_set_is_read_by_a_duel_and_says_how_it_was_found(
    bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, given = tmp_path / "study", f"{bot}:step=2"
    found = tune(given, "risk", "mode", budget=SMALL, confirm=100, study=study)
    file = study / "tuned.toml"
    assert found.written == str(file)
    text = file.read_text(encoding="utf-8")
    assert text.startswith(f"# {found.verdict}\n\n[parameters]\n")
    assert str(load_strategy(f"{bot}:{file}")) == found.found
    assert "step = 2\n" in text
    for part in ("[made]", 'strategy = "known"', f'digest = "{load_strategy(bot).digest}"', "fingerprint = "):
        assert part in text
    assert json.loads((study / "result.json").read_text())["found"] == found.found
    other = write_known(tmp_path, "other")
    with pytest.raises(UserError, match=r"'tuned.toml' was tuned for known, not for other"):
        load_strategy(f"{other}:{file}")
    for wrong, message in (
        (text.replace("[parameters]", "[parametres]"), r"has no table \[parameters\]"),
        (text.replace("risk =", "rsk ="), "There is no parameter 'rsk'. Did you mean 'risk'?"),
        (text.replace("step = 2", "step = 12"), "Parameter 'step' must be a whole number from 0 to 10"),
    ):
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(UserError, match=message):
            load_strategy(f"{bot}:{file}")
    monkeypatch.chdir(study)
    with pytest.raises(UserError, match=r"no parameter file .* Did you mean 'tuned.toml'\?"):
        load_strategy(f"{bot}:tunde.toml")


def test_two_bots_make_no_set(bot: str) -> None:
    side = f"{bot}+lowest_card"
    found = tune(side, "lower.risk", "step", budget=SMALL, confirm=0)
    assert found.found is not None
    assert found.found.endswith("+lowest_card")
    with pytest.raises(UserError, match="A tuned set is of one bot"):
        tune(side, "lower.risk", budget=SMALL, write="x.toml")


def test_a_table_of_the_trials(whole: dict[str, TuneResult]) -> None:
    frame = whole["tpe"].to_frame()
    assert list(frame.columns) == ["trial", "gain", "boards", "given_up", "risk", "step", "mode"]
    assert len(frame) == whole["tpe"].trials
    assert frame["given_up"].sum() == whole["tpe"].given_up > 0
    assert "result" in whole["spsa"].to_frame().columns
    assert all(one.costs is not None and one.costs > 0 for one in whole["tpe"].parameters)
    assert whole["spsa"].parameters[0].costs is None


def test_a_parameter_costs_what_the_best_in_its_worst_part_lost() -> None:
    span = Dimension("span", 0, 8, True, (), 3)
    word = Dimension("word", 0, 1, True, ("off", "on"), 1)
    with_cover = {3: 0.0, 4: -0.1, 2: -0.2, 0: -0.3, 7: -2.0, 8: -4.0}
    without = {3: -3.0, 4: -3.1, 2: -3.2, 8: -9.0}
    tried = [(at, "on", value) for at, value in with_cover.items()]
    tried += [(at, "off", value) for at, value in without.items()]
    trials = [
        Trial(n, {"span": str(at), "word": text}, (), value, False, 1)
        for n, (at, text, value) in enumerate(tried)
    ]
    assert costs((span, word), trials) == {"span": 2.0, "word": 3.0}
    assert costs((span, word), trials[:9]) == {}


def test_trials_below_the_picture_are_marked(whole: dict[str, TuneResult]) -> None:
    from spadesim.analysis.tune import _tuning

    found = whole["tpe"]
    (first, *rest) = [one for one in found.history if isinstance(one, Trial)]
    level = tuple(replace(one, value=0.0) for one in rest)
    for worst, n in ((-9.0, 1), (0.0, 0)):
        drawn = _tuning(replace(found, history=(replace(first, value=worst), *level)))
        history = next(axes for axes in drawn.axes if axes.get_legend() is not None)
        legend = history.get_legend()
        assert legend is not None
        assert sum("below what is drawn" in text.get_text() for text in legend.get_texts()) == n
        slices = [axes for axes in drawn.axes if "given" in axes.get_title(loc="left")]
        marks = [sum(line.get_marker() == "v" for line in axes.lines) for axes in slices]
        assert marks == [n] * len(found.parameters)


@pytest.mark.parametrize(
    ("params", "options", "message"),
    [
        ((), {}, "Nothing to tune: name a parameter or more, such as --param risk."),
        (("rsk",), {}, "has no setting 'rsk'. Did you mean 'risk'?"),
        (("risk=0:2",), {}, "Parameter 'risk' must be a number from 0 to 1, not '2'."),
        (("risk=0.5",), {}, "a range is LOW:HIGH, such as risk=0:1."),
        (("risk=1:0",), {}, "the lower end of a range must be below its upper end"),
        (("step=1:2.5",), {}, "Parameter 'step' must be a whole number"),
        (("mode=left:right",), {}, "mode is a choice, one of left, right, none; all of it is tried"),
        (("risk", "risk=0:0.5"), {}, "The parameter 'risk' is given twice."),
        (("risk", "mode"), {"sampler": "cmaes"}, "mode is a choice: leave it out, or use --sampler tpe"),
        (("risk", "mode"), {"sampler": "spsa"}, "spsa moves along numbers"),
        (("risk",), {"sampler": "cmaes"}, "cmaes needs two parameters or more"),
        (("risk",), {"sampler": "tpee"}, "not 'tpee'. Did you mean 'tpe'?"),
        (("risk",), {"budget": "500-boards"}, "500 boards are too few for any claim"),
        (("risk",), {"budget": "0.01s"}, "too few for any claim; give it minutes"),
        (("risk",), {"budget": "2"}, "'2' is no budget: a time, such as 90s"),
        (("risk", "lower.risk"), {}, "'risk' and 'lower.risk' both set the lower bot's risk"),
        (("risk",), {"budget": f"{9**40}G-boards"}, "100G-boards are the most"),
        (("risk",), {"budget": f"{9**40}h"}, "three years are the most"),
        (("risk",), {"confirm": 3}, "confirm: games must be even"),
        (("risk",), {"write": "x.json"}, "A tuned set is a .toml file, not 'x.json'."),
        (("risk",), {"write": "no/x.toml"}, "There is no folder 'no' to write 'x.toml' to."),
    ],
)
def test_what_is_refused(params: tuple[str, ...], options: dict[str, Any], message: str, bot: str) -> None:
    with pytest.raises(UserError) as error:
        tune(bot, *params, **{"budget": SMALL, **options})
    assert message in str(error.value)


def test_a_study_of_something_else_is_refused(
    bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, file = tmp_path / "study", Path(bot)
    own = write_known(tmp_path, "own")
    tune(own, "risk", budget=SMALL, sampler="spsa", confirm=0, study=folder)
    for given, message in (
        ({"rules": "classic"}, "rules: pata then, classic now"),
        ({"seed": 2, "params": ("risk", "step")}, "params: risk=0:1 then, risk=0:1, step=0:10 now; seed: 1"),
        ({"strategy": bot}, f"strategy: {own} then, {bot} now"),
        ({"strategy": "lowest_card"}, f"strategy: {own} then, lowest_card now"),  # which has no risk
        ({"budget": "20k-boards"}, "budget: 10000-boards then, 20000-boards now"),
    ):
        with pytest.raises(UserError) as error:
            resume_tune(folder, given)
        assert message in str(error.value)
    assert resume_tune(folder, {"rules": "pata", "seed": 1}).is_gain
    with monkeypatch.context() as patch:
        patch.setattr("spadesim.tuning.tune_spec.versions", lambda name: "optuna 9")
        with pytest.raises(UserError, match=r"\(libraries: .* then, optuna 9 now\)"):
            resume_tune(folder)
    with pytest.raises(UserError, match=r"There is a study in .* already; --resume"):
        tune(own, "risk", budget=SMALL, study=folder)
    with pytest.raises(UserError, match="is there already and holds no study"):
        tune(own, "risk", budget=SMALL, study=file.parent)
    with pytest.raises(UserError, match="There is no study in"):
        resume_tune(tmp_path / "none")
    edited = file.read_text(encoding="utf-8").replace("best at 7", "best at seven")
    Path(own).write_text(edited, encoding="utf-8")
    with pytest.raises(UserError, match=r"was made for something else \(strategy digest: "):
        resume_tune(folder)


def test_a_damaged_study_is_refused(bot: str, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    tune(bot, "risk", budget=SMALL, sampler="qmc", confirm=0, study=folder)
    journal = folder / "journal.log"
    with StudyFolder(folder).held(), pytest.raises(UserError, match="Another process is at the study"):
        resume_tune(folder)
    journal.write_bytes(journal.read_bytes()[:-1000])
    with pytest.raises(UserError, match=r"is damaged: journal.log is shorter than it was"):
        resume_tune(folder)


def test_the_verdict_on_a_search_that_gave_up_all_it_tried(whole: dict[str, TuneResult]) -> None:
    names = Names(None, "hard", "hard", "3 trials")
    told = "nothing looked better than hard as it is."
    assert verdict_of(names, whole["spsa"].scale, None, None, None) == f"No gain found in 3 trials: {told}"
    names = replace(names, is_partial=True)
    assert verdict_of(names, whole["spsa"].scale, None, None, None) == f"Stopped after 3 trials: {told}"


@pytest.mark.parametrize(("sampler", "library"), [("tpe", "optuna"), ("cmaes", "cmaes")])
def test_a_missing_library_is_named(
    sampler: str, library: str, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UserError, match=rf"needs the library {library}: pip install 'spadesim\[tune\]'"):
        tune(bot, "risk", "step", budget=SMALL, sampler=sampler)


def test_a_time_is_turned_into_boards(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spadesim.tuning.tune.LEAST", 1)  # however slow this machine is
    said: list[str] = []
    found = tune(bot, "risk", budget="0.6s", sampler="spsa", confirm=0, notice=said.append)
    assert found.spec.budget.boards is not None
    assert f"--budget {found.spec.budget.boards}-boards" in found.command
    assert any("validate what is found: a gain of " in line for line in said)


def test_a_text_of_a_set_needs_no_study(bot: str, whole: dict[str, TuneResult]) -> None:
    found, side = whole["tpe"], load_side(bot)
    settings = {one.name: one.found for one in found.parameters}
    assert tuned_text(found, side, side, settings).count("\n") > 15


def test_a_start_outside_of_what_is_searched_is_a_candidate_too(bot: str) -> None:
    found = tune(bot, "step=7:8", budget=SMALL, confirm=0)
    assert found.trials == 2
    assert found.history[0].boards > 0  # step=7, where the search begins; the strategy has 1
    assert found.found == f"{bot}:step=7"
    (step,) = found.parameters
    assert (step.given, step.found, step.edge) == ("1", "7", "low")


def test_single_players_are_tuned_by_points() -> None:
    found = tune("easy", "ace", rules="cutthroat3", budget=SMALL, confirm=12)
    assert found.validation is not None
    assert found.unit == "points a hand"
    assert " points a hand over easy (" in found.verdict


TUNED = [file for file in Path(strategies.__path__[0], "tuned").glob("*.toml") if "before" not in file.name]


@pytest.mark.parametrize("file", sorted(TUNED), ids=lambda file: file.name)
def test_bundled_sets_say_where_they_are_from(file: Path) -> None:
    made = tomllib.loads(file.read_text(encoding="utf-8"))["made"]
    bot = load_strategy(f"{made['strategy']}:{file.name}")
    assert made["gain_low"] > 0
    checked, against = shlex.split(made["check"])[2:4]
    assert np.array_equal(load_strategy(checked).values, bot.values)
    assert against == made["against"]
    gained = duel(str(bot), against, boards=20_000, rules=made["rules"], seed=made["seed"] + 1)
    assert gained.win_chance_per_board is not None
    assert gained.win_chance_per_board.mean > 0
