"""Plotting: a chart as one of Altair, which is an optional library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.errors import RankgaugeError
from rankgauge.presentation.charts.chart import Chart

if TYPE_CHECKING:
    import altair as alt


def plot(chart: Chart, *, themed: bool = True) -> alt.TopLevelMixin:
    """Return a chart as one of Altair, with our theme unless it is to be joined with others."""
    try:
        from rankgauge.presentation.charts.vega import draw
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "altair":
            raise
        raise RankgaugeError("no-package", package="altair", extra="plots") from None
    drawn: alt.TopLevelMixin = draw(chart, themed=themed)
    return drawn
