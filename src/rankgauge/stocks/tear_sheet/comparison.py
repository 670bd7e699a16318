"""The report of a comparison of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rankgauge.notation import counted
from rankgauge.presentation.charts import IntervalRow, Intervals, OrderedBars
from rankgauge.presentation.parts import Heading
from rankgauge.presentation.report.page import FoldedParts, Report
from rankgauge.reports.means import mark_of as found
from rankgauge.results.pair import written_p
from rankgauge.results.remarks import describe
from rankgauge.statistics.paired import EQUAL
from rankgauge.stocks.tear_sheet.positions import end
from rankgauge.stocks.tear_sheet.provenance import made_parts

if TYPE_CHECKING:
    from rankgauge.presentation.report.page import ReportPart
    from rankgauge.results.pair import Pair
    from rankgauge.stocks.comparison import StudyComparison


def report_of_models(comparison: StudyComparison, *, command: str | None = None) -> Report:
    """Return the page; see `StudyComparison.report`."""
    first, *others = comparison.measures
    parts: list[ReportPart] = [
        Heading("Models", "Means over the dates that all models have."),
        comparison.table(),
        Heading("Better than chance?", "Each model against a random order, corrected for the number of models tried."),
        comparison.skill_table(),
        Heading("Differences"),
        differences(comparison, first),
        FoldedParts("Differences in the other measures", tuple(differences(comparison, measure) for measure in others)),
        FoldedParts("All comparisons as a table", (comparison.pairs_table(),)),
        Heading("Date by date"),
        by_date(comparison),
        comparison.moved_table(),
        *made_parts(comparison.convention, command or "comparison.report() in Python", comparison.remarks),
    ]
    what = f"comparison of {counted(len(comparison.runs), 'stock model')}, {counted(comparison.dates, 'date')}"
    return Report(
        title=f"rankgauge: {', '.join(comparison.runs)}",
        what=what,
        aside=describe(comparison.convention),
        headline=str(comparison.headline()),
        parts=tuple(parts),
    )


def differences(comparison: StudyComparison, measure: str) -> Intervals:
    """Return the differences of a measure with their intervals."""
    rows = [pair for pair in comparison.pairs.rows if pair.measure == measure]
    return Intervals(
        title=f"Differences in {measure}",
        subtitle=f"Right of zero: higher than what it is compared with; {comparison.design.level:.0%} intervals.",
        rows=tuple(_row(pair, comparison.design.level) for pair in rows),
        reference=0.0,
        signed=True,
        places=4,
        value_header="difference",
        detail_headers=("adjusted p", "higher / equal / lower"),
    )


def _row(pair: Pair, level: float) -> IntervalRow:
    low, high = pair.interval
    mark = found(pair, level)
    details = (f"p {written_p(pair.p_adjusted)}", f"{pair.wins:,} / {pair.ties:,} / {pair.losses:,}")
    return IntervalRow(
        pair.first, pair.difference, end(low), end(high), mark=mark, note=f"against {pair.second}", details=details
    )


def by_date(comparison: StudyComparison) -> OrderedBars:
    """Return the differences of the two models that differ most, date by date."""
    pair = comparison.main_pair()
    ours, theirs = (comparison.aligned.column(pair.measure, run) for run in (pair.first, pair.second))
    values = np.where(np.abs(ours - theirs) <= EQUAL, 0.0, ours - theirs)
    return OrderedBars(
        title=f"{pair.first} less {pair.second}, date by date",
        subtitle=f"Difference in {pair.measure} of each date, in order.",
        labels=[str(date) for date in comparison.aligned.queries],
        values=values.tolist(),
    )
