import json
from dataclasses import replace
from pathlib import Path

import pytest

from spadesim.errors import UserError
from spadesim.match import DuelResult
from spadesim.questions import check_experiment, kinds, load_experiment, run_experiment

LADDER = """
title = "A short ladder"
question = "Is it one?"
kind = "ladder"
strategies = ["random_legal", "easy", "lowest_card"]
rules = ["pata", "classic"]
games = 20
seed = 4
"""
BUNDLED = Path(__file__).parents[2] / "experiments"


def write(folder: Path, text: str) -> Path:
    file = folder / "question.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_ladder_is_a_duel_for_each_step_and_rules(tmp_path: Path) -> None:
    experiment = load_experiment(write(tmp_path, LADDER))
    duels = [part.spec for part in experiment.parts]
    asked = [(str(duel.rules), duel.a, duel.b, duel.games, duel.seed) for duel in duels]
    assert asked == [
        ("pata", "easy", "random_legal", 20, 4),
        ("pata", "lowest_card", "easy", 20, 4),
        ("classic", "easy", "random_legal", 20, 4),
        ("classic", "lowest_card", "easy", 20, 4),
    ]
    assert (experiment.title, experiment.values["expected"]) == ("A short ladder", "")


@pytest.mark.slow
def test_an_answer_as_a_table_and_a_sentence(tmp_path: Path) -> None:
    experiment = load_experiment(write(tmp_path, LADDER))
    heard: list[tuple[int, int, int]] = []
    seen: list[DuelResult] = []
    result = run_experiment(experiment, progress=lambda *step: heard.append(step), finished=seen.append)
    table = result.to_frame()
    assert list(table["upper"]) == ["easy", "lowest_card"] * 2
    assert list(table["fingerprint"]) == [duel.fingerprint for duel in seen]
    assert set(table["beats"]) <= {"yes", "no", "undecided"}
    assert not result.partial
    assert heard[-1] == (40, 40, sum(duel.hands for duel in seen))
    assert heard == sorted(heard)
    won = int((table["beats"] == "yes").sum())
    assert result.answer.startswith("Yes: each rung" if won == 4 else f"No: {won} of 4 duels")


@pytest.mark.slow
def test_ctrl_c_keeps_the_duels_that_were_played(tmp_path: Path) -> None:
    experiment = load_experiment(write(tmp_path, LADDER))

    def interrupt(_: DuelResult) -> None:
        raise KeyboardInterrupt

    result = run_experiment(experiment, finished=interrupt)
    assert result.partial
    assert len(result.results) == 1
    assert result.answer.startswith("Partial: ")
    assert "3 duels not played" in result.answer


@pytest.mark.slow
def test_ctrl_c_within_a_duel_ends_the_experiment(tmp_path: Path) -> None:
    experiment = load_experiment(write(tmp_path, LADDER))

    def interrupt(done: int, total: int, hands: int) -> None:
        if done == 12:
            raise KeyboardInterrupt

    result = run_experiment(experiment, progress=interrupt, chunk=1)
    assert [duel.partial for duel in result.results] == [False, True]
    assert result.partial


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("games = 20", "game = 20"), "there is no key 'game'. Did you mean 'games'?"),
        (("games = 20", "games = 21"), "games must be even"),
        (("games = 20", 'games = "20k"'), "games must be a whole number, not '20k'"),
        (("games = 20", "games = true"), "games must be a whole number, not True"),
        (("seed = 4", "seed = -4"), "seed must be from 0"),
        (('title = "A short ladder"', ""), "the key 'title' is missing: it must be a text"),
        (('kind = "ladder"', 'kind = "lader"'), "Did you mean 'ladder'?"),
        (('"random_legal", "easy", "lowest_card"', '"easy"'), "two strategies or more"),
        (('"random_legal", "easy", "lowest_card"', '"easy", "easy"'), "must differ"),
        (('"random_legal", "easy", "lowest_card"', '"easy", 3'), "strategies must be a list of texts"),
        (('"random_legal", "easy", "lowest_card"', '"easy", "a~b=2~~"'), "strateg"),
        (('["pata", "classic"]', "[]"), "rules must be a list of texts"),
        (('["pata", "classic"]', '["pata", "pata:target=500"]'), "rules must differ from each other"),
        (("seed = 4", "seconds = 0"), "seconds must be above 0, not 0"),
        (('["pata", "classic"]', '["pata", "clasic"]'), "Did you mean 'classic'?"),
        (("seed = 4", "seed 4"), "is not valid TOML"),
    ],
)
def test_a_file_that_asks_wrongly(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    file = write(tmp_path, LADDER.replace(*change))
    with pytest.raises(UserError) as error:
        load_experiment(file)
    if message != "strateg":
        assert message in str(error.value)
    assert "question.toml" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"There is no file '.*nothing\.toml'"):
        load_experiment(tmp_path / "nothing.toml")
    with pytest.raises(UserError, match="cannot be read"):
        load_experiment(tmp_path)
    (tmp_path / "question.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="is not UTF-8 text"):
        load_experiment(tmp_path / "question.toml")


def test_an_unknown_strategy_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    experiment = load_experiment(write(tmp_path, LADDER.replace('"lowest_card"', '"nobody_knows"')))
    seen: list[DuelResult] = []
    with pytest.raises(UserError, match="nobody_knows"):
        run_experiment(experiment, finished=seen.append)
    assert not seen


@pytest.mark.parametrize("file", sorted(BUNDLED.glob("*.toml")), ids=lambda file: str(file.stem))
def test_bundled_experiments_can_be_asked(file: Path) -> None:
    experiment = load_experiment(file)
    assert experiment.values["expected"].strip()
    assert experiment.values["seconds"] > 0
    assert len({part.spec.command() for part in experiment.parts}) == len(experiment.parts)


DUEL = """
title = "A duel"
question = "Who is better?"
kind = "duel"
a = "easy"
b = "lowest_card"
boards = 40
rules = ["pata", "classic"]
"""
TOURNAMENT = """
title = "Three"
question = "Who is best?"
kind = "tournament"
players = ["easy", "lowest_card", "random_legal"]
boards = 100
"""
SWEEP = """
title = "A sweep"
question = "How many?"
kind = "sweep"
strategy = "medium"
set = ["king=2:4:1"]
boards = 200
confirm = 0
rules = ["pata", "classic"]
"""
RULES_SWEEP = SWEEP.replace('"sweep"', '"rules_sweep"').replace("king=2:4:1", "rules.bag_penalty=0,100")
RULES_SWEEP = RULES_SWEEP.replace("boards = 200\nconfirm = 0", "games = 20")
CALIBRATE = """
title = "Aim"
question = "Where?"
kind = "calibrate"
side = "medium"
param = "blunder"
vs = "medium"
target = 0.4
within = 0.2
"""


def test_a_key_takes_what_the_option_takes(tmp_path: Path) -> None:
    plain = load_experiment(write(tmp_path, CALIBRATE + "games = 60000"))
    text = CALIBRATE.replace("0.4", '"40%"').replace("0.2", '"20%"') + 'games = "60,000"'
    assert load_experiment(write(tmp_path, text)).parts == plain.parts
    for wrong, message in (
        (
            CALIBRATE.replace("0.4", '"much"'),
            r"target must be a number or a percentage, such as 0.65 .*'much'",
        ),
        (CALIBRATE + 'ladder = "3.5"', "ladder must be a whole number, not '3.5'"),
    ):
        with pytest.raises(UserError, match=message):
            load_experiment(write(tmp_path, wrong))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "n", "answer"),
    [
        (SWEEP, 2, "Under pata: No setting"),
        (RULES_SWEEP, 2, "Under pata: "),
        (CALIBRATE, 1, "medium~blunder="),
    ],
)
def test_sweeps_and_strengths_are_those_of_the_commands(
    tmp_path: Path, text: str, n: int, answer: str
) -> None:
    experiment = load_experiment(write(tmp_path, text))
    assert len(experiment.parts) == n
    result = run_experiment(experiment)
    assert result.answer.startswith(answer)
    assert len(result.to_frame()) >= n
    assert json.dumps(result.to_dict(), allow_nan=False)


@pytest.mark.slow
def test_a_duel_is_answered_under_each_of_the_rules_and_kept_as_runs(tmp_path: Path) -> None:
    import spadesim

    result = run_experiment(load_experiment(write(tmp_path, DUEL)), out=tmp_path / "answer")
    verdicts = [found.verdict for found in result.results]
    assert result.answer == f"Under pata: {verdicts[0]} Under classic: {verdicts[1]}"
    for folder, found in zip(("01", "02"), result.results, strict=True):
        kept = spadesim.load(tmp_path / "answer" / folder).result()
        assert kept.fingerprint == found.fingerprint
    told = json.loads((tmp_path / "answer" / "answer.json").read_text())
    assert (told["answer"], told["a"], len(told["results"])) == (result.answer, "easy", 2)
    assert (tmp_path / "answer" / "question.toml").read_text() == DUEL
    assert (tmp_path / "answer" / "answer.csv").read_text().count("pata") > 2
    with pytest.raises(UserError, match="is not empty"):
        run_experiment(load_experiment(write(tmp_path, DUEL)), out=tmp_path / "answer")


@pytest.mark.slow
def test_a_tournament_is_that_of_the_command(tmp_path: Path) -> None:
    import spadesim

    found = run_experiment(load_experiment(write(tmp_path, TOURNAMENT)))
    alone = spadesim.tournament("easy", "lowest_card", "random_legal", boards=100)
    assert found.answer == alone.verdict
    assert found.results[0].to_dict()["players"] == alone.to_dict()["players"]


def test_who_cannot_sit_at_a_table_sits_out_there(tmp_path: Path) -> None:
    asked = TOURNAMENT.replace(
        '"easy", ', '"easy", "yardstick", "easy+lowest_card", "easy:bidder=cats_bids", '
    )
    asked += 'rules = ["pata", "draw300"]\n'
    pata, draw = load_experiment(write(tmp_path, asked + "sit_out = true\n")).parts
    assert draw.sides == ("easy", "easy:bidder=cats_bids", "lowest_card", "random_legal")
    assert len(pata.sides) == 6
    assert all(len(part.sides) == 6 for part in load_experiment(write(tmp_path, asked)).parts)
    check_experiment(load_experiment(write(tmp_path, asked + "sit_out = true\n")))


@pytest.mark.parametrize(
    ("text", "changed", "message"),
    [
        (DUEL + 'c = "hard"', {}, "there is no key 'c'"),
        (DUEL.replace("boards = 40", "players = 40"), {}, "there is no key 'players'"),
        (DUEL + 'sprt = "up"', {}, "'up' is no test"),
        (DUEL + "until_width = true", {}, "until_width must be a number or a text, not True"),
        (TOURNAMENT.replace('"easy", ', "").replace('"lowest_card", ', ""), {}, "two players or more"),
        (TOURNAMENT + 'anchor = "hard"', {}, "anchor must be one of the players"),
        (SWEEP.replace("king=2:4:1", "rules.bag_penalty=0"), {}, "varies the rules"),
        (SWEEP.replace("2:4:1", "0:8:0.001"), {}, "8,001 combinations are more than 2,000.*: sample = 200"),
        (RULES_SWEEP.replace("rules.bag_penalty", "king"), {}, "no option of the rules"),
        (CALIBRATE.replace("0.4", "4"), {}, "target must be between 0 and 1"),
        (LADDER, {"boards": 7}, "a question of kind ladder has no boards to change"),
        (LADDER.replace('kind = "ladder"', "kind = 3"), {}, "kind must be one of ladder, duel"),
        (LADDER.replace('kind = "ladder"', ""), {}, "the key 'kind' is missing"),
    ],
)
def test_each_kind_has_its_own_keys(tmp_path: Path, text: str, changed: dict[str, int], message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_experiment(write(tmp_path, text), **changed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SWEEP.replace("king=", "kign="), "Did you mean 'king'"),
        (SWEEP.replace("king=2:4:1", "king=2:9:1"), "'king' must be a whole number from 0 to 8"),
        (CALIBRATE.replace("blunder", "blundr"), "Did you mean 'blunder'"),
        (
            RULES_SWEEP.replace("medium", "yardstick").replace("bag_penalty=0,100", "blind_nil=off,always"),
            "yardst",
        ),
    ],
)
def test_a_check_finds_settings_that_nobody_has_and_leaves_no_folder(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        check_experiment(load_experiment(write(tmp_path, text)))
    with pytest.raises(UserError, match=message):
        run_experiment(load_experiment(write(tmp_path, text)), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("error", [KeyboardInterrupt, UserError("a bot broke the contract")])
def test_what_ends_before_anything_is_known_leaves_no_folder(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*given: object, **more: object) -> None:
        raise error

    experiment = load_experiment(write(tmp_path, SWEEP))
    monkeypatch.setitem(kinds.KINDS, "sweep", replace(kinds.KINDS["sweep"], play=stopped))
    with pytest.raises((KeyboardInterrupt, UserError)):
        run_experiment(experiment, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_workers_that_are_none_leave_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="workers must be from 1"):
        run_experiment(load_experiment(write(tmp_path, DUEL)), workers=0, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_check_loads_the_strategies(tmp_path: Path) -> None:
    check_experiment(load_experiment(write(tmp_path, DUEL)))
    with pytest.raises(UserError, match="Did you mean 'king'"):
        check_experiment(load_experiment(write(tmp_path, DUEL.replace('"easy"', '"medium:kign=2"'))))
    at_two = DUEL.replace('"easy"', '"yardstick"').replace("pata", "draw300")
    with pytest.raises(UserError, match="yardstick"):
        check_experiment(load_experiment(write(tmp_path, at_two)))
