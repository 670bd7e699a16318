"""Interactions with gaps and equal times, in each library, and the rows of a table of any library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

LIBRARIES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "lazy": lambda frame: pl.from_pandas(frame).lazy(),
    "duckdb": duckdb.from_df,
}
every_library = pytest.mark.parametrize("library", LIBRARIES)


def to_pandas(frame: Any) -> pd.DataFrame:
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, duckdb.DuckDBPyRelation):
        frame = frame.df()
    converted: pd.DataFrame = frame.to_pandas() if isinstance(frame, pl.DataFrame) else frame
    return converted


def tuples(frame: Any) -> list[tuple[Any, ...]]:
    return sorted(to_pandas(frame).itertuples(index=False, name=None))


def messy(seed: int = 1, rows: int = 600, *, unique: bool = True) -> pd.DataFrame:
    """Users of very different activity, unsorted, with equal times and with gaps in each column."""
    source = np.random.default_rng(seed)
    users = [f"u{number}" for number in np.minimum(source.geometric(0.06, rows), 60)]
    items = [f"i{number}" for number in source.integers(0, 90, rows)]
    frame = pd.DataFrame(
        {
            "user": users,
            "item": items,
            "timestamp": source.integers(0, 25, rows),
            "rating": source.integers(1, 6, rows).astype(float),
            "comment": "other columns are kept",
        }
    )
    if unique:
        frame = frame.drop_duplicates(["user", "item"])
    frame = frame.sample(frac=1, random_state=seed).reset_index(drop=True)
    for place, column in enumerate(["user", "item", "rating"]):
        frame.loc[place * 7 : place * 7 + 2, column] = None
    return frame
