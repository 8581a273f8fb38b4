"""Questions in TOML files: what they may ask, and how they are answered."""

from spadesim.questions.experiment import (
    Experiment,
    ExperimentResult,
    check_experiment,
    load_experiment,
    run_experiment,
)

__all__ = ["Experiment", "ExperimentResult", "check_experiment", "load_experiment", "run_experiment"]
