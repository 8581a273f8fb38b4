"""The rules of a game in plain words, made from its options, with worked examples that the engine scores."""

from collections.abc import Callable
from dataclasses import dataclass

from spadesim.core.rules import OPTIONS, Rules
from spadesim.rulebook.hands import (
    bids_words,
    blind_words,
    cards_words,
    draw_words,
    exchange_words,
    first_words,
    has_pairs,
    memory_words,
    side_word,
    table_words,
)
from spadesim.rulebook.worth import bags_result, end_of, plural, points, result_of

SUMMARIES = {
    "pata": "Pagat's usual rules with a floor of −200, so that every game ends soon; the default",
    "patalupaus": "as Finnish apps play: a failed nil's tricks help the partner, the first bid goes round",
    "classic": "as at Finnish tables: bags fall back to 0 after a penalty, a failed nil's tricks help",
    "canonical": "the usual rules as Pagat, the home page of card games, has them",
    "draw300": "two players draw their hands from a stock, as DKM Games has it; 300 points",
    "draw500": "two players draw, as The Spruce Crafts has it: a discard unseen, double nil; 500 points",
    "bicycle": "four players alone, as Bicycle has it: no nil, a set contract and bags cost nothing",
    "cutthroat3": "three players alone, 17 cards each, the other rules as Pagat has them",
}


@dataclass(frozen=True)
class Topic:
    """A part of the rules.

    Parameters
    ----------
    title : str
        The heading that it stands under; topics of one heading follow each other.
    options : tuple of str
        The options that its words are made from.
    words : function of Rules
        What the rules say about it: one sentence or a few, "" for nothing to be said.
    """

    title: str
    options: tuple[str, ...]
    words: Callable[[Rules], str]


@dataclass(frozen=True)
class Passage:
    """What some rules say about a topic."""

    title: str
    options: tuple[str, ...]
    text: str


def describe(rules: Rules) -> list[Passage]:
    """The rules in words, in the order in which one explains them at a table."""
    passages = [Passage(topic.title, topic.options, topic.words(rules)) for topic in TOPICS]
    return [passage for passage in passages if passage.text]


def _trumps(rules: Rules) -> str:
    return (
        "Spades are trumps: the highest spade takes the trick, and without a spade the highest card of the "
        "suit led. The ace is high, the two low. The winner of a trick leads to the next."
    )


def _follow(rules: Rules) -> str:
    return "Follow suit if you can; if you cannot, play any card, spades included."


def _spade_lead(rules: Rules) -> str:
    if rules.spade_lead == "anytime":
        return "Spades may be led at any time."
    what = {
        "any_spade": "any spade that is played, including one led by a player who had nothing else",
        "offsuit_only": "a spade played to a trick in which another suit was led, and nothing else",
    }[rules.break_on]
    return (
        "A spade may be led only after spades are broken, or from a hand that holds nothing but spades. "
        f"What breaks them: {what}."
    )


def _split(rules: Rules, total: int) -> list[int]:
    """A number for each seat of a side: halves for a pair, the whole for a player alone."""
    return [(total + 1) // 2, total // 2] if has_pairs(rules) else [total]


def _contract(rules: Rules) -> str:
    side, each = side_word(rules), plural(rules.trick_value, "point")
    made = result_of(rules, _split(rules, 5), _split(rules, 5))
    missed = result_of(rules, _split(rules, 5), _split(rules, 4 if rules.set_mode == "bid" else 3))
    loses = {
        "bid": "and loses as much",
        "zero": "and scores nothing for it",
        "shortfall": f"and loses {each} for each trick missing",
    }[rules.set_mode]
    return (
        f"A {side} that wins at least the tricks it bid scores {each} for each trick bid ({made}); with "
        f"fewer it is set {loses} ({missed})."
    )


def _overtricks(rules: Rules) -> str:
    worth = (
        "and is worth nothing by itself"
        if rules.overtrick_value == 0
        else f"worth {plural(rules.overtrick_value, 'point')}"
    )
    example = result_of(rules, _split(rules, 5), _split(rules, 7))
    return f"Each trick above the contract is a bag, {worth} ({example})."


def _nil(rules: Rules) -> str:
    if not rules.nil_allowed:
        return ""
    made = result_of(rules, *(([0, 4], [0, 4]) if has_pairs(rules) else ([0], [0])))
    also = " besides what the partner's bid brings" if has_pairs(rules) else ""
    return (
        f"A nil that wins no trick scores {plural(rules.nil_value, 'point')}{also} ({made}); one that "
        f"wins a trick loses {plural(rules.nil_penalty, 'point')}, however many it wins."
    )


def _blind_nil(rules: Rules) -> str:
    if rules.blind_nil == "off":
        return ""
    hand, lost = ([0, 4], [1, 4]) if has_pairs(rules) else ([0], [1])
    made = result_of(rules, hand, [0, *hand[1:]], is_blind=True)
    failed = result_of(rules, hand, lost, is_blind=True)
    return (
        f"A blind nil scores {plural(rules.blind_nil_value, 'point')} if it wins no trick ({made}), and "
        f"loses {plural(rules.blind_nil_penalty, 'point')} if it does ({failed})."
    )


def _failed_nil(rules: Rules) -> str:
    if not rules.nil_allowed:
        return ""
    what = {
        "bags": "are bags, each of them, and do not help the contract",
        "help": "count for the contract of its side, and above it are bags",
        "ignore": "count for nothing",
    }[rules.failed_nil_tricks]
    if not has_pairs(rules) and rules.failed_nil_tricks != "ignore":
        what = "are bags, each of them"
    example = result_of(rules, *(([0, 4], [2, 3]) if has_pairs(rules) else ([0], [2])))
    return f"The tricks of a failed nil {what} ({example})."


def _bags(rules: Rules) -> str:
    if rules.bag_limit == 0:
        return "Bags are counted, but however many there are, they cost no penalty."
    limit, side = rules.bag_limit, side_word(rules)
    bags = "every bag" if limit == 1 else f"{limit} bags"
    what = f"A {side} loses {plural(rules.bag_penalty, 'point')} for {bags}, at once at the end of the hand"
    rest = {
        "carry": "extra bags carry over, and one hand may bring several penalties",
        "reset": "the count falls back to 0, the bags above are lost, and one hand costs one penalty at most",
    }[rules.bag_rollover]
    example = bags_result(rules, _split(rules, 5), _split(rules, 7), limit - 1)
    return f"{what}; {rest} ({example})."


def _boston(rules: Rules) -> str:
    if rules.boston_bonus == 0:
        return "Winning every trick of a hand, a Boston, brings no points of its own."
    size = rules.hand_size
    example = result_of(rules, _split(rules, 10), _split(rules, size))
    bonus = plural(rules.boston_bonus, "point")
    return f"Winning every trick of a hand, a Boston, scores {bonus} more ({example})."


def _target(rules: Rules) -> str:
    what = "reached" if rules.target_inclusive else "passed"
    side, target = side_word(rules), rules.target
    exactly = end_of(rules, [target, max(target - 100, 0)])
    return f"The game ends after the hand in which a {side} has {what} {plural(target, 'point')} ({exactly})."


def _floor(rules: Rules) -> str:
    if rules.floor is None:
        return "However low a score falls, it does not end the game."
    what = "fallen to" if rules.floor_inclusive else "fallen below"
    example = end_of(rules, [rules.floor, min(30, rules.target // 2)])
    return f"It ends, too, when a {side_word(rules)} has {what} {points(rules.floor)} ({example})."


def _winner(rules: Rules) -> str:
    both = end_of(rules, [rules.target + 20, rules.target + 50])
    return f"The highest score wins, whoever brought the end about ({both})."


def _tie(rules: Rules) -> str:
    example = end_of(rules, [rules.target + 5] * 2)
    level = f"When the best scores are level at the end, another hand is played ({example})"
    then = {
        "extra_hand": "and the end is tested again after it as after any hand",
        "extra_hand_decides": "and the best score after it wins, wherever it stands",
    }[rules.tie]
    below = [rules.target - 1, rules.target - 2]
    if rules.target < 2:
        return f"{level}, {then}."
    return f"{level}, {then} ({end_of(rules, below, in_tiebreak=True)})."


def _max_hands(rules: Rules) -> str:
    if rules.max_hands == 0:
        return "There is no limit on the number of hands."
    n = rules.max_hands
    return (
        f"After {plural(n, 'hand')} the best score wins in any case, and level best scores are a draw "
        f"({end_of(rules, [10, 0], hands=n)}, {end_of(rules, [10, 10], hands=n)})."
    )


TOPICS = (
    Topic("The table", ("players", "teams"), table_words),
    Topic("The table", ("deck", "deal", "players"), cards_words),
    Topic("The table", ("draw_second_seen", "deal"), draw_words),
    Topic("The table", ("bot_memory", "deal"), memory_words),
    Topic("The table", ("first_dealer", "start_role"), first_words),
    Topic("Bidding", ("blind_nil", "blind_nil_deficit"), blind_words),
    Topic("Bidding", ("blind_nil_exchange", "exchange_with", "blind_nil"), exchange_words),
    Topic("Bidding", ("nil_allowed", "min_bid"), bids_words),
    Topic("Play", (), _trumps),
    Topic("Play", (), _follow),
    Topic("Play", ("spade_lead", "break_on"), _spade_lead),
    Topic("Points", ("trick_value", "set_mode"), _contract),
    Topic("Points", ("overtrick_value",), _overtricks),
    Topic("Points", ("nil_allowed", "nil_value", "nil_penalty"), _nil),
    Topic("Points", ("blind_nil", "blind_nil_value", "blind_nil_penalty"), _blind_nil),
    Topic("Points", ("failed_nil_tricks", "nil_allowed"), _failed_nil),
    Topic("Points", ("boston_bonus",), _boston),
    Topic("Bags", ("bag_limit", "bag_penalty", "bag_rollover"), _bags),
    Topic("The end", ("target", "target_inclusive"), _target),
    Topic("The end", ("floor", "floor_inclusive"), _floor),
    Topic("The end", (), _winner),
    Topic("The end", ("tie",), _tie),
    Topic("The end", ("max_hands",), _max_hands),
)


def changes_from(rules: Rules, base: Rules) -> dict[str, int | bool | str | None]:
    """The options in which rules differ from others, with their values."""
    other = base.to_dict()
    return {name: value for name, value in rules.to_dict().items() if value != other[name]}


def unmentioned() -> set[str]:
    """The options that no topic speaks of."""
    return set(OPTIONS) - {name for topic in TOPICS for name in topic.options}
