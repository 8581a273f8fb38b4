"""Deals in tricks, spades leading anytime, against the double-dummy solver of bridge.

One deal and many endings; ``experiments/solver_speed.py`` compares 500.
"""

from importlib import import_module

import pytest

pytestmark = pytest.mark.compiled_only


def test_every_card_brings_as_many_tricks_as_in_bridge() -> None:
    pytest.importorskip("endplay", reason="endplay is not installed here (extra dev)")
    solver_speed = import_module("spadesim.experiments.solver_speed")
    n_done, n_bad, *_ = solver_speed.compare(1)
    assert (n_done, n_bad) == (4, 0)
    n_done, n_bad, *_ = solver_speed.compare(500, n_cards=8)
    assert (n_done, n_bad) == (2000, 0)
