"""Who is better: what a duel came to, or several of them side by side."""

from collections.abc import Sequence
from functools import partial

from spadesim.analysis import plots, tables
from spadesim.analysis.look import short
from spadesim.analysis.numbers import NOTHING, Cell, count, number, percent
from spadesim.analysis.page import Table, TableRow, Tile
from spadesim.analysis.report import Picture, Report, Section
from spadesim.match.result import DuelResult
from spadesim.match.spec import in_words, set_word
from spadesim.stats.games import DRAW, LOSS, WIN
from spadesim.stats.intervals import Estimate

TITLE = "Who is better"
QUESTION = "Who is better, by how much, and how sure is that?"
READS = "duel"
ORDER = 10
LUCK = "Where all were alike, one duel of twenty would still have a winner, by luck alone."
MOST_ALONE = 3  # duels that have sections of their own


def build(report: Report) -> list[Section]:
    """Who wins; of several duels all in a table, and few of them one by one."""
    if len(report.results) == 1:
        (duel,) = report.results
        return [_who_wins(duel, is_alone=True)]
    each = [_who_wins(duel) for duel in report.results] if len(report.results) <= MOST_ALONE else []
    return [_all(report.results), *each]


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
        tables.frame_of([("win chance", names[0], change.scaled(100))], "percentage points a board"),
        f"By how much a board raises a {tables.who(result)}'s chance to win the game, the mean of its two "
        "rooms, with its 95 % interval. The chance comes out of a table for all scores and bags, made from a "
        "reference bot's games. This is what tells who is better.",
        alt=f"{_gain(result, change)}: {_said(change.scaled(100))} {what}.",
        height=1.7,
    )


def _gain(result: DuelResult, change: Estimate) -> str:
    """What a duel of boards shows, as a sentence."""
    names = tables.labels(result)
    if result.better is None:
        return f"Neither {tables.who(result)} surely gains in the chance to win"
    ahead, gain = (names[0], change) if change.mean >= 0 else (names[1], change.scaled(-1))
    shown = percent(gain, 2)
    value, note = (text.removesuffix(" %") for text in shown)
    return f"{ahead} gains {value} percentage points of win chance a board ({note})"


def _said(estimate: Estimate | None) -> str:
    return NOTHING if estimate is None else f"{estimate.mean:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def _pairs(result: DuelResult) -> Picture:
    names = tables.labels(result)
    rate = result.win_rate_a
    rates = plots.Line("games", rate, rate.complement() if rate else None)
    n_rooms, who = result.spec.n_rooms, tables.who(result)
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
    measured: list[tuple[str, str, Estimate | None]] = [
        (label, names[whose] if whose >= 0 else "", Estimate(n, n, n)) for label, n, whose in shares
    ]
    measured += [("games", names[0], rates.a), ("games", names[1], rates.b)]
    return Picture(
        "games-won",
        f"How {what} ended, and the share of the games that each {who} won",
        partial(plots.pairs_and_games, shares=shares, rates=rates, names=names, what=what),
        tables.frame_of(measured, "share"),
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
        f"The share of the games that each {tables.who(result)} won",
        partial(plots.dots, lines=[rates], names=names, x_label="share won, %"),
        tables.frame_of([("games", names[0], rates.a), ("games", names[1], rates.b)], "share"),
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
        return f"Each {tables.who(result)} won half of the games"
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
        tables.frame_of([(label, names[0], estimate) for label, estimate in found], f"points a {each}"),
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
        return f"Neither {tables.who(result)} is surely ahead in points"
    ahead, by = (names[0], points) if points.mean >= 0 else (names[1], points.scaled(-1))
    each = "board" if result.spec.has_partners else "hand"
    return f"{ahead} is {by.mean:.1f} points a {each} ahead ({by.low:.1f} to {by.high:.1f})"


def _all(duels: Sequence[DuelResult]) -> Section:
    """All duels in one table and one picture for each thing measured."""
    won = sum(duel.better is not None for duel in duels)
    rows = [TableRow([*tables.labels(duel), duel.rules, _length(duel), *_came_to(duel)]) for duel in duels]
    heads = ["A", "B", "rules", "played", "A's result", "better"]
    caption = "A's share of the games, or its gain of win chance (or of points) a board, with 95 % intervals."
    table = Table("Duel by duel", heads, rows, caption)
    title = f"{won} of {len(duels)} duels have a winner, each judged by itself"
    return Section(title, [LUCK], pictures=_overview(duels), tables=[table])


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
        tables.frame_of([(name, label, estimate) for label, estimate in lines], x_label),
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
