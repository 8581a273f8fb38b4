"""Where two bots part, as values: the differences by kind of decision, and the boards that cost the most."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from spadesim.core.equity import EQUITY_ONE
from spadesim.core.parting import KINDS
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEPING, PLAYING
from spadesim.errors import UserError
from spadesim.match.diff_boards import Boards
from spadesim.match.record import BrokenNil, Decision, Replay
from spadesim.match.room_json import room_dict
from spadesim.match.spec import DuelSpec
from spadesim.match.told import Told
from spadesim.notation import SEATS, bid_text, card_text, cards_text
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd

PHASES = {
    BIDDING: "bidding",
    PLAYING: "trick",
    KEEPING: "draw",
    DECLARING: "blind nil",
    EXCHANGING: "exchange",
}
VERDICTS = FAULT, LUCK, UNDECIDED = "a fault", "bad luck", "undecided"


@dataclass(frozen=True)
class Part:
    """What the boards bring that part at one kind of decision.

    Parameters
    ----------
    kind : str
        One of `spadesim.core.parting.KINDS`; "all" for all boards together.
    boards : int
    share : float
        Of all boards that count.
    chance_units : int or None
        The sum of the changes of A's chance to win over these boards and all their rooms, in units of
        1 / `EQUITY_ONE`; None where there is no table of win chances.
    point_units : int
        The sum of A's points less B's over these boards and all their rooms.
    win_chance_per_board, points_per_board : Estimate or None
        The same for each of *all* boards, in the units of a duel, so that the kinds add up to what the duel
        shows. None without any such board, or without a table.
    win_chance_per_case, points_per_case : float or None
        What it comes to where it happens: by A's choice against B's, see `Case`.
    """

    kind: str
    boards: int
    share: float
    chance_units: int | None
    point_units: int
    win_chance_per_board: Estimate | None
    points_per_board: Estimate | None
    win_chance_per_case: float | None
    points_per_case: float | None

    def to_dict(self) -> dict[str, Any]:
        """The fields by name; estimates as objects of their own."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}


@dataclass(frozen=True)
class Worth:
    """What a choice is worth on average, instead of on the one deal.

    Parameters
    ----------
    tried, accepted : int
        Re-deals, and those of them that counted.
    win_chance, points : Estimate or None
        What A has more by its own choice than by B's; None where too few re-deals counted or there is no
        table of win chances.
    verdict : str
        "a fault", "bad luck" or "undecided".
    why : str
        In a sentence.
    """

    tried: int
    accepted: int
    win_chance: Estimate | None
    points: Estimate | None
    verdict: str
    why: str

    def to_dict(self) -> dict[str, Any]:
        """The fields by name; estimates as objects of their own."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}


@dataclass(frozen=True)
class Case:
    """A board on which the two bots part.

    Parameters
    ----------
    board : int
        Its number.
    kind : str
        One of `spadesim.core.parting.KINDS`.
    seat : int
        Whose decision it was.
    step_a, step_b : Decision
        What was decided in the first room in which A's bot sits there, and in the first one where B's does.
    room_a, room_b : int
        These rooms.
    win_chance : float or None
        What A had more by its choice than B by the other, in the two rooms (the mean over pairs of rooms,
        where there are six): of the chance to win. 0.01 is one percentage point.
    points : float
        The same in points.
    command : str
        The command line that shows what the seat knew, and what both bots do.
    worth : Worth or None
        None where it was not asked for.
    replay : Replay
        All rooms of the board, card by card.
    """

    board: int
    kind: str
    seat: int
    step_a: Decision
    step_b: Decision
    room_a: int
    room_b: int
    win_chance: float | None
    points: float
    command: str
    worth: Worth | None
    replay: Replay = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the case."""
        step = self.step_a
        return {
            "board": self.board,
            "kind": self.kind,
            "decision": PHASES[step.phase],
            "number": number_of(step.phase, step.number),
            "seat": SEATS[self.seat],
            "a_chose": choice_text(step.phase, step.made.choice),
            "b_chose": choice_text(step.phase, self.step_b.made.choice),
            "room_a": self.room_a,
            "room_b": self.room_b,
            "win_chance": self.win_chance,
            "points": self.points,
            "worth": self.worth and self.worth.to_dict(),
            "nils_broken": [
                {
                    "room": number,
                    "seat": SEATS[nil.seat],
                    "trick": nil.trick + 1,
                    "card": card_text(nil.card),
                    "over": None if nil.over is None else card_text(nil.over),
                }
                for number, nil in self.broken_nils()
            ],
            "command": self.command,
            "rooms": [room_dict(self.replay, room) for room in self.replay.rooms],
        }

    def broken_nils(self) -> list[tuple[int, BrokenNil]]:
        """How nils failed in its two rooms, with the number of the room."""
        numbers = dict.fromkeys((self.room_a, self.room_b))
        return [(n, nil) for n in numbers for nil in self.replay.rooms[n].hands[0].broken_nils()]


@dataclass(frozen=True, eq=False)
class DiffResult(Told):
    """Where two bots part, and what it costs; what does not apply is None.

    Parameters
    ----------
    a, b : str
        The two sides as they were asked for.
    names : tuple of 2 str
        Short names that tell them apart.
    rules : str
        In their text form.
    seed, first : int
        Which boards.
    scores, bags : tuple of int or None
        How every board stands before its hand; None where boards of two sides start as games occur.
    boards : int
        How many were played.
    requested : int
        How many were asked for.
    partial : bool
        Whether Ctrl-C ended the boards, or the re-deals of cases, before the last one.
    hands : int
        In all rooms.
    where : str or None
        The condition on which boards count.
    counted : int
        Boards that count: all of them without a condition.
    total : Part
        Of all boards that count.
    kinds : tuple of Part
        By kind of decision, "none" for boards that never part; they add up to `total`, exactly.
    cases : tuple of Case
        The boards that cost A the most.
    redeals : int
        How many re-deals of a case were to count; 0 for none.
    verdict : str
        One sentence.
    command : str
        The command line that repeats it.
    seconds : float
        Time at play, without re-deals.
    version : str
        Of the package.
    rng : str
        The generator of the deals.
    spec : DuelSpec
        The duel that it belongs to; not in the JSON object.
    found : Boards or None
        All boards that count; not in the JSON object, so that a result out of it has none.
    """

    a: str
    b: str
    names: tuple[str, str]
    rules: str
    seed: int
    first: int
    scores: tuple[int, ...] | None
    bags: tuple[int, ...] | None
    boards: int
    requested: int
    partial: bool
    hands: int
    where: str | None
    counted: int
    total: Part
    kinds: tuple[Part, ...]
    cases: tuple[Case, ...]
    redeals: int
    verdict: str
    command: str
    seconds: float
    version: str
    rng: str
    spec: DuelSpec = field(repr=False)
    found: Boards | None = field(repr=False)

    @property
    def has_chances(self) -> bool:
        """Whether boards are judged by chances to win; else by points."""
        return self.total.chance_units is not None

    def part(self, kind: str) -> Part:
        """What the boards of a kind bring."""
        return next(part for part in self.kinds if part.kind == kind)

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON object, as Python values."""
        values = {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}
        del values["spec"], values["found"]
        return values

    def to_frame(self) -> "pd.DataFrame":
        """The kinds as a table, a row each.

        Returns
        -------
        DataFrame
            Columns kind, boards, share, chance_units, point_units; win_chance_per_board and points_per_board,
            each with its interval in _low and _high; win_chance_per_case and points_per_case. NaN for what
            does not apply.
        """
        import pandas as pd

        return pd.DataFrame([_row(part) for part in (*self.kinds, self.total)])

    def boards_frame(self) -> "pd.DataFrame":
        """Every board that parts as a row.

        Returns
        -------
        DataFrame
            Columns board, kind, decision, number, seat, a_chose, b_chose, win_chance, points; for the
            costliest ones worth, worth_low, worth_high (of the chance to win where there is one, else in
            points), tried, accepted and verdict as well.

        Raises
        ------
        UserError
            The result was read out of JSON, which lists the costliest boards only.
        """
        import pandas as pd

        found, pairs = self.found, self.spec.n_rooms / 2
        if found is None:
            raise UserError("Boards are not in the JSON of a diff: its --out FILE.csv has them.")
        which = found.parted
        partings = found.partings[which]
        named = [
            (choice_text(phase, a), choice_text(phase, b))
            for phase, a, b in zip(
                partings["phase"].tolist(),
                partings["choice_a"].tolist(),
                partings["choice_b"].tolist(),
                strict=True,
            )
        ]
        frame = pd.DataFrame(
            {
                "board": found.units[which],
                "kind": [KINDS[kind] for kind in partings["kind"].tolist()],
                "decision": [PHASES[phase] for phase in partings["phase"].tolist()],
                "number": [
                    number_of(phase, number)
                    for phase, number in zip(
                        partings["phase"].tolist(), partings["number"].tolist(), strict=True
                    )
                ],
                "seat": [SEATS[seat] for seat in partings["seat"].tolist()],
                "a_chose": [a for a, _ in named],
                "b_chose": [b for _, b in named],
                "points": found.points[which] / pairs,
            }
        )
        if self.has_chances:
            frame.insert(7, "win_chance", found.chances[which] / (pairs * EQUITY_ONE))
        rows = [_worth_row(case) for case in self.cases if case.worth is not None]
        return frame.merge(pd.DataFrame(rows), on="board", how="left") if rows else frame


def number_of(phase: int, number: int) -> int:
    """Which decision of its phase, as `show` counts: tricks and turns from 1, else 0."""
    return number + 1 if phase in (PLAYING, KEEPING) else 0


def choice_text(phase: int, choice: int) -> str:
    """What was chosen, in ASCII.

    >>> choice_text(BIDDING, 0), choice_text(PLAYING, 51), choice_text(KEEPING, 1)
    ('nil', 'AS', 'keep')
    """
    if phase == BIDDING:
        return bid_text(choice)
    if phase == PLAYING:
        return card_text(choice)
    if phase == KEEPING:
        return "keep" if choice else "pass up"
    if phase == DECLARING:
        return "blind nil" if choice else "no blind nil"
    return cards_text(choice) or "none"


def _row(part: Part) -> dict[str, Any]:
    nan = float("nan")
    row: dict[str, Any] = {}
    for name in part.__dataclass_fields__:
        value = getattr(part, name)
        if name.endswith("_per_board"):
            for end, what in (("", "mean"), ("_low", "low"), ("_high", "high")):
                row[name + end] = nan if value is None else getattr(value, what)
        else:
            row[name] = nan if value is None else value
    return row


def _worth_row(case: Case) -> dict[str, Any]:
    worth = case.worth
    assert worth is not None
    nan = float("nan")
    measured = worth.points if case.win_chance is None else worth.win_chance
    estimate = measured or Estimate(nan, nan, nan)
    return {
        "board": case.board, "worth": estimate.mean, "worth_low": estimate.low, "worth_high": estimate.high,
        "tried": worth.tried, "accepted": worth.accepted, "verdict": worth.verdict,
    }  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, Estimate | Part | Worth | Case):
        return value.to_dict()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
