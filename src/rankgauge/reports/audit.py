"""The report of an audit: how a grader made judgments of raw signals."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from rankgauge import _core
from rankgauge.notation import counted, date_of
from rankgauge.presentation.charts import Bar, Bars, Chart, Curve, Curves
from rankgauge.presentation.parts import Heading, SideBySide
from rankgauge.presentation.report.page import Definitions, FoldedParts, Report, ReportPart

if TYPE_CHECKING:
    from rankgauge.grading.audited import Audit


def report_of_audit(audit: Audit, command: str | None = None) -> Report:
    """Return the report of how judgments were made."""
    charts = _charts(audit)
    table = audit.table()
    by_date = audit.items or audit.refused
    parts: list[ReportPart] = [
        Heading("Rows", "What came in, what was dropped and why, and what was graded."),
        audit.overview(),
        *((Heading("Grades"), SideBySide(charts)) if charts else ()),
        *((FoldedParts("Every date", (table,)),) if by_date else ()),
        Heading("How it was made"),
        Definitions(
            (
                ("command", command or "graded.report() in Python"),
                ("rankgauge", _core.VERSION),
                ("Python", platform.python_version()),
            )
        ),
        *audit.remarks,
    ]
    return Report(
        title=f"rankgauge: {audit.title}",
        what=f"audit of {audit.title}",
        headline=f"{audit.kept:,} of {counted(audit.rows, 'row')} {audit.outcome}",
        lead=_lead(audit),
        parts=tuple(parts),
    )


def _lead(audit: Audit) -> str:
    dropped = [f"{why} {count:,}" for why, count in audit.dropped.items() if count]
    refused = f" {counted(len(audit.refused), 'date')} without grades." if audit.refused else ""
    return (f"Dropped: {', '.join(dropped)}." if dropped else "Nothing was dropped.") + refused


def _charts(audit: Audit) -> tuple[Chart, ...]:
    charts: list[Chart] = []
    if audit.grades:
        bars = tuple(Bar(f"{grade:g}", float(count)) for grade, count in sorted(audit.grades.items()))
        charts.append(Bars(title="Items by grade", bars=bars, x_label="grade", places=0))
    dates = {date_of(str(day)): float(count) for day, count in audit.items.items()}
    known = sorted((day, count) for day, count in dates.items() if day is not None)
    if len(known) > 1:
        curve = Curve("", [day for day, _ in known], [count for _, count in known])
        charts.append(Curves(title="Graded items by date", curves=(curve,), places=0))
    return tuple(charts)
