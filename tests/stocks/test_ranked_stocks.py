from __future__ import annotations

import numpy as np
from tests.stocks.market import noise, wandering

from rankgauge.stocks.study import study

PRICES = wandering(days=12, stocks=7)


def test_ranked_stocks_are_sorted_by_date_and_ticker() -> None:
    scores = noise(PRICES)
    scores.iloc[3, 2] = np.nan
    ranked = study(PRICES, scores, k=2, horizon=2).ranked
    assert len(ranked.day) == 10 * 7 - 1
    assert np.all(np.diff(ranked.day * 7 + ranked.stock) > 0)
    for day, stock, score in zip(ranked.day, ranked.stock, ranked.score, strict=True):
        assert score == scores.iloc[day, stock]


def test_ranked_stocks_by_date_are_all_of_them() -> None:
    ranked = study(PRICES, noise(PRICES).iloc[::3], k=2, horizon=2).ranked
    dates = list(ranked.by_date())
    assert [int(date.day[0]) for date in dates] == [0, 3, 6, 9]
    assert all(len(set(date.day.tolist())) == 1 for date in dates)
    assert np.concatenate([date.value for date in dates]).tolist() == ranked.value.tolist()
