"""Glyphs: the characters that charts are drawn with, in a terminal and as ASCII."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from rankgauge.languages.escapes import printable
from rankgauge.presentation.charts.chart import Mark
from rankgauge.presentation.text import display_width

# How a piece of text is shown: as what its mark says, quietly, or as it is.
Style = Mark | Literal["quiet"]


class Span(NamedTuple):
    """A piece of a line in one style."""

    text: str
    style: Style = "plain"


Line = tuple[Span, ...]


class Glyphs(NamedTuple):
    """Characters to draw with.

    `bars` are parts of a cell from the left, the last one whole; `shades` fill a cell more and more, from nothing on;
    `points` tell series apart; `findings` names what a comparison found.
    """

    left: str
    line: str
    right: str
    point: str
    thin: str
    reference: str
    bars: str
    shades: str
    points: str
    axis: str
    cut: str
    findings: Mapping[Mark, str]
    is_ascii: bool

    def own(self, text: str) -> str:
        """Return a text of ours, such as a number: with characters that may be drawn."""
        return text.translate(_PLAIN) if self.is_ascii else text

    def label(self, text: str, width: int) -> str:
        """Return a text of the user, cut and padded to a width.

        >>> UNICODE.label("a long name", 6), ASCII.label("a long name", 6), UNICODE.label("한글", 6)
        ('a lon…', 'a l...', '한글  ')
        """
        safe = printable(text)
        if display_width(safe) > width:
            while safe and display_width(safe) > width - len(self.cut):
                safe = safe[:-1]
            safe += self.cut
        return safe + " " * (width - display_width(safe))


_PLAIN: Final = str.maketrans({"−": "-", "–": "-", "…": "...", "·": "-"})

UNICODE: Final = Glyphs(
    left="╺",
    line="━",
    right="╸",
    point="●",
    thin="─",
    reference="┊",
    bars="▏▎▍▌▋▊▉█",
    shades=" ░▒▓█",
    points="●○◆◇■□",
    axis="│",
    cut="…",
    findings={"better": "▲ better", "worse": "▼ worse", "undecided": "≈ not shown"},
    is_ascii=False,
)
ASCII: Final = Glyphs(
    left="[",
    line="=",
    right="]",
    point="o",
    thin="-",
    reference=":",
    bars="#",
    shades=" .:*#",
    points="ox+*#@",
    axis="|",
    cut="...",
    findings={"better": "better", "worse": "worse", "undecided": "not shown"},
    is_ascii=True,
)


def bar(glyphs: Glyphs, share: float, width: int) -> str:
    """Return a bar that fills a share of a width, to an eighth of a cell; something above 0 is never left out.

    >>> bar(UNICODE, 0.5, 5), bar(ASCII, 0.5, 5), bar(UNICODE, 0.001, 5), bar(UNICODE, 0.0, 5)
    ('██▌', '##', '▏', '')
    """
    parts = len(glyphs.bars)
    filled = round(share * width * parts)
    if share > 0:
        filled = max(filled, 1)
    whole, rest = divmod(filled, parts)
    return glyphs.bars[-1] * whole + (glyphs.bars[rest - 1] if rest else "")
