"""Prices of stocks that walk at random, and scores that know a little of what comes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.datasets.folder import kept

if TYPE_CHECKING:
    import polars as pl


class Market(NamedTuple):
    """`prices` has date, ticker, close; `scores` has date, ticker, score."""

    prices: pl.DataFrame
    scores: pl.DataFrame


def market_files(stocks: int, days: int) -> Path:
    """A folder with prices.parquet and scores.parquet, a row per date and stock, by date."""
    return kept(f"market-{stocks}x{days}", lambda draft: _write(draft, stocks, days))


def _write(folder: Path, stocks: int, days: int) -> None:
    market = random_market(stocks, days)
    market.prices.write_parquet(folder / "prices.parquet")
    market.scores.write_parquet(folder / "scores.parquet")


def random_market(stocks: int, days: int, seed: int = 5) -> Market:
    """Daily moves of 2%; a score is the sum of the next five moves and of noise that is five times as large."""
    import datetime as dt

    import numpy as np
    import polars as pl

    source = np.random.default_rng(seed)
    moves = source.normal(0.0003, 0.02, size=(days + 5, stocks))
    closes = 50 * np.exp(np.cumsum(moves, axis=0))[:days]
    sums = np.cumsum(moves, axis=0)
    scores = sums[5:] - sums[:-5] + source.normal(0, 0.22, size=(days, stocks))
    first = dt.date(1990, 1, 1)
    dates = pl.Series("date", [first + dt.timedelta(days=day) for day in range(days)], dtype=pl.Datetime("ns"))
    tickers = pl.Series("ticker", [f"T{number:05}" for number in range(stocks)])
    keys = {
        "date": dates.gather(np.repeat(np.arange(days), stocks)),
        "ticker": tickers.gather(np.tile(np.arange(stocks), days)),
    }
    return Market(pl.DataFrame({**keys, "close": closes.ravel()}), pl.DataFrame({**keys, "score": scores.ravel()}))
