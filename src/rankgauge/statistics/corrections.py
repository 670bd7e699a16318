"""p-values of several comparisons, corrected for their number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from rankgauge._core import shuffled_ranges

if TYPE_CHECKING:
    import numpy.typing as npt

Correction: TypeAlias = Literal["holm", "tukey", "bh", "none"]


def holm(values: Sequence[float], tests: int = 0) -> list[float]:
    """Return p-values that keep the chance of any false finding, stepping down from the smallest.

    The i-th smallest of m is multiplied by m - i + 1, and none is smaller than the one before it. NaN stays NaN.
    `tests` is m where more tests were made than there are values.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    >>> holm([0.01], tests=20)
    [0.2]

    Holm 1979, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6(2).
    """
    order = _order(values)
    made = max(tests, len(order))
    adjusted, largest = list(values), 0.0
    for position, index in enumerate(order):
        largest = max(largest, min(values[index] * (made - position), 1.0))
        adjusted[index] = largest
    return adjusted


def benjamini_hochberg(values: Sequence[float]) -> list[float]:
    """Return p-values that keep the expected share of false findings among the findings.

    The i-th smallest of m is multiplied by m / i, and none is larger than the one behind it. NaN stays NaN.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]

    Benjamini & Hochberg 1995, Controlling the False Discovery Rate, Journal of the Royal Statistical Society B 57(1).
    """
    order = _order(values)
    adjusted, smallest = list(values), 1.0
    for position in range(len(order), 0, -1):
        index = order[position - 1]
        smallest = min(smallest, values[index] * (len(order) / position))
        adjusted[index] = smallest
    return adjusted


def _order(values: Sequence[float]) -> list[int]:
    known = [index for index, value in enumerate(values) if not math.isnan(value)]
    return sorted(known, key=values.__getitem__)


def tukey_ranges(
    values: npt.NDArray[np.float64], permutations: int, seed: int = 0, threads: int | None = None
) -> npt.NDArray[np.float64]:
    """Return the ranges of the sums of runs, sorted by measure, when values are shuffled within each query.

    `values` are by query, run and measure. Were all runs equal, the largest difference of any two would be distributed
    so; a pair's p-value is the share of ranges that reach its difference: `tukey_p`.

    Carterette 2012, Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval Experiments, ACM
    Transactions on Information Systems 30(1).
    """
    flat = shuffled_ranges(np.ascontiguousarray(values), permutations, seed, threads)
    return np.sort(np.asarray(flat).reshape(permutations, values.shape[2]).T, axis=1)


def tukey_p(ranges: npt.NDArray[np.float64], difference: float, scale: float) -> float:
    """Return (1 + ranges that reach a difference of sums) / (1 + all); `scale` is the sum of absolute values.

    >>> tukey_p(np.array([0.1, 0.2, 0.3]), 0.2, 1.0)
    0.75
    """
    reached = len(ranges) - int(np.searchsorted(ranges, abs(difference) - 1e-12 * scale))
    return (1 + reached) / (1 + len(ranges))
