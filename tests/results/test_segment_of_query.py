"""Which segment a query belongs to, from every form in which users have it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rankgauge.errors import RankgaugeError
from rankgauge.results.segment_of_query import read_segments

OF_QUERY = {"1": "mobile", "2": "desktop", "3": "mobile"}
COLUMNS = {"query": [1, 2, 3], "device": ["mobile", "desktop", "mobile"]}
FORMS: dict[str, Any] = {
    "a mapping": {1: "mobile", 2: "desktop", 3: "mobile"},
    "a mapping of texts": OF_QUERY,
    "pandas": pd.DataFrame(COLUMNS),
    "pandas with the queries in the index": pd.DataFrame(COLUMNS).set_index("query"),
    "a Series": pd.DataFrame(COLUMNS).set_index("query")["device"],
    "categories": pd.DataFrame(COLUMNS).astype({"device": "category"}),
    "Polars": pl.DataFrame(COLUMNS),
    "Polars, lazy": pl.LazyFrame(COLUMNS),
    "Arrow": pa.table(COLUMNS),
    "DuckDB": duckdb.from_arrow(pa.table(COLUMNS)),
    "a table and its column": (pl.DataFrame({**COLUMNS, "country": ["KR", "KR", "US"]}), "device"),
    "a log with a query on several rows": pl.concat([pl.DataFrame(COLUMNS)] * 2),
}


@pytest.mark.parametrize("source", FORMS.values(), ids=FORMS)
def test_read_segments_of_any_form_is_the_same(source: Any) -> None:
    known = read_segments(source)
    assert known.of_query == OF_QUERY
    assert known.segments == ("desktop", "mobile")


@pytest.mark.parametrize("name", ["segments.csv:device", "segments.csv"])
def test_read_segments_of_a_file_takes_the_column_behind_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pl.DataFrame(COLUMNS).write_csv(tmp_path / "segments.csv")
    monkeypatch.chdir(tmp_path)
    assert read_segments(name) == ("device", ("desktop", "mobile"), OF_QUERY)


def test_read_segments_of_a_parquet_file_in_a_folder(tmp_path: Path) -> None:
    pl.DataFrame({**COLUMNS, "country": ["KR", "KR", "US"]}).write_parquet(tmp_path / "queries.parquet")
    assert read_segments(f"{tmp_path / 'queries.parquet'}:country").of_query == {"1": "KR", "2": "KR", "3": "US"}


def test_read_segments_of_a_file_with_the_index_of_pandas_takes_the_other_column(tmp_path: Path) -> None:
    pd.DataFrame(COLUMNS).iloc[[1, 2, 0]].to_parquet(tmp_path / "queries.parquet")
    assert read_segments(tmp_path / "queries.parquet").of_query == OF_QUERY


def test_read_segments_leaves_out_empty_values() -> None:
    nothing = {1: None, 2: float("nan"), 3: "", 4: pd.NA, 5: pd.NaT, 6: "None", 7: "a"}
    assert read_segments(nothing).of_query == {"6": "None", "7": "a"}
    table = pl.DataFrame({"query": ["q1", "q2"], "device": ["mobile", None]})
    assert read_segments(table).of_query == {"q1": "mobile"}


def test_read_segments_that_are_numbers_are_sorted_as_numbers() -> None:
    table = pd.DataFrame({"query": ["a", "b", "c", "d"], "words": [10.0, 2.0, None, 1.0]})
    assert read_segments(table).segments == ("1", "2", "10")


def test_read_segments_of_dates_compares_them_as_judgments_do() -> None:
    assert read_segments({dt.date(2026, 1, 2): "winter"}).of_query == {"2026-01-02": "winter"}


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        (pl.DataFrame({"query": ["q", "q"], "device": ["a", "b"]}), "two-segments", "'a' and 'b'"),
        (pl.DataFrame({"which": ["q"], "device": ["a"]}), "no-query-column", "qid, query_id"),
        (pl.DataFrame({"query": ["q"], "device": ["a"], "land": ["b"]}), "no-segment-column", "'land'"),
        ((pl.DataFrame({"query": ["q"], "device": ["a"]}), "devise"), "no-segment-column", "did you mean 'device'"),
        (5, "unknown-table-kind", "segments"),
        ("device", "no-segment-column", r"'device', which is no file.*\(table, 'device'\)"),
        ("nowhere.csv:device", "file-not-found", "nowhere.csv"),
        (("device", pl.DataFrame({"query": ["q"]})), "no-segment-column", "got DataFrame behind the comma"),
    ],
)
def test_read_segments_refuses_what_leaves_a_question_open(source: Any, code: str, words: str) -> None:
    with pytest.raises(RankgaugeError, match=words) as raised:
        read_segments(source)
    assert raised.value.code == code


@pytest.mark.parametrize("column", ["p/e", "a:b", "C:\\x", "device"])
def test_read_segments_of_a_file_and_a_column_with_signs_of_paths_reads_it(column: str, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text(f"query,other,{column}\nq1,x,high\n")
    read = read_segments(f"{path}:{column}")
    assert (read.name, read.of_query) == (column, {"q1": "high"})
