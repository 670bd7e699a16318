"""The section on cutoffs: the measure over k, and precision over recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rankgauge.presentation.charts import Curve, Curves
from rankgauge.presentation.charts.curves import Line

if TYPE_CHECKING:
    from rankgauge.reports.reevaluation import ReevaluatedRuns
    from rankgauge.reports.runs import ReportedRuns

LINES: Final[tuple[Line, ...]] = ("solid", "dashed", "dotted")


def over_cutoffs(runs: ReportedRuns, reevaluated: ReevaluatedRuns) -> Curves:
    """Return the mean at each cutoff that the rankings reach, with its band."""
    deepest = max((int(top.lengths.max(initial=1)) for top in reevaluated.top.values()), default=1)
    cutoffs = [k for k in reevaluated.by_cutoff if k <= max(deepest, 5)]
    curves = []
    for number, name in enumerate(runs.names):
        result = reevaluated.results[name]
        measures = [reevaluated.by_cutoff[k] for k in cutoffs]
        ends = [result.interval(measure) for measure in measures]
        curves.append(
            Curve(
                name,
                cutoffs,
                [result[measure] for measure in measures],
                [low for low, _ in ends],
                [high for _, high in ends],
                runs.marks[number],
                LINES[number % len(LINES)],
            )
        )
    name = next(iter(reevaluated.by_cutoff.values())).name
    bands = "Bands that overlap are no test of a paired difference." if len(runs.names) > 1 else ""
    return Curves(
        title=f"{name} by cutoff",
        subtitle=f"Mean and 95% band over queries. {bands}".strip(),
        curves=tuple(curves),
        x_label="k",
    )


def precision_over_recall(runs: ReportedRuns, reevaluated: ReevaluatedRuns) -> Curves:
    """Return the interpolated precision at eleven levels of recall."""
    curves = [
        Curve(
            name,
            list(reevaluated.by_recall),
            [reevaluated.results[name][measure] for measure in reevaluated.by_recall.values()],
            mark=runs.marks[number],
            line=LINES[number % len(LINES)],
        )
        for number, name in enumerate(runs.names)
    ]
    return Curves(
        title="Precision by recall",
        subtitle="Interpolated precision at eleven levels of recall, mean over queries.",
        curves=tuple(curves),
        x_label="recall",
    )
