"""The function behind the method `report` of results and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.presentation.report.page import Report
from rankgauge.reports.comparison import report_of_comparison
from rankgauge.reports.evaluation import report_of_result
from rankgauge.results.comparison import Comparison
from rankgauge.results.result import Result

if TYPE_CHECKING:
    from rankgauge.reports.id_texts import TextsInput
    from rankgauge.results.segment_of_query import SegmentsInput


def report_of(
    subject: object, *, by: SegmentsInput | None = None, texts: TextsInput = None, command: str | None = None
) -> Report:
    """Return the report of a result or of a comparison."""
    if isinstance(subject, Comparison):
        return report_of_comparison(subject, by=by, texts=texts, command=command)
    if isinstance(subject, Result):
        return report_of_result(subject, by=by, texts=texts, command=command)
    raise TypeError(f"no report of {type(subject).__name__}")
