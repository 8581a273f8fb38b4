"""What a position is worth when all cards are seen, which cards keep that, and how the hand goes on."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spadesim.core.cards import popcount
from spadesim.core.position import POSITION, start_game, start_hand
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.core.solve import POINTS, TRICKS
from spadesim.core.solve_play import call, new_found, solve_line, solve_root
from spadesim.core.solve_work import WORK, new_table
from spadesim.core.trick import legal_cards
from spadesim.core.view import PLAYING
from spadesim.errors import UserError, suggest
from spadesim.match.deals import read_deal
from spadesim.match.moment import hand_of
from spadesim.match.replay import stand_at
from spadesim.match.request import replay
from spadesim.match.spec import DEFAULT_SEED, MAX_SEED, MAX_UNITS, check_range
from spadesim.match.standing import Given, check_partners, position_text, read_hands, stand, trick_text
from spadesim.notation import SEATS, card_text

VALUES = ("tricks", "points")
MOST_NODES = 200_000_000
MAX_NODES = 10**12
FEW, SOME = 5, 8  # cards in a hand
TABLE_BITS = (4, 9, 13)


@dataclass(frozen=True)
class Worth:
    """What North and South get after a card: a value between `low` and `high`, which are mostly the same."""

    card: int
    low: int
    high: int


@dataclass(frozen=True)
class Solution:
    """A solved position.

    Parameters
    ----------
    value : str
        ``points``: the points that the whole hand brings North and South, less those of East and West, the
        bag penalties included. ``tricks``: the tricks that North and South win from here on, the one on the
        table included.
    low, high : int
        Bounds of the value; the same when the search has come to its end.
    seat, best : int
        Who is to play, and the best card found.
    cards : tuple of Worth
        Every legal card, best first for the seat that plays it.
    line : tuple of tuple of int
        Seat and card of each play with which everybody keeps the value, to the end of the hand; shorter where
        the search was ended before.
    nodes : int
        Cards played in the search.
    most_nodes : int
        How many it was allowed.
    deal, trick : str
        The cards in the hands, and those on the table.
    rules : str
    """

    value: str
    low: int
    high: int
    seat: int
    best: int
    cards: tuple[Worth, ...]
    line: tuple[tuple[int, int], ...]
    nodes: int
    most_nodes: int
    deal: str
    trick: str
    rules: str

    @property
    def is_exact(self) -> bool:
        """Whether the value and the worth of every card are known."""
        return self.low == self.high and all(worth.low == worth.high for worth in self.cards)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        return {
            "rules": self.rules,
            "deal": self.deal,
            "trick": self.trick,
            "seat": SEATS[self.seat],
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "is_exact": self.is_exact,
            "best": card_text(self.best),
            "cards": [{"card": card_text(w.card), "low": w.low, "high": w.high} for w in self.cards],
            "line": [{"seat": SEATS[seat], "card": card_text(card)} for seat, card in self.line],
            "nodes": self.nodes,
            "most_nodes": self.most_nodes,
        }


def solve(  # noqa: PLR0913 - its parameters are the options of the command
    deal: str | None = None,
    *,
    value: str = "points",
    rules: str | Rules = DEFAULT_PRESET,
    leader: str | int | None = None,
    trick: str = "",
    bids: str | Sequence[int] | None = None,
    tricks: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    broken: bool | None = None,
    seed: int | None = None,
    board: int | None = None,
    bots: tuple[str, str] | None = None,
    trick_no: int | None = None,
    room: int | None = None,
    nodes: int = MOST_NODES,
    notice: Callable[[str], None] | None = None,
) -> Solution:
    """Solve a position in which all four hands are seen.

    Parameters
    ----------
    deal : str, optional
        The cards left, ``N:AK2.J3.. ...`` and so on, or a file that ends in ``.pbn``; or else a `board`.
    value : str
        ``points``, for which the bids must be known, or ``tricks``.
    rules : str or Rules
        Of a table of two pairs.
    leader, trick, bids, tricks, bags, broken
        As `spadesim.match.standing.Given` has them. The leader of a board is who leads its first trick.
    seed, board : int, optional
        Which cards, as in `duel`; of a PBN file, which of its boards.
    bots : tuple of 2 str, optional
        Who has bid, and played to the earlier tricks, on that board.
    trick_no : int, optional
        With `bots`, the trick from 1 before which to solve; 1 if left out.
    room : int, optional
        With `bots`, which room; 0 if left out.
    nodes : int
        Cards to be played in the search at most.
    notice : function of str, optional
        Gets a line before something is compiled.

    Raises
    ------
    UserError
        The position is impossible, or too little of it is told.

    Examples
    --------
    >>> solve("N:A... K... .A.. .K..", value="tricks").low
    1
    """
    if value not in VALUES:
        raise UserError(f"The value is points or tricks, not '{value}'.{suggest(value, VALUES)}")
    check_range("nodes", nodes, 1, MAX_NODES)
    table = rules if isinstance(rules, Rules) else Rules.parse(rules)
    check_partners(table)
    given = Given(leader or 0, trick, bids, tricks, bags, broken)
    if bots is not None:
        if deal is not None or any(x is not None for x in (leader, bids, tricks, broken)) or trick:
            raise UserError("Bots bid and play a board by themselves: leave out its cards, bids and tricks.")
        seed = DEFAULT_SEED if seed is None else seed
        position = _replayed(bots, table, seed, board or 0, room or 0, trick_no or 1, bags, notice)
    elif trick_no is not None:
        raise UserError("Which trick is to be solved can only be said with bots, who play the ones before.")
    elif room is not None:
        raise UserError("A room can only be said with bots, who play a board in two of them.")
    elif deal is None:
        position = _dealt(given, leader, table, seed, board, value == "points")
    elif seed is not None:
        raise UserError("Given cards are not dealt by a seed: leave out one of the two.")
    else:
        position = stand(_hands(deal, board, table), given, table, value == "points")
    return solve_position(position, value, table, nodes)


def solve_position(position: Any, value: str, rules: Rules, nodes: int = MOST_NODES) -> Solution:
    """Solve a record ``POSITION`` in which a card is to be played; parameters and answer as `solve`."""
    hands = [int(hand) for hand in position["hands"]]
    size = max(int(popcount(hand)) for hand in hands)
    positions, works = np.zeros(1, POSITION), np.zeros(1, WORK)
    positions[0] = position
    memory = new_table(TABLE_BITS[(size > FEW) + (size > SOME)])
    seat = int(position["turn"])
    legal = int(
        legal_cards(position["rules"], hands[seat], int(position["led_suit"]), int(position["broken"]))
    )
    found, line = new_found(), np.zeros((52, 2), np.int64)
    call(solve_root, works, memory, positions, POINTS if value == "points" else TRICKS, nodes, found)
    low, high, best = (int(x) for x in found[0])
    sign = -1 if seat % 2 else 1
    worths = [Worth(int(row[2]), int(row[0]), int(row[1])) for row in found[1 : 1 + legal.bit_count()]]
    worths.sort(key=lambda worth: (-sign * (worth.low + worth.high), worth.card))
    n = int(call(solve_line, works, memory, low, line)) if low == high else 0
    is_known = all(worth.low == worth.high for worth in worths)
    if best < 0 or is_known:
        best = worths[0].card
    return Solution(
        value, low, high, seat, best, tuple(worths), tuple((int(s), int(c)) for s, c in line[:n]),
        int(works[0]["n_nodes"]), nodes, position_text(position), trick_text(position), str(rules),
    )  # fmt: skip


def _hands(deal: str, board: int | None, rules: Rules) -> list[int]:
    if deal.strip().lower().endswith(".pbn"):
        return list(read_deal(deal, board, None, rules)[0].hands)
    if board is not None:
        raise UserError("Given cards are no board: leave out one of the two.")
    return read_hands(deal)


def _dealt(
    given: Given, leader: str | int | None, rules: Rules, seed: int | None, board: int | None, is_points: bool
) -> Any:
    """A board of a seed before its first card."""
    seed = DEFAULT_SEED if seed is None else seed
    if board is None:
        raise UserError('Say what to solve: cards, such as "N:AK2.J3.. ...", a .pbn file, or a board.')
    check_range("board", board, 0, MAX_UNITS)
    check_range("seed", seed, 0, MAX_SEED)
    tables = np.zeros(1, POSITION)
    position = tables[0]
    position["rules"], position["n_players"] = rules.record(), rules.players
    start_game(position, seed, board)
    start_hand(position)
    first = int(position["first_bidder"]) if leader is None else leader
    hands = [int(hand) for hand in position["dealt"]]
    return stand(hands, replace(given, leader=first), rules, is_points)


def _replayed(
    bots: tuple[str, str], rules: Rules, seed: int, board: int, room: int, trick_no: int,
    bags: str | Sequence[int] | None, notice: Callable[[str], None] | None,
) -> Any:  # fmt: skip
    """A board as two bots have bid and played it, before one of its tricks."""
    check_range("trick", trick_no, 1, rules.hand_size)
    played = replay(*bots, board=board, rules=rules, seed=seed, bags=bags, notice=notice)
    check_range("room", room, 0, len(played.rooms) - 1)
    hand = hand_of(played, room, 0)
    decisions = hand.decisions()
    n = next(
        (k for k, made in enumerate(decisions) if made.phase == PLAYING and made.number == trick_no - 1),
        len(decisions),
    )
    if n == len(decisions):
        raise UserError(f"This hand was not played as far as trick {trick_no}.")
    return stand_at(played, room, hand, n)[0]
