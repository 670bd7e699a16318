from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from tests.stocks.market import noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.stocks.persistence import break_even, persistences
from rankgauge.stocks.study import study

PRICES = wandering(days=80)
STUDY = study(PRICES, noise(PRICES), k=4)


def test_persistence_of_one_date_is_the_turnover_of_the_study() -> None:
    (actual,) = persistences(STUDY, [1])
    assert actual.top.tolist() == pytest.approx(list(STUDY.per_date["turnover"]), nan_ok=True)


def test_by_period_of_static_scores_is_steady() -> None:
    scores = pd.DataFrame([range(12)] * 80, index=PRICES.index, columns=PRICES.columns)
    table = study(PRICES, scores, k=4).by_period([1, 7])
    assert [row[0] for row in table.rows] == [1, 7]
    assert [row[1:] for row in table.rows] == [[pytest.approx(1.0), 0.0, 0.0]] * 2


def test_by_period_by_default_has_one_date_and_the_horizon() -> None:
    assert [row[0] for row in STUDY.by_period().rows] == [1, 5]
    assert [row[0] for row in study(PRICES, noise(PRICES).iloc[::5], k=4).by_period().rows] == [1]
    with pytest.raises(RankgaugeError, match="period"):
        STUDY.by_period([0])


def test_break_even_cost_takes_all_that_is_earned() -> None:
    (actual,) = persistences(STUDY, [5])
    costs = break_even(STUDY)
    top, bottom = np.nanmean(actual.top), np.nanmean(actual.bottom)
    assert costs["spread"].traded == pytest.approx(2 * (top + bottom))
    assert costs["top_return"].traded == pytest.approx(2 * top)
    for measure, each in costs.items():
        assert each.earned == STUDY[measure].above
        assert each.cost * each.traded == pytest.approx(each.earned)
    table = STUDY.break_even()
    assert [row[3] for row in table.rows] == pytest.approx([each.cost * 10_000 for each in costs.values()])


def test_break_even_without_trades_has_no_cost() -> None:
    scores = pd.DataFrame([range(12)] * 80, index=PRICES.index, columns=PRICES.columns)
    actual = study(PRICES, scores, k=4)
    assert all(math.isnan(each.cost) for each in break_even(actual).values())
    assert [row[3] for row in actual.break_even().rows] == [None, None]


def test_break_even_of_one_date_is_unknown() -> None:
    assert [row[2:] for row in study(PRICES, noise(PRICES).iloc[:1], k=4).break_even().rows] == [[None, None]] * 2
