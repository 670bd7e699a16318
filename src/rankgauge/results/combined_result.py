"""CombinedResult: means from machine labels of all queries, corrected by human labels of a sample."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from rankgauge.checks import require_choice
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.languages.text import headings
from rankgauge.measures import Measure
from rankgauge.presentation.table import Cell, Table
from rankgauge.remarks import Remark
from rankgauge.results.human_labels import combined, require_means, sample_remarks
from rankgauge.results.mean_rows import MeanRows
from rankgauge.results.measure_lookup import ByMeasure, find_measure
from rankgauge.results.result import Result
from rankgauge.statistics import LEVEL
from rankgauge.statistics.intervals import Interval, Method, require_level
from rankgauge.statistics.prediction_powered import PredictionPowered

if TYPE_CHECKING:
    from rankgauge.results.comparison import Comparison
    from rankgauge.statistics.paired import Test

# Codes of remarks that are kept from the human labels.
_OF_LABELS: Final = ("unjudged", "nothing-relevant", "grades")


# Without slots, so that `super()` works: a dataclass with slots is another class than the one that was written.
@dataclass(frozen=True, repr=False, eq=False)
class CombinedResult(Result):
    """What machine labels found, corrected by human labels: `result[m]` is the combined estimate.

    `result.machine` and `result.human` are the results by either labels alone, and `per_query` has the machine's
    values. `result.ppi` has the estimates with everything that is known of them.
    """

    human: Result = field(kw_only=True)
    estimates: Mapping[Measure, PredictionPowered] = field(kw_only=True)

    def _compared(self) -> tuple[object, ...]:
        return *super()._compared(), self.human

    @property
    def machine(self) -> Result:
        """The result by machine labels alone."""
        return Result(self.evaluation, self.request, self.seed, self.threads, self.input_remarks, self.query_kind)

    @property
    def ppi(self) -> ByMeasure[PredictionPowered]:
        """The prediction-powered estimate of each measure."""
        labelled = ((self.request.label(measure), estimate) for measure, estimate in self.estimates.items())
        return ByMeasure(labelled, self.request)

    def interval(
        self,
        measure: str | Measure,
        *,
        level: float = LEVEL,
        method: Method | None = None,
        resamples: int | None = None,  # noqa: ARG002 - that of Result
        seed: int | None = None,  # noqa: ARG002
    ) -> Interval:
        """Return the prediction-powered confidence interval.

        Parameters:
            measure: one of the measures, by any of its names.
            level: how often such intervals hold the true mean.
            method: only the default.
            resamples: nothing is drawn.
            seed: nothing is drawn.

        """
        require_level(level)
        if method is not None:
            require_choice("method", method, [], "human and machine labels have one interval: leave method out")
        return self.estimates[find_measure(measure, self.request)].interval(level)

    def table(self) -> Table:
        """Return a row per measure: the combined mean and interval, and both raw means."""
        table = super().table()
        rows = [
            [*row, each.machine_mean, each.human.mean, each.human.n, round(each.effective)]
            for row, each in zip(table.rows, self.estimates.values(), strict=True)
        ]
        return Table([*table.headers, *headings("machine", "human", "human queries", "effective")], rows)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The remarks on the machine's result, on the human labels, and on the sample."""
        left_out = len(set(self.human.evaluation.queries) - set(self.evaluation.queries))
        return (*self.machine.remarks, *self._of_labels(), *sample_remarks(self.ppi, left_out))

    def _of_labels(self) -> list[Remark]:
        remarks = [remark for remark in self.human.remarks if remark.code in _OF_LABELS]
        return [Remark.of(remark.code, Text("human labels: {}", remark.text)) for remark in remarks]

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Return the convention, means, intervals and counts as plain values, and `ppi`, with all digits."""
        values = super().to_dict(per_query=per_query)
        return values | {"ppi": {label: estimate.to_dict() for label, estimate in self.ppi.items()}}

    def compare(
        self,
        other: Result,
        *,
        names: tuple[str, str] = ("this", "other"),
        test: Test = "randomisation",
        margin: float | None = None,
        level: float = LEVEL,
        permutations: int | None = None,
        common: bool = False,
    ) -> Comparison:
        """Compare with another result of human and machine labels: this less the other, query by query.

        Parameters:
            other: a result with human labels and the same measures and convention.
            names: what the two are called in tables.
            test: Student's t is taken; any but the default and `t` is refused.
            margin: two results that differ by less are equivalent.
            level: the level of the interval.
            permutations: nothing is drawn.
            common: whether only the queries that both have count; default: a query that one lacks counts 0 for it.

        """
        from rankgauge.results.aligned_runs import align_results
        from rankgauge.results.combined_comparison import compare_combined
        from rankgauge.results.pairing import design_of

        if not isinstance(other, CombinedResult):
            raise RankgaugeError("combined-alone")
        design = design_of(names, baseline=names[1], test=test, margin=margin, level=level, permutations=permutations)
        machine = align_results(names, (self.machine, other.machine), common=common)
        human = align_results(names, (self.human, other.human), common=common)
        remarks = tuple(dict.fromkeys((*self.input_remarks, *other.input_remarks)))
        compared = compare_combined(machine, human, self.request, design, remarks)
        return replace(compared, inputs=dict(zip(names, (self.inputs, other.inputs), strict=True)))

    def _aggregate(self, measure: Measure) -> float:
        return self.estimates[measure].estimate

    def _mean_rows(self) -> MeanRows:
        each = list(self.estimates.values())
        further: dict[str, list[Cell]] = {
            "machine_mean": [estimate.machine_mean for estimate in each],
            "human_mean": [estimate.human.mean for estimate in each],
            "human_queries": [estimate.human.n for estimate in each],
            "effective_human_queries": [estimate.effective for estimate in each],
        }
        return MeanRows(super().table().rows, further)


def combine(machine: Result, human: Result) -> CombinedResult:
    """Combine the results of one ranking by machine labels and by human labels."""
    require_means(machine.request)
    estimates = {measure: _estimate(measure, machine, human) for measure in machine.measures}
    fields = (machine.evaluation, machine.request, machine.seed, machine.threads)
    of_data = (machine.input_remarks, machine.query_kind, machine.inputs)
    return CombinedResult(*fields, *of_data, human=human, estimates=estimates)


def _estimate(measure: Measure, machine: Result, human: Result) -> PredictionPowered:
    by_human, by_machine = (_values(result, measure) for result in (human, machine))
    values = [value for value in (*by_human.values(), *by_machine.values()) if not math.isnan(value)]
    bounded = measure.is_bounded(machine.convention) and all(0.0 <= value <= 1.0 for value in values)
    return combined(by_human, by_machine, bounded=bounded)


def _values(result: Result, measure: Measure) -> dict[str, float]:
    """Return the value of each query; a result without values per query is refused."""
    evaluation = result.per_query.evaluation
    return dict(zip(evaluation.queries, evaluation.values[measure], strict=True))
