"""Intervals and Dots: a row per label, in which only the line is SVG, so that texts wrap where there is little room."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from rankgauge.languages.escapes import printable
from rankgauge.presentation.charts.chart import SYMBOLS, Chart
from rankgauge.presentation.charts.dots import Dot, Dots
from rankgauge.presentation.charts.intervals import IntervalRow, Intervals
from rankgauge.presentation.charts.svg.axes import ticks_text
from rankgauge.presentation.charts.svg.elements import breakable, percent, tag, text
from rankgauge.presentation.charts.svg.scales import Axis, Scale, nice_axis

INTERVAL_HEIGHT: Final = 40.0
DOT_HEIGHT: Final = 22.0
AXIS_HEIGHT: Final = 36.0


def intervals(chart: Intervals) -> str:
    """Draw a forest: thick lines for the interval of a row, thin ones for that of all rows at once."""
    axis = nice_axis(*chart.domain)
    rows = [_interval_row(chart, row, axis) for row in chart.rows]
    return _rows(chart, "forest", rows, axis)


def dots(chart: Dots) -> str:
    """Draw a dot per row."""
    axis = nice_axis(*chart.domain)
    rows = [_dot_row(chart, dot, axis) for dot in chart.dots]
    return _rows(chart, "dots", rows, axis)


def _rows(chart: Chart, class_: str, rows: Iterable[str], axis: Axis) -> str:
    """Return the rows with the axis below them, as an image that is described in words."""
    scale = Scale(axis.low, axis.high, 0.0, 1.0)
    signed = isinstance(chart, Intervals) and chart.signed
    ticks = [
        text(written, x=percent(scale(tick)), y=14, class_="tick middle")
        for tick, written in zip(axis.ticks, ticks_text(chart, axis, signed=signed), strict=True)
    ]
    if chart.x_label:
        ticks.append(text(chart.x_label, x="50%", y=31, class_="tick middle"))
    below = tag("div", tag("svg", *ticks, class_="plot in-row", height=AXIS_HEIGHT), class_="row axis")
    return tag("div", *rows, below, class_=f"rows {class_}", role="img", aria_label=printable(chart.description))


def _row(label: str, note: str, value: str, details: str, mark: str, drawn: str) -> str:
    name = _text("strong", label) + (_text("small", note) if note else "")
    number = _text("strong", value) + (_text("small", details) if details else "")
    return tag(
        "div",
        tag("div", name, class_="row-label"),
        drawn,
        tag("div", number, class_=f"row-value {mark}"),
        class_="row",
    )


def _text(name: str, content: str) -> str:
    return f'<{name} class="id">{breakable(printable(content))}</{name}>'


def _line(axis: Axis, reference: float | None, height: float, drawn: Iterable[str]) -> str:
    scale = Scale(axis.low, axis.high, 0.0, 1.0)
    places = [(percent(scale(tick)), "grid") for tick in axis.ticks]
    if reference is not None:
        places.append((percent(scale(reference)), "zero"))
    lines = [tag("line", x1=x, x2=x, y1=0, y2="100%", class_=class_) for x, class_ in places]
    return tag("svg", *lines, *drawn, class_="plot in-row", height=height)


def _interval_row(chart: Intervals, row: IntervalRow, axis: Axis) -> str:
    scale = Scale(axis.low, axis.high, 0.0, 1.0)
    drawn: list[str] = []
    for low, high, class_ in ((row.wide_low, row.wide_high, "thin"), (row.low, row.high, "thick")):
        if low is not None and high is not None and math.isfinite(low) and math.isfinite(high):
            ends = {"x1": percent(scale(low)), "x2": percent(scale(high))}
            drawn.append(tag("line", **ends, y1="50%", y2="50%", class_=f"{class_} {row.mark}"))
    if math.isfinite(row.value):
        drawn.append(tag("circle", cx=percent(scale(row.value)), cy="50%", r=4.5, class_=f"estimate {row.mark}"))
    value = f"{chart.write(row.value, signed=chart.signed)} {SYMBOLS[row.mark]}".strip()
    line = _line(axis, chart.reference, INTERVAL_HEIGHT, drawn)
    return _row(row.label, row.note, value, " · ".join(row.details), row.mark, line)


def _dot_row(chart: Dots, dot: Dot, axis: Axis) -> str:
    drawn: list[str] = [tag("line", x1=0, x2="100%", y1="50%", y2="50%", class_="grid")]
    if math.isfinite(dot.value):
        x = percent(Scale(axis.low, axis.high, 0.0, 1.0)(dot.value))
        drawn.append(tag("circle", cx=x, cy="50%", r=4.5, class_=f"dot {dot.mark}"))
    label = f"{dot.group}: {dot.label}" if dot.group else dot.label
    return _row(label, "", chart.write(dot.value), "", dot.mark, _line(axis, chart.reference, DOT_HEIGHT, drawn))
