"""Bars as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from rankgauge.presentation.charts.bars import Bar, Bars
from rankgauge.presentation.charts.svg.axes import reference_line, vertical
from rankgauge.presentation.charts.svg.curves import HEIGHT
from rankgauge.presentation.charts.svg.elements import image, label, percent, tag, text, title
from rankgauge.presentation.charts.svg.marks import SERIES
from rankgauge.presentation.charts.svg.scales import Scale, nice_axis

# The share of a category that its bars fill.
FILLED: Final = 0.76
MOST_LABELS: Final = 20


def bars(chart: Bars) -> str:
    """Draw bars from 0 with error bars; those of one category stand side by side."""
    y, grid = vertical(chart, nice_axis(*chart.domain, most=5), HEIGHT, signed=chart.signed)
    children = [
        *grid,
        *(piece for bar in chart.bars for piece in _bar(chart, bar, y)),
        *reference_line(chart.reference, chart.reference_label, y),
        *_labels(chart),
        *_legend(chart),
    ]
    return image(chart, "bars", HEIGHT, children)


def _bar(chart: Bars, bar: Bar, y: Scale) -> Iterator[str]:
    if not math.isfinite(bar.value):
        return
    labels, groups = chart.labels, chart.groups
    width = FILLED / len(labels) / len(groups)
    left = (labels.index(bar.label) + (1 - FILLED) / 2) / len(labels) + groups.index(bar.group) * width
    top, bottom = sorted((y(bar.value), y(0.0)))
    plain = f"series-{groups.index(bar.group) % SERIES + 1}"
    class_ = plain if bar.mark == "plain" else bar.mark
    shown = title(f"{bar.label} {bar.group} {chart.write(bar.value, signed=chart.signed)}")
    yield tag(
        "rect", shown, x=percent(left), y=top, width=percent(width * 0.94), height=bottom - top, class_=f"bar {class_}"
    )
    if bar.low is not None and bar.high is not None:
        middle = percent(left + width * 0.47)
        yield tag("line", x1=middle, x2=middle, y1=y(bar.low), y2=y(bar.high), class_="whisker")


def _labels(chart: Bars) -> Iterator[str]:
    labels = chart.labels
    every = max(1, -(-len(labels) // MOST_LABELS))
    for number, name in enumerate(labels):
        if number % every == 0:
            yield label(name, 14, x=percent((number + 0.5) / len(labels)), y=HEIGHT + 17, class_="tick middle")
    if chart.x_label:
        yield text(chart.x_label, x="50%", y=HEIGHT + 34, class_="tick middle")


def _legend(chart: Bars) -> Iterator[str]:
    groups = [group for group in chart.groups if group]
    for number, group in enumerate(groups):
        class_ = f"name series-{number % SERIES + 1}"
        yield label(f"■ {group}", 18, x=percent((number + 0.5) / len(groups)), y=-8, class_=f"{class_} middle")
