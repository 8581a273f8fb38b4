r"""The one text by which every command names a bot or a side of two.

::

    SIDE     = BOT [ "+" BOT ]                         the first sits at the side's lower seat
    BOT      = SOURCE [ "@" REVISION ] [ ":" ITEM { "," ITEM } ] { "~" WRAPPER [ "=" VALUE ] }
    SOURCE   = NAME  |  a path ending in .py
    ITEM     = PARAMETER "=" VALUE  |  "bidder=" SOURCE  |  a path ending in .toml (at most one, the first)

>>> print(parse("medium:king=0.70,ace=4+./mine.py@HEAD~2"))
medium:ace=4,king=0.7+./mine.py@HEAD~2

The text is read from left to right, the same on every machine, whatever files there are:

* A source is a path when ``/`` or ``\`` comes before any of ``@ : ~ +``, or when it begins with ``~/`` or
  a drive letter. Such a path runs up to the first ``.py`` that is followed by the end of the text or by
  one of ``@ : ~ +``, and may hold any of these itself. A path whose first folder has one of them in its
  name is written with ``./`` in front.
* A revision ends at ``:``, ``+``, or a ``~`` before a letter, so that ``HEAD~3`` is one.
* A path to a TOML file ends at the first ``.toml`` that is followed by the end or by one of ``, ~ +``.
* The path of a bidder ends at the first ``.py`` that is followed by the end or by one of ``@ : , ~ +``.
* A ``+`` inside a number such as ``1e+5`` belongs to the number.
"""

import contextlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from spadesim.errors import UserError
from spadesim.strategy.parameters import BIDDER, number_text

UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")  # what would break the lines that tell of a bot
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_IS_PATH = re.compile(r"~[/\\]|[A-Za-z]:[/\\]|[^@:~+]*[/\\]")
_PY_PATH = re.compile(r".+?\.py(?=$|[@:~+])", re.DOTALL)
_PLAIN = re.compile(r"[^@:~+]*")
_BIDDER_PATH = re.compile(r".+?\.py(?=$|[@:,~+])", re.DOTALL)
_BIDDER = re.compile(r"[^@:,=~+]*")
_REVISION = re.compile(r"(?:[^:~+]|~(?![A-Za-z]))*")
_SETTING = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
_TOML_PATH = re.compile(r".+?\.toml(?=$|[,~+])", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=$|[,~+])")
_WORD = re.compile(r"[^,~+:@=]*")
_WRAPPER = re.compile(r"~([A-Za-z][A-Za-z0-9_]*)(=)?")


@dataclass(frozen=True)
class BotSpec:
    """One bot as a spec names it; `str` gives its canonical text.

    Parameters
    ----------
    source : str
        A name, or a path ending in ``.py``.
    revision : str
        A git revision of the file, "" for the file as it is.
    settings_file : str
        A TOML file of parameters, "" for none.
    settings : tuple of (str, str)
        Parameters and their values as text, sorted by name.
    wrappers : tuple of (str, str)
        Weaknesses laid around the bot and their values, innermost first.
    bidder : str
        The bot that bids in its place, a name or a path ending in ``.py``; "" where it bids itself.
    """

    source: str
    revision: str = ""
    settings_file: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    wrappers: tuple[tuple[str, str], ...] = ()
    bidder: str = ""

    @property
    def is_path(self) -> bool:
        """Whether the source is a file rather than a name."""
        return self.source.endswith(".py")

    def __str__(self) -> str:
        items = [self.settings_file] if self.settings_file else []
        items += [f"{BIDDER}={self.bidder}"] if self.bidder else []
        items += [f"{name}={value}" for name, value in self.settings]
        text = self.source + (f"@{self.revision}" if self.revision else "")
        text += f":{','.join(items)}" if items else ""
        return text + "".join(f"~{name}={value}" if value else f"~{name}" for name, value in self.wrappers)


@dataclass(frozen=True)
class SideSpec:
    """A side as a spec names it: the bot at its lower seat and the bot at its higher seat."""

    lower: BotSpec
    higher: BotSpec

    def __str__(self) -> str:
        return str(self.lower) if self.lower == self.higher else f"{self.lower}+{self.higher}"


def parse(text: str) -> SideSpec:
    """The side that a text names; ``parse(str(side)) == side``.

    Parameters
    ----------
    text : str
        One bot, which plays both seats, or two bots joined by "+".

    Raises
    ------
    UserError
        A text outside the grammar. Whether the bots exist is found out when they are loaded.
    """
    text = text.strip()
    if odd := next((sign for sign in text if unicodedata.category(sign) in UNPRINTABLE), ""):
        raise UserError(
            f"In '{text}': U+{ord(odd):04X} is a sign that cannot be printed; give the file another name."
        )
    reader = _Reader(text)
    lower = reader.bot()
    higher = reader.bot() if reader.skip("+") else lower
    if reader.rest:
        raise reader.error(f"a side has at most two bots, but '{reader.rest}' follows")
    return SideSpec(lower, higher)


def parse_bot(text: str) -> BotSpec:
    """The one bot that a text names, without a partner."""
    side = parse(text)
    if side.lower != side.higher:
        raise UserError(f"'{text}' names a side of two bots; one bot is needed here.")
    return side.lower


def bot_of_file(path: str) -> BotSpec:
    """The bot of a file, its path written so that it is read back as this path.

    >>> print(bot_of_file("mine.py"), bot_of_file("a+b.py"))
    mine.py ./a+b.py

    Raises
    ------
    UserError
        No text of the grammar names such a path.
    """
    for source in (path, f"./{path}"):
        bot = BotSpec(source)
        with contextlib.suppress(UserError):
            if parse(source) == SideSpec(bot, bot):
                return bot
    raise UserError(
        f"'{path}' cannot be named as a bot, for its path has .py before one of @ : ~ +: choose another name."
    )


@dataclass
class _Reader:
    """What is left of a text while it is read from left to right."""

    text: str
    at: int = field(default=0)

    @property
    def rest(self) -> str:
        return self.text[self.at :]

    def skip(self, mark: str) -> bool:
        found = self.rest.startswith(mark)
        self.at += len(mark) * found
        return found

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def error(self, what: str) -> UserError:
        return UserError(f"In '{self.text}': {what}.")

    def bot(self) -> BotSpec:
        source = self.source()
        revision = self.revision() if self.skip("@") else ""
        settings_file, settings = self.settings() if self.skip(":") else ("", {})
        bidder = settings.pop(BIDDER, "")
        wrappers = tuple(self.wrappers())
        if self.rest and not self.rest.startswith("+"):
            raise self.error(f"nothing can follow '{self.text[: self.at]}' like '{self.rest}' does")
        return BotSpec(source, revision, settings_file, tuple(sorted(settings.items())), wrappers, bidder)

    def source(self) -> str:
        if _IS_PATH.match(self.rest):
            path = self.take(_PY_PATH)
            if path is None:
                raise self.error(f"the path '{self.rest}' must end in .py")
            return path[0]
        plain = self.take(_PLAIN)
        name = plain[0] if plain else ""
        if not name:
            raise self.error(
                "a strategy's name or file is missing" + (f" before '{self.rest}'" if self.rest else "")
            )
        if not name.endswith(".py") and not _NAME.fullmatch(name):
            raise self.error(f"'{name}' is neither a strategy's name nor a path ending in .py")
        return name

    def revision(self) -> str:
        match = self.take(_REVISION)
        if not match or not match[0]:
            raise self.error("a git revision is missing after '@'")
        return match[0]

    def settings(self) -> tuple[str, dict[str, str]]:
        settings_file = ""
        settings: dict[str, str] = {}
        while True:
            if name := self.take(_SETTING):
                if name[1] in settings:
                    raise self.error(f"the parameter '{name[1]}' is given twice")
                settings[name[1]] = self.bidder() if name[1] == BIDDER else self.value(name[1])
            elif path := self.take(_TOML_PATH):
                if settings_file or settings:
                    raise self.error(
                        f"one parameter file at most, before the single parameters; not '{path[0]}' here"
                    )
                settings_file = path[0]
            else:
                word = _WORD.match(self.rest)
                found = f"'{word[0]}'" if word and word[0] else "nothing"
                raise self.error(f"parameter=value or a .toml file is needed after ':' and ',', not {found}")
            if not self.skip(","):
                return settings_file, settings

    def bidder(self) -> str:
        is_path = _IS_PATH.match(self.rest)
        found = self.take(_BIDDER_PATH if is_path else _BIDDER)
        name = found[0] if found else ""
        if not name.endswith(".py") and not _NAME.fullmatch(name):
            told = f", not '{name or self.rest}'" if name or self.rest else ""
            raise self.error(f"{BIDDER}= takes a strategy's name or a path ending in .py{told}")
        if self.rest[:1] in ("@", ":", "="):
            raise self.error(
                f"the bidder {name} bids as its file says: no revision and no settings of its own, so "
                f"'{self.rest}' cannot follow"
            )
        return name

    def value(self, name: str) -> str:
        if number := self.take(_NUMBER):
            return number_text(float(number[0]))
        word = self.take(_WORD)
        if not word or not word[0]:
            raise self.error(f"a value is missing after '{name}='")
        return word[0]

    def wrappers(self) -> Iterator[tuple[str, str]]:
        while match := self.take(_WRAPPER):
            yield match[1], self.value(match[1]) if match[2] else ""
