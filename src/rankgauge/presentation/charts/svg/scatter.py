"""Scatter as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rankgauge.presentation.charts.scatter import Scatter
from rankgauge.presentation.charts.svg.axes import horizontal, ticks_text, vertical
from rankgauge.presentation.charts.svg.curves import BOX
from rankgauge.presentation.charts.svg.elements import image, tag
from rankgauge.presentation.charts.svg.scales import Axis, Scale, nice_axis

HEIGHT: Final = 260.0


def scatter(chart: Scatter) -> str:
    """Draw a point per query: in one colour above the diagonal, in another below it."""
    points = [(x, y) for _, x, y in chart.points]
    across, up = _axes(chart, points)
    _, grid = vertical(chart, up, HEIGHT)
    x = Scale(across.low, across.high, 0.0, 1.0)
    ticks = list(zip(across.ticks, ticks_text(chart, across), strict=True))
    inside = _inside(chart, points, Scale(across.low, across.high, 0.0, 1000.0), Scale(up.low, up.high, 1000.0, 0.0))
    children = [
        *grid,
        *horizontal(chart, ticks, x, HEIGHT),
        tag("svg", *inside, **BOX, height=HEIGHT, overflow="visible"),
    ]
    return image(chart, "scatter", HEIGHT, children)


def _axes(chart: Scatter, points: Iterable[tuple[float, float]]) -> tuple[Axis, Axis]:
    xs, ys = ([point[side] for point in points] or [0.0, 1.0] for side in (0, 1))
    if chart.diagonal:
        both = nice_axis(min(*xs, *ys), max(*xs, *ys), most=5)
        return both, both
    return nice_axis(min(xs), max(xs), most=5), nice_axis(min(ys), max(ys), most=5)


def _inside(chart: Scatter, points: Iterable[tuple[float, float]], x: Scale, y: Scale) -> list[str]:
    groups: dict[str, dict[tuple[int, int], None]] = {"better": {}, "worse": {}, "baseline": {}}
    for across, up in points:
        side = "baseline" if not chart.diagonal or across == up else "better" if up > across else "worse"
        # Points nearer than a pixel are one.
        groups[side][round(x(across) / 2) * 2, round(y(up) / 2) * 2] = None
    drawn = [tag("path", d="M0 1000L1000 0", class_="reference")] if chart.diagonal else []
    for side, places in groups.items():
        if places:
            drawn.append(tag("path", d="".join(f"M{at} {up}h0" for at, up in places), class_=f"points {side}"))
    return drawn or [" "]
