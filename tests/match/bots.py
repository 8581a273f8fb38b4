"""Bots that break the contract, written to files and named by their paths."""

from pathlib import Path

HEAD = '''"""A bot for tests."""

from spadesim.core.cards import lowest
from spadesim.strategy import jit

'''

HONEST = {"bid": "return 3", "play": "return lowest(view.legal)"}


def write_bot(folder: Path, name: str, **bodies: str) -> str:
    """Return the spec of a bot that bids 3 and plays low, except for the function bodies given."""
    functions = [
        f"@jit\ndef {function}(view, p):\n    {bodies.get(function, body)}\n"
        for function, body in HONEST.items()
    ]
    file = folder / f"{name}.py"
    file.write_text(HEAD + "\n\n".join(functions), encoding="utf-8")
    return str(file)
