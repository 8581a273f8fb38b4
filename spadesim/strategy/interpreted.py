"""What a strategy answers when Python runs it without the compiler, found out in a process of its own.

The other process is ``python -m spadesim.strategy.interpreted SPEC VIEWS ANSWERS`` with two files' names.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from spadesim.core._jit import PACKAGE
from spadesim.core.view import BIDDING, VIEW
from spadesim.errors import UserError
from spadesim.strategy.compiled import BY_PHASE
from spadesim.strategy.load import Strategy, load_strategy
from spadesim.strategy.module import place_of
from spadesim.strategy.show import view_text

NOT_AN_INT = -(2**62)


def interpreted_answers(strategy: Strategy, views: npt.NDArray[np.void]) -> npt.NDArray[np.int64]:
    """What a strategy answers to each of many views, uncompiled; `NOT_AN_INT` for anything but an int.

    Raises
    ------
    UserError
        It raises.
    """
    with tempfile.TemporaryDirectory(prefix="spadesim-") as folder:
        asked, answered = Path(folder, "views"), Path(folder, "answers")
        asked.write_bytes(views.tobytes())
        path = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
        done = subprocess.run(
            [sys.executable, "-m", "spadesim.strategy.interpreted", str(strategy), str(asked), str(answered)],
            env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 or not answered.is_file():
            last = done.stderr.strip().splitlines()[-1:] or ["it ends without an answer"]
            raise UserError(last[0])
        return np.frombuffer(answered.read_bytes(), dtype=np.int64)


def main(text: str, asked: str, answered: str) -> None:
    """Answer the views in one file into another."""
    strategy = load_strategy(text)
    views = np.frombuffer(Path(asked).read_bytes(), dtype=VIEW).copy()
    answers, rows = np.empty(len(views), dtype=np.int64), strategy.rows
    for k, view in enumerate(views):
        phase = int(view["phase"])
        function = strategy.functions[BY_PHASE[phase]]
        try:
            answer = function(view, rows[min(phase, 1)])
        except Exception as error:  # whatever a user's bot raises
            at_fault = strategy.bidder if phase == BIDDING and strategy.bidder else strategy
            what = f"{place_of(error, at_fault.file)}: {type(error).__name__}: {error}"
            sys.exit(f"{what}, when {view_text(view)}")
        is_int = isinstance(answer, int | np.integer) and not isinstance(answer, bool)
        answers[k] = answer if is_int else NOT_AN_INT
    Path(answered).write_bytes(answers.tobytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
