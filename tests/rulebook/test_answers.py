"""The engine's answers: a wrong example of each kind is caught, and what no table could show is refused."""

# An example and what is said about it are easiest to compare on one line.
# ruff: noqa: E501

import pytest

from tests.rulebook.files import SCORING, complaint, mistake, one, run

pytestmark = pytest.mark.compiled_only

THREE = "overrides: {players: 3, teams: individual, deck: minus_2c},"
DRAW500 = "preset: draw500,"
STOCK = "stock: [2C, KS, 9H, 3D]"
HELD = "hand: AK2.K64.A54.5432"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (one("scoring", SCORING, "{total: 62}"), "my.yaml:3: X-1: total should be 62, but is 61"),
        (one("scoring", SCORING, "{is_boston: true}"), "is_boston should be true, but is false"),
        (one("table", "{bids: [3, 4, 2, 3], tricks: [3, 4, 3, 3]}", "{totals: [50, 70]}"), "totals should be [50, 70], but is [51, 70]"),
        (one("table", "{bids: [3, 4, 2, 3], tricks: [3, 4, 3, 3]}", "{winner: 1}"), "winner should be 1, but is null"),
        (one("legality", "{hand: [AS, 2C, 3D], trick: [], broken: false, trick_no: 1}", "{legal: [AS, 2C, 3D]}"), "legal should be [AS, 3D, 2C], but is [3D, 2C]"),
        (one("breaking", "{tricks: [[4C, 9C, 2S, KC]]}", "{broken: false}"), "broken should be false, but is true"),
        (one("winner", "{leader: 2, cards: [2S, AS, 3S, 9H]}", "{winner: 2}"), "winner should be 2, but is 3"),
        (one("game_end", "{scores: [500, 300]}", "{over: false, winner: 0}"), "over should be false, but is true"),
        (one("game_end", "{scores: [500, 500], hands_played: 4}", "{over: false}", "overrides: {max_hands: 4},"), "over should be false, but is true"),
        (one("bid_order", "{start: 2, round: 2}", "{order: [3, 0, 1, 2]}"), "order should be [3, 0, 1, 2], but is [0, 1, 2, 3]"),
        (one("bid_legality", "{}", "{legal: [0, 1]}"), "legal should be [0, 1], but is [0, 1, 2, 3"),
        (one("bid_legality", "{blind: true}", "{legal: [0, 1]}", DRAW500), "legal should be [0, 1], but is [0]"),
        (one("scoring", "{bids: [BN], tricks: [1]}", "{nil: -100}", DRAW500), "nil should be -100, but is -200"),
        (one("table", "{bids: [BN, 4], tricks: [0, 13]}", "{totals: [100, 49]}", DRAW500), "totals should be [100, 49], but is [200, 49]"),
        (one("draw", f"{{first: 0, {STOCK}, decisions: [keep, reject]}}", "{hands: [[2C], [9H]]}", DRAW500), "hands should be [[2C], [9H]], but is [[2C], [3D]]"),
        (one("draw", f"{{first: 0, {STOCK}, decisions: [keep, reject]}}", "{seen_discards: [[KS], [9H]]}", DRAW500), "seen_discards should be [[KS], [9H]], but is [[], [9H]]"),
        (one("draw", "{first: 0, stock: sorted, decisions: []}", "{asked: blind}", "preset: draw300,"), "asked should be blind, but is keep"),
        (one("exchange", f"{{{HELD}, give: [AS, KS], pile: [QC, 3H], draw_indexes: [0, 1]}}", "{ok: true, hand: AK2.K64.A54.5432}", DRAW500), "hand should be [AS, KS, 2S, KH, 6H, 4H, AD, 5D, 4D, 5C, 4C, 3C, 2C], but is [2S, KH, 6H, 4H, 3H, AD, 5D, 4D, QC, 5C, 4C, 3C, 2C]"),
        (one("exchange", f"{{{HELD}, give: [AS, QS], pile: [QC, 3H], draw_indexes: [0, 1]}}", "{ok: true}", DRAW500), "ok should be true, but is false"),
        (one("blind_offer", "{cards_seen: 0, own_score: 0, opp_score: 0}", "{allowed: true}"), "allowed should be true, but is false"),
        (one("blind_offer", "{cards_seen: 1}", "{allowed: true}", DRAW500), "allowed should be true, but is false"),
        (one("ai_bid", "{bot: easy, hand: AKT2.AK3.A54.432}", "{bid: 6}"), "easy: bid should be 6, but is 5"),
        (one("ai_bid", "{bot: easy, hand: AKT2.AK3.A54.432}", "{bid_in: [6, 7]}"), "easy: bid should be one of 6 or 7, but is 5"),
        (one("ai_bid", "{bot: easy, hand: AKT2.AK3.A54.432}", "{bid_not: 5}"), "easy: bid should be another than 5, but is 5"),
        (one("ai_table", "{bot: easy, deal: round_robin}", "{bids: [2, 2, 2, 3]}"), "easy: bids should be [2, 2, 2, 3], but is [2, 2, 2, 2]"),
        (one("ai_play", "{bot: lowest_card, hand: [KH, 4H, 2S], trick: [9H], broken: false}", "{card: KH}"), "lowest_card: card should be KH, but is 4H"),
        (one("tip_bid", "{levels: [easy], hand: AKT2.AK3.A54.432}", "{bid: 4}"), "easy: bid should be 4, but is 5"),
        (one("tip_play", "{levels: [lowest_card], hand: [KH, 4H, 2S], trick: [9H], broken: false}", "{card_must: win}"), "lowest_card: card_must should be win, but is lose"),
        (one("tip_play", "{levels: [lowest_card], hand: [KH, 4H, 2S], trick: [9H], broken: false}", "{card_in: [KH]}"), "lowest_card: card should be one of KH, but is 4H"),
    ],
)  # fmt: skip
def test_a_wrong_example_does_not_hold(text: str, words: str) -> None:
    found = complaint(text)
    assert found.startswith("my.yaml:3: X-1: ")
    assert words in found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (one("scoring", "{bids: [4], tricks: [4]}", "{total: 40}"), "2: X-1: given.bids has 1 values, but these rules have 2 seats on a side: one for each."),
        (one("scoring", "{bids: [4, 3], tricks: [4, 3]}", "{total: 40}", THREE), "these rules have 1 seat on a side"),
        (one("scoring", "{bids: [14, 3], tricks: [4, 3]}", "{total: 40}"), "14 is no bid under these rules: a bid is 0 or a number from 1 to 13."),
        (one("scoring", "{bids: [0, 3], tricks: [4, 3]}", "{total: 40}", "overrides: {nil_allowed: false},"), "0 is no bid under these rules: a bid is a number from 1 to 13."),
        (one("scoring", "{bids: [4, 3], tricks: [7, 7]}", "{total: 40}"), "given.tricks add up to 14, but a hand has only 13 tricks."),
        (one("scoring", "{bids: [4, 3], tricks: [4, 3], bags_before: 10}", "{total: 40}"), "given.bags_before has 10, but 10 bags have cost their penalty already: a count is at most 9."),
        (one("table", "{bids: [3, 4, 2, 3], tricks: [3, 4, 3, 2]}", "{totals: [0, 0]}"), "given.tricks add up to 12, but a hand has 13 tricks."),
        (one("table", "{bids: [3, 4, 2], tricks: [3, 4, 3, 3]}", "{totals: [0, 0]}"), "given.bids has 3 values, but these rules have 4 seats"),
        (one("table", "{bids: [3, 4, 2, 3], tricks: [3, 4, 3, 3], scores_before: [1]}", "{totals: [0, 0]}"), "these rules have 2 sides"),
        (one("table", "{bids: [3, 4, 2, 3], tricks: [3, 4, 3, 3], bags_before: [1, 12]}", "{totals: [0, 0]}"), "given.bags_before has 12"),
        (one("table", "{bids: [3, 4, 2, 3], tricks: [3, 4, 3, 3], hands_played: 0}", "{totals: [0, 0]}"), "given.hands_played counts the hand just scored too: 1 or more."),
        (one("game_end", "{scores: [1, 2, 3]}", "{over: true}"), "given.scores has 3 values, but these rules have 2 sides"),
        (one("legality", "{hand: [], trick: [], broken: false}", "{legal: []}"), "given.hand is empty"),
        (one("legality", "{hand: [AS, KH], trick: [KH], broken: false}", "{legal: [AS]}"), "KH is in given.hand and in given.trick."),
        (one("legality", "{hand: [AS], trick: [2H, 3H, 4H, 5H], broken: false}", "{legal: [AS]}"), "given.trick has 4 cards: with 4 players the last one sees 3."),
        (one("legality", "{hand: [AS, 2S], trick: [], broken: false, trick_no: 13}", "{legal: [AS]}"), "given.hand has 2 cards, but in trick 13 nobody holds more than 1."),
        (one("legality", "{hand: [AS, 2S], trick: [], broken: false, trick_no: 14}", "{legal: [AS]}"), "given.trick_no is 14, but a hand has 13 tricks."),
        (one("legality", "{hand: [AS], trick: [2H, 3S], broken: false}", "{legal: [AS]}"), "3S in given.trick breaks spades: given.broken must be true."),
        (one("legality", "{hand: [AS], trick: [2H], broken: true, trick_no: 1}", "{legal: [AS]}"), "nothing in given.trick breaks spades, and it is the first: given.broken must be false."),
        (one("legality", "{hand: [AS], trick: [2C], broken: false}", "{legal: [AS]}", THREE), "2C is not in the pack of these rules."),
        (one("breaking", "{tricks: [[AS, 2S]]}", "{broken: true}"), "trick 1 has 2 cards, not 4, one for each seat."),
        (one("breaking", "{tricks: [[AS, 2S, 3S, 4S], [2C, 3C, 4C, 2S]]}", "{broken: true}"), "2S is played twice."),
        (one("winner", "{leader: 0, cards: [AS, 2S]}", "{winner: 0}"), "given.cards has 2 cards, not 4, one for each seat."),
        (one("winner", "{leader: 3, cards: [AS, 2S, 3S]}", "{winner: 0}", THREE), "given.leader must be a seat from 0 to 2, not 3."),
        (one("bid_order", "{start: 3, round: 1}", "{leader: 0}", THREE), "given.start must be a seat from 0 to 2, not 3."),
        (one("bid_order", "{start: 3, round: 0}", "{leader: 0}"), "given.round must be a whole number from 1 to 100, not 0."),
        (one("bid_legality", "{bids_so_far: [1, 2, 3]}", "{legal: [0]}", THREE), "given.bids_so_far has 3 bids: nobody is left to bid."),
        (one("bid_legality", "{bids_so_far: [4, 14]}", "{legal: [0]}"), "14 in given.bids_so_far is no bid under these rules."),
        (one("bid_legality", "{bids_so_far: [4, 3], partner_bid: 3}", "{legal: [0]}"), "given.partner_bid must be 4, the last but one of given.bids_so_far."),
        (one("bid_legality", "{bids_so_far: [4], partner_bid: 4}", "{legal: [0]}"), "given.partner_bid must be null."),
        (one("scoring", "{bids: [BN, 3], tricks: [0, 3]}", "{total: 230}"), "BN is no bid under these rules: blind_nil is off."),
        (one("scoring", "{bids: [0], tricks: [3]}", "{total: 30}", "preset: bicycle,"), "0 is no bid under these rules: a bid is a number from 1 to 13."),
        (one("scoring", "{bids: [2, 3], tricks: [3, 3]}", "{total: 30}", "overrides: {min_bid: 3},"), "2 is no bid under these rules: a bid is 0 or a number from 3 to 13."),
        (one("bid_legality", "{bids_so_far: [BN]}", "{legal: [0]}"), "these rules have no blind nil: blind_nil is off."),
        (one("bid_legality", "{blind: true}", "{legal: [0]}"), "these rules have no blind nil: blind_nil is off."),
        (one("draw", "{first: 0, stock: sorted, decisions: all_keep}", "{next: 0}"), "these rules have no draw: deal is all, not draw_keep."),
        (one("draw", "{first: 2, stock: sorted, decisions: all_keep}", "{next: 0}", DRAW500), "given.first must be a seat from 0 to 1, not 2."),
        (one("draw", "{first: 0, stock: [2C, 3C, 4C], decisions: all_keep}", "{next: 0}", DRAW500), "given.stock has 3 cards, but every turn takes two: an even number."),
        (one("draw", "{first: 0, stock: [2C, 3C], decisions: [keep, keep]}", "{next: 0}", DRAW500), "given.decisions has 2 turns, but 2 cards are enough for 1."),
        (one("draw", "{first: 0, stock: sorted, decisions: all_keep, blind: [2]}", "{next: 0}", DRAW500), "given.blind must be of seats 0 and 1, not 2."),
        (one("draw", "{first: 0, stock: sorted, decisions: all_keep, blind: [1]}", "{next: 0}", "preset: draw300,"), "seat 1 may not declare a blind nil under these rules."),
        (one("exchange", f"{{{HELD}, give: [AS], pile: [QC], draw_indexes: [0]}}", "{ok: true}"), "these rules have no exchange with the discards: take draw500, or other rules with exchange_with=discard_pile."),
        (one("exchange", "{hand: [AS], give: [AS], pile: [QC], draw_indexes: [0]}", "{ok: true}", DRAW500), "given.hand has 1 card, but before the bidding it is 13."),
        (one("exchange", f"{{{HELD}, give: [AS], pile: [QC, AS], draw_indexes: [0]}}", "{ok: true}", DRAW500), "AS is in given.hand and in given.pile."),
        (one("exchange", f"{{{HELD}, give: [AS], pile: [QC], draw_indexes: []}}", "{ok: true}", DRAW500), "given.draw_indexes has 0 places for 1 card given: one for each."),
        (one("exchange", f"{{{HELD}, give: [AS, KS], pile: [QC, JC], draw_indexes: [1, 1]}}", "{ok: true}", DRAW500), "given.draw_indexes must be different places from 0 to 1."),
        (one("exchange", f"{{{HELD}, give: [AS], pile: [QC], draw_indexes: [1]}}", "{ok: true}", DRAW500), "given.draw_indexes must be different places from 0 to 0."),
        (one("blind_offer", "{cards_seen: 0, opp_score: 3, opp_scores: [3]}", "{allowed: true}", DRAW500), "give opp_score or opp_scores, not both."),
        (one("blind_offer", "{cards_seen: 0, opp_scores: [3]}", "{allowed: true}", "preset: cutthroat3,"), "given.opp_scores has 1 values, but these rules have 2 other sides: one for each."),
        (one("bid_legality", "{spades_in_hand: 14}", "{legal: [0]}"), "given.spades_in_hand is 14, but a hand has at most 13 spades."),
    ],
)  # fmt: skip
def test_what_no_table_could_show_is_refused(text: str, words: str) -> None:
    assert words in mistake(text)


def test_an_exchange_is_the_same_for_both_players_and_a_stock_may_be_shortened() -> None:
    text = one(
        "exchange",
        f"{{{HELD}, give: [AS], pile: [QC], draw_indexes: [0]}}",
        "{ok: true, pile: [AS]}",
        DRAW500,
    )
    assert run(text).passed
    text = one("draw", f"{{first: 1, {STOCK}, decisions: [keep]}}", "{stock_left: 2, next: 0}", DRAW500)
    assert run(text).passed


def test_cards_may_be_a_text_and_a_hand_its_suits() -> None:
    text = one("legality", "{hand: A9..4.2, trick: 5D KD, broken: false}", "{legal: [4D]}")
    assert run(text).passed


def test_a_lone_value_is_as_good_as_a_list_of_one() -> None:
    assert run(one("tip_bid", "{levels: easy, hand: AKT2.AK3.A54.432}", "{bid_in: 5}")).passed


def test_the_whole_is_said_in_a_sentence() -> None:
    good, bad = one("scoring", SCORING, "{total: 61}"), one("scoring", SCORING, "{total: 62}")
    later = one("scoring", SCORING, "{total: 62}", "preset: cookout,")
    text = "".join(part.replace("X-1", f"X-{k}") for k, part in enumerate([good, bad, later, later]))
    report = run(text)
    assert str(report) == "1 of 4 examples hold, 1 does not, 2 are not supported yet."
    assert report.counts == {"scoring": {"passed": 1, "failed": 1, "unsupported": 2}}
    assert report.lacking == {"the preset cookout": ["X-2", "X-3"]}
    assert not report.passed
