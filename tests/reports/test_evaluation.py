"""The report of a result."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.reports.test_comparison import SEGMENTS, charts, headings
from tests.reports.unpacked import Unpacked
from tests.small_runs import run_with_noise, small_judgments

import rankgauge as rg
from rankgauge.errors import RankgaugeError

JUDGMENTS = small_judgments(30)
RUN = run_with_noise(JUDGMENTS, 0.8, 4)


def test_report_of_a_result_has_no_differences() -> None:
    report = rg.evaluate(JUDGMENTS, RUN, ["ndcg@10", "map", "P@5"]).report()
    assert report.headline.startswith("ndcg@10 is 0.")
    assert report.headline.endswith("over 30 queries")
    assert "Differences" not in headings(report)
    explorer = Unpacked.of(report.to_html()).explorer
    assert (explorer["pair"], explorer["runs"]) == (None, ["ranking"])


def test_report_is_written_to_a_file(tmp_path: Path) -> None:
    report = rg.evaluate(JUDGMENTS, RUN, "ndcg@10").report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == report.to_html()
    assert repr(report).startswith("Report: ndcg@10 is")
    assert report._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')


def test_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RankgaugeError) as raised:
        rg.evaluate(JUDGMENTS, RUN, "ndcg@10").report(tmp_path / "none" / "report.html")
    assert raised.value.code == "unwritable-file"


def test_segments_are_shown_where_they_are_given() -> None:
    report = rg.evaluate(JUDGMENTS, RUN, "ndcg@10").report(by=SEGMENTS)
    (chart,) = [chart for chart in charts(report) if chart.title == "ndcg@10 by segment"]
    assert [row[0] for row in chart.table().rows] == ["long", "short"]


def test_result_of_arrays_has_no_explorer_and_says_so() -> None:
    labels, scores = np.array([[3, 2, 0, 1]] * 6), np.array([[0.9, 0.2, 0.5, 0.4]] * 6)
    page = rg.evaluate_arrays(labels, scores, "ndcg@3").report().to_html()
    assert "computed from arrays" in page


def test_result_without_values_per_query_has_no_report() -> None:
    plan = rg.Request.of("ndcg@10").plan()
    light = rg.Result.of(plan.evaluate(JUDGMENTS, RUN).light())
    with pytest.raises(RankgaugeError) as raised:
        light.report()
    assert raised.value.code == "no-queries"


@pytest.mark.parametrize(
    ("judgments", "ranking"),
    [
        ({"q": {"a": 1}}, {"q": ["a"]}),  # one query
        ({"q": {"a": 0}}, {"q": ["a"]}),  # nothing relevant
        ({"q": {"a": 1}}, {"q": ["x"]}),  # nothing found
        ({1: {7: 5}, 2: {8: 0.25}}, {1: {7: 1.0}, 2: {9: 2.0, 8: 1.0}}),  # numbers as ids, grades with fractions
        ({"q": {"a": -1, "b": 2}}, {"q": ["a", "b"]}),  # a negative grade
        ({"q": {str(n): n / 7 for n in range(40)}}, {"q": [str(n) for n in range(40)]}),  # many grades
    ],
)
@pytest.mark.parametrize("measure", ["ndcg@10", "ndcg", "map", "dcg@5", "P@1"])
def test_report_of_odd_data_has_an_explorer(
    judgments: dict[object, object], ranking: dict[object, object], measure: str
) -> None:
    page = rg.evaluate(judgments, ranking, measure).report().to_html()
    assert Unpacked.of(page).explorer["queries"]


@pytest.mark.parametrize(
    "measure",
    ["rbp", "idcg@5", "corrected_ndcg@5", "gm_map", "gauc", "num_rel_ret", "err@5", "coverage@5", "relstring"],
)
def test_measures_of_every_family_have_a_report(measure: str) -> None:
    assert rg.evaluate(JUDGMENTS, RUN, [measure, "ndcg@5"]).report().to_html()


def test_measures_of_subtopics_and_clicks_have_a_report() -> None:
    subtopics = {query: {item: {"s": grade} for item, grade in grades.items()} for query, grades in JUDGMENTS.items()}
    assert rg.evaluate(subtopics, RUN, "alpha_ndcg@5").report().to_html()
    clicks = pl.DataFrame(
        [(query, item, grade, 0.5) for query, grades in JUDGMENTS.items() for item, grade in grades.items()],
        schema=["query", "item", "click", "propensity"],
        orient="row",
    )
    assert rg.evaluate(clicks, RUN, "snips_dcg@5").report().to_html()


def test_judged_items_alone_can_be_reported() -> None:
    result = rg.evaluate(JUDGMENTS, RUN, "ndcg@5", unjudged="drop", depth=7, relevance_level=2)
    assert Unpacked.of(result.report().to_html()).arrays["rankCounts"].max() == 5
