"""Mean and variance of values over queries: what their interval is made of, from values or from exact sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rankgauge._core import exact_sums, weighted_sums
from rankgauge.statistics.aggregates import log_of_value

if TYPE_CHECKING:
    from fractions import Fraction

    from rankgauge.measures.measure import Aggregate

# The core's sums are whole numbers of 1 / UNITS, the smallest number that a 64-bit float holds.
UNITS: Final = 2**1074


class Moments(NamedTuple):
    """How many values there are, their mean, and their variance with n - 1."""

    n: int
    mean: float
    variance: float

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(self.variance / self.n)


NO_MOMENTS: Final = Moments(0, math.nan, math.nan)


def moments_of(values: Sequence[float], how: Aggregate = "mean", weights: Sequence[float] = ()) -> Moments:
    """Return the moments of values; of their logarithms for a geometric mean, and of a ratio for a mean by weight.

    >>> moments_of([1.0, 2.0, 3.0])
    Moments(n=3, mean=2.0, variance=1.0)
    """
    if len(values) < 2:
        return NO_MOMENTS
    if how == "weighted":
        return moments_of_sums(how, len(values), weighted_sums(values, weights))
    taken = [log_of_value(value) for value in values] if how == "geometric" else values
    return moments_of_sums("mean", len(taken), exact_sums(taken))


def moments_of_sums(how: Aggregate, count: int, sums: Sequence[int | None]) -> Moments:
    """Return the moments of values from their exact sums, which are in units of 2^-1074.

    The sums are Σx and Σx², of logarithms for a geometric mean; Σw, Σwx, Σw², Σw²x and Σw²x² for a mean by weight.

    >>> moments_of_sums("mean", 4, [number * UNITS for number in (8, 20)])
    Moments(n=4, mean=2.0, variance=1.3333333333333333)
    """
    exact = [number for number in sums if number is not None]
    if count < 2 or how == "union" or len(exact) < len(sums):
        return NO_MOMENTS
    if how == "weighted":
        from fractions import Fraction  # imported late: rarely needed

        return _moments_of_ratio(count, *(Fraction(number, UNITS) for number in exact))
    total, squares = exact
    # Computed in whole numbers, so that each result is rounded once.
    try:
        variance = (squares * count * UNITS - total * total) / (count * (count - 1) * UNITS * UNITS)
        return Moments(count, total / (count * UNITS), variance)
    except OverflowError:  # values above 1e154, whose squares no float holds, have a mean and no interval
        return NO_MOMENTS


def _moments_of_ratio(count: int, w: Fraction, wx: Fraction, w2: Fraction, w2x: Fraction, w2x2: Fraction) -> Moments:
    """Return the mean Σwx/Σw and n times its squared error: Cochran 1977, Sampling Techniques, 6.3."""
    if w == 0:
        return NO_MOMENTS
    mean = wx / w
    spread = max(w2x2 - 2 * mean * w2x + mean * mean * w2, w * 0) * count / (count - 1)
    return Moments(count, float(mean), float(spread / (w * w) * count))
