"""What two sets of rules have not in common, in words and as options."""

from dataclasses import dataclass

from spadesim.core.rules import Rules
from spadesim.rulebook.prose import TOPICS, changes_from


@dataclass(frozen=True)
class Difference:
    """A topic on which two sets of rules differ.

    Parameters
    ----------
    title : str
        The heading that it stands under.
    options : tuple of str
        The options in which they differ.
    a, b : str
        What each of them says, "" where it says nothing.
    """

    title: str
    options: tuple[str, ...]
    a: str
    b: str


def differences(a: Rules, b: Rules) -> list[Difference]:
    """The topics on which two sets of rules differ, in the order of the rules.

    A topic whose words differ only because another one's number occurs in its example is left out.
    """
    changed = changes_from(a, b)
    found = []
    for topic in TOPICS:
        options = tuple(name for name in changed if name in topic.options)
        words = topic.words(a), topic.words(b)
        if options and words[0] != words[1]:
            found.append(Difference(topic.title, options, *words))
    return found
