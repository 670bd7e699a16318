"""How sure a mean is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from rankgauge._core import bootstrap_interval as native_interval
from rankgauge.errors import RankgaugeError
from rankgauge.notation import as_whole

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
) -> Interval:
    """Return the percentile bootstrap interval of a mean over queries.

    Queries are drawn with replacement, as many as there are, `resamples` times; the interval holds the share `level`
    of the means so found. Unless said, 10,000 times, and fewer above 20,000 queries, but at least 1,000. Fewer than two
    values say nothing of their spread: the interval is NaN. Equal seeds give
    equal intervals, whatever the number of threads.

    >>> low, high = bootstrap_interval([0.2, 0.4, 0.6, 0.8] * 25)
    >>> round(low, 2), round(high, 2)
    (0.46, 0.54)

    Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 13.
    """
    if not (isinstance(level, float) and 0.0 < level < 1.0):
        raise RankgaugeError("bad-number", field="level", expected="between 0 and 1", got=level, hint="such as 0.95")
    count = default_resamples(len(values)) if resamples is None else resamples
    count = whole_number("resamples", count, 1, most=MOST_RESAMPLES)
    seed = whole_number("seed", seed, 0)
    if len(values) < 2 or not all(map(math.isfinite, values)):
        return Interval(math.nan, math.nan)
    return Interval(*native_interval(values, count, level, seed, threads))


def default_resamples(queries: int) -> int:
    """Return how many resamples are drawn unless said.

    >>> default_resamples(50), default_resamples(40_000), default_resamples(10**6)
    (10000, 5000, 1000)
    """
    affordable = RESAMPLES * MANY_QUERIES // max(queries, MANY_QUERIES)
    return max(affordable, LEAST_RESAMPLES)


def whole_number(field: str, got: object, least: int, most: int = 2**63 - 1) -> int:
    """Return a whole number of any class as an int; raise unless it is from `least` to `most`.

    >>> whole_number("depth", 10, 1)
    10
    """
    number = as_whole(got)
    if number is None or not least <= number <= most:
        above = number is not None and number > most
        expected = f"a whole number of at most {most:,}" if above else f"a whole number of at least {least}"
        raise RankgaugeError("bad-number", field=field, expected=expected, got=got, hint=f"such as {max(least, 10)}")
    return number
