"""What buckets and portfolios earn, how much is traded for it, and what it may cost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view as sliding

from rankgauge.notation import counted
from rankgauge.presentation.charts import Bar, Bars, Chart, Curve, Curves
from rankgauge.presentation.parts import Heading, SideBySide
from rankgauge.presentation.report.page import FoldedParts
from rankgauge.stocks.buckets import buckets_of
from rankgauge.stocks.cumulative_returns import cumulative_returns
from rankgauge.stocks.persistence import break_even, persistences
from rankgauge.stocks.tear_sheet.positions import end, mark_of, positions

if TYPE_CHECKING:
    from rankgauge.presentation.report.page import ReportPart
    from rankgauge.stocks.returns_and_scores import Numbers
    from rankgauge.stocks.study_result import Study


# A month of trading days.
MONTH: Final = 21


def return_parts(study: Study) -> list[ReportPart]:
    """Return the mean return of each bucket, and what the spread earned up to each day."""
    charts: list[Chart] = [bucket_bars(study)]
    curve = cumulative_curve(study)
    charts += [] if curve is None else [curve]
    row = study["spread"]
    spread = f"best {study.k} less worst {study.k}: {row.mean:.2%} in {study.horizon} rows"
    interval = "" if math.isnan(row.low) else f" (95% {row.low:.2%} to {row.high:.2%})"
    return [
        Heading("Returns", f"Spread, {spread}{interval}."),
        SideBySide(tuple(charts)),
        FoldedParts("Every bucket as a table", (study.by_bucket(),)),
    ]


def bucket_bars(study: Study) -> Bars:
    """Return the mean return of each bucket of the scores, less that of all stocks."""
    buckets = buckets_of(study)
    skills = [buckets.skill(bucket, study.care.overlap + 1) for bucket in range(buckets.number)]
    bars = tuple(
        Bar(f"{number}", each.mean, end(each.low), end(each.high), mark=mark_of(each.low, each.high))
        for number, each in enumerate(skills, start=1)
    )
    return Bars(
        title="Mean return by bucket",
        subtitle=f"Stocks in {len(bars)} equal parts by score, lowest first; less the mean of all, 95% intervals.",
        bars=bars,
        x_label="bucket of the scores",
        percent=True,
        places=2,
        signed=True,
    )


def cumulative_curve(study: Study) -> Curves | None:
    """Return what the long–short portfolio earned up to each day, with its error in calendar time."""
    total = cumulative_returns(study)
    if total is None:
        return None
    curve = Curve("", positions(total.dates), total.earned.tolist(), total.low.tolist(), total.high.tolist())
    return Curves(
        title="Long–short, cumulative",
        subtitle=f"Best {study.k} less worst {study.k}, begun on each date, held for {study.horizon} rows; a sum, not "
        "compounded. Band: 95%, in calendar time.",
        curves=(curve,),
        reference=0.0,
        percent=True,
        places=1,
    )


def smooth(values: Numbers, window: int) -> list[float]:
    """Return the means over so many neighbouring values.

    >>> smooth(np.array([1.0, 3.0, 5.0]), 2)
    [2.0, 4.0]
    """
    return [float(np.nanmean(part)) if not np.isnan(part).all() else math.nan for part in sliding(values, window)]


def cost_parts(study: Study) -> list[ReportPart]:
    """Return turnover, rank autocorrelation and the cost at which nothing is left."""
    if len(study.per_date) < 2:
        return []
    (daily,) = persistences(study, [1])
    window = min(MONTH, len(study.per_date) - 1)
    dates = positions(study.per_date["date"])[window:]
    over = f"Means over {counted(window, 'date')}"
    series = {
        "Rank autocorrelation": (f"{over}, from date to date.", daily.autocorrelation),
        "Turnover": (f"{over}: share of the best {study.k} that was not among them the date before.", daily.top),
    }
    charts = tuple(
        Curves(title=title, subtitle=subtitle, curves=(Curve("", dates, smooth(values[1:], window)),), places=2)
        for title, (subtitle, values) in series.items()
    )
    cost = break_even(study)["spread"].cost
    known = "" if math.isnan(cost) else f" The spread pays for {cost * 10_000:.1f} basis points of what is traded."
    note = f"After the horizon a portfolio is replaced: what left is sold, what came is bought.{known}"
    return [Heading("Turnover and costs", note), SideBySide(charts), study.break_even(), study.by_period()]
