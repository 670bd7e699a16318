"""Bootstrap intervals, on request: percentile, bias-corrected and accelerated (BCa), studentised."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from rankgauge._core import bootstrap_interval as native_interval
from rankgauge._core import bootstrap_moments as native_moments
from rankgauge.checks import whole_number
from rankgauge.errors import RankgaugeError
from rankgauge.statistics import LEVEL
from rankgauge.statistics.aggregates import log_of_value
from rankgauge.statistics.intervals import NO_INTERVAL, Interval, require_level
from rankgauge.statistics.moments import moments_of

if TYPE_CHECKING:
    from rankgauge.measures.measure import Aggregate

Bootstrap: TypeAlias = Literal["bootstrap", "bca", "studentised"]

RESAMPLES: Final = 10_000
LEAST_RESAMPLES: Final = 1_000
MOST_RESAMPLES: Final = 10_000_000
# With more queries than these, fewer resamples do: the means of many are near a bell curve, and each costs more.
MANY_QUERIES: Final = 20_000
_NORMAL: Final = NormalDist()


def bootstrap_interval(
    values: Sequence[float],
    *,
    kind: Bootstrap = "bootstrap",
    level: float = LEVEL,
    resamples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    weights: Sequence[float] | None = None,
) -> Interval:
    """Return a bootstrap interval of a mean over queries, or of their mean by weight.

    Queries are drawn with replacement, as many as there are, `resamples` times (default: 10,000, and fewer above
    20,000 queries). `bootstrap` takes the quantiles of the means so found; `bca` moves them by their bias and skewness;
    `studentised` takes the quantiles of t, each resample with an error of its own. Fewer than two values say nothing
    of their spread: the interval is NaN. Equal seeds give equal intervals, whatever the number of threads.

    >>> low, high = bootstrap_interval([0.2, 0.4, 0.6, 0.8] * 25)
    >>> round(low, 2), round(high, 2)
    (0.46, 0.54)

    Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapters 12 to 14.
    """
    count, seed = checked_settings(len(values), level, resamples, seed)
    if len(values) < 2 or not all(map(math.isfinite, values)):
        return NO_INTERVAL
    if kind == "bootstrap":
        return Interval(*native_interval(values, count, level, seed, threads, weights))
    if weights is not None:
        raise RankgaugeError(
            "unknown-choice",
            field="method",
            known="t, bootstrap",
            got=kind,
            nearest="",
            question="a mean by weight has these intervals",
        )
    if min(values) == max(values):
        return Interval(values[0], values[0])
    moments = native_moments(values, count, seed, threads)
    return _bca(values, moments, level) if kind == "bca" else _studentised(values, moments, level)


def _bca(values: Sequence[float], resampled: Sequence[tuple[float, float]], level: float) -> Interval:
    mean = math.fsum(values) / len(values)
    means = sorted(each for each, _ in resampled)
    below = (sum(each < mean for each in means) + 0.5 * sum(each == mean for each in means)) / len(means)
    bias = _NORMAL.inv_cdf(min(max(below, 1e-9), 1.0 - 1e-9))
    cubes = math.fsum((value - mean) ** 3 for value in values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    acceleration = cubes / (6.0 * squares**1.5)

    def end(share: float) -> float:
        shifted = bias + _NORMAL.inv_cdf(share)
        return _quantile(means, _NORMAL.cdf(bias + shifted / (1.0 - acceleration * shifted)))

    outside = (1.0 - level) / 2.0
    return Interval(end(outside), end(1.0 - outside))


def _studentised(values: Sequence[float], resampled: Sequence[tuple[float, float]], level: float) -> Interval:
    moments = moments_of(values)
    mean, error = moments.mean, moments.error
    # A resample with zero variance counts as t = ±infinity.
    ratios = sorted(
        (other - mean) / spread if spread > 0.0 else math.copysign(math.inf, other - mean)
        for other, spread in resampled
    )
    outside = (1.0 - level) / 2.0
    high, low = _quantile(ratios, outside), _quantile(ratios, 1.0 - outside)
    return Interval(mean - low * error, mean - high * error)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return the quantile of sorted numbers, linear between neighbours."""
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    if ordered[below] == ordered[above]:
        return ordered[below]
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def checked_settings(queries: int, level: float, resamples: int | None, seed: int) -> tuple[int, int]:
    """Return how many resamples to draw and the seed; raise if they or the level make no sense.

    >>> checked_settings(50, 0.95, None, 0)
    (10000, 0)
    """
    require_level(level)
    count = default_resamples(queries) if resamples is None else resamples
    return whole_number("resamples", count, 1, most=MOST_RESAMPLES), whole_number("seed", seed, 0)


def aggregate_bootstrap(
    values: Sequence[float],
    how: Aggregate,
    weights: Sequence[float] = (),
    *,
    kind: Bootstrap = "bootstrap",
    level: float = LEVEL,
    resamples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Interval:
    """Return the bootstrap interval of an aggregate, by that of a mean: of logarithms, scaled, or by weight.

    >>> aggregate_bootstrap([2.0, 2.0], "sum")
    Interval(low=4.0, high=4.0)
    """
    if how == "union":  # queries that are drawn twice add nothing the second time
        return NO_INTERVAL
    taken = [log_of_value(value) for value in values] if how == "geometric" else values
    low, high = bootstrap_interval(
        taken,
        kind=kind,
        level=level,
        resamples=resamples,
        seed=seed,
        threads=threads,
        weights=weights if how == "weighted" else None,
    )
    if how == "geometric":
        return Interval(math.exp(low), math.exp(high))
    scale = len(values) if how == "sum" else 1
    return Interval(low * scale, high * scale)


def default_resamples(queries: int) -> int:
    """Return the default number of resamples.

    >>> default_resamples(50), default_resamples(40_000), default_resamples(10**6)
    (10000, 5000, 1000)
    """
    affordable = RESAMPLES * MANY_QUERIES // max(queries, MANY_QUERIES)
    return max(affordable, LEAST_RESAMPLES)
