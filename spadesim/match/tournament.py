"""The tournament: every player against every other on the same boards, and the ranking that comes of it."""

import operator
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from spadesim.core.batch import HAND_CAP
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError, suggest
from spadesim.match.crews import Workers
from spadesim.match.duel import Notice, is_same, load, workers_for
from spadesim.match.equity_file import equity_of
from spadesim.match.executors import apart
from spadesim.match.hall import Hall
from spadesim.match.matches import Counter
from spadesim.match.ranking import standings
from spadesim.match.run import Progress, prepare_engine
from spadesim.match.scale import WIN_CHANCE, Scale
from spadesim.match.spec import DEFAULT_SEED, MAX_UNITS, DuelSpec, check_range, make_spec
from spadesim.match.standings import TournamentResult
from spadesim.match.stopping import value_scale
from spadesim.stats.extra import RankingAim
from spadesim.stats.matrix import Pairs
from spadesim.stats.ratings import gauntlet, round_robin
from spadesim.strategy import Side
from spadesim.strategy.preflight import preflight

DEFAULT_BOARDS = 20_000
CAP = 10  # times the boards of every match
BLOCK = 2  # a block is this part of the boards of every match
MOST_MATCHES = 500


@dataclass(frozen=True)
class TournamentSpec:
    """A tournament that can be played; building one checks everything but the strategies.

    Parameters
    ----------
    players : tuple of str
        Two sides or more, as the spec grammar has them.
    boards : int
        Boards that every pair of players plays: the same ones for all pairs.
    games : int
        Whole games that every pair plays besides, on the same deals; 0 for none.
    gauntlet : str or None
        One of the players, who alone plays against each of the others; None: everybody plays everybody.
    anchor : str or None
        The player whose rating is 0; None: the mean of all ratings is.
    until_separated : bool
        Whether more boards go where the ranking is least certain.
    indifference : str
        Then, the difference of ratings that nobody cares about: ``0.1%`` where boards are valued by the
        change of win chance, ``0.5`` where by points.
    cap : int or None
        Then, the most boards that a pair plays; ten times `boards` if None.
    rules, seed, scores, bags, hand_cap
        As for a duel (`spadesim.match.spec.DuelSpec`).

    Raises
    ------
    UserError
        Whatever cannot be played as asked, with the reason.
    """

    players: tuple[str, ...]
    boards: int = DEFAULT_BOARDS
    games: int = 0
    gauntlet: str | None = None
    anchor: str | None = None
    until_separated: bool = False
    indifference: str = "0"
    cap: int | None = None
    rules: Rules = field(default_factory=Rules)
    seed: int = DEFAULT_SEED
    scores: tuple[int, ...] | None = None
    bags: tuple[int, ...] | None = None
    hand_cap: int = HAND_CAP

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        _check_players(self)
        check_range("boards", self.boards, 1, MAX_UNITS)
        self.duel_spec(0, 1)
        if self.games:
            self.duel_spec(0, 1, self.games)
        _check_aim(self)

    @property
    def pairs(self) -> Pairs:
        """Who plays whom, by the players' numbers."""
        n = len(self.players)
        return round_robin(n) if self.gauntlet is None else gauntlet(n, self.players.index(self.gauntlet))

    @property
    def anchor_number(self) -> int | None:
        """The number of the player whose rating is 0."""
        return None if self.anchor is None else self.players.index(self.anchor)

    @property
    def aim(self) -> RankingAim:
        """When the ranking is sure enough."""
        cap = self.boards * CAP if self.cap is None else self.cap
        return RankingAim(read_difference(self.indifference), -(-self.boards // BLOCK), cap)

    def duel_spec(self, a: int, b: int, games: int | None = None) -> DuelSpec:
        """The duel of two players: on the boards of the tournament, or over so many whole games."""
        return make_spec(
            self.players[a],
            self.players[b],
            rules=self.rules,
            scores=self.scores if games is None else None,
            bags=self.bags if games is None else None,
            boards=self.boards if games is None else None,
            games=games,
            seed=self.seed,
            hand_cap=self.hand_cap,
        )

    def command(self) -> str:
        """The command line, quoted for a shell, that repeats exactly this tournament."""
        words = ["spadesim", "tournament", *self.players, "--boards", str(self.boards)]
        words += ["--games", str(self.games)] if self.games else []
        for name in ("gauntlet", "anchor"):
            words += [f"--{name}", str(getattr(self, name))] if getattr(self, name) else []
        if self.until_separated:
            words += ["--until-separated", "--indifference", self.indifference]
            words += ["--cap", str(self.aim.cap)]
        return shlex.join(words + self.duel_spec(0, 1).conditions())


def tournament(  # noqa: PLR0913 - its parameters are the options of the command
    *players: str,
    boards: int = DEFAULT_BOARDS,
    games: int = 0,
    gauntlet: str | None = None,
    anchor: str | None = None,
    until_separated: bool = False,
    indifference: str | float = "0",
    cap: int | None = None,
    rules: str | Rules = DEFAULT_PRESET,
    seed: int = DEFAULT_SEED,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    hand_cap: int = HAND_CAP,
    workers: Workers = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> TournamentResult:
    """Play all players against each other on the same boards, and rank them.

    Parameters
    ----------
    *players : str
        Two or more, each a strategy's name or file, with parameters where wanted, or a side of two.
    boards, games, gauntlet, anchor, until_separated, indifference, cap
        See `TournamentSpec`.
    rules, seed, scores, bags, hand_cap, workers, chunk, progress, notice
        As for `duel`.

    Raises
    ------
    UserError
        What was asked for cannot be played, or a bot broke the contract.

    Examples
    --------
    >>> result = tournament("easy", "medium", "lowest_card", boards=200)
    >>> [player.name for player in result.players]
    ['medium', 'lowest_card', 'easy']
    """
    spec = make_tournament(
        players, rules=rules, scores=scores, bags=bags, boards=boards, games=games, gauntlet=gauntlet,
        anchor=anchor, until_separated=until_separated, indifference=indifference, cap=cap, seed=seed,
        hand_cap=hand_cap,
    )  # fmt: skip
    return play_tournament(spec, workers=workers, chunk=chunk, progress=progress, notice=notice)


def make_tournament(
    players: Sequence[str],
    *,
    rules: str | Rules = DEFAULT_PRESET,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    gauntlet: str | None = None,
    anchor: str | None = None,
    indifference: str | float | None = None,
    **more: object,
) -> TournamentSpec:
    """A `TournamentSpec` from what a caller writes, rules and scores as for `make_spec`.

    The player of a gauntlet is put first among the players when not one of them.

    Parameters
    ----------
    players, rules, scores, bags, gauntlet, anchor, indifference
        See `TournamentSpec`.
    **more
        Its other fields; those that are None take their defaults.
    """
    names = [player.strip() for player in players]
    difference = indifference if indifference is not None else "0"
    one = gauntlet.strip() if gauntlet is not None else None
    if one is not None and one not in names:
        names.insert(0, one)
    if len(names) < 2:
        raise UserError("A tournament needs two players or more, such as: easy medium hard.")
    usual = make_spec(names[0], names[1], rules=rules, scores=scores, bags=bags, boards=1)
    return TournamentSpec(
        players=tuple(names),
        gauntlet=one,
        anchor=anchor.strip() if anchor is not None else None,
        indifference=difference.strip() if isinstance(difference, str) else f"{difference:g}",
        rules=usual.rules,
        scores=usual.scores,
        bags=usual.bags,
        **{name: value for name, value in more.items() if value is not None},  # type: ignore[arg-type]
    )


def play_tournament(
    spec: TournamentSpec,
    *,
    workers: Workers = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> TournamentResult:
    """Play a tournament that has been specified; parameters and errors as `tournament`.

    Ctrl-C ends it early: what whole rounds of boards came to is the result, which then is partial.

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C before anything was measured.
    """
    crew = workers_for(workers, chunk)
    sides = [load(player, notice) for player in spec.players]
    _check_different(spec.players, sides)
    units = len(spec.pairs) * (spec.boards + spec.games // spec.duel_spec(0, 1).n_rooms)
    apart(partial(equity_of, spec.duel_spec(0, 1), notice))  # made now where there is none yet
    check_unit(spec, value_scale(spec.duel_spec(0, 1)))
    hall = Hall(spec, sides, crew, chunk, Counter(units, progress))
    prepare_engine(notice)
    for side in sides:
        apart(partial(preflight, side, spec.rules))
    try:
        hall.play()
    except KeyboardInterrupt:
        if hall.boards.n_common == 0:
            raise
        return standings(spec, hall.played(hall.phase))
    return standings(spec, hall.played(None))


def read_difference(text: str) -> float:
    """A difference of ratings in the unit of boards' values out of its text.

    >>> read_difference("0.1%"), read_difference("1.5")
    (0.001, 1.5)
    """
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise UserError(f"indifference must be a number from 0 up, such as 0.1% or 1.5, not '{text}'.")
    return number / 100 if text.endswith("%") else number


def check_unit(spec: TournamentSpec, scale: Scale) -> None:
    """Refuse a difference of ratings in a unit that the boards are not valued in.

    Raises
    ------
    UserError
        Per cent where boards are valued in points, or points where they are in win chance; or all there is.
    """
    is_percent, difference = spec.indifference.endswith("%"), read_difference(spec.indifference)
    if is_percent and difference >= 1:
        raise UserError(f"indifference must be below 100%, not {spec.indifference}: more cannot be gained.")
    if difference and is_percent != (scale is WIN_CHANCE):
        wanted = "in per cent, such as 0.1%" if scale is WIN_CHANCE else "a number, such as 1.5"
        raise UserError(f"indifference must be {wanted}: boards are valued in {scale.unit} here.")


def _check_players(spec: TournamentSpec) -> None:
    if len(spec.players) < 2:
        raise UserError("A tournament needs two players or more, such as: easy medium hard.")
    for number, player in enumerate(spec.players):
        if player in spec.players[:number]:
            raise UserError(
                f"'{player}' is given twice; against itself a player scores nothing on any board."
            )
    for name in ("gauntlet", "anchor"):
        one = getattr(spec, name)
        if one is not None and one not in spec.players:
            known = ", ".join(spec.players)
            raise UserError(
                f"{name} must be one of the players, {known}, not '{one}'.{suggest(one, spec.players)}"
            )
    if len(spec.pairs) > MOST_MATCHES:
        raise UserError(
            f"{len(spec.players)} players make {len(spec.pairs)} matches; {MOST_MATCHES} are the most. "
            "A gauntlet has fewer: one player against all others."
        )


def _check_aim(spec: TournamentSpec) -> None:
    difference = read_difference(spec.indifference)
    if not spec.until_separated:
        if difference or spec.cap is not None:
            raise UserError("indifference and cap are for until_separated: give it too, or leave them out.")
        return
    if spec.cap is not None and operator.index(spec.cap) < spec.boards:
        raise UserError(f"cap must be at least boards, {spec.boards}, not {spec.cap}.")


def _check_different(players: Sequence[str], sides: Sequence[Side]) -> None:
    """Refuse one bot under two texts that mean the same."""
    for number, side in enumerate(sides):
        for before in range(number):
            if str(side) == str(sides[before]) and is_same((side, sides[before])):
                raise UserError(
                    f"'{players[before]}' and '{players[number]}' are the same bot; against itself a player "
                    "scores nothing on any board."
                )
