"""Plots of studies and of comparisons of models: the charts of the tear sheet, one at a time."""

from __future__ import annotations

import altair as alt
import pytest
from tests.stocks.market import noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.presentation.charts import Chart
from rankgauge.presentation.parts import SideBySide
from rankgauge.stocks.study import study
from rankgauge.stocks.tear_sheet.plots import chart_of_study

PRICES = wandering(days=120)
STUDY = study(PRICES, noise(PRICES), k=4, horizon=[5, 1])
ONE = study(PRICES, noise(PRICES), k=4, horizon=5)


@pytest.mark.parametrize("what", ["ic", "ndcg", "months", "buckets", "cumulative", "horizons"])
def test_plot_of_a_study_is_a_chart_of_its_tear_sheet(what: str) -> None:
    shown = [
        chart for part in STUDY.report().parts for chart in (part.charts if isinstance(part, SideBySide) else [part])
    ]
    assert chart_of_study(STUDY, what).table().rows in [
        chart.table().rows for chart in shown if isinstance(chart, Chart)
    ]
    assert isinstance(STUDY.plot(what), alt.TopLevelMixin)


def test_plot_of_horizons_that_were_not_studied_is_refused() -> None:
    with pytest.raises(RankgaugeError, match="one horizon was studied"):
        ONE.plot("horizons")
    with pytest.raises(RankgaugeError, match="expected what to be one of ic, ndcg"):
        ONE.plot("returns")


@pytest.mark.parametrize("what", ["differences", "ordered"])
def test_plot_of_models_is_a_chart_of_altair(what: str) -> None:
    comparison = ONE.compare(ONE, names=("a", "b"))
    assert isinstance(comparison.plot(what), alt.TopLevelMixin)
    with pytest.raises(RankgaugeError, match="expected measure to be one of"):
        comparison.plot(what, "map@3")
