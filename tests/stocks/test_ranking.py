from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from rankgauge import conventions
from rankgauge.conventions.convention import QUESTIONS
from rankgauge.engines.reference.order import order
from rankgauge.grading.returns import returns
from rankgauge.stocks.study import study

DAYS, STOCKS, K = 12, 9, 3
TICKERS = [f"T{number}" for number in (3, 10, 1, 7, 2, 0, 11, 5, 4)]


def market() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Prices, and long scores of which many are equal, or equal as 32-bit floats."""
    rng = np.random.default_rng(7)
    dates = pd.bdate_range("2026-01-01", periods=DAYS)
    prices = pd.DataFrame(np.exp(rng.normal(0, 0.05, (DAYS, STOCKS)).cumsum(axis=0)), index=dates, columns=TICKERS)
    values = rng.choice([0.5, 0.5 + 1e-9, 1.0, 2.0], (DAYS, STOCKS))
    scores = pd.DataFrame(values, index=dates.rename("date"), columns=TICKERS)
    long = scores.reset_index().melt("date", var_name="ticker", value_name="score")
    return prices, long.sample(frac=0.9, random_state=1)


def top_returns(prices: pd.DataFrame, scores: pd.DataFrame, convention: Any) -> list[float]:
    """The mean return of the first k of each date, in the order of the reference engine."""
    graded = returns(prices, horizon=1, levels=3).frame
    means = []
    for date, rows in graded.groupby("date"):
        grades = dict(zip(rows["ticker"], rows["grade"], strict=True))
        scored = scores[scores["date"] == date]
        pairs = list(zip(scored["ticker"], scored["score"], strict=True))
        ranked = order(pairs, grades, str(date), convention)
        by_ticker = dict(zip(rows["ticker"], rows["return"], strict=True))
        means.append(math.fsum(by_ticker[ticker] for ticker in ranked.items[:K]) / K)
    return means


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("ties", QUESTIONS["ties"].answers)
def test_study_with_equal_scores_holds_the_stocks_that_the_convention_ranks_first(ties: str, precision: str) -> None:
    prices, scores = market()
    convention = conventions.get(f"trec_eval(ties={ties},precision={precision})", unjudged="drop")
    found = study(prices, scores, k=K, horizon=1, levels=3, convention=convention)
    assert found.per_date["top_return"] == pytest.approx(top_returns(prices, scores, convention), abs=1e-15)
    assert f"(ties={ties})" in str(found)


def test_study_of_one_date_lists_stocks_in_the_order_of_the_convention() -> None:
    table = pd.DataFrame({"stock": list("ABC"), "return": [0.1, 0.2, 0.3], "score": [1.0, 1.0, 2.0]})
    tickers = {}
    for ties in ("id-descending", "id-ascending", "given", "reversed"):
        stocks = study(table, k=2, levels=3, convention=f"trec_eval(ties={ties})").stocks
        tickers[ties] = "".join(stock.ticker for stock in stocks)
    assert tickers == {"id-descending": "CBA", "id-ascending": "CAB", "given": "CAB", "reversed": "CBA"}
