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
        "lower" or "higher" seat of the side.
    name, spec, digest, commit : str
        Which bot: its name, the spec that loads it again, 12 digits over its source, and the commit of an
        earlier revision ("" for the file as it is).
    hands : int
        Player-hands.
    mean_bid, mean_tricks : float or None
        Per hand.
    nil_attempts, nil_made : int
        Nils bid and made.
    covers, covers_made : int
        Hands in which its partner alone had bid nil, and in which that nil was made.
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
    covers: int
    covers_made: int
    forced: int
    free: int


@dataclass(frozen=True)
class SideStats:
    """One side over both rooms of all units; a hand of a side is one hand of its two bots.

    An estimate is None where it would divide by nothing.

    Parameters
    ----------
    name : str
        What the side is called.
    hands, contracts, sets, bags, bag_penalties : int
        Hands; contracts above 0; of these, not made; bags; bag penalties charged.
    nil_attempts, nil_made : int
        Nils bid and made.
    covers, covers_made : int
        Hands in which one partner alone had bid nil, and in which that nil was made.
    opponent_nils, opponent_nils_set : int
        Nils that the opponents bid, and that failed.
    bostons : int
        Hands in which the side won every trick.
    forced, free : int
        Decisions with one legal choice, which the engine makes, and decisions put to the bots.
    mean_bid, bid_error, bags_per_hand, points_per_hand : Estimate or None
        Per hand: tricks bid (a nil as 0), tricks won minus tricks bid, bags, points (penalties included).
    bag_penalties_per_game : Estimate or None
        Per finished game.
    set_rate, boston_rate : Estimate or None
        Shares of contracts not made, and of hands that were a Boston.
    nil_rate, nil_success, cover_success, opponent_nil_set_rate : Estimate or None
        Nils per hand of one bot; shares of nils made, of covered nils made, and of opponents' nils that
        failed.
    bots : tuple of 2 BotStats
        At the side's lower and at its higher seat.
    """

    name: str
    hands: int
    contracts: int
    sets: int
    bags: int
    bag_penalties: int
    nil_attempts: int
    nil_made: int
    covers: int
    covers_made: int
    opponent_nils: int
    opponent_nils_set: int
    bostons: int
    forced: int
    free: int
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
    bots: tuple[BotStats, BotStats]

    def counts(self) -> dict[str, int]:
        """Every count by name."""
        return {name: value for name, value in self._values() if isinstance(value, int)}

    def estimates(self) -> dict[str, Estimate | None]:
        """Every estimate by name, in the order of the fields."""
        return {name: value for name, value in self._values() if isinstance(value, Estimate | None)}

    def _values(self) -> list[tuple[str, Any]]:
        return [(field.name, getattr(self, field.name)) for field in fields(self)]


PROPORTIONS = ("set_rate", "nil_rate", "nil_success", "opponent_nil_set_rate", "boston_rate")

COUNTS = {
    "hands": t.HANDS,
    "contracts": t.CONTRACTS,
    "sets": t.SETS,
    "bags": t.BAGS,
    "bag_penalties": t.BAG_PENALTIES,
    "nil_attempts": t.NIL_BIDS,
    "nil_made": t.NIL_MADE,
    "opponent_nils": t.OPPONENT_NIL_BIDS,
    "opponent_nils_set": t.OPPONENT_NIL_SET,
    "bostons": t.BOSTONS,
    "forced": t.FORCED,
    "free": t.FREE,
}


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
    players = [
        _bot_stats(tally["players"][2 * side + place], bot, ("lower", "higher")[place])
        for place, bot in enumerate((bots.lower, bots.higher))
    ]
    covers, covers_made = (sum(getattr(bot, name) for bot in players) for name in ("covers", "covers_made"))
    nils = ratio_sums(tally, side, "nil_success")
    limits = ratio_limits(tally, rules)
    values: dict[str, Any] = {
        name: proportion(ratio_sums(tally, side, name))
        if name in PROPORTIONS
        else ratio(ratio_sums(tally, side, name), *limits[name])
        for name in t.RATIO_NAMES
    }
    values |= {name: int(tally["sides"][side][index]) for name, index in COUNTS.items()}
    return SideStats(
        name=bots.name,
        **values,
        covers=covers,
        covers_made=covers_made,
        cover_success=_cover_success(covers, covers_made, nils),
        bots=(players[0], players[1]),
    )


def ratio_sums(tally: Any, side: int, name: str) -> RatioSums:
    """The sums over units of one of the tally's ratios, as exact Python integers."""
    num, den = t.RATIOS[name]
    counts, products = tally["sides"][side], tally["ratio_products"][side][t.RATIO_NAMES.index(name)]
    return RatioSums(int(tally["units"]), int(counts[num]), int(counts[den]), *(int(x) for x in products))


def ratio_limits(tally: Any, rules: Rules) -> dict[str, tuple[float, float]]:
    """The least and the greatest that a unit can show of each ratio that is no proportion."""
    tricks = rules.hand_size
    points = hand_points_limit(rules)
    periods = tricks // rules.bag_limit + 1 if rules.bag_limit else 0
    longest = max((n for n, count in enumerate(tally["lengths"]) if count), default=0)
    return {
        "mean_bid": (0, 2 * tricks),
        "bid_error": (-2 * tricks, tricks),
        "bags_per_hand": (0, tricks),
        "bag_penalties_per_game": (0, periods * longest),
        "points_per_hand": (-points, points),
    }


def hand_points_limit(rules: Rules) -> int:
    """A bound on the points that a side can win or lose in one hand."""
    tricks = rules.hand_size
    contract = 2 * tricks * rules.trick_value
    nils = 2 * max(rules.nil_value, rules.nil_penalty)
    bags = tricks * abs(rules.overtrick_value)
    periods = tricks // rules.bag_limit + 1 if rules.bag_limit else 0
    return contract + nils + bags + rules.boston_bonus + periods * rules.bag_penalty


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
        covers=int(counts[t.P_COVERS]),
        covers_made=int(counts[t.P_COVERS_MADE]),
        forced=int(counts[t.P_FORCED]),
        free=int(counts[t.P_FREE]),
    )


def _cover_success(covers: int, made: int, nils: RatioSums) -> Estimate | None:
    """The share of covered nils made; clustered like all nils of the side, of which they are nearly all."""
    if covers == 0:
        return None
    size = covers * effective_size(nils) / nils.den
    return Estimate(made / covers, *wilson(made / covers, size))
