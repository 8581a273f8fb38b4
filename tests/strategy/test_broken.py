"""Files that are no strategies: one clear line for each, naming file, line and what to do."""

from pathlib import Path

import pytest

from spadesim.errors import UserError
from spadesim.strategy import load_strategy
from tests.strategy.conftest import BID, PLAY, Write


def refusal(file: Path) -> str:
    with pytest.raises(UserError) as refused:
        load_strategy(str(file))
    text = str(refused.value)
    assert "\n" not in text
    return text.replace(str(file.parent), "FOLDER")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def broken(:\n", "FOLDER/bot.py, line 3: invalid syntax."),
        (
            "x = 1\nx = undefined_name\n",
            "FOLDER/bot.py, line 4: the file fails while it loads: NameError: name 'undefined",
        ),
        ("raise ValueError\n", "line 3: the file fails while it loads: ValueError."),
        ("raise SystemExit(3)\n", "line 3: the file fails while it loads: SystemExit: 3."),
        ("open('/no/such/file')\n", "line 3: the file fails while it loads: FileNotFoundError:"),
        (
            "import no_such_helper\n",
            "FOLDER/bot.py, line 3: No module named 'no_such_helper'. A helper file lies beside",
        ),
        ("from . import helper\n", "line 3: attempted relative import"),
        (
            "from spadesim.core.cards import popcont\n",
            "line 3: cannot import name 'popcont' from 'spadesim.core.cards'",
        ),
        (
            "import bad_helper\n",
            "FOLDER/bad_helper.py, line 2: the file fails while it loads: ZeroDivisionError",
        ),
        ("import typo_helper\n", "FOLDER/typo_helper.py, line 1: "),
        (
            "PARAMETERS = parameters(\n    Parameter('a', 3, low=0, high=2))\n",
            "FOLDER/bot.py, line 4: Parameter 'a' must be a whole number from 0 to 2, not '3'.",
        ),
        ("PARAMETERS = {'a': 1}\n", "PARAMETERS must be made by parameters(Parameter(...), ...)."),
        ("MEMORY = 'none'\n", "MEMORY must be True or False, not 'none'."),
    ],
)
def test_a_file_that_does_not_load(body: str, message: str, write: Write) -> None:
    file = write(body=body)
    file.with_name("bad_helper.py").write_text("x = 1\nx / 0\n")
    file.with_name("typo_helper.py").write_text("if True print(1)\n")
    assert message in refusal(file)


@pytest.mark.parametrize(
    ("bid", "play", "message"),
    [
        (BID, "", "FOLDER/bot.py has no function `play`; a strategy needs bid(view, p) and play(view, p)."),
        ("def bids(view, p):\n    return 1\n", PLAY, "has no function `bid`"),
        ("def bids(view, p):\n    return 1\n", "", "Did you mean 'bids'?"),
        ("bid = 3\n", "", "`bid` is not a function"),
        ("class bid:\n    pass\n", "", "`bid` is not a function"),
        ("@jit\ndef bid(view):\n    return 1\n", "", "line 3: `bid(view)` must take (view, p)"),
        ("def bid(view, p, q):\n    return 1\n", "", "`bid(view, p, q)` must take (view, p)"),
        ("def bid(*args):\n    return 1\n", "", "`bid(*args)` must take (view, p)"),
    ],
)
def test_functions_that_break_the_contract(bid: str, play: str, message: str, write: Write) -> None:
    assert message in refusal(write(bid=bid, play=play))


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    ("bid", "message"),
    [
        ("return 2.5", "line 3: `bid` returns a float, must return int: wrap it in int(...)."),
        ("return view.hand > 3", "`bid` returns a bool, must return int: wrap it in int(...)."),
        ("return 'yes'", "`bid` returns a text, must return int: a strategy needs bid(view, p)"),
        ("return np.uint64(3)", "`bid` returns uint64, must return int: wrap it in np.int64(...)."),
        ("return np.int32(3)", "`bid` returns int32, must return int: wrap it in np.int64(...)."),
        ("return view.tricks", "must return int"),
        ("return", "`bid` never returns anything, must return int."),
        ("if view.hand: return 3", "`bid` sometimes returns nothing"),
        (
            "return view.hnd",
            "line 6: `bid` does not compile: the view has no field 'hnd'. Did you mean 'hand'? In: retu",
        ),
        (
            "return len(view.hand)",
            "line 6: `bid` does not compile: compiled code cannot do len(int64). In: return len(",
        ),
        (
            "return helper(view)",
            "line 6: `bid` does not compile: name 'helper' is not defined. In: return helper(view)",
        ),
        (
            "return p.king",
            "`bid` does not compile: Unknown attribute 'king' of type array(float64, 1d, C). In: return p.k",
        ),
        ("return 3 if view.hand else 'x'", "`bid` does not compile: Cannot unify"),
        ("import os", "`bid` does not compile: Use of unsupported opcode (IMPORT_NAME) found."),
        (
            "return shared.add(view.hand)",
            "FOLDER/shared.py, line 4: `bid` does not compile: Unknown attribute 'foo' of",
        ),
    ],
)
def test_functions_that_do_not_compile(bid: str, message: str, write: Write) -> None:
    file = write(body="import numpy as np\nimport shared\n", bid=f"@jit\ndef bid(view, p):\n    {bid}\n")
    file.with_name("shared.py").write_text(
        "from spadesim.strategy import jit\n@jit\ndef add(x):\n    return x.foo + 1\n"
    )
    text = refusal(file)
    message = message.replace("line 3: `bid` returns", "line 5: `bid` returns")
    assert message.replace("line 6:", "line 7:") in text


@pytest.mark.compiled_only
def test_a_function_with_a_signature_of_its_own(write: Write) -> None:
    bid = "import numba\n@numba.njit('int64(int64, int64)')\ndef bid(view, p):\n    return 1\n"
    assert "`bid` does not compile:" in refusal(write(bid=bid))
