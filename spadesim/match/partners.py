"""Who plays well with whom: every two bots as partners, all against one side, on the same boards."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import spadesim
from spadesim.core.batch import HAND_CAP
from spadesim.core.rng import RNG_NAME
from spadesim.core.rules import DEFAULT_PRESET, Rules
from spadesim.errors import UserError
from spadesim.match.crews import Workers
from spadesim.match.duel import Notice, load, workers_for
from spadesim.match.equity_file import equity_of
from spadesim.match.executors import apart
from spadesim.match.matches import Counter, Matches, rounds
from spadesim.match.ranking import call
from spadesim.match.run import Progress, prepare_engine
from spadesim.match.scale import Scale
from spadesim.match.spec import DEFAULT_SEED, DuelSpec, make_spec
from spadesim.match.stopping import value_scale
from spadesim.match.told import Told
from spadesim.match.tournament import DEFAULT_BOARDS, MOST_MATCHES
from spadesim.stats.common import FloatArray, MatchMoments
from spadesim.stats.intervals import Estimate, t_quantile
from spadesim.stats.joint import joint_quantile
from spadesim.stats.ratings import N_FEATURES, Heads, heads
from spadesim.strategy import Side, parse
from spadesim.strategy.preflight import preflight

if TYPE_CHECKING:
    import pandas as pd

Pair = tuple[int, int]


@dataclass(frozen=True)
class PartnersSpec:
    """A grid of partners that can be played; building one checks everything but the strategies.

    Parameters
    ----------
    bots : tuple of str
        Two or more single bots.
    against : str
        The side that all pairs of partners play.
    boards : int
        Boards for each pair, the same ones for all.
    rules, seed, scores, bags, hand_cap
        As for a duel.

    Raises
    ------
    UserError
        Whatever cannot be played as asked, with the reason.
    """

    bots: tuple[str, ...]
    against: str
    boards: int = DEFAULT_BOARDS
    rules: Rules = field(default_factory=Rules)
    seed: int = DEFAULT_SEED
    scores: tuple[int, ...] | None = None
    bags: tuple[int, ...] | None = None
    hand_cap: int = HAND_CAP

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if self.rules.teams != "partners":
            raise UserError(f"Nobody has a partner under the rules {self.rules}: everybody plays alone.")
        if len(self.bots) < 2:
            raise UserError("A grid of partners needs two bots or more, such as: easy medium hard.")
        for number, bot in enumerate(self.bots):
            side = parse(bot)
            if side.lower != side.higher:
                raise UserError(f"'{bot}' is a side of two bots; name single ones, which are paired here.")
            if bot in self.bots[:number]:
                raise UserError(f"'{bot}' is given twice.")
        if len(self.pairs) > MOST_MATCHES:
            raise UserError(
                f"{len(self.bots)} bots make {len(self.pairs)} pairs; {MOST_MATCHES} are the most."
            )
        self.duel_spec(0, 1)

    @property
    def pairs(self) -> list[Pair]:
        """Every two bots, a bot with itself included."""
        n = len(self.bots)
        return [(i, j) for i in range(n) for j in range(i, n)]

    def duel_spec(self, i: int, j: int) -> DuelSpec:
        """The duel of two partners with the side that all play."""
        side = self.bots[i] if i == j else f"{self.bots[i]}+{self.bots[j]}"
        return make_spec(
            side, self.against, rules=self.rules, scores=self.scores, bags=self.bags, boards=self.boards,
            seed=self.seed, hand_cap=self.hand_cap,
        )  # fmt: skip

    def command(self) -> str:
        """The command line, quoted for a shell, that repeats exactly this."""
        words = ["spadesim", "tournament", *self.bots, "--partners", self.against]
        return shlex.join([*words, "--boards", str(self.boards), *self.duel_spec(0, 1).conditions()])


@dataclass(frozen=True)
class Partners:
    """Two bots as partners.

    Parameters
    ----------
    a, b : str
        Names; the same for a bot with itself.
    value : Estimate
        What they gain on a board against the side that all play; for this pair alone.
    together : Estimate or None
        How much more that is than the mean of what each gains with itself; all of these intervals hold
        together in 95 of 100 such runs. None for a bot with itself.
    identical : int
        Boards of which both rooms went alike, card by card.
    command : str
        The command line that plays them as a duel.
    """

    a: str
    b: str
    value: Estimate
    together: Estimate | None
    identical: int
    command: str

    @property
    def is_match(self) -> bool:
        """Whether they surely play better, or worse, together than the mean of each with itself."""
        return self.together is not None and not self.together.low <= 0 <= self.together.high


@dataclass(frozen=True, eq=False, repr=False)
class PartnersResult(Told):
    """What a grid of partners measured; the fields are those of the JSON object.

    Parameters
    ----------
    bots : tuple of str
        Names, in the order asked for.
    against : str
    pairs : tuple of Partners
    unit : str
    boards, requested : int
        Boards of each pair, and those asked for.
    partial : bool
    hands : int
    rules : str
    seed : int
    verdict : str
        One sentence.
    seconds, hands_per_second : float
    command, version, rng : str
    scale : Scale
        How values are shown; not in the JSON object.
    """

    bots: tuple[str, ...]
    against: str
    pairs: tuple[Partners, ...]
    unit: str
    boards: int
    requested: int
    partial: bool
    hands: int
    rules: str
    seed: int
    verdict: str
    seconds: float
    hands_per_second: float
    command: str
    version: str
    rng: str
    scale: Scale = field(repr=False)

    def pair(self, a: str, b: str) -> Partners:
        """The pair of two names, in whichever order."""
        return next(pair for pair in self.pairs if {pair.a, pair.b} == {a, b})

    def to_frame(self) -> "pd.DataFrame":
        """A row for every two partners: a, b, value, low, high, together, together_low, together_high."""
        import pandas as pd

        nothing = Estimate(float("nan"), float("nan"), float("nan"))
        rows = []
        for pair in self.pairs:
            value, together = pair.value, pair.together or nothing
            rows.append({
                "a": pair.a, "b": pair.b, "value": value.mean, "low": value.low, "high": value.high,
                "together": together.mean, "together_low": together.low, "together_high": together.high,
            })  # fmt: skip
        return pd.DataFrame(rows)


def make_partners(
    bots: Sequence[str],
    against: str,
    *,
    rules: str | Rules = DEFAULT_PRESET,
    scores: str | Sequence[int] | None = None,
    bags: str | Sequence[int] | None = None,
    **more: object,
) -> PartnersSpec:
    """A `PartnersSpec` from what a caller writes; fields of `more` that are None take their defaults."""
    usual = make_spec("easy", "easy", rules=rules, scores=scores, bags=bags, boards=1)
    return PartnersSpec(
        bots=tuple(bot.strip() for bot in bots),
        against=against.strip(),
        rules=usual.rules,
        scores=usual.scores,
        bags=usual.bags,
        **{name: value for name, value in more.items() if value is not None},  # type: ignore[arg-type]
    )


def play_partners(
    spec: PartnersSpec,
    *,
    workers: Workers = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> PartnersResult:
    """Play a grid of partners; parameters and errors as `spadesim.match.tournament.play_tournament`."""
    crew = workers_for(workers, chunk)
    apart(partial(equity_of, spec.duel_spec(0, 1), notice))  # made now where there is none yet
    bots = [load(bot, notice) for bot in spec.bots]
    against = load(spec.against, notice)
    opponents = [(Side(bots[i].lower, bots[j].lower), against) for i, j in spec.pairs]
    counter = Counter(len(spec.pairs) * spec.boards, progress)
    duels = [spec.duel_spec(i, j) for i, j in spec.pairs]
    matches, moments = (
        Matches(duels, opponents, crew, chunk, counter),
        MatchMoments(len(duels), N_FEATURES),
    )
    prepare_engine(notice)
    for side in (*bots, against):
        apart(partial(preflight, side, spec.rules))
    is_partial = False
    try:
        for first, size in rounds(spec.boards):
            moments.add_common(matches.play_round(first, size))
    except KeyboardInterrupt:
        if moments.n_common == 0:
            raise
        is_partial = True
    return _result(spec, call(bots), against.name, matches, moments, is_partial)


def _result(
    spec: PartnersSpec,
    names: Sequence[str],
    against: str,
    matches: Matches,
    moments: MatchMoments,
    is_partial: bool,
) -> PartnersResult:
    own, scale = heads(moments), value_scale(spec.duel_spec(0, 0))
    together = _together(spec.pairs, own)
    half, pairs = t_quantile(own.df), []
    for match, (i, j) in enumerate(spec.pairs):
        mean, error = float(own.means[match]), float(own.errors[match])
        value = Estimate(mean, mean - half * error, mean + half * error)
        alike = int(matches.tallies[match][0]["identical"])
        command = matches.specs[match].command()
        pairs.append(Partners(names[i], names[j], value, together.get((i, j)), alike, command))
    hands = sum(int(tally[0]["hands"]) for tally in matches.tallies)
    sentence = _verdict(pairs, against, scale)
    if is_partial:
        sentence = f"Partial, after {moments.n_common:,} of {spec.boards:,} boards a pair: {sentence}"
    return PartnersResult(
        bots=tuple(names),
        against=against,
        pairs=tuple(pairs),
        unit=scale.unit,
        boards=moments.n_common,
        requested=spec.boards,
        partial=is_partial,
        hands=hands,
        rules=str(spec.rules),
        seed=spec.seed,
        verdict=sentence,
        seconds=matches.counter.seconds,
        hands_per_second=hands / matches.counter.seconds,
        command=spec.command(),
        version=spadesim.__version__,
        rng=RNG_NAME,
        scale=scale,
    )


def _together(pairs: Sequence[Pair], own: Heads) -> dict[Pair, Estimate]:
    """What two bots gain together beyond the mean of each with itself, with joint intervals."""
    mixed = [pair for pair in pairs if pair[0] != pair[1]]
    contrasts = np.zeros((len(mixed), len(pairs)))
    for row, (i, j) in enumerate(mixed):
        contrasts[row, pairs.index((i, j))] = 1.0
        for k in (i, j):
            contrasts[row, pairs.index((k, k))] -= 0.5
    means = contrasts @ own.means
    covariance: FloatArray = contrasts @ own.covariance @ contrasts.T
    halves = joint_quantile(covariance, own.df) * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    rows = zip(mixed, means.tolist(), halves.tolist(), strict=True)
    return {pair: Estimate(mean, mean - half, mean + half) for pair, mean, half in rows}


def _verdict(pairs: Sequence[Partners], against: str, scale: Scale) -> str:
    best = max(pairs, key=lambda pair: pair.value.mean)
    gain, interval = scale.shown(best.value, signed=True)
    name = f"two {best.a}" if best.a == best.b else f"{best.a} and {best.b}"
    sentence = f"Against {against}, {name} gain most: {gain} {scale.unit} (95 % interval {interval})"
    sure = [(pair.together.mean, pair) for pair in pairs if pair.together and pair.is_match]
    if not sure:
        return f"{sentence}; no two bots surely play better or worse together than each with itself."
    mixed = sum(pair.together is not None for pair in pairs)
    parts = []
    for word, sign in (("better", 1), ("worse", -1)):
        chosen = [(sign * mean, f"{pair.a} and {pair.b}") for mean, pair in sure if sign * mean > 0]
        if chosen:
            most = "" if len(chosen) == 1 else "most of all "
            parts.append(f"{len(chosen)} {word} ({most}{max(chosen)[1]})")
    return f"{sentence}; of {mixed} mixed pairs {' and '.join(parts)} than each with itself."
