"""The pages: one file is one report, ``from spadesim.reports import duel``."""

from spadesim._doors import open_door

open_door(__path__)
