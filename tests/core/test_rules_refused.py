"""Rules that are refused: each with the reason and what would be right, in one line."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spadesim.core.rules import LATER_OPTIONS, LATER_PRESETS, OPTIONS, PRESETS, Rules
from spadesim.errors import UserError

TWO = "players=2,teams=individual,deal=packet26"
THREE = "players=3,teams=individual,deck=minus_2c"


def message_of(text: str) -> str:
    with pytest.raises(UserError) as caught:
        Rules.parse(text)
    return str(caught.value)


# ------------------------------------------------------------------------------------------------ refusals

PRESETS_ARE = (
    "Presets are pata, patalupaus, classic, canonical, draw300, draw500, bicycle, cutthroat3; "
    "a rules file's name ends in .toml."
)
FORM = "Rules are changed by option=value, option=value, not by"
TARGET = "The rule option 'target' must be a whole number from 1 to 100000, not"
FLOOR = "The rule option 'floor' must be a whole number from -100000 to -1, or none, not"
NIL_ALLOWED = "The rule option 'nil_allowed' must be true or false, not"
TIE = "The rule option 'tie' must be one of extra_hand, extra_hand_decides, not"

REFUSED_TEXTS = {
    # names
    "patta": f"There is no preset 'patta'. Did you mean 'pata'? {PRESETS_ARE}",
    "": f"There is no preset ''. {PRESETS_ARE}",
    "cookout": f"The preset 'cookout' is known but not supported yet. {PRESETS_ARE}",
    "pata:traget=300": "There is no rule option 'traget'. Did you mean 'target'?",
    "pata:colour=red": "There is no rule option 'colour'.",
    "pata:bid_format=mirror": "The rule option 'bid_format' is known but not supported yet.",
    # form
    "pata:": f"{FORM} ''.",
    "pata:target": f"{FORM} 'target'.",
    "pata:target=300,": f"{FORM} ''.",
    "pata:target=": f"{FORM} 'target='.",
    "pata:target=300,target=400": "The rule option 'target' is given twice.",
    # values
    "pata:target=many": f"{TARGET} the text 'many'.",
    "pata:target=3.5": f"{TARGET} the text '3.5'.",
    "pata:target=none": f"{TARGET} the text 'none'.",
    "pata:target=0": f"{TARGET} 0.",
    "pata:floor=600": f"{FLOOR} 600.",
    "pata:floor=0": f"{FLOOR} 0.",
    "pata:nil_value=-1": "The rule option 'nil_value' must be a whole number from 0 to 10000, not -1.",
    "pata:nil_allowed=yes": f"{NIL_ALLOWED} the text 'yes'.",
    "pata:nil_allowed=1": f"{NIL_ALLOWED} the text '1'.",
    "pata:players=5": "The rule option 'players' must be one of 2, 3, 4, not 5.",
    "pata:tie=extra": f"{TIE} 'extra'. Did you mean 'extra_hand'?",
    "pata:deck=jokers": (
        "deck=jokers is known but not supported yet: the rule option 'deck' must be one of std52, minus_2c."
    ),
    # combinations
    "pata:players=2": "teams=partners needs 4 players, not 2: set teams=individual.",
    "pata:players=3": "teams=partners needs 4 players, not 3: set teams=individual.",
    "pata:players=2,teams=individual": (
        "2 players cannot play deal=all: set deal=draw_keep or deal=packet26."
    ),
    "pata:deal=packet26": "deal=packet26 is for 2 players, not 4: set deal=all.",
    "pata:players=3,teams=individual": "3 players cannot share deck=std52 evenly: set deck=minus_2c.",
    "pata:deck=minus_2c": "deck=minus_2c is for 3 players, not 4: set deck=std52.",
    f"pata:{TWO},deck=minus_2c": "deck=minus_2c is for 3 players, not 2: set deck=std52.",
    f"pata:{THREE},deal=packet26": "deal=packet26 is for 2 players, not 3: set deal=all.",
    "draw300:players=3": "deal=draw_keep is for 2 players, not 3: set deal=all.",
    "pata:players=2,teams=individual,deal=draw_keep": (
        "start_role=dealer_left does not go with deal=draw_keep, where nobody deals: "
        "set start_role=first_drawer or start_role=second_drawer."
    ),
    f"pata:{TWO},start_role=second_drawer": (
        "start_role=second_drawer needs deal=draw_keep, not deal=packet26: set start_role=dealer_left."
    ),
    "pata:blind_nil=always,blind_nil_exchange=2": (
        "blind_nil_exchange with exchange_with=partner is known but not supported yet: "
        "set blind_nil_exchange=0."
    ),
    "draw500:exchange_with=partner": (
        "blind_nil_exchange=3 with exchange_with=partner needs teams=partners: "
        "set exchange_with=discard_pile or blind_nil_exchange=0."
    ),
    "pata:blind_nil=always,blind_nil_exchange=2,exchange_with=discard_pile": (
        "exchange_with=discard_pile needs deal=draw_keep, not deal=all, where nothing is discarded before "
        "the bidding: set blind_nil_exchange=0 and exchange_with=partner."
    ),
    "pata:blind_nil=always,nil_allowed=false": (
        "blind_nil=always contradicts nil_allowed=false: set blind_nil=off."
    ),
    "pata:min_bid=14": "The rule option 'min_bid' must be a whole number from 0 to 13, not 14.",
    "pata:draw_second_seen=false": "draw_second_seen has no effect with deal=all: leave it at true.",
    "pata:bot_memory=false": "bot_memory has no effect with deal=all: leave it at true.",
    "pata:blind_nil_value=300": "blind_nil_value has no effect with blind_nil=off: leave it at 200.",
    "pata:blind_nil_penalty=300": "blind_nil_penalty has no effect with blind_nil=off: leave it at 200.",
    "draw300:blind_nil_exchange=2": "blind_nil_exchange has no effect with blind_nil=off: leave it at 0.",
    "draw500:blind_nil_deficit=200": (
        "blind_nil_deficit has no effect with blind_nil=always: leave it at 100."
    ),
    "draw300:exchange_with=discard_pile": (
        "exchange_with has no effect with no exchange of cards: leave it at partner."
    ),
    "pata:nil_allowed=false,nil_value=50": (
        "nil_value has no effect with nil_allowed=false: leave it at 100."
    ),
    "pata:nil_allowed=false,nil_penalty=0": (
        "nil_penalty has no effect with nil_allowed=false: leave it at 100."
    ),
    "cutthroat3:failed_nil_tricks=help": (
        "failed_nil_tricks has no effect with teams=individual: leave it at bags."
    ),
    "draw500:failed_nil_tricks=help": (
        "failed_nil_tricks has no effect with teams=individual: leave it at bags."
    ),
    "pata:trick_value=0,set_mode=zero": "set_mode has no effect with trick_value=0: leave it at bid.",
    "pata:bag_penalty=0,bag_rollover=reset": (
        "bag_rollover has no effect with bag_penalty=0: leave it at carry."
    ),
    "pata:bag_limit=0,bag_penalty=50": "bag_penalty has no effect with bag_limit=0: leave it at 100.",
    "canonical:floor_inclusive=false": "floor_inclusive has no effect with floor=none: leave it at true.",
    "pata:spade_lead=anytime,break_on=offsuit_only": (
        "break_on has no effect with spade_lead=anytime: leave it at any_spade."
    ),
}


@pytest.mark.parametrize("text", REFUSED_TEXTS)
def test_refused_text(text: str) -> None:
    assert message_of(text) == REFUSED_TEXTS[text]


@pytest.mark.parametrize("name", LATER_OPTIONS)
def test_a_known_option_of_later_is_told_apart_from_an_unknown_one(name: str) -> None:
    assert name not in OPTIONS
    assert message_of(f"pata:{name}=1") == f"The rule option '{name}' is known but not supported yet."


@pytest.mark.parametrize("name", LATER_PRESETS)
def test_a_known_preset_of_later_is_told_apart_from_an_unknown_one(name: str) -> None:
    assert name not in PRESETS
    assert message_of(name).startswith(f"The preset '{name}' is known but not supported yet.")


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, option in OPTIONS.items() for value in option.later]
)
def test_a_known_value_of_later_is_told_apart_from_an_unknown_one(name: str, value: str) -> None:
    assert message_of(f"pata:{name}={value}").startswith(f"{name}={value} is known but not supported yet")


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("target", True, "true"),
        ("target", 300.0, "300.0"),
        ("target", "500", "the text '500'"),
        ("target", None, "none"),
        ("target", np.int64(300), "300"),
        ("players", True, "true"),
        ("players", "4", "the text '4'"),
        ("players", 4.0, "4.0"),
        ("floor", False, "false"),
        ("nil_allowed", 1, "1"),
        ("nil_allowed", "true", "the text 'true'"),
        ("nil_allowed", None, "none"),
        ("tie", 0, "0"),
        ("tie", True, "true"),
        ("tie", None, "none"),
        ("tie", ["extra_hand"], "['extra_hand']"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(name: str, value: Any, shown: str) -> None:
    expected = f"The rule option '{name}' must be {OPTIONS[name].allowed()}, not {shown}."
    with pytest.raises(UserError) as caught:
        Rules(**{name: value})
    assert str(caught.value) == expected


NUMBERS = [name for name, option in OPTIONS.items() if not (option.is_flag or option.choices)]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_range_includes_its_ends_and_nothing_beyond(name: str) -> None:
    option = OPTIONS[name]
    for value in (option.low, option.high):
        assert option.accepts(value)
    for value in (option.low - 1, option.high + 1):
        change: Any = {name: value}
        with pytest.raises(
            UserError, match=f"'{name}' must be a whole number from {option.low} to {option.high}"
        ):
            Rules(**change)


def test_no_number_of_the_options_can_overflow_a_score() -> None:
    largest = max(max(abs(OPTIONS[name].low), abs(OPTIONS[name].high)) for name in NUMBERS)
    n_points_per_hand = largest * (52 + 52 + 4 + 1 + 52)
    assert n_points_per_hand * 10**9 < 2**63


# --------------------------------------------------------------------------------------------------- files


def write(folder: Path, text: str) -> str:
    file = folder / "my_rules.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("traget = 300", "There is no rule option 'traget'. Did you mean 'target'?"),
        ("ten_bonus = 'off'", "The rule option 'ten_bonus' is known but not supported yet."),
        ("blind_nil = false", "The rule option 'blind_nil' must be one of off, always, behind, not false."),
        ('target = "500"', f"{TARGET} the text '500'."),
        ("target = true", f"{TARGET} true."),
        ("target = 500.0", f"{TARGET} 500.0."),
        ("[target]\nvalue = 500", f"{TARGET} {{'value': 500}}."),
        ("nil_allowed = 0", f"{NIL_ALLOWED} 0."),
        ("floor = 600", f"{FLOOR} 600."),
        ("floor = 'off'", f"{FLOOR} the text 'off'."),
        ("tie = 'extra'", f"{TIE} 'extra'. Did you mean 'extra_hand'?"),
        ("players = 3", "teams=partners needs 4 players, not 3: set teams=individual."),
        ("preset = 'clasic'", f"There is no preset 'clasic'. Did you mean 'classic'? {PRESETS_ARE}"),
        ("preset = 3", f"A preset is named by a text, not by 3. {PRESETS_ARE}"),
        ("preset = ['pata']", f"A preset is named by a text, not by ['pata']. {PRESETS_ARE}"),
    ],
)
def test_a_refusal_in_a_rules_file_names_the_file(tmp_path: Path, text: str, reason: str) -> None:
    file = write(tmp_path, text)
    assert message_of(file) == f"In the rules file '{file}': {reason}"


def test_a_broken_rules_file_is_named_with_the_line(tmp_path: Path) -> None:
    file = write(tmp_path, "target = 300\nfloor == -200\n")
    assert (
        message_of(file) == f"The rules file '{file}' is not valid TOML: Invalid value (at line 2, column 8)."
    )


def test_a_missing_rules_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "no.toml"
    assert message_of(str(file)) == f"There is no rules file '{file}'."


def test_a_folder_is_no_rules_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert message_of(str(folder)).startswith(f"The rules file '{folder}' cannot be read: ")


def test_a_rules_file_is_text(tmp_path: Path) -> None:
    file = tmp_path / "binary.toml"
    file.write_bytes(b"\xff\xfe")
    assert message_of(str(file)) == f"The rules file '{file}' is not UTF-8 text."
