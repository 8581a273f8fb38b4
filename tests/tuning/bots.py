"""A bot whose best parameters are known: it errs the more, the further they are from these."""

from pathlib import Path

KNOWN = '''"""A bot that bids too much by mistake, the more the further its parameters are from known ones."""

from spadesim.core.cards import lowest
from spadesim.core.view import uniform
from spadesim.strategy import Parameter, jit, parameters

PARAMETERS = parameters(
    Parameter("risk", 0.9, low=0, high=1, used_by="bid", meaning="best at 0.3"),
    Parameter("step", 1, low=0, high=10, used_by="bid", meaning="best at 7"),
    Parameter("mode", "left", choices=("left", "right", "none"), used_by="bid", meaning="best at right"),
    Parameter("idle", 0, low=0, high=9, used_by="bid", meaning="changes nothing"),
)
P = PARAMETERS.index


@jit
def bid(view, p):
    """Two tricks, or five by mistake."""
    risk, step = p[P.RISK] - 0.3, (p[P.STEP] - 7) / 10
    wrong = 0.1 if int(p[P.MODE]) != 1 else 0.0
    return 5 if uniform(view, 0) < risk * risk + step * step + wrong else 2


@jit
def play(view, p):
    """The lowest card."""
    return lowest(view.legal)
'''


def write_known(folder: Path, name: str = "known") -> str:
    """Return the spec of the bot, written to a file in a folder."""
    file = folder / f"{name}.py"
    file.write_text(KNOWN, encoding="utf-8")
    return str(file)
