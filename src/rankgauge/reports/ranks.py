"""The section on ranks: where gain is lost, and which grades stand at which rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from rankgauge.engines.reference.gains import weight_at
from rankgauge.presentation.charts import Bar, Bars, Curve, Curves, HeatMap
from rankgauge.reports.cutoffs import LINES
from rankgauge.reports.reevaluation import RANKS, cutoff_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from rankgauge.measures import Gains
    from rankgauge.reports.reevaluation import ReevaluatedRuns
    from rankgauge.reports.runs import ReportedRuns

# Grades of more levels than these are shown by ranges.
MOST_LEVELS: Final = 8
RANGES: Final = 5
UNJUDGED: Final = "unjudged"


def weights_of(measure: Gains, count: int) -> npt.NDArray[np.float64]:
    """Return the discount of each rank down to `count`; 0 below the cutoff of the measure, if it has one."""
    return np.array([weight_at(rank, measure) for rank in range(1, count + 1)])


def loss_by_rank(runs: ReportedRuns, reevaluated: ReevaluatedRuns) -> Curves | Bars | None:
    """Return how much of the value each rank loses against the ideal, on the mean over queries."""
    measure = runs.explained
    if measure is None or reevaluated.ideal_sum is None:
        return None
    full = measure.under(runs.request.effective)
    k = cutoff_of(full, runs.request.effective) or RANKS
    count = min(k, RANKS)
    lost = {name: _lost(runs, reevaluated, name, full, count) for name in runs.names}
    label, ranks = runs.request.label(measure), range(1, count + 1)
    what = f"Of the missing {label}, how much each rank loses against the ideal; the ranks add up to it."
    below = "" if k <= RANKS else f" Only the first {RANKS} ranks are shown."
    subtitle = f"{what}{below}" if full.normalised else "How much of the ideal sum each rank lacks."
    title = "Where gain is lost"
    if len(runs.names) == 1:
        bars = tuple(Bar(str(rank), value) for rank, value in zip(ranks, lost[runs.names[0]], strict=True))
        return Bars(title=title, subtitle=subtitle, bars=bars, x_label="rank")
    curves = [
        Curve(name, list(ranks), lost[name], mark=runs.marks[number], line=LINES[number % len(LINES)])
        for number, name in enumerate(runs.names)
    ]
    return Curves(title=title, subtitle=subtitle, curves=tuple(curves), x_label="rank", reference=0.0)


def _lost(runs: ReportedRuns, reevaluated: ReevaluatedRuns, name: str, measure: Gains, count: int) -> list[float]:
    """Return by rank the mean over queries of what is missing to the ideal, as a share of the ideal sum."""
    top, evaluation = reevaluated.top[name], reevaluated.results[name].evaluation
    weights = weights_of(measure, count)
    actual, ideal = (np.nan_to_num(ranks.matrix(ranks.gains, count)) * weights for ranks in (top.ranked, top.ideal))
    row_of = {query: row for row, query in enumerate(evaluation.queries)}
    rows = [row_of[query] for query in top.queries]
    sums, values = (
        np.array(evaluation.values[m])[rows] for m in (reevaluated.ideal_sum, runs.explained) if m is not None
    )
    kept = (sums > 0) & ~np.isnan(values)
    scale = sums[kept, None] if measure.normalised else 1.0
    if not kept.any():
        return [0.0] * count
    return [float(value) for value in ((ideal[kept] - actual[kept]) / scale).mean(axis=0)]


def grades_by_rank(runs: ReportedRuns, reevaluated: ReevaluatedRuns) -> list[HeatMap]:
    """Return for each run how often each rank holds each grade."""
    count = min(RANKS, max((int(top.lengths.max(initial=1)) for top in reevaluated.top.values()), default=1))
    levels = _levels(np.concatenate([top.ranked.grades for top in reevaluated.top.values()]))
    maps = []
    for name in runs.names:
        ranks = reevaluated.top[name].ranked
        grades = ranks.matrix(np.where(np.isnan(ranks.grades), np.inf, ranks.grades), count)
        queries = max(1, len(grades))
        rows = [tuple((((grades >= low) & (grades < high)).sum(axis=0) / queries).tolist()) for _, low, high in levels]
        rows.append(tuple((np.isposinf(grades).sum(axis=0) / queries).tolist()))
        maps.append(
            HeatMap(
                title=name,
                rows=(*(label for label, _, _ in levels), UNJUDGED),
                columns=tuple(map(str, range(1, count + 1))),
                values=tuple(rows),
                grey_rows=frozenset({UNJUDGED}),
                percent=True,
                places=0,
                x_label="rank",
                y_label="grade",
            )
        )
    return maps


def _levels(grades: npt.NDArray[np.float64]) -> list[tuple[str, float, float]]:
    """Return (label, from, below) of each grade, or of ranges of grades, highest first."""
    known = np.unique(grades[np.isfinite(grades)])
    if len(known) <= MOST_LEVELS:
        return [(f"{grade:g}", float(grade), float(np.nextafter(grade, np.inf))) for grade in known[::-1]]
    edges = np.linspace(known[0], known[-1], RANGES + 1)
    tops = [*edges[1:-1], np.nextafter(known[-1], np.inf)]
    ranges = [
        (f"{low:.3g}–{high:.3g}", float(low), float(top))
        for low, high, top in zip(edges, edges[1:], tops, strict=False)
    ]
    return ranges[::-1]
