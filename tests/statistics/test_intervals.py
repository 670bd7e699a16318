from __future__ import annotations

import math
import random

import numpy as np
import pytest
import scipy.stats

from rankgauge.errors import RankgaugeError
from rankgauge.measures.measure import Aggregate
from rankgauge.statistics.intervals import aggregate, aggregate_interval, bootstrap_interval


def test_interval_equals_the_percentile_bootstrap_of_scipy() -> None:
    source = random.Random(1)
    values = [source.betavariate(0.5, 1.0) for _ in range(200)]
    ours = bootstrap_interval(values, resamples=40_000)
    theirs = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=40_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    width = theirs.high - theirs.low
    # Both are simulations: 40,000 resamples leave about a hundredth of the width to chance.
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.03 * width)


def test_interval_covers_the_mean_at_its_level() -> None:
    source = random.Random(2)
    samples = [[source.random() for _ in range(40)] for _ in range(400)]
    intervals = [bootstrap_interval(sample, level=0.9, resamples=1000) for sample in samples]
    covered = sum(low <= 0.5 <= high for low, high in intervals)
    assert 0.84 < covered / len(samples) < 0.95


def test_interval_with_the_same_seed_is_the_same() -> None:
    values = [0.1, 0.5, 0.9, 0.4]
    assert bootstrap_interval(values, seed=7, threads=1) == bootstrap_interval(values, seed=7, threads=3)
    assert bootstrap_interval(values * 50, seed=7) != bootstrap_interval(values * 50, seed=8)


@pytest.mark.parametrize("values", [[], [0.5], [0.5, math.nan]])
def test_interval_of_too_few_values_is_nan(values: list[float]) -> None:
    assert all(map(math.isnan, bootstrap_interval(values)))


def test_interval_of_equal_values_has_no_width() -> None:
    assert bootstrap_interval([0.5] * 10) == (0.5, 0.5)


@pytest.mark.parametrize(
    "wrong",
    [{"level": 0.0}, {"level": 1.0}, {"level": math.nan}, {"resamples": 0}, {"resamples": 10**13}, {"seed": -1}],
)
def test_interval_with_invalid_arguments_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(RankgaugeError, match="Hint: "):
        bootstrap_interval([0.1, 0.2], **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("how", "expected"), [("mean", 2.5), ("sum", 10.0), ("union", 10.0), ("geometric", 24**0.25)])
def test_aggregate_of_each_kind_equals_its_formula(how: Aggregate, expected: float) -> None:
    assert aggregate([1.0, 2.0, 3.0, 4.0], how) == pytest.approx(expected)
    assert math.isnan(aggregate([], how))


def test_geometric_mean_with_a_value_of_0_is_positive() -> None:
    assert aggregate([0.0, 1.0], "geometric") == pytest.approx(math.sqrt(0.00001))


def test_weighted_mean_equals_its_formula() -> None:
    assert aggregate([1.0, 0.0], "weighted", [3.0, 1.0]) == 0.75
    assert math.isnan(aggregate([1.0], "weighted", [0.0]))


@pytest.mark.parametrize("how", ["mean", "sum", "geometric", "weighted"])
def test_interval_of_each_aggregate_contains_it(how: Aggregate) -> None:
    source = random.Random(3)
    values, weights = [source.random() for _ in range(200)], [float(source.randrange(1, 50)) for _ in range(200)]
    low, high = aggregate_interval(values, how, weights)
    assert low < aggregate(values, how, weights) < high


def test_interval_of_a_measure_of_all_queries_together_is_nan() -> None:
    assert all(math.isnan(end) for end in aggregate_interval([0.1, 0.2, 0.3], "union"))
