from __future__ import annotations

import math
import random

import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats

from rankgauge.errors import RankgaugeError
from rankgauge.measures.measure import Aggregate
from rankgauge.statistics.aggregates import aggregate
from rankgauge.statistics.bootstrap import Bootstrap, aggregate_bootstrap, bootstrap_interval


def test_bootstrap_interval_of_a_sample_is_the_percentile_interval_of_scipy() -> None:
    source = random.Random(1)
    values = [source.betavariate(0.5, 1.0) for _ in range(200)]
    ours = bootstrap_interval(values, resamples=40_000)
    theirs = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=40_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    width = theirs.high - theirs.low
    # Both are simulations: 40,000 resamples leave about a hundredth of the width to chance.
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.03 * width)


def test_bootstrap_interval_covers_the_mean_as_often_as_its_level_says() -> None:
    source = random.Random(2)
    samples = [[source.random() for _ in range(40)] for _ in range(400)]
    intervals = [bootstrap_interval(sample, level=0.9, resamples=1000) for sample in samples]
    covered = sum(low <= 0.5 <= high for low, high in intervals)
    assert 0.84 < covered / len(samples) < 0.95


def test_bootstrap_interval_depends_on_the_seed_and_not_on_threads() -> None:
    values = [0.1, 0.5, 0.9, 0.4]
    assert bootstrap_interval(values, seed=7, threads=1) == bootstrap_interval(values, seed=7, threads=3)
    assert bootstrap_interval(values * 50, seed=7) != bootstrap_interval(values * 50, seed=8)


@pytest.mark.parametrize("values", [[], [0.5], [0.5, math.nan]])
def test_bootstrap_interval_of_fewer_than_two_values_or_nan_is_nan(values: list[float]) -> None:
    assert all(map(math.isnan, bootstrap_interval(values)))


def test_bootstrap_interval_of_equal_values_has_no_width() -> None:
    assert bootstrap_interval([0.5] * 10) == (0.5, 0.5)


@pytest.mark.parametrize(
    "wrong",
    [{"level": 0.0}, {"level": 1.0}, {"level": math.nan}, {"resamples": 0}, {"resamples": 10**13}, {"seed": -1}],
)
def test_bootstrap_interval_with_invalid_options_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(RankgaugeError, match="Hint: "):
        bootstrap_interval([0.1, 0.2], **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("how", ["mean", "sum", "geometric", "weighted"])
def test_aggregate_bootstrap_of_each_aggregate_holds_it(how: Aggregate) -> None:
    source = random.Random(3)
    values, weights = [source.random() for _ in range(200)], [float(source.randrange(1, 50)) for _ in range(200)]
    low, high = aggregate_bootstrap(values, how, weights)
    assert low < aggregate(values, how, weights) < high


def test_aggregate_bootstrap_of_a_union_is_nan() -> None:
    assert all(math.isnan(end) for end in aggregate_bootstrap([0.1, 0.2, 0.3], "union"))


@pytest.mark.parametrize("kind", ["bca", "studentised"])
def test_bootstrap_of_a_skewed_sample_is_near_scipy(kind: Bootstrap) -> None:
    source = random.Random(4)
    values = [source.betavariate(0.4, 2.0) for _ in range(60)]
    ours = bootstrap_interval(values, kind=kind, resamples=40_000)
    if kind == "bca":
        theirs = scipy.stats.bootstrap(
            (values,), np.mean, n_resamples=40_000, method="BCa", rng=np.random.default_rng(1)
        ).confidence_interval
    else:
        theirs = studentised(np.array(values), np.random.default_rng(1))
    width = theirs[1] - theirs[0]
    assert ours == pytest.approx(tuple(theirs), abs=0.04 * width)


def studentised(values: npt.NDArray[np.float64], source: np.random.Generator) -> tuple[float, float]:
    """The bootstrap-t interval, written with NumPy."""
    drawn = values[source.integers(len(values), size=(40_000, len(values)))]
    ratios = (drawn.mean(1) - values.mean()) / (drawn.std(1, ddof=1) / np.sqrt(len(values)))
    high, low = np.quantile(ratios, [0.025, 0.975])
    error = values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean() - low * error), float(values.mean() - high * error)


@pytest.mark.parametrize("kind", ["bca", "studentised"])
def test_bootstrap_of_a_weighted_mean_other_than_percentile_is_refused(kind: Bootstrap) -> None:
    with pytest.raises(RankgaugeError, match="a mean by weight has these intervals"):
        bootstrap_interval([0.1, 0.4, 0.9], kind=kind, weights=[1.0, 2.0, 3.0])


@pytest.mark.parametrize("kind", ["bca", "studentised"])
def test_bootstrap_of_equal_values_has_no_width(kind: Bootstrap) -> None:
    assert bootstrap_interval([0.5] * 10, kind=kind) == (0.5, 0.5)
