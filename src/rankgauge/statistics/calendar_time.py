"""The mean return of overlapping portfolios, with an error from what they earn together on each calendar day."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.statistics import LEVEL
from rankgauge.statistics.intervals import require_level
from rankgauge.statistics.mean_over_dates import DatesMean
from rankgauge.statistics.student import t_quantile, t_tails
from rankgauge.statistics.timeseries import ROUNDING

if TYPE_CHECKING:
    from rankgauge.statistics.timeseries import Numbers


def mean_in_calendar_time(
    profits: Numbers, held: Numbers, portfolios: int, mean: float, *, level: float = LEVEL
) -> DatesMean:
    """Return the mean return of portfolios that are held at the same time, with its error, t, p and interval.

    One portfolio begins on each date and is held for the horizon, so that their returns overlap. What all of them earn
    on a calendar day does not overlap with what they earn on the next: without skill, these sums are uncorrelated. The
    variance of the mean of T portfolios is Σ e² n / (n - 1) / T², where e is what they earned on one of n days less
    what they earn on average for being held, and t has n - 1 degrees of freedom.

    Parameters:
        profits: what all portfolios together earned on each calendar day.
        held: how much of the horizons of all portfolios lies on each day; the sum is the number of portfolios.
        portfolios: how many portfolios there are.
        mean: the mean return of a portfolio.
        level: the level of the interval.

    >>> skill = mean_in_calendar_time(np.array([0.01, 0.03, -0.01, 0.02]), np.array([0.5, 1.0, 1.0, 0.5]), 3, 0.05 / 3)
    >>> round(skill.t, 2), skill.degrees
    (1.35, 3.0)

    Jegadeesh & Titman 1993, Returns to Buying Winners and Selling Losers, Journal of Finance 48(1), hold overlapping
    portfolios; Hodrick 1992, Dividend Yields and Expected Stock Returns, Review of Financial Studies 5(3), sums over
    days first.

    """
    require_level(level)
    days = len(profits)
    if days < 2 or not (math.isfinite(mean) and bool(np.isfinite(profits).all())):
        return DatesMean(mean, *[math.nan] * 6)
    apart = profits - mean * held
    scale = float(np.abs(profits).max())
    squares = 0.0 if float(np.abs(apart).max()) <= ROUNDING * scale else float(apart @ apart)
    error = math.sqrt(squares * days / (days - 1)) / portfolios
    degrees = days - 1.0
    if error == 0.0:
        return DatesMean(mean, 0.0, math.nan, math.nan, degrees, mean, mean)
    t, margin = mean / error, t_quantile((1.0 + level) / 2.0, degrees) * error
    return DatesMean(mean, error, t, t_tails(t, degrees), degrees, mean - margin, mean + margin)
