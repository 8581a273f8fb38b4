"""What a strategy says of itself: the parts of its docstring."""

import re
from dataclasses import dataclass

DOSSIER = ("Bids", "Plays", "Origin", "Weakness")


@dataclass(frozen=True)
class Dossier:
    """What a strategy's docstring says of it; "" where it says nothing.

    Parameters
    ----------
    summary : str
        Its first line.
    sections : dict of str to str
        The text under each of `DOSSIER`.
    """

    summary: str
    sections: dict[str, str]


def dossier(doc: str) -> Dossier:
    """The parts of a strategy's docstring: its first line, and what follows ``Bids:`` and so on.

    >>> dossier('''Counts aces.
    ...
    ... Bids: one for each ace.
    ... Plays: low.''').sections["Bids"]
    'one for each ace.'
    """
    summary, _, rest = doc.strip().partition("\n")
    heads = re.split(rf"^\s*\**({'|'.join(DOSSIER)}):?\**:?", rest, flags=re.MULTILINE)
    sections = {name: "" for name in DOSSIER}
    for name, text in zip(heads[1::2], heads[2::2], strict=True):
        sections[name] = " ".join(text.split())
    return Dossier(summary.strip(), sections)
