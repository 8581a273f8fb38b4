"""A table standing as an example says: read, checked, and refused where it contradicts itself.

With `played`, the earlier tricks are played by the engine, card for card. With `tricks_won` alone, or with
neither, they are made up, number after number other ones (`spadesim.rulebook.neutral`), and no void is shown
in them.
"""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from dataclasses import replace
from typing import Any

from spadesim.core.scoring import GOES_ON, game_over
from spadesim.core.trick import legal_cards
from spadesim.core.view import EXCHANGING, KEEPING
from spadesim.notation import card_text, cards_in, cards_text, mask_of
from spadesim.rulebook.examples import Example
from spadesim.rulebook.fields import BLIND, NOT_MADE
from spadesim.rulebook.given import (
    LEADING,
    by_four,
    check_bags,
    check_bids,
    check_broken,
    check_length,
    check_seat,
    check_trick,
    engine,
    rules_of,
)
from spadesim.rulebook.neutral import Tricks
from spadesim.rulebook.nodes import Mistake
from spadesim.rulebook.standing import Situation, seated

NEUTRAL_BID = 3


def check_table(example: Example) -> None:
    """Refuse what no table could show."""
    rules, given = rules_of(example), example.given
    check_seat(example, "seat", rules.players)
    check_length(example, "bids", rules.players, "seats")
    check_length(example, "scores", rules.n_sides, "sides")
    check_bags(example, "bags")
    check_bids(example)
    outside = given.get("hand", 0) & ~int(rules.record().deck)
    if outside:
        raise example.mistake("given.hand", f"{cards_text(outside)} is not in the pack of these rules.")
    _check_draw(example)
    scores = by_four(given.get("scores", []))
    if int(game_over(rules.record(), scores, 0, 0)) != GOES_ON:
        raise example.mistake("given.scores", "with given.scores the game is over, and nobody bids or plays.")


def _check_draw(example: Example) -> None:
    rules, given = rules_of(example), example.given
    for name in ("discards", "blind"):
        if name in given and rules.deal != "draw_keep":
            raise example.mistake(f"given.{name}", f"given.{name} is for draw tables, such as draw500.")
    hand, discards = given.get("hand", 0), given.get("discards", 0)
    taken = hand | mask_of(given.get("trick", [])) | (1 << given["offered"] if "offered" in given else 0)
    for card in cards_in(discards & taken):
        raise example.mistake("given.discards", f"{card_text(card)} is in given.discards and elsewhere.")
    most = hand.bit_count() if "offered" in given else rules.hand_size
    if discards.bit_count() > most:
        raise example.mistake(
            "given.discards",
            f"given.discards has {discards.bit_count()} cards, but the seat has discarded only {most}.",
        )
    for seat in given.get("blind", []):
        if seat >= rules.players or rules.blind_nil == "off":
            raise example.mistake("given.blind", f"seat {seat} can declare no blind nil under these rules.")


def asked_before(example: Example, asked: int) -> Situation:
    """The situation of an example in which a seat of a draw table decides something before the bidding."""
    rules, given = rules_of(example), example.given
    if rules.deal != "draw_keep":
        raise example.mistake("given", f"these rules have no draw: deal is {rules.deal}, not draw_keep.")
    check_table(example)
    seat, hand = given.get("seat", 0), given.get("hand", 0)
    if asked == KEEPING and hand.bit_count() >= rules.hand_size:
        raise example.mistake("given.hand", "given.hand is full: nothing more is drawn to it.")
    if asked == KEEPING and hand >> given["offered"] & 1:
        raise example.mistake("given.offered", f"{card_text(given['offered'])} is in given.hand already.")
    if asked == EXCHANGING:
        _check_hand_size(example, rules.hand_size, "in the exchange")
    blind = [*given.get("blind", []), *([seat] if asked == EXCHANGING else [])]
    scores, bags = _standing(example)
    return Situation(
        rules, seat, hand, [NOT_MADE] * rules.players, scores, bags, is_bidding=False, first_bidder=-1,
        discards=given.get("discards", 0), blind=blind, asked=asked, offered=given.get("offered", -1),
    )  # fmt: skip


def bidding(example: Example) -> Situation:
    """The situation of an example in which a seat is to bid."""
    check_table(example)
    rules, given = rules_of(example), example.given
    seat, n = given.get("seat", 0), rules.players
    bids = given.get("bids", [NOT_MADE] * n)
    _check_hand_size(example, rules.hand_size, "before the first trick")
    n_made = sum(bid != NOT_MADE for bid in bids)
    before = [(seat - 1 - k) % n for k in range(n_made)]
    if bids[seat] != NOT_MADE:
        raise example.mistake("given.bids", f"seat {seat} is to bid: its place in given.bids must be null.")
    if any(bids[other] == NOT_MADE for other in before):
        raise example.mistake(
            "given.bids",
            f"bids are made clockwise: with {n_made} made and seat {seat} to bid, they must be those of "
            f"{_seats(sorted(before))}.",
        )
    return Situation(
        rules,
        seat,
        given["hand"],
        bids,
        *_standing(example),
        is_bidding=True,
        first_bidder=(seat - n_made) % n,
        **_of_draw(example, bids),
    )


def _of_draw(example: Example, bids: list[int]) -> dict[str, Any]:
    """What the draw has shown: the discards seen, and who has declared a blind nil."""
    declared = [seat for seat, bid in enumerate(bids) if bid == BLIND]
    return {
        "discards": example.given.get("discards", 0),
        "blind": sorted({*declared, *example.given.get("blind", [])}),
    }


def _seats(seats: list[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {' and '.join(map(str, seats))}"


def _standing(example: Example) -> tuple[list[int], list[int]]:
    """Scores and bags."""
    zeros = [0] * rules_of(example).n_sides
    return example.given.get("scores", zeros), example.given.get("bags", zeros)


def _check_hand_size(example: Example, size: int, when: str) -> None:
    n = example.given["hand"].bit_count()
    if n != size:
        raise example.mistake(
            "given.hand", f"given.hand has {n} card{'' if n == 1 else 's'}, but {when} it is {size}."
        )


def playing(example: Example) -> Situation:
    """The situation of an example in which a seat is to play a card."""
    check_table(example)
    rules, given, n = rules_of(example), example.given, rules_of(example).players
    trick = given.get("trick", [])
    check_trick(example, trick, given["hand"])
    size = given["hand"].bit_count()
    if not 1 <= size <= rules.hand_size:
        raise example.mistake(
            "given.hand", f"given.hand has {size} cards; who plays has from 1 to {rules.hand_size} of them."
        )
    trick_no = given.get("trick_no", rules.hand_size - size + 1)
    _check_hand_size(example, rules.hand_size - trick_no + 1, f"in trick {trick_no}")
    seat = given.get("seat", (given.get("leader", 0) + len(trick)) % n)
    leader = (seat - len(trick)) % n
    if given.get("leader", leader) != leader:
        raise example.mistake(
            "given.leader",
            f"with {len(trick)} cards in the trick and seat {seat} to play, seat {leader} led.",
        )
    bids = given.get("bids", [NEUTRAL_BID] * n)
    if NOT_MADE in bids:
        raise example.mistake("given.bids", "everybody has bid before the first card: given.bids has a null.")
    situation = Situation(
        rules, seat, given["hand"], bids, *_standing(example), is_bidding=False,
        first_bidder=leader if trick_no == 1 else -1, leader=leader, trick=trick, trick_no=trick_no,
        **_of_draw(example, bids),
    )  # fmt: skip
    return _with_history(example, situation)


def _with_history(example: Example, now: Situation) -> Situation:
    """The situation with its earlier tricks, given or open, and whether spades are broken."""
    given = example.given
    if "played" not in given:
        if "broken" not in given and now.trick_no > 1:
            raise example.mistake("given", "given lacks 'broken': true or false, or the tricks as 'played'.")
        broken = given.get("broken", False)
        if "broken" in given or now.trick_no == 1:
            check_broken(example, now.trick, broken, now.trick_no)
        return replace(now, tricks_won=_tricks_won(example, now), broken=broken)
    tricks: Tricks = [(leader, cards) for leader, cards, _ in given["played"]]
    if len(tricks) != now.trick_no - 1:
        raise example.mistake(
            "given.played",
            f"given.played has {len(tricks)} tricks, but this is trick {now.trick_no} (the hand has "
            f"{now.hand.bit_count()} cards).",
        )
    first_bidder = tricks[0][0] if tricks else now.leader
    whole = replace(now, played=tricks, first_bidder=first_bidder)
    position = _play_given(example, whole)
    won = position["tricks"].tolist()
    if given.get("tricks_won", won) != won:
        raise example.mistake("given.tricks_won", f"given.tricks_won must be {won} after given.played.")
    broken = bool(position["broken"])
    if given.get("broken", broken) != broken:
        right = str(broken).lower()
        raise example.mistake("given.broken", f"given.broken must be {right} after given.played.")
    return replace(whole, tricks_won=won, broken=broken)


def _tricks_won(example: Example, now: Situation) -> list[int]:
    """Tricks by seat: the given ones, or shared out evenly from the leader on."""
    n, n_before = now.rules.players, now.trick_no - 1
    check_length(example, "tricks_won", n, "seats")
    if "tricks_won" not in example.given:
        return [(n_before + n - 1 - (seat - now.leader) % n) // n for seat in range(n)]
    won = list(example.given["tricks_won"])
    if sum(won) != n_before:
        raise example.mistake(
            "given.tricks_won",
            f"given.tricks_won add up to {sum(won)}, but before trick {now.trick_no} there are {n_before}.",
        )
    if n_before and won[now.leader] == 0:
        raise example.mistake(
            "given.tricks_won", f"seat {now.leader} leads trick {now.trick_no}, so it has won the one before."
        )
    return won


def _play_given(example: Example, now: Situation) -> Any:
    """The table after the given tricks and this one, every card of which could be played."""
    cards = [card for _, trick in now.played or [] for card in trick]
    for card in cards:
        if now.hand >> card & 1 or card in now.trick:
            where = "given.hand" if now.hand >> card & 1 else "given.trick"
            raise example.mistake("given.played", f"{card_text(card)} is in {where}, but was played before.")
    position = seated(now, 0, now.played or [])
    lines = [line for _, _, line in example.given["played"]]
    for number, (leader, trick) in enumerate(now.played or [], 1):
        where = f"given.played, trick {number}"
        if len(trick) != now.rules.players:
            raise Mistake(lines[number - 1], f"{where} has {len(trick)} cards, not {now.rules.players}.")
        if leader != position["leader"]:
            raise Mistake(
                lines[number - 1],
                f"{where} is led by seat {leader}, but seat {int(position['leader'])} won the trick before.",
            )
        for card in trick:
            _check_card(now, position, card, where, lines[number - 1])
            engine.apply_card(position, card)
    if position["leader"] != now.leader:
        winner = int(position["leader"])
        raise example.mistake(
            "given.played", f"seat {winner} wins the last of given.played, but seat {now.leader} leads next."
        )
    for card in now.trick:
        _check_card(now, position, card, "given.trick", example.line_of("given.trick"))
        engine.apply_card(position, card)
    return position


def _check_card(now: Situation, position: Any, card: int, where: str, line: int) -> None:
    """Refuse a card that the seat in turn could not have played, as far as its cards are known."""
    seat, led = int(position["turn"]), int(position["led_suit"])
    known, broken = int(position["hands"][seat]), int(position["broken"])
    legal = int(legal_cards(now.rules.record(), known, led, broken))
    shown = f"{where}: seat {seat}"
    if not legal >> card & 1 and led != LEADING:
        other = card_text(cards_in(legal)[0])
        raise Mistake(line, f"{shown} plays {card_text(card)} and does not follow suit, but it has {other}.")
    n_left = now.rules.hand_size - int(position["trick_no"])
    is_unsure = led == LEADING and known.bit_count() < n_left
    if not legal >> card & 1 or (is_unsure and _is_early(now, known | 0b1, card, broken)):
        raise Mistake(line, f"{shown} leads {card_text(card)} before spades are broken.")


def _is_early(now: Situation, hand: int, card: int, broken: int) -> bool:
    """Whether a lead would be illegal from a hand that has a side suit."""
    return not int(legal_cards(now.rules.record(), hand, LEADING, broken)) >> card & 1
