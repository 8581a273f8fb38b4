"""What sides are called in sentences: as they were asked for, and short where that would be too long."""

from dataclasses import replace
from pathlib import Path

from spadesim.strategy.spec import BotSpec, SideSpec, parse

LONGEST = 60  # characters of a bot in a sentence
MORE = "…"


def called(a: str, b: str) -> tuple[str, str]:
    """What the two sides of a sentence are called, so that they can be told apart.

    Parameters
    ----------
    a, b : str
        Two sides as they were asked for.

    Examples
    --------
    >>> called("hard:rounding=1", "bots/medium.py")
    ('hard:rounding=1', 'medium')
    >>> called("old/mine.py", "new/mine.py")
    ('old/mine.py', 'new/mine.py')
    """
    names = short_name(a), short_name(b)
    if names[0] != names[1] or str(parse(a)) == str(parse(b)):
        return names
    plain = a.strip(), b.strip()
    if max(map(len, plain)) <= LONGEST:
        return plain
    return f"{names[0]} (A)", f"{names[1]} (B)"


def short_name(side: str) -> str:
    """A side by the names of its files and the settings that it was asked for with.

    >>> short_name("./bots/mine.py:king=4~blunder=0.1+hard@HEAD~2")
    'mine:king=4~blunder=0.1+hard@HEAD~2'
    >>> short_name("hard:bidder=./bots/mine.py")
    'hard:bidder=mine'
    >>> short_name("hard:" + ",".join(f"nil_number_{n}=1" for n in range(9)))
    'hard:nil_number_0=1,nil_number_1=1,nil_number_2=1,…'
    """
    spec = parse(side)
    return str(SideSpec(_short(spec.lower), _short(spec.higher)))


def _short(bot: BotSpec) -> BotSpec:
    """The same bot without folders, and with as many of its settings as there is room for."""
    source, bidder = (Path(name).stem if name.endswith(".py") else name for name in (bot.source, bot.bidder))
    bot = replace(bot, source=source, bidder=bidder)
    file = Path(bot.settings_file).name if len(str(bot)) > LONGEST else bot.settings_file
    bot = replace(bot, settings_file=file)
    settings = bot.settings
    while settings and len(str(bot)) > LONGEST:
        settings = settings[:-1]
        items = [file] if file else []
        items += [f"{name}={value}" for name, value in settings]
        bot = replace(bot, settings_file=",".join([*items, MORE]), settings=())
    return bot
