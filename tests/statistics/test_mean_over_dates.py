"""Means over dates: one estimator for error, t, p and interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from rankgauge.errors import RankgaugeError
from rankgauge.statistics.mean_over_dates import fewest_dates, mean_over_dates

VALUES = [float(value) for value in np.random.default_rng(2).normal(0.02, 0.1, 300)]


def smoothed(horizon: int) -> list[float]:
    """Values of which those less than the horizon apart share noise."""
    noise = np.random.default_rng(3).normal(0.0, 1.0, 300 + horizon)
    return [float(noise[day : day + horizon].mean()) for day in range(300)]


def test_mean_over_dates_without_overlap_is_the_t_test() -> None:
    ours = mean_over_dates(VALUES, 1)
    expected = scipy.stats.ttest_1samp(VALUES, 0.0)
    # The variance is divided by n (1 - 1/n), which is n - 1.
    assert (ours.t, ours.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert (ours.low, ours.high) == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert ours.degrees == 299


def test_mean_over_dates_with_overlap_is_the_corrected_estimator_of_hansen_and_hodrick() -> None:
    horizon, values = 5, smoothed(5)
    deviations = np.array(values) - np.mean(values)
    covariances = [deviations[lag:] @ deviations[: len(deviations) - lag] / 300 for lag in range(horizon)]
    factor = 1 - (2 * horizon - 1) / 300 + horizon * (horizon - 1) / 300**2
    error = math.sqrt((covariances[0] + 2 * sum(covariances[1:])) / factor / 300)
    ours = mean_over_dates(values, horizon)
    assert ours.error == pytest.approx(error)
    assert ours.degrees == pytest.approx(300 / 9)
    assert ours.p == pytest.approx(2 * scipy.stats.t.sf(abs(ours.t), 300 / 9))
    assert mean_over_dates(values, 1).error < ours.error / 1.5


def test_mean_over_dates_whose_covariances_cancel_takes_newey_and_west() -> None:
    alternating = [(-1.0) ** day + 0.001 * (day % 7) for day in range(200)]
    assert mean_over_dates(alternating, 2).error > 0


def test_mean_over_too_few_dates_has_a_mean_alone() -> None:
    ours = mean_over_dates(VALUES[:40], 5)
    assert ours.mean == pytest.approx(np.mean(VALUES[:40]))
    assert all(map(math.isnan, ours[1:]))
    assert not math.isnan(mean_over_dates(VALUES[:50], 5).t)
    assert (fewest_dates(1), fewest_dates(5)) == (20, 50)


def test_mean_over_no_dates_is_nan() -> None:
    assert all(map(math.isnan, mean_over_dates([], 5)))


def test_mean_over_equal_dates_has_no_t() -> None:
    ours = mean_over_dates([0.1] * 100, 5)
    assert (ours.error, ours.low, ours.high) == pytest.approx((0.0, 0.1, 0.1))
    assert math.isnan(ours.t)


@pytest.mark.parametrize("wrong", [{"horizon": 0}, {"horizon": 2.5}, {"horizon": 5, "level": 2.0}])
def test_mean_over_dates_with_a_setting_that_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(RankgaugeError, match="Hint: "):
        mean_over_dates(VALUES, **wrong)  # type: ignore[arg-type]
