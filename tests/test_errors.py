"""Suggestions for mistyped words."""

import pytest

from spadesim.errors import suggest

CHOICES = ["pata", "patalupaus", "classic", "canonical"]


@pytest.mark.parametrize(
    ("word", "choice"),
    [("patta", "pata"), ("PATA", "pata"), ("clasic", "classic"), ("canonic", "canonical")],
)
def test_the_closest_choice_is_suggested(word: str, choice: str) -> None:
    assert suggest(word, CHOICES) == f" Did you mean '{choice}'?"


@pytest.mark.parametrize("word", ["", "bridge", "x"])
def test_nothing_is_suggested_when_nothing_is_close(word: str) -> None:
    assert suggest(word, CHOICES) == ""


def test_the_choice_is_spelt_as_it_was_given() -> None:
    assert suggest("king", iter(["KING", "nil_risk"])) == " Did you mean 'KING'?"


def test_nothing_is_suggested_when_there_is_no_choice() -> None:
    assert suggest("pata", []) == ""
