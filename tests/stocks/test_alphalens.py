"""Numbers that alphalens has too are equal to those of alphalens-reloaded 0.5.1."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.stocks.market import noise, text_of, wandering

from rankgauge.stocks.buckets import buckets_of
from rankgauge.stocks.persistence import persistences
from rankgauge.stocks.study import study

# pandas warns of what alphalens calls, once per call.
pytestmark = pytest.mark.filterwarnings("ignore")

HORIZON, STOCKS, K = 5, 20, 4
PRICES = wandering(days=130, stocks=STOCKS)
SCORES = noise(PRICES) + 0.5 * noise(PRICES, seed=3).cumsum()
STUDY = study(PRICES, SCORES, k=K, horizon=HORIZON)
DATES = list(STUDY.per_date["date"])


@cache
def factor_data() -> Any:
    from alphalens.utils import get_clean_factor_and_forward_returns

    factor = SCORES.stack().rename_axis(["date", "asset"])
    return get_clean_factor_and_forward_returns(factor, PRICES, quantiles=5, periods=(HORIZON,), filter_zscore=None)


def by_date(series: Any) -> list[float]:
    """Values of the dates of the study, in their order."""
    values = {text_of(date): float(value) for date, value in series.items()}
    return [values[date] for date in DATES]


def test_rank_ic_is_the_information_coefficient() -> None:
    from alphalens.performance import factor_information_coefficient

    theirs = factor_information_coefficient(factor_data())["5D"]
    assert list(STUDY.per_date["rank_ic"]) == pytest.approx(by_date(theirs), abs=1e-12)
    row = STUDY["rank_ic"]
    assert (row.mean, row.deviation, row.ratio) == pytest.approx(
        (theirs.mean(), theirs.std(), theirs.mean() / theirs.std())
    )


def test_means_by_month_are_those_of_the_information_coefficient() -> None:
    from alphalens.performance import mean_information_coefficient

    theirs = mean_information_coefficient(factor_data(), by_time="M")["5D"]
    table = STUDY.by_month("rank_ic")
    ours = {(str(row[0]), month): value for row in table.rows for month, value in enumerate(row[1:], start=1)}
    assert [ours[str(date.year), date.month] for date in theirs.index] == pytest.approx(theirs.tolist())


@pytest.mark.parametrize(("demeaned", "column"), [(True, "excess"), (False, "earned")])
def test_buckets_earn_what_quantiles_earn(demeaned: bool, column: str) -> None:
    from alphalens.performance import mean_return_by_quantile

    theirs, _ = mean_return_by_quantile(factor_data(), by_date=True, demeaned=demeaned)
    buckets = buckets_of(STUDY)
    assert buckets.number == 5
    for bucket in range(5):
        expected = by_date(theirs["5D"].xs(bucket + 1, level="factor_quantile"))
        assert getattr(buckets, column)[:, bucket].tolist() == pytest.approx(expected, abs=1e-12)
    pooled, _ = mean_return_by_quantile(factor_data(), demeaned=demeaned)
    assert buckets.means(column) == pytest.approx(pooled["5D"].tolist(), abs=1e-12)


def test_spread_is_that_of_the_outer_quantiles() -> None:
    """alphalens puts half of the money on each side, so its spread is half of the difference."""
    from alphalens.performance import compute_mean_returns_spread, mean_return_by_quantile

    means, errors = mean_return_by_quantile(factor_data(), by_date=True, demeaned=True)
    theirs, _ = compute_mean_returns_spread(means, 5, 1, std_err=errors)
    assert list(STUDY.per_date["spread"]) == pytest.approx(by_date(2 * theirs["5D"]), abs=1e-12)


@pytest.mark.parametrize("period", [1, 5])
def test_turnover_is_that_of_the_outer_quantiles(period: int) -> None:
    from alphalens.performance import quantile_turnover

    (actual,) = persistences(STUDY, [period])
    quantiles = factor_data()["factor_quantile"]
    for quantile, ours in ((5, actual.top), (1, actual.bottom)):
        theirs = by_date(quantile_turnover(quantiles, quantile, period))
        assert ours[period:].tolist() == pytest.approx(theirs[period:], abs=1e-12)
    if period == 1:
        assert actual.top[1:].tolist() == list(STUDY.per_date["turnover"])[1:]


@pytest.mark.parametrize("period", [1, 5])
def test_rank_autocorrelation_is_that_of_the_factor(period: int) -> None:
    from alphalens.performance import factor_rank_autocorrelation

    (actual,) = persistences(STUDY, [period])
    theirs = by_date(factor_rank_autocorrelation(factor_data(), period))
    assert np.isnan(actual.autocorrelation[:period]).all()
    assert actual.autocorrelation[period:].tolist() == pytest.approx(theirs[period:], abs=1e-12)


def test_ic_by_group_is_that_of_the_sectors() -> None:
    from alphalens.performance import factor_information_coefficient
    from alphalens.utils import get_clean_factor_and_forward_returns

    sectors = {ticker: "even" if place % 2 == 0 else "odd" for place, ticker in enumerate(PRICES.columns)}
    factor = SCORES.stack().rename_axis(["date", "asset"])
    options = {"quantiles": 5, "periods": (HORIZON,), "filter_zscore": None}
    data = get_clean_factor_and_forward_returns(factor, PRICES, groupby=sectors, **options)
    theirs = factor_information_coefficient(data, by_group=True)["5D"].groupby(level="group", observed=True).mean()
    ours = {row[0]: row[2] for row in STUDY.by_group(sectors).rows}
    assert ours == pytest.approx(theirs.to_dict())
