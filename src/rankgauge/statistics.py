"""How sure a mean is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from rankgauge._core import bootstrap_interval as native_interval
from rankgauge.errors import RankgaugeError

RESAMPLES = 10_000
MOST_RESAMPLES = 10_000_000
LEVEL = 0.95


class Interval(NamedTuple):
    """The lower and upper end of a confidence interval; NaN where there is none."""

    low: float
    high: float


def bootstrap_interval(
    values: Sequence[float],
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    threads: int | None = None,
) -> Interval:
    """Return the percentile bootstrap interval of a mean over queries.

    Queries are drawn with replacement, as many as there are, `resamples` times; the interval holds the share `level`
    of the means so found. Fewer than two values say nothing of their spread: the interval is NaN. Equal seeds give
    equal intervals, whatever the number of threads.

    >>> low, high = bootstrap_interval([0.2, 0.4, 0.6, 0.8] * 25)
    >>> round(low, 2), round(high, 2)
    (0.46, 0.54)

    Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 13.
    """
    if not (isinstance(level, float) and 0.0 < level < 1.0):
        raise RankgaugeError("bad-number", field="level", expected="between 0 and 1", got=level, hint="such as 0.95")
    require_at_least("resamples", resamples, 1, most=MOST_RESAMPLES)
    require_at_least("seed", seed, 0)
    if len(values) < 2 or not all(map(math.isfinite, values)):
        return Interval(math.nan, math.nan)
    return Interval(*native_interval(values, resamples, level, seed, threads))


def require_at_least(field: str, got: object, least: int, most: int = 2**63 - 1) -> None:
    """Raise unless `got` is a whole number of at least `least` and at most `most`, which 64 bits hold."""
    if not isinstance(got, int) or isinstance(got, bool) or not least <= got <= most:
        above = isinstance(got, int) and got > most
        expected = f"a whole number of at most {most:,}" if above else f"a whole number of at least {least}"
        raise RankgaugeError("bad-number", field=field, expected=expected, got=got, hint=f"such as {max(least, 10)}")
