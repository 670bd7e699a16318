"""Mixins: results that can be plotted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.measures import Measure

if TYPE_CHECKING:
    import altair as alt


class ResultPlotMixin:
    """Adds `plot` to a result."""

    __slots__ = ()

    def plot(
        self, what: str = "means", measure: str | Measure | None = None, *, themed: bool = True
    ) -> alt.TopLevelMixin:
        """Return a chart of Altair with the data of the report; it takes `pip install 'rankgauge[plots]'`.

        Parameters:
            what: `means` with their intervals; `queries`, a histogram of their values; and, from the inputs, `cutoffs`
                (the measure over k), `recall` (precision over recall), `ranks` (where gain is lost), `grades` (by
                rank) and `conventions`.
            measure: the measure to show; default: the first.
            themed: whether it has our theme; charts that are to be joined with others must have none.

        >>> import rankgauge as rg
        >>> result = rg.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"], "q2": ["x", "a"]}, "ndcg@10")
        >>> chart = result.plot("queries")
        >>> chart.title["text"]
        'ndcg@10 by query'

        """
        from rankgauge.presentation.charts.plotting import plot
        from rankgauge.reports.plots import chart_of_result

        return plot(chart_of_result(self, what, measure), themed=themed)  # type: ignore[arg-type]


class ComparisonPlotMixin:
    """Adds `plot` to a comparison."""

    __slots__ = ()

    def plot(
        self, what: str = "differences", measure: str | Measure | None = None, *, themed: bool = True
    ) -> alt.TopLevelMixin:
        """Return a chart of Altair with the data of the report; it takes `pip install 'rankgauge[plots]'`.

        Parameters:
            what: `differences` with their intervals; `means`; `ordered`, the difference of each query; `scatter`, one
                run against another; `queries`, a histogram of each run; and, from the inputs, `cutoffs`, `recall`,
                `ranks`, `grades` and `conventions`, as for a result.
            measure: the measure to show; default: the first.
            themed: whether it has our theme; charts that are to be joined with others must have none.

        >>> import rankgauge as rg
        >>> judgments = {f"q{number}": {"a": 1} for number in range(8)}
        >>> runs = {"base": {query: ["x", "a"] for query in judgments}, "new": {query: ["a"] for query in judgments}}
        >>> chart = rg.compare(judgments, runs, "ndcg@2").plot()
        >>> chart.title["text"]
        'Differences in ndcg@2'

        """
        from rankgauge.presentation.charts.plotting import plot
        from rankgauge.reports.plots import chart_of_comparison

        return plot(chart_of_comparison(self, what, measure), themed=themed)  # type: ignore[arg-type]
