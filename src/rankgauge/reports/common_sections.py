"""Sections that reports of a result and of a comparison have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankgauge.notation import counted
from rankgauge.presentation.parts import Heading, SideBySide
from rankgauge.presentation.report.page import ReportPart
from rankgauge.presentation.table import Cell, Table
from rankgauge.remarks import Remark
from rankgauge.reports.conventions import by_convention
from rankgauge.reports.cutoffs import over_cutoffs, precision_over_recall
from rankgauge.reports.explorer import explorer_of
from rankgauge.reports.ranks import grades_by_rank, loss_by_rank
from rankgauge.reports.reevaluation import ReevaluatedRuns

if TYPE_CHECKING:
    from rankgauge.reports.id_texts import TextsInput
    from rankgauge.reports.runs import ReportedRuns


def rank_parts(runs: ReportedRuns, reevaluated: ReevaluatedRuns | str) -> list[ReportPart]:
    """Return the sections on cutoffs and ranks, which need the inputs."""
    if isinstance(reevaluated, str):
        return []
    sampled = "" if reevaluated.sampled is None else f" Of a random sample of {reevaluated.sampled:,} queries."
    lost = loss_by_rank(runs, reevaluated)
    return [
        Heading("Cutoffs and ranks"),
        SideBySide((over_cutoffs(runs, reevaluated), precision_over_recall(runs, reevaluated))),
        *([lost] if lost else []),
        Heading("Grades by rank", f"How often each rank holds each grade; the stronger, the more often.{sampled}"),
        SideBySide(tuple(grades_by_rank(runs, reevaluated))),
    ]


def count_parts(runs: ReportedRuns, reevaluated: ReevaluatedRuns | str) -> list[ReportPart]:
    """Return the section on what was missing, tied and unjudged, by run."""
    if isinstance(reevaluated, str):
        return []
    names = ("evaluated", "missing", "ignored", "empty", "blank", "short", "tied", "dropped")
    headers = ["run", "evaluated", "missing", "not judged", "nothing relevant", "nothing ranked", "short", "tied"]
    rows: list[list[Cell]] = []
    for name in runs.names:
        counts = reevaluated.results[name].evaluation.counts
        cutoff = f"@{runs.main.k}" if runs.main.k is not None else ""
        ranks: list[Cell] = [counts.unjudged.get(cutoff), counts.positions.get(cutoff)]
        rows.append([name, *(getattr(counts, field) for field in names), *ranks])
    table = Table([*headers, "items dropped", "items unjudged", "of items"], rows)
    top = f"the top {runs.main.k}" if runs.main.k is not None else "the rankings"
    note = f"Numbers of queries; the last three columns are ranked items, the last two those of {top}."
    return [Heading("Missing, tied, unjudged", note), table]


def convention_parts(runs: ReportedRuns, reevaluated: ReevaluatedRuns | str) -> list[ReportPart]:
    """Return the section on what other conventions would have said."""
    if isinstance(reevaluated, str):
        return []
    note = "Tools answer differently what the formula leaves open; the command “rankgauge conventions” says how."
    return [Heading("Other conventions", note), by_convention(runs, reevaluated)]


def explorer_parts(runs: ReportedRuns, reevaluated: ReevaluatedRuns | str, texts: TextsInput) -> list[ReportPart]:
    """Return the explorer, or why there is none."""
    if isinstance(reevaluated, str):
        return [Heading("Explorer", f"There is none, nor are there charts by rank: {reevaluated}.")]
    return [Heading("Explorer"), explorer_of(runs, reevaluated, texts)]


def severe_parts(remarks: Sequence[Remark]) -> list[ReportPart]:
    """Return the remarks that a reader must see before any number."""
    return [remark for remark in remarks if remark.severity == "severe"]


def queries_text(runs: ReportedRuns) -> str:
    """Return how many queries there are."""
    return counted(len(runs.queries), "query", "queries")
