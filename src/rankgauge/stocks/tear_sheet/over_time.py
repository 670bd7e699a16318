"""NDCG and rank IC over time, and month by month."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rankgauge.presentation.charts import Curve, Curves, HeatMap
from rankgauge.presentation.parts import Heading, SideBySide
from rankgauge.statistics.mean_over_dates import mean_over_dates
from rankgauge.stocks.regimes import MONTHS, by_month
from rankgauge.stocks.study_values import mean_of_known
from rankgauge.stocks.tear_sheet.positions import positions

if TYPE_CHECKING:
    from rankgauge.presentation.report.page import ReportPart
    from rankgauge.stocks.study_values import StudyValues

# A quarter of trading days.
WINDOW: Final = 63
MOST_POINTS: Final = 250


class Rolling(NamedTuple):
    """The mean over the dates up to each of some dates, and its interval."""

    dates: tuple[int, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def window_of(study: StudyValues) -> int:
    """Return over how many dates a mean goes: a quarter, or as many as an interval takes; 1 of few dates."""
    window = max(WINDOW, study.care.fewest)
    return window if len(study.per_date) >= 2 * window else 1


def rolling(study: StudyValues, measure: str, window: int) -> Rolling:
    """Return the means over so many dates, each with the interval of the difference from chance."""
    values, chance = study.per_date[measure], study.chances[measure]
    count = len(values)
    step = max(1, -(-(count - window + 1) // MOST_POINTS))
    ends = range(count - 1, window - 2, -step)
    rows = [
        _mean(values[end - window + 1 : end + 1], chance[end - window + 1 : end + 1], study) for end in reversed(ends)
    ]
    means, lows, highs = zip(*rows, strict=True) if rows else ((), (), ())
    return Rolling(tuple(reversed(ends)), means, lows, highs)


def _mean(values: Sequence[float], chance: Sequence[float], study: StudyValues) -> tuple[float, float, float]:
    known = [(value, base) for value, base in zip(values, chance, strict=True) if not math.isnan(value)]
    if not known:
        return math.nan, math.nan, math.nan
    base = math.fsum(each for _, each in known) / len(known)
    above_chance = mean_over_dates([value - other for value, other in known], study.care.overlap + 1)
    return above_chance.mean + base, above_chance.low + base, above_chance.high + base


def over_time_parts(study: StudyValues) -> list[ReportPart]:
    """Return the curves of NDCG and rank IC, and the means by month."""
    window = window_of(study)
    how = f"Means over {window} dates with their 95% intervals." if window > 1 else "The value of each date."
    charts = (over_time(study, study.ndcg), over_time(study, "rank_ic"))
    heat = heat_map(study, "rank_ic")
    return [
        Heading("Over time", f"{how} Intervals of neighbouring windows share dates, so one dip shows in many of them."),
        SideBySide(charts),
        *([heat] if heat.rows else []),
    ]


def over_time(study: StudyValues, measure: str) -> Curves:
    """Return the mean of a measure over a window that moves, with its interval, and what chance gives."""
    chance = mean_of_known(study.chances[measure])
    means = rolling(study, measure, window_of(study))
    every = positions(study.per_date["date"])
    has_band = any(not math.isnan(low) for low in means.low)
    curve = Curve(
        "",
        [every[date] for date in means.dates],
        list(means.mean),
        list(means.low) if has_band else None,
        list(means.high) if has_band else None,
    )
    reference = None if math.isnan(chance) else chance
    return Curves(title=f"{measure} over time", curves=(curve,), reference=reference, reference_label="chance")


def heat_map(study: StudyValues, measure: str) -> HeatMap:
    """Return the means of a measure by year and month."""
    cells = by_month(study, measure)
    values = tuple(tuple(months.get(month) for month in range(1, 13)) for months in cells.values())
    return HeatMap(
        title=f"Mean {measure} by month",
        subtitle="Blue above 0, orange below; the stronger, the further.",
        rows=tuple(cells),
        columns=MONTHS,
        values=values,
        signed=True,
        written=True,
        places=2,
    )
