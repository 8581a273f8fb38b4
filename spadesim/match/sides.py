"""How each side bid, bagged and played its nils, and each of its bots: from the tally of a run."""

from dataclasses import dataclass, fields
from typing import Any

from spadesim.core import tally as t
from spadesim.core.rules import Rules
from spadesim.stats.intervals import Estimate, wilson
from spadesim.stats.proportions import RatioSums, effective_size, proportion, ratio
from spadesim.strategy import Side, Strategy


@dataclass(frozen=True)
class BotStats:
    """One bot at its place in a side.

    Parameters
    ----------
    place : str
        "lower" or "higher" seat of the side; "single" where it plays alone.
    name, spec, digest, commit : str
        Which bot: its name, the spec that loads it again, 12 digits over its source, and the commit of an
        earlier revision ("" for the file as it is).
    hands : int
        Player-hands.
    mean_bid, mean_tricks : float or None
        Per hand.
    nil_attempts, nil_made : int
        Nils bid and made.
    covers, covers_made : int or None
        Hands in which its partner alone had bid nil, and in which that nil was made; None without partners.
    forced, free : int
        Decisions with one legal choice, and decisions that it was asked for.
    """

    place: str
    name: str
    spec: str
    digest: str
    commit: str
    hands: int
    mean_bid: float | None
    mean_tricks: float | None
    nil_attempts: int
    nil_made: int
    covers: int | None
    covers_made: int | None
    forced: int
    free: int


@dataclass(frozen=True)
class SideStats:
    """One side over all rooms of all units; a hand of a side is one hand of its two bots.

    At a table of single players it is one hand of one seat. What a table does not have is None, and so is an
    estimate that would divide by nothing.

    Parameters
    ----------
    name : str
        What the side is called.
    hands, contracts, sets, bags, bag_penalties : int
        Hands; contracts above 0; of these, not made; bags; bag penalties charged.
    nil_attempts, nil_made : int
        Nils bid and made.
    covers, covers_made : int or None
        Hands in which one partner alone had bid nil, and in which that nil was made.
    opponent_nils, opponent_nils_set : int or None
        Nils that the opponents bid, and that failed; None for three or four single players, who meet bots of
        their own name as well.
    bostons : int
        Hands in which the side won every trick.
    forced, free : int
        Decisions with one legal choice, which the engine makes, and decisions put to the bots.
    cards_offered, cards_kept : int or None
        First cards of the turns of a draw, and those of them that were kept.
    blind_attempts, blind_made : int or None
        Nils declared blind, and made; they are among the nils as well.
    mean_bid, bid_error, bags_per_hand, points_per_hand : Estimate or None
        Per hand: tricks bid (a nil as 0), tricks won minus tricks bid, bags, points (penalties included).
    bag_penalties_per_game : Estimate or None
        Per finished game of a side: of a seat, where everybody plays alone.
    set_rate, boston_rate : Estimate or None
        Shares of contracts not made, and of hands that were a Boston.
    nil_rate, nil_success, cover_success, opponent_nil_set_rate : Estimate or None
        Nils per hand of one bot; shares of nils made, of covered nils made, and of opponents' nils that
        failed.
    kept_rate, blind_rate, blind_success : Estimate or None
        Shares of first cards kept, of hands of one bot in which it declared a blind nil, and of blind nils
        made.
    bots : tuple of BotStats
        At the side's lower and at its higher seat; one at a table of single players.
    """

    name: str
    hands: int
    contracts: int
    sets: int
    bags: int
    bag_penalties: int
    nil_attempts: int
    nil_made: int
    covers: int | None
    covers_made: int | None
    opponent_nils: int | None
    opponent_nils_set: int | None
    bostons: int
    forced: int
    free: int
    cards_offered: int | None
    cards_kept: int | None
    blind_attempts: int | None
    blind_made: int | None
    mean_bid: Estimate | None
    bid_error: Estimate | None
    set_rate: Estimate | None
    bags_per_hand: Estimate | None
    bag_penalties_per_game: Estimate | None
    points_per_hand: Estimate | None
    nil_rate: Estimate | None
    nil_success: Estimate | None
    cover_success: Estimate | None
    opponent_nil_set_rate: Estimate | None
    boston_rate: Estimate | None
    kept_rate: Estimate | None
    blind_rate: Estimate | None
    blind_success: Estimate | None
    bots: tuple[BotStats, ...]

    def counts(self) -> dict[str, int | None]:
        """Every count by name, None for what the table does not have."""
        names = [field.name for field in fields(self) if field.name not in ("name", "bots", *ESTIMATES)]
        return {name: getattr(self, name) for name in names}

    def estimates(self) -> dict[str, Estimate | None]:
        """Every estimate by name, in the order of the fields."""
        return {name: getattr(self, name) for name in ESTIMATES}


PROPORTIONS = (
    *("set_rate", "nil_rate", "nil_success", "opponent_nil_set_rate", "boston_rate"),
    *("kept_rate", "blind_rate", "blind_success"),
)

ESTIMATES = tuple(
    name
    for name in (field.name for field in fields(SideStats))
    if name in t.RATIO_NAMES or name == "cover_success"
)

COUNTS = {
    "hands": t.HANDS,
    "contracts": t.CONTRACTS,
    "sets": t.SETS,
    "bags": t.BAGS,
    "bag_penalties": t.BAG_PENALTIES,
    "nil_attempts": t.NIL_BIDS,
    "nil_made": t.NIL_MADE,
    "bostons": t.BOSTONS,
    "forced": t.FORCED,
    "free": t.FREE,
}
COUNTS_OF_SOME = {
    "opponent_nils": t.OPPONENT_NIL_BIDS,
    "opponent_nils_set": t.OPPONENT_NIL_SET,
    "cards_offered": t.OFFERED,
    "cards_kept": t.KEPT,
    "blind_attempts": t.BLIND_BIDS,
    "blind_made": t.BLIND_MADE,
}
OF_OPPONENT = ("opponent_nils", "opponent_nils_set", "opponent_nil_set_rate")
OF_DRAW = ("cards_offered", "cards_kept", "kept_rate")
OF_BLIND = ("blind_attempts", "blind_made", "blind_rate", "blind_success")


def side_stats(tally: Any, side: int, bots: Side, rules: Rules) -> SideStats:
    """What the tally says of a side.

    Parameters
    ----------
    tally : TALLY record
    side : int, 0 for A, 1 for B
    bots : Side
    rules : Rules
        For the limits of what a hand can show.
    """
    has_partners = rules.teams == "partners"
    places = (("lower", bots.lower), ("higher", bots.higher)) if has_partners else (("single", bots.lower),)
    players = tuple(
        _bot_stats(tally["players"][2 * side + k], bot, place) for k, (place, bot) in enumerate(places)
    )
    nils = ratio_sums(tally, side, "nil_success")
    limits = ratio_limits(tally, rules)
    idle = idle_statistics(rules)
    values: dict[str, Any] = {
        name: None
        if name in idle
        else proportion(ratio_sums(tally, side, name))
        if name in PROPORTIONS
        else ratio(ratio_sums(tally, side, name), *limits[name])
        for name in t.RATIO_NAMES
    }
    counts = tally["sides"][side]
    values |= {name: int(counts[index]) for name, index in COUNTS.items()}
    values |= {name: None if name in idle else int(counts[index]) for name, index in COUNTS_OF_SOME.items()}
    return SideStats(name=bots.name, **values, **_covers(players, nils, has_partners), bots=players)


def idle_statistics(rules: Rules) -> tuple[str, ...]:
    """Names of the statistics that a table does not have."""
    opponents = () if rules.n_sides == 2 else OF_OPPONENT
    draw = () if rules.deal == "draw_keep" else OF_DRAW
    return (*opponents, *draw, *(() if has_blind(rules) else OF_BLIND))


def has_blind(rules: Rules) -> bool:
    """Whether nils may be declared before the cards are seen."""
    return rules.blind_nil != "off"


def _covers(players: tuple[BotStats, ...], nils: RatioSums, has_partners: bool) -> dict[str, Any]:
    """How a side's covered nils went; None where nobody has a partner."""
    if not has_partners:
        return dict.fromkeys(("covers", "covers_made", "cover_success"))
    covers, made = (sum(getattr(bot, name) for bot in players) for name in ("covers", "covers_made"))
    return {"covers": covers, "covers_made": made, "cover_success": _cover_success(covers, made, nils)}


def ratio_sums(tally: Any, side: int, name: str) -> RatioSums:
    """The sums over units of one of the tally's ratios, as exact Python integers."""
    num, den = t.RATIOS[name]
    counts, products = tally["sides"][side], tally["ratio_products"][side][t.RATIO_NAMES.index(name)]
    return RatioSums(int(tally["units"]), int(counts[num]), int(counts[den]), *(int(x) for x in products))


def ratio_limits(tally: Any, rules: Rules) -> dict[str, tuple[float, float]]:
    """The least and the greatest that a unit can show of each ratio that is no proportion."""
    tricks, own = rules.hand_size, _seats_a_side(rules)
    points = hand_points_limit(rules)
    periods = tricks // rules.bag_limit + 1 if rules.bag_limit else 0
    longest = max((n for n, count in enumerate(tally["lengths"]) if count), default=0)
    return {
        "mean_bid": (0, own * tricks),
        "bid_error": (-own * tricks, tricks),
        "bags_per_hand": (0, tricks),
        "bag_penalties_per_game": (0, periods * longest),
        "points_per_hand": (-points, points),
    }


def hand_points_limit(rules: Rules) -> int:
    """A bound on the points that a side can win or lose in one hand."""
    tricks, own = rules.hand_size, _seats_a_side(rules)
    contract = own * tricks * rules.trick_value
    nils = own * max(rules.nil_value, rules.nil_penalty)
    if has_blind(rules):
        nils = own * max(rules.nil_value, rules.nil_penalty, rules.blind_nil_value, rules.blind_nil_penalty)
    bags = tricks * abs(rules.overtrick_value)
    periods = tricks // rules.bag_limit + 1 if rules.bag_limit else 0
    return contract + nils + bags + rules.boston_bonus + periods * rules.bag_penalty


def _seats_a_side(rules: Rules) -> int:
    return rules.players // rules.n_sides


def _bot_stats(counts: Any, bot: Strategy, place: str) -> BotStats:
    hands = int(counts[t.P_HANDS])
    return BotStats(
        place=place,
        name=bot.name,
        spec=str(bot),
        digest=bot.digest,
        commit=bot.commit,
        hands=hands,
        mean_bid=int(counts[t.P_BID]) / hands if hands else None,
        mean_tricks=int(counts[t.P_TRICKS]) / hands if hands else None,
        nil_attempts=int(counts[t.P_NIL_BIDS]),
        nil_made=int(counts[t.P_NIL_MADE]),
        covers=None if place == "single" else int(counts[t.P_COVERS]),
        covers_made=None if place == "single" else int(counts[t.P_COVERS_MADE]),
        forced=int(counts[t.P_FORCED]),
        free=int(counts[t.P_FREE]),
    )


def _cover_success(covers: int, made: int, nils: RatioSums) -> Estimate | None:
    """The share of covered nils made; clustered like all nils of the side, of which they are nearly all."""
    if covers == 0:
        return None
    size = covers * effective_size(nils) / nils.den
    return Estimate(made / covers, *wilson(made / covers, size))
