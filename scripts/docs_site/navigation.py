"""The navigation of the site, read from docs/README.md: a heading is a section, a link is a page.

A page that has a folder of the same name, or is the README of a folder, has the other pages of that folder below it,
and any page the pages of HTML that it links to. So a new convention, decision or Korean page is found by itself; a new
guide that docs/README.md does not link to ends the build with an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from docs_site.pages import INDEX, LINK, is_external, is_page, resolved, title_of

# A page or a section, as Zensical takes it: {title: path} or {title: [entries]}.
Entry = dict[str, Any]
HEADING: Final = re.compile(r"^(##|###) +(.+)$")
HOME: Final = "README.md"
# Pages that are made when the site is built, below the section that they belong to.
MADE: Final[Mapping[str, str]] = {"By name": "docs/api/README.md"}
OVERVIEW: Final = "Overview"
KOREAN_OVERVIEW: Final = "문서 목록"


def navigation(texts: Mapping[str, str]) -> list[Entry]:
    """Return the sections of the site; `texts` has the text of every page by its path."""
    reader = _Reader(texts)
    sections = [{"Home": HOME}, *reader.sections()]
    missing = [path for path in texts if is_page(path) and path not in reader.placed]
    if missing:
        raise SystemExit(f"{', '.join(missing)}: not in the navigation. Add a link to {INDEX}.")
    return sections


class _Reader:
    """Reads the sections, and remembers which pages have their place: a page stands where it is linked first."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.placed = {HOME, INDEX}
        self.linked = {path for _, path in links(INDEX, texts[INDEX])}

    def sections(self) -> list[Entry]:
        top: list[Entry] = []
        entries: list[Any] = []
        section: list[Any] = entries
        for line in self.texts[INDEX].splitlines():
            heading = HEADING.match(line)
            if heading and heading[1] == "##":
                entries = section = [] if top else [{OVERVIEW: INDEX}]
                top.append({heading[2]: entries})
            elif heading:
                section = list(self._made(heading[2]))
                entries.append({heading[2]: section})
            elif top:
                section.extend(self._entries(line))
        return [section for section in top if any(section.values())]

    def _made(self, section: str) -> Iterator[Entry]:
        if section in MADE:
            yield self._entry("API", MADE[section])

    def _entries(self, line: str) -> Iterator[Entry]:
        for title, path in links(INDEX, line):
            if path in self.texts and path not in self.placed:
                yield self._entry(title, path)

    def _entry(self, title: str, path: str) -> Entry:
        self.placed.add(path)
        below = [other for other in self._below(path) if other not in self.placed and other not in self.linked]
        self.placed.update(below)
        if not below:
            return {title: path}
        overview = KOREAN_OVERVIEW if path.startswith("docs/ko/") else OVERVIEW
        return {title: [{overview: path}, *({title_of(other, self.texts[other]): other} for other in below)]}

    def _below(self, path: str) -> list[str]:
        """Return the pages below a page: those that it links to in their order, then the rest of its folder."""
        page = Path(path)
        folder = page.parent if page.name == "README.md" else page.with_suffix("")
        order = [other for _, other in links(path, self.texts[path])]
        below = [other for other in self.texts if Path(other).parent == folder or self._belongs(other, order)]
        return sorted(below, key=lambda other: order.index(other) if other in order else len(order))

    @staticmethod
    def _belongs(path: str, linked: list[str]) -> bool:
        """Whether a page stands below one because that links to it: a page of HTML, or of a run of benchmarks."""
        return path in linked and (path.endswith(".html") or path.startswith("benchmarks/"))


def links(page: str, text: str) -> list[tuple[str, str]]:
    """Return the title and the path of each link of a page to another file of the repository.

    >>> links("docs/README.md", "| … | [Search](guides/search.md#a), [a site](https://semver.org) |")
    [('Search', 'docs/guides/search.md')]
    """
    links = LINK.findall(text)
    return [(title, resolved(page, target)) for title, target in links if not is_external(target) and target[0] != "#"]
