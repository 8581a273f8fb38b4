"""The compiled engine beside the oracle: the same random choices at both, compared at every step."""

# mypy: allow-untyped-calls

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from spadesim.core.position import (
    advance,
    apply,
    end_hand,
    fill_view,
    new_position,
    start_game,
    start_hand,
)
from spadesim.core.rules import Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.view import (
    BIDDING,
    DECLARING,
    EXCHANGING,
    HAND_OVER,
    KEEPING,
    NOT_YET,
    PLAYING,
    VIEW,
    is_legal,
)
from spadesim.notation import SUITS, card_text, mask_of, parse_card
from spadesim.selftest.oracle import Game, Hand, leading_play, sides, tricks_in_a_hand, whole_pack

MAX_HANDS = 4  # of a game that goes on and on
VIEWED = 0.06  # of the decisions, one seat's view is compared
BLIND = 0.4  # of the offers of a blind nil are taken

PHASES = {
    "bid": BIDDING,
    "card": PLAYING,
    "keep": KEEPING,
    "blind": DECLARING,
    "exchange": EXCHANGING,
    "": HAND_OVER,
}


class OracleError(Exception):
    """Engine and oracle say different things; the text says what about."""


def same(what: str, engine: Any, oracle: Any) -> None:
    """Refuse a difference.

    Raises
    ------
    OracleError
    """
    if engine != oracle:
        raise OracleError(f"{what}: the engine has {engine}, the oracle {oracle}")


def bits(mask: int) -> list[int]:
    """Return the places of a mask's bits, ascending.

    >>> bits(0b1010)
    [1, 3]
    """
    number = int(mask)
    return [k for k in range(63) if number >> k & 1]


def names_of(mask: int) -> list[str]:
    """Return the names of the cards in a mask, ascending."""
    return [card_text(card) for card in bits(mask)]


def new_table(rules: Rules, seed: int = 1, index: int = 0) -> Any:
    """Return a table at which a game has been begun."""
    position = new_position(rules)
    start_game(position, seed, index)
    return position


def numbers_of(cards: list[str] | tuple[str, ...]) -> int:
    """Return the mask of named cards."""
    return mask_of([parse_card(card) for card in cards])


def random_bid(legal: int, random: np.random.Generator) -> int:
    """Return a legal bid: often one that might be made, sometimes nil, sometimes any."""
    choices = bits(legal)
    draw = random.random()
    if draw < 0.15:
        return choices[0]
    if draw < 0.25:
        return int(random.choice(choices))
    return int(random.choice([bid for bid in choices if bid <= 5] or choices))


def random_cards(position: Any, random: np.random.Generator, at_most: int) -> int:
    """Return a mask of some cards that the seat in turn holds."""
    n = int(random.integers(at_most + 1))
    return mask_of([int(card) for card in random.permutation(bits(position.legal))[:n]])


def random_choice(position: Any, random: np.random.Generator) -> int:
    """Return a random legal choice of the seat in turn."""
    if position.phase == BIDDING:
        return random_bid(position.legal, random)
    if position.phase == DECLARING:
        return int(random.random() < BLIND)
    if position.phase == EXCHANGING:
        return random_cards(position, random, int(position.rules.blind_nil_exchange))
    return int(random.choice(bits(position.legal)))


def seen_by(game: Game, hand: Hand, seat: int) -> dict[str, Any]:
    """Return the fields of a seat's view, as the oracle has them.

    `legal` is left out: only the seat to act has choices.
    """
    n = game.rules.players
    trick, done = hand.trick(), hand.full_tricks()
    bids, table = dict(hand.bids), dict(trick)
    best_seat, best_card = leading_play(trick) if trick else (NOT_YET, "")
    side = next(k for k, seats in enumerate(sides(game.rules)) if seat in seats)
    partners = [other for other in sides(game.rules)[side] if other != seat]
    leaders = [play[0][0] for play in done] + ([] if hand.is_over else [hand.leader()])
    is_unseen = hand.asked == "blind" and not hand.before.has_draw
    winners = [leading_play(play)[0] for play in done]
    return {
        "seat": seat,
        "side": side,
        "partner": partners[0] if partners else NOT_YET,
        "hand": 0 if is_unseen else numbers_of(hand.held(seat)),
        "phase": PHASES[hand.asked],
        "dealer": game.dealer(),
        **seen_before(hand, seat),
        "n_players": n,
        "hand_no": game.n_hands,
        "first_bidder": hand.first,
        "leader": hand.leader(),
        "trick_no": len(done),
        "n_in_trick": len(trick),
        "led_suit": SUITS.index(trick[0][1][1]) if trick else NOT_YET,
        "best_card": parse_card(best_card) if trick else NOT_YET,
        "best_seat": best_seat,
        "broken": int(hand.is_broken()),
        "played": numbers_of([card for _, card in hand.plays]),
        "n_history": len(hand.plays),
        "trick": [parse_card(table[other]) if other in table else NOT_YET for other in range(4)],
        "bids": [bids.get(other, NOT_YET) for other in range(4)],
        "tricks": [winners.count(other) for other in range(4)],
        "voids": [mask_of([SUITS.index(suit) for suit in hand.shown_out(other)]) for other in range(4)],
        "history": [parse_card(card) for _, card in hand.plays],
        "leaders": leaders,
        "winners": winners,
        "scores": game.scores,
        "bags": game.bags,
    }


def seen_before(hand: Hand, seat: int) -> dict[str, Any]:
    """Return the fields of a seat's view that tell of the time before the bidding."""
    before, seats = hand.before, range(hand.rules.players)
    is_offered = hand.asked == "keep" and hand.seat_to_act() == seat
    forgets = not hand.rules.bot_memory and hand.asked in ("bid", "card")
    given = [card for each in before.all_to("exchange", seat) for card in each.given]
    kept = [[each.yes for each in before.all_to("keep", other)] for other in seats]
    exchanged = [[len(each.given) for each in before.all_to("exchange", other)] for other in seats]
    return {
        "offered": parse_card(before.offered()) if is_offered else NOT_YET,
        "discards": 0 if forgets else numbers_of(before.seen(seat)),
        "given": 0 if forgets else numbers_of(given),
        "n_drawn": sum(map(len, kept)),
        "kept": by_four([sum(yes << turn for turn, yes in enumerate(turns)) for turns in kept], 0),
        "n_exchanged": by_four([sum(numbers) for numbers in exchanged], 0),
        "blind": by_four([declared(hand, other) for other in seats], empty_seat(hand)),
    }


def by_four(values: list[int], otherwise: int) -> list[int]:
    """Return values by seat, with something for the seats that are not at the table."""
    return [*values, *[otherwise] * (4 - len(values))]


def declared(hand: Hand, seat: int) -> int:
    """Return 1 for a blind nil, 0 for none, NOT_YET before the seat was asked."""
    return int(hand.before.has_declared(seat)) if hand.before.is_settled(seat) else NOT_YET


def empty_seat(hand: Hand) -> int:
    """Return what stands for the blind nil of a seat that is not at the table."""
    return NOT_YET if hand.before.has_draw or hand.rules.blind_nil != "off" else 0


def plain(view: Any, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the same fields of a real view as ints and lists, lists cut to the oracle's length.

    What lies behind must be empty.
    """
    found: dict[str, Any] = {}
    for name, expected in fields.items():
        value = view[name]
        if not isinstance(expected, list):
            found[name] = int(value)
            continue
        found[name] = [int(item) for item in value[: len(expected)]]
        rest = {int(item) for item in value[len(expected) :]}
        same(f"what lies behind {name}", rest - {0 if name in ("scores", "bags") else NOT_YET}, set())
    return found


def catch_up(hand: Hand) -> Iterator[int]:
    """Make the choices between one thing, which the engine makes unasked; the seats come back."""
    while hand.asked in ("bid", "card") and len(hand.choices()) == 1:
        yield hand.seat_to_act()
        if hand.asked == "bid":
            hand.bid(hand.choices()[0])  # type: ignore[arg-type]
        else:
            hand.play(str(hand.choices()[0]))


def check_decision(position: Any, hand: Hand) -> None:
    """Compare who decides, and between what."""
    same("seat to decide", int(position.turn), hand.seat_to_act())
    same("phase", int(position.phase), PHASES[hand.asked])
    is_cards = hand.asked in ("card", "exchange")
    legal: list[Any] = names_of(position.legal) if is_cards else bits(position.legal)
    same("legal choices", sorted(legal), sorted(hand.choices()))


def check_view(position: Any, game: Game, hand: Hand, seat: int, view: Any) -> None:
    """Compare what a seat sees with what the oracle says of the same moment."""
    fill_view(position, seat, view)
    expected = seen_by(game, hand, seat)
    for name, value in plain(view, expected).items():
        same(f"{name} in the view of seat {seat}", value, expected[name])
    same("rules in a view", view.rules == position.rules, True)
    if seat == position.turn:
        same("legal in the view", int(view.legal), int(position.legal))


def check_hand(position: Any, game: Game, hand: Hand) -> None:
    """Compare the finished hand's points before they are entered."""
    same("the end of the hand", True, hand.is_over)
    for side, result in enumerate(game.results(hand)):
        same("points", int(position.points[side]), int(result.points))
        same("bags of the hand", int(position.hand_bags[side]), int(result.new_bags))
        same("contract", int(position.contracts[side]), int(result.contract))
        same("contract not made", int(position.sets[side]), int(result.is_set))
        same("bag penalties", int(position.periods[side]), int(result.n_penalties))
        same("Boston", int(position.bostons[side]), int(result.is_boston))


def begin_hand(position: Any, game: Game) -> Hand:
    """Begin a hand at both tables, the oracle's with the engine's cards."""
    rules = game.rules
    start_hand(position)
    pack = sorted(whole_pack(rules))
    if rules.deal == "draw_keep":
        hand = game.new_hand([card_text(card) for card in position.deck[: len(pack)]])
        same("the stock", sorted(map(str, hand.before.cards)), pack)
    else:
        hand = game.new_hand([names_of(position.dealt[seat]) for seat in range(rules.players)])
        cards = sorted(card for cards in hand.before.hands() for card in cards)
        same("cards dealt", cards, sorted({*cards} & {*pack}))
        sizes = {len(cards) for cards in hand.before.hands()}
        same("cards dealt to a seat", sizes, {tricks_in_a_hand(rules)})
    same("first bidder", int(position.first_bidder), hand.first)
    return hand


def choose(position: Any, hand: Hand, random: np.random.Generator) -> None:
    """Make a random choice at both tables."""
    if hand.asked == "exchange":
        exchange(position, hand, random)
        return
    choice = random_choice(position, random)
    same("a legal choice", bool(is_legal(position, choice)), True)
    if hand.asked == "bid":
        hand.bid(choice)
    elif hand.asked == "card":
        hand.play(card_text(choice))
    else:
        hand.before.answer(bool(choice))
    apply(position, choice)


def exchange(position: Any, hand: Hand, random: np.random.Generator) -> None:
    """Make a random exchange at both tables, after asking both whether some others would be legal."""
    seat, most = int(position.turn), hand.rules.blind_nil_exchange
    for _ in range(2):
        given = random_cards(position, random, most + 2) ^ (random.random() < 0.2)
        same("a legal exchange", bool(is_legal(position, given)), hand.before.allowed(names_of(given)))
    given = random_choice(position, random)
    kept = int(position.hands[seat]) & ~given
    apply(position, given)
    try:
        hand.before.exchange(names_of(given), names_of(int(position.hands[seat]) & ~kept))
    except ValueError as error:
        raise OracleError(f"an exchange: {error}") from None


def play_hand(position: Any, game: Game, random: np.random.Generator, views: Any, seen: Counter[str]) -> None:
    """Play a hand at both tables."""
    rules = game.rules
    hand = begin_hand(position, game)
    forced = [0] * 4
    while advance(position) != HAND_OVER:
        for seat in catch_up(hand):
            forced[seat] += 1
        check_decision(position, hand)
        if random.random() < VIEWED:
            seat = int(random.integers(rules.players))
            check_view(position, game, hand, seat, views[seat])
            seen["views"] += 1
        choose(position, hand, random)
    for seat in catch_up(hand):
        forced[seat] += 1
    for seat, cards in enumerate(hand.dealt):
        same("cards before the bidding", names_of(position.dealt[seat]), names_of(numbers_of(cards)))
    check_view(position, game, hand, 0, views[0])
    same("forced choices", [int(n) for n in position.n_forced], forced)
    check_hand(position, game, hand)
    enter(position, game, hand, seen)
    note(game, hand, seen)


def enter(position: Any, game: Game, hand: Hand, seen: Counter[str]) -> None:
    """Enter the hand at both tables, and compare the score sheets and how the games stand."""
    dealer = int(position.dealer)
    found, expected = int(end_hand(position)), game.enter(hand)
    same("how the game stands", {GOES_ON: "goes on", DRAW: "draw"}.get(found, str(found)), expected)
    numbers = range(game.rules.n_sides)
    same("scores", [int(position.scores[side]) for side in numbers], game.scores)
    same("bags", [int(position.bags[side]) for side in numbers], game.bags)
    same("hands played", int(position.hand_no), game.n_hands)
    same("dealer", int(position.dealer), (dealer + 1) % game.rules.players)
    seen["won" if expected.isdigit() else expected] += 1


def note(game: Game, hand: Hand, seen: Counter[str]) -> None:
    """Count what the hand had to offer."""
    rules = game.rules
    seen["hands"] += 1
    seen["hands of extra_hand_decides after a tie"] += game.is_extra and rules.tie == "extra_hand_decides"
    seen["hands of extra_hand after a tie"] += game.is_extra and rules.tie == "extra_hand"
    seen["spades never broken"] += not hand.is_broken()
    nils = [seat for seat, bid in hand.bids if bid == 0]
    seen["nils made"] += sum(hand.won(seat) == 0 for seat in nils)
    seen["nils failed"] += sum(hand.won(seat) > 0 for seat in nils)
    seen["both partners nil"] += rules.teams == "partners" and ({0, 2} <= {*nils} or {1, 3} <= {*nils})
    blind = [seat for seat in nils if hand.before.has_declared(seat)]
    seen["blind nils made"] += sum(hand.won(seat) == 0 for seat in blind)
    seen["blind nils failed"] += sum(hand.won(seat) > 0 for seat in blind)
    seen["blind nils with cards dealt"] += not hand.before.has_draw and len(blind)
    exchanges = hand.before.all_to("exchange")
    seen["exchanges"] += len(exchanges)
    seen["exchanges of no card"] += sum(not each.given for each in exchanges)
    seen["a card given to the other player"] += len(exchanges) == 2 and bool(
        {*exchanges[0].given} & {*exchanges[1].drawn}
    )
    behind = [seat for seat in range(rules.players) if rules.blind_nil == "behind"]
    seen["far enough behind for a blind nil"] += sum(hand.before.may_declare(seat) for seat in behind)
    seen["not far enough behind"] += sum(not hand.before.may_declare(seat) for seat in behind)
    seen["negative scores"] += min(game.scores) < 0
    seen["floors"] += rules.floor is not None and min(game.scores) <= rules.floor


def play_game(rules: Rules, number: int, random: np.random.Generator, seen: Counter[str]) -> None:
    """Play a game at both tables with random bids and cards, and count in `seen` what came up in it.

    Raises
    ------
    OracleError
        The first thing that engine and oracle tell differently.
    """
    position = new_table(rules, seed=5, index=number)
    if rules.first_dealer == "fixed":
        same("first dealer", int(position.dealer), 0)
    game = Game(rules, int(position.dealer))
    views = np.zeros(4, dtype=VIEW)
    before = seen["won"] + seen["draw"]
    while seen["won"] + seen["draw"] == before and game.n_hands < MAX_HANDS:
        play_hand(position, game, random, views, seen)
    seen["games"] += 1
