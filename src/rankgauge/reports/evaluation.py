"""The report of one result."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.presentation.parts import Heading
from rankgauge.presentation.report.page import Report, ReportPart
from rankgauge.reports import queries
from rankgauge.reports.common_sections import (
    convention_parts,
    count_parts,
    explorer_parts,
    queries_text,
    rank_parts,
    severe_parts,
)
from rankgauge.reports.means import result_table
from rankgauge.reports.provenance import made_parts
from rankgauge.reports.reevaluation import evaluate_again
from rankgauge.reports.runs import ReportedRuns
from rankgauge.reports.segments import segments_parts
from rankgauge.results.light_evaluation import LightEvaluation
from rankgauge.results.remarks import describe
from rankgauge.statistics import LEVEL

if TYPE_CHECKING:
    from rankgauge.reports.id_texts import TextsInput
    from rankgauge.results.result import Result
    from rankgauge.results.segment_of_query import SegmentsInput


def report_of_result(
    result: Result, *, by: SegmentsInput | None = None, texts: TextsInput = None, command: str | None = None
) -> Report:
    """Return the report; see `Result.report`."""
    if isinstance(result.evaluation, LightEvaluation):
        raise RankgaugeError(result.evaluation.lacks_values)
    runs = ReportedRuns.of_result(result)
    reevaluated = evaluate_again(runs)
    parts: list[ReportPart] = [
        *severe_parts(result.remarks),
        Heading("Means"),
        result_table(result),
        Heading("Query by query"),
        queries.spread(runs),
        *rank_parts(runs, reevaluated),
        *(segments_parts(result.by(by), runs.label) if by is not None else ()),
        *count_parts(runs, reevaluated),
        *convention_parts(runs, reevaluated),
        *explorer_parts(runs, reevaluated, texts),
        *made_parts(runs, command or "result.report() in Python", result.remarks),
    ]
    return Report(
        title=f"rankgauge: {runs.names[0]}",
        what=f"evaluation of {runs.names[0]}, {queries_text(runs)}",
        aside=describe(result.convention),
        headline=headline(result),
        parts=tuple(parts),
        swatches={runs.names[0]: runs.classes[0]},
    )


def headline(result: Result) -> str:
    """Return the mean of the first measure in a sentence, with its interval where there is one."""
    measure = result.measures[0]
    label, mean = result.request.label(measure), result[measure]
    low, high = result.interval(measure)
    count = sum(not math.isnan(value) for value in result.counted(measure)[0])
    over = f"over {count:,} {'query' if count == 1 else 'queries'}"
    if math.isnan(low):
        return str(Text("{} is {} {}", label, mean, over))
    return str(Text("{} is {} ({} {} to {}) {}", label, mean, f"{LEVEL:.0%}", low, high, over))
