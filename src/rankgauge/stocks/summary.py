"""One number for many days, with errors that account for the returns that neighbouring days share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median, stdev
from typing import NamedTuple

from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.presentation.table import Cell, Probability
from rankgauge.remarks import Remark
from rankgauge.statistics.dates import FEWEST_DATES, fewest_dates, mean_over_dates
from rankgauge.statistics.timeseries import default_lag, effective_number


class ErrorSettings(NamedTuple):
    """What the errors of dependent days depend on: how many later days share returns with a day."""

    overlap: int

    @classmethod
    def of(cls, days: Sequence[int], horizon: int) -> ErrorSettings:
        """Return the settings for days given by their numbers; days fewer than the horizon apart overlap.

        >>> ErrorSettings.of(range(250), 5)
        ErrorSettings(overlap=4)
        >>> ErrorSettings.of(range(0, 250, 5), 5)
        ErrorSettings(overlap=0)
        """
        return cls(max(_overlap(days, horizon), _usual_overlap(days, horizon)))


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
    """One measure over all days; what comes after `chance` is about the difference from it, which may be 0."""

    days: int
    mean: float
    median: float
    chance: float
    above: float
    low: float
    high: float
    t: float
    p: float
    ratio: float
    share: float
    effective: float
    degrees: float

    def cells(self) -> list[Cell]:
        """Return the values of the columns of HEADERS, with None for NaN."""
        shown: list[Cell] = [*self[:-1]]
        shown[self._fields.index("p")] = Probability(self.p)
        cells = [None if isinstance(value, float) and math.isnan(value) else value for value in shown]
        return [*cells[:-1], None if cells[-1] is None else round(self.effective)]


HEADERS = (
    "days",
    "mean",
    "median",
    "chance",
    "above chance",
    "95% from",
    "to",
    "t",
    "p",
    "mean/dev",
    "days above",
    "effective",
)


def summarise(values: Sequence[float], chance: Sequence[float], settings: ErrorSettings) -> Summary:
    """Return mean and median of the days, and the difference from chance compared with its variation.

    `above` is the mean difference; `low`, `high`, `t`, `p` and `degrees` are of it, as `mean_over_dates` has them, and
    NaN with too few days. `ratio` is `above` divided by the standard deviation of the differences, `share` the share of
    days on which the difference is above 0. Days without a value are left out.

    >>> row = summarise([0.6, 0.4, 0.7, 0.5] * 30, [0.5] * 120, ErrorSettings(overlap=0))
    >>> row.days, round(row.mean, 2), round(row.above, 2), round(row.ratio, 2), row.share
    (120, 0.55, 0.05, 0.45, 0.5)
    """
    kept = [(value, base) for value, base in zip(values, chance, strict=True) if not math.isnan(value)]
    known_values, bases = [value for value, _ in kept], [base for _, base in kept]
    count = len(known_values)
    if not count:
        return Summary(0, *[math.nan] * 12)
    above = [value - base for value, base in kept if not math.isnan(base)]
    comparable = len(above) == count
    spread = stdev(above) if comparable and count > 1 else 0.0
    horizon = settings.overlap + 1
    # Without chance there is nothing to test.
    skill = mean_over_dates(above if comparable else [], horizon)
    return Summary(
        days=count,
        mean=math.fsum(known_values) / count,
        median=median(known_values),
        chance=math.fsum(bases) / count if comparable else math.nan,
        above=skill.mean,
        low=skill.low,
        high=skill.high,
        t=skill.t,
        p=skill.p,
        ratio=skill.mean / spread if spread else math.nan,
        share=sum(value > 0 for value in above) / count if comparable else math.nan,
        effective=effective_number(above if comparable else known_values, default_lag(count, horizon)),
        degrees=skill.degrees,
    )


def warning(days: int, settings: ErrorSettings, horizon: int, what: str) -> list[Remark]:
    """Return a warning if there are too few days for their overlap to tell `what`.

    >>> settings = ErrorSettings.of([0], 5)
    >>> str(warning(1, settings, 5, "A is better than B")[0]).partition(";")[0]
    'few dates: 1 date cannot tell whether A is better than B or was lucky, so there are no t, p and intervals'
    """
    # The overlap of a single day is unknown; that of consecutive days is the largest.
    overlap = settings.overlap if days > 1 else horizon - 1
    fewest = fewest_dates(overlap + 1)
    if days >= fewest:
        return []
    text = Text(
        "{dates} cannot tell whether {what} or was lucky, so there are no t, p and intervals; that takes at least "
        "{fewest:,} dates",
        dates=counted(days, "date"),
        what=what,
        fewest=fewest,
    )
    if fewest > FEWEST_DATES:
        text = Text("{}, or {} that are {} or more dates apart", text, FEWEST_DATES, horizon)
    return [Remark.of("few-dates", text)]


def method(of: str) -> Text:
    """Return how t, p and interval were computed, and of what.

    >>> method("the differences")
    't, p and interval are of the differences, by the corrected error of Hansen and Hodrick'
    """
    return Text("t, p and interval are of {}, by the corrected error of Hansen and Hodrick", of)
