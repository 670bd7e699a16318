"""Intervals and Dots with Altair."""

from __future__ import annotations

from typing import Any

import altair as alt

from rankgauge.presentation.charts.dots import Dots
from rankgauge.presentation.charts.intervals import Intervals
from rankgauge.presentation.charts.vega.theme import QUIET, SHAPES, WIDTH, by_mark, data, number_format

ROW = 28


def intervals(chart: Intervals) -> Any:  # noqa: ANN401 - any kind of Altair chart
    """Draw a forest: thick lines for the interval of a row, thin ones for that of all rows at once."""
    rows = [
        {
            "row": f"{row.label} {row.note}".strip(),
            "value": row.value,
            "low": row.low,
            "high": row.high,
            "wide_low": row.wide_low,
            "wide_high": row.wide_high,
            "mark": row.mark,
            "details": "; ".join(row.details),
        }
        for row in chart.rows
    ]
    numbers = [alt.Tooltip(f"{name}:Q", format=number_format(chart)) for name in ("value", "low", "high")]
    shape = alt.Shape("mark:N", scale=alt.Scale(domain=list(SHAPES), range=list(SHAPES.values())), legend=None)
    across = alt.X("value:Q", title=chart.x_label or chart.value_header, scale=alt.Scale(zero=False))
    base = alt.Chart(data(rows)).encode(y=alt.Y("row:N", sort=None, title=None), color=by_mark())
    layers = [
        base.mark_rule(strokeWidth=1).encode(x=alt.X("wide_low:Q"), x2="wide_high:Q"),
        base.mark_rule(strokeWidth=3).encode(x=alt.X("low:Q"), x2="high:Q"),
        base.mark_point(filled=True, size=90, opacity=1).encode(
            x=across, shape=shape, tooltip=["row:N", *numbers, "details:N"]
        ),
    ]
    return alt.layer(*_reference(chart.reference), *layers).properties(width=WIDTH, height=alt.Step(ROW))


def dots(chart: Dots) -> Any:  # noqa: ANN401 - the same
    """Draw a dot per row."""
    rows = [
        {"row": f"{dot.group} {dot.label}".strip(), "value": dot.value, "mark": dot.mark, "group": dot.group}
        for dot in chart.dots
    ]
    across = alt.X("value:Q", title=chart.x_label or "value", scale=alt.Scale(zero=False))
    points = (
        alt.Chart(data(rows))
        .mark_point(filled=True, size=70, opacity=1)
        .encode(
            y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(labelLimit=260)),
            x=across,
            color=by_mark(),
            tooltip=["row:N", alt.Tooltip("value:Q", format=number_format(chart))],
        )
    )
    return alt.layer(*_reference(chart.reference), points).properties(width=WIDTH, height=alt.Step(18))


def _reference(value: float | None) -> list[Any]:
    if value is None:
        return []
    line = alt.Chart(data([{"reference": value}])).mark_rule(strokeDash=[3, 3], color=QUIET)
    return [line.encode(x="reference:Q")]
