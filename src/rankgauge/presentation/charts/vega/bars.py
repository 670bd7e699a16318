"""Bars, Distributions and OrderedBars with Altair."""

from __future__ import annotations

from typing import Any, Final

import altair as alt

from rankgauge.presentation.charts.bars import Bars
from rankgauge.presentation.charts.chart import SYMBOLS
from rankgauge.presentation.charts.distributions import Distributions
from rankgauge.presentation.charts.ordered_bars import OrderedBars
from rankgauge.presentation.charts.vega.theme import HEIGHT, QUIET, WIDTH, by_mark, by_series, data, number_format

BINS: Final = 20


def bars(chart: Bars) -> Any:  # noqa: ANN401 - any kind of Altair chart
    """Draw a bar per category, groups side by side, with its interval where there is one."""
    rows = [
        {
            "label": bar.label,
            "value": bar.value,
            "low": bar.low,
            "high": bar.high,
            "run": bar.group,
            "mark": "worse" if bar.value < 0 and bar.mark == "plain" else bar.mark,
        }
        for bar in chart.bars
    ]
    grouped = len(chart.groups) > 1
    colour = by_series(chart.groups, ["plain"] * len(chart.groups), legend=True) if grouped else by_mark()
    base = alt.Chart(data(rows)).encode(
        x=alt.X("label:N", sort=None, title=chart.x_label or None, axis=alt.Axis(labelAngle=0))
    )
    if grouped:
        base = base.encode(xOffset=alt.XOffset("run:N", sort=None))
    drawn = base.mark_bar().encode(
        y=alt.Y("value:Q", title=chart.y_label or None, axis=alt.Axis(format="%" if chart.percent else "")),
        color=colour,
        tooltip=["label:N", "run:N", alt.Tooltip("value:Q", format=number_format(chart))],
    )
    ends = base.mark_rule(color="black").encode(y="low:Q", y2="high:Q")
    return alt.layer(drawn, ends, *_across(chart.reference)).properties(width=WIDTH, height=HEIGHT)


def distributions(chart: Distributions) -> Any:  # noqa: ANN401 - the same
    """Draw a histogram of each run, one below the other."""
    low, high = chart.domain
    step = (high - low) / BINS
    rows = [
        {"run": one.label, "from": low + step * part, "to": low + step * (part + 1), "queries": count}
        for one, counts in zip(chart.distributions, chart.counts(BINS), strict=True)
        for part, count in enumerate(counts)
    ]
    names, marks = [one.label for one in chart.distributions], [one.mark for one in chart.distributions]
    histogram = (
        alt.Chart(data(rows))
        .mark_bar()
        .encode(
            x=alt.X("from:Q", bin="binned", title=chart.x_label or None, scale=alt.Scale(domain=[low, high])),
            x2="to:Q",
            y=alt.Y("queries:Q", title="queries"),
            color=by_series(names, marks),
            tooltip=["run:N", "from:Q", "to:Q", "queries:Q"],
        )
        .properties(width=WIDTH, height=90 if len(names) > 1 else HEIGHT)
    )
    return histogram.encode(row=alt.Row("run:N", sort=names)) if len(names) > 1 else histogram


def ordered_bars(chart: OrderedBars) -> Any:  # noqa: ANN401 - the same
    """Draw a column per query, largest first, and the mean."""
    rows = [
        {
            "place": place,
            "query": label,
            "difference": value,
            "mark": "better" if value > 0 else "worse" if value < 0 else "undecided",
        }
        for place, (label, value) in enumerate(chart.ordered, start=1)
    ]
    counts = f"{SYMBOLS['better']} {chart.better:,} better   {SYMBOLS['worse']} {chart.worse:,} worse"
    columns = (
        alt.Chart(data(rows))
        .mark_bar(width={"band": 1} if len(rows) < WIDTH else 1)
        .encode(
            x=alt.X("place:O", title=f"{counts}   {chart.equal:,} equal", axis=alt.Axis(labels=False, ticks=False)),
            y=alt.Y("difference:Q", title=chart.y_label or "difference"),
            color=by_mark(),
            tooltip=["query:N", alt.Tooltip("difference:Q", format=number_format(chart))],
        )
    )
    return alt.layer(columns, *_across(chart.mean)).properties(width=WIDTH, height=HEIGHT)


def _across(value: float | None) -> list[Any]:
    if value is None:
        return []
    line = alt.Chart(data([{"reference": value}])).mark_rule(strokeDash=[4, 3], color=QUIET)
    return [line.encode(y="reference:Q")]
