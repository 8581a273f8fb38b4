"""The rules in words, and worked examples of them held against the engine and the bots."""

from spadesim.rulebook.examples import BadExamples, Example, parse_examples, read_examples, read_situations
from spadesim.rulebook.report import CheckReport, Mismatch, Result, check, check_examples, check_situations
from spadesim.rulebook.skills import Reply, SkillReport, skills_of

__all__ = [
    "BadExamples",
    "CheckReport",
    "Example",
    "Mismatch",
    "Reply",
    "Result",
    "SkillReport",
    "check",
    "check_examples",
    "check_situations",
    "parse_examples",
    "read_examples",
    "read_situations",
    "skills_of",
]
