"""One number for many days, with errors that account for the returns that neighbouring days share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median, stdev
from typing import NamedTuple

from rankgauge.notation import counted
from rankgauge.presentation.table import Cell
from rankgauge.remarks import Remark
from rankgauge.statistics.timeseries import (
    FEWEST_DAYS,
    block_interval,
    default_lag,
    effective_number,
    enough,
    is_short,
    newey_west_t,
)


class ErrorSettings(NamedTuple):
    """Settings of the errors of dependent days: `overlap` later days share returns with a day, lag, block and seed."""

    overlap: int
    lag: int
    block: int
    seed: int

    @classmethod
    def of(cls, days: Sequence[int], horizon: int, seed: int) -> ErrorSettings:
        """Return the settings for days given by their numbers; days fewer than the horizon apart overlap.

        >>> ErrorSettings.of(range(250), 5, 0)
        ErrorSettings(overlap=4, lag=8, block=10, seed=0)
        >>> ErrorSettings.of(range(0, 250, 5), 5, 0)
        ErrorSettings(overlap=0, lag=3, block=4, seed=0)
        """
        overlap = max(_overlap(days, horizon), _usual_overlap(days, horizon))
        lag = default_lag(len(days), overlap + 1)
        return cls(overlap, lag, max(2 * (overlap + 1), lag + 1), seed)


def _overlap(days: Sequence[int], horizon: int) -> int:
    most, first = 0, 0
    for number, day in enumerate(days):
        while day - days[first] >= horizon:
            first += 1
        most = max(most, number - first)
    return most


def _usual_overlap(days: Sequence[int], horizon: int) -> int:
    """The overlap of a longer series with the same median gap between days."""
    gaps = [later - earlier for earlier, later in pairwise(days)]
    return math.ceil(horizon / median(gaps)) - 1 if gaps else 0


class Summary(NamedTuple):
    """One measure over all days; columns after the third compare with chance, which may be 0."""

    days: int
    mean: float
    median: float
    chance: float
    ratio: float
    share: float
    t: float
    low: float
    high: float
    effective: float

    def cells(self) -> list[Cell]:
        """Return the values, with None for NaN."""
        values = [None if isinstance(value, float) and math.isnan(value) else value for value in self]
        return [*values[:-1], None if values[-1] is None else round(values[-1])]


HEADERS = ("days", "mean", "median", "chance", "mean/dev", "days above", "t", "95% from", "to", "effective")


def summarise(values: Sequence[float], chance: Sequence[float], settings: ErrorSettings) -> Summary:
    """Return mean and median of the days, and the difference from chance compared with its variation.

    `ratio` is its mean divided by its standard deviation, `share` the share of days on which it is above 0, `t` its
    Newey-West t; the interval is that of the mean, by the block bootstrap. Days without a value are left out. With too
    few days there is neither t nor interval.

    >>> row = summarise([0.6, 0.4, 0.7, 0.5] * 30, [0.5] * 120, ErrorSettings(0, 4, 5, 0))
    >>> row.days, round(row.mean, 2), round(row.ratio, 2), row.share
    (120, 0.55, 0.45, 0.5)
    """
    kept = [(value, base) for value, base in zip(values, chance, strict=True) if not math.isnan(value)]
    known_values, bases = [value for value, _ in kept], [base for _, base in kept]
    count = len(known_values)
    if not count:
        return Summary(0, *[math.nan] * 9)
    above = [value - base for value, base in kept if not math.isnan(base)]
    comparable = len(above) == count
    spread = stdev(above) if comparable and len(above) > 1 else 0.0
    lag = min(settings.lag, count - 1)
    enough_days = not is_short(count, max(settings.lag, 2 * settings.overlap))
    interval = block_interval(known_values, settings.block, seed=settings.seed) if enough_days else None
    low, high = interval or (math.nan, math.nan)
    return Summary(
        days=count,
        mean=math.fsum(known_values) / count,
        median=median(known_values),
        chance=math.fsum(bases) / len(bases) if comparable else math.nan,
        ratio=math.fsum(above) / len(above) / spread if spread else math.nan,
        share=sum(value > 0 for value in above) / len(above) if comparable else math.nan,
        t=newey_west_t(above, lag) if comparable and enough_days else math.nan,
        low=low,
        high=high,
        effective=effective_number(above if comparable else known_values, lag),
    )


def warning(days: int, settings: ErrorSettings, horizon: int, what: str) -> list[Remark]:
    """Return a warning if there are too few days for the lag that their overlap needs to tell `what`.

    >>> settings = ErrorSettings.of([0], 5, 0)
    >>> str(warning(1, settings, 5, "A is better than B")[0]).partition(";")[0]
    'few dates: 1 date cannot tell whether A is better than B or was lucky, so there are no t and no intervals'
    """
    # The overlap of a single day is unknown; that of consecutive days is the largest.
    overlap = settings.overlap if days > 1 else horizon - 1
    lag = max(settings.lag, 2 * overlap)
    if not is_short(days, lag):
        return []
    few = f"{counted(days, 'date')} cannot tell whether {what} or was lucky"
    apart = f", or {FEWEST_DAYS} that are {horizon} or more dates apart" if enough(lag) > FEWEST_DAYS else ""
    text = f"{few}, so there are no t and no intervals; that takes at least {enough(lag):,} dates{apart}"
    return [Remark.of("few-dates", text)]
