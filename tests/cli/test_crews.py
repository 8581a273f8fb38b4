"""The options that say who plays: one of them, the same for every command, and no other numbers."""

import inspect

import pytest
from typer.main import get_command

from spadesim.cli import options
from spadesim.cli.commands import app
from tests.cli.run import complaint, run, without_times

NEW = {"--workers", "--executor", "--dask-local", "--scheduler"}
TO_THREADS = {"equity"}  # a table, no duel


def test_every_command_that_plays_asks_who() -> None:
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        found = NEW & {option for parameter in command.params for option in parameter.opts}
        wanted = {"--workers"} if name in TO_THREADS else NEW if found else set()
        assert found == wanted, name


def test_a_command_that_asks_nobody_stays_as_it_is() -> None:
    def command(workers: options.Threads = None) -> None: ...

    assert options.plays(command) is command
    assert "executor" not in inspect.signature(options.plays(command)).parameters


@pytest.mark.parametrize("line", ["--executor serial", "--executor threads --workers 2", "--workers 1"])
def test_whoever_plays_the_result_is_the_same(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    duel = ("duel", "lowest_card", "lowest_card", "--games", "20", "--json")
    plain, other = run(capsys, *duel), run(capsys, *duel, *line.split())
    assert without_times(other.out) == without_times(plain.out)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--executor process", "Did you mean 'processes'?"),
        (
            "--executor serial --workers 2",
            "serial plays in the main thread alone: leave out --workers.",
        ),
        (
            "--dask-local 2 --workers 2",
            "--dask-local and --workers both say who plays: leave out one",
        ),
        ("--scheduler tcp://h:1 --dask-local 2", "--scheduler and --dask-local both say who plays"),
        ("--scheduler tcp://h:1 --executor threads", "--scheduler and --executor both say who plays"),
        ("--scheduler host:8786", "--scheduler must be an address such as tcp://host:8786, not 'host:8786'."),
        ("--scheduler foo://host:1", "--scheduler must be an address such as tcp://host:8786, not 'foo://"),
        ("--dask-local -3", "workers must be from 1 to 1024, not -3."),
        ("--dask-local 0", "workers must be from 1 to 1024, not 0."),
        ("--executor processes --workers 0", "workers must be from 1 to 1024, not 0."),
    ],
)
def test_who_cannot_play_is_refused(line: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told in complaint(capsys, "duel", "easy", "easy", "--games", "2", *line.split())
