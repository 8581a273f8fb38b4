"""Parameter tables: what they accept, what they refuse and why."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadesim.errors import UserError
from spadesim.strategy.parameters import Parameter, Parameters, number_text, parameters

TABLE = parameters(
    Parameter("king", 3, low=0, high=8, used_by="bid", meaning="quarter tricks for a guarded king"),
    Parameter("risk", 0.25, low=0, high=1, used_by="play"),
    Parameter("zero", "one", choices=("one", "nil")),
)


def test_table_is_read_by_name_and_by_place() -> None:
    assert [entry.name for entry in TABLE] == TABLE.names == ["king", "risk", "zero"]
    assert len(TABLE) == 3
    assert "king" in TABLE
    assert "queen" not in TABLE
    assert TABLE["king"].meaning == "quarter tricks for a guarded king"
    assert TABLE.index == (0, 1, 2)
    assert TABLE.index.ZERO == 2
    assert TABLE.defaults.dtype == np.float64
    assert TABLE.defaults.tolist() == [3.0, 0.25, 0.0]


def test_defaults_are_a_new_array_each_time() -> None:
    TABLE.defaults[0] = 99
    assert TABLE.defaults[0] == 3


def test_values_take_numbers_words_and_text() -> None:
    assert TABLE.values({"king": "4", "zero": "nil"}).tolist() == [4, 0.25, 1]
    assert TABLE.values({"king": np.int64(5), "risk": 1}).tolist() == [5, 1, 0]


def test_changes_are_what_differs_and_read_back() -> None:
    values = TABLE.values({"risk": 0.5, "zero": "nil"})
    assert TABLE.changes(values) == {"risk": "0.5", "zero": "nil"}
    assert TABLE.values(TABLE.changes(values)).tolist() == values.tolist()
    assert TABLE.changes(TABLE.defaults) == {}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"king": 9}, "Parameter 'king' must be a whole number from 0 to 8, not '9'."),
        ({"king": 2.5}, "must be a whole number from 0 to 8, not '2.5'"),
        ({"king": True}, "must be a whole number from 0 to 8, not 'True'"),
        ({"king": "high"}, "must be a whole number from 0 to 8, not 'high'"),
        ({"king": "nan"}, "not 'nan'"),
        ({"risk": 1.5}, "must be a number from 0 to 1, not '1.5'"),
        ({"zero": "nill"}, "must be one of one, nil, not 'nill'. Did you mean 'nil'?"),
        ({"zero": 1}, "must be one of one, nil, not '1'"),
        ({"kng": 1}, "There is no parameter 'kng'. Did you mean 'king'? Its parameters: king, risk, zero."),
    ],
)
def test_wrong_values_are_refused_with_the_reason(settings: dict[str, object], message: str) -> None:
    with pytest.raises(UserError) as refusal:
        TABLE.values(settings)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "King", "default": 1, "low": 0, "high": 2}, "lower-case"),
        ({"name": "if", "default": 1, "low": 0, "high": 2}, "no Python keyword"),
        ({"name": "a", "default": 1}, "give a range"),
        ({"name": "a", "default": 1, "low": 0}, "give a range"),
        ({"name": "a", "default": 1, "low": 2, "high": 0}, "low not above high"),
        ({"name": "a", "default": 1, "low": 0, "high": float("inf")}, "must be numbers"),
        ({"name": "a", "default": 3, "low": 0, "high": 2}, "must be a whole number from 0 to 2, not '3'"),
        ({"name": "a", "default": "x", "choices": ("y", "z")}, "must be one of y, z, not 'x'"),
        ({"name": "a", "default": "y", "choices": ("y", "y")}, "different words"),
        ({"name": "a", "default": "y z", "choices": ("y z",)}, "different words"),
        ({"name": "a", "default": "y", "choices": ("y", "z"), "low": 0}, "no low and high"),
        ({"name": "a", "default": 1, "low": 0, "high": 2, "used_by": "plays"}, "used_by must be one of"),
    ],
)
def test_wrong_declarations_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UserError) as refusal:
        Parameter(**arguments)  # type: ignore[arg-type]
    assert message in str(refusal.value)


def test_a_table_holds_each_name_once_and_only_parameters() -> None:
    with pytest.raises(UserError, match="'king' is declared twice"):
        parameters(TABLE["king"], TABLE["risk"], TABLE["king"])
    with pytest.raises(UserError, match=r"takes Parameter\(...\) entries, not tuple"):
        parameters(("king", 3))  # type: ignore[arg-type]


def test_an_empty_table_is_a_table() -> None:
    empty = Parameters()
    assert empty.defaults.shape == (0,)
    assert empty.index == ()
    with pytest.raises(UserError, match="It has none"):
        empty.values({"king": 1})


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_number_text_reads_back(number: float) -> None:
    text = number_text(number)
    assert float(text) == number
    assert "+" not in text
