"""One number for all queries: a mean, a sum, a geometric mean, or a mean by weight."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING, Final

from rankgauge._core import exact_total

if TYPE_CHECKING:
    from rankgauge.measures.measure import Aggregate

LEAST_OF_GEOMETRIC: Final = 0.00001


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
        return _total(values)
    if how == "weighted":
        total = math.fsum(weights)
        return math.fsum(map(mul, values, weights)) / total if total else math.nan
    if how == "geometric":
        return math.exp(math.fsum(map(log_of_value, values)) / len(values))
    return _total(values) / len(values)


def _total(values: Sequence[float]) -> float:
    """Return the exact sum, rounded once; the core adds packed numbers up faster than Python."""
    if isinstance(values, array):
        total = exact_total(values.tobytes())
        if math.isfinite(total):
            return total
    return math.fsum(values)


def log_of_value(value: float) -> float:
    """Return the logarithm that a geometric mean takes of a value.

    >>> log_of_value(1.0), log_of_value(0.0) == log_of_value(1e-9)
    (0.0, True)
    """
    return math.log(max(value, LEAST_OF_GEOMETRIC))
