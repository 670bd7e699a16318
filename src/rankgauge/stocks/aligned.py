"""Graded returns and scores side by side: the same numbers for the same dates and stocks."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, datetime, tzinfo
from typing import Any, Final, NamedTuple

import narwhals as nw
import numpy as np
import numpy.typing as npt

from rankgauge.errors import RankgaugeError
from rankgauge.grading.audited import Audit, place
from rankgauge.grading.forward import GRADED, forward
from rankgauge.grading.longform import Long, Wanted, long_form, with_whole_keys
from rankgauge.grading.panel import read_panel
from rankgauge.grading.returns import make_audit
from rankgauge.grading.rules import Rules
from rankgauge.grading.source import Frame, Given, absent, arrays, kept, numbered, open_table, rows
from rankgauge.inputs.roles import Roles
from rankgauge.judgments import Judgments
from rankgauge.ranking import Ranking

SCORES: Final = "scores"
WANTED: Final = Wanted(SCORES, ("score", "rank"), ("known",))
_MIDNIGHT: Final = re.compile(r"(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0*)?)?(?:Z|[+-]\d{2}:?\d{2})?$")
_BLANK: Final = re.compile(r"(?<=^\d{4}-\d{2}-\d{2}) (?=\d)")
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

_JUDGED: Final = Roles(query="date", item="ticker", value="grade", descending=True)
_RANKED: Final = Roles(query="date", item="ticker", value="score", descending=True)


class Returns(NamedTuple):
    """Every graded return of every date; days and stocks are places in `dates` and `tickers`, in their order."""

    day: Codes
    stock: Codes
    # As it was traded, and as it was graded: in excess of something, perhaps.
    raw: Numbers
    value: Numbers
    grade: Numbers
    dates: tuple[str, ...]
    tickers: tuple[str, ...]
    # The time zone of the dates, if they are points in one.
    zone: tzinfo | None
    audit: Audit
    # What the table had of each stock: a price or a return.
    noun: str
    # Whether the table had dates.
    dated: bool

    def judgments(self) -> Judgments:
        """Return the grades as judgments: a date is a query, a stock an item."""
        keys = {"date": ("codes", self.day, list(self.dates)), "ticker": ("codes", self.stock, list(self.tickers))}
        return Judgments.from_table({**keys, "grade": self.grade}, _JUDGED)


class Scores(NamedTuple):
    """Every score of a stock and a date that have a price or a return; a rank is a score of its negative."""

    day: Codes
    stock: Codes
    value: Numbers
    rows: int
    without_score: int
    # Whether the table had ranks, where 1 is the best, and in which column.
    rank: str | None
    # Rows whose date, or whose stock, has no price at all.
    without_date: int
    without_stock: int
    # A date and a stock that have a score.
    example: str

    def ranking(self, returns: Returns) -> Ranking:
        """Return the scores as a ranking, with the ids of the returns."""
        keys = {
            "date": ("codes", self.day, list(returns.dates)),
            "ticker": ("codes", self.stock, list(returns.tickers)),
        }
        return Ranking.from_table({**keys, "score": self.value}, _RANKED)


def read_returns(prices: Frame, rules: Rules, given: Given) -> Returns:
    """Grade prices or returns, and keep dates and stocks as numbers."""
    panel = read_panel(prices, given, rules)
    market = forward(panel, rules)
    audit = make_audit(panel, market, rules)
    graded = market.frame.filter(nw.col("fate") == GRADED)
    found = arrays(graded.select("day", "stock", "raw", "return", "grade"))
    listed = rows(numbered(panel.frame, "ticker", "stock"))
    tickers = tuple(id_text(row["ticker"]) for row in sorted(listed, key=lambda row: int(row["stock"])))
    order = sorted(range(len(tickers)), key=lambda at: tickers[at].encode())
    places = np.empty(len(tickers), dtype=np.int64)
    places[order] = np.arange(len(tickers))
    return Returns(
        day=found["day"].astype(np.int64) - 1,
        stock=places[found["stock"].astype(np.int64) - 1],
        raw=found["raw"].astype(np.float64),
        value=found["return"].astype(np.float64),
        grade=found["grade"].astype(np.float64),
        dates=tuple(map(id_text, market.dates)),
        tickers=tuple(tickers[at] for at in order),
        zone=getattr(market.dates[0], "tzinfo", None) if market.dates else None,
        audit=audit,
        noun=panel.noun,
        dated=panel.dated,
    )


def read_scores(scores: Frame, returns: Returns, given: Given, *, lag: int, wanted: Wanted = WANTED) -> Scores:
    """Read a score or a rank per date and stock; one that could not be known when its price was made is an error."""
    opened = open_table(scores, SCORES, given)
    table = long_form(opened, wanted, given, {})
    _require_dates_in_both(table, returns)
    frame = kept(table.frame, is_file=opened.is_file)
    known = with_whole_keys(frame.filter(~absent(["date", "ticker", table.value])))
    known = _with_scores(known, table)
    days, stocks = (rows(numbered(known, key, "number")) for key in ("date", "ticker"))
    days = [{**row, "date": _in_zone(row["date"], returns.zone)} for row in days]
    day_of = _days(days, returns, lag)
    stock_of = _places(stocks, "ticker", {ticker: at for at, ticker in enumerate(returns.tickers)})
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
        example=f"{_first(days, 'date')} and {_first(stocks, 'ticker')}" if days else "no scores",
    )
    _require_once(result, returns)
    return result


def _in_zone(moment: Any, zone: tzinfo | None) -> Any:  # noqa: ANN401 - a date of any kind
    """A point in time on the clock of the prices, so that the two can be compared."""
    is_point = isinstance(moment, datetime) and moment.tzinfo is not None and zone is not None
    return moment.astimezone(zone) if is_point else moment


def _first(listed: list[dict[str, Any]], key: str) -> str:
    return repr(id_text(listed[0][key]))


def _require_dates_in_both(table: Long, returns: Returns) -> None:
    if table.dated != returns.dated:
        side, other = (SCORES, "prices") if table.dated else ("prices", SCORES)
        raise RankgaugeError("dates-on-one-side", side=side, other=other)


def _with_scores(frame: Frame, table: Long) -> Frame:
    """Return the frame with a score: of a rank it is its negative, so that the highest is the best."""
    value = nw.col(table.value)
    possible = value.is_finite() & (value >= 1) if table.value == "rank" else value.is_finite()
    wrong = rows(frame.filter(~possible).sort("date", "ticker").head(1))
    if not wrong:
        return frame.with_columns(score=-value) if table.value == "rank" else frame
    where, got = f"{SCORES}: {place(wrong[0])}", wrong[0][table.value]
    if table.value == "rank":
        raise RankgaugeError("bad-rank", where, got=f"{got:g}")
    raise RankgaugeError("bad-value", where, noun="score", got=got)


def _places(listed: list[dict[str, Any]], key: str, known: dict[str, int]) -> Codes:
    places = np.full(len(listed), -1, dtype=np.int64)
    for row in listed:
        places[int(row["number"]) - 1] = known.get(id_text(row[key]), -1)
    return places


def _days(listed: list[dict[str, Any]], returns: Returns, lag: int) -> Codes:
    """The day of each date of scores; one with another time of day is of its day, whose close it may come after."""
    places = _places(listed, "date", {text: at for at, text in enumerate(returns.dates)})
    days = Counter(text[:10] for text in returns.dates if _ISO.match(text))
    closes = {text[:10]: at for at, text in enumerate(returns.dates) if days[text[:10]] == 1}
    for row in listed:
        at, text = int(row["number"]) - 1, id_text(row["date"])
        if places[at] >= 0 or text[:10] not in closes:
            continue
        places[at] = closes[text[:10]]
        price = returns.dates[places[at]]
        if text > price and lag == 0:
            raise _look_ahead(f"the score of {text}", f"the price of {price}", "a time after that")
    return places


def _require_known_before(frame: Frame, returns: Returns, day_of: Codes, days: list[dict[str, Any]], lag: int) -> None:
    """Raise if a score became known after the date of the price at which it is traded."""
    latest = rows(frame.filter(~absent(["known"])).group_by("date").agg(nw.col("known").max()))
    number = {id_text(row["date"]): int(row["number"]) - 1 for row in days}
    latest = [{key: _in_zone(value, returns.zone) for key, value in row.items()} for row in latest]
    for row in sorted(latest, key=lambda each: id_text(each["date"])):
        day = day_of[number[id_text(row["date"])]]
        entry = day + lag
        if day < 0 or entry >= len(returns.dates):
            continue
        at, price = id_text(row["known"]), returns.dates[entry]
        if bool(_ISO.match(at)) != bool(_ISO.match(price)):  # 20260102 and 2026-01-02 cannot be compared
            raise RankgaugeError("bad-date", place=f"{SCORES}: dates such as {price}, known", got=at)
        if at > price:
            traded = f"the price of {price}, at which it would be traded"
            raise _look_ahead(f"a score of {id_text(row['date'])}", traded, f"known at {at}")


def _look_ahead(score: str, price: str, got: str) -> RankgaugeError:
    return RankgaugeError(
        "look-ahead",
        place=SCORES,
        expected=f"{score} to be known no later than {price}",
        got=got,
        hint="trade later, as lag=1 does at the close of the next row, or date the scores by the day they are for",
    )


def _require_once(scores: Scores, returns: Returns) -> None:
    cells = scores.day * len(returns.tickers) + scores.stock
    distinct, first = np.unique(cells, return_index=True)
    if len(distinct) < len(cells):
        again = np.ones(len(cells), dtype=bool)
        again[first] = False
        at = int(np.flatnonzero(again)[0])
        row = {"date": returns.dates[scores.day[at]], "ticker": returns.tickers[scores.stock[at]]}
        raise RankgaugeError("duplicate-row", place=f"{SCORES}: {place(row)}", expected="a score", got="it twice")


def require_common(returns: Returns, scores: Scores, days: int) -> None:
    """Raise unless some date has a stock with a score and a graded return."""
    if days:
        return
    if not len(returns.day):
        raise RankgaugeError(
            "no-grades-at-all", got=f"{returns.audit.rows:,} rows of {returns.noun}s", why=_why(returns.audit)
        )
    first, last = (returns.dates[int(day)] for day in (returns.day.min(), returns.day.max()))
    raise RankgaugeError(
        "no-common-stock", got=scores.example, date=first, last=last, ticker=returns.tickers[int(returns.stock[0])]
    )


def _why(audit: Audit) -> str:
    return "; ".join(f"{why}: {count:,}" for why, count in audit.dropped.items() if count) or "no rows"


def id_text(key: object) -> str:
    """Return a date or a ticker as text, as the core writes ids: midnight is the date alone.

    >>> id_text(datetime(2026, 1, 2)), id_text(datetime(2026, 1, 2, 16, 30)), id_text(date(2026, 1, 2)), id_text(7)
    ('2026-01-02', '2026-01-02T16:30:00', '2026-01-02', '7')
    """
    text = key.isoformat() if isinstance(key, date) else str(key)
    midnight = _MIDNIGHT.match(text)
    return midnight[1] if midnight else _BLANK.sub("T", text, count=1)
