"""Prices or returns → forward returns and grades, and what became of every row."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import narwhals as nw

from rankgauge.errors import RankgaugeError
from rankgauge.grading.prices import Prices
from rankgauge.grading.return_rules import ReturnRules
from rankgauge.grading.row_locations import stock_location
from rankgauge.grading.source import NwFrame, any_null, flag, materialise_file, numbered, rows
from rankgauge.grading.times import are_daily

# The fate of a row that has a price or a return: graded, or the reason why not.
GRADED, AT_END, STOPPED, GAP, NO_MARKET, FEW, EQUAL_EDGES = range(7)


# The longest holidays of a market, in trading dates of others.
HOLIDAYS: Final = 7


class ForwardReturns(NamedTuple):
    """A row for every price or return: the numbers of its stock and day, its raw and graded return, grade and fate."""

    frame: NwFrame
    # The date of each day and the ticker of each stock; both are numbered from 1.
    dates: tuple[Any, ...]
    tickers: tuple[Any, ...]
    # Whether dates are days, and not weeks or months.
    daily: bool


def forward_returns(prices: Prices, rules: ReturnRules) -> ForwardReturns:
    """Return every row that has a price or a return, with its forward return, its grade and its fate."""
    stocks, days = numbered(prices.frame, "ticker", "stock"), numbered(prices.frame, "date", "day")
    dates, tickers = _listed(days, "date", "day"), _listed(stocks, "ticker", "stock")
    daily = are_daily(dates)
    frame = prices.frame.join(stocks, on="ticker", how="left").join(days, on="date", how="left")
    if prices.value == "return":
        cell = nw.col("stock") * (len(dates) + 1) + nw.col("day")
        _require_once(frame, nw.len() - cell.n_unique(), dated=prices.dated)
        frame = _with_known_returns(frame, rules)
    else:
        frame = _with_neighbours(frame, rules)
        _require_once(frame, flag(nw.col("day") == nw.col("day_before")).sum(), dated=prices.dated)
        frame = _with_returns(frame, rules, len(dates), allowed_gap(rules, daily=daily))
    return ForwardReturns(materialise_file(_with_grades(frame, rules), is_file=prices.is_file), dates, tickers, daily)


def _listed(keys: NwFrame, key: str, number: str) -> tuple[Any, ...]:
    """The distinct keys in the order of their numbers."""
    return tuple(row[key] for row in sorted(rows(keys), key=lambda row: int(row[number])))


def _require_once(frame: NwFrame, repeated: nw.Expr, *, dated: bool) -> None:
    """Raise if a stock has a date twice; `repeated` counts the rows that do."""
    (counts,) = rows(frame.select(repeated=repeated))
    if not counts["repeated"]:
        return
    twice = frame.group_by("date", "ticker").agg(count=nw.len()).filter(nw.col("count") > 1)
    (first,) = rows(twice.sort("date", "ticker").head(1))
    got = f"it {first['count']} times{'' if dated else ' and no column of dates'}"
    raise RankgaugeError("duplicate-row", place=stock_location(first), expected="a stock on a date", got=got)


def _with_known_returns(frame: NwFrame, rules: ReturnRules) -> NwFrame:
    """Use the returns of the table as they are: every row has one."""
    frame = frame.with_columns(raw=nw.col("return"), exit_day=nw.col("day"), fate=nw.lit(GRADED))
    return frame.with_columns(**{"return": _in_excess(rules)})


def _with_neighbours(frame: NwFrame, rules: ReturnRules) -> NwFrame:
    """Add the entry and exit price, the day of the exit, the last day, and the day and price of the row before.

    They are asked for at once, so that the rows of each stock are looked up once.
    """
    close, day = nw.col("close"), nw.col("day")
    return frame.with_columns(
        entry=_later(close, rules.lag),
        exit=_later(close, rules.ahead),
        exit_day=_later(day, rules.ahead),
        last_day=day.max().over("stock"),
        day_before=_later(day, -1),
        close_before=_later(close, -1),
    )


def _with_returns(frame: NwFrame, rules: ReturnRules, days: int, gap: int | None) -> NwFrame:
    """Add the return and the fate of each row."""
    if rules.benchmark:
        market = nw.col("benchmark")
        frame = frame.with_columns(market_entry=_later(market, rules.lag), market_exit=_later(market, rules.ahead))
    frame = frame.with_columns(fate=_fate(rules, days, gap))
    if rules.stopped != "drop":
        frame = _with_last_prices(frame, rules, float(rules.stopped))
    if rules.benchmark:
        unknown = (nw.col("fate") == GRADED) & any_null(["market_entry", "market_exit"])
        frame = frame.with_columns(fate=nw.when(unknown).then(nw.lit(NO_MARKET)).otherwise(nw.col("fate")))
    frame = frame.with_columns(raw=nw.when(nw.col("fate") == GRADED).then(nw.col("exit") / nw.col("entry") - 1))
    return frame.with_columns(**{"return": _in_excess(rules)})


def _later(value: nw.Expr, number: int) -> nw.Expr:
    return value if number == 0 else value.shift(-number).over("stock", order_by="day")


def allowed_gap(rules: ReturnRules, *, daily: bool) -> int | None:
    """Return how many dates without a price of the stock a return may span; None for any number.

    Where dates are days, a stock may rest over the holidays of its market; weeks and months have none.
    """
    if rules.gaps == "holidays":
        return HOLIDAYS if daily else 0
    return 0 if rules.gaps == "drop" else None


def _fate(rules: ReturnRules, days: int, gap: int | None) -> nw.Expr:
    """Whether a row is graded, or why not; a stock that trades on the last date has not stopped."""
    unknown = nw.col("exit").is_null()
    goes_on = (nw.col("day") > days - rules.ahead) | (nw.col("last_day") == days)
    fate = nw.when(unknown & goes_on).then(nw.lit(AT_END)).when(unknown).then(nw.lit(STOPPED))
    if gap is not None:
        fate = fate.when(nw.col("exit_day") > nw.col("day") + rules.ahead + gap).then(nw.lit(GAP))
    return fate.otherwise(nw.lit(GRADED))


def _with_last_prices(frame: NwFrame, rules: ReturnRules, delisting: float) -> NwFrame:
    """Exit stopped stocks at last price × (1 + delisting return); the benchmark exits on the same day."""
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
    """The price on the last day of the stock, without `last`, which not every library has for groups."""
    return nw.when(nw.col("day") == nw.col("last_day")).then(nw.col(price)).max().over("stock")


def _in_excess(rules: ReturnRules) -> nw.Expr:
    if rules.benchmark:
        return nw.col("raw") - (nw.col("market_exit") / nw.col("market_entry") - 1)
    return nw.col("raw") - nw.col("raw").mean().over("day") if rules.excess else nw.col("raw")


def _with_grades(frame: NwFrame, rules: ReturnRules) -> NwFrame:
    frame = frame.with_columns(count=nw.col("return").count().over(*rules.cell))
    frame = _refused(frame, nw.col("count") < rules.least, FEW)
    if rules.cut == "qcut":
        frame = _with_ranks(frame, rules)
        frame = _refused(frame, nw.col("equal_edges").max().over(*rules.cell) == 1, EQUAL_EDGES)
    return frame.with_columns(grade=nw.when(nw.col("fate") == GRADED).then(_grade(rules)))


def _refused(frame: NwFrame, condition: nw.Expr, fate: int) -> NwFrame:
    refused = (nw.col("fate") == GRADED) & condition
    return frame.with_columns(fate=nw.when(refused).then(nw.lit(fate)).otherwise(nw.col("fate")))


def _with_ranks(frame: NwFrame, rules: ReturnRules) -> NwFrame:
    """Add the lowest and highest rank, from 0, of a return within its date and group, and whether two edges equal it.

    Edge j of pandas.qcut lies at rank j (n - 1) / levels, between values if that is no whole number. Two neighbouring
    edges are equal if both lie among the ranks of one value.
    """
    value, count, steps = nw.col("return"), nw.col("count"), nw.col("steps")
    lowest, highest = ((value.rank(method).over(*rules.cell) - 1).cast(nw.Float64) for method in ("min", "max"))
    several = nw.when(count > 1).then(count - 1).otherwise(nw.lit(1))  # Spark refuses to divide by 0
    frame = frame.with_columns(lowest=lowest, highest=highest, steps=several)
    first = ((nw.col("lowest") * rules.levels + steps - 1) / steps).floor()
    last = (nw.col("highest") * rules.levels / steps).floor()
    return frame.with_columns(equal_edges=flag((count == 1) | (first < last)))


def _grade(rules: ReturnRules) -> nw.Expr:
    value = nw.col("return")
    if rules.thresholds is not None:
        return nw.sum_horizontal(*((value >= cut).cast(nw.Float64) for cut in rules.thresholds))
    if rules.levels == "rank":
        return value.rank("dense").over(*rules.cell) - 1
    if rules.cut == "qcut":
        return _edges_below(rules.levels)
    return ((value.rank(rules.ties).over(*rules.cell) - 1) * rules.levels / nw.col("count")).floor()


def _edges_below(levels: int) -> nw.Expr:
    """How many inner edges lie below a return: those at ranks j (n - 1) / levels below its lowest."""
    below = ((nw.col("lowest") * levels - 1) / nw.col("steps")).floor()
    return nw.when(below > 0).then(below).otherwise(nw.lit(0.0))
