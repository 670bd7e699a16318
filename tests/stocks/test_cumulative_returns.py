from __future__ import annotations

import numpy as np
import pytest
from tests.stocks.market import forward, long, noise, wandering

from rankgauge.stocks.cumulative_returns import cumulative_returns
from rankgauge.stocks.study import study

PRICES = wandering(days=80)
SCORES = noise(PRICES)
STUDY = study(PRICES, SCORES, k=4)


@pytest.mark.parametrize("measure", ["spread", "top_return"])
def test_cumulative_ends_with_the_sum_of_all_portfolios(measure: str) -> None:
    actual = cumulative_returns(STUDY, measure)
    assert actual is not None
    assert len(actual.dates) == len(actual.earned) == 79
    assert (actual.dates[0], actual.dates[-1]) == ("2020-01-02", "2020-04-21")
    row = STUDY[measure]
    # Five portfolios share the money, so that a portfolio of one horizon counts for a fifth.
    assert actual.earned[-1] == pytest.approx(row.above * 75 / 5)
    assert actual.low[-1] == pytest.approx(row.low * 75 / 5)
    assert actual.high[-1] == pytest.approx(row.high * 75 / 5)
    assert np.all(np.diff(actual.high - actual.low) >= 0)


def test_cumulative_of_weeks_that_do_not_overlap_is_their_sum() -> None:
    weekly = study(PRICES, SCORES.iloc[::3], k=4, horizon=3)
    actual = cumulative_returns(weekly)
    assert actual is not None
    assert actual.earned[-1] == pytest.approx(sum(weekly.per_date["spread"]))


def test_cumulative_without_prices_or_with_few_dates_is_none() -> None:
    assert cumulative_returns(study(long(forward(PRICES, 5), "return"), SCORES, k=4)) is None
    assert cumulative_returns(study(PRICES, SCORES.iloc[:20], k=4)) is None
