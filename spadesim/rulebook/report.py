"""Running worked examples against our rules and bots, and what came of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spadesim.rulebook.answers import ANSWERS
from spadesim.rulebook.bots import BOT_ANSWERS, Announce, Bots
from spadesim.rulebook.examples import (
    BUNDLED,
    SITUATIONS,
    BadExamples,
    Example,
    read_examples,
    read_situations,
)
from spadesim.rulebook.fields import Later
from spadesim.rulebook.given import Answer
from spadesim.rulebook.kinds import KINDS
from spadesim.rulebook.nodes import Mistake
from spadesim.rulebook.preludes import PRELUDE_ANSWERS

ENGINE_ANSWERS = ANSWERS | PRELUDE_ANSWERS
PASSED, FAILED, UNSUPPORTED = "passed", "failed", "unsupported"
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Mismatch:
    """An expectation that is not met.

    Parameters
    ----------
    line : int
        Where the file states it.
    field : str
        Its name under `expect`.
    who : str
        Which bot or side answered otherwise, "" where there is only one answer.
    expected, found : str
        As the file would write them; `found` is "" when there is no answer to compare.
    trouble : str
        Why there is no answer, "" when there is one.
    """

    line: int
    field: str
    who: str
    expected: str
    found: str
    trouble: str = ""

    def __str__(self) -> str:
        """What was expected and what is, in words."""
        who = f"{self.who}: " if self.who else ""
        if self.trouble:
            return f"{self.who or self.field} {self.trouble}"
        return f"{who}{self.field} should be {self.expected}, but is {self.found}"


@dataclass(frozen=True)
class Result:
    """What came of one example: `outcome` is passed, failed or unsupported, `later` what it lacks if so."""

    example: Example
    mismatches: tuple[Mismatch, ...] = ()
    later: str = ""

    @property
    def outcome(self) -> str:
        """Passed, failed or unsupported."""
        return UNSUPPORTED if self.later else FAILED if self.mismatches else PASSED


@dataclass(frozen=True)
class CheckReport:
    """What came of a file of worked examples.

    Parameters
    ----------
    file : str
        Its name as messages have it.
    results : tuple of Result
        In the order of the file.
    """

    file: str
    results: tuple[Result, ...]

    @property
    def passed(self) -> bool:
        """Whether no example failed; unsupported ones neither pass nor fail."""
        return not self.count(FAILED)

    def count(self, outcome: str, kind: str | None = None) -> int:
        """How many examples, of one kind or of all, ended so."""
        return sum(
            result.outcome == outcome and kind in (None, result.example.kind) for result in self.results
        )

    @property
    def kinds(self) -> list[str]:
        """The kinds that the file has examples of."""
        found = {result.example.kind for result in self.results}
        return [kind for kind in KINDS if kind in found]

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """How many examples of each kind passed, failed or are unsupported."""
        outcomes = (PASSED, FAILED, UNSUPPORTED)
        return {kind: {outcome: self.count(outcome, kind) for outcome in outcomes} for kind in self.kinds}

    @property
    def lacking(self) -> dict[str, list[str]]:
        """The ids of the unsupported examples by what they lack."""
        found: dict[str, list[str]] = {}
        for result in self.results:
            if result.later:
                found.setdefault(result.later, []).append(result.example.id)
        return found

    @property
    def complaints(self) -> list[str]:
        """A line for each mismatch: file, line, id, and what is wrong."""
        return [
            f"{result.example.place(mismatch.line)}: {mismatch}"
            for result in self.results
            for mismatch in result.mismatches
        ]

    def __str__(self) -> str:
        """The whole outcome in a sentence."""
        n, passed, failed = len(self.results), self.count(PASSED), self.count(FAILED)
        later = self.count(UNSUPPORTED)
        text = f"{passed} of {n} examples hold"
        text += f", {failed} {'does' if failed == 1 else 'do'} not" if failed else ""
        text += f", {later} {'is' if later == 1 else 'are'} not supported yet" if later else ""
        return f"{text}."


def check(
    path: Path | str | None = None, announce: Announce | None = None, progress: Progress | None = None
) -> CheckReport:
    """What comes of the worked examples in a file.

    Parameters
    ----------
    path : Path or str, optional
        The bundled examples of the rules and situations of bots if left out.
    announce : function of str, optional
        Called with a bot's name before it is compiled for the first time.
    progress : function of (int, int), optional
        Called with how many examples are done, and how many there are.

    Raises
    ------
    UserError
        The file cannot be read, or has mistakes in it (then a `BadExamples`, which has them all).
    """
    if path is not None:
        return check_examples(read_examples(path), str(path), announce, progress)
    bundled = [*read_examples(), *read_situations()]
    return check_examples(bundled, f"{BUNDLED.name} and {SITUATIONS.name}", announce, progress)


def check_situations(announce: Announce | None = None, progress: Progress | None = None) -> CheckReport:
    """What comes of the bundled situations of bots; parameters as `check`."""
    return check_examples(read_situations(), SITUATIONS.name, announce, progress)


def check_examples(
    examples: Sequence[Example],
    file: str = BUNDLED.name,
    announce: Announce | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """What comes of worked examples that have been read; parameters and errors as `check`."""
    bots = Bots(announce)
    results: list[Result] = []
    mistakes: list[str] = []
    for number, example in enumerate(examples):
        try:
            results.append(_result(example, bots))
        except Mistake as mistake:
            mistakes.append(f"{example.place(mistake.line)}: {mistake.text}")
        if progress is not None:
            progress(number + 1, len(examples))
    if mistakes:
        raise BadExamples(mistakes)
    return CheckReport(file, tuple(results))


def _result(example: Example, bots: Bots) -> Result:
    if example.later:
        return Result(example, later=example.later)
    try:
        engine = ENGINE_ANSWERS.get(example.kind)
        answers = engine(example) if engine else BOT_ANSWERS[example.kind](example, bots)
    except Later as reason:
        return Result(example, later=str(reason))
    return Result(example, tuple(found for answer in answers for found in _held_against(example, answer)))


def _held_against(example: Example, answer: Answer) -> list[Mismatch]:
    """What an answer should be and is not: as expected, or what bots without the skill are said to do."""
    if answer.who not in example.instead or answer.trouble:
        return mismatches(example, answer)
    if answer.varies:
        return mismatches(example, replace(answer, trouble=answer.varies))
    return _other_than_instead(example, answer)


def mismatches(example: Example, answer: Answer) -> list[Mismatch]:
    """The expectations that an answer does not meet; of several answers every one must meet them."""
    if answer.others and any(
        mismatches(example, replace(answer, found=found, others=()))
        for found in (answer.found, *answer.others)
    ):
        return mismatches(example, replace(answer, trouble=answer.varies, others=()))
    if answer.trouble:
        name = next(iter(example.expect))
        line = example.line_of(f"instead.{answer.who}" if answer.who in example.instead else f"expect.{name}")
        return [Mismatch(line, name, answer.who, "", "", answer.trouble)]
    found: list[Mismatch] = []
    for name, expected in example.expect.items():
        entry = KINDS[example.kind].expect[name]
        of = entry.of or name
        actual = answer.found[of]
        if not entry.agrees(expected, actual):
            shown = KINDS[example.kind].expect[of].text(actual)
            line = example.line_of(f"expect.{name}")
            found.append(Mismatch(line, of, answer.who, entry.joins + entry.text(expected), shown))
    return found


def _other_than_instead(example: Example, answer: Answer) -> list[Mismatch]:
    """Whether a bot without the skill answers as the example says; one that has learnt it does not."""
    about = KINDS[example.kind].answer
    entry, expected = KINDS[example.kind].expect[about], example.instead[answer.who]
    if entry.agrees(expected, answer.found[about]):
        return []
    line, found = example.line_of(f"instead.{answer.who}"), entry.text(answer.found[about])
    return [Mismatch(line, about, answer.who, f"{entry.text(expected)} (instead)", found)]
