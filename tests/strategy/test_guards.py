"""Bots that would make numbers doubtful are stopped: writing to parameters, chance, indexes out of range."""

from pathlib import Path

import pytest

from spadesim.errors import UserError
from spadesim.match.duel import duel
from spadesim.strategy import load_strategy

HEAD = "import numpy as np\nfrom spadesim.strategy import Parameter, jit, parameters\n"
TABLE = "PARAMETERS = parameters(Parameter('a', 1, low=0, high=9, used_by='bid', meaning='a'))\n"
PLAY = """
@jit
def play(view, p):
    card = 0
    while not (view.legal >> card) & 1:
        card += 1
    return card
"""


def write(folder: Path, bid: str, name: str = "bot.py") -> str:
    file = folder / name
    file.write_text(f"{HEAD}{TABLE}\n@jit\ndef bid(view, p):\n    {bid}\n{PLAY}")
    return str(file)


@pytest.mark.slow
def test_parameters_are_for_reading(tmp_path: Path) -> None:
    bot = write(tmp_path, "p[0] += 1\n    return 3")
    with pytest.raises(UserError, match="bot writes to its parameters `p`"):
        duel(bot, "lowest_card", games=20)


@pytest.mark.slow
def test_parameters_rewritten_late_are_noticed_in_the_unit_where_it_happens(tmp_path: Path) -> None:
    """Past the first look at every bot, and on a unit whose views are not audited."""
    bot = write(tmp_path, "p[0] += view.scores[view.side] >= 450\n    return 3")
    with pytest.raises(UserError, match="bot wrote to its parameters, which are for reading only"):
        duel(bot, "lowest_card", games=400)


@pytest.mark.compiled_only
def test_chance_that_cannot_be_repeated_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"line 7: np\.random\.randint gives numbers that cannot be repeated"):
        load_strategy(write(tmp_path, "return np.random.randint(1, 5)"))


@pytest.mark.compiled_only
@pytest.mark.slow
def test_an_index_out_of_range_is_an_error_of_the_bot(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"bot raised IndexError"):
        duel(write(tmp_path, "return view.bids[view.seat + 99_999]"), "lowest_card", games=4)


@pytest.mark.compiled_only
def test_two_bots_share_a_helper_and_either_is_edited(tmp_path: Path) -> None:
    """The helper's machine code does not depend on who imported it first."""
    (tmp_path / "shared.py").write_text(
        "from spadesim.strategy import jit\n\n@jit\ndef three(x):\n    return 3\n"
    )
    for name, end in (("one.py", ""), ("two.py", ""), ("one.py", "# edited\n")):
        bot = Path(write(tmp_path, "return three(p[0])", name))
        bot.write_text("from shared import three\n" + bot.read_text() + end)
        load_strategy(str(bot))


@pytest.mark.slow
def test_no_field_of_the_view_tells_which_chunk_is_played(tmp_path: Path) -> None:
    bot = write(tmp_path, "return 1 + (view.serial + view.n_seen + view.n_tricks_seen) % 5")
    runs = [duel(bot, "lowest_card", games=60, chunk=chunk, workers=1) for chunk in (1, 7, 1000)]
    assert len({run.fingerprint for run in runs}) == 1
    assert duel(bot, bot, games=60).identical_boards == 30
