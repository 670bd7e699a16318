from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from rankgauge.presentation.standalone_html import asset, content_policy, standalone_page

if TYPE_CHECKING:
    from tests.browser.watched_page import WatchedPages

HOSTILE = "</script><script>document.title = 'run'</script>\u2028é사\udc80"


def test_page_runs_its_own_script_and_style_and_reads_its_data(open_page: WatchedPages, tmp_path: Path) -> None:
    script = 'document.querySelector("p").textContent = JSON.parse(document.getElementById("ids").textContent)[0]'
    page = standalone_page(
        title="<b>", style="p { color: rgb(1, 2, 3) }", script=script, body="<p></p>", data={"ids": [HOSTILE]}
    )
    path = tmp_path / "page.html"
    path.write_text(page, encoding="utf-8")
    opened = open_page(path)
    assert opened.evaluate("document.querySelector('p').textContent.length") == len(HOSTILE)
    assert opened.evaluate("getComputedStyle(document.querySelector('p')).color") == "rgb(1, 2, 3)"
    assert opened.title() == "<b>"


def test_page_runs_nothing_else_and_requests_nothing(open_page: WatchedPages, tmp_path: Path) -> None:
    body = """<p onclick="document.title='run'" style="color: red">text</p><script>document.title = 'run'</script>
    <img alt="" src="https://example.org/a.png">"""
    path = tmp_path / "page.html"
    path.write_text(standalone_page(title="still", style="", script="", body=body), encoding="utf-8")
    opened = open_page(path)
    opened.click("p")
    assert opened.title() == "still"
    refused = [problem for problem in open_page.problems if "Content Security Policy" in problem]
    assert len(refused) == 4
    open_page.problems.clear()


def test_policy_allows_images_only_where_the_page_makes_them() -> None:
    assert "img-src" not in content_policy("", "")
    assert "img-src blob: data:;" in content_policy("", "", images=True)


def test_data_of_a_page_is_plain_json() -> None:
    page = standalone_page(title="t", style="", script="", body="", data={"ids": [HOSTILE]})
    text = page.partition('id="ids">')[2].partition("</script>")[0]
    assert json.loads(text) == [HOSTILE]


def test_asset_puts_files_one_below_the_other() -> None:
    theme = asset("rankgauge.presentation", "theme.css")
    assert theme.startswith("/* Colours")
    assert asset("rankgauge.presentation", "theme.css", "theme.css") == f"{theme}\n{theme}"
