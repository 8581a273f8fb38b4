"""A cluster in this process, with real connections: one machine's counts, whatever is lost meanwhile."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spadesim.errors import UserError
from spadesim.match import cluster
from spadesim.match.crews import close_all, crew_of
from spadesim.match.duel import Keep, duel, play_duel
from spadesim.match.kept import resume_run
from spadesim.match.processes import Processes
from spadesim.match.spec import make_spec
from spadesim.match.travel import Build, build

distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]

SPEC = make_spec("easy", "lowest_card", boards=3000, seed=3, first=11)
PART = 100


def start(n: int = 2, port: int = 0) -> Any:
    """A scheduler and workers as threads of this process, reached through the network."""
    return distributed.LocalCluster(
        n_workers=n,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        scheduler_port=port,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """A cluster with two workers; others that a test puts into the list end with it."""
    monkeypatch.setattr(cluster, "FIRST_PATIENCE", 60.0)  # of a busy machine
    found = [start()]
    yield found
    close_all()
    for each in found:
        each.close()


def at_half(act: Callable[[], object]) -> Callable[[int, int, int], None]:
    done: list[bool] = []

    def progress(units: int, all_units: int, _: int) -> None:
        if 2 * units > all_units and not done:
            done.append(True)
            act()

    return progress


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.glob("part-*"))}


def test_a_cluster_comes_to_the_same_numbers_and_parts(machines: list[Any], tmp_path: Path) -> None:
    address = machines[0].scheduler_address
    ours = play_duel(SPEC, keep=Keep(tmp_path / "ours", "cards", PART))
    assert crew_of(address).n == 1  # until it is asked
    theirs = play_duel(SPEC, workers=address, keep=Keep(tmp_path / "theirs", "cards", PART))
    assert crew_of(address).n == 2
    assert bytes_of(tmp_path / "theirs") == bytes_of(tmp_path / "ours")
    assert (theirs.tally == ours.tally).all()
    assert (play_duel(SPEC, workers=address).tally == ours.tally).all()
    one, other = (
        duel("easy", "medium", sprt="gain", boards=2000, workers=workers) for workers in (address, 2)
    )
    assert (one.boards, one.fingerprint, one.verdict) == (other.boards, other.fingerprint, other.verdict)


def test_what_a_lost_worker_had_is_played_by_another(machines: list[Any]) -> None:
    lose = at_half(lambda: machines[0].scale(1))
    theirs = play_duel(SPEC, workers=machines[0].scheduler_address, chunk=100, progress=lose)
    assert (theirs.tally == play_duel(SPEC).tally).all()


def test_a_scheduler_that_comes_back_is_sent_everything_again(machines: list[Any]) -> None:
    address = machines[0].scheduler_address

    def restart() -> None:
        machines.pop().close()
        machines.append(start(port=int(address.rpartition(":")[2])))

    theirs = play_duel(SPEC, workers=address, chunk=100, progress=at_half(restart))
    assert (theirs.tally == play_duel(SPEC).tally).all()
    assert crew_of(address).generation == 1  # type: ignore[attr-defined]


def test_a_run_whose_scheduler_is_lost_goes_on_by_itself(
    machines: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    monkeypatch.setattr(cluster, "FIRST_PATIENCE", 0.5)
    address = machines[0].scheduler_address
    crew_of(address).open()
    folder = tmp_path / "theirs"
    with pytest.raises(UserError, match=r"is gone, and has not come back .* goes on by --resume"):
        play_duel(
            SPEC,
            workers=address,
            progress=at_half(machines.pop().close),
            keep=Keep(folder, part_units=PART),
        )
    assert 15 <= len(bytes_of(folder)) < 30
    ours = play_duel(SPEC, keep=Keep(tmp_path / "ours", part_units=PART))
    assert (resume_run(folder).result.tally == ours.tally).all()
    assert bytes_of(folder) == bytes_of(tmp_path / "ours")


def test_workers_of_another_build_are_refused_by_name(
    machines: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def here_another() -> Build:
        is_here = threading.current_thread() is threading.main_thread()
        return build()._replace(spadesim="9.9.9") if is_here else build()

    monkeypatch.setattr(cluster, "build", here_another)
    with pytest.raises(UserError) as error:
        duel("easy", "easy", games=2, workers=machines[0].scheduler_address)
    for worker in machines[0].workers.values():
        assert f"The worker {worker.address} is refused: it has spadesim " in str(error.value)


def test_who_does_not_answer_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "FIRST_PATIENCE", 0.3)
    with pytest.raises(UserError, match=r"No scheduler answers at tcp://127\.0\.0\.1:9\."):
        duel("easy", "easy", games=2, workers="tcp://127.0.0.1:9")


def test_a_scheduler_without_workers_is_no_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "FIRST_PATIENCE", 0.3)
    with (
        start(n=0) as empty,
        pytest.raises(UserError, match=r"has no workers yet: start some with dask worker"),
    ):
        duel("easy", "easy", games=2, workers=empty.scheduler_address)
    close_all()


def test_without_the_library_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UserError, match=r"pip install 'spadesim\[cluster\]'"):
        duel("easy", "easy", games=2, workers="dask:2")


def test_a_worker_process_that_is_killed_costs_nothing_but_time() -> None:
    crew = Processes(1)
    killed: list[int] = []

    def kill() -> None:
        killed.extend(crew._pool._processes)  # type: ignore[union-attr]
        os.kill(killed[0], signal.SIGKILL)

    try:
        theirs = play_duel(SPEC, workers=crew, chunk=100, progress=at_half(kill))
    finally:
        crew.close()
    assert len(killed) == 1
    assert crew.generation == 1
    assert (theirs.tally == play_duel(SPEC).tally).all()
