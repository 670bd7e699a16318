from __future__ import annotations

import math
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.grading.library_tables import LIBRARIES, rows_of, table_of
from tests.grading.small_prices import OPTIONS, long, prices, same, values

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audited
from rankgauge.grading.returns import returns


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("shape", ["long", "wide"])
def test_read_prices_wide_or_long_of_any_library_is_the_same(library: str, shape: str, expected: Audited) -> None:
    table = prices().reset_index() if shape == "wide" else long(prices())
    columns = {str(name): table[name].tolist() for name in table.columns}
    result = returns(table_of(library, columns), **OPTIONS)
    same(result, expected)
    form = (
        "price: 7 columns, one per ticker (000000, 000001, 000002, …)" if shape == "wide" else "price: column 'close'"
    )
    assert str(result.audit.remarks[0]) == form
    assert result.roles == {"query": "date", "item": "ticker", "grade": "grade"}


def frames() -> dict[str, pd.DataFrame]:
    wide = prices()
    tall = long(wide)
    return {
        "a named index of dates": wide,
        "an index without a name": wide.rename_axis(index=None),
        "an index with a zone": wide.set_axis(pd.DatetimeIndex(wide.index).tz_localize("UTC")),
        "two levels": tall.set_index(["date", "ticker"]),
        "two levels, the other way round": tall.set_index(["ticker", "date"]),
        "one level of a long table": tall.set_index("ticker"),
        "an index of dates without a name, long": tall.set_index("date").rename_axis(index=None),
        "an index that means nothing": tall.set_index(pd.Index(range(500, 500 + len(tall)))),
        "dates of Python": tall.assign(date=tall["date"].dt.date),
        "dates as texts": tall.assign(date=tall["date"].dt.strftime("%Y-%m-%d")),
        "dates as short texts": tall.assign(date=tall["date"].dt.strftime("%Y%m%d")),
        "dates as numbers": tall.assign(date=tall["date"].dt.strftime("%Y%m%d").astype(int)),
        "texts of pandas": tall.assign(date=tall["date"].dt.strftime("%Y-%m-%d")).convert_dtypes(),
        "types of Arrow": tall.convert_dtypes(dtype_backend="pyarrow"),
        "categories": tall.astype({"ticker": "category"}),
        "single precision beside double": wide.reset_index().astype({"000003": object}).astype({"000003": "Float64"}),
    }


def test_read_prices_wide_with_the_index_of_pandas_takes_it_for_no_ticker(tmp_path: Path, expected: Audited) -> None:
    wide = prices().reset_index().sample(frac=1, random_state=5)
    wide.to_parquet(tmp_path / "prices.parquet")
    assert "__index_level_0__" in pl.read_parquet(tmp_path / "prices.parquet").columns
    same(returns(tmp_path / "prices.parquet", **OPTIONS), expected)


@pytest.mark.parametrize("form", frames())
def test_read_prices_pandas_forms_are_the_same(form: str, expected: Audited) -> None:
    result = returns(frames()[form], **OPTIONS)
    assert isinstance(result.frame, pd.DataFrame)
    same(result, expected)


@pytest.mark.parametrize("tall", [False, True])
def test_read_prices_whole_tickers_are_kept(tall: bool) -> None:
    wide = prices()
    wide.columns = pd.Index([int(name) for name in wide.columns], name="ticker")
    result = returns(long(wide) if tall else wide, **OPTIONS)
    assert [row[1:] for row in values(result)] == [
        (str(int(ticker)), *rest) for _, ticker, *rest in values(returns(prices(), **OPTIONS))
    ]


def test_read_prices_other_columns_are_left_out(expected: Audited) -> None:
    table = long(prices()).assign(volume=1, open=2.0, fate="x", day=None, stock=7, entry=math.nan, grade=9)
    result = returns(table, **OPTIONS)
    assert list(result.frame.columns) == ["date", "ticker", "return", "grade"]
    same(result, expected)


@pytest.mark.parametrize("names", [("jour", "titre", "cours"), ("day", "fate", "count"), ("ticker", "date", "exit")])
@pytest.mark.parametrize("library", LIBRARIES)
def test_read_prices_named_columns_are_found(names: tuple[str, str, str], library: str, expected: Audited) -> None:
    given = dict(zip(("date", "ticker", "close"), names, strict=True))
    table = long(prices()).rename(columns=given)
    columns = {str(name): table[name].tolist() for name in table.columns}
    result = returns(table_of(library, columns), **OPTIONS, columns=given)
    assert list(rows_of(result.frame)[0]) == [names[0], names[1], "return", "grade"]
    assert values(result) == values(expected)
    scores = long(prices()).drop(columns="close").assign(score=range(84))
    measured, known = (rg.evaluate(each, scores, "ndcg@3").per_query["ndcg@3"] for each in (result, expected))
    assert measured == known


@pytest.mark.parametrize("name", ["return", "grade"])
def test_read_prices_key_named_like_an_added_column_raises(name: str) -> None:
    with pytest.raises(RankgaugeError, match=name):
        returns(long(prices()).rename(columns={"ticker": name}), **OPTIONS, columns={"ticker": name})


def test_read_prices_adjusted_close_comes_first(expected: Audited) -> None:
    table = long(prices()).rename(columns={"close": "Adj Close"}).assign(Close=1.0)
    result = returns(table, **OPTIONS)
    assert str(result.audit.remarks[0]) == "price: column 'Adj Close'"
    same(result, expected)


@pytest.mark.parametrize("library", LIBRARIES)
def test_read_prices_wide_with_benchmark_is_read(library: str) -> None:
    wide = prices().assign(index=np.linspace(100, 120, 12))
    options: dict[str, Any] = {"horizon": 2, "levels": 3, "excess": "index"}
    tall = wide.reset_index().melt(id_vars=["date", "index"], var_name="ticker", value_name="close")
    table = {str(name): column.tolist() for name, column in wide.reset_index().items()}
    result = returns(table_of(library, table), **options)
    assert "index" not in {row["ticker"] for row in rows_of(result.frame)}
    same(result, returns(tall, **options))


def test_read_prices_whole_numbers_are_prices() -> None:
    wide = prices().fillna(10).round().astype(int)
    for table in (wide, long(wide), pl.from_pandas(wide.reset_index()), wide.astype({"000001": float})):
        same(returns(table, **OPTIONS), returns(long(wide.astype(float)), **OPTIONS))


# Dates


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("text", ["1/2/2026", "02.01.2026", "2026-1-2", "Jan 2, 2026", "26-01-02", ""], ids=str)
def test_read_prices_texts_that_are_no_dates_raise(library: str, text: str) -> None:
    columns: dict[str, list[Any]] = {"date": ["2026-01-01", text], "ticker": ["A", "A"], "close": [1.0, 2.0]}
    with pytest.raises(RankgaugeError) as error:
        returns(table_of(library, columns))
    assert error.value.code == "bad-date"
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("form", ["%Y-%m-%d", "%Y%m%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ"])
def test_read_prices_texts_of_dates_are_sorted(library: str, form: str) -> None:
    days = [datetime(2026, 1, 1) + timedelta(days=day) for day in range(3)]
    columns: dict[str, list[Any]] = {
        "date": [f"{day:{form}}" for day in days],
        "ticker": ["A"] * 3,
        "close": [1.0, 2.0, 4.0],
    }
    result = returns(table_of(library, columns), horizon=2, thresholds=[0], least=1)
    assert [(row["date"], row["return"], row["grade"]) for row in rows_of(result.frame)] == [
        (f"{days[0]:{form}}", 3.0, 1)
    ]


@pytest.mark.parametrize("library", LIBRARIES)
def test_read_prices_texts_of_two_forms_raise(library: str) -> None:
    """Letter by letter, 2026-01-03 stands before 20260102."""
    columns: dict[str, list[Any]] = {"date": ["20260102", "2026-01-03"], "ticker": ["A", "A"], "close": [1.0, 2.0]}
    with pytest.raises(RankgaugeError) as error:
        returns(table_of(library, columns), horizon=1, least=1)
    assert error.value.code == "bad-date"


@pytest.mark.parametrize("library", LIBRARIES)
def test_read_prices_missing_text_dates_are_dropped(library: str) -> None:
    columns: dict[str, list[Any]] = {
        "date": [None, "2026-01-01", "2026-01-02"],
        "ticker": ["A"] * 3,
        "close": [5.0, 1.0, 2.0],
    }
    audit = returns(table_of(library, columns), horizon=1, levels="rank", least=1).audit
    assert (audit.rows, audit.dropped["no date or ticker"], audit.kept) == (3, 1, 1)


@pytest.mark.parametrize("library", LIBRARIES)
def test_read_prices_wide_row_without_date_is_dropped(library: str) -> None:
    days = [date(2026, 1, 1), date(2026, 1, 2), None]
    columns: dict[str, list[Any]] = {"date": days, "A": [1.0, 2.0, None], "B": [1.0, None, 3.0]}
    audit = returns(table_of(library, columns), horizon=1, levels="rank", least=1).audit
    assert audit.rows == 6 == sum(audit.dropped.values()) + audit.kept
    assert (audit.dropped["no date or ticker"], audit.dropped["no price"], audit.kept) == (2, 1, 1)


@pytest.mark.parametrize("library", LIBRARIES)
def test_read_prices_whole_keys_with_missing_ones_stay_whole(library: str) -> None:
    """In pandas whole numbers are floats as soon as one is absent."""
    columns: dict[str, list[Any]] = {
        "date": [20260101, 20260101, 20260102, 20260102, None, 20260102],
        "ticker": [7, 8, 7, 8, 7, None],
        "close": [1.0, 1.0, 2.0, 3.0, 1.0, 1.0],
    }
    result = returns(table_of(library, columns), horizon=1, levels=2)
    assert result.audit.dropped["no date or ticker"] == 2
    assert [*result.audit.to_dict()["bins"]] == ["20260101"]
    scores = pl.DataFrame({"date": [20260101, 20260101], "ticker": [7, 8], "score": [0.0, 1.0]})
    assert rg.evaluate(result, scores, "ndcg@2")["ndcg@2"] == 1.0


# Tables of another form


def missing(table: Any, **options: Any) -> str:
    with pytest.raises(RankgaugeError) as error:
        returns(table, **options)
    assert error.value.code == "missing-column"
    return str(error.value)


def test_read_prices_missing_column_raises_the_nearest() -> None:
    tall = long(prices())
    assert "did you mean 'clsoe'" in missing(tall.rename(columns={"close": "clsoe"}))
    assert "did you mean 'dat'" in missing(tall.rename(columns={"date": "dat"}))
    assert "did you mean 'tickr'" in missing(tall.rename(columns={"ticker": "tickr"}))
    assert "no columns" in missing(pd.DataFrame())
    assert "for ticker" in missing(tall[["date"]])
    assert "for ticker" in missing(tall.assign(sector="x").rename(columns={"ticker": "who"}), group="sector")


@pytest.mark.parametrize("library", LIBRARIES)
def test_read_prices_of_one_stock_without_ticker_raise(library: str) -> None:
    columns: dict[str, list[Any]] = {"date": ["2026-01-01", "2026-01-02"], "close": [1.0, 2.0]}
    assert "for ticker" in missing(table_of(library, columns))


def test_read_prices_wide_with_group_raises() -> None:
    assert "for ticker" in missing(prices().assign(sector="x"), group="sector")


@pytest.mark.parametrize("role", ["ticker", "close", "date"])
def test_read_prices_column_has_one_role(role: str) -> None:
    tall = long(prices())
    assert f"for {role}" in missing(tall, group=role)
    if role != "ticker":
        assert f"for {role}" in missing(tall, excess=role)


def test_read_prices_benchmark_of_texts_raises() -> None:
    with pytest.raises(RankgaugeError):
        returns(long(prices()), excess="ticker")


def test_read_prices_two_columns_of_one_name_raise() -> None:
    tall = long(prices())
    for role in ("date", "ticker", "close"):
        with pytest.raises(RankgaugeError, match=f"one column for {role}") as error:
            returns(tall.assign(**{role.upper(): tall[role]}))
        assert error.value.code == "ambiguous-column"


def test_read_prices_of_texts_raise() -> None:
    with pytest.raises(RankgaugeError, match="numbers in the column 'close'") as error:
        returns(long(prices()).astype({"close": str}))
    assert error.value.code == "bad-column"


def test_read_prices_wide_ticker_named_like_a_role_is_read(expected: Audited) -> None:
    """The symbols LAST, DAY and ITEM are stocks where the table is wide."""
    wide = prices()
    names = {"000000": "LAST", "000001": "DAY", "000002": "TIME", "000003": "PRICE"}
    back = {name: ticker for ticker, name in names.items()}
    graded = values(returns(wide.rename(columns=names), **OPTIONS))
    assert sorted((when, back.get(ticker, ticker), *rest) for when, ticker, *rest in graded) == values(expected)


# What users bring


@pytest.mark.parametrize("library", LIBRARIES)
def test_read_prices_dates_with_and_without_time_raise(library: str) -> None:
    columns: dict[str, list[Any]] = {
        "date": ["2026-01-02", "2026-01-02 00:00:00"],
        "ticker": ["A", "B"],
        "close": [1.0, 2.0],
    }
    with pytest.raises(RankgaugeError) as error:
        returns(table_of(library, columns))
    assert error.value.code == "bad-date"


def test_rules_thresholds_beside_levels_raise() -> None:
    with pytest.raises(RankgaugeError, match="levels to be left out beside thresholds"):
        returns(long(prices()), levels=3, thresholds=[0.0])
