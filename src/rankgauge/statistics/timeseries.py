"""The dependence of days, such as days whose returns overlap, and how many independent days they are worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.checks import whole_number

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy.typing as npt

    Numbers: TypeAlias = npt.NDArray[np.float64]

# Values no further apart than this share of the largest differ by rounding only.
ROUNDING = 8 * float(np.finfo(np.float64).eps)


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


def effective_number(values: Sequence[float], lag: int) -> float:
    """Return how many independent days would give the same error of the mean; NaN for constant or too few values.

    n g_0 / (g_0 + 2 sum over j = 1..lag of (1 - j / (lag + 1)) g_j), between 1 and n, with g_j as in long_run_variance.

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


def _series(values: Sequence[float]) -> Numbers | None:
    """Return the values as an array; None for fewer than two, or where one is not finite."""
    series = np.asarray(values, dtype=np.float64)
    return series if len(series) >= 2 and bool(np.isfinite(series).all()) else None


def long_run_variance(series: Numbers, lag: int) -> float:
    """Return n times the variance of a mean over n days, where days up to `lag` apart depend on each other.

    g_0 + 2 sum over j = 1..lag of (1 - j / (lag + 1)) g_j, where g_j is the sum of the products of deviations from the
    mean j days apart, divided by n. These Bartlett weights keep it from being negative. There is no prewhitening and no
    correction for small samples, as in statsmodels: OLS on a constant with cov_type="HAC", maxlags=lag,
    use_correction=False. Autocovariances of n and more days apart are 0. It is 0 for values that differ by rounding
    only.

    >>> long_run_variance(np.array([1.0, 2.0, 3.0, 4.0]), 0), long_run_variance(np.array([1.0, 2.0, 3.0, 4.0]), 1)
    (1.25, 1.5625)

    Newey & West 1987, A Simple, Positive Semi-Definite, Heteroskedasticity and Autocorrelation Consistent Covariance
    Matrix, Econometrica 55(3).
    """
    if float(np.ptp(series)) <= ROUNDING * float(np.abs(series).max()):
        return 0.0
    days = len(series)
    deviations = series - series.mean()
    total = float(deviations @ deviations)
    for j in range(1, min(lag, days - 1) + 1):
        total += 2.0 * (1.0 - j / (lag + 1)) * float(deviations[j:] @ deviations[:-j])
    return max(total, 0.0) / days  # below 0 by rounding only
