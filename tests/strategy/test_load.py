"""Loading: what a loaded strategy knows of itself, where files are found, and that files never mix."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from spadesim.core.batch import BOARDS, new_task, run_chunk
from spadesim.core.rules import Rules
from spadesim.core.view import new_view
from spadesim.errors import UserError
from spadesim.strategy import discover, lineup, load_side, load_strategy
from spadesim.strategy import find as finding
from tests.strategy.conftest import HEAD, Write

TUNABLE = """
PARAMETERS = parameters(
    Parameter("level", 3, low=0, high=13), Parameter("mood", "calm", choices=("calm", "wild"))
)
P = PARAMETERS.index
"""
BID_LEVEL = "@jit\ndef bid(view, p):\n    return int(p[P.LEVEL])\n"


def bid_of(text: str) -> int:
    strategy = load_strategy(text)
    return int(strategy.bid(new_view(), strategy.values))


def test_a_bundled_strategy_by_name_and_by_path() -> None:
    easy = load_strategy("easy")
    assert easy.name == "easy"
    assert easy.file.name == "easy.py"
    assert easy.has_memory is False
    assert len(easy.digest) == 12
    assert str(easy) == "easy"
    assert easy.values.tolist() == easy.parameters.defaults.tolist()
    again = load_strategy(str(easy.file))
    assert again.bid is easy.bid
    assert again.digest == easy.digest


def test_every_bundled_strategy_has_a_full_dossier() -> None:
    listed = [listing for listing in discover() if listing.package == "spadesim"]
    assert {"easy", "lowest_card", "random_legal"} <= {listing.name for listing in listed}
    for listing in listed:
        assert not listing.name.startswith("_")
        dossier = load_strategy(listing.name).dossier
        assert dossier.summary == listing.summary != ""
        assert all(dossier.sections.values()), listing.name


def test_values_come_from_a_file_and_from_the_spec(write: Write, tmp_path: Path) -> None:
    file = write(body=TUNABLE, bid=BID_LEVEL)
    (tmp_path / "a.toml").write_text("level = 5\n")
    (tmp_path / "tuned").mkdir()
    (tmp_path / "tuned" / "b.toml").write_text('made_by = "hand"\n[parameters]\nlevel = 6\nmood = "wild"\n')
    assert bid_of(f"{file}") == 3
    assert bid_of(f"{file}:level=4") == 4
    assert bid_of(f"{file}:{tmp_path}/a.toml") == 5
    assert bid_of(f"{file}:{tmp_path}/a.toml,level=7") == 7
    assert str(load_strategy(f"{file}:b.toml")) == f"{file}:level=6,mood=wild"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{bot}:levl=4", "bot: There is no parameter 'levl'. Did you mean 'level'?"),
        ("{bot}:level=14", "bot: Parameter 'level' must be a whole number from 0 to 13, not '14'."),
        ("{bot}:none.toml", "There is no parameter file 'none.toml'"),
        ("{bot}:{folder}/bad.toml", "is not valid TOML"),
        ("{bot}:{folder}/wrong.toml", "Parameter 'level' must be a whole number from 0 to 13, not 'high'."),
        ("{bot}:{folder}/odd.toml", "parameters must be a table"),
        ("{folder}/bott.py", "There is no strategy file '{folder}/bott.py'. Did you mean 'bot.py'?"),
        ("{folder}/no/bot.py", "There is no strategy file"),
        ("{folder}/folder.py", "is a folder; a strategy is one .py file"),
        ("eazy", "There is no strategy 'eazy'. Did you mean 'easy'? Strategies: bis_bids, cats_bids, easy,"),
        ("_template", "There is no strategy '_template'."),
        ("easy+easy:ace=2", "one bot is needed"),
    ],
)
def test_what_cannot_be_loaded(text: str, message: str, write: Write, tmp_path: Path) -> None:
    words = {"bot": str(write(body=TUNABLE, bid=BID_LEVEL)), "folder": str(tmp_path)}
    (tmp_path / "bad.toml").write_text("level = = 5\n")
    (tmp_path / "wrong.toml").write_text('level = "high"\n')
    (tmp_path / "odd.toml").write_text("parameters = 3\n")
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(UserError) as refusal:
        load_strategy(text.format(**words))
    assert message.format(**words) in str(refusal.value)


def test_a_file_here_is_suggested_for_a_name(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("mine.py")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=r"Did you mean the file './mine.py'"):
        load_strategy("mine")


def test_files_of_one_name_and_helpers_of_one_name_never_mix(write: Write) -> None:
    for number, letter in ((1, "a"), (2, "b")):
        bid = "@jit\ndef bid(view, p):\n    return shared.answer() + OFFSET\n"
        file = write(f"{letter}/bot.py", "import shared\nfrom pack.deep import OFFSET\n", bid)
        (file.parent / "shared.py").write_text(
            f"from spadesim.strategy import jit\n@jit\ndef answer():\n    return {number}\n"
        )
        (file.parent / "pack").mkdir()
        (file.parent / "pack" / "__init__.py").write_text("")
        (file.parent / "pack" / "deep.py").write_text("from shared import answer\nOFFSET = 10 * answer()\n")
    folder = file.parent.parent
    assert bid_of(f"{folder}/a/bot.py") == 11
    assert bid_of(f"{folder}/b/bot.py") == 22
    assert bid_of(f"{folder}/a/bot.py") == 11
    assert not {"shared", "pack", "pack.deep", "bot"} & set(sys.modules)


def test_a_helper_does_not_hide_what_goes_by_its_name_elsewhere(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "shared.py").write_text("NUMBER = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path / "elsewhere"))
    import shared  # type: ignore[import-not-found]

    file = write("a/bot.py", "from shared import NUMBER\n", "@jit\ndef bid(view, p):\n    return NUMBER\n")
    (file.parent / "shared.py").write_text("NUMBER = 2\n")
    assert bid_of(str(file)) == 2
    assert sys.modules["shared"] is shared
    del sys.modules["shared"]


def test_an_edited_file_or_helper_is_loaded_again(write: Write) -> None:
    bid = "@jit\ndef bid(view, p):\n    return helper.ANSWER\n"
    file = write(body="import helper\n", bid=bid)
    helper = file.with_name("helper.py")
    helper.write_text("ANSWER = 1\n")
    before = load_strategy(str(file))
    assert bid_of(str(file)) == 1
    helper.write_text("ANSWER = 2\n")
    assert bid_of(str(file)) == 2
    file.write_text(file.read_text().replace("helper.ANSWER", "helper.ANSWER + 5"))
    assert bid_of(str(file)) == 7
    assert load_strategy(str(file)).digest != before.digest


def test_plain_python_functions_are_compiled(write: Write) -> None:
    file = write(
        bid="def bid(view, p):\n    return 4\n", play="def play(view, p):\n    return lowest(view.legal)\n"
    )
    assert bid_of(str(file)) == 4


def test_a_strategy_without_docstring_and_parameters(write: Write) -> None:
    strategy = load_strategy(str(write()))
    assert strategy.dossier.summary == ""
    assert strategy.values.shape == (0,)
    assert strategy.has_memory is True


def test_an_installed_package_offers_a_strategy(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("spades_bots/__init__.py", head="", bid="", play="")
    write("spades_bots/sharp.py", '"""Sharp."""\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    offered = [
        EntryPoint("sharp", "spades_bots.sharp", "spadesim.strategies"),
        EntryPoint("gone", "spades_bots.gone", "spadesim.strategies"),
    ]
    monkeypatch.setattr(finding, "entry_points", lambda group: offered)
    assert bid_of("sharp") == 3
    assert "sharp" in [listing.name for listing in discover()]
    with pytest.raises(UserError, match=r"'spades_bots.gone' is not there"):
        load_strategy("gone")
    offered.append(EntryPoint("sharp", "other.sharp", "spadesim.strategies"))
    with pytest.raises(UserError, match=r"Two installed packages offer a strategy 'sharp'"):
        load_strategy("sharp")


def test_a_lineup_gives_each_bot_its_place_and_its_own_numbers(write: Write) -> None:
    file = write(body=TUNABLE, bid=BID_LEVEL)
    side = load_side(f"{file}:level=2+easy:ace=2")
    other = load_side("lowest_card")
    assert side.name == "bot+easy"
    assert str(side) == f"{file}:level=2+easy:ace=2"
    assert other.name == "lowest_card"
    bots = lineup(side, other)
    assert bots.bids == (side.lower.bid, side.higher.bid, other.lower.bid, other.lower.bid)
    assert bots.params.dtype == np.float64
    assert bots.params.shape == (2, 4, len(side.higher.parameters))
    assert bots.params[0, :, 0].tolist() == [2, 2, 0, 0]
    tally, fault = run_chunk(bots, Rules(), new_task(BOARDS, 1, 0, 4))
    assert fault["code"] == 0
    assert tally[0]["players"][0, 1] == 2 * 8  # a bid of 2 in each of 8 hands


def test_too_many_parameters_are_refused(write: Write) -> None:
    body = "PARAMETERS = parameters(*(Parameter(f'x{i}', 0, low=0, high=1) for i in range(129)))\n"
    with pytest.raises(UserError, match="129 parameters; at most 128"):
        load_strategy(str(write(body=body)))


RELOAD = """
import sys
import numpy as np
from spadesim.core.view import new_view
from spadesim.strategy import load_strategy
strategy = load_strategy(sys.argv[1])
print(strategy.bid(new_view(), strategy.values))
stats = strategy.bid.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), stats.cache_path)
"""


@pytest.mark.compiled_only
def test_machine_code_is_kept_also_for_plain_numba_and_helpers(write: Write, tmp_path: Path) -> None:
    bid = "@numba.njit(cache=True)\ndef bid(view, p):\n    return shared.answer(view) + N.A\n"
    body = "import numba\nimport shared\nfrom collections import namedtuple\nN = namedtuple('N', 'A')(0)\n"
    file = write("bot.py", body, bid)
    file.with_name("shared.py").write_text(f"{HEAD}@jit\ndef answer(view):\n    return 3\n")
    outputs = [
        subprocess.run(
            [sys.executable, "-c", RELOAD, str(file)],
            capture_output=True, text=True, check=True, env={"SPADESIM_CACHE_DIR": str(tmp_path / "cache")},
        ).stdout.split()
        for _ in range(2)
    ]  # fmt: skip
    assert outputs[0][:3] == ["3", "0", "1"]
    assert outputs[1][:3] == ["3", "1", "0"]
    assert outputs[0][3].startswith(str(tmp_path / "cache" / "bot-"))
    assert not [cache for cache in tmp_path.rglob("__pycache__") if cache.parent == tmp_path]
    assert not list(tmp_path.glob("*.nb?"))


@pytest.mark.compiled_only
def test_compiling_is_announced_once(write: Write) -> None:
    announced: list[str] = []
    file = write(bid="@jit\ndef bid(view, p):\n    return 12\n")
    load_side(str(file), announced.append)
    load_side(str(file), announced.append)
    assert announced == ["bot"]
