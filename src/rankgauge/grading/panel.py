"""Prices of any form → one long table: a date, a ticker and a close per row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import show_date
from rankgauge.grading.longform import Long, long_form, with_whole_keys
from rankgauge.grading.source import Frame, Given, absent, flag, open_table, rows
from rankgauge.grading.tally import counted

TABLE: Final = "prices"
_SORTS_BY_TEXT: Final = r"^\d{4}-?\d{2}-?\d{2}(?:[ T].*)?$"  # pandas warns of groups that capture


class Panel(NamedTuple):
    """Long prices: `frame` has date, ticker, close and perhaps benchmark and group; and what its owner calls them."""

    frame: Frame
    names: Mapping[str, str]
    rows: int
    without_key: int
    without_price: int
    is_file: bool
    remark: str


def read_panel(source: Frame, given: Given, *, benchmark: str | None, group: str | None) -> Panel:
    """Read prices, long or wide; rows without a price are dropped and counted, impossible prices refused."""
    opened = open_table(source, TABLE, given)
    extras = {role: name for role, name in (("benchmark", benchmark), ("group", group)) if name is not None}
    prices = long_form(opened, TABLE, given, "close", extras)
    require_dates(prices.frame, TABLE)
    frame = prices.frame.with_columns(keyed=~absent(["date", "ticker"]))
    counted = _count(frame, [name for name, dtype in frame.collect_schema().items() if dtype.is_float()])
    # Not every library keeps the empty cells when a wide table turns to long.
    total = _length(opened.frame) * prices.wide if prices.wide else counted["rows"]
    return Panel(
        frame=with_whole_keys(frame.filter(_known()).drop("keyed")),
        names={role: prices.names[role] for role in ("date", "ticker")},
        rows=total,
        without_key=counted["without_key"],
        without_price=total - counted["known"] - counted["without_key"],
        is_file=opened.is_file,
        remark=_remark(prices),
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


def _count(frame: Frame, numbers: list[str]) -> dict[str, int]:
    """Count, in one pass, what is there, and refuse prices and keys that mean nothing."""
    keyed = nw.col("keyed")
    bad = {str(name): keyed & ~_is_price(name) for name in ("close", "benchmark") if name in numbers}
    fractions = {str(name): keyed & ~_is_whole(name) for name in ("date", "ticker") if name in numbers}
    sums = {"known": _known(), "without_key": ~keyed, **bad, **fractions}
    (row,) = rows(frame.select(nw.len().alias("rows"), **{name: _sum(each) for name, each in sums.items()}))
    counts = {name: int(value or 0) for name, value in row.items()}
    for name, condition in bad.items():
        if counts[name]:
            (first,) = rows(frame.filter(condition).sort("date", "ticker").head(1))
            where = place(first) if name == "close" else f"benchmark, date {show_date(first['date'])}"
            raise RankgaugeError("bad-price", place=where, got=f"{first[name]:g}")
    for key in fractions:
        if counts[key]:
            raise RankgaugeError("bad-column", TABLE, expected=f"whole numbers or texts as {key}", got="fractions")
    return counts


def _is_price(name: str) -> nw.Expr:
    price = nw.col(name)
    return price.is_null() | ((price > 0) & price.is_finite())


def _is_whole(name: str) -> nw.Expr:
    return nw.col(name) == nw.col(name).floor()


def _known() -> nw.Expr:
    return nw.col("keyed") & ~nw.col("close").is_null()


def _sum(condition: nw.Expr) -> nw.Expr:
    return flag(condition).sum()


def place(row: Mapping[str, Any]) -> str:
    """Return where a row is, for messages."""
    return f"ticker {str(row['ticker'])!r}, date {show_date(row['date'])}"


def _remark(prices: Long) -> str:
    if not prices.wide:
        return f"price: column {prices.names['close']!r}"
    shown = ", ".join(prices.tickers[:3]) + ", …" * (prices.wide > 3)
    return f"price: {counted(prices.wide, 'column', 'columns')}, one per ticker ({shown})"
