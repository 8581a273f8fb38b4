"""The table itself: deals, the way from decision to decision, and what stays true whoever plays."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from spadesim.core._jit import COMPILED
from spadesim.core.cards import lowest
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, HAND_OVER, KEEPING, NOT_YET, PLAYING
from spadesim.selftest.oracle import whole_pack
from tests.core.cases import valid_rules
from tests.core.slow_rng import slow_shuffle
from tests.core.table import (
    ALONE,
    BLIND,
    DRAW300,
    DRAW500,
    THREE,
    TWO,
    bits,
    decisions,
    engine,
    mask_of,
    new_table,
    number_of,
    random_bid,
    random_choice,
)

TABLES = pytest.mark.parametrize("rules", [Rules(), ALONE, THREE, TWO], ids=["four", "alone", "three", "two"])
EVERY_TABLE = pytest.mark.parametrize(
    "rules",
    [Rules(), ALONE, THREE, TWO, BLIND, DRAW300, DRAW500],
    ids=["four", "alone", "three", "two", "blind", "draw300", "draw500"],
)
seeds = st.integers(0, 2**63 - 1)


def new_hand(rules: Rules, seed: int = 1, index: int = 0, hand_no: int = 0) -> Any:
    position = new_table(rules, seed, index)
    position.hand_no = hand_no
    engine.start_hand(position)
    return position


def hands_of(position: Any) -> tuple[int, ...]:
    return tuple(int(hand) for hand in position.dealt[: position.n_players])


def play_out(position: Any, random: np.random.Generator) -> None:
    for _ in decisions(position, random):
        pass


# --------------------------------------------------------------------------------------------------- deals


@TABLES
def test_a_deal_shares_out_the_pack(rules: Rules) -> None:
    pack = mask_of([number_of(card) for card in whole_pack(rules)])
    for index in range(200 if COMPILED else 5):
        hands = hands_of(new_hand(rules, index=index))
        assert [len(bits(hand)) for hand in hands] == [rules.hand_size] * rules.players
        assert not any(one & other for one, other in combinations(hands, 2))
        everything = mask_of([card for hand in hands for card in bits(hand)])
        assert everything & ~pack == 0
        assert len(bits(everything)) == rules.hand_size * rules.players


@settings(max_examples=20)
@given(seeds, seeds, st.integers(0, 2**24 - 1), st.sampled_from([Rules(), THREE, TWO]))
def test_a_deal_is_the_shuffled_pack_from_its_top(seed: int, index: int, hand_no: int, rules: Rules) -> None:
    """Seat 0 gets the first cards, and so on; the stream is that of deals and of the hand's number."""
    pack = sorted(number_of(card) for card in whole_pack(rules))
    size = rules.hand_size
    drawn = slow_shuffle(len(pack), size * rules.players, seed, index, hand_no << 8)
    assert hands_of(new_hand(rules, seed, index, hand_no)) == tuple(
        mask_of([pack[place] for place in drawn[seat * size : seat * size + size]])
        for seat in range(rules.players)
    )


@settings(max_examples=20)
@given(seeds, seeds, st.integers(0, 2**24 - 1))
def test_a_deal_is_named_by_seed_game_and_hand(seed: int, index: int, hand_no: int) -> None:
    """Not by what was played before, nor by scores, dealer or record."""
    one = new_hand(Rules(), seed, index, hand_no)
    other = new_hand(Rules(), seed ^ 1, index, 0)
    play_out(other, np.random.default_rng(0))
    engine.end_hand(other)
    other.seed, other.hand_no, other.dealer = seed, hand_no, 3 - other.dealer
    engine.start_hand(other)
    assert hands_of(one) == hands_of(other)


def test_no_two_deals_are_the_same() -> None:
    places = [(seed, index, hand) for seed in range(3) for index in range(7) for hand in range(5)]
    assert len({hands_of(new_hand(Rules(), *place)) for place in places}) == len(places)


@pytest.mark.slow
@TABLES
def test_every_card_is_dealt_to_every_seat_equally_often(rules: Rules) -> None:
    """A perfect dealer would fail with probability 1e-6 at each table."""
    n = 10_000
    counts = np.zeros((rules.players, 52))
    position = new_table(rules)
    for index in range(n):
        position.index = index
        engine.start_hand(position)
        for seat, hand in enumerate(hands_of(position)):
            counts[seat, bits(hand)] += 1
    pack = [number_of(card) for card in whole_pack(rules)]
    counts = counts[:, pack]
    share = rules.hand_size / len(pack)
    shares = [share] * rules.players
    if rules.players == 2:  # the cards that nobody gets are a third place
        counts = np.vstack([counts, n - counts.sum(axis=0)])
        shares.append(1 - 2 * share)
    expected = n * np.array(shares)[:, None]
    # Both margins are fixed: drawing without replacement makes the sum (N - 1) / N of the usual one's.
    statistic = ((counts - expected) ** 2 / expected).sum() * (len(pack) - 1) / len(pack)
    assert stats.chi2.sf(statistic, (len(shares) - 1) * (len(pack) - 1)) > 1e-6


def test_given_hands_are_dealt_as_they_are() -> None:
    position = new_hand(Rules())
    play_out(position, np.random.default_rng(0))
    given_hands = np.array([mask_of(list(range(seat, 52, 4))) for seat in range(4)])
    engine.deal_hands(position, given_hands)
    assert hands_of(position) == tuple(given_hands)
    assert [*position.hands] == [*position.dealt]
    assert (position.phase, position.n_history, position.n_bids) == (BIDDING, 0, 0)
    assert [*position.bids] == [NOT_YET] * 4
    assert engine.advance(position) == BIDDING


# ----------------------------------------------------------------------------------------------- the way on


def test_bidding_goes_round_once_and_the_first_bidder_leads() -> None:
    position = new_hand(Rules())
    for step in range(4):
        assert engine.advance(position) == BIDDING
        assert position.turn == (position.first_bidder + step) % 4
        assert position.turn != position.dealer or step == 3
        engine.apply(position, step + 1)
    assert engine.advance(position) == PLAYING
    assert position.turn == position.leader == position.leaders[0] == position.first_bidder
    assert [int(position.bids[(position.first_bidder + step) % 4]) for step in range(4)] == [1, 2, 3, 4]


@EVERY_TABLE
def test_advance_stays_where_a_decision_is_due(rules: Rules) -> None:
    position = new_hand(rules)
    for _ in decisions(position, np.random.default_rng(1)):
        before = position.tobytes()
        assert engine.advance(position) == position.phase
        assert position.tobytes() == before
        assert position.legal & (position.legal - 1)
        if position.phase == PLAYING:
            assert position.legal & ~position.hands[position.turn] == 0
    before = position.tobytes()
    assert engine.advance(position) == HAND_OVER
    assert position.tobytes() == before


@pytest.mark.parametrize("nil_allowed", [True, False])
def test_legal_bids_are_all_there_are(nil_allowed: bool) -> None:
    position = new_hand(Rules(nil_allowed=nil_allowed))
    engine.advance(position)
    assert bits(position.legal) == list(range(0 if nil_allowed else 1, 14))


def test_forced_cards_are_played_unasked() -> None:
    """Each seat holds one suit and follows its own lead alone; the last trick is forced for everybody."""
    position = new_hand(Rules())
    engine.deal_hands(position, np.array([8191 << 13 * seat for seat in range(4)]))
    for bid in (3, 3, 3, 3):
        engine.advance(position)
        engine.apply(position, bid)
    n_asked = 0
    while engine.advance(position) != HAND_OVER:
        n_asked += 1
        engine.apply(position, lowest(position.legal))
    assert n_asked == 4 * 12
    assert [*position.n_forced] == [1, 1, 1, 1]
    assert [*position.tricks] == [0, 0, 0, 13]  # the spades


def test_a_hand_without_choices_is_played_out_at_once() -> None:
    """No table has such rules: one card each, and no bid but 1."""
    position = new_table(Rules(nil_allowed=False))
    position.rules.hand_size, position.rules.n_dealt, position.rules.bid_mask = 1, 4, 0b10
    engine.start_hand(position)
    assert engine.advance(position) == HAND_OVER
    assert [*position.bids] == [1, 1, 1, 1]
    assert [*position.n_forced] == [2, 2, 2, 2]
    assert position.tricks.sum() == 1
    assert sorted(position.points[:2]) == [-20, -20]


def test_a_copied_table_goes_the_same_way() -> None:
    position = new_hand(Rules())
    for number, _ in enumerate(decisions(position, np.random.default_rng(2))):
        if number == 23:
            break
    copy = position.copy()
    play_out(position, np.random.default_rng(3))
    assert copy.n_history < position.n_history
    play_out(copy, np.random.default_rng(3))
    assert copy.tobytes() == position.tobytes()


def test_a_new_game_forgets_the_last_one() -> None:
    rules = Rules(target=1, trick_value=0, overtrick_value=0, nil_value=0, nil_penalty=0)
    position = new_table(rules, seed=1, index=5)
    random = np.random.default_rng(0)
    for _ in range(3):
        engine.start_hand(position)
        play_out(position, random)
        position.bags[:2] += 3
        position.points[:2] = 7
        engine.end_hand(position)
    assert position.in_tiebreak
    engine.start_game(position, 1, 6)
    other = new_table(rules, seed=1, index=6)
    for name in ("hand_no", "in_tiebreak", "dealer", "seed", "index"):
        assert position[name] == other[name]
    assert not position.scores.any()
    assert not position.bags.any()
    engine.start_hand(position)
    engine.start_hand(other)
    play_out(position, np.random.default_rng(1))
    play_out(other, np.random.default_rng(1))
    assert [*position.points] == [*other.points]
    assert [*position.history[:52]] == [*other.history[:52]]


def test_every_hand_of_every_table_has_a_serial_of_its_own() -> None:
    serials = set()
    for _ in range(3):
        position = new_table(Rules())
        for _ in range(4):
            engine.start_hand(position)
            serials.add(int(position.serial))
    assert len(serials) == 12


# ------------------------------------------------------------------------------------------- the end of it


def end_with(rules: Rules, scores: list[int], points: list[int]) -> tuple[Any, int]:
    """Return a table whose finished hand was worth `points`, and how the game stands."""
    position = new_table(rules)
    position.scores[: len(scores)] = scores
    position.points[: len(points)] = points
    return position, int(engine.end_hand(position))


def test_end_hand_enters_the_points_and_passes_the_deal_on() -> None:
    position = new_table(Rules())
    position.dealer = 3
    position.scores[:2], position.points[:2] = [100, -50], [61, -40]
    position.bags[:2], position.hand_bags[:2] = [8, 3], [3, 0]
    assert engine.end_hand(position) == GOES_ON
    assert [*position.scores[:2]] == [161, -90]
    assert [*position.bags[:2]] == [1, 3]
    assert (position.hand_no, position.dealer, position.in_tiebreak) == (1, 0, 0)


@pytest.mark.parametrize(
    ("changes", "scores", "points", "expected", "in_tiebreak"),
    [
        ({}, [440, 300], [60, 40], 0, 0),
        ({}, [430, 300], [60, 40], GOES_ON, 0),
        ({}, [440, 460], [60, 70], 1, 0),
        ({}, [440, 440], [60, 60], GOES_ON, 1),
        ({}, [-140, -140], [-60, -60], GOES_ON, 1),
        ({}, [-140, -150], [-60, -60], 0, 0),
        ({"max_hands": 1}, [0, 0], [60, 50], 0, 0),
        ({"max_hands": 1}, [0, 0], [60, 60], DRAW, 0),
    ],
)
def test_end_hand_says_how_the_game_stands(
    changes: dict[str, Any], scores: list[int], points: list[int], expected: int, in_tiebreak: int
) -> None:
    position, found = end_with(Rules(**changes), scores, points)
    assert found == expected
    assert position.in_tiebreak == in_tiebreak


# ---------------------------------------------------------------------------------------------- invariants


@given(valid_rules(), seeds)
def test_every_hand_plays_every_card_once_and_shares_out_every_trick(rules: Rules, seed: int) -> None:
    position = new_hand(rules, seed)
    play_out(position, np.random.default_rng(seed % 2**32))
    n, size = rules.players, rules.hand_size
    history = [int(card) for card in position.history[: n * size]]
    assert position.n_history == n * size == len(set(history))
    assert mask_of(history) == position.played
    assert not position.hands.any()
    assert position.trick_no == position.tricks.sum() == size
    assert [*position.tricks[n:]] == [0] * (4 - n)
    leaders, winners = position.leaders[:size], position.winners[:size]
    assert [*leaders[1:]] == [*winners[:-1]]
    for trick_no in range(size):
        for step in range(n):
            seat = (leaders[trick_no] + step) % n
            assert position.dealt[seat] >> history[trick_no * n + step] & 1


def by_card(position: Any, weights: Any, bids: list[int]) -> int:
    """Return a choice that looks at no seat number: a bid by turn, the card with the greatest weight.

    In the draw it keeps every card of some weight. Whoever bids first declares a blind nil, and exchanges
    nothing, because the cards drawn in exchange are drawn for a seat.
    """
    if position.phase == BIDDING:
        return bids[int(position.n_bids)]
    if position.phase == KEEPING:
        return int(weights[position.deck[2 * position.n_drawn]] > 0.4)
    if position.phase == DECLARING:
        return int(position.turn == position.first_bidder)
    if position.phase == EXCHANGING:
        return 0
    return max(bits(position.legal), key=lambda card: float(weights[card]))


def rolled(values: Any, n: int, turn: int) -> list[int]:
    """Return the values of `n` seats or sides, each so many places further on."""
    return [int(values[(k - turn) % n]) for k in range(n)]


@pytest.mark.parametrize("name", [*PRESETS, "pata:blind_nil=always", "cutthroat3:blind_nil=always"])
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_turning_the_table_changes_nothing(name: str, turn: int) -> None:
    """The same hands at seats further on, the deal moved with them, give the same play and scores."""
    rules = Rules.parse(name)
    n, n_sides = rules.players, rules.n_sides
    for index in range(20 if COMPILED else 3):
        random = np.random.default_rng(index)
        weights = random.random(52)
        bids = [random_bid(int(rules.record().bid_mask), random) for _ in range(4)]
        one, other = new_table(rules, index=index), new_table(rules, index=index)
        other.dealer = (one.dealer + turn) % n
        one.bags[:4] = [9, 8, 7, 6]
        other.bags[:n_sides] = rolled(one.bags, n_sides, turn)
        engine.deal(one)
        other.deck[:] = one.deck
        other.dealt[:n] = rolled(one.dealt, n, turn)
        for position in (one, other):
            engine.open_hand(position)
            while engine.advance(position) != HAND_OVER:
                engine.apply(position, by_card(position, weights, bids))
        assert [*other.history] == [*one.history]
        for field in ("tricks", "dealt", "bids", "blind", "kept", "discards", "n_forced"):
            assert [*other[field][:n]] == rolled(one[field], n, turn), field
        for field in ("points", "hand_bags", "contracts", "sets", "periods", "bostons"):
            assert [*other[field][:n_sides]] == rolled(one[field], n_sides, turn), field


def test_seats_that_are_not_at_the_table_stay_empty() -> None:
    for rules in (TWO, THREE, DRAW500):
        position = new_hand(rules)
        random = np.random.default_rng(0)
        while engine.advance(position) != HAND_OVER:
            assert position.turn < rules.players
            assert not position.hands[rules.players :].any()
            assert [*position.trick[rules.players :]] == [NOT_YET] * (4 - rules.players)
            engine.apply(position, random_choice(position, random))
        assert [*position.bids[rules.players :]] == [NOT_YET] * (4 - rules.players)
