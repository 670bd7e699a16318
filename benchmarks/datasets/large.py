"""Files that are larger than the memory they are evaluated in; the rows of a query lie apart or together."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from benchmarks.datasets.folder import kept
from benchmarks.datasets.tables import TableFiles

# Ranked and judged items a query; ids of items are numbers below a prime, so that no query has one twice.
RANKED, JUDGED = 100, 10
PRIME = 1_000_003

_ROWS = """
copy (
    select 'user-' || query_number as query,
           'item-' || ((place * 104729 + query_number * 31) % {prime}) as item,
           {value}
    from (select i, {query} as query_number, {place} as place from range({rows}) numbers(i))
) to '{path}' (format parquet)
"""


Rows = Literal["apart", "together"]


def large_files(queries: int, order: Rows = "apart") -> TableFiles:
    folder = kept(f"large-{order}-{queries}", lambda draft: _write(draft, queries, order))
    rows = queries * (RANKED + JUDGED)
    return TableFiles(folder / "judgments.parquet", folder / "ranking.parquet", rows)


def large_sources(queries: int) -> TableFiles:
    """The same with the ranking as CSV and as an Arrow file beside it."""
    files = large_files(queries)
    folder = kept(f"large-sources-{queries}", lambda draft: _copy(draft, files))
    return TableFiles(folder / files.judgments.name, folder / files.ranking.name, files.rows)


def _copy(folder: Path, files: TableFiles) -> None:
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq

    for path in files[:2]:
        (folder / path.name).hardlink_to(path)
    duckdb.read_parquet(str(files.ranking)).write_csv(str(folder / "ranking.csv"))
    ranking = pq.ParquetFile(files.ranking)
    with pa.ipc.new_file(folder / "ranking.arrow", ranking.schema_arrow) as file:
        for batch in ranking.iter_batches(100_000):
            file.write(batch)


def _write(folder: Path, queries: int, order: Rows) -> None:
    import duckdb

    database = duckdb.connect(config={"memory_limit": "4GB"})
    sides = {
        "judgments": (JUDGED, "i % 4 as grade"),
        "ranking": (RANKED, f"(i * 2654435761) % {PRIME} / {PRIME}.0 as score"),
    }
    for name, (depth, value) in sides.items():
        path = folder / f"{name}.parquet"
        rows = queries * depth
        query, place = (
            (f"i // {depth}", f"i % {depth}") if order == "together" else (f"i % {queries}", f"i // {queries}")
        )
        database.execute(_ROWS.format(query=query, place=place, prime=PRIME, value=value, rows=rows, path=path))
