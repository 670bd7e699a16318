"""The table of means, with a row per measure."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.presentation.table import Table, interval_headings
from rankgauge.statistics import LEVEL


class MeanRow(NamedTuple):
    """The mean of a measure over some queries, and the ends of its interval, NaN where it has none."""

    measure: str
    mean: float
    low: float
    high: float
    queries: int


def means_table(rows: Iterable[MeanRow]) -> Table:
    """Return a row per measure: mean, interval and number of queries.

    >>> print(means_table([MeanRow("ndcg@10", 0.5, math.nan, math.nan, 3)]))
    measure    mean  95% from  to  queries
    ndcg@10  0.5000  –         –         3
    """
    cells = []
    for measure, mean, low, high, queries in rows:
        ends = [None, None] if math.isnan(low) else [low, high]
        cells.append([measure, mean, *ends, queries])
    return Table([*headings("measure", "mean"), *interval_headings(LEVEL), Text("queries")], cells)
