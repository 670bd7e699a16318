from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from tests.stocks.market import forward, long, noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.stocks.regimes import WINDOW, by_volatility, volatility_before
from rankgauge.stocks.study import study

PRICES = wandering(days=120)
STUDY = study(PRICES, noise(PRICES), k=4)


def test_market_of_a_study_is_the_mean_return_of_each_session() -> None:
    expected = (PRICES / PRICES.shift(1) - 1).mean(axis="columns")
    assert STUDY.market.tolist() == pytest.approx(expected.tolist(), nan_ok=True)


def test_market_with_missing_prices_is_that_of_the_stocks_with_a_price() -> None:
    prices = PRICES.copy()
    prices.iloc[10:12, 3] = np.nan
    actual = study(prices, noise(PRICES), k=4)
    assert actual.market[10] == pytest.approx((prices.iloc[10] / prices.iloc[9] - 1).mean())


def test_volatility_before_a_date_is_that_of_the_month_that_ends_with_it() -> None:
    expected = pd.Series(STUDY.market).rolling(WINDOW).std()
    assert volatility_before(STUDY.market, [60, 119]) == pytest.approx([expected[60], expected[119]])
    assert math.isnan(volatility_before(STUDY.market, [5])[0])


def test_by_volatility_has_thirds_of_the_dates_that_have_a_past() -> None:
    parts = dict(by_volatility(STUDY))
    assert list(parts) == ["calm", "usual", "restless"]
    sizes = [len(dates) for dates in parts.values()]
    assert max(sizes) - min(sizes) <= 1
    values = volatility_before(STUDY.market, range(115))
    assert max(values[date] for date in parts["calm"]) <= min(values[date] for date in parts["restless"])
    table = STUDY.by_volatility()
    assert [row[:2] for row in table.rows] == [[name, len(dates)] for name, dates in parts.items()]


def test_by_volatility_without_prices_is_empty() -> None:
    assert study(long(forward(PRICES, 5), "return"), noise(PRICES), k=4).by_volatility().rows == []


def test_by_month_is_the_mean_of_each_month() -> None:
    frame = STUDY.per_date.to_pandas()
    expected = frame.groupby(frame["date"].str[:7])["spread"].mean()
    table = STUDY.by_month("spread")
    assert table.headers[0] == "spread"
    assert table.headers[1:4] == ["Jan", "Feb", "Mar"]
    (row,) = table.rows
    assert row[0] == "2020"
    assert row[1:7] == pytest.approx(expected.tolist())
    assert row[7:] == [None] * 6
    with pytest.raises(RankgaugeError, match="did you mean 'rank_ic'"):
        STUDY.by_month("rankic")


def test_by_month_of_numbered_days_is_empty() -> None:
    days = pd.Index(range(len(PRICES)), name="date")
    assert study(PRICES.set_axis(days), noise(PRICES).set_axis(days), k=4).by_month().rows == []
