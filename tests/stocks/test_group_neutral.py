from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from tests.remarks import lines
from tests.stocks.market import MEASURES, forward, held, long, mean_of, noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.stocks.study import study

PRICES = wandering(days=40)
SCORES = noise(PRICES)


def by_sector() -> tuple[pd.DataFrame, np.ndarray[Any, np.dtype[np.bool_]]]:
    """Return long prices with two sectors, and which tickers are of the first."""
    table = long(PRICES, "close")
    return table.assign(sector=np.where(table["ticker"] < "T05", "banks", "oil")), np.asarray(PRICES.columns < "T05")


def test_study_with_group_is_neutral_in_every_measure() -> None:
    table, banks = by_sector()
    actual = study(table, SCORES, k=4, group="sector", levels=3)
    assert "neutral: scores and returns are less the mean of their date and 'sector'" in lines(actual.remarks)
    tilted = study(table, SCORES + 100.0 * banks, k=4, group="sector", levels=3)
    for measure in ("ndcg@4", *MEASURES):
        assert tilted.per_date[measure] == pytest.approx(actual.per_date[measure], abs=1e-12, nan_ok=True), measure
    assert study(table, SCORES + 100.0 * banks, k=4, levels=3).per_date["rank_ic"] != actual.per_date["rank_ic"]


def test_study_with_group_equals_plain_means_taken_away() -> None:
    table, banks = by_sector()
    actual = study(table, SCORES, k=4, group="sector", levels=3)
    sector = np.where(banks, "banks", "oil")
    returns, scores = (
        (each.T - each.T.groupby(sector).transform("mean")).T
        for each in (forward(PRICES, 5).iloc[:-5], SCORES.iloc[:-5])
    )
    expected = [scipy.stats.spearmanr(scores.iloc[day], returns.iloc[day]).statistic for day in range(len(returns))]
    assert actual.per_date["rank_ic"] == pytest.approx(expected)
    top = [mean_of(returns.iloc[day], held(scores.iloc[day], 4)) for day in range(len(returns))]
    assert actual.per_date["top_return"] == pytest.approx(top)
    assert actual.per_date["universe_return"] == pytest.approx([0.0] * len(returns), abs=1e-15)


def test_study_with_group_of_scores_that_know_sectors_alone_is_chance() -> None:
    table, banks = by_sector()
    actual = study(table, SCORES * 0 + banks, k=4, group="sector", levels=3)
    assert all(math.isnan(value) for value in actual.per_date["rank_ic"])
    assert actual.per_date["ndcg@4"] == pytest.approx(actual.per_date["random_ndcg@4"])
    assert actual.per_date["top_return"] == pytest.approx([0.0] * len(actual.per_date), abs=1e-15)


def test_study_with_group_of_fewer_stocks_than_levels_is_refused() -> None:
    table, _ = by_sector()
    with pytest.raises(RankgaugeError, match="expected least to be at least 3, the number of levels, beside group"):
        study(table, SCORES, k=4, group="sector", levels=3, least=2)
    assert study(table, SCORES, k=4, levels=3, least=2).per_date["ndcg@4"]
