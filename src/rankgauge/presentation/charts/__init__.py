"""Charts: what is drawn, never how.

Each kind of chart is a frozen dataclass in a file of its own. It holds numbers and labels, computes its own text
alternative (`description`), and gives its data as a `Table`. It knows nothing of pixels, colours or libraries.

A renderer is a module or a package beside these files (`svg/` is that of reports) with one function per kind
of chart, collected in a mapping of class to function:

    DRAW: Final[Mapping[type[Chart], Callable[[Any], str]]] = {Intervals: intervals, Curves: curves, …}

`tests/presentation/charts` asks that each renderer's mapping has every class of `KINDS`. A new kind of chart is a
file here, a line in `KINDS`, and a function in each renderer.

>>> bars = Bars(title="Mean return by bucket", bars=(Bar("Q1", -0.002), Bar("Q5", 0.003)))
>>> bars.description
'Mean return by bucket: Q1 −0.002, Q5 0.003.'
"""

from __future__ import annotations

from typing import Final

from rankgauge.presentation.charts.bars import Bar, Bars
from rankgauge.presentation.charts.chart import Chart, Mark
from rankgauge.presentation.charts.curves import Curve, Curves
from rankgauge.presentation.charts.distributions import Distribution, Distributions
from rankgauge.presentation.charts.dots import Dot, Dots
from rankgauge.presentation.charts.heat_map import HeatMap
from rankgauge.presentation.charts.intervals import IntervalRow, Intervals
from rankgauge.presentation.charts.ordered_bars import OrderedBars
from rankgauge.presentation.charts.scatter import Scatter

KINDS: Final[tuple[type[Chart], ...]] = (
    Bars,
    Curves,
    Distributions,
    Dots,
    HeatMap,
    Intervals,
    OrderedBars,
    Scatter,
)

__all__ = [
    "KINDS",
    "Bar",
    "Bars",
    "Chart",
    "Curve",
    "Curves",
    "Distribution",
    "Distributions",
    "Dot",
    "Dots",
    "HeatMap",
    "IntervalRow",
    "Intervals",
    "Mark",
    "OrderedBars",
    "Scatter",
]
