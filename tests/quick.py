"""Bots that play every decision out, with settings that make them quick enough for tests."""

from spadesim.strategy import Strategy

SETTINGS = {"expert": "worlds=2,bid_worlds=2,tries=2"}
FEWER = 20  # times, the decisions of such a bot


def quick(name: str, source: str = "") -> str:
    """Return the spec of a bot by its name, or by the path `source`, as tests play it."""
    return f"{source or name}:{SETTINGS[name]}" if name in SETTINGS else source or name


def fewer(strategy: Strategy, n: int) -> int:
    """Return how many decisions to try, fewer of a bot that plays every one of them out."""
    return n if strategy.model is None else max(3, n // FEWER)
