"""The report of an audit."""

from __future__ import annotations

import polars as pl
from tests.reports.test_comparison import charts

import rankgauge as rg

RATINGS = pl.DataFrame(
    {"user": [1, 1, 1, 2], "item": [7, 8, 9, 7], "rating": [5.0, 3.0, None, 4.0]},
)


def test_report_says_what_was_dropped_and_graded() -> None:
    graded = rg.grading.ratings(RATINGS, least=4)
    report = graded.report()
    assert report.headline == "3 of 4 rows graded"
    assert report.lead.startswith("Dropped: ")
    assert [chart.title for chart in charts(report)] == ["Items by grade"]
    assert "How it was made" in report.to_html()


def test_report_of_grades_by_date_shows_them_over_time() -> None:
    days = [f"2024-01-{day:02}" for day in range(1, 29)]
    prices = pl.DataFrame(
        {
            "date": [day for day in days for _ in range(6)],
            "ticker": [f"S{number}" for _ in days for number in range(6)],
            "price": [100.0 + place * (number + 1) % 17 for place in range(len(days)) for number in range(6)],
        }
    )
    graded = rg.grading.returns(prices, horizon=5, levels=3)
    titles = [chart.title for chart in charts(graded.report())]
    assert titles == ["Items by grade", "Graded items by date"]
    assert "Every date" in graded.report().to_html()
