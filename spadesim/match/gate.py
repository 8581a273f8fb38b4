"""A gate for changes: whether the new version of a bot is no worse than the old one."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.match.duel import play_duel
from spadesim.match.result import DuelResult
from spadesim.match.spec import DEFAULT_SEED, DuelSpec, make_spec
from spadesim.match.stop import DEFAULT_BUDGET, DEFAULT_ERROR, Stop, read_number
from spadesim.strategy.spec import parse_bot

NOT_WORSE, WORSE, UNDECIDED = "not worse", "worse", "undecided"
INTERRUPTED = 130  # as every command ends that Ctrl-C has stopped
EXIT_CODES = {NOT_WORSE: 0, WORSE: 1, UNDECIDED: 3}
_ANSWERS = {"high": NOT_WORSE, "no_difference": NOT_WORSE, "low": WORSE}


@dataclass(frozen=True)
class Gate:
    """What a gate says.

    Parameters
    ----------
    answer : str
        "not worse", "worse" or "undecided".
    duel : DuelResult
        Of the new version (A) against the old one (B).
    """

    answer: str
    duel: DuelResult

    @property
    def exit_code(self) -> int:
        """0 not worse, 1 worse, 3 undecided within the budget, 130 ended by Ctrl-C before it was decided."""
        return INTERRUPTED if self.duel.partial else EXIT_CODES[self.answer]

    def __str__(self) -> str:
        return f"{self.answer.capitalize()}. {self.duel}"

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON object, as Python values."""
        return {"answer": self.answer, "exit_code": self.exit_code, "duel": self.duel.to_dict()}


def gate_spec(  # noqa: PLR0913 - its parameters are the options of the command
    old: str,
    new: str,
    *,
    margin: str | float | None = None,
    budget: int = DEFAULT_BUDGET,
    games: bool = False,
    rules: str | Rules = DEFAULT_PRESET,
    seed: int | None = DEFAULT_SEED,
    alpha: float | None = None,
    beta: float | None = None,
) -> DuelSpec:
    """The duel that a gate plays: the new version against the old, with a test of "no worse".

    Parameters
    ----------
    old, new : str
        Bots as the spec grammar has them; ``my_bot.py@main`` is the file as it is on a branch.
    margin : str or float, optional
        How much worse must not be let through: in percentage points of win chance (or points) a board, of
        games in normalised Elo, or with a unit behind. The preset of `nonregression` when left out.
    budget : int
        Boards, or games, at most.
    games : bool
        Whether whole games are played instead of boards.
    rules, seed
        As for `spadesim.duel`.
    alpha, beta : float, optional
        The chance to let a bot through that is worse by `margin`, and to stop one that is as good as the old.

    Raises
    ------
    UserError
        A margin that is no number above 0, or whatever else cannot be played.
    """
    text = "nonregression"
    if margin is not None:
        worse = str(margin).strip()
        read_number(worse, "--margin")
        text = f"-{worse.removeprefix('+')},0"
    errors = (DEFAULT_ERROR if error is None else error for error in (alpha, beta))
    length: dict[str, Any] = {"games": budget} if games else {"boards": budget}
    return make_spec(new, old, rules=rules, seed=seed, stop=Stop("sprt", text, *errors), **length)


def judged(duel: DuelResult) -> Gate:
    """What a gate's duel comes to."""
    outcome = duel.decision.outcome if duel.decision else UNDECIDED
    if outcome == UNDECIDED and _is_unchanged(duel):
        outcome = "no_difference"
    is_known = duel.is_judged and not duel.partial
    return Gate(_ANSWERS.get(outcome, UNDECIDED) if is_known else UNDECIDED, duel)


def _is_unchanged(duel: DuelResult) -> bool:
    """Whether both versions are the same source with the same parameters, which needs no test."""
    ours, theirs = (
        [(bot.digest, dataclasses.replace(parse_bot(bot.spec), revision="")) for bot in duel.sides[side].bots]
        for side in ("a", "b")
    )
    return ours == theirs


def gate(old: str, new: str, **options: Any) -> Gate:
    """Whether a new version of a bot is no worse than the old one.

    Parameters
    ----------
    old, new : str
    **options
        As for `gate_spec`.

    Examples
    --------
    >>> gate("easy", "easy", budget=20_000).answer
    'not worse'
    """
    return judged(play_duel(gate_spec(old, new, **options)))
