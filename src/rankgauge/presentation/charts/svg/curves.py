"""Curves as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from rankgauge.presentation.charts.curves import Curve, Curves, position, write_position
from rankgauge.presentation.charts.svg.axes import horizontal, reference_line, vertical
from rankgauge.presentation.charts.svg.elements import image, label, percent, tag, title
from rankgauge.presentation.charts.svg.marks import series_classes
from rankgauge.presentation.charts.svg.scales import Scale, date_ticks, inner_axis, nice_axis, pushed_apart

HEIGHT: Final = 230.0
LABEL_GAP: Final = 15.0
# Points are drawn, with their values as tooltips, where there are few.
MOST_POINTS: Final = 40
# A path with more points than the screen has columns is no finer.
MOST_COLUMNS: Final = 1500
# The inside of a plot, which is stretched to its width.
BOX: Final = {"viewBox": "0 0 1000 1000", "preserveAspectRatio": "none", "width": "100%"}


def curves(chart: Curves) -> str:
    """Draw lines with their bands, and the label of each at its end."""
    y, grid = vertical(chart, nice_axis(*chart.y_domain, most=5), HEIGHT)
    x = Scale(*chart.x_domain, 0.0, 1.0)
    classes = series_classes([curve.mark for curve in chart.curves])
    inside = [
        piece
        for curve, class_ in zip(chart.curves, classes, strict=True)
        for piece in _lines(thinned(curve), class_, Scale(*chart.x_domain, 0.0, 1000.0), Scale(*y[:2], 1000.0, 0.0))
    ]
    children = [
        *grid,
        *horizontal(chart, _x_ticks(chart), x, HEIGHT),
        tag("svg", *(inside or [" "]), **BOX, height=HEIGHT),
        *reference_line(chart.reference, chart.reference_label, y),
        *(
            point
            for curve, class_ in zip(chart.curves, classes, strict=True)
            for point in _points(chart, curve, class_, x, y)
        ),
        *_labels(chart.curves, classes, y),
    ]
    class_ = "curves labelled" if any(curve.label for curve in chart.curves) else "curves"
    return image(chart, class_, HEIGHT, children)


def _x_ticks(chart: Curves) -> list[tuple[float, str]]:
    if chart.is_dated:
        return date_ticks(*chart.x_domain)
    axis = inner_axis(*chart.x_domain)
    written = [write_position(tick) for tick in axis.ticks]
    first = [(axis.low, write_position(axis.low))] if axis.low not in axis.ticks else []
    return [*first, *zip(axis.ticks, written, strict=True)]


def thinned(curve: Curve) -> Curve:
    """Return a curve with at most so many points as can be told apart."""
    if len(curve.x) <= MOST_COLUMNS:
        return curve
    step = len(curve.x) / MOST_COLUMNS
    kept = sorted({*(int(number * step) for number in range(MOST_COLUMNS)), len(curve.x) - 1})

    def pick(values: Sequence[float] | None) -> list[float] | None:
        return None if values is None else [values[index] for index in kept]

    return Curve(
        curve.label,
        [curve.x[index] for index in kept],
        pick(curve.y) or [],
        pick(curve.low),
        pick(curve.high),
        curve.mark,
        curve.line,
    )


def _lines(curve: Curve, class_: str, x: Scale, y: Scale) -> Iterator[str]:
    across = [x(position(point)) for point in curve.x]
    if curve.low is not None and curve.high is not None:
        known = [
            (left, y(low), y(high))
            for left, low, high in zip(across, curve.low, curve.high, strict=True)
            if math.isfinite(low) and math.isfinite(high)
        ]
        there = [(left, high) for left, _, high in known]
        back = [(left, low) for left, low, _ in reversed(known)]
        if known:
            yield tag("path", d=f"{path([*there, *back])}Z", class_=f"band {class_}")
    points = [(left, y(value)) if math.isfinite(value) else None for left, value in zip(across, curve.y, strict=True)]
    yield tag("path", d=path(points), class_=f"line {class_} {curve.line}")


def path(points: Sequence[tuple[float, float] | None]) -> str:
    """Return the commands of a path; None lifts the pen.

    >>> path([(0.0, 1.25), (2.0, 3.0), None, (4.0, 5.0)])
    'M0 1.2L2 3M4 5'
    """
    written, command = [], "M"
    for point in points:
        if point is None:
            command = "M"
            continue
        written.append(f"{command}{point[0]:.1f} {point[1]:.1f}".replace(".0 ", " ").removesuffix(".0"))
        command = "L"
    return "".join(written)


def _points(chart: Curves, curve: Curve, class_: str, x: Scale, y: Scale) -> Iterator[str]:
    if len(curve.x) > MOST_POINTS or isinstance(curve.x[0] if curve.x else None, date):
        return
    for point, value in zip(curve.x, curve.y, strict=True):
        if math.isfinite(value):
            shown = title(f"{curve.label} {chart.write(value)} at {write_position(point)}")
            yield tag("circle", shown, cx=percent(x(position(point))), cy=y(value), r=2.5, class_=f"dot {class_}")


def _labels(drawn: Sequence[Curve], classes: Sequence[str], y: Scale) -> Iterator[str]:
    ends = [next((value for value in reversed(curve.y) if math.isfinite(value)), None) for curve in drawn]
    known = [index for index, end in enumerate(ends) if end is not None and drawn[index].label]
    tops = pushed_apart([y(ends[index] or 0.0) for index in known], LABEL_GAP, 0.0, HEIGHT)
    for index, top in zip(known, tops, strict=True):
        yield label(drawn[index].label, 13, x="100%", dx="8", y=top, dy="4", class_=f"name {classes[index]}")
