"""The bots: one file is one strategy, ``from spadesim.strategies import hard``."""

from types import ModuleType
from typing import TYPE_CHECKING

from spadesim._doors import open_door

open_door(__path__)

if TYPE_CHECKING:
    # Type checkers do not follow the search path.
    def __getattr__(name: str) -> ModuleType: ...
