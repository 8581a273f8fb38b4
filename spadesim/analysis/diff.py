"""Where two bots part, from Python; and as text: the costliest boards with both continuations."""

from collections.abc import Sequence

from spadesim.analysis.diagram import legend_block, tables_block
from spadesim.analysis.lines import Block, Span, line, wrapped
from spadesim.analysis.numbers import signed
from spadesim.analysis.words import card_sign, cards_signs, deed_text, opening
from spadesim.core.batch import HAND_CAP
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.core.view import EXCHANGING, PLAYING
from spadesim.match.crews import Workers
from spadesim.match.diff import BOARDS, REDEALS, TOP, Asked, play_diff
from spadesim.match.diff_result import PHASES, Case, DiffResult, choice_text, number_of
from spadesim.match.diff_worth import Redealing
from spadesim.match.duel import Notice
from spadesim.match.moment import decision_name
from spadesim.match.record import Decision
from spadesim.match.run import Progress
from spadesim.match.spec import DEFAULT_SEED, make_spec
from spadesim.notation import SEAT_NAMES

WORTH_SAYS = (
    "On average: on re-deals of what the seat could not see that agree with the bids so far, each choice "
    "played on by the same bots; 95 % ranges, each for itself."
)


def diff(  # noqa: PLR0913 - its parameters are the options of the command
    a: str,
    b: str,
    *,
    boards: int = BOARDS,
    where: str | None = None,
    kind: str | None = None,
    top: int = TOP,
    redeals: int = REDEALS,
    rules: str | Rules = DEFAULT_PRESET,
    seed: int = DEFAULT_SEED,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    first: int = 0,
    hand_cap: int = HAND_CAP,
    workers: Workers = None,
    progress: Progress | None = None,
    redealing: Redealing | None = None,
    notice: Notice | None = None,
) -> DiffResult:
    """Find on every board of a duel where the bots part, and what comes of it by kind of decision.

    Parameters
    ----------
    a, b, rules, seed, scores, bags, first, hand_cap, workers, progress, notice
        As for `spadesim.duel`.
    boards : int
        How many.
    kind : str, optional
        List cases of this kind only: bid, nil, cover, set, bag, play or draw.
    where : str, optional
        Count only boards on which this holds, of the deal or of the seat whose decision it was.
    top : int
        How many of the boards that cost A the most to list.
    redeals : int
        How many re-deals of the cards that the seat could not see are to say what each of these choices is
        worth on average; 0 for none.
    redealing : function, optional
        Called after the re-deals of each board, with how many are done and how many there are.

    Raises
    ------
    UserError
        What was asked for cannot be played, a bot broke the contract, or no board counts.
    KeyboardInterrupt
        Ctrl-C before any board that counts was played. Later it makes the result a partial one.

    Examples
    --------
    >>> found = diff("easy", "easy", boards=20)
    >>> found.verdict
    'easy and easy never part: on 20 boards they choose alike at every decision.'
    """
    spec = make_spec(
        a, b, rules=rules, boards=boards, seed=seed, scores=scores, bags=bags, first=first, hand_cap=hand_cap
    )
    asked = Asked(top, redeals, kind, where)
    return play_diff(spec, asked, workers=workers, progress=progress, redealing=redealing, notice=notice)


def case_block(result: DiffResult, number: int, columns: int) -> Block:
    """A case in full: what it cost, what it is worth, the deal, both continuations, the command.

    Parameters
    ----------
    result : DiffResult
    number : int
        Which of its cases, from 0.
    columns : int
        How wide it may be.
    """
    case = result.cases[number]
    hand = case.replay.rooms[case.room_a].hands[0]
    rows: Block = [line(Span(f"{number + 1}. board {case.board}, {case.kind}", "head"))]
    rows += wrapped(sentence(result, case), columns)
    if case.worth is not None:
        rows += wrapped(worth_sentence(case), columns, "mark")
    for told in nil_sentences(case):
        rows += wrapped(told, columns)
    rows += wrapped(opening(hand), columns)
    rows.append(line())
    rows += tables_block(case.replay, 0, columns, (case.room_a, case.room_b))
    return [*rows, line(), *legend_block(hand, columns), line(Span(case.command, "dim"))]


def cases_head(result: DiffResult) -> str:
    """What the cases are."""
    n = len(result.cases)
    what = f"The {n} boards that" if n > 1 else "The board that"
    return f"{what} cost {result.names[0]} the most"


def sentence(result: DiffResult, case: Case) -> str:
    """Who chose what, and what it cost."""
    a, b = result.names
    step = case.step_a
    seat, where = SEAT_NAMES[case.seat], decision_name(step.phase, step.number)
    in_a, in_b = f"in room {case.room_a}", f"in room {case.room_b}"
    return (
        f"In {where} {a} at {seat} {deed_text(step)} ({in_a}), {b} {deed_text(case.step_b)} ({in_b}): "
        f"{cost_text(case)} for {a}."
    )


def nil_sentences(case: Case) -> list[str]:
    """The cards over which nils were broken in its two rooms."""
    told = []
    for room, nil in case.broken_nils():
        over = "" if nil.over is None else f" over {card_sign(nil.over)}"
        told.append(
            f"In room {room} {SEAT_NAMES[nil.seat]}'s nil is broken in trick {nil.trick + 1}, by "
            f"{card_sign(nil.card)}{over}."
        )
    return told


def cost_text(case: Case) -> str:
    """What a case brought A.

    In the chance to win, where there is one, and in points.
    """
    points = f"{signed(case.points, 0 if case.points.is_integer() else 1)} points"
    if case.win_chance is None:
        return points
    return f"{signed(100 * case.win_chance, 1)} % of win chance, {points}"


def worth_sentence(case: Case) -> str:
    """What the choice is worth on average, and what that says of it."""
    worth = case.worth
    assert worth is not None
    verdict = f"{worth.verdict[0].upper()}{worth.verdict[1:]}"
    if worth.points is None:
        return f"{verdict}: {worth.why}"
    points = worth.points
    in_points = f"{points.mean:+.1f} points ({points.low:+.1f} to {points.high:+.1f})"
    chance = worth.win_chance and worth.win_chance.scaled(100)
    measured = f"{chance.mean:+.1f} % ({chance.low:+.1f} to {chance.high:+.1f}), " if chance else ""
    counted = f"{worth.accepted:,} of {worth.tried:,} re-deals counted"
    return f"{verdict}: {worth.why} Against the other it is worth {measured}{in_points}; {counted}."


def at_text(step: Decision) -> str:
    """At which decision, in a narrow column.

    >>> from spadesim.match.record import Choice
    >>> at_text(Decision(PLAYING, 4, Choice(0, 51, False)))
    'trick 5'
    """
    number = number_of(step.phase, step.number)
    return f"{PHASES[step.phase]} {number}" if number else PHASES[step.phase]


def chose_text(step: Decision) -> str:
    """What was chosen, in a narrow column.

    >>> from spadesim.match.record import Choice
    >>> chose_text(Decision(PLAYING, 4, Choice(0, 51, False)))
    'A♠'
    """
    choice = step.made.choice
    if step.phase == PLAYING:
        return card_sign(choice)
    return cards_signs(choice) if step.phase == EXCHANGING else choice_text(step.phase, choice)
