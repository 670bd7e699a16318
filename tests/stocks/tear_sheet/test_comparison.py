from __future__ import annotations

from pathlib import Path

from tests.stocks.market import noise, wandering

import rankgauge as rg
from rankgauge.presentation.charts import Intervals, OrderedBars
from rankgauge.presentation.parts import Heading

PRICES = wandering(days=120)
MODELS = {"a": noise(PRICES, seed=3), "b": noise(PRICES, seed=4), "c": noise(PRICES, seed=5)}
COMPARISON = rg.stocks.compare(PRICES, MODELS, k=4, baseline="a")


def test_report_of_models_has_their_skill_and_differences(tmp_path: Path) -> None:
    report = COMPARISON.report(tmp_path / "models.html")
    assert [part.text for part in report.parts if isinstance(part, Heading)] == [
        *("Models", "Better than chance?", "Differences", "Date by date", "How it was made"),
    ]
    assert report.headline == COMPARISON.headline()
    assert COMPARISON.skill_table() in report.parts
    (chart,) = [part for part in report.parts if isinstance(part, Intervals)]
    assert [(row.label, row.note) for row in chart.rows] == [("b", "against a"), ("c", "against a")]
    pair = COMPARISON.pair("ndcg@4", "b", "a")
    assert (chart.rows[0].value, chart.rows[0].low, chart.rows[0].high) == (pair.difference, *pair.interval)
    assert (tmp_path / "models.html").stat().st_size < 200_000


def test_report_of_models_orders_the_dates_of_the_main_pair() -> None:
    (bars,) = [part for part in COMPARISON.report().parts if isinstance(part, OrderedBars)]
    pair = COMPARISON.main_pair()
    assert bars.title == f"{pair.first} less {pair.second}, date by date"
    assert (bars.better, bars.equal, bars.worse) == (pair.wins, pair.ties, pair.losses)
