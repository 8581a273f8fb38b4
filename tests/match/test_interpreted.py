"""A short duel in both test modes, and the same in both."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from spadesim.match import duel

ASKED: dict[str, Any] = {"boards": 6, "scores": (480, -150), "bags": (9, 0)}
PROGRAM = f"""
import spadesim
print(spadesim.duel("random_legal", "lowest_card", **{ASKED}).to_json())
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_short_duel(workers: int) -> None:
    result = duel("random_legal", "lowest_card", **ASKED, workers=workers, chunk=1)
    assert result.hands == 12
    assert "6 boards from 480 against -150" in result.verdict
    assert duel("random_legal", "random_legal", boards=2).identical_boards == 2


@pytest.mark.compiled_only
def test_compiled_and_interpreted_measure_the_same() -> None:
    printed = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    interpreted, compiled = json.loads(printed), duel("random_legal", "lowest_card", **ASKED).to_dict()
    for values in (interpreted, compiled):
        del values["seconds"], values["hands_per_second"]
    assert interpreted == json.loads(json.dumps(compiled))
