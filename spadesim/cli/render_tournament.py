"""How a tournament looks on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from spadesim.analysis.numbers import percent, sure_text
from spadesim.analysis.words import listed
from spadesim.cli.render import print_parts
from spadesim.match.partners import PartnersResult
from spadesim.match.standings import TournamentResult, turned
from spadesim.stats.exact import FEW_DIFFERENT
from spadesim.stats.intervals import Estimate
from spadesim.stats.matrix import connected_parts

MOST_IN_A_GRID = 12  # columns that fit beside names
FEW_COLUMNS = 7
LONGEST_NAME = 26
FEW = 3  # of what a sentence names
JOINT = "Ranges of ratings hold all true values together in 95 of 100 tournaments like this one."
LETTERS = "Players with a letter in common are not separated from each other."


def print_result(console: Console, result: TournamentResult | PartnersResult) -> None:
    """Print all that a tournament or a grid of partners measured, the verdict first."""
    if isinstance(result, TournamentResult):
        is_clear = not result.partial and " is the best of " in result.verdict
        parts = _parts(result)
    else:
        is_clear, parts = not result.partial, _partner_parts(result)
    verdict = Text(result.verdict, style="bold green" if is_clear else "bold yellow")
    console.print(verdict, soft_wrap=not console.is_terminal)
    console.print()
    print_parts(console, parts)
    console.print(Text.assemble((f"{'again':13}", "dim"), result.command), soft_wrap=True)


def _parts(result: TournamentResult) -> list[RenderableType]:
    parts: list[RenderableType] = [_ranking(result), Text(f"{LETTERS}\n{JOINT}", style="dim"), ""]
    names = [player.name for player in result.players]
    if len(names) <= MOST_IN_A_GRID:
        parts += [_grid("how sure row is better, %", names, _sure(result)), ""]
        parts += [_grid(f"head to head, {result.scale.head}", names, _met(result)), ""]
        if any(head.won for head in result.heads):
            parts += [_grid("head to head, % of games won", names, _games(result)), ""]
    else:
        parts += [f"{len(names)} players: --json has the matrices, --plot draws them.", ""]
    notes = sentences(result)
    return [*parts, Text("\n".join(notes)), "", _provenance(result)]


def _ranking(result: TournamentResult) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("", justify="right")
    table.add_column("player", max_width=LONGEST_NAME, overflow="fold")
    table.add_column(result.scale.head, no_wrap=True)
    table.add_column("group", no_wrap=True)
    has_games = any(player.elo for player in result.players)
    if has_games:
        table.add_column("Elo by games", no_wrap=True)
    for rank, player in enumerate(result.players, 1):
        value, interval = result.scale.shown(player.rating, signed=True)
        row: list[str | Text] = [str(rank), player.name, _with_range(value, interval, 7), player.groups]
        if has_games and player.elo:
            elo = player.elo
            row.append(_with_range(f"{elo.mean:+.0f}", f"{elo.low:+.0f} to {elo.high:+.0f}", 5))
        table.add_row(*row)
    return table


def _with_range(value: str, interval: str, width: int) -> Text:
    return Text.assemble(f"{value:>{width}}", (f"  {interval}", "dim"))


Cells = Callable[[int, int], tuple[str, str]]


def _grid(title: str, names: Sequence[str], cell: Cells) -> Table:
    """A square table of which `cell` gives text and style by row and column."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(
        title, min_width=len(title) if len(names) < FEW_COLUMNS else None, max_width=LONGEST_NAME + 3
    )
    for column in range(len(names)):
        table.add_column(str(column + 1), justify="right", no_wrap=True)
    for row, name in enumerate(names):
        cells = [
            Text("–", style="dim") if row == column else Text(*cell(row, column))
            for column in range(len(names))
        ]
        table.add_row(f"{row + 1:2} {name}", *cells)
    return table


def _sure(result: TournamentResult) -> Cells:
    def cell(row: int, column: int) -> tuple[str, str]:
        chance = result.superiority[row][column]
        return sure_text(chance), "" if chance > 0.5 else "dim"

    return cell


def _met(result: TournamentResult) -> Cells:
    def cell(row: int, column: int) -> tuple[str, str]:
        head = result.head(result.players[row].name, result.players[column].name)
        if head is None:
            return "", ""
        value, _ = result.scale.shown(head.value, signed=True)
        return value, ("bold green" if head.value.mean > 0 else "red") if head.clear else "dim"

    return cell


def _games(result: TournamentResult) -> Cells:
    def cell(row: int, column: int) -> tuple[str, str]:
        head = result.head(result.players[row].name, result.players[column].name)
        if head is None or head.won is None:
            return "", ""
        return percent(head.won).value.removesuffix(" %"), "" if head.won.mean > 0.5 else "dim"

    return cell


def sentences(result: TournamentResult) -> list[str]:
    """What there is to say about the order besides the tables."""
    level = [group for group in result.groups if len(group) > 1]
    found = (
        [f"Not separated: {'; '.join(listed(group) for group in level)}."] if 0 < len(level) <= FEW else []
    )
    if result.spec.until_separated and result.open:
        pairs = listed([f"{a} from {b}" for a, b in result.open])
        where = "" if result.partial else f" at the cap of {result.spec.aim.cap:,} boards a pair"
        found.append(f"Still open{where}: {pairs}.")
    if result.circles:
        circles = "; ".join(f"{a} beats {b} beats {c} beats {a}" for a, b, c in result.circles)
        found.append(f"Circles: {circles}. One number a player cannot tell that.")
    elif result.clear_triads:
        n = result.clear_triads
        found.append(f"No circle among {n:,} triple{'' if n == 1 else 's'} with three sure results.")
    found += _misfit(result)
    if result.games_agree or result.games_oppose:
        both = len(result.games_agree) + len(result.games_oppose)
        found.append(
            f"Boards and games both separate {both:,} pairs, {len(result.games_agree):,} of them in the same "
            "order."
        )
    if result.games_oppose:
        pairs = listed([f"{b} over {a}" for a, b in result.games_oppose])
        found.append(f"Games have it the other way round, and games count: {pairs}.")
    return [*found, *_few(result)]


def _misfit(result: TournamentResult) -> list[str]:
    """The match that the ratings tell worst, when they do not tell all."""
    off = [head for head in result.heads if not head.fits]
    if not off:
        return []
    head = max(off, key=lambda head: abs(head.value.mean - head.expected))
    if head.expected < 0:
        head = turned(head)
    own, _ = result.scale.shown(head.value, signed=True)
    by_ratings, _ = result.scale.shown(Estimate(head.expected, head.expected, head.expected), signed=True)
    return [
        f"One number a player does not tell every match: {len(off)} of {len(result.heads)} are off it, most "
        f"of all {head.a} against {head.b}, {own} head to head and {by_ratings} by the ratings."
    ]


def _few(result: TournamentResult) -> list[str]:
    names = [player.name for player in result.players]
    alike = [(names.index(head.a), names.index(head.b)) for head in result.heads if head.differing == 0]
    same = [[names[k] for k in sorted(part)] for part in connected_parts(len(names), alike) if len(part) > 1]
    few = [
        f"{one.a} over {one.b} {one.ahead:,}, against it {one.behind:,}"
        for one in result.few
        if one.ahead + one.behind
    ]
    found = [f"No difference on any board: {'; '.join(map(listed, same))}."] if same else []
    if few:
        more = f" and {len(few) - FEW} pairs more" if len(few) > FEW else ""
        found.append(
            f"Fewer than {FEW_DIFFERENT} boards make a difference, so that the exact sign test must agree "
            f"before anything is sure: {'; '.join(few[:FEW])}{more}."
        )
    return found


def _provenance(result: TournamentResult) -> Table:
    length = f"{result.boards:,} boards a pair"
    longest = max(head.boards for head in result.heads)
    length += f" and up to {longest - result.boards:,} more" if longest > result.boards else ""
    length += f", {result.games:,} games a pair" if result.games else ""
    return _facts(f"{length}, {result.hands:,} hands", result)


def _facts(played: str, result: TournamentResult | PartnersResult) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", min_width=11)
    table.add_column(overflow="fold")
    speed = f"{result.hands:,} hands in {result.seconds:.1f} s, {result.hands_per_second:,.0f}/s"
    table.add_row("played", played.replace(f"{result.hands:,} hands", speed))
    table.add_row("rules", result.rules)
    table.add_row("deals", f"seed {result.seed}, {result.rng}")
    table.add_row("made by", f"spadesim {result.version}")
    return table


def _partner_parts(result: PartnersResult) -> list[RenderableType]:
    parts: list[RenderableType] = []
    if len(result.bots) <= MOST_IN_A_GRID:
        parts += [
            _partner_grid(result),
            Text("A bot with itself stands where its row meets its column.", "dim"),
            "",
        ]
    parts += [_together(result), Text(JOINT_TOGETHER, style="dim"), ""]
    pairs = f"{len(result.pairs)} pairs of partners, {result.boards:,} boards each, {result.hands:,} hands"
    return [*parts, _facts(pairs, result)]


JOINT_TOGETHER = (
    "More than apart: beside the mean of what each gains with itself; these ranges hold together in 95 of "
    "100 runs like this one."
)


def _partner_grid(result: PartnersResult) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    title = f"gain over {result.against}, {result.scale.head}"
    table.add_column(title, min_width=len(title) if len(result.bots) < FEW_COLUMNS else None)
    for number in range(len(result.bots)):
        table.add_column(str(number + 1), justify="right", no_wrap=True)
    for row, name in enumerate(result.bots):
        cells = []
        for column, other in enumerate(result.bots):
            value = result.scale.shown(result.pair(name, other).value, signed=True)[0]
            cells.append(Text(value, style="bold" if row == column else ""))
        table.add_row(f"{row + 1:2} {name}", *cells)
    return table


def _together(result: PartnersResult) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("partners")
    table.add_column(result.scale.head, no_wrap=True)
    table.add_column("more than apart", no_wrap=True)
    mixed = [(pair.together.mean, pair) for pair in result.pairs if pair.together is not None]
    for _, pair in sorted(mixed, key=lambda item: -item[0]):
        assert pair.together is not None
        value, more = (
            result.scale.shown(pair.value, signed=True),
            result.scale.shown(pair.together, signed=True),
        )
        style = "bold" if pair.is_match else "dim"
        table.add_row(
            Text(f"{pair.a} and {pair.b}", style=style), _with_range(*value, 7), _with_range(*more, 7)
        )
    return table
