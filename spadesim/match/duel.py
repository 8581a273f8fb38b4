"""The duel: two sides, whole games on the same deals or boards in several rooms, and what comes of it."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import spadesim
from spadesim.core.batch import HAND_CAP, Lineup
from spadesim.core.equity import EQUITY_ONE
from spadesim.core.rng import RNG_NAME
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.core.tally import LOSS, WIN, fingerprint_text
from spadesim.errors import UserError
from spadesim.match.confirm import confirmed, games_after, how_to_keep
from spadesim.match.crews import Workers, crew_of
from spadesim.match.decision import Decision
from spadesim.match.equity_file import equity_of, table_of
from spadesim.match.executors import Crew, apart
from spadesim.match.findings import Findings
from spadesim.match.looked import at_any_look, moments_of
from spadesim.match.result import DuelResult
from spadesim.match.run import Progress, Run, Watch, prepare_engine, run_duel
from spadesim.match.seats import seat_stats
from spadesim.match.sides import hand_points_limit, ratio_sums, side_stats
from spadesim.match.spec import DEFAULT_SEED, DuelSpec, make_spec, whole
from spadesim.match.stop import choose
from spadesim.match.stopping import Stopping
from spadesim.match.verdict import verdict
from spadesim.stats.boards import (
    RoomSums,
    margin_per_hand,
    points_per_board,
    room_correlation,
    variance_factor,
)
from spadesim.stats.elo import elo_stats, pair_counts
from spadesim.stats.games import GameStats, game_stats, set_stats
from spadesim.stats.intervals import Estimate
from spadesim.strategy import Side, lineup, load_side
from spadesim.strategy.called import called
from spadesim.strategy.compiled import compiling_note
from spadesim.strategy.preflight import preflight

Sides = tuple[Side, Side]
Notice = Callable[[str], None]


def duel(  # noqa: PLR0913 - its parameters are the options of the command
    a: str,
    b: str,
    *,
    games: int | None = None,
    boards: int | None = None,
    rules: str | Rules = DEFAULT_PRESET,
    seed: int = DEFAULT_SEED,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    first: int = 0,
    hand_cap: int = HAND_CAP,
    sprt: str | None = None,
    until_width: str | float | None = None,
    equivalent: str | float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    confirm: int | None = None,
    workers: Workers = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    out: str | Path | None = None,
    record: str = "rows",
) -> DuelResult:
    """Play two sides against each other and measure who is better, by how much, and how sure that is.

    Parameters
    ----------
    a, b : str
        A side each: a strategy's name or the path of its file, with parameters where wanted
        (``hard:king=4``), or two joined by a plus sign (``medium+hard``).
    games : int, optional
        Whole games, an even number: half as many pairs on the same deals, the sides swapped. At a table of
        three or four single players a multiple of six, in sets on the same deals. 20,000 unless `boards` is
        given.
    boards : int, optional
        Boards instead: single hands, each in two rooms with the sides swapped, or in six.
    rules : str or Rules
        A preset with optional changes, such as ``pata:target=300``, or a TOML file.
    seed : int, 0 to 2**63 - 1
        Which deals. The same seed gives the same result, whatever `workers` and `chunk` are.
    scores, bags : str or sequence of int, optional
        How a board stands before its hand: first for the side at seats 0 and 2, which is A's in one room
        and B's in the other; at a table of single players a number for each. When both are left out, boards
        of two sides start from states that occur in games, each drawn by seed and number of the board.
    first : int
        The number of the first pair of games or board.
    hand_cap : int
        Hands after which a game is given up as unfinished.
    sprt : str, optional
        End as soon as a sequential test has decided: ``gain`` (is A better?), ``nonregression`` (is A no
        worse?), or two values ``LO,HI``: of boards in percentage points of win chance or points a board, of
        games in normalised Elo (or with ``elo`` or ``%`` behind a number). `games` or `boards` are the most
        to be played then; 200,000 boards when both are left out.
    until_width : str or float, optional
        End as soon as the interval is no wider than this, in percentage points of win chance (or points) a
        board, or in per cent of games.
    equivalent : str or float, optional
        End as soon as the difference is known to be smaller than this, or not to be.
    alpha, beta : float, optional
        The errors of `sprt` and `equivalent`; 0.05 each.
    confirm : int, optional
        Play so many whole games after the boards, for a second opinion; `out` does not keep them.
    workers : int, str or Crew, optional
        Threads; all usable cores when left out. Or others, on this machine or elsewhere: ``processes:4``,
        ``dask:4``, ``tcp://host:8786``, see `spadesim.match.crews.crew_of`. They never change a result.
    chunk : int, optional
        Pairs or boards handed to a worker at a time; by default as many as take a fifth of a second.
    progress : function, optional
        Called now and then with pairs or boards done, pairs or boards in all, and hands done.
    notice : function, optional
        Called with a line of text before something takes seconds: compiling.
    out : str or Path, optional
        A folder to keep the run in, which must not be there yet; `spadesim.load` reads it.
    record : str
        What is kept of each hand: ``rows``, or ``cards`` for every card in the order played as well.

    Raises
    ------
    UserError
        What was asked for cannot be played, or a bot broke the contract.

    Examples
    --------
    >>> result = duel("easy", "easy", games=20)
    >>> result.verdict
    'No difference on any of 10 pairs of games, as it must be: easy plays against itself.'
    """
    stop = choose(sprt, until_width, equivalent, alpha, beta)
    spec = make_spec(
        a, b, rules=rules, scores=scores, bags=bags, games=games, boards=boards, seed=seed, first=first,
        hand_cap=hand_cap, stop=stop,
    )  # fmt: skip
    after = None if confirm is None else games_after(spec, confirm)
    if after is not None and out is not None and notice is not None:
        notice(how_to_keep(after, Path(out)))
    how: dict[str, Any] = {"workers": workers, "chunk": chunk, "progress": progress, "notice": notice}
    result = play_duel(spec, keep=None if out is None else Keep(Path(out), record), **how)
    return result if after is None or result.partial else confirmed(result, play_duel(after, **how))


@dataclass(frozen=True)
class Keep:
    """Where a run is kept, and what of it.

    Parameters
    ----------
    folder : Path
        One that is not there yet, or is empty.
    record : str
        ``rows`` or ``cards``.
    part_units : int, optional
        Pairs, sets or boards to a part; see `spadesim.match.manifest.make_manifest`.
    stopping : mapping, optional
        What a watch needs to be made again when the run is gone on with; JSON values.
    """

    folder: Path
    record: str = "rows"
    part_units: int | None = None
    stopping: Mapping[str, Any] | None = None


def play_duel(
    spec: DuelSpec,
    *,
    workers: Workers = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    watch: Watch | None = None,
    keep: Keep | None = None,
) -> DuelResult:
    """Play a duel that has been specified; parameters and errors as `duel`.

    A `watch` reads the outcomes of its boards or pairs, and may end it (see `spadesim.match.run.Watch`); the
    one that the duel's own rule asks for when left out. With `keep` the run
    is kept in a folder, part by part.
    """
    if watch is None and spec.stop is not None:
        watch = Stopping(spec, spec.stop, notice)
    crew = workers_for(workers, chunk)
    sides = (load(spec.a, notice), load(spec.b, notice))
    bots = seat_sides(spec, sides, notice)
    if keep is not None:
        from spadesim.match.kept import begin_run  # which takes a library that nobody else needs

        run = begin_run(spec, sides, bots, keep, workers=crew, progress=progress, notice=notice, watch=watch)
    else:
        run = run_duel(spec, sides, bots, workers=crew, chunk=chunk, progress=progress, watch=watch)
    result = judge(spec, sides, run, watch.decision() if isinstance(watch, Stopping) else None)
    return result if keep is None else dataclasses.replace(result, command=full_command(spec, sides))


def full_command(spec: DuelSpec, sides: Sides) -> str:
    """The command line that repeats a duel without the files of settings that it was asked for with."""
    return dataclasses.replace(spec, a=str(sides[0]), b=str(sides[1])).command()


def seat_sides(spec: DuelSpec, sides: Sides, notice: Notice | None = None) -> Lineup:
    """The line-up of two sides that have been loaded, compiled and looked over.

    Raises
    ------
    UserError
        A side cannot sit at the table, or answers what is not legal.
    """
    bots = lineup(*sides, spec.rules)
    prepare_engine(notice)
    for side in sides:
        apart(partial(preflight, side, spec.rules))
    apart(partial(table_of, spec, notice))
    return bots


def judge(
    spec: DuelSpec, sides: Sides, run: Run, decision: Decision | None = None, is_lengthened: bool = False
) -> DuelResult:
    """The result that a run's tally comes to.

    Parameters
    ----------
    spec : DuelSpec
    sides : tuple of 2 Side
    run : Run
    decision : Decision or None
    is_lengthened : bool
        Whether it was to be shorter at first.
    """
    tally = run.tally[0]
    units, hands = int(tally["units"]), int(tally["hands"])
    games = _game_stats(spec, tally)
    in_rooms = _room_sums(spec, tally, "equity" if equity_of(spec) else "margin")
    is_mirror = is_same(sides)
    points, chance = _points(spec, tally, is_mirror), _win_chance(spec, tally, is_mirror)
    a, b = called(spec.a, spec.b)
    moments, is_watched = moments_of(spec, tally), decision is None and (run.is_partial or is_lengthened)
    found = Findings(
        a, b, is_mirror, units, int(tally["identical"]), games, points, run.is_partial,
        (moments.behind, units - moments.different, moments.ahead), chance, decision, is_watched,
        at_any_look(spec, moments) if is_watched else None,
    )  # fmt: skip
    equity = equity_of(spec)
    return DuelResult(
        a=spec.a,
        b=spec.b,
        rules=str(spec.rules),
        seed=spec.seed,
        first=spec.first,
        boards=units if spec.boards else None,
        requested=spec.boards or spec.games or 0,
        partial=run.is_partial,
        scores=spec.scores,
        bags=spec.bags,
        hands=hands,
        **_of_games(spec, games, is_mirror and found.identical == units),
        start="realistic" if spec.draws_start and equity else "given" if spec.boards else None,
        win_chance_per_board=chance,
        boards_ahead=found.by_value[WIN] if chance else None,
        boards_behind=found.by_value[LOSS] if chance else None,
        win_chance_table=equity.digest if equity else None,
        points_per_board=points,
        priced_per_board=_priced(spec, tally, is_mirror),
        points_per_hand=_exact_tie(tally, is_mirror)
        or margin_per_hand(
            ratio_sums(tally, 0, "points_per_hand"),
            ratio_sums(tally, 1, "points_per_hand"),
            _integers(tally["cross"]),
            2 * hand_points_limit(spec.rules),
        ),
        identical_boards=found.identical,
        level_boards=int(tally["level"]),
        room_correlation=room_correlation(in_rooms),
        variance_factor=variance_factor(in_rooms) if spec.boards else games.variance_factor,
        elo=elo_stats(pair_counts(tally["outcomes"])) if spec.boards is None and spec.n_rooms == 2 else None,
        decision=decision,
        is_watched=is_watched,
        at_any_look=found.at_any_look,
        fingerprint=fingerprint_text(tally),
        sides={key: side_stats(tally, n, sides[n], spec.rules) for n, key in enumerate("ab")},
        seats=seat_stats(tally, spec.rules, hand_points_limit(spec.rules)),
        verdict=verdict(spec, found),
        better=found.better,
        seconds=run.seconds,
        hands_per_second=hands / run.seconds if run.seconds else 0.0,
        command=dataclasses.replace(spec, a=sides[0].asked, b=sides[1].asked).command(),
        version=spadesim.__version__,
        rng=RNG_NAME,
        tally=tally,
        spec=spec,
    )


def is_same(sides: Sides) -> bool:
    """Whether both sides are the same bots with the same parameters, so that they play alike everywhere."""
    ours, theirs = ([(str(bot), bot.digest) for bot in (side.lower, side.higher)] for side in sides)
    return ours == theirs


def load(text: str, notice: Notice | None = None) -> Side:
    """The side that a spec names, with a word to `notice` before a bot is compiled for the first time."""
    if notice is None:
        return load_side(text)
    return load_side(text, lambda name: notice(compiling_note(name)))


def workers_for(workers: Workers, chunk: int | None = None) -> Crew:
    """Who plays; threads on all usable cores unless told.

    Raises
    ------
    UserError
        `workers` or `chunk` is none that anybody can play with, or nobody answers there.
    """
    if chunk is not None and whole("chunk", chunk) < 1:
        raise UserError(f"chunk must be at least 1, not {chunk}.")
    crew = crew_of(workers)
    crew.open()
    return crew


def _of_games(spec: DuelSpec, games: GameStats, is_tie: bool) -> dict[str, Any]:
    """The fields that only games have."""
    names = ("games", "wins", "draws", "losses", "unfinished", "win_rate_a", "worst_case")
    if spec.boards:
        return dict.fromkeys(names)
    # The same bots on the same deals win exactly half, which is no estimate.
    rate = Estimate(0.5, 0.5, 0.5) if is_tie and games.win_rate else games.win_rate
    values = (games.games, games.wins, games.draws, games.losses, games.unfinished, rate, games.worst_case)
    return dict(zip(names, values, strict=True))


def _integers(values: Any) -> tuple[int, ...]:
    return tuple(int(value) for value in values)


def _game_stats(spec: DuelSpec, tally: Any) -> GameStats:
    if spec.n_rooms == 2:
        return game_stats(tally["outcomes"].tolist())
    return set_stats(tally["shares"].tolist(), tally["room_results"][: spec.n_rooms].tolist())


def _room_sums(spec: DuelSpec, tally: Any, name: str) -> RoomSums:
    *squares, whole = _integers(tally[f"{name}_squares"])
    return RoomSums(
        int(tally["units"]),
        _integers(tally[name])[: spec.n_rooms],
        squares[: spec.n_rooms],
        whole,
        spec.n_rooms * spec.rules.n_sides // 2,
    )


def _points(spec: DuelSpec, tally: Any, is_mirror: bool) -> Estimate | None:
    """A's points minus B's a board; None for games."""
    if not spec.boards:
        return None
    return _exact_tie(tally, is_mirror) or points_per_board(
        _room_sums(spec, tally, "margin"), 2 * hand_points_limit(spec.rules)
    )


def _win_chance(spec: DuelSpec, tally: Any, is_mirror: bool) -> Estimate | None:
    """The change of A's chance to win a board; None for games, and where there is no table of chances."""
    if equity_of(spec) is None:
        return None
    return _exact_tie(tally, is_mirror) or points_per_board(
        _room_sums(spec, tally, "equity"), 1.0, EQUITY_ONE
    )


def _priced(spec: DuelSpec, tally: Any, is_mirror: bool) -> Estimate | None:
    """The same with bags at their price; the tally holds it times the bag limit."""
    if not spec.boards:
        return None
    divisor = spec.rules.bag_limit or 1
    return _exact_tie(tally, is_mirror) or points_per_board(
        _room_sums(spec, tally, "priced"), 2 * hand_points_limit(spec.rules), divisor
    )


def _exact_tie(tally: Any, is_mirror: bool) -> Estimate | None:
    """The same bots on the same boards score exactly alike, which is no estimate."""
    return Estimate(0.0, 0.0, 0.0) if is_mirror and tally["identical"] == tally["units"] else None
