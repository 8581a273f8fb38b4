"""What the engine left on a table, read into records: how a hand began, what was decided, what came of it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from spadesim.core.rules import DEAL_DRAW
from spadesim.core.view import BIDDING, EXCHANGING, PLAYING
from spadesim.match.record import Choice, Decision, Exchange, Hand, Score, Trick

N_STOCK = 52
STEP = 6  # phase, number, seat, choice, whether it was forced, card: the columns of a step


class Opening(NamedTuple):
    """How a table stands before a hand: the hand's number, the dealer, scores and bags by side."""

    number: int
    dealer: int
    scores: tuple[int, ...]
    bags: tuple[int, ...]


def read_opening(position: Any) -> Opening:
    """How a table stands between two hands."""
    n_sides = int(position["rules"]["n_sides"])
    scores, bags = (tuple(position[name][:n_sides].tolist()) for name in ("scores", "bags"))
    return Opening(int(position["hand_no"]), int(position["dealer"]), scores, bags)


def read_hand(position: Any, opening: Opening, steps: list[list[int]], is_over: bool) -> Hand:
    """The record of the hand that a table holds.

    Parameters
    ----------
    position : POSITION record
    opening : Opening
        How it stood before.
    steps : list of lists of `STEP` int
        Every choice in order; the card of a step is what was offered, or a mask of what an exchange brought.
    is_over : bool
        Whether the hand is finished, and entered.
    """
    rules, n_players = position["rules"], int(position["n_players"])
    decisions = [_decision(*step) for step in steps]
    draws = int(rules["deal"]) == DEAL_DRAW
    has_bidding = int(position["phase"]) in (BIDDING, PLAYING) or is_over
    cards = position["dealt" if has_bidding or not draws else "hands"][:n_players]
    plays = [step.made for step in decisions if step.phase == PLAYING]
    return Hand(
        number=opening.number,
        dealer=opening.dealer,
        first_bidder=int(position["first_bidder"]),
        dealt=tuple(cards.tolist()),
        bids=tuple(step.made for step in decisions if step.phase == BIDDING),
        tricks=tuple(_tricks(position, plays, n_players)),
        scores=opening.scores,
        bags=opening.bags,
        results=tuple(_score(position, side) for side in range(int(rules["n_sides"]))) if is_over else None,
        stock=tuple(position["deck"][:N_STOCK].tolist()) if draws else (),
        prelude=tuple(step for step in decisions if step.phase not in (BIDDING, PLAYING)),
        exchanges=tuple(
            Exchange(seat, given, received)
            for phase, _, seat, given, _, received in steps
            if phase == EXCHANGING
        ),
        sees_second=bool(rules["draw_second_seen"]),
    )


def _decision(phase: int, number: int, seat: int, choice: int, is_forced: int, card: int) -> Decision:
    made = Choice(seat, choice, is_forced == 1)
    return Decision(phase, number, made) if phase == EXCHANGING else Decision(phase, number, made, card)


def _tricks(position: Any, plays: list[Choice], n_players: int) -> Iterator[Trick]:
    leaders, winners = (position[name].tolist() for name in ("leaders", "winners"))
    n_finished = int(position["trick_no"])
    for number, start in enumerate(range(0, len(plays), n_players)):
        winner = winners[number] if number < n_finished else None
        yield Trick(leaders[number], tuple(plays[start : start + n_players]), winner)


def _score(position: Any, side: int) -> Score:
    n_sides, n_players = int(position["rules"]["n_sides"]), int(position["n_players"])
    names = ("points", "hand_bags", "sets", "bostons", "periods", "scores", "bags", "contracts")
    points, new_bags, is_set, is_boston, periods, score, bags, contract = (
        int(position[name][side]) for name in names
    )
    won = sum(position["tricks"][side:n_players:n_sides].tolist())
    return Score(contract, won, points, new_bags, bool(is_set), bool(is_boston), periods, score, bags)
