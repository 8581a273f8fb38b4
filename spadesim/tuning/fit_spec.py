"""What a fit is before it is made: of which bot, from which hands, tried against whom, on how many boards."""

import shlex
from dataclasses import dataclass, field

from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.match.confirm import about_confirm
from spadesim.match.spec import DEFAULT_SEED, DuelSpec, make_spec

BOARDS = 20_000
GAMES_SHARE = 4  # boards for every game
PLAYED = 100_000  # boards, where no run is given
LEAST_PLAYED, MOST_PLAYED = 5000, 5_000_000
LEAST_BOARDS = 1000


@dataclass(frozen=True)
class FitSpec:
    """A fit that can be made; building one checks everything but the bots and the runs.

    Parameters
    ----------
    strategy : str
        The bot, with settings where wanted.
    runs : tuple of str
        The folders of recorded runs.
    takes : str or None
        Whose hands of the runs: a bot's name or "any"; the bot's own if None.
    parts : tuple of str
        What is fitted: "tricks", "nil".
    vs : str or None
        Whom the bot meets where it is tried, and where hands are played for the fit; itself if None.
    play : int
        Boards that are played for the fit, 0 for none.
    boards, games : int
        That say whether what was fitted is better; 0 games for none.
    rules, seed
        As for a duel.

    Raises
    ------
    UserError
        Whatever cannot be played as asked, with the reason.
    """

    strategy: str
    runs: tuple[str, ...] = ()
    takes: str | None = None
    parts: tuple[str, ...] = ("tricks", "nil")
    vs: str | None = None
    play: int = 0
    boards: int = BOARDS
    games: int = BOARDS // GAMES_SHARE
    rules: Rules = field(default_factory=Rules)
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if not self.runs and not self.play:
            raise UserError("There is nothing to learn from: name recorded runs, or play boards for it.")
        if self.play and not LEAST_PLAYED <= self.play <= MOST_PLAYED:
            raise UserError(
                f"play must be 0, or from {LEAST_PLAYED:,} to {MOST_PLAYED:,} boards, not {self.play:,}."
            )
        if self.boards < LEAST_BOARDS:
            raise UserError(
                f"{self.boards:,} boards are too few for any claim: {LEAST_BOARDS:,} are the least."
            )
        self.duel_spec()
        if self.games:
            with about_confirm():
                self.games_spec(self.strategy, 0)

    def duel_spec(self) -> DuelSpec:
        """The duel of boards on which settings are tried."""
        return make_spec(self.strategy, self.vs or self.strategy, rules=self.rules, boards=1, seed=self.seed)

    def games_spec(self, found: str, first: int) -> DuelSpec:
        """The games of what was fitted against the bot as it is given."""
        return make_spec(
            found, self.strategy, rules=self.rules, games=self.games, seed=self.seed, first=first
        )

    def command(self) -> str:
        """The command line, quoted for a shell, that repeats exactly this fit."""
        words = ["spadesim", "fit", self.strategy, *self.runs]
        words += ["--from", self.takes] if self.takes else []
        words += [f"--{self.parts[0]}"] if len(self.parts) == 1 else []
        words += ["--vs", self.vs] if self.vs else []
        words += ["--play", str(self.play)] if self.play else []
        words += ["--boards", str(self.boards), "--games", str(self.games)]
        return shlex.join(words + self.duel_spec().conditions())


def rooms_rounded(games: int, rules: Rules) -> int:
    """A number of games that fills all rooms of its table."""
    rooms = make_spec("easy", "easy", rules=rules, boards=1).n_rooms
    return games // rooms * rooms
