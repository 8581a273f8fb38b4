"""Pages that another process makes: the same report, whoever makes what, and whatever goes wrong there."""

import pickle
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import pytest

from spadesim.analysis import beside as module
from spadesim.analysis import compose as composing
from spadesim.analysis.beside import divided, process_beside
from spadesim.analysis.compose import Wanted, compose
from spadesim.analysis.inputs import read_inputs
from spadesim.match.duel import Keep, play_duel
from spadesim.match.spec import make_spec

pytestmark = pytest.mark.compiled_only


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


@pytest.mark.parametrize(("n_bytes", "cores"), [(100, 1), (99, 2)])
def test_small_runs_and_one_core_have_no_second_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_bytes: int, cores: int
) -> None:
    (tmp_path / "part.parquet").write_bytes(bytes(n_bytes))
    monkeypatch.setattr(module, "LARGE", 100)
    monkeypatch.setattr(module, "usable_cores", lambda: cores)
    with process_beside([tmp_path, "nothing", tmp_path / "part.parquet"]) as pool:
        assert pool is None


class Travelling:
    """Does at once what is submitted, on copies, as another process would have them."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        function, arguments = pickle.loads(pickle.dumps((function, arguments)))
        self.names.append(str(arguments[0]))
        return done(pickle.loads(pickle.dumps(function(*arguments))))


def as_much_as_possible_elsewhere(
    tasks: Sequence[Any], here: Callable[[Any], Any], send: Callable[[Any], Future[Any] | None]
) -> list[Any]:
    """`divided`, one after the other: matplotlib draws in one thread at a time."""
    sent = [send(task) for task in tasks]
    return [
        here(task) if future is None else future.result() for task, future in zip(tasks, sent, strict=True)
    ]


def test_pages_made_elsewhere_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_duel(make_spec("easy", "lowest_card", games=4), keep=Keep(tmp_path / "run"))
    found = read_inputs([tmp_path / "run"])
    wanted = Wanted(("bids", "games", "fairness", "methods"))
    alone = compose(found, wanted)
    pool = Travelling()
    monkeypatch.setattr(composing, "divided", as_much_as_possible_elsewhere)
    shared = compose(found, wanted, pool=cast("Any", pool))
    assert sorted(pool.names) == ["bids", "fairness", "games"]
    assert shared.html() == alone.html()
    assert shared.files() == alone.files()
    with pytest.raises(RuntimeError, match="Another process drew this picture"):
        next(iter(shared.pictures.values())).figure()
