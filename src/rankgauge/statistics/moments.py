"""Intervals from exact sums, for evaluations whose queries are too many to keep."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rankgauge.statistics.intervals import LEVEL, Interval
from rankgauge.statistics.student import t_quantile

if TYPE_CHECKING:
    from rankgauge.measures.measure import Aggregate

# The core's sums are whole numbers of this unit, the smallest number that a 64-bit float holds.
UNIT: Final = Fraction(1, 2**1074)
_NONE: Final = Interval(math.nan, math.nan)


def moment_interval(how: Aggregate, queries: int, sums: Sequence[int | None], *, level: float = LEVEL) -> Interval:
    """Return the Student t interval of an aggregate from its exact sums, which are in units of 2^-1074.

    With mean m = Σx/n and variance s² = (Σx² − n·m²)/(n − 1), the interval is m ± t·s/√n. A geometric mean takes that
    of logarithms, a sum n times that of the mean, and a mean by weight that of a ratio of means (Cochran 1977,
    Sampling Techniques, 6.3). Fewer than two queries say nothing of their spread: the interval is NaN,
    as it is where a sum is not finite.

    >>> moment_interval("mean", 4, [int(number / UNIT) for number in (8, 20)])
    Interval(low=0.1626..., high=3.8373...)
    """
    exact = [number * UNIT for number in sums if number is not None]
    if queries < 2 or how == "union" or len(exact) < len(sums):
        return _NONE
    if how == "weighted":
        return _ratio_interval(queries, exact, level)
    total, squares = exact
    variance = (squares - total * total / queries) / (queries - 1)
    mean, error = float(total / queries), math.sqrt(variance / queries)
    low, high = _around(mean, error, queries, level)
    if how == "geometric":
        return Interval(math.exp(low), math.exp(high))
    scale = queries if how == "sum" else 1
    return Interval(low * scale, high * scale)


def _ratio_interval(queries: int, sums: Sequence[Fraction], level: float) -> Interval:
    """Return the interval of Σwx/Σw from Σw, Σwx, Σw², Σw²x and Σw²x²."""
    weights, weighted, w2, w2x, w2x2 = sums
    if weights == 0:
        return _NONE
    mean = weighted / weights
    spread = max(w2x2 - 2 * mean * w2x + mean * mean * w2, Fraction(0)) * queries / (queries - 1)
    return _around(float(mean), math.sqrt(spread / (weights * weights)), queries, level)


def _around(mean: float, error: float, queries: int, level: float) -> Interval:
    margin = t_quantile((1.0 + level) / 2.0, queries - 1) * error
    return Interval(mean - margin, mean + margin)
