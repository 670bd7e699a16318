"""Where the dates of a study stand on an axis, and how an estimate is marked."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rankgauge.notation import date_of
from rankgauge.presentation.charts.chart import Mark
from rankgauge.presentation.charts.curves import Position


def positions(dates: Sequence[str]) -> list[Position]:
    """Return dates as dates; where one of them is none, as numbers from 1.

    >>> positions(["2026-01-02", "20260105"]), positions(["a", "b"])
    ([datetime.date(2026, 1, 2), datetime.date(2026, 1, 5)], [1.0, 2.0])
    """
    days: list[Position] = []
    for text in dates:
        day = date_of(text)
        if day is None:
            return [float(number) for number in range(1, len(dates) + 1)]
        days.append(day)
    return days


def mark_of(low: float, high: float) -> Mark:
    """Return what an interval around a difference from 0 shows.

    >>> mark_of(0.1, 0.2), mark_of(-0.2, -0.1), mark_of(-0.1, 0.1), mark_of(math.nan, math.nan)
    ('better', 'worse', 'undecided', 'plain')
    """
    if math.isnan(low):
        return "plain"
    return "better" if low > 0 else "worse" if high < 0 else "undecided"


def end(value: float) -> float | None:
    """Return the end of an interval for a chart, which knows no NaN."""
    return None if math.isnan(value) else value
