"""OrderedBars as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from rankgauge.presentation.charts.ordered_bars import OrderedBars
from rankgauge.presentation.charts.svg.axes import vertical
from rankgauge.presentation.charts.svg.curves import BOX, HEIGHT
from rankgauge.presentation.charts.svg.elements import image, percent, tag, text
from rankgauge.presentation.charts.svg.scales import Scale, nice_axis

# More columns than this cannot be told apart.
MOST_COLUMNS: Final = 600


def ordered_bars(chart: OrderedBars) -> str:
    """Draw a column per query, largest first; where there are too many, the mean of neighbours."""
    columns = columns_of([value for _, value in chart.ordered])
    low, high = min([*columns, 0.0]), max([*columns, 0.0])
    y, grid = vertical(chart, nice_axis(low, high, most=5), HEIGHT, signed=True)
    inside = _areas(columns, Scale(y.low, y.high, 1000.0, 0.0)) if columns else [" "]
    children = [
        *grid,
        tag("svg", *inside, **BOX, height=HEIGHT),
        *(_mean(chart, y) if columns else ()),
        *_counts(chart),
    ]
    return image(chart, "ordered", HEIGHT, children, data_queries=len(chart.ordered))


def columns_of(values: Sequence[float]) -> list[float]:
    """Return at most `MOST_COLUMNS` values: the means of neighbours.

    >>> columns_of([0.5, 0.25, -0.5])
    [0.5, 0.25, -0.5]
    >>> len(columns_of(list(range(7000))))
    600
    """
    if len(values) <= MOST_COLUMNS:
        return list(values)
    ends = [number * len(values) // MOST_COLUMNS for number in range(MOST_COLUMNS + 1)]
    return [sum(values[start:end]) / (end - start) for start, end in pairwise(ends)]


def _areas(columns: Sequence[float], y: Scale) -> Iterator[str]:
    width = 1000.0 / len(columns)
    for class_, sign in (("better", 1), ("worse", -1)):
        steps = [
            f"M{number * width:.2f} {y(0.0):.1f}V{y(value):.1f}h{width * 0.98:.2f}V{y(0.0):.1f}"
            for number, value in enumerate(columns)
            if value * sign > 0
        ]
        yield tag("path", d="".join(steps) or "M0 0", class_=f"area {class_}")


def _mean(chart: OrderedBars, y: Scale) -> Iterator[str]:
    height = y(chart.mean)
    yield tag("line", x1="0", x2="100%", y1=height, y2=height, class_="reference")
    yield text(f"mean {chart.write(chart.mean, signed=True)}", x="100%", y=height - 5, class_="tick end strong")


def _counts(chart: OrderedBars) -> Iterator[str]:
    y = HEIGHT + 18
    yield text(f"▲ {chart.better:,} better", x="0", y=y, class_="count better")
    yield text(f"{chart.equal:,} equal", x=percent(0.5), y=y, class_="count middle")
    yield text(f"▼ {chart.worse:,} worse", x="100%", y=y, class_="count end worse")
