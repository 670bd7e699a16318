from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis.strategies import DataObject, data, integers, permutations, sampled_from
from tests.stocks.market import held, mean_of

from rankgauge import conventions
from rankgauge.conventions.convention import QUESTIONS
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


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("ties", QUESTIONS["ties"].answers)
def test_study_with_equal_scores_shares_places_under_every_convention(ties: str, precision: str) -> None:
    prices, scores = market()
    convention = conventions.get(f"trec_eval(ties={ties},precision={precision})", unjudged="drop")
    actual = study(prices, scores, k=K, horizon=1, levels=3, convention=convention)
    expected = []
    for _, rows in returns(prices, horizon=1, levels=3).frame.merge(scores, on=["date", "ticker"]).groupby("date"):
        compared = rows["score"].astype(precision)
        expected.append(mean_of(rows["return"], held(compared, K)))
    assert actual.per_date["top_return"] == pytest.approx(expected, abs=1e-15)
    assert f"(ties={ties})" in str(actual)


@given(data())
@settings(max_examples=25)
def test_study_with_renamed_tickers_has_the_same_numbers(draw: DataObject) -> None:
    """Equal scores, equal returns, groups: the name of a stock decides nothing."""
    source = np.random.default_rng(draw.draw(integers(0, 2**32 - 1)))
    k, group = draw.draw(integers(1, 10)), draw.draw(sampled_from([None, "sector"]))
    days, tickers = pd.bdate_range("2026-01-01", periods=6), [f"T{number}" for number in range(STOCKS)]
    cells = pd.MultiIndex.from_product([days, tickers], names=["date", "ticker"])
    table = pd.DataFrame(index=cells).reset_index()
    table["close"] = source.choice([9.0, 10.0, 11.0, 12.5], len(table))
    table["sector"] = table["ticker"].map({ticker: number % 2 for number, ticker in enumerate(tickers)})
    table["score"] = source.choice([-1.0, 0.1, 0.2, 0.7], len(table))
    names = dict(zip(tickers, draw.draw(permutations(tickers)), strict=True))
    renamed = table.assign(ticker=table["ticker"].map(names))
    options: dict[str, Any] = {"k": k, "horizon": 1, "levels": 2, "group": group}
    before, after = (study(each[["date", "ticker", "close", "sector"]], each, **options) for each in (table, renamed))
    pd.testing.assert_frame_equal(before.per_date.to_pandas(), after.per_date.to_pandas(), rtol=1e-12, atol=1e-15)


def test_study_of_one_date_lists_stocks_in_the_order_of_the_convention() -> None:
    table = pd.DataFrame({"stock": list("ABC"), "return": [0.1, 0.2, 0.3], "score": [1.0, 1.0, 2.0]})
    tickers = {}
    for ties in ("id-descending", "id-ascending", "given", "reversed"):
        stocks = study(table, k=2, levels=3, convention=f"trec_eval(ties={ties})").stocks
        tickers[ties] = "".join(stock.ticker for stock in stocks)
        assert [stock.rank for stock in stocks] == [1, 2, 2]
    assert tickers == {"id-descending": "CBA", "id-ascending": "CAB", "given": "CAB", "reversed": "CBA"}
