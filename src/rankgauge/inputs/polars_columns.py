"""Columns of Polars as the core takes them, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rankgauge._core import Stream
from rankgauge.errors import RankgaugeError

# Types of Polars that the core cannot take.
_NOT_IN_ARROW: Final = ("Int128", "UInt128", "Null")


def stream(frame: Any, names: Sequence[str]) -> Stream:  # noqa: ANN401 - a Polars DataFrame
    """Open columns one by one: a whole DataFrame would put its chunks end to end, which copies all rows."""
    return Stream.from_columns({name: _column(frame.get_column(name)) for name in names})


def _column(column: Any) -> Any:  # noqa: ANN401 - a Polars Series
    """Integers of 128 bits, which Arrow lacks, and columns of no type become text, also in lists."""
    kind = str(column.dtype)
    if kind.startswith("Object"):  # what Polars hands over of it are addresses
        got = "Python objects, dtype Object"
        raise RankgaugeError("bad-column", f"column {column.name!r}", expected="text, numbers or dates", got=got)
    if kind in _NOT_IN_ARROW:
        return column.cast(str)
    return _with_text_lists(column) if str(getattr(column.dtype, "inner", "")) in _NOT_IN_ARROW else column


def _with_text_lists(column: Any) -> Any:  # noqa: ANN401 - a Polars Series of lists, or of arrays of one length
    import polars as pl

    lists = column.arr.to_list() if isinstance(column.dtype, pl.Array) else column
    return lists.cast(pl.List(pl.String))


def with_plain_columns(table: Any) -> Any:  # noqa: ANN401 - a Polars DataFrame
    """Return a frame whose columns have types that the core can take."""
    return table.with_columns(map(_column, table.get_columns()))
