"""Numbers as tables and pages show them: as many decimals as their interval can bear."""

import math
from typing import NamedTuple

from spadesim.analysis.lines import is_hidden
from spadesim.stats.intervals import Estimate

MOST_DECIMALS = 4
NOTHING = "–"


class Cell(NamedTuple):
    """A value as text, and its interval (or what else explains it) as text, "" for none."""

    value: str
    note: str = ""


def count(number: int | None) -> str:
    """A count with commas, a dash for None.

    >>> count(1234567)
    '1,234,567'
    """
    return NOTHING if number is None else f"{number:,}"


def decimals(estimate: Estimate, least: int) -> int:
    """How many decimals show the half width of an interval with one digit, `least` or more.

    >>> decimals(Estimate(4.165, 4.161, 4.169), 2)
    3
    """
    half = (estimate.high - estimate.low) / 2
    # The tiny addend keeps a half width of exactly 0.1 at one decimal.
    needed = math.ceil(-math.log10(half) - 1e-9) if half > 0 else least
    return min(max(needed, least), MOST_DECIMALS)


def number(estimate: Estimate | None, least: int = 2, signed: bool = False) -> Cell:
    """An estimate in its own unit.

    Parameters
    ----------
    estimate : Estimate or None
    least : int
        Decimals at the least.
    signed : bool
        Whether a value above 0 shows a plus sign.

    Examples
    --------
    >>> number(Estimate(2.5, 2.49, 2.51), signed=True)
    Cell(value='+2.50', note='+2.49 to +2.51')
    """
    if estimate is None:
        return Cell(NOTHING)
    places = decimals(estimate, least)
    mean, low, high = (_text(value, places, signed) for value in _values(estimate))
    return Cell(mean, f"{low} to {high}" if estimate.low < estimate.high else "")


def percent(estimate: Estimate | None, least: int = 1, signed: bool = False) -> Cell:
    """A share as a percentage; `signed` for a change of one, in percentage points.

    >>> percent(Estimate(0.4855, 0.4676, 0.5035))
    Cell(value='48.5 %', note='46.8 to 50.3 %')
    >>> percent(Estimate(0.0004, 0.0001, 0.0022))
    Cell(value='0.04 %', note='0.01 to 0.22 %')
    """
    if estimate is None:
        return Cell(NOTHING)
    scaled = estimate.scaled(100)
    places = decimals(scaled, least)
    while scaled.mean and places < MOST_DECIMALS and float(f"{scaled.mean:.{places}f}") == 0:
        places += 1  # what is seldom is not never
    mean, low, high = (_text(value, places, signed) for value in _values(scaled))
    return Cell(f"{mean} %", f"{low} to {high} %" if estimate.low < estimate.high else "")


def _values(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.mean, estimate.low, estimate.high


def _text(value: float, places: int, signed: bool) -> str:
    text = f"{value:+,.{places}f}" if signed else f"{value:,.{places}f}"
    is_zero = not text.strip("+-0.,")
    return text.lstrip("+-") if is_zero else text


def signed(value: float, places: int) -> str:
    """A difference with its sign, and none for what is 0 in so many decimals.

    >>> signed(1.26, 1), signed(-0.04, 1)
    ('+1.3', '0.0')
    """
    return _text(value, places, signed=True)


def seconds(value: float) -> str:
    """A time with two or three digits.

    >>> seconds(0.0904), seconds(8.31), seconds(75), seconds(7300)
    ('0.09 s', '8.3 s', '1 min 15 s', '2 h 1 min')
    """
    if value < 60:
        return f"{value:.2f} s" if value < 1 else f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def times(factor: float) -> str:
    """A factor.

    >>> times(1.4855)
    '×1.49'
    """
    return f"×{factor:.2f}" if factor < 100 else f"×{rounded(factor)}"


def rounded(value: float) -> str:
    """A number to three digits, for a rate or a size whose other digits mean nothing.

    >>> rounded(465149.7), rounded(29.44), rounded(1.4855)
    ('465,000', '29.4', '1.49')
    """
    if value <= 0 or not math.isfinite(value):
        return "0"
    places = max(0, 2 - math.floor(math.log10(value)))
    number = float(f"{value:.3g}")
    return f"{number:,.{places}f}" if number < 100 else f"{number:,.0f}"


def sure_text(chance: float) -> str:
    """A chance in per cent, which is never quite 0 or 100.

    >>> [sure_text(chance) for chance in (0.0, 0.5, 0.9996, 0.123)]
    ['<0.1', '50.0', '>99.9', '12.3']
    """
    if chance < 0.0005:
        return "<0.1"
    return ">99.9" if chance > 0.9995 else f"{100 * chance:.1f}"


def plain_text(text: str) -> str:
    r"""A text of others on one line, without signs that print nothing or turn the direction of writing.

    >>> [hex(ord(sign)) for sign in plain_text("\n\x00\u202e")]
    ['0x20', '0xfffd', '0xfffd']
    """
    return "".join(" " if sign in "\n\r\t" else "\ufffd" if is_hidden(sign) else sign for sign in text)
