"""The rules of a game in plain words, made from its options, with worked examples that the engine scores."""

from collections.abc import Callable
from dataclasses import dataclass

from spadesim.core.rules import OPTIONS, Rules
from spadesim.rulebook.worth import bags_result, end_of, plural, points, result_of

NUMBER_WORDS = {2: "Two", 3: "Three", 4: "Four"}

SUMMARIES = {
    "pata": "Pagat's usual rules with a floor of −200, so that every game ends soon; the default",
    "patalupaus": "as Finnish apps play: a failed nil's tricks help the partner, the first bid goes round",
    "classic": "as at Finnish tables: bags fall back to 0 after a penalty, a failed nil's tricks help",
    "canonical": "the usual rules as Pagat, the home page of card games, has them",
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


def _pairs(rules: Rules) -> bool:
    return rules.teams == "partners"


def _side(rules: Rules) -> str:
    return "pair" if _pairs(rules) else "player"


def _table(rules: Rules) -> str:
    who = NUMBER_WORDS[rules.players]
    if _pairs(rules):
        return f"{who} players in two pairs: seats 0 and 2 play together against seats 1 and 3."
    seats = ", ".join(map(str, range(rules.players)))
    return f"{who} players, everybody alone: each seat ({seats}) has its own contract, bags and score."


def _cards(rules: Rules) -> str:
    pack = "all 52 cards" if rules.deck == "std52" else "51 cards, the two of clubs left out"
    if rules.deal == "packet26":
        return f"Everybody is dealt {rules.hand_size} of the {pack[4:]}; the other 26 stay unused and unseen."
    size = rules.hand_size
    return f"The pack, {pack}, is dealt out: {size} cards each, so a hand has {size} tricks."


def _dealer(rules: Rules) -> str:
    first = {
        "random": "A random seat",
        "high_card": "Each player draws a card and the highest, which any seat is equally likely to draw,",
        "fixed": "Seat 0",
    }[rules.first_dealer]
    if rules.start_role == "rotating_first_bidder":
        how = {
            "random": "a random seat",
            "high_card": "the seat that draws the highest card, any one equally likely,",
            "fixed": "seat 0",
        }[rules.first_dealer]
        return (
            f"In the first hand {how} bids first and leads to the first trick; "
            "in every later hand the next seat clockwise does."
        )
    who = {"dealer_left": "The seat after the dealer", "dealer": "The dealer"}[rules.start_role]
    return (
        f"{first} deals first, then the next seat clockwise. {who} bids first and leads to the first trick."
    )


def _bids(rules: Rules) -> str:
    low = "0, which is a nil (a promise to win no trick), or " if rules.nil_allowed else ""
    together = " The bids of partners are added up: that is the pair's contract." if _pairs(rules) else ""
    no_nil = "" if rules.nil_allowed else " There is no nil."
    return (
        f"Everybody bids once, in turn clockwise: {low}a number of tricks from 1 to {rules.hand_size}."
        f"{no_nil}{together}"
    )


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
    return [(total + 1) // 2, total // 2] if _pairs(rules) else [total]


def _contract(rules: Rules) -> str:
    side, each = _side(rules), plural(rules.trick_value, "point")
    made = result_of(rules, _split(rules, 5), _split(rules, 5))
    missed = result_of(rules, _split(rules, 5), _split(rules, 4))
    return (
        f"A {side} that wins at least the tricks it bid scores {each} for each trick bid ({made}); with "
        f"fewer it is set and loses as much ({missed})."
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
    made = result_of(rules, *(([0, 4], [0, 4]) if _pairs(rules) else ([0], [0])))
    also = " besides what the partner's bid brings" if _pairs(rules) else ""
    return (
        f"A nil that wins no trick scores {plural(rules.nil_value, 'point')}{also} ({made}); one that "
        f"wins a trick loses {plural(rules.nil_penalty, 'point')}, however many it wins."
    )


def _failed_nil(rules: Rules) -> str:
    if not rules.nil_allowed:
        return ""
    what = {
        "bags": "are bags, each of them, and do not help the contract",
        "help": "count for the contract of its side, and above it are bags",
        "ignore": "count for nothing",
    }[rules.failed_nil_tricks]
    example = result_of(rules, *(([0, 4], [2, 3]) if _pairs(rules) else ([0], [2])))
    return f"The tricks of a failed nil {what} ({example})."


def _bags(rules: Rules) -> str:
    if rules.bag_limit == 0:
        return "Bags are counted, but however many there are, they cost no penalty."
    limit, side = rules.bag_limit, _side(rules)
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
    side, target = _side(rules), rules.target
    exactly = end_of(rules, [target, max(target - 100, 0)])
    return f"The game ends after the hand in which a {side} has {what} {points(target)} points ({exactly})."


def _floor(rules: Rules) -> str:
    if rules.floor is None:
        return "However low a score falls, it does not end the game."
    what = "fallen to" if rules.floor_inclusive else "fallen below"
    example = end_of(rules, [rules.floor, min(30, rules.target // 2)])
    return f"It ends, too, when a {_side(rules)} has {what} {points(rules.floor)} ({example})."


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
    Topic("The table", ("players", "teams"), _table),
    Topic("The table", ("deck", "deal", "players"), _cards),
    Topic("The table", ("first_dealer", "start_role"), _dealer),
    Topic("Bidding", ("nil_allowed",), _bids),
    Topic("Play", (), _trumps),
    Topic("Play", (), _follow),
    Topic("Play", ("spade_lead", "break_on"), _spade_lead),
    Topic("Points", ("trick_value",), _contract),
    Topic("Points", ("overtrick_value",), _overtricks),
    Topic("Points", ("nil_allowed", "nil_value", "nil_penalty"), _nil),
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
