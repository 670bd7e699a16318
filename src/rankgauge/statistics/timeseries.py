"""Errors of a mean over dependent days, such as days whose returns overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.checks import whole_number
from rankgauge.statistics.bootstrap import checked_settings
from rankgauge.statistics.intervals import LEVEL, Interval

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy.typing as npt

    Numbers: TypeAlias = npt.NDArray[np.float64]

# Values no further apart than this share of the largest differ by rounding only.
ROUNDING = 8 * float(np.finfo(np.float64).eps)
# How many starts of blocks are drawn at a time: 16 MB.
STARTS_AT_ONCE = 2**21
# With fewer days, errors are unreliable.
FEWEST_DAYS = 20


def default_lag(days: int, horizon: int) -> int:
    """Return the default lag: how many days back a day depends on others.

    max(2 (horizon - 1), floor(4 (days / 100)^(2/9))), at most days - 1. Returns over `horizon` days overlap with
    horizon - 1 neighbours; the reach is doubled because Bartlett's weights underweight the far ones. The second term is
    a rule of thumb for other dependence.

    >>> default_lag(250, 1), default_lag(250, 20), default_lag(10, 20)
    (4, 38, 9)

    Newey & West 1994, Automatic Lag Selection in Covariance Matrix Estimation, Review of Economic Studies 61(4): their
    first step has the second term, which is in common use as the lag itself.
    """
    days, horizon = whole_number("days", days, 0), whole_number("horizon", horizon, 1)
    rule_of_thumb = 4.0 * math.pow(days / 100.0, 2.0 / 9.0)
    reach = max(2 * (horizon - 1), math.floor(rule_of_thumb + 1e-9))  # rounding: exactly 16 for 51,200 days
    return max(min(reach, days - 1), 0)


def newey_west_error(values: Sequence[float], lag: int) -> float:
    """Return the standard error of a mean over days, where days up to `lag` apart depend on each other.

    sqrt((g_0 + 2 sum over j = 1..lag of (1 - j / (lag + 1)) g_j) / n), where g_j is the sum of the products of
    deviations from the mean j days apart, divided by n. These Bartlett weights keep it from being negative. There is no
    prewhitening and no correction for small samples, as in statsmodels: OLS on a constant with cov_type="HAC",
    maxlags=lag, use_correction=False. Autocovariances of n and more days apart are 0. Values that
    differ by rounding only have an error of 0; fewer than two values, or one that is not finite, give NaN.

    >>> round(newey_west_error([1.0, 2.0, 3.0, 4.0], 0), 3), round(newey_west_error([1.0, 2.0, 3.0, 4.0], 1), 3)
    (0.559, 0.625)

    Newey & West 1987, A Simple, Positive Semi-Definite, Heteroskedasticity and Autocorrelation Consistent Covariance
    Matrix, Econometrica 55(3).
    """
    lag = whole_number("lag", lag, 0)
    series = _series(values)
    return math.nan if series is None else math.sqrt(long_run_variance(series, lag) / len(series))


def newey_west_t(values: Sequence[float], lag: int) -> float:
    """Return the t statistic of a mean over days with the Newey-West error; NaN if the error is 0 or NaN.

    mean / newey_west_error(values, lag).

    >>> round(newey_west_t([1.0, 2.0, 3.0, 4.0], 1), 3)
    4.0
    >>> newey_west_t([0.1, 0.1, 0.1], 1)
    nan

    Newey & West 1987, as newey_west_error.
    """
    error = newey_west_error(values, lag)
    return _mean(values) / error if error > 0.0 else math.nan


def effective_number(values: Sequence[float], lag: int) -> float:
    """Return how many independent days would give the same error of the mean; NaN for constant or too few values.

    n g_0 / (g_0 + 2 sum over j = 1..lag of (1 - j / (lag + 1)) g_j), between 1 and n, with g_j as in newey_west_error.

    >>> effective_number([1.0, 2.0, 3.0, 4.0], 1), effective_number([1.0, -1.0, 1.0, -1.0], 1)
    (3.2, 4.0)

    Bayley & Hammersley 1946, The "Effective" Number of Independent Observations in an Autocorrelated Time Series,
    Supplement to the Journal of the Royal Statistical Society 8(2).
    """
    lag = whole_number("lag", lag, 0)
    series = _series(values)
    variance = 0.0 if series is None else long_run_variance(series, 0)
    if series is None or variance == 0.0:
        return math.nan
    return max(len(series) * variance / max(long_run_variance(series, lag), variance), 1.0)


def block_interval(
    values: Sequence[float],
    block: int,
    *,
    level: float = LEVEL,
    resamples: int | None = None,
    seed: int = 0,
) -> Interval:
    """Return the percentile interval of a mean over days by the circular block bootstrap.

    A resample is ceil(n / block) blocks of `block` consecutive days, drawn with replacement; the first day follows the
    last, and the last block is cut so that there are n days. With a block of n days or more, every resample has all
    days and the interval has no width. Fewer than two values, or one that is not finite, give NaN.

    Parameters:
        values: the values of the days, in order.
        block: the length of a block in days.
        level: the share of resampled means within the interval.
        resamples: how many resamples to draw; default: as many as `bootstrap_interval`.
        seed: the seed of the draw; equal seeds give equal intervals.

    >>> low, high = block_interval([0.2, 0.4, 0.6, 0.8] * 25, 1)
    >>> round(low, 2), round(high, 2)
    (0.46, 0.54)
    >>> low, high = block_interval(([0.2] * 10 + [0.8] * 10) * 5, 10)  # alike for ten days
    >>> high - low > 0.2
    True

    Politis & Romano 1992, A Circular Block-Resampling Procedure for Stationary Data, in LePage & Billard (editors),
    Exploring the Limits of Bootstrap.

    """
    block = whole_number("block", block, 1)
    count, seed = checked_settings(len(values), level, resamples, seed)
    series = _series(values)
    if series is None:
        return Interval(math.nan, math.nan)
    mean = _mean(values)
    if block >= len(series):
        return Interval(mean, mean)
    outside = (1.0 - level) / 2.0
    means = _block_means(series - mean, block, count, seed)
    low, high = np.quantile(means, [outside, 1.0 - outside], overwrite_input=True)
    return Interval(mean + float(low), mean + float(high))


def is_short(days: int, lag: int) -> bool:
    """Return whether there are too few days for a lag: fewer than 3 lag, or than 20.

    >>> is_short(250, 20), is_short(50, 20), is_short(1, 0)
    (False, True, True)

    The longer the lag relative to the days, the further t is from normal: Kiefer & Vogelsang 2005, A New Asymptotic
    Theory for Heteroskedasticity-Autocorrelation Robust Tests, Econometric Theory 21(6). The limits of a third and
    of 20 days are choices of rankgauge.
    """
    return whole_number("days", days, 0) < enough(lag)


def enough(lag: int) -> int:
    """Return the fewest days that are enough for a lag.

    >>> enough(0), enough(20)
    (20, 60)
    """
    return max(3 * whole_number("lag", lag, 0), FEWEST_DAYS)


def _series(values: Sequence[float]) -> Numbers | None:
    """Return the values as an array; None for fewer than two, or where one is not finite."""
    series = np.asarray(values, dtype=np.float64)
    return series if len(series) >= 2 and bool(np.isfinite(series).all()) else None


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def long_run_variance(series: Numbers, lag: int) -> float:
    """Return n times the squared Newey-West error of a mean."""
    if float(np.ptp(series)) <= ROUNDING * float(np.abs(series).max()):
        return 0.0
    days = len(series)
    deviations = series - series.mean()
    total = float(deviations @ deviations)
    for j in range(1, min(lag, days - 1) + 1):
        total += 2.0 * (1.0 - j / (lag + 1)) * float(deviations[j:] @ deviations[:-j])
    return max(total, 0.0) / days  # below 0 by rounding only


def _block_means(series: Numbers, block: int, resamples: int, seed: int) -> Numbers:
    days = len(series)
    blocks = math.ceil(days / block)
    whole, cut = _circular_sums(series, block), _circular_sums(series, days - (blocks - 1) * block)
    source = np.random.default_rng(seed)
    means = np.empty(resamples)
    rows = max(STARTS_AT_ONCE // blocks, 1)
    for first in range(0, resamples, rows):
        part = means[first : first + rows]
        starts = source.integers(days, size=(len(part), blocks))
        part[:] = (whole[starts[:, :-1]].sum(axis=1) + cut[starts[:, -1]]) / days
    return means


def _circular_sums(series: Numbers, length: int) -> Numbers:
    """Return the sum of `length` values from each position, where the first follows the last."""
    sums = np.concatenate(([0.0], np.cumsum(np.concatenate((series, series[:length])))))
    return np.asarray(sums[length : length + len(series)] - sums[: len(series)])
