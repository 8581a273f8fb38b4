"""Reports: pages found by name and path, faults set aside, and nothing in a name gets out of its place."""

import errno
import io
import json
import re
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pandas as pd
import pytest

import spadesim
from spadesim.analysis import compose as module
from spadesim.analysis.chapters import OF_ALL, slug
from spadesim.analysis.compose import Wanted, compose
from spadesim.analysis.document import Document
from spadesim.analysis.drawn import draw
from spadesim.analysis.inputs import Found, read_inputs
from spadesim.analysis.report import Picture, subjects_of
from spadesim.errors import UserError
from spadesim.match import DuelResult, duel
from spadesim.match.duel import Keep, play_duel
from spadesim.match.recorded import RecordedRun, load
from spadesim.match.spec import make_spec
from tests.match.bots import write_bot
from tests.reports.test_duel import read

pytestmark = pytest.mark.compiled_only

EVIL = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    r"$\frac{$ \input{/etc/passwd}",
    "../../../etc/passwd",
    "a\x00b\x1b[31m\r\nc",
    "\u202eevil\u2066\u200f",
    "[x](javascript:alert(1)) |`*_# {{ 7*7 }}",
]
PAGE = '''"""A page for a test."""
import pandas as pd
from spadesim.analysis.report import FrameTable, Picture, Section

TITLE = {title!r}
QUESTION = {title!r}
READS = "any"
ORDER = 5


def build(report):
    """One section."""
    name = {title!r}
    {raises}

    def draw(figure):
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], label=name)
        axes.set_title(name)
        axes.set_xticks([0, 1], [name, name])
        axes.legend()
        {draw_raises}

    data = pd.DataFrame({{"x": [0, 1], "name": [name, name]}})
    return [
        Section(
            name, [name], [Picture(name, name, draw, data, name, name)],
            [FrameTable(name, name, data, {{"name": name, "x": "x"}})],
        )
    ]
'''


def write_page(
    folder: Path, name: str = "mine", title: str = "Mine", raises: str = "", draw: str = ""
) -> str:
    file = folder / f"{name}.py"
    text = PAGE.format(title=title, raises=raises or "pass", draw_raises=draw or "pass")
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def result() -> DuelResult:
    return duel("easy", "lowest_card", games=4)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    folder = tmp_path_factory.mktemp("runs") / "one"
    play_duel(make_spec("easy", "lowest_card", games=4), keep=Keep(folder))
    return load(folder)


def made(result: Any, *pages: str, with_files: bool = False) -> Document:
    return compose(read_inputs([result]), Wanted(pages, with_files=with_files))


@pytest.mark.parametrize("evil", EVIL)
def test_nothing_gets_out_of_its_place(result: DuelResult, tmp_path: Path, evil: str) -> None:
    """Titles, notes, names, labels in pictures, names of files: in HTML, Markdown, SVG and the folder."""
    page = write_page(tmp_path, title=evil)
    document = compose(read_inputs([result]), Wanted((page,), title=evil))
    assert document.faults == []
    html, markdown = document.html("x"), document.markdown("x")
    reader = read(html)
    assert "script" not in reader.counts
    assert "img" not in reader.counts
    assert reader.counts["svg"] == 1
    for text in (
        html,
        markdown,
        *(content.decode() for name, content in document.files().items() if "svg" in name),
    ):
        assert not re.search(
            "[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069\u200e\u200f]", text.replace("\r\n", "")
        )
        assert "<script" not in text
        assert "<img" not in text
    assert not re.search(r"(?<!\\)\]\(javascript", markdown)
    assert all(re.fullmatch(r"[a-z0-9-]+\.(svg|png|pdf|csv)", name) for name in document.files())
    assert {file.parent for file in document.save(tmp_path / "page.html")} == {tmp_path / "page_files"}


@pytest.mark.parametrize("evil", EVIL)
def test_nor_what_a_bot_is_called_in_a_json_file(result: DuelResult, tmp_path: Path, evil: str) -> None:
    values = json.loads(result.to_json())
    values["sides"]["a"]["name"] = evil
    values["verdict"] = values["command"] = evil
    file = tmp_path / "evil.json"
    file.write_text(json.dumps(values))
    document = made(file)
    assert document.faults == []
    reader = read(document.html())
    assert "script" not in reader.counts
    assert "img" not in reader.counts


def test_a_dollar_sign_is_no_formula(tmp_path: Path) -> None:
    """Two of them in a text would be one to matplotlib."""
    import pandas as pd

    def drawn(text: str) -> str:
        def write(figure: Any) -> None:
            figure.text(0.5, 0.5, text)

        return draw(Picture("a", "A", write, pd.DataFrame(), "", ""), with_files=False).inline

    assert drawn("$x$").count("<use") == 3
    assert drawn(r"$\bad{$").count("<use") == 7


def test_a_page_that_raises_leaves_the_rest(result: DuelResult, tmp_path: Path) -> None:
    faulty = write_page(tmp_path, "faulty", raises="1 / 0")
    document = made(result, faulty, "duel")
    assert [chapter.id for chapter in document.chapters] == ["faulty", "duel"]
    ((name, fault),) = document.faults
    assert name == "faulty"
    assert str(fault) == "ZeroDivisionError: division by zero (faulty.py, line 14)"
    text = "".join(read(document.html()).text)
    assert "ZeroDivisionError: division by zero" in text
    assert "faulty.py, line 14" in text
    assert result.verdict in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def build(:", "SyntaxError: invalid syntax (broken.py, line 1)"),
        ("import not_there", "ModuleNotFoundError: No module named 'not_there' (broken.py, line 1)"),
        ("raise SystemExit(3)", "SystemExit: 3 (broken.py, line 1)"),
    ],
)
def test_a_page_file_that_does_not_load_leaves_the_rest(
    result: DuelResult, tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "broken.py").write_text(text)
    document = made(result, str(tmp_path / "broken.py"), "duel")
    assert [str(fault) for _, fault in document.faults] == [told]
    assert len(document.chapters) == 2


def test_a_picture_that_raises_is_told_by_the_line_that_draws(result: DuelResult, tmp_path: Path) -> None:
    document = made(result, write_page(tmp_path, draw='raise ValueError("no ink")'))
    assert [str(fault) for _, fault in document.faults] == ["ValueError: no ink (mine.py, line 22)"]


def test_counts_that_cannot_be_made_take_their_own_page_only(
    run: RecordedRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gather(runs: Any, counts: dict[str, str], **_: Any) -> dict[str, str]:
        if "bad" in counts.values():
            raise UserError("no such column")
        return dict(counts)

    monkeypatch.setattr(module, "_gather", lambda: gather)
    text = PAGE.format(title="T", raises='assert report.counts == {"c": COUNTS["c"]}', draw_raises="pass")
    for name, count in (("good", "good"), ("bad", "bad")):
        (tmp_path / f"{name}.py").write_text(f'{text}\n\nCOUNTS = {{"c": "{count}"}}\n')
    document = made(run, str(tmp_path / "bad.py"), str(tmp_path / "good.py"))
    assert [(name, str(fault)) for name, fault in document.faults] == [
        ("bad", "UserError: no such column (COUNTS in bad.py)")
    ]
    assert len(made(run, str(tmp_path / "bad.py")).faults) == 1  # alone as well


def test_a_condition_that_cannot_be_read_is_no_page_s_fault(run: RecordedRun) -> None:
    with pytest.raises(UserError, match="spadess"):
        compose(read_inputs([run]), Wanted(("bids", "play"), where="spadess > 2"))


@pytest.mark.parametrize(
    ("built", "told"),
    [
        ("'text'", "TypeError: build must return a list of Section, not str"),
        ("['text']", "TypeError: build must return a list of Section, not a list with str"),
        ("None", "TypeError: build must return a list of Section, not NoneType"),
        (
            "[Section('A', tables=[FrameTable('t', 'T', pd.DataFrame({'mean': [1]}), {'maen': 'x'})])]",
            "the table 't' has a head for 'maen', which is no column of its frame. Did you mean 'mean'?",
        ),
        (
            "[Section('A', tables=[FrameTable('t', '', pd.DataFrame({'a': [1]}), {'a': ''}, {'a': 'per'})])]",
            "the table 't' has the format 'per'.",
        ),
    ],
)
def test_what_a_page_gives_back_is_looked_at(
    result: DuelResult, tmp_path: Path, built: str, told: str
) -> None:
    (tmp_path / "mine.py").write_text(
        "import pandas as pd\nfrom spadesim.analysis.report import FrameTable, Section\n"
        f"TITLE = QUESTION = 'x'\nREADS = 'any'\ndef build(report):\n    return {built}\n"
    )
    document = made(result, str(tmp_path / "mine.py"), "duel")
    ((_, fault),) = document.faults
    assert told in str(fault)
    assert "mine.py" in str(fault)
    assert "missing: see there why" in document.html()


def test_pages_are_found_by_name_and_by_path(result: DuelResult, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"There is no page 'dual'\. Did you mean 'duel'\? Pages: "):
        made(result, "dual")
    with pytest.raises(UserError, match=r"There is no page file '.*nil\.py'\."):
        made(result, str(tmp_path / "nil.py"))
    (tmp_path / "empty.py").write_text("TITLE = 'Empty'\n")
    with pytest.raises(UserError, match=r"is no page: it has no QUESTION; reports/README\.md tells"):
        made(result, str(tmp_path / "empty.py"))
    other = write_page(tmp_path, "duel")  # named like a bundled one
    document = made(result, other, "duel")
    assert [chapter.id for chapter in document.chapters] == ["duel", "duel2"]
    assert document.chapters[0].title == "Mine"


def test_a_page_that_does_not_fit_is_told(result: DuelResult) -> None:
    document = made(result, "sweep")
    assert str(document.faults[0][1]) == "it needs another kind of result: sweep or rules_sweep"
    assert [chapter.id for chapter in made(result).chapters] == ["duel", "sides", "methods"]


def test_a_condition_is_told_and_needs_hands(result: DuelResult, run: RecordedRun) -> None:
    with pytest.raises(UserError, match="--where chooses hands of recorded runs"):
        compose(read_inputs([result]), Wanted(where="spades >= 5"))
    document = compose(read_inputs([run]), Wanted(("methods",), where="spades >= 5"))
    told = "Hands with spades >= 5 alone are counted, where nothing else is said."
    assert document.condition == told
    assert document.html().index("spades &gt;= 5") < document.html().index("<h2")
    assert document.markdown("x").index("spades &gt;= 5") < document.markdown("x").index("## ")
    beside = compose(read_inputs([run]), Wanted(("duel", "play"), where="spades >= 5", with_files=False))
    assert [chapter.note for chapter in beside.chapters] == [OF_ALL, ""]
    assert "spades >= 5" in document.chapters[0].parts[0].text[0]


def test_files_of_tables_hold_plain_numbers(run: RecordedRun) -> None:
    """What a page shows with commas and signs is a number in its file; what has no interval has no ends."""
    document = compose(read_inputs([run]), Wanted(("duel", "sides", "methods")))
    files = {name: pd.read_csv(io.BytesIO(data)) for name, data in document.files().items() if "csv" in name}
    assert files["methods-played.csv"]["hands"].item() == run.result().hands
    won = files["duel-games-won.csv"].set_index("measure")
    assert won["low"].notna().groupby(level=0).all()["games"]
    assert won.drop(index="games")["low"].isna().all()
    sides = files["sides-sides.csv"].set_index(["measure", "side"])["mean"]
    assert sides["hands", "easy"] == run.result().sides["a"].hands
    assert {"sides-bots.csv", "sides-seats.csv"} <= set(files)


def test_a_bot_of_a_file_has_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In labels, tables and conditions; a condition takes its file as well."""
    monkeypatch.chdir(tmp_path)
    write_bot(Path(), "my_bot")
    play_duel(make_spec("my_bot.py", "easy", boards=1), keep=Keep(Path("run")))
    run = load("run")
    assert {subject.label for subject in subjects_of([run, run])} == {
        "my_bot", "easy", "my_bot (2)", "easy (2)"
    }  # fmt: skip
    assert run.bots["a.lower"] == "my_bot"
    assert set(run.sums(by=["bot"])["bot"]) == {"my_bot", "easy"}
    for text in ("my_bot", "my_bot.py", "./my_bot.py"):
        assert set(run.seats(["side"], where=f"bot == '{text}'")["side"]) == {"a"}


def test_fifty_bots_have_fifty_labels(run: RecordedRun) -> None:
    subjects = subjects_of([run] * 25)
    assert [subject.number for subject in subjects] == list(range(50))
    assert len({subject.label for subject in subjects}) == 50
    assert [subject.label for subject in subjects[:4]] == [
        "easy",
        "lowest_card",
        "easy (2)",
        "lowest_card (2)",
    ]
    found = read_inputs([run] * 25)
    document = compose(found, Wanted(("duel", "sides", "methods"), with_files=False))
    assert document.faults == []
    assert [chapter.id for chapter in document.chapters] == ["duel", "methods"]  # nothing side by side
    assert document.title == "25 results side by side"


def test_a_bot_that_plays_itself_is_one_subject(tmp_path: Path) -> None:
    play_duel(make_spec("easy", "easy", boards=1), keep=Keep(tmp_path / "run"))
    (subject,) = subjects_of([load(tmp_path / "run")])
    assert subject.roles == (0, 1, 2, 3)
    assert made(tmp_path / "run", "duel", "sides", "methods").faults == []


def test_a_run_without_hands_is_told(run: RecordedRun, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes((run.store.folder / "run.json").read_bytes())
    with pytest.raises(UserError, match="missing from"):
        read_inputs([tmp_path])
    store = load(tmp_path).store
    store.save(store.manifest.changed(result=None))
    with pytest.raises(UserError, match="has no part yet"):
        read_inputs([tmp_path])


def test_the_files_of_pictures_are_all_there(result: DuelResult, tmp_path: Path) -> None:
    document = made(result, "duel", with_files=True)
    files = document.save(tmp_path / "out.html", tmp_path / "figures")
    assert {file.name for file in files} == {
        f"duel-games-won.{ending}" for ending in ("svg", "png", "pdf", "csv")
    }
    assert sorted(files) == sorted((tmp_path / "figures").iterdir())
    starts = {
        ".svg": b"<?xml",
        ".png": b"\x89PNG",
        ".pdf": b"%PDF",
        ".csv": b"measure,side,mean,low,high,unit",
    }
    for file in files:
        assert file.read_bytes().startswith(starts[file.suffix])
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    links = re.findall(r'href="(figures/[^"]*)"', page)
    assert sorted(tmp_path / link for link in links) == sorted(files)


def test_markdown_links_to_pictures_that_are_there(result: DuelResult, tmp_path: Path) -> None:
    made(result, with_files=True).save(tmp_path / "a b.md")
    text = (tmp_path / "a b.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^\]]+\]\(<([^>]*)>\)", text)
    assert len(pictures) == 4
    assert all((tmp_path / picture.replace("%20", " ")).is_file() for picture in pictures)
    anchors = re.findall(r"\]\(#([^)]*)\)", text)
    assert anchors == re.findall(r'<a id="([^"]*)">', text) == ["duel", "sides", "methods"]
    assert "nan" not in re.findall(r"\w+", text.lower())


def test_a_notebook_shows_a_report_in_a_frame(result: DuelResult) -> None:
    frame = spadesim.report(result, pages=["duel"], with_files=False)._repr_html_()
    reader = read(frame)
    assert reader.counts == {"iframe": 1}
    assert result.verdict in frame


def test_a_place_that_cannot_be_written_is_told(result: DuelResult, tmp_path: Path) -> None:
    (tmp_path / "page_files").touch()
    with pytest.raises(UserError, match=r"page_files' cannot be written: File exists\."):
        made(result, "duel", with_files=True).save(tmp_path / "page.html")


def test_a_report_is_written_whole_or_not_at_all(
    result: DuelResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = made(result, "duel", with_files=True)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "mine.txt").touch()
    full = OSError(errno.ENOSPC, "No space left on device")
    with monkeypatch.context() as patched:
        patched.setattr("spadesim.analysis.document.write_durably", Mock(side_effect=full))
        for figures in (None, tmp_path / "new" / "deep", tmp_path / "old"):
            with pytest.raises(UserError, match="No space left"):
                document.save(tmp_path / "page.html", figures)
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "old", tmp_path / "old" / "mine.txt"]
    files = document.save(tmp_path / "page.html", tmp_path / "old")
    assert {*files, tmp_path / "old" / "mine.txt"} == set((tmp_path / "old").iterdir())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "is no JSON file"),
        ("[1, 2]", "is no result of a command"),
        ("{}", "is no result of a command"),
        (
            '{"win_rate_a": 1, "sides": {}, "seats": {}}',
            "is no result that this version can read: it has no 'a'",
        ),
        ('{"results": [{}], "answer": "", "kind": "duel"}', "is no answer that this version can read"),
    ],
)
def test_what_is_no_result_is_told(folder: Path, content: str, reason: str) -> None:
    (folder / "x.json").write_text(content)
    with pytest.raises(UserError, match=reason):
        read_inputs(["x.json"])
    with pytest.raises(UserError, match="There is no 'y'"):
        read_inputs(["y"])
    with pytest.raises(UserError, match="holds nothing to report on"):
        read_inputs([folder])
    with pytest.raises(UserError, match="not of 3"):
        Found().add(3)


def test_no_two_pictures_sections_or_files_have_one_name(result: DuelResult, tmp_path: Path) -> None:
    """Of pages with one name, and of a picture that is called like a page, a section or another's title."""
    (tmp_path / "other").mkdir()
    titles = {"other/nil": "x", "nil": "2-x", "nil-2": "x", "made": "1", "nil-2-x": "t", "Nil 2": "x"}
    pages = [write_page(tmp_path, name, title) for name, title in titles.items()]
    broken = tmp_path / "other" / "made.py"
    broken.write_text("1 / 0\n")
    document = compose(read_inputs([result]), Wanted((*pages, str(broken), "duel")))
    assert len(document.pictures) == len(pages) + 1
    assert len(document.files()) == 5 * len(pages) + 4
    anchors = re.findall(r'\bid="([^"]*)"', document.html("x"))
    assert len(set(anchors)) == len(anchors)


def test_names_of_files_are_short_and_plain() -> None:
    assert slug("x" * 500) == "x" * 60
    assert slug("../..") == "x"
