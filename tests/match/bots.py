"""Bots that break the contract, and one that tries everything, written to files and named by their paths."""

from pathlib import Path

HEAD = '''"""A bot for tests."""

from spadesim.core.cards import lowest
from spadesim.strategy import jit

'''

HONEST = {"bid": "return 3", "play": "return lowest(view.legal)"}
MORE = """import numpy as np

from spadesim.core.view import uniform, uniform_below
"""
BEFORE = {"keep": "return 1", "blind": "return 0", "exchange": "return 0"}
GAMBLER = {
    "bid": "return lowest(view.legal) if uniform(view, 0) < 0.2 else 1 + uniform_below(view, 1, 5)",
    "keep": "return uniform_below(view, 0, 2)",
    "blind": "return uniform_below(view, 0, 2)",
    "exchange": """cards = np.int64(0)
    hand = view.hand
    for _ in range(uniform_below(view, 0, view.rules.blind_nil_exchange + 1)):
        cards |= np.int64(1) << lowest(hand)
        hand &= hand - 1
    return cards""",
}


def write_bot(folder: Path, name: str, **bodies: str) -> str:
    """Return the spec of a bot that bids 3 and plays low, except for the function bodies given.

    Of what some tables decide before the bidding it has the functions that are given.
    """
    functions = [
        f"@jit\ndef {function}(view, p):\n    {body}\n" for function, body in (HONEST | bodies).items()
    ]
    file = folder / f"{name}.py"
    head = HEAD.replace("\n\n", f"\n\n{MORE}", 1) if "keep" in bodies else HEAD
    file.write_text(head + "\n\n".join(functions), encoding="utf-8")
    return str(file)
