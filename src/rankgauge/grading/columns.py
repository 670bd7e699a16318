"""Which column of a raw table is what: the date, the ticker, the action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.inputs import roles
from rankgauge.terms import require_choice

_TIMES: Final = ("timestamp", "time", "datetime", "event_time", "created_at", "date", "day", "ts", "unixtime")

# What an index without a name is called in a file.
_NONE: Final = ("unnamed_0", "Unnamed: 0")
# The first that a table has is taken, so the most telling names stand first.
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "date": ("date", "trade_date", "trading_date", "as_of_date", "datetime", "timestamp", "day", "time", *_NONE),
    "ticker": (
        "ticker",
        "symbol",
        "stock",
        "asset",
        "isin",
        "cusip",
        "permno",
        "security_id",
        "instrument",
        "name",
        "item",
    ),
    # Splits and dividends are no losses: an adjusted price comes first.
    "close": ("adj_close", "adjusted_close", "close_adjusted", "adj_price", "close", "price", "px_last", "last"),
    "query": tuple(name for name in roles.NAMES["query"] if name not in ("date", "trade_date", "as_of_date")),
    "item": roles.NAMES["item"],
    "score": roles.NAMES["score"],
    "action": ("action", "event", "event_type", "event_name", "behavior", "behaviour", "interaction", "type"),
    "time": _TIMES,
    "weight": ("weight",),
    "position": roles.NAMES["position"],
    "propensity": roles.NAMES["propensity"],
    "rating": ("rating", "stars", "rate", "match_rate", "match", "grade", "relevance", "label", "score", "rel"),
    # When a score could be known: only names that say just that.
    "known": ("known_at", "available_at", "knowledge_date"),
}
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
    by_name = ([column for column in names if roles.key(column) == roles.key(name)] for name in NAMES[role])
    columns: list[str] = next(filter(None, by_name), [])
    if len(columns) > 1:
        got = ", ".join(map(repr, columns))
        raise RankgaugeError("ambiguous-column", role=role, got=got, example=columns[0], side=table)
    return columns[0] if columns else None


def require(names: Sequence[str], option: str, name: object) -> None:
    """Raise unless the column that an option names is there."""
    if name not in names:
        shown = ", ".join([repr(column) for column in names[:_MOST_SHOWN]] + ["…"] * (len(names) > _MOST_SHOWN))
        raise RankgaugeError("no-such-column", option=option, got=name, known=shown, nearest=nearest(str(name), names))


def missing(names: Sequence[str], table: str, role: str, name: str | None = None) -> RankgaugeError:
    """Return the error of a column that is not there: the one of that name, or any for the role."""
    tried = NAMES.get(role, ())
    wanted = f"{name!r} for {role}" if name else f"for {role} ({', '.join(tried[:6])}, …)"
    shown = [repr(column) for column in names[:_MOST_SHOWN]] + ["…"] * (len(names) > _MOST_SHOWN)
    got = f"the columns {', '.join(shown)}" if shown else "no columns"
    near = nearest(str(name or role), names)
    return RankgaugeError("missing-column", wanted=wanted, got=got, nearest=near, role=role, side=table)
