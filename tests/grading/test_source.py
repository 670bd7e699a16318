from __future__ import annotations

import gzip
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.grading.library_tables import rows_of
from tests.grading.small_prices import OPTIONS, long, prices, same, with_texts
from tests.program import unmeasured

import rankgauge as rg
from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audited
from rankgauge.grading.returns import returns
from rankgauge.grading.source import open_table, rows
from rankgauge.presentation.ids import id_text

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
def test_open_table_file_is_graded_as_its_table(name: str, tmp_path: Path, expected: Audited) -> None:
    result = returns(write(tmp_path, name), **OPTIONS)
    assert isinstance(result.frame, duckdb.DuckDBPyRelation)
    assert {row["ticker"] for row in rows_of(result.frame)} <= set(prices().columns)
    same(result, expected)
    scores = long(prices()).drop(columns="close").assign(score=range(84))
    measured, known = (rg.evaluate(each, scores, "ndcg@3").per_query["ndcg@3"] for each in (result, expected))
    # A file may have its dates as texts.
    assert {id_text(day): value for day, value in measured.items()} == {
        id_text(day): value for day, value in known.items()
    }


def test_open_table_pathlib_path_is_read(tmp_path: Path, expected: Audited) -> None:
    same(returns(Path(write(tmp_path, "long.csv")), **OPTIONS), expected)


def test_open_table_text_without_header_takes_column_names(tmp_path: Path, expected: Audited) -> None:
    path = tmp_path / "prices.csv"
    long(prices()).to_csv(path, index=False, header=False)
    same(returns(path, **OPTIONS, columns=["date", "ticker", "close"]), expected)
    with pytest.raises(RankgaugeError) as error:
        returns(path)
    assert error.value.code == "missing-column"


def test_open_table_text_with_nan_is_read(tmp_path: Path, expected: Audited) -> None:
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
def test_open_table_bad_file_raises(text: str, tmp_path: Path) -> None:
    code, words = BAD_FILES[text]
    path = tmp_path / "prices.txt"
    path.write_text(text)
    with pytest.raises(RankgaugeError, match=words) as error:
        returns(path)
    assert error.value.code == code


def test_open_table_missing_file_raises(tmp_path: Path) -> None:
    with pytest.raises(RankgaugeError) as error:
        returns(tmp_path / "none.csv")
    assert error.value.code == "file-not-found"


def test_open_table_header_alone_has_no_grades(tmp_path: Path) -> None:
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


def test_open_table_files_and_duckdb_import_no_other_library(tmp_path: Path, expected: Audited) -> None:
    paths = [write(tmp_path, name) for name in FILES]
    write(tmp_path, "long.arrow")
    scores = long(prices()).drop(columns="close").assign(score=range(84))
    scores.to_csv(tmp_path / "scores.csv", index=False)
    command = [sys.executable, "-W", "error", "-c", WITHOUT, *paths, str(tmp_path / "scores.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=unmeasured())
    assert done.stderr == ""
    kept, value = expected.audit.kept, rg.evaluate(expected, scores, "ndcg@3")["ndcg@3"]
    assert done.stdout.splitlines()[:-1] == [f"{kept} {kept} {value!r}"] * len(paths)
    # DuckDB takes the tickers of its own CSV reader for numbers, which is not for us to say: their rows are as many.
    assert done.stdout.splitlines()[-1].startswith(f"{kept} {kept} ")


# Tables


def test_open_table_file_with_two_columns_of_one_name_raises(tmp_path: Path) -> None:
    for header in ("date,A,A", "date,A,a"):
        path = tmp_path / "prices.csv"
        path.write_text(f"{header}\n2026-01-02,1,2\n2026-01-05,2,3\n", encoding="utf-8")
        with pytest.raises(RankgaugeError, match=r"'A' and '[aA]'") as error:
            returns(path)
        assert error.value.code == "same-columns"


def test_open_table_unnamed_index_of_dates_is_the_date(tmp_path: Path, expected: Audited) -> None:
    path = tmp_path / "prices.csv"
    prices().rename_axis(None).to_csv(path)
    same(returns(path, **OPTIONS), expected)
    same(returns(pd.read_csv(path, index_col=0), **OPTIONS), expected)
    same(returns(pd.read_csv(path), **OPTIONS), expected)  # "Unnamed: 0"


def test_open_table_file_in_utf_16_raises(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_bytes("date,ticker,close\n2026-01-02,A,1\n".encode("utf-16"))
    with pytest.raises(RankgaugeError) as error:
        returns(path)
    assert error.value.code == "other-encoding"


def test_open_table_polars_objects_raise() -> None:
    dates = np.array([date(2026, 1, 2)], dtype=object)
    with pytest.raises(RankgaugeError, match="texts, numbers or dates in the column 'date'") as error:
        returns(pl.DataFrame({"date": dates, "ticker": ["A"], "close": [1.0]}))
    assert error.value.code == "bad-column"


def test_open_table_index_that_is_a_column_is_dropped(expected: Audited) -> None:
    tall = long(prices())
    same(returns(tall.set_index("date", drop=False), **OPTIONS), expected)
    same(returns(tall.set_index(["date", "ticker"], drop=False), **OPTIONS), expected)


def test_open_table_columns_of_two_levels_raise() -> None:
    """Several prices per ticker, as some services give them: which of them is meant cannot be known."""
    wide = prices()
    with pytest.raises(RankgaugeError):
        returns(pd.concat({"Close": wide, "Volume": wide}, axis=1))


def test_open_table_arrow_table_is_graded(expected: Audited) -> None:
    result = returns(pl.from_pandas(long(prices())).to_arrow(), **OPTIONS)
    same(result, expected)


@pytest.mark.parametrize(
    "table",
    [5, None, [1, 2], {"date": ["2026-01-02"]}, np.ones((2, 2)), pd.Series([1.0, 2.0]), pl.Series([1.0]), object()],
    ids=lambda table: type(table).__name__,
)
def test_open_table_of_something_else_raises(table: Any) -> None:
    with pytest.raises(RankgaugeError, match="expected prices as a DataFrame") as error:
        returns(table)
    assert error.value.code == "unknown-table-kind"


def test_open_table_narwhals_frame_returns_its_native_library(expected: Audited) -> None:
    import narwhals as nw

    result = returns(nw.from_native(pl.from_pandas(long(prices()))), **OPTIONS)
    assert isinstance(result.frame, pl.DataFrame)
    same(result, expected)


@pytest.mark.parametrize("name", ["table.csv", "table.tsv", "table.jsonl", "table.csv.gz"])
def test_open_table_of_a_text_file_reads_it_once(tmp_path: Path, name: str) -> None:
    path, separator = tmp_path / name, "\t" if "tsv" in name else ","
    lines = ['{"user": "ann", "n": "1"}'] if "json" in name else [f"user{separator}n", f"ann{separator}1"]
    content = "\n".join([*lines, ""]).encode()
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    source = open_table(str(path), "prices")
    path.unlink()
    assert rows(source.frame) == [{"user": "ann", "n": "1"}]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([5930, "A", None], ["5930", "A", None]),
        ([5930.0, "A", 0.5], ["5930", "A", "0.5"]),
        ([1, 2, None], [1, 2, None]),
        ([[1], "A", None], [[1], "A", None]),
    ],
)
def test_open_table_of_texts_and_numbers_in_one_column_writes_texts(values: list[Any], expected: list[Any]) -> None:
    source = open_table(pd.DataFrame({"stock": pd.Series(values, dtype=object)}), "prices")
    stocks = source.frame["stock"].to_list()
    assert [None if value is None or value != value else value for value in stocks] == expected  # noqa: PLR0124 - NaN


# Objects of pandas


@pytest.mark.parametrize("stocks", [[5930, "A"], [date(2026, 1, 2), "A"], [20260102, date(2026, 1, 2)]])
def test_returns_of_ids_that_mix_types_takes_them_as_texts(stocks: list[Any]) -> None:
    table = pd.DataFrame({"stock": pd.Series(stocks, dtype=object), "return": ["1%", "2%"]})
    tickers = [row["stock"] for row in rows_of(returns(table, levels=2, least=1).frame)]
    assert sorted(tickers) == sorted(map(id_text, stocks))


@pytest.mark.parametrize(
    ("values", "types"), [([(1, 2), "A"], "str, tuple"), ([[1], [2]], "list"), ([True, "A"], "bool, str")]
)
def test_graders_of_objects_without_an_order_name_the_column(values: list[Any], types: str) -> None:
    objects = pd.Series(values, dtype=object)
    graders: dict[str, Callable[[], object]] = {
        "stock": lambda: returns(pd.DataFrame({"stock": objects, "return": [1.0, 2.0]}), levels=2),
        "item": lambda: rg.grading.ratings(pd.DataFrame({"user": ["u"] * 2, "item": objects, "rating": [1, 2]})),
        "action": lambda: rg.grading.actions(pd.DataFrame({"user": ["u"] * 2, "item": ["i"] * 2, "action": objects})),
        "user": lambda: rg.grading.holdout(pd.DataFrame({"user": objects, "item": ["i"] * 2, "time": [1, 2]})),
    }
    for column, grade in graders.items():
        with pytest.raises(RankgaugeError, match=f"in the column '{column}', got values of type {types}") as error:
            grade()
        assert error.value.code == "bad-column"


def test_ratings_of_a_signalling_decimal_name_the_column() -> None:
    table = pd.DataFrame({"user": ["u", "v"], "item": [Decimal("sNaN"), Decimal(1)], "rating": [1, 5]})
    with pytest.raises(RankgaugeError, match=r"column 'item', got values of type Decimal\('sNaN'\)"):
        rg.grading.ratings(table)


def test_ratings_with_lists_in_a_column_that_is_not_used_are_graded() -> None:
    table = pd.DataFrame({"user": ["u", "v"], "item": ["i", "j"], "rating": [1, 5], "tags": [["a"], {}]})
    assert rg.grading.ratings(table).audit.kept == 2


# Tables that fail by themselves


def failing_frame(column: str, **others: str) -> pl.LazyFrame:
    return pl.LazyFrame({column: ["x"], **{name: [value] for name, value in others.items()}}).cast({column: pl.Int64})


def closed_relation(query: str) -> duckdb.DuckDBPyRelation:
    connection = duckdb.connect()
    relation = connection.sql(query)
    connection.close()
    return relation


def test_graders_of_failing_tables_name_the_library() -> None:
    judged = rg.evaluate({"q": {"a": 1}}, {"q": ["a"]})
    failing: dict[str, Callable[[], object]] = {
        "ratings": lambda: rg.grading.ratings(failing_frame("rating", user="u", item="i")),
        "returns": lambda: returns(failing_frame("return", stock="A")),
        "segments": lambda: judged.by(failing_frame("segment", query="q")),
        "closed ratings": lambda: rg.grading.ratings(closed_relation("select 'u' as user, 'i' as item, 1 as rating")),
        "closed segments": lambda: judged.by(closed_relation("select 'q' as query, 's' as segment")),
    }
    for name, run in failing.items():
        library = "DuckDB" if "closed" in name else "Polars"
        with pytest.raises(RankgaugeError, match=f"the rows of a table of {library}, got its error") as error:
            run()
        assert error.value.code == "failing-table"
