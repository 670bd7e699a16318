"""The mean of values over dates whose returns overlap: its error, t, p and interval, by one estimator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from rankgauge.checks import whole_number
from rankgauge.statistics import LEVEL
from rankgauge.statistics.intervals import require_level
from rankgauge.statistics.student import t_quantile, t_tails
from rankgauge.statistics.timeseries import ROUNDING, default_lag, long_run_variance

if TYPE_CHECKING:
    from rankgauge.statistics.timeseries import Numbers

# With fewer dates per horizon there is no interval: the simulations of docs/calibration.md begin at 12.
FEWEST_PER_HORIZON: Final = 10
FEWEST_DATES: Final = 20
# Negative autocovariances that nearly cancel the variance are noise: below this share of the variance of Newey and
# West, theirs is taken.
LEAST_SHARE: Final = 0.25


class DatesMean(NamedTuple):
    """A mean over dates, its standard error, t and p of it being 0, the degrees of freedom, and its interval.

    All but the mean are NaN where there are too few dates.
    """

    mean: float
    error: float
    t: float
    p: float
    degrees: float
    low: float
    high: float


def mean_over_dates(values: Sequence[float], horizon: int, *, level: float = LEVEL) -> DatesMean:
    """Return the mean of values over dates, where those fewer than `horizon` dates apart share returns.

    The variance of the mean is that of Hansen and Hodrick, (g_0 + 2 Σ g_j over j < h) / T, where g_j is the
    autocovariance j dates apart, divided by 1 - (2h - 1) / T + h(h - 1) / T², what taking the mean away costs it. t has
    T / (2h - 1) degrees of freedom, T - 1 without overlap. Where noise makes the sum less than a quarter of Newey and
    West's, theirs is taken. Its measured error is in docs/calibration.md.

    >>> skill = mean_over_dates([0.03, 0.01, -0.02, 0.05, 0.02] * 20, 5)
    >>> round(skill.mean, 3), round(skill.degrees, 1)
    (0.018, 11.1)

    Hansen & Hodrick 1980, Forward Exchange Rates as Optimal Predictors of Future Spot Rates, Journal of Political
    Economy 88(5).
    """
    require_level(level)
    horizon = whole_number("horizon", horizon, 1)
    series = np.asarray(values, dtype=np.float64)
    mean = math.fsum(values) / len(values) if len(values) else math.nan
    if len(series) < fewest_dates(horizon) or not bool(np.isfinite(series).all()):
        return DatesMean(mean, *[math.nan] * 6)
    degrees = len(series) / (2 * horizon - 1) if horizon > 1 else len(series) - 1.0
    error = math.sqrt(_variance(series, horizon) / len(series))
    if error == 0.0:
        return DatesMean(mean, 0.0, math.nan, math.nan, degrees, mean, mean)
    margin = t_quantile((1.0 + level) / 2.0, degrees) * error
    t = mean / error
    return DatesMean(mean, error, t, t_tails(t, degrees), degrees, mean - margin, mean + margin)


def fewest_dates(horizon: int) -> int:
    """Return the fewest dates for which there is a t and an interval.

    >>> fewest_dates(1), fewest_dates(20)
    (20, 200)
    """
    return max(FEWEST_PER_HORIZON * horizon, FEWEST_DATES)


def _variance(series: Numbers, horizon: int) -> float:
    """The long-run variance, corrected for the mean that was taken away; 0 for values that differ by rounding only."""
    if float(np.ptp(series)) <= ROUNDING * float(np.abs(series).max()):
        return 0.0
    count = len(series)
    deviations = series - series.mean()
    total = float(deviations @ deviations)
    for lag in range(1, horizon):
        total += 2.0 * float(deviations[lag:] @ deviations[:-lag])
    weighted = long_run_variance(series, default_lag(count, horizon))
    raw = total / count
    kept = raw if raw >= LEAST_SHARE * weighted else weighted
    return kept / (1.0 - (2 * horizon - 1) / count + horizon * (horizon - 1) / count**2)
