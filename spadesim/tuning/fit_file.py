"""What a fit writes: a set of settings that says how it was found, and the odds of a nil card by card."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from spadesim.errors import UserError
from spadesim.reading import user_path
from spadesim.strategy import load_strategy
from spadesim.tuning.arena import Place
from spadesim.tuning.fit_cards import fit_cards, module_text
from spadesim.tuning.fit_data import Nils
from spadesim.tuning.fit_result import FitResult
from spadesim.tuning.fit_spec import FitSpec
from spadesim.tuning.tuned import file_name, set_text
from spadesim.writing import write_durably


def check_file(file: str | Path | None, suffix: str) -> None:
    """Refuse a place that cannot be written to, before the work.

    Raises
    ------
    UserError
        Its name ends otherwise, or its folder is missing.
    """
    if file is None:
        return
    path = user_path(file)
    if path.suffix != suffix:
        raise UserError(f"What a fit writes there is a {suffix} file, not '{path.name}'.")
    if not path.resolve().parent.is_dir():
        raise UserError(f"There is no folder '{path.parent}' to write '{path.name}' to.")


def write_fitted(file: Path, result: FitResult, place: Place) -> None:
    """Write the settings that a fit has found.

    Raises
    ------
    UserError
        The file cannot be written.
    """
    _write(file, fitted_text(result, place))


def fitted_text(result: FitResult, place: Place) -> str:
    """The same as text: every setting that is not as in the bot's file, and how it was found."""
    assert result.found is not None
    changed = {one.name: one.found for one in result.parameters if one.found != one.given}
    return set_text(result.verdict, load_strategy(result.found), changed, _provenance(result, place))


def _provenance(result: FitResult, place: Place) -> dict[str, Any]:
    base, validation, scale = place.base.lower, result.validation, 1 / result.scale.written
    assert validation is not None
    facts: dict[str, Any] = {
        "by": f"spadesim {result.version}",
        "strategy": file_name(base),
        "digest": base.digest,
        "beside": str(place.base),
        "against": str(place.reference),
        "against_digest": place.reference.lower.digest,
        "rules": result.rules,
        "seed": result.seed,
        "kept": "yes" if result.is_kept else "no",
        "unit": result.unit,
        "gain": validation.gain.mean * scale,
        "gain_low": validation.gain.low * scale,
        "gain_high": validation.gain.high * scale,
        "boards": validation.boards,
        "fingerprint": validation.fingerprint,
        "check": validation.command,
        "command": result.command,
        "runs": [source.folder for source in result.sources],
        "runs_fingerprints": [source.fingerprint for source in result.sources],
        "boards_played_for_it": result.played,
    }
    for part, names in (
        (result.tricks, ("hands", "explained_before", "explained_after")),
        (result.nil, ("nils", "log_loss_before", "log_loss_after", "brier_before", "brier_after")),
    ):
        told = {} if part is None else asdict(part)
        facts |= {name: told[name] for name in names if told.get(name) is not None}
    if result.confirmation is not None:
        won = result.confirmation.won
        facts |= {
            "games": result.confirmation.games,
            "games_won": won.mean,
            "games_won_low": won.low,
            "games_won_high": won.high,
        }
    return facts


def write_cards(file: Path, nils: Nils | None, result: FitResult, spec: FitSpec) -> None:
    """Write the odds that a nil is made, card by card, as a Python module.

    Raises
    ------
    UserError
        No nils were looked at, or the file cannot be written.
    """
    if nils is None:
        raise UserError("The odds card by card come of nils: fit them too.")
    how = "bid with any hand" if nils.gains is not None else "chosen by who bid them"
    origin = (
        f"Fitted to {len(nils):,} nils, {how}, {100 * nils.made.mean():.1f} % of them made, by\n"
        f"``{spec.command()}``\n(spadesim {result.version})."
    )
    _write(file, module_text(fit_cards(nils.decisions.cards, nils.made), origin))


def _write(file: Path, text: str) -> None:
    try:
        write_durably(user_path(file).resolve(), text.encode())
    except OSError as error:
        raise UserError(f"'{file}' cannot be written: {error.strerror}.") from error
