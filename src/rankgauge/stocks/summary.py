"""One number for many days, with an error that knows that neighbouring days share their returns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median, stdev
from typing import NamedTuple

from rankgauge.tables import Cell
from rankgauge.timeseries import (
    FEWEST_DAYS,
    block_interval,
    default_lag,
    effective_number,
    enough,
    is_short,
    newey_west_t,
)


class Care(NamedTuple):
    """How dependent days are treated: how many later days share returns with a day, the lag, the block, the seed."""

    overlap: int
    lag: int
    block: int
    seed: int

    @classmethod
    def of(cls, days: Sequence[int], horizon: int, seed: int) -> Care:
        """Return what days that are numbered by market dates need: fewer than the horizon apart, they overlap.

        >>> Care.of(range(250), 5, 0)
        Care(overlap=4, lag=8, block=10, seed=0)
        >>> Care.of(range(0, 250, 5), 5, 0)
        Care(overlap=0, lag=3, block=4, seed=0)
        """
        overlap = max(_overlap(days, horizon), _usual_overlap(days, horizon))
        lag = default_lag(len(days), overlap + 1)
        return cls(overlap, lag, max(2 * (overlap + 1), lag + 1), seed)


def _overlap(days: Sequence[int], horizon: int) -> int:
    most, first = 0, 0
    for place, day in enumerate(days):
        while day - days[first] >= horizon:
            first += 1
        most = max(most, place - first)
    return most


def _usual_overlap(days: Sequence[int], horizon: int) -> int:
    """As many as there would be in a longer series of the same kind."""
    gaps = [later - earlier for earlier, later in pairwise(days)]
    return math.ceil(horizon / median(gaps)) - 1 if gaps else 0


class Summary(NamedTuple):
    """The days of one measure in one row; all but the first three columns compare with chance, which may be 0."""

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
        """Return the values, with None for what is not known."""
        values = [None if isinstance(value, float) and math.isnan(value) else value for value in self]
        return [*values[:-1], None if values[-1] is None else round(values[-1])]


HEADERS = ("days", "mean", "median", "chance", "mean/dev", "days above", "t", "95% from", "to", "effective")


def summarise(values: Sequence[float], chance: Sequence[float], care: Care) -> Summary:
    """Return mean and median of the days, and how the difference from chance stands against its own variation.

    `ratio` is its mean divided by its standard deviation, `share` the share of days on which it is above 0, `t` its
    Newey-West t; the interval is that of the mean, by blocks of days. Days without a value are left out. Too few days
    have neither t nor interval.

    >>> row = summarise([0.6, 0.4, 0.7, 0.5] * 30, [0.5] * 120, Care(0, 4, 5, 0))
    >>> row.days, round(row.mean, 2), round(row.ratio, 2), row.share
    (120, 0.55, 0.45, 0.5)
    """
    kept = [(value, base) for value, base in zip(values, chance, strict=True) if not math.isnan(value)]
    own, bases = [value for value, _ in kept], [base for _, base in kept]
    if not own:
        return Summary(0, *[math.nan] * 9)
    above = [value - base for value, base in kept if not math.isnan(base)]
    comparable = len(above) == len(own)
    spread = stdev(above) if comparable and len(above) > 1 else 0.0
    lag = min(care.lag, len(own) - 1)
    known = not is_short(len(own), max(care.lag, 2 * care.overlap))  # of too few days, an error says nothing
    low, high = block_interval(own, care.block, seed=care.seed) if known else (math.nan, math.nan)
    return Summary(
        days=len(own),
        mean=math.fsum(own) / len(own),
        median=median(own),
        chance=math.fsum(bases) / len(bases) if comparable else math.nan,
        ratio=math.fsum(above) / len(above) / spread if spread else math.nan,
        share=sum(value > 0 for value in above) / len(above) if comparable else math.nan,
        t=newey_west_t(above, lag) if comparable and known else math.nan,
        low=low,
        high=high,
        effective=effective_number(above if comparable else own, lag),
    )


def warning(days: int, care: Care, horizon: int, what: str) -> list[str]:
    """Return a warning if the days are too few for the lag that their overlap asks for; `what` cannot be told then.

    >>> warning(1, Care.of([0], 5, 0), 5, "the model is better than chance")[0].partition(": ")[2].partition(";")[0]
    '1 date cannot tell whether the model is better than chance or was lucky, so there are no t and no intervals'
    """
    # Of one day, nothing is known of the overlap: days in a row have the most.
    overlap = care.overlap if days > 1 else horizon - 1
    lag = max(care.lag, 2 * overlap)
    if not is_short(days, lag):
        return []
    few = f"{days:,} {'date' if days == 1 else 'dates'} cannot tell whether {what} or was lucky"
    apart = f", or {FEWEST_DAYS} that are {horizon} or more dates apart" if enough(lag) > FEWEST_DAYS else ""
    return [f"warning: {few}, so there are no t and no intervals; that takes at least {enough(lag):,} dates{apart}"]
