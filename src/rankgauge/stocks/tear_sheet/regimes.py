"""The study by year, by market and by groups of stocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankgauge.notation import counted
from rankgauge.presentation.charts import IntervalRow, Intervals
from rankgauge.presentation.parts import Heading
from rankgauge.presentation.report.page import FoldedParts
from rankgauge.stocks.tear_sheet.positions import end, mark_of

if TYPE_CHECKING:
    from rankgauge.presentation.report.page import ReportPart
    from rankgauge.presentation.table import Cell
    from rankgauge.results.segment_of_query import SegmentsInput
    from rankgauge.stocks.study_result import Study


def regime_parts(study: Study) -> list[ReportPart]:
    """Return NDCG above chance by year and market, and the tables."""
    tables = [table for table in (study.by_year(), study.by_market(), study.by_volatility()) if table.rows]
    parts = [*study.years(), *study.markets(), *study.volatilities()]
    rows = tuple(_row(study, name, dates) for name, dates in parts if dates)
    chart = Intervals(
        title=f"{study.ndcg} above chance by year and market",
        subtitle="With 95% intervals. Up and down: whether all stocks rose over the horizon, known only afterwards. "
        "Calm to restless: thirds by the volatility of the month before.",
        rows=rows,
        reference=0.0,
        signed=True,
        places=3,
        value_header="above chance",
        detail_headers=("dates",),
    )
    note = f"{len(rows)} parts are looked at: about one in twenty leaves out 0 by luck alone."
    return [Heading("Years and regimes", note), chart, FoldedParts("As tables", tuple(tables))]


def _row(study: Study, name: str, dates: Sequence[int]) -> IntervalRow:
    row = study.summary(study.ndcg, dates)
    mark = mark_of(row.low, row.high)
    return IntervalRow(
        str(name), row.above, end(row.low), end(row.high), mark=mark, details=(counted(row.days, "date"),)
    )


def group_parts(study: Study, groups: SegmentsInput | None) -> list[ReportPart]:
    """Return the rank correlation within each group of stocks, if groups are given."""
    if groups is None:
        return []
    table = study.by_group(groups)
    rows = tuple(_of_group(row) for row in table.rows if row[2] is not None)
    chart = Intervals(
        title=f"rank_ic by {table.headers[0]}",
        subtitle="The order within each group, with 95% intervals.",
        rows=rows,
        reference=0.0,
        signed=True,
        places=3,
        value_header="rank_ic",
        detail_headers=("stocks",),
    )
    return [Heading(f"By {table.headers[0]}"), *([chart] if rows else []), table]


def _of_group(row: Sequence[Cell]) -> IntervalRow:
    name, stocks, value, low, high = row[:5]
    ends = [math.nan if each is None else float(each) for each in (low, high)]
    mark = mark_of(*ends)
    return IntervalRow(
        str(name),
        float(value or 0.0),
        end(ends[0]),
        end(ends[1]),
        mark=mark,
        details=(counted(int(stocks or 0), "stock"),),
    )
