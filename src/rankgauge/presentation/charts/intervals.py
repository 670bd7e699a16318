"""Intervals: estimates with their intervals, one below the other (a forest plot)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from rankgauge.presentation.charts.chart import Chart, Mark, finite, sentence
from rankgauge.presentation.table import Table


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """An estimate with its interval.

    Parameters:
        label: what is estimated, such as the name of a run.
        value: the estimate.
        low: the lower end of its interval; None where there is none.
        high: the upper end.
        wide_low: the lower end of the interval that holds for all rows at once; None where there is none.
        wide_high: the upper end of it.
        mark: what the estimate is found to be.
        note: what stands below the label, such as `against bm25`.
        details: texts in columns of their own behind the estimate, as many as `Intervals.detail_headers`.

    """

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    wide_low: float | None = None
    wide_high: float | None = None
    mark: Mark = "plain"
    note: str = ""
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals(Chart):
    """Rows of estimates on one axis; a reference line, such as 0 for differences.

    >>> rows = (IntervalRow("dense", 0.037, 0.004, 0.073, mark="undecided"),)
    >>> chart = Intervals(title="Differences", rows=rows, reference=0.0, signed=True)
    >>> chart.description
    'Differences: dense +0.037 (+0.004 to +0.073), not shown to differ.'
    >>> chart.domain
    (0.0, 0.073)
    """

    rows: tuple[IntervalRow, ...]
    reference: float | None = None
    reference_label: str = ""
    signed: bool = False
    value_header: str = "value"
    detail_headers: tuple[str, ...] = ()

    @property
    def domain(self) -> tuple[float, float]:
        """The lowest and the highest number that is drawn."""
        ends = chain.from_iterable((row.value, row.low, row.high, row.wide_low, row.wide_high) for row in self.rows)
        drawn = finite([*ends, self.reference])
        return (min(drawn), max(drawn)) if drawn else (0.0, 1.0)

    @property
    def description(self) -> str:
        """Every row in words."""
        return sentence(self.title, "; ".join(map(self._described, self.rows)) or "no rows")

    def _described(self, row: IntervalRow) -> str:
        label = f"{row.label} {row.note}" if row.note else row.label
        text = f"{label} {self.write(row.value, signed=self.signed)}"
        if row.low is not None and row.high is not None:
            low, high = (self.write(end, signed=self.signed) for end in (row.low, row.high))
            text = f"{text} ({low} to {high})"
        finding = {"better": "better", "worse": "worse", "undecided": "not shown to differ"}.get(row.mark)
        return f"{text}, {finding}" if finding else text

    def table(self) -> Table:
        """Return a row per estimate."""
        headers = ["label", "note", self.value_header, "low", "high", "low of all", "high of all", "found"]
        rows = [
            [row.label, row.note, row.value, row.low, row.high, row.wide_low, row.wide_high, row.mark, *row.details]
            for row in self.rows
        ]
        return Table([*headers, *self.detail_headers], rows)
