"""CSV and Parquet files: rankgauge evaluates, the others only read the ranking, and show the sum of its scores."""

from __future__ import annotations

from pathlib import Path

from benchmarks.peers.work import Work


def rankgauge(judgments: str, ranking: str) -> Work:
    import rankgauge as rg

    return lambda: rg.evaluate(judgments, ranking, "ndcg@10")["ndcg@10"]


def duckdb(ranking: str) -> Work:
    import duckdb

    database = duckdb.connect()

    def work() -> float:
        # The path is the benchmark's own.
        database.sql(f"create or replace temp table rows as select * from '{ranking}'")  # noqa: S608
        return float(database.sql("select sum(score) from rows").fetchall()[0][0])

    return work


def polars(ranking: str) -> Work:
    import polars as pl

    read = pl.read_csv if Path(ranking).suffix == ".csv" else pl.read_parquet
    return lambda: float(read(ranking)["score"].sum())
