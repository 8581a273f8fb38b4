"""The kinds of worked examples: which fields each is given and may expect."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spadesim.notation import card_text
from spadesim.rulebook import fields as f
from spadesim.rulebook.fields import Field, Later, several, whole
from spadesim.rulebook.nodes import Node

Fields = Mapping[str, Field]


@dataclass(frozen=True)
class Kind:
    """One kind of worked examples.

    Parameters
    ----------
    given, expect : fields by name; at least one of `expect` is needed
    later : str
        What the engine lacks for it, "" for nothing.
    answer : str
        The one of `expect` that a bot answers with, "" where no bot is asked.
    """

    given: Fields
    expect: Fields
    later: str = ""
    answer: str = ""


def _later(what: str) -> Field:
    """A field that is known, and for which the engine lacks something."""

    def read(node: Node, name: str) -> Any:
        raise Later(what)

    return Field(read, required=False)


COUNT = Field(whole(0, 1000))
POINTS = Field(whole()).optional()
COUNTS = Field(several(whole(0, 1000), "whole numbers", 1, 4))
NUMBERS = Field(several(whole(), "whole numbers", 1, 4))
BIDS = Field(several(f.bid_made, "bids", 1, 4), f.bids_text)
OPEN_BIDS = Field(several(f.bid_or_none, "bids (null for none yet)", 2, 4), f.bids_text)
FLAG = Field(f.flag)
SEAT = f.SEAT
SEATS = Field(several(whole(0, 3), "seats", 2, 4))
WINNER = Field(whole(0, 3, or_null=True)).optional()
CARD_LIST = Field(f.card_list, f.cards_shown)
HAND = Field(f.hand, f.hand_shown)
TRICK_NO = Field(whole(1, 26))
HANDS = Field(
    several(f.hand, "hands", 2, 2), lambda hands: f"[{', '.join(map(f.hand_shown, hands))}]"
).optional()

_BOT = Field(f.text)
_BOTS = Field(f.some(f.text, "bots"))
_TABLE: Fields = {
    "seat": SEAT.optional(),
    "bids": OPEN_BIDS.optional(),
    "scores": NUMBERS.optional(),
    "bags": COUNTS.optional(),
    "discards": HAND.optional(),
    "blind": Field(several(SEAT.read, "seats", 0, 2)).optional(),
}
_DRAWING: Fields = {name: _TABLE[name] for name in ("seat", "scores", "bags", "discards", "blind")}
_TRICKS: Fields = {
    "tricks_won": COUNTS.optional(),
    "played": Field(f.tricks_played).optional(),
    "leader": SEAT.optional(),
    "trick": CARD_LIST.optional(),
    "trick_no": TRICK_NO.optional(),
    "broken": FLAG.optional(),
}


def _is_member(expected: Any, found: Any) -> bool:
    return found in expected


def _is_no_member(expected: Any, found: Any) -> bool:
    return found not in expected


def _some_text(members: list[int]) -> str:
    return " or ".join(map(str, members))


def _some_cards_text(members: list[int]) -> str:
    return " or ".join(map(card_text, members))


_SOME_BIDS, _SOME_CARDS = f.some(f.bid, "bids"), f.some(f.card, "cards")
_BID: Fields = {
    "bid": Field(f.bid, required=False),
    "bid_in": Field(_SOME_BIDS, _some_text, False, "bid", _is_member, "one of "),
    "bid_not": Field(_SOME_BIDS, _some_text, False, "bid", _is_no_member, "another than "),
}
_CARD: Fields = {
    "card": Field(f.card, card_text, False),
    "card_in": Field(_SOME_CARDS, _some_cards_text, False, "card", _is_member, "one of "),
    "card_not": Field(
        f.some(f.card, "cards"), _some_cards_text, False, "card", _is_no_member, "another than "
    ),
    "card_must": Field(f.one_of("win", "lose"), required=False),
}
_EASY_ZERO: Fields = {"easy_zero": Field(f.one_of("one", "nil"), required=False)}

KINDS: Mapping[str, Kind] = {
    "scoring": Kind(
        {
            "bids": Field(several(f.bid_made, "bids", 1, 2), f.bids_text),
            "tricks": Field(several(whole(0, 26), "whole numbers", 1, 2)),
            "bags_before": COUNT.optional(),
            "blind_team": _later("bids made before the cards are seen (blind_team)"),
        },
        {
            **{name: POINTS for name in ("contract", "over", "nil", "boston", "penalty", "total")},
            "bags_after": COUNT.optional(),
            "is_set": FLAG.optional(),
            "is_boston": FLAG.optional(),
            "opponent_bonus": _later("bag penalties paid to the opponents (opponent_bonus)"),
        },
    ),
    "table": Kind(
        {
            "bids": BIDS,
            "tricks": COUNTS,
            "bags_before": COUNTS.optional(),
            "scores_before": NUMBERS.optional(),
            "hands_played": COUNT.optional(),
            "in_tiebreak": FLAG.optional(),
        },
        {
            "totals": NUMBERS.optional(),
            "bags_after": COUNTS.optional(),
            "scores": NUMBERS.optional(),
            "over": FLAG.optional(),
            "winner": WINNER,
        },
    ),
    "legality": Kind(
        {"hand": HAND, "trick": CARD_LIST, "broken": FLAG, "trick_no": TRICK_NO.optional()},
        {"legal": HAND},
    ),
    "breaking": Kind(
        {"tricks": Field(several(f.card_list, "tricks", 1))},
        {"broken": FLAG},
    ),
    "winner": Kind({"leader": SEAT, "cards": CARD_LIST}, {"winner": SEAT}),
    "game_end": Kind(
        {"scores": NUMBERS, "hands_played": COUNT.optional(), "in_tiebreak": FLAG.optional()},
        {"over": FLAG.optional(), "winner": WINNER},
    ),
    "bid_order": Kind(
        {"start": SEAT, "round": Field(whole(1, 100))},
        {"order": SEATS.optional(), "leader": SEAT.optional()},
    ),
    "dealer_draw": Kind(
        {"cards": CARD_LIST},
        {"dealer": SEAT},
        later="drawing cards for the deal (the first dealer is a random seat, which comes to the same)",
    ),
    "draw": Kind(
        {
            "first": SEAT,
            "stock": Field(f.stock),
            "decisions": Field(f.decisions),
            "blind": Field(several(SEAT.read, "seats", 0, 2)).optional(),
        },
        {
            **{name: HANDS for name in ("hands", "discards", "seen_discards")},
            "discard_counts": Field(several(COUNT.read, "whole numbers", 2, 2)).optional(),
            "next": SEAT.optional(),
            "asked": Field(f.one_of("keep", "blind", "exchange", "bid"), required=False),
            "stock_left": COUNT.optional(),
        },
    ),
    "exchange": Kind(
        {
            "hand": HAND,
            "give": HAND,
            "pile": CARD_LIST,
            "draw_indexes": Field(several(COUNT.read, "whole numbers", 0, 4)),
        },
        {"ok": FLAG, "hand": HAND.optional(), "pile": HAND.optional()},
    ),
    "bid_legality": Kind(
        {
            "spades_in_hand": COUNT.optional(),
            "partner_bid": Field(whole(0, 26, or_null=True)).optional(),
            "bids_so_far": Field(several(f.bid_made, "bids", 0, 3), f.bids_text).optional(),
            "blind": FLAG.optional(),
        },
        {"legal": Field(f.bid_set)},
    ),
    "blind_offer": Kind(
        {
            "cards_seen": COUNT,
            "own_score": POINTS,
            "opp_score": POINTS,
            "opp_scores": Field(several(whole(), "whole numbers", 1, 3)).optional(),
        },
        {"allowed": FLAG},
    ),
    "ai_bid": Kind({"bot": _BOT, "hand": HAND, **_EASY_ZERO, **_TABLE}, _BID, answer="bid"),
    "ai_table": Kind(
        {"bot": _BOT, "deal": Field(f.deal), **_EASY_ZERO},
        {"bids": Field(several(f.bid, "bids", 4, 4), f.bids_text)},
    ),
    "ai_play": Kind({"bot": _BOT, "hand": HAND, **_TABLE, **_TRICKS}, _CARD, answer="card"),
    "tip_bid": Kind({"levels": _BOTS, "hand": HAND, **_TABLE}, _BID, answer="bid"),
    "tip_play": Kind({"levels": _BOTS, "hand": HAND, **_TABLE, **_TRICKS}, _CARD, answer="card"),
    "tip_keep": Kind(
        {"levels": _BOTS, "hand": HAND, "offered": Field(f.card, card_text), **_DRAWING},
        {"keep": FLAG},
        answer="keep",
    ),
    "tip_blind": Kind({"levels": _BOTS, **_DRAWING}, {"declare": FLAG}, answer="declare"),
    "tip_exchange": Kind({"levels": _BOTS, "hand": HAND, **_DRAWING}, {"give": HAND}, answer="give"),
}
