from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.stocks.market import forward, held, long, noise, wandering

from rankgauge.statistics.calendar_time import mean_in_calendar_time
from rankgauge.stocks.study import study
from rankgauge.stocks.study_result import Study

PRICES = wandering(days=80)
SCORES = noise(PRICES)
K = 4


def by_hand(prices: pd.DataFrame, scores: pd.DataFrame, horizon: int, lag: int) -> dict[str, pd.DataFrame]:
    """Work out what the portfolio of each date earned on each later day, one stock after the other."""
    earned = {name: pd.DataFrame(0.0, index=scores.index, columns=prices.index) for name in ("top_return", "spread")}
    known = forward(prices, horizon, lag).reindex(scores.index)
    for date in scores.index:
        stocks = scores.loc[date].dropna().index.intersection(known.loc[date].dropna().index)
        if stocks.empty:
            continue
        score = scores.loc[date, stocks]
        top, best, worst = held(score, K), held(score, K), held(-score, K)
        weights = {"top_return": top / top.sum() - 1 / len(stocks), "spread": (best - worst) / K}
        start = prices.index.tolist().index(date) + lag
        for day in range(start + 1, start + horizon + 1):
            gained = (prices.iloc[day][stocks] - prices.iloc[day - 1][stocks]) / prices.iloc[start][stocks]
            for name, weight in weights.items():
                earned[name].loc[date, prices.index[day]] += float((weight * gained).sum())
    return earned


@pytest.mark.parametrize(("horizon", "lag", "step"), [(1, 0, 1), (5, 0, 1), (5, 2, 1), (3, 1, 3), (2, 0, 5)])
def test_tranches_earn_what_each_day_earns(horizon: int, lag: int, step: int) -> None:
    scores = SCORES.iloc[::step]
    actual = study(PRICES, scores, k=K, horizon=horizon, lag=lag)
    tranches = actual.tranches
    assert tranches is not None
    expected = by_hand(PRICES, scores, horizon, lag)
    for measure, table in expected.items():
        ours = np.zeros(table.shape)
        np.add.at(ours, (tranches.date, tranches.day), tranches.profits[measure])
        assert ours == pytest.approx(table.to_numpy(), abs=1e-12)
    per_date = np.bincount(tranches.date, tranches.held)
    assert per_date == pytest.approx(np.ones(len(actual.per_date)))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"lag": 1},
        {"excess": "mean"},
        {"stopped": -0.3},
        {"stopped": "last", "gaps": "skip"},
        {"horizon": 7, "gaps": "skip"},
    ],
)
def test_tranches_add_up_to_the_return_above_chance(options: dict[str, Any]) -> None:
    prices = PRICES.copy()
    prices.iloc[20:24, 3] = np.nan
    prices.iloc[60:, 5] = np.nan
    adds_up(study(prices, SCORES, k=K, **options))


def test_tranches_within_groups_add_up_to_the_return_above_chance() -> None:
    prices = long(PRICES, "close").assign(sector=lambda table: table["ticker"].str[-1])
    adds_up(study(prices, SCORES.iloc[:, 1:], k=K, group="sector", thresholds=[0.0], least=1))


def adds_up(actual: Study) -> None:
    assert actual.tranches is not None
    for measure in ("top_return", "spread"):
        totals = np.bincount(actual.tranches.date, actual.tranches.profits[measure])
        above = np.array(actual.per_date[measure]) - np.array(actual.chances[measure])
        assert totals == pytest.approx(above, abs=1e-12)


def test_study_has_the_t_of_calendar_time() -> None:
    actual = study(PRICES, SCORES, k=K)
    expected = by_hand(PRICES, SCORES.iloc[:75], 5, 0)
    for measure, table in expected.items():
        profits = table.to_numpy().sum(axis=0)[1:]
        days = np.arange(79)
        held_on = np.minimum(np.minimum(days + 1, 5), 79 - days) / 5
        skill = mean_in_calendar_time(profits, held_on, 75, profits.sum() / 75)
        row = actual[measure]
        assert (row.above, row.t, row.p) == pytest.approx((skill.mean, skill.t, skill.p))
        assert (row.low, row.high, row.degrees) == pytest.approx((skill.low, skill.high, 78))


def test_study_of_known_returns_has_no_calendar_time() -> None:
    returns = long(forward(PRICES, 5), "return")
    known, priced = study(returns, SCORES, k=K), study(PRICES, SCORES, k=K)
    assert known.tranches is None
    assert known["spread"].mean == pytest.approx(priced["spread"].mean)
    assert known["spread"].degrees == pytest.approx(75 / 9)
    assert "calendar-time" in str(priced)
    assert "calendar-time" not in str(known)


def test_tranches_of_other_prices_are_renumbered_by_date() -> None:
    first, second = study(PRICES, SCORES, k=K), study(PRICES.iloc[10:70], SCORES.iloc[10:], k=K, max_loss=0.5)
    assert first.tranches is not None
    assert second.tranches is not None
    moved = second.tranches.renumbered(first.tranches.days)
    assert moved.day.tolist() == (second.tranches.day + 10).tolist()
    assert first.tranches.renumbered(first.tranches.days) is first.tranches
    ours = first.tranches.days_of("spread", range(10, 65))
    theirs = moved.days_of("spread", range(55))
    assert ours.less(theirs).earned == pytest.approx(np.zeros(len(ours.earned)), abs=1e-12)


def test_tranches_without_dates_have_no_mean() -> None:
    actual = study(PRICES, SCORES, k=K)
    assert actual.tranches is not None
    assert math.isnan(actual.tranches.mean("spread", [], math.nan).mean)
