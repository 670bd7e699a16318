"""The rows of the TREC files as CSV and as Parquet, the latter with ids as text and as integers."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from benchmarks.datasets.folder import kept
from benchmarks.datasets.trec import TrecFiles, trec_files

Kind = Literal["csv", "parquet-strings", "parquet-integers"]


class TableFiles(NamedTuple):
    judgments: Path
    ranking: Path
    rows: int


def table_files(kind: Kind, queries: int, depth: int) -> TableFiles:
    trec = trec_files(queries, depth)
    folder = kept(f"{kind}-{queries}x{depth}", lambda draft: _write(draft, kind, trec))
    suffix = kind.partition("-")[0]
    return TableFiles(folder / f"judgments.{suffix}", folder / f"ranking.{suffix}", trec.rows)


def _write(folder: Path, kind: Kind, trec: TrecFiles) -> None:
    import polars as pl

    sources = {
        "judgments": (trec.judgments, ["user_id", "iteration", "item_id", "grade"], "grade"),
        "ranking": (trec.ranking, ["user_id", "q0", "item_id", "rank", "score", "tag"], "score"),
    }
    for name, (path, columns, last) in sources.items():
        rows = pl.read_csv(path, separator=" ", has_header=False, new_columns=columns)
        rows = rows.select("user_id", "item_id", last)
        if kind == "csv":
            rows.write_csv(folder / f"{name}.csv", float_precision=6)
            continue
        if kind == "parquet-strings":
            rows = rows.with_columns(pl.col("user_id", "item_id").cast(pl.String))
        rows.write_parquet(folder / f"{name}.parquet")
