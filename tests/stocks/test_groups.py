from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from tests.stocks.market import forward, noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.statistics.mean_over_dates import mean_over_dates
from rankgauge.stocks.study import study

PRICES = wandering(days=80)
SCORES = noise(PRICES)
STUDY = study(PRICES, SCORES, k=4)
SECTORS = {ticker: "tech" if place < 5 else "banks" for place, ticker in enumerate(PRICES.columns)}


def test_by_group_has_the_correlation_within_each_group() -> None:
    table = STUDY.by_group(SECTORS)
    assert [row[:2] for row in table.rows] == [["banks", 7], ["tech", 5]]
    returns = forward(PRICES, 5).iloc[:75]
    for row in table.rows:
        own = [ticker for ticker, sector in SECTORS.items() if sector == row[0]]
        ics = [scipy.stats.spearmanr(SCORES.loc[date, own], returns.loc[date, own]).statistic for date in returns.index]
        expected = mean_over_dates(ics, 5)
        assert row[2:6] == pytest.approx([expected.mean, expected.low, expected.high, expected.t])
        assert row[6] == pytest.approx(returns[own].mean(axis="columns").mean())
        best = SCORES.iloc[:75].rank(axis="columns", ascending=False) <= 4
        assert row[7] == pytest.approx(best[own].sum(axis="columns").mean() / 4)


def test_by_group_takes_tables_and_files(tmp_path: Path) -> None:
    table = pd.DataFrame({"ticker": list(SECTORS), "sector": list(SECTORS.values()), "size": range(12)})
    table.to_csv(tmp_path / "sectors.csv", index=False)
    expected = STUDY.by_group(SECTORS).rows
    for groups in ((table, "sector"), f"{tmp_path / 'sectors.csv'}:sector"):
        actual = STUDY.by_group(groups)
        assert actual.headers[0] == "sector"
        assert actual.rows == expected


def test_by_group_shows_stocks_without_a_group() -> None:
    some = {ticker: sector for ticker, sector in SECTORS.items() if ticker != "T00"}
    assert [row[:2] for row in STUDY.by_group(some).rows] == [["banks", 7], ["tech", 4], ["–", 1]]
    assert STUDY.by_group({**SECTORS, "ZZZ": "other"}).rows == STUDY.by_group(SECTORS).rows


@pytest.mark.parametrize(
    ("groups", "code"),
    [
        ({"AAPL": "tech"}, "no-common-segment"),
        (pd.DataFrame({"ticker": ["T00", "T00"], "sector": ["a", "b"]}), "two-segments"),
        (pd.DataFrame({"which": ["T00"], "sector": ["a"]}), "no-query-column"),
    ],
)
def test_by_group_of_other_stocks_or_columns_raises(groups: Any, code: str) -> None:
    with pytest.raises(RankgaugeError) as caught:
        STUDY.by_group(groups)
    assert caught.value.code == code
    assert "quer" not in str(caught.value)


def test_by_group_of_a_single_stock_has_no_correlation() -> None:
    alone = {**SECTORS, "T00": "alone"}
    row = STUDY.by_group(alone).rows[0]
    assert row[:4] == ["alone", 1, None, None]
    assert row[6] == pytest.approx(forward(PRICES, 5)["T00"].iloc[:75].mean())
    assert np.isfinite(float(row[7] or 0.0))
