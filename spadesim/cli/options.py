"""Options that several commands have."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from spadesim.errors import UserError, suggest
from spadesim.reading import share, whole_number

EXECUTORS = ("threads", "processes", "serial")


def whole(text: str) -> int:
    """A whole number out of an option's text; ``100_000`` and ``100,000`` are one.

    >>> whole("100,000")
    100000
    """
    try:
        return whole_number(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not a whole number.") from None


def fraction(text: str) -> float:
    """A number between 0 and 1 out of an option's text; ``5%`` is ``0.05``.

    >>> fraction("5%"), fraction("0.1")
    (0.05, 0.1)
    """
    try:
        return share(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not a number.") from None


Sprt = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="TEST",
        help="End as soon as a sequential test has decided: gain (is A better?), nonregression (is A no "
        "worse?), or two values LO,HI, of boards in percentage points of win chance a board (or points), "
        "of games in normalised Elo, or with elo or % behind. --boards or --games are the most to be "
        "played then.",
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        "--alpha",
        metavar="E",
        parser=fraction,
        help="Chance to find a gain, or two bots alike, where there is none; 0.05 if left out.",
    ),
]
Beta = Annotated[
    float | None,
    typer.Option(
        "--beta", metavar="E", parser=fraction, help="Chance to miss what there is; 0.05 if left out."
    ),
]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", parser=whole, help="Which deals; 1 if left out.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        parser=whole,
        help="Threads (or processes); all cores unless given. Never changes a result.",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        parser=whole,
        help="Threads; all cores unless given. Never changes a result.",
    ),
]
Executor = Annotated[
    str | None,
    typer.Option(
        "--executor",
        metavar="KIND",
        help="Who plays: threads, processes, or serial, the main thread alone; threads if left out.",
    ),
]
DaskLocal = Annotated[
    int | None,
    typer.Option(
        "--dask-local",
        metavar="N",
        parser=whole,
        help="Play in N processes of a Dask cluster on this machine.",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Play on the workers of this Dask scheduler, such as tcp://host:8786.",
    ),
]
Chunk = Annotated[
    int | None,
    typer.Option(
        "--chunk",
        metavar="N",
        parser=whole,
        help="Pairs or boards a worker takes at a time. Never changes a result.",
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print the one sentence only, without progress or notes.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
RulesText = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="RULES",
        help="A preset, changes to it (pata:target=300), or a TOML file.",
    ),
]
Scores = Annotated[
    str | None,
    typer.Option(
        "--scores",
        metavar="X,Y",
        help="Scores before each board, for the sides at seats 0 and 2, and 1 and 3, or for each single "
        "player; as they occur in games if left out.",
    ),
]
Bags = Annotated[str | None, typer.Option("--bags", metavar="X,Y", help="Bags before each board, likewise.")]
HandCap = Annotated[
    int | None,
    typer.Option(
        "--hand-cap",
        metavar="N",
        parser=whole,
        help="Hands after which a game is given up as unfinished; 1000 if left out.",
    ),
]


def plays(command: Callable[..., None]) -> Callable[..., None]:
    """A command that has `workers`, with all options that say who plays; it gets them as one `workers`.

    Parameters
    ----------
    command : function
        It stays as it is unless one of its parameters is ``workers: Workers``, which it hands on to whoever
        plays.
    """
    signature = inspect.signature(command, eval_str=True)
    if "workers" not in signature.parameters or signature.parameters["workers"].annotation != Workers:
        return command

    @functools.wraps(command)
    def with_crew(
        *,
        workers: int | None = None,
        executor: str | None = None,
        dask_local: int | None = None,
        scheduler: str | None = None,
        **given: Any,
    ) -> None:
        command(workers=who_plays(workers, executor, dask_local, scheduler), **given)

    added = {"executor": Executor, "dask_local": DaskLocal, "scheduler": Scheduler}
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        parameters.append(parameter)
        if parameter.name == "workers":
            parameters += [parameter.replace(name=name, annotation=kind) for name, kind in added.items()]
    told: Any = with_crew
    told.__signature__ = signature.replace(parameters=parameters)
    told.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    del told.__wrapped__
    return with_crew


def who_plays(
    workers: int | None, executor: str | None, dask_local: int | None, scheduler: str | None
) -> int | str | None:
    """Who plays, as `spadesim.match.crews.crew_of` takes it.

    Raises
    ------
    UserError
        Two of the options contradict each other.

    Examples
    --------
    >>> who_plays(4, None, None, None), who_plays(4, "processes", None, None), who_plays(None, None, 2, None)
    (4, 'processes:4', 'dask:2')
    """
    if executor is not None and executor not in EXECUTORS:
        known = ", ".join(EXECUTORS)
        raise UserError(f"--executor must be one of {known}, not '{executor}'.{suggest(executor, EXECUTORS)}")
    given = {"--scheduler": scheduler, "--dask-local": dask_local, "--executor": executor}
    given |= {"--workers": workers}
    names = [name for name, value in given.items() if value is not None]
    if len(names) > 1 and names != ["--executor", "--workers"]:
        raise UserError(f"{names[0]} and {names[1]} both say who plays: leave out one of them.")
    if scheduler is not None:
        from spadesim.match.crews import ADDRESS

        if not ADDRESS.fullmatch(scheduler.strip()):
            raise UserError(f"--scheduler must be an address such as tcp://host:8786, not '{scheduler}'.")
        return scheduler
    if dask_local is not None:
        return f"dask:{dask_local}"
    if executor == "serial" and workers not in {None, 1}:
        raise UserError("--executor serial plays in the main thread alone: leave out --workers.")
    if executor is None or executor == "serial":
        return executor or workers
    return executor if workers is None else f"{executor}:{workers}"
