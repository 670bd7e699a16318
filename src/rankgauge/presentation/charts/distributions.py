"""Distributions: how the values per query of one or several runs are spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from rankgauge.presentation.charts.chart import Chart, Mark, finite, sentence
from rankgauge.presentation.table import Table


@dataclass(frozen=True, slots=True)
class Distribution:
    """The values of one run, one per query."""

    label: str
    values: Sequence[float]
    mark: Mark = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Distributions(Chart):
    """Values per query, run by run, on one axis: drawn as strips or as histograms.

    >>> chart = Distributions(title="NDCG by query", distributions=(Distribution("bm25", (0.0, 0.5, 1.0, 1.0)),))
    >>> chart.counts(4)
    [[1, 0, 1, 2]]
    >>> chart.description
    'NDCG by query: bm25 4 values, mean 0.625, median 0.750, from 0.000 to 1.000.'
    """

    distributions: tuple[Distribution, ...]

    @property
    def domain(self) -> tuple[float, float]:
        """The lowest and the highest value; from 0 to 1 where all values are."""
        known = [value for one in self.distributions for value in finite(one.values)]
        if not known or (min(known) >= 0 and max(known) <= 1):
            return (0.0, 1.0)
        low, high = min(known), max(known)
        return (low, high) if low < high else (low - 0.5, high + 0.5)

    def counts(self, bins: int) -> list[list[int]]:
        """Return for each run how many values lie in each of `bins` equal parts of the domain."""
        low, high = self.domain
        counted = []
        for one in self.distributions:
            row = [0] * bins
            for value in finite(one.values):
                row[min(bins - 1, int((value - low) / (high - low) * bins))] += 1
            counted.append(row)
        return counted

    @property
    def description(self) -> str:
        """Mean, median and range of each run."""
        return sentence(self.title, "; ".join(map(self._described, self.distributions)) or "no values")

    def _described(self, one: Distribution) -> str:
        known = finite(one.values)
        if not known:
            return f"{one.label} no values"
        low, middle, mean, high = map(self.write, (min(known), median(known), fmean(known), max(known)))
        return f"{one.label} {len(known):,} values, mean {mean}, median {middle}, from {low} to {high}"

    def table(self) -> Table:
        """Return a row per tenth of the domain with the counts of each run."""
        low, high = self.domain
        step = (high - low) / 10
        counts = self.counts(10)
        rows = [[low + step * part, low + step * (part + 1), *(row[part] for row in counts)] for part in range(10)]
        return Table(["from", "to", *(one.label for one in self.distributions)], rows)
