"""Tables of dates and stocks, long or wide → long: a date, a ticker and a number per row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import narwhals as nw

from rankgauge.checks import require_choice
from rankgauge.grading import columns as column_names
from rankgauge.grading import written_numbers
from rankgauge.grading.source import NwFrame, SourceTable, without_nan
from rankgauge.grading.times import ONLY_DATE
from rankgauge.inputs import roles
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.roles import quoted

# Columns that stand beside the close of a single stock.
_ONE_STOCK: Final = ("open", "high", "low", "volume")


class ValueRequest(NamedTuple):
    """Which of two values per date and ticker a table must have.

    The first that the table has is taken, unless the caller names the other. Only the first may have a column per
    ticker.
    """

    table: str
    values: tuple[str, str]
    optional: tuple[str, ...] = ()
    may_be_wide: bool = True


class LongTable(NamedTuple):
    """A frame whose columns are named by role, and what the table of the caller was like."""

    frame: NwFrame
    # Role → the name of the column in the caller's table.
    names: Mapping[str, str]
    # The role of the values.
    value: str
    # The columns that were tickers; empty if the table was long.
    tickers: list[str]
    # Whether it has dates; without them, all rows are one date.
    dated: bool
    # Whether the values were written as percents.
    percent: bool

    @property
    def wide(self) -> int:
        """The number of columns that were tickers; 0 if the table was long."""
        return len(self.tickers)


def long_form(
    source: SourceTable,
    request: ValueRequest,
    columns: ColumnsInput,
    extras: Mapping[str, str],
    ignore: Sequence[str] = (),
) -> LongTable:
    """Return date, ticker, a value, and the columns of `extras` by role, without the columns and tickers to ignore.

    The role benchmark is a number.
    """
    for role, name in extras.items():
        column_names.require(source.names, role, name)
    given = source.by_role(columns)
    findable = column_names.finder(source.names, request.table, given).findable
    names = [name for name in findable if name not in (*extras.values(), *ignore)]
    value = _value(names, given, request)
    given = {role: name for role, name in given.items() if role == value or role not in request.values}
    by_role = _roles(source, names, given, value, request) | dict(extras)
    if "group" in extras and value not in by_role:
        raise column_names.finder(source.names, request.table, {}).missing("ticker")
    tickers = [] if value in by_role else [name for name in names if name not in by_role.values()]
    source.require_ordered(by_role.values(), request.table)
    frame = source.frame
    if tickers:
        frame, by_role = _unpivoted(source, request.table, by_role, tickers, value)
    frame = frame.select(**_keys(source, by_role, value), **_numbers(source, by_role, value, request.table))
    if ignore and not tickers:
        frame = frame.filter(~nw.col("ticker").cast(nw.String).is_in(list(ignore)).fill_null(value=False))
    dated = "date" in by_role
    frame = frame if dated else frame.with_columns(date=nw.lit(ONLY_DATE))
    frame, percent = written_numbers.checked(frame, value, by_role[value])
    return LongTable(frame, by_role if dated else {"date": "date", **by_role}, value, tickers, dated, percent)


def _value(names: list[str], given: Mapping[str, str], request: ValueRequest) -> str:
    """The value that the caller names, or the first that a table with a column of tickers has."""
    known = ["date", "ticker", *request.values, *request.optional]
    for role in given:
        require_choice("a role in columns", role, known, "a role is given the name of its column")
    asked = [value for value in request.values if value in given]
    is_long = "ticker" in given or column_names.matches(names, "ticker")
    present = [value for value in request.values if is_long and column_names.matches(names, value)]
    return next(iter(asked + present), request.values[0])


def _roles(
    source: SourceTable, names: list[str], given: Mapping[str, str], value: str, request: ValueRequest
) -> dict[str, str]:
    """Role → column; a wide table, whose other columns are tickers, has no column for the value."""
    by_role = column_names.find(names, request.table, given, [], ["date", "ticker", value, *request.optional])
    finder = column_names.finder(source.names, request.table, given)
    if "ticker" in by_role and value not in by_role:  # no wide table has a column of tickers
        raise finder.missing(value, instead=request.values[1:])
    may_be_wide = request.may_be_wide and value not in given
    if "ticker" not in by_role and not may_be_wide:
        raise finder.missing("ticker")
    if "date" not in by_role and (value == "close" or "ticker" not in by_role):  # one close has no return
        raise finder.missing("date")
    if {"ticker", value} <= by_role.keys():
        return by_role
    rest = [name for name in names if name not in by_role.values()]
    if len(names) < 2 or (value in by_role and not _could_be_tickers(source, rest)):
        raise finder.missing("ticker")
    return {role: name for role, name in by_role.items() if role != value}


def _could_be_tickers(source: SourceTable, names: list[str]) -> bool:
    """Whether columns beside one named like a price may be tickers: all are numbers, none is an open or a volume."""
    numbers = source.is_file or all(source.schema[name].is_numeric() for name in names)
    return bool(names) and numbers and not any(roles.key(name) in _ONE_STOCK for name in names)


def _keys(source: SourceTable, by_role: Mapping[str, str], value: str) -> dict[str, nw.Expr]:
    return {role: _key(source, name) for role, name in by_role.items() if role not in (value, "benchmark")}


def _key(source: SourceTable, name: str) -> nw.Expr:
    is_float = name in source.schema and source.schema[name].is_float()
    return without_nan(nw.col(name)) if is_float else nw.col(name)


def _numbers(source: SourceTable, by_role: Mapping[str, str], value: str, table: str) -> dict[str, nw.Expr]:
    numbers = {"benchmark": source.number(by_role["benchmark"], table)} if "benchmark" in by_role else {}
    if by_role[value] not in source.schema:  # unpivoted from a wide table
        return numbers | {value: without_nan(nw.col(value))}
    if value in written_numbers.ROLES:
        return numbers | written_numbers.number(source, by_role[value], table, value)
    return numbers | {value: source.number(by_role[value], table)}


def with_whole_keys(frame: NwFrame) -> NwFrame:
    """Return dates and tickers as whole numbers where pandas made floats of them because one was missing."""
    schema = frame.collect_schema()
    floats = [role for role in ("date", "ticker") if schema[role].is_float()]
    return frame.with_columns(*(nw.col(role).cast(nw.Int64) for role in floats)) if floats else frame


def _unpivoted(
    source: SourceTable, table: str, by_role: Mapping[str, str], tickers: list[str], value: str
) -> tuple[NwFrame, dict[str, str]]:
    keys = list(by_role.values())
    frame = source.frame
    if {str(source.schema[name]) for name in tickers} != {"Float64"}:  # not every library unpivots mixed types
        frame = frame.select(*keys, *(source.number(name, table).alias(name) for name in tickers))
    return _unpivot(frame, tickers, keys, value), {**by_role, "ticker": "ticker", value: value}


def _unpivot(frame: NwFrame, tickers: list[str], keys: list[str], value: str) -> NwFrame:
    if not frame.implementation.is_duckdb():
        return frame.unpivot(on=tickers, index=keys, variable_name="ticker", value_name=value)
    # narwhals unpivots only DuckDB relations of the default connection.
    listed = ", ".join(map(quoted, tickers))
    query = f"from rankgauge_wide unpivot include nulls ({quoted(value)} for ticker in ({listed}))"
    return nw.from_native(frame.to_native().query("rankgauge_wide", query))
