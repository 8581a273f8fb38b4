"""Boards whose hands are counted again where they can only go alike: the same as played out, one by one."""

from typing import Any

import numpy as np
import pytest

from spadesim.core import batch
from spadesim.core._jit import COMPILED
from spadesim.core.batch import BOARDS, OUTCOME, Lineup, n_tables, new_task, run_together, spares
from spadesim.core.board import ANY_ROOM, SAME_ROOM
from spadesim.core.play import NO_FAULT
from spadesim.core.rules import PRESETS, Rules
from tests.core.bots import HONEST, Bot, honour_bid, line_up, low_play, random_bid, random_play, standing_bid

N_BOARDS = 5 if COMPILED else 2
SEED = 11


def lineups_of(plays: str) -> list[Lineup]:
    """Bots that differ in their bids alone, two of them not at all, against one that plays as they or not."""
    after = {"alike": ("low", "low"), "apart": ("any", "low")}[plays]
    play = low_play if plays == "alike" else random_play
    bots: list[Bot] = [(bid, play) for bid in (honour_bid, standing_bid, random_bid, honour_bid)]
    return [line_up(bot, HONEST)._replace(after_bids=after) for bot in bots]


def played(lineups: list[Lineup], rules: Rules, skips: int) -> tuple[list[bytes], list[int]]:
    """All that is found of each line-up, and how many hands it was spared."""
    task: Any = new_task(BOARDS, SEED, 3, N_BOARDS)
    task["skips"] = skips
    outcomes = np.zeros((len(lineups), N_BOARDS), dtype=OUTCOME)
    found = run_together(lineups, rules, task, outcomes.reshape(-1))
    assert found.fault["code"] == NO_FAULT
    told = [tally.tobytes() + own.tobytes() for tally, own in zip(found.tallies, outcomes, strict=True)]
    return told, found.spared


@pytest.mark.parametrize(
    ("plays", "mode", "rules"),
    [("alike", ANY_ROOM, "pata"), ("apart", SAME_ROOM, "pata"), ("apart", SAME_ROOM, "cutthroat3")],
)
def test_hands_that_go_alike_are_counted_as_if_they_were_played(
    plays: str, mode: int, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At tables for all of them, and at so few that the last one is used time and again."""
    lineups, table = lineups_of(plays), PRESETS[rules]
    assert spares(lineups, table) == mode
    alone = [played([lineup], table, skips=0) for lineup in lineups]
    assert all(spared == [0] for _, spared in alone)
    n_rooms = int(table.record()["n_rooms"])
    enough = played(lineups, table, skips=1)
    monkeypatch.setattr(batch, "MOST_TABLES", 2 if mode == ANY_ROOM else 2 * n_rooms)
    task: Any = new_task(BOARDS, SEED, 0, 1)
    task["skips"] = mode
    assert n_tables(len(lineups), task, table) == batch.MOST_TABLES
    few = played(lineups, table, skips=1)
    assert enough[0] == few[0] == [told for (told,), _ in alone]
    assert sum(enough[1]) > sum(few[1]) > 0
    assert enough[1][-1] == N_BOARDS * n_rooms  # whose like was there
