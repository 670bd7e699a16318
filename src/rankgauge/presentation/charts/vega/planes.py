"""Curves, Scatter and HeatMap with Altair."""

from __future__ import annotations

import math
from typing import Any, Final

import altair as alt

from rankgauge.presentation.charts.curves import Curves, write_position
from rankgauge.presentation.charts.heat_map import HeatMap
from rankgauge.presentation.charts.scatter import Scatter
from rankgauge.presentation.charts.svg.scales import pushed_apart
from rankgauge.presentation.charts.vega.theme import BETTER, HEIGHT, QUIET, WIDTH, WORSE, by_series, data, number_format

LABEL_GAP: Final = 14.0
DASHES: Final = {"solid": [1, 0], "dashed": [6, 3], "dotted": [2, 2]}


def curves(chart: Curves) -> Any:  # noqa: ANN401 - any kind of Altair chart
    """Draw lines with their bands, each with its name at the end."""
    rows, last = [], []
    for curve in chart.curves:
        none: list[float | None] = [None] * len(curve.x)
        rows_of_curve = [
            {"run": curve.label, "x": write_position(x) if chart.is_dated else x, "y": y, "low": low, "high": high}
            for x, y, low, high in zip(curve.x, curve.y, curve.low or none, curve.high or none, strict=True)
        ]
        rows += [row | {"line": curve.line} for row in rows_of_curve]
        last += [row for row in rows_of_curve if math.isfinite(row["y"])][-1:]  # type: ignore[arg-type]
    low, high = chart.y_domain
    ends = pushed_apart([float(row["y"]) for row in last], LABEL_GAP * (high - low) / HEIGHT, low, high)  # type: ignore[arg-type]
    last = [row | {"y": end} for row, end in zip(last, ends, strict=True)]
    names, marks = [curve.label for curve in chart.curves], [curve.mark for curve in chart.curves]
    across = alt.X("x:T" if chart.is_dated else "x:Q", title=chart.x_label or None, scale=alt.Scale(zero=False))
    upward = alt.Y("y:Q", title=chart.y_label or None, scale=alt.Scale(zero=False))
    base = alt.Chart(data(rows)).encode(x=across, color=by_series(names, marks))
    dashes = alt.StrokeDash("line:N", scale=alt.Scale(domain=list(DASHES), range=list(DASHES.values())), legend=None)
    lines = base.mark_line().encode(
        y=upward,
        strokeDash=dashes,
        detail="run:N",
        tooltip=["run:N", "x:N", alt.Tooltip("y:Q", format=number_format(chart))],
    )
    bands = base.mark_area(opacity=0.12).encode(y=alt.Y("low:Q"), y2="high:Q", detail="run:N")
    labels = (
        alt.Chart(data(last))
        .mark_text(align="left", dx=6)
        .encode(x=across, y=upward, text="run:N", color=by_series(names, marks))
    )
    return alt.layer(bands, lines, labels, *_reference(chart)).properties(width=WIDTH, height=HEIGHT)


def _reference(chart: Curves) -> list[Any]:
    if chart.reference is None:
        return []
    line = alt.Chart(data([{"reference": chart.reference}])).mark_rule(strokeDash=[4, 3], color=QUIET)
    return [line.encode(y="reference:Q")]


def scatter(chart: Scatter) -> Any:  # noqa: ANN401 - the same
    """Draw a point per query, and the line of equal values."""
    rows = [{"query": label, "x": x, "y": y} for label, x, y in chart.points]
    scale = alt.Scale(zero=False)
    numbers = [alt.Tooltip(f"{axis}:Q", format=number_format(chart)) for axis in ("x", "y")]
    points = (
        alt.Chart(data(rows))
        .mark_point(filled=True, opacity=0.5, color=BETTER)
        .encode(
            x=alt.X("x:Q", title=chart.x_label or "x", scale=scale),
            y=alt.Y("y:Q", title=chart.y_label or "y", scale=scale),
            tooltip=["query:N", *numbers],
        )
    )
    every = [value for _, x, y in chart.points for value in (x, y)]
    ends = [{"x": end, "y": end} for end in (min(every), max(every))] if chart.diagonal and every else []
    diagonal = alt.Chart(data(ends)).mark_line(strokeDash=[4, 3], color=QUIET).encode(x="x:Q", y="y:Q")
    return alt.layer(diagonal, points).properties(width=WIDTH * 2 // 3, height=WIDTH * 2 // 3)


def heat_map(chart: HeatMap) -> Any:  # noqa: ANN401 - the same
    """Draw cells in one hue by strength, or in two around 0; rows that do not count in grey."""
    rows = [
        {"row": label, "column": column, "value": value, "grey": label in chart.grey_rows}
        for label, values in zip(chart.rows, chart.values, strict=True)
        for column, value in zip(chart.columns, values, strict=True)
    ]
    most = chart.strongest
    scale = alt.Scale(domain=[0, most], range=["white", BETTER], interpolate="rgb")
    if chart.signed:
        scale = alt.Scale(domain=[-most, 0, most], range=[WORSE, "white", BETTER], interpolate="rgb")
    base = alt.Chart(data(rows)).encode(
        x=alt.X("column:N", sort=None, title=chart.x_label or None, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("row:N", sort=None, title=chart.y_label or None),
    )
    written = alt.Tooltip("value:Q", format=number_format(chart))
    legend = alt.Legend(format="%" if chart.percent else "")
    cells = base.mark_rect().encode(
        color=alt.Color("value:Q", scale=scale, legend=legend), tooltip=["row:N", "column:N", written]
    )
    grey = (
        base.transform_filter("datum.grey")
        .mark_rect(color=QUIET)
        .encode(opacity=alt.Opacity("value:Q", scale=alt.Scale(domain=[0, most], range=[0, 1]), legend=None))
    )
    numbers = base.mark_text(fontSize=11).encode(text=alt.Text("value:Q", format=number_format(chart)))
    layers = [cells.transform_filter("!datum.grey"), grey, *([numbers] if chart.written else [])]
    return alt.layer(*layers).properties(width=WIDTH, height=alt.Step(24))
