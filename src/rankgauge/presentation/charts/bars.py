"""Bars: a number per category, with an interval where there is one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from rankgauge.presentation.charts.chart import Chart, Mark, finite, sentence
from rankgauge.presentation.table import Table


@dataclass(frozen=True, slots=True)
class Bar:
    """A category and its number; `group` puts bars of one category side by side, such as horizons in days."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    group: str = ""
    mark: Mark = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars(Chart):
    """Bars from 0, in the order in which they come.

    >>> chart = Bars(title="Gain lost by rank", bars=(Bar("1", 0.25, 0.2, 0.3), Bar("2", 0.125)), x_label="rank")
    >>> chart.description
    'Gain lost by rank: 1 0.250 (0.200 to 0.300), 2 0.125.'
    """

    bars: tuple[Bar, ...]
    reference: float | None = None
    reference_label: str = ""
    signed: bool = False

    @property
    def labels(self) -> list[str]:
        """The categories, in order."""
        return list(dict.fromkeys(bar.label for bar in self.bars))

    @property
    def groups(self) -> list[str]:
        """The groups, in order; one empty name where there are none."""
        return list(dict.fromkeys(bar.group for bar in self.bars))

    @property
    def domain(self) -> tuple[float, float]:
        """The lowest and the highest number that is drawn; 0 is part of it."""
        drawn = chain.from_iterable((bar.value, bar.low, bar.high) for bar in self.bars)
        known = finite([*drawn, self.reference, 0.0])
        return (min(known), max(known))

    @property
    def description(self) -> str:
        """Every bar in words."""
        return sentence(self.title, ", ".join(map(self._described, self.bars)) or "no bars")

    def _described(self, bar: Bar) -> str:
        label = f"{bar.label} {bar.group}" if bar.group else bar.label
        text = f"{label} {self.write(bar.value, signed=self.signed)}"
        if bar.low is None or bar.high is None:
            return text
        return f"{text} ({self.write(bar.low, signed=self.signed)} to {self.write(bar.high, signed=self.signed)})"

    def table(self) -> Table:
        """Return a row per bar."""
        grouped = self.groups != [""]
        headers = [self.x_label or "category", *(["group"] if grouped else []), self.y_label or "value", "low", "high"]
        rows = [[bar.label, *([bar.group] if grouped else []), bar.value, bar.low, bar.high] for bar in self.bars]
        return Table(headers, rows)
