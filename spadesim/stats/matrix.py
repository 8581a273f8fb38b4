"""What pairwise results say of a ranking: who is linked, who is not separated, who goes in circles."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

Pairs = Sequence[tuple[int, int]]
BoolArray = npt.NDArray[np.bool_]


def connected_parts(n: int, pairs: Pairs) -> list[set[int]]:
    """Players 0 to n-1 in sets within which each is linked to each by matches.

    Ratings compare within such a set only.

    >>> connected_parts(4, [(0, 2), (2, 3)])
    [{0, 2, 3}, {1}]
    """
    parts = [{player} for player in range(n)]
    for i, j in pairs:
        one, other = (next(part for part in parts if player in part) for player in (i, j))
        if one is not other:
            one |= other
            parts.remove(other)
    return parts


def groups(separated: BoolArray) -> list[tuple[int, ...]]:
    """The largest sets of players of whom no two are separated, in the order of their first players.

    Parameters
    ----------
    separated : bool array, square and symmetric

    Notes
    -----
    The letters of a "compact letter display": H.-P. Piepho, Journal of Computational and Graphical Statistics
    13 (2004). Each separated pair splits the sets that hold both, and a set within another one is dropped.

    Examples
    --------
    The first is separated from the third, and nobody else from anybody:

    >>> groups(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    [(0, 1), (1, 2)]
    """
    sets = [frozenset(range(len(separated)))]
    for i, j in combinations(range(len(separated)), 2):
        if separated[i, j]:
            split = [part - {k} for part in sets if {i, j} <= part for k in (i, j)]
            sets = _largest([*(part for part in sets if not {i, j} <= part), *split])
    return sorted(tuple(sorted(part)) for part in sets)


def _largest(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """Sets that lie in no other one."""
    found = list(dict.fromkeys(sets))
    return [part for part in found if not any(part < other for other in found)]


def cyclic_triads(beats: BoolArray) -> list[tuple[int, int, int]]:
    """Triples in which the first beats the second, the second the third, and the third the first.

    Parameters
    ----------
    beats : bool array, square
        Only what is sure: an edge of which one does not know the direction makes no circle.

    Examples
    --------
    >>> cyclic_triads(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool))
    [(0, 1, 2)]
    """
    found = []
    for i, j, k in combinations(range(len(beats)), 3):
        for a, b, c in ((i, j, k), (i, k, j)):
            if beats[a, b] and beats[b, c] and beats[c, a]:
                found.append((a, b, c))
    return found


def clear_triads(beats: BoolArray) -> int:
    """How many triples of players have all three of their results sure.

    >>> clear_triads(np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype=bool))
    1
    """
    known = beats | beats.T
    triples = combinations(range(len(beats)), 3)
    return sum(bool(known[i, j] and known[j, k] and known[i, k]) for i, j, k in triples)
