"""The site as a reader sees it, opened from files in Chromium: no console error, and no request beyond the site."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.browser.watched_page import WatchedPages

SEARCHES = ["ndcg", "순위", "추천"]
OPENED = ["index.html", "README.ko.html", "docs/architecture.html", "docs/benchmarks.html", "docs/api/rg.html"]
OVERFLOWS = "() => document.documentElement.scrollWidth > window.innerWidth"


@pytest.mark.parametrize("address", OPENED)
def test_page_opens_without_a_problem(address: str, site: Path, open_page: WatchedPages) -> None:
    page = open_page(site / address, within=site)
    assert page.locator("article h1").first.is_visible()


@pytest.mark.parametrize("word", SEARCHES)
def test_search_for_a_word_finds_its_page(word: str, site: Path, open_page: WatchedPages) -> None:
    page = open_page(site / "index.html", within=site)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").or_(page.get_by_role("textbox")).first.fill(word)
    best = page.get_by_role("option").first
    best.wait_for()
    assert word in best.inner_text().lower()
    best.click()
    page.wait_for_url(lambda url: not url.endswith("index.html"))
    assert word in page.locator("article").inner_text().lower()


def test_dark_colours_follow_the_system_and_the_button(site: Path, open_page: WatchedPages) -> None:
    background = "() => getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number)"
    light = open_page(site / "index.html", within=site)
    dark = open_page(site / "index.html", within=site, dark=True)
    assert min(light.evaluate(background)) > 230
    assert max(dark.evaluate(background)) < 40
    light.get_by_title("choose light").click()
    light.get_by_title("choose dark").click()
    assert max(light.evaluate(background)) < 40


@pytest.mark.parametrize("address", ["docs/guides/search.html", "docs/ko/ndcg.html", "docs/conventions.html"])
def test_page_fits_a_phone(address: str, site: Path, open_page: WatchedPages) -> None:
    page = open_page(site / address, within=site, width=400, touch=True)
    assert not page.evaluate(OVERFLOWS)
    for code in page.locator("article pre > code").all():
        sizes = "code => [parseFloat(getComputedStyle(code).fontSize), getComputedStyle(code).overflowX]"
        size, overflow = code.evaluate(sizes)
        assert size >= 11
        assert overflow == "auto"


def test_drawing_is_drawn_in_the_colours_of_the_page(site: Path, open_page: WatchedPages) -> None:
    page = open_page(site / "docs" / "architecture.html", within=site, dark=True)
    label = page.locator(".drawing text", has_text="evaluate").first
    assert label.bounding_box() is not None
    assert page.locator(".drawing path").count() > 40
    room = page.locator(".drawing-room")
    widths = "room => [room.clientWidth, room.scrollWidth]"
    shown, whole = room.evaluate(widths)
    assert shown == whole
    room.click()
    shown, whole = room.evaluate(widths)
    assert whole > 1.5 * shown
    fill = "text => getComputedStyle(text).fill.match(/[0-9.]+/g).slice(0, 3).map(Number)"
    assert min(label.evaluate(fill)) > 150


def test_benchmarks_page_in_a_browser_has_bars(site: Path, open_page: WatchedPages) -> None:
    page = open_page(site / "docs" / "benchmarks.html", within=site)
    widths = page.locator(".bar").evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().width)")
    assert len(widths) > 20
    assert max(widths) > 10 * min(widths) > 0
