"""Tranches: portfolios that begin on each date, and what they earn on each calendar day while they are held."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from rankgauge.statistics import LEVEL
from rankgauge.statistics.calendar_time import mean_in_calendar_time
from rankgauge.statistics.mean_over_dates import DatesMean

if TYPE_CHECKING:
    from rankgauge.grading.return_rules import ReturnRules
    from rankgauge.stocks.daily_numbers import Weights
    from rankgauge.stocks.ranked_stocks import RankedStocks
    from rankgauge.stocks.returns_and_scores import Codes, GradedReturns, Numbers

# The measures that are returns of portfolios.
MEASURES: Final = ("top_return", "spread")


class Tranches(NamedTuple):
    """What the portfolio of each date earned on each calendar day, above chance: a row per date and day.

    `date` is the number of a date of the study, `day` an index into `days`, which may end after the last of them.
    """

    date: Codes
    day: Codes
    # The share of the horizon that lies on the day.
    held: Numbers
    # Measure → what was earned.
    profits: Mapping[str, Numbers]
    days: tuple[str, ...]

    def mean(self, measure: str, dates: Sequence[int], mean: float, *, level: float = LEVEL) -> DatesMean:
        """Return the mean of a measure over dates, with its error in calendar time."""
        return mean_of_days(self.days_of(measure, dates), len(dates), mean, level=level)

    def days_of(self, measure: str, dates: Sequence[int]) -> Days:
        """Return what the portfolios of some dates earned on each calendar day, and how much was held."""
        rows = np.isin(self.date, np.asarray(dates, dtype=np.int64))
        day = self.day[rows]
        size = max(int(day.max(initial=-1)) + 1, len(self.days))
        earned, held = (np.bincount(day, values[rows], size) for values in (self.profits[measure], self.held))
        return Days(earned.astype(np.float64), held.astype(np.float64))

    def renumbered(self, days: Sequence[str]) -> Tranches:
        """Return the tranches with days numbered as in another study of the same prices."""
        if tuple(days) == self.days:
            return self
        number = {text: index for index, text in enumerate(days)}
        shift = next((number[text] - index for index, text in enumerate(self.days) if text in number), 0)
        most = max(int(self.day.max(initial=0)) + 1, len(self.days))
        known = [number.get(text, index + shift) for index, text in enumerate(self.days)]
        moved = np.array([*known, *(index + shift for index in range(len(self.days), most))], dtype=np.int64)
        return self._replace(day=np.maximum(moved[self.day], 0), days=tuple(days))


class Days(NamedTuple):
    """What portfolios together earned on each calendar day, and how much of their horizons lies on it."""

    earned: Numbers
    held: Numbers

    def less(self, other: Days) -> Days:
        """Return what they earned more than others that were held on the same dates."""
        size = max(len(self.earned), len(other.earned))
        return Days(_padded(self.earned, size) - _padded(other.earned, size), _padded(self.held, size))


def _padded(values: Numbers, size: int) -> Numbers:
    return np.pad(values, (0, size - len(values)))


def mean_of_days(days: Days, portfolios: int, mean: float, *, level: float = LEVEL) -> DatesMean:
    """Return the mean over portfolios, with its error from what they earned on the days on which any was held."""
    some = (days.held > 0) | (days.earned != 0)
    if not portfolios or math.isnan(mean):
        return DatesMean(math.nan, *[math.nan] * 6)
    return mean_in_calendar_time(days.earned[some], days.held[some], portfolios, mean, level=level)


def tranches_of(returns: GradedReturns, stocks: RankedStocks, weights: Weights, rules: ReturnRules) -> Tranches | None:
    """Return what portfolios with these weights earned day by day; None where returns were given instead of prices."""
    rows = returns.rows
    if rows is None:
        return None
    number: Codes = np.cumsum(np.diff(stocks.day, prepend=stocks.day[:1]) > 0, dtype=np.int64)
    day, stock = stocks.day, stocks.stock
    shares: Mapping[str, Numbers] = dict(zip(MEASURES, weights, strict=True))
    if rules.group:
        number, day, stock, shares = _within_groups(returns, stocks, number, shares)
    entry = rows.find(stock, day) + rules.lag
    # Days are counted from the date of the portfolio, so that the table stays narrow.
    width = int((rows.step(entry, rules.horizon)[0] - day).max(initial=0)) + 1
    size = (int(number.max(initial=-1)) + 1) * width
    held, earned = np.zeros(size), {measure: np.zeros(size) for measure in MEASURES}
    members = np.bincount(number)[number]
    for step in range(1, rules.horizon + 1):
        position, gained = rows.step(entry, step)
        cell = number * width + position - day
        held += np.bincount(cell, 1.0 / (rules.horizon * members), size)
        for measure in MEASURES:
            earned[measure] += np.bincount(cell, shares[measure] * gained, size)
    used = np.flatnonzero(held)
    begins = np.unique(day)[used // width]
    profits = {measure: values[used] for measure, values in earned.items()}
    return Tranches(used // width, begins + used % width, held[used], profits, returns.dates)


def _within_groups(
    returns: GradedReturns, stocks: RankedStocks, number: Codes, shares: Mapping[str, Numbers]
) -> tuple[Codes, Codes, Codes, Mapping[str, Numbers]]:
    """Return weights of all graded stocks: returns less the mean of their group sell a share of every stock in it."""
    numbers = np.full(len(returns.dates), -1, dtype=np.int64)
    numbers[stocks.day] = number
    kept = numbers[returns.day] >= 0
    day, stock, group = returns.day[kept], returns.stock[kept], returns.group[kept]
    width = len(returns.tickers)
    cell, order = day * width + stock, np.argsort(day * width + stock)
    position = order[np.searchsorted(cell, stocks.day * width + stocks.stock, sorter=order)]
    groups = day * (int(group.max(initial=0)) + 1) + group
    members = np.bincount(groups)
    neutral = {}
    for measure, weights in shares.items():
        spread = np.zeros(len(day))
        spread[position] = weights
        neutral[measure] = spread - (np.bincount(groups, spread) / np.maximum(members, 1))[groups]
    return numbers[day], day, stock, neutral
