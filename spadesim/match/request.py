"""A replay by plain words: which bots, which board, game or given deal."""

from collections.abc import Sequence
from typing import Any

from spadesim.core.batch import HAND_CAP
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.match import replay as engine
from spadesim.match.deals import read_deal
from spadesim.match.duel import Notice, load
from spadesim.match.record import Replay
from spadesim.match.run import prepare_engine
from spadesim.match.spec import DEFAULT_SEED, MAX_UNITS, check_range, make_spec, rooms_of


def replay(  # noqa: PLR0913 - its parameters are the options of the command
    a: str,
    b: str,
    *,
    board: int | None = None,
    game: int | None = None,
    deal: str | None = None,
    dealer: str | int | None = None,
    rules: str | Rules = DEFAULT_PRESET,
    seed: int = DEFAULT_SEED,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    hand_cap: int = HAND_CAP,
    notice: Notice | None = None,
) -> Replay:
    """Play a board, a set of games or a given deal in every room, and tell all that happened.

    Parameters
    ----------
    a, b, rules, seed, scores, bags, hand_cap, notice
        As for `duel`.
    board : int, optional
        Number of a board, from 0, as in ``duel --boards``; 0 when no game or deal is asked for either. With
        a PBN file, which of its boards. Bots that draw lots draw them by this number and the seed.
    game : int, optional
        Number of a pair (or set) of games, from 0, as ``duel --first`` counts them and its messages name
        them.
    deal : str, optional
        Given cards for every room: ``N:AKQ2.J3...`` and so on, or a file that ends in ``.pbn``. At a draw
        table the 52 cards of the stock, the top one first: ``AS 7D 2C ...``.
    dealer : str or int, optional
        Who deals these, or draws first, North if left out: a seat's letter or number.

    Raises
    ------
    UserError
        What was asked for cannot be played. A bot that breaks the contract is no error here: `Room.fault`
        of the result says how.

    Examples
    --------
    >>> played = replay("easy", "hard", board=3)
    >>> len(played.rooms[0].hands[0].tricks)
    13
    """
    _check(board, game, deal, dealer)
    rules = Rules.parse(rules) if isinstance(rules, str) else rules
    kind: dict[str, Any] = {"games": rooms_of(rules)} if game is not None else {"boards": 1}
    first = game or board or 0
    spec = make_spec(
        a, b, rules=rules, scores=scores, bags=bags, seed=seed, hand_cap=hand_cap, first=first, **kind
    )
    given, unit = (None, spec.first) if deal is None else read_deal(deal, board, dealer, rules)
    sides = (load(spec.a, notice), load(spec.b, notice))
    prepare_engine(notice)
    return engine.replay(spec, unit, deal=given, sides=sides)


def _check(board: int | None, game: int | None, deal: str | None, dealer: str | int | None) -> None:
    if game is not None and (board is not None or deal is not None):
        other = "board" if board is not None else "deal"
        raise UserError(f"game and {other} exclude each other: give one of them.")
    if dealer is not None and deal is None:
        raise UserError("dealer goes with a given deal; boards and games have theirs. Leave it out.")
    for name, number in (("board", board), ("game", game)):
        if number is not None:
            check_range(name, number, 0, MAX_UNITS)
