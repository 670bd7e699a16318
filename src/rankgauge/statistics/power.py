"""Power of a paired comparison: which differences a number of queries shows, and how many show a difference."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from rankgauge.statistics.student import t_quantile

POWER: Final = 0.8
ALPHA: Final = 0.05
MOST_QUERIES: Final = 10**9
_NODES: Final = 200


def power_of(effect: float, queries: int, alpha: float = ALPHA) -> float:
    """Return the probability that a two-sided paired t test finds an effect, mean / standard deviation.

    It is 1 - F(t) + F(-t), where F is the noncentral t distribution with n - 1 degrees of freedom and noncentrality
    √n·effect, and t the critical value.

    >>> round(power_of(0.5, 34), 3)
    0.808
    """
    critical = t_quantile(1.0 - alpha / 2.0, queries - 1)
    noncentrality = abs(effect) * math.sqrt(queries)
    return 1.0 - _noncentral(critical, queries - 1, noncentrality) + _noncentral(-critical, queries - 1, noncentrality)


def _noncentral(value: float, degrees: int, noncentrality: float) -> float:
    """Return P((Z + noncentrality) / √(V / degrees) ≤ value): the mean of a normal probability over V."""
    # √(V / degrees) is near a normal variable of mean 1; ten standard deviations around it hold all of it.
    width = 10.0 / math.sqrt(2.0 * degrees)
    low, high = max(1e-9, 1.0 - width), 1.0 + width
    step = (high - low) / _NODES
    total = weight = 0.0
    for node in range(_NODES + 1):
        root = low + step * node
        density = math.exp((degrees - 1) * math.log(root) - degrees * (root * root - 1.0) / 2.0)
        simpson = density * (1 if node in (0, _NODES) else 4 if node % 2 else 2)
        total += simpson * 0.5 * math.erfc((noncentrality - value * root) / math.sqrt(2.0))
        weight += simpson
    return total / weight


@lru_cache(maxsize=256)
def detectable_effect(queries: int, power: float = POWER, alpha: float = ALPHA) -> float:
    """Return the smallest effect, mean / standard deviation, that so many queries show with this probability.

    >>> round(detectable_effect(100), 3)
    0.283
    """
    if queries < 2:
        return math.nan
    low, high = 0.0, 1.0
    while power_of(high, queries, alpha) < power:
        high *= 2.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if power_of(middle, queries, alpha) < power else (low, middle)
    return high


def queries_needed(effect: float, power: float = POWER, alpha: float = ALPHA) -> int | None:
    """Return the fewest queries that show an effect, mean / standard deviation, with this probability.

    None stands for more than a thousand million.

    >>> queries_needed(0.5), queries_needed(0.1)
    (34, 787)

    Sakai 2016, Topic Set Size Design, Information Retrieval Journal 19(3).
    """
    low, high = 1, 2
    while power_of(effect, high, alpha) < power:
        low, high = high, high * 2
        if high > MOST_QUERIES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power_of(effect, middle, alpha) < power else (low, middle)
    return high
