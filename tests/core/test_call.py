"""Calling by address: arguments arrive, answers and errors come back."""

from typing import Any

import numpy as np
import pytest
from numba import types

from spadesim.core._jit import jit
from spadesim.core.call import address_of, by_address


def test_what_is_called_by_address_gets_its_arguments() -> None:
    signature = types.int64(types.Array(types.float64, 1, "C"), types.int64)

    @jit
    def scale_by(numbers, factor):  # type: ignore[no-untyped-def]
        numbers[0] *= factor
        if numbers[0] > 100:
            raise ValueError("too much")
        return int(numbers[0])

    call = by_address(signature)

    @jit
    def call_it(address, numbers, factor):  # type: ignore[no-untyped-def]
        return call(address, (numbers, factor))

    run: Any = call_it
    numbers, address = np.array([7.0]), address_of(scale_by, signature)
    assert run(address, numbers, 6) == 42
    assert numbers[0] == 42.0
    with pytest.raises(ValueError, match="too much"):
        run(address, numbers, 6)
