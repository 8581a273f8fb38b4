"""What a sweep came to, in a few sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spadesim.match.scale import Scale
from spadesim.stats.exact import FEW_DIFFERENT
from spadesim.stats.intervals import Estimate
from spadesim.strategy.called import short_name
from spadesim.tuning.swept import Arm, Fresh, Games

if TYPE_CHECKING:
    from spadesim.tuning.sweep_spec import SweepSpec

LEAST_FOR_A_CLAIM = 6  # boards that differ; fewer could all go one way by chance
MOST_TOLD = 4  # arms that are all told one by one


def verdict(
    spec: "SweepSpec", arms: Sequence[Arm], winner: int | None, fresh: Fresh | None, scale: Scale
) -> str:
    """What is sure, in a sentence or two."""
    if len(arms) == 1:
        return f"Every combination comes to {short_name(spec.strategy)} itself: there is nothing to compare."
    if winner is None:
        return f"no winner is chosen yet among {_settings(len(arms) - 1)} of {short_name(spec.strategy)}."
    best = arms[winner]
    boards = max(arm.boards for arm in arms)
    if not any(arm.different for arm in arms):
        return f"No setting makes a difference to {short_name(spec.strategy)} on any of {boards:,} boards."
    if best.gain.mean <= 0:
        said = _none_better(spec, arms, best, scale)
    elif fresh is None:
        said = f"{best.label} did best, but was not measured on fresh boards; that alone would say nothing."
    else:
        said = _on_fresh(spec, best, fresh, scale)
    return f"{said} {_others(spec, arms, best, scale)}".rstrip()


def _none_better(spec: "SweepSpec", arms: Sequence[Arm], best: Arm, scale: Scale) -> str:
    value, interval = scale.shown(best.gain, signed=True)
    came = f"{best.label}, came to {value} {scale.words} ({interval}, {best.boards:,} boards)"
    name = _baseline(spec, arms)
    if not any(arm.not_worse for arm in arms if not arm.is_baseline):
        if len(arms) == 2:
            return f"{name} is better than the other setting, {came}."
        return (
            f"{name} is better than each of the {len(arms) - 1:,} other settings: the best of them, {came}."
        )
    hidden = max(arm.gain.high for arm in arms if not arm.is_baseline)
    among = " among them" if len(arms) > 2 else ""
    said = f"No setting looks better than {name}: the best of {_settings(len(arms) - 1)}, {came}"
    return said + ("." if hidden <= 0 else f". A gain of {scale.bare(hidden)} may be hidden{among}.")


def _baseline(spec: "SweepSpec", arms: Sequence[Arm]) -> str:
    """The strategy, with its own settings where these were among those tried."""
    (label,) = (arm.label if arm.settings else "" for arm in arms if arm.is_baseline)
    name = short_name(spec.strategy)
    return f"{name} ({label})" if label and label not in name else name


def _others(spec: "SweepSpec", arms: Sequence[Arm], best: Arm, scale: Scale) -> str:
    """How far behind the settings are that the sentences before do not name: all of a few, or the last one.

    Their ranges are those that hold together.
    """
    rest = [arm for arm in arms if arm is not best and not arm.is_baseline]
    if not rest:
        return ""

    def told(arm: Arm, verb: str) -> str:
        value, interval = scale.shown(arm.gain, signed=True)
        return f"{arm.label} {verb} {value} ({interval})"

    if len(rest) <= MOST_TOLD:
        listed = [told(arm, "came to" if arm is rest[0] else "to") for arm in rest]
        return f"In the sweep {', '.join(listed)}."
    able, last = sum(arm.not_worse for arm in arms), min(rest, key=lambda arm: arm.gain.mean)
    among = f"{len(arms):,}, {short_name(spec.strategy)} among them,"
    may = f"All {among} may be best" if able == len(arms) else f"Of all {among} {able:,} may be best"
    return f"{may}; furthest behind is {told(last, 'with')}."


def _on_fresh(spec: "SweepSpec", best: Arm, fresh: Fresh, scale: Scale) -> str:
    value, interval = scale.shown(fresh.gain, signed=True)
    against = f" against {short_name(spec.vs[0])}" if len(spec.vs) == 1 else ""
    against = f" in the mean over {len(spec.vs)} opponents" if len(spec.vs) > 1 else against
    said = f"{value} {scale.words}{against} on {fresh.boards:,} fresh boards (95 % interval {interval})"
    games, name = _by_games(spec, fresh.games), short_name(spec.strategy)
    if fresh.is_disputed:
        return f"Disputed: {best.label} did best, with {said}, but{games.removeprefix(' It')}."
    if fresh.is_unborne:
        what = f"{best.label} did best, with {said}"
        return f"Better on boards alone: {what}, but games do not bear it out.{games}"
    if fresh.is_better:
        on = " on boards" if fresh.games is not None and not fresh.games.is_ahead else ""
        return f"{best.label} is better than {name}{on}: {said}.{games}"
    if fresh.is_worse:
        return f"{best.label} did best, but on fresh boards it is worse than {name}: {said}.{games}"
    if fresh.games is not None and fresh.games.is_behind:
        what = f"{best.label} did best, but fresh boards do not show it, and over whole games it is worse"
        return f"{what} than {name}: {said}.{games}"
    return f"Undecided: {best.label} did best, but fresh boards do not show it: {said}.{games} {_more(fresh)}"


def _more(fresh: Fresh) -> str:
    """What a longer sweep could show."""
    different = fresh.ahead + fresh.behind
    if different < LEAST_FOR_A_CLAIM:
        enough = max(fresh.needed or 0, fresh.boards * FEW_DIFFERENT // max(1, different))
        return f"Only {different} of these boards differ, too few for any claim: play about {_about(enough)}."
    if fresh.needed is None:
        return "There is no gain to look for."
    return f"A gain of this size takes about {_about(fresh.needed)} to show."


def _about(boards: int) -> str:
    """A number of boards, rounded up to two digits.

    >>> _about(84_321)
    '85,000 boards'
    """
    step = 10 ** max(0, len(str(boards)) - 2)
    return f"{-(-boards // step) * step:,} boards"


def _by_games(spec: "SweepSpec", games: Games | None) -> str:
    """What was won of whole games, and what was to be expected where it is surely less."""
    if games is None:
        return ""
    name = short_name(spec.strategy)
    if not spec.vs:
        won = games.won[0].scaled(100)
        what = f" It won {won.mean:.1f} % of {games.games:,} games against {name}"
        ends = f"{won.low:.1f} to {won.high:.1f}"
    else:
        more, ends = more_or_fewer(games.gain)
        what = f" It won {more} of {games.games * len(spec.vs):,} games than {name} did"
    promised = ""
    if games.promised is not None and games.is_short:
        mean = games.promised.mean
        much = more_or_fewer(games.promised)[0] if spec.vs else f"{100 * mean + 50:.1f} %"
        promised = f"; between equals such boards come to {much}"
    return f"{what} ({ends}{promised})."


def more_or_fewer(gain: Estimate) -> tuple[str, str]:
    """A gain in games, in per cent of them, and its interval.

    >>> more_or_fewer(Estimate(-0.031, -0.039, -0.023)), more_or_fewer(Estimate(0.01, -0.01, 0.03))
    (('3.1 % fewer', '2.3 to 3.9 % fewer'), ('1.0 % more', '1.0 % fewer to 3.0 % more'))
    """
    mean, low, high = (_signed(100 * value) for value in (gain.mean, gain.low, gain.high))
    if gain.low < 0 <= gain.high:
        return mean, f"{low} to {high}"
    least, most = (low, high) if gain.low >= 0 else (high, low)
    return mean, f"{least.partition(' ')[0]} to {most}"


def _signed(per_cent: float) -> str:
    return f"{abs(per_cent):.1f} % {'fewer' if per_cent < 0 else 'more'}"


def _settings(n: int) -> str:
    return f"{n:,} setting{'' if n == 1 else 's'}"
