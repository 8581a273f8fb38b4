"""Where two bots part: the first decision on each board at which they differ, and what it costs."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import spadesim
from spadesim.core.equity import EQUITY_ONE
from spadesim.core.parting import KINDS, NONE
from spadesim.core.rng import RNG_NAME
from spadesim.errors import UserError, suggest
from spadesim.match.crews import Workers
from spadesim.match.diff_boards import Boards, BoardsWork, play_boards
from spadesim.match.diff_result import Case, DiffResult, Part, Worth
from spadesim.match.diff_sums import costs, n_pairs, sums
from spadesim.match.diff_worth import LEAST, Redealing, WorthWork, parting, worths
from spadesim.match.duel import Notice, Sides, is_same, load, seat_sides, workers_for
from spadesim.match.equity_file import equity_of
from spadesim.match.faults import place_command
from spadesim.match.record import Decision, Place, Replay
from spadesim.match.replay import replays
from spadesim.match.run import Progress, is_kept
from spadesim.match.spec import DuelSpec, check_range
from spadesim.stats.intervals import Estimate
from spadesim.strategy.called import called
from spadesim.strategy.compiled import compiling_note

BOARDS = 20_000
TOP = 20
REDEALS = 200
MOST_CASES = 1000
MOST_REDEALS = 100_000


@dataclass(frozen=True)
class Asked:
    """What is asked of the boards of a duel, beside the duel itself.

    Parameters
    ----------
    top : int
        How many of the costliest cases; 0 for none.
    redeals : int
        How many re-deals of each case are to count; 0 for none.
    kind : str or None
        Cases of this kind only.
    where : str or None
        The condition on which boards count, see `spadesim.match.diff_where.chooser`.

    Raises
    ------
    UserError
        A number is out of range, or there is no such kind.
    """

    top: int = TOP
    redeals: int = REDEALS
    kind: str | None = None
    where: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be asked for."""
        check_range("top", self.top, 0, MOST_CASES)
        check_range("redeals", self.redeals, 0, MOST_REDEALS)
        if 0 < self.redeals < LEAST:
            raise UserError(f"redeals must be 0, for none, or at least {LEAST}, not {self.redeals}.")
        known = KINDS[:NONE]
        if self.kind is not None and self.kind not in known:
            raise UserError(
                f"There is no kind of decision '{self.kind}'.{suggest(self.kind, known)} "
                f"Kinds: {', '.join(known)}."
            )

    def options(self) -> list[str]:
        """The options of the command that ask for the same."""
        words = ["--where", self.where] if self.where is not None else []
        words += ["--kind", self.kind] if self.kind is not None else []
        words += ["--top", str(self.top)] if self.top != TOP else []
        return words + (["--redeals", str(self.redeals)] if self.redeals != REDEALS else [])


def play_diff(
    spec: DuelSpec,
    asked: Asked,
    *,
    sides: Sides | None = None,
    workers: Workers = None,
    progress: Progress | None = None,
    redealing: Redealing | None = None,
    notice: Notice | None = None,
) -> DiffResult:
    """Play the boards of a duel, and find where on each of them the bots part.

    Parameters
    ----------
    spec : DuelSpec
        A duel of boards.
    asked : Asked
    sides : tuple of 2 Side, optional
        The sides of `spec`, if they have been loaded.
    workers, progress, notice
        As for `spadesim.match.duel.duel`.
    redealing : function, optional
        Called after the re-deals of each case.

    Raises
    ------
    UserError
        What was asked for cannot be played, a bot broke the contract, or no board counts.
    KeyboardInterrupt
        Ctrl-C before any board that counts was played. Later it ends the boards or the re-deals, and the
        result is partial.
    """
    crew = workers_for(workers)
    sides = sides or (load(spec.a, notice), load(spec.b, notice))
    lineup = seat_sides(spec, sides, notice)
    work = BoardsWork(spec, sides, lineup, asked.where)
    if asked.top and asked.redeals and not is_kept("fork._try_all") and notice is not None:
        notice(compiling_note("the re-deals"))
    found = play_boards(work, crew, progress)
    _check_some(found, asked)
    places = costliest(spec, found, asked)
    played = list(replays(spec, sides, found.units[places].tolist()))
    measured: list[Worth | None] = []
    if asked.redeals and played and not found.is_partial:
        again = WorthWork(spec, sides, lineup, asked.redeals)
        measured += worths(again, played, costs(spec, found)[places].tolist(), crew, redealing)
    n_missing = len(played) - len(measured)
    is_partial = found.is_partial or (asked.redeals > 0 and n_missing > 0)
    measured += [None] * n_missing
    cases = (_case(spec, found, *each) for each in zip(places.tolist(), played, measured, strict=True))
    return _result(spec, asked, sides, found, tuple(cases), is_partial)


def _check_some(found: Boards, asked: Asked) -> None:
    """Refuse a condition that no board meets, of which there is nothing to say."""
    if len(found.units):
        return
    if found.is_partial:
        raise KeyboardInterrupt
    n = int(found.tally[0]["units"])
    raise UserError(
        f"No board counts: none of {n:,} boards fits {asked.where}. More --boards, or another --where, may "
        "find some."
    )


def _result(
    spec: DuelSpec, asked: Asked, sides: Sides, found: Boards, cases: tuple[Case, ...], is_partial: bool
) -> DiffResult:
    names, n_played = called(spec.a, spec.b), int(found.tally[0]["units"])
    total, kinds = sums(spec, found, is_same(sides))
    return DiffResult(
        a=spec.a,
        b=spec.b,
        names=names,
        rules=str(spec.rules),
        seed=spec.seed,
        first=spec.first,
        scores=spec.scores,
        bags=spec.bags,
        boards=n_played,
        requested=spec.units,
        partial=is_partial,
        where=asked.where,
        hands=int(found.tally[0]["hands"]),
        counted=len(found.units),
        total=total,
        kinds=kinds,
        cases=cases,
        redeals=asked.redeals,
        verdict=_partly(found, spec) + _verdict(names, total, kinds, asked.where),
        command=diff_command(spec, asked),
        seconds=found.seconds,
        version=spadesim.__version__,
        rng=RNG_NAME,
        spec=spec,
        found=found,
    )


def costliest(spec: DuelSpec, found: Boards, asked: Asked) -> npt.NDArray[np.int64]:
    """The places, among the boards that count, of those that cost A the most, the costliest first."""
    values = costs(spec, found)
    which = found.parted & (values < 0)
    if asked.kind is not None:
        which &= found.of_kind(asked.kind)
    places = np.flatnonzero(which)
    order = np.lexsort((found.units[places], found.points[places], values[places]))
    chosen: npt.NDArray[np.int64] = places[order[: asked.top]]
    return chosen


def _case(spec: DuelSpec, found: Boards, place: int, replay: Replay, worth: Worth | None) -> Case:
    record, pairs = found.partings[place], n_pairs(spec)
    room_a, room_b = int(record["room_a"]), int(record["room_b"])
    decisions = parting(replay).decisions
    step_a, step_b = decisions[room_a], decisions[room_b]
    assert step_a is not None
    assert step_b is not None
    has_chances = equity_of(spec) is not None
    return Case(
        board=replay.unit,
        kind=KINDS[int(record["kind"])],
        seat=step_a.made.seat,
        step_a=step_a,
        step_b=step_b,
        room_a=room_a,
        room_b=room_b,
        win_chance=int(found.chances[place]) / (pairs * EQUITY_ONE) if has_chances else None,
        points=int(found.points[place]) / pairs,
        command=_show_command(spec, replay.unit, room_a, step_a),
        worth=worth,
        replay=replay,
    )


def _show_command(spec: DuelSpec, unit: int, room: int, step: Decision) -> str:
    """The command line that shows what a seat knew at a decision of a board."""
    n_drawn = step.number * spec.rules.players  # of both players' turns, where there is a draw
    return place_command(spec, Place(unit, room, 0, step.number, n_drawn, step.made.seat, 0, step.phase, 0))


def diff_command(spec: DuelSpec, asked: Asked | None = None) -> str:
    """The command line that finds where the bots of a duel part; of games, on boards under its rules."""
    boards = ["--boards", str(spec.boards)] if spec.boards is not None else []
    words = ["spadesim", "diff", spec.a, spec.b, *boards, *(asked.options() if asked else [])]
    return shlex.join([*words, *spec.conditions(spec.first)])


def _partly(found: Boards, spec: DuelSpec) -> str:
    played = int(found.tally[0]["units"])
    return f"Partial, after {played:,} of {spec.units:,} boards: " if found.is_partial else ""


def _verdict(names: tuple[str, str], total: Part, kinds: Sequence[Part], where: str | None) -> str:
    """All of it in a sentence."""
    a, b = names
    one, many = ("", "") if where is None else (" that counts", " that count")
    parted = [part for part in kinds if part.kind != KINDS[NONE] and part.boards]
    if not parted:
        n = f"1 board{one}" if total.boards == 1 else f"{total.boards:,} boards{many}"
        return f"{a} and {b} never part: on {n} they choose alike at every decision."
    has_chances = total.win_chance_per_board is not None
    scale, least, unit = (100.0, 2, "% of win chance") if has_chances else (1.0, 1, "points")

    def text(value: float) -> str:
        return f"{round(value * scale, least) + 0.0:+.{least}f}"

    measured, means = _measured(total), {part.kind: _measured(part).mean for part in parted}
    of_which = [f"{kind} {text(means[kind])}" for kind in sorted(means, key=lambda kind: -abs(means[kind]))]
    verb, size = "gains" if measured.mean >= 0 else "loses", abs(measured.mean) * scale
    return (
        f"{a} {verb} {size:.{least}f} {unit} a board{one} against {b} ({text(measured.low)} to "
        f"{text(measured.high)}), by where they first differ: {', '.join(of_which)}."
    )


def _measured(part: Part) -> Estimate:
    """What a kind of which there are boards brings: of win chance, or in points where there is none."""
    found = part.win_chance_per_board or part.points_per_board
    assert found is not None
    return found
