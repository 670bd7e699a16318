"""Charts with Altair, to be styled further, shown in a notebook or saved; the extra `plots` has what it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rankgauge.presentation.charts import (
    Bars,
    Chart,
    Curves,
    Distributions,
    Dots,
    HeatMap,
    Intervals,
    OrderedBars,
    Scatter,
)
from rankgauge.presentation.charts.vega.bars import bars, distributions, ordered_bars
from rankgauge.presentation.charts.vega.planes import curves, heat_map, scatter
from rankgauge.presentation.charts.vega.rows import dots, intervals
from rankgauge.presentation.charts.vega.theme import titled

DRAW: Final[Mapping[type[Chart], Callable[[Any], Any]]] = {
    Bars: bars,
    Curves: curves,
    Distributions: distributions,
    Dots: dots,
    HeatMap: heat_map,
    Intervals: intervals,
    OrderedBars: ordered_bars,
    Scatter: scatter,
}


def draw(chart: Chart, *, themed: bool = True) -> Any:  # noqa: ANN401 - any kind of Altair chart
    """Return a chart as one of Altair.

    >>> from rankgauge.presentation.charts import Bar
    >>> drawn = draw(Bars(title="By bucket", bars=(Bar("Q1", 0.5),)))
    >>> type(drawn).__name__, drawn.title
    ('LayerChart', 'By bucket')
    """
    return titled(DRAW[type(chart)](chart), chart, themed=themed)
