from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from tests.remarks import lines
from tests.stocks.market import long, noise, text_of, wandering

from rankgauge.errors import RankgaugeError
from rankgauge.grading.return_rules import ReturnRules
from rankgauge.stocks.returns_and_scores import GradedReturns, Scores, read_returns, read_scores
from rankgauge.stocks.study import study

PRICES = wandering(days=20, stocks=6)
SCORES = noise(PRICES)
TABLE = pl.from_pandas(PRICES.reset_index())


def returns_of(prices: Any = PRICES, **options: Any) -> GradedReturns:
    usual = {"levels": 5, "thresholds": None, "excess": None, "group": None, "least": None, "cut": "equal"}
    usual |= {"horizon": 5, "lag": 0, "ties": "average", "stopped": "drop", "gaps": "skip"}
    chosen = {**usual, "benchmark": None, "ignore": (), **options}
    return read_returns(prices, ReturnRules.check(**chosen), None)


@cache
def usual_returns() -> GradedReturns:
    return returns_of()


def scores_of(scores: Any, *, lag: int = 0, columns: Any = None, prices: Any = None) -> Scores:
    returns = usual_returns() if prices is None else returns_of(prices)
    return read_scores(scores, returns, columns, lag=lag)


@cache
def usual_cells() -> list[tuple[int, int, float]]:
    return cells(scores_of(SCORES))


def cells(scores: Scores) -> list[tuple[int, int, float]]:
    return sorted(zip(scores.day.tolist(), scores.stock.tolist(), scores.value.tolist(), strict=True))


def refusal(scores: Any, **options: Any) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        study(TABLE, scores, k=2, **options)
    return caught.value


def known_at(days: int) -> pd.DataFrame:
    """Return scores that become known so many business days after their date."""
    table = long(SCORES, "score")
    return table.assign(known_at=table["date"] + pd.offsets.BusinessDay(days))


def test_read_returns_of_any_library_number_dates_and_tickers_in_order() -> None:
    prices = PRICES.set_axis(["b", "B", "Ä", "a10", "a9", "_"], axis="columns")
    actual = returns_of(prices)
    assert actual.tickers == ("B", "_", "a10", "a9", "b", "Ä")
    assert actual.dates == tuple(str(day.date()) for day in PRICES.index)
    earned = {(actual.dates[day], actual.tickers[stock]): value for day, stock, value in _rows(actual)}
    assert len(earned) == 15 * 6
    assert earned["2020-01-01", "a9"] == pytest.approx(prices["a9"].iloc[5] / prices["a9"].iloc[0] - 1)
    assert actual.raw.tolist() == actual.value.tolist()


def _rows(actual: GradedReturns) -> list[tuple[int, int, float]]:
    return list(zip(actual.day.tolist(), actual.stock.tolist(), actual.value.tolist(), strict=True))


def test_read_returns_in_excess_keep_the_raw_returns() -> None:
    actual, plain = returns_of(excess="mean"), returns_of()
    assert sorted(actual.raw.tolist()) == sorted(plain.raw.tolist())
    assert actual.value.sum() == pytest.approx(0.0, abs=1e-12)
    assert actual.grade.tolist() == plain.grade.tolist()


def test_read_scores_long_or_wide_are_the_same() -> None:
    assert usual_cells() == cells(scores_of(long(SCORES, "score")))


@pytest.mark.parametrize("library", ["polars", "lazy", "duckdb", "arrow", "csv", "parquet", "index"])
def test_read_scores_of_another_library_match_the_prices(library: str, tmp_path: Path) -> None:
    table = long(SCORES, "score")
    frame = pl.from_pandas(table)
    if library == "csv":
        table.to_csv(tmp_path / "scores.csv", index=False)
    if library == "parquet":
        frame.write_parquet(tmp_path / "scores.parquet")
    given = {
        "polars": frame,
        "lazy": frame.lazy(),
        "duckdb": duckdb.from_arrow(frame.to_arrow()),
        "arrow": frame.to_arrow(),
        "csv": tmp_path / "scores.csv",
        "parquet": str(tmp_path / "scores.parquet"),
        "index": table.set_index(["date", "ticker"]),
    }[library]
    assert cells(scores_of(given)) == usual_cells()
    assert cells(scores_of(given, prices=TABLE)) == usual_cells()


def test_read_scores_with_text_dates_match_real_dates() -> None:
    table = long(SCORES, "score")
    texts = table.assign(date=table["date"].dt.strftime("%Y-%m-%d"))
    assert cells(scores_of(texts)) == usual_cells()
    prices = PRICES.set_axis([text_of(day) for day in PRICES.index]).rename_axis("date")
    assert cells(scores_of(SCORES, prices=prices)) == usual_cells()


@pytest.mark.parametrize("form", ["%Y-%m-%d 00:00:00", "%Y-%m-%dT00:00:00", "%Y-%m-%dT00:00:00.000000"])
def test_read_scores_with_midnight_in_texts_match_dates(form: str, tmp_path: Path) -> None:
    table = long(SCORES, "score")
    table.assign(date=table["date"].dt.strftime(form)).to_csv(tmp_path / "scores.csv", index=False)
    assert cells(scores_of(tmp_path / "scores.csv")) == usual_cells()


def test_read_scores_with_time_zones_match_by_day() -> None:
    there = PRICES.tz_localize("America/New_York")
    assert cells(scores_of(SCORES, prices=there)) == usual_cells()


def test_read_scores_with_named_columns_are_found() -> None:
    table = long(SCORES, "score").rename(columns={"date": "when", "ticker": "who", "score": "how"})
    columns = {"date": "when", "ticker": "who", "score": "how"}
    assert cells(scores_of(table, columns=columns)) == usual_cells()
    assert cells(scores_of(table.rename(columns={"when": "Day", "who": "Symbol", "how": "pred"}))) == usual_cells()
    assert refusal(table, columns_scores={**columns, "score": "what"}).code == "missing-column"


def test_read_scores_of_whole_numbers_become_floats() -> None:
    whole = SCORES.round(0).astype(int)
    assert cells(scores_of(whole)) == cells(scores_of(SCORES.round(0)))


def test_read_scores_missing_values_are_counted() -> None:
    gaps = SCORES.copy()
    gaps.iloc[0, :4] = math.nan
    actual = scores_of(gaps)
    assert (actual.rows, actual.without_score, len(actual.day)) == (120, 4, 116)
    (note,) = lines(study(PRICES, gaps, k=2).remarks, "scores")
    assert "120 rows" in note
    assert "4 without a score" in note


def test_read_scores_of_unknown_dates_and_stocks_are_counted() -> None:
    more = SCORES.assign(OTHER=1.0)
    saturday = more.iloc[:1].set_axis([pd.Timestamp("2020-01-04")])
    given = pd.concat([more, saturday]).rename_axis("date")
    actual = scores_of(given)
    assert (actual.rows, actual.without_date, actual.without_stock, len(actual.day)) == (147, 7, 20, 120)
    (note,) = lines(study(PRICES, given, k=2).remarks, "scores")
    assert "7 of dates without prices" in note
    assert "20 of stocks without prices" in note


def test_read_scores_duplicate_raises() -> None:
    table = long(SCORES, "score")
    error = refusal(pd.concat([table, table.iloc[[25]]]))
    assert error.code == "duplicate-row"
    assert "'T01'" in str(error)
    assert "2020-01-08" in str(error)


def test_read_scores_twice_on_a_day_raises() -> None:
    table = long(SCORES, "score")
    twice = [table.assign(date=table["date"] + pd.Timedelta(hours=hour)) for hour in (9, 12)]
    assert refusal(pd.concat(twice), lag=1).code == "duplicate-row"


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_read_scores_infinite_raises(value: float) -> None:
    wrong = SCORES.copy()
    wrong.iloc[4, 2] = value
    error = refusal(wrong)
    assert error.code == "bad-value"
    assert "'T02'" in str(error)
    assert "2020-01-07" in str(error)


def test_study_without_common_stocks_raises_with_examples() -> None:
    error = refusal(SCORES.set_axis(SCORES.index + pd.Timedelta(days=4004)))
    assert error.code == "no-common-stock"
    assert all(text in str(error) for text in ("2020-01-01", "2030-12-18"))
    error = refusal(SCORES.add_prefix("X"))
    assert error.code == "no-common-stock"
    assert all(text in str(error) for text in ("T00", "XT00"))


@pytest.mark.parametrize("nothing", [SCORES.iloc[:0], SCORES * math.nan])
def test_study_without_scores_raises(nothing: pd.DataFrame) -> None:
    assert refusal(nothing).code == "no-common-stock"


def test_study_without_matching_returns_raises() -> None:
    """T00 stops trading, and the scores are those of its last days: no score has a return."""
    prices = wandering(days=20, stocks=6)
    prices.loc[prices.index[10:], "T00"] = math.nan
    with pytest.raises(RankgaugeError):
        study(prices, long(SCORES[["T00"]].iloc[6:10], "score"), k=2)


def test_study_of_dates_after_the_last_horizon_raises() -> None:
    with pytest.raises(RankgaugeError, match="2020-01-22"):
        study(PRICES, SCORES.iloc[-5:], k=2)


def test_study_with_too_few_rows_for_the_horizon_raises_the_reason() -> None:
    error = refusal(SCORES, horizon=20)
    assert error.code == "no-grades-at-all"
    assert "horizon ends after the last date: 120" in str(error)
    assert len(study(PRICES, SCORES, k=2, horizon=19).per_date) == 1


def test_study_with_too_few_stocks_for_the_levels_raises_the_reason() -> None:
    error = refusal(SCORES, levels=7)
    assert error.code == "no-grades-at-all"
    assert "fewer than 7 stocks" in str(error)


def test_read_scores_with_a_time_after_the_price_need_a_lag() -> None:
    timed = SCORES.set_axis(SCORES.index + pd.Timedelta(hours=9, minutes=30)).rename_axis("date")
    error = refusal(timed)
    assert error.code == "look-ahead"
    assert "2020-01-01T09:30:00" in str(error)
    assert "lag=1" in str(error)
    assert cells(scores_of(timed, lag=1)) == cells(scores_of(SCORES, lag=1))
    assert study(PRICES, timed, k=2, lag=1).to_json() == study(PRICES, SCORES, k=2, lag=1).to_json()


def test_read_scores_with_a_time_in_a_text_need_a_lag(tmp_path: Path) -> None:
    table = long(SCORES, "score")
    table.assign(date=table["date"].dt.strftime("%Y-%m-%d 17:00")).to_csv(tmp_path / "scores.csv", index=False)
    assert refusal(tmp_path / "scores.csv").code == "look-ahead"
    assert cells(scores_of(tmp_path / "scores.csv", lag=1)) == usual_cells()


def test_read_scores_at_the_times_of_the_prices_are_accepted() -> None:
    hours = pd.date_range("2020-01-01 10:00", periods=20, freq="h", name="date")
    actual = study(PRICES.set_axis(hours), SCORES.set_axis(hours), k=2)
    assert actual.per_date["date"][0] == "2020-01-01T10:00:00"
    assert actual.per_date["rank_ic"] == study(PRICES, SCORES, k=2).per_date["rank_ic"]


@pytest.mark.parametrize(
    ("days", "lag", "fine"), [(-1, 0, True), (0, 0, True), (1, 0, False), (0, 1, True), (1, 1, True), (2, 1, False)]
)
def test_read_scores_known_after_the_trade_raise(days: int, lag: int, *, fine: bool) -> None:
    if fine:
        assert cells(scores_of(known_at(days), lag=lag)) == usual_cells()
        return
    error = refusal(known_at(days), lag=lag)
    assert error.code == "look-ahead"
    assert "2020-01-03" in str(error) if lag else "2020-01-02" in str(error)


def test_read_scores_with_one_known_too_late_raise() -> None:
    table = known_at(0)
    table.loc[table.index[7], "known_at"] = pd.Timestamp("2020-02-01")
    error = refusal(table)
    assert error.code == "look-ahead"
    assert "2020-01-10" in str(error)
    assert "2020-02-01" in str(error)


def test_read_scores_with_a_named_known_column_are_checked() -> None:
    table = known_at(1).rename(columns={"known_at": "published"})
    assert cells(scores_of(table)) == usual_cells()
    assert refusal(table, columns_scores={"known": "published"}).code == "look-ahead"


def test_read_scores_known_column_in_a_file_may_have_gaps(tmp_path: Path) -> None:
    table = known_at(1)
    table.to_csv(tmp_path / "late.csv", index=False)
    assert refusal(tmp_path / "late.csv").code == "look-ahead"
    table.assign(known_at=None).to_csv(tmp_path / "unknown.csv", index=False)
    assert cells(scores_of(tmp_path / "unknown.csv")) == usual_cells()


def test_read_scores_known_column_beside_wide_scores_is_checked() -> None:
    days = SCORES.index
    assert cells(scores_of(SCORES.assign(known_at=days))) == usual_cells()
    assert refusal(SCORES.assign(known_at=days + pd.Timedelta(days=30))).code == "look-ahead"


def test_read_scores_known_as_number_beside_dates_raises() -> None:
    """Letter by letter 2020-12-31 comes before 20200101, so nothing would ever be too late."""
    table = known_at(10)
    numbers = table["date"].dt.strftime("%Y%m%d").astype(int)
    prices = PRICES.set_axis([int(day.strftime("%Y%m%d")) for day in PRICES.index]).rename_axis("date")
    with pytest.raises(RankgaugeError):
        study(prices, table.assign(date=numbers), k=2)


@pytest.mark.parametrize("option", [{"lag": -1}, {"horizon": 0}, {"horizon": -5}])
def test_study_with_impossible_horizon_or_lag_raises_look_ahead(option: dict[str, int]) -> None:
    assert refusal(SCORES, **option).code == "look-ahead"


@pytest.mark.parametrize(("hour", "lag"), [(0, 0), (15, 0), (16, 0), (17, 1)])
def test_read_scores_of_a_day_match_prices_at_its_close(hour: int, lag: int) -> None:
    closes = PRICES.set_axis(PRICES.index + pd.Timedelta(hours=16))
    scores = scores_of(SCORES.set_axis(SCORES.index + pd.Timedelta(hours=hour)), prices=closes, lag=lag)
    assert cells(scores) == usual_cells()


def test_read_scores_after_the_close_raise_look_ahead() -> None:
    closes = PRICES.set_axis(PRICES.index + pd.Timedelta(hours=16))
    with pytest.raises(RankgaugeError, match=r"T17:00:00 to be known no later than the price of .*T16:00:00") as caught:
        scores_of(SCORES.set_axis(SCORES.index + pd.Timedelta(hours=17)), prices=closes)
    assert caught.value.code == "look-ahead"


def test_read_scores_with_a_missing_number_keep_whole_keys() -> None:
    """In pandas whole numbers are floats as soon as one is absent."""
    dates = {date: 20200101 + place for place, date in enumerate(PRICES.index)}
    prices = PRICES.set_axis(pd.Index(dates.values(), name="date"))
    table = long(SCORES, "score")
    table["date"] = table["date"].map(dates).astype("float64")
    with_gap = pd.concat([table, pd.DataFrame({"date": [math.nan], "ticker": ["T00"], "score": [1.0]})])
    scores = scores_of(with_gap, prices=prices)
    assert (cells(scores), scores.without_score) == (usual_cells(), 1)


def in_zone(table: pd.DataFrame, hour: int, zone: str) -> pd.DataFrame:
    moments = pd.DatetimeIndex([moment + pd.Timedelta(hours=hour) for moment in table.index], name=table.index.name)
    return table.set_axis(moments.tz_localize(zone))


def test_read_scores_in_another_time_zone_are_compared_as_instants() -> None:
    closes = in_zone(PRICES, 16, "UTC")
    with pytest.raises(RankgaugeError) as caught:  # 15:30 in New York is after 20:00 in UTC
        scores_of(in_zone(SCORES, 15, "America/New_York"), prices=closes)
    assert caught.value.code == "look-ahead"
    assert cells(scores_of(in_zone(SCORES, 10, "America/New_York"), prices=closes)) == usual_cells()
    closes = in_zone(PRICES, 16, "America/New_York")
    same = in_zone(SCORES, 16, "America/New_York")
    assert cells(scores_of(same.tz_convert("UTC"), prices=closes)) == usual_cells()
