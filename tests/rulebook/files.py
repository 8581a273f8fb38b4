"""Files of worked examples out of a few words, and the bundled ones."""

import pytest

from spadesim.rulebook import BadExamples, CheckReport, check_examples, parse_examples

SCORING = "{bids: [4, 2], tricks: [2, 5], bags_before: 0}"


def one(kind: str, given: str, expect: str, rest: str = "") -> str:
    """Return a file of one example with the id X-1."""
    return f"- {{id: X-1, kind: {kind}, {rest}\n   given: {given},\n   expect: {expect}}}\n"


def run(text: str) -> CheckReport:
    """Return what comes of a file of that text."""
    return check_examples(parse_examples(text, "my.yaml"), "my.yaml")


def mistakes(text: str) -> list[str]:
    """Return the mistakes of a file, as a user sees them."""
    with pytest.raises(BadExamples) as caught:
        run(text)
    return caught.value.mistakes


def mistake(text: str) -> str:
    """Return the one mistake of a file."""
    (found,) = mistakes(text)
    return found


def complaint(text: str) -> str:
    """Return the one line about an example that does not hold."""
    (found,) = run(text).complaints
    return found
