"""Duels side by side come to what each comes to alone, and a hand that can only go alike is played once."""

from pathlib import Path

import numpy as np
import pytest

from spadesim.core import batch
from spadesim.core.batch import OUTCOME, Lineup, run_chunk, run_together
from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.match import abreast
from spadesim.match.abreast import Seated, groups, play_abreast, run_abreast
from spadesim.match.equity_file import table_of
from spadesim.match.run import Chunk
from spadesim.match.spec import DuelSpec
from spadesim.match.travel import build, pack, play_abreast_there
from spadesim.strategy import load_side
from spadesim.strategy.lineup import lineup

pytestmark = pytest.mark.compiled_only

BOARDS = 200
KINGS = ("hard", "hard:king=2", "hard:king=4,nil_odds=500", "hard~timid=0.5")


def seated(a: str, b: str, rules: str = "pata", skips: bool = True) -> Seated:
    spec = DuelSpec(a, b, boards=BOARDS, rules=Rules.parse(rules), seed=5, skips=skips)
    sides = load_side(a), load_side(b)
    return Seated(spec, sides, lineup(*sides, spec.rules))


def together(duels: list[Seated]) -> tuple[list[bytes], list[int]]:
    """Everything that the engine has to tell of duels side by side, and how many hands each was spared."""
    spec = duels[0].spec
    outcomes = np.zeros((len(duels), BOARDS), dtype=OUTCOME)
    lineups = [duel.lineup for duel in duels]
    found = run_together(lineups, spec.rules, spec.task(0, BOARDS), outcomes.reshape(-1), table_of(spec))
    assert found.fault["code"] == 0
    told = [tally.tobytes() + own.tobytes() for tally, own in zip(found.tallies, outcomes, strict=True)]
    return told, found.spared


@pytest.mark.parametrize(
    ("ref", "rules", "tables"),
    [
        ("medium", "pata", 64),
        ("hard", "pata", 64),
        ("hard", "pata", 2),  # more auctions than tables to keep them
        ("medium", "cutthroat3", 64),
    ],
)
def test_the_same_as_alone_and_sooner(
    ref: str, rules: str, tables: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "MOST_TABLES", tables)
    alone = [together([seated(side, ref, rules, skips=False)]) for side in KINGS]
    found, spared = together([seated(side, ref, rules) for side in KINGS])
    assert found == [told for (told,), _ in alone]
    assert all(n == [0] for _, n in alone)
    assert sum(spared) > BOARDS
    assert (spared[0] > 0) == (ref == "hard")  # the first one finds nothing but its own other room


def test_bots_that_differ_in_their_play_share_nothing() -> None:
    duels = [
        seated(side, "medium")
        for side in ("hard", "hard:endgame_from=300", "hard:king=4", "hard:king=4~blunder=0.1", "easy")
    ]
    assert groups(duels) == [[0, 2], [1], [3], [4]]
    assert groups([seated(side, "medium", skips=False) for side in KINGS]) == [[0], [1], [2], [3]]
    alone = [told for duel in duels for told in together([duel])[0]]
    assert together(duels) == (alone, [0] * len(duels))


def test_hands_are_really_shared() -> None:
    """Bots that differ in their play, taken for alike by mistake: one has the other's hands."""
    sides = ("lowest_card", "random_legal")
    duels = [seated(side, "lowest_card") for side in sides]
    mistaken: list[Lineup] = [
        duel.lineup._replace(bids=(duels[0].lineup.bids[0],) * 4, after_bids=("one", "other"))
        for duel in duels
    ]
    spec = duels[0].spec
    found = run_together(mistaken, spec.rules, spec.task(0, BOARDS))
    first, second = (tally[0]["fingerprint"].tolist() for tally in found.tallies)
    assert first == second
    assert found.spared == [0, 2 * BOARDS]
    alone, _ = run_chunk(mistaken[1], spec.rules, spec.task(0, BOARDS))
    assert alone[0]["fingerprint"].tolist() != first


def test_the_same_for_any_workers_chunks_and_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    duels = [seated(side, "medium") for side in KINGS]
    heard: list[tuple[int, int, int]] = []
    one = run_abreast(duels, workers=1, progress=lambda *step: heard.append(step))
    two = run_abreast(duels, workers=2, chunk=7)
    for (run, outcomes), (other, others) in zip(one, two, strict=True):
        assert run.tally.tobytes() == other.tally.tobytes()
        assert outcomes.tobytes() == others.tobytes()
        assert run.spared == other.spared
    played = sum(int(run.tally[0]["hands"]) - run.spared for run, _ in one)
    assert heard[-1] == (BOARDS * len(KINGS), BOARDS * len(KINGS), played)
    monkeypatch.setattr(abreast, "MOST_ABREAST", 3)
    assert groups(duels) == [[0, 1, 2], [3]]


def test_elsewhere_the_same() -> None:
    duels = [seated(side, "medium") for side in KINGS[:2]]
    here = play_abreast([(spec, bots) for spec, _, bots in duels], Chunk(3, 50))
    there = play_abreast_there(build(), tuple(pack(*duel) for duel in duels), Chunk(3, 50))
    for one, other in zip(here, there, strict=True):
        assert one.tally.tobytes() == other.tally.tobytes()
        assert one.outcomes.tobytes() == other.outcomes.tobytes()
        assert one.spared == other.spared
    assert sum(one.spared for one in here) > 0


def test_who_goes_wrong_is_told_as_alone(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(WRONG, encoding="utf-8")
    duels = [seated(f"{file}:most={most}", "medium") for most in (1, 20)]
    assert groups(duels) == [[0, 1]]
    with pytest.raises(UserError) as alone:
        run_abreast(duels[1:], workers=1)
    with pytest.raises(UserError) as beside:
        run_abreast(duels, workers=1)
    assert str(beside.value) == str(alone.value)
    assert "bid 20, which is not legal" in str(beside.value)


WRONG = """
'''Bids what its parameter says.'''

from spadesim.core._jit import jit
from spadesim.core.cards import lowest
from spadesim.strategy.parameters import Parameter, parameters

PARAMETERS = parameters(Parameter("most", 2, low=0, high=20, used_by="bid", meaning="tricks that it bids"))
P = PARAMETERS.index


@jit
def bid(view, p):
    return int(p[P.MOST])


@jit
def play(view, p):
    return lowest(view.legal)
"""
