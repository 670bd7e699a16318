"""Prices → forward returns and grades, and what became of every row."""

from __future__ import annotations

from typing import Any, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.panel import Panel, place
from rankgauge.grading.rules import Rules
from rankgauge.grading.source import Frame, absent, kept, numbered, rows

# What became of a row that has a price.
GRADED, AT_END, STOPPED, GAP, NO_MARKET, FEW = range(6)


class Forward(NamedTuple):
    """`frame` has a row for every price, with the numbers stock and day, raw, return, grade and fate."""

    frame: Frame
    # The dates of the days, from 1 on.
    dates: tuple[Any, ...]


def forward(panel: Panel, rules: Rules) -> Forward:
    """Return every row that has a price, with its return, its grade and its fate."""
    listed = rows(numbered(panel.frame, "date", "day"))
    dates = tuple(row["date"] for row in sorted(listed, key=lambda row: int(row["day"])))
    frame = panel.frame
    for key, number in (("ticker", "stock"), ("date", "day")):
        frame = frame.join(numbered(panel.frame, key, number), on=key, how="left")
    _require_once(frame, len(dates))
    frame = _with_grades(_with_returns(frame, rules, len(dates)), rules)
    return Forward(kept(frame, is_file=panel.is_file), dates)


def _require_once(frame: Frame, days: int) -> None:
    """Raise if a stock has a date twice."""
    cell = nw.col("stock") * (days + 1) + nw.col("day")
    (found,) = rows(frame.select(rows=nw.len(), cells=cell.n_unique()))
    if not found["rows"] or found["rows"] == found["cells"]:
        return
    twice = frame.group_by("date", "ticker").agg(count=nw.len()).filter(nw.col("count") > 1)
    (first,) = rows(twice.sort("date", "ticker").head(1))
    got = f"it {first['count']} times"
    raise RankgaugeError("duplicate-row", place=place(first), expected="a stock on a date", got=got)


def _with_returns(frame: Frame, rules: Rules, days: int) -> Frame:
    """Add what is paid, what is got, and when."""
    close, day = nw.col("close"), nw.col("day")
    frame = frame.with_columns(
        entry=_later(close, rules.lag),
        exit=_later(close, rules.ahead),
        exit_day=_later(day, rules.ahead),
        last_day=day.max().over("stock"),
    )
    if rules.benchmark:
        market = nw.col("benchmark")
        frame = frame.with_columns(market_entry=_later(market, rules.lag), market_exit=_later(market, rules.ahead))
    frame = frame.with_columns(fate=_fate(rules, days))
    if rules.stopped != "drop":
        frame = _with_last_prices(frame, rules, float(rules.stopped))
    if rules.benchmark:
        unknown = (nw.col("fate") == GRADED) & absent(["market_entry", "market_exit"])
        frame = frame.with_columns(fate=nw.when(unknown).then(nw.lit(NO_MARKET)).otherwise(nw.col("fate")))
    frame = frame.with_columns(raw=nw.when(nw.col("fate") == GRADED).then(nw.col("exit") / nw.col("entry") - 1))
    return frame.with_columns(**{"return": _in_excess(rules)})


def _later(value: nw.Expr, number: int) -> nw.Expr:
    return value if number == 0 else value.shift(-number).over("stock", order_by="day")


def _fate(rules: Rules, days: int) -> nw.Expr:
    """A stock that trades on the last date has not stopped, even if it has too few rows till then."""
    unknown = nw.col("exit").is_null()
    goes_on = (nw.col("day") > days - rules.ahead) | (nw.col("last_day") == days)
    fate = nw.when(unknown & goes_on).then(nw.lit(AT_END)).when(unknown).then(nw.lit(STOPPED))
    if rules.gaps == "drop":
        fate = fate.when(nw.col("exit_day") > nw.col("day") + rules.ahead).then(nw.lit(GAP))
    return fate.otherwise(nw.lit(GRADED))


def _with_last_prices(frame: Frame, rules: Rules, delisting: float) -> Frame:
    """Sell what stopped, if it could be bought, at its last price and with the delisting return; so ends the market."""
    sold = (nw.col("fate") == STOPPED) & ~nw.col("entry").is_null()
    exits = {"exit": _last("close") * (1 + delisting)} | (
        {"market_exit": _last("benchmark")} if rules.benchmark else {}
    )
    frame = frame.with_columns(**{f"last_{name}": price for name, price in exits.items()})
    return frame.with_columns(
        **{name: nw.when(sold).then(nw.col(f"last_{name}")).otherwise(nw.col(name)) for name in exits},
        fate=nw.when(sold).then(nw.lit(GRADED)).otherwise(nw.col("fate")),
        sold=sold.cast(nw.Int64),
    )


def _last(price: str) -> nw.Expr:
    """The price on the last day of the stock; not every library has the last of a group."""
    return nw.when(nw.col("day") == nw.col("last_day")).then(nw.col(price)).max().over("stock")


def _in_excess(rules: Rules) -> nw.Expr:
    if rules.excess is None:
        return nw.col("raw")
    if rules.benchmark:
        return nw.col("raw") - (nw.col("market_exit") / nw.col("market_entry") - 1)
    return nw.col("raw") - nw.col("raw").mean().over("day")


def _with_grades(frame: Frame, rules: Rules) -> Frame:
    frame = frame.with_columns(count=nw.col("return").count().over(*rules.cell))
    few = (nw.col("fate") == GRADED) & (nw.col("count") < rules.least)
    frame = frame.with_columns(fate=nw.when(few).then(nw.lit(FEW)).otherwise(nw.col("fate")))
    return frame.with_columns(grade=nw.when(nw.col("fate") == GRADED).then(_grade(rules)))


def _grade(rules: Rules) -> nw.Expr:
    value = nw.col("return")
    if rules.thresholds is not None:
        return nw.sum_horizontal(*((value >= cut).cast(nw.Float64) for cut in rules.thresholds))
    if rules.levels == "rank":
        return value.rank("dense").over(*rules.cell) - 1
    return ((value.rank(rules.ties).over(*rules.cell) - 1) * rules.levels / nw.col("count")).floor()
