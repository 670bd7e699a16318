from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.grading.library_tables import LIBRARIES, table_of
from tests.remarks import lines

from rankgauge.grading.actions import actions
from rankgauge.grading.ratings import ratings
from rankgauge.grading.returns import returns
from rankgauge.remarks import Remark

DAYS = 40


def prices(*, frequency: str = "B") -> pd.DataFrame:
    """Return prices that wander, a row per date and a column per stock."""
    steps = np.random.default_rng(3).normal(0.0, 0.02, (DAYS, 6))
    dates = pd.date_range("2024-01-01", periods=DAYS, freq=frequency, name="date")
    return pd.DataFrame(100 * np.exp(np.cumsum(steps, axis=0)), index=dates, columns=list("ABCDEF"))


def long_of(library: str, wide: pd.DataFrame) -> Any:
    long = wide.reset_index().melt("date", var_name="ticker", value_name="close").dropna()
    return table_of(
        library, {"date": long["date"].dt.date.tolist(), **{n: long[n].tolist() for n in ("ticker", "close")}}
    )


def remark(remarks: tuple[Remark, ...], code: str) -> Remark:
    (matching,) = (each for each in remarks if each.code == code)
    return matching


IMPLAUSIBLE = ("large-returns", "implausible-returns", "splits", "filled-prices", "percents")


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_of_plausible_prices_have_no_remark(library: str) -> None:
    assert not lines(returns(long_of(library, prices())).audit.remarks, *IMPLAUSIBLE)


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_above_300_percent_are_remarked(library: str) -> None:
    wide = prices()
    wide.iloc[20:, 1] *= 4.7
    large = remark(returns(long_of(library, wide)).audit.remarks, "large-returns")
    assert large.severity == "caution"
    assert large.text.startswith("5 returns above 300%, the largest")
    assert "'B' on 2024-01-" in large.text
    wide.iloc[20:, 1] *= 20
    large = remark(returns(long_of(library, wide)).audit.remarks, "implausible-returns")
    assert large.severity == "severe"
    assert "the largest 10,147%" in large.text


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("factor", [1 / 2, 1 / 3, 1 / 10, 5.0])
def test_returns_of_prices_with_a_split_are_remarked(library: str, factor: float) -> None:
    wide = prices()
    wide.iloc[20:, 2] *= factor
    splits = remark(returns(long_of(library, wide), thresholds=[0.0]).audit.remarks, "splits")
    assert splits.severity == "caution"
    assert splits.text.startswith("1 price is near a whole multiple or fraction of the price before ('C' on 2024-01-29")


def test_returns_of_monthly_prices_that_halve_have_no_remark() -> None:
    wide = prices(frequency="MS")
    wide.iloc[20:, 2] /= 2
    wide.loc[wide.index[20:], "D"] = 100.0
    assert not lines(returns(wide).audit.remarks, *IMPLAUSIBLE)


@pytest.mark.parametrize("library", LIBRARIES)
def test_returns_of_prices_filled_after_the_last_trade_are_remarked(library: str) -> None:
    wide = prices()
    wide.loc[wide.index[24:], "E"] = 100.0
    filled = remark(returns(long_of(library, wide)).audit.remarks, "filled-prices")
    assert filled.severity == "caution"
    assert filled.text == "1 stock keeps its last price for 10 or more dates until the end ('E' since 2024-02-02)"
    wide.iloc[35:, 4] *= 1.01
    assert not lines(returns(long_of(library, wide)).audit.remarks, "filled-prices")


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("values", "text"),
    [([12.0, 3.0, 0.5, 0.4, 7.0], "3 of 5 returns are above 50%"), ([0.1, 0.2, 0.3, 0.1, -2.0], "1 return below -1")],
)
def test_returns_that_may_be_percents_are_remarked(library: str, values: list[float], text: str) -> None:
    percents = remark(returns(table_of(library, {"stock": list("ABCDE"), "return": values})).audit.remarks, "percents")
    assert percents.severity == "severe"
    assert percents.text.startswith(text)
    named = returns(table_of(library, {"stock": list("ABCDE"), "return(%)": values}))
    assert not lines(named.audit.remarks, "percents")


def test_returns_of_a_daily_size_are_no_percents() -> None:
    table = pd.DataFrame({"stock": list("ABCDE"), "return": [0.12, -0.3, 0.01, 0.6, -0.05]})
    assert not lines(returns(table).audit.remarks, "percents")


@pytest.mark.parametrize("library", LIBRARIES)
def test_grades_below_zero_are_remarked(library: str) -> None:
    table: dict[str, list[Any]] = {"user": ["a", "a", "b"], "item": [1, 2, 1], "rating": [5.0, -3.0, -2.0]}
    negative = remark(ratings(table_of(library, table)).audit.remarks, "negative-grades")
    assert negative.text == "2 grades are below 0; most conventions count them as 0"
    liked = ratings(table_of(library, table), least=1)
    assert not lines(liked.audit.remarks, "negative-grades")
    log: dict[str, list[Any]] = {"user": ["a", "a"], "item": [1, 2], "action": ["like", "hide"]}
    graded = actions(table_of(library, log), grades={"like": 1, "hide": -1})
    assert lines(graded.audit.remarks, "negative-grades") == [
        "negative grades: 1 grade is below 0; most conventions count it as 0"
    ]
