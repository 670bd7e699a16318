"""OrderedBars: a value per query, sorted from best to worst."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rankgauge.presentation.charts.chart import Chart, finite, sentence
from rankgauge.presentation.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderedBars(Chart):
    """Differences per query, largest first, with their mean and how many are above and below 0.

    >>> chart = OrderedBars(title="new less old", labels=("q1", "q2", "q3"), values=(-0.25, 0.5, 0.0))
    >>> chart.ordered
    [('q2', 0.5), ('q3', 0.0), ('q1', -0.25)]
    >>> chart.better, chart.equal, chart.worse
    (1, 1, 1)
    >>> chart.description
    'new less old: 1 better, 1 equal, 1 worse, mean +0.083, from −0.250 (q1) to +0.500 (q2).'
    """

    labels: Sequence[str]
    values: Sequence[float]

    @property
    def ordered(self) -> list[tuple[str, float]]:
        """(label, value) pairs, largest value first; those without a value are left out."""
        known = [pair for pair in zip(self.labels, self.values, strict=True) if math.isfinite(pair[1])]
        return sorted(known, key=lambda pair: -pair[1])

    @property
    def mean(self) -> float:
        """The mean of the values; NaN where there are none."""
        known = finite(self.values)
        return math.fsum(known) / len(known) if known else math.nan

    @property
    def better(self) -> int:
        """How many values are above 0."""
        return sum(value > 0 for value in finite(self.values))

    @property
    def equal(self) -> int:
        """How many values are 0."""
        return sum(value == 0 for value in finite(self.values))

    @property
    def worse(self) -> int:
        """How many values are below 0."""
        return sum(value < 0 for value in finite(self.values))

    @property
    def description(self) -> str:
        """The counts, the mean and both ends."""
        ordered = self.ordered
        if not ordered:
            return sentence(self.title, "no values")
        (best, highest), (worst, lowest) = ordered[0], ordered[-1]
        counts = f"{self.better:,} better, {self.equal:,} equal, {self.worse:,} worse"
        low, high = self.write(lowest, signed=True), self.write(highest, signed=True)
        mean = self.write(self.mean, signed=True)
        return sentence(self.title, f"{counts}, mean {mean}, from {low} ({worst}) to {high} ({best})")

    def table(self) -> Table:
        """Return a row per label, largest value first."""
        return Table(["query", self.y_label or "difference"], [list(pair) for pair in self.ordered])
