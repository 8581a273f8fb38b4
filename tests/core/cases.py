"""Where tests of the rules get their cases: cards out of words, and random valid rules."""

from typing import Any

from hypothesis import strategies as st

from spadesim.core.combinations import unused
from spadesim.core.rules import OPTIONS, Rules

TABLES: list[dict[str, Any]] = [
    {"players": 4, "teams": "partners", "deck": "std52", "deal": "all"},
    {"players": 4, "teams": "individual", "deck": "std52", "deal": "all"},
    {"players": 3, "teams": "individual", "deck": "minus_2c", "deal": "all"},
    {"players": 2, "teams": "individual", "deck": "std52", "deal": "packet26"},
    {"players": 2, "teams": "individual", "deck": "std52", "deal": "draw_keep"},
]


def card(text: str) -> int:
    """Return the card that a rank and a suit stand for.

    >>> card("2C"), card("AS")
    (0, 51)
    """
    return 13 * "CDHS".index(text[1]) + "23456789TJQKA".index(text[0])


def cards(text: str) -> list[int]:
    """Return the cards of a text like "9H KH", in order."""
    return [card(word) for word in text.split()]


def mask(text: str) -> int:
    """Return the cards of a text like "9H KH" as a mask."""
    return sum(1 << number for number in cards(text))


def _values(name: str) -> st.SearchStrategy[Any]:
    option = OPTIONS[name]
    if option.is_flag:
        return st.booleans()
    if option.choices:
        return st.sampled_from(option.choices)
    numbers = st.integers(option.low, option.high)
    return st.none() | numbers if option.or_none else numbers


def without_effect(values: dict[str, Any]) -> list[str]:
    """Return the options that have no effect beside the others, or none that they could have."""
    draws = values["deal"] == "draw_keep"
    off = [name for name, _ in unused(values)]
    if (values["start_role"] in ("first_drawer", "second_drawer")) != draws:
        off.append("start_role")
    if not values["nil_allowed"]:
        off += ["blind_nil", "blind_nil_value", "blind_nil_penalty", "blind_nil_deficit"]
    if not draws or not values["nil_allowed"]:
        off += ["blind_nil_exchange", "exchange_with"]
    return off


def as_rules(values: dict[str, Any]) -> Rules:
    """Return rules with these values, those that mean nothing there left at their defaults."""
    values = dict(values)
    if values["deal"] == "draw_keep":
        if values["start_role"] not in ("first_drawer", "second_drawer"):
            values["start_role"] = "first_drawer" if values["first_dealer"] == "random" else "second_drawer"
        values["exchange_with"] = "discard_pile"
    for name in without_effect(values):
        values.pop(name, None)
    return Rules(**values)


@st.composite
def valid_rules(draw: st.DrawFn) -> Rules:
    """Rules of any table with any options that have an effect there."""
    return as_rules({**{name: draw(_values(name)) for name in OPTIONS}, **draw(st.sampled_from(TABLES))})
