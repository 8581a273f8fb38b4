"""Random expressions: what they come to is what Python makes of them, row by row."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as some

from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.expressions import Known, compile_value, compile_where
from tests.expressions.test_expressions import dealt

N_HANDS = 40
RANDOM = np.random.default_rng(5)
ROWS: dict[str, Any] = {
    "cards": dealt(N_HANDS, Rules()),
    "bid": RANDOM.integers(0, 14, 4 * N_HANDS).astype(np.int8),
    "tricks": RANDOM.integers(0, 14, 4 * N_HANDS).astype(np.int8),
    "score": RANDOM.choice([-(2**31) + 1, -250, 0, 499, 2**31 - 1], 4 * N_HANDS).astype(np.int32),
}
KNOWN = Known.of_rows(Rules(), ROWS)


def lengths(suit: int) -> Any:
    return np.bitwise_count(ROWS["cards"] >> 13 * suit & 0x1FFF).astype(int).reshape(-1, 4)


TABLE = {
    "spades": lengths(3),
    "hearts": lengths(2),
    "bid": ROWS["bid"].astype(int).reshape(-1, 4),
    "tricks": ROWS["tricks"].astype(int).reshape(-1, 4),
    "score": ROWS["score"].astype(int).reshape(-1, 4),
}
SEATS = ("n", "s", "me", "left", "partner")


def names_of(hand: int, seat: int) -> dict[str, Any]:
    """Every word as a Python value, seen from a seat."""

    def word(values: Any) -> Any:
        return lambda place: int(values[hand, place % 4])

    return {name: word(values) for name, values in TABLE.items()} | {
        "n": 0, "s": 2, "me": seat, "left": seat + 1, "partner": seat + 2,
    }  # fmt: skip


words = some.builds(
    lambda name, seat: f"{name}({seat})", some.sampled_from([*TABLE]), some.sampled_from(SEATS)
)
numbers = some.recursive(
    words | some.integers(-9, 400).map(str),
    lambda inner: (
        some.builds(lambda x, sign, y: f"({x} {sign} {y})", inner, some.sampled_from("+-*"), inner)
        | some.builds(
            lambda x, sign, y: f"({x} {sign} {y})",
            inner,
            some.sampled_from(["//", "%"]),
            some.integers(1, 50),
        )
        | some.builds(lambda name, x, y: f"{name}({x}, {y})", some.sampled_from(["min", "max"]), inner, inner)
        | some.builds(lambda x: f"abs(-{x})", inner)
    ),
    max_leaves=5,
)
comparisons = some.builds(
    lambda x, sign, y: f"{x} {sign} {y}",
    numbers,
    some.sampled_from(["<", "<=", "==", "!=", ">=", ">"]),
    numbers,
)
conditions = some.recursive(
    comparisons,
    lambda inner: (
        some.builds(lambda x, sign, y: f"({x} {sign} {y})", inner, some.sampled_from(["and", "or"]), inner)
        | some.builds(lambda x: f"(not {x})", inner)
    ),
    max_leaves=5,
)


def by_python(text: str) -> list[Any]:
    code = compile(text, "expression", "eval")
    return [eval(code, {}, names_of(*divmod(row, 4))) for row in range(4 * N_HANDS)]


def is_refused_rightly(error: UserError) -> bool:
    """Whether an expression that may be written is not worked out for one of the known reasons."""
    return any(reason in str(error) for reason in ("never be true", "too large", "nothing about a hand"))


@settings(max_examples=150)
@given(conditions)
def test_conditions(text: str) -> None:
    expected = by_python(text)
    try:
        where = compile_where(text, KNOWN)
    except UserError as error:
        if not is_refused_rightly(error) or ("never be true" in str(error) and any(expected)):
            raise
        return
    assert where(ROWS, 4).tolist() == expected


@settings(max_examples=100)
@given(numbers)
def test_numbers(text: str) -> None:
    try:
        value = compile_value(text, KNOWN)
    except UserError as error:
        if not is_refused_rightly(error):
            raise
        return
    found = value(ROWS, 4).tolist()
    assert found == by_python(text)
    assert value.low <= min(found)
    assert max(found) <= value.high
