"""The built site: every link and anchor leads somewhere, nothing is asked of the network, pages look as on GitHub."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

from docs_site.build import page_texts, run_zensical, translations
from docs_site.pages import sources
from docs_site.staging import staged

LOADING = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src", "video": "src"}
COMPARED = ("li", "ul", "ol", "table", "tr", "pre", "h2", "h3", "strong", "em", "blockquote")
TEXTS = page_texts()
PAGES = [path for path in TEXTS if path.endswith(".md")]


class Read(HTMLParser):
    """The links of a page, what it loads, the ids it has, and how often each tag stands in its article."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.add(str(given["id"]))
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if tag in LOADING and given.get(LOADING[tag]):
            self.loaded.append(str(given[LOADING[tag]]))


@cache
def read(page: Path) -> Read:
    return Read(page.read_text(encoding="utf-8"))


def address(path: str) -> str:
    return re.sub(r"README\.md$", "index.md", path).removesuffix(".md") + ".html"


def dead(page: Path) -> list[str]:
    """Return the links of a page, and what it loads, that lead nowhere or to the network."""
    own = read(page)
    links = [link for link in own.links if not re.match(r"(https?|mailto|javascript):", link)]
    return [link for link in [*links, *own.loaded] if not leads_somewhere(page, link)]


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    file = (page.parent / unquote(path)).resolve() if path else page
    if not file.is_file():
        return False
    return not anchor or unquote(anchor) in {*read(file).ids, "__top"}


def test_links_and_anchors_lead_somewhere(site: Path) -> None:
    pages = [page for page in sorted(site.rglob("*.html")) if page.name != "404.html"]
    assert len(pages) == len(TEXTS)
    actual = {page.relative_to(site).as_posix(): dead(page) for page in pages}
    assert {page: links for page, links in actual.items() if links} == {}


def test_dead_of_a_page_lists_its_broken_links(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<p id="a"><a href="#a"><a href="#b"><a href="no.html"><img src="https://x.org/a.png">', "utf-8")
    assert dead(page) == ["#b", "no.html", "https://x.org/a.png"]


def test_styles_and_scripts_name_no_other_host(site: Path) -> None:
    own = [*(site / "assets").glob("*.css"), *(site / "assets").glob("*.js")]
    assert own
    assert [file.name for file in own if "://" in file.read_text(encoding="utf-8")] == []
    theme = "".join(file.read_text(encoding="utf-8") for file in (site / "assets" / "stylesheets").rglob("*.css"))
    assert re.findall(r"(?:url\(|@import )[\"']?https?:[^)\"']*", theme) == []


@pytest.mark.parametrize("path", PAGES)
def test_page_has_the_lists_and_tables_that_github_shows(path: str, site: Path) -> None:
    reference = MarkdownIt("commonmark", {"html": True}).enable("table")
    expected = reference.render(staged(path, TEXTS[path], {*sources(), *TEXTS}))
    article = re.search(r"<article.*?</article>", (site / address(path)).read_text(encoding="utf-8"), re.DOTALL)
    assert article is not None
    assert tags(article[0]) == tags(expected)


def tags(html: str) -> Mapping[str, int]:
    return Counter(tag for tag in re.findall(r"<(\w+)[ >]", html) if tag in COMPARED)


def test_no_page_has_formulas_that_need_a_script() -> None:
    assert [path for path in PAGES if "$$" in TEXTS[path] or "\\mathrm" in TEXTS[path]] == []


def test_pages_say_their_language(site: Path) -> None:
    assert '<html lang="ko"' in (site / "docs/ko/ndcg.html").read_text(encoding="utf-8")
    assert '<html lang="en"' in (site / "docs/guides/ndcg.html").read_text(encoding="utf-8")


def test_languages_lead_to_the_same_page_where_there_is_one(site: Path) -> None:
    assert translations(TEXTS)["docs/ko/ndcg.html"] == "docs/guides/ndcg.html"
    switch = re.findall(r'<a href="([^"]+)" hreflang="ko"', (site / "docs/guides/ndcg.html").read_text("utf-8"))
    assert switch == ["../ko/ndcg.html"]
    without = re.findall(r'<a href="([^"]+)" hreflang="ko"', (site / "docs/measures.html").read_text("utf-8"))
    assert without == ["../README.ko.html"]


def test_failure_of_zensical_is_reported(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.md").write_text("# A\n\n[b](b.md)\n", encoding="utf-8")
    (tmp_path / "zensical.toml").write_text('[project]\nsite_name = "s"\ndocs_dir = "pages"\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="zensical failed"):
        run_zensical(tmp_path)
