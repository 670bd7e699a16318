"""Which column of a raw table is what: the date, the ticker, the action."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.inputs import roles
from rankgauge.terms import require_choice

# What an index without a name is called in a file.
_NONE: Final = ("unnamed_0", "Unnamed: 0")
_DATES: Final = ("날짜", "일자")
# Names of queries elsewhere; here a date has a role of its own.
_DATES_AS_QUERIES: Final = ("date", "trade_date", "as_of_date", *_DATES)
# The first that a table has is taken, so the most telling names stand first.
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "date": (
        *("date", "trade_date", "trading_date", "as_of_date", "datetime", "timestamp", "day", "time"),
        *(*_DATES, "거래일", "기준일", *_NONE),
    ),
    "ticker": (
        *("ticker", "symbol", "stock", "asset", "isin", "cusip", "permno", "security_id", "instrument", "name", "item"),
        *("종목코드", "종목", "종목명"),
    ),
    # Splits and dividends are no losses: an adjusted price comes first.
    "close": (
        *("adj_close", "adjusted_close", "close_adjusted", "adj_price", "수정종가", "수정주가"),
        *("close", "price", "px_last", "last", "종가", "주가"),
    ),
    # Names that say the return is yet to come stand first. How many days it spans may be part of the name.
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
        *("timestamp", "time", "datetime", "event_time", "created_at", "date", "day", "ts", "unixtime"),
        *("시각", "시간", "일시", *_DATES),
    ),
    "weight": ("weight",),
    "position": roles.NAMES["position"],
    "propensity": roles.NAMES["propensity"],
    "rating": (
        *("rating", "stars", "rate", "match_rate", "match", "grade", "relevance", "label", "score", "rel"),
        *("평점", "별점", "점수"),
    ),
    # When a score could be known: only names that say just that.
    "known": ("known_at", "available_at", "knowledge_date"),
}
# `return_5d`, `5-day return`, `5일 후 수익률` and `수익률(%)` name a return with its days or its unit.
_DAYS: Final = re.compile(r"\d+(?:days?|d|일)?(?:간|후|뒤)?")
_PERCENT: Final = re.compile(r"[(\[]?[%％][)\]]?$")
_MOST_SHOWN: Final = 20


def find(
    names: Sequence[str], table: str, given: Mapping[str, str], required: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, str]:
    """Return role → column; `given` wins, and `table` is what messages call it.

    >>> find(["Date", "Symbol", "Close", "Adj Close"], "prices", {}, ["date", "ticker", "close"])
    {'date': 'Date', 'ticker': 'Symbol', 'close': 'Adj Close'}
    """
    wanted = [*required, *optional]
    for role in given:
        require_choice("a role in columns", role, wanted, "a role is given the name of its column")
    found = {role: _given(names, table, role, given[role]) for role in wanted if role in given}
    for role in wanted:
        free = [name for name in names if name not in found.values()]
        column = found.get(role) or _match(free, role, table)
        if column is not None:
            found[role] = column
        elif role in required:
            raise missing(names, table, role)
    return {role: found[role] for role in wanted if role in found}


def _given(names: Sequence[str], table: str, role: str, name: str) -> str:
    if name not in names:
        raise missing(names, table, role, name)
    return name


def _match(names: Sequence[str], role: str, table: str) -> str | None:
    columns = matches(names, role)
    if len(columns) > 1:
        got = ", ".join(map(repr, columns))
        raise RankgaugeError("ambiguous-column", role=role, got=got, example=columns[0], side=table)
    return columns[0] if columns else None


def matches(names: Iterable[str], role: str) -> list[str]:
    """Return the columns that go by the first of the role's names that any goes by.

    >>> matches(["종목", "실제 5일 수익률", "ret"], "return")
    ['실제 5일 수익률']
    """
    keys = {column: _key(column, role) for column in names}
    by_name = ([column for column, key in keys.items() if key == roles.key(name)] for name in NAMES[role])
    return next(filter(None, by_name), [])


def _key(column: str, role: str) -> str:
    key = roles.key(column)
    return _DAYS.sub("", _PERCENT.sub("", key)) if role == "return" else key


def in_percent(column: str) -> bool:
    """Whether the name of a column of returns says that they are percents.

    >>> in_percent("수익률(%)"), in_percent("return_5d")
    (True, False)
    """
    return bool(_PERCENT.search(roles.key(column)))


def require(names: Sequence[str], option: str, name: object) -> None:
    """Raise unless the column that an option names is there."""
    if name not in names:
        shown = ", ".join([repr(column) for column in names[:_MOST_SHOWN]] + ["…"] * (len(names) > _MOST_SHOWN))
        raise RankgaugeError("no-such-column", option=option, got=name, known=shown, nearest=nearest(str(name), names))


def missing(
    names: Sequence[str], table: str, role: str, name: str | None = None, instead: Iterable[str] = ()
) -> RankgaugeError:
    """Return the error of a column that is not there: the one of that name, or any for the role or others `instead`."""
    tried = (f"for {each} ({', '.join(NAMES.get(each, ())[:6])}, …)" for each in (role, *instead))
    wanted = f"{name!r} for {role}" if name else " or ".join(tried)
    shown = [repr(column) for column in names[:_MOST_SHOWN]] + ["…"] * (len(names) > _MOST_SHOWN)
    got = f"the columns {', '.join(shown)}" if shown else "no columns"
    near = nearest(str(name or role), names)
    return RankgaugeError("missing-column", wanted=wanted, got=got, nearest=near, role=role, side=table)
