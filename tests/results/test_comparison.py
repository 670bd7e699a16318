"""How a comparison is presented: sentences, marks, tables in every format, power."""

from __future__ import annotations

import csv
import io
import json
import math
import pickle

import pandas as pd
import polars as pl
import pytest
from tests.remarks import lines
from tests.small_runs import run_with_noise, small_judgments

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.presentation.table import MarkedNumber, Table, format_cell
from rankgauge.results.comparison import Comparison
from rankgauge.results.pair import written_p

JUDGMENTS = small_judgments()
NOISES = {"base": 2.0, "good": 0.5, "bad": 9.0}
RUNS = {name: run_with_noise(JUDGMENTS, noise, seed) for seed, (name, noise) in enumerate(NOISES.items())}
ALL_PAIRS = rg.compare(JUDGMENTS, RUNS, ["ndcg@10", "map"])
BASELINE = rg.compare(JUDGMENTS, RUNS, ["ndcg@10", "map"], baseline="base")
TWO = rg.compare(JUDGMENTS, {name: RUNS[name] for name in ("base", "good")}, "ndcg@10")


def pickled(comparison: Comparison) -> Comparison:
    copy: Comparison = pickle.loads(pickle.dumps(comparison))  # noqa: S301 - our own bytes
    return copy


def test_headline_of_a_difference_says_who_is_better_by_how_much() -> None:
    pair = TWO.pair("ndcg@10", "good", "base")
    low, high = pair.interval
    assert TWO.headline() == (
        f"good is better than base by {pair.difference:.4f} (95% {low:.4f} to {high:.4f}), p < 0.0001; "
        f"{pair.wins} queries better, {pair.losses} worse, {pair.ties} equal"
    )


def test_headline_of_a_worse_run_has_the_size_of_the_loss() -> None:
    runs = {"good": RUNS["good"], "bad": RUNS["bad"]}
    headline = rg.compare(JUDGMENTS, runs, "ndcg@10").headline()
    assert headline.startswith("bad is worse than good by 0.")
    low, high = (float(end) for end in headline.partition("(95% ")[2].partition(")")[0].split(" to "))
    assert 0 < low < high


def test_headline_without_a_difference_says_what_would_have_been_seen() -> None:
    other = run_with_noise(JUDGMENTS, 2.0, 99)
    headline = rg.compare(JUDGMENTS, {"base": RUNS["base"], "other": other}, "ndcg@10").headline()
    assert headline.startswith("no difference shown between other and base: ")
    assert "these queries would show a difference of 0." in headline
    assert headline.endswith("80% of the time")


def test_table_with_a_baseline_marks_better_and_worse_runs() -> None:
    rows = {row[0]: row[1:] for row in BASELINE.table().rows}
    marks = {
        run: [cell.mark.strip() for cell in cells if isinstance(cell, MarkedNumber)] for run, cells in rows.items()
    }
    assert marks == {"base": ["", ""], "good": ["▲", "▲"], "bad": ["▼", "▼"]}
    assert [cell.best for cell in rows["good"] if isinstance(cell, MarkedNumber)] == [True, True]


def test_table_of_all_pairs_has_the_letters_of_the_runs_that_are_worse() -> None:
    rows = {str(row[0]): row[1] for row in ALL_PAIRS.table().rows}
    assert {name: cell.mark.strip() for name, cell in rows.items() if isinstance(cell, MarkedNumber)} == {
        "ᵃ base": "ᶜ",
        "ᵇ good": "ᵃᶜ",
        "ᶜ bad": "",
    }


def test_table_in_text_keeps_digits_in_line() -> None:
    cells = [line.split("0.")[0] for line in ALL_PAIRS.table().to_text().splitlines()[1:]]
    assert len({len(start) for start in cells}) == 1


@pytest.mark.parametrize("comparison", [TWO, BASELINE, ALL_PAIRS], ids=["two", "baseline", "all pairs"])
def test_tables_of_a_comparison_fit_a_page_of_80_columns(comparison: Comparison) -> None:
    tables = [part.to_text() for part in comparison.parts() if isinstance(part, Table)]
    assert max(len(line) for table in tables for line in table.splitlines()) <= 80
    shown = {header for part in comparison.parts() if isinstance(part, Table) for header in part.headers}
    assert shown >= set(comparison.pairs_table().headers)


def test_latex_has_bold_best_and_superscripts() -> None:
    text = ALL_PAIRS.to_latex(places=3)
    best = ALL_PAIRS.mean("ndcg@10", "good")
    assert rf"$^{{b}}$ good & \textbf{{{best:.3f}}}$^{{ac}}$" in text
    assert r"\toprule" in text
    assert text.isascii()
    assert r"$^{\bigtriangleup}$" in BASELINE.to_latex()


def test_markdown_has_bold_best() -> None:
    assert f"**{ALL_PAIRS.mean('map', 'good'):.4f}**ᵃᶜ" in ALL_PAIRS.to_markdown()


def test_csv_has_a_row_per_measure_and_pair_with_all_digits() -> None:
    rows = list(csv.DictReader(io.StringIO(ALL_PAIRS.to_csv())))
    assert len(rows) == 6
    first = ALL_PAIRS.pairs[0]
    assert float(rows[0]["difference"]) == first.difference
    assert (rows[0]["first"], rows[0]["second"], float(rows[0]["p_adjusted"])) == ("good", "base", first.p_adjusted)


def test_json_has_means_intervals_pairs_and_remarks() -> None:
    values = json.loads(BASELINE.to_json())
    assert values["means"]["ndcg@10"]["good"] == BASELINE.mean("ndcg@10", "good")
    assert values["intervals"]["map"]["bad"] == list(BASELINE.interval("map", "bad"))
    assert [(pair["first"], pair["second"]) for pair in values["pairs"]][:2] == [("good", "base"), ("bad", "base")]
    assert values["pairs"][0]["moved"][0].keys() == {"query", "first", "second", "difference"}
    assert {"convention", "headline", "runs", "baseline", "test", "correction", "remarks"} <= values.keys()


def test_pairs_are_a_table_of_any_library() -> None:
    frame = pl.DataFrame(ALL_PAIRS.pairs)
    assert set(frame.columns) == set(ALL_PAIRS.pairs.table().headers)
    assert pd.DataFrame(ALL_PAIRS.pairs)["p"].to_list() == [pair.p for pair in ALL_PAIRS.pairs]
    assert ALL_PAIRS.pairs.to_polars()["difference"].to_list() == [pair.difference for pair in ALL_PAIRS.pairs]
    assert isinstance(ALL_PAIRS.pairs.to_pandas(), pd.DataFrame)


def test_means_in_a_comparison_of_complete_runs_are_those_of_evaluate() -> None:
    for name, run in RUNS.items():
        result = rg.evaluate(JUDGMENTS, run, ["ndcg@10", "map"])
        assert ALL_PAIRS.mean("map", name) == pytest.approx(result["map"], abs=1e-15)
        assert ALL_PAIRS.interval("map", name) == pytest.approx(result.interval("map"))


def test_power_of_a_smaller_difference_needs_more_queries() -> None:
    observed, small = TWO.power().rows[0], TWO.power(0.01).rows[0]
    assert isinstance(observed[-1], int)
    assert isinstance(small[-1], int)
    assert observed[-1] < 40 < small[-1]
    (pair,) = TWO.pairs
    assert observed[4] == pytest.approx(pair.detectable)


def test_comparison_in_a_notebook_is_html() -> None:
    assert "<table>" in TWO._repr_html_()


@pytest.mark.parametrize(("p", "text"), [(0.0, "< 0.0001"), (0.00042, "= 0.0004"), (0.04, "= 0.040"), (1.0, "= 1.000")])
def test_written_p_has_as_many_digits_as_matter(p: float, text: str) -> None:
    assert written_p(p) == text


def test_marked_number_is_a_number_with_a_mark() -> None:
    assert format_cell(MarkedNumber(0.5, "▲"), 2) == "0.50▲"
    assert MarkedNumber(0.5, "▲") == 0.5


def test_marks_of_more_runs_than_letters_count_the_runs_that_are_worse() -> None:
    runs = {f"r{number}": run_with_noise(JUDGMENTS, 0.3 if number == 0 else 9.0, number) for number in range(30)}
    comparison = rg.compare(JUDGMENTS, runs, "ndcg@10", permutations=999)
    first = comparison.table().rows[0][1]
    assert isinstance(first, MarkedNumber)
    assert first.mark.strip() == "²⁹"
    assert "a raised number counts the runs" in str(comparison)
    assert r"r0 & \textbf{" in comparison.to_latex()
    assert "$^{29}$" in comparison.to_latex()


def test_headline_of_too_few_or_equal_queries_claims_no_power() -> None:
    one = rg.compare({"q": {"a": 1}}, {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}, "mrr")
    assert one.headline() == (
        "no difference shown between y and x: -0.5000 (no interval), p unknown; 0 queries better, 1 worse, 0 equal"
    )
    equal = rg.compare(JUDGMENTS, dict.fromkeys("abc", RUNS["base"]), "ndcg@10")
    assert equal.headline().startswith(
        "no difference shown between a and b: 0.0000 (95% 0.0000 to 0.0000), adjusted p = 1.000"
    )
    assert "80%" not in equal.headline()


@pytest.mark.parametrize("options", [{"power": 1.2}, {"alpha": 0.0}, {"difference": 0}, {"difference": float("nan")}])
def test_power_refuses_what_is_no_probability_or_difference(options: dict[str, float]) -> None:
    with pytest.raises(RankgaugeError, match=f"expected {next(iter(options))} to be"):
        TWO.power(**options)


def test_marks_and_headline_call_p_adjusted_only_where_it_is() -> None:
    assert "), adjusted p " in str(ALL_PAIRS.headline())
    assert lines(ALL_PAIRS.remarks, "marks")[0].endswith("(adjusted p < 0.05)")
    assert "adjusted" not in str(TWO.headline())
    assert lines(TWO.remarks, "marks")[0].endswith("than base (p < 0.05)")


def test_comparisons_of_the_same_runs_are_equal_by_value_also_after_a_pickle() -> None:
    again = rg.compare(JUDGMENTS, RUNS, ["ndcg@10", "map"])
    assert again == ALL_PAIRS == pickled(ALL_PAIRS)
    assert again.aligned == ALL_PAIRS.aligned
    assert (hash(again), hash(again.aligned)) == (hash(ALL_PAIRS), hash(ALL_PAIRS.aligned))
    assert ALL_PAIRS != BASELINE
    assert TWO.aligned != ALL_PAIRS.aligned


def test_comparisons_without_intervals_are_equal_after_a_pickle() -> None:
    judgments = {query: JUDGMENTS[query] for query in list(JUDGMENTS)[:2]}
    few = rg.compare(judgments, RUNS, "ndcg@10", by=dict.fromkeys(judgments, "one"))
    assert math.isnan(few.pairs[0].interval.low)
    assert pickled(few) == few


def test_values_frame_of_a_comparison_of_this_machine_says_where_values_are() -> None:
    for comparison in (TWO, pickled(TWO)):
        with pytest.raises(RankgaugeError, match="expected a result that a cluster computed"):
            comparison.values_frame()
    with pytest.raises(RankgaugeError, match="expected a result that a cluster computed"):
        _ = TWO.per_query_frame
