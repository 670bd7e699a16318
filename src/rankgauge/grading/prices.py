"""Prices or returns, long or wide → one long table: a date, a ticker and a close or a return per row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading import columns as column_names
from rankgauge.grading.locations import stock_location
from rankgauge.grading.reshape import LongTable, ValueRequest, long_form, with_whole_keys
from rankgauge.grading.rules import Rules
from rankgauge.grading.source import NwFrame, any_null, flag, open_table, rows
from rankgauge.grading.times import ONLY_DATE, date_text
from rankgauge.inputs.reading import Given
from rankgauge.inputs.types import TableInput
from rankgauge.notation import counted
from rankgauge.remarks import Remark

TABLE: Final = "prices"
REQUEST: Final = ValueRequest(TABLE, ("close", "return"))
_SORTS_BY_TEXT: Final = r"^\d{4}-?\d{2}-?\d{2}(?:[ T].*)?$"  # pandas warns of groups that capture


class Prices(NamedTuple):
    """Prices or returns in long form: date, ticker, close or return, and optionally benchmark and group."""

    frame: NwFrame
    # Role → the name of the column in the caller's table.
    names: Mapping[str, str]
    # The role of the values: close or return.
    value: str
    dated: bool
    rows: int
    without_key: int
    without_value: int
    is_file: bool
    remarks: tuple[Remark, ...]

    @property
    def noun(self) -> str:
        """What a row has, for messages."""
        return "price" if self.value == "close" else "return"


def read_prices(table: TableInput, columns: Given, rules: Rules) -> Prices:
    """Read prices or returns; rows without a value are dropped and counted, impossible values are an error."""
    source = open_table(table, TABLE, columns)
    extras = (("benchmark", rules.benchmark), ("group", rules.group))
    long = long_form(source, REQUEST, columns, {role: name for role, name in extras if name is not None})
    if long.value == "return":
        rules.require_no_prices(long.names["return"])
    if long.dated:
        require_dates(long.frame, TABLE)
    frame = long.frame.with_columns(keyed=~any_null(["date", "ticker"]))
    floats = [name for name, dtype in frame.collect_schema().items() if dtype.is_float()]
    counts = _count(frame, floats, long.value)
    # Not every library keeps the empty cells when a wide table is unpivoted.
    total = _length(source.frame) * long.wide if long.wide else counts["rows"]
    return Prices(
        frame=with_whole_keys(frame.filter(_known(long.value)).drop("keyed")),
        names={role: long.names[role] for role in ("date", "ticker")},
        value=long.value,
        dated=long.dated,
        rows=total,
        without_key=counts["without_key"],
        without_value=total - counts["known"] - counts["without_key"],
        is_file=source.is_file,
        remarks=tuple(_remarks(long, source.names)),
    )


def require_dates(frame: NwFrame, table: str) -> None:
    """Raise if dates are texts that do not sort by time: in another form than ISO 8601, or in two forms."""
    if frame.collect_schema()["date"] != nw.String:
        return
    date = nw.col("date")
    known, dashed = ~date.is_null(), date.str.contains(r"^\d{4}-").fill_null(value=False)
    wrong = known & ~date.str.contains(_SORTS_BY_TEXT).fill_null(value=False)
    timed = date.str.contains("[T ]").fill_null(value=False)
    sums = {"wrong": wrong, "dashed": dashed, "plain": known & ~dashed, "timed": timed, "untimed": known & ~timed}
    (counts,) = rows(frame.select(**{name: _sum(each) for name, each in sums.items()}))
    mixed = [two for one, two in (("dashed", "plain"), ("untimed", "timed")) if counts[one] and counts[two]]
    faults = ["wrong"] if counts["wrong"] else mixed
    if faults:
        (first,) = rows(frame.filter(sums[faults[0]]).select("date").head(1))
        raise RankgaugeError("bad-date", place=table, got=first["date"])


def _length(frame: NwFrame) -> int:
    (row,) = rows(frame.select(nw.len().alias("rows")))
    return int(row["rows"])


def _count(frame: NwFrame, numbers: list[str], value: str) -> dict[str, int]:
    """Count rows in one pass, and raise on impossible prices, returns, dates and tickers."""
    keyed = nw.col("keyed")
    bad = {str(name): keyed & ~_is_possible(name) for name in (value, "benchmark") if name in numbers}
    fractions = {str(name): keyed & ~_is_whole(name) for name in ("date", "ticker") if name in numbers}
    sums = {"known": _known(value), "without_key": ~keyed, **bad, **fractions}
    (row,) = rows(frame.select(nw.len().alias("rows"), **{name: _sum(each) for name, each in sums.items()}))
    counts = {name: int(value or 0) for name, value in row.items()}
    for name, condition in bad.items():
        if counts[name]:
            (first,) = rows(frame.filter(condition).sort("date", "ticker").head(1))
            where = f"benchmark, date {date_text(first['date'], ' ')}" if name == "benchmark" else stock_location(first)
            code = "bad-return" if name == "return" else "bad-price"
            raise RankgaugeError(code, place=where, got=f"{first[name]:g}")
    for key in fractions:
        if counts[key]:
            raise RankgaugeError("bad-column", TABLE, expected=f"whole numbers or texts as {key}", got="fractions")
    return counts


def _is_possible(name: str) -> nw.Expr:
    number = nw.col(name)
    possible = number.is_finite() if name == "return" else (number > 0) & number.is_finite()
    return number.is_null() | possible


def _is_whole(name: str) -> nw.Expr:
    return nw.col(name) == nw.col(name).floor()


def _known(value: str) -> nw.Expr:
    return nw.col("keyed") & ~nw.col(value).is_null()


def _sum(condition: nw.Expr) -> nw.Expr:
    return flag(condition).sum()


def _remarks(long: LongTable, names: list[str]) -> list[Remark]:
    """Which columns were used, and which columns of returns were not."""
    if long.wide:
        shown = ", ".join(long.tickers[:3]) + ", …" * (long.wide > 3)
        return [Remark.of("price", f"{counted(long.wide, 'column', 'columns')}, one per ticker ({shown})")]
    if long.value == "close":
        unused = [name for name in column_names.matches(names, "return") if name not in long.names.values()]
        beside = f"; not used: {', '.join(map(repr, unused))}" if unused else ""
        return [Remark.of("price", f"column {long.names['close']!r}{beside}")]
    only = f"no column, so all rows are one date, called {ONLY_DATE!r}"
    percent = ", percents divided by 100" if long.percent else ""
    column = f"column {long.names['return']!r}, taken as it is{percent}"
    return [Remark.of("return", column), *([] if long.dated else [Remark.of("date", only)])]
