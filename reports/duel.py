"""The page of a duel: who is better, how each side bids, bags and plays its nils."""

from spadesim.analysis import plots, tables
from spadesim.analysis.look import short
from spadesim.analysis.numbers import NOTHING, Cell, count, percent
from spadesim.analysis.page import Figure, Page, Section, Table, TableRow, Tile
from spadesim.match.result import DuelResult
from spadesim.match.sides import BotStats
from spadesim.match.spec import in_words, set_word
from spadesim.stats.games import DRAW, LOSS, WIN
from spadesim.stats.intervals import Estimate

QUESTION = "Who is better, by how much, and how sure is that? How does each {who} {does}?"


def build(result: DuelResult) -> str:
    """The page as one HTML file.

    Parameters
    ----------
    result : DuelResult
    """
    return page(result).html()


def page(result: DuelResult) -> Page:
    """What the page says, before it is HTML."""
    a, b = tables.labels(result)
    return Page(
        title=f"{a} against {b}",
        question=QUESTION.format(who=_who(result), does=_does(result)),
        answer=result.verdict,
        tiles=[Tile(fact.label, fact.cell, fact.meaning) for fact in tables.facts(result)],
        sections=[
            Section("Who wins", tables.notes(result), figures=_who_wins(result)),
            Section("Bids", figures=[_bids(result)]),
            Section("Bags", figures=[_bags(result)]),
            Section(_contracts(result), figures=[_shares(result)], tables=[_bots(result)]),
            Section("All numbers", tables=[_sides(result), _seats(result)]),
        ],
        made=[("played", tables.played(result)), *tables.provenance(result)],
        command=result.command,
    )


def _who(result: DuelResult) -> str:
    """What plays against each other."""
    return "side" if result.spec.has_partners else "player"


def _does(result: DuelResult) -> str:
    """What a side decides."""
    return "bid, bag and play its nils" if result.spec.rules.nil_allowed else "bid and bag"


def _contracts(result: DuelResult) -> str:
    return "Nils and contracts" if result.spec.rules.nil_allowed else "Contracts"


def _who_wins(result: DuelResult) -> list[Figure]:
    if result.boards is None:
        return [_pairs(result)]
    change = result.win_chance_per_board
    return [_points(result)] if change is None else [_chance(result, change), _points(result)]


def _chance(result: DuelResult, change: Estimate) -> Figure:
    names = tables.labels(result)
    ahead, gain = (names[0], change) if change.mean >= 0 else (names[1], change.scaled(-1))
    title = (
        f"{ahead} gains {percent(gain, 2).value.removesuffix(' %')} percentage points of win chance a board"
    )
    if result.better is None:
        title = f"Neither {_who(result)} surely gains in the chance to win"
    lines = [("change", change.scaled(100))]
    return Figure(
        title,
        plots.points(lines, names, "percentage points of win chance a board"),
        f"By how much a board raises a {_who(result)}'s chance to win the game, the mean of its two rooms, "
        "with its 95 % interval. The chance comes out of a table for all scores and bags, made from a "
        "reference bot's games. This is what tells who is better.",
    )


def _pairs(result: DuelResult) -> Figure:
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
    return Figure(
        _winner(result),
        plots.pairs_and_games(_pair_shares(result), rates, names, f"{set_word(n_rooms)}s of games"),
        f"{above} Below: the share of all finished games, with 95 % intervals; at the dashed line both are "
        "equally good.",
    )


def _winner(result: DuelResult) -> str:
    """What the figure of wins shows, as a sentence."""
    rate, (a, b) = result.win_rate_a, tables.labels(result)
    if rate is None:
        return "No game was finished"
    if not result.is_decidable:
        return "Too many games are unfinished to say who is better"
    if rate.low == rate.high:
        return f"Each {_who(result)} won half of the games"
    if result.better is None:
        return f"Undecided: {a} won {percent(rate).value} of the games"
    winner, won = (a, rate) if result.better == "a" else (b, rate.complement())
    return f"{winner} won {percent(won).value} of the games"


def _pair_shares(result: DuelResult) -> list[tuple[str, float, int]]:
    """How the pairs or sets of games ended: label, share of all of them, and whose it is."""
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


def _points(result: DuelResult) -> Figure:
    each = "board" if result.spec.has_partners else "hand"
    names = tables.labels(result)
    lines = [("points", result.points_per_board), ("bags priced", result.priced_per_board)]
    found = [(label, estimate) for label, estimate in lines if estimate is not None]
    points = result.points_per_board or Estimate(0, 0, 0)
    ahead = names[0] if points.mean >= 0 else names[1]
    title = f"{ahead} is {abs(points.mean):.1f} points a {each} ahead"
    if points.low <= 0 <= points.high:
        title = f"Neither {_who(result)} is surely ahead in points"
    mean = "The mean of a board's two rooms" if each == "board" else "A's mean points of a hand minus B's"
    return Figure(
        title,
        plots.points(found, names, f"points a {each}"),
        f"{mean}, with 95 % intervals. Priced: every bag at its share of the "
        "penalty, instead of the penalties that fell due. Points are no measure of strength by themselves: a "
        "bot that plays to the score gives points away to win games.",
    )


def _bids(result: DuelResult) -> Figure:
    names = tables.labels(result)
    errors = [result.sides[key].bid_error for key in "ab"]
    sides = [
        plots.Bids(name, counts)
        for name, counts in zip(names, result.tally["bid_tricks"].tolist(), strict=True)
    ]
    rules = result.spec.rules
    least = 0 if rules.nil_allowed else max(rules.min_bid, 1)
    return Figure(
        _accuracy(names, errors),
        plots.tricks_by_bid(sides, least, rules.hand_size),
        "What single bots bid, and the tricks they won themselves. Each column is all hands with one bid: "
        "the darker a cell, the more of them. Short lines are means with 95 % intervals; on the dashed line "
        "tricks equal bids. Bids made less than once in 2,000 hands are left out.",
    )


def _accuracy(names: tuple[str, str], errors: list[Estimate | None]) -> str:
    """What the figure of bids shows, as a sentence."""
    parts = [
        f"{name} {abs(error.mean):.2f} {'more' if error.mean >= 0 else 'fewer'}"
        for name, error in zip(names, errors, strict=True)
        if error
    ]
    return f"Tricks won against tricks bid, a hand: {', '.join(parts)}"


def _bags(result: DuelResult) -> Figure:
    names = tables.labels(result)
    a, b = (result.sides[key].bags_per_hand for key in "ab")
    parts = [f"{name} takes {mean.mean:.2f}" for name, mean in zip(names, (a, b), strict=True) if mean]
    return Figure(
        f"Bags a hand: {', '.join(parts)}" if parts else "No hands",
        plots.histogram(
            result.tally["bags_hist"].tolist(),
            plots.Line("bags", a, b),
            names,
            f"bags of a {_who(result)} in one hand",
            "hands, %",
        ),
        f"How many hands brought a {_who(result)} how many bags. Above: the means with their 95 % intervals.",
    )


def _shares(result: DuelResult) -> Figure:
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
    who = _who(result)
    covered = " Covered: one partner alone bid nil." if result.spec.has_partners else ""
    return Figure(
        _nils(result),
        plots.dots(lines, tables.labels(result), "share, %"),
        "Shares with 95 % intervals, which allow for hands of one game or deal being alike. A contract is "
        f"set when the {who} wins fewer tricks than it bid.{covered}",
    )


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
