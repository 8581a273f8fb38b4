"""What bots answer to a worked example: asked in the situation that it describes."""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from spadesim.core.trick import beats
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEPING, is_legal, new_view
from spadesim.errors import UserError
from spadesim.notation import card_text, cards_in, cards_text, mask_of
from spadesim.rulebook.examples import Example
from spadesim.rulebook.fields import Later
from spadesim.rulebook.given import SEED, Answer, by_four, engine, first_dealer_for, rules_of
from spadesim.rulebook.nodes import Mistake
from spadesim.rulebook.situations import asked_before, bidding, playing
from spadesim.rulebook.standing import Situation, views
from spadesim.strategy import Strategy, load_strategy
from spadesim.strategy.ask import Views, answers_to
from spadesim.strategy.load import check_asked, lacking
from spadesim.strategy.show import legal_text

Announce = Callable[[str], None]


class Bots:
    """The bots that examples name, each loaded once.

    Parameters
    ----------
    announce : function of str, optional
        Called with a bot's name before it is compiled for the first time.
    only : list of str, optional
        Bots to ask in place of those that the examples name.
    """

    def __init__(self, announce: Announce | None = None, only: Sequence[str] | None = None) -> None:
        self._announce = announce
        self.only = only
        self._loaded: dict[str, Strategy] = {}

    def load(self, spec: str) -> Strategy:
        """The bot that a spec names."""
        if spec not in self._loaded:
            self._loaded[spec] = load_strategy(spec, self._announce)
        return self._loaded[spec]

    def able(self, spec: str, example: Example) -> bool:
        """Whether a bot has all functions that the example's table asks for."""
        return not lacking(self.load(spec).functions, rules_of(example))

    def of(self, example: Example) -> list[tuple[str, Strategy]]:
        """The bots that an example names, as it names them, or those asked in their place that can play.

        Raises
        ------
        Mistake
            One that cannot be loaded.
        Later
            One that does not have the parameter that the example asks for.
        """
        if self.only is not None:
            return [(spec, self.load(spec)) for spec in self.only if self.able(spec, example)]
        found = []
        for spec, line in _named(example):
            try:
                bot = self._with_zero(example, spec)
                check_asked(bot, rules_of(example))
                found.append((spec, bot))
            except UserError as error:
                raise Mistake(line, str(error)) from None
        return found

    def _with_zero(self, example: Example, spec: str) -> Strategy:
        strategy, zero = self.load(spec), example.given.get("easy_zero")
        if zero is None:
            return strategy
        if not any(entry.name == "easy_zero" for entry in strategy.parameters):
            raise Later(f"the parameter easy_zero of the bot {strategy.name}")
        return self.load(f"{spec}{',' if ':' in spec else ':'}easy_zero={zero}")


def _named(example: Example) -> list[tuple[str, int]]:
    """The bots of an example, those without the skill last, and the lines that name them."""
    name = "given.levels" if "levels" in example.given else "given.bot"
    specs, node = example.given.get("levels") or [example.given["bot"]], example.nodes[name]
    lines = [member.line for member in node.value] if isinstance(node.value, list) else [node.line]
    return [
        *zip(specs, lines, strict=True),
        *((bot, example.line_of(f"instead.{bot}")) for bot in example.instead),
    ]


SHOWN: Mapping[str, tuple[Callable[[int], str], str]] = {
    "card": (card_text, "plays"),
    "keep": (lambda answer: "keep" if answer else "not to keep", "decides"),
    "declare": (lambda answer: "a blind nil" if answer else "none", "declares"),
    "give": (cards_text, "gives"),
}


def answer_bid(example: Example, bots: Bots) -> list[Answer]:
    """What every bot bids in a situation."""
    now = bidding(example)
    seen = views(example, now)
    _check_expected(example, int(seen[0]["legal"]), "bid")
    return [_answer(spec, bot, seen, "bid") for spec, bot in bots.of(example)]


def answer_play(example: Example, bots: Bots) -> list[Answer]:
    """What every bot plays in a situation, and whether that is winning the trick so far."""
    now = playing(example)
    seen = views(example, now)
    _check_expected(example, int(seen[0]["legal"]), "card")
    _check_must(example, now, seen[0])
    return [_with_outcome(_answer(spec, bot, seen, "card"), seen[0]) for spec, bot in bots.of(example)]


def answer_keep(example: Example, bots: Bots) -> list[Answer]:
    """Whether every bot keeps the card that the draw offers."""
    return _answers_before(example, bots, KEEPING, "keep")


def answer_blind(example: Example, bots: Bots) -> list[Answer]:
    """Whether every bot declares a blind nil before it draws."""
    return _answers_before(example, bots, DECLARING, "declare")


def answer_exchange(example: Example, bots: Bots) -> list[Answer]:
    """Which cards every bot exchanges for its blind nil."""
    return _answers_before(example, bots, EXCHANGING, "give")


def _answers_before(example: Example, bots: Bots, asked: int, what: str) -> list[Answer]:
    seen = views(example, asked_before(example, asked))
    return [_answer(spec, bot, seen, what) for spec, bot in bots.of(example)]


def _answer(spec: str, bot: Strategy, seen: Views, what: str) -> Answer:
    """The one answer of a bot to many views, or what is wrong with its answers."""
    shown, verb = SHOWN.get(what, (str, "bids"))
    try:
        answers = [int(answer) for answer in answers_to(bot, seen)]
    except Exception as error:  # whatever a user's bot raises
        return Answer({}, spec, f"raises {type(error).__name__}: {' '.join(str(error).split())}")
    for answer in dict.fromkeys(answers):
        if not is_legal(seen[0], answer):
            return Answer(
                {}, spec, f"{verb} {shown(answer)}, which is not legal; legal: {legal_text(seen[0])}"
            )
    found = [{what: bool(each) if what in ("keep", "declare") else each} for each in dict.fromkeys(answers)]
    if len(found) == 1:
        return Answer(found[0], spec)
    first, second = map(shown, list(dict.fromkeys(answers))[:2])
    varies = f"{verb} {first}, but with other cards where the example leaves them open {second}"
    return Answer(found[0], spec, others=tuple(found[1:]), varies=varies)


def _with_outcome(answer: Answer, view: Any) -> Answer:
    def whole(found: dict[str, Any]) -> dict[str, Any]:
        wins = view["n_in_trick"] == 0 or bool(beats(found["card"], int(view["best_card"])))
        return {**found, "card_must": "win" if wins else "lose"}

    if answer.trouble:
        return answer
    return replace(answer, found=whole(answer.found), others=tuple(map(whole, answer.others)))


def _check_expected(example: Example, legal: int, what: str) -> None:
    """Refuse an expectation that no bot can meet."""
    for name in (what, f"{what}_in"):
        if name not in example.expect:
            continue
        wanted = example.expect[name]
        for choice in wanted if isinstance(wanted, list) else [wanted]:
            if not legal >> choice & 1:
                shown = card_text(choice) if what == "card" else choice
                right = _choices(legal, what)
                raise example.mistake(f"expect.{name}", f"{shown} is not legal there; legal: {right}.")


def _choices(legal: int, what: str) -> str:
    if what == "card":
        return " ".join(map(card_text, cards_in(legal)))
    return " ".join(str(bid) for bid in range(63) if legal >> bid & 1)


def _check_must(example: Example, now: Situation, view: Any) -> None:
    must = example.expect.get("card_must")
    if must is None:
        return
    if not now.trick:
        raise example.mistake("expect.card_must", "card_must needs a trick with cards in it.")
    winning = [bool(beats(card, int(view["best_card"]))) for card in cards_in(int(view["legal"]))]
    if (must == "win") not in winning:
        raise example.mistake("expect.card_must", f"no legal card would {must} there.")


def answer_table(example: Example, bots: Bots) -> list[Answer]:
    """What four bots of a kind bid with a deal, seat 0 first."""
    rules = rules_of(example)
    if rules.players != 4 or rules.teams != "partners":
        raise Later("bots at other tables than four players with partners")
    [(spec, bot)] = bots.of(example)
    deal = example.given["deal"]
    position, view = engine.new_position(rules), new_view()
    engine.start_game(position, SEED, 0)
    position["dealer"] = first_dealer_for(rules, 0)
    hands = [mask_of(list(range(seat, 52, 4))) for seat in range(4)] if deal == "round_robin" else deal
    engine.deal_hands(position, by_four(hands))
    while engine.advance(position) == BIDDING:
        engine.fill_view(position, int(position["turn"]), view)
        seen = np.array([view])
        seen["serial"] = 0
        answer = _answer(spec, bot, seen, "bid")
        if answer.trouble or answer.varies:
            return [replace(answer, trouble=answer.trouble or answer.varies)]
        engine.apply_bid(position, answer.found["bid"])
    return [Answer({"bids": position["bids"].tolist()}, spec)]


BOT_ANSWERS: Mapping[str, Callable[[Example, Bots], list[Answer]]] = {
    "ai_bid": answer_bid,
    "ai_table": answer_table,
    "ai_play": answer_play,
    "tip_bid": answer_bid,
    "tip_play": answer_play,
    "tip_keep": answer_keep,
    "tip_blind": answer_blind,
    "tip_exchange": answer_exchange,
}
