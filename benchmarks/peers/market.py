"""Prices and scores of stocks, in memory: forward returns, five parts a date, and how good the scores order them."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import polars as pl

from benchmarks.datasets.prices import Market
from benchmarks.peers.work import Work


def load(folder: str) -> Market:
    return Market(*(pl.read_parquet(Path(folder) / f"{name}.parquet") for name in Market._fields))


def rankgauge_polars(folder: str) -> Work:
    import rankgauge as rg

    prices, scores = load(folder)
    return lambda: rg.evaluate(rg.grading.returns(prices), scores, "ndcg@10")["ndcg@10"]


def rankgauge_pandas(folder: str) -> Work:
    import rankgauge as rg

    prices, scores = (frame.to_pandas() for frame in load(folder))
    return lambda: rg.evaluate(rg.grading.returns(prices), scores, "ndcg@10")["ndcg@10"]


def rankgauge_wide(folder: str) -> Work:
    """Prices as quants have them: a row per date and a column per stock."""
    import rankgauge as rg

    prices, scores = (frame.to_pandas() for frame in load(folder))
    wide = prices.pivot_table(index="date", columns="ticker", values="close")
    return lambda: rg.evaluate(rg.grading.returns(wide), scores, "ndcg@10")["ndcg@10"]


def study(folder: str) -> Work:
    import rankgauge as rg

    prices, scores = load(folder)

    def work() -> float:
        study = rg.stocks.study(prices, scores)
        study.table()  # the intervals are computed when they are asked for
        return study["ndcg@10"].mean

    return work


def alphalens(folder: str) -> Work:
    """It cuts the scores into five parts, and has no NDCG: the value is its mean spread of the returns."""
    from alphalens.performance import mean_return_by_quantile
    from alphalens.utils import get_clean_factor_and_forward_returns

    prices, scores = (frame.to_pandas() for frame in load(folder))
    wide = prices.pivot_table(index="date", columns="ticker", values="close")
    factor = scores.set_index(["date", "ticker"])["score"].rename_axis(["date", "asset"])

    def work() -> float:
        with redirect_stdout(StringIO()):  # it prints what it dropped
            clean = get_clean_factor_and_forward_returns(factor, wide, quantiles=5, periods=(5,), max_loss=1.0)
        means, _ = mean_return_by_quantile(clean)
        return float(means["5D"].iloc[-1] - means["5D"].iloc[0])

    return work
