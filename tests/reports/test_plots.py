"""Plots of results, comparisons and explanations: the numbers of the report, one chart at a time."""

from __future__ import annotations

import altair as alt
import pytest
from tests.small_runs import run_with_noise, small_judgments

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.presentation.charts import Bars, Curves, Distributions, Intervals, OrderedBars
from rankgauge.reports.plots import chart_of_comparison, chart_of_explanation, chart_of_result

JUDGMENTS = small_judgments()
RUNS = {name: run_with_noise(JUDGMENTS, noise, seed) for seed, (name, noise) in enumerate({"a": 2.0, "b": 0.5}.items())}
RESULT = rg.evaluate(JUDGMENTS, RUNS["a"], ["ndcg@10", "map"])
COMPARISON = rg.compare(JUDGMENTS, RUNS, ["ndcg@10", "map"])
EXPLANATION = rg.explain(JUDGMENTS, RUNS["a"], next(iter(JUDGMENTS)), "ndcg@10")
BY_RANK = ["cutoffs", "recall", "ranks", "grades", "conventions"]


@pytest.mark.parametrize("what", ["means", "queries", *BY_RANK])
def test_plot_of_a_result_is_a_chart_of_altair(what: str) -> None:
    assert isinstance(RESULT.plot(what), alt.TopLevelMixin)


@pytest.mark.parametrize("what", ["differences", "means", "ordered", "scatter", "queries", *BY_RANK])
def test_plot_of_a_comparison_is_a_chart_of_altair(what: str) -> None:
    assert isinstance(COMPARISON.plot(what, "map"), alt.TopLevelMixin)


@pytest.mark.parametrize("what", ["ranks", "sums", "costs"])
def test_plot_of_an_explanation_is_a_chart_of_altair(what: str) -> None:
    assert isinstance(EXPLANATION.plot(what), alt.TopLevelMixin)


def test_means_have_the_numbers_of_the_result() -> None:
    chart = chart_of_result(RESULT, "means")
    assert isinstance(chart, Intervals)
    for row, measure in zip(chart.rows, RESULT, strict=True):
        assert (row.label, row.value, (row.low, row.high)) == (
            measure,
            RESULT[measure],
            tuple(RESULT.interval(measure)),
        )


def test_queries_have_the_values_of_the_measure_that_is_asked_for() -> None:
    chart = chart_of_result(RESULT, "queries", "map")
    assert isinstance(chart, Distributions)
    assert sorted(chart.distributions[0].values) == sorted(RESULT.per_query["map"].values())


def test_differences_and_queries_have_the_numbers_of_the_pair() -> None:
    pair = COMPARISON.pair("map", "b", "a")
    chart = chart_of_comparison(COMPARISON, "differences", "map")
    assert isinstance(chart, Intervals)
    assert (chart.rows[0].value, (chart.rows[0].low, chart.rows[0].high)) == (pair.difference, tuple(pair.interval))
    ordered = chart_of_comparison(COMPARISON, "ordered", "map")
    assert isinstance(ordered, OrderedBars)
    assert (ordered.better, ordered.equal, ordered.worse) == (pair.wins, pair.ties, pair.losses)


def test_explanation_has_what_each_rank_adds_and_the_sums() -> None:
    ranks = chart_of_explanation(EXPLANATION, "ranks")
    assert isinstance(ranks, Bars)
    actual = [bar.value for bar in ranks.bars if bar.group == "ranking"]
    assert sum(actual) == pytest.approx(EXPLANATION.dcg)
    sums = chart_of_explanation(EXPLANATION, "sums")
    assert isinstance(sums, Curves)
    assert [curve.y[-1] for curve in sums.curves] == [EXPLANATION.dcg, EXPLANATION.idcg]


def test_plot_of_what_is_not_there_is_refused() -> None:
    with pytest.raises(RankgaugeError, match="expected what to be one of means, queries"):
        RESULT.plot("curves")
    with pytest.raises(RankgaugeError, match="no measure of gains"):
        rg.evaluate(JUDGMENTS, RUNS["a"], "map").plot("ranks")
