"""What a duel is before it is played: who, under which rules, how long; and how to ask for it again."""

import operator
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from spadesim.core.batch import BOARDS, HAND_CAP, PAIRS, new_task
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.core.seating import N_ROOMS, seating
from spadesim.errors import UserError
from spadesim.match.stop import DEFAULT_BUDGET, Stop

DEFAULT_GAMES = 20_000  # separates 50 from 51 % in most cases, in a few seconds
DEFAULT_SEED = 1
MAX_SEED = 2**63 - 1
MAX_UNITS = 10**12
MAX_HAND_CAP = 10**6
MAX_BAGS = 1000
MAX_SCORE = 10**6

_NUMBERS = {2: "two", 3: "three", 4: "four", 6: "six"}


@dataclass(frozen=True)
class DuelSpec:
    """A duel that can be played; building one checks everything but the strategies.

    Parameters
    ----------
    a, b : str
        The two sides as the spec grammar has them, such as ``hard`` or ``medium+hard``.
    games : int or None
        Whole games, an even number: half as many pairs on the same deals, the sides swapped. At a table of
        three or four single players a multiple of six: sets of six games on the same deals, in which both
        bots sit everywhere equally often.
    boards : int or None
        Boards instead of games: single hands, each played in as many rooms. With neither, 20,000 games are
        played, or as few more as make whole sets.
    rules : Rules
    seed : int, 0 to 2**63 - 1
        Which deals.
    scores, bags : tuple of int, or None
        How a board stands before its hand: for the side at seats 0 and 2, which is A's in the one room and
        B's in the other, and for the side at seats 1 and 3; at a table of single players a number for each,
        seat 0 first. With neither, boards of two sides start from states that occur in games, each drawn by
        seed and number of the board; other boards from 0.
    first : int
        The number of the first pair (or set) of games or board; any can be played again alone.
    hand_cap : int
        Hands after which a game is given up as unfinished.
    stop : Stop or None
        A rule that may end the duel before its games or boards, which then are its budget, are played.
    skips : bool
        Whether a board is played once instead of in every room where the sides are variants that differ in
        parameters of the bidding only and have bid alike, so that it can only go as in the first room. The
        same numbers come out, sooner.

    Raises
    ------
    UserError
        Whatever cannot be played as asked, with the reason.

    Examples
    --------
    >>> spec = DuelSpec("easy", "hard", boards=500, scores=(400, 350))
    >>> spec.units, spec.command()
    (500, 'spadesim duel easy hard --boards 500 --scores 400,350 --rules pata --seed 1')
    """

    a: str
    b: str
    games: int | None = None
    boards: int | None = None
    rules: Rules = field(default_factory=Rules)
    seed: int = DEFAULT_SEED
    scores: tuple[int, ...] | None = None
    bags: tuple[int, ...] | None = None
    first: int = 0
    hand_cap: int = HAND_CAP
    stop: Stop | None = None
    skips: bool = True

    def __post_init__(self) -> None:
        """Fill in the default length, and refuse what cannot be played."""
        if self.games is None and self.boards is None and self.stop is not None:
            object.__setattr__(self, "boards", DEFAULT_BUDGET)
        if self.games is None and self.boards is None:
            object.__setattr__(self, "games", -(-DEFAULT_GAMES // self.n_rooms) * self.n_rooms)
        _check_length(self)
        check_range("seed", self.seed, 0, MAX_SEED)
        check_range("first", self.first, 0, MAX_UNITS)
        check_range("hand_cap", self.hand_cap, 1, MAX_HAND_CAP)
        _check_start(self)

    @property
    def kind(self) -> int:
        """What the engine plays: `PAIRS` or `BOARDS`."""
        return PAIRS if self.boards is None else BOARDS

    @property
    def units(self) -> int:
        """Independent units: pairs or sets of games, or boards."""
        return self.boards if self.boards is not None else (self.games or 0) // self.n_rooms

    @property
    def n_rooms(self) -> int:
        """Rooms in which each board or game is played, so that both bots sit everywhere equally often."""
        return rooms_of(self.rules)

    @property
    def has_partners(self) -> bool:
        """Whether two bots play together as a side; otherwise everybody plays alone."""
        return self.rules.teams == "partners"

    @property
    def draws_start(self) -> bool:
        """Whether each board starts from a score state of its own, drawn by seed and number."""
        is_given = self.scores is not None or self.bags is not None
        return self.boards is not None and self.rules.n_sides == 2 and not is_given

    def some_units(self, number: int) -> str:
        """So many of its units in words.

        >>> DuelSpec("easy", "hard").some_units(1), DuelSpec("easy", "hard", boards=9).some_units(1200)
        ('1 pair of games', '1,200 boards')
        """
        what, rest = ("board", "") if self.boards is not None else (set_word(self.n_rooms), " of games")
        return f"{number:,} {what}{'' if number == 1 else 's'}{rest}"

    def task(self, first: int, count: int) -> Any:
        """The engine's TASK record for `count` units from number `first` on."""
        task = new_task(self.kind, self.seed, first, count, max(self.hand_cap, self.rules.max_hands))
        n_sides = self.rules.n_sides
        task["scores"][:n_sides] = self.scores or (0,) * n_sides
        task["bags"][:n_sides] = self.bags or (0,) * n_sides
        task["draws_start"] = self.draws_start
        task["skips"] = self.skips
        return task

    def command(self) -> str:
        """The command line, quoted for a shell, that repeats exactly this duel."""
        words = ["spadesim", "duel", self.a, self.b]
        words += ["--games", str(self.games)] if self.boards is None else ["--boards", str(self.boards)]
        words += self.stop.options() if self.stop else []
        return shlex.join(words + self.conditions(self.first))

    def show_command(self, unit: int, *where: str, deal: tuple[str, str] | None = None) -> str:
        """The command line that shows one of its boards or pairs of games.

        Parameters
        ----------
        unit : int
            Number of the board or pair.
        *where : str
            More words for it: which hand, which seat.
        deal : tuple of 2 str, optional
            A given deal and its dealer.
        """
        words = ["spadesim", "show", self.a, self.b]
        if deal is None:
            words += ["--game" if self.boards is None else "--board", str(unit)]
        else:
            words += ["--deal", deal[0], "--dealer", deal[1]]
            words += ["--board", str(unit)] if unit else []
        return shlex.join([*words, *self.conditions(), *where])

    def conditions(self, first: int = 0) -> list[str]:
        """The words of a command line that say under which conditions is played."""
        words = _numbers_option("scores", self.scores) + _numbers_option("bags", self.bags)
        words += ["--rules", str(self.rules), "--seed", str(self.seed)]
        words += ["--first", str(first)] if first else []
        return words + (["--hand-cap", str(self.hand_cap)] if self.hand_cap != HAND_CAP else [])


def make_spec(
    a: str,
    b: str,
    *,
    rules: str | Rules = DEFAULT_PRESET,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    stop: Stop | None = None,
    skips: bool = True,
    **lengths: int | None,
) -> DuelSpec:
    """A `DuelSpec` from what a caller writes: rules as text or object, scores as ``400,350`` or as numbers.

    Parameters
    ----------
    a, b, rules, scores, bags, stop, skips
        See `DuelSpec`.
    **lengths
        The other fields of `DuelSpec`; those that are None take their defaults.
    """
    numbers = {name: whole(name, value) for name, value in lengths.items() if value is not None}
    for side in (a, b):
        if not isinstance(side, str):
            raise UserError(f"A side is a text, such as 'hard' or './my_bot.py', not {side!r}.")
    rules = Rules.parse(rules) if isinstance(rules, str) else rules
    if not isinstance(rules, Rules):
        raise UserError(f"rules are a text, such as 'pata:target=300', or Rules, not {rules!r}.")
    return DuelSpec(
        a=a.strip(),
        b=b.strip(),
        rules=rules,
        scores=None if scores is None else read_standing("scores", scores, rules),
        bags=None if bags is None else read_standing("bags", bags, rules),
        stop=stop,
        skips=skips,
        **numbers,
    )


def rooms_of(rules: Rules) -> int:
    """In how many rooms each board or game is played under some rules."""
    return N_ROOMS[seating(rules.players, rules.teams == "partners")]


def set_word(n_rooms: int) -> str:
    """What games on the same deals are called together: a pair, or a set of more."""
    return "pair" if n_rooms == 2 else "set"


def in_words(number: int) -> str:
    """A small number as a word.

    >>> in_words(6), in_words(12)
    ('six', '12')
    """
    return _NUMBERS.get(number, str(number))


def read_standing(name: str, value: str | Sequence[int], rules: Rules) -> tuple[int, ...]:
    """Scores or bags by side, out of ``400,350`` or a sequence.

    >>> read_standing("scores", "400, -150", Rules())
    (400, -150)
    """
    parts = value.split(",") if isinstance(value, str) else list(value)
    try:
        numbers = tuple(int(part) if isinstance(part, str) else operator.index(part) for part in parts)
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != rules.n_sides:
        some = (3, 7, 0, 5) if name == "bags" else (400, 350, 200, 120)
        if name == "scores" and rules.target <= some[0]:
            some = (90, 70, 60, 20)
        such = "such as " + ",".join(map(str, some[: rules.n_sides]))
        count = f"{name} must be {in_words(rules.n_sides)} whole numbers"
        if rules.teams == "partners":
            raise UserError(f"{count}, {such}: first for the side at seats 0 and 2.")
        raise UserError(f"{count}, one for each player, {such}: first for the player at seat 0.")
    return numbers


def whole(name: str, value: object) -> int:
    """A whole number, of whatever type that is one.

    Raises
    ------
    UserError
        It is something else.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise UserError(f"{name} must be a whole number, not {value!r}.") from None


def _numbers_option(name: str, numbers: Sequence[int] | None) -> list[str]:
    if numbers is None:
        return []
    text = ",".join(map(str, numbers))
    # A value that begins with a minus sign would be read as an option.
    return [f"--{name}={text}"] if text.startswith("-") else [f"--{name}", text]


def check_range(name: str, value: object, low: int, high: int) -> None:
    """Refuse what is no whole number from `low` to `high`."""
    number = whole(name, value)
    if not low <= number <= high:
        raise UserError(f"{name} must be from {low} to {high}, not {number}.")


def _check_length(spec: DuelSpec) -> None:
    if spec.games is not None and spec.boards is not None:
        raise UserError("games and boards exclude each other: give one of them; games tell who is better.")
    if spec.boards is not None:
        check_range("boards", spec.boards, 1, MAX_UNITS)
        return
    games, n = whole("games", spec.games), spec.n_rooms
    if games < 1:
        raise UserError(f"games must be at least {n}, not {games}: {_why(spec)}.")
    if games % n and games < n * MAX_UNITS:
        below = games // n * n
        near = f"{below} or {below + n}" if below else str(n)
        kind = "even" if n == 2 else f"a multiple of {n}"
        raise UserError(f"games must be {kind}, such as {near}, not {games}: {_why(spec)}.")
    check_range("games", games, n, n * MAX_UNITS)


def _why(spec: DuelSpec) -> str:
    """Why games are played several at a time."""
    if spec.n_rooms > 2:
        return (
            f"with {in_words(spec.rules.players)} single players games are played in sets of "
            f"{in_words(spec.n_rooms)} on the same deals, so that both bots sit everywhere equally often"
        )
    swapped = "sides" if spec.has_partners else "players"
    return f"games are played in pairs on the same deals, the {swapped} swapped"


def _check_start(spec: DuelSpec) -> None:
    for name in ("scores", "bags"):
        if getattr(spec, name) is not None:
            read_standing(name, getattr(spec, name), spec.rules)
        if getattr(spec, name) is not None and spec.boards is None:
            raise UserError(
                f"{name} are for boards; whole games begin at 0. Give boards, or leave {name} out."
            )
    for score in spec.scores or ():
        _check_open(spec.rules, score)
    limit = spec.rules.bag_limit
    for count in spec.bags or ():
        if limit and not 0 <= count < limit:
            raise UserError(f"bags must be from 0 to {limit - 1}, not {count}: {limit} cost a penalty.")
        check_range("bags", count, 0, MAX_BAGS)


def _check_open(rules: Rules, score: int) -> None:
    """Refuse a score at which the game would be over before the board is played."""
    if score > rules.target or (rules.target_inclusive and score == rules.target):
        least = "below" if rules.target_inclusive else "at most"
        raise UserError(f"scores must be {least} {rules.target}, the target that ends a game, not {score}.")
    floor = rules.floor
    if floor is not None and (score < floor or (rules.floor_inclusive and score == floor)):
        least = "above" if rules.floor_inclusive else "at least"
        raise UserError(f"scores must be {least} {floor}, the floor that ends a game, not {score}.")
    check_range("scores", score, -MAX_SCORE, MAX_SCORE)
