"""The report of a comparison: what it says, and what it says where its inputs are gone."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
from tests.reports.unpacked import Unpacked
from tests.small_runs import run_with_noise, small_judgments, write_qrels, write_run

import rankgauge as rg
from rankgauge.presentation.charts import Chart
from rankgauge.presentation.parts import Heading, SideBySide
from rankgauge.presentation.report.page import FoldedParts, Report
from rankgauge.presentation.table import Estimate, Table

JUDGMENTS = small_judgments(30)
RUNS = {
    name: run_with_noise(JUDGMENTS, noise, seed)
    for seed, (name, noise) in enumerate([("base", 1.0), ("good", 0.3), ("bad", 9.0)])
}
SEGMENTS = {query: "short" if number % 2 else "long" for number, query in enumerate(JUDGMENTS)}


def headings(report: Report) -> list[str]:
    return [part.text for part in report.parts if isinstance(part, Heading)]


def charts(report: Report) -> list[Chart]:
    actual: list[Chart] = []
    for part in report.parts:
        inside = (
            part.parts if isinstance(part, FoldedParts) else part.charts if isinstance(part, SideBySide) else (part,)
        )
        actual += [one for one in inside if isinstance(one, Chart)]
    return actual


@pytest.fixture(scope="module")
def comparison() -> rg.Comparison:
    return rg.compare(JUDGMENTS, RUNS, ["ndcg@10", "map"], baseline="base")


def test_report_begins_as_compare_does(comparison: rg.Comparison) -> None:
    report = comparison.report()
    assert report.headline == str(comparison.headline())
    assert report.what == "comparison of 3 runs, 30 queries"
    assert headings(report) == [
        "Means",
        "Differences",
        "Query by query",
        "Cutoffs and ranks",
        "Grades by rank",
        "Missing, tied, unjudged",
        "Other conventions",
        "Explorer",
        "How it was made",
    ]


def test_table_has_the_means_intervals_and_marks_of_the_comparison(comparison: rg.Comparison) -> None:
    table = next(part for part in comparison.report().parts if isinstance(part, Table))
    assert [row[0] for row in table.rows] == ["base", "good", "bad"]
    for name, row in zip(comparison.runs, table.rows, strict=True):
        for measure, cell in zip(("ndcg@10", "map"), row[1:], strict=True):
            assert isinstance(cell, Estimate)
            assert (float(cell), cell.low, cell.high) == (
                comparison.mean(measure, name),
                *comparison.interval(measure, name),
            )
    actual = [[cell.finding for cell in row[1:] if isinstance(cell, Estimate)] for row in table.rows]
    assert actual == [["baseline", "baseline"], ["better", "better"], ["worse", "worse"]]


def test_forest_has_the_differences_and_wider_lines_for_all_at_once(comparison: rg.Comparison) -> None:
    forest = next(chart for chart in charts(comparison.report()) if chart.title == "Differences in ndcg@10")
    table = forest.table()
    for pair, row in zip(comparison.pairs.rows[:2], table.rows, strict=True):
        assert (row[0], row[2], row[3], row[4]) == (pair.first, pair.difference, *pair.interval)
        low, high = float(row[5] or 0), float(row[6] or 0)
        assert low < pair.interval.low
        assert high > pair.interval.high
    assert "Bonferroni" in forest.subtitle


def test_charts_follow_the_pair_of_the_headline(comparison: rg.Comparison) -> None:
    report = comparison.report()
    pair = comparison.main_pair()
    titles = [chart.title for chart in charts(report)]
    assert f"{pair.first} less {pair.second}, query by query" in titles
    assert f"{pair.first} against {pair.second}" in titles
    assert "Difference in ndcg@10 under 49 conventions" in titles
    numbers = (comparison.runs.index(pair.first), comparison.runs.index(pair.second))
    assert report.pairs == {f"{pair.first} less {pair.second}, query by query": numbers}


def test_loss_by_rank_adds_up_to_what_is_missing(comparison: rg.Comparison) -> None:
    lost = next(chart for chart in charts(comparison.report()) if chart.title == "Where gain is lost").table()
    for name in comparison.runs:
        total = sum(float(row[2] or 0) for row in lost.rows if row[0] == name)
        assert total == pytest.approx(1 - comparison.mean("ndcg@10", name), abs=1e-12)


def test_curve_over_cutoffs_passes_through_the_mean(comparison: rg.Comparison) -> None:
    rows = next(chart for chart in charts(comparison.report()) if chart.title == "ndcg by cutoff").table().rows
    at_ten = {row[0]: row[2:] for row in rows if row[1] == 10}
    for name in comparison.runs:
        assert at_ten[name][0] == comparison.mean("ndcg@10", name)
        assert tuple(at_ten[name][1:]) == tuple(comparison.interval("ndcg@10", name))


def test_shares_of_grades_at_a_rank_add_up_to_one(comparison: rg.Comparison) -> None:
    maps = [chart for chart in charts(comparison.report()) if chart.title in comparison.runs]
    assert len(maps) == 3
    for chart in maps:
        columns = list(zip(*(row[1:] for row in chart.table().rows), strict=True))
        assert [sum(float(cell or 0) for cell in column) for column in columns] == pytest.approx([1.0] * len(columns))


def test_segments_of_the_comparison_or_of_the_report_are_shown(comparison: rg.Comparison) -> None:
    own = rg.compare(JUDGMENTS, RUNS, "ndcg@10", baseline="base", by=SEGMENTS).report()
    asked = comparison.report(by=SEGMENTS)
    for report in (own, asked):
        assert "By segment" in headings(report)
        (chart,) = [chart for chart in charts(report) if chart.title.endswith("by segment")]
        assert [row[0] for row in chart.table().rows] == ["long", "short"]


def test_all_pairs_without_a_baseline_name_runs_by_letters() -> None:
    report = rg.compare(JUDGMENTS, RUNS, "ndcg@10").report()
    table = next(part for part in report.parts if isinstance(part, Table))
    assert [row[0] for row in table.rows] == ["ᵃ base", "ᵇ good", "ᶜ bad"]
    assert report.swatches["ᵃ base"] == "series-1"


def test_report_of_the_same_inputs_has_the_same_bytes(comparison: rg.Comparison) -> None:
    again = rg.compare(JUDGMENTS, RUNS, ["ndcg@10", "map"], baseline="base")
    assert comparison.report().to_html() == again.report().to_html()


def test_pickled_comparison_has_no_explorer_and_says_so(comparison: rg.Comparison) -> None:
    report = pickle.loads(pickle.dumps(comparison)).report()  # noqa: S301 - our own bytes
    page = report.to_html()
    assert "There is none, nor are there charts by rank: the inputs are not at hand" in page
    assert "Grades by rank" not in headings(report)
    assert Unpacked.of(page).values["explorer"] is None


def test_copied_comparison_keeps_its_inputs(comparison: rg.Comparison) -> None:
    assert Unpacked.of(copy.deepcopy(comparison).report().to_html()).values["explorer"] is not None


def test_report_of_changed_inputs_says_so() -> None:
    runs = copy.deepcopy(RUNS)
    comparison = rg.compare(JUDGMENTS, runs, "ndcg@10", baseline="base")
    runs["good"]["q01"] = {"d1": 1.0}
    assert "the inputs have changed since the result was computed" in comparison.report().to_html()


def test_report_of_removed_files_says_so(tmp_path: Path) -> None:
    paths = {name: write_run(tmp_path / f"{name}.run", run) for name, run in RUNS.items()}
    comparison = rg.compare(write_qrels(tmp_path / "qrels.txt", JUDGMENTS), paths, "ndcg@10")
    assert "SHA-256" in comparison.report().to_html()
    paths["good"].unlink()
    assert "the inputs cannot be read again: " in comparison.report().to_html()


def test_results_that_are_compared_keep_their_inputs() -> None:
    first, second = (rg.evaluate(JUDGMENTS, RUNS[name], "ndcg@10") for name in ("good", "base"))
    page = first.compare(second, names=("good", "base")).report().to_html()
    assert Unpacked.of(page).explorer["runs"] == ["good", "base"]


def test_comparison_with_human_labels_has_a_report() -> None:
    human = dict(list(JUDGMENTS.items())[:26])
    comparison = rg.compare(JUDGMENTS, RUNS, "ndcg@10", baseline="base", human=human)
    report = comparison.report()
    assert report.headline == str(comparison.headline())
    assert report.to_html()


def test_run_that_lacks_queries_is_shown_without_ranks_there() -> None:
    short = {query: scores for query, scores in RUNS["good"].items() if query != "q03"}
    unpacked = Unpacked.of(rg.compare(JUDGMENTS, {"base": RUNS["base"], "short": short}, "ndcg@10").report().to_html())
    row = unpacked.explorer["queries"].index("q03")
    assert unpacked.arrays["rankCounts"].reshape(-1, 2)[row].tolist() == [10, 0]


def test_severe_remarks_stand_before_any_number() -> None:
    short = {query: scores for query, scores in RUNS["good"].items() if query != "q03"}
    page = rg.compare(JUDGMENTS, {"base": RUNS["base"], "short": short}, "ndcg@10").report().to_html()
    remark, first = page.index('<p class="remark severe"><b>lacking queries:</b>'), page.index("<section")
    assert remark < first
