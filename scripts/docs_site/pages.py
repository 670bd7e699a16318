"""Which pages the site has: paths inside the repository, and their titles."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from benchmarks.page import OVERVIEW, newest_folders

ROOT: Final = Path(__file__).resolve().parents[2]
INDEX: Final = "docs/README.md"
# Files at the top of the repository that are pages, or that pages link to.
TOP: Final = ("README.md", "README.ko.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "CITATION.cff")
TITLE: Final = re.compile(r"^# +(.+)$", re.MULTILINE)
HTML_TITLE: Final = re.compile(r"<title>(.*?)</title>", re.DOTALL)
LINK: Final = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


def sources() -> list[str]:
    """Return every file of the repository that the site has, by its path."""
    runs = [path for folder in set(newest_folders().values()) for path in folder.iterdir()]
    paths = sorted([*(ROOT / "docs").rglob("*"), *runs, OVERVIEW])
    files = [path.relative_to(ROOT).as_posix() for path in paths if path.is_file()]
    return [*(name for name in TOP if (ROOT / name).exists()), *files]


def is_page(path: str) -> bool:
    """Whether a file is shown as a page: Markdown, or a page of HTML that is copied as it is."""
    return path.endswith((".md", ".html"))


def title_of(path: str, text: str) -> str:
    """Return the first heading of a page without its marks, or what its file is called.

    >>> title_of("docs/conventions/ranx.md", "# `ranx`")
    'ranx'
    >>> title_of("docs/guides/compare.md", "no heading")
    'Compare'
    """
    match = (HTML_TITLE if path.endswith(".html") else TITLE).search(text)
    return match[1].strip().replace("`", "") if match else Path(path).stem.replace("-", " ").capitalize()


def resolved(page: str, target: str) -> str:
    """Return the path inside the repository that a link of a page leads to.

    >>> resolved("docs/guides/ndcg.md", "../measures.md#ndcg")
    'docs/measures.md'
    """
    parts: list[str] = []
    for part in [*Path(page).parent.parts, *target.partition("#")[0].split("/")]:
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def is_external(target: str) -> bool:
    """Whether a link leads out of the repository.

    >>> is_external("https://semver.org"), is_external("guides/ndcg.md")
    (True, False)
    """
    return re.match(r"[a-z]+:", target) is not None
