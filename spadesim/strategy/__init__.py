"""Strategies: how a bot in one file is described, named, found, loaded, compiled and checked.

The author of a strategy needs three names, ``from spadesim.strategy import Parameter, jit, parameters``; see
``strategies/_template.py``.
"""

from spadesim.core._jit import jit
from spadesim.strategy.check import Check, CheckReport, check_strategy
from spadesim.strategy.dossier import Dossier
from spadesim.strategy.find import Listing, discover
from spadesim.strategy.lineup import lineup
from spadesim.strategy.load import Side, Strategy, load_side, load_strategy
from spadesim.strategy.parameters import Parameter, Parameters, parameters
from spadesim.strategy.preflight import preflight
from spadesim.strategy.spec import BotSpec, SideSpec, parse

__all__ = [
    "BotSpec",
    "Check",
    "CheckReport",
    "Dossier",
    "Listing",
    "Parameter",
    "Parameters",
    "Side",
    "SideSpec",
    "Strategy",
    "check_strategy",
    "discover",
    "jit",
    "lineup",
    "load_side",
    "load_strategy",
    "parameters",
    "parse",
    "preflight",
]
