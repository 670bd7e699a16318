"""Tables of dates and stocks, long or wide → long: a date, a ticker and a number per row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import narwhals as nw

from rankgauge.grading import columns
from rankgauge.grading.source import Frame, Given, Opened, without_nan
from rankgauge.inputs import roles
from rankgauge.inputs.roles import quoted

# What stands beside the close of a single stock.
_ONE_STOCK: Final = ("open", "high", "low", "volume")


class Long(NamedTuple):
    """A frame with the roles as its columns, what its owner calls them, and which tickers were columns."""

    frame: Frame
    names: Mapping[str, str]
    # Those of the columns; none if it was long already.
    tickers: list[str]

    @property
    def wide(self) -> int:
        """How many columns were tickers; 0 if it was long already."""
        return len(self.tickers)


def long_form(
    opened: Opened, table: str, given: Given, value: str, extras: Mapping[str, str], optional: tuple[str, ...] = ()
) -> Long:
    """Return date, ticker, the number called `value`, and the `extras` by role: those called benchmark are numbers."""
    found = _roles(opened, table, given, value, extras, optional)
    tickers = [] if value in found else [name for name in opened.names if name not in found.values()]
    frame = opened.frame
    if tickers:
        frame, found = _unpivoted(opened, table, found, tickers, value)
    numbers = {
        role: opened.number(found[role], table) for role in (value, "benchmark") if found.get(role) in opened.schema
    }
    numbers |= {} if value in numbers else {value: without_nan(nw.col(value))}
    keys = {role: _key(opened, name) for role, name in found.items() if role not in numbers}
    return Long(frame.select(**keys, **numbers), found, tickers)


def with_whole_keys(frame: Frame) -> Frame:
    """Return dates and tickers that are whole numbers as such: pandas makes floats of them as soon as one is absent."""
    schema = frame.collect_schema()
    floats = [role for role in ("date", "ticker") if schema[role].is_float()]
    return frame.with_columns(*(nw.col(role).cast(nw.Int64) for role in floats)) if floats else frame


def _key(opened: Opened, name: str) -> nw.Expr:
    is_float = name in opened.schema and opened.schema[name].is_float()
    return without_nan(nw.col(name)) if is_float else nw.col(name)


def _roles(
    opened: Opened, table: str, given: Given, value: str, extras: Mapping[str, str], optional: tuple[str, ...]
) -> dict[str, str]:
    """The columns of a long table; those of a wide one, whose other columns are tickers, have no value."""
    by_role = opened.by_role(given)
    for role, name in extras.items():
        columns.require(opened.names, {"benchmark": "excess"}.get(role, role), name)
    own = [name for name in opened.names if name not in extras.values()]
    found = columns.find(own, table, by_role, ["date"], ["ticker", value, *optional])
    if {"ticker", value} & {*by_role} or {"ticker", value} <= found.keys():
        return columns.find(own, table, by_role, ["date", "ticker", value], optional) | dict(extras)
    if "ticker" in found:  # no wide table has a column of tickers, or one of a single price
        raise columns.missing(opened.names, table, value)
    if value in found and not _could_be_tickers(opened, [name for name in own if name not in found.values()]):
        raise columns.missing(opened.names, table, "ticker")
    if "group" in extras or len(own) < 2:
        raise columns.missing(opened.names, table, "ticker")
    return {"date": found["date"], **extras, **{role: found[role] for role in optional if role in found}}


def _could_be_tickers(opened: Opened, names: list[str]) -> bool:
    """Whether a column called like a price may be that of a ticker: others are, and none tells of a single stock."""
    numbers = opened.is_file or all(opened.schema[name].is_numeric() for name in names)
    return bool(names) and numbers and not any(roles.key(name) in _ONE_STOCK for name in names)


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
    query = f"from wide unpivot include nulls ({quoted(value)} for ticker in ({listed}))"
    return nw.from_native(native.query("wide", query))
