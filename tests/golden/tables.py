"""Games as the engine and as the oracle record them."""

from typing import Any

from spadesim.core.rules import Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, HAND_OVER, KEEPING, is_legal
from spadesim.selftest.agreement import numbers_of
from spadesim.selftest.before import Before
from spadesim.selftest.oracle import Game, Hand, leading_play, whole_pack
from tests.core.table import engine, name_of, names_of, number_of
from tests.golden.diagram import SEATS, Deal, side_names

Choices = list[tuple[list[str], list[int], list[str]]]
Exchanges = list[tuple[int, list[str], list[str]]]

GIVE = "give:"


def ints(values: Any) -> list[int]:
    return [int(value) for value in values]


def deal_of(position: Any, dealer: int, stock: list[str], answers: list[str], exchanges: Exchanges) -> Deal:
    """Return a finished hand at the engine's table, its points entered."""
    n, n_sides, size = (int(position.rules[name]) for name in ("players", "n_sides", "hand_size"))
    first = int(position.first_bidder)
    history = [name_of(int(card)) for card in position.history[: n * size]]
    return Deal(
        dealer=dealer,
        hands=[names_of(hand) for hand in position.dealt[:n]],
        bids=[((first + k) % n, int(position.bids[(first + k) % n])) for k in range(n)],
        tricks=[
            (int(position.leaders[k]), history[n * k : n * k + n], int(position.winners[k]))
            for k in range(size)
        ],
        contracts=ints(position.contracts[:n_sides]),
        points=ints(position.points[:n_sides]),
        new_bags=ints(position.hand_bags[:n_sides]),
        scores=ints(position.scores[:n_sides]),
        bags=ints(position.bags[:n_sides]),
        stock=stock,
        answers=answers,
        exchanges=exchanges,
    )


def end_text(rules: Rules, result: int) -> str:
    """Return how a game ended in words."""
    names = SEATS[:2] if rules.players == 2 else side_names(rules.n_sides)
    won = "win" if rules.teams == "partners" else "wins"
    return {GOES_ON: "The game goes on", DRAW: "A draw"}.get(result, f"{names[result % len(names)]} {won}")


def word_of(phase: int, choice: int) -> str:
    """Return an answer before the bidding as a word."""
    if phase == EXCHANGING:
        return GIVE + ",".join(names_of(choice))
    return {DECLARING: ("no", "blind"), KEEPING: ("P", "K")}[phase][choice]


def choice_of(phase: int, word: str) -> int:
    """Return the answer that a word stands for."""
    if phase == EXCHANGING:
        return numbers_of([card for card in word.removeprefix(GIVE).split(",") if card])
    return {DECLARING: ("no", "blind"), KEEPING: ("P", "K")}[phase].index(word)


def answer_before(position: Any, words: list[str]) -> Exchanges:
    """Give the answers before the bidding at the engine's table; the exchanges among them come back."""
    exchanges: Exchanges = []
    for word in words:
        phase, seat = engine.advance(position), int(position.turn)
        held, choice = int(position.hands[seat]), choice_of(phase, word)
        assert is_legal(position, choice)
        engine.apply(position, choice)
        if phase == EXCHANGING:
            drawn = int(position.hands[seat]) & ~(held & ~choice)
            exchanges.append((seat, names_of(choice), names_of(drawn)))
    return exchanges


def stock_of(position: Any) -> list[str]:
    """Return the stock of a hand that has begun with a draw, else nothing."""
    return (
        [name_of(int(card)) for card in position.deck[:52]] if position.phase in (KEEPING, DECLARING) else []
    )


def replay(rules: Rules, seed: int, number: int, choices: Choices) -> tuple[list[Deal], str]:
    """Return the game at the engine's table, dealt by seed and number, with given answers, bids and cards.

    Forced bids and cards are among them.
    """
    position = engine.new_position(rules)
    engine.start_game(position, seed, number)
    deals, result = [], GOES_ON
    for answers, bids, cards in choices:
        assert result == GOES_ON
        engine.start_hand(position)
        stock = stock_of(position)
        exchanges = answer_before(position, answers)
        assert position.phase == BIDDING
        for bid in bids:
            assert engine.legal_bids(position) >> bid & 1
            engine.apply(position, bid)
        while engine.advance(position) != HAND_OVER:
            card = number_of(cards[int(position.n_history)])
            assert position.legal >> card & 1
            engine.apply(position, card)
        dealer = int(position.dealer)
        result = int(engine.end_hand(position))
        deals.append(deal_of(position, dealer, stock, answers, exchanges))
    return deals, end_text(rules, result)


def answer_slowly(before: Before, words: list[str], exchanges: Exchanges) -> Exchanges:
    """Give the answers before the bidding at the oracle's table; what it has as the exchanges comes back."""
    left = list(exchanges)
    for word in words:
        if word.startswith(GIVE):
            _, given, drawn = left.pop(0)
            before.exchange(given, drawn)
        else:
            before.answer(word in ("K", "blind"))
    return [(each.seat, list(each.given), list(each.drawn)) for each in before.all_to("exchange")]


def replay_slowly(rules: Rules, start: int, deals: list[Deal], choices: Choices) -> tuple[list[Deal], str]:
    """Return the same game at the oracle's table: cards from `deals`, answers from `choices`."""
    game, end, found = Game(rules, start), "goes on", []
    for deal, (answers, bids, cards) in zip(deals, choices, strict=True):
        assert end == "goes on"
        dealer = game.dealer()
        hand = game.new_hand(deal.stock or deal.hands)
        exchanges = answer_slowly(hand.before, answers, deal.exchanges)
        for bid in bids:
            hand.bid(bid)
        for card in cards:
            hand.play(card)
        results = game.results(hand)
        end = game.enter(hand)
        pack = whole_pack(rules)
        found.append(
            Deal(
                dealer=dealer,
                hands=[sorted(cards, key=pack.index) for cards in hand.dealt],
                bids=hand.bids,
                tricks=tricks_of(hand),
                contracts=[result.contract for result in results],
                points=[result.points for result in results],
                new_bags=[result.new_bags for result in results],
                scores=list(game.scores),
                bags=list(game.bags),
                stock=deal.stock,
                answers=answers,
                exchanges=exchanges,
            )
        )
    result = {"goes on": GOES_ON, "draw": DRAW}.get(end, -1) if not end.isdigit() else int(end)
    return found, end_text(rules, result)


def tricks_of(hand: Hand) -> list[tuple[int, list[str], int]]:
    """Return leader, cards and winner of every trick."""
    return [
        (trick[0][0], [card for _, card in trick], leading_play(trick)[0]) for trick in hand.full_tricks()
    ]
