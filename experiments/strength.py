"""How strong every bundled bot is, as the page docs/reference/strength.md.

python experiments/strength.py           # plays the questions everybody and bidders, and writes the page
python experiments/strength.py page.md   # writes it elsewhere
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from spadesim.questions import load_experiment, run_experiment

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "reference" / "strength.md"
SURE = 0.999  # above it a chance is not written out
HEAD = """# How strong the bots are

Written by `python experiments/strength.py`, which plays the questions `everybody` and `bidders`: a tournament
of all bundled bots under each of five rules, and the bids of [public projects](strategies.md#whose-bids) with
the play of `hard`. `spadesim run everybody` prints the same and more; `spadesim run everybody --out DIR`, and
then `spadesim report DIR`, draws it.

A rating is what a bot gains on a board beside the mean of all, in percentage points of the chance to win the
game ([win chance](../explanation/win-chance.md)); all intervals of a tournament hold together in 95 of 100.
Bots with a letter in common are not separated ([how they are ranked](../explanation/ranking.md)). Bots that
draw no cards do not sit at the draw."""


def main(file: Path = PAGE) -> None:
    """Play both questions and write the page."""
    answers = [run_experiment(load_experiment(HERE / f"{name}.toml")) for name in ("everybody", "bidders")]
    everybody, bidders = ([result.to_dict() for result in answer.results] for answer in answers)
    file.write_text(page(everybody, bidders[0]), encoding="utf-8")


def page(everybody: Sequence[dict[str, Any]], bidders: dict[str, Any]) -> str:
    """The page in Markdown.

    Parameters
    ----------
    everybody : sequence of dict
        The result of a tournament under each of the rules, as its JSON object has it.
    bidders : dict
        The same of the bidders, a gauntlet.
    """
    lines = [HEAD]
    for group in tables_of(everybody):
        told = group[0]
        lines += ["", f"## By {listed(group).replace('`', '')}", "", length(told), "", *ratings(group), ""]
        lines += [f"Games won by the row by `{told['rules']}`, %:", "", *matrix(told, games_won(told)), ""]
        lines += [f"How sure it is by `{told['rules']}` that the row is better, %:", ""]
        lines += matrix(told, [[chance(one) for one in row] for row in told["superiority"]])
        circles = [told for result in group for told in circles_of(result)]
        lines += ["", *circles] if circles else []
    lines += ["", "## The play of hard with the bids of others", "", length(bidders), "", *duels(bidders)]
    return "\n".join(lines) + "\n"


def tables_of(results: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The results grouped by who plays."""
    groups: dict[frozenset[str], list[dict[str, Any]]] = {}
    for result in results:
        groups.setdefault(frozenset(player["name"] for player in result["players"]), []).append(result)
    return list(groups.values())


def listed(group: Sequence[dict[str, Any]], between: str = ", ") -> str:
    """The rules of a group of results."""
    return between.join(f"`{result['rules']}`" for result in group)


def length(result: dict[str, Any]) -> str:
    """How much was played."""
    return f"{result['boards']:,} boards and {result['games']:,} games of each pair, seed {result['seed']}."


def ratings(group: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A row a player, in the order of the first of the results, with two columns for each."""
    yield f"| | {listed(group, ' | | ')} | |"
    yield f"|---|{'---|---|' * len(group)}"
    places = [{player["name"]: player for player in result["players"]} for result in group]
    for name in places[0]:
        cells = [f"{points(one[name]['rating'])} | {one[name]['groups']}" for one in places]
        yield f"| `{name}` | {' | '.join(cells)} |"


def matrix(result: dict[str, Any], cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """A row and a column a player."""
    names = [player["name"] for player in result["players"]]
    yield f"| | {' | '.join(str(k + 1) for k in range(len(names)))} |"
    yield f"|---|{'---|' * len(names)}"
    for k, name in enumerate(names):
        row = ["" if k == other else cells[k][other] for other in range(len(names))]
        yield f"| {k + 1} `{name}` | {' | '.join(row)} |"


def games_won(result: dict[str, Any]) -> list[list[str]]:
    """Percent of the games that the row won, "" where no game came to an end."""
    won: dict[tuple[str, str], float] = {}
    for head in result["heads"]:
        if head["won"]:
            won[head["a"], head["b"]] = head["won"]["mean"]
            won[head["b"], head["a"]] = 1 - head["won"]["mean"]
    names = [player["name"] for player in result["players"]]
    return [[f"{100 * won[a, b]:.0f}" if (a, b) in won else "" for b in names] for a in names]


def chance(sure: float | None) -> str:
    """A chance in percent, as far as it tells anything."""
    if sure is None:
        return ""
    return "> 99.9" if sure > SURE else "< 0.1" if sure < 1 - SURE else f"{100 * sure:.1f}"


def circles_of(result: dict[str, Any]) -> Iterator[str]:
    """Who goes in a circle, in a sentence."""
    for a, b, c in result["circles"]:
        yield f"By `{result['rules']}`, `{a}` surely beats `{b}`, `{b}` beats `{c}`, and `{c}` beats `{a}`."


def duels(result: dict[str, Any]) -> Iterator[str]:
    """A row for each match of a gauntlet."""
    yield "| | | games won by the first | gained on a board |"
    yield "|---|---|---|---|"
    for head in result["heads"]:
        won = head["won"]
        share = f"{100 * won['mean']:.1f} % ({100 * won['low']:.1f} to {100 * won['high']:.1f})"
        yield f"| `{head['a']}` | `{head['b']}` | {share} | {points(head['value'])} |"


def points(estimate: dict[str, float]) -> str:
    """A gain in percentage points with its interval."""
    mean, low, high = (100 * estimate[name] for name in ("mean", "low", "high"))
    return f"{mean:+.2f} ({low:+.2f} to {high:+.2f})"


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
