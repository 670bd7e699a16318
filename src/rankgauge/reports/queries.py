"""The section on queries: how values are spread, and which queries make the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rankgauge.languages import Text
from rankgauge.presentation.charts import Distribution, Distributions, OrderedBars, Scatter
from rankgauge.statistics.paired import EQUAL

if TYPE_CHECKING:
    from rankgauge.reports.runs import ReportedRuns


def spread(runs: ReportedRuns) -> Distributions:
    """Return the values of each run, a line per query."""
    values = runs.values[runs.main]
    return Distributions(
        title=Text("{} by query", runs.label),
        subtitle="How many queries have which value; below, a line per query. The black line is the mean.",
        distributions=tuple(
            Distribution(name, values[:, number].tolist(), mark)
            for number, (name, mark) in enumerate(zip(runs.names, runs.marks, strict=True))
        ),
        x_label=runs.label,
    )


def ordered_differences(runs: ReportedRuns) -> OrderedBars:
    """Return the differences of the two runs that the report follows, largest first."""
    first, second = _pair(runs)
    differences = runs.differences(runs.main)
    values = np.where(np.abs(differences) <= EQUAL, 0.0, differences)
    return OrderedBars(
        title=Text("{} less {}, query by query", first, second),
        subtitle=f"Difference in {runs.label} of each query, in order. Click to open a query below.",
        labels=runs.queries,
        values=values.tolist(),
    )


def against(runs: ReportedRuns) -> Scatter:
    """Return one run against the other, a point per query."""
    first, second = _pair(runs)
    values = runs.values[runs.main]
    ours, theirs = runs.pair or (0, 0)
    return Scatter(
        title=f"{first} against {second}",
        subtitle=f"{runs.label} of each query; above the diagonal {first} is better.",
        labels=runs.queries,
        x=values[:, theirs].tolist(),
        y=values[:, ours].tolist(),
        x_label=second,
        y_label=first,
        diagonal=True,
    )


def _pair(runs: ReportedRuns) -> tuple[str, str]:
    first, second = runs.pair or (0, 0)
    return runs.names[first], runs.names[second]
