"""Plays millions of hands of spades between bots, and tells which is better, by how much and how surely.

The names below are looked up at first use, so that ``import spadesim`` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spadesim.glanced import Glanced

__version__ = "0.1.0"

_HOMES = {
    "DuelResult": "spadesim.match",
    "Rules": "spadesim.core.rules",
    "UserError": "spadesim.errors",
    "calibrate": "spadesim.tuning.calibrate",
    "check_strategy": "spadesim.strategy.check",
    "diff": "spadesim.analysis.diff",
    "duel": "spadesim.match.duel",
    "fit": "spadesim.tuning.fit",
    "hands": "spadesim.analysis.hands",
    "load": "spadesim.match.recorded",
    "load_strategy": "spadesim.strategy",
    "replay": "spadesim.match.request",
    "report": "spadesim.analysis.compose",
    "run_experiment": "spadesim.questions",
    "show": "spadesim.analysis.show",
    "solve": "spadesim.match.solving",
    "sweep": "spadesim.tuning.sweep",
    "sweep_rules": "spadesim.tuning.rules_sweep",
    "tournament": "spadesim.match.tournament",
    "tune": "spadesim.tuning.tune",
}

__all__ = [
    "DuelResult",
    "Rules",
    "UserError",
    "calibrate",
    "check_strategy",
    "diff",
    "duel",
    "fit",
    "hands",
    "load",
    "load_strategy",
    "replay",
    "report",
    "run_experiment",
    "show",
    "solve",
    "sweep",
    "sweep_rules",
    "tournament",
    "tune",
]

if TYPE_CHECKING:
    from spadesim.analysis.compose import report
    from spadesim.analysis.diff import diff
    from spadesim.analysis.hands import hands
    from spadesim.analysis.show import show
    from spadesim.core.rules import Rules
    from spadesim.errors import UserError
    from spadesim.match import DuelResult
    from spadesim.match.duel import duel
    from spadesim.match.recorded import load
    from spadesim.match.request import replay
    from spadesim.match.solving import solve
    from spadesim.match.tournament import tournament
    from spadesim.questions import run_experiment
    from spadesim.strategy import load_strategy
    from spadesim.strategy.check import check_strategy
    from spadesim.tuning.calibrate import calibrate
    from spadesim.tuning.fit import fit
    from spadesim.tuning.rules_sweep import sweep_rules
    from spadesim.tuning.sweep import sweep
    from spadesim.tuning.tune import tune


def __getattr__(name: str) -> Any:
    """Return a public name out of the module that defines it, and keep it for the next time."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def _glance(thing: Any) -> str:
    """HTML of a result, for a notebook."""
    from spadesim.analysis.glance import glance

    return glance(thing)


Glanced.shown_by = _glance


def __dir__() -> list[str]:
    """Return the public names, those not yet looked up included."""
    return sorted([*__all__, "__version__"])
