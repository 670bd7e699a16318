"""A small market: prices that wander, scores that know nothing, and the same numbers worked out in plain pandas."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

MEASURES = ["rank_ic", "ic", "top_return", "universe_return", "spread", "hit_rate", "turnover"]


def wandering(days: int = 60, stocks: int = 12, seed: int = 1) -> pd.DataFrame:
    """Return prices with a row per business day from 2020-01-01 on and a column per stock."""
    steps = np.random.default_rng(seed).normal(0.0, 0.02, (days, stocks))
    return framed(100.0 * np.exp(np.cumsum(steps, axis=0)))


def noise(prices: pd.DataFrame, seed: int = 2) -> pd.DataFrame:
    """Return scores that know nothing, of the same dates and stocks."""
    drawn = np.random.default_rng(seed).normal(size=prices.shape)
    return pd.DataFrame(drawn, index=prices.index, columns=prices.columns)


def framed(values: Any) -> pd.DataFrame:
    dates = pd.bdate_range("2020-01-01", periods=len(values), name="date")
    return pd.DataFrame(values, index=dates, columns=[f"T{place:02d}" for place in range(len(values[0]))])


def long(wide: pd.DataFrame, value: str) -> pd.DataFrame:
    """Return a row per date and ticker, without those that have nothing."""
    return wide.rename_axis("date").reset_index().melt(id_vars="date", var_name="ticker", value_name=value).dropna()


def text_of(date: Any) -> str:
    return str(pd.Timestamp(date).date())


def forward(prices: pd.DataFrame, horizon: int, lag: int = 0) -> pd.DataFrame:
    """Return what each stock earns over its own next rows."""
    earned = {}
    for ticker in prices:
        own = prices[ticker].dropna()
        earned[ticker] = own.shift(-lag - horizon) / own.shift(-lag) - 1
    return pd.DataFrame(earned).reindex(prices.index)


def held(scores: pd.Series, count: int) -> pd.Series:
    """Return how much of the first `count` places each ticker holds; equal scores share what is left to them."""
    shares = {}
    for ticker, score in scores.items():
        higher, equal = int((scores > score).sum()), int((scores == score).sum())
        shares[ticker] = min(max(count - higher, 0), equal) / equal
    return pd.Series(shares)


def mean_of(values: pd.Series, shares: pd.Series) -> float:
    """Return the mean of values, each of which counts by a share."""
    return float((values * shares).sum() / shares.sum()) if shares.sum() else math.nan


def known(values: Any) -> list[float]:
    return [float(value) for value in values if not math.isnan(value)]
