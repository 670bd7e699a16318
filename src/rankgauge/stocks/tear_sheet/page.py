"""The tear sheet: a study as one HTML page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rankgauge.notation import counted
from rankgauge.presentation.parts import Heading
from rankgauge.presentation.report.page import FoldedParts, Report
from rankgauge.results.remarks import describe
from rankgauge.stocks.tear_sheet.days import day_parts, grade_parts
from rankgauge.stocks.tear_sheet.horizons import horizon_parts
from rankgauge.stocks.tear_sheet.over_time import over_time_parts
from rankgauge.stocks.tear_sheet.provenance import made_parts
from rankgauge.stocks.tear_sheet.regimes import group_parts, regime_parts
from rankgauge.stocks.tear_sheet.returns import cost_parts, return_parts

if TYPE_CHECKING:
    from rankgauge.presentation.report.page import ReportPart
    from rankgauge.results.segment_of_query import SegmentsInput
    from rankgauge.stocks.study_result import Study


def tear_sheet(study: Study, *, group: SegmentsInput | None = None, command: str | None = None) -> Report:
    """Return the page; see `Study.report`."""
    several = len(study.per_date) > 1
    note = "The columns after chance are about the difference from it."
    parts: list[ReportPart] = [
        Heading("Better than chance?", note),
        study.table(),
        *([FoldedParts("How the dates are spread", (study.over_days(),))] if several else []),
        *(over_time_parts(study) if several else []),
        *horizon_parts(study),
        *return_parts(study),
        *cost_parts(study),
        *(regime_parts(study) if several else []),
        *group_parts(study, group),
        *day_parts(study),
        *grade_parts(study),
        Heading("Audit", "What became of every row of the prices."),
        study.audit.overview(),
        *made_parts(study.convention, command or "study.report() in Python", study.remarks),
    ]
    dates = counted(len(study.per_date), "date")
    return Report(
        title=f"rankgauge: {study.ndcg} over {dates}",
        what=f"study of a stock model, {dates}",
        aside=describe(study.convention),
        headline=_sentence(study.headline()),
        lead=_lead(study),
        parts=tuple(parts),
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lead(study: Study) -> str:
    dates, ic, spread = study.per_date["date"], study["rank_ic"], study["spread"]
    span = f"{dates[0]} to {dates[-1]}" if len(dates) > 1 else str(dates[0])
    ratio = "" if math.isnan(ic.ratio) else f" (ICIR {ic.ratio:.3f})"
    stocks = max(study.per_date["n"])
    return (
        f"{span}, up to {counted(int(stocks), 'stock')} a date, returns over {counted(study.horizon, 'row')}. Rank IC "
        f"{ic.mean:.4f}{ratio}; the best {study.k} earned {spread.mean:.2%} more than the worst {study.k}."
    )
