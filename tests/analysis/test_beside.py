"""Pages that another process makes: the same report, whoever makes what, and whatever goes wrong there."""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from spadesim.analysis import beside as module
from spadesim.analysis import compose as composing
from spadesim.analysis.beside import divided, process_beside
from spadesim.analysis.compose import Wanted, compose
from spadesim.analysis.inputs import read_inputs
from spadesim.match.duel import Keep, play_duel
from spadesim.match.spec import make_spec

pytestmark = pytest.mark.compiled_only

PART = "part-000000-0123456789abcdef.parquet"


def done(value: Any) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(value)
    return future


def test_each_task_is_done_once_and_stands_in_its_place() -> None:
    there: list[int] = []
    first = threading.Event()

    def send(task: int) -> Future[str]:
        there.append(task)
        first.set()
        return done(f"{task} there")

    def here(task: int) -> str:
        first.wait(10)
        return f"{task} here"

    found = divided(range(20), here, send)
    assert found == [f"{task} {'there' if task in there else 'here'}" for task in range(20)]
    assert there


@pytest.mark.parametrize("error", [RuntimeError("the process died"), None])
def test_what_cannot_be_done_elsewhere_is_done_here(error: Exception | None) -> None:
    def send(_: int) -> None:
        if error is not None:
            raise error

    assert divided(range(5), lambda task: task * 2, send) == [0, 2, 4, 6, 8]


def test_what_is_raised_here_passes() -> None:
    with pytest.raises(ZeroDivisionError):
        divided([0], lambda task: 1 // task, lambda _: None)


def test_who_is_interrupted_waits_for_one_page_at_the_most() -> None:
    sent: list[int] = []
    begun, interrupted = threading.Event(), threading.Event()

    def send(task: int) -> Future[int]:
        sent.append(task)
        begun.set()
        interrupted.wait(10)
        return done(task)

    def here(_: int) -> int:
        begun.wait(10)
        threading.Timer(0.2, interrupted.set).start()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        divided(range(20), here, send)
    assert len(sent) == 1


@pytest.mark.parametrize(("n_bytes", "cores"), [(100, 1), (99, 2)])
def test_small_runs_and_one_core_have_no_second_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_bytes: int, cores: int
) -> None:
    (tmp_path / PART).write_bytes(bytes(n_bytes))
    monkeypatch.setattr(module, "LARGE", 100)
    monkeypatch.setattr(module, "usable_cores", lambda: cores)
    with process_beside([tmp_path, "nothing", tmp_path / PART]) as pool:
        assert pool is None


def test_runs_are_sized_and_not_whatever_lies_below_a_folder(tmp_path: Path) -> None:
    for place in ("", "01", "02", "mine", "01/deeper"):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / PART).write_bytes(b"12345")
    (tmp_path / "other.parquet").write_bytes(b"12345")
    assert module._size(tmp_path) == 15
    assert module._size("~nobody/run") == module._size("\0") == 0


@pytest.mark.parametrize("fails_at", ["start", "submit"])
def test_a_report_is_made_alone_where_no_process_starts(
    monkeypatch: pytest.MonkeyPatch, fails_at: str
) -> None:
    ended: list[bool] = []

    class Failing:
        def __init__(self, *_: object, **__: object) -> None:
            if fails_at == "start":
                raise NotImplementedError("no semaphores")

        def submit(self, _: object) -> None:
            raise OSError("no memory")

        def shutdown(self, **_: object) -> None:
            ended.append(True)

    monkeypatch.setattr(module, "ProcessPoolExecutor", Failing)
    monkeypatch.setattr(module, "LARGE", 0)
    monkeypatch.setattr(module, "usable_cores", lambda: 2)
    with process_beside([]) as pool:
        assert pool is None
    assert ended == [True] * (fails_at == "submit")


def as_much_as_possible_elsewhere(
    tasks: Sequence[Any], here: Callable[[Any], Any], send: Callable[[Any], Future[Any] | None]
) -> list[Any]:
    """`divided`, one after the other: matplotlib draws in one thread at a time."""
    sent = [send(task) for task in tasks]
    return [
        here(task) if future is None else future.result() for task, future in zip(tasks, sent, strict=True)
    ]


def test_pages_made_by_another_process_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_duel(make_spec("easy", "lowest_card", games=4), keep=Keep(tmp_path / "run"))
    found = read_inputs([tmp_path / "run"])
    wanted = Wanted(("bids", "games", "fairness", "methods"))
    alone = compose(found, wanted)
    monkeypatch.setattr(module, "LARGE", 0)
    monkeypatch.setattr(module, "usable_cores", lambda: 2)
    monkeypatch.setattr(composing, "divided", as_much_as_possible_elsewhere)
    with process_beside([tmp_path / "run"]) as pool:
        assert pool is not None
        assert pool.submit(os.getpid).result() != os.getpid()
        assert pool.submit(module._get_ready).result() is None
        shared = compose(found, wanted, pool=pool)
    assert {name.split("/")[0] for name in shared.pictures} == {"bids", "games", "fairness"}
    for picture in shared.pictures.values():
        with pytest.raises(RuntimeError, match="Another process drew this picture"):
            picture.figure()
    assert shared.html() == alone.html()
    assert shared.files() == alone.files()
