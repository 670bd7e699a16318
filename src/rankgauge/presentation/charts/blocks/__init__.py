"""Charts as lines of text: block characters with styles for a terminal, ASCII for a pipe.

A renderer returns lines of spans; `plain_text` joins them, and a terminal gives each style a colour.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rankgauge.presentation.charts import (
    Bars,
    Chart,
    Curves,
    Distributions,
    Dots,
    HeatMap,
    Intervals,
    OrderedBars,
    Scatter,
)
from rankgauge.presentation.charts.blocks.bars import bars, distributions, ordered_bars
from rankgauge.presentation.charts.blocks.glyphs import ASCII, UNICODE, Glyphs, Line, Span, Style
from rankgauge.presentation.charts.blocks.planes import curves, heat_map, scatter
from rankgauge.presentation.charts.blocks.rows import dots, intervals

WIDTH: Final = 80

DRAW: Final[Mapping[type[Chart], Callable[[Any, int, Glyphs], list[Line]]]] = {
    Bars: bars,
    Curves: curves,
    Distributions: distributions,
    Dots: dots,
    HeatMap: heat_map,
    Intervals: intervals,
    OrderedBars: ordered_bars,
    Scatter: scatter,
}

__all__ = ["ASCII", "DRAW", "UNICODE", "WIDTH", "Glyphs", "Line", "Span", "Style", "draw", "plain_text"]


def draw(chart: Chart, width: int = WIDTH, glyphs: Glyphs = UNICODE) -> list[Line]:
    """Return a chart as lines below its title.

    >>> from rankgauge.presentation.charts import Bar
    >>> print(plain_text(draw(Bars(title="By bucket", bars=(Bar("Q1", 0.25), Bar("Q2", 0.5))), 30)))
    By bucket
    Q1 ██████████▌ 0.250
    Q2 █████████████████████ 0.500
    """
    title = (Span(glyphs.label(glyphs.own(chart.title), width).rstrip()),)
    return [title, *DRAW[type(chart)](chart, width, glyphs)]


def plain_text(lines: list[Line]) -> str:
    """Return lines without their styles."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)
