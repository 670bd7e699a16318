"""ReportedRuns: the runs that a report is about, with their values per query and what they were computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.data.kept_inputs import KeptInputs
from rankgauge.inputs.runs import name_of
from rankgauge.measures import Gains, Measure
from rankgauge.presentation.charts.chart import Mark
from rankgauge.presentation.charts.svg.marks import series_classes
from rankgauge.presentation.ids import id_text
from rankgauge.request import Request

if TYPE_CHECKING:
    import numpy.typing as npt

    from rankgauge.results.comparison import Comparison
    from rankgauge.results.result import Result


@dataclass(frozen=True, slots=True)
class ReportedRuns:
    """One run or several, and the values of each measure by query and run; NaN marks a query that does not count.

    `pair` are the numbers of the two runs whose difference a report follows: the better first, then what it is
    compared with. One run has none.
    """

    names: tuple[str, ...]
    request: Request
    queries: tuple[str, ...]
    values: Mapping[Measure, npt.NDArray[np.float64]]
    inputs: Mapping[str, KeptInputs | None]
    baseline: str | None = None
    pair: tuple[int, int] | None = None

    @classmethod
    def of_result(cls, result: Result) -> ReportedRuns:
        """Take the one run of a result, by the name that its file bears."""
        evaluation = result.evaluation
        source = result.inputs.sources[1] if result.inputs else None
        name = (name_of(source) if source else "") or evaluation.run or "ranking"
        columns = {measure: np.asarray(values, dtype=float)[:, None] for measure, values in evaluation.values.items()}
        return cls((name,), result.request, tuple(evaluation.queries), columns, {name: result.inputs})

    @classmethod
    def of_comparison(cls, comparison: Comparison) -> ReportedRuns:
        """Take the runs of a comparison."""
        aligned, names = comparison.aligned, comparison.runs
        pair = comparison.main_pair()
        return cls(
            names,
            comparison.request,
            tuple(map(id_text, aligned.queries)),
            aligned.values,
            comparison.inputs,
            comparison.design.baseline,
            (names.index(pair.first), names.index(pair.second)),
        )

    @property
    def main(self) -> Measure:
        """The measure that the report follows: the first."""
        return next(iter(self.values))

    @property
    def label(self) -> str:
        """The name of that measure, as it was asked for."""
        return self.request.label(self.main)

    @property
    def explained(self) -> Gains | None:
        """The first measure whose value can be explained rank by rank, with every term set."""
        for measure in self.values:
            if isinstance(measure, Gains) and measure.sums == "ranked" and measure.residual is None:
                return measure
        return None

    @property
    def marks(self) -> list[Mark]:
        """What each run is to a chart: the baseline, or plain."""
        return ["baseline" if name == self.baseline else "plain" for name in self.names]

    @property
    def classes(self) -> list[str]:
        """The class of the style sheet of each run."""
        return series_classes(self.marks)

    def counted(self, measure: Measure) -> npt.NDArray[np.bool_]:
        """Return which queries count: those that have a value in every run."""
        return np.asarray(~np.isnan(self.values[measure]).any(axis=1))

    def differences(self, measure: Measure) -> npt.NDArray[np.float64]:
        """Return by query the value of the first run of the pair less that of the second."""
        first, second = self.pair or (0, 0)
        return np.asarray(self.values[measure][:, first] - self.values[measure][:, second])
