"""A table standing as a situation says, many times over: what it leaves open is dealt anew each time."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.position import apply_card
from spadesim.core.redeal import redeal
from spadesim.core.rules import Rules
from spadesim.core.trick import legal_cards
from spadesim.core.view import VIEW, new_view
from spadesim.notation import mask_of
from spadesim.rulebook.drawing import play_draw
from spadesim.rulebook.examples import Example
from spadesim.rulebook.fields import NOT_MADE
from spadesim.rulebook.given import SEED, by_four, engine, enter_bid, first_dealer_for
from spadesim.rulebook.neutral import Tricks, neutral_tricks
from spadesim.strategy.ask import Views

N_DEALS = 40


@dataclass(frozen=True)
class Situation:
    """A decision: who decides, and all that is known there.

    Parameters
    ----------
    rules : Rules
    seat : int
    hand : int
        Mask of the seat's cards.
    bids, scores, bags : list of int
        Bids by seat, -1 for one not made; the others by side.
    is_bidding : bool
    first_bidder : int
        -1 when it is open.
    leader : int
    trick : list of int
        Cards of this trick in order.
    trick_no : int
        From 1.
    played : list of (leader, cards), or None when the earlier tricks are open
    tricks_won : list of int
    broken : bool
    discards : int
        Mask of the discards that the seat has seen at a draw table.
    blind : list of int
        Seats that have declared a blind nil before they drew.
    asked : int
        `KEEPING`, `DECLARING` or `EXCHANGING` for a decision before the bidding, otherwise -1.
    offered : int
        The card of the stock to keep or not, -1 for none.
    """

    rules: Rules
    seat: int
    hand: int
    bids: list[int]
    scores: list[int]
    bags: list[int]
    is_bidding: bool
    first_bidder: int
    leader: int = 0
    trick: list[int] = field(default_factory=list)
    trick_no: int = 1
    played: Tricks | None = None
    tricks_won: list[int] = field(default_factory=list)
    broken: bool = False
    discards: int = 0
    blind: list[int] = field(default_factory=list)
    asked: int = -1
    offered: int = -1


@cache
def _empty_table(rules: Rules) -> Any:
    return engine.new_position(rules)


@jit
def play_cards(position: Any, cards: Any) -> None:
    """Play cards one after the other, as whoever is in turn."""
    for card in cards:
        apply_card(position, card)


def seated(now: Situation, number: int, tricks: Tricks) -> Any:
    """A table at which everybody has bid so far, each seat holding the cards that it is known to play."""
    n = now.rules.players
    hands = by_four([])
    hands[now.seat] = now.hand
    shown = [*tricks, (now.leader, now.trick)] if now.asked < 0 else []
    for leader, trick in shown:
        for place, card in enumerate(trick):
            hands[(leader + place) % n] |= 1 << card
    position = _empty_table(now.rules).copy()
    engine.start_game(position, SEED, number)
    position["scores"], position["bags"] = by_four(now.scores), by_four(now.bags)
    first = tricks[0][0] if tricks else now.first_bidder if now.first_bidder >= 0 else number % n
    position["dealer"] = first_dealer_for(now.rules, first)
    if now.rules.deal == "draw_keep":
        play_draw(position, now.seat, hands, now.discards, now.blind, number, now.asked, now.offered)
        if now.asked < 0:
            position["hands"] = hands
    else:
        engine.deal_hands(position, hands)
    if now.asked >= 0:
        return position
    for k in range(n):
        bid = now.bids[(first + k) % n]
        if bid != NOT_MADE:
            enter_bid(position, bid)
    return position


def views(example: Example, now: Situation, n: int | None = None) -> Views:
    """What the seat sees, with what the example leaves open dealt anew in each of `n` or `N_DEALS` views.

    Raises
    ------
    Mistake
        The cards that are left cannot lie anywhere.
    """
    found = np.zeros(n or N_DEALS, VIEW)
    for number in range(len(found)):
        tricks = _earlier(now, number) if now.played is None else now.played
        position = seated(now, number, tricks)
        if not now.is_bidding and now.asked < 0:
            play_cards(position, np.array([card for _, trick in tricks for card in trick], dtype=np.int64))
            if now.played is None:
                position["voids"] = 0
                position["broken"] = now.broken
            play_cards(position, np.array(now.trick, dtype=np.int64))
        found[number] = _seen(example, now, position, number)
    return found


def _seen(example: Example, now: Situation, position: Any, number: int) -> Any:
    """The view of the seat, after the cards that it cannot see have been dealt out."""
    seat, view, hands = now.seat, new_view(), by_four([])
    if now.asked >= 0:
        engine.advance(position)
    elif now.is_bidding:
        position["legal"] = engine.legal_bids(position)
    else:
        led = int(position["led_suit"])
        position["legal"] = legal_cards(position["rules"], now.hand, led, int(position["broken"]))
    engine.fill_view(position, seat, view)
    try:
        redeal(view, SEED, number, hands)
    except ValueError:
        raise example.mistake(
            "given.played",
            "the cards that are left cannot be dealt so that everybody has played by the rules.",
        ) from None
    position["hands"] = hands
    position["serial"] += 1
    engine.fill_view(position, seat, view)
    view["serial"] = 0  # as in play, no bot may see it
    return view


def _earlier(now: Situation, number: int) -> Tricks:
    if now.is_bidding or now.trick_no == 1:
        return []
    pool = int(_empty_table(now.rules)["rules"]["deck"]) & ~now.hand & ~mask_of(now.trick) & ~now.discards
    return neutral_tricks(pool, now.tricks_won, now.leader, now.broken, number)
