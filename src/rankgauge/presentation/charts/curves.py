"""Curves: values over k, over ranks or over dates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Literal

from rankgauge.notation import date_text
from rankgauge.presentation.charts.chart import Chart, Mark, finite, sentence
from rankgauge.presentation.table import Table

Line = Literal["solid", "dashed", "dotted"]
Position = float | date


@dataclass(frozen=True, slots=True)
class Curve:
    """One line.

    Parameters:
        label: what stands at its end.
        x: where its points are: numbers or dates, in ascending order.
        y: the values there; NaN leaves a gap.
        low: the lower edge of the band around it, if it has one.
        high: the upper edge.
        mark: what the line stands for.
        line: how it is drawn, so that lines differ without colour.

    """

    label: str
    x: Sequence[Position]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    mark: Mark = "plain"
    line: Line = "solid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves(Chart):
    """Lines on common axes, each with its label at the end; a horizontal reference line, such as chance.

    >>> chart = Curves(title="NDCG by k", curves=(Curve("bm25", (1, 5, 10), (0.7, 0.65, 0.64)),), x_label="k")
    >>> chart.description
    'NDCG by k: bm25 from 0.700 at 1 to 0.640 at 10, lowest 0.640 at 10, highest 0.700 at 1.'
    """

    curves: tuple[Curve, ...]
    reference: float | None = None
    reference_label: str = ""

    @property
    def is_dated(self) -> bool:
        """Whether the horizontal axis has dates."""
        return any(isinstance(x, date) for curve in self.curves for x in curve.x[:1])

    @property
    def x_domain(self) -> tuple[float, float]:
        """The first and the last position; dates as days."""
        known = [position(x) for curve in self.curves for x in curve.x]
        return (min(known), max(known)) if known else (0.0, 1.0)

    @property
    def y_domain(self) -> tuple[float, float]:
        """The lowest and the highest value that is drawn, bands and reference included."""
        drawn = chain.from_iterable((*curve.y, *(curve.low or ()), *(curve.high or ())) for curve in self.curves)
        known = finite([*drawn, self.reference])
        return (min(known), max(known)) if known else (0.0, 1.0)

    @property
    def description(self) -> str:
        """Where each curve begins and ends, and its lowest and highest point."""
        parts = [self._described(curve) for curve in self.curves]
        if self.reference is not None:
            parts.append(f"{self.reference_label or 'reference'} at {self.write(self.reference)}")
        return sentence(self.title, "; ".join(parts) or "no curves")

    def _described(self, curve: Curve) -> str:
        points = [(y, x) for x, y in zip(curve.x, curve.y, strict=True) if math.isfinite(y)]
        if not points:
            return f"{curve.label} no values"
        ends = (points[0], points[-1], min(points, key=lambda at: at[0]), max(points, key=lambda at: at[0]))
        first, last, lowest, highest = (f"{self.write(y)} at {write_position(x)}" for y, x in ends)
        return f"{curve.label} from {first} to {last}, lowest {lowest}, highest {highest}"

    def table(self) -> Table:
        """Return a row per curve and position."""
        rows = []
        for curve in self.curves:
            none: list[float | None] = [None] * len(curve.x)
            for x, y, low, high in zip(curve.x, curve.y, curve.low or none, curve.high or none, strict=True):
                rows.append([curve.label, x if isinstance(x, int) else write_position(x), y, low, high])
        return Table(["curve", self.x_label or "x", self.y_label or "y", "low", "high"], rows)


def position(x: Position) -> float:
    """Return where a number or a date stands on the axis; dates are counted in days.

    >>> position(10), position(date(1970, 1, 2)) - position(date(1970, 1, 1))
    (10.0, 1.0)
    """
    return float(x.toordinal()) if isinstance(x, date) else float(x)


def write_position(x: Position) -> str:
    """Return a position for readers.

    >>> write_position(10.0), write_position(0.25), write_position(date(2024, 3, 1))
    ('10', '0.25', '2024-03-01')
    """
    return date_text(x)[:10] if isinstance(x, date) else f"{x:g}"
