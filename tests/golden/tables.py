"""Games as the engine and as the oracle record them."""

from typing import Any

from spadesim.core.rules import Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.view import HAND_OVER
from spadesim.selftest.oracle import Game, Hand, leading_play
from tests.core.table import engine, name_of, names_of, number_of
from tests.golden.diagram import SIDES, Deal

Choices = list[tuple[list[int], list[str]]]


def ints(values: Any) -> list[int]:
    return [int(value) for value in values]


def deal_of(position: Any, dealer: int) -> Deal:
    """Return a finished hand at the engine's table, its points entered."""
    first = int(position.first_bidder)
    history = [name_of(int(card)) for card in position.history[:52]]
    return Deal(
        dealer=dealer,
        hands=[names_of(hand) for hand in position.dealt],
        bids=[((first + k) % 4, int(position.bids[(first + k) % 4])) for k in range(4)],
        tricks=[
            (int(position.leaders[k]), history[4 * k : 4 * k + 4], int(position.winners[k]))
            for k in range(13)
        ],
        contracts=ints(position.contracts[:2]),
        points=ints(position.points[:2]),
        new_bags=ints(position.hand_bags[:2]),
        scores=ints(position.scores[:2]),
        bags=ints(position.bags[:2]),
    )


def end_text(result: int) -> str:
    """Return how a game ended in words."""
    return {GOES_ON: "The game goes on", DRAW: "A draw"}.get(result, f"{SIDES[result % 2]} win")


def replay(rules: Rules, seed: int, number: int, choices: Choices) -> tuple[list[Deal], str]:
    """Return the game at the engine's table, dealt by seed and number, with the given bids and cards.

    Forced cards are among the given ones.
    """
    position = engine.new_position(rules)
    engine.start_game(position, seed, number)
    deals, result = [], GOES_ON
    for bids, cards in choices:
        assert result == GOES_ON
        engine.start_hand(position)
        for bid in bids:
            assert engine.legal_bids(position) >> bid & 1
            engine.apply(position, bid)
        while engine.advance(position) != HAND_OVER:
            card = number_of(cards[int(position.n_history)])
            assert position.legal >> card & 1
            engine.apply(position, card)
        dealer = int(position.dealer)
        result = int(engine.end_hand(position))
        deals.append(deal_of(position, dealer))
    return deals, end_text(result)


def replay_slowly(rules: Rules, start: int, deals: list[Deal], choices: Choices) -> tuple[list[Deal], str]:
    """Return the same game at the oracle's table; hands come from `deals`, bids and cards from `choices`."""
    game, end, found = Game(rules, start), "goes on", []
    for deal, (bids, cards) in zip(deals, choices, strict=True):
        assert end == "goes on"
        dealer = (start + game.n_hands) % 4
        hand = game.new_hand(deal.hands)
        for bid in bids:
            hand.bid(bid)
        for card in cards:
            hand.play(card)
        results = game.results(hand)
        end = game.enter(hand)
        found.append(
            Deal(
                dealer=dealer,
                hands=deal.hands,
                bids=hand.bids,
                tricks=tricks_of(hand),
                contracts=[result.contract for result in results],
                points=[result.points for result in results],
                new_bags=[result.new_bags for result in results],
                scores=list(game.scores),
                bags=list(game.bags),
            )
        )
    return found, end_text({"goes on": GOES_ON, "draw": DRAW}.get(end, -1) if not end.isdigit() else int(end))


def tricks_of(hand: Hand) -> list[tuple[int, list[str], int]]:
    """Return leader, cards and winner of every trick."""
    return [
        (trick[0][0], [card for _, card in trick], leading_play(trick)[0]) for trick in hand.full_tricks()
    ]
