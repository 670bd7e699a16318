"""PriceRows: the prices of every stock in the order of its dates, and what a stock earned from row to row."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from rankgauge.stocks.returns_and_scores import Codes, Numbers


class PriceRows(NamedTuple):
    """A price per row, sorted by stock and day; `last` is the row of the last price of the stock of each row."""

    stock: Codes
    day: Codes
    close: Numbers
    last: Codes
    # What is earned after the last price of a stock that stopped; None where such returns are not graded.
    delisting: float | None

    @classmethod
    def of(cls, stock: Codes, day: Codes, close: Numbers, delisting: float | None) -> PriceRows:
        """Sort prices by stock and day."""
        order = np.lexsort((day, stock))
        stock, day, close = stock[order], day[order], close[order]
        ends = np.append(np.flatnonzero(np.diff(stock)), len(stock) - 1) if len(stock) else np.zeros(0, dtype=np.int64)
        last = ends[np.searchsorted(ends, np.arange(len(stock)))] if len(stock) else ends
        return cls(stock, day, close, last, delisting)

    def find(self, stock: Codes, day: Codes) -> Codes:
        """Return the rows of stocks on days; each must have a price."""
        days = int(self.day.max(initial=0)) + 1
        return np.asarray(np.searchsorted(self.stock * days + self.day, stock * days + day), dtype=np.int64)

    def step(self, entry: Codes, number: int) -> tuple[Codes, Numbers]:
        """Return the day of a step after the entry, and what was earned on it per unit of money at the entry.

        The steps of a holding add up to its return. After the last price of a stock nothing is earned but, on the first
        step, its delisting return.
        """
        last, later = self.last[entry], entry + number
        now, before = np.minimum(later, last), np.minimum(later - 1, last)
        earned = (self.close[now] - self.close[before]) / self.close[entry]
        if self.delisting:
            earned = earned + np.where(later == last + 1, self.delisting * self.close[last] / self.close[entry], 0.0)
        return self.day[now] + (later - now), earned
