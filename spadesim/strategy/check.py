"""The contract of strategies, as a public check that tries to find a bot out.

What the rules of the game demand of a bot fails the check; what only good sense demands is advice.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spadesim.core._jit import COMPILED, jit
from spadesim.core.cards import lowest, popcount
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEPING, NOT_YET, PLAYING, uniform_below
from spadesim.core.weakness import AFRAID_OF_NIL, BLIND_TO_BAGS, FORGET, N_WEAKNESSES
from spadesim.errors import UserError
from spadesim.strategy.ask import UNANSWERED, Seen, Views, answers_to, are_legal, dimmed, redealt, watch
from spadesim.strategy.compiled import BY_PHASE
from spadesim.strategy.interpreted import NOT_AN_INT, interpreted_answers
from spadesim.strategy.load import Strategy, asked_before, load_strategy
from spadesim.strategy.show import answer_text, legal_text, view_text

COMPANY = ("easy", "random_legal")
TABLES = ("pata", "draw300", "draw500")
BLIND_TABLE = "pata:blind_nil=always"  # for a bot that declares blind nils, but plays no draw
POSITIONS = 10_000
N_INTERPRETED = 1500
SLOWER = 50  # times, a bot that plays every decision out with another one
SEED = 2024
ACE_OF_SPADES = 51
_CHOICES = {
    BIDDING: "bids",
    PLAYING: "cards",
    KEEPING: "answers",
    DECLARING: "answers",
    EXCHANGING: "exchanges",
}


@dataclass(frozen=True)
class Check:
    """One demand and how a strategy met it.

    Parameters
    ----------
    name : str
        The demand in a few words.
    n : int
        How many decisions were tried.
    problem : str
        What broke it, with the view that showed it; "" when nothing did.
    is_advice : bool
        Whether a bot may break it and still play.
    command : str
        The command line that shows the decision at which it was broken; "" when there is none, as where
        blind nils were declared at random.
    """

    name: str
    n: int
    problem: str
    is_advice: bool = False
    command: str = ""


@dataclass(frozen=True)
class CheckReport:
    """How a strategy met every demand of the contract, and at which tables."""

    strategy: Strategy
    tables: tuple[Rules, ...]
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether the strategy may play: nothing but advice was broken."""
        return not any(check.problem and not check.is_advice for check in self.checks)

    def __str__(self) -> str:
        lines = []
        for check in self.checks:
            mark = "ok" if not check.problem else "advice" if check.is_advice else "FAILED"
            lines.append(f"{mark:7}{check.name} ({check.n:,} decisions)")
            lines += [f"       {check.problem}"] if check.problem else []
            lines += [f"       To see it: {check.command}"] if check.command else []
        return "\n".join(lines)


def check_strategy(strategy: Strategy, rules: Rules | None = None, positions: int = POSITIONS) -> CheckReport:
    """Everything that the contract demands of a strategy, tried on seeded boards.

    Parameters
    ----------
    strategy : Strategy
        Its weaknesses are left out: they are the engine's, and every bot is tried with the most of each.
    rules : Rules, optional
        `tables_for` the strategy unless given.
    positions : int
        Decisions of the strategy to try at each table, shared by the company that it plays in: itself,
        easy, random_legal, and where there are blind nils players that declare and exchange at random.
    """
    tables = tables_for(strategy) if rules is None else (rules,)
    strategy = replace(strategy, weaknesses=np.zeros(N_WEAKNESSES))
    companies = [strategy, *(load_strategy(name) for name in COMPANY)]
    seen = [_watch_all(strategy, companies, table, positions) for table in tables]
    legal = _over_tables([_check_legal(strategy, parts) for parts in seen])
    if legal.problem:
        return CheckReport(strategy, tables, (legal,))
    by_name: dict[str, list[Check]] = {}
    for parts in seen:
        for check in _checks(strategy, _together(parts)):
            by_name.setdefault(check.name, []).append(check)
    return CheckReport(strategy, tables, (legal, *map(_over_tables, by_name.values())))


def tables_for(strategy: Strategy) -> tuple[Rules, ...]:
    """The tables that ask for every function which the strategy has, as far as it can sit there.

    These are `pata`, which it can always play; `draw300` and `draw500`; and for a bot that declares blind
    nils at none of them, `pata` with blind nils.
    """
    tables = [Rules.parse(text) for text in TABLES]
    tables = [rules for rules in tables if asked_before(rules).keys() <= strategy.functions.keys()]
    if "blind" in strategy.functions and not any("blind" in asked_before(rules) for rules in tables):
        tables.append(Rules.parse(BLIND_TABLE))
    return tuple(tables)


def _watch_all(strategy: Strategy, companies: list[Strategy], rules: Rules, positions: int) -> list[Seen]:
    """What the strategy is shown in each company, the random one last."""
    declares = "blind" in asked_before(rules)
    size = -(-positions // (len(companies) + declares))
    seen = [watch(strategy, company, rules, SEED + k, size) for k, company in enumerate(companies)]
    return [*seen, _watch_declaring(strategy, companies[-1], rules, size)] if declares else seen


def _watch_declaring(strategy: Strategy, company: Strategy, rules: Rules, n: int) -> Seen:
    """Decisions of the strategy where both sides declare blind nils at random, and the others exchange so.

    Few bots declare often, and most never exchange against one that does; the declarations are not the
    bot's, so they are left out, and no command shows the rest.
    """
    bot = replace(strategy, functions={**strategy.functions, "blind": _random_blind})
    others = {**company.functions, "blind": _random_blind, "exchange": _random_exchange}
    seen = watch(bot, replace(company, functions=others), rules, SEED + len(COMPANY) + 1, n)
    own = np.flatnonzero(seen.views["phase"] != DECLARING)
    return seen._replace(
        views=seen.views[own],
        positions=seen.positions[own],
        answers=seen.answers[own],
        company=[""] * len(own),
    )


@jit
def _random_blind(view: Any, p: Any) -> Any:
    """A blind nil, or none."""
    return uniform_below(view, 0, 2)


@jit
def _random_exchange(view: Any, p: Any) -> Any:
    """Any cards, as many as the rules allow or fewer."""
    left, chosen = view.hand, np.int64(0)
    for k in range(uniform_below(view, 0, view.rules.blind_nil_exchange + 1)):
        rest = left
        for _ in range(uniform_below(view, k + 1, popcount(left))):
            rest &= rest - 1
        chosen |= np.int64(1) << lowest(rest)
        left &= ~chosen
    return chosen


def _together(parts: list[Seen]) -> Seen:
    """What was seen in every company at one table."""
    return Seen(
        np.concatenate([part.views for part in parts]),
        np.concatenate([part.positions for part in parts]),
        np.concatenate([part.answers for part in parts]),
        [name for part in parts for name in part.company],
        parts[0].rules,
    )


def _over_tables(checks: Sequence[Check]) -> Check:
    """One demand as it was met at all tables: the first that broke it tells."""
    broken = sorted((check for check in checks if check.problem), key=lambda check: check.is_advice)
    return replace((*broken, *checks)[0], n=sum(check.n for check in checks))


def _checks(strategy: Strategy, seen: Seen) -> Iterator[Check]:
    demands: list[tuple[Callable[[Strategy, Seen], Check], bool]] = [
        (_check_untouched, True),
        (_check_same_answer, True),
        (_check_hidden_cards, True),
        (_check_memory, not strategy.has_memory),
        (_check_reduced, True),
        (_check_dimmed, True),
        (_check_interpreted, COMPILED),
        (_check_nil_with_ace, True),
        (_check_nil_after_nil, seen.rules.teams == "partners"),
    ]
    for demand, applies in demands:
        if applies:
            try:
                yield demand(strategy, seen)
            except Exception as error:  # whatever a user's bot raises
                name = (demand.__doc__ or "").partition(".")[0]
                yield Check(name, len(seen.views), f"raised {type(error).__name__}: {error}")


def _check_legal(strategy: Strategy, parts: list[Seen]) -> Check:
    """Every answer is legal, and none raises."""
    name, n = "legal answers", sum(len(part.views) for part in parts)
    for part in parts:
        if part.error is not None and len(part.answers) and part.answers[-1] == UNANSWERED:
            what = f"raised {type(part.error).__name__}: {part.error}".rstrip(": ")
            return _broken(name, n, what, strategy, part, -1)
        if part.error is not None:
            raise part.error
        if len(part.answers) and not are_legal(part.views[-1:], part.answers[-1:])[0]:
            what = _illegal(part.views[-1], int(part.answers[-1]))
            return _broken(name, n, what, strategy, part, -1)
    return Check(name, n, "")


def _broken(name: str, n: int, what: str, strategy: Strategy, seen: Seen, k: int) -> Check:
    """The check that the `k`-th decision of what was seen broke."""
    problem = f"{what}, when {view_text(seen.views[k])}."
    if not seen.company[k]:
        return Check(name, n, f"{problem} Rules {seen.rules}, blind nils declared at random.")
    return Check(name, n, problem, command=show_command(strategy, seen, k))


def show_command(strategy: Strategy, seen: Seen, k: int) -> str:
    """The command line that shows the `k`-th decision of what was seen."""
    position = seen.positions[k]
    board = int(position["index"])
    standing = [
        f"--{name}={','.join(str(number) for number in position[name][: seen.rules.n_sides])}"
        for name in ("scores", "bags")
        if position[name].any()
    ]
    words = ["spadesim", "show", str(strategy), seen.company[k], "--board", str(board), *standing]
    words += ["--rules", str(seen.rules), "--seed", str(int(position["seed"]))]
    room = board % int(position["rules"]["n_rooms"])
    words += ["--room", str(room), "--seat", str(int(position["turn"])), *_moment(position)]
    return shlex.join(words)


def _moment(position: Any) -> list[str]:
    """The words that name a decision of a hand to ``spadesim show``."""
    phase = int(position["phase"])
    if phase == PLAYING:
        return ["--trick", str(int(position["trick_no"]) + 1)]
    if phase == KEEPING:
        return ["--draw", str(int(position["n_drawn"]) // int(position["n_players"]) + 1)]
    return {BIDDING: ["--bid"], DECLARING: ["--declare"], EXCHANGING: ["--exchange"]}[phase]


def _illegal(view: Any, answer: int) -> str:
    legal = _CHOICES[int(view["phase"])]
    return f"{answer_text(view, answer)}, legal {legal}: {legal_text(view)}"


def _check_untouched(strategy: Strategy, seen: Seen) -> Check:
    """Neither the view nor the parameters are written to."""
    views, rows = seen.views.copy(), strategy.rows
    answers_to(strategy, views, rows)
    name, problem = "view and parameters untouched", ""
    changed = _different(views, seen.views)
    if changed.size:
        k = int(changed[0])
        fields = [
            name for name in seen.views.dtype.names or () if np.any(views[k][name] != seen.views[k][name])
        ]
        return _broken(name, len(views), f"wrote to {', '.join(fields)} of its view", strategy, seen, k)
    if not np.array_equal(rows, strategy.rows):
        problem = "wrote to its parameters p."
    return Check(name, len(views), problem)


def _different(some: Views, others: Views) -> Any:
    rows = [np.frombuffer(views.tobytes(), np.uint8).reshape(len(views), -1) for views in (some, others)]
    return np.flatnonzero(np.any(rows[0] != rows[1], axis=1))


def _check_same_answer(strategy: Strategy, seen: Seen) -> Check:
    """The same view gets the same answer, in any order."""
    backwards = answers_to(strategy, np.ascontiguousarray(seen.views[::-1]))[::-1]
    return _alike("same view, same answer", strategy, seen, backwards, "the next time")


def _alike(name: str, strategy: Strategy, seen: Seen, answers: Any, when: str) -> Check:
    differs = np.flatnonzero(answers != seen.answers)
    if not differs.size:
        return Check(name, len(seen.views), "")
    k = int(differs[0])
    first, other = (answer_text(seen.views[k], int(them[k])) for them in (seen.answers, answers))
    return _broken(name, len(seen.views), f"{first}, but {when} {other}", strategy, seen, k)


def _check_hidden_cards(strategy: Strategy, seen: Seen) -> Check:
    """Cards that the seat cannot see never change its answer."""
    answers = answers_to(strategy, redealt(seen, 0))
    return _alike(
        "hidden cards make no difference", strategy, seen, answers, "with the hidden cards dealt anew"
    )


def _check_memory(strategy: Strategy, seen: Seen) -> Check:
    """With MEMORY = False, cards of earlier tricks never change its answer."""
    answers = answers_to(strategy, _forgotten(seen.views))
    when = "with other cards in the earlier tricks"
    return _alike("earlier tricks make no difference (MEMORY = False)", strategy, seen, answers, when)


def _forgotten(views: Views) -> Views:
    """The same decisions after earlier tricks of other cards, won by the same seats, with other voids."""
    random = np.random.default_rng(SEED)
    others = views.copy()
    for view in others:
        n = int(view["trick_no"] * view["n_players"])
        on_table = sum(1 << int(card) for card in view["trick"] if card >= 0)
        pool = int(view["rules"]["deck"]) & ~int(view["hand"]) & ~on_table & ~int(view["discards"])
        cards = random.permutation([card for card in range(63) if pool >> card & 1])[:n]
        view["history"][:n] = cards
        view["played"] = on_table | sum(1 << int(card) for card in cards)
        in_trick = (view["trick"] >= 0) & (np.minimum(view["trick"] // 13, 3) != view["led_suit"])
        shown_now = np.where(in_trick, 1 << max(int(view["led_suit"]), 0), 0)
        view["voids"] = (random.integers(0, 16, 4) if n else 0) | shown_now
    return others


def _check_reduced(strategy: Strategy, seen: Seen) -> Check:
    """With its card taken out of `legal`, it plays another legal one; only the play promises as much."""
    chosen = np.int64(1) << seen.answers
    picked = (seen.views["phase"] == PLAYING) & (seen.views["legal"] != chosen)
    views = seen.views[picked].copy()
    views["legal"] &= ~chosen[picked]
    name = "obeys a reduced legal"
    answers = answers_to(strategy, views)
    wrong = np.flatnonzero(~are_legal(views, answers))
    if not wrong.size:
        return Check(name, len(views), "")
    k = int(wrong[0])
    what = f"with a card taken out of legal, {_illegal(views[k], int(answers[k]))}"
    return _broken(name, len(views), what, strategy, seen, int(np.flatnonzero(picked)[k]))


def _check_dimmed(strategy: Strategy, seen: Seen) -> Check:
    """A bot that forgets all cards, sees no bags and must not bid nil plays on legally."""
    name, most = "legal with every weakness", np.zeros(N_WEAKNESSES)
    most[[FORGET, BLIND_TO_BAGS, AFRAID_OF_NIL]] = 1.0
    picked = np.flatnonzero(seen.views["phase"] != DECLARING)  # a bot afraid of nil is not asked
    views = dimmed(seen.views[picked], most)
    try:
        answers = answers_to(strategy, views)
    except Exception as error:  # whatever a user's bot raises
        what = f"raised {type(error).__name__}: {error}, with earlier tricks forgotten"
        return Check(name, len(views), what, is_advice=True)
    wrong = np.flatnonzero(~are_legal(views, answers))
    if not wrong.size:
        return Check(name, len(views), "", is_advice=True)
    k = int(wrong[0])
    what = f"as one that forgets, sees no bags and is afraid of nil, {_illegal(views[k], int(answers[k]))}"
    return replace(_broken(name, len(views), what, strategy, seen, int(picked[k])), is_advice=True)


def _check_interpreted(strategy: Strategy, seen: Seen) -> Check:
    """It answers the same without the compiler."""
    most = N_INTERPRETED if strategy.model is None else max(1, N_INTERPRETED // SLOWER)
    step = max(1, len(seen.views) // most)
    some = seen.part(slice(None, None, step))
    name = "interpreted as compiled"
    try:
        answers = interpreted_answers(strategy, some.views)
    except UserError as error:
        return Check(name, len(some.views), f"without the compiler: {error}")
    wrong = np.flatnonzero(answers == NOT_AN_INT)
    if wrong.size:
        function = BY_PHASE[int(some.views[wrong[0]]["phase"])]
        return Check(
            name, len(some.views), f"without the compiler `{function}` returns something that is no int."
        )
    return _alike(name, strategy, some, answers, "without the compiler")


def _check_nil_with_ace(strategy: Strategy, seen: Seen) -> Check:
    """No nil with the ace of spades."""
    views = seen.views[seen.views["phase"] == BIDDING].copy()
    hand = views["hand"]
    lacks = (hand >> ACE_OF_SPADES) & 1 == 0
    views["hand"] = np.where(lacks, hand & (hand - 1) | np.int64(1) << ACE_OF_SPADES, hand)
    return _no_nil(strategy, views, "no nil with the ace of spades")


def _check_nil_after_nil(strategy: Strategy, seen: Seen) -> Check:
    """No nil after the partner's nil."""
    views = seen.views[(seen.views["phase"] == BIDDING) & (seen.views["partner"] != NOT_YET)].copy()
    rows = np.arange(len(views))
    views = views[views["bids"][rows, views["partner"]] != NOT_YET]
    views["bids"][np.arange(len(views)), views["partner"]] = 0
    return _no_nil(strategy, views, "no nil after the partner's nil")


def _no_nil(strategy: Strategy, views: Views, name: str) -> Check:
    """Whether none of the bids is a nil; where the rules have no nil, a bid of 0 is none."""
    views = np.ascontiguousarray(views[views["rules"]["nil_allowed"] == 1])
    nils = np.flatnonzero(answers_to(strategy, views) == 0)
    problem = f"bid nil, when {view_text(views[nils[0]])}." if nils.size else ""
    return Check(name, len(views), problem, is_advice=True)
