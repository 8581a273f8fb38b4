"""How each side of a duel bids, bags and plays its nils, over all its hands; and all numbers of the duel."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from spadesim.analysis import plots, tables
from spadesim.analysis.numbers import NOTHING, Cell, count, number, percent
from spadesim.analysis.page import Table, TableRow
from spadesim.analysis.report import Picture, Report, Section
from spadesim.match.result import DuelResult
from spadesim.match.sides import BotStats
from spadesim.strategy.called import short_name

if TYPE_CHECKING:
    import pandas as pd

TITLE = "Side by side"
QUESTION = "How does each side bid and bag, and how do its nils and contracts fare?"
READS = "duel"
ORDER = 85
WHY = (
    "They rest on the variance between deals; pages about hands take 64 blocks of deals, so that their "
    "ranges of the same number differ a little."
)
MOST_DUELS = 3  # whose numbers are told
ELSEWHERE = {"bids": "bids", "bags": "bags", "nils": "nil"}  # pages that tell more where rows were recorded


def build(report: Report) -> list[Section]:
    """Pictures of bids, bags and shares, and all numbers; of several duels the numbers alone."""
    if len(report.results) == 1:
        (duel,) = report.results
        return [*_how(duel, report.pages), _numbers(duel, "All numbers")]
    if len(report.results) > MOST_DUELS:
        return []
    return [_numbers(duel, " against ".join(tables.labels(duel))) for duel in report.results]


def _how(result: DuelResult, pages: Sequence[str]) -> list[Section]:
    """How each side bids, bags and plays its nils, apart from what other pages tell."""
    found = [("bids", _accuracy, _bids), ("bags", _bag_means, _bags), ("nils", _nils, _shares)]
    if result.tally is None:  # read back out of JSON, which has no distributions
        found = found[2:]
    return [
        Section(title(result), pictures=[picture(result)])
        for name, title, picture in found
        if ELSEWHERE[name] not in pages
    ]


def _numbers(result: DuelResult, title: str) -> Section:
    return Section(title, tables=[_sides(result), _bots(result), _seats(result)])


def _contracts(result: DuelResult) -> str:
    return "Nils and contracts" if result.spec.rules.nil_allowed else "Contracts"


def _bids(result: DuelResult) -> Picture:
    names = tables.labels(result)
    sides = [
        plots.Bids(name, counts)
        for name, counts in zip(names, result.tally["bid_tricks"].tolist(), strict=True)
    ]
    rules = result.spec.rules
    least = 0 if rules.nil_allowed else max(rules.min_bid, 1)
    return Picture(
        "tricks-by-bid",
        "Tricks won by tricks bid",
        partial(plots.tricks_by_bid, sides=sides, least=least, most=rules.hand_size),
        _bid_frame(sides),
        "What single bots bid, and the tricks they won themselves. Each column is all hands with one bid: "
        "the darker a cell, the more of them. Short lines are means with 95 % intervals; on the dashed line "
        "tricks equal bids. Bids made less than once in 2,000 hands are left out.",
        alt=f"{_accuracy(result)}. For each bid, how often it was made and which tricks it won.",
        wide=True,
        height=4.4,
    )


def _bid_frame(sides: Sequence[plots.Bids]) -> "pd.DataFrame":
    import pandas as pd

    rows = [
        (side.name, bid, tricks, n)
        for side in sides
        for bid, counts in enumerate(side.counts)
        for tricks, n in enumerate(counts)
        if n
    ]
    return pd.DataFrame(rows, columns=["side", "bid", "tricks", "hands"])


def _accuracy(result: DuelResult) -> str:
    """What the picture of bids shows, as a sentence."""
    parts = []
    for key, name in zip("ab", tables.labels(result), strict=True):
        error = result.sides[key].bid_error
        if error is not None:
            by = number(error if error.mean >= 0 else error.scaled(-1))
            word = "more" if error.mean >= 0 else "fewer"
            parts.append(f"{name} wins {by.value} tricks {word} than it bids{_within(by)}")
    return f"{'; '.join(parts)}, a hand" if parts else "No hands"


def _within(cell: Cell) -> str:
    """The interval of a value, in brackets."""
    return f" ({cell.note})" if cell.note else ""


def _bags(result: DuelResult) -> Picture:
    names = tables.labels(result)
    a, b = (result.sides[key].bags_per_hand for key in "ab")
    counts = result.tally["bags_hist"].tolist()
    return Picture(
        "bags",
        "Hands by their bags",
        partial(
            plots.histogram,
            counts=counts,
            means=plots.Line("bags", a, b),
            names=names,
            labels=(f"bags of a {tables.who(result)} in one hand", "hands, %"),
        ),
        _bag_frame(names, counts),
        f"How many hands brought a {tables.who(result)} how many bags. Above: means with 95 % intervals.",
        alt=f"{_bag_means(result)}; bars for how many hands brought 0, 1, 2 and more bags.",
        wide=True,
        height=3.2,
    )


def _bag_means(result: DuelResult) -> str:
    """What the picture of bags shows, as a sentence."""
    means = [
        (name, result.sides[key].bags_per_hand) for key, name in zip("ab", tables.labels(result), strict=True)
    ]
    shown = [(name, number(mean)) for name, mean in means if mean is not None]
    parts = [f"{name} takes {mean.value} bags{_within(mean)}" for name, mean in shown]
    return f"{'; '.join(parts)}, a hand" if parts else "No hands"


def _bag_frame(names: Sequence[str], counts: Sequence[Sequence[int]]) -> "pd.DataFrame":
    import pandas as pd

    rows = [(name, bags, n) for name, row in zip(names, counts, strict=True) for bags, n in enumerate(row)]
    return pd.DataFrame(rows, columns=["side", "bags", "hands"])


def share_lines(result: DuelResult) -> list[plots.Line]:
    """The shares that are drawn: of contracts set, nils made, and so on."""
    a, b = result.sides["a"], result.sides["b"]
    lines = [plots.Line("contracts set", a.set_rate, b.set_rate)]
    if a.nil_attempts or b.nil_attempts:
        if any(side.nil_attempts > (side.blind_attempts or 0) for side in (a, b)):
            lines.append(plots.Line("nils made", a.nil_success, b.nil_success, "bid none"))
        if result.spec.has_partners:
            covers = (a.cover_success, b.cover_success)
            lines.append(plots.Line("covered partner's\nnil made", *covers, "none to cover"))
        if result.spec.rules.n_sides == 2:
            rates = (a.opponent_nil_set_rate, b.opponent_nil_set_rate)
            whose = "opponents'" if result.spec.has_partners else "opponent's"
            lines.append(plots.Line(f"{whose} nils set", *rates, "none to set"))
    if a.blind_attempts or b.blind_attempts:
        lines.append(plots.Line("blind nils made", a.blind_success, b.blind_success, "declared none"))
    if result.spec.rules.deal == "draw_keep":
        lines.append(plots.Line("first cards kept", a.kept_rate, b.kept_rate))
    return lines


def _shares(result: DuelResult) -> Picture:
    lines, names, who = share_lines(result), tables.labels(result), tables.who(result)
    covered = " Covered: one partner alone bid nil." if result.spec.has_partners else ""
    measured = [
        (_flat(line.label), name, e)
        for line in lines
        for name, e in zip(names, (line.a, line.b), strict=True)
    ]
    told = [f"{what} by {name} {percent(e).value}" for what, name, e in measured]
    return Picture(
        "shares",
        _contracts(result),
        partial(plots.dots, lines=lines, names=names, x_label="share, %"),
        tables.frame_of(measured, "share"),
        "Shares with 95 % intervals, which allow for hands of one game or deal being alike. A contract is "
        f"set when the {who} wins fewer tricks than it bid.{covered}",
        alt=f"{'; '.join(told)}.",
        wide=True,
        height=plots.dots_height(len(lines)),
    )


def _flat(label: str) -> str:
    return label.replace("\n", " ")


def _nils(result: DuelResult) -> str:
    """What the figure of nils shows, as a sentence."""
    if not result.spec.rules.nil_allowed:
        sides = zip(tables.labels(result), result.sides.values(), strict=True)
        return "Contracts set: " + ", ".join(f"{name} {percent(s.set_rate).value}" for name, s in sides)
    parts = []
    for key, name in zip("ab", tables.labels(result), strict=True):
        side = result.sides[key]
        success = percent(side.nil_success)
        made = f"makes {success.value} of its {count(side.nil_attempts)} nils{_within(success)}"
        parts.append(f"{name} {made if side.nil_attempts else 'never bids nil'}")
    if not any(side.nil_attempts for side in result.sides.values()):
        return "Nobody bids nil"
    return "; ".join(parts)


def _bots(result: DuelResult) -> Table:
    """What each of the bots did at its place."""
    heads = ["bot", "place", "bid", "won", "nils bid", "made", "partner's nils covered", "made"]
    has_partners = result.spec.has_partners
    if not has_partners:
        heads = heads[:-2] if result.spec.rules.nil_allowed else heads[:-4]
    rows = [
        TableRow(
            [short_name(bot.spec), _place(n, bot), *_bot_cells(bot)[: len(heads) - 2]],
            starts_group=n == 1 and k == 0,
        )
        for n, side in enumerate((result.sides["a"], result.sides["b"]))
        for k, bot in enumerate(side.bots)
    ]
    where = "at its place of its side, over both rooms" if has_partners else "over all rooms"
    caption = f"Each bot {where}; bid and won in tricks a hand."
    return Table("Bot by bot", heads, rows, caption, "bots", _bot_frame(result))


def _bot_frame(result: DuelResult) -> "pd.DataFrame":
    """What each of the bots did: a row a bot and place."""
    import pandas as pd

    rows = [
        {"side": "AB"[n], **asdict(bot)}
        for n, side in enumerate((result.sides["a"], result.sides["b"]))
        for bot in side.bots
    ]
    return pd.DataFrame(rows)


def _place(side: int, bot: BotStats) -> str:
    return "AB"[side] + (f", {bot.place} seat" if bot.covers is not None else "")


def _bot_cells(bot: BotStats) -> list[str | Cell]:
    means = [NOTHING if value is None else f"{value:.2f}" for value in (bot.mean_bid, bot.mean_tricks)]
    nils = [count(bot.nil_attempts), _of(bot.nil_made, bot.nil_attempts)]
    if bot.covers is None or bot.covers_made is None:
        return [*means, *nils]
    return [*means, *nils, count(bot.covers), _of(bot.covers_made, bot.covers)]


def _of(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else NOTHING


def _sides(result: DuelResult) -> Table:
    rows = [TableRow([row.label, row.a, row.b], row.starts_group) for row in tables.side_rows(result)]
    title = "Both sides" if result.spec.has_partners else "Both players"
    data = _side_frame(result)
    return Table(title, ["", *tables.labels(result)], rows, f"{tables.INTERVALS} {WHY}", "sides", data)


def _side_frame(result: DuelResult) -> "pd.DataFrame":
    """Everything that was counted of the sides: a row a measure and side, without an interval for counts."""
    import pandas as pd

    rows: list[tuple[str, str, float, float, float]] = []
    for key, name in zip("ab", tables.labels(result), strict=True):
        side, nan = result.sides[key], float("nan")
        rows += [(what, name, n, nan, nan) for what, n in side.counts().items() if n is not None]
        rows += [(what, name, e.mean, e.low, e.high) for what, e in side.estimates().items() if e is not None]
    return pd.DataFrame(rows, columns=["measure", "side", "mean", "low", "high"])


def _seats(result: DuelResult) -> Table:
    rows = [TableRow([label, *values]) for label, values in tables.seat_rows(result)]
    caption = " ".join(tables.seat_sentences(result))
    seats = [f"seat {seat}" for seat in range(result.spec.rules.players)]
    return Table("Is the table fair?", ["", *seats], rows, caption, "seats", _seat_frame(result))


def _seat_frame(result: DuelResult) -> "pd.DataFrame":
    """What the seats got: a row a measure and seat."""
    import pandas as pd

    seats, nan = result.seats, float("nan")
    found = [
        (name, seat, value, nan, nan)
        for name in ("tricks", "points", "tricks_by_place", "points_by_place")
        for seat, value in enumerate(getattr(seats, name) or ())
    ]
    found += [("win_rate", seat, e.mean, e.low, e.high) for seat, e in enumerate(seats.win_rates or ())]
    return pd.DataFrame(found, columns=["measure", "seat", "mean", "low", "high"])
