"""Graded returns and scores with the same numbers for the same dates and stocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import narwhals as nw
import numpy as np
import numpy.typing as npt

from rankgauge.data.judgments import Judgments
from rankgauge.data.ranking import Ranking
from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audit
from rankgauge.grading.forward_returns import GRADED, forward_returns
from rankgauge.grading.prices import read_prices
from rankgauge.grading.reshape import LongTable, ValueRequest, long_form, with_whole_keys
from rankgauge.grading.return_rules import ReturnRules
from rankgauge.grading.returns import make_audit
from rankgauge.grading.row_locations import stock_location
from rankgauge.grading.source import NwFrame, any_null, arrays, materialise_file, numbered, open_table, rows
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.roles import Roles
from rankgauge.inputs.types import TableInput
from rankgauge.notation import date_text
from rankgauge.stocks.one_table import keyword_of_table
from rankgauge.stocks.price_rows import PriceRows
from rankgauge.stocks.sessions import Sessions, is_after, is_date

SCORES: Final = "scores"
REQUEST: Final = ValueRequest(SCORES, ("score", "rank"), ("known",))
Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

_JUDGED: Final = Roles(query="date", item="ticker", value="grade", descending=True)
_RANKED: Final = Roles(query="date", item="ticker", value="score", descending=True)


class GradedReturns(NamedTuple):
    """Every graded return; `day` and `stock` are indices into `dates` and `tickers`, which are sorted."""

    day: Codes
    stock: Codes
    # The return as traded, and as graded, which may be an excess return.
    raw: Numbers
    value: Numbers
    grade: Numbers
    # The number of the group of each stock on its date; 0 where it has none.
    group: Codes
    dates: tuple[str, ...]
    # The same in the local time of the exchange, in the form of ISO 8601.
    local_dates: tuple[str, ...]
    tickers: tuple[str, ...]
    sessions: Sessions
    audit: Audit
    # What the table held: price or return.
    noun: str
    # Whether the table had dates.
    dated: bool
    # The prices, if the table held them.
    rows: PriceRows | None

    def judgments(self) -> Judgments:
        """Return the grades as judgments; a date is a query, a stock is an item."""
        keys = {"date": ("codes", self.day, list(self.dates)), "ticker": ("codes", self.stock, list(self.tickers))}
        return Judgments.from_table({**keys, "grade": self.grade}, _JUDGED)


class Scores(NamedTuple):
    """Every score of a date and stock with a price or a return; the score of a rank is its negative."""

    day: Codes
    stock: Codes
    value: Numbers
    rows: int
    without_score: int
    # The column of ranks, where 1 is the best; None if the table had scores.
    rank: str | None
    # Rows whose date, or stock, has no price.
    without_date: int
    without_stock: int
    # Distinct dates and tickers that the prices lack.
    lost_dates: tuple[str, ...]
    lost_tickers: tuple[str, ...]
    # A date and a stock with a score, for messages.
    example: str

    def as_compared(self, precision: str) -> Scores:
        """Return the scores as a convention compares them: rounded to 32 bits, some are equal."""
        return self if precision == "float64" else self._replace(value=self.value.astype(np.float32).astype(np.float64))

    def ranking(self, returns: GradedReturns) -> Ranking:
        """Return the scores as a ranking, with the ids of the returns."""
        keys = {
            "date": ("codes", self.day, list(returns.dates)),
            "ticker": ("codes", self.stock, list(returns.tickers)),
        }
        return Ranking.from_table({**keys, "score": self.value}, _RANKED)


@keyword_of_table()
def read_returns(
    prices: TableInput, rules: ReturnRules, columns: ColumnsInput, close: str | None = None
) -> GradedReturns:
    """Grade prices or returns, and number dates and stocks."""
    Sessions.of(close)  # what makes no sense is refused before anything is read
    table = read_prices(prices, columns, rules)
    forward = forward_returns(table, rules)
    audit = make_audit(table, forward, rules)
    graded = forward.frame.filter(nw.col("fate") == GRADED)
    graded, group = _with_groups(graded) if rules.group else (graded, nw.lit(0))
    values = arrays(graded.select("day", "stock", "raw", "return", "grade", rankgauge_group=group))
    tickers = tuple(map(date_text, forward.tickers))
    order = sorted(range(len(tickers)), key=lambda stock: tickers[stock].encode())
    sorted_number = np.empty(len(tickers), dtype=np.int64)
    sorted_number[order] = np.arange(len(tickers))
    sessions = Sessions.of(close, forward.dates)
    return GradedReturns(
        day=values["day"].astype(np.int64) - 1,
        stock=sorted_number[values["stock"].astype(np.int64) - 1],
        raw=values["raw"].astype(np.float64),
        value=values["return"].astype(np.float64),
        grade=values["grade"].astype(np.float64),
        group=values["rankgauge_group"].astype(np.int64),
        dates=tuple(map(date_text, forward.dates)),
        local_dates=tuple(map(sessions.text, forward.dates)),
        tickers=tuple(tickers[stock] for stock in order),
        sessions=sessions,
        audit=audit,
        noun=table.noun,
        dated=table.dated,
        rows=_price_rows(forward.frame, sorted_number, rules) if table.value == "close" else None,
    )


def _price_rows(frame: NwFrame, stock_numbers: Codes, rules: ReturnRules) -> PriceRows:
    values = arrays(frame.select("day", "stock", "close"))
    stock, day = (values[name].astype(np.int64) - 1 for name in ("stock", "day"))
    delisting = None if rules.stopped == "drop" else float(rules.stopped)
    return PriceRows.of(stock_numbers[stock], day, values["close"].astype(np.float64), delisting)


def _with_groups(frame: NwFrame) -> tuple[NwFrame, nw.Expr]:
    """Number the groups from 1; rows without a group are of group 0."""
    groups = numbered(frame.filter(~nw.col("group").is_null()), "group", "group_number")
    return frame.join(groups, on="group", how="left"), nw.col("group_number").fill_null(0)


@keyword_of_table()
def read_scores(
    scores: TableInput,
    returns: GradedReturns,
    columns: ColumnsInput,
    *,
    lag: int,
    request: ValueRequest = REQUEST,
    ignore: Sequence[str] = (),
) -> Scores:
    """Read a score or a rank per date and stock; raise if one was known only after the price of its trade."""
    source = open_table(scores, SCORES, columns)
    table = long_form(source, request, columns, {}, ignore)
    _require_dates_in_both(table, returns)
    frame = materialise_file(table.frame, is_file=source.is_file)
    known = with_whole_keys(frame.filter(~any_null(["date", "ticker", table.value])))
    known = _with_scores(known, table)
    days, stocks = (rows(numbered(known, key, "number")) for key in ("date", "ticker"))
    returns.sessions.require_zone([row["date"] for row in days])
    days = [{**row, "date": returns.sessions.text(row["date"])} for row in days]
    stocks = [{**row, "ticker": date_text(row["ticker"])} for row in stocks]
    day_of = _days(days, returns, lag)
    stock_of = _numbers(stocks, "ticker", {ticker: number for number, ticker in enumerate(returns.tickers)})
    if "known" in table.names:
        _require_known_before(known, returns, day_of, days, lag)
    for key, number in (("date", "day"), ("ticker", "stock")):
        known = known.join(numbered(known, key, number), on=key, how="left")
    read = arrays(known.select("day", "stock", "score"))
    day, stock = day_of[read["day"].astype(np.int64) - 1], stock_of[read["stock"].astype(np.int64) - 1]
    both = (day >= 0) & (stock >= 0)
    (total,) = rows(frame.select(nw.len().alias("rows")))
    result = Scores(
        day=day[both],
        stock=stock[both],
        value=read["score"].astype(np.float64)[both],
        rows=int(total["rows"]),
        without_score=int(total["rows"]) - len(day),
        rank=table.names["rank"] if table.value == "rank" else None,
        without_date=int((day < 0).sum()),
        without_stock=int(((day >= 0) & (stock < 0)).sum()),
        lost_dates=_lost(days, "date", day_of),
        lost_tickers=_lost(stocks, "ticker", stock_of),
        example=f"{days[0]['date']!r} and {stocks[0]['ticker']!r}" if days else "no scores",
    )
    _require_once(result, returns)
    return result


def _lost(listed: list[dict[str, Any]], key: str, numbers: Codes) -> tuple[str, ...]:
    """The keys that the returns lack, sorted."""
    return tuple(sorted(row[key] for row in listed if numbers[int(row["number"]) - 1] < 0))


def _require_dates_in_both(table: LongTable, returns: GradedReturns) -> None:
    if table.dated != returns.dated:
        side, other = (SCORES, "prices") if table.dated else ("prices", SCORES)
        raise RankgaugeError("dates-on-one-side", side=side, other=other)


def _with_scores(frame: NwFrame, table: LongTable) -> NwFrame:
    """Add a score; that of a rank is its negative, so that the highest is the best."""
    value = nw.col(table.value)
    possible = value.is_finite() & (value >= 1) if table.value == "rank" else value.is_finite()
    wrong = rows(frame.filter(~possible).sort("date", "ticker").head(1))
    if not wrong:
        return frame.with_columns(score=-value) if table.value == "rank" else frame
    where, got = f"{SCORES}: {stock_location(wrong[0])}", wrong[0][table.value]
    if table.value == "rank":
        raise RankgaugeError("bad-rank", where, got=f"{got:g}")
    raise RankgaugeError("bad-value", where, noun="score", got=got)


def _numbers(listed: list[dict[str, Any]], key: str, known: Mapping[str, int]) -> Codes:
    """The number of each key among those of the returns; -1 where these lack it."""
    numbers = np.full(len(listed), -1, dtype=np.int64)
    for row in listed:
        numbers[int(row["number"]) - 1] = known.get(row[key], -1)
    return numbers


def _days(listed: list[dict[str, Any]], returns: GradedReturns, lag: int) -> Codes:
    """The day of each date of the scores; a date with another time of day belongs to the price of its day.

    Raise if the score comes after that price and is traded at it.
    """
    prices = returns.local_dates
    numbers = _numbers(listed, "date", {text: number for number, text in enumerate(prices)})
    prices_per_day = Counter(text[:10] for text in prices if is_date(text))
    closes = {text[:10]: number for number, text in enumerate(prices) if prices_per_day[text[:10]] == 1}
    for row in listed:
        index, text = int(row["number"]) - 1, row["date"]
        if numbers[index] >= 0 or text[:10] not in closes:
            continue
        numbers[index] = closes[text[:10]]
        price = returns.sessions.price_time(prices[numbers[index]])
        if is_after(text, price) and lag == 0:
            raise _look_ahead(f"the score of {text}", f"the price of {price}", "a time after that", price)
    return numbers


def _require_known_before(
    frame: NwFrame, returns: GradedReturns, day_of: Codes, days: list[dict[str, Any]], lag: int
) -> None:
    """Raise if a score was known only after the price at which it is traded."""
    latest = rows(frame.filter(~any_null(["known"])).group_by("date").agg(nw.col("known").max()))
    number = {row["date"]: int(row["number"]) - 1 for row in days}
    texts = [{key: returns.sessions.text(value) for key, value in row.items()} for row in latest]
    for row in sorted(texts, key=lambda each: each["date"]):
        day = day_of[number[row["date"]]]
        entry = day + lag
        if day < 0 or entry >= len(returns.dates):
            continue
        known, price = row["known"], returns.sessions.price_time(returns.local_dates[entry])
        if is_date(known) != is_date(price):  # day 17 and 2026-01-02 cannot be compared
            raise RankgaugeError("bad-date", place=f"{SCORES}: dates such as {price}, known", got=known)
        if is_after(known, price):
            traded = f"the price of {price}, at which it would be traded"
            raise _look_ahead(f"a score of {row['date']}", traded, f"known at {known}", price)


def _look_ahead(score: str, price: str, got: str, time: str) -> RankgaugeError:
    at_close = "say when the close is, as in close='16:00', " if "T" not in time and is_date(time) else ""
    return RankgaugeError(
        "look-ahead",
        place=SCORES,
        expected=f"{score} to be known no later than {price}",
        got=got,
        hint=f"{at_close}trade later, as lag=1 does at the close of the next row, or date the scores by the day that "
        "they are for",
    )


def _require_once(scores: Scores, returns: GradedReturns) -> None:
    cells = scores.day * len(returns.tickers) + scores.stock
    distinct, first = np.unique(cells, return_index=True)
    if len(distinct) < len(cells):
        repeated = np.setdiff1d(np.arange(len(cells)), first)[0]
        row = {"date": returns.dates[scores.day[repeated]], "ticker": returns.tickers[scores.stock[repeated]]}
        location = f"{SCORES}: {stock_location(row)}"
        raise RankgaugeError("duplicate-row", place=location, expected="a score", got="it twice")
