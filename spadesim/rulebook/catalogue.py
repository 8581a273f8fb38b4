"""Situations of bots as a page to read: by skill, each hand drawn, and which bots do what is right."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from spadesim.notation import SEAT_NAMES, card_text, cards_in
from spadesim.rulebook.examples import Example
from spadesim.rulebook.fields import BLIND, NOT_MADE
from spadesim.rulebook.given import rules_of
from spadesim.rulebook.kinds import KINDS
from spadesim.rulebook.skills import right_text, skill_of

BOTS = ("easy", "medium", "hard", "pata_easy", "pata_normal", "pata_hard", "yardstick")
SUITS = (("♠", 3), ("♥", 2), ("♦", 1), ("♣", 0))
VERBS = {"bid": "bid", "card": "play", "keep": "answer", "declare": "answer", "give": "give"}
WORDS = {"keep": ("pass it up", "keep it"), "declare": ("no double nil", "a double nil")}


def catalogue(examples: Sequence[Example], lacks: Sequence[tuple[str, str]] = (("medium", "hard"),)) -> str:
    """Situations as Markdown, without a title: a table of skills, what bots lack, and every situation.

    Parameters
    ----------
    examples : sequence of Example
        Situations, those of a skill one after the other.
    lacks : sequence of (str, str)
        Pairs of bots: what the first lacks that the second has becomes a section.
    """
    parts = ["## Which bot has which skill", _table(examples)]
    parts += [part for worse, better in lacks for part in _lacking(examples, worse, better)]
    for skill, group in groupby(examples, skill_of):
        parts.append(f"## {skill[0].upper()}{skill[1:]}")
        parts += [_situation(example) for example in group]
    return "\n\n".join(parts) + "\n"


def _table(examples: Sequence[Example]) -> str:
    rows = [f"| skill | {' | '.join(f'`{bot}`' for bot in BOTS)} |", "|---" * (len(BOTS) + 1) + "|"]
    for skill, group in groupby(examples, skill_of):
        asked = list(group)
        anchor = skill.replace(",", "").replace("'", "").replace(" ", "-")
        cells = [_share(asked, bot) for bot in BOTS]
        rows.append(f"| [{skill}](#{anchor}) | {' | '.join(cells)} |")
    rows.append(f"| all | {' | '.join(_share(examples, bot) for bot in BOTS)} |")
    return "\n".join(rows)


def _share(examples: Sequence[Example], bot: str) -> str:
    met = sum(bot in example.given["levels"] for example in examples)
    n = met + sum(bot in example.instead for example in examples)
    return "–" if n == 0 else f"**{met}** of {n}" if met == n else f"{met} of {n}"


def _lacking(examples: Sequence[Example], worse: str, better: str) -> Iterator[str]:
    yield f"## What {worse} lacks"
    found = [each for each in examples if worse in each.instead and better in each.given["levels"]]
    yield f"`{better}` meets these {len(found)} situations, `{worse}` does not:"
    rows = [f"| skill | situation | right | `{worse}` |", "|---|---|---|---|"]
    for example in found:
        link = f"[{example.name}](#{_anchor(example)})"
        right, other = _right(example), _answer(example, example.instead[worse])
        rows.append(f"| {skill_of(example)} | {link} | {right} | {other} |")
    yield "\n".join(rows)


def _anchor(example: Example) -> str:
    kept = "".join(sign for sign in f"{example.id}: {example.name}".lower() if sign.isalnum() or sign in " -")
    return kept.replace(" ", "-")


def _situation(example: Example) -> str:
    lines = list(_position(example))
    width = max(len(label) for label, _ in lines)
    drawn = "\n".join(f"{label:{width}}  {text}" for label, text in lines)
    return (
        f"### {example.id}: {example.name}\n\n{example.note}\n\n```text\n{drawn}\n```\n\n{_who_does(example)}"
    )


def _who_does(example: Example) -> str:
    verb, levels = VERBS[KINDS[example.kind].answer], example.given["levels"]
    text = f"Right: **{_right(example)}**, by {_bots(levels)}."
    others: dict[str, list[str]] = {}
    for bot, answer in example.instead.items():
        others.setdefault(_answer(example, answer), []).append(bot)
    parts = [f"{_bots(bots)} {verb if len(bots) > 1 else f'{verb}s'} {what}" for what, bots in others.items()]
    return f"{text} {'; '.join(parts)}." if parts else text


def _bots(bots: Sequence[str]) -> str:
    return ", ".join(f"`{bot}`" for bot in bots)


def _right(example: Example) -> str:
    about = KINDS[example.kind].answer
    return _answer(example, example.expect[about]) if about in WORDS else right_text(example)


def _answer(example: Example, answer: Any) -> str:
    about = KINDS[example.kind].answer
    if about in WORDS:
        return WORDS[about][bool(answer)]
    if about == "give":
        return " ".join(map(card_text, cards_in(answer))) or "nothing"
    return KINDS[example.kind].expect[about].text(answer)


# The position


def _position(example: Example) -> Iterator[tuple[str, str]]:
    given, rules = example.given, rules_of(example)
    names = ("you", "opponent") if rules.players == 2 else SEAT_NAMES[: rules.players]
    if example.preset != "pata":
        yield "rules", str(rules)
    if "hand" in given:
        yield "hand", hand_drawn(given["hand"])
    if "offered" in given:
        yield "offered", card_text(given["offered"])
    if given.get("discards"):
        yield "discards", hand_drawn(given["discards"])
    for leader, cards, _ in given.get("played", []):
        yield "played", _trick(names, leader, cards)
    if example.kind in ("tip_play", "ai_play"):
        trick = given.get("trick", [])
        leader = (given.get("seat", 0) - len(trick)) % rules.players
        yield "trick", _trick(names, leader, trick) or "yours to lead"
    if "bids" in given or example.kind == "tip_play":
        won = given.get("tricks_won")
        bids = [_bid(bid) for bid in given.get("bids", [3] * rules.players)]
        seats = zip(names, bids, won or [None] * rules.players, strict=True)
        yield (
            "bids",
            ", ".join(f"{name} {bid}" + (f" and won {n}" if n is not None else "") for name, bid, n in seats),
        )
    if given.get("blind"):
        yield "double nil", ", ".join(names[seat] for seat in given["blind"])
    for name, label in (("scores", "score"), ("bags", "bags")):
        if any(given.get(name, [])):
            yield label, " to ".join(map(str, given[name]))


def hand_drawn(mask: int) -> str:
    """A hand as players write it, spades first.

    >>> hand_drawn(1 << 51 | 1 << 48 | 1 << 3)
    '♠ A J  ♥ -  ♦ -  ♣ 5'
    """
    cards = cards_in(mask)
    suits = ((sign, [card_text(card)[0] for card in cards if card // 13 == suit]) for sign, suit in SUITS)
    return "  ".join(f"{sign} {' '.join(ranks) or '-'}" for sign, ranks in suits)


def _trick(names: Sequence[str], leader: int, cards: Sequence[int]) -> str:
    return ", ".join(f"{names[(leader + k) % len(names)]} {card_text(card)}" for k, card in enumerate(cards))


def _bid(bid: int) -> str:
    return {NOT_MADE: "–", BLIND: "double nil", 0: "nil"}.get(bid, str(bid))
