"""Splits of the dates of a study: by month, and by how restless the market was before."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from rankgauge.presentation.table import Cell, Table
from rankgauge.statistics.mean_over_dates import FEWEST_DATES

if TYPE_CHECKING:
    from rankgauge.stocks.returns_and_scores import GradedReturns, Numbers
    from rankgauge.stocks.study_values import StudyValues

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# A month of trading days, over which volatility is taken.
WINDOW: Final = 21
_MONTH: Final = re.compile(r"(\d{4})-?(\d{2})-?\d{2}")
TERCILES: Final = ("calm", "usual", "restless")


def market_returns(returns: GradedReturns) -> Numbers:
    """Return the mean return of all stocks from each session to the next; NaN where there is none.

    The first is of the second session, so that the value of a session is known at its close.
    """
    sessions = np.full(len(returns.dates), np.nan)
    rows = returns.rows
    if rows is None or len(rows.close) < 2:
        return sessions
    same = rows.stock[1:] == rows.stock[:-1]
    day, earned = rows.day[1:][same], (rows.close[1:] / rows.close[:-1] - 1.0)[same]
    counts = np.bincount(day, minlength=len(sessions))
    some = counts > 0
    sessions[some] = np.bincount(day, earned, len(sessions))[some] / counts[some]
    return sessions


def volatility_before(market: Numbers, days: Sequence[int]) -> list[float]:
    """Return the standard deviation of the market over the sessions up to each day; NaN where they are too few.

    >>> volatility_before(np.array([np.nan] + [0.01, -0.01] * 15), [30, 5])
    [0.01..., nan]
    """
    deviations = []
    for day in days:
        past = market[max(day - WINDOW + 1, 0) : day + 1]
        known = past[~np.isnan(past)]
        deviations.append(float(known.std(ddof=1)) if len(known) >= FEWEST_DATES else math.nan)
    return deviations


def by_volatility(study: StudyValues) -> list[tuple[str, list[int]]]:
    """Return the dates in three parts of equal size, by the volatility of the market in the month before."""
    days = [int(study.ranked.day[rows.start]) for rows in study.ranked.slices()]
    values = volatility_before(study.market, days)
    known = sorted((value, number) for number, value in enumerate(values) if not math.isnan(value))
    if len(known) < len(TERCILES):
        return []
    edges = [len(known) * part // 3 for part in range(4)]
    return [
        (name, sorted(number for _, number in known[edges[part] : edges[part + 1]]))
        for part, name in enumerate(TERCILES)
    ]


def by_month(study: StudyValues, measure: str) -> Mapping[str, Mapping[int, float]]:
    """Return year → month → the mean of a measure over its dates."""
    cells: dict[str, dict[int, list[float]]] = {}
    for date, value in zip(study.per_date["date"], study.per_date[measure], strict=True):
        match = _MONTH.match(date)
        if match and not math.isnan(value):
            cells.setdefault(match[1], {}).setdefault(int(match[2]), []).append(value)
    return {year: {month: math.fsum(each) / len(each) for month, each in cells[year].items()} for year in sorted(cells)}


def month_table(study: StudyValues, measure: str) -> Table:
    """Return a row per year and a column per month."""
    rows: list[list[Cell]] = [
        [year, *(months.get(month) for month in range(1, 13))] for year, months in by_month(study, measure).items()
    ]
    return Table([measure, *MONTHS], rows)
