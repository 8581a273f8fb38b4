"""Tuned sets: files of settings that say how they were found, and for which bot."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spadesim.errors import UserError
from spadesim.reading import user_path
from spadesim.strategy import Side, Strategy, load_strategy
from spadesim.strategy.parameters import BIDDER
from spadesim.writing import write_durably

if TYPE_CHECKING:
    from spadesim.tuning.tune_result import TuneResult

SUFFIX = ".toml"


def check_writable(write: str | Path | None, base: Side) -> None:
    """Refuse a file that no tuned set can be written to, before the work.

    Raises
    ------
    UserError
        Its name does not end in .toml, its folder is missing, or a side of two bots was tuned.
    """
    if write is None:
        return
    file = user_path(write)
    if file.suffix != SUFFIX:
        raise UserError(f"A tuned set is a {SUFFIX} file, not '{file.name}'.")
    if not file.resolve().parent.is_dir():
        raise UserError(f"There is no folder '{file.parent}' to write '{file.name}' to.")
    if base.lower is not base.higher:
        raise UserError(f"A tuned set is of one bot, and '{base}' has two: leave out write.")


def write_tuned(
    file: Path, result: "TuneResult", base: Side, reference: Side, settings: dict[str, str]
) -> bool:
    """Write what a tuning found; False, and nothing is written, for a side of two bots.

    Raises
    ------
    UserError
        The file cannot be written.
    """
    if base.lower is not base.higher or result.found is None:
        return False
    try:
        write_durably(user_path(file).resolve(), tuned_text(result, base, reference, settings).encode())
    except OSError as error:
        raise UserError(f"'{file}' cannot be written: {error.strerror}.") from error
    return True


def tuned_text(result: "TuneResult", base: Side, reference: Side, settings: dict[str, str]) -> str:
    """A tuned set as TOML: every setting that is not as in the strategy's file, and how it was found."""
    assert result.found is not None
    assert result.validation is not None
    return set_text(
        result.verdict, load_strategy(result.found), settings, _provenance(result, base, reference)
    )


def set_text(verdict: str, bot: Strategy, settings: Mapping[str, str], made: Mapping[str, Any]) -> str:
    """A set as TOML.

    Parameters
    ----------
    verdict : str
        The comment at its top.
    bot : Strategy
        Whose settings it has, those that are not as in its file.
    settings : mapping of str to str
        That it has in any case.
    made : mapping of str to str, int, float or list of str
        How it was made.
    """
    values = bot.parameters.changes(bot.values) | dict(settings)
    lines = [f"# {verdict}", "", "[parameters]"]
    lines += [f'{BIDDER} = "{bot.bidder.spec.source}"'] if bot.bidder else []
    lines += [f"{name} = {_value(bot.parameters[name].choices, word)}" for name, word in values.items()]
    lines += ["", "[made]", *(f"{name} = {_literal(value)}" for name, value in made.items())]
    return "\n".join(lines) + "\n"


def _provenance(result: "TuneResult", base: Side, reference: Side) -> dict[str, Any]:
    assert result.found is not None
    assert result.validation is not None
    validation, confirmation = result.validation, result.confirmation
    # Written out: a set is to mean the same when the files that the sides were asked for with have changed.
    spec = replace(result.spec, strategy=str(base), vs=result.spec.vs and str(reference))
    checked = replace(
        spec.duel_spec(),
        a=str(load_strategy(result.found)),
        b=str(reference),
        first=validation.first,
        boards=validation.boards,
    )
    scale = 1 / result.scale.written
    facts: dict[str, Any] = {
        "by": f"spadesim {result.version}",
        "strategy": file_name(base.lower),
        "digest": base.lower.digest,
        "beside": str(base),
        "against": str(reference),
        "against_digest": reference.lower.digest,
        "rules": result.rules,
        "seed": result.seed,
        "unit": result.unit,
        "gain": validation.gain.mean * scale,
        "gain_low": validation.gain.low * scale,
        "gain_high": validation.gain.high * scale,
        "boards": validation.boards,
        "fingerprint": validation.fingerprint,
        "check": checked.command(),
        "command": spec.command(),
    }
    if confirmation is not None:
        facts |= {
            "games": confirmation.games,
            "games_won": confirmation.won.mean,
            "games_won_low": confirmation.won.low,
            "games_won_high": confirmation.won.high,
        }
    return facts


def file_name(bot: Strategy) -> str:
    """What a bot's file is called, without what is laid around it."""
    return Path(bot.spec.source).stem if bot.spec.is_path else bot.spec.source


def _value(choices: tuple[str, ...], word: str) -> str:
    return json.dumps(word) if choices else word


def _literal(value: str | int | float | list[str]) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, float):
        return f"{value:.6g}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
