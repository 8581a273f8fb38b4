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


def fraction(text: str) -> float:
    """A number between 0 and 1 out of an option's text; ``5%`` is ``0.05``.

    >>> fraction("5%"), fraction("0.1")
    (0.05, 0.1)
    """
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
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
