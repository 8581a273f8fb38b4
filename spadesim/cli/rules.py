"""``spadesim rules``: which rules there are, what they say, how two differ, and whether examples hold."""

import json as json_text
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.analysis.lines import visible
from spadesim.cli import options
from spadesim.cli.terminal import Notes, at_once, result_console, say

if TYPE_CHECKING:
    from spadesim.rulebook import BadExamples, CheckReport, SkillReport

FAILED, USAGE = 1, 2
MOST_MISTAKES = 20
SITUATIONS = Path("situations")  # the word for the bundled file

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="List the rules, read them in words, compare two, or check examples of them.",
)

RulesText = Annotated[
    str,
    typer.Argument(metavar="RULES", help="A preset, with changes or without, or a file ending in .toml."),
]


@app.command("list")
def list_rules(json: options.Json = False) -> None:
    """List the presets: what each is, and how it differs from pata."""
    from spadesim.core.options import to_word
    from spadesim.core.rules import LATER_PRESETS, PRESETS, Rules
    from spadesim.rulebook.prose import SUMMARIES, changes_from

    found = [
        {"name": name, "summary": SUMMARIES[name], "differs_from_pata": changes_from(rules, Rules())}
        for name, rules in PRESETS.items()
    ]
    if json:
        say(json_text.dumps({"presets": found, "not_supported_yet": list(LATER_PRESETS)}, indent=2))
        return
    from spadesim.cli.rules_text import print_presets

    rows = [
        (name, SUMMARIES[name], [f"{key}={to_word(x)}" for key, x in changes_from(rules, Rules()).items()])
        for name, rules in PRESETS.items()
    ]
    print_presets(result_console(), rows, LATER_PRESETS)


@app.command("show")
def show(rules: RulesText, json: options.Json = False) -> None:
    """Tell the rules in plain words, with examples that the engine has scored.

    \b
    spadesim rules show pata
    spadesim rules show classic:target=200
    spadesim rules show my_rules.toml
    """  # noqa: D301
    from spadesim.core.rules import Rules
    from spadesim.rulebook.prose import describe

    parsed = Rules.parse(rules)
    passages = describe(parsed)
    if json:
        words = [{"title": p.title, "options": list(p.options), "text": p.text} for p in passages]
        say(json_text.dumps({"rules": str(parsed), "options": parsed.to_dict(), "words": words}, indent=2))
        return
    from spadesim.cli.rules_text import print_rules

    print_rules(result_console(), str(parsed), passages)


@app.command("diff")
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="Rules, as for show.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Other rules.")],
    json: options.Json = False,
) -> None:
    """Tell in what two sets of rules differ, in words and as options.

    \b
    spadesim rules diff pata classic
    spadesim rules diff pata my_rules.toml
    """  # noqa: D301
    from spadesim.core.rules import Rules
    from spadesim.rulebook.differences import differences
    from spadesim.rulebook.prose import changes_from

    rules_a, rules_b = Rules.parse(a), Rules.parse(b)
    names, found = changes_from(rules_a, rules_b), differences(rules_a, rules_b)
    values = [(name, getattr(rules_a, name), getattr(rules_b, name)) for name in names]
    if json:
        facts: dict[str, Any] = {
            "a": str(rules_a),
            "b": str(rules_b),
            "options": {name: {"a": value_a, "b": value_b} for name, value_a, value_b in values},
            "words": [
                {"title": d.title, "options": list(d.options), "a": d.a or None, "b": d.b or None}
                for d in found
            ],
        }
        say(json_text.dumps(facts, indent=2))
        return
    from spadesim.cli.rules_text import print_differences

    print_differences(result_console(), (a.strip(), b.strip()), values, found)


@app.command("check")
def check(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A YAML file of worked examples, or `situations`, the bundled ones of bots; all that are "
            "bundled if left out.",
        ),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Argument(metavar="BOT", help="Bots to put into the file's situations, to learn their skills."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Hold worked examples of the rules against the engine and the bots.

    With BOT, that bot is put into every situation of the file, whoever the file names: a table tells which
    skills it has, and a line each situation that it does not meet. The bundled situations are a page to read,
    docs/reference/situations.md; the format is told in docs/reference/worked-examples.md.

    The exit code is 1 when an example does not hold or a bot does not meet a situation, and 2 when there is a
    mistake in the file. Examples of rules that are not supported yet are counted apart.

    \b
    spadesim rules check
    spadesim rules check my_examples.yaml
    spadesim rules check situations my_bot.py
    spadesim rules check situations easy medium hard
    """  # noqa: D301
    from spadesim.rulebook import BadExamples, CheckReport, SkillReport, check, check_situations, skills_of

    notes = Notes(quiet=quiet or json)
    report: CheckReport | SkillReport
    is_bundled = file == SITUATIONS
    try:
        with notes.shown(), at_once():
            if bots:
                report = skills_of(bots, None if is_bundled else file, notes.compiling, notes.checking)
            elif is_bundled:
                report = check_situations(notes.compiling, notes.checking)
            else:
                report = check(file, notes.compiling, notes.checking)
    except BadExamples as error:
        _complain(error)
        raise typer.Exit(USAGE) from None
    if json:
        facts = facts_of(report) if isinstance(report, CheckReport) else facts_of_skills(report)
        say(json_text.dumps(facts, indent=2))
    elif quiet:
        say(str(report))
    else:
        from spadesim.cli.rules_text import print_check, print_skills

        if isinstance(report, CheckReport):
            print_check(result_console(), report)
        else:
            print_skills(result_console(), report)
    if not report.passed:
        raise typer.Exit(FAILED)


def _complain(error: "BadExamples") -> None:
    """Print every mistake of a file on a line of its own, up to a number."""
    for mistake in error.mistakes[:MOST_MISTAKES]:
        print(visible(f"spadesim: error: {' '.join(mistake.split())}"), file=sys.stderr)  # noqa: T201
    more = len(error.mistakes) - MOST_MISTAKES
    if more > 0:
        print(f"spadesim: error: {more} more {'mistake' if more == 1 else 'mistakes'}.", file=sys.stderr)  # noqa: T201


def facts_of(report: "CheckReport") -> dict[str, Any]:
    """A report as plain values, the JSON object of ``rules check``."""
    return {
        "file": report.file,
        "passed": report.passed,
        "summary": str(report),
        "counts": report.counts,
        "examples": [
            {
                "id": result.example.id,
                "file": result.example.file,
                "kind": result.example.kind,
                "line": result.example.line,
                "rules": str(result.example.rules) if result.example.rules else result.example.preset,
                "outcome": result.outcome,
                "needs": result.later or None,
                "mismatches": [
                    {
                        "line": mismatch.line,
                        "field": mismatch.field,
                        "who": mismatch.who or None,
                        "expected": mismatch.expected or None,
                        "found": mismatch.found or None,
                        "trouble": mismatch.trouble or None,
                    }
                    for mismatch in result.mismatches
                ],
            }
            for result in report.results
        ],
    }


def facts_of_skills(report: "SkillReport") -> dict[str, Any]:
    """What bots did in situations as plain values, the JSON object of ``rules check`` with bots."""
    from spadesim.rulebook.skills import right_text, skill_of

    return {
        "file": report.file,
        "passed": report.passed,
        "summary": str(report),
        "bots": list(report.bots),
        "skills": {
            skill: {bot: {"passed": met, "situations": n} for bot, (met, n) in row.items()}
            for skill, row in report.skills.items()
        },
        "situations": [
            {
                "id": example.id,
                "name": example.name or None,
                "skill": skill_of(example),
                "kind": example.kind,
                "line": example.line,
                "rules": str(example.rules),
                "right": right_text(example),
                "answers": {
                    bot: {"outcome": it.outcome, "found": it.found or None, "trouble": it.trouble or None}
                    for bot, it in row.items()
                },
            }
            for example, row in report.replies
        ],
    }
