"""HeatMap: a number for each row and column, shown by the strength of a colour."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from rankgauge.presentation.charts.chart import Chart, finite, sentence
from rankgauge.presentation.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap(Chart):
    """Cells in one hue by strength; with `signed`, one hue above 0 and another below it.

    Parameters:
        rows: the labels of the rows, from the top.
        columns: the labels of the columns.
        values: a row of numbers for each label; None where there is none.
        signed: whether values may be negative, as returns are.
        grey_rows: rows that are shown in grey, such as that of unjudged items.
        written: whether each cell has its number in it.

    >>> values = ((0.75, 0.5), (0.25, 0.5))
    >>> HeatMap(title="Grades by rank", rows=("1", "0"), columns=("1", "2"), values=values).description
    'Grades by rank: 1: highest 0.750 at 1, lowest 0.500 at 2; 0: highest 0.500 at 2, lowest 0.250 at 1.'

    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    signed: bool = False
    grey_rows: frozenset[str] = frozenset()
    written: bool = False

    @property
    def strongest(self) -> float:
        """The largest absolute value; 1 where there is none, so that it can be divided by."""
        return max(map(abs, finite(chain.from_iterable(self.values))), default=0.0) or 1.0

    @property
    def description(self) -> str:
        """The highest and the lowest value of each row."""
        described = (self._described(label, row) for label, row in zip(self.rows, self.values, strict=True))
        return sentence(self.title, "; ".join(described) or "no rows")

    def _described(self, label: str, row: tuple[float | None, ...]) -> str:
        known = [(value, column) for value, column in zip(row, self.columns, strict=True) if value is not None]
        if not known:
            return f"{label}: no values"
        highest, lowest = max(known, key=lambda cell: cell[0]), min(known, key=lambda cell: cell[0])
        high, low = (self.write(value, signed=self.signed) for value in (highest[0], lowest[0]))
        return f"{label}: highest {high} at {highest[1]}, lowest {low} at {lowest[1]}"

    def table(self) -> Table:
        """Return the cells as they are drawn."""
        rows = [[label, *row] for label, row in zip(self.rows, self.values, strict=True)]
        return Table([self.y_label, *self.columns], rows)
