"""What a portfolio earned up to each day, with an error in calendar time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankgauge.statistics import LEVEL
from rankgauge.statistics.student import t_quantile
from rankgauge.stocks.tranches import Days

if TYPE_CHECKING:
    from rankgauge.stocks.returns_and_scores import Numbers
    from rankgauge.stocks.study_values import StudyValues


class CumulativeReturns(NamedTuple):
    """Dates, what was earned up to each, and the ends of its interval; sums, not compounded."""

    dates: tuple[str, ...]
    earned: Numbers
    low: Numbers
    high: Numbers


def cumulative_returns(study: StudyValues, measure: str = "spread") -> CumulativeReturns | None:
    """Return what equal parts of overlapping portfolios earned together up to each day.

    The band on a day holds what was earned, were the days until then drawn anew: t times the root of the sum of squares
    of what each day earned less its mean. None without prices, or without enough dates for an error.
    """
    days = None if study.tranches is None else _days(study, measure)
    if days is None or study.tranches is None:
        return None
    held = np.flatnonzero(days.held > 0)
    first, last = int(held[0]), int(held[-1])
    # As many portfolios as overlap are held at once, so each has an equal part of the money.
    parts = study.care.overlap + 1
    earned = days.earned[first : last + 1] / parts
    mean = days.held[first : last + 1] / parts * study[measure].above
    degrees = max(len(earned) - 1, 1)
    quantile = t_quantile((1.0 + LEVEL) / 2.0, degrees)
    margin = quantile * np.sqrt(np.cumsum((earned - mean) ** 2) * len(earned) / degrees)
    total = np.cumsum(earned)
    sessions = study.tranches.days
    dates = tuple(sessions[min(day, len(sessions) - 1)] for day in range(first, last + 1))
    return CumulativeReturns(dates, total, total - margin, total + margin)


def _days(study: StudyValues, measure: str) -> Days | None:
    values = study.per_date[measure]
    kept = [number for number, value in enumerate(values) if not math.isnan(value)]
    if study.tranches is None or len(kept) < study.care.fewest:
        return None
    return study.tranches.days_of(measure, kept)
