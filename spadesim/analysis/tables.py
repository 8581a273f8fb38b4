"""What a duel measured as rows of text, the same for the terminal and for pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from spadesim.analysis.facts import Fact, decision_facts
from spadesim.analysis.numbers import Cell, count, number, percent, rounded, seconds, times
from spadesim.analysis.words import listed
from spadesim.match.result import DuelResult
from spadesim.match.sides import SideStats
from spadesim.match.spec import in_words, set_word
from spadesim.stats.intervals import Estimate
from spadesim.strategy import parse
from spadesim.strategy.called import short_name

if TYPE_CHECKING:
    import pandas as pd

LONGEST_LABEL = 24
INTERVALS = "Ranges hold the true value in 95 of 100 runs like this one."


@dataclass(frozen=True)
class Row:
    """A line of the table of both sides.

    Parameters
    ----------
    label : str
    a, b : Cell
        What A's side did, and B's.
    starts_group : bool
        Whether a new subject begins here.
    """

    label: str
    a: Cell
    b: Cell
    starts_group: bool = False


def labels(result: DuelResult) -> tuple[str, str]:
    """Short names that tell the sides apart; where only long ones do, "(A)" and "(B)" do it."""
    a, b = result.sides["a"].name, result.sides["b"].name
    if a != b:
        return a, b
    asked = short_name(result.a), short_name(result.b)
    for one, other in (asked, (result.a, result.b)):
        if one != other and max(len(one), len(other)) <= LONGEST_LABEL:
            return one, other
    return f"{a} (A)", f"{b} (B)"


def facts(result: DuelResult) -> list[Fact]:
    """Who won, by how much, and how sure that is, line by line."""
    lines = _facts_of_games(result) if result.boards is None else _facts_of_boards(result)
    pairing = what_pairing_bought(result)
    return [*lines, *([pairing] if pairing else []), *decision_facts(result.decision), *_at_any_look(result)]


def _at_any_look(result: DuelResult) -> list[Fact]:
    """What a duel came to that was broken off or made longer, for whoever has looked before."""
    found, a = result.at_any_look, labels(result)[0]
    if found is None:
        return []
    if result.boards is None:
        return [Fact("at any look", percent(found), f"of the games won by {a}")]
    if result.win_chance_per_board is not None:
        return [Fact("at any look", percent(found, 2, signed=True), f"{a}'s gain of win chance")]
    return [Fact("at any look", number(found, 1, signed=True), f"{a}'s points minus {labels(result)[1]}'s")]


def _facts_of_games(result: DuelResult) -> list[Fact]:
    a, b = labels(result)
    drawn = f", drew {count(result.draws)}" if result.draws else ""
    won = f"won {count(result.wins)}, lost {count(result.losses)}{drawn}"
    rate, points = percent(result.win_rate_a), number(result.points_per_hand, 1, signed=True)
    facts = [Fact(f"games won by {a}", rate, won), Fact("points per hand", points, f"{a}'s minus {b}'s")]
    return [facts[0], *_elo_facts(result), facts[1]]


def _elo_facts(result: DuelResult) -> list[Fact]:
    """Elo, and what engine testers want beside it; nothing where pairs all went alike."""
    found = result.elo
    if found is None or result.identical_boards == sum(found.pairs):
        return []
    lost, _, split, _, won = found.pairs
    halves = f", {count(found.pairs[1] + found.pairs[3])} with a draw" if result.draws else ""
    kinds = f"pairs won {count(won)}, split {count(split)}, lost {count(lost)}{halves}"
    elo = Fact("Elo", number(found.elo, 1, signed=True), kinds)
    if found.normalised_elo is None:  # as is the spread, which the likelihood rests on
        return [elo]
    normalised = number(found.normalised_elo, 1, signed=True)
    return [elo, Fact("normalised Elo", normalised, f"LOS {_likelihood(found.los)}")]


def _likelihood(los: float) -> str:
    """A likelihood, which is never certain.

    >>> _likelihood(0.9962), _likelihood(0.9999999), _likelihood(1e-9)
    ('99.6 %', 'above 99.9 %', 'below 0.1 %')
    """
    if 0.001 <= los <= 0.999:
        return f"{100 * los:.1f} %"
    return "above 99.9 %" if los > 0.5 else "below 0.1 %"


def _facts_of_boards(result: DuelResult) -> list[Fact]:
    a, b = labels(result)
    raw, priced = (number(e, 1, signed=True) for e in (result.points_per_board, result.priced_per_board))
    each = "board" if result.spec.has_partners else "hand"
    lines = [*_chances(result, a), Fact(f"points per {each}", raw, f"{a}'s minus {b}'s")]
    if result.spec.rules.bag_limit == 0:
        return lines
    return [*lines, Fact("with bags priced", priced, "each bag at its share of a penalty")]


def _chances(result: DuelResult, a: str) -> list[Fact]:
    """What boards did to A's chance to win the game."""
    change, ahead, behind = result.win_chance_per_board, result.boards_ahead, result.boards_behind
    if change is None or ahead is None or behind is None:
        return []
    level = (result.boards or 0) - ahead - behind
    return [
        Fact("win chance per board", percent(change, 2, signed=True), f"{a}'s gain"),
        Fact("boards ahead", Cell(count(ahead)), f"behind {count(behind)}, level {count(level)}"),
    ]


def what_pairing_bought(result: DuelResult) -> Fact | None:
    """What playing every deal several times was worth, in words; None where it cannot be told."""
    n_rooms = result.spec.n_rooms
    what, played = ("games", result.games) if result.boards is None else ("hands", n_rooms * result.boards)
    factor = result.variance_factor
    if factor is None or not played:
        return None
    worth = f"as sure as {rounded(factor * played)} unpaired {what}"
    return Fact(f"same deals {repeated(n_rooms)}", Cell(times(factor)), worth)


def repeated(n_rooms: int) -> str:
    """How often every deal is played.

    >>> repeated(2), repeated(6)
    ('twice', 'six times')
    """
    return "twice" if n_rooms == 2 else f"{in_words(n_rooms)} times"


def side_rows(result: DuelResult) -> list[Row]:
    """How both sides bid, bagged and played their nils, and what they decided before the bidding."""
    sides = result.sides["a"], result.sides["b"]
    rules = result.spec.rules

    def row(label: str, cell: Callable[[SideStats], Cell], starts_group: bool = False) -> Row:
        return Row(label, cell(sides[0]), cell(sides[1]), starts_group)

    rows = [
        row("tricks bid per hand", lambda s: number(s.mean_bid)),
        row("tricks won minus bid", lambda s: number(s.bid_error, signed=True)),
        row("contracts set", lambda s: percent(s.set_rate)),
        row("points per hand", lambda s: number(s.points_per_hand, 1)),
        row("bags per hand", lambda s: number(s.bags_per_hand), True),
    ]
    if rules.bag_limit:
        rows.append(row("bag penalties per game", _penalties))
    if rules.nil_allowed:
        rows.append(row("nils bid", lambda s: _part(s.nil_attempts, s.nil_rate, "bids"), True))
    if any(side.nil_attempts for side in sides):
        rows.append(row("nils made", lambda s: percent(s.nil_success)))
        if result.spec.has_partners:
            rows.append(row("covered partner's nil made", lambda s: percent(s.cover_success)))
        if rules.n_sides == 2:
            whose = "opponents'" if result.spec.has_partners else "opponent's"
            rows.append(row(f"{whose} nils set", lambda s: percent(s.opponent_nil_set_rate)))
    if rules.blind_nil != "off":
        rows.append(row("blind nils declared", lambda s: _part(s.blind_attempts or 0, s.blind_rate, "hands")))
    if any(side.blind_attempts for side in sides):
        rows.append(row("blind nils made", lambda s: percent(s.blind_success)))
    if rules.deal == "draw_keep":
        rows.append(row("first cards kept", lambda s: percent(s.kept_rate), True))
    return [
        *rows,
        row("Bostons (every trick won)", lambda s: _part(s.bostons, s.boston_rate, "hands"), True),
        row("free decisions", lambda s: _decisions(s.free, s)),
        row("forced (one legal choice)", lambda s: _decisions(s.forced, s)),
    ]


def _penalties(side: SideStats) -> Cell:
    if side.bag_penalties_per_game is None:
        return Cell(count(side.bag_penalties), "in all")
    return number(side.bag_penalties_per_game)


def _part(number_of: int, rate: Estimate | None, of: str) -> Cell:
    return Cell(count(number_of), f"{_share(rate.mean)} of {of}" if rate and number_of else "")


def _decisions(number_of: int, side: SideStats) -> Cell:
    decisions = side.free + side.forced
    return Cell(_short(number_of), f"{_share(number_of / decisions)} of all" if decisions else "")


def _short(number_of: int) -> str:
    """A count that fits a narrow column.

    >>> _short(928_706), _short(46_435_300)
    ('928,706', '46.4 M')
    """
    return count(number_of) if number_of < 10**6 else f"{rounded(number_of / 1e6)} M"


def _share(value: float) -> str:
    """A share of which two digits matter.

    >>> _share(0.21), _share(0.000357)
    ('21.0 %', '0.036 %')
    """
    scaled = 100 * value
    return f"{scaled:.1f} %" if scaled >= 1 or scaled == 0 else f"{float(f'{scaled:.2g}')} %"


def seat_rows(result: DuelResult) -> list[tuple[str, list[str]]]:
    """What every seat got: a label and a value a seat on every line."""
    seats = result.seats
    points = "points of its side" if result.spec.has_partners else "points per hand"
    lines = [
        ("tricks per hand", seats.tricks),
        (points, seats.points),
        ("tricks, the first leader first", seats.tricks_by_place),
    ]
    rows = [(label, [f"{value:.2f}" for value in values]) for label, values in lines if values]
    if seats.win_rates:
        rows += _games_won(seats.win_rates)
    return rows


def _games_won(rates: tuple[Estimate, ...]) -> list[tuple[str, list[str]]]:
    """Each seat's share of the games; with more than two seats, whose sentence has the range, its range."""
    mean, low, high = (
        [f"{100 * getattr(rate, end):.1f} %" for rate in rates] for end in ("mean", "low", "high")
    )
    if len(rates) == 2:
        return [("games won", mean)]
    fair = f"games won (fair: {100 / len(rates):.1f} %)"
    return [(fair, mean), ("  at least", low), ("  at most", high)]


def seat_sentences(result: DuelResult) -> list[str]:
    """Whether it matters where one sits and who leads first, in words."""
    seats, rules, sentences = result.seats, result.spec.rules, []
    if rules.deal == "draw_keep":
        sentences += _about_the_draw(result)
    elif seats.first_leader_edge is not None:
        shown, more = _edge(seats.first_leader_edge)
        sentences.append(
            f"A hand's first leader wins {shown.value} tricks {more} than a fair share{_in(shown)}."
        )
    leader = "side" if result.spec.has_partners else "player"
    for who, rate in (
        ("The side at seats 0 and 2", seats.seats_0_2_win_rate),
        ("The player at seat 0", seats.win_rates[0] if seats.win_rates and rules.players == 2 else None),
        (f"The {leader} that leads the first hand", seats.opener_win_rate),
    ):
        if rate is not None:
            shown = percent(rate)
            fair = "" if rules.n_sides == 2 else f"; a fair share is {100 / rules.n_sides:.1f} %"
            sentences.append(f"{who} wins {shown.value} of the games{_in(shown)}{fair}.")
    return sentences


def _about_the_draw(result: DuelResult) -> list[str]:
    """What it is worth to draw first; who does so leads first, or lets the other lead."""
    seats, rules = result.seats, result.spec.rules
    if seats.first_drawer_edge is None or seats.first_drawer_points is None:
        return []
    leads = "leads" if rules.start_role == "first_drawer" else "leaves the first lead to the other"
    edge, more = _edge(seats.first_drawer_edge)
    points, ahead = _edge(seats.first_drawer_points, 1)
    return [
        f"Who draws first, and {leads}, wins {edge.value} tricks {more} than half{_in(edge)}.",
        f"Drawing first is worth {points.value} points {ahead} than drawing second{_in(points)}.",
    ]


def _edge(edge: Estimate, least: int = 2) -> tuple[Cell, str]:
    """An edge without its sign, and whether it is "more" or "less"."""
    is_more = edge.mean >= 0
    return number(edge if is_more else edge.scaled(-1), least), "more" if is_more else "less"


def _in(cell: Cell) -> str:
    return f" ({cell.note})" if cell.note else ""


def notes(result: DuelResult) -> list[str]:
    """What a reader must know beside the numbers: unfinished games, rooms that went alike."""
    found = []
    if result.unfinished and result.games:
        share = _share(result.unfinished / result.games)
        bounds = ""
        if result.worst_case:
            low, high = (f"{100 * end:.1f}" for end in result.worst_case)
            bounds = f"; had they all gone one way, {labels(result)[0]} would have won {low} or {high} %"
        found.append(
            f"{count(result.unfinished)} of {count(result.games)} games unfinished ({share}){bounds}."
        )
    elif result.games:
        found.append("All games were finished.")
    if result.decision is not None and result.decision.is_decided:
        found.append("The duel ended itself: only the two ranges that say so allow for that.")
    if result.is_watched:
        how = "broken off" if result.partial else "made longer"
        allows = (
            "only the range at any look allows for that" if result.at_any_look else "no range allows for that"
        )
        found.append(f"The duel was {how}, so that its length was not chosen beforehand: {allows}.")
    units = result.boards or (result.games or 0) // result.spec.n_rooms
    rooms = "Both" if result.spec.n_rooms == 2 else f"All {in_words(result.spec.n_rooms)}"
    if result.identical_boards:
        found.append(
            f"{rooms} rooms went alike, card by card, on {count(result.identical_boards)} "
            f"of {result.spec.some_units(units)}."
        )
    return found


def played(result: DuelResult) -> str:
    """How much was played, and how fast."""
    n_rooms = result.spec.n_rooms
    if result.boards is None:
        sets = _some((result.games or 0) // n_rooms, set_word(n_rooms))
        of = "" if n_rooms == 2 else f" of {in_words(n_rooms)}"
        length = f"{count(result.games)} games in {sets}{of}"
    else:
        length = f"{_some(result.boards, 'board')} in {in_words(n_rooms)} rooms{_start(result)}"
    speed = f", {rounded(result.hands_per_second)}/s" if result.seconds else ""
    return f"{length}, {_some(result.hands, 'hand')} in {seconds(result.seconds)}{speed}"


def _some(number_of: int, what: str) -> str:
    return f"{count(number_of)} {what}{'' if number_of == 1 else 's'}"


def provenance(result: DuelResult) -> list[tuple[str, str]]:
    """What it takes to see the same again, as labels and values."""
    who = "side" if result.spec.has_partners else "player"
    return [
        ("rules", result.rules),
        (f"{who} A", _bots(result.a, result.sides["a"])),
        (f"{who} B", _bots(result.b, result.sides["b"])),
        ("deals", f"seed {result.seed}{_first(result)}, {result.rng}"),
        ("made by", f"spadesim {result.version}, fingerprint {result.fingerprint}"),
    ]


def _start(result: DuelResult) -> str:
    nothing = (0,) * result.spec.rules.n_sides
    scores, bags = result.scores or nothing, result.bags or nothing
    between = ", " if min(scores) < 0 else "-"
    if result.start == "realistic":
        return " from scores as they occur in games"
    text = f" from {between.join(map(str, scores))}"
    return f"{text} with {listed([str(n) for n in bags])} bags" if any(bags) else text


def _first(result: DuelResult) -> str:
    return f" from number {result.first}" if result.first else ""


def who(result: DuelResult) -> str:
    """What plays against each other."""
    return "side" if result.spec.has_partners else "player"


def frame_of(lines: Sequence[tuple[str, str, Estimate | None]], unit: str) -> "pd.DataFrame":
    """What is drawn: a row a measure and side; the ends of an interval are empty where there is none."""
    import pandas as pd

    rows = [
        (what, name, e.mean, *((e.low, e.high) if e.low < e.high else (None, None)), unit)
        for what, name, e in lines
        if e is not None
    ]
    columns = ["measure", "side", "mean", "low", "high", "unit"]
    return pd.DataFrame(rows, columns=columns).astype({"low": float, "high": float})


def _bots(asked: str, side: SideStats) -> str:
    """A side's bots as they were asked for, with the digests of what they are made of."""
    spec = parse(asked)
    specs = [
        replace(one, revision=bot.commit)
        for one, bot in zip((spec.lower, spec.higher), side.bots, strict=False)
    ]
    return " + ".join(dict.fromkeys(f"{one} {bot.digest}" for one, bot in zip(specs, side.bots, strict=True)))
