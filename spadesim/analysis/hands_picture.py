"""How often hands have which value, as bars."""

from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING

from spadesim.analysis.hands import Hands
from spadesim.analysis.look import INK, SMALL, A, new_figure
from spadesim.analysis.pictures import picture_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT = 3.4
LINE = 95  # small letters that fit across
MOST_NUMBERS = 16  # bars that have their numbers above them


def picture(found: Hands, suffix: str) -> bytes:
    """The table of what was found as a bar chart, as the content of a file.

    Parameters
    ----------
    found : Hands
    suffix : str
        ".svg", ".png" or ".pdf".
    """
    return picture_file(partial(_draw, found), suffix)


def _draw(found: Hands) -> "Figure":
    from matplotlib.ticker import MaxNLocator

    figure, axes = new_figure(HEIGHT)
    values = [row.value for row in found.table]
    shares = [row.share.scaled(100) for row in found.table]
    below = [share.mean - share.low for share in shares]
    above = [share.high - share.mean for share in shares]
    axes.bar(values, [share.mean for share in shares], color=A, alpha=0.75, width=0.8)
    axes.errorbar(
        values, [share.mean for share in shares], yerr=[below, above], fmt="none", ecolor=INK, capsize=2.5,
        elinewidth=1,
    )  # fmt: skip
    if len(values) <= MOST_NUMBERS:
        for value, share in zip(values, shares, strict=True):
            axes.annotate(
                _short(share.mean), (value, share.high), (0, 2), textcoords="offset points", ha="center",
                va="bottom", fontsize=SMALL,
            )  # fmt: skip
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=20))
    axes.set_ylim(0, 1.1 * max(share.high for share in shares))
    axes.set_xlabel("\n".join(wrap(found.by, LINE)))
    axes.set_ylabel(f"share of {found.source.what(2)}, %")
    axes.grid(axis="y")
    figure.suptitle("\n".join(_heading(found)), x=0.01, ha="left", fontsize=SMALL)
    return figure


def _short(value: float) -> str:
    return f"{value:.1f}" if value >= 0.95 else f"{value:.2g}"


def _heading(found: Hands) -> list[str]:
    what = found.source.to_dict()
    where = f", where {found.where}" if found.where else ""
    lines = wrap(f"{found.accepted:,} {found.source.what(2)}{where}", LINE)
    of_run = f"run {what['run']}, " if what["run"] else ""
    return [
        *lines,
        *wrap(f"{of_run}rules {what['rules']}, seed {what['seed']}; bars with 95 % intervals", LINE),
    ]
