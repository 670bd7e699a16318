from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.grading.plain_returns import END, messy_prices

import rankgauge as rg
from rankgauge.grading.audited import Audited
from rankgauge.grading.returns import returns

# Forecasts


# Tables without anything to grade


# Errors


def tidy_prices(dates: int, stocks: int, seed: int) -> pd.DataFrame:
    source = np.random.default_rng(seed)
    closes = np.round(20 * np.exp(np.cumsum(source.normal(0, 0.02, (dates, stocks)), axis=0)), 2)
    frame = pd.DataFrame(closes, index=pd.bdate_range("2026-01-01", periods=dates, name="date"))
    frame.columns = pd.Index([f"S{stock:03}" for stock in range(stocks)], name="ticker")
    return frame.reset_index().melt(id_vars="date", value_name="close")


def forecast(result: Audited) -> pd.DataFrame:
    names = {result.roles["query"]: "date", result.roles["item"]: "ticker", "return": "score"}
    return pd.DataFrame(result.frame[[*names]]).rename(columns=names)


OPTIONS: list[dict[str, Any]] = [
    {"levels": 5},
    {"levels": 10, "ties": "max", "lag": 1},
    {"levels": 3, "ties": "min", "stopped": -0.3},
    {"levels": "rank", "excess": "mean"},
    {"levels": 5, "excess": "index", "gaps": "drop"},
    {"thresholds": [-0.03, 0.0, 0.03]},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("gain", ["linear", "exp2"])
def test_returns_ranked_perfectly_have_ndcg_1(options: dict[str, Any], gain: str) -> None:
    table = pd.DataFrame(messy_prices(8, days=30, stocks=25))
    result = returns(table, horizon=2, **options)
    highest = result.frame.groupby("day")["grade"].max()
    dates = {day for day, grade in highest.items() if grade > 0}
    assert len(dates) > 20
    measures = [f"ndcg(gain={gain})@{k}" for k in (1, 3, 10, 25)]
    values = rg.evaluate(result, forecast(result), measures).per_query
    for measure in measures:
        assert {value for date, value in values[measure].items() if date in dates} == {1.0}
        assert dates <= values[measure].keys()


def test_returns_in_groups_ranked_perfectly_have_ndcg_1() -> None:
    """Grades of two sectors do not compare by return, but each sector has its own perfect order."""
    table = pd.DataFrame(messy_prices(9, days=30, stocks=30))
    result = returns(table, horizon=2, levels=3, group="sector")
    sectors = table.drop_duplicates("symbol").set_index("symbol")["sector"]
    of_row = result.frame["symbol"].map(sectors)
    for sector in ("energy", "health"):
        of_sector = Audited(result.frame[of_row == sector], result.audit, result.roles)
        assert set(rg.evaluate(of_sector, forecast(of_sector), "ndcg@5").per_query["ndcg@5"].values()) == {1.0}
    together = rg.evaluate(result, forecast(result), "ndcg@5")
    assert together["ndcg@5"] < 1.0
    by_grade = forecast(result).assign(score=result.frame["grade"].astype(float))
    assert set(rg.evaluate(result, by_grade, "ndcg@5").per_query["ndcg@5"].values()) == {1.0}


@pytest.mark.parametrize(("gain", "expectation"), [("linear", 0.5), ("exp2", 5.2 / 15)])
def test_returns_ranked_randomly_have_the_expected_ndcg(gain: str, expectation: float) -> None:
    result = returns(tidy_prices(dates=405, stocks=50, seed=1), horizon=5)
    assert result.audit.dropped[END] == 5 * 50
    source = np.random.default_rng(2)
    shuffled = forecast(result).assign(score=source.permutation(len(result.frame)).astype(float))
    names = [f"{name}(gain={gain})@{k}" for k in (1, 5, 10) for name in ("ndcg", "random_ndcg")]
    values = rg.evaluate(result, shuffled, names).per_query
    for measured, expected in zip(names[::2], names[1::2], strict=True):
        of_dates = list(values[measured].values())
        error = float(np.std(of_dates, ddof=1)) / math.sqrt(len(of_dates))
        assert len(of_dates) == 400
        assert abs(float(np.mean(of_dates)) - expectation) < 4 * error < 0.1
        # Ties of returns rounded to cents leave some dates with parts that are not quite equal.
        assert float(np.mean(list(values[expected].values()))) == pytest.approx(expectation, abs=0.01)


@pytest.mark.parametrize(("gain", "expectation"), [("linear", 0.5), ("exp2", 5.2 / 15)])
@pytest.mark.parametrize("k", [1, 3, 10])
def test_returns_in_five_parts_have_the_closed_form_expectation(gain: str, expectation: float, k: int) -> None:
    closes = {f"S{stock:02}": [100.0, 101.0 + stock] for stock in range(50)}
    result = returns(pd.DataFrame({"date": ["20260102", "20260105"], **closes}), horizon=1)
    assert result.audit.grades == dict.fromkeys(range(5), 10)
    scores = result.frame[["date", "ticker"]].assign(score=1.0)
    measure = f"random_ndcg(gain={gain})@{k}"
    assert rg.evaluate(result, scores, measure)[measure] == pytest.approx(expectation, rel=1e-12)
