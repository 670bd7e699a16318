"""Elements of SVG as text, and how numbers are written in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from rankgauge.languages.escapes import printable
from rankgauge.presentation.charts.chart import Chart
from rankgauge.presentation.text import display_width


def tag(name: str, *children: str, **attributes: object) -> str:
    """Return an element; `class_` is written as `class`, an underscore as a hyphen, and None is left out.

    >>> tag("line", x1="0%", y1=2.5, class_="grid", stroke_width=None)
    '<line x1="0%" y1="2.5" class="grid"/>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def _number(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text(content: str, **attributes: object) -> str:
    """Return a text; what could reorder or hide it is escaped.

    >>> text("a < b", x=0, y=4)
    '<text x="0" y="4">a &lt; b</text>'
    """
    return tag("text", escape(printable(content), quote=False), **attributes)


def label(content: str, longest: int, **attributes: object) -> str:
    """Return a text that is cut where it is too long, with the whole of it as a tooltip.

    >>> label("abcdef", 4, x=0)
    '<text x="0">abc…<title>abcdef</title></text>'
    """
    shown = printable(content)
    if display_width(shown) <= longest:
        return text(content, **attributes)
    kept = shown[:longest]
    while display_width(kept) > longest - 1:  # wide characters, such as those of Korean, take two columns
        kept = kept[:-1]
    return tag("text", f"{escape(kept, quote=False)}…{title(shown)}", **attributes)


def title(content: str) -> str:
    """Return a tooltip."""
    return f"<title>{escape(printable(content), quote=False)}</title>"


def percent(share: float) -> str:
    """Return a share of the width.

    >>> percent(0.125), percent(1)
    ('12.5%', '100%')
    """
    return f"{_number(float(share) * 100)}%"


def image(chart: Chart, class_: str, height: float, children: Iterable[str], **attributes: object) -> str:
    """Return the element of a chart: an image for those who cannot see it, described in words.

    `height` is that of the plot; the style sheet adds the padding of the class.
    """
    described = printable(chart.description)
    inside = "".join(children)
    return tag(
        "svg", inside or " ", class_=f"plot {class_}", role="img", aria_label=described, height=height, **attributes
    )


def breakable(name: str) -> str:
    """Return a name as HTML in which a line may end after a sign between words, before it ends within a word.

    >>> breakable("dense_v2")
    'dense_<wbr/>v2'
    """
    return re.sub(r"(?<=[_./])(?=[^\W\d_])", "<wbr/>", escape(name))
