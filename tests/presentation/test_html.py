"""HTML: a standalone page that browsers accept, in which nothing that came from data is markup."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.languages import Text
from rankgauge.languages.escapes import printable
from rankgauge.presentation.formats import render
from rankgauge.presentation.html import page, parts_to_html, table_to_html
from rankgauge.presentation.table import Table

HOSTILE = ["</td><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"&amp;'", "\x1b[31m\u202e"]
VOID = {"meta"}


class Parsed(HTMLParser):
    """Collects the tags, checks that they nest, and joins the text of each cell."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert attrs == [("class", "number")] or tag not in ("td", "th", "p") or attrs == []
        self.tags.append(tag)
        if tag not in VOID:
            self._open.append(tag)
        if tag in ("td", "th", "p"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("td", "th", "p"):
            self.cells[-1] += data


def test_page_of_hostile_ids_has_no_tags_of_theirs() -> None:
    result = rg.evaluate({name: {"d": 1} for name in HOSTILE}, {name: ["d"] for name in HOSTILE}, "ndcg@10")
    parsed = Parsed(page(result.parts(per_query=True)))
    assert not {"script", "img"} & set(parsed.tags)
    assert {printable(name) for name in HOSTILE} <= set(parsed.cells)


def test_page_declares_utf8_a_language_and_a_title() -> None:
    text = page(["映画"])
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">')
    assert "<title>rankgauge</title>" in text
    assert "<p>映画</p>" in text
    assert text.endswith("</html>\n")


def test_page_loads_nothing_from_elsewhere() -> None:
    text = render(rg.evaluate({"q": {"d": 1}}, {"q": ["d"]}), "html")
    assert "http" not in text
    assert "src=" not in text
    assert "<script" not in text


@settings(deadline=None)
@given(cells=st.lists(st.text()))
def test_page_of_any_cells_shows_them_unchanged(cells: list[str]) -> None:
    parsed = Parsed(page([Table(["id"], [[cell] for cell in cells])]))
    assert parsed.cells == ["id", *(printable(cell) for cell in cells)]


def test_table_to_html_of_numeric_columns_marks_their_cells() -> None:
    assert table_to_html(Table(["item", "rank"], [["a", 1]])) == (
        '<table><thead><tr><th>item</th><th class="number">rank</th></tr></thead>'
        '<tbody><tr><td>a</td><td class="number">1</td></tr></tbody></table>'
    )


def test_parts_to_html_with_places_rounds_texts_and_tables() -> None:
    html = parts_to_html([Text("mean {}", 0.12345), "", Table(["mean"], [[0.12345]])], 2)
    assert html.count("0.12<") == 2
    assert html.count("<p>") == 1
