"""Intervals and Dots as SVG: a row per label, whose drawn part the style sheet puts beside or below the label."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from rankgauge.presentation.charts.chart import SYMBOLS, Chart
from rankgauge.presentation.charts.dots import Dots
from rankgauge.presentation.charts.intervals import IntervalRow, Intervals
from rankgauge.presentation.charts.svg.axes import ticks_text
from rankgauge.presentation.charts.svg.elements import image, label, percent, tag, text, title
from rankgauge.presentation.charts.svg.scales import Axis, Scale, nice_axis

ROW: Final = 50.0
DOT_ROW: Final = 38.0


def intervals(chart: Intervals) -> str:
    """Draw a forest: thick lines for the interval of a row, thin ones for that of all rows at once."""
    axis = nice_axis(*chart.domain)
    height = max(1, len(chart.rows)) * ROW
    drawn = [*_grid(chart, axis, height, chart.reference)]
    scale = Scale(axis.low, axis.high, 0.0, 1.0)
    for number, row in enumerate(chart.rows):
        drawn += _interval(row, scale, (number + 0.5) * ROW)
    written = [piece for number, row in enumerate(chart.rows) for piece in _texts(chart, row, (number + 0.5) * ROW)]
    return image(chart, "rows forest", height, [_plot(drawn), *written])


def _plot(drawn: list[str]) -> str:
    """Return the part with the axis; its place and width are in the style sheet, because they depend on the width."""
    return tag("svg", *drawn, class_="drawn", width="100%", height="100%", overflow="visible")


def _grid(chart: Chart, axis: Axis, height: float, reference: float | None) -> Iterator[str]:
    scale = Scale(axis.low, axis.high, 0.0, 1.0)
    signed = isinstance(chart, Intervals) and chart.signed
    for tick, written in zip(axis.ticks, ticks_text(chart, axis, signed=signed), strict=True):
        x = percent(scale(tick))
        yield tag("line", x1=x, x2=x, y1=0, y2=height, class_="grid")
        yield text(written, x=x, y=height + 16, class_="tick middle")
    if reference is not None:
        x = percent(scale(reference))
        yield tag("line", x1=x, x2=x, y1=0, y2=height, class_="zero")
    if chart.x_label:
        yield text(chart.x_label, x="50%", y=height + 33, class_="tick middle")


def _interval(row: IntervalRow, scale: Scale, y: float) -> Iterator[str]:
    lines: list[str] = []
    for low, high, class_ in ((row.wide_low, row.wide_high, "thin"), (row.low, row.high, "thick")):
        if low is not None and high is not None and math.isfinite(low) and math.isfinite(high):
            ends = {"x1": percent(scale(low)), "x2": percent(scale(high))}
            lines.append(tag("line", **ends, y1=y, y2=y, class_=f"{class_} {row.mark}"))
    if math.isfinite(row.value):
        lines.append(tag("circle", cx=percent(scale(row.value)), cy=y, r=4.5, class_=f"estimate {row.mark}"))
    yield tag("g", *(lines or [" "]), class_="drawn-row")


def _texts(chart: Intervals, row: IntervalRow, y: float) -> Iterator[str]:
    """Yield the label on the left and the numbers on the right."""
    middle = y + 4
    yield label(row.label, 24, x="0", y=middle - (9 if row.note else 0), class_="row-label")
    if row.note:
        yield label(row.note, 30, x="0", y=middle + 8, class_="row-note quiet")
    value = f"{chart.write(row.value, signed=chart.signed)} {SYMBOLS[row.mark]}".strip()
    yield text(value, x="100%", y=middle - (9 if row.details else 0), class_=f"row-value end {row.mark}")
    if row.details:
        yield text(" · ".join(row.details), x="100%", y=middle + 8, class_="row-details end quiet")


def dots(chart: Dots) -> str:
    """Draw a dot per row."""
    axis = nice_axis(*chart.domain)
    height = max(1, len(chart.dots)) * DOT_ROW
    scale = Scale(axis.low, axis.high, 0.0, 1.0)
    drawn = [*_grid(chart, axis, height, chart.reference)]
    written = []
    for number, dot in enumerate(chart.dots):
        y = (number + 0.5) * DOT_ROW
        if math.isfinite(dot.value):
            at = percent(scale(dot.value))
            shown = title(f"{dot.label} {chart.write(dot.value)}")
            lines = [tag("line", x1=0, x2="100%", y1=y, y2=y, class_="grid")]
            lines.append(tag("circle", shown, cx=at, cy=y, r=5, class_=f"dot {dot.mark}"))
            drawn.append(tag("g", *lines, class_="drawn-row"))
        name = f"{dot.group}: {dot.label}" if dot.group else dot.label
        written.append(label(name, 44, x="0", y=y + 4, class_=f"row-label {dot.mark}"))
        written.append(text(chart.write(dot.value), x="100%", y=y + 4, class_=f"row-value end {dot.mark}"))
    return image(chart, "rows dots", height, [_plot(drawn), *written])
