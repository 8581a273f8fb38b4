"""The reference names every key of the JSON objects of sweeps, tunings, fits and calibrations."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from spadesim.tuning.calibrated import CalibrateResult, Rung
from spadesim.tuning.curve import Point
from spadesim.tuning.fit_result import Bin, FitResult, Fitted, NilFit, TricksFit
from spadesim.tuning.fit_runs import Source
from spadesim.tuning.rules_sweep import RulesArm, RulesSweepResult
from spadesim.tuning.swept import Arm, Fresh, Games, SweepResult
from spadesim.tuning.tune_result import Confirmation, Tuned, TuneResult, Validation

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"
NOT_TOLD = {"scale", "spec", "history", "has_ladder"}


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        ("sweep", [SweepResult, Arm, Fresh, Games, RulesSweepResult, RulesArm]),
        ("tune", [TuneResult, Tuned, Validation, Confirmation]),
        ("fit", [FitResult, Fitted, TricksFit, NilFit, Bin, Source]),
        ("calibrate", [CalibrateResult, Rung, Point]),
    ],
)
def test_every_key_is_in_the_reference(command: str, kinds: list[type]) -> None:
    section = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (text,) = (part for part in section if part.startswith(f"spadesim {command}\n"))
    named = set(re.findall(r"`(\w+)`", text))
    for kind in kinds:
        assert {field.name for field in fields(kind)} - NOT_TOLD <= named
