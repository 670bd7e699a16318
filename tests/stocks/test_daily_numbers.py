from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from tests.stocks.market import MEASURES, forward, framed, held, mean_of, noise, text_of, wandering

from rankgauge.stocks.daily_numbers import average_ranks, correlation
from rankgauge.stocks.study import study


def by_hand(returns: pd.DataFrame, scores: pd.DataFrame, k: int) -> dict[str, dict[str, float]]:
    """Work out the numbers of each date, one stock after the other."""
    actual: dict[str, dict[str, float]] = {}
    before: pd.Series | None = None
    for date in returns.index.intersection(scores.index):
        day = pd.DataFrame({"score": scores.loc[date], "earned": returns.loc[date]}).dropna()
        if day.empty:
            continue
        earned, top, half = day["earned"], held(day["score"], k), min(k, len(day) // 2)
        kept = None if before is None else np.minimum(top, before.reindex(top.index).fillna(0.0)).sum()
        actual[text_of(date)] = {
            "n": len(day),
            "rank_ic": scipy.stats.spearmanr(day["score"], earned).statistic,
            "ic": scipy.stats.pearsonr(day["score"], earned).statistic,
            "top_return": mean_of(earned, top),
            "universe_return": earned.mean(),
            "spread": mean_of(earned, held(day["score"], half)) - mean_of(earned, held(-day["score"], half)),
            "hit_rate": mean_of((earned > earned.mean()) * 1.0, top),
            "turnover": math.nan if kept is None else 1 - kept / top.sum(),
        }
        before = top
    return actual


def same_as_by_hand(actual: Any, returns: pd.DataFrame, scores: pd.DataFrame) -> None:
    expected = by_hand(returns, scores, actual.k)
    assert list(actual.per_date["date"]) == list(expected)
    assert list(actual.per_date["n"]) == [day["n"] for day in expected.values()]
    for measure in MEASURES:
        numbers = [day[measure] for day in expected.values()]
        assert actual.per_date[measure] == pytest.approx(numbers, rel=1e-9, abs=1e-12, nan_ok=True), measure


@pytest.mark.parametrize(("k", "horizon", "lag"), [(1, 1, 0), (3, 5, 0), (6, 5, 1), (7, 3, 2), (12, 5, 0), (40, 2, 0)])
def test_daily_numbers_equal_plain_computation(k: int, horizon: int, lag: int) -> None:
    prices = wandering(days=40)
    scores = noise(prices)
    actual = study(prices, scores, k=k, horizon=horizon, lag=lag)
    assert len(actual.per_date) == 40 - horizon - lag
    same_as_by_hand(actual, forward(prices, horizon, lag), scores)


@pytest.mark.parametrize("k", [2, 5])
def test_daily_with_missing_prices_and_scores_equals_plain_computation(k: int) -> None:
    prices = wandering(days=40)
    scores = noise(prices)
    source = np.random.default_rng(7)
    prices = prices.mask(source.random(prices.shape) < 0.1)
    prices.loc[prices.index[20:], "T03"] = math.nan
    scores = scores.mask(source.random(scores.shape) < 0.2)
    same_as_by_hand(study(prices, scores, k=k, horizon=3, levels=2), forward(prices, 3), scores)


@pytest.mark.parametrize("k", [1, 4, 6])
def test_daily_equal_scores_share_their_places(k: int) -> None:
    prices = wandering(days=20).set_axis(
        ["a", "B", "Ä", "Z", "T10", "T9", "t", "_", "é", "AB", "A", "あ"], axis="columns"
    )
    scores = noise(prices).round(0)
    same_as_by_hand(study(prices, scores, k=k), forward(prices, 5), scores)


def test_daily_all_scores_equal_is_the_universe() -> None:
    prices = framed([[10.0] * 4, [10.0, 11.0, 12.0, 14.0], [10.0, 11.0, 12.0, 14.0]])
    actual = study(prices, prices * 0, k=1, horizon=1, levels=2)
    assert actual.per_date["top_return"] == actual.per_date["universe_return"] == [pytest.approx(0.175), 0.0]
    assert actual.per_date["spread"] == [0.0, 0.0]
    assert actual.per_date["turnover"] == pytest.approx([math.nan, 0.0], nan_ok=True)
    assert actual.per_date["ndcg@1"] == actual.per_date["random_ndcg@1"]


def test_daily_numeric_tickers_are_texts() -> None:
    prices = wandering(days=20).set_axis(range(1, 13), axis="columns")
    scores = noise(prices).round(0)
    same_as_by_hand(study(prices, scores, k=4), forward(prices, 5), scores)


@pytest.mark.parametrize("excess", ["mean", "market"])
def test_daily_excess_returns_replace_raw_ones(excess: str) -> None:
    prices = wandering(days=30)
    index = wandering(days=30, stocks=1, seed=9)["T00"].rename("market")
    scores = noise(prices)
    returns = forward(prices, 5)
    less = returns.mean(axis="columns") if excess == "mean" else forward(index.to_frame(), 5)["market"]
    given = prices if excess == "mean" else prices.join(index)
    actual = study(given, scores, k=4, excess=excess)
    if excess == "mean":
        assert actual.per_date["universe_return"] == pytest.approx([0.0] * 25, abs=1e-15)
    # A stock that lies at the mean could fall on either side by rounding: none does in this market.
    same_as_by_hand(actual, returns.sub(less, axis="index"), scores)


def test_daily_spread_sides_share_no_stock() -> None:
    prices = framed([[10.0] * 5, [10.0, 11.0, 12.0, 13.0, 14.0]])
    actual = study(prices, framed([[1.0, 2.0, 3.0, 4.0, 5.0]]), k=4, horizon=1)
    assert actual.per_date["spread"] == [pytest.approx(0.35 - 0.05)]


def test_daily_single_stock_has_no_correlation() -> None:
    prices = wandering(days=12)
    scores = noise(prices)
    scores.iloc[3, 1:] = math.nan
    actual = study(prices, scores, k=4)
    date = {name: column[3] for name, column in actual.per_date.values.items()}
    assert date["n"] == 1
    assert date["top_return"] == date["universe_return"] == pytest.approx(forward(prices, 5)["T00"].iloc[3])
    assert all(math.isnan(date[name]) for name in ("rank_ic", "ic", "spread"))
    assert date["hit_rate"] == 0.0
    assert date["random_ndcg@4"] == pytest.approx(date["ndcg@4"])


def test_daily_turnover_skips_dates_without_scores() -> None:
    prices = wandering(days=20, stocks=5)
    scores = framed([[5.0, 4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0, 5.0], [5.0, 1.0, 2.0, 3.0, 4.0]])
    scores = scores.set_axis(prices.index[[0, 4, 9]])
    assert study(prices, scores, k=2).per_date["turnover"] == pytest.approx([math.nan, 1.0, 0.5], nan_ok=True)


def test_correlation_of_random_values_equals_scipy() -> None:
    source = np.random.default_rng(4)
    for size in (2, 3, 10, 500):
        left, right = source.normal(size=size), source.normal(3.0, 0.01, size)
        assert correlation(left, right) == pytest.approx(scipy.stats.pearsonr(left, right).statistic, abs=1e-12)


@pytest.mark.parametrize("scale", [1e-170, 1e-100, 1.0, 1e100, 1e170])
def test_correlation_in_other_units_is_unchanged(scale: float) -> None:
    left, right = np.array([1.0, 2.0, 4.0]), np.array([0.02, 0.01, 0.05])
    expected = scipy.stats.pearsonr(left, right).statistic
    assert correlation(left * scale, right) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("left", "right"), [([1.0], [2.0]), ([1.0, 1.0], [1.0, 2.0]), ([1.0, 2.0], [0.1, 0.1]), ([], [])]
)
def test_correlation_of_constant_values_is_nan(left: list[float], right: list[float]) -> None:
    assert math.isnan(correlation(np.array(left), np.array(right)))


def test_average_ranks_equal_scipy() -> None:
    source = np.random.default_rng(5)
    for size in (1, 2, 7, 100):
        values = source.integers(0, 5, size).astype(np.float64)
        assert average_ranks(values).tolist() == scipy.stats.rankdata(values).tolist()
