"""Which options of the rules do not go together: tables that cannot be played, values without effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from spadesim.core.options import to_word
from spadesim.errors import UserError

if TYPE_CHECKING:
    from spadesim.core.rules import Rules

DRAWERS = ("first_drawer", "second_drawer")


def check_table(rules: Rules) -> None:
    """Refuse players, sides, pack, deal and roles that do not go together."""
    if rules.teams == "partners" and rules.players != 4:
        raise UserError(f"teams=partners needs 4 players, not {rules.players}: set teams=individual.")
    if rules.players == 2 and rules.deal == "all":
        raise UserError("2 players cannot play deal=all: set deal=draw_keep or deal=packet26.")
    if rules.players != 2 and rules.deal != "all":
        raise UserError(f"deal={rules.deal} is for 2 players, not {rules.players}: set deal=all.")
    if rules.players == 3 and rules.deck != "minus_2c":
        raise UserError(f"3 players cannot share deck={rules.deck} evenly: set deck=minus_2c.")
    if rules.players != 3 and rules.deck == "minus_2c":
        raise UserError(f"deck=minus_2c is for 3 players, not {rules.players}: set deck=std52.")
    _check_draw(rules)
    _check_blind_nil(rules)
    if rules.min_bid > rules.hand_size:
        raise UserError(
            f"min_bid must be at most {rules.hand_size}, the tricks in a hand, not {rules.min_bid}."
        )


def _check_draw(rules: Rules) -> None:
    draws = rules.deal == "draw_keep"
    if draws and rules.start_role not in DRAWERS:
        raise UserError(
            f"start_role={rules.start_role} does not go with deal=draw_keep, where nobody deals: "
            "set start_role=first_drawer or start_role=second_drawer."
        )
    if not draws and rules.start_role in DRAWERS:
        raise UserError(
            f"start_role={rules.start_role} needs deal=draw_keep, not deal={rules.deal}: "
            "set start_role=dealer_left."
        )
    if not draws and rules.exchange_with == "discard_pile":
        raise UserError(
            f"exchange_with=discard_pile needs deal=draw_keep, not deal={rules.deal}, where nothing is "
            "discarded before the bidding: set blind_nil_exchange=0 and exchange_with=partner."
        )


def _check_blind_nil(rules: Rules) -> None:
    if rules.blind_nil != "off" and not rules.nil_allowed:
        raise UserError(f"blind_nil={rules.blind_nil} contradicts nil_allowed=false: set blind_nil=off.")
    if rules.blind_nil_exchange and rules.blind_nil != "off" and rules.exchange_with == "partner":
        if rules.teams == "partners":
            raise UserError(
                "blind_nil_exchange with exchange_with=partner is known but not supported yet: "
                "set blind_nil_exchange=0."
            )
        instead = "exchange_with=discard_pile or " if rules.deal == "draw_keep" else ""
        raise UserError(
            f"blind_nil_exchange={rules.blind_nil_exchange} with exchange_with=partner needs teams=partners: "
            f"set {instead}blind_nil_exchange=0."
        )


def stranded(values: Mapping[str, Any]) -> Iterator[str]:
    """The options whose values are for a draw, where there is none."""
    if values["deal"] != "draw_keep":
        if values["start_role"] in DRAWERS:
            yield "start_role"
        if values["exchange_with"] == "discard_pile":
            yield from ("exchange_with", "blind_nil_exchange")


def check_unused(rules: Rules, defaults: Mapping[str, Any]) -> None:
    """Refuse a value that the other options leave without any effect."""
    for name, reason in unused({name: getattr(rules, name) for name in defaults}):
        if getattr(rules, name) != defaults[name]:
            raise UserError(f"{name} has no effect with {reason}: leave it at {to_word(defaults[name])}.")


def unused(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The options that the others leave without any effect, and why.

    Parameters
    ----------
    values : mapping of option name to value
    """
    blind, deal = values["blind_nil"], values["deal"]
    exchanges = blind != "off" and values["blind_nil_exchange"] != 0
    blind_options = ("blind_nil_value", "blind_nil_penalty", "blind_nil_exchange")
    # A nil of one who plays alone is the whole contract, above which every trick is a bag.
    helps_nobody = values["teams"] == "individual" and values["failed_nil_tricks"] == "help"
    for is_off, reason, names in (
        (not values["nil_allowed"], "nil_allowed=false", ("nil_value", "nil_penalty", "failed_nil_tricks")),
        (helps_nobody and values["nil_allowed"], "teams=individual", ("failed_nil_tricks",)),
        (values["trick_value"] == 0, "trick_value=0", ("set_mode",)),
        (values["bag_limit"] == 0, "bag_limit=0", ("bag_penalty", "bag_rollover")),
        (values["bag_limit"] and values["bag_penalty"] == 0, "bag_penalty=0", ("bag_rollover",)),
        (values["floor"] is None, "floor=none", ("floor_inclusive",)),
        (values["spade_lead"] == "anytime", "spade_lead=anytime", ("break_on",)),
        (deal != "draw_keep", f"deal={deal}", ("draw_second_seen", "bot_memory")),
        (blind == "off", "blind_nil=off", blind_options),
        (blind != "behind", f"blind_nil={blind}", ("blind_nil_deficit",)),
        (not exchanges, "no exchange of cards", ("exchange_with",)),
    ):
        if is_off:
            yield from ((name, reason) for name in names)
