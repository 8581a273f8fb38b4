"""What a fit found: one frozen object, the same as JSON and as a table, and what it says in a sentence."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spadesim.match.scale import Scale
from spadesim.match.told import Told
from spadesim.tuning.fit_runs import Source
from spadesim.tuning.tune_result import Confirmation, Validation

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.tuning.fit_spec import FitSpec


@dataclass(frozen=True)
class Bin:
    """Decisions of which a bot says about the same.

    Parameters
    ----------
    low, high : float
        What it says is from `low` to below `high`.
    decisions : int
    told, happened : float
        The mean of what it says, and of what came of it.
    error : float
        Half the 95 % interval of what came of it.
    """

    low: float
    high: float
    decisions: int
    told: float
    happened: float
    error: float


@dataclass(frozen=True)
class TricksFit:
    """How well an estimate tells tricks, on hands that were not fitted.

    Parameters
    ----------
    hands : int
        That were fitted: one seat each, nobody having bid nil.
    held_out : int
        That judge.
    explained_before, explained_after : float
        The share of the variance of tricks that the estimate explains.
    below_before, below_after : float
        Tricks by which the estimate stays below what is won, on average.
    before, after : tuple of Bin
        By whole tricks of the estimate.
    """

    hands: int
    held_out: int
    explained_before: float
    explained_after: float
    below_before: float
    below_after: float
    before: tuple[Bin, ...]
    after: tuple[Bin, ...]


@dataclass(frozen=True)
class NilFit:
    """How well a bot knows the chance of a nil, on nils that were not fitted.

    Parameters
    ----------
    nils, held_out : int
        That were fitted, and that judge.
    forced : bool
        Whether they were bid whatever the hand was; else the bot, or its rule, chose them.
    made : float
        The share of all of them that was made.
    log_loss_before, log_loss_after, brier_before, brier_after : float or None
        None where the bot does not tell the chance.
    priced : bool
        Whether the chance that a nil needs was fitted too.
    before, after : tuple of Bin
        By chance.
    """

    nils: int
    held_out: int
    forced: bool
    made: float
    log_loss_before: float | None
    log_loss_after: float | None
    brier_before: float | None
    brier_after: float | None
    priced: bool
    before: tuple[Bin, ...]
    after: tuple[Bin, ...]


@dataclass(frozen=True)
class Fitted:
    """What became of one parameter that was fitted.

    Parameters
    ----------
    name : str
    by : str
        "tricks", "level" (chosen on boards), "chance", or "price" (by what nils gain).
    given, found : str
        Its value in the bot as it is given, and in the settings that were proposed.
    """

    name: str
    by: str
    given: str
    found: str


@dataclass(frozen=True, eq=False, repr=False)
class FitResult(Told):
    """What a fit found; the fields are those of the JSON object.

    Parameters
    ----------
    strategy, vs : str
        The bot as it is given, and whom it met.
    found : str or None
        The settings that were proposed, as a spec's text; None where nothing is to be changed.
    parameters : tuple of Fitted
    tricks : TricksFit or None
    nil : NilFit or None
    sources : tuple of Source
        The runs that were learned from.
    played : int
        Boards that were played for the fit.
    validation : Validation or None
        What the settings gain on boards never used before.
    confirmation : Confirmation or None
        The games, where there is a gain to confirm.
    unit : str
        Of gains, which are divided by `scale.written` when shown.
    is_kept : bool
        Whether the settings are better for sure, and not refuted by games.
    boards, hands : int
        Played to choose and to judge.
    rules : str
    seed : int
    written : str or None
        The file that the settings were written to.
    verdict : str
    seconds : float
    command : str
    version, rng : str
    scale : Scale
        How gains are shown; not in the JSON object.
    spec : FitSpec
        Not in the JSON object.
    """

    strategy: str
    vs: str
    found: str | None
    parameters: tuple[Fitted, ...]
    tricks: TricksFit | None
    nil: NilFit | None
    sources: tuple[Source, ...]
    played: int
    validation: Validation | None
    confirmation: Confirmation | None
    unit: str
    is_kept: bool
    boards: int
    hands: int
    rules: str
    seed: int
    written: str | None
    verdict: str
    seconds: float
    command: str
    version: str
    rng: str
    scale: Scale = field(repr=False)
    spec: "FitSpec" = field(repr=False)

    def to_frame(self) -> "pd.DataFrame":
        """The parameters, a row each: name, by, given, found."""
        import pandas as pd

        return pd.DataFrame([vars(one) for one in self.parameters], columns=["name", "by", "given", "found"])


def is_kept(validation: Validation | None, confirmation: Confirmation | None) -> bool:
    """Whether settings are to be kept: a gain on fresh boards for sure, and games that do not refute it.

    Of settings that gain nothing, 2.5 % at most are kept.
    """
    is_refuted = confirmation is not None and confirmation.won.high < 0.5
    return validation is not None and validation.is_clear and not is_refuted


def verdict_of(
    names: tuple[str, str | None, str], scale: Scale, validation: Validation | None,
    confirmation: Confirmation | None,
) -> str:  # fmt: skip
    """What is to be said of a fit.

    Parameters
    ----------
    names : tuple of str, str or None, str
        The bot as it is given, with the settings that were proposed, and whom both met.
    scale, validation, confirmation
        See `FitResult`.
    """
    base, found, reference = names
    if found is None or validation is None:
        return f"Nothing to change: the hands say nothing against the numbers of {base}."
    beside = "" if base == reference else f" against {reference}"
    mean, interval = scale.shown(validation.gain)
    boards = f"{validation.boards:,} fresh boards, 95 % interval {interval}"
    if not validation.is_clear:
        how = "loses" if validation.gain.high < 0 else "gains nothing for sure"
        return (
            f"Not kept: {found} {how}: {mean} {scale.words} beside {base}{beside} ({boards}). "
            f"{base} stays as it is."
        )
    said = f"{found} gains {mean} {scale.words} over {base}{beside} ({boards})."
    if confirmation is None:
        return f"Kept: {said}"
    won = confirmation.won.scaled(100)
    share = (
        f"{won.mean:.1f} % of {confirmation.games:,} games against {base} ({won.low:.1f} to {won.high:.1f})"
    )
    if confirmation.won.high < 0.5:
        return f"Not kept: {said} But it wins only {share}."
    if confirmation.won.low > 0.5:
        return f"Kept: {said} It also wins {share}."
    return f"Kept: {said} Games leave it open: it wins {share}."
