"""The verb compare: alignment of queries, tests, corrections, and what is refused."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
import ranx
import scipy.stats

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.statistics.intervals import interval_of_values
from tests.remarks import lines
from tests.small_runs import Scored, run_with_noise, small_judgments

JUDGMENTS = small_judgments()
RUNS: dict[str, Scored] = {
    name: run_with_noise(JUDGMENTS, noise, seed)
    for seed, (name, noise) in enumerate([("base", 2.0), ("good", 0.6), ("same", 2.0), ("bad", 9.0)])
}
TWO = {name: RUNS[name] for name in ("base", "good")}


def values(name: str, measure: str = "ndcg@10") -> np.ndarray[Any, Any]:
    return np.array(list(rg.evaluate(JUDGMENTS, RUNS[name], measure).per_query[measure].values()))


def without(run: Scored, count: int) -> Scored:
    """A run that stopped before its last queries."""
    return dict(list(run.items())[:-count])


def test_compare_of_two_runs_has_the_numbers_of_each_query() -> None:
    pair = rg.compare(JUDGMENTS, TWO, "ndcg@10").pair("ndcg@10", "good", "base")
    first, second = values("good"), values("base")
    differences = first - second
    assert pair.difference == pytest.approx(differences.mean(), abs=1e-15)
    assert pair.means == pytest.approx((first.mean(), second.mean()))
    assert pair.interval == interval_of_values([float(value) for value in differences])
    assert (pair.wins, pair.ties, pair.losses) == tuple(
        int(each.sum()) for each in (differences > 0, differences == 0, differences < 0)
    )
    assert pair.n == 40
    assert pair.effect == pytest.approx(differences.mean() / differences.std(ddof=1))
    assert [moved.difference for moved in pair.moved[:3]] == pytest.approx(
        sorted(differences, key=lambda d: -abs(d))[:3]
    )


def test_compare_by_t_has_the_p_of_scipy_and_of_ranx() -> None:
    pair = rg.compare(JUDGMENTS, TWO, "ndcg@10", test="t").pair("ndcg@10", "good", "base")
    expected = scipy.stats.ttest_rel(values("good"), values("base"))
    assert (pair.statistic, pair.p) == pytest.approx((expected.statistic, expected.pvalue))
    runs = [ranx.Run(RUNS[name], name=name) for name in ("base", "good")]
    report = ranx.compare(ranx.Qrels(JUDGMENTS), runs, ["ndcg@10"], stat_test="student")
    comparison = report.comparisons["base", "good"]["ndcg@10"] if "base" in report.model_names else None
    assert comparison is not None
    assert pair.p == pytest.approx(comparison["p_value"], rel=1e-6)


def test_pair_seen_from_the_other_run_is_flipped() -> None:
    comparison = rg.compare(JUDGMENTS, TWO)
    pair, other = comparison.pair("ndcg@10", "good", "base"), comparison.pair("ndcg@10", "base", "good")
    assert other.difference == -pair.difference
    assert other.interval == (-pair.interval.high, -pair.interval.low)
    assert (other.wins, other.losses, other.p) == (pair.losses, pair.wins, pair.p)
    assert other.flipped() == pair


def test_compare_takes_measures_by_any_name() -> None:
    comparison = rg.compare(JUDGMENTS, TWO, ["P@5", "nDCG@10"])
    assert comparison.measures == ("P@5", "nDCG@10")
    assert comparison.pair("precision@5", "good", "base") == comparison.pair("P_5", "good", "base")


def test_query_that_a_run_lacks_counts_0_and_is_remarked_severely() -> None:
    runs = {"base": RUNS["base"], "good": without(RUNS["good"], 20)}
    comparison = rg.compare(JUDGMENTS, runs)
    assert comparison.mean("ndcg@10", "good") == pytest.approx(values("good")[:20].sum() / 40)
    assert comparison.pair("ndcg@10", "good", "base").n == 40
    (remark,) = [remark for remark in comparison.remarks if remark.severity == "severe"]
    assert remark.text.startswith("good lacks 20 (q20, q21, q22, …)")
    with pytest.raises(RankgaugeError, match="lacking queries: good lacks 20"):
        rg.compare(JUDGMENTS, runs, strict=True)


@pytest.mark.parametrize("convention", ["trec_eval", "textbook", "trec_eval(missing=zero)"])
def test_query_that_a_run_lacks_is_remarked_under_every_convention(convention: str) -> None:
    runs = {"base": RUNS["base"], "good": without(RUNS["good"], 1)}
    comparison = rg.compare(JUDGMENTS, runs, convention=convention)
    assert len(comparison.aligned.queries) == 40
    assert lines(comparison.remarks, "lacking-queries")[0].startswith("lacking queries: good lacks 1 (q39)")


def test_query_that_all_runs_lack_is_counted_as_the_convention_says() -> None:
    runs = {name: without(run, 10) for name, run in TWO.items()}
    left_out = rg.compare(JUDGMENTS, runs)
    assert len(left_out.aligned.queries) == 30
    assert not [remark for remark in left_out.remarks if remark.severity == "severe"]
    as_zero = rg.compare(JUDGMENTS, runs, missing="zero")
    assert len(as_zero.aligned.queries) == 40
    assert as_zero.mean("ndcg@10", "good") == pytest.approx(left_out.mean("ndcg@10", "good") * 0.75)


@pytest.mark.parametrize(
    ("settings", "treated"),
    [
        ({}, "left out of the mean (missing=skip)"),
        ({"missing": "skip"}, "left out of the mean (missing=skip)"),
        ({"missing": "zero"}, "counted as an empty ranking, worth 0 (missing=zero)"),
    ],
)
def test_queries_that_no_run_has_are_counted_apart_from_those_that_one_lacks(
    settings: dict[str, Any], treated: str
) -> None:
    runs = {"base": without(RUNS["base"], 10), "good": without(RUNS["good"], 12)}
    for order in (runs, dict(reversed(runs.items()))):
        comparison = rg.compare(JUDGMENTS, order, **settings)
        assert lines(comparison.remarks, "missing") == [f"missing: 10 queries judged but in no run; {treated}"]
    assert not lines(rg.compare(JUDGMENTS, {**runs, "good": RUNS["good"]}, **settings).remarks, "missing")


def test_compare_with_missing_skip_has_the_common_queries_in_every_mean() -> None:
    runs = {"base": RUNS["base"], "good": without(RUNS["good"], 20)}
    comparison = rg.compare(JUDGMENTS, runs, missing="skip")
    assert comparison.mean("ndcg@10", "base") == pytest.approx(values("base")[:20].mean())
    assert lines(comparison.remarks, "common-queries")
    disjoint = {"a": dict(list(RUNS["base"].items())[:5]), "b": dict(list(RUNS["good"].items())[5:])}
    with pytest.raises(RankgaugeError, match="expected a query that all runs have"):
        rg.compare(JUDGMENTS, disjoint, missing="skip")


def test_compare_of_several_runs_compares_all_pairs_by_tukey() -> None:
    comparison = rg.compare(JUDGMENTS, RUNS, ["ndcg@10", "map"])
    assert (len(comparison.pairs), comparison.design.correction) == (12, "tukey")
    assert all(pair.p_adjusted >= pair.p for pair in comparison.pairs)
    assert comparison.pair("ndcg@10", "good", "bad").p_adjusted < 0.001
    assert comparison.pair("ndcg@10", "base", "same").p_adjusted > 0.05
    assert "12 comparisons" in str(comparison)
    assert "randomised Tukey HSD over the 6 of each measure" in str(comparison)


def test_compare_with_a_baseline_corrects_by_holm() -> None:
    comparison = rg.compare(JUDGMENTS, RUNS, ["ndcg@10"], baseline="base")
    assert [(pair.first, pair.second) for pair in comparison.pairs] == [
        (run, "base") for run in ("good", "same", "bad")
    ]
    smallest = min(comparison.pairs, key=lambda pair: pair.p)
    assert smallest.p_adjusted == pytest.approx(3 * smallest.p)
    with pytest.raises(RankgaugeError, match="compared with base"):
        comparison.pair("ndcg@10", "good", "bad")


@pytest.mark.parametrize("correction", ["holm", "bh", "none", "tukey"])
def test_compare_takes_every_correction(correction: Any) -> None:
    comparison = rg.compare(JUDGMENTS, RUNS, "ndcg@10", correction=correction, baseline="base")
    assert all(pair.p_adjusted >= pair.p for pair in comparison.pairs)


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_compare_by_ranks_or_signs_says_what_is_wrong_with_it(test: Any) -> None:
    assert lines(rg.compare(JUDGMENTS, TWO, test=test).remarks, "test-of-ranks")


def test_compare_with_equal_seeds_is_the_same_on_any_number_of_threads() -> None:
    first = rg.compare(JUDGMENTS, RUNS, threads=1, seed=5)
    second = rg.compare(JUDGMENTS, RUNS, threads=3, seed=5)
    assert first.pairs.rows == second.pairs.rows


def test_compare_of_a_run_with_itself_shows_no_difference() -> None:
    comparison = rg.compare(JUDGMENTS, {"a": RUNS["base"], "b": RUNS["base"]})
    pair = comparison.pair("ndcg@10", "b", "a")
    assert (pair.difference, pair.p, pair.ties) == (0.0, 1.0, 40)
    assert comparison.headline().startswith("no difference shown between b and a: 0.0000")


def test_compare_within_a_margin_tests_equivalence() -> None:
    same = rg.compare(JUDGMENTS, {"a": RUNS["base"], "b": RUNS["same"]}, margin=0.2).pair("ndcg@10", "b", "a")
    differences = values("same") - values("base")
    lower = scipy.stats.ttest_1samp(differences, -0.2, alternative="greater").pvalue
    upper = scipy.stats.ttest_1samp(differences, 0.2, alternative="less").pvalue
    assert same.p_equivalence == pytest.approx(max(lower, upper))
    far = rg.compare(JUDGMENTS, {"a": RUNS["bad"], "b": RUNS["good"]}, margin=0.001).pair("ndcg@10", "b", "a")
    assert far.p_equivalence is not None
    assert far.p_equivalence > 0.99


def test_compare_of_sums_has_differences_of_sums() -> None:
    pair = rg.compare(JUDGMENTS, TWO, "num_rel_ret").pair("num_rel_ret", "good", "base")
    assert pair.means[0] == rg.evaluate(JUDGMENTS, RUNS["good"], "num_rel_ret")["num_rel_ret"]


@pytest.mark.parametrize("measure", ["gm_map", "relstring@5", "coverage"])
def test_compare_of_what_is_no_mean_is_refused(measure: str) -> None:
    with pytest.raises(RankgaugeError) as refused:
        rg.compare(JUDGMENTS, TWO, [measure])
    assert refused.value.code == "not-compared"


@pytest.mark.parametrize(
    "wrong",
    [
        {"baseline": "bass"},
        {"test": "anova"},
        {"correction": "sidak"},
        {"margin": 0.0},
        {"margin": math.nan},
        {"level": 1.5},
        {"permutations": 3},
        {"convention": "trec-evil"},
        {"measures": "ndgc@10"},
    ],
)
def test_compare_with_a_setting_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RankgaugeError, match="Hint: "):
        rg.compare(JUDGMENTS, TWO, **wrong)


def test_compare_with_an_unknown_keyword_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"got metrics=\. Hint: did you mean measures="):
        rg.compare(JUDGMENTS, TWO, metrics="ndcg@10")  # type: ignore[call-arg]


def test_compare_of_few_queries_has_p_but_no_interval() -> None:
    judgments = small_judgments(3)
    runs = {name: run_with_noise(judgments, 1.0, seed) for seed, name in enumerate("ab")}
    pair = rg.compare(judgments, runs).pair("ndcg@10", "b", "a")
    assert math.isnan(pair.interval.low)
    assert pair.p in (0.25, 0.5, 0.75, 1.0)


def test_result_compared_with_another_is_the_comparison_of_the_two() -> None:
    good, base = (rg.evaluate(JUDGMENTS, RUNS[name], ["ndcg@10", "map"]) for name in ("good", "base"))
    comparison = good.compare(base, names=("good", "base"))
    expected = rg.compare(JUDGMENTS, {"good": RUNS["good"], "base": RUNS["base"]}, ["ndcg@10", "map"], baseline="base")
    assert comparison.pairs.rows == expected.pairs.rows
    with pytest.raises(RankgaugeError, match="evaluate both with the same measures and convention"):
        good.compare(rg.evaluate(JUDGMENTS, RUNS["base"], "mrr"))


def test_results_of_arrays_are_compared_by_position() -> None:
    source = np.random.default_rng(0)
    labels, first, second = source.integers(0, 3, (30, 8)), source.random((30, 8)), source.random((30, 8))
    good, base = (rg.evaluate_arrays(labels, scores, "ndcg@5") for scores in (labels + first, second))
    pair = good.compare(base).pair("ndcg@5", "this", "other")
    assert (pair.n, pair.losses) == (30, 0)


def test_comparison_after_a_pickle_is_the_same() -> None:
    comparison = rg.compare(JUDGMENTS, RUNS, ["ndcg@10", "map"])
    assert str(pickle.loads(pickle.dumps(comparison))) == str(comparison)  # noqa: S301 - our own bytes


@pytest.mark.parametrize("highest", [1e308, 1e200])
def test_values_too_large_for_a_variance_are_refused(highest: float) -> None:
    judgments = {f"q{row}": {"a": highest / 10 * row, "b": highest} for row in range(5)}
    runs = {name: {f"q{row}": {"a": more + row, "b": 3} for row in range(5)} for more, name in enumerate("xy")}
    with pytest.raises(RankgaugeError) as refused:
        rg.compare(judgments, runs, "dcg")
    assert refused.value.code == "overflow"


def every_query(judgments: dict[str, dict[str, int]], *items: str) -> dict[str, list[str]]:
    return {query: list(items) for query in judgments}


def test_compare_runs_with_unjudged_items_remarks_the_share_of_each() -> None:
    judgments = {f"q{number}": {"a": 1, "b": 1} for number in range(10)}
    runs = {"base": every_query(judgments, "a", "b"), "new": every_query(judgments, "a", "x")}
    remarks = rg.compare(judgments, runs, "ndcg@2").remarks
    unjudged, uneven = lines(remarks, "unjudged", "uneven-judgments")
    assert unjudged.startswith("unjudged: in the top 2: base 0 of 20 (0%), new 10 of 20 (50%); gain 0, and it keeps")
    assert uneven.startswith("uneven judgments: 50% of the items of new have no judgment, 0% of those of base: new may")


def test_compare_runs_with_like_shares_of_unjudged_items_has_no_caution_of_uneven_judgments() -> None:
    judgments = {f"q{number}": {"a": 1, "b": 1} for number in range(10)}
    runs = {str(number): every_query(judgments, "x", "a") for number in range(7)}
    remarks = rg.compare(judgments, runs, ["ndcg@2", "map"]).remarks
    (unjudged,) = lines(remarks, "unjudged")
    assert unjudged.startswith("unjudged: in the top 2: 0 10 of 20 (50%) … 6 10 of 20 (50%); in the ranking: 0 10 of")
    assert not lines(remarks, "uneven-judgments")
    assert not lines(rg.compare(judgments, runs, "ndcg@2", unjudged="drop").remarks, "unjudged")
