"""Tables of win chances as files: written small, read with care, and found for a set of rules.

A file is a numpy archive without pickled objects: `about`, the provenance as JSON text; `chances`, of which
each number is stored as its difference from what its neighbours suggest; `level`, `starts` and the grid.
"""

import contextlib
import io
import json
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core._jit import cache_root, engine_digest, source_digest
from spadesim.core.equity import START_STATE, EquityTable
from spadesim.core.rules import PRESETS, Rules
from spadesim.errors import UserError
from spadesim.match.equity import (
    HANDS,
    REFERENCE,
    SEED,
    Equity,
    NoTableError,
    Notice,
    Progress,
    applies,
    are_bags,
    make_equity,
)
from spadesim.match.spec import DuelSpec
from spadesim.stats.equity import MAX_BAG_POINTS, Lattice, n_counted_hands
from spadesim.strategy.find import bundled
from spadesim.writing import write_durably

FORMAT = 2
STORED = ("scores", "bags", "hands")  # of a start state; its chance is looked up
PACKAGE = Path(__file__).resolve().parent.parent
BUNDLED = PACKAGE / "tables"
# What beside the engine and the reference bot makes a table.
MAKERS = ("match/equity.py", "stats/equity.py", "stats/yields.py")
PACKED_ALONG = (4, 2, 3)  # axes of the chances
MAX_BYTES = 50_000_000
MAX_NUMBERS = 100_000_000


def save_equity(equity: Equity, file: Path) -> None:
    """Write a table to a file, whole or not at all.

    Raises
    ------
    OSError
        It cannot be written.
    """
    lattice = equity.lattice
    about = {"format": FORMAT, **equity.to_dict()}
    content = io.BytesIO()
    np.savez_compressed(
        content,
        about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8),
        chances=_packed(equity.chances),
        level=equity.level,
        starts=np.column_stack([equity.starts[name] for name in STORED]).astype(np.int32),
        grid=np.array([lattice.base, lattice.step, lattice.n_scores], dtype=np.int64),
        bags=lattice.bags,
        offsets=lattice.offsets,
        tops=lattice.tops,
    )
    write_durably(file, content.getvalue())


def load_equity(file: Path) -> Equity:
    """The table in a file.

    Raises
    ------
    UserError
        There is none, it is damaged, or another version wrote it.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            raise UserError(f"'{file}' is too large for a table of win chances.")
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as archive:
            _check_size(archive)
            return _read(archive)
    except FileNotFoundError:
        raise UserError(f"There is no table of win chances '{file}'.") from None
    except (ValueError, KeyError, TypeError, IndexError, EOFError, OSError, zipfile.BadZipFile) as error:
        reason = f" ({error})" if isinstance(error, _UnfitError) else ""
        raise UserError(
            f"'{file}' is no table of win chances that can be read{reason}; spadesim equity makes one."
        ) from None


class _UnfitError(ValueError):
    """What is wrong with a file, in words."""


def _check_size(archive: Any) -> None:
    """Refuse an archive that would unpack to more than any table is."""
    if sum(entry.file_size for entry in archive.zip.infolist()) > 2 * MAX_NUMBERS:
        raise _UnfitError("it unpacks to more than a table is")


def _read(archive: Any) -> Equity:
    about = json.loads(bytes(archive["about"]))
    if about["format"] != FORMAT:
        raise _UnfitError(f"its format is {about['format']}, and {FORMAT} is read")
    base, step, n_scores = archive["grid"].tolist()
    bags, offsets, tops = (archive[name].astype(np.int64) for name in ("bags", "offsets", "tops"))
    starts, numbers = np.zeros(len(archive["starts"]), dtype=START_STATE), archive["starts"]
    starts["scores"], starts["bags"], starts["hands"] = numbers[:, :2], numbers[:, 2:4], numbers[:, 4]
    rules = Rules.parse(about["rules"])
    lattice = Lattice(base, step, n_scores, bags, offsets, tops, about["exact"])
    packed, level = archive["chances"], archive["level"].astype(np.int16)
    n_hands = n_counted_hands(rules)
    fits = packed.shape == (2, n_hands, *(len(bags), n_scores) * 2) and level.shape == (len(bags),) * 2
    if not (fits and _is_sound(lattice, rules) and len(starts) and are_bags(rules, starts["bags"])):
        raise _UnfitError("its parts do not fit together")
    found = Equity(
        rules=rules,
        reference=about["reference"],
        reference_digest=about["reference_digest"],
        hands=about["hands"],
        games=about["games"],
        more_hands=about["more_hands"],
        seed=about["seed"],
        version=about["version"],
        sweeps=about["sweeps"],
        lattice=lattice,
        chances=_unpacked(packed),
        level=level,
        starts=starts,
    )
    if found.digest != about["digest"]:
        raise _UnfitError("its digest does not hold")
    return found


def _is_sound(lattice: Lattice, rules: Rules) -> bool:
    """Whether every state of a game has its place in a grid, so that nothing beyond it is ever read."""
    bags, n = lattice.bags, len(lattice.bags)
    return (
        applies(rules)
        and lattice.step >= 1
        and lattice.offsets.shape == lattice.tops.shape == bags.shape == (n,)
        and 1 <= n <= MAX_BAG_POINTS
        and bags[0] == 0
        and bags[-1] == max(rules.bag_limit - 1, 0)
        and bool((np.diff(bags) > 0).all())
        and bool(((lattice.tops >= 0) & (lattice.tops < lattice.n_scores)).all())
    )


def _packed(chances: npt.NDArray[np.int16]) -> npt.NDArray[np.uint8]:
    """Differences along the scores of both sides and the other one's bags, small numbers mostly.

    Signs go into the last bit, and the low bytes of all stand before the high ones, so that the file gets
    small.
    """
    steps = chances
    for axis in PACKED_ALONG:
        steps = np.diff(steps, axis=axis, prepend=np.int16(0))
    numbers = ((steps << 1) ^ (steps >> 15)).astype("<u2")
    return np.stack([numbers & 0xFF, numbers >> 8]).astype(np.uint8)


def _unpacked(packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.int16]:
    numbers = packed[0].astype(np.uint16) | packed[1].astype(np.uint16) << 8
    steps: npt.NDArray[np.int16] = (numbers >> 1).astype(np.int16) ^ -(numbers & 1).astype(np.int16)
    for axis in reversed(PACKED_ALONG):
        steps = steps.cumsum(axis=axis, dtype=np.int16)
    return steps


_known: dict[str, Equity | None] = {}  # by rules; None where there can be no table


def equity_of(spec: DuelSpec, notice: Notice | None = None) -> Equity | None:
    """The table that a duel's boards are judged by.

    Parameters
    ----------
    spec : DuelSpec
    notice : function, optional
        Called with a line of text before a table is made.

    Returns
    -------
    Equity or None
        None for whole games, at tables of single players, and where games are too long for a table.

    Raises
    ------
    UserError
        The bundled table is damaged.
    """
    if spec.boards is None or not applies(spec.rules):
        return None
    key = str(spec.rules)
    if key not in _known:
        try:
            _known[key] = equity_for(spec.rules, notice)
        except NoTableError as error:
            _known[key] = None
            if notice is not None:
                notice(str(error))
    return _known[key]


def table_of(spec: DuelSpec, notice: Notice | None = None) -> EquityTable | None:
    """That table as the engine takes it."""
    equity = equity_of(spec, notice)
    return None if equity is None else equity.table


def equity_for(rules: Rules, notice: Notice | None = None, progress: Progress | None = None) -> Equity:
    """The table for a set of rules: the bundled one, the cached one, or one that is made now and cached.

    Parameters
    ----------
    rules : Rules
        With two sides.
    notice, progress : functions, optional
        As for `make_equity`.

    Raises
    ------
    UserError
        There can be none (`make_equity`), or the bundled one is damaged.
    """
    name = next((name for name, preset in PRESETS.items() if preset == rules), "")
    if (BUNDLED / f"{name}.npz").is_file():
        return load_equity(BUNDLED / f"{name}.npz")
    kept = _cache_file(rules)
    if kept is not None and kept.is_file():
        with contextlib.suppress(UserError):
            return load_equity(kept)
    if notice is not None and applies(rules):
        notice(f"computing win chances under {rules}, for the first time only")
    made = make_equity(rules, hands=HANDS, notice=notice, progress=progress)
    if kept is not None:
        with contextlib.suppress(OSError):
            save_equity(made, kept)
    return made


def _cache_file(rules: Rules) -> Path | None:
    """Where the table of some rules is kept; one of another engine, solver or reference bot is elsewhere."""
    root = cache_root()
    if root is None:
        return None
    makers = sha256(b"".join((PACKAGE / maker).read_bytes() for maker in MAKERS)).hexdigest()
    digests = f"{source_digest(bundled()[REFERENCE])} {engine_digest()} {makers}"
    key = f"{FORMAT} {rules} {REFERENCE} {digests} {HANDS} {SEED}"
    return root / f"equity-{sha256(key.encode()).hexdigest()[:16]}.npz"
