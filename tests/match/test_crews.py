"""Who plays, out of what a user writes."""

import pytest

from spadesim.cores import usable_cores
from spadesim.errors import UserError
from spadesim.match.crews import Workers, close_all, crew_of, is_near
from spadesim.match.duel import duel
from spadesim.match.executors import Serial, Threads
from spadesim.match.processes import Processes


@pytest.mark.parametrize(
    ("text", "kind", "n"),
    [
        (None, Threads, usable_cores()),
        (3, Threads, 3),
        ("threads", Threads, usable_cores()),
        ("threads:5", Threads, 5),
        ("serial", Serial, 1),
        ("processes:2", Processes, 2),
        (Threads(4), Threads, 4),
    ],
)
def test_workers(text: Workers, kind: type, n: int) -> None:
    crew = crew_of(text)
    assert type(crew) is kind
    assert crew.n == n
    assert is_near(text) == crew.is_near


def test_processes_are_kept_for_the_next_run_until_they_are_closed() -> None:
    crew = crew_of("processes:2")
    assert crew_of(" processes:2 ") is crew
    close_all()
    assert crew_of("processes:2") is not crew


@pytest.mark.parametrize(
    ("workers", "told"),
    [
        (0, "workers must be from 1 to 1024, not 0."),
        ("process:2", "Did you mean 'processes'?"),
        ("processes:two", "not 'processes:two'."),
        ("processes:0", "workers must be from 1 to 1024, not 0."),
        ("serial:2", "not 'serial:2'."),
        ("host:8786", "tcp://host:8786"),
        (2.5, "workers must be a whole number, not 2.5."),
    ],
)
def test_what_nobody_can_play_with_is_refused(workers: Workers, told: str) -> None:
    with pytest.raises(UserError) as error:
        duel("easy", "easy", games=2, workers=workers)
    assert told in str(error.value)
