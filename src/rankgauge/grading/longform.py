"""Tables of dates and stocks, long or wide → long: a date, a ticker and a number per row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import narwhals as nw

from rankgauge.grading import columns, written
from rankgauge.grading.audited import ALL
from rankgauge.grading.source import Frame, Given, Opened, without_nan
from rankgauge.inputs import roles
from rankgauge.inputs.roles import quoted
from rankgauge.terms import require_choice

# What stands beside the close of a single stock.
_ONE_STOCK: Final = ("open", "high", "low", "volume")


class Wanted(NamedTuple):
    """What a table is asked for: one of two values per date and ticker.

    The first that is there is taken, unless the other is given. Only the first may have a column per ticker.
    """

    table: str
    values: tuple[str, str]
    optional: tuple[str, ...] = ()
    may_be_wide: bool = True


class Long(NamedTuple):
    """A frame with the roles as its columns, what its owner calls them, and which tickers were columns."""

    frame: Frame
    names: Mapping[str, str]
    # Which of the two values it has.
    value: str
    # Those of the columns; none if it was long already.
    tickers: list[str]
    # Whether it has dates; without them, all rows are one date.
    dated: bool
    # Whether the values were written as percents.
    percent: bool

    @property
    def wide(self) -> int:
        """How many columns were tickers; 0 if it was long already."""
        return len(self.tickers)


def long_form(opened: Opened, wanted: Wanted, given: Given, extras: Mapping[str, str]) -> Long:
    """Return date, ticker, a value, and the `extras` by role: the one called benchmark is a number."""
    for role, name in extras.items():
        columns.require(opened.names, {"benchmark": "excess"}.get(role, role), name)
    own = [name for name in opened.names if name not in extras.values()]
    by_role = opened.by_role(given)
    value = _value(own, by_role, wanted)
    by_role = {role: name for role, name in by_role.items() if role == value or role not in wanted.values}
    found = _roles(opened, own, by_role, value, wanted) | dict(extras)
    if "group" in extras and value not in found:
        raise columns.missing(opened.names, wanted.table, "ticker")
    tickers = [] if value in found else [name for name in own if name not in found.values()]
    frame = opened.frame
    if tickers:
        frame, found = _unpivoted(opened, wanted.table, found, tickers, value)
    frame = frame.select(**_keys(opened, found, value), **_numbers(opened, found, value, wanted.table))
    dated = "date" in found
    frame = frame if dated else frame.with_columns(date=nw.lit(ALL))
    frame, percent = written.checked(frame, value, found[value])
    return Long(frame, found if dated else {"date": "date", **found}, value, tickers, dated, percent)


def _value(own: list[str], by_role: Mapping[str, str], wanted: Wanted) -> str:
    """The value that is given, or the first that a table with a column of tickers has."""
    known = ["date", "ticker", *wanted.values, *wanted.optional]
    for role in by_role:
        require_choice("a role in columns", role, known, "a role is given the name of its column")
    asked = [value for value in wanted.values if value in by_role]
    is_long = "ticker" in by_role or columns.matches(own, "ticker")
    present = [value for value in wanted.values if is_long and columns.matches(own, value)]
    return next(iter(asked + present), wanted.values[0])


def _roles(opened: Opened, own: list[str], by_role: Mapping[str, str], value: str, wanted: Wanted) -> dict[str, str]:
    """The columns of a long table; those of a wide one, whose other columns are tickers, have no value."""
    table, optional = wanted.table, wanted.optional
    found = columns.find(own, table, by_role, [], ["date", "ticker", value, *optional])
    if "ticker" in found and value not in found:  # no wide table has a column of tickers
        raise columns.missing(opened.names, table, value, instead=wanted.values[1:])
    may_be_wide = wanted.may_be_wide and value not in by_role
    if "ticker" not in found and not may_be_wide:
        raise columns.missing(opened.names, table, "ticker")
    if "date" not in found and (value == "close" or "ticker" not in found):  # one close has no return
        raise columns.missing(opened.names, table, "date")
    if {"ticker", value} <= found.keys():
        return found
    rest = [name for name in own if name not in found.values()]
    if len(own) < 2 or (value in found and not _could_be_tickers(opened, rest)):
        raise columns.missing(opened.names, table, "ticker")
    return {role: name for role, name in found.items() if role != value}


def _could_be_tickers(opened: Opened, names: list[str]) -> bool:
    """Whether a column called like a price may be that of a ticker: others are, and none tells of a single stock."""
    numbers = opened.is_file or all(opened.schema[name].is_numeric() for name in names)
    return bool(names) and numbers and not any(roles.key(name) in _ONE_STOCK for name in names)


def _keys(opened: Opened, found: Mapping[str, str], value: str) -> dict[str, nw.Expr]:
    return {role: _key(opened, name) for role, name in found.items() if role not in (value, "benchmark")}


def _key(opened: Opened, name: str) -> nw.Expr:
    is_float = name in opened.schema and opened.schema[name].is_float()
    return without_nan(nw.col(name)) if is_float else nw.col(name)


def _numbers(opened: Opened, found: Mapping[str, str], value: str, table: str) -> dict[str, nw.Expr]:
    numbers = {"benchmark": opened.number(found["benchmark"], table)} if "benchmark" in found else {}
    if found[value] not in opened.schema:  # made of the columns of a wide table
        return numbers | {value: without_nan(nw.col(value))}
    if value in written.ROLES:
        return numbers | written.number(opened, found[value], table, value)
    return numbers | {value: opened.number(found[value], table)}


def with_whole_keys(frame: Frame) -> Frame:
    """Return dates and tickers that are whole numbers as such: pandas makes floats of them as soon as one is absent."""
    schema = frame.collect_schema()
    floats = [role for role in ("date", "ticker") if schema[role].is_float()]
    return frame.with_columns(*(nw.col(role).cast(nw.Int64) for role in floats)) if floats else frame


def _unpivoted(
    opened: Opened, table: str, found: Mapping[str, str], tickers: list[str], value: str
) -> tuple[Frame, dict[str, str]]:
    keys = list(found.values())
    frame = opened.frame
    if {str(opened.schema[name]) for name in tickers} != {"Float64"}:  # not every library puts types into one column
        frame = frame.select(*keys, *(opened.number(name, table).alias(name) for name in tickers))
    return _turned(frame, tickers, keys, value), {**found, "ticker": "ticker", value: value}


def _turned(frame: Frame, tickers: list[str], keys: list[str], value: str) -> Frame:
    native = frame.to_native()
    if not hasattr(native, "fetchnumpy"):
        return frame.unpivot(on=tickers, index=keys, variable_name="ticker", value_name=value)
    # Of DuckDB, narwhals turns only what belongs to its default connection.
    listed = ", ".join(map(quoted, tickers))
    query = f"from rankgauge_wide unpivot include nulls ({quoted(value)} for ticker in ({listed}))"
    return nw.from_native(native.query("rankgauge_wide", query))
