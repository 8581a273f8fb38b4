"""From the best of a search to one candidate, and to what it is worth on boards that nothing has seen."""

from collections.abc import Sequence
from dataclasses import replace

from spadesim.match.spec import DuelSpec
from spadesim.match.stopping import limit_of
from spadesim.tuning.arena import Arena
from spadesim.tuning.claims import estimate, is_sure
from spadesim.tuning.trials import Trial
from spadesim.tuning.tune_result import Validation

FINALISTS = 8


def choose(best: Sequence[Trial], arena: Arena, first: int, size: int, searched: int) -> Trial:
    """The best of the best, by more boards: the worse half leaves after each round.

    The boards of the search count as well, although they chose the finalists: all of these are flattered
    alike, and what is chosen is measured anew.

    Parameters
    ----------
    best : sequence of Trial
        Different settings, the best first; at least one.
    arena : Arena
    first, size : int
        The boards there are for it, as many as all finalists may play together.
    searched : int
        Boards of a trial of the search.

    Returns
    -------
    Trial
        With its mean over all these boards as value.
    """
    left = list(best[:FINALISTS])
    rounds = max(1, (len(left) - 1).bit_length())
    means = {trial.number: trial.value for trial in left}
    units = searched
    while len(left) > 1:
        some = size // rounds // len(left)
        if some:
            for trial in left:
                fresh = arena.measure(trial.settings, first, some).mean
                means[trial.number] = (means[trial.number] * units + fresh * some) / (units + some)
        first, units = first + some, units + some
        left.sort(key=lambda trial: (-means[trial.number], trial.number))
        left = left[: (len(left) + 1) // 2]
    return replace(left[0], value=means[left[0].number])


def validate(settings: dict[str, str], arena: Arena, duel: DuelSpec, first: int, size: int) -> Validation:
    """What settings gain on boards that nothing was chosen by."""
    found, command, fingerprint = arena.prove(settings, first, size)
    gain = estimate(found, limit_of(duel))
    is_clear = gain.mean > 0 and is_sure(found, gain)
    return Validation(
        gain, is_clear, size, duel.first + first, found.ahead, found.behind, command, fingerprint
    )
