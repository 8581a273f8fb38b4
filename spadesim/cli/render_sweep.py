"""How a sweep looks on a terminal."""

from __future__ import annotations

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from spadesim.analysis import numbers
from spadesim.analysis.words import listed
from spadesim.cli.render import print_parts
from spadesim.match.scale import Scale
from spadesim.stats.intervals import Estimate
from spadesim.tuning.rules_sweep import RulesArm, RulesSweepResult
from spadesim.tuning.settings import RULES
from spadesim.tuning.swept import MEASURED, Arm, SweepResult

MOST_ROWS = 60
MOST_NAMED = 8
LONGEST_NAME = 34
HEADS = {
    "won": "games won",
    "hands_per_game": "hands a game",
    "mean_bid": "bid a hand",
    "nil_rate": "nils",
    "bags_per_hand": "bags a hand",
    "set_rate": "contracts set",
}
SHARES = ("won", "nil_rate", "set_rate")
ROOM_BESIDE_THREE = 17  # characters beside three measures with their ranges, in 80
BETWEEN_EQUALS = (
    "Games show less than boards promise. Boards start from states of even games, and what is gained on them "
    "decides fewer games where one side is far ahead: an opponent of the same strength tells more."
)
HOW_PLAYED = "Of its side against the references: a hand's bid, nils of a bot, bags, and contracts not made."


def print_result(console: Console, result: SweepResult | RulesSweepResult) -> None:
    """Print all that a sweep measured, the verdict first."""
    if isinstance(result, SweepResult):
        is_clear, parts = result.better and not result.partial, _parts(result)
    else:
        is_clear, parts = not result.partial, _rules_parts(result)
    verdict = Text(result.verdict, style="bold green" if is_clear else "bold yellow")
    console.print(verdict, soft_wrap=not console.is_terminal)
    console.print()
    print_parts(console, parts)
    console.print(Text.assemble((f"{'again':13}", "dim"), result.command), soft_wrap=True)


def _parts(result: SweepResult) -> list[RenderableType]:
    parts: list[RenderableType] = [_table(result)]
    if len(result.arms) > MOST_ROWS:
        parts.append(f"The best {MOST_ROWS} of {len(result.arms):,} arms; --csv and --json have all of them.")
    parts += [Text("\n".join(_explained(result)), style="dim"), ""]
    played = {name: head for name, head in HEADS.items() if name in MEASURED}
    how = [arm for arm in _shown(result) if arm.mean_bid is not None]
    if how:
        parts += [_how_played(result, how, played), Text(HOW_PLAYED, style="dim"), ""]
    if len(result.vs) > 1:
        parts += [_by_ref(result), Text("Each range holds for itself.", style="dim"), ""]
    notes = sentences(result)
    if notes:
        parts += [Text("\n".join(notes)), ""]
    return [*parts, _provenance(result)]


def _shown(result: SweepResult) -> list[Arm]:
    """The arms in the order of the grid, or the best of them where there are many."""
    if len(result.arms) <= MOST_ROWS:
        return list(result.arms)
    return sorted(result.arms, key=lambda arm: -arm.gain.mean)[:MOST_ROWS]


def _new_table() -> Table:
    return Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")


def _table(result: SweepResult) -> Table:
    table = _new_table()
    _add_settings(table, result)
    table.add_column(f"gain, {result.scale.head}", no_wrap=True)
    table.add_column("boards", justify="right", no_wrap=True)
    has_p = result.correction == "holm"
    if has_p:
        table.add_column("p", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for arm in _shown(result):
        is_winner = result.best is arm and result.fresh is not None
        style = "bold" if is_winner else "" if arm.not_worse else "dim"
        row: list[str | Text] = [*_settings(result, arm, style), _gain(result.scale, arm)]
        row.append(f"{arm.boards:,}" if arm.boards else "")
        row += [_p_text(arm)] if has_p else []
        table.add_row(*row, _mark(arm, is_winner))
    return table


def _how_played(result: SweepResult, arms: list[Arm], heads: dict[str, str]) -> Table:
    """How arms bid, and what comes of it."""
    table = _new_table()
    _add_settings(table, result)
    for head in heads.values():
        table.add_column(head, justify="right", no_wrap=True)
    for arm in arms:
        row = [_cell(arm, name).value for name in heads]
        table.add_row(*_settings(result, arm), *row)
    return table


def _add_settings(table: Table, result: SweepResult | RulesSweepResult) -> None:
    """The columns that tell the settings of an arm: one for each axis."""
    for axis in result.spec.axes:
        table.add_column(axis.name.removeprefix(RULES), max_width=LONGEST_NAME, overflow="fold")


def _settings(result: SweepResult, arm: Arm, style: str = "") -> list[Text]:
    """What stands in them; words alone for a baseline that is none of the combinations."""
    values = [arm.settings.get(axis.name, "") for axis in result.spec.axes]
    if not any(values):
        values[0] = "as given"
    if arm.is_baseline:
        values[-1] = f"{values[-1]} (baseline)".strip()
    return [Text(value, style=style) for value in values]


def _gain(scale: Scale, arm: Arm) -> Text:
    if arm.is_baseline:
        return Text(f"{'0':>7}")
    return _with_range(*scale.shown(arm.gain, signed=True))


def _p_text(arm: Arm) -> str:
    if arm.p is None or arm.is_baseline:
        return ""
    return "<0.001" if arm.p < 0.001 else f"{arm.p:.3f}"


def _mark(arm: Arm, is_winner: bool) -> Text:
    """What the last column says of an arm."""
    if is_winner:
        return Text("did best", style="bold")
    if arm.not_worse:
        return Text("may be best")
    return Text("stopped early" if arm.is_behind else "", style="dim")


def _with_range(value: str, interval: str, width: int = 7) -> Text:
    return Text.assemble(f"{value:>{width}}", (f"  {interval}", "dim"))


def _explained(result: SweepResult) -> list[str]:
    how = {
        "max-t": "max-T, from how the arms vary together",
        "holm": "Bonferroni, p values by Holm",
    }[result.correction]
    found = [
        f"All ranges hold together in 95 of 100 sweeps ({how}; {result.reach:.2f} standard errors), whenever "
        "an arm stopped.",
        "May be best: no other setting surely beats it, by the boards that both played or by these ranges. "
        "The best one is among them in 95 of 100 sweeps.",
    ]
    if any(arm.is_behind for arm in result.arms):
        found.append("What stopped early was behind, and is known by its own boards alone.")
    return found


def _by_ref(result: SweepResult) -> Table:
    table = _new_table()
    table.add_column(f"gain against, {result.scale.head}", max_width=LONGEST_NAME, overflow="fold")
    for ref in result.vs:
        table.add_column(ref, max_width=LONGEST_NAME, overflow="fold")
    for arm in _shown(result):
        if not arm.is_baseline:
            table.add_row(
                arm.label, *(_with_range(*result.scale.shown(one, signed=True)) for one in arm.by_ref)
            )
    return table


def sentences(result: SweepResult) -> list[str]:
    """What there is to say besides the tables."""
    found = []
    able = [arm.label for arm in result.not_worse]
    if 1 < len(able) <= MOST_NAMED and len(able) < len(result.arms):
        found.append(f"May be best: {'; '.join(able)}.")
    if result.edges:
        where = "lies" if len(result.edges) == 1 else "lie"
        found.append(
            f"{listed(list(result.edges))} {where} on the edge of what was tried, and more is allowed: the "
            "best value may lie beyond."
        )
    fresh = result.fresh
    if fresh is not None and len(result.vs) > 1:
        gains = [
            f"{ref} {result.scale.shown(one, signed=True)[0]} ({result.scale.shown(one, signed=True)[1]})"
            for ref, one in zip(result.vs, fresh.by_ref, strict=True)
        ]
        found.append(f"On fresh boards, against {listed(gains)}.")
    if fresh is not None and fresh.games is not None and fresh.games.is_short:
        found.append(BETWEEN_EQUALS)
    if result.better and result.best is not None:
        found.append(f"To play it: {result.best.side}")
    return found


def _provenance(result: SweepResult | RulesSweepResult) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", min_width=11)
    table.add_column(overflow="fold")
    speed = f"{result.hands:,} hands in {result.seconds:.1f} s, {result.hands_per_second:,.0f}/s"
    n = len(result.arms)
    what = f"{n:,} arms" if isinstance(result, SweepResult) else f"{n:,} matches"
    table.add_row("played", f"{what}, {speed}")
    table.add_row("against", listed(list(result.vs)))
    table.add_row("rules", result.rules)
    table.add_row("deals", f"seed {result.seed}, {result.rng}")
    table.add_row("made by", f"spadesim {result.version}")
    return table


def _rules_parts(result: RulesSweepResult) -> list[RenderableType]:
    heads = {
        name: head
        for name, head in HEADS.items()
        if any(getattr(arm, name) is not None for arm in result.arms)
    }
    names = list(heads)
    step = 3 if _width_of_settings(result) <= ROOM_BESIDE_THREE else 2
    parts: list[RenderableType] = []
    for first in range(0, len(names), step):
        parts += [_rules_table(result, {name: heads[name] for name in names[first : first + step]}), ""]
    explained = "Each range holds for itself, in 95 of 100 runs. The deals are the same under all rules."
    if all(arm.won is None for arm in result.arms):
        explained += " --vs another bot shows how much skill decides."
    return [*parts, Text(explained, style="dim"), "", _provenance(result)]


def _width_of_settings(result: RulesSweepResult) -> int:
    """How wide the columns are that tell the arms apart."""
    columns = [(axis.name.removeprefix(RULES), *axis.values) for axis in result.spec.axes]
    columns += [("against", *result.vs)] if len(result.vs) > 1 else []
    return sum(max(map(len, column)) + 2 for column in columns)


def _rules_table(result: RulesSweepResult, heads: dict[str, str]) -> Table:
    table = _new_table()
    _add_settings(table, result)
    if len(result.vs) > 1:
        table.add_column("against", max_width=LONGEST_NAME, overflow="fold")
    for head in heads.values():
        table.add_column(head, no_wrap=True)
    for arm in result.arms:
        row: list[str | Text] = [*arm.settings.values(), *([arm.vs] if len(result.vs) > 1 else [])]
        table.add_row(*row, *(_measure(arm, name) for name in heads))
    return table


def _cell(arm: Arm | RulesArm, name: str) -> numbers.Cell:
    found: Estimate | None = getattr(arm, name)
    return numbers.percent(found) if name in SHARES else numbers.number(found)


def _measure(arm: RulesArm, name: str) -> Text:
    cell = _cell(arm, name)
    return _with_range(cell.value, cell.note.removesuffix(" %"), 0)
