"""One number for all queries, and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple

from rankgauge._core import bootstrap_interval as native_interval
from rankgauge.checks import bad_number, whole_number

if TYPE_CHECKING:
    from rankgauge.measures.measure import Aggregate

LEVEL = 0.95
RESAMPLES = 10_000
LEAST_RESAMPLES = 1_000
MOST_RESAMPLES = 10_000_000
# With more queries than these, fewer resamples do: the means of many are near a bell curve, and each costs more.
MANY_QUERIES = 20_000


class Interval(NamedTuple):
    """The lower and upper end of a confidence interval; NaN where there is none."""

    low: float
    high: float


def bootstrap_interval(
    values: Sequence[float],
    *,
    level: float = LEVEL,
    resamples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    weights: Sequence[float] | None = None,
) -> Interval:
    """Return the percentile bootstrap interval of a mean over queries, or of their mean by weight.

    Queries are drawn with replacement, as many as there are, `resamples` times; the interval holds the share `level`
    of the means so found. Default: 10,000 times, and fewer above 20,000 queries, but at least 1,000. Fewer than two
    values say nothing of their spread: the interval is NaN. Equal seeds give
    equal intervals, whatever the number of threads.

    >>> low, high = bootstrap_interval([0.2, 0.4, 0.6, 0.8] * 25)
    >>> round(low, 2), round(high, 2)
    (0.46, 0.54)

    Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 13.
    """
    count, seed = checked_settings(len(values), level, resamples, seed)
    if len(values) < 2 or not all(map(math.isfinite, values)):
        return Interval(math.nan, math.nan)
    return Interval(*native_interval(values, count, level, seed, threads, weights))


def checked_settings(queries: int, level: float, resamples: int | None, seed: int) -> tuple[int, int]:
    """Return how many resamples to draw and the seed; raise if they or the level make no sense.

    >>> checked_settings(50, 0.95, None, 0)
    (10000, 0)
    """
    if not (isinstance(level, float) and 0.0 < level < 1.0):
        raise bad_number("level", "between 0 and 1", level, "such as 0.95")
    count = default_resamples(queries) if resamples is None else resamples
    return whole_number("resamples", count, 1, most=MOST_RESAMPLES), whole_number("seed", seed, 0)


LEAST_OF_GEOMETRIC = 0.00001


def aggregate(values: Sequence[float], how: Aggregate, weights: Sequence[float] = ()) -> float:
    """Return one number for all queries: their mean, sum, geometric mean, or mean by weight; NaN if there are none.

    A geometric mean takes values below 0.00001 as that, as trec_eval does, so that one query of 0 does not decide.

    >>> aggregate([1, 3], "mean"), aggregate([1, 3], "sum"), aggregate([1, 4], "geometric")
    (2.0, 4.0, 2.0)
    >>> aggregate([1, 3], "weighted", [3, 1])
    1.5
    """
    if not values:
        return math.nan
    if how in ("sum", "union"):
        return math.fsum(values)
    if how == "weighted":
        total = math.fsum(weights)
        return math.fsum(map(mul, values, weights)) / total if total else math.nan
    if how == "geometric":
        return math.exp(math.fsum(map(_log, values)) / len(values))
    return math.fsum(values) / len(values)


def aggregate_interval(
    values: Sequence[float],
    how: Aggregate,
    weights: Sequence[float] = (),
    **settings: Any,  # noqa: ANN401
) -> Interval:
    """Return the interval of an aggregate, by that of a mean: of logarithms, scaled, or by weight.

    >>> aggregate_interval([2.0, 2.0], "sum")
    Interval(low=4.0, high=4.0)
    """
    if how == "mean":
        return bootstrap_interval(values, **settings)
    if how == "union":  # queries that are drawn twice add nothing the second time
        return Interval(math.nan, math.nan)
    if how == "geometric":
        return Interval(*map(math.exp, bootstrap_interval([_log(value) for value in values], **settings)))
    if how == "sum":
        low, high = bootstrap_interval(values, **settings)
        return Interval(low * len(values), high * len(values))
    return bootstrap_interval(values, weights=weights, **settings)


def _log(value: float) -> float:
    return math.log(max(value, LEAST_OF_GEOMETRIC))


def default_resamples(queries: int) -> int:
    """Return the default number of resamples.

    >>> default_resamples(50), default_resamples(40_000), default_resamples(10**6)
    (10000, 5000, 1000)
    """
    affordable = RESAMPLES * MANY_QUERIES // max(queries, MANY_QUERIES)
    return max(affordable, LEAST_RESAMPLES)
