"""How much the order of a model changes from date to date, and what trading on it may cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankgauge.checks import whole_number
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.presentation.table import Cell, Table
from rankgauge.stocks.daily_numbers import average_ranks, correlation, places_held, share_replaced

if TYPE_CHECKING:
    from rankgauge.stocks.returns_and_scores import Codes, Numbers
    from rankgauge.stocks.study_values import StudyValues


class Persistence(NamedTuple):
    """How the order of each date resembles that of so many dates before; NaN for the first dates.

    `autocorrelation` is the correlation of the ranks of the stocks that both dates have, `top` and `bottom` the share
    of the best and of the worst k that were not among them.
    """

    period: int
    autocorrelation: Numbers
    top: Numbers
    bottom: Numbers


class _Order(NamedTuple):
    stock: Codes
    rank: Numbers
    best: Numbers
    worst: Numbers


def persistences(study: StudyValues, periods: Sequence[int]) -> list[Persistence]:
    """Compare the order of each date with that of the date each period earlier."""
    orders = [
        _Order(
            date.stock,
            average_ranks(date.score),
            places_held(date.score, study.k),
            places_held(-date.score, study.k),
        )
        for date in study.ranked.by_date()
    ]
    return [_persistence(orders, whole_number("period", period, 1)) for period in periods]


def _persistence(orders: Sequence[_Order], period: int) -> Persistence:
    values = np.full((3, len(orders)), np.nan)
    for number in range(period, len(orders)):
        now, before = orders[number], orders[number - period]
        _, ours, theirs = np.intersect1d(now.stock, before.stock, assume_unique=True, return_indices=True)
        values[0, number] = correlation(now.rank[ours], before.rank[theirs])
        values[1, number] = share_replaced(now.stock, now.best, before.stock, before.best)
        values[2, number] = share_replaced(now.stock, now.worst, before.stock, before.worst)
    return Persistence(period, *values)


def by_period(study: StudyValues, periods: Sequence[int]) -> Table:
    """Return a row per period; see `Study.by_period`."""
    rows: list[list[Cell]] = [
        [each.period, *map(_mean, (each.autocorrelation, each.top, each.bottom))]
        for each in persistences(study, periods)
    ]
    return Table(headings("dates apart", "rank autocorrelation", "top turnover", "bottom turnover"), rows)


def _mean(values: Numbers) -> float | None:
    known = values[~np.isnan(values)].tolist()
    return math.fsum(known) / len(known) if known else None


class BreakEven(NamedTuple):
    """The return of a portfolio over the horizon, its turnover, and the cost of trading that would consume the return.

    `traded` is the value of what is bought and sold, as a multiple of the money on one side; `cost` is per unit of it.
    """

    earned: float
    traded: float
    cost: float


def break_even(study: StudyValues) -> dict[str, BreakEven]:
    """Return, for `top_return` and `spread`, the cost of trading at which nothing is left.

    A portfolio is held for the horizon and then replaced by the one of that date: what left is sold, what came is
    bought, each the turnover over the horizon. Above all stocks, whose trading is taken to be free, or on both sides.
    """
    (persistence,) = persistences(study, [study.care.overlap + 1])
    top, bottom = (
        math.nan if (mean := _mean(values)) is None else mean for values in (persistence.top, persistence.bottom)
    )
    traded = {"top_return": 2.0 * top, "spread": 2.0 * (top + bottom)}
    return {
        measure: BreakEven(study[measure].above, value, study[measure].above / value if value > 0 else math.nan)
        for measure, value in traded.items()
    }


def break_even_table(study: StudyValues) -> Table:
    """Return a row per portfolio, costs in basis points of what is traded."""
    names = {"top_return": Text("best {} less all", study.k), "spread": Text("best {0} less worst {0}", study.k)}
    rows: list[list[Cell]] = [
        [names[measure], *map(_cell, (each.earned, each.traded, each.cost * 10_000.0))]
        for measure, each in break_even(study).items()
    ]
    return Table(headings("portfolio", "earned", "traded", "break-even (bp)"), rows)


def _cell(number: float) -> Cell:
    return None if math.isnan(number) else number
