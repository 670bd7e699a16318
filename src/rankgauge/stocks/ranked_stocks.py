"""The stocks that have both a score and a graded return, date by date."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from rankgauge.stocks.returns_and_scores import Codes, GradedReturns, Numbers, Scores


class RankedStocks(NamedTuple):
    """A row for each stock with a score and a graded return, sorted by date and stock.

    `day` and `stock` are indices into the dates and tickers of the returns.
    """

    day: Codes
    stock: Codes
    # The return as graded, which may be an excess return, and as traded.
    value: Numbers
    raw: Numbers
    grade: Numbers
    # The number of the group of the stock; 0 where it has none.
    group: Codes
    score: Numbers

    def slices(self) -> list[slice]:
        """Return the rows of each date, in order."""
        edges = [0, *(np.flatnonzero(np.diff(self.day)) + 1).tolist(), len(self.day)]
        return [slice(start, end) for start, end in pairwise(edges) if end > start]

    def by_date(self) -> Iterator[RankedStocks]:
        """Yield the stocks of each date, in order."""
        for rows in self.slices():
            yield self.rows(rows)

    def rows(self, rows: slice | Codes) -> RankedStocks:
        """Return some of the rows."""
        return RankedStocks._make(column[rows] for column in self)


def ranked_stocks(returns: GradedReturns, scores: Scores, ranked: Codes) -> RankedStocks:
    """Return the stocks that are ranked; `ranked` has the rows of the scores that have a graded return."""
    width = len(returns.tickers)
    score_cell, return_cell = scores.day * width + scores.stock, returns.day * width + returns.stock
    rows = ranked[np.argsort(score_cell[ranked])]
    cell, by_cell = score_cell[rows], np.argsort(return_cell)
    graded = by_cell[np.searchsorted(return_cell, cell, sorter=by_cell)]
    return RankedStocks(
        day=scores.day[rows],
        stock=scores.stock[rows],
        value=returns.value[graded],
        raw=returns.raw[graded],
        grade=returns.grade[graded],
        group=returns.group[graded],
        score=scores.value[rows],
    )
