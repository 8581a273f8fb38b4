"""The bots: one file is one strategy, ``from spadesim.strategies import hard``."""

from spadesim._doors import open_door

open_door(__path__)
