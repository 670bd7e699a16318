from __future__ import annotations

import math
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.grading.of_libraries import LIBRARIES, plain, rows_of, table_of

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audited
from rankgauge.grading.returns import returns

OPTIONS: dict[str, Any] = {"horizon": 2, "levels": 3, "stopped": "last"}
# What differs where the same prices have another form.
FORM = "price: "


def prices(seed: int = 4) -> pd.DataFrame:
    """Give a wide table with gaps, late listings and stocks that stop; tickers have leading zeros."""
    source = np.random.default_rng(seed)
    closes = np.round(source.uniform(9, 11, (12, 7)), 2)
    closes[source.random(closes.shape) < 0.1] = np.nan
    closes[:3, 1] = np.nan
    closes[7:, 2] = np.nan
    index = pd.bdate_range("2026-01-01", periods=12, name="date")
    return pd.DataFrame(closes, index=index, columns=pd.Index([f"{place:06}" for place in range(7)], name="ticker"))


def long(wide: pd.DataFrame) -> pd.DataFrame:
    """Give the same as a long table, in another order and with the gaps in it."""
    return wide.reset_index().melt(id_vars="date", value_name="close").sample(frac=1, random_state=5)


def with_texts(wide: pd.DataFrame) -> pd.DataFrame:
    return wide.set_axis(pd.DatetimeIndex(wide.index).strftime("%Y-%m-%d").rename("date"))


def values(result: Audited) -> list[tuple[Any, ...]]:
    """Return the rows with dates as texts, in order."""
    rows = [tuple(map(plain, row.values())) for row in rows_of(result.frame)]
    return sorted((str(when)[:10].replace("-", ""), str(ticker), *rest) for when, ticker, *rest in rows)


def summary(result: Audited) -> dict[str, Any]:
    """Return the audit but for the form of the prices and the way that dates are written."""
    found = result.audit.to_dict()
    found["remarks"] = [remark for remark in found["remarks"] if not remark.startswith(FORM)]
    for name in ("items", "bins", "refused"):
        found[name] = {when.replace("-", ""): each for when, each in found[name].items()}
    return found


def same(result: Audited, other: Audited) -> None:
    assert values(result) == values(other)
    assert summary(result) == summary(other)


@pytest.fixture(scope="module")
def expected() -> Audited:
    result = returns(long(prices()), **OPTIONS)
    assert result.audit.kept > 30
    assert all(result.audit.dropped[reason] for reason in list(result.audit.dropped)[1:3])
    return result


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("shape", ["long", "wide"])
def test_wide_and_long_tables_of_every_library_are_one(library: str, shape: str, expected: Audited) -> None:
    table = prices().reset_index() if shape == "wide" else long(prices())
    columns = {str(name): table[name].tolist() for name in table.columns}
    result = returns(table_of(library, columns), **OPTIONS)
    same(result, expected)
    form = (
        "price: 7 columns, one per ticker (000000, 000001, 000002, …)" if shape == "wide" else "price: column 'close'"
    )
    assert result.audit.remarks[0] == form
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


@pytest.mark.parametrize("form", frames())
def test_pandas_may_hold_prices_in_many_forms(form: str, expected: Audited) -> None:
    result = returns(frames()[form], **OPTIONS)
    assert isinstance(result.frame, pd.DataFrame)
    same(result, expected)


@pytest.mark.parametrize("tall", [False, True])
def test_tickers_may_be_whole_numbers(tall: bool) -> None:
    wide = prices()
    wide.columns = pd.Index([int(name) for name in wide.columns], name="ticker")
    result = returns(long(wide) if tall else wide, **OPTIONS)
    assert [row[1:] for row in values(result)] == [
        (str(int(ticker)), *rest) for _, ticker, *rest in values(returns(prices(), **OPTIONS))
    ]


def test_other_columns_are_left_out(expected: Audited) -> None:
    table = long(prices()).assign(volume=1, open=2.0, fate="x", day=None, stock=7, entry=math.nan, grade=9)
    result = returns(table, **OPTIONS)
    assert list(result.frame.columns) == ["date", "ticker", "return", "grade"]
    same(result, expected)


@pytest.mark.parametrize("names", [("jour", "titre", "cours"), ("day", "fate", "count"), ("ticker", "date", "exit")])
@pytest.mark.parametrize("library", LIBRARIES)
def test_columns_may_have_any_names(names: tuple[str, str, str], library: str, expected: Audited) -> None:
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
def test_a_key_with_the_name_of_what_is_added_is_refused(name: str) -> None:
    with pytest.raises(RankgaugeError, match=name):
        returns(long(prices()).rename(columns={"ticker": name}), **OPTIONS, columns={"ticker": name})


def test_an_adjusted_price_comes_first(expected: Audited) -> None:
    table = long(prices()).rename(columns={"close": "Adj Close"}).assign(Close=1.0)
    result = returns(table, **OPTIONS)
    assert result.audit.remarks[0] == "price: column 'Adj Close'"
    same(result, expected)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_benchmark_may_stand_in_a_wide_table(library: str) -> None:
    wide = prices().assign(index=np.linspace(100, 120, 12))
    options: dict[str, Any] = {"horizon": 2, "levels": 3, "excess": "index"}
    tall = wide.reset_index().melt(id_vars=["date", "index"], var_name="ticker", value_name="close")
    table = {str(name): column.tolist() for name, column in wide.reset_index().items()}
    result = returns(table_of(library, table), **options)
    assert "index" not in {row["ticker"] for row in rows_of(result.frame)}
    same(result, returns(tall, **options))


def test_whole_numbers_are_prices() -> None:
    wide = prices().fillna(10).round().astype(int)
    for table in (wide, long(wide), pl.from_pandas(wide.reset_index()), wide.astype({"000001": float})):
        same(returns(table, **OPTIONS), returns(long(wide.astype(float)), **OPTIONS))


# Files


def write(folder: Path, name: str) -> str:
    """Write the prices in the format and the shape that the name says."""
    wide = with_texts(prices())
    table = wide.reset_index() if "wide" in name else long(prices()).assign(date=lambda t: t["date"].dt.date)
    path = folder / name
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    elif path.suffix == ".jsonl":
        table.astype({"date": str}).to_json(path, orient="records", lines=True)
    elif path.suffix == ".json":
        table.astype({"date": str}).to_json(path, orient="records")
    elif path.suffix == ".arrow":
        pl.from_pandas(table).write_ipc(path)
    elif path.suffix == ".arrows":
        pl.from_pandas(table).write_ipc_stream(path)
    elif path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as connection:
            table.astype({"date": str}).to_sql("closes", connection, index=False)
    elif path.suffix == ".duckdb":
        with duckdb.connect(str(path)) as connection:
            connection.register("given", table)
            connection.execute("create table closes as from given")
            connection.execute("create table other as select 1 as one")
        return f"{path}::closes"
    else:
        table.to_csv(path, index=False, sep="\t" if ".tsv" in name else ",")
    return str(path)


FILES = [
    *("long.csv", "wide.csv", "long.csv.gz", "long.tsv", "wide.tsv", "long.parquet", "wide.parquet"),
    *("long.jsonl", "wide.jsonl", "long.json", "long.duckdb", "wide.duckdb", "long.sqlite", "wide.sqlite"),
]
OF_ARROW = ["long.arrow", "wide.arrow", "long.arrows"]


@pytest.mark.parametrize("name", [*FILES, *OF_ARROW])
def test_a_file_is_graded_as_its_table_is(name: str, tmp_path: Path, expected: Audited) -> None:
    result = returns(write(tmp_path, name), **OPTIONS)
    assert isinstance(result.frame, duckdb.DuckDBPyRelation)
    assert {row["ticker"] for row in rows_of(result.frame)} <= set(prices().columns)
    same(result, expected)
    scores = long(prices()).drop(columns="close").assign(score=range(84))
    measured, known = (rg.evaluate(each, scores, "ndcg@3").per_query["ndcg@3"] for each in (result, expected))
    assert measured == known


def test_a_path_may_be_a_path(tmp_path: Path, expected: Audited) -> None:
    same(returns(Path(write(tmp_path, "long.csv")), **OPTIONS), expected)


def test_a_text_without_a_header_is_told_its_columns(tmp_path: Path, expected: Audited) -> None:
    path = tmp_path / "prices.csv"
    long(prices()).to_csv(path, index=False, header=False)
    same(returns(path, **OPTIONS, columns=["date", "ticker", "close"]), expected)
    with pytest.raises(RankgaugeError) as error:
        returns(path)
    assert error.value.code == "missing-column"


def test_a_text_may_write_nan(tmp_path: Path, expected: Audited) -> None:
    path = tmp_path / "prices.csv"
    long(prices()).to_csv(path, index=False, na_rep="NaN")
    same(returns(path, **OPTIONS), expected)


BAD_FILES = {
    "date,ticker,close\n2026-01-02,A,cheap\n": ("bad-value", "cheap"),
    "date,ticker,close\n1/2/2026,A,10\n": ("bad-date", "'1/2/2026'"),
    "date,ticker,close\n2026-01-02,A,0\n": ("bad-price", "ticker 'A', date 2026-01-02"),
    "date,ticker,close\n2026-01-02,A,1\n2026-01-02,A,1\n": ("duplicate-row", "ticker 'A', date 2026-01-02"),
    "date,ticker,volume\n2026-01-02,A,1\n": ("missing-column", "for close"),
    "q1 Q0 d1 1 2.0 tag\nq1 Q0 d2 2 1.0 tag\n": ("missing-column", "for date"),
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_bad_file_is_refused(text: str, tmp_path: Path) -> None:
    code, words = BAD_FILES[text]
    path = tmp_path / "prices.txt"
    path.write_text(text)
    with pytest.raises(RankgaugeError, match=words) as error:
        returns(path)
    assert error.value.code == code


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RankgaugeError) as error:
        returns(tmp_path / "none.csv")
    assert error.value.code == "file-not-found"


def test_a_text_with_nothing_but_a_header_has_no_grades(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text("date,ticker,close\n")
    frame, audit = returns(path)
    assert (rows_of(frame), audit.rows, audit.kept) == ([], 0, 0)


WITHOUT = """
import sys

BLOCKED = {"pandas", "polars", "pyarrow", "pyspark"}


class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(name, name=name)


sys.meta_path.insert(0, Block())
import duckdb
import rankgauge as rg

paths, ranking = sys.argv[1:-1], sys.argv[-1]
for source in [*paths, duckdb.read_csv(paths[0], all_varchar=False)]:
    graded = rg.grading.returns(source, horizon=2, levels=3, stopped="last")
    value = rg.evaluate(graded, ranking, "ndcg@3")["ndcg@3"]
    print(graded.audit.kept, len(graded.frame.fetchall()), repr(value))
assert not BLOCKED & sys.modules.keys()
try:
    rg.grading.returns(paths[0].replace("long.csv", "long.arrow"))
except rg.RankgaugeError as error:
    assert "pyarrow is not there" in str(error)
"""


def test_files_and_duckdb_need_no_other_library(tmp_path: Path, expected: Audited) -> None:
    paths = [write(tmp_path, name) for name in FILES]
    write(tmp_path, "long.arrow")
    scores = long(prices()).drop(columns="close").assign(score=range(84))
    scores.to_csv(tmp_path / "scores.csv", index=False)
    command = [sys.executable, "-W", "error", "-c", WITHOUT, *paths, str(tmp_path / "scores.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    kept, value = expected.audit.kept, rg.evaluate(expected, scores, "ndcg@3")["ndcg@3"]
    assert done.stdout.splitlines()[:-1] == [f"{kept} {kept} {value!r}"] * len(paths)
    # DuckDB takes the tickers of its own CSV reader for numbers, which is not for us to say: their rows are as many.
    assert done.stdout.splitlines()[-1].startswith(f"{kept} {kept} ")


# Dates


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("text", ["1/2/2026", "02.01.2026", "2026-1-2", "Jan 2, 2026", "26-01-02", ""], ids=str)
def test_texts_that_do_not_sort_as_dates_are_refused(library: str, text: str) -> None:
    columns: dict[str, list[Any]] = {"date": ["2026-01-01", text], "ticker": ["A", "A"], "close": [1.0, 2.0]}
    with pytest.raises(RankgaugeError) as error:
        returns(table_of(library, columns))
    assert error.value.code == "bad-date"
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("form", ["%Y-%m-%d", "%Y%m%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ"])
def test_texts_that_sort_as_dates_are_dates(library: str, form: str) -> None:
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
def test_texts_of_two_forms_do_not_sort_and_are_refused(library: str) -> None:
    """Letter by letter, 2026-01-03 stands before 20260102."""
    columns: dict[str, list[Any]] = {"date": ["20260102", "2026-01-03"], "ticker": ["A", "A"], "close": [1.0, 2.0]}
    with pytest.raises(RankgaugeError) as error:
        returns(table_of(library, columns), horizon=1, least=1)
    assert error.value.code == "bad-date"


@pytest.mark.parametrize("library", LIBRARIES)
def test_texts_of_dates_may_be_absent(library: str) -> None:
    columns: dict[str, list[Any]] = {
        "date": [None, "2026-01-01", "2026-01-02"],
        "ticker": ["A"] * 3,
        "close": [5.0, 1.0, 2.0],
    }
    audit = returns(table_of(library, columns), horizon=1, levels="rank", least=1).audit
    assert (audit.rows, audit.dropped["no date or ticker"], audit.kept) == (3, 1, 1)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_wide_row_without_a_date_is_dropped(library: str) -> None:
    days = [date(2026, 1, 1), date(2026, 1, 2), None]
    columns: dict[str, list[Any]] = {"date": days, "A": [1.0, 2.0, None], "B": [1.0, None, 3.0]}
    audit = returns(table_of(library, columns), horizon=1, levels="rank", least=1).audit
    assert audit.rows == 6 == sum(audit.dropped.values()) + audit.kept
    assert (audit.dropped["no date or ticker"], audit.dropped["no price"], audit.kept) == (2, 1, 1)


@pytest.mark.parametrize("library", LIBRARIES)
def test_keys_of_whole_numbers_stay_whole_where_some_are_absent(library: str) -> None:
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


@pytest.mark.parametrize(
    "table",
    [5, None, [1, 2], {"date": ["2026-01-02"]}, np.ones((2, 2)), pd.Series([1.0, 2.0]), pl.Series([1.0]), object()],
    ids=lambda table: type(table).__name__,
)
def test_what_is_no_table_is_refused(table: Any) -> None:
    with pytest.raises(RankgaugeError, match="expected prices as a DataFrame") as error:
        returns(table)
    assert error.value.code == "unknown-table-kind"


def test_a_table_of_arrow_is_graded(expected: Audited) -> None:
    result = returns(pl.from_pandas(long(prices())).to_arrow(), **OPTIONS)
    same(result, expected)


def test_columns_of_two_levels_are_refused() -> None:
    """Several prices per ticker, as some services give them: which of them is meant cannot be known."""
    wide = prices()
    with pytest.raises(RankgaugeError):
        returns(pd.concat({"Close": wide, "Volume": wide}, axis=1))


def missing(table: Any, **options: Any) -> str:
    with pytest.raises(RankgaugeError) as error:
        returns(table, **options)
    assert error.value.code == "missing-column"
    return str(error.value)


def test_a_missing_column_is_named_with_the_nearest() -> None:
    tall = long(prices())
    assert "did you mean 'clsoe'" in missing(tall.rename(columns={"close": "clsoe"}))
    assert "did you mean 'dat'" in missing(tall.rename(columns={"date": "dat"}))
    assert "did you mean 'tickr'" in missing(tall.rename(columns={"ticker": "tickr"}))
    assert "no columns" in missing(pd.DataFrame())
    assert "for ticker" in missing(tall[["date"]])
    assert "for ticker" in missing(tall.assign(sector="x").rename(columns={"ticker": "who"}), group="sector")


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_prices_of_one_stock_lack_a_ticker(library: str) -> None:
    columns: dict[str, list[Any]] = {"date": ["2026-01-01", "2026-01-02"], "close": [1.0, 2.0]}
    assert "for ticker" in missing(table_of(library, columns))


def test_a_wide_table_has_no_groups() -> None:
    assert "for ticker" in missing(prices().assign(sector="x"), group="sector")


@pytest.mark.parametrize("role", ["ticker", "close", "date"])
def test_a_column_plays_one_role(role: str) -> None:
    tall = long(prices())
    assert f"for {role}" in missing(tall, group=role)
    if role != "ticker":
        assert f"for {role}" in missing(tall, excess=role)


def test_a_benchmark_is_a_column_of_numbers() -> None:
    with pytest.raises(RankgaugeError):
        returns(long(prices()), excess="ticker")


def test_two_columns_of_one_name_are_ambiguous() -> None:
    tall = long(prices())
    for role in ("date", "ticker", "close"):
        with pytest.raises(RankgaugeError, match=f"one column for {role}") as error:
            returns(tall.assign(**{role.upper(): tall[role]}))
        assert error.value.code == "ambiguous-column"


def test_prices_that_are_texts_are_refused() -> None:
    with pytest.raises(RankgaugeError, match="numbers in the column 'close'") as error:
        returns(long(prices()).astype({"close": str}))
    assert error.value.code == "bad-column"


def test_a_ticker_may_have_the_name_of_a_role(expected: Audited) -> None:
    """The symbols LAST, DAY and ITEM are stocks where the table is wide."""
    wide = prices()
    names = {"000000": "LAST", "000001": "DAY", "000002": "TIME", "000003": "PRICE"}
    back = {name: ticker for ticker, name in names.items()}
    found = values(returns(wide.rename(columns=names), **OPTIONS))
    assert sorted((when, back.get(ticker, ticker), *rest) for when, ticker, *rest in found) == values(expected)


def test_the_prices_of_narwhals_come_back_as_their_own(expected: Audited) -> None:
    import narwhals as nw

    result = returns(nw.from_native(pl.from_pandas(long(prices()))), **OPTIONS)
    assert isinstance(result.frame, pl.DataFrame)
    same(result, expected)


# What users bring


def test_two_columns_of_a_file_may_not_have_one_name(tmp_path: Path) -> None:
    for header in ("date,A,A", "date,A,a"):
        path = tmp_path / "prices.csv"
        path.write_text(f"{header}\n2026-01-02,1,2\n2026-01-05,2,3\n", encoding="utf-8")
        with pytest.raises(RankgaugeError, match=r"'A' and '[aA]'") as error:
            returns(path)
        assert error.value.code == "same-columns"


def test_dates_may_stand_in_an_index_without_a_name(tmp_path: Path, expected: Audited) -> None:
    path = tmp_path / "prices.csv"
    prices().rename_axis(None).to_csv(path)
    same(returns(path, **OPTIONS), expected)
    same(returns(pd.read_csv(path, index_col=0), **OPTIONS), expected)
    same(returns(pd.read_csv(path), **OPTIONS), expected)  # "Unnamed: 0"


def test_an_index_may_be_a_column_too(expected: Audited) -> None:
    tall = long(prices())
    same(returns(tall.set_index("date", drop=False), **OPTIONS), expected)
    same(returns(tall.set_index(["date", "ticker"], drop=False), **OPTIONS), expected)


def test_a_column_of_objects_in_polars_is_refused() -> None:
    dates = np.array([date(2026, 1, 2)], dtype=object)
    with pytest.raises(RankgaugeError, match="texts, numbers or dates in the column 'date'") as error:
        returns(pl.DataFrame({"date": dates, "ticker": ["A"], "close": [1.0]}))
    assert error.value.code == "bad-column"


@pytest.mark.parametrize("library", LIBRARIES)
def test_dates_with_and_without_a_time_are_two_forms(library: str) -> None:
    columns: dict[str, list[Any]] = {
        "date": ["2026-01-02", "2026-01-02 00:00:00"],
        "ticker": ["A", "B"],
        "close": [1.0, 2.0],
    }
    with pytest.raises(RankgaugeError) as error:
        returns(table_of(library, columns))
    assert error.value.code == "bad-date"


def test_a_text_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_bytes("date,ticker,close\n2026-01-02,A,1\n".encode("utf-16"))
    with pytest.raises(RankgaugeError) as error:
        returns(path)
    assert error.value.code in ("bad-format", "empty-file")


def test_thresholds_and_levels_exclude_each_other() -> None:
    with pytest.raises(RankgaugeError, match="levels to be left out beside thresholds"):
        returns(long(prices()), levels=3, thresholds=[0.0])
