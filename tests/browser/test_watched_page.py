from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser.watched_page import WatchedPages


@pytest.fixture
def write(tmp_path: Path) -> Path:
    (tmp_path / "style.css").write_text("p { color: teal }")
    return tmp_path / "page.html"


def problems_of(open_page: WatchedPages, path: Path, html: str, within: Path | None = None) -> list[str]:
    """What is noted of a page; the list is emptied so that the test itself passes."""
    path.write_text(f"<!doctype html><title>t</title>{html}")
    open_page(path, within=within)
    open_page.close()
    open_page.contexts.clear()
    problems = list(open_page.problems)
    open_page.problems.clear()
    return problems


def test_quiet_page_has_no_problems(open_page: WatchedPages, write: Path) -> None:
    html = (
        '<p>hello</p><img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><script>console.log("fine")</script>'
    )
    assert problems_of(open_page, write, html) == []


def test_console_error_and_exception_are_problems(open_page: WatchedPages, write: Path) -> None:
    html = '<script>console.error("broken"); console.warn("odd"); throw new Error("thrown")</script>'
    problems = problems_of(open_page, write, html)
    assert problems[:2] == ["console error: broken", "console warning: odd"]
    assert "exception: thrown" in problems


def test_requests_are_problems_also_those_of_the_own_folder(open_page: WatchedPages, write: Path) -> None:
    html = '<link rel="stylesheet" href="style.css"><img alt="" src="https://example.org/a.png">'
    problems = problems_of(open_page, write, html)
    assert f"request: {(write.parent / 'style.css').as_uri()}" in problems
    assert "request: https://example.org/a.png" in problems


def test_requests_within_the_folder_of_a_site_are_no_problems(open_page: WatchedPages, write: Path) -> None:
    assert problems_of(open_page, write, '<link rel="stylesheet" href="style.css">', write.parent) == []


def test_what_the_policy_of_a_page_blocks_is_a_problem(open_page: WatchedPages, write: Path) -> None:
    policy = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'
    assert any(
        "Content Security Policy" in problem
        for problem in problems_of(open_page, write, policy + "<p style='color:red'>")
    )


def test_problems_fail_a_test(open_page: WatchedPages) -> None:
    open_page.problems.append("console error: broken")
    with pytest.raises(pytest.fail.Exception, match="console error: broken"):
        open_page.require_no_problems()
    open_page.problems.clear()


def test_window_has_the_width_colours_and_fragment_asked_for(open_page: WatchedPages, write: Path) -> None:
    write.write_text("<!doctype html><title>t</title><p>hello</p>")
    page = open_page(write, width=400, dark=True, touch=True, fragment="#part")
    assert page.evaluate("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, location.hash]") == [
        400,
        True,
        "#part",
    ]
    assert open_page.screenshot(page, "picture").read_bytes().startswith(b"\x89PNG")
