"""The columns of prices and of scores: two tables, or one that has both."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rankgauge.errors import RankgaugeError
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.types import TableInput

_KEYS = ("date", "ticker")


@contextmanager
def keyword_of_table() -> Iterator[None]:
    """Make hints name `columns_prices` or `columns_scores`, which a study has in the place of `columns`."""
    try:
        yield
    except RankgaugeError as error:
        if "of_table" not in error.context:
            raise
        context = {**error.context, "of_table": f"_{error.context['side']}"}
        raise RankgaugeError(error.code, error.place, **context) from None


def read_twice(source: TableInput) -> TableInput:
    """Return the table, or the path of a file that can be read again; a pipe is saved to a file."""
    if not isinstance(source, str | os.PathLike):
        return source
    from rankgauge.inputs import files

    file = files.locate(source)
    return file.path if file.table is None else f"{file.path}::{file.table}"


def shared_columns(prices: ColumnsInput, scores: ColumnsInput) -> tuple[ColumnsInput, ColumnsInput]:
    """Return the columns of both sides; a date or ticker column given for one side holds for the other too.

    >>> shared_columns({"ticker": "code", "return": "r"}, {"rank": "place"})
    ({'ticker': 'code', 'return': 'r'}, {'ticker': 'code', 'rank': 'place'})
    >>> shared_columns(["ticker", "return", "rank"], None)
    (['ticker', 'return', 'rank'], ['ticker', 'return', 'rank'])
    """
    first, second = ({} if columns is None else columns for columns in (prices, scores))
    if not isinstance(first, Mapping) or not isinstance(second, Mapping):
        return prices or scores, scores or prices
    keys = {role: side[role] for side in (first, second) for role in _KEYS if role in side}
    return {**keys, **first}, {**keys, **second}
