"""A report in a browser, wide and narrow, light and dark: all there, nothing clipped, nothing asked for.

Skipped where Playwright or a Chromium is missing: the extra ``browser`` and a Chromium, on the path or in
SPADESIM_CHROMIUM, make it run.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import spadesim
from spadesim.match.duel import Keep, play_duel
from spadesim.match.spec import make_spec

pytestmark = pytest.mark.compiled_only

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
# What lies outside of a picture's view box, and so is cut off; the box of a group is that of its paths.
CLIPPED = """() => [...document.querySelectorAll('svg')].flatMap(svg => {
    const box = svg.viewBox.baseVal;
    return [...svg.querySelectorAll('g[id*="text"]')].filter(text => {
        const b = text.getBBox();
        const low = b.x < box.x - 1 || b.y < box.y - 1;
        return low || b.x + b.width > box.width + 1 || b.y + b.height > box.height + 1;
    }).map(text => svg.querySelector('title').textContent + ': ' + text.id);
})"""
UNNAMED = """() => [...document.querySelectorAll('svg, img')].filter(one => {
    const label = one.getAttribute('aria-labelledby') || '';
    const texts = label.split(' ').map(id => document.getElementById(id)?.textContent || '');
    return !(one.getAttribute('alt') || (texts.length == 2 && texts.every(text => text)));
}).length"""
EMPTY = """() => [...document.querySelectorAll('svg, img')].filter(one => {
    const box = one.getBoundingClientRect();
    return box.width < 200 || box.height < 50;
}).length"""
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def chromium() -> str | None:
    """Where a Chromium is, None where none is found."""
    return os.environ.get("SPADESIM_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    found = chromium()
    if found is None:
        pytest.skip("no Chromium was found; SPADESIM_CHROMIUM can tell where one is")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found, args=QUIET)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of everything that a report can be of."""
    folder = tmp_path_factory.mktemp("report")
    long = "easy:ace=2,high_spade=0,third_seat=2"
    play_duel(make_spec("easy", long, games=20), keep=Keep(folder / "run", "cards"))
    bots = ["easy", "lowest_card", long, "easy:ace=0", "easy:ace=2", "easy:high_spade=0"]
    found = [
        folder / "run",
        spadesim.duel("easy", long, games=20),
        spadesim.duel(long, "lowest_card", boards=20),
        spadesim.tournament(*bots, boards=20, games=4),
        spadesim.sweep("easy", ["ace=0:2:1"], boards=20, confirm=0),
        spadesim.sweep("easy", ["ace=0:2:1", "third_seat=2:8:1"], boards=20, confirm=0),
        spadesim.sweep_rules("easy", ["rules.bag_penalty=0,100"], vs=["lowest_card", long], games=12),
        spadesim.diff("easy", "lowest_card", boards=40, top=4, redeals=30),
        spadesim.diff(long, "easy", boards=300, top=2, redeals=0, rules="cutthroat3"),
        spadesim.calibrate("easy", "blunder", "easy", 0.4, within=0.1),
    ]
    file = folder / "page.html"
    file.write_text(spadesim.report(*found, with_files=False).html(), encoding="utf-8")
    return file


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "light"), (390, "dark")])
def test_a_report_looks_right(browser: Any, page: Path, width: int, scheme: str) -> None:
    view = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    said: list[str] = []
    asked: list[str] = []
    view.on("console", lambda message: said.append(message.text))
    view.on("pageerror", lambda error: said.append(str(error)))
    view.on("request", lambda request: asked.append(request.url))
    view.goto(page.as_uri())
    try:
        assert said == []
        assert asked == [page.as_uri()]
        assert view.evaluate("document.querySelectorAll('svg').length") > 15
        assert view.evaluate(WIDE) == 0
        assert view.evaluate(UNNAMED) == 0
        assert view.evaluate(EMPTY) == 0
        assert view.evaluate(CLIPPED) == []
        ink = view.evaluate("getComputedStyle(document.body).color")
        assert (ink == "rgb(27, 31, 36)") is (scheme == "light")
    finally:
        view.close()
