"""Looking through deals that nobody has played."""

import math
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from spadesim.analysis.hands_found import Batch, FoundHand, Ints, Source, counted
from spadesim.analysis.numbers import rounded
from spadesim.core.fresh import fresh_deals
from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.expressions import Known, Value, Where
from spadesim.match.spec import make_spec

TRIES = 1_000_000
MOST_TRIES = 10**11
LIKELY = 3  # times as many deals as one of them comes in find one in 95 of 100 cases
BATCH = 1 << 16
SHOWN_BOTS = ("medium", "hard")  # who plays the deals that are shown


class FreshDeals(Source):
    """Deals of some rules and a seed.

    Parameters
    ----------
    rules : Rules
    seed, first, tries : int
        Number of the first deal, and how many there are.

    Raises
    ------
    UserError
        Under the rules cards are drawn, and not dealt.
    """

    def __init__(self, rules: Rules, seed: int, first: int, tries: int) -> None:
        if rules.deal == "draw_keep":
            raise UserError(
                f"Under {rules} the players choose their cards from a stock, so there are no deals: "
                "record a run with duel --out, and look at its hands."
            )
        self.rules, self.seed, self.first, self.tries = rules, seed, first, tries
        self.known = Known.of_deals(rules)
        # From a score of nothing, for boards that start elsewhere have other cards.
        scores = [0, 0] if rules.n_sides == 2 else None
        self._spec = make_spec(*SHOWN_BOTS, rules=rules, scores=scores, seed=seed, boards=1)
        self._leads_after = rules.start_role == "dealer_left"

    def batches(
        self, accept: Where | None, value: Value | None, progress: Callable[[int, int], None] | None
    ) -> Iterator[Batch]:
        """Look through the deals, `BATCH` at a time."""
        n_seats = self.rules.players
        for done in range(0, self.tries, BATCH):
            n = min(BATCH, self.tries - done)
            first = self.first + done
            cards, dealers = fresh_deals(self.rules, self.seed, first, n)
            leaders = (dealers + self._leads_after) % n_seats
            columns: dict[str, Ints] = {
                "cards": cards,
                "dealer": np.repeat(dealers, n_seats),
                "first_bidder": np.repeat(leaders, n_seats),
            }
            places = np.arange(n) if accept is None else np.flatnonzero(accept(columns, n_seats))
            values = None if value is None else value(columns, n_seats)[places]

            def examples(count: int, places: Ints = places, first: int = first) -> list[FoundHand]:
                return [self.deal(first + int(place)) for place in places[:count]]

            yield Batch(np.ones(n, np.int64), counted(places, n), places, values, examples)
            if progress is not None:
                progress(done + n, self.tries)

    def further(self, accept: Where) -> str:
        """How many deals would do, as far as that can be told beforehand."""
        needed = math.ceil(LIKELY / accept.most_likely)
        if needed > MOST_TRIES:
            return f"At most one deal in {rounded(1 / accept.most_likely)} is so: too few to be looked for."
        more = max(needed, 100 * self.tries)
        if more > MOST_TRIES:
            return ""
        often = f"if one deal in {rounded(more / LIKELY)} is so"
        return f"--tries {rounded(more)} very likely finds one, {often}."

    def deal(self, number: int) -> FoundHand:
        """One of the deals."""
        cards, dealers = fresh_deals(self.rules, self.seed, number, 1)
        dealer = int(dealers[0])
        return FoundHand(
            f"Deal {number} of seed {self.seed}, rules {self.rules}",
            number,
            tuple(cards[0].tolist()),
            dealer,
            (dealer + self._leads_after) % self.rules.players,
            self._spec.show_command(number),
        )

    def what(self, number: int) -> str:
        """Deals."""
        return "deal" if number == 1 else "deals"

    def command(self, where: str, by: str) -> str:
        """The command line that looks again."""
        words = ["spadesim", "hands"]
        words += ["--where", where] if where else []
        words += ["--by", by] if by else []
        words += ["--rules", str(self.rules), "--seed", str(self.seed), "--tries", str(self.tries)]
        return shlex.join(words + (["--first", str(self.first)] if self.first else []))

    def to_dict(self) -> dict[str, Any]:
        """What the JSON object says of it."""
        return {"of": "deals", "run": None, "rules": str(self.rules), "seed": self.seed, "first": self.first}
