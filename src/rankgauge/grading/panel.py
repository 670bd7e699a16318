"""Prices of any form → one long table: a date, a ticker and a close per row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import show_date
from rankgauge.grading.longform import Long, long_form
from rankgauge.grading.source import Frame, Given, absent, open_table, rows

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
    counted = _count(frame)
    # Not every library keeps the empty cells when a wide table turns to long.
    total = _length(opened.frame) * prices.wide if prices.wide else counted["rows"]
    return Panel(
        frame=frame.filter(_known()).drop("keyed"),
        names={role: prices.names[role] for role in ("date", "ticker")},
        rows=total,
        without_key=counted["without_key"],
        without_price=total - counted["known"] - counted["without_key"],
        is_file=opened.is_file,
        remark=_remark(prices),
    )


def require_dates(frame: Frame, table: str) -> None:
    """Raise if dates are texts whose order is not that of time."""
    if frame.collect_schema()["date"] != nw.String:
        return
    wrong = rows(frame.filter(~nw.col("date").str.contains(_SORTS_BY_TEXT)).select("date").head(1))
    if wrong:
        raise RankgaugeError("bad-date", place=table, got=wrong[0]["date"])


def _length(frame: Frame) -> int:
    (row,) = rows(frame.select(nw.len().alias("rows")))
    return int(row["rows"])


def _count(frame: Frame) -> dict[str, int]:
    close = nw.col("close")
    bad = _known() & ~((close > 0) & close.is_finite())
    sums = {"known": _known(), "without_key": ~nw.col("keyed"), "bad": bad}
    (row,) = rows(frame.select(nw.len().alias("rows"), **{name: _sum(each) for name, each in sums.items()}))
    counts = {name: int(value or 0) for name, value in row.items()}
    if counts["bad"]:
        (first,) = rows(frame.filter(bad).sort("date", "ticker").head(1))
        raise RankgaugeError("bad-price", place=place(first), got=f"{first['close']:g}")
    return counts


def _known() -> nw.Expr:
    return nw.col("keyed") & ~nw.col("close").is_null()


def _sum(condition: nw.Expr) -> nw.Expr:
    return condition.cast(nw.Int64).sum()


def place(row: Mapping[str, Any]) -> str:
    """Return where a row is, for messages."""
    return f"ticker {str(row['ticker'])!r}, date {show_date(row['date'])}"


def _remark(prices: Long) -> str:
    return (
        f"price: {prices.wide:,} columns, one per ticker" if prices.wide else f"price: column {prices.names['close']!r}"
    )
