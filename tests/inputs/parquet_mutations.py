"""Changed Parquet files, read one after another: `python -m tests.inputs.parquet_mutations seed count folder`.

It runs in a process of its own, because what it looks for ends a process.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from tests.inputs.arrow_mutations import ITEMS, QUERIES, ROWS, SCORES, read_changed

import rankgauge as rg
from rankgauge._core import Stream
from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import Roles
from rankgauge.request import Request

NAMES = ["query", "item", "score"]


def tables() -> Iterator[pa.Table]:
    """A table for each way in which the core reads ids and numbers."""
    yield pa.table({"query": QUERIES, "item": ITEMS, "score": SCORES})
    yield pa.table({"query": range(ROWS), "item": pa.array(range(ROWS), pa.uint16()), "score": [True] * ROWS})
    dates = pa.array(range(ROWS), pa.date32())
    yield pa.table({"query": dates, "item": [None, *ITEMS[1:]], "score": pa.array(SCORES, pa.float32())})


def files() -> Iterator[bytes]:
    for table in tables():
        for compression in ("none", "snappy", "zstd", "lz4", "gzip"):
            for coded in (True, False):
                for version in ("1.0", "2.0"):
                    file = io.BytesIO()
                    how = {"compression": compression, "use_dictionary": coded, "data_page_version": version}
                    pq.write_table(table, file, row_group_size=25, **how)
                    yield file.getvalue()


def core(path: Path) -> None:
    """Read in the core alone; what it leaves to DuckDB is refused."""
    stream = Stream.open_parquet([path], NAMES, 1 << 30)
    if stream is None:
        raise RankgaugeError("unreadable-table", str(path), got="something else")
    rg.Ranking.from_table(stream, ROLES)


def page_by_page(path: Path) -> None:
    """Evaluate while the pages are decoded."""
    stream = Stream.open_parquet([path], NAMES, 1 << 30)
    ranking = stream and rg.Ranking.open_parquet(stream, ROLES, str(path), 1 << 30, 0)
    if ranking is None:
        raise RankgaugeError("unreadable-table", str(path), got="something else")
    PLAN.evaluate(JUDGMENTS.handle, ranking.handle)


ROLES = Roles("query", "item", "score", True)
JUDGMENTS = rg.read_judgments({query: {item: 1} for query, item in zip(QUERIES, ITEMS, strict=True)})
PLAN = Request.of("ndcg", "trec_eval").plan()
READERS: list[Callable[[Path], Any]] = [
    core,
    page_by_page,
    lambda path: rg.read_ranking(path, format="parquet"),
]


if __name__ == "__main__":
    read_changed(list(files()), "changed.parquet", READERS)
