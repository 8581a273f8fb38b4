"""Worked situations in which every bot of a level must comply; their sources stand beside them."""

from typing import Any

import pytest

from spadesim.strategy import load_strategy
from tests.core.cases import load
from tests.strategies.situations import play, situation

TIPS = load("bots")["tips"]
# The yardstick follows the rules of the hard level.
CASES = [(tip, name) for tip in TIPS for name in [*tip["levels"], "yardstick"]]
KNOWN = {"id", "levels", "source", "hand", "bid_not", "card"}
PLACE = {"trick", "seat", "bids", "tricks", "trick_no", "broken"}


@pytest.mark.parametrize(("tip", "name"), CASES, ids=[f"{tip['id']}-{name}" for tip, name in CASES])
def test_tips(tip: dict[str, Any], name: str) -> None:
    assert set(tip) <= KNOWN | PLACE | {"leader"}
    if "bid_not" in tip:
        strategy = load_strategy(name)
        assert strategy.bid(situation(tip["hand"]), strategy.values) != tip["bid_not"]
        return
    place = {key: tip[key] for key in PLACE if key in tip}
    assert (tip["seat"] - len(tip["trick"].split())) % 4 == tip["leader"]
    assert play(name, tip["hand"], **place) == tip["card"]
