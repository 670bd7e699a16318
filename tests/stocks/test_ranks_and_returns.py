"""Studies of predicted ranks and of known returns, with and without dates, in two tables or in one."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from tests.grading.library_tables import LIBRARIES, table_of
from tests.remarks import lines
from tests.stocks.market import forward, long, noise, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.stocks.study import Study, study

TICKERS = list("ABCDE")
RETURNS = pl.DataFrame({"stock": TICKERS, "return": ["+12%", "+3%", "0%", "-1%", "-5%"]})
RANKS = pl.DataFrame({"stock": TICKERS, "predicted_rank": ["1등", "2위", "#3", "4", " 5 등"]})
BOTH = RETURNS.join(RANKS, on="stock")
STOCKS = [[1, "A", 0.12, 4], [2, "B", 0.03, 3], [3, "C", 0.0, 2], [4, "D", -0.01, 1], [5, "E", -0.05, 0]]
KOREAN = """종목,실제 수익률,분위 라벨,모델 예측 순위
A,+12%,4 (최상),1등
B,+3%,3,2등
C,0%,2,3등
D,-1%,1,4등
E,-5%,0 (최하),5등
"""
ENGLISH = """Stock,Actual return,Quintile label,Predicted rank
A,+12%,4 (best),1
B,+3%,3,2
C,0%,2,3
D,-1%,1,4
E,-5%,0 (worst),5
"""

PRICES = wandering(days=60)
SCORES = noise(PRICES)
PER_DATE = ["date", "n", "ndcg@4", "rank_ic", "top_return", "spread", "hit_rate", "turnover"]


def refused(*tables: Any, **options: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as error:
        study(*tables, **options)
    return error.value


def same(result: Study, other: Study, columns: list[str] = PER_DATE) -> None:
    """Compare the numbers of each date."""
    own, others = (each.per_date.to_pandas()[columns] for each in (result, other))
    pd.testing.assert_frame_equal(own, others, check_exact=False, rtol=1e-12)


@pytest.mark.parametrize("library", LIBRARIES)
def test_study_of_returns_and_ranks_of_one_date_has_known_values(library: str) -> None:
    tables = (table_of(library, table.to_dict(as_series=False)) for table in (RETURNS, RANKS))
    result = study(*tables, k=5)
    assert result["ndcg@5"].mean == 1.0
    assert result.by_stock().rows == STOCKS
    assert result.per_date["date"] == ["all"]


@pytest.mark.parametrize("text", [KOREAN, ENGLISH])
def test_study_of_the_table_in_the_text_has_known_values(text: str, tmp_path: Path) -> None:
    path = tmp_path / "both.csv"
    path.write_text(text, encoding="utf-8")
    result = study(path, k=5)
    assert result["ndcg@5"].mean == 1.0
    assert result.by_stock().rows == STOCKS


def test_study_of_ranks_equals_study_of_negated_scores() -> None:
    ranks = SCORES.rank(axis="columns", ascending=False)
    result = study(PRICES, long(ranks, "rank"), k=4)
    same(result, study(PRICES, SCORES, k=4))
    assert "ranks: column 'rank', where 1 is the best; the score is minus the rank" in lines(result.remarks)


def test_study_of_known_returns_equals_study_of_prices() -> None:
    earned = long(forward(PRICES, 5), "forward_return")
    result, usual = study(earned, SCORES, k=4), study(PRICES, SCORES, k=4)
    same(result, usual)
    assert result.care == usual.care
    assert "horizon: a return is taken to span 5 dates of the table" in lines(result.remarks)
    assert study(earned, SCORES, k=4, horizon=1).care.overlap == 0


def test_study_of_one_table_equals_study_of_two() -> None:
    table = long(PRICES, "close").merge(long(SCORES, "score"), on=["date", "ticker"])
    same(study(table, k=4), study(PRICES, SCORES, k=4))
    reversed_ = table.assign(rank=table.groupby("date")["score"].rank())
    same(study(reversed_, k=4), study(PRICES, SCORES, k=4))  # the score wins
    same(study(reversed_, k=4, columns_scores={"rank": "rank"}), study(PRICES, -SCORES, k=4))


def test_study_of_one_table_shares_named_columns() -> None:
    table = BOTH.rename({"stock": "code", "return": "r", "predicted_rank": "place"})
    columns: dict[str, Any] = {"columns_prices": {"ticker": "code", "return": "r"}, "columns_scores": {"rank": "place"}}
    assert study(table, k=5, **columns).by_stock().rows == STOCKS


def test_study_of_a_file_without_header_takes_column_names(tmp_path: Path) -> None:
    path = tmp_path / "both.csv"
    path.write_text("A,+12%,1\nB,+3%,2\nC,0%,3\nD,-1%,4\nE,-5%,5\n", encoding="utf-8")
    assert study(path, k=5, columns_prices=["ticker", "return", "rank"]).by_stock().rows == STOCKS


def test_study_of_prices_alone_raises() -> None:
    error = refused(PRICES)
    assert error.code == "missing-column"
    assert "for ticker" in str(error)
    error = refused(long(PRICES, "close"))
    assert error.code == "missing-column"
    assert "for score (score, " in str(error)
    assert "or for rank (predicted_rank, " in str(error)
    assert "columns_scores={'score': …} in Python, --columns-scores score=… on the command line" in str(error)


def test_study_without_a_column_of_prices_names_their_keyword() -> None:
    error = refused(long(PRICES, "volume"))
    assert "columns_prices={'close': …} in Python, --columns-prices" in str(error)


def test_study_stock_without_score_has_no_rank() -> None:
    result = study(RETURNS, RANKS.head(3), k=5)
    assert result.by_stock().rows == [*STOCKS[:3], [None, "D", -0.01, 1], [None, "E", -0.05, 0]]
    assert result["ndcg@5"].mean < 1.0


def test_study_equal_ranks_are_counted_as_ties() -> None:
    result = study(RETURNS, RANKS.with_columns(predicted_rank=pl.lit(1.5)), k=5)
    assert [row[1] for row in result.by_stock().rows] == ["E", "D", "C", "B", "A"]
    assert any(line.startswith("ties: 1 date") for line in lines(result.remarks))


@pytest.mark.parametrize("rank", ["0등", "-1", "first", "1등급", "1st", "#", "1,000", "0.5"])
def test_study_text_that_is_no_rank_raises(rank: str) -> None:
    ranks = pl.DataFrame({"stock": TICKERS, "순위": ["1등", "2등", rank, "4등", "5등"]})
    error = refused(RETURNS, ranks)
    assert error.code == "bad-rank"
    assert "ticker 'C'" in str(error)
    assert "expected a rank of at least 1, such as 1, #1, 1등 or 1위, got" in str(error)


@pytest.mark.parametrize("rank", [0.0, -1.0, 0.5, math.inf])
def test_study_number_that_is_no_rank_raises(rank: float) -> None:
    ranks = pl.DataFrame({"stock": TICKERS, "rank": [1.0, 2.0, rank, 4.0, 5.0]})
    error = refused(RETURNS, ranks)
    assert (error.code, error.place) == ("bad-rank", "scores: ticker 'C'")


def test_study_missing_rank_is_counted() -> None:
    ranks = pl.DataFrame({"stock": TICKERS, "rank": ["1", "2", None, "", "3"]})
    result = study(RETURNS, ranks, k=5)
    assert "scores: 5 rows; left out: 2 without a score" in lines(result.remarks)
    assert [row[:2] for row in result.by_stock().rows] == [[1, "A"], [2, "B"], [3, "E"], [None, "C"], [None, "D"]]


def test_study_without_dates_on_both_sides_is_one_date() -> None:
    scores = pl.DataFrame({"stock": TICKERS, "score": [5.0, 4.0, 3.0, 2.0, 1.0]})
    assert study(RETURNS, scores, k=5).by_stock().rows == STOCKS


def test_study_with_dates_on_one_side_raises() -> None:
    dated = RANKS.with_columns(date=pl.lit("2026-01-02"))
    error = refused(RETURNS, dated)
    assert error.code == "dates-on-one-side"
    assert "got them in the scores alone" in str(error)
    assert "columns_prices={'date': …} in Python, --columns-prices date=… on the command line" in str(error)
    assert "got them in the prices alone" in str(refused(RETURNS.with_columns(date=pl.lit("2026-01-02")), RANKS))
    assert refused(PRICES, RANKS).code == "dates-on-one-side"


def test_study_of_one_date_shows_stocks_and_a_warning() -> None:
    shown = str(study(BOTH, k=5))
    assert "rank  ticker   return  grade\n   1  A        0.1200      4\n   2  B        0.0300      3\n" in shown
    assert "date: no column, so all rows are one date, called 'all'\n" in shown
    assert "few dates: 1 date cannot tell whether the model is better than chance or was lucky" in shown
    assert "that takes at least 50 dates, or 20 that are 5 or more dates apart" in shown
    assert not any(word in shown for word in ("nan", "\nmarket", "\nbest", "\nworst", "\nerrors:"))
    row = next(line for line in shown.splitlines() if line.startswith("ndcg@5"))
    assert row.split() == ["ndcg@5", "1.0000", "0.8052", "0.1948", *["–"] * 4]
    turnover = next(line for line in shown.splitlines() if line.startswith("turnover"))
    assert turnover.split() == ["turnover", *["–"] * 7]


def test_study_of_many_stocks_shows_the_first_20() -> None:
    tickers = [f"T{number:02}" for number in range(33)]
    table = pl.DataFrame({"ticker": tickers, "return": [0.01 * number for number in range(33)], "rank": range(1, 34)})
    result = study(table, k=5)
    shown = str(result)
    assert "T19" in shown
    assert "T20" not in shown
    assert "stocks: 13 more, of lower ranks or without a score" in shown
    assert len(result.by_stock().rows) == 33
    assert "more, of lower" not in str(study(table.head(20), k=5))


def test_study_of_two_dates_shows_no_stocks() -> None:
    result = study(PRICES, SCORES, k=4)
    assert not result.by_stock().rows
    assert "rank  ticker" not in str(result)
    assert "errors: a date shares returns with 4 later dates" in str(result)


def test_study_of_one_date_as_json_has_nulls() -> None:
    result = json.loads(study(BOTH, k=50).to_json(per_date=True))
    assert result["by_stock"][0] == {"rank": 1, "ticker": "A", "return": 0.12, "grade": 4}
    row = result["measures"]["ndcg@50"]
    assert (row["mean"], row["days"]) == (1.0, 1)
    assert {row[name] for name in ("t", "low", "high", "ratio", "effective")} == {None}
    assert set(result["measures"]["turnover"].values()) == {0, None}
    assert result["per_date"]["turnover"] == [None]
    assert result["audit"]["items"] == {"all": 5}


def test_compare_on_one_date_has_means_and_a_warning() -> None:
    other = RANKS.with_columns(predicted_rank=pl.Series([5, 4, 3, 2, 1]))
    compared = study(RETURNS, RANKS, k=2).compare(study(RETURNS, other, k=2))
    assert compared.pair("ndcg@2", "this", "other").difference == pytest.approx(
        1 - study(RETURNS, other, k=2)["ndcg@2"].mean
    )
    assert "nan" not in str(compared)
    assert "few dates: 1 date cannot tell whether one model is better than the other or was lucky" in str(compared)


def test_study_with_qcut_grades_as_pandas() -> None:
    table = pl.DataFrame({"ticker": list("ABCDEFG"), "return": range(7), "rank": [7, 6, 5, 4, 3, 2, 1]})
    assert [row[3] for row in study(table, cut="qcut").by_stock().rows] == [4, 4, 3, 2, 1, 0, 0]
    assert [row[3] for row in study(table).by_stock().rows] == [4, 3, 2, 2, 1, 0, 0]


def test_study_of_returns_with_price_options_raises() -> None:
    assert refused(BOTH, lag=1).code == "needs-prices"


def test_study_without_any_grade_raises_the_reason() -> None:
    assert "got none from 5 rows of returns" in str(refused(BOTH, least=9))
