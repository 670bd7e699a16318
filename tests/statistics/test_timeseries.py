from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm

from rankgauge.errors import RankgaugeError
from rankgauge.statistics.timeseries import default_lag, effective_number, long_run_variance

DAYS = 250
SERIES = ["white noise", "AR(1)", "MA(4)"]


def series_of(kind: str, days: int = DAYS, seed: int = 1) -> list[float]:
    source = np.random.default_rng(seed)
    if kind == "MA(4)":
        # Sums over windows that overlap, as returns over five days do.
        sums = np.convolve(source.standard_normal(days + 4), np.ones(5), mode="valid")
        return [float(value) for value in 0.2 + sums]
    value, values = 0.0, []
    for shock in source.standard_normal(days):
        value = (0.7 if kind == "AR(1)" else 0.0) * value + float(shock)
        values.append(0.2 + value)
    return values


def statsmodels_fit(values: list[float], lag: int) -> Any:
    settings = {"maxlags": lag, "use_correction": False}
    return sm.OLS(values, np.ones(len(values))).fit(cov_type="HAC", cov_kwds=settings)


def error_of(values: list[float], lag: int) -> float:
    """Return the Newey-West error of a mean."""
    return math.sqrt(long_run_variance(np.asarray(values), lag) / len(values))


@pytest.mark.parametrize("kind", SERIES)
@pytest.mark.parametrize("lag", [0, 1, 4, 5, 20, 60, DAYS - 1, DAYS, 2 * DAYS])
def test_long_run_variance_equals_statsmodels(kind: str, lag: int) -> None:
    values = series_of(kind)
    assert error_of(values, lag) == pytest.approx(statsmodels_fit(values, lag).bse[0], rel=1e-10)


@pytest.mark.parametrize("lag", [1, 2, 3, 9])
def test_long_run_variance_lag_beyond_the_days_uses_all_of_them(lag: int) -> None:
    values = [0.3, -0.1, 0.4]
    apart = [value - 0.2 for value in values]
    covariances = [sum(map(float.__mul__, apart[j:], apart)) / 3 for j in range(3)]
    weighted = sum(2 * (1 - j / (lag + 1)) * covariances[j] for j in (1, 2) if j <= lag)
    assert long_run_variance(np.array(values), lag) == pytest.approx(covariances[0] + weighted)


def test_long_run_variance_without_lag_is_the_plain_variance() -> None:
    values = series_of("AR(1)")
    assert long_run_variance(np.array(values), 0) == pytest.approx(float(np.var(values)), rel=1e-12)
    assert effective_number(values, 0) == DAYS


@pytest.mark.parametrize("lag", [0, 1, 3, 100, 2**63 - 1])
@pytest.mark.parametrize("values", [[1.0, -1.0] * 10, [0.0] * 9 + [1.0], [1e9, 1e9 + 1.0], series_of("AR(1)", 30)])
def test_long_run_variance_at_any_lag_is_not_negative(values: list[float], lag: int) -> None:
    assert long_run_variance(np.array(values), lag) >= 0.0
    assert 1.0 <= effective_number(values, lag) <= len(values)


@pytest.mark.parametrize("values", [[], [0.5], [0.5, math.nan], [0.5, math.inf, 0.1]])
def test_effective_number_of_too_few_values_is_nan(values: list[float]) -> None:
    assert math.isnan(effective_number(values, 1))


@pytest.mark.parametrize("values", [[0.1] * 10, [0.0] * 3, [-1 / 3] * 7, [1.0, 1.0 - 2**-53, 1.0 + 2**-52]])
def test_long_run_variance_of_constant_values_is_0(values: list[float]) -> None:
    assert long_run_variance(np.array(values), 2) == 0.0
    assert math.isnan(effective_number(values, 2))


def test_long_run_variance_of_small_spread_is_positive() -> None:
    values = [1e-9 * value for value in series_of("AR(1)")]
    assert error_of(values, 5) == pytest.approx(1e-9 * error_of(series_of("AR(1)"), 5), rel=1e-10)
    assert long_run_variance(np.array([1.0, 1.0 + 1e-12]), 0) > 0.0


def test_effective_number_of_autocorrelated_days_is_smaller() -> None:
    # The variance of a mean of AR(1) values is (1 + 0.7) / (1 - 0.7) times that of independent ones.
    many = series_of("AR(1)", 20_000)
    assert effective_number(many, 60) == pytest.approx(20_000 * 0.3 / 1.7, rel=0.15)
    assert effective_number(series_of("white noise", 20_000), 20) == pytest.approx(20_000, rel=0.15)


def test_effective_number_is_the_ratio_of_variances() -> None:
    values = series_of("MA(4)")
    assert effective_number(values, 9) == pytest.approx(DAYS * (error_of(values, 0) / error_of(values, 9)) ** 2)


@pytest.mark.parametrize("kind", [list, tuple, np.asarray])
def test_effective_number_takes_any_sequence(kind: Any) -> None:
    number = effective_number(kind(series_of("MA(4)")), 4)
    assert number == effective_number(series_of("MA(4)"), 4)
    assert type(number) is float


@pytest.mark.parametrize("lag", [-1, 1.0, True, None])
def test_effective_number_lag_not_whole_raises(lag: Any) -> None:
    with pytest.raises(RankgaugeError, match="lag"):
        effective_number([0.1, 0.2], lag)


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
