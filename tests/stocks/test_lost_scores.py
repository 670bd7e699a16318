from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from tests.remarks import lines
from tests.stocks.market import long, noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.stocks.study import Study, study

PRICES = wandering(days=120, stocks=6)
SCORES = noise(PRICES)


def refusal(prices: Any, scores: Any, **options: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        study(prices, scores, k=2, **options)
    return caught.value


def more(share: float, **columns: Any) -> pd.DataFrame:
    """Return scores of which such a share is of tickers without prices."""
    scores = long(SCORES, "score").assign(**columns)
    lost = scores.iloc[: round(len(scores) * share / (1 - share))]
    return pd.concat([scores, lost.assign(ticker="X" + lost["ticker"])])


def test_study_of_scores_that_lose_more_than_a_third_is_refused() -> None:
    assert isinstance(study(PRICES, more(0.33), k=2), Study)
    error = refusal(PRICES, more(0.34))
    assert error.code == "scores-lost"
    assert "371 of 1,091 scores without a price (371 of a stock without one)" in str(error)
    assert "max_loss=1" in str(error)


@pytest.mark.parametrize(("max_loss", "fine"), [(0.0, False), (0.3, False), (0.5, True), (1, True)])
def test_study_with_max_loss_allows_that_share(max_loss: float, *, fine: bool) -> None:
    if not fine:
        assert refusal(PRICES, more(0.4), max_loss=max_loss).code == "scores-lost"
        return
    actual = study(PRICES, more(0.4), k=2, max_loss=max_loss)
    assert "480 of stocks without prices" in lines(actual.remarks, "scores")[0]
    assert actual.per_date["ndcg@2"] == study(PRICES, SCORES, k=2).per_date["ndcg@2"]


@pytest.mark.parametrize("max_loss", [-0.1, 1.5, float("nan"), "most", None])
def test_study_with_an_impossible_max_loss_raises(max_loss: Any) -> None:
    assert "expected max_loss to be from 0 to 1" in str(refusal(PRICES, SCORES, max_loss=max_loss))


@pytest.mark.parametrize(
    ("of_prices", "of_scores"),
    [("{:06}", "{}"), ("{:06}", "A{:06}"), ("{:06}.KS", "{:06}"), ("T{}", " t{} "), ("BRK-{}", "BRK.{}")],
)
def test_study_of_tickers_in_another_style_names_both(of_prices: str, of_scores: str) -> None:
    """Of six stocks, one is written alike on both sides."""
    prices = PRICES.set_axis(["same", *(of_prices.format(5930 + number) for number in range(5))], axis="columns")
    scores = SCORES.set_axis(["same", *(of_scores.format(5930 + number) for number in range(5))], axis="columns")
    error = refusal(prices, scores)
    assert error.code == "scores-lost"
    first = f"the scores have {of_scores.format(5930)!r}, the prices {of_prices.format(5930)!r}"
    assert first in str(error)
    none = refusal(prices.drop(columns="same"), scores.drop(columns="same"))
    assert none.code == "no-common-stock"
    assert first in str(none)


def test_study_of_scores_at_the_ends_of_months_names_the_trading_date() -> None:
    ends = pd.to_datetime(["2020-01-31", "2020-02-29", "2020-03-31", "2020-05-31"])
    scores = SCORES.iloc[:4].set_axis(ends.rename("date"))
    error = refusal(PRICES, scores)
    assert error.code == "scores-lost"
    assert "2020-02-29, at a weekend, has no prices; the last before it are of 2020-02-28" in str(error)


def test_study_of_dates_in_another_form_names_both() -> None:
    table = long(SCORES, "score")
    texts = (
        table["date"]
        .dt.strftime("%d.%m.%Y")
        .where(table["date"] >= "2020-02-01", table["date"].dt.strftime("%Y-%m-%d"))
    )
    error = refusal(PRICES, table.assign(date=texts))
    assert error.code == "scores-lost"
    assert "dates have different forms: '01.04.2020' and '2020-01-01'" in str(error)


def test_study_of_scores_of_other_years_names_the_range() -> None:
    error = refusal(PRICES.iloc[:50], SCORES)
    assert error.code == "scores-lost"
    assert "the prices go from 2020-01-01 to 2020-03-10, the scores have 2020-03-11" in str(error)
