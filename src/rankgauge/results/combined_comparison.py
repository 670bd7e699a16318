"""CombinedComparison: runs compared by machine labels of all queries, corrected by human labels of a sample."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rankgauge.checks import require_choice
from rankgauge.languages import Text
from rankgauge.measures import Measure
from rankgauge.presentation.ids import id_text
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.aligned_runs import AlignedRuns
from rankgauge.results.comparison import Comparison, Design
from rankgauge.results.human_labels import combined, require_means, sample_remarks
from rankgauge.results.measure_lookup import ByMeasure, find_measure
from rankgauge.results.pair import Pair, Pairs
from rankgauge.results.pairing import corrected, effect_of, equivalence, most_moved, pairs_of
from rankgauge.statistics.intervals import Interval
from rankgauge.statistics.paired import EQUAL
from rankgauge.statistics.power import detectable_effect
from rankgauge.statistics.prediction_powered import PredictionPowered


# Without slots, so that `super()` works: a dataclass with slots is another class than the one that was written.
@dataclass(frozen=True, repr=False, eq=False)
class CombinedComparison(Comparison):
    """A comparison whose means and differences are prediction-powered; wins and losses are by human labels alone.

    `aligned` has the values by machine labels and `human` those by human labels. `runs_ppi` has the estimates of the
    means by measure and run, and `pairs_ppi` those of the differences, in the order of `pairs`.
    """

    human: AlignedRuns = field(kw_only=True)
    runs_ppi: ByMeasure[dict[str, PredictionPowered]] = field(kw_only=True)
    pairs_ppi: tuple[PredictionPowered, ...] = field(kw_only=True)

    def mean(self, measure: str | Measure, run: str) -> float:
        """Return the combined estimate of the mean of a run."""
        return self.runs_ppi[find_measure(measure, self.request)][run].estimate

    def interval(self, measure: str | Measure, run: str) -> Interval:
        """Return the prediction-powered interval of the mean of a run."""
        return self.runs_ppi[find_measure(measure, self.request)][run].interval(self.design.level)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """How the numbers were computed, what was compared, and the remarks on the sample."""
        left_out = len(set(map(id_text, self.human.queries)) - set(map(id_text, self.aligned.queries)))
        labels = [f"{pair.measure}, {pair.first} − {pair.second}" for pair in self.pairs.rows]
        estimates = dict(zip(labels, self.pairs_ppi, strict=True))
        text = Text(
            "each is estimated by itself, so it may not be that of the means; wins and losses are by human labels"
        )
        remark = Remark.of("combined-differences", text)
        return (*super().remarks, *sample_remarks(estimates, left_out), remark)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, and `ppi`, with all digits."""
        level = self.design.level
        ppi: dict[str, Any] = {
            measure: {"runs": {run: estimate.to_dict(level) for run, estimate in of_runs.items()}, "pairs": []}
            for measure, of_runs in self.runs_ppi.items()
        }
        for pair, estimate in zip(self.pairs.rows, self.pairs_ppi, strict=True):
            names = {"first": pair.first, "second": pair.second}
            ppi[pair.measure]["pairs"].append(names | estimate.to_dict(level))
        return super().to_dict() | {"ppi": ppi}


def compare_combined(
    machine: AlignedRuns, human: AlignedRuns, request: Request, design: Design, remarks: tuple[Remark, ...] = ()
) -> CombinedComparison:
    """Compare every run with the baseline, or all pairs, by the values of human and machine labels.

    The test is Student's t of the combined difference. Tukey's correction, which shuffles values, becomes Holm's.
    """
    require_means(request)
    known = ["randomisation", "t"]
    require_choice("test", design.test, known, "with human labels, differences are tested by Student's t")
    design = replace(design, test="t", correction="holm" if design.correction == "tukey" else design.correction)
    runs = {measure: _of_runs(measure, machine, human, request) for measure in machine.values}
    rows: list[Pair] = []
    estimates = []
    for measure in machine.values:
        names = pairs_of(machine.runs, design.baseline)
        differences = [_of_pair(measure, machine, human, *pair) for pair in names]
        means = runs[measure]
        made = [
            _pair(human, measure, request.label(measure), pair, estimate, (means[pair[0]], means[pair[1]]), design)
            for pair, estimate in zip(names, differences, strict=True)
        ]
        rows += corrected(made, design)
        estimates += differences
    fields = (request, machine, design, Pairs(tuple(rows)), remarks)
    runs_ppi = ByMeasure(((request.label(measure), of_runs) for measure, of_runs in runs.items()), request)
    return CombinedComparison(*fields, human=human, runs_ppi=runs_ppi, pairs_ppi=tuple(estimates))


def _of_runs(
    measure: Measure, machine: AlignedRuns, human: AlignedRuns, request: Request
) -> dict[str, PredictionPowered]:
    values = np.concatenate([machine.values[measure].ravel(), human.values[measure].ravel()])
    inside = bool(np.all((values >= 0.0) & (values <= 1.0) | np.isnan(values)))
    bounded = inside and measure.is_bounded(request.effective)
    return {
        run: combined(_by_query(human, measure, run), _by_query(machine, measure, run), bounded=bounded)
        for run in machine.runs
    }


def _of_pair(measure: Measure, machine: AlignedRuns, human: AlignedRuns, first: str, second: str) -> PredictionPowered:
    by_human, by_machine = (_by_query(aligned, measure, first, second) for aligned in (human, machine))
    return combined(by_human, by_machine, bounded=False)


def _by_query(aligned: AlignedRuns, measure: Measure, run: str, less: str | None = None) -> dict[str, float]:
    """Return the values of a run, or its differences from another, by query; NaN where one run has none."""
    values = np.where(aligned.counted(measure), aligned.column(measure, run), math.nan)
    if less is not None:
        values = values - aligned.column(measure, less)
        values[np.abs(values) <= EQUAL] = 0.0
    return dict(zip(map(id_text, aligned.queries), values.tolist(), strict=True))


def _pair(
    human: AlignedRuns,
    measure: Measure,
    label: str,
    names: tuple[str, str],
    estimate: PredictionPowered,
    means: tuple[PredictionPowered, PredictionPowered],
    design: Design,
) -> Pair:
    first, second = names
    kept = np.flatnonzero(human.counted(measure))
    ours, theirs = (human.column(measure, run)[kept] for run in names)
    differences = np.where(np.abs(ours - theirs) <= EQUAL, 0.0, ours - theirs)
    deviation = math.sqrt(estimate.human.variance)
    margin = design.margin
    return Pair(
        measure=label,
        first=first,
        second=second,
        means=(means[0].estimate, means[1].estimate),
        difference=estimate.estimate,
        interval=estimate.interval(design.level),
        p=estimate.p,
        p_adjusted=estimate.p,
        statistic=estimate.statistic,
        effect=effect_of(estimate.estimate, deviation),
        deviation=deviation,
        n=estimate.human.n,
        wins=int((differences > 0).sum()),
        ties=int((differences == 0).sum()),
        losses=int((differences < 0).sum()),
        detectable=detectable_effect(round(estimate.effective), alpha=1.0 - design.level) * deviation,
        moved=most_moved([human.queries[row] for row in kept], ours, theirs, differences),
        p_equivalence=None if margin is None else equivalence(estimate.moments, margin),
    )
