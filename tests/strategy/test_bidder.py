"""One bot that bids as another one does and plays as itself."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING
from spadesim.errors import UserError
from spadesim.strategy import Strategy, load_side, load_strategy
from spadesim.strategy.ask import answers_to, watch
from spadesim.strategy.lineup import lineup
from spadesim.strategy.parameters import Parameter
from spadesim.strategy.spec import BotSpec
from tests.strategy.conftest import Write

N = 2000 if COMPILED else 80


@pytest.fixture(scope="module")
def mixed() -> Strategy:
    return load_strategy("medium:bidder=pata_hard,danger=2")


def test_it_bids_as_its_bidder_and_plays_as_itself(mixed: Strategy) -> None:
    views = watch(mixed, mixed, Rules(), 4, N).views
    is_bid = views["phase"] == BIDDING
    for part, text in ((is_bid, "pata_hard"), (~is_bid, "medium:danger=2")):
        asked = views[part].copy()
        assert 0 < len(asked) < len(views)
        assert np.array_equal(answers_to(mixed, asked), answers_to(load_strategy(text), asked))
    bids = views[is_bid].copy()
    assert not np.array_equal(answers_to(mixed, bids), answers_to(load_strategy("medium"), bids))


def test_its_text_loads_it_again(mixed: Strategy) -> None:
    again = load_strategy(str(mixed))
    assert str(mixed) == str(again) == "medium:bidder=pata_hard,danger=2"
    assert mixed.name == "medium:bidder=pata_hard"
    assert np.array_equal(mixed.rows, again.rows)
    assert mixed.rows.shape[1] == max(len(load_strategy(name).parameters) for name in ("medium", "pata_hard"))


def test_its_digest_is_that_of_both(mixed: Strategy) -> None:
    digests = {load_strategy(text).digest for text in ("medium", "pata_hard", "medium:bidder=easy")}
    assert mixed.digest not in digests
    assert len(digests) == 3
    assert mixed.own_digest == load_strategy("medium").digest


def test_a_file_bids_and_a_weakness_stays(write: Write) -> None:
    file = write("two.py", bid="@jit\ndef bid(view, p):\n    return 2\n")
    bot = load_strategy(f"easy:bidder={file}~forget=0.1")
    assert bot.name == "easy:bidder=two~forget=0.1"
    assert str(bot) == f"easy:bidder={file}~forget=0.1"
    views = watch(bot, bot, Rules(), 4, 40).views
    assert set(answers_to(bot, views[views["phase"] == BIDDING].copy()).tolist()) == {2}


def test_a_parameter_file_may_name_the_bidder(tmp_path: Path) -> None:
    file = tmp_path / "set.toml"
    file.write_text('[parameters]\nbidder = "easy"\ndanger = 3\n')
    assert str(load_strategy(f"medium:{file}")) == "medium:bidder=easy,danger=3"
    assert str(load_strategy(f"medium:{file},bidder=yardstick")) == "medium:bidder=yardstick,danger=3"


@pytest.mark.parametrize(
    ("a", "b", "differs"),
    [
        ("medium", "medium:bidder=easy", True),
        ("medium:bidder=yardstick", "medium:bidder=easy", True),
        ("medium:bidder=easy", "medium:bidder=easy,danger=3", False),
        ("medium:bidder=easy", "medium:bidder=easy,king=1", False),  # which its own bids alone would heed
        ("medium:bidder=easy", "yardstick:bidder=easy", False),
    ],
)
def test_two_that_play_alike_differ_in_their_bids_only(a: str, b: str, differs: bool) -> None:
    assert lineup(load_side(a), load_side(b)).differs_in_bids == differs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "medium:bidder=yardstik",
            "bidder of 'medium': There is no strategy 'yardstik'. Did you mean 'yardstick'",
        ),
        ("medium:bidder=", r"bidder= takes a strategy's name or a path ending in \.py\."),
        ("medium:bidder=3", "bidder= takes a strategy's name or a path ending in .py, not '3'"),
        ("medium:bidder=easy:king=2", "the bidder easy bids as its file says: .* so ':king=2' cannot follow"),
        ("medium:bidder=easy@v1", "so '@v1' cannot follow"),
        ("medium:bidder=easy,bidder=easy", "'bidder' is given twice"),
        ("medium:bidder=./none.py", "bidder of 'medium': There is no strategy file './none.py'"),
    ],
)
def test_what_is_no_bidder_is_refused(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_strategy(text)


def test_no_parameter_has_the_name_of_the_setting() -> None:
    with pytest.raises(UserError, match="every bot has this setting"):
        Parameter("bidder", 1, low=0, high=2)


def test_a_bidder_in_a_spec() -> None:
    bot = BotSpec("hard", "", "x.toml", (("king", "2"),), (("timid", "1"),), bidder="./a.b/c.py")
    assert str(bot) == "hard:x.toml,bidder=./a.b/c.py,king=2~timid=1"
    assert str(replace(bot, settings_file="", settings=())) == "hard:bidder=./a.b/c.py~timid=1"
