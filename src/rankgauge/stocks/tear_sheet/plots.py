"""Which chart a plot of a study shows: those of the tear sheet, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from rankgauge.checks import require_choice
from rankgauge.errors import RankgaugeError
from rankgauge.presentation.charts import Chart
from rankgauge.stocks.tear_sheet.comparison import by_date, differences
from rankgauge.stocks.tear_sheet.horizons import by_horizon
from rankgauge.stocks.tear_sheet.over_time import heat_map, over_time
from rankgauge.stocks.tear_sheet.returns import bucket_bars, cumulative_curve

if TYPE_CHECKING:
    from rankgauge.measures import Measure
    from rankgauge.stocks.comparison import StudyComparison
    from rankgauge.stocks.study_result import Study


def _horizons(study: Study) -> Chart:
    if not study.horizons:
        raise RankgaugeError(
            "not-plotted", got="horizons", reason="one horizon was studied: ask for horizon=[1, 5, 20]"
        )
    return by_horizon(study, "rank_ic", "rank_ic")


def _cumulative(study: Study) -> Chart:
    curve = cumulative_curve(study)
    if curve is None:
        raise RankgaugeError("not-plotted", got="cumulative", reason="a table of returns has no prices to follow")
    return curve


_CHARTS: Final[Mapping[str, Callable[[Study], Chart]]] = {
    "ic": lambda study: over_time(study, "rank_ic"),
    "ndcg": lambda study: over_time(study, study.ndcg),
    "months": lambda study: heat_map(study, "rank_ic"),
    "buckets": bucket_bars,
    "cumulative": _cumulative,
    "horizons": _horizons,
}


def chart_of_study(study: Study, what: str) -> Chart:
    """Return one of the charts of a study; see `Study.plot`."""
    require_choice("what", what, list(_CHARTS), "which chart to draw")
    return _CHARTS[what](study)


def chart_of_models(comparison: StudyComparison, what: str, measure: str | Measure | None) -> Chart:
    """Return one of the charts of a comparison of models; see `StudyComparison.plot`."""
    require_choice("what", what, ["differences", "ordered"], "which chart to draw")
    chosen = comparison.measures[0] if measure is None else comparison.summaries.label(measure) or str(measure)
    require_choice("measure", chosen, comparison.measures, "one that was studied")
    return differences(comparison, chosen) if what == "differences" else by_date(comparison)
