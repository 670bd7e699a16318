"""Tables that fail by themselves: a lazy frame whose plan is wrong, a relation of a connection that is closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rankgauge.errors import RankgaugeError

# narwhals passes on what Polars raises.
_LIBRARIES: Final = {"polars": "Polars", "narwhals": "Polars", "duckdb": "DuckDB", "pyarrow": "pyarrow"}
_LONGEST: Final = 160


@contextmanager
def worded_failures(source: object, side: str) -> Iterator[None]:
    """Word errors of a table's library as ours, with the side; exceptions of the user's own code pass unchanged.

    >>> import polars as pl
    >>> with worded_failures(frame := pl.LazyFrame({"a": ["x"]}).cast(int), "ranking"):
    ...     frame.collect()
    Traceback (most recent call last):
        ...
    rankgauge.errors.RankgaugeError: ranking: expected the rows of a table of Polars, got its error: conversion ...
    """
    try:
        yield
    except RankgaugeError as error:  # of batches after the first
        library = _LIBRARIES.get(_module(source))
        _, failed, text = str(error.context.get("got")).rpartition("Producer error: ")
        if library is None or not failed or error.place:
            raise
        raise RankgaugeError("failing-table", side, library=library, got=shortened(text)) from None
    except Exception as error:
        library = _LIBRARIES.get(_module(error)) or (_LIBRARIES.get(_module(source)) if _is_of_system(error) else None)
        if library is None:
            raise
        # What follows a blank line is the plan, or the query.
        text = " ".join(str(error).partition("\n\n")[0].split()) or type(error).__name__
        raise RankgaugeError("failing-table", side, library=library, got=shortened(text)) from error


def shortened(text: str) -> str:
    """Return the beginning of a text, in whole words.

    >>> shortened("ab " * 80)[-9:], shortened("short")
    ('ab ab ab…', 'short')
    """
    if len(text) <= _LONGEST:
        return text
    begun = text[:_LONGEST]
    return (begun.rpartition(" ")[0] or begun) + "…"


def _is_of_system(error: Exception) -> bool:
    """Whether a file is missing, for example, which libraries raise as Python does."""
    return isinstance(error, OSError)


def _module(value: object) -> str:
    return type(value).__module__.partition(".")[0].lstrip("_")
