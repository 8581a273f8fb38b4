"""Where tests of the rules get their cases: cards out of words, and random valid rules."""

from typing import Any

from hypothesis import strategies as st

from spadesim.core.rules import OPTIONS, Rules

TABLES: list[dict[str, Any]] = [
    {"players": 4, "teams": "partners", "deck": "std52", "deal": "all"},
    {"players": 4, "teams": "individual", "deck": "std52", "deal": "all"},
    {"players": 3, "teams": "individual", "deck": "minus_2c", "deal": "all"},
    {"players": 2, "teams": "individual", "deck": "std52", "deal": "packet26"},
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


@st.composite
def valid_rules(draw: st.DrawFn) -> Rules:
    """Rules of any table with any options that have an effect there."""
    values = {**{name: draw(_values(name)) for name in OPTIONS}, **draw(st.sampled_from(TABLES))}
    if not values["nil_allowed"]:
        del values["nil_value"], values["nil_penalty"]
    if not values["bag_limit"]:
        del values["bag_penalty"]
    if values["floor"] is None:
        del values["floor_inclusive"]
    if values["spade_lead"] == "anytime":
        del values["break_on"]
    return Rules(**values)
