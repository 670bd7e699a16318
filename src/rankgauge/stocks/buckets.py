"""Buckets: the stocks of each date in equal parts by score, and what each part earned."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from rankgauge.checks import whole_number
from rankgauge.grading.return_rules import MOST_LEVELS
from rankgauge.languages.text import headings
from rankgauge.presentation.table import Cell, Table
from rankgauge.statistics.mean_over_dates import DatesMean, mean_over_dates
from rankgauge.stocks.daily_numbers import average_ranks

if TYPE_CHECKING:
    from rankgauge.stocks.returns_and_scores import Codes, Numbers
    from rankgauge.stocks.study_values import StudyValues

DEFAULT: Final = 5
_TOTALS: Final = ("stocks", "earned", "excess", "grade")


class Buckets(NamedTuple):
    """By date and bucket, from the lowest scores to the highest: stocks, mean return, mean above all, mean grade.

    NaN where a date has no stock in a bucket.
    """

    stocks: Numbers
    earned: Numbers
    excess: Numbers
    grade: Numbers

    @property
    def number(self) -> int:
        """How many buckets there are."""
        return int(self.stocks.shape[1])

    def means(self, column: str) -> list[float]:
        """Return the mean over dates of `earned`, `excess`, `grade` or `stocks` for each bucket."""
        values = getattr(self, column)
        return [_mean(values[:, bucket]) for bucket in range(self.number)]

    def skill(self, bucket: int, horizon: int) -> DatesMean:
        """Return the mean of a bucket above all stocks, with its error over dates that share returns."""
        values = self.excess[:, bucket]
        return mean_over_dates(values[~np.isnan(values)].tolist(), horizon)


def _mean(values: Numbers) -> float:
    known = values[~np.isnan(values)].tolist()
    return math.fsum(known) / len(known) if known else math.nan


def buckets_of(study: StudyValues, count: int | None = None) -> Buckets:
    """Put the stocks of each date into parts of equal size by score; equal scores are in one part.

    The default number of parts is that of the grades. A stock with r stocks below it is in part ⌊count r / n⌋.
    """
    levels = study.rules.levels
    usual = levels if isinstance(levels, int) and study.rules.thresholds is None else DEFAULT
    count = usual if count is None else whole_number("count", count, 2, most=MOST_LEVELS)
    dates = study.ranked.slices()
    sums = {name: np.full((len(dates), count), np.nan) for name in _TOTALS}
    for row, rows in enumerate(dates):
        date = study.ranked.rows(rows)
        part = bucket_numbers(date.score, count)
        stocks = np.bincount(part, minlength=count)
        some = stocks > 0
        columns = {"earned": date.value, "excess": date.value - date.value.mean(), "grade": date.grade}
        for name, values in columns.items():
            sums[name][row, some] = np.bincount(part, values, count)[some] / stocks[some]
        sums["stocks"][row] = stocks
    return Buckets(**sums)


def bucket_numbers(scores: Numbers, count: int) -> Codes:
    """Return the part of each score, from 0 for the lowest.

    >>> bucket_numbers(np.array([0.3, 0.1, 0.2, 0.4, 0.5]), 5).tolist()
    [2, 0, 1, 3, 4]
    """
    ranks = average_ranks(scores) - 1.0
    return np.asarray(np.floor(ranks * count / len(scores)), dtype=np.int64)


def by_bucket(study: StudyValues, count: int | None = None) -> Table:
    """Return a row per bucket; see `Study.by_bucket`."""
    buckets = buckets_of(study, count)
    horizon = study.care.overlap + 1
    rows: list[list[Cell]] = []
    for bucket in range(buckets.number):
        means = [_mean(values[:, bucket]) for values in (buckets.stocks, buckets.grade, buckets.earned)]
        skill = buckets.skill(bucket, horizon)
        numbers = [*means, skill.mean, skill.low, skill.high, skill.t]
        rows.append([bucket + 1, *(None if math.isnan(number) else number for number in numbers)])
    headers = headings("bucket", "stocks", "mean grade", "mean return", "above all", "95% from", "to", "t")
    return Table(headers, rows)
