"""The page on strategies says what the code does."""

import re
from pathlib import Path

import pytest

from spadesim.core.play import MAX_PARAMETERS
from spadesim.core.view import VIEW
from spadesim.strategy import check_strategy, load_strategy, parse
from spadesim.strategy.wrappers import WRAPPERS

PAGE = (Path(__file__).parent.parent.parent / "docs" / "reference" / "strategies.md").read_text(
    encoding="utf-8"
)


def section(heading: str) -> str:
    return re.split(r"^##+ ", PAGE.split(f"## {heading}\n")[1], flags=re.MULTILINE)[0]


def test_every_field_of_the_view_is_there_with_its_length() -> None:
    fields = re.findall(r"^\| `(\w+)(?:\[(\d+)\])?` \|", section("The view"), re.MULTILINE)
    actual = {name: str(VIEW[name].shape[0]) if VIEW[name].shape else "" for name in VIEW.names or ()}
    assert dict(fields) == actual


def test_every_text_in_the_table_of_names_is_in_the_grammar() -> None:
    rows = re.findall(r"^\| (`.*?) \|", section("Naming a bot or a side"), re.MULTILINE)
    texts = re.findall(r"`([^`]+)`", " ".join(rows))
    assert len(texts) == 12
    for text in texts:
        assert str(parse(text))


def test_every_wrapper_is_there_with_its_range_and_default() -> None:
    rows = re.findall(
        r"^\| `~(\w+)=\w` \| (\d+) to (\d+) \| ([\d.]+) \|", section("Weaknesses"), re.MULTILINE
    )
    assert rows == [
        (name, str(wrapper.low), str(wrapper.high), f"{wrapper.default:g}")
        for name, wrapper in WRAPPERS.items()
    ]


def test_every_demand_of_the_check_is_there() -> None:
    demands = re.findall(r"^\| ([^`|]+) \|", section("The check"), re.MULTILINE)[1:]
    report = check_strategy(load_strategy("easy"), positions=60)
    for check in report.checks:
        assert any(check.name.startswith(demand) for demand in demands), check.name
    assert str(MAX_PARAMETERS) in section("Parameters")


@pytest.mark.compiled_only
def test_the_example_keeps_the_contract(tmp_path: Path) -> None:
    file = tmp_path / "example.py"
    file.write_text(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0])
    report = check_strategy(load_strategy(f"{file}:ace=2"), positions=300)
    assert report.passed, str(report)
