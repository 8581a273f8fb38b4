"""Where the bots of a recorded run part, on boards of that run, or on fresh ones where it was of games."""

from collections.abc import Sequence
from dataclasses import replace

from spadesim.errors import UserError
from spadesim.match.bots_of_run import absent_sides, present_sides
from spadesim.match.crews import Workers
from spadesim.match.diff import BOARDS, Asked, play_diff
from spadesim.match.diff_result import DiffResult
from spadesim.match.diff_worth import Redealing
from spadesim.match.duel import Notice, is_same
from spadesim.match.recorded import RecordedRun
from spadesim.match.run import Progress
from spadesim.strategy.compiled import compiling_note


def diff_of_run(
    run: RecordedRun,
    asked: Asked,
    *,
    workers: Workers = None,
    progress: Progress | None = None,
    redealing: Redealing | None = None,
    notice: Notice | None = None,
) -> DiffResult:
    """Find where the bots of a run part: on its first 20,000 boards, or on as many boards under its rules.

    Parameters
    ----------
    run : RecordedRun
    asked : Asked
    workers, progress, redealing, notice
        As for `spadesim.match.diff.play_diff`.

    Raises
    ------
    UserError
        Its bots are the same, are not there any more or have changed, or no board has been recorded.
    KeyboardInterrupt
        As `spadesim.match.diff.play_diff`.
    """
    if has_one_bot(run):
        name = absent_sides(run.manifest)[0].name
        raise UserError(f"{run!r} is of {name} against itself, and they never part.")
    announce = None if notice is None else lambda name: notice(compiling_note(name))
    sides = present_sides(run.manifest, run.store.folder, announce)
    played = sum(header.units for header in run.headers())
    n = min(played, BOARDS) if run.spec.boards is not None else BOARDS
    spec = replace(run.spec, a=str(sides[0]), b=str(sides[1]), games=None, boards=n, stop=None)
    return play_diff(
        spec, asked, sides=sides, workers=workers, progress=progress, redealing=redealing, notice=notice
    )


def has_one_bot(run: RecordedRun) -> bool:
    """Whether both sides of a run are the same bots."""
    return is_same(absent_sides(run.manifest))


def some_different(runs: Sequence[RecordedRun]) -> list[RecordedRun]:
    """The runs of different bots.

    Raises
    ------
    UserError
        There is none.
    """
    found = [run for run in runs if not has_one_bot(run)]
    if not found:
        why = "both sides of all runs are the same bots" if runs else "there is no recorded run (duel --out)"
        raise UserError(
            f"--hands draws the hands that cost most between two bots, and {why}. The file of spadesim diff "
            "A B --json can be given beside others."
        )
    return found
