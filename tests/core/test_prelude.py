"""What comes before the bidding: the draw, blind nils and exchanges, their order, chances and edges."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from spadesim.core import prelude as prelude_module
from spadesim.core._jit import COMPILED
from spadesim.core.play import digest_hand
from spadesim.core.rules import Rules
from spadesim.core.view import (
    BIDDING,
    DECLARING,
    EXCHANGING,
    HAND_OVER,
    KEEP,
    KEEPING,
    NOT_YET,
    PASS_UP,
    PLAYING,
    cards_out,
    is_legal,
    unseen_cards,
)
from spadesim.notation import cards_in
from tests.core.table import BLIND, DRAW300, DRAW500, bits, decisions, engine, fresh_view, mask_of, new_table

prelude: Any = prelude_module  # compiled functions carry no annotations

ERROR = 1e-6  # chance that a perfect dealer fails one of the tests of chances
BOTH = pytest.mark.parametrize("rules", [DRAW300, DRAW500], ids=["draw300", "draw500"])
# Which of the two cards is kept, turn by turn: both seats keep and pass up at both ends of the draw.
PATTERN = [KEEP if turn % 3 in (0, 1) else PASS_UP for turn in range(26)]


def new_hand(rules: Rules, index: int = 0, hand_no: int = 0, dealer: int | None = None) -> Any:
    position = new_table(rules, 3, index)
    position.hand_no = hand_no
    if dealer is not None:
        position.dealer = dealer
    engine.start_hand(position)
    return position


def draw_all(position: Any, blind: tuple[int, ...] = (), pattern: list[int] = PATTERN) -> Any:
    """Draw to the end by a pattern, some seats declaring a blind nil when they are asked."""
    turn = 0
    while (phase := engine.advance(position)) in (KEEPING, DECLARING):
        if phase == DECLARING:
            engine.apply(position, int(int(position.turn) in blind))
        else:
            engine.apply(position, pattern[turn])
            turn += 1
    return position


def given_and_drawn(position: Any, cards: int) -> tuple[list[int], list[int]]:
    """Exchange some cards; the places of the pile from which others came, and these cards, come back."""
    seat, pile = int(position.turn), position.pile[:26].tolist()
    kept = int(position.hands[seat]) & ~cards
    engine.apply(position, cards)
    drawn = bits(int(position.hands[seat]) & ~kept)
    return [pile.index(card) for card in drawn], drawn


def first_cards(hand: int, n: int) -> int:
    return mask_of(bits(int(hand))[:n])


# ------------------------------------------------------------------------------------------------ the order


@pytest.mark.parametrize(("rules", "step"), [(DRAW300, 0), (DRAW500, 1)], ids=["draw300", "draw500"])
def test_who_draws_bids_and_leads_first_changes_every_hand(rules: Rules, step: int) -> None:
    position = new_table(rules, 3, 0)
    first_drawers = []
    for _ in range(4):
        engine.start_hand(position)
        turns, asked, random = [], [], np.random.default_rng(0)
        for _ in decisions(position, random):
            if position.phase == KEEPING:
                turns.append(int(position.turn))
            elif position.phase in (BIDDING, PLAYING) and position.n_history == 0:
                asked.append(int(position.turn))
        first = int(position.dealer)
        first_drawers.append(first)
        assert turns == [first, 1 - first] * 13
        bidder = (first + step) % 2
        assert position.first_bidder == position.leaders[0] == bidder
        assert asked[-1] == bidder
        engine.end_hand(position)
    assert first_drawers == [first_drawers[0], 1 - first_drawers[0]] * 2


def test_either_player_may_draw_first_in_a_game() -> None:
    n = 2000
    count = sum(int(new_table(DRAW300, 3, index).dealer) for index in range(n))
    assert stats.binomtest(count, n).pvalue > ERROR


@pytest.mark.parametrize("first", [0, 1])
def test_each_player_is_asked_for_a_blind_nil_before_its_own_first_card(first: int) -> None:
    position = new_hand(DRAW500, dealer=first)
    asked = []
    while engine.advance(position) != BIDDING:
        asked.append((int(position.turn), int(position.phase)))
        if position.phase == DECLARING:
            assert position.hands[position.turn] == position.discards[position.turn] == 0
            assert position.blind[position.turn] == NOT_YET
        engine.apply(position, 0)
    other = 1 - first
    assert asked[:4] == [(first, DECLARING), (first, KEEPING), (other, DECLARING), (other, KEEPING)]
    assert [phase for _, phase in asked[4:]] == [KEEPING] * 24


@pytest.mark.parametrize(
    ("scores", "asked"),
    [
        ([0, 100], [0]),
        ([0, 99], []),
        ([250, 150], [1]),
        ([-60, -160], [1]),
        ([-60, -159], []),
        ([-159, -60], []),
        ([7, 7], []),
    ],
)
def test_behind_means_so_many_points_below_the_other(scores: list[int], asked: list[int]) -> None:
    position = new_table(DRAW500.updated({"blind_nil": "behind"}), 3, 0)
    position.scores[:2] = scores
    engine.start_hand(position)
    found = []
    while engine.advance(position) != BIDDING:
        if position.phase == DECLARING:
            found.append(int(position.turn))
        engine.apply(position, 0)
    assert found == asked
    assert [*position.blind[:2]] == [0, 0]


@pytest.mark.parametrize(
    ("rules", "scores", "asked"),
    [
        ("pata:blind_nil=behind", [0, 100], {0, 2}),
        ("pata:blind_nil=behind", [150, 50], {1, 3}),
        ("pata:blind_nil=behind", [99, 0], set()),
        ("pata:teams=individual,blind_nil=behind", [0, 0, 0, 200], {0, 1, 2}),
        ("pata:teams=individual,blind_nil=behind", [100, 200, 101, 100], {0, 3}),
        ("cutthroat3:blind_nil=behind", [-20, 120, 10], {0, 2}),
        ("cutthroat3:blind_nil=always", [0, 0, 0], {0, 1, 2}),
    ],
)
def test_with_cards_dealt_the_score_of_the_own_side_counts(
    rules: str, scores: list[int], asked: set[int]
) -> None:
    for dealer in range(Rules.parse(rules).players):
        position = new_table(Rules.parse(rules), 3, 0)
        position.dealer = dealer
        position.scores[: len(scores)] = scores
        engine.start_hand(position)
        found = []
        while engine.advance(position) == DECLARING:
            found.append(int(position.turn))
            engine.apply(position, 0)
        n = int(position.n_players)
        assert found == [seat for k in range(n) if (seat := (dealer + 1 + k) % n) in asked]
        assert [*position.blind[:n]] == [0] * n


@pytest.mark.parametrize("side", range(4))
def test_behind_at_a_table_of_single_players_means_behind_the_best(side: int) -> None:
    record = Rules.parse("canonical:teams=individual,blind_nil=behind").record()
    for others, own, allowed in (
        ([400, 300, 20], 300, True),
        ([20, 400, 300], 301, False),
        ([300, 20, 400], 300, True),
        ([-9, -8, -7], -107, True),
        ([-9, -8, -7], -106, False),
    ):
        scores = list(others)
        scores.insert(side, own)
        assert bool(prelude.may_declare(record, np.array(scores), side)) == allowed
    level = Rules.parse("canonical:teams=individual,blind_nil=behind,blind_nil_deficit=0").record()
    for own, allowed in ((5, True), (6, False)):
        scores = [5, 5, 5]
        scores.insert(side, own)
        assert bool(prelude.may_declare(level, np.array(scores), side)) == allowed
    three = Rules.parse("cutthroat3:blind_nil=behind").record()
    if side < 3:  # a fourth entry is nobody's
        assert not prelude.may_declare(three, np.array([0, 0, 0, 900]), side)


# ------------------------------------------------------------------------------------------------- the draw


@BOTH
def test_a_turn_moves_two_cards(rules: Rules) -> None:
    for pattern in (PATTERN, [KEEP] * 26, [PASS_UP] * 26):
        position = new_hand(rules)
        stock = position.deck[:52].tolist()
        first = int(position.dealer)
        draw_all(position, pattern=pattern)
        for seat in range(2):
            turns = range((seat - first) % 2, 26, 2)
            kept = [stock[2 * turn + (pattern[turn] == PASS_UP)] for turn in turns]
            dead = {turn: stock[2 * turn + (pattern[turn] == KEEP)] for turn in turns}
            seen = [card for turn, card in dead.items() if pattern[turn] == PASS_UP or rules.draw_second_seen]
            assert position.hands[seat] == position.dealt[seat] == mask_of(kept)
            assert position.discards[seat] == mask_of(seen)
            assert [int(position.pile[turn]) for turn in turns] == list(dead.values())
            assert bits(position.kept[seat]) == [
                place for place, turn in enumerate(turns) if pattern[turn] == KEEP
            ]
        assert (position.n_drawn, position.n_pile, position.phase) == (26, 26, BIDDING)


@pytest.mark.slow
@BOTH
def test_every_card_lands_everywhere_equally_often(rules: Rules) -> None:
    """Kept, discarded in view or unseen, by seat and turn; a perfect stock fails once in a million."""
    n = 2000
    counts = np.zeros((52, 52))
    position = new_table(rules, 3, 0)
    for index in range(n):
        engine.start_game(position, 3, index)
        position.dealer = 0
        engine.start_hand(position)
        places = np.zeros(52, dtype=np.int64)
        turn = 0
        while (phase := engine.advance(position)) != BIDDING:
            if phase == DECLARING:
                engine.apply(position, 0)
                continue
            seat, before, seen = int(position.turn), position.hands.copy(), position.discards.copy()
            engine.apply(position, PATTERN[turn])
            (kept,) = bits(int(position.hands[seat]) ^ int(before[seat]))
            dead = int(position.pile[turn])
            is_seen = bool(int(position.discards[seat]) ^ int(seen[seat]))
            assert is_seen == (PATTERN[turn] == PASS_UP or rules.draw_second_seen)
            places[kept], places[dead] = 2 * turn, 2 * turn + 1
            turn += 1
        counts[np.arange(52), places] += 1
    expected = n / 52
    # Every row and every column adds up to n: the sum is 51/52 of the usual one's.
    statistic = ((counts - expected) ** 2 / expected).sum() * 51 / 52
    assert stats.chi2.sf(statistic, 51 * 51) > ERROR


@BOTH
def test_the_stock_is_named_by_seed_game_and_hand_whoever_draws_first(rules: Rules) -> None:
    """So a bot that sits at the other seat in the other room meets the same stock and the same dead cards."""
    for index in range(5):
        one, other = (draw_all(new_hand(rules, index, 2, dealer)) for dealer in (0, 1))
        assert one.deck[:52].tolist() == other.deck[:52].tolist()
        assert sorted(one.deck[:52].tolist()) == list(range(52))
        assert one.pile[:26].tolist() == other.pile[:26].tolist()
        assert [*one.hands[:2]] == [*other.hands[1::-1]]
    stocks = {tuple(new_hand(rules, index, hand).deck[:52]) for index in range(4) for hand in range(4)}
    assert len(stocks) == 16


def test_a_hand_forgets_the_draw_of_the_last_one() -> None:
    position = draw_all(new_hand(DRAW500), blind=(0, 1))
    for _ in decisions(position, np.random.default_rng(1)):
        pass
    assert position.given.any()
    engine.end_hand(position)
    engine.start_hand(position)
    for name in ("n_drawn", "n_pile", "kept", "n_exchanged", "discards", "given", "hands"):
        assert not np.any(position[name]), name
    assert [*position.blind] == [NOT_YET] * 4


# -------------------------------------------------------------------------------------------- the exchange


def exchanging(index: int = 0, n_cards: int = 3, blind: tuple[int, ...] = (0, 1)) -> Any:
    position = new_table(DRAW500.updated({"blind_nil_exchange": max(n_cards, 1)}), 3, index)
    position.dealer = 0
    engine.start_hand(position)
    return draw_all(position, blind)


def exchanges(n: int, n_cards: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return the places of the pile from which the first and the second player drew, exchange by exchange."""
    start, found = exchanging(n_cards=n_cards), ([], [])  # type: ignore[var-annotated]
    for index in range(n):
        position = start.copy()
        position.index = index
        for places in found:
            given = first_cards(position.hands[position.turn], n_cards)
            drawn, _ = given_and_drawn(position, given)
            assert len(drawn) == n_cards
            places.append(drawn)
        assert position.phase == BIDDING
    return found


@pytest.mark.slow
@pytest.mark.parametrize("n_cards", [1, 2, 3, 4])
def test_every_place_of_the_pile_is_drawn_equally_often(n_cards: int) -> None:
    """Without replacement, by both players; the second one's pile has the first one's cards in it."""
    n = 3000
    for places in exchanges(n, n_cards):
        assert all(len({*drawn}) == n_cards for drawn in places)
        counts = np.bincount(np.concatenate(places), minlength=26)
        share = n_cards / 26
        # So many of 26 are drawn each time: the variance of a count is that of a draw without replacement.
        statistic = ((counts - n * share) ** 2).sum() / (n * share * (1 - share)) * 25 / 26
        assert stats.chi2.sf(statistic, 25) > ERROR


@pytest.mark.slow
def test_pairs_of_places_are_drawn_equally_often() -> None:
    """The two cards of one player, and one of each player: every pair has its share."""
    n = 10_000
    first, second = exchanges(n, 1)
    counts = np.zeros((26, 26))
    np.add.at(counts, (np.concatenate(first), np.concatenate(second)), 1)
    assert stats.chisquare(counts.ravel()).pvalue > ERROR
    pairs, _ = exchanges(n, 2)
    codes = [26 * min(pair) + max(pair) for pair in pairs]
    together = np.bincount(codes, minlength=26 * 26).reshape(26, 26)[np.triu_indices(26, 1)]
    assert stats.chisquare(together).pvalue > ERROR


def test_cards_given_are_not_drawn_by_the_giver_but_by_the_other() -> None:
    n_from_the_first = 0
    for index in range(300 if COMPILED else 30):
        position = exchanging()
        position.index = index
        gave, drew = [], []
        for seat in (1, 0):  # in bidding order
            assert position.turn == seat
            held = int(position.hands[seat])
            given = first_cards(held, 3)
            _, drawn = given_and_drawn(position, given)
            gave.append(given)
            drew.append(mask_of(drawn))
            assert given & drew[-1] == 0
            assert position.hands[seat] == held & ~given | drew[-1]
            assert (position.given[seat], position.n_exchanged[seat]) == (given, 3)
            assert given & ~int(position.discards[seat]) == 0
            assert drew[-1] & int(position.discards[seat]) == 0
        assert [*position.dealt] == [*position.hands]
        everything = int(position.hands[0]) | int(position.hands[1]) | mask_of(position.pile[:26].tolist())
        assert everything == (1 << 52) - 1
        n_from_the_first += bool(gave[0] & drew[1])
    assert n_from_the_first > 0


@pytest.mark.parametrize("blind", [(), (0,), (1,), (0, 1)])
def test_who_has_declared_exchanges_in_bidding_order_and_nobody_else(blind: tuple[int, ...]) -> None:
    position = draw_all(new_hand(DRAW500, dealer=0), blind)
    asked = []
    while engine.advance(position) == EXCHANGING:
        asked.append(int(position.turn))
        assert position.legal == position.hands[position.turn]
        engine.apply(position, 0)
    assert asked == sorted(blind, reverse=True)  # who draws second bids first
    assert (position.phase, position.turn) == (BIDDING, 1 if 1 not in blind else 0) or blind == (0, 1)


def test_an_exchange_of_no_card_changes_nothing() -> None:
    position = exchanging(blind=(0,))
    hands, pile = position.hands.copy(), position.pile.copy()
    engine.apply(position, 0)
    assert [*position.hands] == [*hands]
    assert [*position.pile] == [*pile]
    assert (position.n_exchanged[0], position.given[0], position.phase) == (0, 0, BIDDING)


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_only_so_many_cards_of_the_hand_may_be_exchanged(most: int) -> None:
    position = exchanging(n_cards=most)
    held, pile = int(position.hands[position.turn]), mask_of(position.pile[:26].tolist())
    for n in range(14):
        assert bool(is_legal(position, first_cards(held, n))) == (n <= most)
    for wrong in (first_cards(pile, 1), 1 << 52, -1, 1 << 62, first_cards(held, 1) | 1 << 60):
        assert not is_legal(position, wrong)


def test_without_an_exchange_the_bidding_follows_the_draw() -> None:
    position = draw_all(new_hand(DRAW500.updated({"blind_nil_exchange": 0})), blind=(0, 1))
    assert position.phase == PLAYING  # both bids are made already
    assert [*position.bids[:2]] == [*position.n_exchanged[:2]] == [0, 0]


def test_the_drawn_places_are_those_of_seed_game_hand_and_seat() -> None:
    start = exchanging()
    found = set()
    for name, value in (("index", 1), ("index", 2), ("hand_no", 1), ("seed", 9), ("index", 0)):
        position = start.copy()
        position[name] = value
        places, _ = given_and_drawn(position, first_cards(position.hands[position.turn], 3))
        found.add(tuple(sorted(places)))
        copy = start.copy()
        copy[name] = value
        copy.scores[:2] = [100, 200]  # nothing else matters
        assert given_and_drawn(copy, first_cards(copy.hands[copy.turn], 3))[0] == places
    assert len(found) == 5


# ------------------------------------------------------------------------------- blind nils with cards dealt


def test_with_cards_dealt_everybody_is_asked_in_bidding_order_before_looking() -> None:
    position = new_hand(BLIND)
    for step in range(4):
        assert engine.advance(position) == DECLARING
        assert position.turn == (position.first_bidder + step) % 4
        for seat in range(4):
            view = fresh_view(position, seat)
            assert (view.hand, view.offered, view.discards) == (0, NOT_YET, 0)
            assert [*view.blind] == [*position.blind]
        assert position.hands.all()
        engine.apply(position, int(step in (1, 2)))
    assert position.phase == BIDDING
    assert fresh_view(position, 0).hand == position.hands[0]
    assert [int(position.blind[(position.first_bidder + step) % 4]) for step in range(4)] == [0, 1, 1, 0]
    assert engine.advance(position) == BIDDING
    engine.apply(position, 4)
    assert engine.advance(position) == BIDDING
    assert position.n_bids == 3
    assert [int(position.n_forced[(position.first_bidder + step) % 4]) for step in range(4)] == [0, 1, 1, 0]
    engine.apply(position, 3)
    assert [int(position.bids[(position.first_bidder + step) % 4]) for step in range(4)] == [4, 0, 0, 3]


def test_a_blind_nil_has_its_own_points() -> None:
    for is_blind in (0, 1):
        position = new_hand(BLIND)
        # The first bidder holds all of a side suit's low end: it takes no trick of a hand where all follow.
        engine.deal_hands(position, np.array([8191 << 13 * seat for seat in range(4)]))
        nobody_wins = 0 if position.first_bidder != 0 else 1
        position.blind[nobody_wins] = is_blind
        while engine.advance(position) != HAND_OVER:
            is_nil = position.phase == BIDDING and position.turn == nobody_wins
            engine.apply(position, 0 if is_nil else bits(position.legal)[-1])
        assert position.bids[nobody_wins] == position.tricks[nobody_wins] == 0
        side = nobody_wins & 1
        other = 13 * 10 if position.tricks[(nobody_wins + 2) & 3] == 13 else -130
        assert position.points[side] == (200 if is_blind else 100) + other


# ----------------------------------------------------------------------------------- digests and knowledge


def test_a_digest_has_every_answer_before_the_bidding_in_it() -> None:
    position = exchanging(blind=(0,))
    for _ in decisions(position, np.random.default_rng(1)):
        pass
    before = tuple(map(int, digest_hand(position, 1, 2)))
    assert before == tuple(map(int, digest_hand(position.copy(), 1, 2)))
    digests = [before]
    for seat in range(2):
        for name, n_bits in (("kept", 13), ("blind", 1), ("given", 52)):
            for bit in range(n_bits):
                other = position.copy()
                other[name][seat] ^= np.int64(1) << bit
                digests.append(tuple(map(int, digest_hand(other, 1, 2))))
    assert len(set(digests)) == len(digests) == 1 + 2 * (13 + 1 + 52)


def test_at_tables_without_such_answers_they_are_not_in_the_digest() -> None:
    position = new_hand(Rules())
    for _ in decisions(position, np.random.default_rng(1)):
        pass
    before = digest_hand(position, 1, 2)
    position.kept[:] = 5
    position.given[:] = 7
    assert digest_hand(position, 1, 2) == before


@BOTH
def test_a_seat_is_shown_the_card_offered_to_itself_alone(rules: Rules) -> None:
    position = new_hand(rules)
    while engine.advance(position) != BIDDING:
        seat = int(position.turn)
        own, other = fresh_view(position, seat), fresh_view(position, 1 - seat)
        top = int(position.deck[2 * position.n_drawn])
        assert own.offered == (top if position.phase == KEEPING else NOT_YET)
        assert other.offered == NOT_YET
        assert other.hand == position.hands[1 - seat]
        engine.apply(position, 0)
    assert fresh_view(position, 0).offered == NOT_YET


def test_a_seat_without_memory_forgets_its_discards_when_the_bidding_begins() -> None:
    for is_kept in (True, False):
        position = new_hand(DRAW300.updated({"bot_memory": is_kept}))
        while engine.advance(position) != HAND_OVER:
            seat = int(position.turn)
            is_forgotten = position.phase in (BIDDING, PLAYING) and not is_kept
            view = fresh_view(position, seat)
            assert view.discards == (0 if is_forgotten else position.discards[seat])
            engine.apply(position, bits(position.legal)[0])


def test_what_may_be_out_after_the_other_players_exchange() -> None:
    """A card seen discarded may lie in the other hand again once that has been exchanged for."""
    position = exchanging(blind=(0, 1))
    engine.apply(position, 0)  # seat 1
    held = first_cards(position.hands[0], 3)
    view = fresh_view(position, 1)
    assert cards_out(view) == unseen_cards(view)
    engine.apply(position, held)
    view, own = fresh_view(position, 1), fresh_view(position, 0)
    assert cards_out(view) == unseen_cards(view) | int(view.discards) != unseen_cards(view)
    assert cards_out(own) == unseen_cards(own)
    assert int(position.hands[0]) & ~int(cards_out(view)) == 0
    assert unseen_cards(own) & (int(own.hand) | held) == 0
    assert len(cards_in(int(own.discards))) >= 3
