"""Batches: record batches in a list or from an iterator, which are one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple


class Batches(NamedTuple):
    """Record batches, or tables of Arrow, that are read one after the other; all have the same columns."""

    objects: Iterable[Any]


def as_batches(source: Any) -> Any:  # noqa: ANN401 - of any kind
    """Return a list of batches, or an iterator whose first object is one, as `Batches`; anything else as it is.

    >>> as_batches([3, 2])
    [3, 2]
    """
    if isinstance(source, list | tuple) and not hasattr(source, "_fields"):
        return Batches(source) if source and all(map(_is_batch, source)) else source
    if isinstance(source, Iterator) and not hasattr(source, "__arrow_c_stream__"):  # a reader of batches is a table
        first = next(source, None)
        rest = source if first is None else chain([first], source)
        return Batches(rest) if _is_batch(first) else rest
    return source


def _is_batch(value: object) -> bool:
    """Whether this has columns, unlike an array or a Series, and is handed over through Arrow."""
    is_arrow = hasattr(value, "__arrow_c_array__") or hasattr(value, "__arrow_c_stream__")
    return is_arrow and (hasattr(value, "schema") or hasattr(value, "columns"))
