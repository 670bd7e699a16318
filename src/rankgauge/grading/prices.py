"""Prices or returns of any form → one long table: a date, a ticker and a close or a return per row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading import columns
from rankgauge.grading.audited import ALL, place, show_date
from rankgauge.grading.longform import Long, Wanted, long_form, with_whole_keys
from rankgauge.grading.rules import Rules
from rankgauge.grading.source import Frame, Given, absent, flag, open_table, rows
from rankgauge.grading.tally import counted

TABLE: Final = "prices"
WANTED: Final = Wanted(TABLE, ("close", "return"))
_SORTS_BY_TEXT: Final = r"^\d{4}-?\d{2}-?\d{2}(?:[ T].*)?$"  # pandas warns of groups that capture


class Panel(NamedTuple):
    """Long prices or returns: `frame` has date, ticker, close or return, and perhaps benchmark and group."""

    frame: Frame
    # What its owner calls the columns.
    names: Mapping[str, str]
    # Whether it has the price or the return of a stock.
    value: str
    dated: bool
    rows: int
    without_key: int
    without_value: int
    is_file: bool
    remarks: tuple[str, ...]

    @property
    def noun(self) -> str:
        """What a row has, for messages."""
        return "price" if self.value == "close" else "return"


def read_panel(source: Frame, given: Given, rules: Rules) -> Panel:
    """Read prices, long or wide, or returns; rows without one are dropped and counted, impossible ones refused."""
    opened = open_table(source, TABLE, given)
    named = (("benchmark", rules.benchmark), ("group", rules.group))
    long = long_form(opened, WANTED, given, {role: name for role, name in named if name is not None})
    if long.value == "return":
        rules.require_no_prices(long.names["return"])
    if long.dated:
        require_dates(long.frame, TABLE)
    frame = long.frame.with_columns(keyed=~absent(["date", "ticker"]))
    floats = [name for name, dtype in frame.collect_schema().items() if dtype.is_float()]
    counts = _count(frame, floats, long.value)
    # Not every library keeps the empty cells when a wide table turns to long.
    total = _length(opened.frame) * long.wide if long.wide else counts["rows"]
    return Panel(
        frame=with_whole_keys(frame.filter(_known(long.value)).drop("keyed")),
        names={role: long.names[role] for role in ("date", "ticker")},
        value=long.value,
        dated=long.dated,
        rows=total,
        without_key=counts["without_key"],
        without_value=total - counts["known"] - counts["without_key"],
        is_file=opened.is_file,
        remarks=tuple(_remarks(long, opened.names)),
    )


def require_dates(frame: Frame, table: str) -> None:
    """Raise if dates are texts whose order is not that of time: in another form, or in two."""
    if frame.collect_schema()["date"] != nw.String:
        return
    date = nw.col("date")
    known, dashed = ~date.is_null(), date.str.contains(r"^\d{4}-").fill_null(value=False)
    wrong = known & ~date.str.contains(_SORTS_BY_TEXT).fill_null(value=False)
    timed = date.str.contains("[T ]").fill_null(value=False)
    sums = {"wrong": wrong, "dashed": dashed, "plain": known & ~dashed, "timed": timed, "untimed": known & ~timed}
    (found,) = rows(frame.select(**{name: _sum(each) for name, each in sums.items()}))
    mixed = [two for one, two in (("dashed", "plain"), ("untimed", "timed")) if found[one] and found[two]]
    odd = ["wrong"] if found["wrong"] else mixed
    if odd:
        (first,) = rows(frame.filter(sums[odd[0]]).select("date").head(1))
        raise RankgaugeError("bad-date", place=table, got=first["date"])


def _length(frame: Frame) -> int:
    (row,) = rows(frame.select(nw.len().alias("rows")))
    return int(row["rows"])


def _count(frame: Frame, numbers: list[str], value: str) -> dict[str, int]:
    """Count, in one pass, what is there, and refuse prices, returns and keys that mean nothing."""
    keyed = nw.col("keyed")
    bad = {str(name): keyed & ~_is_possible(name) for name in (value, "benchmark") if name in numbers}
    fractions = {str(name): keyed & ~_is_whole(name) for name in ("date", "ticker") if name in numbers}
    sums = {"known": _known(value), "without_key": ~keyed, **bad, **fractions}
    (row,) = rows(frame.select(nw.len().alias("rows"), **{name: _sum(each) for name, each in sums.items()}))
    counts = {name: int(value or 0) for name, value in row.items()}
    for name, condition in bad.items():
        if counts[name]:
            (first,) = rows(frame.filter(condition).sort("date", "ticker").head(1))
            where = f"benchmark, date {show_date(first['date'])}" if name == "benchmark" else place(first)
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


def _remarks(long: Long, names: list[str]) -> list[str]:
    """Say which columns were used, and which return was not."""
    if long.wide:
        shown = ", ".join(long.tickers[:3]) + ", …" * (long.wide > 3)
        return [f"price: {counted(long.wide, 'column', 'columns')}, one per ticker ({shown})"]
    if long.value == "close":
        unused = [name for name in columns.matches(names, "return") if name not in long.names.values()]
        beside = f"; not used: {', '.join(map(repr, unused))}" if unused else ""
        return [f"price: column {long.names['close']!r}{beside}"]
    dates = [] if long.dated else [f"date: no column, so all rows are one date, called {ALL!r}"]
    percent = ", percents divided by 100" if long.percent else ""
    return [f"return: column {long.names['return']!r}, taken as it is{percent}", *dates]
