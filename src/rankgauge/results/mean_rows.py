"""MeanRows: the means of a result as a DataFrame, with a row per measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rankgauge.presentation.dataframes import DataFrameMixin
from rankgauge.presentation.table import Cell, Table


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MeanRows(DataFrameMixin):
    """The rows of `Result.table`; where there is no interval its ends are NaN, so that their columns are floats."""

    rows: Sequence[Sequence[Cell]]
    # Further columns by name, with a value per row.
    further: Mapping[str, Sequence[Cell]] = field(default_factory=dict)

    def table(self) -> Table:
        """Return a row per measure: mean, ends of the interval, number of queries, and the further columns."""
        ends = [[math.nan if end is None else end for end in row[2:4]] for row in self.rows]
        others = zip(*self.further.values(), strict=True) if self.further else [()] * len(self.rows)
        rows = [
            [*row[:2], low, high, row[4], *other]
            for row, (low, high), other in zip(self.rows, ends, others, strict=True)
        ]
        return Table(["measure", "mean", "low", "high", "queries", *self.further], rows)
