"""Pages as the site shows them: what is changed in the copy of a page, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final

from docs_site import speed
from docs_site.drawings import with_drawings
from docs_site.pages import LINK, TITLE, is_external, resolved, title_of

FENCE: Final = re.compile(r"^(```python\n)(.*?)(^```)$", re.MULTILINE | re.DOTALL)
ITEM: Final = re.compile(r"(?:-|\d+\.) +")
COMMENT: Final = re.compile(r"^<!--.*?-->\n+", re.MULTILINE | re.DOTALL)


def staged(path: str, text: str, known: Collection[str]) -> str:
    """Return the text of a page for the site; `known` has the path of every file that the site has."""
    text = COMMENT.sub("", text)
    text = with_drawings(text)
    text = speed.with_charts(text)
    text = FENCE.sub(_session, text)
    text = outside_fences(text, with_deep_lists)
    text = outside_fences(text, lambda part: LINK.sub(lambda link: _link(path, link, known), part))
    return text if TITLE.search(text) else f"# {title_of(path, text)}\n\n{text}"


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    r"""Return a text in which everything but blocks of code is changed.

    >>> outside_fences("a\n```\na\n```\na", str.upper)
    'A\n```\na\n```\nA'
    """
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))


def with_deep_lists(text: str) -> str:
    r"""Indent the further paragraphs of list items by the 4 blanks that Zensical asks for, where GitHub asks for 2.

    >>> with_deep_lists("- a\n\n  more of a\n- b")
    '- a\n\n    more of a\n\n- b'
    """
    lines: list[str] = []
    width, further = 0, False  # the width of the list marker; whether the line is in a further paragraph of the item
    for line in text.split("\n"):
        mark = ITEM.match(line)
        if mark and further:
            lines.append("")
        if mark or (line and not line.startswith(" ")):
            width, further = len(mark[0]) if mark else 0, False
        elif line and width and (further or not lines[-1]):
            further = True
        lines.append(f"{' ' * (4 - width)}{line}" if further and line else line)
    return "\n".join(lines)


def _session(fence: re.Match[str]) -> str:
    """A block of examples is a session: prompts are coloured as such, and an empty line of output is empty."""
    opening, body, closing = fence.groups()
    if not body.startswith(">>>"):
        return fence[0]
    body = re.sub(r"^<BLANKLINE>$", "", body, flags=re.MULTILINE).rstrip("\n")
    return f"{opening.replace('python', 'pycon')}{body}\n{closing}"


def _link(page: str, link: re.Match[str], known: Collection[str]) -> str:
    """Link a folder to its README; replace a link to a file that is not on the site, such as a test, by its text."""
    text, target = link.groups()
    if is_external(target) or target.startswith("#"):
        return link[0]
    path = resolved(page, target)
    if path in known:
        return link[0]
    if f"{path}/README.md" in known:
        return f"[{text}]({target.rstrip('/')}/README.md)"
    return f"{text} (`{path}`)"
