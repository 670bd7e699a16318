from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.stocks.market import forward, long, noise, wandering

from rankgauge.presentation.charts import Bars, Chart, Curves, HeatMap, Intervals
from rankgauge.presentation.parts import Heading, SideBySide
from rankgauge.presentation.report.page import FoldedParts, Report
from rankgauge.presentation.table import Table
from rankgauge.statistics.mean_over_dates import mean_over_dates
from rankgauge.stocks.cumulative_returns import cumulative_returns
from rankgauge.stocks.study import study
from rankgauge.stocks.tear_sheet.over_time import rolling, window_of

PRICES = wandering(days=220)
SCORES = noise(PRICES)
STUDY = study(PRICES, SCORES, k=4, horizon=[5, 1, 10])
GROUPS = {ticker: "a" if number < 6 else "b" for number, ticker in enumerate(PRICES.columns)}
REPORT = STUDY.report(group=GROUPS)


def charts(report: Report) -> dict[str, Chart]:
    actual: dict[str, Chart] = {}
    for part in report.parts:
        inside = part.charts if isinstance(part, SideBySide) else (part,)
        actual |= {chart.title: chart for chart in inside if isinstance(chart, Chart)}
    return actual


def headings(report: Report) -> list[str]:
    return [part.text for part in report.parts if isinstance(part, Heading)]


def test_tear_sheet_has_every_section() -> None:
    assert headings(REPORT) == [
        "Better than chance?",
        "Over time",
        "Decay",
        "Returns",
        "Turnover and costs",
        "Years and regimes",
        "By group",
        "Best and worst days",
        "What is a grade?",
        "Audit",
        "How it was made",
    ]
    assert [type(chart) for chart in charts(REPORT).values()] == [
        *(Curves, Curves, HeatMap, Bars, Bars, Bars, Curves, Curves, Curves, Intervals, Intervals),
    ]
    assert REPORT.headline.startswith("No skill shown: ndcg@4 is 0.")
    assert "215 dates" in REPORT.what
    tables = [part.headers for part in REPORT.parts if isinstance(part, Table)]
    assert STUDY.table().headers in tables
    assert STUDY.audit.overview().headers in tables


def test_over_time_has_the_mean_of_each_window_with_its_interval() -> None:
    assert window_of(STUDY) == 63
    actual = rolling(STUDY, "ndcg@4", 63)
    above = np.array(STUDY.per_date["ndcg@4"]) - np.array(STUDY.chances["ndcg@4"])
    assert (actual.dates[0], actual.dates[-1]) == (62, 214)
    for place in (0, 40, -1):
        last = actual.dates[place]
        skill = mean_over_dates(above[last - 62 : last + 1].tolist(), 5)
        chance = np.mean(STUDY.chances["ndcg@4"][last - 62 : last + 1])
        assert actual.mean[place] == pytest.approx(np.mean(STUDY.per_date["ndcg@4"][last - 62 : last + 1]))
        assert (actual.low[place], actual.high[place]) == pytest.approx((chance + skill.low, chance + skill.high))
    curve = charts(REPORT)["ndcg@4 over time"]
    assert isinstance(curve, Curves)
    assert list(curve.curves[0].y) == list(actual.mean)
    assert curve.reference == pytest.approx(STUDY["ndcg@4"].chance)
    assert len(rolling(STUDY, "rank_ic", 1).dates) == 215


def test_over_time_of_many_dates_has_few_points() -> None:
    prices = wandering(days=700, stocks=6)
    actual = study(prices, noise(prices), k=2, horizon=1)
    points = rolling(actual, "rank_ic", 63).dates
    assert len(points) <= 250
    assert points[-1] == len(actual.per_date) - 1


def test_decay_has_the_skill_of_each_horizon() -> None:
    chart = charts(REPORT)["rank_ic by horizon"]
    assert isinstance(chart, Bars)
    assert [bar.label for bar in chart.bars] == ["1", "5", "10"]
    rows = [of_measures["rank_ic"] for of_measures in STUDY.horizons.values()]
    assert [(bar.value, bar.low, bar.high) for bar in chart.bars] == [(row.above, row.low, row.high) for row in rows]


def test_returns_are_those_of_buckets_and_of_the_spread() -> None:
    bars, curve = charts(REPORT)["Mean return by bucket"], charts(REPORT)["Long–short, cumulative"]
    assert isinstance(bars, Bars)
    assert [bar.value for bar in bars.bars] == [row[4] for row in STUDY.by_bucket().rows]
    expected = cumulative_returns(STUDY)
    assert isinstance(curve, Curves)
    assert expected is not None
    assert list(curve.curves[0].y) == expected.earned.tolist()
    assert list(curve.curves[0].low or []) == expected.low.tolist()


def test_regimes_have_a_row_per_year_and_market() -> None:
    chart = charts(REPORT)["ndcg@4 above chance by year and market"]
    assert isinstance(chart, Intervals)
    assert [row.label for row in chart.rows] == ["2020", "up", "down", "calm", "usual", "restless"]
    assert chart.rows[0].value == STUDY["ndcg@4"].above
    assert chart.rows[0].details == ("215 dates",)


def test_days_have_their_rankings() -> None:
    folded = [
        part for part in REPORT.parts if isinstance(part, FoldedParts) and part.summary.endswith("as it was ranked")
    ]
    dates = [str(row[0]) for table in (STUDY.best(5), STUDY.worst(5)) for row in table.rows]
    assert [part.summary for part in folded] == [f"{date} as it was ranked" for date in dates]
    assert [part.parts[0] for part in folded] == [STUDY.ranking(date) for date in dates]


def test_days_of_many_stocks_show_the_first_and_the_last() -> None:
    prices = wandering(days=12, stocks=80)
    actual = study(prices, noise(prices), k=4, horizon=1)
    (first,) = [part for part in actual.report().parts if isinstance(part, FoldedParts) and "ranked" in part.summary][
        :1
    ]
    table = first.parts[0]
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == [*range(1, 26), *range(56, 81)]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            {},
            "bought at the close of the date and sold 5 rows later; within the date the best fifth of the returns gets",
        ),
        (
            {"lag": 1, "levels": 3},
            "bought at the close 1 row after the date and sold 5 rows later; within the date the",
        ),
        ({"thresholds": [-0.02, 0.02]}, "its grade is how many of -0.02, 0.02 the return reaches"),
        ({"levels": "rank"}, "its grade is the rank of that return within the date"),
        ({"levels": 7}, "the best of 7 parts of the returns gets grade 6"),
    ],
)
def test_grade_is_explained_as_it_was_made(options: dict[str, Any], says: str) -> None:
    texts = [part for part in study(PRICES, SCORES, k=4, **options).report().parts if isinstance(part, str)]
    assert says in texts[0]


def test_tear_sheet_of_one_horizon_says_how_to_ask_for_more() -> None:
    report = study(PRICES, SCORES, k=4).report()
    (decay,) = [part for part in report.parts if isinstance(part, Heading) and part.text == "Decay"]
    assert "horizon=[1, 5, 10, 20]" in decay.note
    assert "By group" not in headings(report)


def test_tear_sheet_of_known_returns_has_no_calendar_time() -> None:
    report = study(long(forward(PRICES, 5), "return"), SCORES, k=4).report()
    assert "Long–short, cumulative" not in charts(report)
    assert "Mean return by bucket" in charts(report)


def test_tear_sheet_of_one_date_has_its_ranking() -> None:
    table = pd.DataFrame({"stock": list("ABCDE"), "return": [0.1, 0.0, -0.1, 0.2, 0.3], "rank": [1, 2, 3, 4, 5]})
    report = study(table, k=3).report()
    assert report.headline.startswith("Too few dates to tell luck from skill: ndcg@3 is")
    assert "The day" in headings(report)
    assert "Over time" not in headings(report)


def test_headline_of_constant_scores_says_that_nothing_varies() -> None:
    assert study(PRICES, SCORES * 0, k=4).headline().startswith("the same difference on every date: ndcg@4 is")


@pytest.mark.parametrize(
    ("row", "begins"),
    [((0.6, 0.001), "better than chance: "), ((0.4, 0.001), "worse than chance: "), ((0.51, 0.6), "no skill shown: ")],
)
def test_headline_says_what_is_shown(row: tuple[float, float], begins: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mean, p = row
    made = STUDY["ndcg@4"]._replace(mean=mean, above=mean - 0.5, p=p)
    monkeypatch.setattr(type(STUDY), "__getitem__", lambda *_: made)
    assert STUDY.headline().startswith(begins)


def test_report_saved_is_the_same_every_time(tmp_path: Path) -> None:
    path = tmp_path / "tear.html"
    first = STUDY.report(path, group=GROUPS)
    assert path.read_text(encoding="utf-8") == first.to_html() == REPORT.to_html()
    assert len(path.read_bytes()) < 300_000
    assert math.isfinite(STUDY["rank_ic"].t)
