"""The questions: one TOML file is one experiment, run by ``spadesim run FILE``."""

from spadesim._doors import open_door

open_door(__path__)
