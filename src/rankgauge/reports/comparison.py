"""The report of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.notation import counted
from rankgauge.presentation.parts import Heading, SideBySide
from rankgauge.presentation.report.page import FoldedParts, Report, ReportPart
from rankgauge.presentation.table import Table
from rankgauge.reports import queries
from rankgauge.reports.common_sections import (
    convention_parts,
    count_parts,
    explorer_parts,
    queries_text,
    rank_parts,
    severe_parts,
)
from rankgauge.reports.means import comparison_table, differences, legend
from rankgauge.reports.provenance import made_parts
from rankgauge.reports.reevaluation import evaluate_again
from rankgauge.reports.runs import ReportedRuns
from rankgauge.reports.segments import segments_parts
from rankgauge.results.remarks import describe

if TYPE_CHECKING:
    from rankgauge.reports.id_texts import TextsInput
    from rankgauge.results.comparison import Comparison
    from rankgauge.results.segment_of_query import SegmentsInput


def report_of_comparison(
    comparison: Comparison,
    *,
    by: SegmentsInput | None = None,
    texts: TextsInput = None,
    command: str | None = None,
) -> Report:
    """Return the report; see `Comparison.report`."""
    runs = ReportedRuns.of_comparison(comparison)
    reevaluated = evaluate_again(runs)
    table = comparison_table(comparison)
    ordered = queries.ordered_differences(runs)
    made = command or "comparison.report() in Python"
    parts: list[ReportPart] = [
        *severe_parts(comparison.remarks),
        *_means_parts(comparison, runs, table),
        Heading("Query by query"),
        SideBySide((ordered, queries.against(runs))),
        queries.spread(runs),
        *rank_parts(runs, reevaluated),
        *_segments(comparison, runs, by),
        *count_parts(runs, reevaluated),
        *convention_parts(runs, reevaluated),
        *explorer_parts(runs, reevaluated, texts),
        *made_parts(runs, made, comparison.remarks),
    ]
    first_cells = [str(row[0]) for row in table.rows]
    return Report(
        title=f"rankgauge: {', '.join(runs.names)}",
        what=f"comparison of {counted(len(runs.names), 'run')}, {queries_text(runs)}",
        aside=describe(comparison.convention),
        headline=str(comparison.headline()),
        lead=_lead(comparison),
        parts=tuple(parts),
        swatches={
            **dict(zip(first_cells, runs.classes, strict=True)),
            **dict(zip(runs.names, runs.classes, strict=True)),
        },
        pairs={ordered.title: runs.pair} if runs.pair else {},
    )


def _lead(comparison: Comparison) -> str:
    """Return what the means of the first measure are, and which runs are not shown to differ from the baseline."""
    measure = comparison.measures[0]
    means = ", ".join(f"{run} {comparison.mean(measure, run):.4f}" for run in comparison.runs)
    level, baseline = comparison.design.level, comparison.design.baseline
    undecided = [
        pair.first for pair in comparison.pairs.rows if pair.measure == measure and not pair.is_significant(1.0 - level)
    ]
    text = f"Means of {measure}: {means}."
    if baseline is not None and undecided and len(comparison.runs) > 2:
        text += f" Not shown to differ from {baseline}: {', '.join(undecided)}."
    return text


def _means_parts(comparison: Comparison, runs: ReportedRuns, table: Table) -> list[ReportPart]:
    against = f"Each run against the baseline, {comparison.design.baseline}." if comparison.design.baseline else ""
    parts: list[ReportPart] = [
        Heading("Means", against),
        table,
        legend(comparison),
        Heading("Differences"),
        differences(comparison, runs.main),
    ]
    if len(runs.values) > 1:
        charts = [differences(comparison, measure) for measure in list(runs.values)[1:]]
        parts.append(FoldedParts("Differences in the other measures", tuple(charts)))
    parts.append(FoldedParts("All comparisons as a table", (comparison.pairs_table(),)))
    return parts


def _segments(comparison: Comparison, runs: ReportedRuns, by: SegmentsInput | None) -> list[ReportPart]:
    segments = comparison.segments if by is None else comparison.by(by)
    if segments is None or runs.pair is None:
        return []
    first, second = (runs.names[number] for number in runs.pair)
    return [*segments_parts(segments, runs.label, (first, second))]
