"""A few hands before a run, to refuse a bot that writes where it must not."""

from spadesim.core._jit import COMPILED
from spadesim.core.batch import BOARDS, new_task, run_chunk
from spadesim.core.play import AUDIT_EVERY, REWROTE, TAMPERED
from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.strategy.check import SEED
from spadesim.strategy.compiled import BY_PHASE
from spadesim.strategy.lineup import lineup
from spadesim.strategy.load import Side

PREFLIGHT_BOARDS = 100 if COMPILED else 4

_passed: set[tuple[str, ...]] = set()


def preflight(side: Side, rules: Rules) -> None:
    """Play some hundred hands of a side against itself, and refuse one that writes to its view.

    Illegal answers and exceptions are left to the run that follows, which tells how to see them again.

    Raises
    ------
    UserError
        A bot wrote to its view.
    """
    seen = (str(side), side.lower.digest, side.higher.digest, str(rules))
    if seen in _passed:
        return
    bots = lineup(side, side, rules)
    for k in range(PREFLIGHT_BOARDS):
        task = new_task(BOARDS, SEED, k * AUDIT_EVERY, 1)
        try:
            _, fault = run_chunk(bots, rules, task)
        except Exception:  # whatever a user's bot raises; it will do so again
            return
        if fault["code"] == REWROTE:
            bot = (side.lower, side.higher)[int(fault["role"]) & 1]
            raise UserError(
                f"{bot.name} writes to its parameters `p`, which are for reading only. "
                "Copy what you change into variables."
            )
        if fault["code"] == TAMPERED:
            bot = (side.lower, side.higher)[int(fault["role"]) & 1]
            function = BY_PHASE[int(fault["phase"])]
            raise UserError(
                f"{bot.name}: `{function}` writes to its view, which is for reading only. "
                f"Copy what you change into variables; `spadesim strategies check {bot}` shows where."
            )
    _passed.add(seen)
