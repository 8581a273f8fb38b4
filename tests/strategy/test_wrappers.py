"""Weaknesses laid around bots: how they are named, and that each does what it says and nothing else."""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from spadesim.core._jit import COMPILED, jit
from spadesim.core.batch import BOARDS, OUTCOME, new_task, run_chunk
from spadesim.core.cards import suit_mask
from spadesim.core.play import NO_FAULT
from spadesim.core.rules import Rules
from spadesim.core.tally import fingerprint_text
from spadesim.core.view import BIDDING, DECLARING, PLAYING, VIEW
from spadesim.core.weakness import N_WEAKNESSES, coin
from spadesim.errors import UserError
from spadesim.match.moment import moment
from spadesim.match.replay import replay
from spadesim.match.spec import DuelSpec
from spadesim.strategy import Side, discover, lineup, load_side, load_strategy
from spadesim.strategy.ask import Seen, Views, answers_to, choices_of, dimmed, watch
from spadesim.strategy.load import asked_before
from spadesim.strategy.wrappers import WRAPPERS, read_wrappers, write_wrappers
from tests.quick import quick

N = 12_000 if COMPILED else 500
MOST = "".join(f"~{name}" for name in WRAPPERS)
HALF = "".join(f"~{name}=0.5" for name in WRAPPERS)
TABLES = ("pata", "draw500", "cutthroat3", "pata:blind_nil=always,min_bid=2")
SIGMAS = 4.0


@cache
def seen(bot: str = "lowest_card", rules: str = "pata") -> Seen:
    strategy = load_strategy(bot)
    return watch(strategy, strategy, Rules.parse(rules), 1, N)


def at(phase: int, bot: str = "lowest_card", rules: str = "pata") -> Views:
    views = seen(bot, rules).views
    chosen: Views = views[views["phase"] == phase].copy()
    return chosen


def is_near(found: float, expected: float, n: int) -> bool:
    """Whether a share of `n` independent cases agrees with a chance."""
    return abs(found - expected) <= SIGMAS * math.sqrt(expected * (1 - expected) / n)


def masks(cards: Views) -> list[int]:
    """Each history as a mask, the empty places left out."""
    return [sum(1 << card for card in {int(card) for card in line if card >= 0}) for line in cards]


@pytest.mark.parametrize("name", WRAPPERS)
def test_names_and_values_are_read_back(name: str) -> None:
    wrapper = WRAPPERS[name]
    assert write_wrappers(read_wrappers([(name, "")])) == ((name, wrapper.word(float(wrapper.default))),)
    assert write_wrappers(read_wrappers([(name, "0.25")])) == ((name, "0.25"),)
    assert write_wrappers(read_wrappers([(name, "0")])) == ()


def test_a_loaded_bot_names_its_weaknesses_in_one_order() -> None:
    bot = load_strategy("hard:rounding=2~timid=0~forget~blunder=0.30")
    assert str(bot) == "hard:rounding=2~blunder=0.3~forget=0.2"
    assert bot.name == "hard~blunder=0.3~forget=0.2"
    assert str(load_strategy(str(bot))) == str(bot)
    assert load_side("hard~bold+hard").name == "hard~bold=1+hard"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("easy~blundr=0.1", "'easy~blundr=0.1': there is no wrapper '~blundr'. Did you mean 'blunder'?"),
        ("easy~king=1", "Wrappers: blunder, forget, timid, bold, blind_to_bags, afraid_of_nil."),
        ("easy~blunder=1.5", "the wrapper '~blunder' takes a number from 0 to 1, not '1.5'."),
        ("easy~timid=-1", "the wrapper '~timid' takes a number from 0 to 13, not '-1'."),
        ("easy~forget=much", "the wrapper '~forget' takes a number from 0 to 1, not 'much'."),
        ("easy~bold~bold=2", "the wrapper '~bold' is given twice."),
    ],
)
def test_what_is_no_weakness_is_refused(text: str, message: str) -> None:
    with pytest.raises(UserError) as refusal:
        load_side(text)
    assert message in str(refusal.value)


@pytest.mark.parametrize("rules", TABLES)
def test_every_bot_stays_legal_and_is_equal_to_itself(rules: str) -> None:
    """All weaknesses at their most against all at a half, and each against itself: the rooms go alike."""
    table, n = Rules.parse(rules), 40 if COMPILED else 1
    for listing in discover():
        bot = load_strategy(listing.name)
        if set(asked_before(table)) - set(bot.functions):
            continue
        if bot.model is not None and not COMPILED:  # it plays every decision out, seconds each
            continue
        name = quick(listing.name)
        most, half = load_side(name + MOST), load_side(name + HALF)
        _, fault = run_chunk(lineup(most, half, table), table, new_task(BOARDS, 3, 0, n))
        assert fault["code"] == NO_FAULT, listing.name
        tally, _ = run_chunk(lineup(half, half, table), table, new_task(BOARDS, 3, 0, n))
        assert tally[0]["identical"] == n, listing.name


@pytest.mark.parametrize("rules", ["pata", "draw300"])
def test_a_coin_that_never_falls_changes_nothing(rules: str) -> None:
    table, n = Rules.parse(rules), 200 if COMPILED else 3
    slight = load_side("hard" + "".join(f"~{name}=1e-12" for name in WRAPPERS))
    assert slight.lower.weaknesses.all()
    prints = []
    for side in (load_side("hard"), slight):
        outcomes = np.zeros(n, OUTCOME)
        tally, _ = run_chunk(
            lineup(side, load_side("medium"), table), table, new_task(BOARDS, 3, 0, n), outcomes
        )
        prints.append((fingerprint_text(tally[0]), outcomes.tobytes()))
    assert prints[0] == prints[1]


def test_every_weakness_and_number_has_a_coin_of_its_own() -> None:
    coins = [coin(7, kind, number) for kind in range(N_WEAKNESSES) for number in range(63)]
    assert len(set(coins)) == len(coins)


@pytest.mark.parametrize("chance", [0.1, 0.7])
def test_blunders_come_as_often_as_they_should(chance: float) -> None:
    views = at(PLAYING)
    best = answers_to(load_strategy("lowest_card"), views)
    chosen = choices_of(load_strategy(f"lowest_card~blunder={chance}"), views)
    assert is_near(np.mean(chosen != best), chance, len(views))
    assert all(view["legal"] >> card & 1 for view, card in zip(views, chosen.tolist(), strict=True))


def test_a_blunder_is_the_next_best_card() -> None:
    views = at(PLAYING, "hard")
    without = views.copy()
    without["legal"] &= ~(np.int64(1) << answers_to(load_strategy("hard"), views))
    left = without["legal"] & (without["legal"] - 1) != 0
    chosen = choices_of(load_strategy("hard~blunder=1"), views)
    assert np.array_equal(chosen[left], answers_to(load_strategy("hard"), without[left]))
    assert np.array_equal(np.int64(1) << chosen[~left], without["legal"][~left])


@pytest.mark.parametrize("chance", [0.2, 1.0])
def test_the_right_share_of_cards_is_forgotten(chance: float) -> None:
    views = at(PLAYING)
    views = views[views["trick_no"] == 8]  # once in a hand at most
    weak = dimmed(views, read_wrappers([("forget", str(chance))]))
    of_others = views["played"] & ~views["hand"]
    for row, view in enumerate(views):
        trick = sum(1 << int(card) for card in view["trick"] if card >= 0)
        own = [int(view["history"][4 * k + (view["seat"] - view["leaders"][k]) % 4]) for k in range(8)]
        of_others[row] &= ~trick & ~sum(1 << card for card in own)
    gone = views["played"] & ~weak["played"]
    assert not np.any(gone & ~of_others)
    n = 24 * len(views)
    assert is_near(sum(int(mask).bit_count() for mask in gone) / n, chance, n)


def test_a_view_with_cards_forgotten_still_agrees_with_itself() -> None:
    views = at(PLAYING)
    weak = dimmed(views, read_wrappers([("forget", "0.5")]))
    assert masks(weak["history"]) == weak["played"].tolist()
    assert np.array_equal((weak["history"] >= 0).sum(axis=1), views["n_history"])
    same = [name for name in VIEW.names or () if name not in ("history", "played", "voids")]
    assert all(np.array_equal(weak[name], views[name]) for name in same)
    assert not np.any(weak["voids"] & ~views["voids"])
    assert np.any(weak["voids"] != views["voids"])
    more = dimmed(views, read_wrappers([("forget", "0.8")]))
    assert not np.any(more["played"] & ~weak["played"])  # the same coins
    all_gone = dimmed(views, read_wrappers([("forget", "1")]))
    first = views["n_in_trick"] == 0
    own_voids = all_gone["voids"][np.arange(len(views)), views["seat"]]
    assert np.array_equal(all_gone["voids"][first].sum(axis=1), own_voids[first])


def test_what_is_forgotten_stays_forgotten_for_the_hand() -> None:
    views = at(PLAYING)
    weak = dimmed(views, read_wrappers([("forget", "0.5")]))
    gone: dict[int, int] = {}
    for view, mask in zip(views, (views["played"] & ~weak["played"]).tolist(), strict=True):
        assert not gone.get(int(view["rng_key"]), 0) & ~mask
        gone[int(view["rng_key"])] = mask


def test_a_void_is_known_by_a_card_that_is_remembered() -> None:
    """Worked out anew, with sets, from the tricks as they were."""
    views = at(PLAYING)[:400]
    weak = dimmed(views, read_wrappers([("forget", "0.5")]))
    for view, left in zip(views, weak, strict=True):
        shown = [0, 0, 0, 0]
        for trick in range(int(view["trick_no"]) + 1):
            n = 4 if trick < view["trick_no"] else int(view["n_in_trick"])
            cards = [int(card) for card in view["history"][4 * trick : 4 * trick + n]]
            for k, card in enumerate(cards):
                if not suit_mask(cards[0] // 13) >> card & 1 and left["played"] >> card & 1:
                    shown[(int(view["leaders"][trick]) + k) % 4] |= 1 << cards[0] // 13
        assert left["voids"].tolist() == shown


@pytest.mark.parametrize(("name", "sign"), [("timid", -1), ("bold", 1)])
def test_bids_move_by_whole_tricks_and_coins(name: str, sign: int) -> None:
    views = at(BIDDING, "hard")
    plain = answers_to(load_strategy("hard"), views)
    by_one = choices_of(load_strategy(f"hard~{name}=1"), views)
    assert np.array_equal(by_one, np.where(plain == 0, 0, np.clip(plain + sign, 1, 13)))
    moved = choices_of(load_strategy(f"hard~{name}=1.25"), views)
    free = plain >= 3
    assert set((sign * (moved - plain))[free].tolist()) == {1, 2}
    assert is_near(np.mean(sign * (moved - plain)[free] == 2), 0.25, int(free.sum()))
    far = choices_of(load_strategy(f"hard~{name}=13"), views)
    assert np.array_equal(far, np.where(plain == 0, 0, 1 if sign < 0 else 13))


def test_the_lowest_bid_is_that_of_the_rules() -> None:
    views = at(BIDDING, "hard", "pata:min_bid=3")
    plain = answers_to(load_strategy("hard"), views)
    assert np.array_equal(
        choices_of(load_strategy("hard~timid=9"), views), np.where(plain == 0, 0, np.minimum(plain, 3))
    )


def test_timid_and_bold_together_cancel() -> None:
    views = at(BIDDING, "hard")
    both = choices_of(load_strategy("hard~timid=2~bold=2"), views)
    assert np.array_equal(both, answers_to(load_strategy("hard"), views))


def test_blind_to_bags_hides_them_in_so_many_hands() -> None:
    views = at(BIDDING)
    views = views[(views["bags"] != 0).any(axis=1)]
    weak = dimmed(views, read_wrappers([("blind_to_bags", "0.3")]))
    blind = ~(weak["bags"] != 0).any(axis=1)
    assert is_near(blind.mean(), 0.3, len(views))
    assert not weak["rules"]["bag_limit"][blind].any()
    assert not weak["rules"]["bag_penalty"][blind].any()
    assert np.array_equal(weak[~blind], views[~blind])


def test_afraid_of_nil_bids_none_blind_or_not() -> None:
    views = at(BIDDING, "hard")
    assert not COMPILED or (answers_to(load_strategy("hard"), views) == 0).any()
    assert (choices_of(load_strategy("hard~afraid_of_nil"), views) > 0).all()
    views = at(DECLARING, "random_legal", "draw500")
    bold = load_strategy("random_legal")
    bold = replace(bold, functions={**bold.functions, "blind": always_blind})
    assert answers_to(bold, views).all()
    assert not choices_of(replace(bold, weaknesses=read_wrappers([("afraid_of_nil", "1")])), views).any()
    some = choices_of(replace(bold, weaknesses=read_wrappers([("afraid_of_nil", "0.5")])), views)
    assert is_near(some.mean(), 0.5, len(views))


@jit
def always_blind(view: Any, p: Any) -> Any:
    return 1


def test_a_bot_that_bids_nil_whatever_it_may_bid_still_bids_none(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    file = tmp_path_factory.mktemp("bots") / "stubborn.py"
    file.write_text(
        "from spadesim.core.cards import lowest\nfrom spadesim.strategy import jit\n"
        "@jit\ndef bid(view, p):\n    return 0\n@jit\ndef play(view, p):\n    return lowest(view.legal)\n"
    )
    views = at(BIDDING)[:50]
    assert (choices_of(load_strategy(f"{file}~afraid_of_nil"), views) == 1).all()


def test_a_decision_is_shown_as_it_was_made() -> None:
    """Every decision of a board, asked again from what is shown of it."""
    spec = DuelSpec("hard~blunder=0.4~forget=0.5~timid=0.5", "easy~bold~blind_to_bags=0.5", boards=1, seed=4)
    sides: tuple[Side, Side] = load_side(spec.a), load_side(spec.b)
    played = replay(spec, 7, sides=sides)
    n = 0
    for room in range(spec.n_rooms):
        for step in played.rooms[room].hands[0].decisions():
            if step.made.is_forced:
                continue
            found = moment(
                played, room=room, hand=0, seat=step.made.seat, phase=step.phase, number=step.number
            )
            own = found.answers[played.rooms[room].roles[step.made.seat] >> 1]
            assert (own.choice, own.is_legal) == (step.made.choice, True)
            n += 1
    assert n > 40
