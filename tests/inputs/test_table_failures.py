"""Tables that fail by themselves are an error that says which side it is; what a user raises stays as it is."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow.dataset
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

ROWS = pl.LazyFrame({"query": ["q"], "item": ["a"], "score": ["x"]})
LONG = "a word and " * 30


def of_closed_connection() -> Any:
    with duckdb.connect() as connection:
        return connection.sql("select 'q' as query, 'a' as item, 1 as score")


def of_dropped_table() -> Any:
    connection = duckdb.connect()
    connection.execute("create table rows as select 'q' as query, 'a' as item, 1 as score")
    relation = connection.table("rows")
    connection.execute("drop table rows")
    return relation


def of_query(score: str) -> Any:
    return duckdb.connect().sql(f"select 'q' as query, 'a' as item, {score} as score")


def late() -> Any:
    """A relation whose last batch fails, when others have been read."""
    item = "case when range = 299999 then error('the last row') else range end"
    return duckdb.connect().sql(f"select 'q' as query, {item} as item, 1.0 as score from range(300000)")  # noqa: S608


def of_removed_file() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.parquet")
        pl.DataFrame({"query": ["q"], "item": ["a"], "score": [1.0]}).write_parquet(path)
        return pyarrow.dataset.dataset(path)


FAILING: dict[str, tuple[str, Callable[[], Any], str]] = {
    "cast": ("Polars", lambda: ROWS.with_columns(pl.col("score").cast(float)), "failed in column 'score'"),
    "column": ("Polars", lambda: ROWS.with_columns(pl.col("nothing")), 'unable to find column "nothing"'),
    "file": ("Polars", lambda: pl.scan_parquet("missing.parquet"), "missing.parquet"),
    "closed": ("DuckDB", of_closed_connection, "Connection"),
    "dropped": ("DuckDB", of_dropped_table, "rows does not exist"),
    "converted": ("DuckDB", lambda: of_query("'x'::double"), "Could not convert string 'x'"),
    "raised": ("DuckDB", lambda: of_query(f"error('{LONG}')"), "a word and a word"),
    "late": ("DuckDB", late, "got its error: Invalid Input Error: the last row"),
    "pyarrow": ("pyarrow", of_removed_file, "run.parquet"),
}


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.parametrize("side", ["judgments", "ranking"])
def test_table_that_fails_is_an_error_with_its_side(name: str, side: str) -> None:
    library, table, text = FAILING[name]
    good = {"q": {"a": 1}}
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(table(), good, columns={"grade": "score"}) if side == "judgments" else rg.evaluate(good, table())
    error = caught.value
    assert (error.code, error.place) == ("failing-table", side)
    assert f"a table of {library}" in str(error)
    assert text in str(error)
    assert "\n" not in str(error)


def test_run_that_fails_is_named_in_a_comparison() -> None:
    with pytest.raises(RankgaugeError, match=r"run 'lazy': ranking: expected the rows of a table of Polars"):
        rg.compare({"q": {"a": 1}}, {"good": {"q": ["a"]}, "lazy": ROWS.with_columns(pl.col("score").cast(float))})


def test_message_that_is_long_ends_with_a_whole_word() -> None:
    with pytest.raises(RankgaugeError, match=r"a word( and a word)*( and)?( a)?…\. Hint"):
        rg.evaluate({"q": {"a": 1}}, of_query(f"error('{LONG}')"))


def test_message_of_a_text_with_a_fault_leaves_out_advice_of_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text('query,item,score\n"q","a",1\n"q","b\n')
    with pytest.raises(RankgaugeError, match=r"unterminated quote found\. Hint") as caught:
        rg.evaluate({"q": {"a": 1}}, path)
    assert caught.value.place == f"{path}:3"


def test_error_of_a_user_is_raised_as_it_is() -> None:
    def fail(_: pl.DataFrame) -> pl.DataFrame:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        rg.evaluate({"q": {"a": 1}}, ROWS.map_batches(fail))
