"""Parquet files that are larger than the memory they are evaluated in; the rows of a query lie apart."""

from __future__ import annotations

from pathlib import Path

from benchmarks.datasets.folder import kept
from benchmarks.datasets.tables import TableFiles

# Ranked and judged items a query; ids of items are numbers below a prime, so that no query has one twice.
RANKED, JUDGED = 100, 10
PRIME = 1_000_003

_ROWS = """
copy (
    select 'user-' || ((i * 7919) % {queries}) as query,
           'item-' || ((i // {queries} * 104729 + i % {queries} * 31) % {prime}) as item,
           {value}
    from range({rows}) numbers(i)
) to '{path}' (format parquet)
"""


def large_files(queries: int) -> TableFiles:
    folder = kept(f"large-{queries}", lambda draft: _write(draft, queries))
    rows = queries * (RANKED + JUDGED)
    return TableFiles(folder / "judgments.parquet", folder / "ranking.parquet", rows)


def _write(folder: Path, queries: int) -> None:
    import duckdb

    database = duckdb.connect(config={"memory_limit": "4GB"})
    sides = {
        "judgments": (JUDGED, "i % 4 as grade"),
        "ranking": (RANKED, f"(i * 2654435761) % {PRIME} / {PRIME}.0 as score"),
    }
    for name, (depth, value) in sides.items():
        path = folder / f"{name}.parquet"
        database.execute(_ROWS.format(queries=queries, prime=PRIME, value=value, rows=queries * depth, path=path))
