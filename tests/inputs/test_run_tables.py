"""One file with several runs: compared by their column, in every format; refused where one run is expected."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

QUERIES = [f"q{number}" for number in range(6)]
JUDGMENTS = {query: {"07": 2, "8": 1, "9": 0} for query in QUERIES}
SCORES = {"base": [0.1, 0.9, 0.5], "it's new": [0.9, 0.5, 0.1]}
RUNS = {
    name: {query: dict(zip(JUDGMENTS[query], scores, strict=True)) for query in QUERIES}
    for name, scores in SCORES.items()
}
TABLE = pl.DataFrame(
    [
        (query, item, score, name)
        for query in QUERIES
        for name, run in RUNS.items()
        for item, score in run[query].items()
    ],
    schema=["query", "item", "score", "run"],
    orient="row",
)
LISTS = TABLE.group_by("query", "run", maintain_order=True).agg("item", "score")
EXPECTED = rg.compare(JUDGMENTS, RUNS, "ndcg@2").to_dict()["pairs"]


def in_duckdb(table: pl.DataFrame, path: Path) -> None:
    with duckdb.connect(str(path)) as database:
        database.register("given", table.to_arrow())
        database.execute("create table runs as from given")


def in_sqlite(table: pl.DataFrame, path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("create table runs (query, item, score, run)")
        database.executemany("insert into runs values (?, ?, ?, ?)", table.rows())
    database.close()


WRITERS: dict[str, Callable[[pl.DataFrame, Path], Any]] = {
    "all.csv": pl.DataFrame.write_csv,
    "quoted.csv": lambda table, path: table.write_csv(path, quote_style="always"),
    "all.tsv": lambda table, path: table.write_csv(path, separator="\t"),
    "all.csv.gz": lambda table, path: table.to_pandas().to_csv(path, index=False),
    "all.jsonl": pl.DataFrame.write_ndjson,
    "all.json": pl.DataFrame.write_json,
    "all.parquet": pl.DataFrame.write_parquet,
    "all.arrow": pl.DataFrame.write_ipc,
    "stream.arrow": pl.DataFrame.write_ipc_stream,
    "all.duckdb": in_duckdb,
    "all.sqlite": in_sqlite,
}
FORMATS = pytest.mark.parametrize("name", WRITERS)


def written(name: str, table: pl.DataFrame, folder: Path) -> Path:
    WRITERS[name](table, folder / name)
    return folder / name


@FORMATS
def test_file_of_several_runs_is_compared_as_its_rows_are(name: str, tmp_path: Path) -> None:
    path = written(name, TABLE, tmp_path)
    for runs in (path, str(path), [path]):
        assert rg.compare(JUDGMENTS, runs, "ndcg@2").to_dict()["pairs"] == EXPECTED


@pytest.mark.parametrize("name", ["all.jsonl", "all.json", "all.parquet", "all.arrow"])
def test_file_with_a_list_per_query_and_run_is_compared_too(name: str, tmp_path: Path) -> None:
    assert rg.compare(JUDGMENTS, written(name, LISTS, tmp_path), "ndcg@2").to_dict()["pairs"] == EXPECTED


def test_runs_of_a_file_are_compared_in_little_memory(tmp_path: Path) -> None:
    path = written("all.parquet", TABLE, tmp_path)
    assert rg.compare(JUDGMENTS, path, "ndcg@2", memory=1000).to_dict()["pairs"] == EXPECTED


def test_text_without_a_header_is_split_by_the_column_that_the_caller_names(tmp_path: Path) -> None:
    TABLE.write_csv(tmp_path / "all.csv", include_header=False)
    compared = rg.compare(JUDGMENTS, tmp_path / "all.csv", "ndcg@2", columns_ranking=TABLE.columns)
    assert compared.to_dict()["pairs"] == EXPECTED


@pytest.mark.parametrize(
    "content",
    [
        RUNS["base"],
        [{"query": "q1", "item": "a", "score": 1}],
        [["a", "b"], ["b"]],
    ],
)
def test_json_file_without_a_column_of_runs_is_one_run(content: Any, tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(RankgaugeError, match="at least two runs to compare, got 'one'"):
        rg.compare(JUDGMENTS, tmp_path / "one.json")


def test_report_of_a_file_of_several_runs_is_of_all(tmp_path: Path) -> None:
    compared = rg.compare(JUDGMENTS, written("all.csv", TABLE, tmp_path), "ndcg@2")
    assert "the inputs cannot be read again" not in compared.report().to_html()


def refused(ranking: Any, **settings: Any) -> str:
    with pytest.raises(RankgaugeError) as caught:
        rg.evaluate(JUDGMENTS, ranking, "ndcg@2", **settings)
    assert caught.value.code == "several-runs"
    return str(caught.value)


@FORMATS
@pytest.mark.parametrize("settings", [{}, {"memory": 1000}, {"convention": "lightgbm"}])
def test_file_of_several_runs_is_no_ranking(name: str, settings: dict[str, Any], tmp_path: Path) -> None:
    said = refused(written(name, TABLE, tmp_path), **settings)
    assert "expected one run, got the runs 'base', \"it's new\" in the column 'run'" in said
    assert "rg.compare and `rankgauge compare` tell them apart" in said


@FORMATS
def test_file_of_one_named_run_is_a_ranking(name: str, tmp_path: Path) -> None:
    one = TABLE.filter(pl.col("run") == "base")
    expected = rg.evaluate(JUDGMENTS, RUNS["base"], "ndcg@2")["ndcg@2"]
    assert rg.evaluate(JUDGMENTS, written(name, one, tmp_path), "ndcg@2")["ndcg@2"] == expected


FRAMES: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda table: table,
    "lazy": lambda table: table.lazy(),
    "categories": lambda table: table.with_columns(pl.col("run").cast(pl.Categorical)),
    "pandas": lambda table: table.to_pandas(),
    "index": lambda table: table.to_pandas().set_index("run"),
    "arrow": lambda table: table.to_arrow(),
    "dictionary": lambda table: table.with_columns(pl.col("run").cast(pl.Categorical)).to_arrow(),
    "dataset": lambda table: ds.dataset(table.to_arrow()),
    "duckdb": lambda table: duckdb.from_arrow(table.to_arrow()),
    "batches": lambda table: table.to_arrow().to_batches(5),
    "frames": lambda table: [table[:5], table[5:]],
    "dicts": lambda table: table.to_dicts(),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_table_of_several_runs_is_no_ranking(kind: str) -> None:
    assert "got the runs 'base', \"it's new\" in the column 'run'" in refused(FRAMES[kind](TABLE))


@pytest.mark.parametrize("kind", FRAMES)
def test_table_of_one_run_and_rows_without_a_name_is_a_ranking(kind: str) -> None:
    one = TABLE.filter(pl.col("run") == "base").with_columns(run=pl.when(pl.col("item") != "8").then("run"))
    expected = rg.evaluate(JUDGMENTS, RUNS["base"], "ndcg@2")["ndcg@2"]
    assert rg.evaluate(JUDGMENTS, FRAMES[kind](one), "ndcg@2")["ndcg@2"] == expected


def test_runs_with_items_of_their_own_are_refused_too() -> None:
    split = TABLE.filter((pl.col("run") == "base") == (pl.col("item") == "07"))
    assert "'base', \"it's new\"" in refused(split)
    assert "'base', \"it's new\"" in refused(split.rename({"run": "Model"}))


def test_many_runs_are_not_all_named() -> None:
    assert "'q0', 'q1', 'q2', 'q3', 'q4', … in the column 'tag'" in refused(TABLE.with_columns(tag="query").drop("run"))


def test_column_of_runs_that_the_caller_gives_another_role_is_that() -> None:
    table = TABLE.filter(pl.col("run") == "base").drop("run").rename({"item": "model"})
    expected = rg.evaluate(JUDGMENTS, RUNS["base"], "ndcg@2")["ndcg@2"]
    assert rg.evaluate(JUDGMENTS, table, "ndcg@2", columns_ranking={"item": "model"})["ndcg@2"] == expected


@pytest.mark.parametrize("library", [pl.DataFrame, pd.DataFrame, pa.table])
def test_column_of_lists_names_no_runs(library: Callable[[Any], Any]) -> None:
    rows = {"query": ["q1", "q1"], "item": ["07", "8"], "score": [2, 1], "tag": [["x"], ["y", "z"]]}
    assert rg.evaluate(JUDGMENTS, library(rows), "ndcg@2", missing="skip")["ndcg@2"] == 1


def test_judgments_may_say_who_made_them() -> None:
    rows = pl.DataFrame({"query": ["q1", "q1"], "item": ["a", "b"], "grade": [1, 2], "model": ["x", "y"]})
    assert rg.evaluate(rows, {"q1": ["b", "a"]}, "ndcg@2")["ndcg@2"] == 1
    with pytest.raises(RankgaugeError, match="got the runs 'x', 'y' in the column 'model'"):
        rg.evaluate(rows, rows)


def test_rows_that_come_once_are_not_asked_for_their_runs() -> None:
    reader = TABLE.filter(pl.col("run") == "base").to_arrow().to_reader()
    expected = rg.evaluate(JUDGMENTS, RUNS["base"], "ndcg@2")["ndcg@2"]
    assert rg.evaluate(JUDGMENTS, reader, "ndcg@2")["ndcg@2"] == expected
