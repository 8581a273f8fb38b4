"""What every result has: a sentence, the command that repeats it, and a JSON object."""

import json
from dataclasses import asdict, fields, is_dataclass
from typing import Any

from spadesim.glanced import Glanced


class Told(Glanced):
    """A result that says itself: a dataclass with a sentence, `verdict`, and a command line, `command`."""

    verdict: str
    command: str

    def __str__(self) -> str:
        return f"{self.verdict}\nAgain: {self.command}"

    def __repr__(self) -> str:
        """The sentence: all that is inside fills screens."""
        return f"<{type(self).__name__}: {self.verdict}>"

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON object, as Python values: every field that is not marked `repr=False`."""
        own: Any = self  # every result is a dataclass
        return {each.name: _plain(getattr(self, each.name)) for each in fields(own) if each.repr}

    def to_json(self, indent: int | None = 2) -> str:
        """The documented JSON object, strict: no NaN, and null for what does not apply."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, tuple) and all(is_dataclass(one) for one in value):
        return [_plain(one) for one in value]
    return value
