"""Which chart a plot of a result, a comparison or an explanation shows: those of the report, one at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rankgauge.checks import require_choice
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.presentation.charts import Bar, Bars, Chart, Curve, Curves, IntervalRow, Intervals, Mark
from rankgauge.reports import cutoffs, queries, ranks
from rankgauge.reports.conventions import by_convention
from rankgauge.reports.means import differences
from rankgauge.reports.reevaluation import ReevaluatedRuns, evaluate_again
from rankgauge.reports.runs import ReportedRuns
from rankgauge.results.light_evaluation import LightEvaluation
from rankgauge.results.measure_lookup import find_measure
from rankgauge.statistics import LEVEL

if TYPE_CHECKING:
    from rankgauge.measures import Measure
    from rankgauge.results.comparison import Comparison
    from rankgauge.results.explanation import Explanation
    from rankgauge.results.result import Result


def chart_of_result(result: Result, what: str, measure: str | Measure | None = None) -> Chart:
    """Return one of the charts of a result; see `Result.plot`."""
    require_choice("what", what, ["means", "queries", *_BY_RANK], "which chart to draw")
    if what == "means":
        return means_of_result(result)
    if isinstance(result.evaluation, LightEvaluation):
        raise RankgaugeError(result.evaluation.lacks_values)
    runs = _following(ReportedRuns.of_result(result), measure)
    return spread(runs) if what == "queries" else _by_rank(runs, what)


def chart_of_comparison(comparison: Comparison, what: str, measure: str | Measure | None = None) -> Chart:
    """Return one of the charts of a comparison; see `Comparison.plot`."""
    known = ["differences", "means", "ordered", "scatter", "queries", *_BY_RANK]
    require_choice("what", what, known, "which chart to draw")
    runs = _following(ReportedRuns.of_comparison(comparison), measure)
    if what == "differences":
        return differences(comparison, runs.main)
    if what == "means":
        return means_of_comparison(comparison, runs.main)
    of_queries: Mapping[str, Callable[[ReportedRuns], Chart]] = {
        "ordered": ordered,
        "scatter": queries.against,
        "queries": spread,
    }
    return of_queries[what](runs) if what in of_queries else _by_rank(runs, what)


def means_of_result(result: Result) -> Intervals:
    """Return the number of each measure with its interval."""
    rows = []
    for measure in result.measures:
        low, high = (None if math.isnan(end) else end for end in result.interval(measure))
        rows.append(IntervalRow(result.request.label(measure), result[measure], low, high))
    return Intervals(
        title=Text("Means"),
        subtitle=f"{LEVEL:.0%} intervals.",
        rows=tuple(rows),
        places=4,
        value_header=Text("mean"),
    )


def means_of_comparison(comparison: Comparison, measure: Measure) -> Intervals:
    """Return the mean of each run with its interval."""
    label = comparison.request.label(measure)
    rows = []
    for run in comparison.runs:
        low, high = (None if math.isnan(end) else end for end in comparison.interval(measure, run))
        mark: Mark = "baseline" if run == comparison.design.baseline else "plain"
        rows.append(IntervalRow(run, comparison.mean(measure, run), low, high, mark=mark))
    note = "Intervals that overlap are no test of a paired difference."
    subtitle = f"{comparison.design.level:.0%} intervals. {note}"
    return Intervals(
        title=Text("Means of {}", label), subtitle=subtitle, rows=tuple(rows), places=4, value_header=Text("mean")
    )


def spread(runs: ReportedRuns) -> Chart:
    """Return how many queries have which value."""
    return replace(queries.spread(runs), subtitle="How many queries have which value.")


def ordered(runs: ReportedRuns) -> Chart:
    """Return the difference of each query, in order."""
    return replace(queries.ordered_differences(runs), subtitle=f"Difference in {runs.label} of each query, in order.")


def _following(runs: ReportedRuns, measure: str | Measure | None) -> ReportedRuns:
    """Put the measure that is asked for first."""
    if measure is None:
        return runs
    chosen = find_measure(measure, runs.request)
    others = {other: values for other, values in runs.values.items() if other != chosen}
    return replace(runs, values={chosen: runs.values[chosen], **others})


def _loss(runs: ReportedRuns, reevaluated: ReevaluatedRuns) -> Chart:
    chart = ranks.loss_by_rank(runs, reevaluated)
    if chart is None:
        raise RankgaugeError("not-plotted", got="ranks", reason="no measure of gains was asked for")
    return chart


def _grades(runs: ReportedRuns, reevaluated: ReevaluatedRuns) -> Chart:
    return ranks.grades_by_rank(runs, reevaluated)[0]


_BY_RANK: Final[Mapping[str, Callable[[ReportedRuns, ReevaluatedRuns], Chart]]] = {
    "cutoffs": cutoffs.over_cutoffs,
    "recall": cutoffs.precision_over_recall,
    "ranks": _loss,
    "grades": _grades,
    "conventions": by_convention,
}


def _by_rank(runs: ReportedRuns, what: str) -> Chart:
    reevaluated = evaluate_again(runs)
    if isinstance(reevaluated, str):
        raise RankgaugeError("not-plotted", got=what, reason=reevaluated)
    return _BY_RANK[what](runs, reevaluated)


def chart_of_explanation(explanation: Explanation, what: str) -> Chart:
    """Return one of the charts of an explanation; see `Explanation.plot`."""
    require_choice("what", what, ["ranks", "sums", "costs"], "which chart to draw")
    name = explanation.label or str(explanation.measure)
    title = f"{name} = {explanation.value:.4f} for query {explanation.query}"
    both: dict[str, Any] = {"ranking": explanation.ranks, "ideal": explanation.ideal_ranks}
    if what == "costs":
        costs = tuple(Bar(cost.item or "(no item)", cost.cost) for cost in explanation.costs)
        return Bars(title=title, subtitle="What each item's place costs.", bars=costs, x_label="item", signed=True)
    if what == "sums":
        actual, ideal = ([(rank.rank, rank.running) for rank in ranks] for ranks in both.values())
        lines = (
            Curve("ranking", *_columns(actual)),
            Curve("ideal", *_columns(ideal), mark="baseline", line="dashed"),
        )
        return Curves(title=title, subtitle="The sum down to each rank.", curves=lines, x_label="rank")
    bars = tuple(Bar(str(rank.rank), rank.contribution, group=side) for side, ranks in both.items() for rank in ranks)
    return Bars(title=title, subtitle="What each rank adds: gain × discount.", bars=bars, x_label="rank")


def _columns(points: Sequence[tuple[int, float]]) -> tuple[list[int], list[float]]:
    return [rank for rank, _ in points], [value for _, value in points]
