"""Files of parameters: ``hard:tuned.toml`` reads the values that a person, or a tuning, has written down."""

from pathlib import Path
from typing import Any

from spadesim.errors import UserError, suggest
from spadesim.reading import small_table, user_path
from spadesim.strategy.find import Origin, folders_of_bundled

TUNED = "tuned"  # the folder beside a strategy
MADE, PARAMETERS = "made", "parameters"


def settings_file(name: str, origin: Origin) -> Path:
    """A parameter file by its path, or by its name in the folder ``tuned`` beside the strategy.

    Raises
    ------
    UserError
        There is none.
    """
    folders = [origin.file.parent, *folders_of_bundled()]  # an earlier revision lies by itself
    for file in (user_path(name), *(folder / TUNED / name for folder in folders)):
        if file.is_file():
            return file
    known = [file.name for folder in (Path(), *(each / TUNED for each in folders)) for file in _sets(folder)]
    raise UserError(
        f"There is no parameter file '{name}', here or in the folder {TUNED} beside {origin.file.name}."
        f"{suggest(Path(name).name, known)}"
    )


def _sets(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml")) if folder.is_dir() else []


def read_settings(file: Path, origin: Origin) -> dict[str, object]:
    """What a TOML file sets in its table [parameters], or at its top level where it has no such table.

    What a tuning has written says in its table [made] which strategy it is for.

    Raises
    ------
    UserError
        The file cannot be read, is no TOML, or is for another strategy.
    """
    table = _table(file)
    made = table.get(MADE)
    if isinstance(made, dict):
        wanted = made.get("strategy", origin.name)
        if wanted != origin.name:
            raise UserError(
                f"'{file.name}' was tuned for {wanted}, not for {origin.name}: it means nothing there."
            )
        if PARAMETERS not in table:
            raise UserError(f"The parameter file '{file}' has no table [{PARAMETERS}].")
    settings = table.get(PARAMETERS, table)
    if not isinstance(settings, dict):
        raise UserError(f"In the parameter file '{file}', parameters must be a table: [{PARAMETERS}].")
    return settings


def _table(file: Path) -> dict[str, Any]:
    try:
        return small_table(file)
    except OSError as error:
        raise UserError(f"The parameter file '{file}' cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"The parameter file '{file}' is not UTF-8 text.") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"The parameter file '{file}' is not valid TOML: {error}.") from error
