"""What a tuning found: one frozen object, the same as JSON and as a table, and what it says in a sentence."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from spadesim.match.scale import Scale
from spadesim.match.told import Told
from spadesim.stats.intervals import Estimate
from spadesim.tuning.spsa import Step
from spadesim.tuning.trials import Trial

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.tuning.tune_spec import TuneSpec


@dataclass(frozen=True)
class Tuned:
    """What became of one parameter.

    Parameters
    ----------
    name : str
    low, high : float or None
        What was searched; None for a choice.
    given, found : str
        Its value in the strategy as it is given, and in what was found; the same where nothing was.
    costs : float or None
        What it costs where it is wrong, see `spadesim.tuning.costs`, in the unit of gains; None where too few
        trials tell, and with spsa.
    edge : str
        "low" or "high" where what was found lies at that end of what was searched; "lowest" or "highest"
        where the bot allows nothing beyond; "" elsewhere.
    """

    name: str
    low: float | None
    high: float | None
    given: str
    found: str
    costs: float | None
    edge: str


@dataclass(frozen=True)
class Validation:
    """What the settings found came to on boards that no search had seen.

    Parameters
    ----------
    gain : Estimate
        Beside the strategy as it is given, a board, in the unit of the boards' values.
    is_clear : bool
        Whether there is a gain, for sure.
    boards, first : int
        How many boards, and the number of the first.
    ahead, behind : int
        Boards on which they came out ahead, and behind.
    command : str
        The command line of a duel that plays these boards again.
    fingerprint : str
        What that duel will print.
    """

    gain: Estimate
    is_clear: bool
    boards: int
    first: int
    ahead: int
    behind: int
    command: str
    fingerprint: str


@dataclass(frozen=True)
class Confirmation:
    """What the settings found came to in whole games against the strategy as it is given.

    Parameters
    ----------
    won : Estimate
        Their share of the games, a draw as half a win.
    games : int
    command : str
        The command line of the same duel.
    """

    won: Estimate
    games: int
    command: str


@dataclass(frozen=True, eq=False, repr=False)
class TuneResult(Told):
    """What a tuning found; the fields are those of the JSON object.

    Parameters
    ----------
    strategy, vs : str
        The strategy as it is given, and whom candidates met.
    found : str or None
        The best settings, as a spec's text; None where nothing was ahead of the strategy as it is given, on
        the boards of the search.
    nearest : str or None
        Then the best of what was tried, which is validated to tell how much may have been missed; None where
        nothing else was tried.
    parameters : tuple of Tuned
    trials, given_up : int
        Candidates that were tried (with spsa: steps), and those that were not tried to the end.
    promised : float or None
        What the search thought the gain to be, which is too much as a rule: it is the best of many.
    validation : Validation or None
        None for a tuning that was broken off before it.
    confirmation : Confirmation or None
        Only where there is a gain to confirm.
    unit : str
        Of gains, which are divided by `scale.written` when shown.
    is_gain : bool
        Whether the settings found are better for sure: validated, and not refuted by games.
    partial : bool
        Whether Ctrl-C ended it.
    sampler : str
    ended : str
        What ended the search: "budget"; "all" when every setting was tried, "repeats" when the sampler had
        nothing new to ask, "trials" when it had asked as often as it may. What it left of its boards then
        validates.
    boards : int
        That were played in all.
    hands : int
        Of these, since the study was last gone on with.
    rules : str
    seed : int
    study : str or None
        The folder that it is kept in.
    written : str or None
        The file that the tuned set was written to.
    verdict : str
    seconds : float
        Time at play for these hands.
    command : str
        The command line that repeats the tuning.
    version, rng : str
    scale : Scale
        How gains are shown; not in the JSON object.
    history : tuple of Trial or Step
        Not in the JSON object; `to_frame` has it.
    spec : TuneSpec
        Not in the JSON object.
    """

    strategy: str
    vs: str
    found: str | None
    nearest: str | None
    parameters: tuple[Tuned, ...]
    trials: int
    given_up: int
    promised: float | None
    validation: Validation | None
    confirmation: Confirmation | None
    unit: str
    is_gain: bool
    partial: bool
    sampler: str
    ended: str
    boards: int
    hands: int
    rules: str
    seed: int
    study: str | None
    written: str | None
    verdict: str
    seconds: float
    command: str
    version: str
    rng: str
    scale: Scale = field(repr=False)
    history: tuple[Trial | Step, ...] = field(repr=False)
    spec: "TuneSpec" = field(repr=False)

    def to_frame(self) -> "pd.DataFrame":
        """A row a trial, in the order played.

        Returns
        -------
        DataFrame
            Columns trial, gain (a board, by the boards of the search), boards, given_up, and one for each
            parameter; with spsa instead of gain and given_up: mean and result of the step.
        """
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for one in self.history:
            if isinstance(one, Trial):
                rows.append(
                    {"trial": one.number, "gain": one.value, "boards": one.boards, "given_up": one.pruned}
                    | one.settings
                )
            else:
                point = {tuned.name: at for tuned, at in zip(self.parameters, one.point, strict=True)}
                rows.append(
                    {"trial": one.number, "mean": one.mean, "result": one.result, "boards": one.boards}
                    | point
                )
        return pd.DataFrame(rows)


@dataclass(frozen=True)
class Names:
    """What the sides of a verdict are called.

    Parameters
    ----------
    found : str or None
        The best settings.
    base, reference : str
    tried : str
        How many trials or steps, in words.
    is_partial : bool
        Whether the search was broken off.
    is_hopeful : bool
        Whether these were ahead of the strategy as it is given on the boards that chose them.
    """

    found: str | None
    base: str
    reference: str
    tried: str
    is_partial: bool = False
    is_hopeful: bool = True


def verdict_of(
    names: Names,
    scale: Scale,
    promised: float | None,
    validation: Validation | None,
    confirmation: Confirmation | None,
) -> str:
    """One or two sentences on what was found."""
    if names.found is None:
        begin = f"Stopped after {names.tried}" if names.is_partial else f"No gain found in {names.tried}"
        return f"{begin}: nothing looked better than {names.base} as it is."
    if validation is None:
        so_far = "" if promised is None else f" by {scale.text(promised)}"
        return (
            f"Stopped after {names.tried}, nothing validated: the best so far is {names.found}{so_far} on "
            "the boards that chose it, which promise too much."
        )
    mean, interval = scale.shown(validation.gain)
    boards = f"{validation.boards:,} boards that the search had not seen, 95 % interval {interval}"
    beside = "" if names.base == names.reference else f" against {names.reference}"
    if not validation.is_clear:
        high = interval.partition(" to ")[2]
        if not names.is_hopeful:
            most = f"a gain of {high} at most, if any" if validation.gain.high > 0 else "a loss"
            return (
                f"No gain found in {names.tried}: nothing was ahead of {names.base} as it is{beside}. "
                f"The best of them, {names.found}, gains {mean} {scale.words} ({boards}): {most}."
            )
        most = f"They gain {high} at most, if anything." if validation.gain.high > 0 else "They lose."
        return (
            f"No gain found in {names.tried}: the best settings, {names.found}, gain {mean} {scale.words} "
            f"over {names.base}{beside} ({boards}). {most}"
        )
    said = f"{names.found} gains {mean} {scale.words} over {names.base}{beside} ({boards})."
    return f"{said} {_in_games(confirmation, names.base)}".strip()


def _in_games(confirmation: Confirmation | None, base: str) -> str:
    if confirmation is None:
        return ""
    won = confirmation.won.scaled(100)
    share = (
        f"{won.mean:.1f} % of {confirmation.games:,} games against {base} ({won.low:.1f} to {won.high:.1f})"
    )
    if confirmation.won.low > 0.5:
        return f"It also wins {share}."
    if confirmation.won.high < 0.5:
        return f"But it wins only {share}: no gain where games count."
    return f"Games leave it open: it wins {share}."
