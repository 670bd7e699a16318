"""The lines and labels of axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rankgauge.presentation.charts.chart import Chart, write_number
from rankgauge.presentation.charts.svg.elements import percent, tag, text
from rankgauge.presentation.charts.svg.scales import Axis, Scale


def vertical(chart: Chart, axis: Axis, height: float, *, signed: bool = False) -> tuple[Scale, list[str]]:
    """Return the scale of a vertical axis, and its grid lines with their labels on the left."""
    scale = Scale(axis.low, axis.high, height, 0.0)
    drawn = []
    for tick, written in zip(axis.ticks, ticks_text(chart, axis, signed=signed), strict=True):
        y = scale(tick)
        class_ = "zero" if tick == 0 and axis.low < 0 else "grid"
        drawn.append(tag("line", x1="0", x2="100%", y1=y, y2=y, class_=class_))
        drawn.append(text(written, x="0", dx="-8", y=y, dy="4", class_="tick end"))
    if chart.y_label:
        drawn.append(text(chart.y_label, x="0", dx="-8", y=-12, class_="tick"))
    return scale, drawn


def horizontal(chart: Chart, ticks: Sequence[tuple[float, str]], scale: Scale, height: float) -> Iterator[str]:
    """Yield the labels below a horizontal axis, and what it measures."""
    for value, written in ticks:
        position = scale(value)
        # A long label, such as 2020-11, would stand out on the right of a narrow page.
        anchor = "end" if len(written) > 4 and position > 0.94 else "middle"
        yield text(written, x=percent(position), y=height + 17, class_=f"tick {anchor}")
    if chart.x_label:
        yield text(chart.x_label, x="50%", y=height + 34, class_="tick middle")


def ticks_text(chart: Chart, axis: Axis, *, signed: bool = False) -> list[str]:
    """Return the labels of ticks; their digits follow the step."""
    places = max(0, axis.places - 2) if chart.percent else axis.places
    return [write_number(tick, places, signed=signed, percent=chart.percent) for tick in axis.ticks]


def reference_line(value: float | None, written: str, scale: Scale) -> Iterator[str]:
    """Yield a horizontal line at a value with its label above it."""
    if value is not None:
        y = scale(value)
        yield tag("line", x1="0", x2="100%", y1=y, y2=y, class_="reference")
        if written:
            yield text(written, x="100%", dx="-2", y=y - 5, class_="tick end")
