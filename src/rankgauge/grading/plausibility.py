"""Prices and returns that are possible and yet probably wrong: splits, filled prices, jumps, percents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import narwhals as nw

from rankgauge.grading.forward_returns import GRADED, ForwardReturns
from rankgauge.grading.prices import Prices
from rankgauge.grading.source import NwFrame, flag, rows
from rankgauge.languages import Text
from rankgauge.notation import counted, date_text
from rankgauge.remarks import Remark

# Returns above the first may be right; above the second they hardly ever are.
_LARGE, _IMPLAUSIBLE = 3.0, 10.0
# A larger absolute return is rare; where half of all are larger, they are written as percents.
_PERCENT: Final = 0.5
# Ratios of splits and reverse splits.
_SPLITS: Final = (2, 3, 4, 5, 10, 20, 50)
_NEAR: Final = 0.04
# Every split takes the price below the first or above the second multiple of itself.
_LESS, _MORE = 0.6, 1.6
# Prices that are equal on this many last dates were filled forward.
_FILLED: Final = 10


def sums(table: Prices) -> dict[str, nw.Expr]:
    """Return what to count in the rows of forward returns: returns that are large, or may be percents."""
    raw, graded = nw.col("raw"), nw.col("fate") == GRADED
    if table.value == "close":
        return {"large": graded & (raw > _LARGE)}
    return {"beyond": graded & (raw.abs() > _PERCENT), "below": graded & (raw < -1.0)}


def remarks(table: Prices, forward: ForwardReturns, cells: Sequence[Mapping[str, Any]], kept: int) -> list[Remark]:
    """Say what is implausible; `cells` have the sums of `sums`, `kept` rows are graded."""
    totals = {name: sum(int(cell[name] or 0) for cell in cells) for name in sums(table)}
    if table.value == "return":
        return _percents(table, totals, kept)
    large = _large_returns(forward, totals["large"]) if totals["large"] else []
    return [*large, *_splits(forward), *_filled(forward)] if forward.daily else large


def _percents(table: Prices, totals: Mapping[str, int], kept: int) -> list[Remark]:
    if table.percent or not (totals["below"] or 2 * totals["beyond"] > kept):
        return []
    text = Text("{:,} of {:,} returns are above 50% in size", totals["beyond"], kept)
    if totals["below"]:
        text = Text("{} below -1, a loss of more than everything", counted(totals["below"], "return"))
    return [Remark.of("percents", Text("{}; 12 is read as 1,200%", text))]


def _large_returns(forward: ForwardReturns, count: int) -> list[Remark]:
    largest = forward.frame.filter(nw.col("fate") == GRADED).select("day", "stock", "raw")
    (row,) = rows(largest.sort("raw", "day", "stock", descending=[True, False, False]).head(1))
    code = "implausible-returns" if row["raw"] > _IMPLAUSIBLE else "large-returns"
    text = Text(
        "{returns} above {large:.0%}, the largest {most:,.0%} ({example})",
        returns=counted(count, "return"),
        large=_LARGE,
        most=row["raw"],
        example=_stock_and_date(forward, row),
    )
    return [Remark.of(code, text)]


def _splits(forward: ForwardReturns) -> list[Remark]:
    """Say how many prices are near a whole multiple or fraction of that of the date before."""
    close, day = nw.col("close"), nw.col("day")
    frame = forward.frame.select("stock", "day", "close", "day_before", "close_before")
    ratio = close / nw.col("close_before")
    # Few prices change so much, and only these are compared with every split.
    frame = frame.filter((ratio < _LESS) | (ratio > _MORE))
    near = [(ratio * factor - 1).abs() <= _NEAR for factor in (*_SPLITS, *(1 / split for split in _SPLITS))]
    is_split = (day - nw.col("day_before") == 1) & nw.any_horizontal(*near, ignore_nulls=True)
    (counts,) = rows(frame.select(splits=flag(is_split).sum()))
    if not counts["splits"]:
        return []
    (row,) = rows(frame.filter(is_split).sort("day", "stock").head(1))
    example = Text("{}: from {:g} to {:g}", _stock_and_date(forward, row), row["close_before"], row["close"])
    text = Text.counted(
        int(counts["splits"]),
        "{n:,} price is near a whole multiple or fraction of the price before ({example})",
        "{n:,} prices are near a whole multiple or fraction of the price before ({example})",
        example=example,
    )
    return [Remark.of("splits", text)]


def _filled(forward: ForwardReturns) -> list[Remark]:
    """Say how many stocks keep one price until their last date."""
    still = _still_at_the_end(forward.frame)
    if not still:
        return []
    of_still = forward.frame.filter(nw.col("stock").is_in(still))
    by_stock = _last_changes(of_still).with_columns(length=nw.col("last_day") - nw.col("changed"))
    filled = sorted(rows(by_stock.filter(nw.col("length") >= _FILLED)), key=lambda row: int(row["stock"]))
    if not filled:
        return []
    ticker, since = forward.tickers[int(filled[0]["stock"]) - 1], forward.dates[int(filled[0]["changed"])]
    text = Text.counted(
        len(filled),
        "{n:,} stock keeps its last price for {days} or more dates until the end ({example})",
        "{n:,} stocks keep their last price for {days} or more dates until the end ({example})",
        days=_FILLED,
        example=Text("{!r} since {}", str(ticker), date_text(since, " ")),
    )
    return [Remark.of("filled-prices", text)]


def _still_at_the_end(frame: NwFrame) -> list[int]:
    """The stocks with one price in their last dates; a look at few rows, since most data have no such stock."""
    close = nw.col("close")
    ends = frame.filter(nw.col("day") > nw.col("last_day") - _FILLED)
    ranges = ends.group_by("stock").agg(lowest=close.min(), highest=close.max())
    return [int(row["stock"]) for row in rows(ranges.filter(nw.col("lowest") == nw.col("highest")))]


def _last_changes(frame: NwFrame) -> NwFrame:
    """The last day of each stock, and the last day on which its price was not the last one; 0 if there is none."""
    close, day = nw.col("close"), nw.col("day")
    last = nw.when(day == nw.col("last_day")).then(close).max().over("stock")
    marked = frame.select("stock", "day", "close", "last_day").with_columns(last_close=last)
    changed = nw.when(close != nw.col("last_close")).then(day).otherwise(nw.lit(0))
    return marked.with_columns(changed=changed).group_by("stock").agg(nw.col("changed").max(), nw.col("last_day").max())


def _stock_and_date(forward: ForwardReturns, row: Mapping[str, Any]) -> Text:
    ticker, date = forward.tickers[int(row["stock"]) - 1], forward.dates[int(row["day"]) - 1]
    return Text("{!r} on {}", str(ticker), date_text(date, " "))
