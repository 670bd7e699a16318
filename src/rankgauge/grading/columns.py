"""The roles of columns in raw tables (date, ticker, action, …) and the names that they usually have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rankgauge.checks import require_choice
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.inputs import roles
from rankgauge.inputs.roles import ColumnFinder

# The name that an index without a name has in a file.
_NONE: Final = ("unnamed_0", "Unnamed: 0")
_DATES: Final = ("날짜", "일자")
# Names of queries elsewhere; graders have a role for dates.
_DATES_AS_QUERIES: Final = ("date", "trade_date", "as_of_date", *_DATES)
# The first name that a table has is taken, so the most specific names come first.
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "date": (
        *("date", "trade_date", "trading_date", "as_of_date", "datetime", "timestamp", "day", "time"),
        *(*_DATES, "거래일", "기준일", *_NONE),
    ),
    "ticker": (
        *("ticker", "symbol", "stock", "asset", "isin", "cusip", "permno", "security_id", "instrument", "name", "item"),
        *("종목코드", "종목", "종목명"),
    ),
    # Splits and dividends are no losses, so adjusted prices come first.
    "close": (
        *("adj_close", "adjusted_close", "close_adjusted", "adj_price", "수정종가", "수정주가"),
        *("close", "price", "px_last", "last", "종가", "주가"),
    ),
    # Names of forward returns come first. The number of days may be part of the name.
    "return": (
        *("forward_return", "forward_returns", "fwd_return", "fwd_returns", "forward_ret", "fwd_ret"),
        *("future_return", "future_returns", "future_ret", "next_return", "next_ret", "미래수익률"),
        *("actual_return", "actual_returns", "realized_return", "realised_return", "실제수익률", "실현수익률"),
        *("return", "returns", "ret", "수익률"),
    ),
    "query": (
        *(name for name in roles.NAMES["query"] if name not in _DATES_AS_QUERIES),
        *("유저_id", "고객_id"),
    ),
    "item": (*roles.NAMES["item"], "아이템_id"),
    "score": roles.NAMES["score"],
    "rank": (
        *("predicted_rank", "pred_rank", "model_rank", "model_predicted_rank", "model's predicted rank"),
        *("모델_예측_순위", "예측_순위", "예상_순위", "모델_순위", *roles.NAMES["rank"]),
    ),
    "action": (
        *("action", "event", "event_type", "event_name", "behavior", "behaviour", "interaction", "type"),
        *("행동", "액션", "이벤트"),
    ),
    "time": (
        *("timestamp", "time", "datetime", "event_time", "created_at", "date", "day", "ts", "unixtime", "t_dat"),
        *("unix_review_time", "review_time"),
        *("시각", "시간", "일시", *_DATES),
    ),
    "weight": ("weight",),
    "position": roles.NAMES["position"],
    "propensity": roles.NAMES["propensity"],
    "rating": (
        *("rating", "stars", "overall", "rate", "match_rate", "match", "grade", "relevance", "label", "score", "rel"),
        *("평점", "별점", "점수"),
    ),
    # When a score was known: only unambiguous names.
    "known": ("known_at", "available_at", "knowledge_date"),
}
# `return_5d`, `5-day return`, `5일 후 수익률` and `수익률(%)` name a return with its days or its unit.
_DAYS: Final = re.compile(r"\d+(?:days?|d|일)?(?:간|후|뒤)?")
_PERCENT: Final = re.compile(r"[(\[]?[%％][)\]]?$")


def finder(names: Sequence[str], table: str, given: Mapping[str, str]) -> ColumnFinder:
    """Return the finder of the columns of a raw table; `table` is what messages call it."""
    return ColumnFinder(names, table, given, known=NAMES, normalised=_normalised)


def find(
    names: Sequence[str], table: str, given: Mapping[str, str], required: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, str]:
    """Return role → column for the required roles and for those optional ones that the table has.

    >>> find(["Date", "Symbol", "Close", "Adj Close"], "prices", {}, ["date", "ticker", "close"])
    {'date': 'Date', 'ticker': 'Symbol', 'close': 'Adj Close'}
    """
    wanted = [*required, *optional]
    for role in given:
        require_choice("a role in columns", role, wanted, "a role is given the name of its column")
    table_columns = finder(names, table, given)
    columns = {role: table_columns.require(role) for role in wanted if role in given}
    for role in wanted:
        column = columns.get(role) or table_columns.find(role, columns.values())
        if column is not None:
            columns[role] = column
        elif role in required:
            raise table_columns.missing(role)
    return {role: columns[role] for role in wanted if role in columns}


def matches(names: Sequence[str], role: str) -> list[str]:
    """Return the columns with the first of the role's known names that any column has.

    >>> matches(["종목", "실제 5일 수익률", "ret"], "return")
    ['실제 5일 수익률']
    """
    return finder(names, "", {}).matches(role)


def _normalised(column: str, role: str) -> str:
    name = roles.key(column)
    return _DAYS.sub("", _PERCENT.sub("", name)) if role == "return" else name


def in_percent(column: str) -> bool:
    """Return whether the name of a column of returns says that they are percents.

    >>> in_percent("수익률(%)"), in_percent("return_5d")
    (True, False)
    """
    return bool(_PERCENT.search(roles.key(column)))


def require(names: Sequence[str], option: str, name: object) -> None:
    """Raise unless the column that an option names is there."""
    if name not in names:
        near = nearest(str(name), names)
        raise RankgaugeError("no-such-column", option=option, got=name, known=roles.column_list(names), nearest=near)
