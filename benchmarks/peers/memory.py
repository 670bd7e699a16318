"""Rows that are larger than the memory which they may take, from files or from what hands them out, eight measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.peers.work import Work

if TYPE_CHECKING:
    import duckdb
    import polars as pl
    import pyarrow.dataset

MEASURES = ["ndcg@10", "ndcg", "map", "mrr", "precision@10", "recall@100", "success@5", "dcg@20"]


def rankgauge(judgments: str, ranking: str, memory: str, source: str = "path") -> Work:
    import rankgauge as rg

    opened = SOURCES[source]
    return lambda: rg.evaluate(judgments, opened(ranking), MEASURES, memory=memory)["ndcg@10"]


def path(ranking: str) -> str:
    return ranking


def csv(ranking: str) -> Path:
    return _written(ranking, "csv")


def arrow(ranking: str) -> Path:
    return _written(ranking, "arrow")


def _written(ranking: str, suffix: str) -> Path:
    """The file of another format beside a Parquet file."""
    return Path(ranking).with_suffix(f".{suffix}")


def dataset(ranking: str) -> pyarrow.dataset.Dataset:
    import pyarrow.dataset

    return pyarrow.dataset.dataset(ranking)


def generator(ranking: str) -> Any:  # noqa: ANN401 - a generator of record batches
    import pyarrow.parquet

    return pyarrow.parquet.ParquetFile(ranking).iter_batches(100_000)


def relation(ranking: str) -> duckdb.DuckDBPyRelation:
    import duckdb

    return duckdb.connect(config={"memory_limit": "300MB"}).read_parquet(ranking)


def lazy_frame(ranking: str) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_parquet(ranking)


SOURCES: Final[Mapping[str, Callable[[str], Any]]] = {
    function.__name__: function for function in (path, csv, arrow, dataset, generator, relation, lazy_frame)
}
