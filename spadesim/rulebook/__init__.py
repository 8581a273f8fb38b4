"""The rules in words, and worked examples of them held against the engine and the bots."""

from spadesim.rulebook.examples import BadExamples, Example, parse_examples, read_examples
from spadesim.rulebook.report import CheckReport, Mismatch, Result, check, check_examples

__all__ = [
    "BadExamples",
    "CheckReport",
    "Example",
    "Mismatch",
    "Result",
    "check",
    "check_examples",
    "parse_examples",
    "read_examples",
]
