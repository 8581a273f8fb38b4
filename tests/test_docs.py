"""What is written about the project holds together."""

import re
from pathlib import Path

import pytest
import yaml

import spadesim
from spadesim.expressions.reader import OF_NUMBERS, OVER_SEATS
from spadesim.expressions.seats import ALL_SEATS
from spadesim.expressions.words import ALIASES, RANKS, SHORT, WORDS

pytestmark = pytest.mark.compiled_only

ROOT = Path(__file__).parent.parent
TEXTS = sorted(
    file
    for pattern in ("*.md", "docs/**/*.md", "strategies/*.md", "experiments/*.md", "reports/*.md")
    for file in ROOT.glob(pattern)
)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]+)?\)")
HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Return the anchors that a page's headings make."""
    headings = HEADING.findall(re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {"#" + heading.replace(" ", "-") for heading in words}


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_lead_somewhere(file: Path) -> None:
    for target, anchor in LINK.findall(file.read_text(encoding="utf-8")):
        path = (file.parent / target).resolve() if target else file
        assert path.exists(), f"{file.name} links to {target}"
        if anchor:
            assert anchor in anchors(path.read_text(encoding="utf-8")), (
                f"{file.name} links to {target}{anchor}"
            )


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {
        (index.parent / target).resolve() for target, _ in LINK.findall(index.read_text(encoding="utf-8"))
    }
    pages = {page.resolve() for page in (ROOT / "docs").rglob("*.md") if page != index}
    assert not pages - linked


def test_readme_begins_with_two_command_lines() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    for block in blocks[:2]:
        assert len(block.splitlines()) == 1
    assert "spadesim duel easy hard --games 100000" in blocks[0]
    assert "nox" in blocks[1]


def test_citation_names_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == spadesim.__version__
    assert spadesim.__version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_step_of_the_tactics_is_listed() -> None:
    source = (ROOT / "spadesim" / "tactics.py").read_text(encoding="utf-8")
    text = (ROOT / "docs" / "reference" / "strategies.md").read_text(encoding="utf-8")
    steps = re.findall(r"^@jit\ndef (\w+)", source, re.MULTILINE)
    assert len(steps) > 20
    assert [step for step in steps if f"| `{step}(" not in text] == []


def test_every_word_of_an_expression_is_explained() -> None:
    text = (ROOT / "docs" / "reference" / "expressions.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`(\w+)(?:\(.*?\))?`", text))
    assert not {*WORDS, *ALIASES, *SHORT, *OVER_SEATS, *OF_NUMBERS, *ALL_SEATS, *RANKS} - explained
