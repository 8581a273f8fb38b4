"""The rules of a game as data: one checked, frozen object that round-trips through text.

`Rules` holds every option; building one checks types, ranges and combinations. `PRESETS` names whole sets.
The text form is a preset with its overrides, or a TOML file:

>>> rules = Rules.parse("classic:target=200,nil_value=50")
>>> rules.bag_rollover, rules.target
('reset', 200)
>>> str(rules)
'classic:nil_value=50,target=200'
>>> Rules.parse(str(rules)) == rules
True

Compiled code reads `Rules.record()`, where a word is its position among the option's choices.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spadesim.core.combinations import check_table, check_unused, stranded, unused
from spadesim.core.options import NONE_CODE, Option, rule_option, to_word
from spadesim.core.seating import N_ROOMS, seating
from spadesim.errors import UserError, suggest
from spadesim.reading import small_table, user_path

PARTNERS, INDIVIDUAL = 0, 1
DEAL_ALL, DEAL_PACKET26, DEAL_DRAW = 0, 1, 2
DEALER_RANDOM, DEALER_HIGH_CARD, DEALER_FIXED = 0, 1, 2
START_DEALER_LEFT, START_DEALER, START_ROTATING, START_FIRST_DRAWER, START_SECOND_DRAWER = 0, 1, 2, 3, 4
BLIND_OFF, BLIND_ALWAYS, BLIND_BEHIND = 0, 1, 2
LEAD_BROKEN, LEAD_ANYTIME = 0, 1
BREAK_ANY_SPADE, BREAK_OFFSUIT_ONLY = 0, 1
CARRY, RESET = 0, 1
BAGS, HELP, IGNORE = 0, 1, 2
SET_BID, SET_ZERO, SET_SHORTFALL = 0, 1, 2
EXTRA_HAND, EXTRA_HAND_DECIDES = 0, 1
NO_FLOOR = NONE_CODE

DECK_MASKS = {"std52": (1 << 52) - 1, "minus_2c": (1 << 52) - 2}
PACKET_CARDS = 26  # of a pack of 52 at a table of two
DEFAULT_PRESET = "pata"


@dataclass(frozen=True)
class Rules:
    """The rules of one game; building one checks every option and how they go together.

    `Rules()` is the preset `pata`. `Rules.options()` tells what each field means and may be.

    Raises
    ------
    UserError
        A value of the wrong type or out of range, or options that exclude each other.
    """

    players: int = rule_option(4, "seats at the table", "Pagat: 4; cutthroat: 3", choices=(2, 3, 4))
    teams: str = rule_option(
        "partners",
        "partners: seats 0 and 2 against 1 and 3; individual: each seat has its own contract, bags, score",
        "Pagat: partners; Bicycle, VIP Spades cutthroat: individual",
        choices=("partners", "individual"),
    )
    deck: str = rule_option(
        "std52",
        "std52: 52 cards; minus_2c: without the two of clubs, so that three players get 17 cards each",
        "Pagat",
        choices=("std52", "minus_2c"),
        later=("jokers", "jjdd", "deuce_spades_high"),
    )
    deal: str = rule_option(
        "all",
        "all: the whole pack is dealt; packet26: two players get 13 cards each, 26 stay unused and unseen; "
        "draw_keep: two players draw in turn from a stock, each turn two cards, of which one is kept",
        "Pagat: all; older two-player shareware: packet26; DKM Games, The Spruce Crafts: draw_keep",
        choices=("all", "packet26", "draw_keep"),
    )
    draw_second_seen: bool = rule_option(
        True,
        "deal=draw_keep: whether a player who keeps the first card sees the second one, which is discarded",
        "DKM Games: true; The Spruce Crafts: false",
    )
    bot_memory: bool = rule_option(
        True,
        "deal=draw_keep: whether a bot may know in the bidding and the play what it saw discarded",
        "DKM Games: true",
    )
    first_dealer: str = rule_option(
        "random",
        "who deals first: a random seat; high_card, the seat that draws the highest card, which is the same "
        "as random, because the highest of a few shuffled cards lies at every seat equally often; or fixed, "
        "seat 0",
        "Pagat: random; Finnish table rules: high_card",
        choices=("random", "high_card", "fixed"),
    )
    start_role: str = rule_option(
        "dealer_left",
        "who bids first and leads to the first trick: the seat after the dealer; the dealer; a seat found "
        "once as the first dealer is; or with deal=draw_keep the player who draws first or second; each "
        "moves on one seat clockwise every hand",
        "Pagat: dealer_left; old Hoyle: dealer; Finnish app rules: rotating_first_bidder; DKM Games: "
        "first_drawer; The Spruce Crafts: second_drawer",
        choices=("dealer_left", "dealer", "rotating_first_bidder", "first_drawer", "second_drawer"),
    )
    nil_allowed: bool = rule_option(
        True, "whether a player may bid 0, which is a nil", "Pagat: true; Bicycle: false"
    )
    nil_value: int = rule_option(
        100, "points won by a nil that takes no trick", "Pagat: 100; VIP Spades cutthroat: 50", high=10_000
    )
    nil_penalty: int = rule_option(
        100, "points lost by a nil that takes a trick", "Pagat: 100; VIP Spades cutthroat: 50", high=10_000
    )
    blind_nil: str = rule_option(
        "off",
        "whether a player may declare a nil before seeing a card (blind or double nil): off, always, or "
        "behind: only with a score `blind_nil_deficit` or more below the best other one",
        "Pagat: behind; The Spruce Crafts, MSN, VIP Spades: always",
        choices=("off", "always", "behind"),
    )
    blind_nil_value: int = rule_option(
        200, "points won by a blind nil that takes no trick", "The Spruce Crafts, Pagat: 200", high=10_000
    )
    blind_nil_penalty: int = rule_option(
        200, "points lost by a blind nil that takes a trick", "The Spruce Crafts, Pagat: 200", high=10_000
    )
    blind_nil_deficit: int = rule_option(
        100, "points behind that blind_nil=behind asks for", "Pagat: 100; some tables: 200", high=10_000
    )
    blind_nil_exchange: int = rule_option(
        0,
        "cards that a blind nil's bidder may exchange, at most, before the bidding",
        "The Spruce Crafts: 3; Pagat: 2, with the partner",
        high=4,
    )
    exchange_with: str = rule_option(
        "partner",
        "where these cards come from: the partner; or discard_pile, drawn at random from the cards discarded "
        "before (deal=draw_keep)",
        "Pagat: partner; The Spruce Crafts: discard_pile",
        choices=("partner", "discard_pile"),
    )
    min_bid: int = rule_option(
        0, "lowest bid that is no nil, and never less than 1", "Pagat: 0; Bicycle: 1", high=13
    )
    spade_lead: str = rule_option(
        "broken",
        "broken: a spade is led only once spades are broken, or from a hand of spades alone; anytime: always",
        "Pagat: broken; Cookout Spades: anytime",
        choices=("broken", "anytime"),
    )
    break_on: str = rule_option(
        "any_spade",
        "what breaks spades: any spade played; or offsuit_only, a spade played on the lead of another suit",
        "The Spruce Crafts: any_spade; DKM Games may be read as offsuit_only",
        choices=("any_spade", "offsuit_only"),
    )
    trick_value: int = rule_option(
        10, "points for each trick of the contract, won or lost", "Pagat: 10", high=1000
    )
    overtrick_value: int = rule_option(
        1, "points for each bag", "Pagat: 1; Joker's Wild: 0; andro.io: -1", low=-10, high=10
    )
    bag_limit: int = rule_option(
        10,
        "bags that cost one penalty; 0: no penalty ever",
        "Pagat: 10; tournaments: 7; WorldWinner: 5",
        high=100,
    )
    bag_penalty: int = rule_option(
        100, "points lost for `bag_limit` bags", "Pagat: 100; andro.io: 110", high=10_000
    )
    bag_rollover: str = rule_option(
        "carry",
        "carry: bags beyond the limit count on, and one hand may cost several penalties; reset: at most one "
        "penalty a hand, and the count falls back to 0",
        "Pagat: carry; MSN, Finnish table rules: reset",
        choices=("carry", "reset"),
    )
    failed_nil_tricks: str = rule_option(
        "bags",
        "tricks of a failed nil: bags: each is a bag, also when the side is set; help: they count for the "
        "partner's contract; ignore: they count for nothing",
        "Pagat, MSN: bags; OpenSpiel, Finnish app rules: help; UChicago IM rules: ignore",
        choices=("bags", "help", "ignore"),
    )
    set_mode: str = rule_option(
        "bid",
        "what a set contract loses: bid: `trick_value` for each trick bid; zero: nothing; shortfall: "
        "`trick_value` for each trick missing",
        "Pagat: bid; Bicycle: zero; Swedish table rules: shortfall",
        choices=("bid", "zero", "shortfall"),
    )
    boston_bonus: int = rule_option(
        0,
        "points for a side that wins every trick of a hand",
        "Finnish app rules: a name, no points; house rules: 200, 500",
        high=10_000,
    )
    target: int = rule_option(
        500, "score that ends the game", "Pagat: 500; WorldWinner: 250", low=1, high=100_000
    )
    target_inclusive: bool = rule_option(
        True,
        "true: the target is reached by exactly that score; false: only by more",
        "Pagat: true; Finnish app rules: false",
    )
    floor: int | None = rule_option(
        -200,
        "low score that ends the game; none: there is none",
        "MSN: -200; OpenSpiel: -350; Pagat: none",
        low=-100_000,
        high=-1,
        or_none=True,
    )
    floor_inclusive: bool = rule_option(
        True, "true: the floor is reached by exactly that score; false: only by less", "MSN: true"
    )
    tie: str = rule_option(
        "extra_hand",
        "best scores level at the end: extra_hand plays on until the end is reached by a single best score; "
        "extra_hand_decides: the best score after one more hand wins, wherever it stands",
        "The Spruce Crafts: extra_hand; house rules: extra_hand_decides",
        choices=("extra_hand", "extra_hand_decides"),
    )
    max_hands: int = rule_option(
        0,
        "hands after which the best score wins, and level best scores are a draw; 0: no limit",
        "MSN: 4 in its short game",
        high=100_000,
    )

    def __post_init__(self) -> None:
        """Refuse what no table could play."""
        for name, option in OPTIONS.items():
            option.check(name, getattr(self, name))
        check_table(self)
        check_unused(self, DEFAULTS)

    @property
    def n_sides(self) -> int:
        """Sides that score: 2 with partners, else one for each player."""
        return 2 if self.teams == "partners" else self.players

    @property
    def hand_size(self) -> int:
        """Tricks in a hand, which is also the highest bid."""
        n_dealt = DECK_MASKS[self.deck].bit_count() if self.deal == "all" else PACKET_CARDS
        return n_dealt // self.players

    @staticmethod
    def options() -> Mapping[str, Option]:
        """Return every option by name, in the order of the fields."""
        return OPTIONS

    def to_dict(self) -> dict[str, int | bool | str | None]:
        """Return the value of every option by name; `Rules.from_dict` takes it back."""
        return {name: getattr(self, name) for name in OPTIONS}

    def updated(self, changes: Mapping[str, Any]) -> "Rules":
        """Return the same rules with some options changed, and those that lose all effect at their defaults.

        Parameters
        ----------
        changes : mapping of str to object
            Option name to new value, of the option's own type.

        Raises
        ------
        UserError
            An unknown option, or rules that no table could play.
        """
        for name in changes:
            _check_name(name)
        values: dict[str, Any] = {**self.to_dict(), **changes}
        values |= {name: DEFAULTS[name] for name in stranded(values) if name not in changes}
        left_over = {name: DEFAULTS[name] for name, _ in unused(values) if name not in changes}
        return dataclasses.replace(self, **{**values, **left_over})

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> "Rules":
        """Return the rules of option = value, as a TOML file has them.

        Parameters
        ----------
        table : mapping of str to object
            Option name to value; "none" may stand for None, and the key `preset` (default `pata`) names the
            rules to start from.

        Examples
        --------
        >>> Rules.from_dict({"preset": "pata", "floor": "none"}) == PRESETS["canonical"]
        True
        """
        changes = dict(table)
        base = _preset(changes.pop("preset", DEFAULT_PRESET))
        if changes.get("floor") == "none":
            changes["floor"] = None
        return base.updated(changes)

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Return the rules that a text stands for.

        Parameters
        ----------
        text : str
            A preset or the path of a file ending in `.toml`, then optionally `:option=value,option=value`.

        Raises
        ------
        UserError
            An unknown preset, option or value, a missing or broken file, or rules that no table could play.
        """
        head, colon, tail = _split(text.strip())
        base = _load(user_path(head)) if head.endswith(".toml") else _preset(head)
        return base.updated(_overrides(tail)) if colon else base

    def __str__(self) -> str:
        """Return the canonical text: the nearest preset, then what differs in the order of the fields."""
        name = min(PRESETS, key=lambda preset: len(self._differences(PRESETS[preset])))
        changes = self._differences(PRESETS[name])
        return f"{name}:{','.join(changes)}" if changes else name

    def _differences(self, other: "Rules") -> list[str]:
        """Return what `updated` needs to make these rules of others: nothing that has no effect."""
        ours, theirs = self.to_dict(), other.to_dict()
        changed = [name for name in ours if ours[name] != theirs[name]]
        # What is idle in either way, `updated` takes to its default by itself.
        idle = {
            name
            for name in changed
            if ours[name] == DEFAULTS[name] and _is_idle(name, ours | {name: theirs[name]})
        }
        return [f"{name}={to_word(ours[name])}" for name in changed if name not in idle]

    def record(self) -> Any:
        """Return the form that compiled code reads, one element of dtype `RULES`.

        It has every option as `Option.code` gives it, only `deck` is the mask of the cards in the pack; and
        `n_sides`, `hand_size` (tricks in a hand), `n_dealt` (cards dealt to all seats together), `bid_mask`
        (bit b for every bid b that is ever legal), `has_prelude` (1 when something is decided before the
        bidding: a draw, a blind nil), `seating` and `n_rooms` (see `spadesim.core.seating`).
        """
        record = np.zeros(1, dtype=RULES)[0]
        for name, option in OPTIONS.items():
            record[name] = option.code(getattr(self, name))
        record["deck"] = DECK_MASKS[self.deck]
        record["n_sides"] = self.n_sides
        record["hand_size"] = self.hand_size
        record["n_dealt"] = self.hand_size * self.players
        record["bid_mask"] = self._bid_mask()
        record["has_prelude"] = self.deal == "draw_keep" or self.blind_nil != "off"
        record["seating"] = seating(self.players, self.teams == "partners")
        record["n_rooms"] = N_ROOMS[record["seating"]]
        return record

    def _bid_mask(self) -> int:
        every = (2 << self.hand_size) - 1
        nil = 1 if self.nil_allowed else 0
        return every & ~((1 << max(self.min_bid, 1)) - 1) | nil


OPTIONS: Mapping[str, Option] = {item.name: item.metadata["option"] for item in dataclasses.fields(Rules)}

DERIVED = ("n_sides", "hand_size", "n_dealt", "bid_mask", "has_prelude", "seating", "n_rooms")
DEFAULTS: Mapping[str, Any] = {name: option.default for name, option in OPTIONS.items()}
RULES = np.dtype((np.record, [(name, np.int64) for name in (*OPTIONS, *DERIVED)]))

LATER_OPTIONS = (
    *("zero_is_nil", "nil_exchange", "blind_bid_min", "blind_bid_multiplier", "ten_bonus", "ten_made"),
    *("ten_failed", "min_team_bid", "max_sets", "min_table_bid", "bid_total_not", "bid_format"),
    *("first_trick", "bag_penalty_to", "failed_nil_bag_points"),
)
LATER_PRESETS = (
    *("msn_zone", "msn_mirror", "msn_whiz", "msn_suicide", "worldwinner", "vip_cutthroat4", "jokers_wild"),
    "cookout",
)


def _is_idle(name: str, values: Mapping[str, Any]) -> bool:
    """Whether the other options leave the value of one without any effect."""
    return any(name == other for other, _ in unused(values))


def _check_name(name: str) -> None:
    if name in LATER_OPTIONS:
        raise UserError(f"The rule option '{name}' is known but not supported yet.")
    if name not in OPTIONS:
        raise UserError(f"There is no rule option '{name}'.{suggest(name, OPTIONS)}")


def _preset(name: object) -> Rules:
    known = f"Presets are {', '.join(PRESETS)}; a rules file's name ends in .toml."
    if not isinstance(name, str):
        raise UserError(f"A preset is named by a text, not by {to_word(name)}. {known}")
    if name in LATER_PRESETS:
        raise UserError(f"The preset '{name}' is known but not supported yet. {known}")
    if name not in PRESETS:
        raise UserError(f"There is no preset '{name}'.{suggest(name, PRESETS)} {known}")
    return PRESETS[name]


def _split(text: str) -> tuple[str, str, str]:
    """Return preset or file, colon, overrides; a file's path may have colons of its own."""
    path, suffix, tail = text.rpartition(".toml:")
    if suffix:
        return f"{path}.toml", ":", tail
    return (text, "", "") if text.endswith(".toml") else text.partition(":")


def _overrides(text: str) -> dict[str, object]:
    """Return the values of `option=value,option=value`."""
    values: dict[str, object] = {}
    for part in text.split(","):
        name, equals, word = (piece.strip() for piece in part.partition("="))
        if not (name and equals and word):
            raise UserError(f"Rules are changed by option=value, option=value, not by '{part.strip()}'.")
        _check_name(name)
        if name in values:
            raise UserError(f"The rule option '{name}' is given twice.")
        values[name] = OPTIONS[name].from_word(word)
    return values


def _load(path: Path) -> Rules:
    try:
        return Rules.from_dict(small_table(path))
    except FileNotFoundError:
        raise UserError(f"There is no rules file '{path}'.") from None
    except OSError as error:
        raise UserError(f"The rules file '{path}' cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"The rules file '{path}' is not UTF-8 text.") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"The rules file '{path}' is not valid TOML: {error}.") from None
    except UserError as error:
        raise UserError(f"In the rules file '{path}': {error}") from None


PRESETS: Mapping[str, Rules] = {
    "pata": Rules(),
    "patalupaus": Rules(
        start_role="rotating_first_bidder", failed_nil_tricks="help", target_inclusive=False, floor=None
    ),
    "classic": Rules(first_dealer="high_card", failed_nil_tricks="help", bag_rollover="reset", floor=None),
    "canonical": Rules(floor=None),
    "draw300": Rules(
        players=2, teams="individual", deal="draw_keep", start_role="first_drawer", target=300, floor=None
    ),
    "draw500": Rules(
        players=2,
        teams="individual",
        deal="draw_keep",
        draw_second_seen=False,
        start_role="second_drawer",
        blind_nil="always",
        blind_nil_exchange=3,
        exchange_with="discard_pile",
        floor=None,
    ),
    "bicycle": Rules(
        teams="individual", nil_allowed=False, min_bid=1, set_mode="zero", bag_limit=0, floor=None
    ),
    "cutthroat3": Rules(players=3, teams="individual", deck="minus_2c", floor=None),
}
