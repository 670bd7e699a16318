from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from rankgauge.errors import RankgaugeError
from rankgauge.statistics.calendar_time import mean_in_calendar_time


def test_mean_in_calendar_time_without_overlap_is_a_plain_t_test() -> None:
    values = np.random.default_rng(1).normal(0.1, 1.0, 40)
    actual = mean_in_calendar_time(values, np.ones(40), 40, float(values.mean()))
    expected = scipy.stats.ttest_1samp(values, 0.0)
    assert (actual.t, actual.p, actual.degrees) == pytest.approx((expected.statistic, expected.pvalue, 39))
    low, high = expected.confidence_interval(0.95)
    assert (actual.low, actual.high) == pytest.approx((low, high))


def test_mean_in_calendar_time_of_steady_portfolios_is_that_of_their_days() -> None:
    """Overlapping portfolios with the same stocks earn, day by day, a horizon of the same daily return."""
    daily = np.random.default_rng(2).normal(0.0, 1.0, 60)
    horizon, portfolios = 5, 56
    held = np.convolve(np.ones(portfolios), np.ones(horizon)) / horizon
    profits = held * horizon * daily
    mean = float(profits.sum() / portfolios)
    actual = mean_in_calendar_time(profits, held, portfolios, mean)
    apart = profits - mean * held
    assert actual.error == pytest.approx(math.sqrt(float(apart @ apart) * 60 / 59) / portfolios)
    wider = mean_in_calendar_time(profits, held, portfolios, mean, level=0.99)
    assert wider.low < actual.low < mean < actual.high < wider.high


@pytest.mark.parametrize("profits", [[0.1], [], [0.1, math.nan], [0.1, math.inf]])
def test_mean_in_calendar_time_of_too_little_is_nan(profits: list[float]) -> None:
    actual = mean_in_calendar_time(np.array(profits), np.ones(len(profits)), 3, 0.1)
    assert actual.mean == 0.1
    assert all(map(math.isnan, actual[1:]))


def test_mean_in_calendar_time_of_equal_days_has_no_t() -> None:
    actual = mean_in_calendar_time(np.full(30, 0.1), np.ones(30), 30, 0.1)
    assert (actual.error, actual.low, actual.high) == (0.0, 0.1, 0.1)
    assert math.isnan(actual.t)


def test_mean_in_calendar_time_of_an_impossible_level_raises() -> None:
    with pytest.raises(RankgaugeError, match="level"):
        mean_in_calendar_time(np.ones(3), np.ones(3), 3, 1.0, level=1.5)
