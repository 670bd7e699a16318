"""Dots: labelled numbers on one axis, such as what each convention makes of the same data."""

from __future__ import annotations

from dataclasses import dataclass

from rankgauge.presentation.charts.chart import Chart, Mark, finite, sentence
from rankgauge.presentation.table import Cell, Table


@dataclass(frozen=True, slots=True)
class Dot:
    """A label with its number; `group` is a heading that several share."""

    label: str
    value: float
    group: str = ""
    mark: Mark = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots(Chart):
    """A row per label with a dot at its number.

    >>> Dots(title="Conventions", dots=(Dot("trec_eval", 0.75), Dot("burges", 0.5)), x_label="NDCG@10").description
    'Conventions: 2 labels from 0.500 (burges) to 0.750 (trec_eval).'
    """

    dots: tuple[Dot, ...]
    reference: float | None = None
    reference_label: str = ""

    @property
    def domain(self) -> tuple[float, float]:
        """The lowest and the highest number that is drawn."""
        known = finite([*(dot.value for dot in self.dots), self.reference])
        return (min(known), max(known)) if known else (0.0, 1.0)

    @property
    def groups(self) -> list[str]:
        """The groups, in order."""
        return list(dict.fromkeys(dot.group for dot in self.dots))

    @property
    def description(self) -> str:
        """The lowest and the highest dot."""
        known = [dot for dot in self.dots if finite([dot.value])]
        if not known:
            return sentence(self.title, "no values")
        low, high = min(known, key=lambda dot: dot.value), max(known, key=lambda dot: dot.value)
        ends = f"from {self.write(low.value)} ({low.label}) to {self.write(high.value)} ({high.label})"
        return sentence(self.title, f"{len(known):,} labels {ends}")

    def table(self) -> Table:
        """Return a row per dot."""
        grouped = self.groups != [""]
        rows: list[list[Cell]] = [[*([dot.group] if grouped else []), dot.label, dot.value] for dot in self.dots]
        return Table([*(["group"] if grouped else []), "label", self.x_label or "value"], rows)
