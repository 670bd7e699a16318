"""Mixin: results that can be made into a report."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rankgauge.presentation.report.page import Report
    from rankgauge.reports.id_texts import TextsInput
    from rankgauge.results.segment_of_query import SegmentsInput


class ReportMixin:
    """Adds `report` to a result and to a comparison."""

    __slots__ = ()

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        by: SegmentsInput | None = None,
        texts: TextsInput = None,
        command: str | None = None,
    ) -> Report:
        """Return a report: one HTML page with the finding, the values and ranks behind it, and how it was made.

        Parameters:
            path: where it is written; default: nowhere. `report.to_html()` is its text, and a notebook shows it.
            by: segments of the queries, as for `by`; default: those of a comparison that has some.
            texts: what queries and items are: a pair of mappings of id to text, or of files (TSV or JSON lines), of
                which one may be None.
            command: what made it, as the report says; default: this call.

        >>> import rankgauge as rg
        >>> result = rg.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"], "q2": ["x", "a"]}, "ndcg@10")
        >>> print(result.report().headline)
        ndcg@10 is 0.8155 over 2 queries

        """
        from rankgauge.reports.report_function import report_of

        made = report_of(self, by=by, texts=texts, command=command)
        return made if path is None else made.save(path)
