"""Intervals without resampling: Student t as scipy has it, plus-logit within 0 and 1."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.measures.measure import Aggregate
from rankgauge.statistics.aggregates import aggregate
from rankgauge.statistics.intervals import FEWEST, NO_INTERVAL, interval_of_moments, interval_of_values
from rankgauge.statistics.moments import UNITS, moments_of, moments_of_sums

SOURCE = random.Random(5)
VALUES = [SOURCE.betavariate(0.5, 1.0) for _ in range(40)]
WEIGHTS = [float(SOURCE.randrange(1, 50)) for _ in VALUES]


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_student_interval_is_that_of_scipy(level: float) -> None:
    error = scipy.stats.sem(VALUES)
    expected = scipy.stats.t.interval(level, len(VALUES) - 1, loc=np.mean(VALUES), scale=error)
    assert interval_of_values(VALUES, level=level) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_plus_logit_interval_equals_student_on_the_logit_scale(level: float) -> None:
    # The share that the variance has of the largest possible one, when half of a 0 and half of a 1 are added.
    half = np.array([1.0] * len(VALUES) + [0.5, 0.5])
    ends = np.array([*VALUES, 0.0, 1.0])
    mean = np.average(ends, weights=half)
    share = np.average((ends - mean) ** 2, weights=half) / (mean * (1 - mean))
    weights = np.array([1.0] * len(VALUES) + [share / 2, share / 2])
    mean = np.average(ends, weights=weights)
    total = weights.sum()
    variance = np.average((ends - mean) ** 2, weights=weights) / (total - 1)
    low, high = scipy.stats.t.interval(
        level,
        (total - 1) / (1 - share),
        loc=math.log(mean / (1 - mean)),
        scale=math.sqrt(variance) / mean / (1 - mean),
    )
    expected = [1 / (1 + math.exp(-end)) for end in (low, high)]
    assert interval_of_values(VALUES, bounded=True, level=level) == pytest.approx(expected, rel=1e-9)


def test_plus_logit_interval_of_hits_is_the_empirical_logit_with_the_normal_distribution() -> None:
    centre = (30 + 0.5) / (40 + 1)
    logit, error = math.log(centre / (1 - centre)), 1 / math.sqrt(40 * centre * (1 - centre))
    expected = [1 / (1 + math.exp(-(logit + side * 1.959963985 * error))) for side in (-1, 1)]
    assert interval_of_values([1.0] * 30 + [0.0] * 10, bounded=True) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("count", [5, 50, 5000])
def test_plus_logit_interval_of_equal_values_has_a_width_and_holds_the_mean(value: float, count: int) -> None:
    low, high = interval_of_values([value] * count, bounded=True)
    assert 0.0 <= low <= value <= high <= 1.0
    assert high - low > 0.0


def test_interval_of_fewer_than_five_values_is_nan() -> None:
    for count in range(FEWEST):
        assert interval_of_values([0.5] * count, bounded=True) == pytest.approx(NO_INTERVAL, nan_ok=True)
    assert not math.isnan(interval_of_values([0.5] * FEWEST).low)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_interval_of_values_that_are_not_finite_is_nan(bad: float) -> None:
    assert all(map(math.isnan, interval_of_values([*VALUES, bad])))


@pytest.mark.parametrize("how", ["mean", "sum", "geometric", "weighted"])
def test_interval_holds_its_aggregate(how: Aggregate) -> None:
    low, high = interval_of_values(VALUES, how, WEIGHTS)
    assert low < aggregate(VALUES, how, WEIGHTS) < high


def test_interval_of_a_sum_is_n_times_that_of_the_mean() -> None:
    low, high = interval_of_values(VALUES)
    assert interval_of_values(VALUES, "sum") == pytest.approx((low * 40, high * 40))


def test_interval_of_a_geometric_mean_is_that_of_logarithms() -> None:
    logs = interval_of_values([math.log(value) for value in VALUES])
    assert interval_of_values(VALUES, "geometric") == pytest.approx([math.exp(end) for end in logs])


def test_interval_of_equal_weights_is_that_of_the_mean() -> None:
    assert interval_of_values(VALUES, "weighted", [3.0] * 40) == pytest.approx(interval_of_values(VALUES))


@pytest.mark.parametrize("how", ["mean", "sum", "geometric"])
def test_interval_from_exact_sums_equals_that_of_the_values(how: Aggregate) -> None:
    taken = [math.log(value) for value in VALUES] if how == "geometric" else VALUES
    sums = [int(sum(Fraction(value) ** power for value in taken) * UNITS) for power in (1, 2)]
    moments = moments_of_sums(how, len(VALUES), sums)
    for bounded in (True, False):
        expected = interval_of_values(VALUES, how, bounded=bounded)
        assert interval_of_moments(moments, how, bounded=bounded) == pytest.approx(expected, rel=1e-12)


def test_interval_of_a_weighted_mean_from_exact_sums_equals_that_of_the_values() -> None:
    pairs = [(Fraction(weight), Fraction(value)) for weight, value in zip(WEIGHTS, VALUES, strict=True)]
    powers = ((1, 0), (1, 1), (2, 0), (2, 1), (2, 2))
    sums = [int(sum(weight**first * value**second for weight, value in pairs) * UNITS) for first, second in powers]
    moments = moments_of_sums("weighted", len(VALUES), sums)
    assert interval_of_moments(moments, "weighted", bounded=True) == pytest.approx(
        interval_of_values(VALUES, "weighted", WEIGHTS), rel=1e-12
    )


def test_moments_of_equal_values_by_weight_have_hardly_any_variance() -> None:
    moments = moments_of([0.7] * 40, "weighted", WEIGHTS)
    assert moments.mean == pytest.approx(0.7)
    assert moments.variance < 1e-30


def test_moments_of_large_values_keep_their_variance() -> None:
    assert moments_of([1e9 + value for value in (0.0, 1.0, 2.0)]).variance == pytest.approx(1.0)


@pytest.mark.parametrize("level", [0.0, 1.0, math.nan, 95])
def test_level_that_is_no_share_is_refused(level: float) -> None:
    with pytest.raises(RankgaugeError, match="between 0 and 1"):
        interval_of_values(VALUES, level=level)


def result_of(values: list[float], convention: str = "textbook") -> rg.Result:
    """A result whose queries have these values of `dcg@1`, or of `ndcg@1` if these are 0 or 1."""
    judgments = {f"q{number}": {"a": value, "b": 1.0} for number, value in enumerate(values)}
    return rg.evaluate(judgments, {query: ["a"] for query in judgments}, ["dcg@1", "ndcg@1"], convention=convention)


def test_result_uses_plus_logit_for_shares_and_student_for_sums() -> None:
    result = result_of([0.0, 1.0, 1.0, 0.0, 1.0, 1.0])
    assert result.interval("dcg@1") == interval_of_values([0.0, 1.0, 1.0, 0.0, 1.0, 1.0])
    assert result.interval("ndcg@1") == interval_of_values([0.0, 1.0, 1.0, 0.0, 1.0, 1.0], bounded=True)
    assert result.interval("ndcg@1", method="t") == result.interval("dcg@1")


def test_result_uses_student_where_negative_grades_count() -> None:
    result = result_of([-1.0, 1.0, 1.0, -0.5, 1.0, 1.0], "textbook(negative=keep)")
    values = list(result.per_query["ndcg@1"].values())
    assert min(values) < 0
    assert result.interval("ndcg@1") == interval_of_values(values)


def test_result_of_few_queries_has_no_interval_and_says_so() -> None:
    result = result_of([1.0, 0.0, 1.0])
    assert all(map(math.isnan, result.interval("ndcg@1")))
    assert "few queries: 3 queries are too few for an interval, which takes at least 5" in str(result)
    assert result.to_dict()["intervals"]["ndcg@1"] == pytest.approx([math.nan, math.nan], nan_ok=True)
    assert "null" in result.to_json()
    assert "few queries" not in str(result_of([1.0] * 5))


def test_result_takes_every_method_and_refuses_others() -> None:
    result = result_of([(number % 7 / 6) ** 3 for number in range(30)])
    intervals = {
        result.interval("ndcg@1", method=method) for method in ("logit", "t", "bootstrap", "bca", "studentised")
    }
    assert len(intervals) == 5
    assert result.interval("ndcg@1", method="bootstrap", resamples=500, seed=3) == result.interval(
        "ndcg@1", method="bootstrap", resamples=500, seed=3
    )
    with pytest.raises(RankgaugeError, match="expected method to be one of logit, t, bootstrap"):
        result.interval("ndcg@1", method="bayes")  # type: ignore[arg-type]


def test_result_of_a_light_evaluation_has_the_default_interval_and_refuses_others() -> None:
    plan = rg.Request.of("ndcg@2").plan()
    judgments = {f"q{number}": {"a": 1, "b": 1} for number in range(9)}
    ranking = {query: ["a"] if number % 2 else ["x", "b"] for number, query in enumerate(judgments)}
    full = plan.evaluate(judgments, ranking)
    light = rg.Result.of(full.light())
    assert light.interval("ndcg@2") == pytest.approx(rg.Result.of(full).interval("ndcg@2"), rel=1e-12)
    with pytest.raises(RankgaugeError, match="values per query"):
        light.interval("ndcg@2", method="bootstrap")


@pytest.mark.parametrize("highest", [1e200, 1.7e308])
def test_values_whose_squares_overflow_have_no_interval(highest: float) -> None:
    values = [highest, -highest, highest, highest, highest / 2]
    assert interval_of_values(values, "mean", bounded=False) == NO_INTERVAL
