"""Who is better: what duels came to, and of a single one how each side bids, bags and plays its nils."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from spadesim.analysis import plots, tables
from spadesim.analysis.look import short
from spadesim.analysis.numbers import NOTHING, Cell, count, number, percent
from spadesim.analysis.page import Table, TableRow, Tile
from spadesim.analysis.report import Picture, Report, Section
from spadesim.match.result import DuelResult
from spadesim.match.sides import BotStats
from spadesim.match.spec import in_words, set_word
from spadesim.stats.games import DRAW, LOSS, WIN
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd

TITLE = "Who is better"
QUESTION = "Who is better, by how much, and how sure is that?"
READS = "duel"
ORDER = 10
MOST_ALONE = 3  # duels that have sections of their own
ELSEWHERE = {"bids": "bids", "bags": "bags", "nils": "nil"}  # pages that tell more where rows were recorded


def build(report: Report) -> list[Section]:
    """Who wins, then how each side plays; of several duels who wins each."""
    if len(report.results) == 1:
        (duel,) = report.results
        return [_who_wins(duel, is_alone=True), *_how(duel, report.pages), _numbers(duel)]
    each = [_who_wins(duel) for duel in report.results] if len(report.results) <= MOST_ALONE else []
    return [_all(report.results), *each]


def _who(result: DuelResult) -> str:
    """What plays against each other."""
    return "side" if result.spec.has_partners else "player"


def _contracts(result: DuelResult) -> str:
    return "Nils and contracts" if result.spec.rules.nil_allowed else "Contracts"


def _who_wins(result: DuelResult, is_alone: bool = False) -> Section:
    """How a duel ended; its key figures and notes where there is no other duel."""
    a, b = tables.labels(result)
    return Section(
        _winner(result) if is_alone else f"{a} against {b}: {_winner(result)}",
        text=tables.notes(result) if is_alone else [result.verdict],
        tiles=[Tile(fact.label, fact.cell, fact.meaning) for fact in tables.facts(result)]
        if is_alone
        else (),
        pictures=_ends(result),
    )


def _how(result: DuelResult, pages: Sequence[str]) -> list[Section]:
    """How each side bids, bags and plays its nils, apart from what other pages tell."""
    found = [("bids", "Bids", _bids), ("bags", "Bags", _bags), ("nils", _contracts(result), _shares)]
    if result.tally is None:  # read back out of JSON, which has no distributions
        found = found[2:]
    return [
        Section(title, pictures=[picture(result)])
        for name, title, picture in found
        if ELSEWHERE[name] not in pages
    ]


def _numbers(result: DuelResult) -> Section:
    return Section("All numbers", tables=[_sides(result), _bots(result), _seats(result)])


def _ends(result: DuelResult) -> list[Picture]:
    if result.boards is None:
        return [_pairs(result)]
    change = result.win_chance_per_board
    return [_points(result)] if change is None else [_chance(result, change), _points(result)]


def _chance(result: DuelResult, change: Estimate) -> Picture:
    names = tables.labels(result)
    lines = [("change", change.scaled(100))]
    what = "percentage points of win chance a board"
    return Picture(
        "win-chance",
        f"Change of the chance to win, {what}",
        partial(plots.points, lines=lines, names=names, what=what),
        _frame([("win chance", names[0], change.scaled(100))], "percentage points a board"),
        f"By how much a board raises a {_who(result)}'s chance to win the game, the mean of its two rooms, "
        "with its 95 % interval. The chance comes out of a table for all scores and bags, made from a "
        "reference bot's games. This is what tells who is better.",
        alt=f"{_gain(result, change)}: {_said(change.scaled(100))} {what}.",
        height=1.6,
    )


def _gain(result: DuelResult, change: Estimate) -> str:
    """What a duel of boards shows, as a sentence."""
    names = tables.labels(result)
    if result.better is None:
        return f"Neither {_who(result)} surely gains in the chance to win"
    ahead, gain = (names[0], change) if change.mean >= 0 else (names[1], change.scaled(-1))
    shown = percent(gain, 2)
    value, note = (text.removesuffix(" %") for text in shown)
    return f"{ahead} gains {value} percentage points of win chance a board ({note})"


def _frame(lines: "Sequence[tuple[str, str, Estimate | None]]", unit: str) -> "pd.DataFrame":
    """What is drawn: a row a measure and side."""
    import pandas as pd

    rows = [(what, name, e.mean, e.low, e.high, unit) for what, name, e in lines if e is not None]
    return pd.DataFrame(rows, columns=["measure", "side", "mean", "low", "high", "unit"])


def _said(estimate: Estimate | None) -> str:
    return NOTHING if estimate is None else f"{estimate.mean:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def _pairs(result: DuelResult) -> Picture:
    names = tables.labels(result)
    rate = result.win_rate_a
    rates = plots.Line("games", rate, rate.complement() if rate else None)
    n_rooms, who = result.spec.n_rooms, _who(result)
    if n_rooms == 2:
        above = (
            f"Above: how the pairs of games ended, each pair on the same deals with the {who}s swapped. "
            f"Where one {who} won both games, it was not the cards; grey pairs went one each."
        )
    else:
        above = (
            f"Above: how the sets of {in_words(n_rooms)} games ended, each set on the same deals, with both "
            "bots at every seat equally often; who won more of the six is ahead."
        )
    shares, what = _pair_shares(result), f"{set_word(n_rooms)}s of games"
    if not shares:
        return _games(result, rates)
    measured = [(label, "ab"[whose] if whose >= 0 else "", Estimate(n, n, n)) for label, n, whose in shares]
    measured += [("games", "a", rates.a)] if rates.a else []
    return Picture(
        "games-won",
        f"How {what} ended, and the share of the games that each {who} won",
        partial(plots.pairs_and_games, shares=shares, rates=rates, names=names, what=what),
        _frame(measured, "share"),
        f"{above} Below: the share of all finished games, with 95 % intervals; at the dashed line both are "
        "equally good.",
        alt=f"{_winner(result)}. " + ", ".join(f"{label}: {100 * n:.1f} %" for label, n, _ in shares) + ".",
        wide=True,
        height=2.4,
    )


def _games(result: DuelResult, rates: plots.Line) -> Picture:
    """The share of the games that each side won, and no more."""
    names = tables.labels(result)
    return Picture(
        "games-won",
        f"The share of the games that each {_who(result)} won",
        partial(plots.dots, lines=[rates], names=names, x_label="share won, %"),
        _frame([("games", names[0], rates.a), ("games", names[1], rates.b)], "share"),
        "The share of all finished games, with 95 % intervals.",
        alt=f"{_winner(result)}.",
        wide=True,
        height=plots.dots_height(1),
    )


def _winner(result: DuelResult) -> str:
    """Who wins, as a sentence."""
    rate, (a, b) = result.win_rate_a, tables.labels(result)
    if result.boards is not None:
        change = result.win_chance_per_board
        return _ahead(result) if change is None else _gain(result, change)
    if rate is None:
        return "No game was finished"
    if not result.is_decidable:
        return "Too many games are unfinished to say who is better"
    if rate.low == rate.high:
        return f"Each {_who(result)} won half of the games"
    if result.better is None:
        return f"Undecided: {a} won {_share(rate)} of the games"
    winner, won = (a, rate) if result.better == "a" else (b, rate.complement())
    return f"{winner} won {_share(won)} of the games"


def _share(rate: Estimate) -> str:
    """A share with its interval."""
    shown = percent(rate)
    return f"{shown.value} ({shown.note.removesuffix(' %')})" if shown.note else shown.value


def _pair_shares(result: DuelResult) -> list[tuple[str, float, int]]:
    """How the pairs or sets of games ended: label, share of all of them, and whose it is; [] if unknown."""
    if result.tally is None:
        return []
    if result.spec.n_rooms > 2:
        return _set_shares(result)
    outcomes = result.tally["outcomes"].tolist()
    pairs = sum(map(sum, outcomes)) or 1
    both_a, both_b = outcomes[WIN][WIN], outcomes[LOSS][LOSS]
    one_each = outcomes[WIN][LOSS] + outcomes[LOSS][WIN] + outcomes[DRAW][DRAW]
    rest = pairs - both_a - both_b - one_each
    a, b = (short(name) for name in tables.labels(result))
    shares = [(f"{a} won both", both_a, 0), ("one each", one_each, -1), ("drawn or unfinished", rest, -1)]
    return [(label, n / pairs, whose) for label, n, whose in [*shares, (f"{b} won both", both_b, 1)] if n]


def _set_shares(result: DuelResult) -> list[tuple[str, float, int]]:
    """The same for sets of games: who won more of the finished ones."""
    ahead = [0, 0, 0]
    for finished, row in enumerate(result.tally["shares"].tolist()):
        for half_points, n in enumerate(row):
            # A half point is half a game, so level is as many half points as games.
            ahead[0 if half_points > finished else 1 if half_points == finished else 2] += n
    sets = sum(ahead) or 1
    a, b = (short(name) for name in tables.labels(result))
    found = [(f"{a} won more", ahead[0], 0), ("level", ahead[1], -1), (f"{b} won more", ahead[2], 1)]
    return [(label, n / sets, whose) for label, n, whose in found if n]


def _points(result: DuelResult) -> Picture:
    each = "board" if result.spec.has_partners else "hand"
    names = tables.labels(result)
    lines = [("points", result.points_per_board), ("bags priced", result.priced_per_board)]
    found = [(label, estimate) for label, estimate in lines if estimate is not None]
    mean = "The mean of a board's two rooms" if each == "board" else "A's mean points of a hand minus B's"
    return Picture(
        "points",
        _ahead(result),
        partial(plots.points, lines=found, names=names, what=f"points a {each}"),
        _frame([(label, names[0], estimate) for label, estimate in found], f"points a {each}"),
        f"{mean}, with 95 % intervals. Priced: every bag at its share of the "
        "penalty, instead of the penalties that fell due. Points are no measure of strength by themselves: a "
        "bot that plays to the score gives points away to win games.",
        alt=f"{names[0]} minus {names[1]}: " + "; ".join(f"{label} {_said(e)}" for label, e in found) + ".",
        height=2.0,
    )


def _ahead(result: DuelResult) -> str:
    """By how much one is ahead in points, as a sentence."""
    names, points = tables.labels(result), result.points_per_board or Estimate(0, 0, 0)
    if points.low <= 0 <= points.high:
        return f"Neither {_who(result)} is surely ahead in points"
    ahead, by = (names[0], points) if points.mean >= 0 else (names[1], points.scaled(-1))
    each = "board" if result.spec.has_partners else "hand"
    return f"{ahead} is {by.mean:.1f} points a {each} ahead ({by.low:.1f} to {by.high:.1f})"


def _bids(result: DuelResult) -> Picture:
    names = tables.labels(result)
    errors = [result.sides[key].bid_error for key in "ab"]
    sides = [
        plots.Bids(name, counts)
        for name, counts in zip(names, result.tally["bid_tricks"].tolist(), strict=True)
    ]
    rules = result.spec.rules
    least = 0 if rules.nil_allowed else max(rules.min_bid, 1)
    return Picture(
        "tricks-by-bid",
        _accuracy(names, errors),
        partial(plots.tricks_by_bid, sides=sides, least=least, most=rules.hand_size),
        _bid_frame(sides),
        "What single bots bid, and the tricks they won themselves. Each column is all hands with one bid: "
        "the darker a cell, the more of them. Short lines are means with 95 % intervals; on the dashed line "
        "tricks equal bids. Bids made less than once in 2,000 hands are left out.",
        alt=f"{_accuracy(names, errors)}. For each bid, how often it was made and which tricks it won.",
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


def _accuracy(names: tuple[str, str], errors: list[Estimate | None]) -> str:
    """What the figure of bids shows, as a sentence."""
    parts = [
        f"{name} {abs(error.mean):.2f} {'more' if error.mean >= 0 else 'fewer'}"
        for name, error in zip(names, errors, strict=True)
        if error
    ]
    return f"Tricks won against tricks bid, a hand: {', '.join(parts)}"


def _bags(result: DuelResult) -> Picture:
    names = tables.labels(result)
    a, b = (result.sides[key].bags_per_hand for key in "ab")
    parts = [f"{name} takes {mean.mean:.2f}" for name, mean in zip(names, (a, b), strict=True) if mean]
    title = f"Bags a hand: {', '.join(parts)}" if parts else "No hands"
    counts = result.tally["bags_hist"].tolist()
    return Picture(
        "bags",
        title,
        partial(
            plots.histogram,
            counts=counts,
            means=plots.Line("bags", a, b),
            names=names,
            labels=(f"bags of a {_who(result)} in one hand", "hands, %"),
        ),
        _bag_frame(names, counts),
        f"How many hands brought a {_who(result)} how many bags. Above: the means with their 95 % intervals.",
        alt=f"{title}; bars for how many hands brought 0, 1, 2 and more bags.",
        wide=True,
        height=3.2,
    )


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
    lines, names, who = share_lines(result), tables.labels(result), _who(result)
    covered = " Covered: one partner alone bid nil." if result.spec.has_partners else ""
    measured = [
        (_flat(line.label), name, e)
        for line in lines
        for name, e in zip(names, (line.a, line.b), strict=True)
    ]
    told = [f"{what} by {name} {percent(e).value}" for what, name, e in measured]
    return Picture(
        "shares",
        _nils(result),
        partial(plots.dots, lines=lines, names=names, x_label="share, %"),
        _frame(measured, "share"),
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
        made = f"makes {percent(side.nil_success).value} of its {count(side.nil_attempts)} nils"
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
            [bot.spec, _place(n, bot), *_bot_cells(bot)[: len(heads) - 2]], starts_group=n == 1 and k == 0
        )
        for n, side in enumerate((result.sides["a"], result.sides["b"]))
        for k, bot in enumerate(side.bots)
    ]
    where = "at its place of its side, over both rooms" if has_partners else "over all rooms"
    return Table("Bot by bot", heads, rows, f"Each bot {where}; bid and won in tricks a hand.")


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
    return Table(title, ["", *tables.labels(result)], rows, tables.INTERVALS)


def _seats(result: DuelResult) -> Table:
    rows = [TableRow([label, *values]) for label, values in tables.seat_rows(result)]
    caption = " ".join(tables.seat_sentences(result))
    seats = [f"seat {seat}" for seat in range(result.spec.rules.players)]
    return Table("Is the table fair?", ["", *seats], rows, caption)


def _all(duels: Sequence[DuelResult]) -> Section:
    """All duels in one table and one picture for each thing measured."""
    won = sum(duel.better is not None for duel in duels)
    rows = [TableRow([*tables.labels(duel), duel.rules, _length(duel), *_came_to(duel)]) for duel in duels]
    heads = ["A", "B", "rules", "played", "A's result", "better"]
    caption = "A's share of the games, or its gain of win chance (or of points) a board, with 95 % intervals."
    table = Table("Duel by duel", heads, rows, caption)
    return Section(f"{won} of {len(duels)} duels have a winner", pictures=_overview(duels), tables=[table])


MEASURES = {
    "games": ("Games won by the first", "games won by the first, %", 50.0),
    "win chance": ("Win chance gained by the first", "percentage points of win chance a board", 0.0),
    "points": ("Points of the first ahead", "points a board", 0.0),
}


def _overview(duels: Sequence[DuelResult]) -> list[Picture]:
    """What duels came to, side by side: a picture for games, one for win chances, one for points."""
    found: dict[str, list[tuple[str, Estimate]]] = {name: [] for name in MEASURES}
    differ = len({duel.rules for duel in duels}) > 1
    for duel in duels:
        a, b = (short(name) for name in tables.labels(duel))
        name, value = _measure(duel)
        if value is not None:
            found[name].append((f"{a} – {b}" + (f", {short(duel.rules)}" if differ else ""), value))
    return [_forest(name, lines) for name, lines in found.items() if lines]


def _measure(duel: DuelResult) -> tuple[str, Estimate | None]:
    if duel.boards is None:
        return "games", duel.win_rate_a and duel.win_rate_a.scaled(100)
    change = duel.win_chance_per_board
    return ("points", duel.points_per_board) if change is None else ("win chance", change.scaled(100))


def _forest(name: str, lines: Sequence[tuple[str, Estimate]]) -> Picture:
    title, x_label, at = MEASURES[name]
    return Picture(
        f"all-{name}",
        title,
        partial(plots.estimates, lines=lines, x_label=x_label, at=at),
        _frame([(name, label, estimate) for label, estimate in lines], x_label),
        "With 95 % intervals, each duel for itself; at the dashed line both sides are alike.",
        alt="; ".join(f"{label} {_said(estimate)}" for label, estimate in lines),
        wide=True,
        height=plots.estimates_height(len(lines)),
    )


def _length(duel: DuelResult) -> str:
    return duel.spec.some_units(duel.boards) if duel.boards else f"{count(duel.games)} games"


def _came_to(duel: DuelResult) -> tuple[Cell, str]:
    """A's result, and who is better."""
    better = {"a": tables.labels(duel)[0], "b": tables.labels(duel)[1], None: "undecided"}[duel.better]
    if duel.boards is None:
        return percent(duel.win_rate_a), better
    change = duel.win_chance_per_board
    return (
        number(duel.points_per_board, 1, signed=True) if change is None else percent(change, 2, True)
    ), better
