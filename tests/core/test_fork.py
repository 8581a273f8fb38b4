"""What choices are worth on re-deals: the truth found by listing every deal, played with lists and words."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.equity import EQUITY_ONE
from spadesim.core.fork import Tried, try_redeals
from spadesim.core.seating import ROLES
from spadesim.core.view import PLAYING
from spadesim.match.equity_file import equity_of, table_of
from spadesim.match.record import Decision, Hand, Replay
from spadesim.match.replay import replays, stand_at
from spadesim.match.spec import DuelSpec, make_spec
from spadesim.notation import RANKS, card_text, cards_in, parse_card
from spadesim.selftest import oracle
from spadesim.strategy import Side, lineup, load_side
from tests.match.planted import write_planted

TRICK = 10  # from 0
N_CASES, N_REDEALS = (5, 400) if COMPILED else (1, 30)

Worths = list[tuple[int, float]]


class Fork(NamedTuple):
    """A board of which the rooms part: the room in which A decides, the decision, and both choices."""

    spec: DuelSpec
    sides: tuple[Side, Side]
    played: Replay
    room: int
    step: Decision
    choices: tuple[int, int]

    @property
    def hand(self) -> Hand:
        """A's hand."""
        return self.played.rooms[self.room].hands[0]


def forks(spec: DuelSpec, n_wanted: int) -> Iterator[Fork]:
    """Boards of which the rooms part."""
    sides, n = (load_side(spec.a), load_side(spec.b)), 0
    for played in replays(spec, sides, range(100_000)):
        found = played.difference(0)
        if found is not None:
            room = 0 if played.rooms[0].roles[found.first.made.seat] < 2 else 1
            mine, other = found.decisions[room], found.decisions[1 - room]
            assert mine is not None
            assert other is not None
            yield Fork(spec, sides, played, room, mine, (mine.made.choice, other.made.choice))
            n += 1
            if n == n_wanted:
                return


def tried(fork: Fork, wanted: int, most: int) -> Tried:
    steps = fork.hand.decisions()
    position, _ = stand_at(fork.played, fork.room, fork.hand, steps.index(fork.step))
    rooms = ROLES[0, fork.room : fork.room + 1]
    bots = lineup(*fork.sides, fork.spec.rules)
    return try_redeals(
        position, fork.choices, bots, rooms, wanted=wanted, most=most, equity=table_of(fork.spec)
    )


def aces(hand: list[str]) -> int:
    return sum(card[0] == "A" for card in hand)


def bid(hand: list[str]) -> int:
    """What the planted bot bids."""
    spades = [RANKS.index(card[0]) for card in hand if card[1] == "S"]
    return 0 if aces(hand) == 0 and max(spades, default=-1) < 9 else 1 + aces(hand)


def before(fork: Fork) -> list[tuple[int, str]]:
    """The cards played before the decision, seat and card."""
    plays = [play for trick in fork.hand.tricks for play in trick.plays]
    return [(play.seat, card_text(play.choice)) for play in plays[: 4 * TRICK + 3]]


def every_deal(fork: Fork) -> Iterator[list[list[str]]]:
    """Every way in which the last two cards of each of the others may lie, whatever they bid."""
    dealt = [[card_text(card) for card in cards_in(cards)] for cards in fork.hand.dealt]
    own, plays = fork.step.made.seat, before(fork)
    played = [[card for seat, card in plays if seat == k] for k in range(4)]
    others = [k for k in range(4) if k != own]
    left = sorted(card for k in others for card in dealt[k] if card not in played[k])
    assert len(left) == 6
    for first in combinations(left, 2):
        rest = [card for card in left if card not in first]
        for second in combinations(rest, 2):
            third = [card for card in rest if card not in second]
            last = dict(zip(others, (first, second, third), strict=True))
            yield [dealt[k] if k == own else [*played[k], *last[k]] for k in range(4)]


def outcome(fork: Fork, deal: list[list[str]], choice: int) -> tuple[int, float] | None:
    """A's points less B's, and its chance to win, after a choice on a deal; None where it cannot come up."""
    hand, seat, rules = fork.hand, fork.step.made.seat, fork.spec.rules
    game = oracle.Game(rules, hand.dealer, list(hand.scores), list(hand.bags))
    slow = game.new_hand(deal)
    for made in hand.bids:
        if made.seat != seat and bid(deal[made.seat]) != made.choice:
            return None
        slow.bid(made.choice)
    for _, card in before(fork):
        if card not in slow.choices():
            return None
        slow.play(card)
    slow.play(card_text(choice))
    while not slow.is_over:
        slow.play(min(map(str, slow.choices()), key=parse_card))
    side = seat % 2
    results = game.results(slow)
    end = game.enter(slow)
    equity = equity_of(fork.spec)
    assert equity is not None
    scores = game.scores[side], game.scores[1 - side]
    bags = game.bags[side], game.bags[1 - side]
    is_first = game.first_to_bid() % 2 == side
    chance = float(end == str(side)) if end != "goes on" else equity.chance(scores, bags, is_first=is_first)
    return results[side].points - results[1 - side].points, chance


Cases = list[tuple[Fork, Worths]]


def truth(fork: Fork) -> Worths:
    """What A's choice brings against the other one on every deal that may be, points and chance to win."""
    found = []
    for deal in every_deal(fork):
        after = [outcome(fork, deal, choice) for choice in fork.choices]
        if after[0] is not None and after[1] is not None and agrees(fork, deal):
            found.append((after[0][0] - after[1][0], after[0][1] - after[1][1]))
    return found


def agrees(fork: Fork, deal: list[list[str]]) -> bool:
    """Whether nobody holds a suit that it has failed to follow."""
    for seat in range(4):
        held, led = set(deal[seat]), ""
        for k, (player, card) in enumerate(before(fork)):
            led = card[1] if k % 4 == 0 else led
            held -= {card} if player == seat else set()
            if player == seat and card[1] != led and any(other[1] == led for other in held):
                return False
    return True


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    """Boards that part where who plays last to the eleventh trick chooses its card, and the truth of each."""
    bot = write_planted(tmp_path_factory.mktemp("bots"))
    found = forks(make_spec(f"{bot}:at=late", bot, boards=1, seed=3), N_CASES)
    return [(fork, truth(fork)) for fork in found]


def test_worth_is_the_mean_over_every_deal(cases: Cases) -> None:
    n_open = 0
    for fork, expected in cases:
        assert (fork.step.phase, fork.step.number) == (PLAYING, TRICK)
        found = tried(fork, N_REDEALS, 100 * N_REDEALS)
        assert found.fault is None
        assert found.accepted == N_REDEALS
        assert set(found.points.tolist()) <= {points for points, _ in expected}
        for values, unit, truths in (
            (found.points, 1, [points for points, _ in expected]),
            (found.chances, EQUITY_ONE, [chance for _, chance in expected]),
        ):
            spread = np.std(truths)
            n_open += int(spread > 0)
            allowed = 4.5 * spread / np.sqrt(N_REDEALS) + 2e-5  # chances of a table are rounded
            assert values.mean() / unit == pytest.approx(np.mean(truths), abs=allowed)
    assert n_open or not COMPILED


def test_bids_that_do_not_recur_are_not_counted(cases: Cases) -> None:
    """Of the deals that agree with the voids, those with other bids are tried and not counted."""
    n_rejected = 0
    for fork, expected in cases:
        deals = [deal for deal in every_deal(fork) if agrees(fork, deal)]
        share = len(expected) / len(deals)
        found = tried(fork, N_REDEALS, 100 * N_REDEALS)
        n_rejected += found.tried > found.accepted
        spread = np.sqrt(share * (1 - share) / found.tried)
        assert found.accepted / found.tried == pytest.approx(share, abs=5 * spread + 0.02)
    assert n_rejected or not COMPILED
