"""The one exception for what a user can put right, and suggestions for mistyped words."""

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """A mistake that the user can put right; its text is the one line that the command line prints.

    Parameters
    ----------
    text : str
    excerpt : str
        Lines that show the place of the mistake, printed below the text as they are.
    """

    def __init__(self, text: str = "", excerpt: str = "") -> None:
        super().__init__(text)
        self.excerpt = excerpt

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text}\n{self.excerpt}" if self.excerpt else text


def suggest(word: str, choices: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" with the choice closest to a mistyped word, or "" when none is close.

    Parameters
    ----------
    word : str
        What the user typed; upper and lower case count as equal.
    choices : iterable of str
        The words that would have been right.

    Examples
    --------
    >>> "Unknown rules 'patta'." + suggest("patta", ["pata", "classic"])
    "Unknown rules 'patta'. Did you mean 'pata'?"
    >>> suggest("bridge", ["pata", "classic"])
    ''
    """
    by_lower_case = {choice.lower(): choice for choice in choices}
    close = get_close_matches(word.lower(), by_lower_case, n=1)
    return f" Did you mean '{by_lower_case[close[0]]}'?" if close else ""
