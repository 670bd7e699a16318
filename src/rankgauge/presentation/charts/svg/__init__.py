"""Charts as SVG for a page, drawn in percent across and in pixels down; charts of rows are HTML around SVG.

An element has neither a `viewBox` nor a width, so that its text has the same size at any width of the page. Labels of
axes stand in the padding of the element, which the style sheet `presentation/report/assets/charts.css` gives it,
together with colours: elements have classes and no style of their own, which the policy of a page would refuse.
"""

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
from rankgauge.presentation.charts.svg.bars import bars
from rankgauge.presentation.charts.svg.curves import curves
from rankgauge.presentation.charts.svg.distributions import distributions
from rankgauge.presentation.charts.svg.heat_map import heat_map
from rankgauge.presentation.charts.svg.ordered_bars import ordered_bars
from rankgauge.presentation.charts.svg.rows import dots, intervals
from rankgauge.presentation.charts.svg.scatter import scatter

DRAW: Final[Mapping[type[Chart], Callable[[Any], str]]] = {
    Bars: bars,
    Curves: curves,
    Distributions: distributions,
    Dots: dots,
    HeatMap: heat_map,
    Intervals: intervals,
    OrderedBars: ordered_bars,
    Scatter: scatter,
}


def draw(chart: Chart) -> str:
    """Return a chart as an SVG element, with its text alternative.

    >>> from rankgauge.presentation.charts import Bar
    >>> draw(Bars(title="Return", bars=(Bar("Q1", 0.5),)))[:62]
    '<svg class="plot bars" role="img" aria-label="Return: Q1 0.500'
    """
    return DRAW[type(chart)](chart)
