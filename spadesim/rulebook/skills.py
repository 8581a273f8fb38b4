"""Which skills bots have: every situation of a file put to each of them, whoever it names itself."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spadesim.errors import UserError
from spadesim.rulebook.bots import BOT_ANSWERS, Announce, Bots
from spadesim.rulebook.examples import SITUATIONS, BadExamples, Example, read_examples, read_situations
from spadesim.rulebook.fields import Later
from spadesim.rulebook.given import Answer
from spadesim.rulebook.kinds import KINDS
from spadesim.rulebook.nodes import Mistake
from spadesim.rulebook.report import FAILED, PASSED, UNSUPPORTED, Progress, mismatches

NO_SKILL = "other examples"


@dataclass(frozen=True)
class Reply:
    """What a bot did in a situation.

    Parameters
    ----------
    outcome : str
        passed, failed, or unsupported where it cannot play at such a table.
    found : str
        Its answer as the file would write it, "" where there is none.
    trouble : str
        What is wrong with its answers, "" for nothing.
    """

    outcome: str
    found: str = ""
    trouble: str = ""


@dataclass(frozen=True)
class SkillReport:
    """Which situations of a file bots have met.

    Parameters
    ----------
    file : str
        Its name as messages have it.
    bots : tuple of str
        As they were asked for.
    replies : tuple of (Example, dict of bot to Reply)
        In the order of the file.
    """

    file: str
    bots: tuple[str, ...]
    replies: tuple[tuple[Example, dict[str, Reply]], ...]

    @property
    def passed(self) -> bool:
        """Whether every bot has met every situation that it can play in."""
        return not any(reply.outcome == FAILED for _, row in self.replies for reply in row.values())

    @property
    def skills(self) -> dict[str, dict[str, tuple[int, int]]]:
        """By skill and bot how many situations it has met, and of how many that it can play in."""
        found: dict[str, dict[str, tuple[int, int]]] = {}
        for example, row in self.replies:
            counts = found.setdefault(skill_of(example), dict.fromkeys(self.bots, (0, 0)))
            for bot, reply in row.items():
                met, n = counts[bot]
                counts[bot] = (met + (reply.outcome == PASSED), n + (reply.outcome != UNSUPPORTED))
        return found

    def count(self, bot: str) -> tuple[int, int]:
        """How many situations a bot has met, and of how many that it can play in."""
        rows = [row[bot].outcome for _, row in self.replies]
        return rows.count(PASSED), len(rows) - rows.count(UNSUPPORTED)

    def __str__(self) -> str:
        """The whole outcome in a sentence."""
        parts = [f"{bot} meets {met} of {n}" for bot in self.bots for met, n in (self.count(bot),)]
        return f"{', '.join(parts)} situations."


def skill_of(example: Example) -> str:
    """The skill that an example asks for; one name for all that name none."""
    return example.skill or NO_SKILL


def right_text(example: Example) -> str:
    """What is right in an example of bots, as messages have it, "KH or QH" or "not 0"."""
    fields, words = KINDS[example.kind].expect, []
    for name, expected in example.expect.items():
        text = fields[name].text(expected)
        words.append(
            f"not {text}" if name.endswith("_not") else f"to {text}" if name == "card_must" else text
        )
    return " and ".join(words)


def skills_of(
    bots: Sequence[str],
    path: Path | str | None = None,
    announce: Announce | None = None,
    progress: Progress | None = None,
) -> SkillReport:
    """What bots do in the situations of a file.

    Parameters
    ----------
    bots : sequence of str
        Specs, as everywhere.
    path : Path or str, optional
        The bundled situations if left out. Examples that ask no single bot are passed over.
    announce, progress : as for `check`

    Raises
    ------
    UserError
        A bot cannot be loaded, the file cannot be read or has mistakes in it (then a `BadExamples`), or it
        has no situation of a bot.

    Examples
    --------
    >>> report = skills_of(["pata_easy"])  # doctest: +SKIP
    >>> print(report)  # doctest: +SKIP
    pata_easy meets 45 of 90 situations.
    """
    file = str(path) if path is not None else SITUATIONS.name
    all_of_them = read_situations() if path is None else read_examples(path)
    examples = [each for each in all_of_them if KINDS[each.kind].answer and not each.later]
    if not examples:
        raise UserError(f"'{file}' has no situation of a bot: none of its examples has a bot or levels.")
    asked = Bots(announce, list(dict.fromkeys(bots)))
    for bot in bots:
        asked.load(bot)
    replies: list[tuple[Example, dict[str, Reply]]] = []
    mistakes: list[str] = []
    for number, example in enumerate(examples):
        try:
            replies.append((example, _replies(example, asked)))
        except Mistake as mistake:
            mistakes.append(f"{example.place(mistake.line)}: {mistake.text}")
        if progress is not None:
            progress(number + 1, len(examples))
    if mistakes:
        raise BadExamples(mistakes)
    return SkillReport(file, tuple(dict.fromkeys(bots)), tuple(replies))


def _replies(example: Example, bots: Bots) -> dict[str, Reply]:
    assert bots.only is not None
    found = dict.fromkeys(bots.only, Reply(UNSUPPORTED))
    try:
        answers = BOT_ANSWERS[example.kind](example, bots)
    except Later:
        return found
    return found | {answer.who: _reply(example, answer) for answer in answers}


def _reply(example: Example, answer: Answer) -> Reply:
    outcome = FAILED if mismatches(example, answer) else PASSED
    if answer.trouble or (answer.varies and outcome == FAILED):
        return Reply(FAILED, trouble=answer.trouble or answer.varies)
    about = KINDS[example.kind].answer
    shown = [KINDS[example.kind].expect[about].text(each[about]) for each in (answer.found, *answer.others)]
    return Reply(outcome, " or ".join(shown))
