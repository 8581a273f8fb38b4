"""Matches: a duel from what was asked for to what was measured, and questions that take several duels."""

from spadesim.match.duel import duel
from spadesim.match.experiment import Experiment, ExperimentResult, load_experiment, run_experiment
from spadesim.match.result import DuelResult
from spadesim.match.spec import DuelSpec

__all__ = [
    "DuelResult",
    "DuelSpec",
    "Experiment",
    "ExperimentResult",
    "duel",
    "load_experiment",
    "run_experiment",
]
