"""The same table in each library, and what came out of a grader as plain rows."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import narwhals as nw
import pandas as pd
import polars as pl

LIBRARIES = ["pandas", "polars", "lazy", "duckdb"]


def table_of(library: str, columns: dict[str, list[Any]]) -> Any:
    if library == "pandas":
        return pd.DataFrame(columns)
    frame = pl.DataFrame(columns, strict=False)
    if library == "duckdb":
        return duckdb.from_arrow(frame.to_arrow())
    return frame.lazy() if library == "lazy" else frame


def kind_of(library: str) -> type:
    kinds = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "lazy": pl.LazyFrame}
    return kinds.get(library, duckdb.DuckDBPyRelation)


def plain(value: Any) -> Any:
    return None if value is None or (isinstance(value, float) and math.isnan(value)) or value is pd.NaT else value


def rows_of(frame: Any) -> list[dict[str, Any]]:
    """Return the rows in the order of their first two columns."""
    narwhals = nw.from_native(frame)
    narwhals = narwhals.collect() if isinstance(narwhals, nw.LazyFrame) else narwhals
    rows = [{name: plain(value) for name, value in row.items()} for row in narwhals.iter_rows(named=True)]
    return sorted(rows, key=lambda row: [str(value) for value in list(row.values())[:2]])
