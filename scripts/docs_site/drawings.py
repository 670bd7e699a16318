"""Drawings in Mermaid as SVG inside the page, so that they show without a script and follow the colours of the site."""

from __future__ import annotations

import re
from typing import Final

BLOCK: Final = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The renderer's own colours and fonts; assets/site.css has ours.
STYLE: Final = re.compile(r"<style>.*?</style>", re.DOTALL)
PAINT: Final = re.compile(r' (?:fill|stroke|filter|style)="(?!none)[^"]*"')


def with_drawings(text: str) -> str:
    """Return a page with each block of Mermaid drawn."""
    return BLOCK.sub(lambda block: figure(block[1]), text)


def figure(source: str) -> str:
    """Return a drawing as a figure that scrolls sideways where it is too wide; its labels stay text."""
    import mmdr

    drawn = STYLE.sub("", mmdr.render(source).svg())
    drawn = PAINT.sub("", drawn).replace("\n", " ")
    label = 'role="img" aria-label="Which part of the package imports which; the arrows are listed in the source"'
    drawn = re.sub(r"^<svg [^>]*?(viewBox=\"[^\"]*\")[^>]*>", rf"<svg \1 {label}>", drawn, count=1)
    hint = "<figcaption>Click the drawing to enlarge it.</figcaption>"
    return f'<figure class="drawing"><div class="drawing-room" tabindex="0">{drawn}</div>{hint}</figure>'
