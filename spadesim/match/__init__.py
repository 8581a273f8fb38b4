"""Matches: a duel from what was asked for to what was measured, and questions that take several duels."""

from spadesim.match.duel import duel
from spadesim.match.result import DuelResult
from spadesim.match.spec import DuelSpec

__all__ = [
    "DuelResult",
    "DuelSpec",
    "duel",
]
