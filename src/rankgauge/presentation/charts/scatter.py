"""Scatter: one value against another, a point per query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rankgauge.presentation.charts.chart import Chart, sentence
from rankgauge.presentation.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter(Chart):
    """Points with labels; `diagonal` asks for the line of equal values, which both axes then share.

    >>> chart = Scatter(title="new against old", labels=("q1", "q2"), x=(0.5, 1.0), y=(0.75, 0.5), diagonal=True)
    >>> chart.description
    'new against old: 2 points, 1 above the diagonal, 1 below it.'
    """

    labels: Sequence[str]
    x: Sequence[float]
    y: Sequence[float]
    diagonal: bool = False

    @property
    def points(self) -> list[tuple[str, float, float]]:
        """(label, x, y) of the points that have both values."""
        every = zip(self.labels, self.x, self.y, strict=True)
        return [point for point in every if math.isfinite(point[1]) and math.isfinite(point[2])]

    @property
    def description(self) -> str:
        """How many points there are, and on which side of the diagonal."""
        points = self.points
        text = f"{len(points):,} points"
        if self.diagonal:
            above, below = sum(y > x for _, x, y in points), sum(y < x for _, x, y in points)
            text = f"{text}, {above:,} above the diagonal, {below:,} below it"
        return sentence(self.title, text)

    def table(self) -> Table:
        """Return a row per point."""
        return Table(["query", self.x_label or "x", self.y_label or "y"], [list(point) for point in self.points])
