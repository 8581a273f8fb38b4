"""What the benchmarks print with."""

import pytest

from tests.bench.measure import Show


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Show:
    """Print a line past pytest's capturing."""

    def print_line(text: str) -> None:
        with capsys.disabled():
            print(f"\n    {text}", end="")

    return print_line
