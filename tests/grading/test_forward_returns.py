from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.remarks import lines

from rankgauge.grading.returns import returns


def halted(dates: int, *, frequency: str = "B", numbers: bool = False) -> pd.DataFrame:
    """Return prices of which a stock has none on so many dates, and costs three times as much afterwards."""
    days = pd.date_range("2024-01-01", periods=100, freq=frequency, name="date")
    wide = pd.DataFrame(
        np.linspace(100, 120, 100)[:, None] * np.arange(1, 7), index=days, columns=[f"S{number}" for number in range(6)]
    )
    wide.iloc[20 : 20 + dates, 0] = np.nan
    wide.iloc[20 + dates :, 0] *= 3
    return wide.set_axis(pd.Index(range(1, 101), name="date")) if numbers else wide


def test_returns_over_a_long_halt_are_dropped_by_default() -> None:
    """60 days without a price made five-day returns of 200%."""
    audit = returns(halted(60)).audit
    assert audit.dropped["the horizon spans more than 7 dates without a price"] == 5
    assert not lines(audit.remarks, "gaps")
    skipped = returns(halted(60), gaps="skip")
    assert skipped.frame["return"].max() > 2
    assert "gaps: 5 graded returns span dates without a price of the stock (gaps=skip)" in lines(skipped.audit.remarks)


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize(("dates", "dropped"), [(1, 0), (7, 0), (8, 5)])
def test_returns_over_the_holidays_of_a_market_are_kept(dates: int, dropped: int, *, numbers: bool) -> None:
    audit = returns(halted(dates, numbers=numbers)).audit
    assert audit.dropped["the horizon spans more than 7 dates without a price"] == dropped
    strict = returns(halted(dates, numbers=numbers), gaps="drop").audit
    assert strict.dropped["the horizon spans dates without a price"] == 5


def test_returns_of_months_over_a_missing_one_are_dropped() -> None:
    audit = returns(halted(1, frequency="MS"), horizon=1).audit
    assert audit.dropped["the horizon spans dates without a price"] == 1
