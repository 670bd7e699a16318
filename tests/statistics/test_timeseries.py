from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import statsmodels.api as sm

from rankgauge.errors import RankgaugeError
from rankgauge.statistics import timeseries
from rankgauge.statistics.aggregates import aggregate
from rankgauge.statistics.bootstrap import bootstrap_interval
from rankgauge.statistics.intervals import Interval
from rankgauge.statistics.timeseries import (
    block_interval,
    default_lag,
    effective_number,
    is_short,
    newey_west_error,
    newey_west_t,
)

Numbers = npt.NDArray[np.float64]

DAYS = 250
SERIES = ["white noise", "AR(1)", "MA(4)"]


def moving_sums(source: np.random.Generator, days: int, window: int) -> Numbers:
    """Draw sums over windows that overlap, as returns over `window` days do."""
    return np.convolve(source.standard_normal(days + window - 1), np.ones(window), mode="valid")


def series_of(kind: str, days: int = DAYS, seed: int = 1) -> list[float]:
    source = np.random.default_rng(seed)
    if kind == "MA(4)":
        return [float(value) for value in 0.2 + moving_sums(source, days, 5)]
    value, values = 0.0, []
    for shock in source.standard_normal(days):
        value = (0.7 if kind == "AR(1)" else 0.0) * value + float(shock)
        values.append(0.2 + value)
    return values


def statsmodels_fit(values: list[float], lag: int) -> Any:
    settings = {"maxlags": lag, "use_correction": False}
    return sm.OLS(values, np.ones(len(values))).fit(cov_type="HAC", cov_kwds=settings)


@pytest.mark.parametrize("kind", SERIES)
@pytest.mark.parametrize("lag", [0, 1, 4, 5, 20, 60, DAYS - 1, DAYS, 2 * DAYS])
def test_newey_west_error_equals_statsmodels(kind: str, lag: int) -> None:
    values = series_of(kind)
    theirs = statsmodels_fit(values, lag)
    assert newey_west_error(values, lag) == pytest.approx(theirs.bse[0], rel=1e-10)
    assert newey_west_t(values, lag) == pytest.approx(theirs.tvalues[0], rel=1e-10)


@pytest.mark.parametrize("lag", [1, 2, 3, 9])
def test_newey_west_error_lag_beyond_the_days_uses_all_of_them(lag: int) -> None:
    values = [0.3, -0.1, 0.4]
    apart = [value - 0.2 for value in values]
    covariances = [sum(map(float.__mul__, apart[j:], apart)) / 3 for j in range(3)]
    weighted = sum(2 * (1 - j / (lag + 1)) * covariances[j] for j in (1, 2) if j <= lag)
    assert newey_west_error(values, lag) == pytest.approx(math.sqrt((covariances[0] + weighted) / 3))


def test_newey_west_error_without_lag_is_the_plain_error() -> None:
    values = series_of("AR(1)")
    assert newey_west_error(values, 0) == pytest.approx(float(np.std(values)) / math.sqrt(DAYS), rel=1e-12)
    assert effective_number(values, 0) == DAYS


@pytest.mark.parametrize("lag", [0, 1, 3, 100, 2**63 - 1])
@pytest.mark.parametrize("values", [[1.0, -1.0] * 10, [0.0] * 9 + [1.0], [1e9, 1e9 + 1.0], series_of("AR(1)", 30)])
def test_newey_west_error_at_any_lag_is_not_negative(values: list[float], lag: int) -> None:
    assert newey_west_error(values, lag) >= 0.0
    assert 1.0 <= effective_number(values, lag) <= len(values)


@pytest.mark.parametrize("values", [[], [0.5], [0.5, math.nan], [0.5, math.inf, 0.1]])
def test_newey_west_error_of_too_few_values_is_nan(values: list[float]) -> None:
    assert math.isnan(newey_west_error(values, 1))
    assert math.isnan(newey_west_t(values, 1))
    assert math.isnan(effective_number(values, 1))
    assert all(map(math.isnan, block_interval(values, 1)))


@pytest.mark.parametrize("values", [[0.1] * 10, [0.0] * 3, [-1 / 3] * 7, [1.0, 1.0 - 2**-53, 1.0 + 2**-52]])
def test_newey_west_error_of_constant_values_is_0_without_t(values: list[float]) -> None:
    assert newey_west_error(values, 2) == 0.0
    assert math.isnan(newey_west_t(values, 2))
    assert math.isnan(effective_number(values, 2))


def test_newey_west_error_of_small_spread_is_positive() -> None:
    values = [1e-9 * value for value in series_of("AR(1)")]
    assert newey_west_t(values, 5) == pytest.approx(newey_west_t(series_of("AR(1)"), 5), rel=1e-10)
    assert newey_west_error([1.0, 1.0 + 1e-12], 0) > 0.0


def test_effective_number_of_autocorrelated_days_is_smaller() -> None:
    # The variance of a mean of AR(1) values is (1 + 0.7) / (1 - 0.7) times that of independent ones.
    many = series_of("AR(1)", 20_000)
    assert effective_number(many, 60) == pytest.approx(20_000 * 0.3 / 1.7, rel=0.15)
    assert effective_number(series_of("white noise", 20_000), 20) == pytest.approx(20_000, rel=0.15)


def test_newey_west_t_agrees_with_error_and_effective_number() -> None:
    values = series_of("MA(4)")
    plain, honest = newey_west_error(values, 0), newey_west_error(values, 9)
    assert effective_number(values, 9) == pytest.approx(DAYS * (plain / honest) ** 2)
    assert newey_west_t(values, 9) == pytest.approx(float(np.mean(values)) / honest)


@pytest.mark.parametrize("kind", [list, tuple, np.asarray])
def test_timeseries_functions_take_any_sequence(kind: Any) -> None:
    values = kind(series_of("MA(4)"))
    assert newey_west_t(values, 4) == newey_west_t(series_of("MA(4)"), 4)
    assert block_interval(values, 10) == block_interval(series_of("MA(4)"), 10)
    assert type(newey_west_t(values, 4)) is type(block_interval(values, 10).low) is float


def test_block_interval_of_overlapping_noise_covers_0() -> None:
    source = np.random.default_rng(5)
    samples = [moving_sums(source, DAYS, 5).tolist() for _ in range(300)]
    blocks = [block_interval(sample, 10, level=0.9, resamples=1000) for sample in samples]
    plain = [bootstrap_interval(sample, level=0.9, resamples=1000) for sample in samples]
    # In theory 0.87 and 0.54: blocks of 10 still tear some neighbours apart.
    assert 0.80 < share_around_0(blocks) < 0.93
    assert share_around_0(plain) < 0.65


def share_around_0(intervals: list[Interval]) -> float:
    return sum(low <= 0.0 <= high for low, high in intervals) / len(intervals)


def test_newey_west_t_of_overlapping_noise_is_seldom_significant() -> None:
    source = np.random.default_rng(6)
    samples = [moving_sums(source, DAYS, 5).tolist() for _ in range(300)]
    found = {lag: sum(abs(newey_west_t(sample, lag)) > 1.96 for sample in samples) / 300 for lag in (0, 4, 20)}
    # In theory 0.38 and, with many days, 0.11 and 0.06; a true 0.05 would take a lag that grows with the days.
    assert found[0] > 0.30
    assert found[4] < 0.17
    assert found[20] < 0.15


def test_block_interval_of_one_day_is_the_plain_bootstrap() -> None:
    values = series_of("white noise")
    ours, plain = block_interval(values, 1, resamples=40_000), bootstrap_interval(values, resamples=40_000)
    assert ours == pytest.approx(plain, abs=0.03 * (plain.high - plain.low))


@pytest.mark.parametrize("block", [1, 2, 3, 5, 6])
def test_block_means_equal_the_definition(block: int) -> None:
    values = np.asarray([0.3, -1.0, 2.0, 0.7, 5.0, -0.2, 1.1])
    source = np.random.default_rng(3)
    starts = source.integers(7, size=(50, math.ceil(7 / block)))
    picks = (starts[:, :, None] + np.arange(block)).reshape(50, -1)[:, :7] % 7
    assert timeseries._block_means(values, block, 50, 3) == pytest.approx(values[picks].mean(axis=1))


def test_block_interval_width_agrees_with_the_newey_west_error() -> None:
    # Means of circular blocks have the variance of Bartlett weights, but for the ends, at a lag of the block less one.
    values = series_of("AR(1)", 5_000)
    low, high = block_interval(values, 20, level=0.9, resamples=20_000)
    assert (high - low) / 2 == pytest.approx(1.645 * newey_west_error(values, 19), rel=0.03)


@pytest.mark.parametrize("block", [4, 5, 10**12])
def test_block_interval_of_one_block_has_no_width(block: int) -> None:
    values = [0.1, 0.5, 0.9, 0.4]
    assert block_interval(values, block) == (aggregate(values, "mean"), aggregate(values, "mean"))


def test_block_interval_of_equal_values_has_no_width() -> None:
    assert block_interval([0.5] * 10, 3) == (0.5, 0.5)


def test_block_interval_with_the_same_seed_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    values = series_of("MA(4)")
    first = block_interval(values, 7, seed=7)
    assert block_interval(values, 7, seed=8) != first
    for at_once in (1, 100, 1001):  # fewer starts than a resample takes, some resamples, a broken number of them
        monkeypatch.setattr(timeseries, "STARTS_AT_ONCE", at_once)
        assert block_interval(values, 7, seed=7) == first


def test_block_interval_default_resamples_are_those_of_the_plain_bootstrap() -> None:
    values = series_of("MA(4)")
    assert block_interval(values, 7) == block_interval(values, 7, resamples=10_000)
    assert block_interval(values, 7) != block_interval(values, 7, resamples=9_999)


def test_block_interval_of_a_higher_level_is_wider() -> None:
    values = series_of("MA(4)")
    narrow, wide = block_interval(values, 7, level=0.5), block_interval(values, 7, level=0.99)
    assert wide.low < narrow.low < sum(values) / DAYS < narrow.high < wide.high


@pytest.mark.parametrize(
    "wrong",
    [
        {"level": 0.0},
        {"level": 1.0},
        {"level": math.nan},
        {"resamples": 0},
        {"resamples": 10**13},
        {"seed": -1},
        {"block": 0},
        {"block": 2.0},
    ],
)
def test_block_interval_invalid_argument_raises(wrong: dict[str, Any]) -> None:
    with pytest.raises(RankgaugeError, match=next(iter(wrong))):
        block_interval([0.1, 0.2], **{"block": 1, **wrong})


@pytest.mark.parametrize("lag", [-1, 1.0, True, None])
def test_newey_west_lag_not_whole_raises(lag: Any) -> None:
    for function in (newey_west_error, newey_west_t, effective_number):
        with pytest.raises(RankgaugeError, match="lag"):
            function([0.1, 0.2], lag)
    with pytest.raises(RankgaugeError, match="lag"):
        is_short(10, lag)


@pytest.mark.parametrize(
    ("days", "horizon", "expected"),
    [
        (0, 1, 0),
        (1, 20, 0),
        (2, 1, 1),
        (5, 20, 4),
        (100, 1, 4),
        (99, 1, 3),
        (250, 5, 8),
        (250, 6, 10),
        (250, 20, 38),
        (1000, 1, 6),
        (51_200, 1, 16),
        (51_199, 1, 15),
    ],
)
def test_default_lag_has_known_values(days: int, horizon: int, expected: int) -> None:
    assert default_lag(days, horizon) == expected


def test_default_lag_horizon_below_1_raises() -> None:
    with pytest.raises(RankgaugeError, match="horizon"):
        default_lag(100, 0)


@pytest.mark.parametrize(
    ("days", "lag", "short"),
    [(0, 0, True), (1, 0, True), (19, 0, True), (20, 0, False), (20, 4, False), (29, 10, True), (30, 10, False)],
)
def test_is_short_follows_the_lag(days: int, lag: int, short: bool) -> None:
    assert is_short(days, lag) is short
