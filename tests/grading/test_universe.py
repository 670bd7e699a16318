from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.grading.library_tables import LIBRARIES, table_of
from tests.remarks import lines

from rankgauge.errors import RankgaugeError
from rankgauge.grading.returns import returns
from rankgauge.grading.universe import field_columns

DAYS, STOCKS = 40, 8


def wide(**more: Any) -> dict[str, list[Any]]:
    """Return prices that wander, a column per stock, and other columns."""
    steps = np.random.default_rng(3).normal(0.0, 0.02, (DAYS, STOCKS))
    closes = np.round(np.linspace(20, 400, STOCKS) * np.exp(np.cumsum(steps, axis=0)), 2)
    dates = [day.date() for day in pd.bdate_range("2024-01-01", periods=DAYS)]
    stocks = {f"S{number}": closes[:, number].tolist() for number in range(STOCKS)}
    return {"date": dates, **stocks, **{name: list(np.broadcast_to(values, DAYS)) for name, values in more.items()}}


def volumes(seed: int = 5) -> list[int]:
    return [int(5_000_000 * factor) for factor in np.random.default_rng(seed).lognormal(0, 0.4, DAYS)]


def refusal(table: Any, **options: Any) -> str:
    with pytest.raises(RankgaugeError) as caught:
        returns(table, **options)
    assert caught.value.code == "not-stocks"
    return str(caught.value)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", ["Volume", "Adj Close", "HIGH", "거래량", "시가총액"])
def test_returns_wide_with_a_field_is_refused_by_name(library: str, name: str) -> None:
    message = refusal(table_of(library, wide(**{name: 7.5})))
    assert f"1 column named like fields of a single stock: {name!r}" in message
    assert f"ignore=[{name!r}]" in message
    assert f"--ignore {name}" in message


def test_returns_wide_ignoring_a_field_equals_the_table_without_it() -> None:
    plain, more = pd.DataFrame(wide()), pd.DataFrame(wide(Volume=volumes(), SPY=7.5))
    less = returns(more, ignore=["Volume", "SPY"])
    assert less.frame.equals(returns(plain).frame)
    assert returns(more.drop(columns="SPY"), ignore="Volume").frame.equals(less.frame)
    assert "universe: 8 stocks, 40 dates" in lines(less.audit.remarks)


def test_field_columns_of_tickers_that_are_words_are_none() -> None:
    assert field_columns(["LOW", "OPEN", "PRICE", "AAPL"]) == []
    assert field_columns(["open", "high", "low", "AAPL"]) == ["open", "high", "low"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_wide_with_a_constant_column_is_refused(library: str) -> None:
    assert "1 column with the same number on every date: 'cash'" in refusal(table_of(library, wide(cash=1.0)))


def test_returns_wide_with_a_column_that_changes_late_is_read() -> None:
    late = [5.0] * (DAYS - 1) + [6.0]
    assert returns(pd.DataFrame(wide(halted=late))).audit.rows == DAYS * (STOCKS + 1)


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_wide_with_numbers_of_another_kind_is_refused(library: str) -> None:
    assert "whose numbers are no prices beside those of the others: 'n'" in refusal(
        table_of(library, wide(n=volumes()))
    )
    value = (np.asarray(wide()["S1"]) * 3e9).tolist()
    assert "'cap'" in refusal(table_of(library, wide(cap=value)))


@pytest.mark.parametrize("scale", [1e-3, 5_000.0])
def test_returns_wide_with_a_share_of_any_price_is_read(scale: float) -> None:
    """Berkshire Hathaway costs a million times as much as a penny stock."""
    share = (np.asarray(wide()["S3"]) * scale).round(4).tolist()
    assert returns(pd.DataFrame(wide(share=share))).audit.rows == DAYS * (STOCKS + 1)


def test_returns_wide_of_whole_prices_that_differ_a_thousandfold_is_read() -> None:
    """Prices in won and yen have no fractions."""
    won = {name: [round(price * 10) for price in column] for name, column in wide().items() if name != "date"}
    large = [price * 5_000 for price in won["S0"]]
    assert returns(pd.DataFrame({"date": wide()["date"], **won, "large": large})).audit.rows == DAYS * (STOCKS + 1)


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_long_ignoring_tickers_leaves_them_out(library: str) -> None:
    long = pd.DataFrame(wide(SPY=volumes())).melt("date", var_name="ticker", value_name="close")
    columns = {str(name): long[name].tolist() for name in long}
    less = returns(table_of(library, columns), ignore=["SPY"])
    assert less.audit.rows == DAYS * STOCKS
    assert not lines(less.audit.remarks, "index-like")
    with pytest.raises(RankgaugeError, match="expected a column or a ticker for ignore, got 'SPX'"):
        returns(table_of(library, columns), ignore=["SPX"])


def test_returns_wide_ignoring_an_unknown_column_raises() -> None:
    with pytest.raises(RankgaugeError, match="for ignore, got 'S77'"):
        returns(pd.DataFrame(wide()), ignore=["S77"])


@pytest.mark.parametrize("ticker", ["SPY", "qqq", "^GSPC", "KOSPI", "코스닥"])
def test_returns_with_an_index_among_stocks_is_remarked(ticker: str) -> None:
    share = wide()["S1"]
    (remark,) = (
        each for each in returns(pd.DataFrame(wide(**{ticker: share}))).audit.remarks if each.code == "index-like"
    )
    assert remark.severity == "caution"
    assert repr(ticker) in remark.text


def test_returns_with_a_benchmark_equal_those_in_excess_of_it() -> None:
    table = pd.DataFrame(wide(SPY=wide()["S1"]))
    graded = returns(table, benchmark="SPY")
    assert graded.frame.equals(returns(table, excess="SPY").frame)
    assert graded.audit.rows == DAYS * STOCKS
    assert "less that of 'SPY'" in str(graded.audit)
    with pytest.raises(RankgaugeError, match="expected excess to be left out beside benchmark"):
        returns(table, benchmark="SPY", excess="mean")
