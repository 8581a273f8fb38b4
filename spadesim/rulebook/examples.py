"""Worked examples as a file has them: read, checked key by key, each with the lines where its values stand.

The format is told in docs/reference/worked-examples.md.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from spadesim.core.rules import DEFAULT_PRESET, LATER_OPTIONS, LATER_PRESETS, OPTIONS, PRESETS, Rules
from spadesim.errors import UserError, suggest
from spadesim.reading import user_path
from spadesim.rulebook.fields import Field, Later, flag, read_group, text
from spadesim.rulebook.kinds import KINDS
from spadesim.rulebook.nodes import Mistake, Node, parse

BUNDLED = Path(__file__).with_name("examples.yaml")
SITUATIONS = Path(__file__).with_name("situations.yaml")
MAX_BYTES = 4_000_000

_TEXT = Field(text, required=False)


def _as_it_is(node: Node, name: str) -> Node:
    return node


_KEYS = {
    "id": Field(text),
    "name": _TEXT,
    "skill": _TEXT,
    "kind": Field(text),
    "preset": _TEXT,
    "overrides": Field(_as_it_is, required=False),
    "source": _TEXT,
    "note": _TEXT,
    "given": Field(_as_it_is),
    "expect": Field(_as_it_is),
    "instead": Field(_as_it_is, required=False),
}


class BadExamples(UserError):  # noqa: N818 - they are what is wrong
    """A file of worked examples with mistakes in it.

    Parameters
    ----------
    mistakes : list of str
        A line for each, with the file and the number of the line in front.
    """

    def __init__(self, mistakes: list[str]) -> None:
        more = len(mistakes) - 1
        also = (
            f" ({more} more mistake{'s' if more > 1 else ''} follow{'' if more > 1 else 's'})" if more else ""
        )
        super().__init__(mistakes[0] + also)
        self.mistakes = mistakes


@dataclass(frozen=True)
class Example:
    """One worked example.

    Parameters
    ----------
    id : str
    kind : str
        One of `KINDS`.
    line : int
        Where it begins.
    preset : str
        Its rules as the file names them.
    rules : Rules or None
        None where they are not supported yet.
    given, expect : dict of str to value
        As the fields of its kind read them; empty where something is not supported yet.
    later : str
        What it needs that there is not yet, "" for nothing.
    nodes : dict of str to Node
        `given.NAME` and `expect.NAME` as the file has them.
    source, note : str
    name, skill : str
        What a situation is called, and the skill that it asks for.
    instead : dict of str to value
        What bots answer that lack the skill, by bot.
    file : str
        The name of its file as messages have it.
    """

    id: str
    kind: str
    line: int
    preset: str
    rules: Rules | None
    given: dict[str, Any]
    expect: dict[str, Any]
    later: str = ""
    nodes: dict[str, Node] = field(default_factory=dict, repr=False)
    source: str = ""
    note: str = ""
    name: str = ""
    skill: str = ""
    instead: dict[str, Any] = field(default_factory=dict)
    file: str = ""

    def line_of(self, name: str) -> int:
        """The line of a field, `given.NAME` or `expect.NAME`; the example's own where it has none."""
        return self.nodes[name].line if name in self.nodes else self.line

    def mistake(self, name: str, what: str) -> Mistake:
        """The mistake that a field makes, to be raised."""
        return Mistake(self.line_of(name), what)

    def place(self, line: int | None = None) -> str:
        """File, line and id, as messages begin."""
        return f"{self.file}:{line or self.line}: {self.id}"


def read_examples(path: Path | str | None = None, name: str | None = None) -> list[Example]:
    """The worked examples in a file, those of the rules that are bundled for None.

    Messages call the file by `name`, its path if left out.

    Raises
    ------
    BadExamples
        Mistakes in the file, the first of each example.
    UserError
        The file cannot be read.
    """
    file = name or (str(path) if path is not None else BUNDLED.name)
    return parse_examples(_text_of(Path(path) if path is not None else BUNDLED), file)


def read_situations() -> list[Example]:
    """The bundled situations of bots."""
    return read_examples(SITUATIONS, SITUATIONS.name)


def _text_of(path: Path) -> str:
    path = user_path(path)
    try:
        if path.is_dir():
            raise UserError(f"'{path}' is a folder; a file of worked examples is needed.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            most = f"{MAX_BYTES // 1_000_000} MB"
            raise UserError(f"'{path}' has more than {most}; divide it into smaller files of examples.")
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        near = [other.name for other in path.parent.glob("*.y*ml")] if path.parent.is_dir() else []
        raise UserError(f"There is no file '{path}'.{suggest(path.name, near)}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}:{line}: this is not UTF-8 text; save the file as UTF-8.") from None
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}.") from None


def parse_examples(text_of_file: str, file: str) -> list[Example]:
    """The worked examples in a text; `file` is its name in messages."""
    try:
        members = _members(parse(text_of_file))
    except Mistake as mistake:
        raise BadExamples([f"{file}:{mistake.line}: {mistake.text}"]) from None
    examples: list[Example] = []
    mistakes: list[str] = []
    lines: dict[str, int] = {}
    for node in members:
        try:
            example = replace(_read(node), file=file)
            if example.id in lines:
                raise Mistake(node.line, f"another example in line {lines[example.id]} has the same id.")
            lines[example.id] = node.line
            examples.append(example)
        except Mistake as mistake:
            mistakes.append(f"{file}:{mistake.line}: {_name_of(node)}{mistake.text}")
    if mistakes:
        raise BadExamples(mistakes)
    return examples


def _members(document: Node | None) -> list[Node]:
    right = "a file of worked examples is a list: - {id: ..., kind: ..., given: {...}, expect: {...}}"
    if document is None:
        raise Mistake(1, f"there are no examples in it; {right}.")
    if not isinstance(document.value, list):
        raise Mistake(document.line, f"{right}; this begins with {document}.")
    if not document.value:
        raise Mistake(document.line, f"there are no examples in it; {right}.")
    return document.value


def _name_of(node: Node) -> str:
    """The id of an example with a mistake in it, as far as it has one."""
    name = node.value.get("id") if isinstance(node.value, dict) else None
    return f"{name.value}: " if name is not None and isinstance(name.value, str | int) else ""


def _read(node: Node) -> Example:
    keys = read_group(node, "an example", _KEYS)
    kind = keys["kind"]
    if kind not in KINDS:
        hint = suggest(kind, KINDS) or f" Kinds are {', '.join(KINDS)}."
        raise Mistake(node.value["kind"].line, f"there is no kind '{kind}'.{hint}")
    rules, reasons = _read_rules(node)
    parts: dict[str, dict[str, Any]] = {"given": {}, "expect": {}}
    nodes: dict[str, Node] = {}
    if "instead" in keys and isinstance(keys["instead"].value, dict):
        nodes |= {f"instead.{bot}": value for bot, value in keys["instead"].value.items()}
    for part, fields in (("given", KINDS[kind].given), ("expect", KINDS[kind].expect)):
        try:
            parts[part] = read_group(keys[part], part, fields)
        except Later as reason:
            reasons.append(str(reason))
        nodes |= {f"{part}.{name}": value for name, value in keys[part].value.items()}
    if not keys["expect"].value:
        raise Mistake(keys["expect"].line, f"expect is empty; it may have {', '.join(KINDS[kind].expect)}.")
    if KINDS[kind].later:
        reasons.append(KINDS[kind].later)
    preset = keys.get("preset", DEFAULT_PRESET)
    return Example(
        id=keys["id"],
        kind=kind,
        line=node.line,
        preset=preset,
        rules=rules,
        given=parts["given"],
        expect=parts["expect"],
        later=reasons[0] if reasons else "",
        nodes=nodes,
        source=keys.get("source", ""),
        note=keys.get("note", ""),
        name=keys.get("name", ""),
        skill=keys.get("skill", ""),
        instead=_read_instead(keys["instead"], kind, parts) if "instead" in keys else {},
    )


def _read_instead(node: Node, kind: str, parts: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What each bot without the skill answers, which must be another answer than is expected."""
    about = KINDS[kind].answer
    if not about or not isinstance(node.value, dict):
        what = "a bot and its answer for each, {bot: answer}" if about else "for kinds that ask bots"
        raise Mistake(node.line, f"instead is {what}.")
    found: dict[str, Any] = {}
    for bot, value in node.value.items():
        if bot in parts["given"].get("levels", [parts["given"].get("bot")]):
            raise Mistake(value.line, f"instead: {bot} is among those that answer as expected.")
        found[bot] = answer = KINDS[kind].expect[about].read(value, f"instead.{bot}")
        fields = {name: KINDS[kind].expect[name] for name in parts["expect"]}
        about_it = [name for name in fields if (fields[name].of or name) == about]
        if about_it and all(fields[name].agrees(parts["expect"][name], answer) for name in about_it):
            raise Mistake(value.line, f"instead: what {bot} answers there is what is expected.")
    return found


def _read_rules(node: Node) -> tuple[Rules | None, list[str]]:
    """The rules of an example, or None, and the reasons why they are not supported yet."""
    reasons: list[str] = []
    preset = str(node.value["preset"].value) if "preset" in node.value else DEFAULT_PRESET
    changes = _read_overrides(node.value["overrides"], reasons) if "overrides" in node.value else {}
    if preset in LATER_PRESETS:
        return None, [f"the preset {preset}", *reasons]
    try:
        if preset not in PRESETS and ":" not in preset and not preset.endswith(".toml"):
            hint = suggest(preset, [*PRESETS, *LATER_PRESETS]) or f" Presets are {', '.join(PRESETS)}."
            raise UserError(f"there is no preset '{preset}'.{hint}")
        rules = Rules.parse(preset)
    except UserError as error:
        raise Mistake(node.value["preset"].line, str(error)) from None
    if reasons:
        return None, reasons
    try:
        return rules.updated(changes), []
    except UserError as error:
        raise Mistake(node.value["overrides"].line, str(error)) from None


def _read_overrides(node: Node, reasons: list[str]) -> dict[str, Any]:
    if not isinstance(node.value, dict):
        raise Mistake(node.line, f"overrides must be a group of rule options, {{option: value}}, not {node}.")
    changes: dict[str, Any] = {}
    for name, value in node.value.items():
        if name in LATER_OPTIONS:
            reasons.append(f"the rule option {name}")
        elif name not in OPTIONS:
            hint = suggest(name, [*OPTIONS, *LATER_OPTIONS])
            raise Mistake(value.line, f"there is no rule option '{name}'.{hint}")
        elif isinstance(value.value, str) and value.value in OPTIONS[name].later:
            reasons.append(f"the rule option {name}={value.value}")
        else:
            given = None if value.value == "none" and OPTIONS[name].or_none else value.value
            if OPTIONS[name].is_flag:
                given = flag(value, f"overrides.{name}")
            if isinstance(given, list | dict):
                raise Mistake(value.line, f"overrides.{name} must be {OPTIONS[name].allowed()}, not {value}.")
            try:
                OPTIONS[name].check(name, given)
            except UserError as error:
                raise Mistake(value.line, str(error)) from None
            changes[name] = given
    return changes
