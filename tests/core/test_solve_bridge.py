"""Whole deals in tricks, spades leading anytime, against the double-dummy solver of bridge.

A few deals; ``experiments/solver_speed.py`` compares 500.
"""

import pytest

pytestmark = pytest.mark.compiled_only


def test_every_card_brings_as_many_tricks_as_in_bridge() -> None:
    pytest.importorskip("endplay", reason="endplay is not installed here (extra dev)")
    from spadesim.experiments import solver_speed

    n_done, n_bad, *_ = solver_speed.compare(2)
    assert (n_done, n_bad) == (8, 0)
