"""The navigation is what docs/README.md says, and no page can be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docs_site.build import page_texts
from docs_site.navigation import navigation
from docs_site.pages import ROOT

INDEX = (
    "# Docs\n\n## Guides\n\n### Search\n\n| you | [Search](guides/search.md) |\n\n## Reference\n\n[Rules](rules.md)\n"
)


def paths(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        for below in entry.values():
            yield from [below] if isinstance(below, str) else paths(below)


def texts(**others: str) -> dict[str, str]:
    pages = {"README.md": "# Home", "docs/README.md": INDEX, "docs/guides/search.md": "# S", "docs/rules.md": "# R"}
    return {**pages, **others}


def test_every_page_has_one_place() -> None:
    pages = page_texts()
    actual = list(paths(navigation(pages)))
    assert sorted(actual) == sorted(pages)
    docs = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*") if path.suffix in (".md", ".html")}
    assert docs <= set(actual)


def test_headings_are_sections_and_links_are_pages() -> None:
    assert navigation(texts()) == [
        {"Home": "README.md"},
        {"Guides": [{"Overview": "docs/README.md"}, {"Search": [{"Search": "docs/guides/search.md"}]}]},
        {"Reference": [{"Rules": "docs/rules.md"}]},
    ]


def test_page_without_a_link_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"docs/guides/new\.md: not in the navigation. Add a link to docs/README\.md"):
        navigation(texts(**{"docs/guides/new.md": "# New"}))


def test_navigation_of_a_folder_has_the_order_of_its_links() -> None:
    rules = {"docs/rules.md": "# R\n\n[b](rules/b.md)", "docs/rules/a.md": "# `a`", "docs/rules/b.md": "# `b`"}
    overview: dict[str, Any] = {"Overview": "docs/rules.md"}
    assert navigation(texts(**rules))[2] == {
        "Reference": [{"Rules": [overview, {"b": "docs/rules/b.md"}, {"a": "docs/rules/a.md"}]}]
    }


def test_page_of_html_stands_below_the_page_that_links_to_it() -> None:
    pages = {"docs/rules.md": "# R\n\n[try](learn/try.html)", "docs/learn/try.html": "<title>Try it</title>"}
    assert navigation(texts(**pages))[2] == {
        "Reference": [{"Rules": [{"Overview": "docs/rules.md"}, {"Try it": "docs/learn/try.html"}]}]
    }
