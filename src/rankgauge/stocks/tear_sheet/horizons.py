"""How skill decays with the horizon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.presentation.charts import Bar, Bars
from rankgauge.presentation.parts import Heading, SideBySide
from rankgauge.presentation.report.page import FoldedParts
from rankgauge.stocks.tear_sheet.positions import end, mark_of

if TYPE_CHECKING:
    from rankgauge.presentation.report.page import ReportPart
    from rankgauge.stocks.study_result import Study


def horizon_parts(study: Study) -> list[ReportPart]:
    """Return skill by horizon, or how to ask for it."""
    if not study.horizons:
        ask = (
            "One horizon was studied. horizon=[1, 5, 10, 20] in Python, or --horizons 1,10,20, shows how skill decays."
        )
        return [Heading("Decay", ask)]
    charts = (by_horizon(study, study.ndcg, f"{study.ndcg} above chance"), by_horizon(study, "rank_ic", "rank_ic"))
    note = "Each horizon is graded and judged by itself. Longer ones have fewer independent dates, so wider intervals."
    return [Heading("Decay", note), SideBySide(charts), FoldedParts("Every horizon as a table", (study.by_horizon(),))]


def by_horizon(study: Study, measure: str, what: str) -> Bars:
    """Return the skill of each horizon with its interval."""
    rows = {horizon: of_measures[measure] for horizon, of_measures in study.horizons.items()}
    bars = tuple(
        Bar(f"{horizon}", row.above, end(row.low), end(row.high), mark=mark_of(row.low, row.high))
        for horizon, row in rows.items()
    )
    return Bars(title=f"{what} by horizon", subtitle="With 95% intervals.", bars=bars, x_label="rows held", signed=True)
