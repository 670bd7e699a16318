"""The section on segments: the means of a result, or the differences of a comparison, for each kind of query."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rankgauge.presentation.charts import IntervalRow, Intervals
from rankgauge.presentation.parts import Heading
from rankgauge.presentation.report.page import FoldedParts, ReportPart
from rankgauge.reports.means import mark_of

if TYPE_CHECKING:
    from rankgauge.results.segments import Segments


def segments_parts(segments: Segments, label: str, pair: tuple[str, str] | None = None) -> list[ReportPart]:
    """Return the section: a row per segment, and the tables behind it."""
    chart = _differences(segments, label, pair) if pair else _means(segments, label)
    tables = [part for part in segments.tables() if part]
    return [Heading(f"By {segments.name}"), chart, FoldedParts("As tables", tuple(tables)), *segments.remarks]


def _means(segments: Segments, label: str) -> Intervals:
    rows = [
        IntervalRow(each.segment, each.mean, *_ends(*each.interval), details=(f"{each.queries:,} queries",))
        for each in segments.means
        if each.measure == label
    ]
    return Intervals(
        title=f"{label} by {segments.name}",
        rows=tuple(rows),
        places=4,
        value_header="mean",
        detail_headers=("queries",),
    )


def _differences(segments: Segments, label: str, pair: tuple[str, str]) -> Intervals:
    rows = []
    for segment in segments:
        compared = segments.pair(segment, label, *pair)
        low, high = _ends(*compared.interval)
        mark = mark_of(compared, segments.level)
        counts = (f"{compared.wins:,}/{compared.ties:,}/{compared.losses:,}",)
        rows.append(IntervalRow(segment, compared.difference, low, high, mark=mark, details=counts))
    return Intervals(
        title=f"{pair[0]} less {pair[1]} by {segments.name}",
        subtitle=f"Differences in {label}; marks are corrected for the number of segments. "
        "Below: queries better / equal / worse.",
        rows=tuple(rows),
        reference=0.0,
        signed=True,
        places=4,
        value_header="difference",
        detail_headers=("better / equal / worse",),
    )


def _ends(low: float, high: float) -> tuple[float | None, float | None]:
    return (None, None) if math.isnan(low) else (low, high)
