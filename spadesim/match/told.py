"""What every result has: a sentence, the command that repeats it, and a JSON object."""

import json
from typing import Any


class Told:
    """A result that says itself; its fields `verdict` and `command` are a sentence and a command line."""

    verdict: str
    command: str

    def __str__(self) -> str:
        return f"{self.verdict}\nAgain: {self.command}"

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON object, as Python values."""
        raise NotImplementedError

    def to_json(self, indent: int | None = 2) -> str:
        """The documented JSON object, strict: no NaN, and null for what does not apply."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)
