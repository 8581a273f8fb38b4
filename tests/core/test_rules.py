"""Rules: presets, the forms in which rules travel, and the page that describes them."""

import dataclasses
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadesim.core import rules as module
from spadesim.core.combinations import unused
from spadesim.core.options import to_word
from spadesim.core.rules import (
    DERIVED,
    NO_FLOOR,
    OPTIONS,
    PRESETS,
    RULES,
    Rules,
)
from spadesim.core.scoring import bags_after, score_side, side_total
from tests.core.cases import valid_rules

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "rules.md"
TWO = "players=2,teams=individual,deal=packet26"
THREE = "players=3,teams=individual,deck=minus_2c"


# ------------------------------------------------------------------------------------------------- presets


def test_presets_are_what_their_sources_say() -> None:
    pagat = PRESETS["canonical"]
    assert (pagat.target, pagat.bag_limit, pagat.bag_rollover, pagat.floor) == (500, 10, "carry", None)
    assert pagat.failed_nil_tricks == "bags"
    assert PRESETS["pata"] == pagat.updated({"floor": -200}) == Rules()
    assert PRESETS["patalupaus"] == pagat.updated(
        {"start_role": "rotating_first_bidder", "failed_nil_tricks": "help", "target_inclusive": False}
    )
    assert PRESETS["classic"] == pagat.updated(
        {"first_dealer": "high_card", "failed_nil_tricks": "help", "bag_rollover": "reset"}
    )


def test_presets_of_other_tables_are_what_their_sources_say() -> None:
    alone = {"teams": "individual"}
    two = {"players": 2, **alone, "deal": "draw_keep"}
    pagat = PRESETS["canonical"]
    assert PRESETS["draw300"] == pagat.updated({**two, "start_role": "first_drawer", "target": 300})
    assert PRESETS["draw300"].draw_second_seen
    assert PRESETS["draw500"] == pagat.updated(
        {
            **two,
            "draw_second_seen": False,
            "start_role": "second_drawer",
            "blind_nil": "always",
            "blind_nil_exchange": 3,
            "exchange_with": "discard_pile",
        }
    )
    assert (PRESETS["draw500"].blind_nil_value, PRESETS["draw500"].blind_nil_penalty) == (200, 200)
    assert PRESETS["bicycle"] == pagat.updated(
        {**alone, "nil_allowed": False, "min_bid": 1, "set_mode": "zero", "bag_limit": 0}
    )
    assert PRESETS["cutthroat3"] == pagat.updated({"players": 3, **alone, "deck": "minus_2c"})


def test_presets_are_listed_with_the_default_first() -> None:
    four, others = ["pata", "patalupaus", "classic", "canonical"], ["draw300", "draw500"]
    assert list(PRESETS) == [*four, *others, "bicycle", "cutthroat3"]
    assert next(iter(PRESETS)) == module.DEFAULT_PRESET


# --------------------------------------------------------------------------------------------------- text


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("pata", {}),
        (" pata ", {}),
        ("pata:target=300,nil_value=50", {"target": 300, "nil_value": 50}),
        ("pata: target = 300 , nil_value = 50", {"target": 300, "nil_value": 50}),
        ("pata:floor=none", {"floor": None}),
        ("pata:floor=-350,floor_inclusive=false", {"floor": -350, "floor_inclusive": False}),
        ("pata:tie=extra_hand_decides", {"tie": "extra_hand_decides"}),
        ("pata:overtrick_value=+1", {}),
        (f"pata:{TWO}", {"players": 2, "teams": "individual", "deal": "packet26"}),
        (f"pata:{THREE}", {"players": 3, "teams": "individual", "deck": "minus_2c"}),
    ],
)
def test_parse(text: str, changes: dict[str, Any]) -> None:
    assert Rules.parse(text) == dataclasses.replace(PRESETS["pata"], **changes)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("pata", "pata"),
        ("pata:target=500", "pata"),
        ("pata:nil_value=50,target=300", "pata:nil_value=50,target=300"),
        ("pata:target=300,nil_value=50", "pata:nil_value=50,target=300"),
        ("pata:floor=none", "canonical"),
        ("canonical:floor=-200", "pata"),
        ("canonical:floor=-350", "pata:floor=-350"),  # one change from both: the earlier preset
        ("canonical:failed_nil_tricks=help,bag_rollover=reset", "classic:first_dealer=random"),
        ("classic:nil_allowed=false", "classic:nil_allowed=false"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert str(Rules.parse(text)) == canonical


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_called_by_its_name(name: str) -> None:
    assert str(PRESETS[name]) == name


@given(valid_rules())
def test_text_round_trip(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules
    assert str(Rules.parse(str(rules))) == str(rules)


@given(valid_rules())
def test_no_preset_is_nearer(rules: Rules) -> None:
    name, _, changes = str(rules).partition(":")
    n_changes = len(changes.split(",")) if changes else 0
    ours = rules.to_dict()

    def changes_by_itself(option: str, other: Rules) -> bool:
        """Whether nothing need be said to come from another value to ours."""
        before = ours | {option: getattr(other, option)}
        is_default = ours[option] == OPTIONS[option].default
        return is_default and option in {name for name, _ in unused(before)}

    distances = {
        preset: sum(
            ours[option] != getattr(other, option) and not changes_by_itself(option, other)
            for option in OPTIONS
        )
        for preset, other in PRESETS.items()
    }
    assert n_changes == distances[name] == min(distances.values())


@given(valid_rules())
def test_dict_round_trip(rules: Rules) -> None:
    assert Rules.from_dict(rules.to_dict()) == rules


@given(valid_rules(), st.sampled_from(list(PRESETS)))
def test_toml_round_trip(tmp_path_factory: pytest.TempPathFactory, rules: Rules, preset: str) -> None:
    lines = [f'preset = "{preset}"']
    for name, value in rules.to_dict().items():
        word = "none" if value is None else value
        lines.append(f'{name} = "{word}"' if isinstance(word, str) else f"{name} = {str(word).lower()}")
    file = tmp_path_factory.mktemp("rules") / "rules.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert Rules.parse(str(file)) == rules


# --------------------------------------------------------------------------------------------------- files


def write(folder: Path, text: str) -> str:
    file = folder / "my_rules.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_rules_file_starts_from_its_preset(tmp_path: Path) -> None:
    file = write(tmp_path, 'preset = "classic"\ntarget = 200  # the short game\nfloor = -100\n')
    assert Rules.parse(file) == PRESETS["classic"].updated({"target": 200, "floor": -100})


def test_a_rules_file_without_a_preset_starts_from_the_default(tmp_path: Path) -> None:
    assert Rules.parse(write(tmp_path, "target = 300")) == Rules(target=300)
    assert Rules.parse(write(tmp_path, "")) == Rules()
    assert Rules.parse(write(tmp_path, 'floor = "none"')) == PRESETS["canonical"]


def test_a_rules_file_can_be_overridden(tmp_path: Path) -> None:
    file = write(tmp_path, "target = 300")
    assert Rules.parse(f"{file}:nil_value=50,target=400") == Rules(nil_value=50, target=400)


def test_colons_in_a_path_belong_to_the_path(tmp_path: Path) -> None:
    folder = tmp_path / "a:b=c"
    folder.mkdir()
    file = write(folder, "target = 300")
    assert Rules.parse(file) == Rules(target=300)
    assert Rules.parse(f"{file}:target=400") == Rules(target=400)


# ------------------------------------------------------------------------------------------ the two objects


def test_options_are_the_fields_in_their_order() -> None:
    assert list(Rules.options()) == [field.name for field in dataclasses.fields(Rules)]
    assert {name: option.default for name, option in Rules.options().items()} == Rules().to_dict()


def test_rules_are_frozen_and_hashable() -> None:
    rules = Rules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.target = 300  # type: ignore[misc]
    assert {rules: 1}[PRESETS["pata"]] == 1


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("draw500:blind_nil=off", "draw300:draw_second_seen=false,start_role=second_drawer,target=500"),
        ("draw500:blind_nil_exchange=0", "draw500:blind_nil_exchange=0,exchange_with=partner"),
        ("pata:nil_allowed=false", "canonical:nil_allowed=false,floor=-200"),
    ],
)
def test_what_a_change_leaves_without_effect_goes_back_to_its_default(text: str, same: str) -> None:
    assert Rules.parse(text) == Rules.parse(same)


def test_updating_leaves_the_original() -> None:
    rules = Rules()
    assert rules.updated({"target": 300}).target == 300
    assert rules.target == 500


@pytest.mark.parametrize(
    ("text", "n_sides", "hand_size", "n_dealt", "n_cards"),
    [
        ("pata", 2, 13, 52, 52),
        ("pata:teams=individual", 4, 13, 52, 52),
        (f"pata:{THREE}", 3, 17, 51, 51),
        (f"pata:{TWO}", 2, 13, 26, 52),
        ("draw300", 2, 13, 26, 52),
        ("cutthroat3", 3, 17, 51, 51),
    ],
)
def test_record_knows_the_table(text: str, n_sides: int, hand_size: int, n_dealt: int, n_cards: int) -> None:
    record = Rules.parse(text).record()
    assert (record.n_sides, record.hand_size, record.n_dealt) == (n_sides, hand_size, n_dealt)
    assert int(record.deck).bit_count() == n_cards
    assert not record.deck & 1 or n_cards == 52


@pytest.mark.parametrize(
    ("text", "bids"),
    [
        ("pata", range(14)),
        ("bicycle", range(1, 14)),
        ("cutthroat3", range(18)),
        ("pata:min_bid=1", range(14)),
        ("pata:min_bid=4", [0, *range(4, 14)]),
        ("pata:min_bid=4,nil_allowed=false", range(4, 14)),
        ("bicycle:min_bid=13", [13]),
    ],
)
def test_record_knows_the_bids(text: str, bids: Iterable[int]) -> None:
    assert Rules.parse(text).record().bid_mask == sum(1 << bid for bid in bids)


@pytest.mark.parametrize(
    ("text", "has_prelude", "n_rooms"),
    [
        ("pata", 0, 2),
        ("pata:blind_nil=behind", 1, 2),
        ("draw300", 1, 2),
        (f"pata:{TWO}", 0, 2),
        ("cutthroat3", 0, 6),
        ("bicycle", 0, 6),
        ("cutthroat3:blind_nil=always", 1, 6),
    ],
)
def test_record_knows_what_comes_before_the_bidding_and_the_rooms(
    text: str, has_prelude: int, n_rooms: int
) -> None:
    record = Rules.parse(text).record()
    assert (record.has_prelude, record.n_rooms) == (has_prelude, n_rooms)


@given(valid_rules())
def test_record_holds_every_option(rules: Rules) -> None:
    record = rules.record()
    assert record.dtype == RULES
    assert set(RULES.names or ()) == {*OPTIONS, *DERIVED}
    for name, option in OPTIONS.items():
        value = getattr(rules, name)
        if value is None:
            assert record[name] == NO_FLOOR
        elif isinstance(value, str):
            assert name == "deck" or option.choices[record[name]] == value
        else:
            assert record[name] == value


@pytest.mark.parametrize(
    ("constants", "option"),
    [
        ("PARTNERS INDIVIDUAL", "teams"),
        ("DEAL_ALL DEAL_PACKET26 DEAL_DRAW", "deal"),
        ("BLIND_OFF BLIND_ALWAYS BLIND_BEHIND", "blind_nil"),
        ("SET_BID SET_ZERO SET_SHORTFALL", "set_mode"),
        ("DEALER_RANDOM DEALER_HIGH_CARD DEALER_FIXED", "first_dealer"),
        (
            "START_DEALER_LEFT START_DEALER START_ROTATING START_FIRST_DRAWER START_SECOND_DRAWER",
            "start_role",
        ),
        ("LEAD_BROKEN LEAD_ANYTIME", "spade_lead"),
        ("BREAK_ANY_SPADE BREAK_OFFSUIT_ONLY", "break_on"),
        ("CARRY RESET", "bag_rollover"),
        ("BAGS HELP IGNORE", "failed_nil_tricks"),
        ("EXTRA_HAND EXTRA_HAND_DECIDES", "tie"),
    ],
)
def test_constants_are_positions_of_their_words(constants: str, option: str) -> None:
    names = constants.split()
    assert [getattr(module, name) for name in names] == list(range(len(OPTIONS[option].choices)))
    for name, word in zip(names, OPTIONS[option].choices, strict=True):
        start = str(word).upper().split("_")[0]
        assert start in name


# ------------------------------------------------------------------------------------------------- the page


@pytest.mark.parametrize("name", OPTIONS)
def test_the_reference_page_has_every_option_with_its_values_and_default(name: str) -> None:
    option = OPTIONS[name]
    row = next(
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{name}` |")
    )
    _, _, values, default, *_ = (cell.strip() for cell in row.split("|"))
    if option.choices:
        assert values == ", ".join(f"`{choice}`" for choice in option.choices)
    elif option.is_flag:
        assert values == "`true`, `false`"
    else:
        assert values == f"{option.low} to {option.high}" + (", `none`" if option.or_none else "")
    assert default == f"`{to_word(option.default)}`"


@pytest.mark.parametrize("name", PRESETS)
def test_the_reference_page_has_every_preset_with_its_differences(name: str) -> None:
    row = next(
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{name}`")
    )
    changes = ",".join(re.findall(r"`(\w+=[\w-]+)`", row))
    assert Rules.parse(f"canonical:{changes}" if changes else "canonical") == PRESETS[name]


def test_the_reference_page_has_a_rules_file_that_works(tmp_path: Path) -> None:
    blocks = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert [str(Rules.parse(write(tmp_path, block))) for block in blocks] == [
        "classic:nil_value=50,nil_penalty=50,target=200"
    ]


def test_the_reference_page_scores_its_examples_as_the_code_does() -> None:
    rows = re.findall(
        r"^\| `([^`]+)` \| (\w+), (\w+) \| (\d+), (\d+) \| (\d+) \| .* = (−?\d+) \| (\d+) \|",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert len(rows) == 11
    for text, *numbers in rows:
        first, second, won, also, before, total, after = (
            int(number.replace("nil", "0").replace("−", "-")) for number in numbers
        )
        record = Rules.parse(text).record()
        bids = np.array([first, 3, second, 3], dtype=np.int64)
        tricks = np.array([won, 0, also, 0], dtype=np.int64)
        score = score_side(record, bids, tricks, np.zeros(4, dtype=np.int64), 0, before)
        assert (side_total(score), bags_after(record, before, score.bags)) == (total, after)
