"""Markdown: a row per line, whatever the cells hold."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from rankgauge.presentation.table import Table


def test_to_markdown_aligns_numbers_to_the_right() -> None:
    assert Table(["item", "rank"], [["a", 1], ["bcdef", 10]]).to_markdown().splitlines() == [
        "| item  | rank |",
        "|:------|-----:|",
        "| a     |    1 |",
        "| bcdef |   10 |",
    ]


def test_to_markdown_of_a_header_with_a_bar_escapes_it() -> None:
    assert Table(["a|b"], [["<i>"]]).to_markdown().splitlines()[::2] == [r"| a\|b      |", "| &lt;i&gt; |"]


@settings(deadline=None)
@given(cells=st.lists(st.tuples(st.text(), st.text()), min_size=1))
def test_to_markdown_of_any_text_keeps_the_number_of_columns(cells: list[tuple[str, str]]) -> None:
    lines = Table(["first", "second"], cells).to_markdown().split("\n")
    assert len(lines) == len(cells) + 2
    for line in lines:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3
        assert "<" not in line
