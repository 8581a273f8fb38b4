"""Options that several commands have."""

from typing import Annotated

import typer


def whole(text: str) -> int:
    """A whole number out of an option's text; ``100_000`` and ``100,000`` are one.

    >>> whole("100,000")
    100000
    """
    try:
        return int(text.replace(",", ""))
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not a whole number.") from None


Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", parser=whole, help="Which deals; 1 if left out.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        parser=whole,
        help="Threads; all cores unless given. Never changes a result.",
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
        "player.",
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
